"""What a distilled skill must not quote: values and names of the tasks that it came from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ecliptic.skills.transcripts import Attempt

_NUMBER = re.compile(r"(?<![\w.])\d+\.?\d*(?:[eE][+-]?\d+)?")
_TELLING_DIGITS = 4
_TELLING_LETTERS = 5


def quotations(text: str, attempts: Sequence[Attempt]) -> list[str]:
    """Numbers that agents handed in (to four figures) and names of tasks that ``text`` holds.

    Numbers of fewer than four figures are in any text by chance, and don't count.
    """
    handed_in = {number for each in attempts for number in _telling(each.handed_in)}
    names = {each.sample_id for each in attempts if len(each.sample_id) >= _TELLING_LETTERS}
    return sorted(_telling(text) & handed_in) + sorted(name for name in names if name in text)


def _telling(text: str) -> set[str]:
    found = set()
    for match in _NUMBER.findall(text):
        figures = re.sub(r"[eE].*", "", match).replace(".", "").strip("0")
        if len(figures) >= _TELLING_DIGITS:
            found.add(f"{float(match):.{_TELLING_DIGITS}g}")
    return found
