r"""Kepler's equation, :math:`E - e \sin E = M`, for elliptic orbits.

Start from the least of three upper bounds of E on [0, pi], then take a fixed number of
fifth-order Householder steps that depends on e alone: two up to e = 0.9, three up to 0.995. With
:math:`s = \sin(E/2)` the first derivative of the residual is :math:`f' = (1 - e) + 2 e s^2`, where
nothing cancels as e nears 1 and E nears 0. Neither a branch nor a call of the mathematics library
stands in the loops over points: the compiler makes vector instructions of them, and the result
does not depend on the machine's library.

Other fast solvers, for comparison: Markley 1995 (CeMDA 63, 101), Raposo-Pulido & Pelaez 2017
(MNRAS 467, 1702) and Brandt et al. 2021 (AJ 162, 186). The steps are Householder's (1970, "The
Numerical Treatment of a Single Nonlinear Equation", sect. 4.4).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecliptic.errors import UsageError
from ecliptic.rv.jit import compiled

PI = math.pi
TWO_PI = 2.0 * math.pi
# 2 pi in two parts (Cody & Waite 1980): the first has 33 bits, so that its product with any whole
# number of turns below 2**20 is exact.
TWO_PI_HIGH = float.fromhex("0x1.921fb5440p+2")
TWO_PI_LOW = float.fromhex("0x1.0b4611a626331p-32")
TWO_PI_REST = float.fromhex("0x1.1a62633145c07p-52")  # 2 pi minus the double TWO_PI
EXACT_ANGLE_RAD = 1048576.0 * TWO_PI


@compiled
def wrap(angle_rad: float) -> float:
    """The angle less whole turns, in (-pi, pi] to rounding.

    Correct to 1e-15 up to 2**20 turns, and to 1e-12 up to 1e19 rad, far beyond where neighbouring
    doubles are turns apart; in that range for any finite angle, not a number for an infinite one.
    """
    # The test comes first: a compiled math.ceil gives an int64, which ends at 9e18. (numpy's ceil
    # would not, but costs several times as much here.)
    if abs(angle_rad) < EXACT_ANGLE_RAD:
        turns = math.ceil(angle_rad / TWO_PI - 0.5)
        return (angle_rad - turns * TWO_PI_HIGH) - turns * TWO_PI_LOW
    rest: float = np.fmod(angle_rad, TWO_PI)  # exact, but with the double TWO_PI for a turn
    rest -= np.fmod((angle_rad - rest) / TWO_PI * TWO_PI_REST, TWO_PI)
    return rest - math.ceil(rest / TWO_PI - 0.5) * TWO_PI


@compiled
def half_angle(E: float) -> tuple[float, float]:
    """Sine and cosine of E/2 for E in [-pi, pi], from Taylor's series at E/4.

    The error is below 5e-16, for the sine relative to its value.
    """
    x = 0.25 * E
    q = x * x
    a = 1.0 / 6227020800.0 - q * (1.0 / 1307674368000.0)  # 1/13! - q/15!, and so on down
    a = 1.0 / 39916800.0 - q * a
    a = 1.0 / 362880.0 - q * a
    a = 1.0 / 5040.0 - q * a
    a = 1.0 / 120.0 - q * a
    a = 1.0 / 6.0 - q * a
    sin_x = x * (1.0 - q * a)
    b = 1.0 / 87178291200.0 - q * (1.0 / 20922789888000.0)  # 1/14! - q/16!
    b = 1.0 / 479001600.0 - q * b
    b = 1.0 / 3628800.0 - q * b
    b = 1.0 / 40320.0 - q * b
    b = 1.0 / 720.0 - q * b
    b = 1.0 / 24.0 - q * b
    b = 0.5 - q * b
    cos_x = 1.0 - q * b
    return 2.0 * sin_x * cos_x, 1.0 - 2.0 * sin_x * sin_x


@compiled
def start(M: float, e: float) -> float:
    """An upper bound of abs(E), with the sign of M, for M in [-pi, pi].

    The least of the lines ``M / (1 - e)``, ``M + e`` and ``(M + e pi) / (1 + e)``, which follow
    from sin E <= E, 1 and pi - E.
    """
    m = abs(M)
    E = m / (1.0 - e)
    plus = m + e
    E = plus if plus < E else E
    late = (m + e * PI) / (1.0 + e)
    E = late if late < E else E
    return -E if M < 0.0 else E


@compiled
def improve(E: float, M: float, e: float) -> float:
    """One Householder step of order five on ``f(E) = E - e sin E - M``, with one division."""
    s, c = half_angle(E)
    f2 = 2.0 * e * s * c
    f = (E - f2) - M
    f1 = (1.0 - e) + 2.0 * e * s * s
    f3 = e * (1.0 - 2.0 * s * s)
    ff, f1f1, ff2 = f * f, f1 * f1, f * f2
    above = f1 * (f1f1 - ff2) + ff * f3 * (1.0 / 6.0)
    below = (
        f1f1 * (f1f1 - 1.5 * ff2)
        + ff * (0.25 * f2 * f2 + (1.0 / 3.0) * f1 * f3)
        + (1.0 / 24.0) * f * ff * f2
    )
    return E - f * above / below


@compiled
def steps_for(e: float) -> int:
    """Steps after which the error of E is rounding, for every M (measured, with a margin)."""
    if e <= 0.9:
        return 2
    if e <= 0.995:
        return 3
    if e <= 0.9999:
        return 4
    return 12


@compiled
def solve(mean_anomaly: float, e: float) -> float:
    """Eccentric anomaly in [-pi, pi] of one mean anomaly, for 0 <= e < 1."""
    M = wrap(mean_anomaly)
    E = start(M, e)
    for _ in range(steps_for(e)):
        E = improve(E, M, e)
    return E


@compiled
def solve_sincos(mean_anomaly: float, e: float) -> tuple[float, float, float]:
    """E as :func:`solve` gives it, sin E and cos E."""
    E = solve(mean_anomaly, e)
    s, c = half_angle(E)
    return E, 2.0 * s * c, 1.0 - 2.0 * s * s


@compiled
def solve_wrapped(M: NDArray[np.float64], e: float, E: NDArray[np.float64]) -> None:
    """Write into ``E`` the solutions for ``M``, already in [-pi, pi], of one orbit; shapes (n,).

    Several times faster than :func:`solve` point by point: loops over points make vectors.
    """
    for i in range(M.size):
        E[i] = start(M[i], e)
    for _ in range(steps_for(e)):
        for i in range(M.size):
            E[i] = improve(E[i], M[i], e)


@compiled
def _solve_blocks(mean_anomaly: NDArray[np.float64], e: NDArray[np.float64]) -> NDArray[np.float64]:
    """Solutions, shape (n,); ``e`` has shape (n,), or (1,) for one orbit."""
    E = np.empty(mean_anomaly.size)
    block = 512  # so that a block stays in the fastest cache
    M = np.empty(min(mean_anomaly.size, block))
    for first in range(0, mean_anomaly.size, block):
        size = min(block, mean_anomaly.size - first)
        for i in range(size):
            M[i] = wrap(mean_anomaly[first + i])
        if e.size == 1:
            solve_wrapped(M[:size], e[0], E[first : first + size])
        else:
            _solve_wrapped_each(M[:size], e[first : first + size], E[first : first + size])
        for i in range(size):  # back to the turn that M is in
            E[first + i] = mean_anomaly[first + i] + (E[first + i] - M[i])
    return E


@compiled
def _solve_wrapped_each(
    M: NDArray[np.float64], e: NDArray[np.float64], E: NDArray[np.float64]
) -> None:
    e_max = 0.0
    for i in range(M.size):
        e_max = max(e_max, e[i])
        E[i] = start(M[i], e[i])
    for _ in range(steps_for(e_max)):
        for i in range(M.size):
            E[i] = improve(E[i], M[i], e[i])


def eccentric_anomaly(mean_anomaly: ArrayLike, e: ArrayLike) -> NDArray[np.float64]:
    """Eccentric anomaly E of mean anomaly M: the root of ``E - e sin E = M``.

    Arguments of any shapes that broadcast, any M, 0 <= e < 1; the result has the broadcast shape,
    in radians, and lies in the same turn as M. The error is below 1e-13 up to e = 0.999, beside
    the rounding of M itself.

    Raises
    ------
    UsageError
        M is not finite or e not in [0, 1).
    """
    M, ecc = np.asarray(mean_anomaly, dtype=np.float64), np.asarray(e, dtype=np.float64)
    if not np.isfinite(M).all():
        raise UsageError("mean_anomaly: must be finite")
    if not ((ecc >= 0.0) & (ecc < 1.0)).all():
        raise UsageError("e: must be in [0, 1), the orbit an ellipse")
    shape = np.broadcast_shapes(M.shape, ecc.shape)
    if ecc.size != 1:
        ecc = np.broadcast_to(ecc, shape)
    return _solve_blocks(np.broadcast_to(M, shape).ravel(), ecc.ravel()).reshape(shape)
