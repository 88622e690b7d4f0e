r"""What a fit says of each planet: the Gaussian approximation to the posterior around an optimum.

The Fisher matrix is that of f, x, y, a, b (:mod:`ecliptic.rv.inference.shapes`), in which orbits
are smooth through e = 0; offsets, drifts and trend are marginalised, the noise held (the expected
information has no cross terms). Columns of what is derived: P in days, K in m/s, e, omega, and the
mean longitude l at the reference epoch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ecliptic.rv.inference.fitting import E_MAX, Fit
from ecliptic.rv.inference.shapes import TWO_PI, elements_of
from ecliptic.rv.inference.small_matrices import Array

WEAKEST = 1e-12  # of the scaled Fisher matrix: below this a direction is taken for free


@dataclass(frozen=True, slots=True)
class Posterior:
    """Mean and covariance of shapes and amplitudes.

    ``mean`` has shape (n_planets, 5) with columns f, x, y, a, b; ``covariance`` (5 p, 5 p), with
    ``inf`` on the diagonal where the data leave a parameter free. ``values`` and ``vectors`` are
    the eigenvalues of the Fisher matrix scaled to a unit diagonal by ``scale``.
    """

    mean: Array
    covariance: Array
    reference_days: float
    values: Array
    vectors: Array
    scale: Array

    @classmethod
    def of(cls, fit: Fit) -> Posterior:
        """The posterior of a fit with planets."""
        information = fit.information()
        scale = np.sqrt(np.diag(information))
        dead = ~(scale > 0.0)
        scale = np.where(dead, 1.0, scale)
        values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
        free = values <= WEAKEST
        inverse = (vectors[:, ~free] / values[~free]) @ vectors[:, ~free].T
        inverse /= np.outer(scale, scale)
        loose = dead | ((vectors[:, free] ** 2).sum(axis=1) > 1e-6)
        inverse[loose, loose] = math.inf
        mean = np.column_stack([fit.shape, fit.amplitudes.reshape(-1, 2)])
        return cls(mean, inverse, fit.problem.velocities.reference_days, values, vectors, scale)

    def planet_covariance(self, planet: int) -> Array:
        """Covariance of P, K, e, omega and l of one planet, (5, 5)."""
        f, x, y, a, b = self.mean[planet]
        e, K = max(math.hypot(x, y), 1e-9), max(math.hypot(a, b), 1e-300)
        J = np.zeros((5, 5))
        J[0, 0] = -1.0 / (f * f)
        J[1, 3:] = a / K, b / K
        J[2, 1:3] = x / e, y / e
        turn = b / (K * K), -a / (K * K)  # of L_c = atan2(-b, a)
        J[3, 1:3] = y / (e * e), -x / (e * e)
        J[3, 3:] = J[4, 3:] = turn
        J[4, 0] = TWO_PI * self.reference_days
        block = slice(5 * planet, 5 * planet + 5)
        with np.errstate(invalid="ignore"):
            return J @ self.covariance[block, block] @ J.T

    def sigmas(self) -> Array:
        """Standard deviations of P, K, e, omega and l, (n_planets, 5); ``inf`` where free."""
        rows = []
        for planet in range(len(self.mean)):
            variances = np.diag(self.planet_covariance(planet))
            rows.append(np.sqrt(np.where(np.isfinite(variances), variances, math.inf)))
        return np.reshape(np.array(rows), (-1, 5))

    def draw(self, count: int, rng: np.random.Generator, e_max: float = E_MAX) -> Array:
        """``count`` draws of the elements P, K, e, omega, M0; shape (count, n_planets, 5).

        The eccentricity is cut at ``e_max``, the frequency kept positive.
        """
        p = len(self.mean)
        normals = rng.standard_normal((count, 5 * p))
        steps = (normals / np.sqrt(np.maximum(self.values, WEAKEST))) @ self.vectors.T
        draws = self.mean + (steps / self.scale).reshape(count, p, 5)
        flat = draws.reshape(-1, 5)
        f = np.maximum(flat[:, 0], 1e-3 * np.tile(self.mean[:, 0], count))
        excess = np.maximum(np.hypot(flat[:, 1], flat[:, 2]) / e_max, 1.0)
        shape = np.column_stack([f, flat[:, 1] / excess, flat[:, 2] / excess])
        elements = elements_of(shape, flat[:, 3:].ravel(), self.reference_days)
        return elements.reshape(count, p, 5)
