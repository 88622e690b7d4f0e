"""From a fit to what an agent hands in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ecliptic.rv.inference.fitting import Fit as JointFit
from ecliptic.rv.inference.shapes import TWO_PI
from ecliptic.rv.inference.velocities import Velocities
from ecliptic.rv.orbit import minimum_mass_mjup
from ecliptic.rv.solvers.keplerian_fit import Fit
from ecliptic.rv.tasks import Planet

SHORTEST_DAYS = math.nextafter(0.5, 1.0)  # that may be submitted


def submission_of(fit: Fit, velocities: Velocities, star_mass_sun: float) -> dict[str, Any]:
    """The planets in order of period, and the fit's jitter, as plain data.

    A planet whose mass is not a finite number (a star of 1e300 solar masses) is left out.
    """
    planets = []
    for P, K, e, omega, M_0 in sorted(fit.elements(velocities).tolist()):
        with np.errstate(over="ignore"):
            mass = float(minimum_mass_mjup(K, P, e, np.float64(star_mass_sun)))
        if not math.isfinite(mass):
            continue
        planets.append(
            {
                "period_days": P,
                "m_sin_i_mjup": mass,
                "e": e,
                "omega_rad": _wrapped(omega),
                "l_rad": _wrapped(omega + M_0),
            }
        )
    return {"planets": planets, "noise": {"sigma_jitter_ms": float(fit.jitter_ms)}}


def submission_of_joint(best: JointFit, planets: Sequence[Planet] | None = None) -> dict[str, Any]:
    """The planets (those of the fit unless given) in order of period, and one jitter for all.

    The process, where there is one, counts as jitter.
    """
    given = best.planets() if planets is None else planets
    noise = best.noise
    data = best.problem.velocities
    square = sum(noise.jitters_ms[s] ** 2 for s in data.instruments.tolist()) / len(data)
    return {
        "planets": [
            {
                "period_days": max(planet.period_days, SHORTEST_DAYS),
                "m_sin_i_mjup": planet.m_sin_i_mjup,
                "e": planet.e,
                "omega_rad": _wrapped(planet.omega_rad),
                "l_rad": _wrapped(planet.l_rad),
            }
            for planet in sorted(given, key=lambda planet: planet.period_days)
            if math.isfinite(planet.m_sin_i_mjup)
        ],
        "noise": {"sigma_jitter_ms": math.hypot(math.sqrt(square), noise.gp_ms)},
    }


def _wrapped(angle: float) -> float:
    """In [0, 2 pi): the remainder of a tiny negative angle rounds to 2 pi itself."""
    wrapped = angle % TWO_PI
    return wrapped if wrapped < TWO_PI else 0.0
