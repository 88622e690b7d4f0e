"""Tests and intervals of the difference of two agents on the same tasks."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction

import numpy as np

from ecliptic.errors import UsageError

RESAMPLES = 10_000
_MOST_WORK = 40_000_000
"""Draws of a bootstrap over all clusters; many clusters need fewer resamples."""
_MOST_LATTICE = 20_000_000
_SEED = 20_241_130


def mcnemar(only_first: int, only_second: int) -> float:
    r"""Exact two-sided p-value from the tasks that only one of the two passes.

    Given :math:`b + c` such tasks, b is binomial with 1/2 if neither is better:
    :math:`p = \min(1, 2\,P(X \le \min(b, c)))` (McNemar 1947, Psychometrika 12, 153; exact form
    e.g. Agresti, Categorical Data Analysis, sect. 11.1). Right for one attempt a task and tasks
    that are independent; else :func:`sign_flip`.

    >>> round(mcnemar(9, 2), 4)
    0.0654
    """
    if only_first < 0 or only_second < 0:
        raise UsageError("counts of tasks cannot be negative")
    n, fewer = only_first + only_second, min(only_first, only_second)
    if n > 1000:
        from scipy.stats import binom

        return min(1.0, 2.0 * float(binom.cdf(fewer, n, 0.5)))
    tail: int = sum(math.comb(n, i) for i in range(fewer + 1))
    return min(1.0, float(2 * tail / 2**n))


def sign_flip(
    differences: Sequence[float], clusters: Sequence[Hashable], draws: int = 100_000
) -> float:
    r"""Two-sided p-value of the mean difference, exact for clusters that are exchanged as a whole.

    If neither agent is better, each cluster's sum :math:`s_g` of differences might as well have had
    the other sign. p is the share of all :math:`2^G` signs for which
    :math:`|\sum_g \pm s_g|` is at least as large as seen (Fisher's randomisation test; Ernst 2004,
    Stat. Sci. 19, 676). All are counted, through the distribution's convolution; only where the
    sums have no small common denominator ``draws`` signs are drawn instead, with a fixed seed. With
    one attempt a task and independent tasks it is the exact McNemar test.
    """
    sums = np.abs(_cluster_sums(differences, clusters))
    sums = sums[sums > 1e-12]
    seen = abs(math.fsum(differences))
    if not sums.size:
        return 1.0
    whole = _whole_numbers(sums)
    if whole is not None:
        scale = float(whole.sum()) / float(sums.sum())
        return _exact_tail(whole, round(seen * scale))
    rng = np.random.default_rng(_SEED)
    block = max(1, 4_000_000 // sums.size)
    reached = done = 0
    while done < draws:
        size = min(block, draws - done)
        signs = rng.integers(0, 2, (size, sums.size), dtype=np.int8) * 2 - 1
        reached += int(np.sum(np.abs(signs @ sums) >= seen - 1e-9))
        done += size
    return (1 + reached) / (1 + draws)


def bootstrap_interval(
    differences: Sequence[float],
    clusters: Sequence[Hashable],
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = _SEED,
) -> tuple[float, float]:
    r"""Interval of the mean difference, from clusters drawn with replacement.

    Percentile bootstrap of the ratio :math:`\sum_g w_g s_g / \sum_g w_g n_g` (Efron & Tibshirani
    1993, ch. 13; whole clusters: Davison & Hinkley 1997, sect. 3.8), with the percentiles widened
    from z to :math:`\sqrt{G / (G - 1)}\, t_{G - 1}`, as percentiles are too narrow for few clusters
    (Hesterberg 2015, Am. Stat. 69, 371, sect. 4.3.1). Where all clusters have the same mean d it
    has no width, however few they are. Then as large a share h of clusters as Wilson's interval for
    0 of G allows may be of another kind, and the interval is d - h (1 + d) to d + h (1 - d).
    (-1, 1) for fewer than two clusters.
    """
    numbers: dict[Hashable, int] = {}
    index = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    groups = len(numbers)
    if groups < 2:
        return -1.0, 1.0
    sums, sizes = np.bincount(index, differences), np.bincount(index).astype(float)
    mean = float(sums.sum() / sizes.sum())
    if np.all(np.abs(sums - mean * sizes) < 1e-9 * sizes):
        from ecliptic.analysis.intervals import wilson_interval

        unseen = wilson_interval(0, groups, confidence)[1]
        return mean - unseen * (1.0 + mean), mean + unseen * (1.0 - mean)
    resamples = max(1000, min(resamples, _MOST_WORK // groups))
    rng = np.random.default_rng(seed)
    means = np.empty(resamples)
    block = max(1, 2_000_000 // groups)
    for start in range(0, resamples, block):
        drawn = rng.integers(0, groups, (min(block, resamples - start), groups))
        means[start : start + len(drawn)] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    from scipy.stats import norm, t

    wide = math.sqrt(groups / (groups - 1)) * float(t.ppf(0.5 + confidence / 2, groups - 1))
    low, high = np.quantile(means, [float(norm.cdf(-wide)), float(norm.cdf(wide))])
    return float(low), float(high)


def _cluster_sums(differences: Sequence[float], clusters: Sequence[Hashable]) -> np.ndarray:
    if len(differences) != len(clusters):
        raise UsageError(f"{len(differences)} differences but {len(clusters)} clusters")
    numbers: dict[Hashable, int] = {}
    index = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    return np.bincount(index, differences) if index else np.empty(0)


def _whole_numbers(sums: np.ndarray) -> np.ndarray | None:
    """The sums as multiples of their common part; ``None`` where that is too small to count."""
    fractions = [Fraction(float(each)).limit_denominator(5040) for each in sums]
    if any(abs(float(f) - each) > 1e-9 for f, each in zip(fractions, sums, strict=True)):
        return None
    common = math.lcm(*(f.denominator for f in fractions))
    whole = np.array([int(f * common) for f in fractions], dtype=np.int64)
    whole //= np.gcd.reduce(whole)
    return whole if int(whole.sum()) * whole.size <= _MOST_LATTICE else None


def _exact_tail(steps: np.ndarray, seen: int) -> float:
    """P(|sum of random signs times steps| >= seen)."""
    total = int(steps.sum())
    chance = np.zeros(2 * total + 1)
    chance[total] = 1.0
    reach = 0
    for step in map(int, steps):
        low, high = total - reach, total + reach + 1
        before = chance[low:high].copy()
        chance[low:high] = 0.0
        chance[low - step : high - step] += 0.5 * before
        chance[low + step : high + step] += 0.5 * before
        reach += step
    outside = np.abs(np.arange(-total, total + 1)) >= seen
    return min(1.0, float(chance[outside].sum()))
