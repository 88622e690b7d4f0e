"""Labels of attempts that were really run: logs of a scripted model, folders of solvers."""

from __future__ import annotations

import gc
import json
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from analysis.failures.bench import codes

from ecliptic import rv
from ecliptic.analysis.failures import Labelled, label_all, read_details
from ecliptic.analysis.failures.vocabulary import FailureCode
from ecliptic.analysis.logs import read_attempts
from ecliptic.errors import TaskError
from ecliptic.run import run_suite
from ecliptic.suite import load_suite

needs_inspect = pytest.mark.skipif(find_spec("inspect_ai") is None, reason="needs inspect-ai")
# Inspect leaves streams between its own tasks open, which is nothing to do with what is tested.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
    pytest.mark.filterwarnings(
        "ignore:Exception ignored in. <function MemoryObject:"
        "pytest.PytestUnraisableExceptionWarning"
    ),
]
LOST = "import os; os._exit(3)"
STAR_AT = 3  # of `quick`: three planets, five submissions


@pytest.fixture(scope="module", autouse=True)
def _streams_collected() -> Iterator[None]:
    """Such streams must not be found while other modules are tested."""
    with pytest.MonkeyPatch.context() as patch:
        if find_spec("inspect_ai"):
            patch.setattr("inspect_ai._display.rich.display.tasks_results", lambda _: "")
        yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture(scope="module")
def star() -> rv.RVTask:
    found: rv.RVTask = load_suite("quick")[STAR_AT]
    return found


@pytest.fixture(scope="module")
def labelled(star: rv.RVTask, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Labelled]:
    """One attempt a name, as the script of that name makes a model behave."""
    pytest.importorskip("inspect_ai")
    from evals.harness import WRONG, by_epoch, planets_of, python, run, submit, written

    from ecliptic.evals import stargazer

    true = planets_of(star)
    oracle = star.truth.model_copy(update={"planets": star.truth.recovery.planets})
    reachable = star.model_copy(update={"truth": oracle})
    scripts = {
        "tokens": [{**python("1"), "usage": {"input": 460_000, "output": 9}, "times": 9}],
        "gave_up": [submit(true[:1]), {"text": "Enough.", "times": 9}],
        "laboratory": [python(LOST), submit(true[:2]), {"text": "So.", "times": 9}],
        "provider": [submit(WRONG), {"fault": "bad_request", "times": 9}],
        "resubmitted": [submit(WRONG, times=5)],
        "malformed": [submit([{"period_days": 5.7}]), submit("none"), {"text": "No.", "times": 9}],
        "never": [submit([{**true[0], "m_sin_i_mjup": 0.001 * 2**k}]) for k in range(5)],
        "solved": [submit(planets_of(reachable))],
    }  # fmt: skip
    folder = tmp_path_factory.mktemp("logs")
    suite = written([star], tmp_path_factory.mktemp("suites") / "one")
    run(stargazer(suite), by_epoch(list(scripts.values())), folder, epochs=len(scripts))
    attempts = sorted(read_attempts(folder), key=lambda each: each.epoch)
    told: list[tuple[int, int]] = []
    labelling = label_all(attempts, report=lambda done, total: told.append((done, total)))
    assert told[-1] == (len(scripts), len(scripts))
    assert labelling.skipped == {}
    return dict(zip(scripts, labelling.rows, strict=True))


EXPECTED = {
    "tokens": ["spent_without_submitting"],
    "gave_up": ["missed_planet", "stopped_early"],
    "laboratory": ["missed_planet", "laboratory_error", "stopped_early"],
    "provider": ["provider_error"],
    "malformed": ["wrong_format", "stopped_early"],
    "solved": [],
}


@needs_inspect
@pytest.mark.parametrize("name", EXPECTED)
def test_a_scripted_attempt_has_its_labels(name: str, labelled: dict[str, Labelled]) -> None:
    found = [each for each in codes(labelled[name].labels) if not each.startswith("wrong_amp")]
    assert found == EXPECTED[name]


@needs_inspect
def test_behaviour_over_several_submissions(labelled: dict[str, Labelled]) -> None:
    again = {str(each.code): each.evidence for each in labelled["resubmitted"].labels}
    assert again["resubmitted"].startswith("submission 2 hardly differs from 1, submission 3")
    assert again["never_escalated"].startswith(
        "1, 1, 1, 1, 1 planets in 5 submissions; there are 3"
    )
    never = {str(each.code): each.evidence for each in labelled["never"].labels}
    assert "resubmitted" not in never
    assert "never_escalated" in never


@needs_inspect
def test_the_details_hold_what_the_log_holds(
    labelled: dict[str, Labelled], star: rv.RVTask
) -> None:
    details = read_details(labelled["laboratory"].attempt)
    assert details.star == star
    assert [call.tool for call in details.calls] == ["python", "submit"]
    assert details.calls[0].result.startswith("[session lost")
    assert details.reply == "So."
    (facts,) = details.submissions
    assert facts.status == "graded"
    assert "Submission 1 was graded" in facts.said
    assert len(facts.submission.planets) == 2
    (verdict,) = details.verdicts
    assert verdict.to_dict() == details.verdict
    malformed = read_details(labelled["malformed"].attempt).submissions
    assert [each.status for each in malformed] == ["malformed", "malformed"]
    assert "m_sin_i_mjup" in malformed[0].said


@needs_inspect
def test_answers_from_a_log(tmp_path: Path) -> None:
    from evals.harness import run

    from ecliptic.evals import helio

    record = {
        "id": "2010_Lee_4_a", "q_id": 4, "sub_id": "a", "question": "How fast is the wind?",
        "final": "$400\\ \\mathrm{km/s}$", "type": "numeric", "meta": {},
    }  # fmt: skip
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    run(helio(str(path)), ["$-400$ km/s"], tmp_path / "logs")
    (row,) = label_all(read_attempts(tmp_path / "logs")).rows
    assert codes(row.labels) == ["sign"]
    assert read_details(row.attempt).task.final == record["final"]

    path.write_text(json.dumps(record | {"final": "$5$ km/s"}), encoding="utf-8")
    label_all([row.attempt])
    assert read_details(row.attempt).task.final == "$5$ km/s"


@pytest.fixture(scope="module")
def sines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "sine"
    run_suite("quick", "sine", out=out, workers=1, limit=4)
    return out


def test_a_run_of_a_solver(sines: Path) -> None:
    labelling = label_all(read_attempts(sines))
    assert [codes(row.labels)[0] for row in labelling.rows] == [
        "wrong_eccentricity", "wrong_eccentricity", "missed_planet", "missed_planet",
    ]  # fmt: skip
    assert not any(label.code.group == "conduct" for row in labelling.rows for label in row.labels)
    details = read_details(labelling.rows[0].attempt)
    assert details.star is not None
    assert len(details.submissions[0].submission.planets) == 1


def test_a_suite_that_is_gone_leaves_the_verdict(sines: Path, tmp_path: Path) -> None:
    manifest = json.loads((sines / "run.json").read_text())
    manifest["suite_source"] = str(tmp_path / "gone")
    moved = tmp_path / "run"
    moved.mkdir()
    (moved / "run.json").write_text(json.dumps(manifest))
    (moved / "results.jsonl").write_bytes((sines / "results.jsonl").read_bytes())
    attempts = read_attempts(moved)
    row = label_all(attempts[2:3]).rows[0]
    assert codes(row.labels) == ["missed_planet"]
    assert "no suite at" in row.labels[0].evidence
    whole = tmp_path / "whole"
    from ecliptic.suite import write_suite

    write_suite(load_suite("quick"), whole)
    (again,) = label_all(attempts[2:3], truth=whole).rows
    assert "K sqrt(N)" in again.labels[0].evidence


def test_a_sealed_suite_is_joined_with_its_private_part(tmp_path: Path) -> None:
    from test_suite_creation import create, in_turn, made

    from ecliptic.run import creation

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(creation, "outcomes", in_turn)
        patch.setattr(creation, "make", made)
        create(tmp_path / "trial", sealed=True)
    public, private = tmp_path / "trial" / "public", tmp_path / "trial" / "private"
    whole = load_suite(public, truth=private)
    run_suite(whole, "null", out=tmp_path / "run", workers=1, suite_source=str(public))
    attempts = read_attempts(tmp_path / "run")
    without = read_details(attempts[0])
    assert without.task is None
    assert "its truth is sealed" in without.missing
    details = read_details(attempts[0], truth=private)
    assert details.missing == ""
    assert details.star is not None
    assert {codes(row.labels)[0] for row in label_all(attempts, truth=private).rows} == {
        "no_planets"
    }


def test_a_log_that_cannot_be_read_is_skipped_with_its_reason(sines: Path, tmp_path: Path) -> None:
    from dataclasses import replace

    good = read_attempts(sines)[0]
    bad: list[Any] = [
        replace(good, log=tmp_path / "gone.eval"),
        replace(good, uuid="other"),
        replace(good, log=tmp_path / "torn.eval"),
    ]
    (tmp_path / "torn.eval").write_bytes(b"PK\x03\x04 and no more")
    labelling = label_all([*bad, good])
    assert [bool(row.skipped) for row in labelling.rows] == [True, True, True, False]
    assert labelling.rows[3].primary.code is FailureCode.WRONG_ECCENTRICITY
    assert sum(labelling.skipped.values()) == 3
    for row in labelling.rows[:3]:
        assert "\n" not in row.skipped
        with pytest.raises(TaskError, match=r"gone|holds no|torn"):
            read_details(row.attempt)


RECORDS = {
    "wrong_format": {"diagnosis": "malformed", "submission": {"planets": 3}},
    "spent_without_submitting": {"diagnosis": "over_budget", "submission": None},
    "our_error": {"diagnosis": "", "submission": None},
}


@pytest.mark.parametrize("code", RECORDS)
def test_records_without_a_grade(code: str, sines: Path, tmp_path: Path) -> None:
    case = RECORDS[code]
    record = json.loads((sines / "results.jsonl").read_text().splitlines()[0])
    diagnosis = {"code": case["diagnosis"], "message": "why not", "evidence": {}}
    verdict = record["verdict"] | {"criteria": {}, "details": {}, "diagnosis": diagnosis}
    record["submission"] = case["submission"]
    record["verdict"] = verdict if case["diagnosis"] else None
    if not case["diagnosis"]:
        record |= {"status": "failed", "error": {"reason": "why not", "traceback": ""}}
    (tmp_path / "run.json").write_bytes((sines / "run.json").read_bytes())
    (tmp_path / "results.jsonl").write_text(json.dumps(record) + "\n")
    (row,) = label_all(read_attempts(tmp_path)).rows
    assert codes(row.labels) == [code]
    assert "why not" in row.labels[0].evidence or code == "spent_without_submitting"
