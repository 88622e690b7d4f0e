from __future__ import annotations

import pytest
from agents.bench import run, script
from inspect_ai.dataset import Sample

from ecliptic.agents import answer_by

TRANSIENT = ["rate_limit", "server_error", "timeout", "dropped_connection"]


@pytest.mark.parametrize("fault", TRANSIENT)
def test_transient_faults_are_retried_and_cost_nothing(fault: str, tmp_path) -> None:
    lines = script({"stage": "phase/analyse", "fault": fault, "times": 2})
    result = run(answer_by("phase"), lines, tmp_path)
    assert result.stages.count("analyse") == 3
    assert result.sample.scores["match"].value == "C"
    usage = result.sample.model_usage["scripted/test"]
    assert sum(r.input_tokens for r in result.records) == usage.input_tokens
    assert [r.calls for r in result.records] == [1] * 5


@pytest.mark.parametrize("fault", ["bad_request", "server_error"])
def test_errors_in_the_middle_end_the_sample_and_are_recorded_apart(fault, tmp_path) -> None:
    lines = script({"stage": "phase/analyse", "fault": fault, "times": 100})
    result = run(answer_by("phase"), lines, tmp_path, max_retries=1)
    assert result.log.status == "error"
    assert _RAISED[fault] in result.sample.error.traceback
    assert not result.sample.scores
    assert [(r.stage, bool(r.error)) for r in result.records] == [
        ("plan", False),
        ("hypothesise", False),
        ("analyse", True),
    ]
    assert _RAISED[fault] in result.records[-1].error
    usage = result.sample.model_usage["scripted/test"]
    assert sum(r.input_tokens for r in result.records) == usage.input_tokens


_RAISED = {"bad_request": "400 the request is not valid", "server_error": "500 internal"}


def test_an_expert_that_fails_is_not_swallowed(tmp_path) -> None:
    lines = script({"stage": "schema/expert-2", "fault": "bad_request"})
    result = run(answer_by("schema"), lines, tmp_path)
    assert "400" in result.sample.error.message
    assert "synthesis" not in result.stages


def test_errors_of_one_sample_leave_the_others_alone(tmp_path) -> None:
    samples = [Sample(input=f"Question {n}?", target="$42$", id=n) for n in range(6)]
    lines = script({"sample": 3, "stage": "pace/critique", "fault": "bad_request"})
    result = run(answer_by("pace"), lines, tmp_path, samples=samples, fail_on_error=False)
    assert [bool(s.error) for s in result.log.samples] == [n == 3 for n in range(6)]


def test_token_limit_in_the_middle_keeps_what_was_paid_for(tmp_path) -> None:
    lines = script({"stage": "pace/plan", "text": "x", "usage": {"input": 400, "output": 100}})
    result = run(answer_by("pace"), lines, tmp_path, token_limit=700)
    assert result.sample.limit.type == "token"
    assert [(r.stage, r.error[:18]) for r in result.records] == [("plan", "LimitExceededError")]
    assert result.records[0].input_tokens + result.records[0].output_tokens == 1000


def test_records_say_how_long(tmp_path) -> None:
    lines = script({"stage": "hmaw/instruct", "delay_seconds": 0.05, "text": "x"})
    records = run(answer_by("hmaw"), lines, tmp_path).records
    assert records[1].seconds >= 0.05
