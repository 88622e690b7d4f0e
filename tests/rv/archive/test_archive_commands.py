"""``ecliptic archive``: list, read and fetch stars; a mistake is one line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from rv.archive.exoplanet_archive import Archive, healthy_pages, served

from ecliptic.cli.app import run_cli
from ecliptic.rv import archive
from ecliptic.rv.archive.fetching import URL_VARIABLE
from ecliptic.rv.orbit import radial_velocity_ms
from ecliptic.rv.tasks import Planet, RVTask


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    """Forty velocities of one planet, in the columns of RadVel."""
    rng = np.random.default_rng(5)
    times = 2455000.0 + np.sort(rng.uniform(0.0, 150.0, 40))
    planet = Planet(period_days=9.4, m_sin_i_mjup=0.4, e=0.2, omega_rad=1.0, l_rad=2.0)
    rvs = radial_velocity_ms(times, [planet], 1.1, float(times[0])) + rng.normal(0.0, 1.5, 40)
    rows = [f"{t:.6f},{v:.4f},1.5,j" for t, v in zip(times, rvs, strict=True)]
    path = tmp_path / "star.csv"
    path.write_text("\n".join(["time,mnvel,errvel,tel", *rows]) + "\n")
    return path


READ = ["--format", "radvel", "--unit", "m/s", "--time-offset", "0"]


def test_the_shipped_stars_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(["archive", "list"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in archive.stars())
    assert "bce(d)" in out


def test_a_file_of_ones_own_becomes_a_task(
    own_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "task.json"
    command = ["archive", "read", str(own_file), *READ, "--star", "Mine", "--mass", "1.1"]
    assert run_cli([*command, "--planet", "9.4:0.05", "--out", str(out)]) == 0
    task = RVTask.from_dict(json.loads(out.read_text()))
    assert task.source_id == "Mine"
    assert task.truth.refit is not None
    assert task.truth.refit.planets[0].period_days.value == pytest.approx(9.4, abs=0.05)
    assert task.truth.planets[0].m_sin_i_mjup == pytest.approx(0.4, abs=0.05)
    assert "40 velocities of j" in capsys.readouterr().out


def test_or_a_table(own_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "star.ecsv"
    command = ["archive", "read", str(own_file), *READ, "--star", "Mine", "--out", str(out)]
    assert run_cli(command) == 0
    assert len(archive.read_ecsv(out)) == 40
    assert run_cli(command) == 2
    assert run_cli([*command, "--overwrite"]) == 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--mass", "1.1"], "is no shipped star: state its planets with --planet DAYS"),
        (["--planet", "9.4"], "the mass of 'Mine' is not known; state it with --mass"),
        (["--planet", "9.4", "--mass", "-1"], "--mass must be > 0"),
        (["--planet", "soon", "--mass", "1"], "'soon' is not DAYS or DAYS:SIGMA"),
    ],
)
def test_what_is_missing_is_named_in_one_line(
    own_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
    message: str,
) -> None:
    out = str(tmp_path / "task.json")
    command = ["archive", "read", str(own_file), *READ, "--star", "Mine", "--out", out, *more]
    assert run_cli(command) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not Path(out).exists()


def test_the_output_is_refused_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "task.txt")
    url = ["--url", "http://127.0.0.1:9"]
    assert run_cli(["archive", "fetch", "eta Cet", *url, "--out", out]) == 2
    error = capsys.readouterr().err
    assert "must end in .json (a task) or .ecsv" in error
    assert error.count("\n") == 1


def test_a_star_is_fetched_from_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with served(Archive(pages=healthy_pages())) as running:
        monkeypatch.setenv(URL_VARIABLE, running.url)
        out = tmp_path / "etacet.ecsv"
        assert run_cli(["archive", "fetch", "eta Cet", "--out", str(out)]) == 0
    assert archive.read_ecsv(out).instrument_labels == ("Hamilton", "CRIRES")
    assert "fetched UID_0005364_RVC_001.tbl" in capsys.readouterr().out


def test_refits_are_written_in_the_form_of_the_shipped_ones(tmp_path: Path) -> None:
    out = tmp_path / "refits.json"
    assert run_cli(["archive", "refit", "K2-140", "--out", str(out)]) == 0
    data = json.loads(out.read_text())
    assert list(data["stars"]) == ["k2-140"]
    assert data["stars"]["k2-140"]["sealed"]["truth"]["refit"]["planets"][0]["name"] == "b"


def test_the_table_of_agreement_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(["archive", "agreement"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("| star | planet |")
    assert "the period agrees within 3 sigma" in out
