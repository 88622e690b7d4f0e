"""One suite under one protocol: all statistics of its part of the first page.

Nothing is computed here: :mod:`ecliptic.analysis` is asked, and its answers are laid out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.ceilings import BoundsBySuite
from ecliptic.analysis.comparison import Comparison, compare_all
from ecliptic.analysis.criterion_kinds import StatisticalPhysical, statistical_physical
from ecliptic.analysis.failures import ConfusionRow, Labelled, confusion
from ecliptic.analysis.leaderboards import Standing, in_several_versions, leaderboard
from ecliptic.analysis.pairing import pair
from ecliptic.analysis.tables import ALL
from ecliptic.analysis.thresholds import MATCHES, SweepPoint, sweep
from ecliptic.errors import UsageError
from ecliptic.report.published import arm_of

RATIOS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)
SKILLS = "+skills:"


@dataclass(frozen=True)
class Sweep:
    """Pass rates by arm where the bar of one criterion is moved."""

    criterion: str
    bar: float
    points: Mapping[str, Sequence[SweepPoint]]


@dataclass(frozen=True)
class Board:
    """Attempts of one suite under one protocol, with the labels of those that failed."""

    key: str
    attempts: Sequence[Attempt]
    labelled: Sequence[Labelled]
    bounds: BoundsBySuite
    version: str = ""

    @property
    def world(self) -> str:
        """``stargazer``, ``helio`` or ``other``."""
        return self.attempts[0].world

    @property
    def suite(self) -> str:
        """Name of the suite."""
        return self.attempts[0].suite

    @property
    def protocol(self) -> str:
        """How it was graded; empty for questions."""
        return self.attempts[0].protocol

    @property
    def title(self) -> str:
        """Suite and protocol; the checksum too where there are several versions of the suite."""
        told = [self.suite]
        told += [self.protocol] if self.world == "stargazer" else []
        told += [f"checksum {self.version[:12]}"] if self.version else []
        return ", ".join(told)

    @cached_property
    def tasks(self) -> frozenset[str]:
        """All that any agent tried."""
        return frozenset(attempt.task for attempt in self.attempts)

    def is_partial(self, row: Standing) -> bool:
        """Whether an agent tried fewer tasks than there are, so that its rate is of other tasks."""
        return row.tasks < len(self.tasks)

    @cached_property
    def arms(self) -> dict[str, list[Attempt]]:
        """Attempts by agent and model, in the order of the standings."""
        arms: dict[str, list[Attempt]] = {arm_of(each): [] for each in self.standings}
        for attempt in self.attempts:
            arms[attempt.arm].append(attempt)
        return arms

    @cached_property
    def standings(self) -> list[Standing]:
        """One an arm, the best first; last those that tried only a part of the tasks."""
        return sorted(leaderboard(self.attempts, bounds=self.bounds), key=self.is_partial)

    @cached_property
    def leading(self) -> list[Standing]:
        """Standings with a rate: of those that tried all tasks, or of all where nobody did."""
        graded = [row for row in self.standings if row.rate is not None]
        return [row for row in graded if not self.is_partial(row)] or graded

    @cached_property
    def by_kind(self) -> dict[str, dict[str, Standing]]:
        """By arm, then by tier or type."""
        return self._nested(leaderboard(self.attempts, "kind", self.bounds))

    @cached_property
    def by_criterion(self) -> dict[str, dict[str, Standing]]:
        """By arm, then by criterion."""
        return self._nested(leaderboard(self.attempts, "criterion"))

    def _nested(self, rows: Sequence[Standing]) -> dict[str, dict[str, Standing]]:
        """By arm, in the order of the standings, then by group."""
        found: dict[str, dict[str, Standing]] = {arm: {} for arm in self.arms}
        for row in rows:
            found[arm_of(row)][row.group] = row
        return {arm: own for arm, own in found.items() if own}

    @cached_property
    def fits(self) -> dict[str, StatisticalPhysical]:
        """Statistical against physical success, of those arms that tried stars."""
        found = {arm: statistical_physical(own) for arm, own in self.arms.items()}
        return {arm: each for arm, each in found.items() if each is not None}

    @cached_property
    def sweep(self) -> Sweep | None:
        """Over the match score, or, where the protocol has none, the ratio of recovery."""
        for criterion, bar, bars, at_least in (
            ("match", 0.8, MATCHES, True),
            ("recovery", 1.0, RATIOS, False),
        ):
            found = {
                arm: sweep(own, criterion, bars, at_least=at_least)
                for arm, own in self.arms.items()
            }
            points = {arm: each for arm, each in found.items() if each}
            if points:
                return Sweep(criterion, bar, points)
        return None

    @cached_property
    def _compared(self) -> tuple[list[Comparison], str]:
        return compared(self.arms)

    @property
    def comparisons(self) -> list[Comparison]:
        """Every two arms, Holm-adjusted over all of them."""
        return self._compared[0]

    @property
    def comparison_note(self) -> str:
        """What was left out so that they compare."""
        return self._compared[1]

    @cached_property
    def skills(self) -> list[tuple[Comparison, str, str]]:
        """Comparisons of an arm with and without skills: those, with and without."""
        found = []
        for each in self.comparisons:
            first, second = each.pairing.first, each.pairing.second
            for with_skills, without in ((first, second), (second, first)):
                if SKILLS in with_skills and _without_skills(with_skills) == without:
                    found.append((each, with_skills, without))
        return found

    @cached_property
    def confusion(self) -> list[ConfusionRow]:
        """Labels by arm and kind."""
        return confusion(self.labelled)

    def failures_of(self, arm: str, kind: str = ALL) -> list[ConfusionRow]:
        """The labels of one arm, the commonest first."""
        return [row for row in self.confusion if (row.agent, row.kind) == (arm, kind)]

    def between(self, first: str, second: str) -> Comparison | None:
        """The comparison of two arms, whichever of them stands first in it."""
        wanted = {first, second}
        return next(
            (c for c in self.comparisons if {c.pairing.first, c.pairing.second} == wanted), None
        )


def compared(arms: Mapping[str, Sequence[Attempt]]) -> tuple[list[Comparison], str]:
    """All comparisons that can be made, and what had to be left out for that.

    Tasks and attempts that only one of two arms has are left out; an arm that compares with
    nobody even then is left out as a whole.
    """
    if len(arms) < 2:
        return [], ""
    try:
        return compare_all(dict(arms)), ""
    except UsageError as error:
        note = f"Compared on the attempts that both of two agents have; {_what(error)}."
    left = dict(arms)
    while len(left) > 1:
        refusals = {arm: _refusals(arm, left) for arm in left}
        odd = max(refusals, key=lambda arm: (len(refusals[arm]), -len(left[arm]), arm))
        if not refusals[odd]:
            return compare_all(left, common=True), note
        del left[odd]
        note += f" Without {odd}: {refusals[odd][0]}."
    return [], note


def _what(error: UsageError) -> str:
    """What differs, without the advice that follows the last semicolon."""
    return str(error).rpartition("; ")[0] or str(error)


def _refusals(arm: str, arms: Mapping[str, Sequence[Attempt]]) -> list[str]:
    """Why it does not compare with others, one reason for each of these."""
    reasons = []
    for other in arms:
        if other == arm:
            continue
        try:
            pairings = pair(arms[arm], arms[other], names=(arm, other), common=True)
        except UsageError as error:
            reasons.append(_what(error))
        else:
            if not all(pairing.tasks for pairing in pairings):
                reasons.append(f"no task was graded for both {arm} and {other}")
    return reasons


def boards_of(
    attempts: Sequence[Attempt], labelled: Sequence[Labelled], bounds: BoundsBySuite
) -> list[Board]:
    """One a suite (and version of it) and protocol, in the order of the attempts."""
    several = in_several_versions(attempts)

    def group_of(attempt: Attempt) -> tuple[str, str, str]:
        version = attempt.suite_checksum if attempt.suite in several else ""
        return attempt.suite, attempt.protocol, version

    groups: dict[tuple[str, str, str], list[Attempt]] = {}
    labels: dict[tuple[str, str, str], list[Labelled]] = {}
    for attempt in attempts:
        groups.setdefault(group_of(attempt), []).append(attempt)
    for each in labelled:
        labels.setdefault(group_of(each.attempt), []).append(each)
    return [
        Board(f"b{number}", own, labels.get(group, ()), bounds, group[2])
        for number, (group, own) in enumerate(groups.items(), start=1)
    ]


def _without_skills(arm: str) -> str:
    head, _, rest = arm.partition(SKILLS)
    cut = min((at for at in (rest.find("+"), rest.find(" ")) if at >= 0), default=len(rest))
    return head + rest[cut:]
