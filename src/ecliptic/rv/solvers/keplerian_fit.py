"""Joint fits of Keplerian orbits to an observation: what solvers call.

The compiled search is in :mod:`ecliptic.rv.solvers.levenberg_marquardt`, the model with its
parameters and penalties in :mod:`ecliptic.rv.solvers.variable_projection`. Here the jitter is
fitted around the search, and the result is turned into orbital elements.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ecliptic.rv.inference.shapes import TWO_PI, elements_of
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.inference.velocities import Velocities, without_offsets
from ecliptic.rv.solvers.jitter import most_likely_extra_variance
from ecliptic.rv.solvers.levenberg_marquardt import minimise
from ecliptic.rv.solvers.variable_projection import gauss_newton

MAX_JITTER_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds and weak priors of a fit.

    Periods in days between ``period_min_days`` and ``period_max_days``; ``e_max`` below 1;
    ``e_scale`` the standard deviation of the prior on e, ``K_scale_ms`` that on K (``inf``: none).
    """

    period_min_days: float
    period_max_days: float
    e_max: float = 0.8
    e_scale: float = math.inf
    K_scale_ms: float = math.inf

    def nearest(self, frequency: float) -> float:
        """The frequency in 1/day, moved into the limits."""
        return min(max(frequency, 1.0 / self.period_max_days), 1.0 / self.period_min_days)

    def inside(self, shape: Array) -> Array:
        """A copy of shape parameters, (n_planets, 3), moved into the limits."""
        f, x, y = np.reshape(shape, (-1, 3)).T
        excess = np.maximum(np.hypot(x, y) / max(self.e_max, 1e-12), 1.0) * (1.0 + 1e-12)
        f = np.clip(f, 1.0 / self.period_max_days, 1.0 / self.period_min_days)
        return np.column_stack([f, x / excess, y / excess])

    def arrays(self) -> tuple[Array, Array]:
        """Limits and stiffness as the compiled search takes them."""
        bounds = np.array([1.0 / self.period_max_days, 1.0 / self.period_min_days, self.e_max])
        K_scale = max(self.K_scale_ms, 1e-100)
        return bounds, np.array([self.e_scale**-2.0, K_scale**-2.0])


@dataclass(frozen=True, slots=True)
class Fit:
    """A model of some planets at its optimum.

    Attributes
    ----------
    shape
        (n_planets, 3): frequency in 1/day, e cos M, e sin M with M at the middle of the times.
    amplitudes
        (2 n_planets,): K cos L and -K sin L in m/s, with L = M + omega.
    residuals_ms
        (n,): data less planets and offsets.
    jitter_ms
        Fitted extra scatter, 0 where none was asked for.
    log_likelihood, chi2
        Under the variances ``sigma^2 + jitter^2``, without the penalties.
    cost
        Penalised chi-square, which the search lowered.
    """

    shape: Array
    amplitudes: Array
    residuals_ms: Array
    jitter_ms: float
    log_likelihood: float
    chi2: float
    cost: float

    @property
    def n_planets(self) -> int:
        """Number of orbits in the model."""
        return len(self.shape)

    @property
    def objective(self) -> float:
        """``-2 ln L`` plus the penalties: what is lower for the better of two fits."""
        return -2.0 * self.log_likelihood + (self.cost - self.chi2)

    def bic(self, n_instruments: int) -> float:
        """The published protocol's BIC: 5 parameters a planet and an offset an instrument."""
        k = 5 * self.n_planets + n_instruments
        return -2.0 * self.log_likelihood + k * math.log(len(self.residuals_ms))

    def elements(self, velocities: Velocities) -> Array:
        """Columns P in days, K in m/s, e, omega, M0 at the reference epoch; (n_planets, 5)."""
        return elements_of(self.shape, self.amplitudes, velocities.reference_days)

    def covariance(self, velocities: Velocities, limits: Limits | None = None) -> Array:
        """Gauss-Newton covariance, (5 n_planets, 5 n_planets), the offsets marginalised.

        A planet's parameters in order: f, e cos M, e sin M, K cos L, -K sin L. With ``limits``
        their priors are counted in. A parameter that the data leave free has ``inf`` on the
        diagonal.
        """
        stiffness = np.zeros(2) if limits is None else limits.arrays()[1]
        information: Array = gauss_newton(
            velocities.times_days,
            1.0 / (velocities.variances + self.jitter_ms**2),
            velocities.instruments,
            velocities.n_instruments,
            self.shape,
            self.amplitudes,
            stiffness,
        )
        scale = np.sqrt(np.diag(information))
        dead = ~(scale > 0.0)
        scale[dead] = 1.0
        values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
        free = values <= 1e-12
        inverse: Array = (vectors[:, ~free] / values[~free]) @ vectors[:, ~free].T
        inverse /= np.outer(scale, scale)
        loose = dead | ((vectors[:, free] ** 2).sum(axis=1) > 1e-6)
        inverse[loose, loose] = math.inf
        return inverse


def fit(
    velocities: Velocities,
    start: Array,
    limits: Limits,
    *,
    jitter: bool = False,
    jitter_ms: float = 0.0,
    tolerance: float = 1e-6,
    max_steps: int = 100,
) -> Fit:
    """The optimum that a search from ``start`` (shape parameters, (n_planets, 3)) ends in.

    ``jitter_ms`` is added to the errors in quadrature; with ``jitter`` it is only the start, and
    the most likely one is found in turn with the orbits.
    """
    bounds, stiffness = limits.arrays()
    shape = limits.inside(start)
    extra = jitter_ms**2
    enough = 0.01 / math.sqrt(len(velocities))
    for _ in range(MAX_JITTER_ROUNDS if jitter else 1):
        variances = velocities.variances + extra
        weights = 1.0 / variances
        roots = np.sqrt(weights)
        rvs = without_offsets(
            velocities.rvs_ms, weights, velocities.instruments, velocities.n_instruments
        )
        if len(shape):
            shape, amplitudes, residuals, cost = minimise(
                velocities.times_days, rvs * roots, weights, velocities.instruments,
                velocities.n_instruments, shape, bounds, stiffness, tolerance, max_steps,
            )  # fmt: skip
            residuals = residuals / roots
        else:
            amplitudes, residuals = np.empty(0), rvs
            cost = float(np.sum(residuals**2 * weights))
        used = extra
        if jitter:
            extra = float(most_likely_extra_variance(residuals, velocities.variances))
            # Less than this changes the mean log variance by a hundredth of its own error.
            if abs(extra - used) <= enough * float(np.mean(variances)):
                break
    chi2 = float(np.sum(residuals**2 * weights))
    log_likelihood = -0.5 * (chi2 + float(np.sum(np.log(TWO_PI * variances))))
    return Fit(shape, amplitudes, residuals, math.sqrt(used), log_likelihood, chi2, cost)
