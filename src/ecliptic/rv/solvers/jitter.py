"""The extra white noise that residuals ask for."""

from __future__ import annotations

from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.jit import compiled


@compiled
def most_likely_extra_variance(residuals: Array, variances: Array) -> float:
    """The jitter squared that maximises the Gaussian likelihood of the residuals.

    The root of ``sum(r^2 / s^4 - 1 / s^2)`` with ``s^2 = variances + jitter^2``, by bisection in a
    bracket and Newton's step where it stays inside; 0 where the errors already suffice.
    """
    low, high = 0.0, 0.0
    for i in range(residuals.size):
        high = max(high, residuals[i] ** 2)
    extra = 0.0
    for _ in range(100):
        value, slope = 0.0, 0.0
        for i in range(residuals.size):
            inverse = 1.0 / (variances[i] + extra)
            square = residuals[i] ** 2 * inverse
            value += inverse * (square - 1.0)
            slope += inverse * inverse * (1.0 - 2.0 * square)
        if value > 0.0:
            low = extra
        else:
            high = extra
        if high <= low or high - low <= 1e-9 * high:
            break
        trial = extra - value / slope
        if not low < trial < high or not slope < 0.0:
            trial = 0.5 * (low + high)
        if abs(trial - extra) <= 1e-10 * trial:
            extra = trial
            break
        extra = trial
    return extra
