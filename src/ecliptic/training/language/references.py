"""Where the truth of a task is found again: all that a task's data hold of it.

A rollout's data are written into traces and sent to tool servers as JSON. They hold a reference
instead of a truth; whoever has the reference and this package can get the truth, so a trace is the
trainer's alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainSerializer

from ecliptic.helio import Record, generate_parts, load
from ecliptic.rv import RVTask, generate
from ecliptic.rv.acceptance import by_audit
from ecliptic.suite import Suite, load_suite

WideInt = Annotated[int, PlainSerializer(str, return_type=str, when_used="json")]
"""A seed of up to 128 bits, as text in JSON."""


class StarReference(BaseModel):
    """A star of a suite (``suite`` and ``key``), or one made from a seed."""

    model_config = ConfigDict(frozen=True)

    suite: str | None = None
    key: str = ""
    recipe: str = "ecliptic"
    tier: str | None = None
    seed: WideInt = 0
    index: int = 0
    audited: bool = False

    def find(self) -> RVTask:
        """The task; errors are those of its suite or its generator."""
        return _star(self)


class QuestionReference(BaseModel):
    """A record of a file or a named set (``records`` and ``key``), or one made from a seed."""

    model_config = ConfigDict(frozen=True)

    records: str | None = None
    key: str = ""
    family: str = ""
    form: str | None = None
    seed: WideInt = 0
    index: int = 0

    def find(self) -> Record:
        """The record; errors are those of its file or its family."""
        if self.records is not None:
            return _records(self.records)[self.key]
        return generate_parts(self.family, self.seed, form=self.form, index=self.index)[-1]


@lru_cache(maxsize=4)
def open_suite(name: str) -> Suite:
    """A suite with its truth; raises a :class:`~ecliptic.errors.SuiteError` where it has none."""
    suite = load_suite(name)
    suite.require_truth()
    return suite


@lru_cache(maxsize=256)
def _star(reference: StarReference) -> RVTask:
    if reference.suite is not None:
        task: RVTask = open_suite(reference.suite).find(reference.key).load()
        return task
    return generate(
        reference.seed,
        reference.recipe,
        reference.tier,
        index=reference.index,
        accept=by_audit if reference.audited else None,
    )


@lru_cache(maxsize=4)
def _records(name: str) -> dict[str, Record]:
    return {record.id: record for record in load(name)}
