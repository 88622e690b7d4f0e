"""From an observation alone to the problem that its declared family poses."""

from __future__ import annotations

from ecliptic.rv.inference.problem import Problem, family_of
from ecliptic.rv.inference.rotation import fit_rotation
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.tasks import Observation, RotationGP


def problem_of(observation: Observation, rotation_start: Array | None = None) -> Problem:
    """The problem of an observation, the shape of its activity declared or learnt from indicators.

    Grader, oracle and solvers all pose it in this way. ``rotation_start``:
    ``parameters`` of an earlier :class:`~ecliptic.rv.inference.rotation.RotationFit`.

    Raises
    ------
    UsageError
        No orbit can be fitted.
    """
    gp: RotationGP | None = None
    family = family_of(observation)
    if family.activity and family.rotation is None and observation.indicators:
        gp = fit_rotation(observation, rotation_start).gp
    return Problem.of(observation, gp)
