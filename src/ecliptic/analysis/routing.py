r"""What choosing an agent task by task is worth.

From attempts of several patterns on the same tasks: the best fixed pattern, a router (whose choices
are given), and the oracle router, which takes for each task the pattern that did best on it.

The pattern that is best on some tasks looks better on these than it is. So the fixed pattern is
chosen by cross-validation: problems are dealt into folds; for each fold the pattern with the
highest rate on the other folds is taken, and its passes on the fold count (Stone 1974, J. R. Stat.
Soc. B 36, 111). The figure on all tasks at once is given beside it, as what it is: optimistic.

The oracle is an upper bound that no router reaches: it also gains by chance, the more the more
patterns there are and the fewer attempts. Where every task has two or more attempts of each
pattern, ``oracle_held_out`` chooses on all epochs but one and counts that one.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.clusters import rate_interval
from ecliptic.analysis.paired_tests import bootstrap_interval
from ecliptic.errors import UsageError

FOLDS = 10
REPEATS = 20
"""How often problems are dealt into folds; scores are means over these."""
_SEED = 20_261_201
TaskKey = tuple[str, str]
"""Suite and task."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to choose: mean pass rate over tasks, with its 95 % interval clustered by problem."""

    name: str
    rate: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Gain:
    """Difference of two ways on the same tasks, with a 95 % interval from whole problems."""

    name: str
    difference: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Routing:
    """The comparison.

    Attributes
    ----------
    patterns
        Each fixed pattern, the best first.
    best_fixed
        Chosen by cross-validation; its interval is of the held-out passes and does not hold how
        the choice itself would vary with other tasks.
    chosen
        In which share of the folds each pattern was chosen.
    best_in_sample
        The best pattern on all tasks at once: optimistic.
    at_random
        A pattern drawn for each task.
    router, oracle
        By the choices given; by the best outcome of each task.
    oracle_held_out
        ``None`` with fewer than two attempts of each pattern on each task.
    gains
        Router over best fixed, oracle over router, oracle over best fixed.
    tasks, problems
        What all of these are means over: tasks that every pattern was graded on and whose choice
        is one of the patterns.
    not_graded, not_run
        Tasks left out: a pattern has no graded attempt; the router's choice is none of them.
    """

    patterns: tuple[Way, ...]
    best_fixed: Way
    chosen: Mapping[str, float]
    best_in_sample: Way
    at_random: Way
    router: Way
    oracle: Way
    oracle_held_out: Way | None
    gains: tuple[Gain, ...]
    tasks: int
    problems: int
    not_graded: int
    not_run: int


def compare_routing(
    attempts: Iterable[Attempt],
    choices: Mapping[TaskKey, str],
    *,
    folds: int = FOLDS,
    repeats: int = REPEATS,
    seed: int = _SEED,
) -> Routing:
    """Compare fixed patterns, a router and the oracle.

    Parameters
    ----------
    attempts
        Of two patterns or more (``Attempt.agent``) on the same tasks, by one model. Several on one
        task (epochs) count by their mean; those that ended in an error do not count.
    choices
        By suite and task, the pattern that the router takes.
    folds
        At most; fewer where there are fewer problems.

    Raises
    ------
    UsageError
        Fewer than two patterns, several models, a task without a choice, or fewer than two
        problems that can be compared.
    """
    rows = list(attempts)
    models = sorted({row.model for row in rows})
    if len(models) > 1:
        raise UsageError(
            f"routing compares patterns of one model, not of {', '.join(models)}; select one"
        )
    names = list(dict.fromkeys(row.agent for row in rows))
    if len(names) < 2:
        raise UsageError("routing needs attempts of two patterns or more on the same tasks")
    outcomes = _outcomes(rows)
    clusters: dict[TaskKey, Hashable] = {
        (row.suite, row.task): (row.suite, row.cluster) for row in rows
    }
    for task in outcomes:
        if task not in choices:
            raise UsageError(f"routing: no choice is given for task '{task[1]}' of {task[0]}")
    graded = [task for task, own in outcomes.items() if all(own.get(name) for name in names)]
    usable = [task for task in graded if choices[task] in names]
    groups = [clusters[task] for task in usable]
    if len(set(groups)) < 2:
        raise UsageError(
            f"routing: only {len(usable)} tasks of {len(set(groups))} problem(s) were graded for "
            f"all of {', '.join(names)} with a choice among them; at least two problems are needed"
        )
    rates = np.array([[_mean(outcomes[task][name]) for name in names] for task in usable])
    taken = np.array([names.index(choices[task]) for task in usable])
    held_out, chosen = _cross_validated(rates, groups, folds, repeats, seed)
    routed, best = rates[np.arange(len(usable)), taken], rates.max(axis=1)
    fixed = [_way(name, rates[:, at], groups) for at, name in enumerate(names)]
    ordered = tuple(sorted(fixed, key=lambda way: -way.rate))
    epochs = _held_out_oracle([outcomes[task] for task in usable], names)
    return Routing(
        patterns=ordered,
        best_fixed=_way("best fixed pattern (cross-validated)", held_out, groups),
        chosen=dict(zip(names, chosen.tolist(), strict=True)),
        best_in_sample=Way(f"{ordered[0].name} (in sample)", ordered[0].rate, ordered[0].interval),
        at_random=_way("a pattern at random", rates.mean(axis=1), groups),
        router=_way("rule router", routed, groups),
        oracle=_way("oracle router (upper bound)", best, groups),
        oracle_held_out=None if epochs is None else _way("oracle, held out", epochs, groups),
        gains=(
            _gain("rule router over best fixed", routed - held_out, groups),
            _gain("oracle over rule router", best - routed, groups),
            _gain("oracle over best fixed", best - held_out, groups),
        ),
        tasks=len(usable),
        problems=len(set(groups)),
        not_graded=len(outcomes) - len(graded),
        not_run=len(graded) - len(usable),
    )


def _outcomes(rows: Sequence[Attempt]) -> dict[TaskKey, dict[str, list[bool]]]:
    found: dict[TaskKey, dict[str, list[bool]]] = {}
    for row in rows:
        own = found.setdefault((row.suite, row.task), {}).setdefault(row.agent, [])
        if row.passed is not None:
            own.append(row.passed)
    return found


def _cross_validated(
    rates: NDArray[np.float64], groups: Sequence[Hashable], folds: int, repeats: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each task's held-out rate under the pattern chosen without it, and how often each was.

    Patterns that tie on the other folds share the choice.
    """
    if folds < 2 or repeats < 1:
        raise UsageError("routing: folds must be at least 2 and repeats at least 1")
    numbers: dict[Hashable, int] = {}
    index = np.array([numbers.setdefault(group, len(numbers)) for group in groups])
    parts = min(folds, len(numbers))
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    # With as many folds as problems there is but one way to deal.
    rounds = repeats if parts < len(numbers) else 1
    scores = np.zeros(len(rates))
    chosen = np.zeros(rates.shape[1])
    for _ in range(rounds):
        fold_of = rng.permutation(np.arange(len(numbers)) % parts)[index]
        for fold in range(parts):
            inside = fold_of == fold
            others = rates[~inside].mean(axis=0)
            weights = (others >= others.max() - 1e-12).astype(float)
            weights /= weights.sum()
            scores[inside] += rates[inside] @ weights
            chosen += weights
    return scores / rounds, chosen / (rounds * parts)


def _held_out_oracle(
    outcomes: Sequence[Mapping[str, Sequence[bool]]], names: Sequence[str]
) -> NDArray[np.float64] | None:
    if any(len(own[name]) < 2 for own in outcomes for name in names):
        return None
    scores = []
    for own in outcomes:
        depth = min(len(own[name]) for name in names)
        table = np.array([own[name][:depth] for name in names], dtype=float)
        totals = table.sum(axis=1)
        each = []
        for epoch in range(depth):
            others = totals - table[:, epoch]
            weights = others >= others.max() - 1e-12
            each.append(table[weights, epoch].mean())
        scores.append(math.fsum(each) / depth)
    return np.array(scores)


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values)


def _way(name: str, values: NDArray[np.float64], groups: Sequence[Hashable]) -> Way:
    plain = np.clip(values, 0.0, 1.0).tolist()
    return Way(name, math.fsum(plain) / len(plain), rate_interval(plain, groups))


def _gain(name: str, differences: NDArray[np.float64], groups: Sequence[Hashable]) -> Gain:
    plain = differences.tolist()
    return Gain(name, math.fsum(plain) / len(plain), bootstrap_interval(plain, groups))


def routing_table(routing: Routing) -> str:
    """The comparison in plain characters."""
    from ecliptic.analysis.tables import text_table

    ways = [*routing.patterns, routing.at_random, routing.best_fixed, routing.router]
    ways += [routing.oracle_held_out] if routing.oracle_held_out else []
    ways += [routing.oracle]
    rows = [[way.name, f"{100 * way.rate:.1f} %", _span(way.interval)] for way in ways]
    table = text_table(["way to choose", "passed", "95 % CI"], rows)
    gains = [
        [gain.name, f"{100 * gain.difference:+.1f} %", _span(gain.interval)]
        for gain in routing.gains
    ]
    picked = [f"{name} {100 * share:.0f} %" for name, share in routing.chosen.items() if share]
    notes = [
        f"{routing.tasks} tasks of {routing.problems} problems"
        + (f"; {routing.not_graded} not graded for all patterns" if routing.not_graded else "")
        + (f"; {routing.not_run} whose choice was not run" if routing.not_run else ""),
        f"chosen in the folds: {', '.join(picked)}",
        f"best pattern on all tasks at once, hence optimistic: {routing.best_in_sample.name} "
        f"{100 * routing.best_in_sample.rate:.1f} %",
    ]
    return "\n".join([table, "", text_table(["gain", "difference", "95 % CI"], gains), "", *notes])


def _span(interval: tuple[float, float]) -> str:
    return f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f} %"
