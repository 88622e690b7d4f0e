"""Statistical against physical success: a good fit is not yet the right planets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.clusters import rate_interval

STATISTICAL = frozenset({"delta_bic", "rms", "detection", "residuals"})
"""Criteria that look at the data alone, of any protocol."""
PHYSICAL = frozenset({"match", "count", "recovery", "periods", "amplitudes"})
"""Criteria that compare with the true planets."""


@dataclass(frozen=True, slots=True)
class StatisticalPhysical:
    """Graded attempts on stars by which kind of criteria their best submission meets.

    The rates are over all of them; an attempt without a graded submission meets neither.
    """

    graded: int
    both: int
    only_statistical: int
    only_physical: int
    neither: int
    statistical_rate: float
    statistical_interval: tuple[float, float]
    physical_rate: float
    physical_interval: tuple[float, float]


def statistical_physical(attempts: Iterable[Attempt]) -> StatisticalPhysical | None:
    """Count them; ``None`` without a graded attempt on a star."""
    rows = [a for a in attempts if a.world == "stargazer" and a.passed is not None]
    if not rows:
        return None
    statistical = [_meets(a, STATISTICAL) for a in rows]
    physical = [_meets(a, PHYSICAL) for a in rows]
    met = list(zip(statistical, physical, strict=True))
    clusters = [(a.suite, a.cluster) for a in rows]
    return StatisticalPhysical(
        graded=len(rows),
        both=met.count((True, True)),
        only_statistical=met.count((True, False)),
        only_physical=met.count((False, True)),
        neither=met.count((False, False)),
        statistical_rate=sum(statistical) / len(rows),
        statistical_interval=rate_interval(list(map(float, statistical)), clusters),
        physical_rate=sum(physical) / len(rows),
        physical_interval=rate_interval(list(map(float, physical)), clusters),
    )


def _meets(attempt: Attempt, names: frozenset[str]) -> bool:
    own = [met for name, met in attempt.criteria.items() if name in names]
    return bool(own) and all(own)
