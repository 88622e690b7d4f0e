"""Dates and clock times as answers, which no tolerance brings together.

``2003-10-28``, ``28 October 2003`` and ``October 28, 2003`` are one date. What the gold names
(year, month, day, time) must be the same in the answer; more in the answer does not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ecliptic.grading.comparison import Comparison, different, same
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.wording import DOUBT, NEGATIONS, plain_words

METHOD = "date"
MAX_TEXT = 400
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_YEAR, _DAY = r"(?P<year>1[5-9]\d\d|20\d\d)", r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_CLOCK = r"(?P<hour>[0-2]?\d):(?P<minute>[0-5]\d)(?P<second>:[0-5]\d(?:\.\d+)?)?"
_ZONE = r"(?:\s*(?:UTC?|Z|GMT)\b)?"
_FORMS = tuple(
    re.compile(rf"(?<![\w.:-]){form}(?![\w:]|-\d|\.\d)", re.I)
    for form in (
        rf"{_YEAR}-(?P<number>[01]\d)-(?P<day>[0-3]\d)(?:[T ]{_CLOCK}{_ZONE})?",
        rf"{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}(?:,?\s+(?:at\s+)?{_CLOCK}{_ZONE})?",
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}(?:,?\s+(?:at\s+)?{_CLOCK}{_ZONE})?",
        rf"{_YEAR}\s+{_MONTH}\s+{_DAY}(?:,?\s+{_CLOCK}{_ZONE})?",
        rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}",
        rf"(?:in|year)\s+(?:the\s+year\s+)?{_YEAR}",
        rf"{_CLOCK}\s*(?:UTC?|Z|GMT|LT)\b",
    )
)


@dataclass(frozen=True, slots=True)
class Date:
    """A date or a time of day; ``None`` for what is not told."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    minutes: int | None = None

    def parts(self) -> tuple[int | None, ...]:
        """Year, month, day and minutes since midnight."""
        return self.year, self.month, self.day, self.minutes


def read_date(text: str) -> Date | None:
    """The date that a short text is, or ``None``."""
    text = text.strip(" .*$\"'")
    text = re.sub(r"^(?:on|at)\s+", "", text, flags=re.I)
    if len(text) > 60:
        return None
    for form in _FORMS:
        match = form.fullmatch(text)
        if match is not None:
            return _date(match)
    return None


def compare_dates(gold: str, answer: str) -> Comparison | None:
    """A gold that is a date against the dates in an answer; ``None`` where nothing is told."""
    wanted = read_date(gold)
    if wanted is None or len(answer) > MAX_TEXT:
        return None
    found = _dates_in(answer)
    if not found or (NEGATIONS | DOUBT).intersection(plain_words(answer)):
        return None
    agreeing = [_agree(wanted, date) for date in found]
    if all(agreed is True for agreed in agreeing):
        return same("the same date", method=METHOD)
    if all(agreed is False for agreed in agreeing):
        return different(GradingDiagnosis.CONTRADICTION, "another date", method=METHOD)
    return None


def _dates_in(text: str) -> list[Date]:
    found: list[Date] = []
    for form in _FORMS:
        found += [_date(match) for match in form.finditer(text)]
        text = form.sub(" ; ", text)
    return found


def _agree(wanted: Date, given: Date) -> bool | None:
    """Whether all that is wanted agrees; ``None`` where a part is not told."""
    pairs = [
        pair for pair in zip(wanted.parts(), given.parts(), strict=True) if pair[0] is not None
    ]
    if any(right is not None and left != right for left, right in pairs):
        return False
    return True if all(right is not None for _, right in pairs) else None


def _date(match: re.Match[str]) -> Date:
    found = match.groupdict()
    month = int(found["number"]) if found.get("number") else None
    if found.get("month"):
        month = _MONTHS.index(found["month"][:3].casefold()) + 1
    hour, minute = found.get("hour"), found.get("minute")
    return Date(
        int(found["year"]) if found.get("year") else None,
        month,
        int(found["day"]) if found.get("day") else None,
        60 * int(hour) + int(minute) if hour and minute else None,
    )
