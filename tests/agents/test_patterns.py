from __future__ import annotations

import pytest
from agents.bench import QUESTION, REPLIES, run, script

from ecliptic.agents import PATTERNS, answer_by, find_pattern, solvers
from ecliptic.errors import UsageError

CALLS = {
    "single_shot": ["answer"],
    "hmaw": ["brief", "instruct", "answer"],
    "pace": ["plan", "answer", "critique", "enclose"],
    "phase": ["plan", "hypothesise", "analyse", "solve", "evaluate"],
    "schema": ["architecture", "expert-1", "expert-2", "synthesis", "guard", "final"],
    "react": ["act"],
    "mentor": ["act"],
    "router": ["plan", "answer", "critique", "enclose"],
}


def test_every_pattern_has_its_sequence() -> None:
    assert set(CALLS) == set(PATTERNS)


@pytest.mark.parametrize("pattern", CALLS)
def test_calls_in_order_and_answer_scored(pattern: str, plain_run) -> None:
    result = plain_run(pattern)
    assert result.stages == CALLS[pattern]
    assert result.sample.scores["match"].value == "C"
    assert [m.role for m in result.sample.messages] == ["user", "assistant"]
    assert not any(r.repaired or r.broken or r.error for r in result.records)


@pytest.mark.parametrize("pattern", CALLS)
def test_last_stage_sees_the_task_word_for_word_as_its_last_message(pattern, plain_run) -> None:
    result = plain_run(pattern)
    last = result.requests[-1][1][-1]
    assert (last.role, last.text) == ("user", QUESTION)


@pytest.mark.parametrize("pattern", CALLS)
def test_every_stage_sees_the_task(pattern: str, plain_run) -> None:
    result = plain_run(pattern)
    for stage, messages in result.requests:
        assert QUESTION in "\n".join(m.text for m in messages), stage


@pytest.mark.parametrize("pattern", CALLS)
def test_records_add_up_to_the_samples_usage(pattern: str, plain_run) -> None:
    result = plain_run(pattern)
    usage = result.sample.model_usage["scripted/test"]
    assert sum(r.input_tokens for r in result.records) == usage.input_tokens > 0
    assert sum(r.output_tokens for r in result.records) == usage.output_tokens > 0
    assert sum(r.calls for r in result.records) == len(result.requests)


@pytest.mark.parametrize("pattern", CALLS)
def test_every_stage_is_a_span_with_its_calls_inside(pattern: str, plain_run) -> None:
    result = plain_run(pattern)
    begun = {e.id: e.name for e in result.sample.events if e.event == "span_begin"}
    calls = [begun[e.span_id] for e in result.sample.events if e.event == "model"]
    assert calls == [stage for stage, _ in result.requests]
    assert pattern in begun.values()


def test_single_shot_adds_nothing(plain_run) -> None:
    result = plain_run("single_shot")
    assert [(m.role, m.text) for m in result.messages("answer")] == [("user", QUESTION)]


@pytest.mark.parametrize(
    ("pattern", "stage", "handed"),
    [
        ("hmaw", "instruct", ["ceo"]),
        ("hmaw", "answer", ["manager"]),
        ("pace", "answer", ["planner"]),
        ("pace", "critique", ["solver"]),
        ("pace", "enclose", ["solver", "critic"]),
        ("phase", "hypothesise", ["planner"]),
        ("phase", "analyse", ["planner", "hypothesiser"]),
        ("phase", "solve", ["planner", "hypothesiser", "analyst"]),
        ("phase", "evaluate", ["hypothesiser", "analyst", "solver"]),
        ("schema", "expert-1", ["architect"]),
        ("schema", "synthesis", ["architect", "expert", "expert"]),
        ("schema", "guard", ["architect", "synthesiser"]),
        ("schema", "final", ["architect", "synthesiser", "guard"]),
    ],
)
def test_what_each_stage_is_given(pattern, stage, handed, plain_run) -> None:
    seen = plain_run(pattern).seen(stage)
    given = [line[11:].split(":")[0] for line in seen.split("\n") if line.startswith("# From the ")]
    assert given == handed


def test_experts_get_their_own_parts(plain_run) -> None:
    result = plain_run("schema")
    assert "Focus: the form" in result.seen("expert-2")
    assert "Focus: the form" not in result.seen("expert-1").split("# From the")[0]


REVISE = {"errors": ["6 * 7 is not 41"], "verdict": "revise"}


def test_critic_sends_back_once_at_most(tmp_path) -> None:
    lines = script(
        {"stage": "pace/answer", "text": "41"},
        {"stage": "pace/critique", "json": REVISE},
        {"stage": "pace/revise", "text": "it is 42"},
    )
    result = run(answer_by("pace"), lines, tmp_path)
    assert result.stages == ["plan", "answer", "critique", "revise", "enclose"]
    revise = result.messages("revise")
    assert [m.role for m in revise] == ["system", "user", "assistant", "user"]
    assert "6 * 7 is not 41" in revise[-1].text
    assert "it is 42" in result.seen("enclose")
    assert "41" not in result.seen("enclose")
    assert [m.role for m in result.sample.messages] == ["user", "assistant"]


def test_guards_report_reaches_the_final_stage(tmp_path) -> None:
    failing = {"failed": [{"check": "dollar signs", "change": "add them"}], "satisfied": False}
    lines = script(
        {"stage": "schema/guard", "json": failing},
        {"stage": "schema/synthesis", "text": "42"},
    )
    result = run(answer_by("schema"), lines, tmp_path)
    assert "add them" in result.seen("final")
    assert result.sample.output.completion == "$42$"


def test_without_an_architecture_one_generalist_works(tmp_path) -> None:
    lines = script({"stage": "schema/architecture", "text": "no idea"})
    result = run(answer_by("schema"), lines, tmp_path)
    stages = ["architecture", "architecture", "expert-1", "synthesis", "guard", "final"]
    assert result.stages == stages
    assert "no idea" in result.seen("synthesis")


def test_decoding_settings_are_the_same_for_every_stage(tmp_path) -> None:
    result = run(answer_by("phase"), script(), tmp_path, temperature=0.3, seed=7, top_p=0.9)
    configs = [e.config for e in result.sample.events if e.event == "model"]
    assert {(c.temperature, c.seed, c.top_p) for c in configs} == {(0.3, 7, 0.9)}
    schemas = [c.response_schema.name if c.response_schema else None for c in configs]
    assert schemas == ["Outline", "Hypothesis", "Analysis", None, None]


def test_schemas_can_be_left_out(tmp_path) -> None:
    result = run(solvers.phase(constrained=False), script(), tmp_path)
    configs = [e.config for e in result.sample.events if e.event == "model"]
    assert not any(c.response_schema for c in configs)
    assert '- "required_units" (string)' in result.seen("hypothesise")


def test_unknown_pattern_gets_a_suggestion() -> None:
    with pytest.raises(UsageError, match=r"no pattern 'pahse': did you mean 'phase'\?"):
        find_pattern("pahse")


def test_the_sound_replies_cover_every_contract() -> None:
    assert len(REPLIES) == 12
