"""Tasks in files come back exactly, and a damaged one is named by field."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from strategies import rv_tasks
from tasks import small_task

from ecliptic.errors import TaskError
from ecliptic.rv import task_files
from ecliptic.rv.tasks import Observation, RVTask, Truth
from ecliptic.suite import load_suite, write_suite


@pytest.fixture
def task() -> RVTask:
    return small_task()


EXACT = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def same_bits(one: RVTask, other: RVTask) -> bool:
    pairs = [
        (getattr(one.observation, name), getattr(other.observation, name))
        for name in ("times_days", "rvs_ms", "sigmas_ms")
    ]
    return one == other and all(a.tobytes() == b.tobytes() for a, b in pairs)


@EXACT
@given(rv_tasks())
def test_json_round_trip_is_exact(task: RVTask) -> None:
    text = json.dumps(task.to_dict())
    again = RVTask.from_dict(json.loads(text))
    assert same_bits(again, task)
    assert json.dumps(again.to_dict()) == text


@pytest.mark.parametrize("suffix", ["", ".parquet"])
@EXACT
@given(task=rv_tasks())
def test_suite_round_trip_is_exact(suffix: str, task: RVTask) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"suite{suffix}")
        assert write_suite([task], path) == 1
        suite = load_suite(path)
        assert len(suite) == 1
        assert next(suite.entries()).id == task.id
        assert same_bits(suite[0], task)
        assert json.dumps(suite[0].to_dict()) == json.dumps(task.to_dict())


def test_a_table_can_be_analysed(tmp_path: Path, task: RVTask) -> None:
    pandas = pytest.importorskip("pandas")
    write_suite([task], tmp_path / "suite.parquet")
    row = pandas.read_parquet(tmp_path / "suite.parquet").iloc[0]
    assert row["n_obs"] == len(task.observation.times_days)
    assert np.array_equal(row["rvs_ms"], task.observation.rvs_ms)
    assert row["planets"][0]["period_days"] == task.truth.planets[0].period_days
    assert row["tier"] == task.tier


def rich_task() -> RVTask:
    """A small task with everything that the published ones lack."""
    task = small_task()
    seen, truth = task.observation.model_dump(), task.truth.model_dump()
    seen |= {
        "indicators": [{"name": "fwhm", "values_ms": [1.0, 2.0], "sigmas_ms": [3.0, 4.0]}],
        "family": {
            "activity": True,
            "trend_order": 1,
            "drifting": ["a"],
            "period_min_days": 0.6,
            "period_max_days": 50.0,
        },
    }
    truth |= {
        "trend": [0.5],
        "recovery": {
            "planets": truth["planets"],
            "rms_ms": 1.0,
            "log_likelihood": -3.0,
            "tolerances": [0.25],
            "period_sigmas_days": [0.01],
        },
    }
    truth["instruments"][0]["drift_ms_per_year"] = 2.0
    return RVTask.create(
        tier="frontier",
        observation=Observation.model_validate(seen),
        truth=Truth.model_validate(truth),
        difficulty=10,
    )


def test_a_task_without_the_later_fields_keeps_its_id_and_its_files(task: RVTask) -> None:
    assert task.id == "rv-c9a781f4d87f1b77"
    data = task.to_dict()
    assert data["sealed"]["checksum"] == "01227b2a752abb0c"
    assert not {"indicators", "family"} & data["public"]["observation"].keys()
    assert not {"trend", "recovery"} & data["sealed"]["truth"].keys()
    assert "drift_ms_per_year" not in data["sealed"]["truth"]["instruments"][0]


@pytest.mark.parametrize("change", ["indicators", "family"])
def test_the_id_is_of_indicators_and_family_too(change: str) -> None:
    seen = rich_task().observation
    cut = Observation.model_validate({**seen.model_dump(), change: {"indicators": ()}.get(change)})
    one, other = (
        RVTask.create(tier="frontier", observation=each, truth=rich_task().truth, difficulty=10).id
        for each in (seen, cut)
    )
    assert one != other


def test_a_table_from_before_the_later_columns_reads(task: RVTask) -> None:
    table = task_files.to_table([task])
    later = [field.name for field in table.schema if field.metadata]
    assert later == ["indicators", "trend", "family", "recovery", "refit"]
    assert same_bits(task_files.from_row(table.drop_columns(later), 0, "old"), task)


def test_the_later_columns_can_be_analysed() -> None:
    rich = rich_task()
    row = task_files.to_table([rich]).to_pylist()[0]
    assert row["indicators"] == [{"name": "fwhm", "values_ms": [1.0, 2.0], "sigmas_ms": [3.0, 4.0]}]
    assert json.loads(row["family"])["drifting"] == ["a"]
    assert row["trend"] == [0.5]


def test_a_worker_gets_the_whole_public_part() -> None:
    seen = rich_task().observation
    message = json.loads(json.dumps(seen.model_dump(mode="json")))
    again = Observation.model_validate(message)
    assert again == seen
    assert again.indicators == seen.indicators
    assert again.family == seen.family


RICH_DAMAGE = [
    ("public.observation.indicators.0.values_ms", [1.0], "values_ms must hold as many entries"),
    ("public.observation.indicators.0.sigmas_ms", [1.0, 0.0], "sigmas_ms must be > 0 at index 1"),
    ("public.observation.indicators", 3, "indicators must be a list"),
    ("public.observation.family.trend_order", 3, "family.trend_order should be 0, 1 or 2"),
    ("public.observation.family.drifting", ["b"], "family.drifting names 'b', which instruments"),
    ("public.observation.family.period_max_days", 0.5, "period_max_days must be > period_min_days"),
    ("public.observation.family.colour", 1, "family.colour is not a field that is known here"),
    ("sealed.truth.recovery.tolerances", [], "recovery.tolerances must hold as many entries"),
    ("sealed.truth.recovery.rms_ms", -1.0, "truth.recovery.rms_ms must be >= 0, not -1.0"),
    ("sealed.truth.trend", ["x"], "truth.trend[0] must be a number, not 'x'"),
]


@pytest.mark.parametrize(("path", "value", "message"), RICH_DAMAGE)
def test_damage_of_the_later_fields_is_named(path: str, value: object, message: str) -> None:
    data = json.loads(json.dumps(rich_task().to_dict()))
    set_in(data, path, value)
    with pytest.raises(TaskError) as caught:
        RVTask.from_dict(data, "x.json")
    assert str(caught.value).startswith("x.json: ")
    assert message in str(caught.value)


def test_two_indicators_of_one_name_are_refused() -> None:
    data = json.loads(json.dumps(rich_task().to_dict()))
    data["public"]["observation"]["indicators"] *= 2
    with pytest.raises(TaskError, match="indicators hold two of the name 'fwhm'"):
        RVTask.from_dict(data, "x.json")


def set_in(data: dict[str, Any], path: str, value: object) -> None:
    *parents, last = path.split(".")
    for name in parents:
        data = data[int(name)] if isinstance(data, list) else data[name]  # type: ignore[assignment]
    if value is DROP:
        del data[last]
    else:
        data[int(last) if isinstance(data, list) else last] = value  # type: ignore[index]


DROP = object()
DAMAGE = [
    ("schema", "ecliptic.rv/2", "schema must be 'ecliptic.rv/1', is 'ecliptic.rv/2'"),
    ("schema", DROP, "schema is missing"),
    ("schema", "other/1", "or 'ecliptic.rv.public/...', not 'other/1'"),
    ("schema", ["ecliptic.rv/1"], "or 'ecliptic.rv.public/...', not ['ecliptic.rv/1']"),
    ("id", "rv-0000000000000000", "is not the hash of the public part"),
    ("id", 7, "id should be a valid string, not 7"),
    ("public", DROP, "public is missing or not an object"),
    ("sealed", [], "sealed is missing or not an object"),
    ("public.colour", 1, "public.'colour' is not a field that is known here"),
    ("public.truth", {}, "public.'truth' is not a field that is known here"),
    ("public.tier", "huge", "tier should be"),
    ("public.source_id", "\ud800", "source_id must be text that UTF-8 can hold"),
    ("public.observation.times_days", [2.0, 1.0], "times_days must not decrease, does at index 1"),
    ("public.observation.times_days", [], "times_days must hold 1 to 100000 entries, not 0"),
    ("public.observation.times_days", [[1.0], [2.0]], "times_days must be a number at index 0"),
    ("public.observation.times_days", 3.0, "times_days must be a list of numbers"),
    ("public.observation.t_ref_days", float("nan"), "t_ref_days must be a finite number, not NaN"),
    ("public.observation.rvs_ms", [1.0, float("nan")], "rvs_ms must be finite at index 1, not nan"),
    ("public.observation.rvs_ms", [1.0, float("inf")], "rvs_ms must be finite at index 1, not inf"),
    ("public.observation.rvs_ms", [1.0, "2"], "rvs_ms must be a number at index 1, not '2'"),
    ("public.observation.rvs_ms", [1.0, True], "rvs_ms must be a number at index 1, not True"),
    ("public.observation.rvs_ms", [1.0, 10**400], "rvs_ms must be numbers below 1.8e308"),
    ("public.observation.rvs_ms", [1.0], "rvs_ms must hold as many entries as times_days (2)"),
    ("public.observation.sigmas_ms", [1.0, -1.0], "sigmas_ms must be > 0 at index 1, not -1"),
    ("public.observation.sigmas_ms", [0.0, 1.0], "sigmas_ms must be > 0 at index 0, not 0"),
    ("public.observation.instruments", ["a", "nope"], "names 'nope', which truth.instruments"),
    ("public.observation.instruments", "aa", "instruments must be a list"),
    ("public.observation.star_mass_sun", -1.0, "star_mass_sun must be > 0, not -1.0"),
    ("sealed.truth.planets.0.period_days", 0, "truth.planets[0].period_days must be > 0, not 0"),
    ("sealed.truth.planets.0.e", 1.2, "truth.planets[0].e must be < 1, not 1.2"),
    ("sealed.truth.planets.0.m_sin_i_mjup", "1", "m_sin_i_mjup must be a number, not '1'"),
    ("sealed.truth.planets.0.colour", 1, "planets[0].colour is not a field that is known here"),
    ("sealed.truth.forward_model", "magic", "truth.forward_model"),
    ("sealed.difficulty", 11, "difficulty must be <= 10, not 11"),
    ("sealed.difficulty", "3", "difficulty should be a valid integer, not '3'"),
    ("sealed.difficulty", True, "difficulty should be a valid integer, not True"),
    ("sealed.meta", [], "meta must be an object with named fields"),
]


@pytest.mark.parametrize(("path", "value", "message"), DAMAGE)
def test_damage_is_named(
    tmp_path: Path, task: RVTask, path: str, value: object, message: str
) -> None:
    data = json.loads(json.dumps(task.to_dict()))
    set_in(data, path, value)
    file = tmp_path / "damaged.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(TaskError) as caught:
        load_suite(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("suffix", ["", ".parquet"])
@pytest.mark.parametrize("value", [float("nan"), {1, 2}, "\ud800"])
def test_what_json_cannot_hold_is_not_written(
    tmp_path: Path, task: RVTask, suffix: str, value: object
) -> None:
    odd = task.model_copy(update={"meta": {"x": value}})
    path = tmp_path / f"suite{suffix}"
    if value == "\ud800":  # as an escape it is valid JSON
        write_suite([odd], path)
        assert load_suite(path)[0].meta == odd.meta
        return
    with pytest.raises(TaskError, match="cannot be written as JSON"):
        write_suite([odd], path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "copied",
    [
        lambda task: pickle.loads(pickle.dumps(task)),
        copy.deepcopy,
        copy.copy,
        lambda task: task.model_copy(deep=True),
        lambda task: RVTask.from_dict(task.to_dict()),
    ],
    ids=["pickle", "deepcopy", "copy", "model_copy", "dict"],
)
def test_arrays_stay_immutable_through_every_copy(
    task: RVTask, copied: Callable[[RVTask], RVTask]
) -> None:
    again = copied(task)
    assert same_bits(again, task)
    assert again.observation == task.observation
    seen = again.observation
    for array in (seen.times_days, seen.rvs_ms, seen.sigmas_ms, seen.instrument_index):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


def test_a_deep_copy_with_changes_leaves_the_original(task: RVTask) -> None:
    other = task.observation.model_copy(deep=True, update={"star_mass_sun": 3.0})
    assert (other.star_mass_sun, task.observation.star_mass_sun) == (3.0, 1.0)
    assert other != task.observation


# --- the checksum of the sealed part -------------------------------------------------------

CHANGES = [
    ("sealed.truth.planets.0.period_days", 10.5),
    ("sealed.truth.noise.sigma_white_ms", 2.0),
    ("sealed.truth.planets", []),
    ("sealed.difficulty", 2),
    ("sealed.meta.seed", 2),
    ("sealed.checksum", "0" * 16),
    ("sealed.checksum", 7),
]


@pytest.mark.parametrize(("path", "value"), CHANGES)
def test_a_changed_truth_is_noticed(task: RVTask, path: str, value: object) -> None:
    data = json.loads(json.dumps(task.to_dict()))
    set_in(data, path, value)
    with pytest.raises(TaskError, match=r"^x\.json: sealed\.checksum .* was changed after it was"):
        RVTask.from_dict(data, "x.json")


def test_a_missing_checksum_is_an_error(task: RVTask) -> None:
    data = task.to_dict()
    del data["sealed"]["checksum"]
    with pytest.raises(TaskError, match=r"^x\.json: sealed\.checksum is missing"):
        RVTask.from_dict(data, "x.json")


def test_the_checksum_is_of_values_not_of_their_spelling(task: RVTask) -> None:
    data = json.loads(json.dumps(task.to_dict(), sort_keys=True, indent=2))
    data["sealed"]["truth"]["planets"][0]["period_days"] = 10  # was 10.0
    assert RVTask.from_dict(data) == task
    canonical = {k: v for k, v in task.to_dict()["sealed"].items() if k != "checksum"}
    text = json.dumps(canonical, sort_keys=True, separators=(",", ":"))
    expected = hashlib.sha256(text.encode()).hexdigest()[:16]
    assert task.to_dict()["sealed"]["checksum"] == expected


def test_keys_that_json_turns_into_text(task: RVTask) -> None:
    odd = task.model_copy(update={"meta": {"x": {10: 1, 9: (1, 2), True: None}}})
    again = RVTask.from_dict(json.loads(json.dumps(odd.to_dict())))
    assert again.meta == {"x": {"10": 1, "9": [1, 2], "true": None}}


@pytest.mark.parametrize(
    ("column", "value"), [("difficulty", 2), ("meta", "{}"), ("sealed_checksum", None)]
)
def test_a_changed_table_is_noticed(
    tmp_path: Path, task: RVTask, column: str, value: object
) -> None:
    path = tmp_path / "suite.parquet"
    write_suite([task], path)
    table = pq.read_table(path)
    at = table.schema.get_field_index(column)
    field = table.schema.field(at)
    pq.write_table(table.set_column(at, field, pa.array([value], field.type)), path)
    with pytest.raises(TaskError, match=r"suite\.parquet: tau: sealed\.checksum"):
        load_suite(path)[0]
