"""The simple pipeline: one planet after another, each at the highest peak, none ever reconsidered.

A periodogram on top of the model so far; the highest peak as a circle and with e = 0.5 at four
phases; a joint refit; the planet stays while the BIC falls by more than 20, the public rule of
protocol ``strict``. No aliases, no splits, no removal tests. It is the yardstick of the recipe
``ecliptic``, whose tiers are hard only as far as such a pipeline fails.

The declared offsets, drifts, trend and jitters are fitted. A declared activity is taken for white
noise unless ``activity`` asks for its Gaussian process.
"""

from __future__ import annotations

from typing import Any

from ecliptic.errors import UsageError
from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.inference.fitting import Fit, fit, fit_noise
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.scan import scan
from ecliptic.rv.solvers import null
from ecliptic.rv.solvers import reference_moves as moves
from ecliptic.rv.solvers.options import flag, number, whole
from ecliptic.rv.solvers.submissions import submission_of_joint
from ecliptic.rv.tasks import Observation

START_E, START_PHASES = 0.5, 4


def solve(
    observation: Observation,
    *,
    max_planets: int = 7,
    delta_bic: float = 20.0,
    activity: bool = False,
) -> dict[str, Any]:
    """Planets one by one until the BIC falls by less than ``delta_bic``.

    Parameters
    ----------
    max_planets
        At most so many planets, 0 to 7.
    activity
        Fit a declared activity by the Gaussian process whose shape the indicators tell.
    """
    whole("max_planets", max_planets, 0, 7)
    number("delta_bic", delta_bic, 0.0, 1e6)
    flag("activity", activity)
    try:
        problem = problem_of(observation) if activity else Problem.of(observation)
    except UsageError:
        return null.solve(observation)
    current = fit_noise(problem)
    while current.n_planets < max_planets:
        more = with_highest_peak(current)
        if more is None or not current.bic - more.bic > delta_bic:
            break
        current = more
    return submission_of_joint(current)


def with_highest_peak(current: Fit) -> Fit | None:
    """The best joint fit with a planet at the highest peak; ``None`` where there is no peak."""
    peaks = scan(current).peaks(1).tolist()
    if not peaks:
        return None
    shapes = [(0.0, 0.0), *moves.eccentric(START_E, START_PHASES)]
    starts = [moves.with_orbit(current.shape, peaks[0], x, y) for x, y in shapes]
    fits = [fit(current.problem, start, theta=current.theta) for start in starts]
    return max(fits, key=lambda each: each.log_likelihood)
