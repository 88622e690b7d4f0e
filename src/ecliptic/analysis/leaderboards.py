"""Attempts become a leaderboard: a line an agent, by suite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal, get_args

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.ceilings import BoundsBySuite, Reach, reach
from ecliptic.analysis.clusters import rate_interval
from ecliptic.analysis.repeats import Repeats, repeated
from ecliptic.analysis.tables import TIERS
from ecliptic.analysis.thresholds import sweep
from ecliptic.errors import UsageError

Grouping = Literal["kind", "criterion", "diagnosis", "stop", "threshold"]
GROUPINGS: tuple[str, ...] = get_args(Grouping)
_KINDS = (*TIERS, "numeric", "symbolic", "textual", "structured")


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent on one suite, or on a part of it (``group``).

    Attributes
    ----------
    attempts, errors, tasks
        All attempts; those that an error ended, which are in no rate; tasks tried.
    graded, passed, rate, interval
        ``rate`` is ``passed / graded``; the 95 % interval is Wilson's, or clustered where a problem
        has several attempts. By diagnosis or stop ``passed`` counts the attempts with this one, by
        criterion those that meet it, of the attempts whose task has it.
    undecided, verified
        Answers that the rules could not decide, which have not passed; passes with the verifier's
        judgement (``None`` without a verifier).
    reach, repeats
        Ceiling and floor, if audited; pass@k and pass^k where tasks were tried more than once.
    tokens, cost, seconds
        Sums over all attempts, those with an error included, as they were paid for; the median.
    version
        Checksum of the suite where the attempts hold several of one name; these never mix.
    """

    suite: str
    protocol: str
    agent: str
    model: str
    group: str
    attempts: int
    errors: int
    tasks: int
    graded: int
    passed: int
    rate: float | None
    interval: tuple[float, float] | None
    undecided: int
    verified: int | None
    reach: Reach | None
    repeats: Repeats | None
    tokens: int
    cost: float
    seconds: float | None
    version: str = ""

    @property
    def tokens_per_pass(self) -> float | None:
        """All tokens over passes."""
        return self.tokens / self.passed if self.passed else None

    @property
    def cost_per_pass(self) -> float | None:
        """All costs over passes."""
        return self.cost / self.passed if self.passed else None


def leaderboard(
    attempts: Iterable[Attempt],
    by: Grouping | None = None,
    bounds: BoundsBySuite | None = None,
) -> list[Standing]:
    """Standings, the suites in the order of the attempts and in each the best agent first.

    Parameters
    ----------
    by
        Divide each agent's line: by tier or type of question (``kind``), by ``criterion`` met, by
        the grader's ``diagnosis`` of the failures, by why attempts ended (``stop``), or by the
        ``threshold`` of the match.
    bounds
        Of the tasks (:func:`ecliptic.analysis.read_bounds`), for ceilings and floors.

    Raises
    ------
    UsageError
        There is no such division.
    """
    if by is not None and by not in GROUPINGS:
        raise UsageError(f"by: {by!r} is none of {', '.join(GROUPINGS)}")
    known = list(attempts)
    several = in_several_versions(known)
    suites: dict[tuple[str, str, str], dict[tuple[str, str], list[Attempt]]] = {}
    for attempt in known:
        version = attempt.suite_checksum if attempt.suite in several else ""
        arms = suites.setdefault((attempt.suite, attempt.protocol, version), {})
        arms.setdefault((attempt.agent, attempt.model), []).append(attempt)
    rows: list[Standing] = []
    for (_, _, version), arms in suites.items():
        whole = {arm: _standing(own, bounds) for arm, own in arms.items()}
        done = len(rows)
        for arm in sorted(arms, key=lambda arm: (*_place(whole[arm]), arm)):
            if by is None:
                rows.append(whole[arm])
            elif by == "kind":
                rows += _by_kind(arms[arm], bounds)
            else:
                rows += _DIVIDE[by](arms[arm])
        rows[done:] = [replace(row, version=version) for row in rows[done:]]
    return rows


def in_several_versions(attempts: Iterable[Attempt]) -> set[str]:
    """Names of the suites of which the attempts hold more than one checksum."""
    versions: dict[str, set[str]] = {}
    for attempt in attempts:
        versions.setdefault(attempt.suite, set()).add(attempt.suite_checksum)
    return {suite for suite, sums in versions.items() if len(sums - {""}) > 1}


def _place(row: Standing) -> tuple[bool, float]:
    """The best rate first; last those of whom nothing was graded, who are no worse than any."""
    return row.rate is None, -(row.rate or 0.0)


def standing(
    attempts: Sequence[Attempt], bounds: BoundsBySuite | None = None, group: str = ""
) -> Standing:
    """All given attempts as one line; they should be of one agent."""
    if not attempts:
        raise UsageError("there is no attempt to count")
    return _standing(attempts, bounds, group)


def _standing(
    attempts: Sequence[Attempt],
    bounds: BoundsBySuite | None,
    group: str = "",
    counts: Callable[[Attempt], bool] | None = None,
) -> Standing:
    first = attempts[0]
    graded = [attempt for attempt in attempts if attempt.passed is not None]
    values = [float(counts(a) if counts else bool(a.passed)) for a in graded]
    clusters = [a.cluster for a in graded]
    tasks = len({attempt.task for attempt in attempts})
    judged = [attempt for attempt in graded if attempt.verified is not None]
    often = len(attempts) > tasks and counts is None
    return Standing(
        suite=first.suite,
        protocol=first.protocol,
        agent=first.agent,
        model=first.model,
        group=group,
        attempts=len(attempts),
        errors=len(attempts) - len(graded),
        tasks=tasks,
        graded=len(graded),
        passed=int(sum(values)),
        rate=sum(values) / len(values) if values else None,
        interval=rate_interval(values, clusters) if values else None,
        undecided=sum(attempt.undecided for attempt in graded),
        verified=sum(bool(attempt.verified) for attempt in judged) if judged else None,
        reach=reach(graded, bounds) if bounds and counts is None else None,
        repeats=repeated(attempts) if often else None,
        tokens=sum(attempt.tokens for attempt in attempts),
        cost=sum(attempt.cost for attempt in attempts),
        seconds=median(attempt.seconds for attempt in attempts),
    )


def _by_kind(attempts: list[Attempt], bounds: BoundsBySuite | None) -> list[Standing]:
    parts: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        parts.setdefault(attempt.kind, []).append(attempt)
    order = [*(kind for kind in _KINDS if kind in parts), *sorted(parts.keys() - {*_KINDS})]
    return [_standing(parts[kind], bounds, kind) for kind in order]


def _by_criterion(attempts: list[Attempt]) -> list[Standing]:
    names = dict.fromkeys(name for attempt in attempts for name in attempt.criteria)
    return [
        _standing(_asked(attempts, name), None, name, lambda a, n=name: bool(a.criteria.get(n)))  # type: ignore[misc]
        for name in names
    ]


def _asked(attempts: list[Attempt], criterion: str) -> list[Attempt]:
    """Without those whose task has other criteria only, as a question that asks for no form.

    Where nothing was graded no criterion is known, and none is met.
    """
    return [each for each in attempts if criterion in each.criteria or not each.criteria]


def _by_field(field: str) -> Callable[[list[Attempt]], list[Standing]]:
    def divide(attempts: list[Attempt]) -> list[Standing]:
        counts: dict[str, int] = {}
        for attempt in attempts:
            value: str = getattr(attempt, field)
            if value and attempt.passed is not None:
                counts[value] = counts.get(value, 0) + 1
        return [
            _standing(attempts, None, name, lambda a, n=name: getattr(a, field) == n)  # type: ignore[misc]
            for name in sorted(counts, key=lambda name: (-counts[name], name))
        ]

    return divide


def _by_threshold(attempts: list[Attempt]) -> list[Standing]:
    whole = _standing(attempts, None, "", lambda a: bool(a.passed))
    return [
        replace(
            whole,
            group=f"{point.threshold:.2f}",
            passed=point.passed,
            graded=point.graded,
            rate=point.rate,
            interval=point.interval,
        )
        for point in sweep(attempts)
    ]


_DIVIDE: dict[str, Callable[[list[Attempt]], list[Standing]]] = {
    "criterion": _by_criterion,
    "diagnosis": _by_field("diagnosis"),
    "stop": _by_field("stop"),
    "threshold": _by_threshold,
}
