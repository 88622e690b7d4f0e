"""Entries by their words: ranking by BM25 (Robertson & Zaragoza 2009, Found. Trends IR 3, 333).

An agent may search (a tool), or be handed what fits its question (a section of its prompt), so that
runs with and without the formulary can be compared. Entries are general: none was written for a
single question, and none holds a number that a question asks for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ecliptic.arguments import whole_number
from ecliptic.model import Model, Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_QUERY = 4000
MOST_ENTRIES = 20
_WORD = re.compile(r"[a-z0-9]+")
_COMMANDS = re.compile(r"\\[A-Za-z]+")
# fmt: off
_STOP = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "how", "in", "into", "is",
    "it", "its", "of", "on", "or", "than", "that", "the", "this", "to", "under", "what", "when",
    "which", "with", "give", "find", "one", "number", "equation", "terms", "units",
    "significant", "figures", "answer", "question",
})
# fmt: on


class Entry(Model):
    """One formula or set of constants.

    ``formula`` is LaTeX without dollar signs, ``where`` explains its symbols, ``holds`` names the
    conditions, ``source`` where it is derived.
    """

    id: Text
    topic: Text
    title: Text
    formula: Text
    where: Text
    holds: Text
    source: Text

    def text(self) -> str:
        """The entry as an agent reads it, in four lines."""
        return (
            f"{self.title}\n  ${self.formula}$\n  where: {self.where}\n"
            f"  holds for: {self.holds} [{self.source}]"
        )


@cache
def entries() -> tuple[Entry, ...]:
    """All entries: constants first, then in the order of the curriculum."""
    text = files("ecliptic.helio.formulary").joinpath("entries.jsonl").read_text("utf-8")
    return tuple(Entry.model_validate(json.loads(line)) for line in text.splitlines())


def search(query: str, count: int = 3) -> tuple[Entry, ...]:
    """Up to ``count`` entries that share words with the query, the best first.

    Raises
    ------
    UsageError
        ``count`` is no whole number from 1 to 20.
    """
    count = whole_number("count", count, 1, MOST_ENTRIES)
    words = _words(query[:MAX_QUERY])
    if not words:
        return ()
    scores = _index().get_scores(words)
    ranked = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    return tuple(entries()[place] for place in ranked[:count] if scores[place] > 0)


def prompt_section(question: str, count: int = 3) -> str:
    """What the formulary has for a question, as a section of a prompt; empty if nothing fits."""
    found = search(question, count)
    if not found:
        return ""
    return "\n".join(
        ("Possibly useful formulas (check that their conditions hold):", *(e.text() for e in found))
    )


class _Index:
    """BM25 over the entries; titles count three times."""

    def __init__(self, documents: Iterable[list[str]]) -> None:
        import bm25s

        self._words: set[str] = set()
        corpus = [list(document) for document in documents]
        for document in corpus:
            self._words.update(document)
        self._engine: Any = bm25s.BM25()
        self._engine.index(corpus, show_progress=False)
        self._size = len(corpus)

    def get_scores(self, words: list[str]) -> list[float]:
        known = [word for word in words if word in self._words]
        if not known:
            return [0.0] * self._size
        scores: NDArray[Any] = self._engine.get_scores(known)
        return [float(score) for score in scores]


@cache
def _index() -> _Index:
    return _Index(
        _words(" ".join([entry.title] * 3 + [entry.topic, entry.where, entry.holds]))
        for entry in entries()
    )


def _words(text: str) -> list[str]:
    plain = _COMMANDS.sub(" ", text).replace("_", " ").lower()
    return [_stem(word) for word in _WORD.findall(plain) if word not in _STOP and len(word) > 1]


def _stem(word: str) -> str:
    """Plural and a few endings off, so that ``shocks`` finds ``shock``."""
    for ending in ("ations", "ation", "ies", "ing", "es", "s", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
