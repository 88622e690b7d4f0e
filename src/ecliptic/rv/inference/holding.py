"""Planets held as they are, everything else fitted to what they leave."""

from __future__ import annotations

from ecliptic.rv.inference.dynamical import interaction_ms
from ecliptic.rv.inference.fitting import Fit, fit_held, planets_of
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.small_matrices import Array


def interacting(problem: Problem, planets: Array) -> Problem:
    """The problem less the interaction of such planets, for families with ``nbody``."""
    if problem.family.forward_model != "nbody" or len(planets) < 2:
        return problem
    pull = interaction_ms(problem, planets_of(planets, problem.star_mass_sun))
    return problem.with_velocities(problem.velocities.rvs_ms - pull)


def hold(problem: Problem, planets: Array) -> Fit:
    """Noise and linear terms fitted, the planets held."""
    return fit_held(interacting(problem, planets), planets)
