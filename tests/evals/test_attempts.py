"""Attempts as read from logs that Inspect has written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from evals.harness import Run, planets_of, run, score_of
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.scorer import match
from inspect_ai.solver import generate

from ecliptic.agents import wrap_task
from ecliptic.analysis import Attempt, read_attempts
from ecliptic.evals import helio, stargazer

QUESTIONS = [
    {"sample": "2010_Lee_4_a", "text": r"$400\ \mathrm{km/s}$"},
    {"sample": "2010_Lee_4_b", "fault": "bad_request"},
    {"sample": "2011_Poe_1", "text": "$E = m v^2$"},
    {"sample": "2012_Kim_2", "text": "It does something."},
]


@task
def sums() -> Task:
    samples = [Sample(id=number, input="6 * 7?", target="42") for number in (1, 2)]
    return Task(dataset=samples, solver=generate(), scorer=match())


@pytest.fixture(scope="module")
def questions(records, tmp_path_factory) -> Run:
    return run(helio(records), QUESTIONS, tmp_path_factory.mktemp("questions"))


@pytest.fixture(scope="module")
def by_text(both, stars, tmp_path_factory) -> Run:
    right = {"sample": stars[0].id, "text": json.dumps({"planets": planets_of(stars[0])})}
    lines = [right, {"text": "no idea"}]
    return run(stargazer(both, hand_in="text"), lines, tmp_path_factory.mktemp("stars"))


def read(result: Run) -> dict[str, Attempt]:
    return {attempt.task: attempt for attempt in read_attempts(result.log.location)}


def test_questions_are_read_as_they_were_scored(questions) -> None:
    found = read(questions)
    assert list(found) == [sample.id for sample in questions.samples]
    assert [found[name].passed for name in found] == [True, None, False, False]
    assert found["2012_Kim_2"].undecided
    assert found["2011_Poe_1"].diagnosis == "factor"
    assert found["2010_Lee_4_a"].cluster == found["2010_Lee_4_b"].cluster != "2010_Lee_4_a"
    one = found["2010_Lee_4_b"]
    assert (one.stop, one.kind, one.world) == ("provider_error", "numeric", "helio")
    assert one.error
    for sample in questions.samples:
        usage = list(sample.model_usage.values())
        assert found[sample.id].tokens == sum(each.total_tokens for each in usage)
        assert found[sample.id].uuid == sample.uuid
        assert (found[sample.id].agent, found[sample.id].model) == ("single_shot", "scripted/test")


def test_stars_have_the_figures_of_their_criteria_though_summaries_lack_them(
    by_text, stars
) -> None:
    found = read(by_text)
    first, second = (found[star.id] for star in stars)
    verdict = score_of(next(s for s in by_text.samples if s.id == stars[0].id)).metadata["verdict"]
    assert first.passed
    assert second.passed is False
    assert first.values == {name: each["value"] for name, each in verdict["criteria"].items()}
    assert first.criteria == {name: each["passed"] for name, each in verdict["criteria"].items()}
    assert first.agent == "single_shot+hand_in:text"
    assert (first.protocol, first.kind, first.stop) == ("strict", "easy", "solved")
    assert (second.criteria, second.values, second.submissions) == ({}, {}, 0)


def test_a_log_in_json_and_an_unfinished_one_read_alike(by_text, tmp_path) -> None:
    expected = read(by_text)
    log = read_eval_log(by_text.log.location)
    for name, status in (("again.json", "success"), ("again.eval", "started")):
        log.status = status
        write_eval_log(log, str(tmp_path / name))
        found = {each.task: each for each in read_attempts(tmp_path / name)}
        assert {key: replace(each, log=Path()) for key, each in found.items()} == {
            key: replace(each, log=Path()) for key, each in expected.items()
        }
    assert len(read_attempts([tmp_path / "again.json", tmp_path, by_text.log.location])) == 2


def test_other_peoples_benchmarks_pass_by_their_first_score(tmp_path) -> None:
    lines = [{"sample": "1", "text": "42", "times": 9}, {"text": "41", "times": 9}]
    result = run(wrap_task(sums(), "single_shot"), lines, tmp_path, epochs=2)
    found = read_attempts(tmp_path)
    assert len(found) == 4
    scores = {s.uuid: score_of(s).value == "C" for s in result.samples}
    assert {each.uuid: each.passed for each in found} == scores
    assert {(a.agent, a.world, a.suite, a.kind) for a in found} == {
        ("single_shot", "other", "sums", "sums")
    }
    assert sorted(a.epoch for a in found) == [1, 1, 2, 2]
