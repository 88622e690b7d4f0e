r"""Where the periods are likely to be: a density that the sampler draws ln f from.

The evidence does not change when the prior :math:`\pi` of ln f is replaced by any density
:math:`\pi'` that covers it and the likelihood is multiplied by :math:`\pi / \pi'` ("posterior
repartitioning", Chen et al. 2018, Statistics and Computing 29, 835). With a :math:`\pi'` that
follows the periodograms, peaks of width 1e-4 of the prior fill a good share of the unit cube: no
mode is missed with few live points, and the information to be gained shrinks to a few nats a
planet. A fixed share of the prior stays in the mixture, so that nothing is ruled out.

A density is linear between its nodes in ln f; it is kept as three arrays of shape (m,):
``ln_f``, ``density`` and ``cumulative``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.jit import compiled

NODES_PER_SPAN = 12.0  # a peak is about 1 / span wide
LN_STEP = 0.03  # for periods beyond the span
MAX_NODES = 60_000
PRIOR_SHARE = 0.2
EARLIER_SHARE = 0.25
HIGHEST_NATS = 15.0  # higher peaks are tempered: others keep a share


@dataclass(frozen=True, slots=True)
class PeriodDensity:
    """A density of ln f, normalised, and the prior's constant density ``prior``."""

    ln_f: Array
    density: Array
    cumulative: Array
    prior: float

    @classmethod
    def of(cls, ln_f: Array, values: Array) -> PeriodDensity:
        """Scale ``values``, (m,), to a density."""
        steps = np.diff(ln_f)
        areas = 0.5 * steps * (values[1:] + values[:-1])
        cumulative = np.concatenate([[0.0], np.cumsum(areas)])
        total = cumulative[-1]
        return cls(ln_f, values / total, cumulative / total, 1.0 / float(ln_f[-1] - ln_f[0]))

    @classmethod
    def flat(cls, ln_f: Array) -> PeriodDensity:
        """The prior itself."""
        return cls.of(ln_f, np.ones(len(ln_f)))


def nodes(period_min_days: float, period_max_days: float, span_days: float) -> Array:
    """ln f in steps of a small part of a peak's width, (m,)."""
    low, high = 1.0 / period_max_days, 1.0 / period_min_days
    step = 1.0 / (NODES_PER_SPAN * span_days)
    step = max(step, (high - low) / MAX_NODES)
    turn = min(max(step / LN_STEP, low), high)
    slow = np.geomspace(low, turn, max(2, math.ceil(math.log(turn / low) / LN_STEP) + 1))
    if turn >= high:
        only: Array = np.log(slow)
        return only
    fast = np.linspace(turn, high, max(2, math.ceil((high - turn) / step) + 1))
    ln_f: Array = np.log(np.concatenate([slow[:-1], fast]) if turn > low else fast)
    ln_f[0], ln_f[-1] = math.log(low), math.log(high)
    return ln_f


def from_gains(ln_f: Array, gains: Array) -> Array:
    """A density from gains in ln L, (m,): tempered, and each peak as wide as its neighbours."""
    highest = float(gains.max())
    tempering = min(1.0, HIGHEST_NATS / highest) if highest > 0.0 else 1.0
    values = np.exp(tempering * (gains - highest))
    padded = np.concatenate([values[:1], values, values[-1:]])
    wide = np.maximum(np.maximum(padded[:-2], padded[2:]), values)
    return PeriodDensity.of(ln_f, wide).density


def from_draws(ln_f: Array, draws: Array) -> Array:
    """A density from draws of ln f, (k,), each spread over the nodes around it."""
    place = np.clip(np.searchsorted(ln_f, draws) - 1, 0, len(ln_f) - 2)
    counts = np.bincount(place, minlength=len(ln_f)).astype(np.float64)
    counts[1:] += np.bincount(place, minlength=len(ln_f))[:-1]
    spread = np.convolve(counts, [0.1, 0.2, 0.4, 0.2, 0.1], mode="same")
    widths = np.gradient(ln_f)
    return PeriodDensity.of(ln_f, spread / widths).density


def mixed(ln_f: Array, further: Array, known: Array | None, earlier: Array | None, p: int) -> Array:
    """The mixture for p planets.

    ``further``: density of a planet on top of p - 1; ``known``: of the planets of that model;
    ``earlier``: the mixture that the model of p - 1 planets was run with.
    """
    value = further if known is None else (further + (p - 1) * known) / p
    if earlier is not None:
        value = EARLIER_SHARE * earlier + (1.0 - EARLIER_SHARE) * value
    flat = np.full(len(ln_f), 1.0 / (ln_f[-1] - ln_f[0]))
    return PRIOR_SHARE * flat + (1.0 - PRIOR_SHARE) * value


@compiled
def draw_ln_f(u: float, ln_f: Array, density: Array, cumulative: Array) -> tuple[float, float]:
    """The ln f below which a share ``u`` lies, and the density there."""
    low, high = 0, ln_f.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        if cumulative[middle] <= u:
            low = middle
        else:
            high = middle
    width = ln_f[high] - ln_f[low]
    start = density[low]
    slope = (density[high] - start) / width
    rest = max(u - cumulative[low], 0.0)
    root = math.sqrt(max(start * start + 2.0 * slope * rest, 0.0))
    step = min(2.0 * rest / (start + root), width)
    return ln_f[low] + step, start + slope * step
