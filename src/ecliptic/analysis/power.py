"""How many tasks would settle a difference."""

from __future__ import annotations

import math
from statistics import NormalDist

from ecliptic.errors import UsageError

_EXACT_UP_TO = 20_000
POWER, LEVEL = 0.8, 0.05


def mcnemar_power(tasks: int, only_first: float, only_second: float, level: float = LEVEL) -> float:
    r"""Chance that the exact McNemar test finds a difference on so many independent tasks.

    ``only_first`` and ``only_second`` are the rates :math:`p_{10}, p_{01}` of tasks that one agent
    alone passes. The number of these is binomial with :math:`\psi = p_{10} + p_{01}`; given m of
    them, those of the first are binomial with :math:`p_{10} / \psi`. Summed exactly; nothing is
    approximated.
    """
    import numpy as np
    from scipy.stats import binom

    discordant = _discordant(only_first, only_second)
    if discordant == 0.0 or tasks == 0:
        return 0.0
    m = np.arange(tasks + 1)
    # The largest count of the rarer side at which twice its tail is at most the level.
    critical = binom.ppf(level / 2, m, 0.5).astype(int)
    critical -= binom.cdf(critical, m, 0.5) > level / 2
    share = only_first / discordant
    found = binom.cdf(critical, m, share) + binom.sf(m - critical - 1, m, share)
    return float(np.sum(binom.pmf(m, tasks, discordant) * np.where(critical < 0, 0.0, found)))


def tasks_needed(
    only_first: float, only_second: float, power: float = POWER, level: float = LEVEL
) -> int | None:
    r"""So many independent tasks, one attempt each, find this difference with the given power.

    .. math::
       n = \frac{\bigl( z_{\alpha/2} \sqrt\psi + z_\beta \sqrt{\psi - \delta^2} \bigr)^2}{\delta^2},
       \quad \psi = p_{10} + p_{01},\ \delta = p_{10} - p_{01}

    (Connor 1987, Biometrics 43, 207), then raised until the exact test's own power
    (:func:`mcnemar_power`), which is less, reaches it. ``None`` where the rates are equal: no
    number of tasks is enough.
    """
    discordant = _discordant(only_first, only_second)
    difference = abs(only_first - only_second)
    if difference < 1e-12:
        return None
    alpha, beta = NormalDist().inv_cdf(1.0 - level / 2), NormalDist().inv_cdf(power)
    root = alpha * math.sqrt(discordant) + beta * math.sqrt(max(0.0, discordant - difference**2))
    tasks = max(1, math.ceil(root**2 / difference**2))
    while tasks < _EXACT_UP_TO and mcnemar_power(tasks, only_first, only_second, level) < power:
        tasks += max(1, tasks // 50)
    return tasks


def clusters_needed(
    difference: float, spread: float, power: float = POWER, level: float = LEVEL
) -> int | None:
    r"""So many clusters (tasks with their repeats, problems with their parts) find the difference.

    :math:`n = \bigl((z_{\alpha/2} + z_\beta)\,\sigma / \delta\bigr)^2`, with the standard deviation
    :math:`\sigma` of the clusters' differences (e.g. Miller 2024, arXiv:2411.00640, sect. 5). For
    a normal mean, so good for tens of clusters and more; never fewer than those with which
    :func:`ecliptic.analysis.sign_flip` can go below the level at all (:math:`2^{1 - n} < \alpha`).
    ``None`` for no difference.
    """
    if abs(difference) < 1e-12:
        return None
    reach = NormalDist().inv_cdf(1.0 - level / 2) + NormalDist().inv_cdf(power)
    fewest = math.floor(1.0 - math.log2(level)) + 1
    return max(fewest, math.ceil((reach * spread / difference) ** 2))


def _discordant(only_first: float, only_second: float) -> float:
    total = only_first + only_second
    if only_first < 0 or only_second < 0 or total > 1 + 1e-12:
        raise UsageError("rates of tasks that one agent alone passes must be from 0 to 1 in all")
    return min(1.0, total)
