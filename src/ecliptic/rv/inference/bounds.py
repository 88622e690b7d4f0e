"""Shape parameters kept within bounds: a frequency range, and a highest eccentricity."""

from __future__ import annotations

import math

from ecliptic.rv.inference.small_matrices import Array, freeze
from ecliptic.rv.jit import compiled


@compiled
def respect_bounds(shape: Array, limits: Array, S: Array, g: Array, turned: Array) -> None:
    """Freeze what stands at a bound and would leave it.

    Where e is at its limit, x and y are first turned into a radial and a tangential direction;
    ``turned`` holds cos and sin of that turn, (1, 0) elsewhere.
    """
    m = S.shape[0]
    for j in range(shape.shape[0]):
        f, x, y = shape[j, 0], shape[j, 1], shape[j, 2]
        row = 3 * j
        if (f <= limits[0] and g[row] < 0.0) or (f >= limits[1] and g[row] > 0.0):
            freeze(S, g, row)
        e = math.sqrt(x * x + y * y)
        turned[j, 0], turned[j, 1] = 1.0, 0.0
        if e >= limits[2] * (1.0 - 1e-9) and x * g[row + 1] + y * g[row + 2] > 0.0:
            c, s = x / e, y / e
            turned[j, 0], turned[j, 1] = c, s
            for b in range(m):
                p, q = S[row + 1, b], S[row + 2, b]
                S[row + 1, b], S[row + 2, b] = c * p + s * q, c * q - s * p
            for b in range(m):
                p, q = S[b, row + 1], S[b, row + 2]
                S[b, row + 1], S[b, row + 2] = c * p + s * q, c * q - s * p
            g[row + 2] = c * g[row + 2] - s * g[row + 1]
            freeze(S, g, row + 1)


@compiled
def move(shape: Array, step: Array, turned: Array, limits: Array, out: Array) -> None:
    """The shape after a step, brought back inside the limits."""
    for j in range(shape.shape[0]):
        c, s = turned[j, 0], turned[j, 1]
        radial, tangential = step[3 * j + 1], step[3 * j + 2]
        x = shape[j, 1] + c * radial - s * tangential
        y = shape[j, 2] + s * radial + c * tangential
        e = math.sqrt(x * x + y * y)
        if e > limits[2]:
            back = limits[2] * (1.0 - 1e-12) / e  # so that rounding cannot exceed the limit
            x, y = x * back, y * back
        out[j, 0] = min(max(shape[j, 0] + step[3 * j], limits[0]), limits[1])
        out[j, 1], out[j, 2] = x, y
