"""Intervals for a proportion."""

from __future__ import annotations

import math
from statistics import NormalDist

from ecliptic.errors import UsageError


def wilson_interval(passed: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    r"""Score interval of a binomial proportion.

    .. math::
       \frac{\hat p + z^2/2n \pm z \sqrt{\hat p (1 - \hat p)/n + z^2/4n^2}}{1 + z^2/n}

    with :math:`\hat p` = ``passed / n`` and z the two-sided normal quantile (Wilson 1927, J. Am.
    Stat. Assoc. 22, 209). Unlike the Wald interval it stays within [0, 1] and is not empty at 0
    or n. Without any trial nothing is known: (0, 1).

    >>> low, high = wilson_interval(13, 14)
    >>> round(low, 3), round(high, 3)
    (0.685, 0.987)
    """
    if not 0 <= passed <= n:
        raise UsageError(f"passed must be 0 to n ({n}), not {passed}")
    if not 0 < confidence < 1:
        raise UsageError(f"confidence must be between 0 and 1, not {confidence:g}")
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    low, high = score_interval(passed / n, n, z)
    # At 0 and n the exact limits are 0 and 1, which rounding may miss by one unit.
    return (0.0 if passed == 0 else low), (1.0 if passed == n else high)


def score_interval(p: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's formula for any positive ``n``, such as an effective number, and any quantile."""
    correction = z * z / n
    middle = p + correction / 2
    half = z * math.sqrt(p * (1 - p) / n + correction / (4 * n))
    return (middle - half) / (1 + correction), (middle + half) / (1 + correction)
