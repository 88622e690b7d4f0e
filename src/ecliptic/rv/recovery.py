r"""How well the data of a task give its planets back.

The **tolerance** of a planet is the largest distance (:mod:`ecliptic.rv.matching`) that a submitted
one may have: at least 0.223, :math:`\exp(-d) = 0.8`, and where the data permit no better, the
:math:`1 - 0.01 / n_\mathrm{planets}` quantile of the oracle's own distance over fresh noise. That
distribution is taken from the linearised posterior around the truth, under the true noise: its
draws are those of the most likely model over fresh noise, to first order; the distance itself is
computed in full. Protocol ``strict`` caps the tolerance.
"""

from __future__ import annotations

import numpy as np

from ecliptic.rv import matching, orbit
from ecliptic.rv.inference.dynamical import draw_elements
from ecliptic.rv.inference.fitting import Fit, at
from ecliptic.rv.inference.holding import hold
from ecliptic.rv.inference.posterior import Posterior
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.jit import compiled
from ecliptic.rv.oracle import Oracle, planet_elements, true_theta
from ecliptic.rv.tasks import Recovery, RVTask

BASE_TOLERANCE = 0.223
MISS = 0.01
DRAWS = 4000


@compiled
def own_distances(times_days: Array, reference_days: float, truth: Array, draws: Array) -> Array:
    """Distance of each drawn planet to its own true one, (n_draws, n_planets).

    ``truth``: elements, (n_planets, 5); ``draws``: (n_draws, n_planets, 5).
    """
    count, p = draws.shape[0], draws.shape[1]
    out = np.empty((count, p))
    curves = orbit.curves(times_days, reference_days, truth)
    for k in range(count):
        drawn = orbit.curves(times_days, reference_days, draws[k])
        for j in range(p):
            terms = matching.distance_terms(
                curves[j : j + 1], truth[j : j + 1], truth[j : j + 1, 2],
                drawn[j : j + 1], draws[k, j : j + 1], draws[k, j : j + 1, 2],
            )  # fmt: skip
            out[k, j] = terms[0, 0, 0] + terms[1, 0, 0] + terms[2, 0, 0] + terms[3, 0, 0]
    return out


def tolerances(model: Fit, truth: Array, draws: int = DRAWS) -> tuple[float, ...]:
    """The quantile of each planet's distance over the posterior around a model, not capped."""
    if not len(truth):
        return ()
    sample = Posterior.of(model).draw(draws, np.random.default_rng(0))
    return _quantiles(model.problem, truth, sample)


def _quantiles(problem: Problem, truth: Array, sample: Array) -> tuple[float, ...]:
    data = problem.velocities
    distances = own_distances(
        data.times_days, data.reference_days, np.ascontiguousarray(truth), sample
    )
    quantiles = np.quantile(distances, 1.0 - MISS / len(truth), axis=0)
    return tuple(np.maximum(quantiles, BASE_TOLERANCE).tolist())


def recovery_of(task: RVTask, oracle: Oracle) -> Recovery:
    """The record that a task's sealed part keeps of its oracle."""
    problem, truth = oracle.problem, oracle.truth
    theta = true_theta(task, problem, oracle.best.theta)
    if problem.family.forward_model == "nbody" and len(truth) > 1:
        sample, sigmas = draw_elements(
            problem, task.truth.planets, theta, DRAWS, np.random.default_rng(0)
        )
        allowed = _quantiles(problem, truth, sample)
    else:
        model = at(problem, truth, theta)
        sigmas = Posterior.of(model).sigmas()[:, 0] if len(truth) else np.empty(0)
        allowed = tolerances(model, truth)
    rows = planet_elements(oracle.planets, task.observation.star_mass_sun)
    held = hold(oracle.problem, rows)
    return Recovery(
        planets=oracle.planets,
        rms_ms=held.rms_ms,
        log_likelihood=held.log_likelihood,
        tolerances=allowed,
        period_sigmas_days=tuple(np.clip(sigmas, 1e-12, 1e12).tolist()),
    )
