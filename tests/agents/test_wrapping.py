from __future__ import annotations

from typing import Any

import pytest
from agents.bench import QUESTION, WORKING, call, python, run, script
from inspect_ai import Task
from inspect_ai.agent import AgentSubmit, agent, react
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, get_model
from inspect_ai.scorer import choice, includes, match
from inspect_ai.solver import (
    Generate,
    Solver,
    TaskState,
    basic_agent,
    generate,
    multiple_choice,
    prompt_template,
    self_critique,
    solver,
    system_message,
    use_tools,
)

from ecliptic.agents import BYPASSED_KEY, PATTERNS, wrap_task, wrapped
from ecliptic.errors import UsageError

GPQA = Sample(input="Which is even?", choices=["one", "two", "three"], target="B", id="mc")


@pytest.mark.parametrize("pattern", PATTERNS)
def test_multiple_choice_answered_rightly_is_scored_right(pattern: str, tmp_path) -> None:
    lines = script(answer="ANSWER: B")
    task = Task(dataset=[GPQA], solver=multiple_choice(), scorer=choice())
    result = run(wrap_task(task, pattern), lines, tmp_path)
    assert result.sample.scores["choice"].value == "C"
    last = result.requests[-1][1][-1].text
    assert "'ANSWER: $LETTER' (without quotes)" in last
    assert "B) two" in last


@pytest.mark.parametrize("pattern", ["hmaw", "pace", "schema"])
def test_multiple_choice_answered_wrongly_is_scored_wrong(pattern: str, tmp_path) -> None:
    task = Task(dataset=[GPQA], solver=multiple_choice(cot=True), scorer=choice())
    result = run(wrap_task(task, pattern), script(answer="So.\n\nANSWER: C"), tmp_path)
    assert result.sample.scores["choice"].value == "I"


TEMPLATE = "Solve: {prompt}\n\nEnd with 'ANSWER: N'."


@pytest.mark.parametrize("pattern", PATTERNS)
def test_templates_few_shot_and_self_critique_survive(pattern: str, tmp_path) -> None:
    inner = [
        system_message("Example: 2 times 2 is ANSWER: 4"),
        prompt_template(TEMPLATE),
        generate(),
        self_critique(),
    ]
    sample = Sample(input="6 times 7?", target="42", id="q")
    lines = script({"when": "please critique the answer", "text": "It is 42."}, answer="ANSWER: 42")
    result = run(
        wrapped(inner, pattern), lines, tmp_path, samples=[sample], scorer=match(numeric=True)
    )
    assert result.sample.scores["match"].value == "C"
    roles = [m.role for m in result.sample.messages]
    assert roles == ["system", "user", "assistant", "user", "assistant"]
    first_answer = next(i for i, stage in enumerate(result.stages) if not stage) - 1
    messages = result.requests[first_answer][1]
    assert messages[0].text == "Example: 2 times 2 is ANSWER: 4"
    assert messages[-1].text == "Solve: 6 times 7?\n\nEnd with 'ANSWER: N'."
    assert "It is 42." in result.requests[-1][1][-1].text


def test_overrides_of_the_chain_shape_the_answer_and_not_the_plan(tmp_path) -> None:
    inner = generate(max_tokens=5, stop_seqs=["END"], temperature=0.2)
    result = run(wrapped(inner, "pace"), script(), tmp_path)
    configs = [e.config for e in result.sample.events if e.event == "model"]
    assert [c.max_tokens for c in configs] == [None, None, None, 5]
    assert [c.stop_seqs for c in configs] == [None, None, None, ["END"]]
    assert {c.temperature for c in configs} == {0.2}


def test_cached_replies_cost_nothing_and_epochs_stay_apart(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    inner = generate(cache=True)
    first = run(wrapped(inner, "hmaw"), script(), tmp_path, epochs=2)
    again = run(wrapped(inner, "hmaw"), script(), tmp_path, epochs=2)
    assert first.stages == ["brief", "brief", "instruct", "instruct", "answer", "answer"]
    assert again.stages == []
    assert [s.scores["match"].value for s in again.log.samples] == ["C", "C"]
    assert sum(r.input_tokens + r.output_tokens for r in again.records) == 0
    assert sum(r.calls for r in again.records) == 3


def test_images_reach_every_stage(tmp_path) -> None:
    image = ContentImage(image="data:image/png;base64,iVBORw0KGgo=")
    sample = Sample(
        input=[ChatMessageUser(content=[ContentText(text=QUESTION), image])], target="$42$", id="q"
    )
    result = run(wrapped(generate(), "phase"), script(), tmp_path, samples=[sample])
    assert result.sample.scores["match"].value == "C"
    for stage, messages in result.requests:
        kinds = {part.type for part in messages[-1].content if not isinstance(part, str)}
        assert "image" in kinds, stage


@pytest.mark.parametrize(("pattern", "stage"), WORKING.items())
def test_basic_agent_is_replaced_and_its_submission_is_the_answer(
    pattern: str, stage: str, tmp_path
) -> None:
    task = Task(
        dataset=[Sample(input="6 times 7?", target="42", id="q")],
        solver=basic_agent(tools=[python()], message_limit=30),
        scorer=includes(),
    )
    lines = [
        {"stage": stage, "turn": 1, "text": "t", "tool_calls": call("python", code="6*7")},
        {"stage": stage, "turn": 2, "text": "so", "tool_calls": call("submit", answer="42")},
        *script(answer="the answer is 42"),
    ]
    result = run(wrap_task(task, pattern), lines, tmp_path)
    assert result.sample.scores["includes"].value == "C"
    assert BYPASSED_KEY not in result.sample.store
    if pattern == "react":
        assert result.sample.output.completion == "42"
        assert result.stages == ["act", "act"]


@agent
def engineer():
    return react(
        description="Software engineer",
        prompt="The repository is in the current directory.",
        tools=[python()],
        submit=AgentSubmit(name="hand_in"),
    )


@solver
def record_commit() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.store.set("commit", "abc")
        return state

    return solve


@pytest.mark.parametrize("pattern", ["react", "schema"])
def test_agents_keep_their_tools_and_instructions(pattern: str, tmp_path) -> None:
    task = Task(
        dataset=[Sample(input="Fix it.", target="done", id="q")],
        setup=record_commit(),
        solver=engineer(),
        scorer=includes(),
    )
    stage = "act" if pattern == "react" else "synthesis"
    lines = script(
        {"stage": stage, "turn": 1, "text": "t", "tool_calls": call("python", code="fix()")},
        {"stage": stage, "turn": 2, "text": "t", "tool_calls": call("hand_in", answer="done")},
        answer="done",
    )
    result = run(wrap_task(task, pattern), lines, tmp_path)
    assert result.sample.scores["includes"].value == "C"
    assert result.sample.store["commit"] == "abc"
    seen = result.seen(stage)
    assert "The repository is in the current directory." in seen
    assert "arallel" not in seen
    assert "hand_in" in {
        t.name for e in result.sample.events if e.event == "model" for t in e.tools
    }


@agent
def opaque():
    async def execute(state: Any) -> Any:
        """Does what it does.

        Args:
            state: The state.
        """
        return state

    return execute


def test_an_agent_whose_tools_are_out_of_sight_needs_them_named() -> None:
    def task() -> Task:
        return Task(dataset=[Sample(input="x")], solver=opaque(), scorer=includes())

    with pytest.raises(UsageError, match=r"agent 'opaque' .* pass them as tools"):
        wrap_task(task(), "react")
    assert wrap_task(task(), "react", tools=[python()]).solver is not None


@solver
def on_its_own() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = await get_model().generate(state.messages)
        return state

    return solve


def test_a_solver_that_never_asks_is_told_apart(tmp_path) -> None:
    result = run(wrapped(on_its_own(), "pace"), script(), tmp_path)
    assert result.sample.store[BYPASSED_KEY] is True
    assert result.records == []


def test_wrapping_changes_nothing_but_the_solver() -> None:
    task = Task(
        dataset=[GPQA],
        solver=[use_tools(python()), multiple_choice()],
        scorer=choice(),
        epochs=4,
        token_limit=900,
    )
    before = (task.dataset, task.scorer, task.epochs, task.token_limit, task.name)
    after = wrap_task(task, "pace")
    assert (after.dataset, after.scorer, after.epochs, after.token_limit, after.name) == before
