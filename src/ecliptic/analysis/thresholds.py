"""How the pass rate depends on where a criterion's bar is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.clusters import rate_interval

MATCHES = tuple(round(0.72 + 0.02 * step, 2) for step in range(9))
"""The published sweep, 0.72 to 0.88 about the bar of 0.8."""


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """Passes of the graded attempts, were the bar at ``threshold``."""

    threshold: float
    passed: int
    graded: int
    rate: float
    interval: tuple[float, float]


def sweep(
    attempts: Iterable[Attempt],
    criterion: str = "match",
    thresholds: Sequence[float] = MATCHES,
    *,
    at_least: bool = True,
) -> list[SweepPoint]:
    """Pass rates with one criterion's bar moved and all others as they were.

    An attempt passes where its figure is at least the threshold (at most, with ``at_least=False``)
    and every other criterion is met. Only suites in which some attempt has this criterion's figure
    count: ``match`` belongs to protocol ``paper``. A graded attempt without the figure (nothing
    usable was submitted) does not pass; one that ended in an error is left out.

    The figure is that of the submission that was best under the bar of the run, and an agent that
    passed there stopped: above that bar the rates are what these submissions reach, not what agents
    would have reached who were told to go on. Empty where no attempt has the figure.
    """
    graded = [attempt for attempt in attempts if attempt.passed is not None]
    known = {(a.suite, a.protocol) for a in graded if criterion in a.values}
    rows = [a for a in graded if (a.suite, a.protocol) in known]
    clusters = [(a.suite, a.cluster) for a in rows]
    points = []
    for threshold in thresholds if rows else ():
        passes = [float(_passes(a, criterion, threshold, at_least)) for a in rows]
        count = int(sum(passes))
        interval = rate_interval(passes, clusters)
        points.append(SweepPoint(threshold, count, len(rows), count / len(rows), interval))
    return points


def _passes(attempt: Attempt, criterion: str, threshold: float, at_least: bool) -> bool:
    value = attempt.values.get(criterion)
    if value is None or not attempt.criteria:
        return False
    met = value >= threshold if at_least else value <= threshold
    return met and all(good for name, good in attempt.criteria.items() if name != criterion)
