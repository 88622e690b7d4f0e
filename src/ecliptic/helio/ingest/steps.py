"""A solution cut into steps: its sentences and displays, in order."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ecliptic.helio.ingest.formulas import MASK, find_formulas, masked
from ecliptic.helio.ingest.source import count_breaks
from ecliptic.helio.ingest.tidy import finished

_END = re.compile(r"[.!?][\"')\]]*(?=\s+[\"'(]?[A-Z\x04\\0-9-]|\s*$)|\n[ \t\x1f]*\n\s*")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|eqs?|eqns?|figs?|refs?|vs|ca|approx|resp|al|etc|no|sec|ch|p|pp|dr|"
    r"prof|st|viz|const)|"
    r"(?:^|[\s(])[A-Z])\.$",
    re.I,
)
_EMPTY = re.compile(r"[\s.,;:!?()\"'\-\\]*")


@dataclass(frozen=True, slots=True)
class Step:
    """One sentence or display, on one line; ``line`` counts from the solution's first line."""

    text: str
    display: bool
    line: int


def split_steps(text: str) -> list[Step]:
    """Steps of a tidied solution; punctuation alone is none."""
    steps: list[Step] = []
    at = line = 0
    for span in [*find_formulas(text), None]:
        if span is not None and not span.display:
            continue
        end = len(text) if span is None else span.start
        for start, stop in _sentences(text[at:end]):
            passage = text[at + start : at + stop]
            lead = len(passage) - len(passage.lstrip())
            first = line + count_breaks(text[at : at + start + lead])
            _add(steps, passage, first, display=False)
        line += count_breaks(text[at:end])
        if span is None:
            break
        _add(steps, text[span.start : span.end], line, display=True)
        line += count_breaks(text[span.start : span.end])
        at = span.end
    return steps


def _add(steps: list[Step], passage: str, line: int, *, display: bool) -> None:
    text = finished(passage)
    if not display:
        text = re.sub(r"^[.,;:!?]+\s*", "", text)
        text = re.sub(r"^-\s+", "", text)
    if text and not _EMPTY.fullmatch(text) and text not in ("$$$$", "$$"):
        steps.append(Step(text, display, line))


def _sentences(text: str) -> list[tuple[int, int]]:
    """Start and end of every sentence of prose with formulas of the line."""
    hidden = masked(text)
    found: list[tuple[int, int]] = []
    start = checked = depth = 0
    for match in _END.finditer(hidden):
        stop = match.end()
        before = hidden[max(start, match.start() - 40) : match.start()]
        depth += hidden.count("{", checked, stop) - hidden.count("}", checked, stop)
        checked = stop
        if depth or (match[0][0] in ".!?" and _ABBREVIATION.search(f"{before[-11:]}.")):
            continue
        if match.start() - start < 8 and re.fullmatch(
            r"\s*\(?\d{1,2}", hidden[start : match.start()]
        ):
            continue  # the number of a step
        if match[0][0] == "\n" and before.rstrip()[-1:] not in tuple(".!?:;)" + MASK):
            continue  # a page break inside a sentence
        if hidden[start:stop].strip():
            found.append((start, stop))
        start = stop
    if hidden[start:].strip():
        found.append((start, len(text)))
    return found
