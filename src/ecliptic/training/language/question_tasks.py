"""Questions as a taskset: the grader reads the last reply."""

# The library ships no types.
# mypy: disable-error-code="import-untyped, misc, untyped-decorator"

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import Literal

import verifiers.v1 as vf
from pydantic import Field

from ecliptic.errors import UsageError
from ecliptic.grading import grade
from ecliptic.helio import Record, load
from ecliptic.training.language.laboratory_tools import (
    AttemptState,
    LaboratoryConfig,
    LaboratoryTools,
)
from ecliptic.training.language.references import QuestionReference, WideInt
from ecliptic.training.question_sources import GeneratedQuestions, question_text
from ecliptic.verdict import Verdict

Form = Literal["numeric", "symbolic", "textual", "structured"]


class QuestionData(vf.TaskData):
    """One rollout's data. The reference leads to the answer, so they are the trainer's alone."""

    reference: QuestionReference
    type: Form


class QuestionTask(vf.Task[QuestionData, AttemptState, vf.TaskConfig]):
    """Answer one question."""

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Tell the tool server whose calls these are."""
        del runtime
        trace.state.attempt = trace.id

    @vf.reward
    async def verdict(self, trace: vf.Trace) -> float:
        """1 for a correct answer; an undecided one earns nothing."""
        return float((await self._graded(trace.last_reply)).passed)

    @vf.metric
    async def undecided(self, trace: vf.Trace) -> float:
        """1 where the rules could not decide."""
        return float((await self._graded(trace.last_reply)).outcome == "undecided")

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the gold answer, handed in, passes, and an empty one does not."""
        del runtime
        record = await self._record()
        gold = await asyncio.to_thread(grade, record, record.final)
        empty = await asyncio.to_thread(grade, record, "")
        return gold.passed and not empty.passed

    async def _record(self) -> Record:
        return await asyncio.to_thread(self.data.reference.find)

    async def _graded(self, reply: str) -> Verdict:
        return await asyncio.to_thread(grade, await self._record(), reply)


class QuestionsConfig(vf.TasksetConfig):
    """Which questions."""

    records: str | None = None
    """A file or a named set; by default problems are generated without end."""
    families: list[str] = Field(default_factory=list)
    """Of generated problems; empty for all."""
    forms: list[Form] = Field(default_factory=list)
    """Empty for all."""
    seed: WideInt = 0
    """Of generated problems. Draw 128 random bits where a model might know this package."""
    hints: bool = True
    """Whether a question says what form the answer should have."""
    laboratory: bool = True
    """Whether there is a tool ``python``."""
    tools: LaboratoryConfig = LaboratoryConfig()


class QuestionsTaskset(vf.Taskset[QuestionTask, QuestionsConfig]):
    """Questions of a set, or new ones without end: each family and form in turn."""

    def __init__(self, config: QuestionsConfig) -> None:
        super().__init__(config)
        self.INFINITE = config.records is None

    @classmethod
    def toolsets(cls, config: QuestionsConfig) -> list[vf.Toolset]:
        """``python``, one server for all rollouts of a worker; or nothing."""
        return [LaboratoryTools(config.tools)] if config.laboratory else []

    def load(self) -> Iterator[QuestionTask]:
        """The tasks one after another."""
        for reference, record in self._questions():
            data = QuestionData(
                id=record.id,
                name=record.id,
                prompt=question_text(record, self.config.hints),
                reference=reference,
                type=record.type,
            )
            yield QuestionTask(data, self.config.task)

    def _questions(self) -> Iterator[tuple[QuestionReference, Record]]:
        config = self.config
        if config.records is not None:
            if config.families:
                raise UsageError("families: belong to generated questions; leave out records")
            for record in load(config.records):
                if not config.forms or record.type in config.forms:
                    yield QuestionReference(records=config.records, key=record.id), record
            return
        cells = GeneratedQuestions(config.families or None, config.forms or None).cells
        pairs = [(family, form) for family, forms in cells.items() for form in forms]
        for number in itertools.count():
            family, form = pairs[number % len(pairs)]
            reference = QuestionReference(
                family=family, form=form, seed=config.seed, index=number // len(pairs)
            )
            yield reference, reference.find()
