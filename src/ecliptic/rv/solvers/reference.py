"""The best blind analyst that there is here: every hypothesis is tried, one answer is given.

See :mod:`ecliptic.rv.solvers.reference_search` for the search. The number of planets is decided in
:mod:`ecliptic.rv.solvers.reference_count`. Where planets pull on each other,
:mod:`ecliptic.rv.solvers.reference_pull` follows.
"""

from __future__ import annotations

from typing import Any

from ecliptic.errors import UsageError
from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.solvers import null
from ecliptic.rv.solvers.options import whole
from ecliptic.rv.solvers.reference_count import most_credible
from ecliptic.rv.solvers.reference_pull import with_pull
from ecliptic.rv.solvers.reference_search import FINE, Effort, refined
from ecliptic.rv.solvers.submissions import submission_of_joint
from ecliptic.rv.tasks import Observation

MAX_PLANETS = 7
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
    effort = Effort(beam=beam)
    best = most_credible(problem, max_planets, effort)
    if observation.family is None:
        best = refined(best, best.theta, FINE, POPULATION_E_SCALE)
    if problem.family.forward_model == "nbody" and best.n_planets > 1:
        pulled = with_pull(best, max_planets, effort)
        if pulled is not None:
            return submission_of_joint(pulled.held, pulled.planets)
    return submission_of_joint(best)
