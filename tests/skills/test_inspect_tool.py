from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from agents.bench import run
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, system_message

from ecliptic.errors import UsageError
from ecliptic.skills import skill_setup


def task(mode: str, world: str = "rv", folder: str | None = None) -> Task:
    return Task(
        dataset=[Sample(input="Which planets?", target="none", id="star")],
        setup=[system_message("The task's own words."), skill_setup(mode, world, folder)],
        solver=generate(),
        scorer=includes(),
    )


def reading(*arguments: dict[str, str]) -> list[dict[str, Any]]:
    calls = [{"function": "read_skill", "arguments": each} for each in arguments]
    return [
        *({"turn": turn, "tool_calls": [call]} for turn, call in enumerate(calls, start=1)),
        {"text": "none", "times": 9},
    ]


def test_injected_skills_stand_behind_the_tasks_own_words(tmp_path: Path) -> None:
    result = run(task("injected"), [{"text": "none"}], tmp_path)
    system = [m.text for m in result.sample.messages if m.role == "system"]
    assert system[0] == "The task's own words."
    assert '<skill name="keplerian-fit">' in system[1]
    assert "answer-formats" not in system[1]
    assert result.sample.store["ecliptic:skills"]["mode"] == "injected"


def test_skills_on_demand_are_listed_and_read_by_a_tool(tmp_path: Path) -> None:
    lines = reading({"name": "phase-folding"}, {"name": "phase-unfolding"}, {"name": "nothing"})
    result = run(task("on_demand"), lines, tmp_path)
    system = [m.text for m in result.sample.messages if m.role == "system"]
    assert "- `phase-folding`: Fold" in system[1]
    assert "```python" not in system[1]
    read, misspelt, unknown = [m for m in result.sample.messages if m.role == "tool"]
    assert "# Phase folding" in read.text
    assert misspelt.error is not None
    assert "did you mean 'phase-folding'" in misspelt.error.message
    assert unknown.error is not None
    assert "known: " in unknown.error.message


def test_own_skills_take_the_place_of_the_shipped_ones(tmp_path: Path) -> None:
    (tmp_path / "mine" / "own").mkdir(parents=True)
    (tmp_path / "mine" / "own" / "SKILL.md").write_text(
        "---\nname: own\ndescription: Mine.\n---\n\nDo it my way.\n", encoding="utf-8"
    )
    result = run(task("injected", "rv", str(tmp_path / "mine")), [{"text": "none"}], tmp_path)
    text = "\n".join(m.text for m in result.sample.messages if m.role == "system")
    assert "Do it my way." in text
    assert "keplerian-fit" not in text


def test_a_mode_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="'loud' is none of injected, on_demand"):
        skill_setup("loud", "rv")
