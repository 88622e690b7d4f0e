r"""The number of planets by evidence: nested sampling of 0, 1, 2, ... planets.

Planets are added while the evidence grows by ``bayes_factor`` each (150 by default, "very strong"
of Kass & Raftery 1995, JASA 90, 773), looking further by a planet or two: among several of like
amplitude a first one alone may gain too little.

Model: orbits, offsets, declared drifts and trend, a jitter an instrument, and where the family
declares activity the rotation process with the shape that the indicators give and a free amplitude.
Priors: those of Nelson et al. (2020, AJ 159, 73) (:class:`~ecliptic.rv.inference.evidence.Priors`),
widened for velocities that scatter more than their upper ends allow; P log-uniform over the
declared range.

Amplitudes and linear terms are integrated analytically
(:mod:`ecliptic.rv.solvers.nested_likelihood`), periods are drawn from the periodograms and weighed
back (:mod:`ecliptic.rv.solvers.nested_periods`): four dimensions a planet, and a few nats of
information each where a sampler of the plain prior has some 20.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.inference.evidence import Priors
from ecliptic.rv.inference.fitting import Fit, NoiseLevels, fit, fit_noise, theta_of
from ecliptic.rv.solvers import null
from ecliptic.rv.solvers.nested_model import NestedModel
from ecliptic.rv.solvers.nested_priors import widened
from ecliptic.rv.solvers.nested_run import Effort, Run, runs
from ecliptic.rv.solvers.options import number, whole
from ecliptic.rv.tasks import Observation

MAX_PLANETS = 7


def solve(
    observation: Observation,
    *,
    max_planets: int = MAX_PLANETS,
    bayes_factor: float = 150.0,
    look_ahead: int = 2,
    live_points: int = 150,
    cpu_seconds: float = 60.0,
    seed: int = 0,
) -> dict[str, Any]:
    """Planets of the last model that the evidence supports, refitted from its best point.

    The answer depends on the observation, the options and ``seed`` alone unless ``cpu_seconds``
    run out: then the run under way ends, and its model is taken if the evidence found so far
    already exceeds that of the last one by the Bayes factor.

    Parameters
    ----------
    max_planets
        At most so many planets, 0 to 7.
    bayes_factor
        What the evidence must grow by for each planet more, 1 or greater.
    look_ahead
        Models so many planets larger than the last good one are tried, 1 to 7.
    live_points
        Of each run, 20 to 10000. More are slower and more certain.
    cpu_seconds
        After which no more is computed than the answer needs, up to 1e6.
    seed
        Of all random numbers, 0 or greater.

    Raises
    ------
    MissingExtraError
        dynesty is not installed (extra ``nested``).
    """
    whole("max_planets", max_planets, 0, MAX_PLANETS)
    number("bayes_factor", bayes_factor, 1.0, 1e300)
    whole("look_ahead", look_ahead, 1, MAX_PLANETS)
    whole("live_points", live_points, 20, 10_000)
    number("cpu_seconds", cpu_seconds, 0.0, 1e6)
    whole("seed", seed, 0, 2**63)
    until = time.process_time() + cpu_seconds
    try:
        problem = problem_of(observation)
    except UsageError:
        return null.solve(observation)
    model = NestedModel.of(problem, widened(Priors(), problem.velocities.spread_ms))
    effort = Effort(live_points=live_points, dlogz=0.5)
    found = runs(model, max_planets, effort, seed, until=until)
    return _submission(best_fit(model, chosen(found, bayes_factor, look_ahead)))


def chosen(found: Iterable[Run], bayes_factor: float, look_ahead: int) -> Run:
    """The last run whose evidence grows by enough; no further runs are asked for than needed."""
    accepted: Run | None = None
    for run in found:
        if accepted is None or _grows(accepted, run, bayes_factor):
            accepted = run
        elif run.n_planets - accepted.n_planets >= look_ahead:
            break
    assert accepted is not None
    return accepted


def _grows(smaller: Run, larger: Run, bayes_factor: float) -> bool:
    needed = (larger.n_planets - smaller.n_planets) * math.log(bayes_factor)
    return larger.ln_evidence - smaller.ln_evidence > needed


def best_fit(model: NestedModel, run: Run) -> Fit:
    """The maximum of the likelihood next to a run's best point."""
    problem = model.problem
    if not run.n_planets:
        return fit_noise(problem)
    shape, _, sigmas = model.unpacked(run.period, run.best)
    n = problem.velocities.n_instruments
    levels = sigmas.tolist()
    noise = NoiseLevels(tuple(levels[:n]), levels[n] if len(levels) > n else 0.0)
    return fit(problem, shape, theta=theta_of(problem, noise))


def _submission(best: Fit) -> dict[str, Any]:
    """The planets in order of period, and one jitter for all instruments."""
    noise, data = best.noise, best.problem.velocities
    square = sum(noise.jitters_ms[s] ** 2 for s in data.instruments.tolist()) / len(data)
    names = ("period_days", "m_sin_i_mjup", "e", "omega_rad", "l_rad")
    planets = sorted(best.planets(), key=lambda planet: planet.period_days)
    return {
        "planets": [
            {name: getattr(planet, name) for name in names}
            for planet in planets
            if math.isfinite(planet.m_sin_i_mjup)
        ],
        "noise": {"sigma_jitter_ms": math.hypot(math.sqrt(square), noise.gp_ms)},
    }
