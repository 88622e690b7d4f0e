from __future__ import annotations

from typing import Any

import pytest
from agents.bench import WORKING, call, python, run, script, submit
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import Solver, generate, use_tools

from ecliptic.agents import answer_by, wrapped
from ecliptic.agents.mentor import make_mentor
from ecliptic.agents.react import make_react


def with_tools(pattern: Any) -> list[Solver]:
    return [use_tools(python(), submit()), answer_by(pattern)]


@pytest.mark.parametrize(("pattern", "stage"), WORKING.items())
def test_working_role_runs_the_tools_and_a_solved_attempt_ends_the_pattern(
    pattern: str, stage: str, tmp_path
) -> None:
    lines = script(
        {"stage": stage, "turn": 1, "text": "look", "tool_calls": call("python", code="6*7")},
        {"stage": stage, "turn": 2, "text": "so", "tool_calls": call("submit", value=42)},
    )
    result = run(with_tools(pattern), lines, tmp_path, scorer=includes())
    assert result.stages[-2:] == [stage, stage]
    roles = [m.role for m in result.sample.messages]
    assert roles == ["user", "assistant", "tool", "assistant", "tool"]
    assert result.sample.messages[-1].text == "accepted"
    usage = result.sample.model_usage["scripted/test"]
    assert sum(r.input_tokens for r in result.records) == usage.input_tokens
    assert not any(r.broken or r.repaired for r in result.records)


def test_planning_roles_know_the_tools_but_do_not_have_them(tmp_path) -> None:
    lines = script({"stage": "answer", "tool_calls": call("submit", value=42)})
    result = run(with_tools("hmaw"), lines, tmp_path, scorer=includes())
    assert "- python: Run Python; the session keeps its state." in result.seen("brief")
    models = [e for e in result.sample.events if e.event == "model"]
    assert [[t.name for t in e.tools] for e in models] == [[], [], ["python", "submit"]]
    assert "Use one tool call at a time" in result.seen("answer")
    assert "arallel" not in result.seen("answer")


def test_stopping_without_handing_in_is_urged_twice(tmp_path) -> None:
    lines = script({"stage": "act", "text": "I think it is 42."})
    result = run(with_tools("react"), lines, tmp_path, scorer=includes())
    assert result.stages == ["act"] * 3
    assert "call submit()" in result.messages("act", 1)[-1].text


def test_after_a_submission_the_model_may_stop(tmp_path) -> None:
    lines = script(
        {"stage": "act", "turn": 1, "tool_calls": call("submit", value=41)},
        {"stage": "act", "turn": 2, "text": "I give up."},
    )
    result = run(with_tools("react"), lines, tmp_path, scorer=includes())
    assert result.stages == ["act", "act"]
    assert result.sample.output.completion == "I give up."


@pytest.mark.parametrize("fault", ["unknown_tool", "malformed_tool_call"])
def test_tool_calls_that_cannot_be_carried_out_come_back_to_the_model(fault, tmp_path) -> None:
    lines = script(
        {"stage": "act", "turn": 1, "fault": fault},
        {"stage": "act", "turn": 2, "tool_calls": call("submit", value=42)},
    )
    result = run(with_tools("react"), lines, tmp_path, scorer=includes())
    errors = [m.error for m in result.sample.messages if m.role == "tool"]
    assert errors[0] is not None
    assert errors[1] is None


def test_turns_are_limited(tmp_path) -> None:
    lines = script({"stage": "act", "text": "more", "tool_calls": call("python", code="1")})
    result = run(with_tools(make_react(max_turns=3)), lines, tmp_path, scorer=includes())
    assert result.stages == ["act"] * 3


def test_context_overflow_in_the_loop_trims_and_goes_on(tmp_path) -> None:
    lines = script(
        *(
            {"stage": "act", "turn": n, "text": "x", "tool_calls": call("python", code="1")}
            for n in range(1, 7)
        ),
        {"stage": "act", "turn": 7, "fault": "over_context", "times": 1},
        {"stage": "act", "tool_calls": call("submit", value=42)},
    )
    result = run(with_tools("react"), lines, tmp_path, scorer=includes())
    assert result.sample.messages[-1].text == "accepted"
    assert len(result.messages("act", 7)) < len(result.messages("act", 6))


def test_mentor_reviews_now_and_then_and_its_use_is_counted_once(tmp_path) -> None:
    lines = script(
        *(
            {"stage": "act", "turn": n, "text": "x", "tool_calls": call("python", code="1")}
            for n in range(1, 6)
        ),
        {"stage": "act", "turn": 6, "tool_calls": call("submit", value=42)},
    )
    pattern = make_mentor(every=2, reviews=1)
    result = run(with_tools(pattern), lines, tmp_path, scorer=includes())
    assert result.stages == ["act", "act", "review", "act", "act", "act", "act"]
    assert "ran 1" in result.seen("review")
    assert "look at the residuals" in result.messages("act", 2)[-1].text
    usage = result.sample.model_usage["scripted/test"]
    assert sum(r.input_tokens for r in result.records) == usage.input_tokens
    assert sum(r.output_tokens for r in result.records) == usage.output_tokens


def test_mentor_is_silent_where_the_work_goes_well(tmp_path) -> None:
    lines = script(
        {"stage": "review", "json": {"on_track": True, "advice": []}},
        {"stage": "act", "turn": 1, "text": "x", "tool_calls": call("python", code="1")},
        {"stage": "act", "turn": 2, "tool_calls": call("submit", value=42)},
    )
    result = run(with_tools(make_mentor(every=1)), lines, tmp_path, scorer=includes())
    assert [m.role for m in result.messages("act", 1)][-1] == "tool"


def test_critic_may_send_the_worker_back_to_its_tools(tmp_path) -> None:
    lines = script(
        {"stage": "answer", "turn": 1, "text": "x", "tool_calls": call("submit", value=41)},
        {"stage": "answer", "turn": 2, "text": "41, I think"},
        {"stage": "critique", "json": {"errors": ["not 41"], "verdict": "revise"}},
        {"stage": "revise", "tool_calls": call("submit", value=42)},
    )
    result = run(with_tools("pace"), lines, tmp_path, scorer=includes())
    assert result.stages == ["plan", "answer", "answer", "critique", "revise"]
    assert "(calls submit with {'value': 41})" in result.seen("critique")
    assert "not accepted" in "\n".join(m.text for m in result.messages("revise"))
    assert result.sample.messages[-1].text == "accepted"


@pytest.mark.parametrize("mode", ["none", "single"])
def test_the_caller_may_resolve_tool_calls_itself(mode: str, tmp_path) -> None:
    lines = script({"stage": "solve", "tool_calls": call("python", code="1")})
    inner = [use_tools(python()), generate(tool_calls=mode)]
    result = run(wrapped(inner, "phase"), lines, tmp_path, scorer=includes())
    assert result.stages == ["plan", "hypothesise", "analyse", "solve"]
    roles = [m.role for m in result.sample.messages]
    assert roles == ["user", "assistant"] + (["tool"] if mode == "single" else [])


def test_planning_is_not_done_again_between_the_callers_turns(tmp_path) -> None:
    lines = script(
        {"stage": "solve", "turn": 1, "text": "x", "tool_calls": call("python", code="1")},
    )
    inner = [use_tools(python()), generate(tool_calls="single"), generate(tool_calls="single")]
    result = run(wrapped(inner, "phase"), lines, tmp_path, scorer=includes())
    assert result.stages == ["plan", "hypothesise", "analyse", "solve", "solve", "evaluate"]
    assert result.sample.output.completion == "$42$"


def test_work_before_a_limit_is_kept_for_the_scorer(tmp_path) -> None:
    line = {"stage": "act", "text": "x", "tool_calls": call("python", code="1")}
    lines = script({**line, "usage": {"input": 100, "output": 10}})
    result = run(with_tools("react"), lines, tmp_path, scorer=includes(), token_limit=250)
    assert result.sample.limit.type == "token"
    assert [m.role for m in result.sample.messages][:4] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert result.records[0].input_tokens == 300


def test_many_samples_at_once_do_not_mix(tmp_path) -> None:
    samples = [Sample(input=f"Number {n}?", target="accepted", id=n) for n in range(12)]
    lines = script(
        *(
            {"sample": n, "stage": "act", "turn": 1, "tool_calls": call("python", code=str(n))}
            for n in range(12)
        ),
        {"stage": "act", "turn": 2, "tool_calls": call("submit", value=42)},
    )
    result = run(with_tools("react"), lines, tmp_path, samples=samples, scorer=includes())
    for sample in result.log.samples:
        assert sample.messages[2].text == f"ran {sample.id}"
        assert sample.messages[-1].text == "accepted"


@pytest.mark.parametrize("fault", ["unknown_tool", "malformed_tool_call"])
@pytest.mark.parametrize("pattern", ["single_shot", "hmaw", "pace", "react", "mentor"])
def test_a_model_that_calls_tools_where_there_are_none_comes_to_an_end(
    pattern, fault, tmp_path
) -> None:
    lines = [{"fault": fault, "times": 50}]
    result = run([answer_by(pattern)], lines, tmp_path, scorer=includes())
    assert sum(record.calls for record in result.records) <= 10
    for _, messages in result.requests:
        assert not any(getattr(message, "tool_calls", None) for message in messages)
