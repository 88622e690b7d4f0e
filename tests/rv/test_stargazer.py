"""The published task files: conversion, provenance, and every kind of damage."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import sys
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from published import published_task, write_published

from ecliptic.errors import EclipticWarning, MissingExtraError, SuiteError
from ecliptic.files import MAX_JSON_BYTES
from ecliptic.rv import radial_velocity_ms, stargazer_files
from ecliptic.rv.stargazer import import_stargazer, read_published
from ecliptic.rv.tasks import Planet
from ecliptic.suite import Problem, Suite, load_suite, write_suite

needs_rebound = pytest.mark.skipif(
    importlib.util.find_spec("rebound") is None, reason="needs the extra nbody"
)
PLANET_FIELDS = {
    "P_days": "period_days",
    "m_sin_i_mjup": "m_sin_i_mjup",
    "e": "e",
    "omega_rad": "omega_rad",
    "l_rad": "l_rad",
    "Omega_rad": "Omega_rad",
}


@pytest.fixture(scope="module")
def bank(stargazer_data: Path) -> Suite:
    return import_stargazer(stargazer_data)


@needs_rebound
def test_published_observations_are_reproduced(bank: Suite, stargazer_data: Path) -> None:
    lines = (stargazer_data / "expected_observations.jsonl").read_text().splitlines()
    assert len(lines) == 70
    for line in lines:
        expected = json.loads(line)
        task = bank.find(expected["task_id"]).load()
        np.testing.assert_allclose(task.observation.rvs_ms, expected["rvs_ms"], rtol=1e-6)
        for planet, reference in zip(task.truth.planets, expected["planets"], strict=True):
            for theirs, ours in PLANET_FIELDS.items():
                assert getattr(planet, ours) == pytest.approx(reference[theirs], rel=1e-12)


@needs_rebound
def test_the_published_bank(bank: Suite) -> None:
    assert bank.problems == ()
    assert Counter(task.tier for task in bank) == {"easy": 14, "medium": 28, "hard": 28, "real": 14}
    assert [task.tier for task in bank] == [
        tier for tier in ("easy", "medium", "hard", "real") for task in bank if task.tier == tier
    ]
    assert len({task.id for task in bank}) == 84
    same = [bank.find(name).load() for name in ("real_005", "real_006")]
    assert np.array_equal(same[0].observation.rvs_ms, same[1].observation.rvs_ms)
    assert same[0].id != same[1].id
    gp_tasks = [task for task in bank if task.truth.noise.gp is not None]
    assert len(gp_tasks) == 21
    assert all(task.difficulty_terms["gp_used"] for task in gp_tasks)


@needs_rebound
def test_a_real_star_whose_points_are_grouped_by_instrument(
    bank: Suite, stargazer_data: Path
) -> None:
    seen = bank.find("real_008").load().observation
    published = json.loads((stargazer_data / "real" / "real_008.json").read_text())["observations"]
    assert seen.t_ref_days == published["times_days"][0] > seen.times_days[0]
    columns = ("times_days", "rvs_ms", "sigmas_ms", "instruments")
    ours = list(zip(*(getattr(seen, name) for name in columns), strict=True))
    theirs = list(zip(*(published[name] for name in columns), strict=True))
    assert sorted(ours) == sorted(theirs)
    assert ours != theirs


@needs_rebound
@pytest.mark.parametrize("form", ["bank", "bank.parquet"])
def test_the_published_bank_as_a_suite(bank: Suite, tmp_path: Path, form: str) -> None:
    write_suite(bank, tmp_path / form)
    assert list(load_suite(tmp_path / form)) == list(bank)


@needs_rebound
def test_the_conversion(tmp_path: Path) -> None:
    """The N-body signal is replaced by the Keplerian one; the noise stays."""
    from ecliptic.rv.nbody import nbody_velocities_ms

    data = published_task(planets=2)
    task = import_stargazer(write_published(tmp_path, data))[0]
    config, seen = data["config"], data["observations"]
    old = [
        Planet(**{ours: planet[theirs] for theirs, ours in PLANET_FIELDS.items()}, inc_rad=1.2)
        for planet in config["planets"]
    ]
    for planet, published in zip(task.truth.planets, config["planets"], strict=True):
        assert planet.Omega_rad == 0.0
        assert planet.l_rad == pytest.approx(
            (published["l_rad"] - published["Omega_rad"]) % math.tau, rel=1e-14
        )
        assert planet.inc_rad == published["inc_rad"]
    times = task.observation.times_days
    noise = task.observation.rvs_ms - radial_velocity_ms(
        times, task.truth.planets, 0.9, task.observation.t_ref_days
    )
    np.testing.assert_allclose(
        noise, np.array(seen["rvs_ms"]) - nbody_velocities_ms(times, old, 0.9), atol=1e-9
    )
    assert not np.allclose(task.observation.rvs_ms, seen["rvs_ms"], atol=0.1)


@needs_rebound
def test_fields_of_a_synthetic_task(tmp_path: Path) -> None:
    data = published_task("seed7_diff9", difficulty=9)
    data["config"]["noise"]["gp"] |= {"use_gp": True, "sigma_ms": 0.7}
    task = import_stargazer(write_published(tmp_path, data))[0]
    assert (task.source_id, task.tier, task.difficulty) == ("seed7_diff9", "hard", 9)
    assert task.difficulty_terms == data["difficulty_details"]
    assert task.meta["source_seed"] == 7
    assert task.meta["conversion"] == "nbody_to_keplerian"
    assert task.observation.star_mass_sun == 0.9
    assert task.observation.sigmas_ms.tolist() == data["observations"]["sigmas_ms"]
    assert task.truth.forward_model == "keplerian"
    assert task.truth.noise.gp is not None
    assert task.truth.noise.gp.sigma_ms == 0.7
    assert task.truth.instruments[0].model_dump() == data["config"]["instruments"][0]


def test_a_real_star_is_taken_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And does not need REBOUND."""
    monkeypatch.setitem(sys.modules, "rebound", None)
    data = published_task("real_001", difficulty=1, real=True)
    task = import_stargazer(write_published(tmp_path, data))[0]
    assert task.tier == "real"
    assert task.observation.rvs_ms.tolist() == data["observations"]["rvs_ms"]
    assert task.truth.planets[0].l_rad == data["config"]["planets"][0]["l_rad"]
    assert task.truth.noise.gp is None
    assert task.meta == {
        "rv_semantics": "rv_only",
        "benchmark": "stargazer",
        "engine": "keplerian",
        "conversion": "none",
    }


def test_without_rebound_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name == "rebound" else find_spec(name, *rest),
    )
    write_published(tmp_path, published_task())
    with pytest.raises(MissingExtraError, match=r"ecliptic\[nbody\]"):
        import_stargazer(tmp_path)


@pytest.mark.parametrize(
    ("difficulty", "tier"),
    [(1, "easy"), (2, "easy"), (3, "medium"), (6, "medium"), (7, "hard"), (10, "hard")],
)
@needs_rebound
def test_tiers(tmp_path: Path, difficulty: int, tier: str) -> None:
    data = published_task(difficulty=difficulty)
    assert import_stargazer(write_published(tmp_path, data))[0].tier == tier


def real(task_id: str, **_: Any) -> dict[str, Any]:
    """A task that needs no N-body integration: quick, and without REBOUND."""
    return published_task(task_id, real=True)


def test_a_checkout(tmp_path: Path) -> None:
    """Tasks at any depth; results and settings elsewhere are passed over, copies kept once."""
    for index in (10, 9):
        write_published(tmp_path / "data" / "tasks", real(f"real_{index}"))
    write_published(tmp_path / "copies" / "deep", real("real_9"), "same.json")
    write_published(tmp_path / ".git", real("real_hidden"))
    (tmp_path / "package.json").write_text('{"name": "x"}')
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "run.json").write_text('{"task_id": "real_9", "score": ')
    suite = import_stargazer(tmp_path)
    assert [task.source_id for task in suite] == ["real_9", "real_10"]
    assert suite.problems == ()


def test_problems_do_not_hide_the_others(tmp_path: Path) -> None:
    write_published(tmp_path, real("real_1"))
    write_published(tmp_path, real("real_2"))
    other = real("real_2")
    other["observations"]["rvs_ms"][0] += 1.0
    write_published(tmp_path, other, "z_contradiction.json")
    (tmp_path / "a_settings.json").write_text('{"task_id": 1, "config": 2}')
    (tmp_path / "b_list.json").write_text("[]")
    (tmp_path / "c_cut.json").write_text(json.dumps(real("real_3"))[:400])
    with pytest.warns(EclipticWarning, match=r"4 of 6 files were left out: .*a_settings\.json"):
        suite = import_stargazer(tmp_path)
    assert [task.source_id for task in suite] == ["real_1", "real_2"]
    names = [Path(problem.file).name for problem in suite.problems]
    assert names == ["a_settings.json", "b_list.json", "c_cut.json", "z_contradiction.json"]
    settings, listed, cut, contradiction = suite.problems
    assert (settings.field, settings.message) == (
        "observations",
        "is missing: not a published task file",
    )
    assert str(listed) == f"{tmp_path / 'b_list.json'}: must hold a JSON object"
    assert cut.message.startswith("is cut short: the JSON text ends at line 1 column")
    assert contradiction.field == "task_id"
    assert "real_2.json" in contradiction.message


DROP = object()
MANY_PLANETS = published_task()["config"]["planets"] * 100_000
DAMAGE = [
    ("task_id", 7, "task_id", "should be a valid string, not 7"),
    ("task_id", "", "task_id", "must not be empty"),
    ("truth_difficulty", DROP, "truth_difficulty", "is missing"),
    ("truth_difficulty", "3", "truth_difficulty", "should be a valid integer, not '3'"),
    ("truth_difficulty", 0, "truth_difficulty", "must be >= 1, not 0"),
    ("config", 3, "config", "must be an object with named fields, not 3"),
    ("config.star", DROP, "config.star", "is missing"),
    ("config.star.M_star_sun", 0, "config.star.M_star_sun", "must be > 0, not 0"),
    ("config.planets", DROP, "config.planets", "is missing"),
    ("config.planets", [], "config.planets", "must not be empty"),
    ("config.planets", MANY_PLANETS, "config.planets", "at most 30 entries"),
    ("config.planets.0.P_days", 0, "config.planets[0].P_days", "must be > 0, not 0"),
    ("config.planets.0.P_days", "12", "config.planets[0].P_days", "must be a number, not '12'"),
    ("config.planets.0.P_days", True, "config.planets[0].P_days", "must be a number, not True"),
    ("config.planets.0.e", 1.2, "config.planets[0].e", "must be < 1, not 1.2"),
    ("config.planets.0.e", math.nan, "config.planets[0].e", "must be a finite number, not NaN"),
    ("config.planets.0.l_rad", DROP, "config.planets[0].l_rad", "is missing"),
    ("config.planets.0.P_days", 1e-9, "config.planets", "periods of 1e-09 d, at most"),
    ("config.planets.0.inc_rad", 0.0, "config.planets", "face-on"),
    ("config.los_axis", "y", "config.los_axis", "must be 'x', not 'y'"),
    ("config.instruments", [], "config.instruments", "must not be empty"),
    ("config.noise.sigma_white_ms", -1, "config.noise.sigma_white_ms", "must be >= 0, not -1"),
    ("config.noise.gp.use_gp", True, "config.noise.gp.sigma_ms", "must be > 0 where use_gp"),
    ("config.noise.gp.use_gp", "yes", "config.noise.gp.use_gp", "should be a valid boolean"),
    ("observations", [], "observations", "must be an object with named fields, not []"),
    ("observations.rvs_ms", DROP, "observations.rvs_ms", "is missing"),
    ("observations.rvs_ms.3", math.nan, "observations.rvs_ms", "must be finite at index 3"),
    ("observations.rvs_ms.3", math.inf, "observations.rvs_ms", "must be finite at index 3"),
    ("observations.rvs_ms.3", "1.0", "observations.rvs_ms", "a number at index 3, not '1.0'"),
    ("observations.rvs_ms.3", None, "observations.rvs_ms", "a number at index 3, not None"),
    ("observations.rvs_ms", [1.0], "observations.rvs_ms", "as many entries as times_days (12)"),
    ("observations.rvs_ms", {"a": 1}, "observations.rvs_ms", "must be a list of numbers"),
    ("observations.sigmas_ms.2", -1.0, "observations.sigmas_ms", "must be > 0 at index 2, not -1"),
    ("observations.sigmas_ms.2", 0.0, "observations.sigmas_ms", "must be > 0 at index 2, not 0"),
    ("observations.times_days.1", -1.0, "observations.times_days", "not decrease, does at index 1"),
    ("observations.times_days", [], "observations.times_days", "must hold 1 to 100000 entries"),
    ("observations.instruments.4", "?", "observations.instruments[4]", "names '?', which config"),
    ("observations.instruments.4", 4, "observations.instruments[4]", "should be a valid string"),
    ("meta", {"x": math.nan}, "meta", "must not hold NaN or infinity"),
    ("meta", 3, "meta", "must be an object with named fields, not 3"),
    ("difficulty_details", {"x": math.inf}, "difficulty_details", "must not hold NaN"),
]


@needs_rebound
@pytest.mark.parametrize(("path", "value", "field", "message"), DAMAGE)
def test_damage_is_named(
    tmp_path: Path, path: str, value: object, field: str, message: str
) -> None:
    data = published_task("seed2_diff3")
    *parents, last = path.split(".")
    target: Any = data
    for name in parents:
        target = target[int(name)] if isinstance(target, list) else target[name]
    if value is DROP:
        del target[last]
    else:
        target[int(last) if isinstance(target, list) else last] = value
    damaged = write_published(tmp_path, data, "damaged.json")
    write_published(tmp_path, real("real_1"))
    tasks, problems = read_published(tmp_path)
    assert [task.source_id for task in tasks] == ["real_1"]
    (problem,) = problems
    assert (problem.file, problem.field) == (str(damaged), field)
    assert message in problem.message
    assert "\n" not in str(problem)
    damaged.rename(tmp_path / "alone.json")
    with pytest.raises(SuiteError, match="no task could be imported") as caught:
        import_stargazer(tmp_path / "alone.json")
    assert message in str(caught.value)


def test_too_many_observations(tmp_path: Path) -> None:
    data = real("real_1")
    n = 100_001
    data["observations"] = {
        "times_days": list(range(n)),
        "rvs_ms": [0.0] * n,
        "sigmas_ms": [1.0] * n,
        "instruments": ["instA"] * n,
    }
    _, (problem,) = read_published(write_published(tmp_path, data))
    assert problem.field == "observations.times_days"
    assert problem.message == "must hold 1 to 100000 entries, not 100001"


CONTENT = [
    (b"", "is empty"),
    (b'{"task_id": "x", "config"', "is cut short"),
    (b'{"task_id": "\xff"}', "is not UTF-8 text"),
    (b"[]", "must hold a JSON object"),
    (b'{"a": 1}', "task_id is missing: not a published task file"),
    (b"[" * 100_000, "is nested too deeply"),
]


@pytest.mark.parametrize(("content", "message"), CONTENT)
def test_no_task_at_all(tmp_path: Path, content: bytes, message: str) -> None:
    """One file alone, a folder of such files, and a zip of them."""
    path = tmp_path / "folder" / "a.json"
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(SuiteError, match=message):
        import_stargazer(path)
    (path.parent / "b.json").write_bytes(content)
    with pytest.raises(SuiteError, match=f"none of 2 JSON files is a published task.*{message}"):
        import_stargazer(path.parent)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(path, "deep/a.json")
    with pytest.raises(SuiteError, match=message):
        import_stargazer(tmp_path / "a.zip")


def test_wrong_paths(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "a.zip").write_text("x")
    with zipfile.ZipFile(tmp_path / "none.zip", "w") as archive:
        archive.writestr("README.md", "x")
    write_published(tmp_path / "real", real("real_1"))
    write_suite(import_stargazer(tmp_path / "real"), tmp_path / "suite")
    for name, message in [
        ("nowhere", "no such file or folder"),
        ("empty", "holds no JSON files"),
        ("a.txt", r"must be a folder, a task file \(\.json\) or a \.zip"),
        ("a.zip", "not a zip archive"),
        ("none.zip", "holds no JSON files"),
        ("suite", "is a suite of ecliptic already"),
    ]:
        with pytest.raises(SuiteError, match=message) as caught:
            import_stargazer(tmp_path / name)
        assert str(tmp_path / name) in str(caught.value)


def test_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "bank.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for index in (2, 10):
            archive.writestr(
                f"repo-main/tasks/real_{index}.json", json.dumps(real(f"real_{index}"))
            )
        archive.writestr("repo-main/tasks/cut.json", '{"task_id"')
        archive.writestr("repo-main/tasks/bomb.json", b" " * (MAX_JSON_BYTES + 1))
        archive.writestr("repo-main/results/cut.json", '{"task_id"')
        archive.writestr("__MACOSX/tasks/._real_2.json", b"\0")
        archive.writestr("../../escape.json", "{")
    before = sorted(tmp_path.parent.parent.rglob("*escape*"))
    tasks, problems = read_published(path)
    assert [task.source_id for task in tasks] == ["real_2", "real_10"]
    assert [(p.file.removeprefix(f"{path}/"), p.message.partition(":")[0]) for p in problems] == [
        ("repo-main/tasks/bomb.json", "is too large for a task"),
        ("repo-main/tasks/cut.json", "is cut short"),
    ]
    assert sorted(tmp_path.parent.parent.rglob("*escape*")) == before


def test_a_damaged_member_of_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "bank.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.json", json.dumps(real("real_1")))
        archive.writestr("b.json", json.dumps(real("real_2")))
    data = path.read_bytes()
    at = data.index(b"real_2") + 30
    path.write_bytes(data[:at] + b"#" + data[at + 1 :])
    tasks, problems = read_published(path)
    assert [task.source_id for task in tasks] == ["real_1"]
    assert problems[0].file == f"{path}/b.json"
    assert problems[0].message.startswith("is damaged in the archive (Bad CRC-32")


def test_a_cut_archive(tmp_path: Path) -> None:
    path = tmp_path / "bank.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.json", json.dumps(real("real_1")))
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(SuiteError, match="not a zip archive, or a damaged one"):
        import_stargazer(path)


def test_progress_counts_files(tmp_path: Path) -> None:
    for index in range(3):
        write_published(tmp_path, real(f"real_{index}"))
    calls: list[tuple[int, int]] = []
    read_published(tmp_path, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_a_problem_is_one_line() -> None:
    assert str(Problem("a.json", "e", "is missing")) == "a.json: e is missing"
    assert str(Problem("a.json", "", "is empty")) == "a.json: is empty"


def archive_of(path: Path, method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("a.json", json.dumps(real("real_1")), zipfile.ZIP_STORED)
        archive.writestr("b.json", json.dumps(real("real_2")) * 3)
    return path


def changed_member(path: Path, change: Callable[[bytearray, int, int], None]) -> None:
    """Change bytes of b.json: the callback gets the offsets of its local and central header."""
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        local = archive.getinfo("b.json").header_offset
    central = data.rindex(b"PK\x01\x02")
    change(data, local, central)
    path.write_bytes(data)


def garble(data: bytearray, local: int, _: int) -> None:
    start = local + 30 + len("b.json")
    data[start : start + 40] = bytes(255 - byte for byte in data[start : start + 40])


def set_flag(data: bytearray, local: int, central: int) -> None:
    data[local + 6] |= 1
    data[central + 8] |= 1


def set_method(data: bytearray, local: int, central: int) -> None:
    data[local + 8] = data[central + 10] = 97


def cut_header(data: bytearray, local: int, _: int) -> None:
    data[local : local + 4] = b"XXXX"


def patch(data: bytearray, local: int, central: int) -> None:
    data[local + 6] |= 0x20
    data[central + 8] |= 0x20


@pytest.mark.parametrize(
    ("method", "change", "message"),
    [
        (zipfile.ZIP_DEFLATED, garble, "is damaged in the archive"),
        (zipfile.ZIP_BZIP2, garble, "is damaged in the archive"),
        (zipfile.ZIP_LZMA, garble, "is damaged in the archive"),
        (zipfile.ZIP_DEFLATED, cut_header, "is damaged in the archive"),
        (zipfile.ZIP_DEFLATED, set_flag, "is encrypted"),
        (zipfile.ZIP_DEFLATED, set_method, "cannot be unpacked"),
        (zipfile.ZIP_DEFLATED, patch, "cannot be unpacked"),
    ],
)
def test_a_member_that_cannot_be_unpacked_is_a_problem_of_its_own(
    tmp_path: Path, method: int, change: Callable[[bytearray, int, int], None], message: str
) -> None:
    path = archive_of(tmp_path / "bank.zip", method)
    changed_member(path, change)
    tasks, problems = read_published(path)
    assert [task.source_id for task in tasks] == ["real_1"]
    assert [problem.file for problem in problems] == [f"{path}/b.json"]
    assert problems[0].message.startswith(message)


def test_an_archive_of_a_later_version(tmp_path: Path) -> None:
    def later(data: bytearray, local: int, central: int) -> None:
        data[central + 6] = 99

    path = archive_of(tmp_path / "bank.zip")
    changed_member(path, later)
    with pytest.raises(SuiteError, match=r"bank\.zip: a zip archive that cannot be read"):
        import_stargazer(path)


def test_limits_of_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "bank.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", json.dumps(real("real_1")))
        archive.writestr("b.json", b" " * (stargazer_files.MAX_MEMBER_BYTES + 1))
    _, problems = read_published(path)
    assert [problem.message for problem in problems] == ["is too large for a task: more than 5 MB"]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        text = b"0" + b" " * (stargazer_files.MAX_MEMBER_BYTES - 1)
        for index in range(41):
            archive.writestr(f"{index}.json", text)
    with pytest.raises(SuiteError, match="larger than 200 MB together"):
        import_stargazer(path)


@pytest.mark.parametrize("name", ["a.json", "a.zip", "a.tar"])
def test_a_pipe_is_not_imported(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(SuiteError, match=rf"{name}: not a regular file"):
        import_stargazer(tmp_path / name)


def test_a_pipe_beside_tasks_is_a_problem(tmp_path: Path) -> None:
    write_published(tmp_path, real("real_1"))
    os.mkfifo(tmp_path / "pipe.json")
    tasks, problems = read_published(tmp_path)
    assert [task.source_id for task in tasks] == ["real_1"]
    assert [problem.message for problem in problems] == ["not a regular file"]
