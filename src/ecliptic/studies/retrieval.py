"""Passages before a question: formulas of the formulary, or worked examples of other problems.

What is retrieved never holds the answer. An example of the same problem (its other parts), of the
same ``q_id``, or of the same family of generated problems (which shares its derivation) is never
shown, nor one in whose text the gold answer stands word for word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from inspect_ai.model import ChatMessageSystem
from inspect_ai.solver import Generate, Solver, TaskState, solver

from ecliptic.agents import answer_by
from ecliptic.errors import UsageError
from ecliptic.evals.answer_scoring import find_record, records_of
from ecliptic.evals.question_task import question_of
from ecliptic.helio import Record, formulary

if TYPE_CHECKING:
    from numpy.typing import NDArray

RETRIEVAL_KEY = "ecliptic:retrieval"
"""Key of a sample's store: mode, and what was shown."""
_WORD = re.compile(r"[a-z]{3,}")
_COMMANDS = re.compile(r"\\[A-Za-z]+")
_SPACE = re.compile(r"\s+")


@solver(name="retrieval/answer_by")
def answer_with_passages(pattern: str, records: str, mode: str, passages: int) -> Solver:
    """Puts passages before the question, then answers by a pattern.

    ``pattern`` is the arm's name, such as ``pace+retrieval:examples``: what stands before the first
    ``+`` is the pattern.
    """
    inner = answer_by(pattern.partition("+")[0])
    _index.cache_clear()  # of the records as they are now

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        record = find_record(records, str(state.sample_id))
        text, shown = retrieved(record, records, mode, passages)
        state.store.set(RETRIEVAL_KEY, {"mode": mode, "shown": shown})
        if text:
            # Behind the task's own system messages, which say what is to be done.
            kinds = [message.role == "system" for message in state.messages]
            at = kinds.index(False) if False in kinds else len(kinds)
            state.messages.insert(at, ChatMessageSystem(content=text))
        return await inner(state, generate)

    return solve


def retrieved(record: Record, source: str, mode: str, count: int) -> tuple[str, list[str]]:
    """The text that stands before a question, and the ids of what is in it.

    Raises
    ------
    UsageError
        There is no such mode.
    """
    question = " ".join([*record.preamble, record.question])
    if mode == "formulary":
        entries = formulary.search(question, count)
        text = formulary.prompt_section(question, count)
        return text, [entry.id for entry in entries]
    if mode == "examples":
        found = examples_for(record, source, count)
        head = "Worked examples of other problems (they may or may not help):"
        text = "\n\n".join([head, *map(_example, found)]) if found else ""
        return text, [each.id for each in found]
    raise UsageError(f"retrieval: {mode!r} is none of none, formulary, examples")


def examples_for(record: Record, source: str, count: int) -> list[Record]:
    """The ``count`` most alike records that may be shown, by BM25 on the words of the problem."""
    pool, scores_of = _index(source)
    scores = scores_of(_words(_problem(record)))
    ranked = sorted(range(len(pool)), key=lambda place: (-scores[place], pool[place].id))
    allowed = (pool[place] for place in ranked if scores[place] > 0)
    found: list[Record] = []
    problems: set[str] = set()
    for other in allowed:
        if question_of(other) in problems or not may_be_shown(other, record):
            continue
        problems.add(question_of(other))  # one example a problem
        found.append(other)
        if len(found) == count:
            break
    return found


def may_be_shown(example: Record, record: Record) -> bool:
    """Whether an example tells nothing of the answer to ``record``."""
    if example.id == record.id or question_of(example) == question_of(record):
        return False
    if record.q_id is not None and example.q_id == record.q_id:
        return False
    family = record.meta.get("family")
    if family is not None and example.meta.get("family") == family:
        return False
    return _plain(record.final) not in _plain(_example(example))


def _example(record: Record) -> str:
    parts = [*record.preamble, f"Question: {record.question}", *record.step]
    return "\n".join([part for part in parts if part] + [f"Answer: {record.final}"])


def _problem(record: Record) -> str:
    return " ".join([*record.preamble, record.question])


def _plain(text: str) -> str:
    return _SPACE.sub("", text).lower()


def _words(text: str) -> list[str]:
    return _WORD.findall(_COMMANDS.sub(" ", text).lower())


@lru_cache(maxsize=4)
def _index(source: str) -> tuple[Sequence[Record], Callable[[list[str]], Sequence[float]]]:
    import bm25s

    pool = list(records_of(source).values())
    documents = [_words(_problem(record)) for record in pool]
    known = {word for document in documents for word in document}
    engine: Any = bm25s.BM25()
    engine.index(documents, show_progress=False)

    def scores_of(words: list[str]) -> Sequence[float]:
        asked = [word for word in words if word in known]
        if not asked:
            return [0.0] * len(pool)
        scores: NDArray[Any] = engine.get_scores(asked)
        return [float(score) for score in scores]

    return pool, scores_of
