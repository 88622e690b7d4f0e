"""Every format gives the same velocities, with units that were in the file or stated."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from rv.archive.samples import (
    DACE,
    IPAC,
    JULIET,
    KIMA,
    ORBITIZE,
    RADVEL,
    RVBANK,
    SAMPLES,
    Sample,
)

from ecliptic.errors import UsageError
from ecliptic.rv.archive.ecsv_files import read_ecsv, write_ecsv
from ecliptic.rv.archive.reading import read_series
from ecliptic.rv.archive.series import ArchivalSeries


def read(folder: Path, sample: Sample, text: str | None = None, **stated: object) -> ArchivalSeries:
    path = folder / sample.name
    path.write_bytes((sample.text if text is None else text).encode())
    return read_series(path, sample.file_format, **{**sample.stated, **stated})  # type: ignore[arg-type]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.file_format)
def test_velocities_are_read_exactly(tmp_path: Path, sample: Sample) -> None:
    series = read(tmp_path, sample)
    assert series.times_bjd.tolist() == [2455000.5, 2455002.25, 2455010.125]
    np.testing.assert_allclose(series.rvs_ms, [1.0, -2.0, 3.5], rtol=1e-12)
    np.testing.assert_allclose(series.sigmas_ms, [0.9, 1.1, 1.0], rtol=1e-12)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.file_format)
def test_windows_files_with_a_byte_order_mark_are_read_alike(
    tmp_path: Path, sample: Sample
) -> None:
    plain = read(tmp_path, sample)
    windows = read(tmp_path, sample, "\ufeff" + sample.text.replace("\n", "\r\n"))
    assert windows.times_bjd.tolist() == plain.times_bjd.tolist()
    assert windows.rvs_ms.tolist() == plain.rvs_ms.tolist()
    assert windows.instruments == plain.instruments


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.file_format)
def test_a_table_of_our_own_gives_the_series_back(tmp_path: Path, sample: Sample) -> None:
    series = read(tmp_path, sample)
    write_ecsv(series, tmp_path / "own.ecsv")
    assert read_ecsv(tmp_path / "own.ecsv") == series


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.file_format)
def test_the_origin_is_recorded(tmp_path: Path, sample: Sample) -> None:
    (source,) = read(tmp_path, sample).sources
    assert source.file == sample.name
    assert source.format == sample.file_format
    assert source.sha256 == hashlib.sha256(sample.text.encode()).hexdigest()
    assert source.points == 3
    assert set(source.stated) == set(sample.stated)


@pytest.mark.parametrize(
    ("sample", "labels"),
    [
        (RADVEL, ("j", "j", "a")),
        (JULIET, ("FEROS", "FEROS", "HARPS")),
        (DACE, ("HARPS03", "HARPS03", "HARPS15")),
        (IPAC, ("Hamilton",) * 3),
        (ORBITIZE, ("H",) * 3),
        (RVBANK, ("HARPS",) * 3),
    ],
    ids=lambda value: getattr(value, "file_format", ""),
)
def test_every_point_has_its_label(tmp_path: Path, sample: Sample, labels: tuple[str, ...]) -> None:
    assert read(tmp_path, sample).instruments == labels


def test_an_ipac_table_states_star_paper_and_frame(tmp_path: Path) -> None:
    series = read(tmp_path, IPAC)
    assert series.star == "eta Cet"
    assert series.time_reference == "bjd"
    assert series.sources[0].citation == "Somebody et al. 2014"
    assert series.sources[0].bibcode == "2014A&A...568A..64T"


def test_an_ipac_table_in_km_per_second_is_converted(tmp_path: Path) -> None:
    text = IPAC.text.replace("m/s            |m/s ", "km/s           |km/s")
    series = read(tmp_path, IPAC, text)
    np.testing.assert_allclose(series.rvs_ms, [1000.0, -2000.0, 3500.0])


def test_indicators_keep_their_gaps(tmp_path: Path) -> None:
    (indicator,) = read(tmp_path, RADVEL).indicators
    assert indicator.name == "s_index"
    assert indicator.values == (0.15, None, 0.16)


def test_points_that_failed_quality_control_are_left_out_and_counted(tmp_path: Path) -> None:
    series = read(tmp_path, DACE)
    assert 99.0 not in series.rvs_ms
    assert series.sources[0].remarks == ("1 points failed the quality control; left out",)


def test_order_and_repeated_rows_are_noted(tmp_path: Path) -> None:
    assert "out of order in time (1 steps" in read(tmp_path, JULIET).sources[0].remarks[0]
    twice = JULIET.text + "2455010.125 3.5 1.0 HARPS\n"
    series = read(tmp_path, JULIET, twice)
    assert len(series) == 3
    assert "1 rows repeated another word for word; left out" in series.sources[0].remarks


def test_mixed_zero_points_are_noted(tmp_path: Path) -> None:
    rows = [f"{2455000.5 + day},{day % 3 + (15600 if day > 4 else 0)},1.0,A\n" for day in range(9)]
    text = "time,mnvel,errvel,tel\n" + "".join(rows)
    (remark,) = read(tmp_path, RADVEL, text).sources[0].remarks
    assert remark.startswith("velocities of A fall into two groups 15598 m/s apart")


def test_a_bare_kima_file_takes_the_names_of_its_columns(tmp_path: Path) -> None:
    text = "2455000.5 1.0 0.9 2\n2455002.25 -2.0 1.1 1\n"
    with pytest.raises(UsageError, match="4 columns without names; give names"):
        read(tmp_path, KIMA, text, time_offset_days=None, instrument=None)
    names = ("time", "vrad", "svrad", "instrument")
    series = read(
        tmp_path,
        KIMA,
        text,
        names=names,
        velocity_unit="m/s",
        time_offset_days=None,
        instrument=None,
    )
    assert series.instruments == ("2", "1")


def test_the_catalogue_of_many_stars_asks_which(tmp_path: Path) -> None:
    text = RVBANK.text + "GJ2;2455000.5;5.0;0.9;7.0;1.0;3.0;1.0\n"
    with pytest.raises(UsageError, match="holds several stars; give target, one of gj1, gj2"):
        read(tmp_path, RVBANK, text)
    assert read(tmp_path, RVBANK, text, target="GJ 2").rvs_ms.tolist() == [5.0]


def test_another_velocity_of_the_bank_can_be_chosen(tmp_path: Path) -> None:
    assert read(tmp_path, RVBANK, velocity="RV_drs_nzp").rvs_ms.tolist() == [7.0, 8.0, 9.0]
