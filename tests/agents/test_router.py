from __future__ import annotations

import pytest
from agents.bench import python, run, script
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, ModelName
from inspect_ai.solver import TaskState, multiple_choice

from ecliptic.agents import ROUTE_KEY, TaskStructure, answer_by, route, wrapped
from ecliptic.agents.catalogue import ROUTABLE
from ecliptic.agents.router import RULES, make_router

PLAIN = TaskStructure(
    tools=(), choices=0, code=False, parts=0, characters=100, units=False, answer_type="numeric"
)


@pytest.mark.parametrize(
    ("change", "rule", "pattern"),
    [
        ({}, "otherwise", "pace"),
        ({"tools": ("python", "submit")}, "tools", "react"),
        ({"choices": 4}, "choices", "hmaw"),
        ({"code": True}, "code", "schema"),
        ({"answer_type": "structured"}, "structured", "schema"),
        ({"parts": 3}, "parts", "schema"),
        ({"characters": 4000}, "long", "schema"),
        ({"answer_type": "symbolic"}, "symbolic", "phase"),
        ({"units": True}, "units", "phase"),
        ({"answer_type": "textual"}, "textual", "schema"),
    ],
)
def test_rules(change, rule, pattern) -> None:
    chosen = route(PLAIN.model_copy(update=change))
    assert (chosen.chosen_by, chosen.pattern) == (rule, pattern)
    assert chosen.why


def test_every_rule_leads_to_a_pattern_and_the_last_one_always_holds() -> None:
    assert {rule.pattern for rule in RULES} <= set(ROUTABLE)
    assert RULES[-1].holds(PLAIN)


def structure(text: str, choices: list[str] | None = None, **metadata: str) -> TaskStructure:
    state = TaskState(
        ModelName("scripted/x"),
        "q",
        1,
        text,
        [ChatMessageUser(content=text)],
        choices=choices,
        metadata=metadata,
    )
    return TaskStructure.of(state)


@pytest.mark.parametrize(
    ("text", "metadata", "expected"),
    [
        ("What is the speed in km/s? Give units.", {}, {"units": True, "answer_type": "numeric"}),
        ("Explain why the corona is hot.", {}, {"answer_type": "textual", "parts": 0}),
        (
            r'End with "ANSWER: $N" where $N is 5; no \boxed command.',
            {},
            {"answer_type": "numeric"},
        ),
        ("Explain what changed in 1998.", {}, {"answer_type": "textual"}),
        ("Explain why.", {"type": "numeric"}, {"answer_type": "numeric"}),
        ("Explain why.", {"type": "text"}, {"answer_type": "textual"}),
        (r"Derive $v(r)$ in terms of $r$.", {}, {"answer_type": "symbolic"}),
        ("(a) Find x. (b) Find y.", {}, {"parts": 2}),
        ("1. Find x.\n2. Find y.", {}, {"parts": 2}),
        ("def f(x):\n    '''Add.'''", {}, {"code": True}),
        ("Answer as JSON with keys a, b.", {}, {"answer_type": "structured"}),
    ],
)
def test_structure_is_seen(text, metadata, expected) -> None:
    seen = structure(text, **metadata).model_dump()
    assert {key: seen[key] for key in expected} == expected


def test_choices_and_tools_are_seen() -> None:
    assert structure("Which?", ["a", "b"]).choices == 2
    state = TaskState(ModelName("s/x"), "q", 1, "x", [ChatMessageUser(content="x")])
    state.tools = [python()]
    assert TaskStructure.of(state).tools == ("python",)


def test_the_choice_and_its_reason_are_in_store_and_log(tmp_path) -> None:
    sample = Sample(input="Explain why the corona is hot.", target="$42$", id="q")
    result = run(answer_by("router"), script(), tmp_path, samples=[sample])
    chosen = result.sample.store[ROUTE_KEY]
    assert (chosen["pattern"], chosen["chosen_by"]) == ("schema", "textual")
    infos = [e for e in result.sample.events if e.event == "info"]
    assert [(e.source, e.data["pattern"]) for e in infos] == [("ecliptic/router", "schema")]
    assert {r.pattern for r in result.records} == {"schema"}


def test_a_model_may_choose(tmp_path) -> None:
    lines = script({"stage": "choose", "json": {"pattern": "hmaw", "why": "it is easy"}})
    result = run(answer_by(make_router(ROUTABLE, ask_model=True)), lines, tmp_path)
    assert result.stages == ["choose", "brief", "instruct", "answer"]
    assert result.sample.store[ROUTE_KEY]["chosen_by"] == "model"
    assert result.sample.store[ROUTE_KEY]["why"] == "it is easy"
    assert '"answer_type": "numeric"' in result.seen("choose")


def test_a_model_that_chooses_nonsense_twice_is_overruled_by_the_rules(tmp_path) -> None:
    lines = script({"stage": "choose", "json": {"pattern": "magic", "why": "?"}})
    result = run(answer_by(make_router(ROUTABLE, ask_model=True)), lines, tmp_path)
    assert result.stages[:3] == ["choose", "choose", "plan"]
    assert "'magic' is not one of" in result.messages("choose", 1)[-1].text
    assert result.sample.store[ROUTE_KEY]["chosen_by"] == "otherwise"


def test_wrapped_tasks_are_routed_by_their_choices(tmp_path) -> None:
    sample = Sample(input="Which?", choices=["one", "two"], target="B", id="q")
    result = run(wrapped(multiple_choice(), "router"), script(), tmp_path, samples=[sample])
    assert result.stages == ["brief", "instruct", "answer"]
