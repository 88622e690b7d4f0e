"""Stars made by hand, submissions with a fault on purpose, and the details of such attempts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.failures import Details, Label, SubmissionFacts, label
from ecliptic.rv import Environment, RVTask
from ecliptic.rv.inference.fitting import fit
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.orbit import minimum_mass_mjup, radial_velocity_ms
from ecliptic.rv.tasks import Instrument, Noise, Observation, Planet, RotationGP, Truth

MASS = 1.0


def planet(P: float, K: float, e: float = 0.0, omega: float = 0.3, M0: float = 1.0) -> Planet:
    return Planet(
        period_days=P,
        m_sin_i_mjup=float(minimum_mass_mjup(K, P, e, MASS)),
        e=e,
        omega_rad=omega,
        l_rad=omega + M0,
    )


def nightly(n: int, span_days: float, seed: int = 0) -> np.ndarray:
    """Nights at random, within an hour and a half of the same sidereal time."""
    rng = np.random.default_rng(seed)
    nights = np.sort(rng.choice(int(span_days), n, replace=False))
    return nights * 0.99726957 + rng.uniform(-0.06, 0.06, n)


def seasonal(n: int, years: int, seed: int = 0) -> np.ndarray:
    """At any hour, within two months around the same day of each year."""
    rng = np.random.default_rng(seed)
    days = rng.integers(0, years, n) * 365.25636 + rng.uniform(0.0, 60.0, n)
    return np.sort(days)


def dark(n: int, months: int, seed: int = 0) -> np.ndarray:
    """At any hour, within five days around the new moon."""
    rng = np.random.default_rng(seed)
    days = rng.integers(0, months, n) * 29.530589 + rng.uniform(0.0, 10.0, n)
    return np.sort(days)


def alternate(n: int, span_days: float, seed: int = 0) -> np.ndarray:
    """Every other day, within some hours."""
    rng = np.random.default_rng(seed)
    days = 2.0 * np.sort(rng.choice(int(span_days / 2), n, replace=False))
    return days + rng.uniform(-0.15, 0.15, n)


def anytime(n: int, span_days: float, seed: int = 0) -> np.ndarray:
    return np.sort(np.random.default_rng(seed).uniform(0.0, span_days, n))


def star_of(
    times: np.ndarray,
    planets: Sequence[Planet],
    sigma: float = 0.5,
    seed: int = 1,
    gp: RotationGP | None = None,
    signal: Any = None,
) -> RVTask:
    """A star with white noise; ``signal`` is added to its velocities beside the planets."""
    rng = np.random.default_rng(seed)
    rvs = radial_velocity_ms(times, planets, MASS, float(times[0])) if len(planets) else 0.0
    rvs = rvs + rng.normal(0.0, sigma, len(times)) + (0.0 if signal is None else signal(times))
    return RVTask.create(
        tier="easy",
        observation=Observation(
            times_days=times.tolist(),
            rvs_ms=rvs.tolist(),
            sigmas_ms=[sigma] * len(times),
            instruments=("a",) * len(times),
            star_mass_sun=MASS,
        ),
        truth=Truth(
            planets=tuple(planets),
            instruments=(Instrument(label="a", sigma_white_ms=sigma),),
            noise=Noise(sigma_white_ms=sigma, gp=gp),
        ),
        difficulty=3,
    )


def fitted(
    star: RVTask, start_days: Sequence[float], e: float = 0.0, subtract: Sequence[Planet] = ()
) -> list[Planet]:
    """The best planets near periods, in the data less some others: what an analyst would hand in.

    With ``e`` eccentric orbits are tried, too, at four phases.
    """
    problem = Problem.of(star.observation)
    if subtract:
        data = problem.velocities
        other = radial_velocity_ms(
            star.observation.times_days, subtract, MASS, star.observation.t_ref_days
        )
        problem = problem.with_velocities(data.rvs_ms - other)
    starts = [[(1.0 / P, 0.0, 0.0) for P in start_days]]
    for x, y in ((e, 0.0), (0.0, e), (-e, 0.0), (0.0, -e)) if e else ():
        starts.append([(1.0 / P, x, y) for P in start_days])
    fits = [fit(problem, np.array(start)) for start in starts]
    return list(max(fits, key=lambda each: each.log_likelihood).planets())


def handed_in(planets: Sequence[Planet]) -> dict[str, Any]:
    names = ("period_days", "m_sin_i_mjup", "e", "omega_rad", "l_rad")
    return {"planets": [{name: getattr(each, name) for name in names} for each in planets]}


def attempt(star: RVTask, *submissions: Any, protocol: str = "strict", **row: Any) -> Details:
    """The details of an attempt with these submissions, graded as an agent's would be."""
    environment = Environment(star, protocol)
    environment.reset()
    for submission in submissions:
        environment.step(submission)
    facts = tuple(
        SubmissionFacts(
            number=number,
            status=each.feedback.status,
            submission=each.submission,
            passed=each.verdict is not None and each.verdict.passed,
            score=None if each.verdict is None else each.verdict.score,
            repeat_of=each.repeat_of,
            said=each.feedback.text,
        )
        for number, each in enumerate(environment.history, 1)
    )
    best = environment.best
    verdict = best.verdict if best else None
    given: dict[str, Any] = {
        "agent": "test", "model": "scripted/test", "world": "stargazer", "suite": "made",
        "task": star.id, "cluster": star.id, "kind": star.tier, "protocol": protocol,
        "passed": verdict is not None and verdict.passed, "stop": "submissions", **row,
    }  # fmt: skip
    return Details(
        attempt=Attempt(**given),
        task=star,
        submissions=facts,
        verdict=None if verdict is None else verdict.to_dict(),
    )


def labels_of(star: RVTask, planets: Sequence[Planet], **settings: Any) -> list[Label]:
    return label(attempt(star, handed_in(planets), **settings))


def codes(labels: Sequence[Label]) -> list[str]:
    return [str(each.code) for each in labels]
