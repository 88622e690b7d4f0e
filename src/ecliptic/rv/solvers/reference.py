"""The best blind analyst that there is here: every hypothesis is tried, one answer is given.

See :mod:`ecliptic.rv.solvers.reference_search` for the search. The number of planets is decided in
:mod:`ecliptic.rv.solvers.reference_count`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.inference.dynamical import fit_dynamical, without_interaction
from ecliptic.rv.inference.fitting import Fit, fit
from ecliptic.rv.solvers import null
from ecliptic.rv.solvers.options import whole
from ecliptic.rv.solvers.reference_count import most_credible
from ecliptic.rv.solvers.reference_search import FINE, Effort, refined
from ecliptic.rv.tasks import Observation, Planet

MAX_PLANETS = 7
INTERACTION_ROUNDS = 2
SHORTEST_DAYS = math.nextafter(0.5, 1.0)  # that may be submitted
POPULATION_E_SCALE = 0.15
"""Of e cos M and e sin M where no family is declared. Chosen among five values on the shared
published tasks; the Rayleigh law that it stands for has about the median eccentricity of known
planets, 0.17 (Kipping 2013, MNRAS 434, L51)."""


def solve(
    observation: Observation, *, max_planets: int = MAX_PLANETS, beam: int = 3
) -> dict[str, Any]:
    """Planets by a beam search over joint fits, their number by evidence.

    Parameters
    ----------
    max_planets
        At most so many planets, 0 to 7.
    beam
        Hypotheses that are followed side by side, 1 to 20.
    """
    whole("max_planets", max_planets, 0, MAX_PLANETS)
    whole("beam", beam, 1, 20)
    try:
        problem = problem_of(observation)
    except UsageError:
        return null.solve(observation)
    best = most_credible(problem, max_planets, Effort(beam=beam))
    if observation.family is None:
        best = refined(best, best.theta, FINE, POPULATION_E_SCALE)
    return submission_of(best, pulled(best))


def pulled(best: Fit) -> tuple[Planet, ...]:
    """The planets of a fit; where the family asks for it, refined with their mutual pull."""
    problem = best.problem
    if problem.family.forward_model != "nbody" or best.n_planets < 2:
        return best.planets()
    try:
        for _ in range(INTERACTION_ROUNDS):
            still = without_interaction(problem, best.planets())
            best = fit(still, best.shape, theta=best.theta)
        return fit_dynamical(problem, best.planets(), best.theta).planets
    except UsageError:  # orbits that cannot be integrated
        return best.planets()


def submission_of(best: Fit, planets: Sequence[Planet] | None = None) -> dict[str, Any]:
    """The planets (those of the fit unless given) in order of period, and one jitter for all."""
    given = sorted(planets or best.planets(), key=lambda planet: planet.period_days)
    noise = best.noise
    data = best.problem.velocities
    square = sum(noise.jitters_ms[s] ** 2 for s in data.instruments.tolist()) / len(data)
    return {
        "planets": [
            {
                "period_days": max(planet.period_days, SHORTEST_DAYS),
                "m_sin_i_mjup": planet.m_sin_i_mjup,
                "e": planet.e,
                "omega_rad": wrapped(planet.omega_rad),
                "l_rad": wrapped(planet.l_rad),
            }
            for planet in given
            if math.isfinite(planet.m_sin_i_mjup)
        ],
        "noise": {"sigma_jitter_ms": math.hypot(math.sqrt(square), noise.gp_ms)},
    }


def wrapped(angle: float) -> float:
    """In [0, 2 pi): the remainder of a tiny negative angle rounds to 2 pi itself."""
    turned = angle % math.tau
    return turned if turned < math.tau else 0.0
