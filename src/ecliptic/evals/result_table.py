"""Patterns against types of record, or tiers of star: passes with Wilson intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ecliptic.analysis import Attempt, wilson_interval
from ecliptic.analysis.tables import ALL, TIERS, text_table
from ecliptic.evals.answer_scoring import TYPES
from ecliptic.evals.stop_reasons import StopReason

_ORDER = (*TYPES, *TIERS)
_STOPS = [str(reason) for reason in StopReason]


def result_table(rows: Sequence[Attempt]) -> str:
    """One line a pattern: passed of graded, their rate and 95 % interval, by kind and over all.

    Attempts that ended in an error are in the column ``failed`` and in no rate.
    """
    known = {row.kind for row in rows}
    kinds = [kind for kind in _ORDER if kind in known]
    kinds += sorted(known - {*_ORDER, "unread"})
    verified = any(row.verified is not None for row in rows)
    header = ["agent", *kinds, ALL, "95 % CI", "undecided", *(["verified"] if verified else [])]
    header += ["failed", "tokens"]
    body = []
    for pattern in dict.fromkeys(row.agent for row in rows):
        own = [row for row in rows if row.agent == pattern]
        graded = [row for row in own if row.passed is not None]
        cells = [_rate([row for row in graded if row.kind == kind]) for kind in kinds]
        judged = [row for row in graded if row.verified is not None]
        body.append(
            [
                pattern,
                *cells,
                _rate(graded),
                _interval(graded),
                str(sum(row.undecided for row in graded)),
                *([f"{sum(bool(row.verified) for row in judged)}/{len(judged)}"] * verified),
                str(len(own) - len(graded)),
                f"{sum(row.tokens for row in own):,}",
            ]
        )
    return text_table(header, body)


def stop_summary(rows: Sequence[Attempt]) -> str:
    """How the attempts ended, the commonest reason first."""
    counts = Counter(row.stop for row in rows)
    order = sorted(counts, key=lambda stop: (-counts[stop], _STOPS.index(stop)))
    return ", ".join(f"{reason} {counts[reason]}" for reason in order)


def _rate(graded: Sequence[Attempt]) -> str:
    if not graded:
        return "-"
    passed = sum(bool(row.passed) for row in graded)
    return f"{passed}/{len(graded)} ({100 * passed / len(graded):.0f} %)"


def _interval(graded: Sequence[Attempt]) -> str:
    if not graded:
        return "-"
    low, high = wilson_interval(sum(bool(row.passed) for row in graded), len(graded))
    return f"{100 * low:.0f}–{100 * high:.0f} %"
