"""Whether the data demand every planet of a model, and none beside."""

from __future__ import annotations

import math

import numpy as np

from ecliptic.model import Model
from ecliptic.rv.alternatives import Exploration, with_one_more
from ecliptic.rv.inference.posterior import Posterior

MIN_REMOVAL_DELTA_BIC = 30.0
MAX_FURTHER_DELTA_BIC = 10.0


class Identifiability(Model):
    """Figures of each planet, in the order of the truth's.

    Attributes
    ----------
    removal_delta_bic
        BIC of the best model without the planet less BIC of the best model.
    further_delta_bic
        What the best further planet gains; negative where it does not pay.
    period_sigmas_days, K_sigmas_ms, phase_sigmas_rad
        Posterior standard deviations; the phase is the mean longitude at the reference epoch.
    strength
        K sqrt(N) over the effective scatter (errors, jitter and activity together).
    """

    removal_delta_bic: tuple[float, ...]
    further_delta_bic: float
    period_sigmas_days: tuple[float, ...]
    K_sigmas_ms: tuple[float, ...]
    phase_sigmas_rad: tuple[float, ...]
    strength: tuple[float, ...]

    @property
    def weakest_delta_bic(self) -> float:
        """The smallest removal delta-BIC, infinite without planets."""
        return min(self.removal_delta_bic, default=math.inf)


def identifiability_of(exploration: Exploration) -> Identifiability:
    """The figures of the best fit that was found."""
    best = exploration.best
    bic = best.bic
    further = bic - with_one_more(best).bic
    if best.n_planets:
        sigmas = np.minimum(Posterior.of(best).sigmas(), 1e12)
    else:
        sigmas = np.empty((0, 5))
    noise, data = best.noise, best.problem.velocities
    jitters = np.array(noise.jitters_ms)[data.instruments]
    scatter = math.sqrt(float(np.mean(data.variances + jitters**2)) + noise.gp_ms**2)
    K = best.elements()[:, 1]
    return Identifiability(
        removal_delta_bic=tuple(each.bic - bic for each in exploration.removals),
        further_delta_bic=further,
        period_sigmas_days=tuple(sigmas[:, 0].tolist()),
        K_sigmas_ms=tuple(sigmas[:, 1].tolist()),
        phase_sigmas_rad=tuple(sigmas[:, 4].tolist()),
        strength=tuple((K * math.sqrt(len(data)) / scatter).tolist()),
    )
