"""What climbing by the feedback is worth: does an agent that looks at no data gain anything by it?

    python benchmarks/climber.py [--count 40] [--seed N] [--submissions 200]

On fresh tasks under protocol ``strict`` with feedback ``criteria`` (what an agent gets unless told
otherwise), beginning with the fit of the solver ``classical``:

resubmit
    hands in the same fit each time: the yardstick.
climb
    never looks at the velocities again. Varies the best submission so far in one way drawn at
    random (a period by a little or to its alias or harmonic, a mass, an orbit's shape or phase, a
    planet less, a planet more), and keeps what meets at least as many criteria.
vary
    the same without listening: each submission is the first fit with one such change.
counts
    hands in what the solver finds when told to stop at one planet, two, three ...: what the bit
    ``count`` is worth to who can fit.

``climb`` and ``vary`` are tried with the tier's submissions and with many more. A line a tier.
"""

from __future__ import annotations

import argparse
import math
import secrets
from collections.abc import Generator, Mapping
from typing import Any

import numpy as np

from ecliptic.rv import Environment, Observation, RVTask, generate
from ecliptic.rv.budget import Budget, budget_of
from ecliptic.rv.solvers import solve

TIERS = ("easy", "medium", "hard", "faint")
DAY_CYCLES = (1.0, 1.00273791, 2.0, 1.0 / 365.25636)  # aliases lie at so many cycles a day
Planets = list[dict[str, float]]
Agent = Generator[Planets, Mapping[str, bool] | None, None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=40, help="tasks a tier")
    parser.add_argument("--seed", type=int, help="default: 128 random bits")
    parser.add_argument("--submissions", type=int, default=200, help="of the patient climber")
    parser.add_argument("--tier", action="append", choices=(*TIERS, "frontier"))
    arguments = parser.parse_args()
    seed = secrets.randbits(128) if arguments.seed is None else arguments.seed
    print(f"seed {seed}, {arguments.count} tasks a tier; tasks that were passed")
    many = arguments.submissions
    columns = ["resubmit", "climb", "vary", f"climb ({many})", f"vary ({many})", "counts"]
    print("tier      " + "  ".join(f"{name:>11}" for name in columns))
    for tier in arguments.tier or TIERS:
        passed = np.zeros(len(columns), dtype=int)
        for index in range(arguments.count):
            task = generate(seed, tier=tier, index=index)
            passed += measured(task, np.random.SeedSequence([seed, index]), many)
        print(f"{tier:<10}" + "  ".join(f"{each:>11}" for each in passed), flush=True)


def measured(task: RVTask, seed: np.random.SeedSequence, many: int) -> list[bool]:
    """By column."""
    start: Planets = solve(task.observation, "classical")["planets"]
    tiers, patient = budget_of(task.difficulty), Budget(math.inf, math.inf, many)
    rngs = [np.random.default_rng(child) for child in seed.spawn(4)]
    return [
        played(task, resubmitted(start), tiers),
        played(task, climbed(start, rngs[0]), tiers),
        played(task, varied(start, rngs[1]), tiers),
        played(task, climbed(start, rngs[2]), patient),
        played(task, varied(start, rngs[3]), patient),
        played(task, counted(start, task.observation), tiers),
    ]


def played(task: RVTask, agent: Agent, budget: Budget) -> bool:
    """Hand in what the agent yields, tell it the criteria, until one of them is at the end."""
    environment = Environment(task, "strict", "criteria", budget)
    environment.reset()
    told: Mapping[str, bool] | None = None
    while not environment.over:
        try:
            planets = agent.send(told)
        except StopIteration:
            break
        told = environment.step({"planets": planets}).feedback.criteria
    best = environment.best
    return best is not None and best.verdict is not None and best.verdict.passed


def resubmitted(start: Planets) -> Agent:
    while True:
        yield start


def climbed(start: Planets, rng: np.random.Generator) -> Agent:
    best, met = start, -1
    proposal = start
    while True:
        told = yield proposal
        assert told is not None
        if sum(told.values()) >= met:
            best, met = proposal, sum(told.values())
        proposal = changed(best, rng)


def varied(start: Planets, rng: np.random.Generator) -> Agent:
    yield start
    while True:
        yield changed(start, rng)


def counted(start: Planets, observation: Observation) -> Agent:
    """The fit, then those of one planet, two, three ..., whatever the evidence for the last."""
    yield start
    for count in range(1, 8):
        fit = solve(observation, "classical", max_planets=count, bic_gain=0.0)
        if len(fit["planets"]) == count != len(start):
            yield fit["planets"]


def changed(planets: Planets, rng: np.random.Generator) -> Planets:
    """One change, of any kind and size."""
    new = [dict(each) for each in planets]
    move = rng.choice(["period", "alias", "mass", "shape", "phase", "less", "more"])
    if move == "more" or not new:
        lightest = min((each["m_sin_i_mjup"] for each in new), default=0.1)
        return [*new, new_planet(lightest, rng)] if len(new) < 7 else new
    which = int(rng.integers(len(new)))
    planet: dict[str, Any] = new[which]
    size = 10.0 ** rng.uniform(-5, -0.5) * rng.choice([-1.0, 1.0])
    if move == "less":
        del new[which]
    elif move == "period":
        planet["period_days"] *= 1.0 + size
    elif move == "alias":
        planet["period_days"] = elsewhere(planet["period_days"], rng)
    elif move == "mass":
        planet["m_sin_i_mjup"] *= 1.0 + size
    elif move == "shape":
        planet["e"] = float(np.clip(planet["e"] + size, 0.0, 0.9))
        planet["omega_rad"] += 10 * size
    else:
        planet["l_rad"] += 10 * size
    return new


def elsewhere(period_days: float, rng: np.random.Generator) -> float:
    """An alias or a harmonic."""
    if rng.random() < 0.3:
        return period_days * float(rng.choice([0.5, 2.0]))
    frequency = abs(1.0 / period_days + float(rng.choice([-1.0, 1.0]) * rng.choice(DAY_CYCLES)))
    return 1.0 / frequency if frequency > 1e-5 else period_days


def new_planet(m_sin_i_mjup: float, rng: np.random.Generator) -> dict[str, float]:
    return {
        "period_days": float(10.0 ** rng.uniform(0.1, 3.0)),
        "m_sin_i_mjup": m_sin_i_mjup * float(rng.uniform(0.5, 2.0)),
        "e": 0.0,
        "omega_rad": 0.0,
        "l_rad": float(rng.uniform(0.0, 2.0 * math.pi)),
    }


if __name__ == "__main__":
    main()
