"""What one grade is about: the gold answer, its type, the question and the conventions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ecliptic.errors import UsageError
from ecliptic.grading.check import TYPES
from ecliptic.grading.cleaning import with_short_gaps
from ecliptic.grading.reading import infer_type
from ecliptic.grading.rules import DEFAULT_RULES, Rules
from ecliptic.model import short


class GradedRecord(Protocol):
    """What the grader needs of a question record (see ``ecliptic.helio.records``)."""

    @property
    def final(self) -> str:
        """The gold answer."""
        ...

    @property
    def type(self) -> str:
        """The type of answer."""
        ...

    @property
    def question(self) -> str:
        """The question, to know an echo of it."""
        ...

    @property
    def hint(self) -> str:
        """The form that is asked for."""
        ...

    @property
    def meta(self) -> Mapping[str, Any]:
        """Options: ``rules``, ``claims``, ``schema``."""
        ...


@dataclass(frozen=True, slots=True)
class Problem:
    """One gold answer with everything that bears on the grade but the answer itself."""

    gold: str
    kind: str
    inferred: bool
    question: str
    hint: str
    meta: Mapping[str, Any]
    rules: Rules


def read_problem(
    record: GradedRecord | Mapping[str, Any] | None,
    gold: object,
    kind: str | None,
    hint: str,
    rules: Rules | Mapping[str, Any] | None,
) -> Problem:
    """The problem of a record; ``gold``, ``kind``, ``hint`` and ``rules`` override it.

    Raises
    ------
    UsageError
        There is no gold answer, or a rule or type is not known.
    """

    def field(name: str) -> Any:
        if isinstance(record, Mapping):
            return record.get(name)
        return getattr(record, name, None)

    gold = field("final") if gold is None else gold
    if gold is None:
        raise UsageError("no gold answer: give a record with 'final', or gold=...")
    text = with_short_gaps(gold if isinstance(gold, str) else json.dumps(gold, default=str))
    if not text.strip():
        raise UsageError("the gold answer is empty")
    meta = field("meta")
    meta = meta if isinstance(meta, Mapping) else {}
    chosen = rules if isinstance(rules, Rules) else DEFAULT_RULES.updated(rules or {})
    extra = meta.get("rules")
    if extra is not None and not isinstance(extra, Mapping):
        raise UsageError("the record's meta['rules'] must be an object with named rules")
    chosen = chosen.updated(extra or {})
    named = kind or field("type")
    named = {"text": "textual", "json": "structured"}.get(named, named)
    if named is not None and named not in TYPES:
        raise UsageError(f"no answer type {short(named)}; known: {', '.join(TYPES)}")
    return Problem(
        text,
        named or infer_type(text),
        named is None,
        str(field("question") or ""),
        hint or str(field("hint") or ""),
        meta,
        chosen,
    )
