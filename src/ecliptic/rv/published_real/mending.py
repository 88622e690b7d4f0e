"""The rows of a published series put right: repeated points, mixed zero points, transits."""

from __future__ import annotations

import numpy as np

from ecliptic.rv.archive.joint_fit import fit_keplerian
from ecliptic.rv.archive.seeds import Seed
from ecliptic.rv.inference.fitting import Fit
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.published_real import zero_points
from ecliptic.rv.published_real.faults import Fault, RealFault
from ecliptic.rv.published_real.known import KnownStar
from ecliptic.rv.tasks import Observation

MAX_STEPS_IN_ZERO_POINT = 3


def keplerian_fit(observation: Observation, seeds: list[Seed]) -> Fit:
    """The joint fit of Keplerian orbits."""
    return fit_keplerian(Problem.of(observation), seeds)


def mended(
    observation: Observation, seeds: list[Seed], star: KnownStar | None, faults: list[Fault]
) -> Observation:
    """Repeated points and those in transit left out, mixed zero points parted."""
    repeated = zero_points.repeated_points(observation)
    if repeated:
        faults.append(Fault(RealFault.REPEATED, f"{repeated} points are there twice"))
        observation = zero_points.without_points(observation, zero_points.later_copies(observation))
    # What Keplerian orbits leave of interacting planets would pass for steps.
    if star is None or not star.nbody:
        observation = _parted(observation, seeds, faults)
    if star is None or star.transit_hours is None:
        return observation
    return _outside_transits(observation, seeds, star.transit_hours, faults)


def _parted(observation: Observation, seeds: list[Seed], faults: list[Fault]) -> Observation:
    best = keplerian_fit(observation, seeds)
    for _ in range(MAX_STEPS_IN_ZERO_POINT):
        step = zero_points.find_step(observation, best)
        if step is None:
            break
        faults.append(
            Fault(
                RealFault.MIXED_ZERO_POINTS,
                f"the zero point of '{step.label}' changes by {step.shift_ms:+.3g} m/s at "
                f"{step.day:.0f} (delta-BIC {step.delta_bic:.0f})",
            )
        )
        observation = zero_points.parted(observation, step)
        best = keplerian_fit(observation, seeds)
    return observation


def _outside_transits(
    observation: Observation, seeds: list[Seed], transit_hours: float, faults: list[Fault]
) -> Observation:
    best = keplerian_fit(observation, seeds)
    inside = zero_points.in_transit(observation, best.elements()[0], transit_hours)
    ratio, chance = zero_points.disturbed_share(
        best.residuals_ms, np.array(observation.sigmas_ms), inside
    )
    if chance > zero_points.ROSSITER_P:
        return observation
    faults.append(
        Fault(
            RealFault.IN_TRANSIT,
            f"{int(inside.sum())} of {len(inside)} points lie inside transits; their squared "
            f"residuals are {ratio:.3g} times those outside (p = {chance:.1g})",
        )
    )
    return zero_points.without_points(observation, inside)
