"""The oracle: the best model of a task's data that can be reached when its truth is known.

The best of fits from the truth, from other shapes of its orbits and from the aliases of its
periods (:mod:`ecliptic.rv.alternatives`). A single fit from the truth would overstate what can be
reached: the data may prefer another solution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ecliptic.rv.alternatives import Exploration, explore
from ecliptic.rv.assessment import elements, planet_rows
from ecliptic.rv.fresh_noise import jitters_of
from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.inference.dynamical import fit_dynamical, without_interaction
from ecliptic.rv.inference.fitting import Fit, NoiseLevels, fit, fit_held, start_of, theta_of
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.submission import Submission, SubmittedNoise, SubmittedPlanet
from ecliptic.rv.tasks import Planet, RVTask


@dataclass(frozen=True, slots=True)
class Oracle:
    """What was found for one task.

    Attributes
    ----------
    problem
        The declared problem.
    planets
        The best planets: those of the most likely model found. With ``nbody`` the better of two
        fits in which the interaction follows the orbits, from that model and from the truth.
    truth
        Elements of the true planets, (n_planets, 5).
    from_truth
        The fit that starts at the truth.
    exploration
        The best fit, the other optima, and the best fits without each planet.
    """

    problem: Problem
    planets: tuple[Planet, ...]
    truth: Array
    from_truth: Fit
    exploration: Exploration

    @property
    def best(self) -> Fit:
        """The most likely model found."""
        return self.exploration.best


def consult(task: RVTask, extra: tuple[Array, ...] = ()) -> Oracle:
    """The oracle of a task.

    ``extra``: elements (P, K, e, omega, M0) of rival solutions, each (n_planets, 5).
    """
    problem = problem_of(task.observation)
    truth = true_elements(task)
    still = without_interaction(problem, task.truth.planets)
    first = from_truth(still, truth)
    rivals = [start_of(problem, each) for each in extra]
    exploration = explore(first, rivals)
    best = exploration.best
    planets = best.planets()
    if still is not problem:
        first_found = fit_dynamical(problem, planets, best.theta)
        again = fit_dynamical(problem, task.truth.planets, best.theta, slopes=first_found.slopes)
        found = max(first_found, again, key=lambda each: each.held.log_likelihood)
        planets = found.planets
    return Oracle(problem, planets, truth, first, exploration)


def from_truth(problem: Problem, truth: Array) -> Fit:
    """The fit that starts at the truth, its noise first fitted to the truth's residuals."""
    held = fit_held(problem, truth)
    return fit(problem, start_of(problem, truth), theta=held.theta)


def true_elements(task: RVTask) -> Array:
    """P, K, e, omega, M0 of the truth, (n_planets, 5)."""
    return planet_elements(task.truth.planets, task.observation.star_mass_sun)


def planet_elements(planets: Sequence[Planet | SubmittedPlanet], star_mass_sun: float) -> Array:
    """P, K, e, omega, M0 with e at most 0.95, as graders have them; (n_planets, 5)."""
    rows: Array = elements(planet_rows(tuple(planets)), star_mass_sun)
    return rows


def true_theta(task: RVTask, problem: Problem, fitted: Array) -> Array:
    """Noise parameters of the truth; ``fitted`` where it does not state the noise of the family.

    A process that the family lacks counts as jitter.
    """
    noise = task.truth.noise
    gp_ms = 0.0 if noise.gp is None else noise.gp.sigma_ms
    if task.tier == "real" or (problem.gp is not None and noise.gp is None):
        return fitted
    jitters = jitters_of(task, ())
    if problem.gp is None:
        jitters = [math.hypot(jitter, gp_ms) for jitter in jitters]
        gp_ms = 0.0
    return theta_of(problem, NoiseLevels(tuple(jitters), gp_ms))


def as_submission(planets: Sequence[Planet], jitter_ms: float = 0.0) -> Submission:
    """Planets as an agent would hand them in."""
    return Submission(
        planets=tuple(
            SubmittedPlanet(
                period_days=planet.period_days,
                m_sin_i_mjup=planet.m_sin_i_mjup,
                e=planet.e,
                omega_rad=planet.omega_rad,
                l_rad=planet.l_rad,
                Omega_rad=planet.Omega_rad,
            )
            for planet in planets
        ),
        noise=SubmittedNoise(sigma_jitter_ms=jitter_ms),
    )
