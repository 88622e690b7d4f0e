"""A bench for patterns: runs one sample against a script and shows what each stage saw."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessage, get_model
from inspect_ai.scorer import Scorer, match
from inspect_ai.solver import Solver
from inspect_ai.tool import Tool, tool

import ecliptic.agents.scripted  # noqa: F401 - registers the provider
from ecliptic.agents import STAGES_KEY, StageRecord, end_attempt

QUESTION = "What is 6 times 7? Give ONLY the number, between dollar signs."

PLAN = {"asked": "a product", "steps": ["multiply"], "answer_form": "$N$"}
REPLIES: dict[str, dict[str, Any]] = {
    "hmaw/brief": {
        "goal": "a product",
        "must_contain": ["the number"],
        "answer_form": "$N$",
        "pitfalls": [],
    },
    "hmaw/instruct": {"steps": ["multiply"], "knowledge": [], "checks": []},
    "pace/plan": PLAN,
    "pace/critique": {"errors": [], "verdict": "accept"},
    "phase/plan": {"asked": "a product", "given": [], "method": ["multiply"], "answer_form": "$N$"},
    "phase/hypothesise": {
        "assumptions": [{"statement": "base ten", "reason": "usual"}],
        "principle": "multiplication",
        "required_units": "none",
    },
    "phase/analyse": {"relations": ["n = 6 * 7"], "dimensions": "none", "expectations": ["n > 36"]},
    "schema/architecture": {
        "question_type": "numeric",
        "acceptance_checks": ["a number between dollar signs"],
        "experts": [
            {"field": "arithmetic", "focus": "the product"},
            {"field": "typography", "focus": "the form"},
        ],
    },
    "schema/expert-1": {
        "reasoning": "6 * 7",
        "result": "42",
        "confidence": "high",
        "warnings": [],
    },
    "schema/expert-2": {
        "reasoning": "dollar signs",
        "result": "$42$",
        "confidence": "high",
        "warnings": [],
    },
    "schema/guard": {"failed": [], "satisfied": True},
    "mentor/review": {"on_track": False, "advice": ["look at the residuals"]},
}
"""A sound hand-over for every stage that has a contract."""


@tool
def python() -> Tool:
    async def execute(code: str) -> str:
        """Run Python; the session keeps its state.

        Args:
            code: The code.
        """
        return f"ran {code}"

    return execute


@tool
def submit() -> Tool:
    async def execute(value: int) -> str:
        """Hand in.

        Args:
            value: The value.
        """
        if value == 42:
            end_attempt("solved")
            return "accepted"
        return "not accepted"

    return execute


def call(function: str, **arguments: Any) -> list[dict[str, Any]]:
    return [{"function": function, "arguments": arguments}]


WORKING = {
    "single_shot": "answer",
    "hmaw": "answer",
    "pace": "answer",
    "phase": "solve",
    "schema": "synthesis",
    "react": "act",
    "mentor": "act",
}


@dataclass
class Result:
    """One sample's log with what the provider was asked."""

    log: EvalLog
    sample: EvalSample
    requests: list[tuple[str, list[ChatMessage]]]

    @property
    def stages(self) -> list[str]:
        return [stage.rpartition("/")[2] for stage, _ in self.requests]

    @property
    def records(self) -> list[StageRecord]:
        return [StageRecord.model_validate(r) for r in self.sample.store.get(STAGES_KEY, [])]

    def seen(self, stage: str, which: int = 0) -> str:
        """All that the model read at the ``which``-th call of a stage."""
        return "\n".join(m.text for m in self.messages(stage, which))

    def messages(self, stage: str, which: int = 0) -> list[ChatMessage]:
        return [m for name, m in self.requests if name.rpartition("/")[2] == stage][which]


def script(*lines: dict[str, Any], answer: str = "$42$") -> list[dict[str, Any]]:
    """``lines`` first, then sound replies for every stage, then ``answer`` for whatever is left."""
    sound = [{"stage": stage, "json": reply} for stage, reply in REPLIES.items()]
    return [*lines, *sound, {"turn": 1, "text": answer}, {"text": answer, "times": 100}]


def run(
    solver: Solver | list[Solver] | Task,
    lines: Any,
    folder: Path,
    *,
    samples: list[Sample] | None = None,
    scorer: Scorer | None = None,
    **options: Any,
) -> Result:
    """Evaluate; ``options`` go to Inspect."""
    model = get_model("scripted/test", script=lines, keep_requests=True, memoize=False)
    task = (
        solver
        if isinstance(solver, Task)
        else Task(
            dataset=samples or [Sample(input=QUESTION, target="$42$", id="q")],
            solver=solver,
            scorer=scorer or match(location="exact"),
        )
    )
    log = inspect_eval(
        task,
        model=model,
        display="none",
        log_dir=str(folder),
        log_realtime=False,
        **options,
    )[0]
    assert log.samples, log.error
    return Result(log, log.samples[0], model.api.requests)  # type: ignore[attr-defined]


def as_jsonl(lines: list[dict[str, Any]], path: Path) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path
