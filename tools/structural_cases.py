"""Structural reasons for docs/structural-reasons.md: how each is told, known and drawn.

A reason explains a failure if what the simple pipeline handed in shows it: one eccentric orbit in
the place of a pair, a planet at the star's rotation, an alias by a day, and so on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from structural_pictures import Attempt

from ecliptic.rv.tasks import RVTask

SEED = 6
CLOSE = 0.03  # relative, of two periods that are the same one
ROTATION = 0.12  # relative, from the rotation or a harmonic of it
NEAR_A_DAY = 3.5  # days
LONG = 0.4  # of the time span: what a drift looks like
LEAST_CYCLE_DAYS = 15.0  # of gaps
IN_THE_WINDOW = 0.4  # amplitude of the window function, 1 at zero frequency
Periods = tuple[list[float], list[float]]  # true ones, and the simple pipeline's, to be drawn


@dataclass(frozen=True)
class Reason:
    """Why tasks are hard, and how one is known by what the simple pipeline hands in."""

    key: str
    title: str
    structure: str | None
    tier: str
    explains: Callable[[RVTask, Attempt], bool]
    hard: str
    resolved: str
    about: Callable[[RVTask, Attempt], Periods]
    forward_model: str = "keplerian"
    drifts: bool = True


def missed(task: RVTask, simple: Attempt) -> list[float]:
    """True periods in days that no submitted planet has."""
    true = [planet.period_days for planet in task.truth.planets]
    return [P for P in true if not any(abs(Q / P - 1.0) < CLOSE for Q in simple.periods)]


def wrong(task: RVTask, simple: Attempt) -> list[float]:
    """Submitted periods in days that no true planet has."""
    true = [planet.period_days for planet in task.truth.planets]
    return [Q for Q in simple.periods if not any(abs(Q / P - 1.0) < CLOSE for P in true)]


def pair_taken_for_one(task: RVTask, simple: Attempt) -> bool:
    inner, outer = pair_near_two_to_one(task)
    one_lost = (inner in missed(task, simple)) != (outer in missed(task, simple))
    kept = outer if inner in missed(task, simple) else inner
    return one_lost and eccentricity_at(simple, kept) > 0.15


def pair_near_two_to_one(task: RVTask) -> tuple[float, float]:
    periods = sorted(planet.period_days for planet in task.truth.planets)
    ratios = {(P, Q): abs(Q / P / 2.0 - 1.0) for P in periods for Q in periods if Q > P}
    return min(ratios, key=lambda pair: ratios[pair])


def eccentricity_at(simple: Attempt, period: float) -> float:
    return next(
        (
            planet["e"]
            for planet in simple.submission["planets"]
            if abs(planet["period_days"] / period - 1.0) < CLOSE
        ),
        0.0,
    )


def eccentric_lost(task: RVTask, simple: Attempt) -> bool:
    most = max(task.truth.planets, key=lambda planet: planet.e)
    harmonics = [most.period_days / number for number in (2, 3)]
    taken = [Q for Q in wrong(task, simple) for P in harmonics if abs(Q / P - 1.0) < CLOSE]
    return most.period_days in missed(task, simple) or bool(taken)


def day_alias_taken(task: RVTask, simple: Attempt) -> bool:
    return any(
        abs(abs(1.0 / P + sign * number) - 1.0 / Q) < 0.01
        for P in missed(task, simple)
        for Q in wrong(task, simple)
        for sign in (1.0, -1.0)
        for number in (1.0, 2.0, 1.0 / 0.99726957)
        if P < NEAR_A_DAY
    )


def chain_broken(task: RVTask, simple: Attempt) -> bool:
    periods = sorted(planet.period_days for planet in task.truth.planets)
    lost = missed(task, simple)
    return any(
        P in lost and any(1.3 < max(P, Q) / min(P, Q) < 1.8 for Q in periods) for P in periods
    )


def rotation_taken(task: RVTask, simple: Attempt) -> bool:
    gp = task.truth.noise.gp
    return gp is not None and any(
        abs(Q * number / gp.period_days - 1.0) < ROTATION
        for Q in wrong(task, simple)
        for number in (1.0, 2.0, 3.0)
    )


def drift_taken(task: RVTask, simple: Attempt) -> bool:
    span = float(np.ptp(task.observation.times_days))
    return any(LONG * span < Q for Q in wrong(task, simple))


def slow_aliases(task: RVTask, simple: Attempt) -> list[tuple[float, float]]:
    """True and submitted periods whose frequencies differ by a cycle of the gaps, closest first."""
    times = task.observation.times_days
    found = []
    for P in missed(task, simple):
        for Q in wrong(task, simple):
            f = abs(1.0 / P - 1.0 / Q)
            seen = float(abs(np.exp(2j * np.pi * f * times).mean()))
            apart = f * float(np.ptp(times)) > 1.5 and 1.0 / f > LEAST_CYCLE_DAYS
            if apart and seen > IN_THE_WINDOW:
                found.append((seen, P, Q))
    return [(P, Q) for _, P, Q in sorted(found, reverse=True)]


def slow_alias_taken(task: RVTask, simple: Attempt) -> bool:
    return bool(slow_aliases(task, simple))


def about_the_gaps(task: RVTask, simple: Attempt) -> Periods:
    lost, false = what_went_wrong(task, simple)
    P, Q = slow_aliases(task, simple)[0]
    return [P, *(other for other in lost if other != P)], [Q, *(o for o in false if o != Q)]


def pull_unexplained(task: RVTask, simple: Attempt) -> bool:
    """Whether the simple pipeline lost a planet, or took the pull for one."""
    return bool(missed(task, simple) or wrong(task, simple))


def what_went_wrong(task: RVTask, simple: Attempt) -> Periods:
    """Planets that were not found and what was taken for some, then all others."""
    lost, false = missed(task, simple), wrong(task, simple)
    true = [planet.period_days for planet in task.truth.planets]
    kept = [P for P in true if P not in lost]
    return [*lost, *kept], [*false, *(Q for Q in simple.periods if Q not in false)]


def about_the_pair(task: RVTask, simple: Attempt) -> Periods:
    inner, outer = pair_near_two_to_one(task)
    lost, kept = (inner, outer) if inner in missed(task, simple) else (outer, inner)
    others = what_went_wrong(task, simple)[1]
    first = [Q for Q in simple.periods if abs(Q / kept - 1.0) < CLOSE]
    return [lost, kept], [*first, *(Q for Q in others if Q not in first)]


def about_the_eccentric(task: RVTask, simple: Attempt) -> Periods:
    most = max(task.truth.planets, key=lambda planet: planet.e).period_days
    lost, false = what_went_wrong(task, simple)
    return [most, *(P for P in lost if most != P)], false


def about_the_rotation(task: RVTask, simple: Attempt) -> Periods:
    gp = task.truth.noise.gp
    lost, false = what_went_wrong(task, simple)
    if gp is None:
        return lost, false

    def turns(Q: float) -> float:
        return min(abs(Q * number / gp.period_days - 1.0) for number in (1.0, 2.0, 3.0))

    return lost, sorted(false, key=turns)


def about_the_drift(task: RVTask, simple: Attempt) -> Periods:
    lost, false = what_went_wrong(task, simple)
    longest = max(wrong(task, simple))
    return lost, [longest, *(Q for Q in false if longest != Q)]


REASONS = (
    Reason(
        "resonant-pair",
        "Two planets near 2:1",
        "resonant_pair",
        "medium",
        pair_taken_for_one,
        "To first order an eccentric orbit of period P is a circle of period P and another of "
        "P / 2. Two planets near 2:1 look like one eccentric planet, and once that stands in the "
        "model, no peak is left where the second planet is.",
        "Each eccentric orbit is also tried as two planets, and the other way about; with all "
        "planets refitted the likelihood decides.",
        about=about_the_pair,
    ),
    Reason(
        "eccentric",
        "High eccentricity",
        "eccentric",
        "medium",
        eccentric_lost,
        "A planet of high eccentricity moves its star for a short part of each orbit. A sinusoid "
        "catches too little of that to be worth a planet, or another peak is higher.",
        "A second periodogram adds up three harmonics, and fits start from eccentricities of 0.5 "
        "and 0.75 with periastron at several phases.",
        about=about_the_eccentric,
    ),
    Reason(
        "day-alias",
        "One site, a period near a day",
        "alias",
        "medium",
        day_alias_taken,
        "From one site a star is seen at about the same hour each night. Frequencies that differ "
        "by one a day give nearly the same velocities, and noise may raise the wrong peak.",
        "The aliases of each period by the sidereal and the solar day and by two days are tried, "
        "all planets refitted; the narrow window leaves just enough to tell them apart.",
        about=what_went_wrong,
    ),
    Reason(
        "chain",
        "A close chain",
        "chain",
        "medium",
        chain_broken,
        "Three planets with ratios of period of 1.35 to 1.75 and of like strength: each is noise "
        "to the search for another, and their peaks overlap, so that none stands out or a false "
        "one does.",
        "Several hypotheses are followed side by side, and two or three planets are looked for "
        "at once where none stands out.",
        about=what_went_wrong,
    ),
    Reason(
        "activity",
        "A spotted star",
        "activity",
        "medium",
        rotation_taken,
        "Spots rotate with the star and come and go: a signal that is nearly periodic. Taken for "
        "white noise it leaves peaks at the rotation and its harmonics that pass for planets.",
        "The rotation's shape is learnt from the indicators, its amplitude is fitted as a Gaussian "
        "process beside the planets, and a planet at the rotation has to be beyond doubt.",
        about=about_the_rotation,
    ),
    Reason(
        "drifts",
        "Several instruments that drift",
        "instruments",
        "medium",
        drift_taken,
        "Instruments that take over from each other have zero points and drifts of their own. "
        "Without terms for these a drift passes for a long period, or bends a true one, and what "
        "is left of it hides the other planets.",
        "An offset, a jitter and, where it is declared, a drift an instrument are solved for "
        "inside every fit and every periodogram.",
        drifts=False,
        about=about_the_drift,
    ),
    Reason(
        "gaps",
        "Gaps in the observations",
        None,
        "medium",
        slow_alias_taken,
        "Seasons, bright nights and campaigns leave gaps. Every true peak has neighbours at the "
        "distance of these cycles, and with other planets in the way one of them may be the "
        "higher.",
        "Several peaks are followed side by side, and in the end each planet is moved to its "
        "aliases and to other peaks until no replacement makes the whole more likely.",
        about=about_the_gaps,
    ),
    Reason(
        "interacting",
        "Planets that pull on each other",
        None,
        "medium",
        pull_unexplained,
        "Where planets disturb each other, orbits turn and periods sway. No sum of Keplerian "
        "orbits fits; what is left looks like noise or like a further planet.",
        "The planets found are integrated with their mutual pull and refined, from orbits that "
        "move on average as the Keplerian ones do: their periods at the epoch are others, by up "
        "to a turn and more over the observations. Then the star is searched once more with the "
        "interaction held.",
        forward_model="nbody",
        about=what_went_wrong,
    ),
)
