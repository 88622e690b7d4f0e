"""Running text cut into sentences, with formulas left whole and out of sight."""

from __future__ import annotations

import re
from dataclasses import dataclass

MASK = "¤"
"""Stands for each character of a formula, so that positions stay."""
MAX_SENTENCES = 400
"""Sentences that are looked at, counted from the end."""
MAX_SENTENCE = 600

_STYLE = str.maketrans(dict.fromkeys("*_#>`~", " "))
_LETTERS = re.compile(r"[^\W\d_]+")
_PAIRS = {"$$": "$$", "$": "$", r"\[": r"\]", r"\(": r"\)"}
_OPENING = re.compile(r"\\\\|\\\$|\$\$|\$|\\\[|\\\(")
_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\beq)(?<!\bca)(?<!\bapprox)[.!?;]+[\"'”’)*_]*(?=\s|$)"
    rf"|{MASK}(?=\s+(?-i:[A-Z][a-z]{{2,}}|It|So|We|In|By|At|As|To|If|No|On|My|Is|An|A|I)\b)"
    r"|\n+|[;,](?=\s+(?:and\s+)?(?:so|thus|hence|therefore)\b)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its place, and its words with formulas masked and marks of style blank."""

    start: int
    end: int
    words: str


def masked(text: str, spans: tuple[tuple[int, int], ...] = ()) -> str:
    """``text`` with every formula, and every span given, as a run of :data:`MASK`."""
    out: list[str] = []
    hopeless: set[str] = set()
    kept = position = 0
    while match := _OPENING.search(text, position):
        closing = _PAIRS.get(match[0])
        end = -1
        if closing is not None and closing not in hopeless:
            end = text.find(closing, match.end())
            if end < 0:
                hopeless.add(closing)
        if closing is None or end < 0:
            position = match.end()
            continue
        end += len(closing)
        out += [text[kept : match.start()], MASK * (end - match.start())]
        kept = position = end
    result = "".join(out) + text[kept:]
    for start, end in spans:
        result = result[:start] + MASK * (end - start) + result[end:]
    return result


def sentences(text: str, spans: tuple[tuple[int, int], ...] = ()) -> list[Sentence]:
    """The last sentences of a text, in order."""
    shown = masked(text, spans).translate(_STYLE)
    found: list[Sentence] = []
    start = 0
    for match in [*_END.finditer(shown), None]:
        end = match.end() if match else len(shown)
        part = shown[start:end]
        if part.strip():
            lead = len(part) - len(part.lstrip())
            found.append(Sentence(start + lead, end, part[lead : lead + MAX_SENTENCE].rstrip()))
        start = end
    return found[-MAX_SENTENCES:]


def beginnings(words: str) -> set[str]:
    """The first four letters of every word: a first look that costs next to nothing."""
    return {word[:4] for word in _LETTERS.findall(words.casefold())}


_BOLD = re.compile(r"(?<![\w*.)])\*\*(?=[^\s*])([^*\n]{1,200}?)(?<=[^\s*])\*\*(?![\w*])")


def without_bold(text: str) -> str:
    """Text without the stars of emphasis; those of powers (``10**6``) stay."""
    return _BOLD.sub(r"\1", text) if "**" in text else text
