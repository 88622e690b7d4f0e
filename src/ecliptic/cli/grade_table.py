"""What ``ecliptic grade`` prints: verdicts by type and diagnosis, a verifier's error rates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ecliptic.grading.verifier_rates import VerifierRates

TYPES = ("numeric", "symbolic", "textual", "structured")
MAX_NAMED = 10


def verdict_table(lines: list[dict[str, Any]]) -> Iterator[str]:
    """Counts by type, then by diagnosis, as lines of text."""
    types = [kind for kind in TYPES if any(line["type"] == kind for line in lines)]
    yield f"{'type':<12}{'answers':>9}{'correct':>16}{'incorrect':>11}{'undecided':>11}"
    for name in [*types, "all"]:
        chosen = [line["verdict"] for line in lines if name in (line["type"], "all")]
        outcomes = Counter(verdict["outcome"] for verdict in chosen)
        share = f"{outcomes['correct']} ({100 * outcomes['correct'] / len(chosen):.0f} %)"
        yield (
            f"{name:<12}{len(chosen):>9}{share:>16}"
            f"{outcomes['incorrect']:>11}{outcomes['undecided']:>11}"
        )
    judged = sum(line["verdict"]["details"].get("decided_by") == "verifier" for line in lines)
    if judged:
        yield f"{judged} of these were decided by the verifier alone"
    faulty = sorted({line["id"] for line in lines if "data_error" in line["verdict"]["details"]})
    if faulty:
        yield f"{len(faulty)} gold answers cannot be read: {', '.join(faulty[:MAX_NAMED])}"
    codes: Counter[str] = Counter()
    split: Counter[tuple[str, str]] = Counter()
    for line in lines:
        if line["verdict"]["diagnosis"] is not None:
            code = line["verdict"]["diagnosis"]["code"]
            codes[code] += 1
            split[code, line["type"]] += 1
    if codes:
        yield ""
        yield f"{'diagnosis':<20}{'answers':>9}" + "".join(f"{kind:>12}" for kind in types)
        for code, count in codes.most_common():
            row = "".join(f"{split[code, kind] or '-':>12}" for kind in types)
            yield f"{code:<20}{count:>9}{row}"


def rates_table(rates: VerifierRates) -> Iterator[str]:
    """Error rates with 95 % intervals."""
    from ecliptic.analysis.intervals import wilson_interval

    def share(count: int, of: int) -> str:
        if not of:
            return "-"
        low, high = wilson_interval(count, of)
        return f"{count} of {of} ({100 * count / of:.1f} %, {100 * low:.1f} to {100 * high:.1f})"

    yield f"{'pairs':<15}{rates.pairs}"
    yield f"{'correct':<15}{share(rates.correct, rates.pairs)}"
    yield f"{'false accepts':<15}{share(rates.false_accepts, rates.different)}"
    yield f"{'false rejects':<15}{share(rates.false_rejects, rates.same)}"
    yield f"{'undecided':<15}{share(rates.undecided, rates.pairs)}"
    yield f"{'calls':<15}{rates.calls}, {rates.unreadable} unreadable replies"
