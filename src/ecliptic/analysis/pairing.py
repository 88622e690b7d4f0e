"""Two agents' attempts side by side, task by task; refused where the tasks are not the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ecliptic.analysis.attempts import Attempt
from ecliptic.errors import UsageError

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Pairing:
    """The tasks of one suite that both agents were graded on.

    Attributes
    ----------
    tasks, clusters
        Ids of the tasks, and of the problem that each is a part of.
    first_rates, second_rates
        Share of a task's graded attempts that passed; 0 or 1 with one attempt a task.
    epochs
        Attempts on each task, those that ended in an error included.
    left_out
        Tasks on which every attempt of one agent ended in an error.
    first_errors, second_errors
        Attempts that ended in an error.
    """

    first: str
    second: str
    suite: str
    protocol: str
    tasks: tuple[str, ...]
    clusters: tuple[str, ...]
    first_rates: tuple[float, ...]
    second_rates: tuple[float, ...]
    epochs: int
    left_out: tuple[str, ...] = ()
    first_errors: int = 0
    second_errors: int = 0

    @property
    def independent(self) -> bool:
        """Whether each task was tried once and is a problem of its own."""
        return self.epochs == 1 and len(set(self.clusters)) == len(self.clusters)

    @property
    def differences(self) -> list[float]:
        """First minus second, a task."""
        return [a - b for a, b in zip(self.first_rates, self.second_rates, strict=True)]


def pair(
    first: Sequence[Attempt],
    second: Sequence[Attempt],
    *,
    names: tuple[str, str] | None = None,
    common: bool = False,
) -> list[Pairing]:
    """One pairing a suite.

    Parameters
    ----------
    first, second
        All attempts of one agent each.
    names
        What to call them; by default their agent with its model.
    common
        Where tasks or numbers of attempts differ, take what both have instead of refusing.

    Raises
    ------
    UsageError
        The two do not compare: other suites, another version of a suite, another protocol, other
        tasks, or other numbers of attempts on them. Says which, how many, and what to do.
    """
    for side in (first, second):
        if not side:
            raise UsageError("one of the two agents has no attempt; name other logs")
    called = names or (first[0].arm, second[0].arm)
    ours, theirs = _by_suite(first), _by_suite(second)
    _refuse_other_suites(ours, theirs, called, common)
    return [_paired(ours[s], theirs[s], called, common) for s in ours if s in theirs]


def _refuse_other_suites(
    ours: dict[str, list[Attempt]],
    theirs: dict[str, list[Attempt]],
    names: tuple[str, str],
    common: bool,
) -> None:
    shared = ours.keys() & theirs.keys()
    if shared and (common or ours.keys() == theirs.keys()):
        return
    advice = "run both on the same suites" + (", or add --common" if shared else "")
    raise UsageError(
        f"{names[0]} was run on {', '.join(ours)}, {names[1]} on {', '.join(theirs)}; {advice}"
    )


def _paired(
    first: list[Attempt], second: list[Attempt], names: tuple[str, str], common: bool
) -> Pairing:
    suite = first[0].suite
    _refuse_other_conditions(first, second, names)
    ours, theirs = _by_task(first), _by_task(second)
    missing = [task for task in ours if task not in theirs]
    further = [task for task in theirs if task not in ours]
    if (missing or further) and not common:
        raise UsageError(_other_tasks(suite, names, ours, theirs, missing, further))
    shared = [task for task in ours if task in theirs]
    if not shared:
        raise UsageError(
            f"{suite}: {names[0]} and {names[1]} have no task in common; run both on the same tasks"
        )
    epochs = max(max(len(ours[task]), len(theirs[task])) for task in shared)
    if common:
        epochs = 1
        for task in shared:
            both = min(len(ours[task]), len(theirs[task]))
            ours[task], theirs[task] = ours[task][:both], theirs[task][:both]
            epochs = max(epochs, both)
    else:
        _refuse_other_numbers(suite, names, ours, theirs)
    ours, theirs = ({t: side[t] for t in shared} for side in (ours, theirs))
    kept = [task for task in shared if _graded(ours[task]) and _graded(theirs[task])]
    return Pairing(
        first=names[0],
        second=names[1],
        suite=suite,
        protocol=first[0].protocol,
        tasks=tuple(kept),
        clusters=tuple(ours[task][0].cluster for task in kept),
        first_rates=tuple(_rate(ours[task]) for task in kept),
        second_rates=tuple(_rate(theirs[task]) for task in kept),
        epochs=epochs,
        left_out=tuple(task for task in shared if task not in set(kept)),
        first_errors=_errors(ours),
        second_errors=_errors(theirs),
    )


def _refuse_other_conditions(
    first: list[Attempt], second: list[Attempt], names: tuple[str, str]
) -> None:
    suite = first[0].suite
    sums = [sorted({a.suite_checksum for a in side} - {""}) for side in (first, second)]
    if len({*sums[0], *sums[1]}) > 1:
        shown = [", ".join(each[:12] for each in side) or "not told" for side in sums]
        raise UsageError(
            f"{suite}: {names[0]} and {names[1]} were not run on the same version of the suite "
            f"(checksum {shown[0]} and {shown[1]}); run both on one version"
        )
    rules = [sorted({a.protocol for a in side}) for side in (first, second)]
    if len({*rules[0], *rules[1]}) > 1:
        shown = [" and ".join(each or "none" for each in side) for side in rules]
        raise UsageError(
            f"{suite}: {names[0]} was graded by protocol {shown[0]}, {names[1]} by {shown[1]}; run "
            "both with the same --protocol"
        )


def _refuse_other_numbers(
    suite: str,
    names: tuple[str, str],
    ours: dict[str, list[Attempt]],
    theirs: dict[str, list[Attempt]],
) -> None:
    other = [task for task in ours if len(ours[task]) != len(theirs[task])]
    if other:
        counts = Counter((len(ours[task]), len(theirs[task])) for task in other)
        (mine, yours), _ = counts.most_common(1)[0]
        raise UsageError(
            f"{suite}: the numbers of attempts differ on {len(other)} of {len(ours)} tasks "
            f"({names[0]} made {mine}, {names[1]} {yours} on {_some(other)}); run both with the "
            "same --epochs, or add --common to compare the attempts that both have"
        )


def _other_tasks(
    suite: str,
    names: tuple[str, str],
    ours: dict[str, list[Attempt]],
    theirs: dict[str, list[Attempt]],
    missing: list[str],
    further: list[str],
) -> str:
    told = []
    for name, tasks in zip(names, (missing, further), strict=True):
        if tasks:
            told.append(f"{len(tasks)} only of {name} ({_some(tasks)})")
    shared = len(ours) - len(missing)
    advice = "run the missing ones"
    if shared:
        advice += f", or add --common to compare on the {shared} that both have"
    return (
        f"{suite}: the tasks differ: {names[0]} has {len(ours)}, {names[1]} has {len(theirs)}; "
        f"{' and '.join(told)}; {advice}"
    )


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:_NAMED]) + (", ..." if len(listed) > _NAMED else "")


def _by_suite(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    found: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        found.setdefault(attempt.suite, []).append(attempt)
    return found


def _by_task(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    found: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        found.setdefault(attempt.task, []).append(attempt)
    return {task: sorted(own, key=lambda a: a.epoch) for task, own in found.items()}


def _graded(attempts: Iterable[Attempt]) -> list[bool]:
    return [attempt.passed for attempt in attempts if attempt.passed is not None]


def _rate(attempts: Iterable[Attempt]) -> float:
    graded = _graded(attempts)
    return sum(graded) / len(graded)


def _errors(by_task: dict[str, list[Attempt]]) -> int:
    return sum(a.passed is None for own in by_task.values() for a in own)
