from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from agents.bench import PLAN, run, script
from inspect_ai.model import ModelOutput
from pydantic import BaseModel, Field

from ecliptic.agents import Contract, Pattern, Session, Stage, answer_by
from ecliptic.agents.contracts import check_reply, describe_fields
from ecliptic.agents.json_replies import read_json_objects
from ecliptic.agents.pace import Critique
from ecliptic.agents.schema import Architecture, GuardReport

GOOD = '{"asked": "a", "steps": ["b"], "answer_form": "none"}'


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("I would multiply.", "no JSON object"),
        ('{"asked": "a product"}', "field 'steps': Field required"),
        ('{"asked": "a", "steps": [], "answer_form": ""}', "at least 1 item"),
        ("", "the reply is empty"),
        ('{"asked": "a", "steps": ["one", "tw', "no JSON object"),
    ],
)
def test_broken_contract_gets_one_repair_call_that_names_the_fault(reply, fault, tmp_path) -> None:
    lines = script(
        {"stage": "pace/plan", "turn": 1, "text": reply},
        {"stage": "pace/plan", "turn": 2, "json": PLAN},
    )
    result = run(answer_by("pace"), lines, tmp_path)
    assert result.stages == ["plan", "plan", "answer", "critique", "enclose"]
    assert fault in result.messages("plan", 1)[-1].text
    plan = result.records[0]
    assert (plan.repaired, plan.broken, plan.calls) == (True, False, 2)
    assert fault in plan.fault
    assert '"steps": [\n    "multiply"' in result.seen("answer")


def test_contract_that_stays_broken_hands_on_the_raw_text(tmp_path) -> None:
    lines = script({"stage": "pace/plan", "text": "Multiply six by seven!"})
    result = run(answer_by("pace"), lines, tmp_path)
    assert result.stages == ["plan", "plan", "answer", "critique", "enclose"]
    plan = result.records[0]
    assert (plan.repaired, plan.broken) == (True, True)
    assert "Multiply six by seven!" in result.seen("answer")
    assert result.sample.scores["match"].value == "C"


def test_hmaw_makes_three_calls_whatever_comes(tmp_path) -> None:
    lines = script({"stage": "hmaw/brief", "text": "You know best."})
    result = run(answer_by("hmaw"), lines, tmp_path)
    assert result.stages == ["brief", "instruct", "answer"]
    assert (result.records[0].repaired, result.records[0].broken) == (False, True)
    assert "You know best." in result.seen("instruct")


@pytest.mark.parametrize(
    ("fault", "words"),
    [("over_context", "longer than the model's context"), ("refusal", "refused")],
)
def test_what_asking_again_cannot_mend_is_not_asked_again(fault, words, tmp_path) -> None:
    lines = script({"stage": "pace/plan", "fault": fault})
    result = run(answer_by("pace"), lines, tmp_path)
    assert result.stages == ["plan", "answer", "critique", "enclose"]
    plan = result.records[0]
    assert (plan.repaired, plan.broken) == (False, True)
    assert words in plan.fault


def test_empty_answer_is_repaired_in_the_last_stage_too(tmp_path) -> None:
    lines = script(
        {"stage": "phase/evaluate", "turn": 1, "fault": "empty"},
        {"stage": "phase/evaluate", "turn": 2, "text": "$42$"},
    )
    result = run(answer_by("phase"), lines, tmp_path)
    assert result.sample.output.completion == "$42$"
    assert [m.role for m in result.sample.messages] == ["user", "assistant"]
    assert result.records[-1].repaired


@pytest.mark.parametrize(
    ("contract", "reply", "fault"),
    [
        (Critique, '{"errors": [], "verdict": "revise"}', ""),
        (Architecture, '{"question_type": "x", "acceptance_checks": ["y"], "experts": []}', "exp"),
        (GuardReport, '{"failed": "none", "satisfied": true}', "valid list"),
    ],
)
def test_models_alone(contract, reply, fault) -> None:
    checked = check_reply(Contract(delivers=contract), ModelOutput.from_content("m", reply))
    assert fault in checked.fault
    assert bool(checked.fault) == bool(fault)


@pytest.mark.parametrize(
    ("stage", "reply", "fault"),
    [
        ("pace/critique", {"errors": [" "], "verdict": "revise"}, "no error is named"),
        ("schema/guard", {"failed": [], "satisfied": False}, "no failing check is named"),
        (
            "schema/architecture",
            {
                "question_type": "x",
                "acceptance_checks": ["y"],
                "experts": [{"field": "f", "focus": "g"}] * 4,
            },
            "at most 3 items",
        ),
    ],
)
def test_checkpoints_hold_up_the_next_stage(stage, reply, fault, tmp_path) -> None:
    lines = script({"stage": stage, "turn": 1, "json": reply}, {"stage": stage, "text": "?"})
    result = run(answer_by(stage.split("/")[0]), lines, tmp_path)
    record = next(r for r in result.records if r.stage == stage.split("/")[1])
    assert fault in record.fault
    assert record.repaired
    assert record.broken


class Sketch(BaseModel):
    idea: str = Field(description="the idea", min_length=1)


def test_a_pattern_of_ones_own_and_a_stage_out_of_order(tmp_path) -> None:
    sketch = Stage("sketch", "scout", Contract(delivers=Sketch), prompt="Sketch the way.")
    answer = Stage("answer", "solver", Contract(needs=("sketch",)), prompt="Use the sketch.")

    async def right(session: Session) -> None:
        await session.ask(sketch)
        await session.work(answer, final=True)

    async def wrong(session: Session) -> None:
        await session.work(answer, final=True)

    lines = [{"stage": "own/sketch", "json": {"idea": "times"}}, "$42$"]
    result = run(answer_by(Pattern("own", right)), lines, tmp_path)
    assert result.stages == ["sketch", "answer"]
    assert "Sketch the way." in result.seen("sketch")
    result = run(answer_by(Pattern("own", wrong)), lines, tmp_path)
    assert "needs the hand-over of sketch" in result.sample.error.message


def test_the_pattern_of_the_documentation_runs(tmp_path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
    code = next(
        part for part in re.findall(r"```python\n(.*?)```", text, re.S) if "Pattern(" in part
    )
    names: dict[str, Any] = {"__name__": "documented"}
    exec(code, names)
    lines = [{"stage": "sketch", "json": {"idea": "times", "traps": ["sign"]}}, "$42$"]
    result = run(names["sketch_first"](), lines, tmp_path)
    assert result.stages == ["sketch", "answer"]
    assert '"traps": [\n    "sign"' in result.seen("answer")
    assert len(code.splitlines()) < 30


def test_schemas_hold_what_all_providers_take() -> None:
    asked = Contract(delivers=Architecture).response_schema.json_schema
    expert = asked.properties["experts"].items
    for schema in (asked, expert):
        assert schema.additionalProperties is False
        assert schema.required == list(schema.properties)
    assert asked.properties["question_type"].minLength is None


def test_fields_are_described_in_words() -> None:
    described = describe_fields(Architecture)
    assert '- "acceptance_checks" (list of string): what any answer must meet' in described
    assert '- "experts" (list of object {"field": string, "focus": string})' in described
    assert '"accept" or "revise"' in describe_fields(Critique)


@pytest.mark.parametrize(
    ("reply", "objects"),
    [
        (GOOD, 1),
        (f"Here you are:\n```json\n{GOOD}\n```\nAnything else?", 1),
        (f"<think>maybe {{}} or {GOOD}</think>{GOOD}", 1),
        (f"First {GOOD}, better {GOOD}", 2),
        ('{"a": "a brace } in a text"}', 1),
        ('{"a": "raw\nline"}', 1),
        ('{"outer": {"inner": {}}}', 1),
        ('{"cut": ["off', 0),
        ('{not json} {"a": 1}', 1),
        ("[1, 2]", 0),
        ("{" * 100_000, 0),
        (r"\frac{a}{b} " * 500 + GOOD, 1),
        ("}" * 100_000 + GOOD, 1),
        ('{"a":' * 5000 + "1" + "}" * 5000, 0),
        ("", 0),
    ],
)
def test_json_is_found_wherever_it_stands(reply: str, objects: int) -> None:
    assert len(read_json_objects(reply)) == objects


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"\frac{1}{2} \beta", r"\frac{1}{2} \beta"),
        (r"\\frac{1}{2}", r"\frac{1}{2}"),
        (r"\nu \rho \theta \times \text{km}", r"\nu \rho \theta \times \text{km}"),
        (r"\(x\) \, \{y\}", r"\(x\) \, \{y\}"),
        (r"one\ntwo\tthree", "one\ntwo\tthree"),
        (r"say \"so\" é", 'say "so" é'),
        (r"\upsilon", r"\upsilon"),
        (r"first\nu = 3\ne = 0.3", "first\nu = 3\ne = 0.3"),
        (r"\nu \approx 3", r"\nu \approx 3"),
    ],
)
def test_latex_survives_json(written: str, meant: str) -> None:
    assert read_json_objects('{"t": "' + written + '"}') == [{"t": meant}]
