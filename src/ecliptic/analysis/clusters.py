"""Standard errors and intervals of a mean whose values come in clusters.

Parts of one question, and attempts on one star, stand and fall together: they say less than as many
independent ones.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np

from ecliptic.analysis.intervals import score_interval, wilson_interval
from ecliptic.errors import UsageError


def clustered_standard_error(values: Sequence[float], clusters: Sequence[Hashable]) -> float:
    r"""Cluster-robust standard error of the mean.

    .. math::
       \mathrm{SE}^2 = \frac{G}{G - 1} \frac{1}{n^2}
           \sum_{g=1}^{G} \Bigl( \sum_{i \in g} (x_i - \bar x) \Bigr)^2

    for n values in G clusters (Liang & Zeger 1986, Biometrika 73, 13; for evaluations of language
    models Miller 2024, arXiv:2411.00640, eq. 4; the factor is that of Stata and statsmodels). With
    one value a cluster it is the usual :math:`s / \sqrt n`. NaN for fewer than two clusters.

    >>> round(clustered_standard_error([1, 1, 0, 0, 1, 0], "aabbcc"), 4)
    0.2887
    """
    totals, count, _ = _sums(values, clusters)
    groups = totals.size
    if groups < 2:
        return math.nan
    return math.sqrt(float(np.sum(totals**2)) * groups / (groups - 1)) / count


def clustered_interval(
    values: Sequence[float], clusters: Sequence[Hashable], confidence: float = 0.95
) -> tuple[float, float]:
    r"""Interval of a mean of values in [0, 1] that come in clusters.

    Wilson's formula with the effective number :math:`n_e = \bar x (1 - \bar x) / \mathrm{SE}^2` in
    place of n, and the t quantile of G - 1 degrees of freedom in place of z (Korn & Graubard 1998,
    Surv. Methodol. 24, 193; compared with others by Franco et al. 2019, J. Surv. Stat. Methodol. 7,
    334). Where all values are 0, or all are 1, the standard error says nothing; then
    :math:`n_e` = G.

    For independent passes use :func:`wilson_interval`, which needs no estimate of their spread.
    With fewer than two clusters nothing is known: (0, 1).
    """
    if not values:
        return 0.0, 1.0
    totals, count, mean = _sums(values, clusters)
    if not (np.min(values) >= 0.0 and np.max(values) <= 1.0):
        raise UsageError("an interval of a rate needs values from 0 to 1")
    groups = totals.size
    if groups < 2:
        return 0.0, 1.0
    if mean in (0.0, 1.0):
        return wilson_interval(groups if mean else 0, groups, confidence)
    from scipy.stats import t

    square = float(np.sum(totals**2)) * groups / (groups - 1) / count**2
    known = square > 1e-18  # else no cluster differs from the mean, which rounding may hide
    effective = mean * (1.0 - mean) / square if known else float(count)
    quantile = float(t.ppf(0.5 + confidence / 2, groups - 1))
    return score_interval(mean, effective, quantile)


def rate_interval(
    values: Sequence[float], clusters: Sequence[Hashable], confidence: float = 0.95
) -> tuple[float, float]:
    """Wilson's where every value is 0 or 1 and a cluster of its own, else the clustered one."""
    single = len(set(clusters)) == len(values)
    if single and all(value in (0, 1) for value in values):
        return wilson_interval(int(sum(values)), len(values), confidence)
    return clustered_interval(values, clusters, confidence)


def _sums(values: Sequence[float], clusters: Sequence[Hashable]) -> tuple[np.ndarray, int, float]:
    """Sum of the deviations of each cluster, number of values, their mean."""
    if len(values) != len(clusters):
        raise UsageError(f"{len(values)} values but {len(clusters)} clusters; give one for each")
    numbers: dict[Hashable, int] = {}
    index = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    array = np.asarray(values, dtype=float)
    mean = float(array.mean()) if array.size else math.nan
    return np.bincount(index, array - mean), array.size, mean
