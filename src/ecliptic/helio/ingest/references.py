r"""Numbers of equations and where their labels stand, for ``\ref`` and ``\eqref``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ecliptic.helio.ingest.formulas import find_formulas, split_rows

LABEL = re.compile(r"\\label\s*\{([^{}\n]{1,120})\}")
REFERENCE = re.compile(r"\\(eqref|ref|cref|Cref|autoref|pageref)\s*\{([^{}\n]{1,120})\}")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}\n]{1,40})\}")
_UNNUMBERED = re.compile(r"\\(?:nonumber|notag)(?![A-Za-z])")
_NUMBERED = frozenset({"equation", "align", "gather", "multline", "eqnarray", "flalign", "alignat"})
_FIGURE = re.compile(r"\\begin\{(figure|table)\*?\}|\\end\{(figure|table)\*?\}")


@dataclass(frozen=True, slots=True)
class Target:
    """What a label names: ``equation``, ``figure``, ``table`` or ``text``, and its number."""

    kind: str
    number: str
    offset: int


def find_targets(text: str) -> dict[str, Target]:
    """All labels of a text; equations are numbered in order as LaTeX does."""
    targets: dict[str, Target] = {}
    count = 0
    for span in find_formulas(text):
        if not span.display:
            continue
        body = text[span.inner_start : span.inner_end]
        by_rows = span.environment in ("align", "gather", "eqnarray", "flalign", "alignat")
        for row in split_rows(body) if by_rows else [body]:
            number = ""
            if tag := _TAG.search(row):
                number = tag[1]
            elif span.environment in _NUMBERED and not _UNNUMBERED.search(row):
                count += 1
                number = str(count)
            for label in LABEL.finditer(row):
                targets.setdefault(label[1], Target("equation", number, span.start))
    floats = [(m.start(), m[1] or "") for m in _FIGURE.finditer(text)]
    index, current = 0, ""
    counts = {"figure": 0, "table": 0}
    for label in LABEL.finditer(text):
        while index < len(floats) and floats[index][0] < label.start():
            current = floats[index][1]
            index += 1
            if current:
                counts[current] += 1
        number = str(counts[current]) if current else ""
        targets.setdefault(label[1], Target(current or "text", number, label.start()))
    return targets
