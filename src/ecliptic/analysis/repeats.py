"""What several attempts on each task say: pass@k, pass^k."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import comb

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.clusters import clustered_interval
from ecliptic.errors import UsageError


def pass_at_k(n: int, passed: int, k: int) -> float:
    r"""Probability that at least one of k attempts passes, from n of which ``passed`` did.

    .. math:: 1 - \binom{n - c}{k} \Big/ \binom{n}{k}

    is unbiased; :math:`1 - (1 - c/n)^k` is not (Chen et al. 2021, arXiv:2107.03374, eq. 1).

    >>> pass_at_k(5, 2, 3)
    0.9
    """
    _check(n, passed, k)
    return 1.0 - comb(n - passed, k) / comb(n, k)


def pass_hat_k(n: int, passed: int, k: int) -> float:
    r"""Probability that all of k attempts pass ("pass^k"), from n of which ``passed`` did.

    .. math:: \binom{c}{k} \Big/ \binom{n}{k}

    (Yao et al. 2024, arXiv:2406.12045, sect. 3): how far one may rely on the agent.

    >>> pass_hat_k(5, 4, 2)
    0.6
    """
    _check(n, passed, k)
    return comb(passed, k) / comb(n, k)


@dataclass(frozen=True, slots=True)
class Repeats:
    """Means over tasks, with 95 % intervals clustered by problem.

    ``tasks`` have at least ``k`` graded attempts; ``left_out`` have fewer.
    """

    k: int
    tasks: int
    left_out: int
    at_least_once: float
    at_least_once_interval: tuple[float, float]
    every_time: float
    every_time_interval: tuple[float, float]


def repeated(attempts: Iterable[Attempt], k: int | None = None) -> Repeats | None:
    """pass@k and pass^k of one agent's attempts, by the graded ones of each task.

    ``k`` is by default the smallest number of graded attempts that a task has. ``None`` where
    nothing was graded, or no task has ``k`` graded attempts.
    """
    counts: dict[Hashable, list[int]] = {}
    clusters: dict[Hashable, Hashable] = {}
    for attempt in attempts:
        task = (attempt.suite, attempt.task)
        own = counts.setdefault(task, [0, 0])
        clusters[task] = (attempt.suite, attempt.cluster)
        if attempt.passed is not None:
            own[0] += 1
            own[1] += attempt.passed
    graded = {task: tuple(own) for task, own in counts.items() if own[0]}
    if not graded:
        return None
    if k is None:
        k = min(n for n, _ in graded.values())
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    usable = {task: own for task, own in graded.items() if own[0] >= k}
    if not usable:
        return None
    once = [pass_at_k(n, passed, k) for n, passed in usable.values()]
    always = [pass_hat_k(n, passed, k) for n, passed in usable.values()]
    groups = [clusters[task] for task in usable]
    return Repeats(
        k=k,
        tasks=len(usable),
        left_out=len(counts) - len(usable),
        at_least_once=sum(once) / len(once),
        at_least_once_interval=clustered_interval(once, groups),
        every_time=sum(always) / len(always),
        every_time_interval=clustered_interval(always, groups),
    )


def _check(n: int, passed: int, k: int) -> None:
    if not 0 <= passed <= n:
        raise UsageError(f"passed must be 0 to n ({n}), not {passed}")
    if not 1 <= k <= n:
        raise UsageError(f"k must be 1 to n ({n}), not {k}; make more attempts on each task")
