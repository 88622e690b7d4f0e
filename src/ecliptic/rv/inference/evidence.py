r"""Evidence of a model by Laplace's approximation.

The posterior in f, x, y, a, b of every planet (:mod:`ecliptic.rv.inference.shapes`), the linear
terms and the noise's theta is taken as a Gaussian around the most likely point:

.. math:: \ln Z = \ln L + \ln \pi + \tfrac{k}{2} \ln 2\pi - \tfrac12 \ln \det H.

Priors (:class:`Priors`), those of Nelson et al. (2020, AJ 159, 73) by default: P log-uniform over
the declared range; K modified Jeffreys, :math:`1 / (K + K_0)` up to a largest one; e Rayleigh, cut
at 1; angles uniform; jitter, and the process's amplitude, modified Jeffreys; offsets uniform. A
drift's or a trend's change over half the time span has the offsets' width. In the
coordinates above, :math:`\pi(f, x, y, a, b) = \pi(\ln P) / f \cdot \pi(e) / 2 \pi e \cdot \pi(K) /
2 \pi K`; where e is not known to be nonzero, e^2 is raised by its variance. Models of n planets
whose labels are exchanged are the same model, and no factor n! is applied: the prior is that of
labelled planets over the whole range each, times n! modes, hence neither appears.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ecliptic.rv.inference.celerite import whiten
from ecliptic.rv.inference.fitting import Fit, whitening
from ecliptic.rv.inference.noise_search import value_and_gradient
from ecliptic.rv.inference.small_matrices import Array

STEP = 1e-4
LN_TWO_PI = math.log(2.0 * math.pi)


@dataclass(frozen=True, slots=True)
class Priors:
    """Widths of the priors; scales in m/s."""

    K_scale_ms: float = 1.0
    K_max_ms: float = 999.0
    e_rayleigh: float = 0.2
    jitter_scale_ms: float = 1.0
    jitter_max_ms: float = 99.0
    offset_half_width_ms: float = 1000.0

    def ln_amplitude(self, K_ms: float) -> float:
        """Log density of K."""
        return _ln_modified_jeffreys(K_ms, self.K_scale_ms, self.K_max_ms)

    def ln_jitter(self, jitter_ms: float) -> float:
        """Log density of a jitter."""
        return _ln_modified_jeffreys(jitter_ms, self.jitter_scale_ms, self.jitter_max_ms)

    def ln_e_density(self, e_square: float) -> float:
        """Log of pi(e) / e."""
        s2 = self.e_rayleigh**2
        return -0.5 * e_square / s2 - math.log(s2) - math.log1p(-math.exp(-0.5 / s2))


def _ln_modified_jeffreys(value: float, scale: float, largest: float) -> float:
    return -math.log(value + scale) - math.log(math.log1p(largest / scale))


def ln_evidence(fit: Fit, priors: Priors | None = None) -> float:
    """ln Z of a fit, natural logarithm."""
    priors = Priors() if priors is None else priors
    ln_prior, ln_determinant, k = _orbits(fit, priors)
    for part in (_linear_terms(fit, priors), _noise(fit, priors)):
        ln_prior += part[0]
        ln_determinant += part[1]
        k += part[2]
    return fit.log_likelihood + ln_prior + 0.5 * k * LN_TWO_PI - 0.5 * ln_determinant


def _orbits(fit: Fit, priors: Priors) -> tuple[float, float, int]:
    if not fit.n_planets:
        return 0.0, 0.0, 0
    fisher = fit.information()
    family = fit.problem.family
    ln_range = math.log(family.period_max_days / family.period_min_days)
    # The prior's own curvature keeps what the data leave free within the prior.
    regular = fisher.copy()
    f_width = 1.0 / family.period_min_days
    for j in range(fit.n_planets):
        regular[5 * j, 5 * j] += 12.0 / f_width**2
        for c in (1, 2):
            regular[5 * j + c, 5 * j + c] += 1.0 / priors.e_rayleigh**2
        for c in (3, 4):
            regular[5 * j + c, 5 * j + c] += 1.0 / priors.K_max_ms**2
    scale = np.sqrt(np.diag(regular))
    unit = regular / np.outer(scale, scale)
    ln_determinant = float(np.linalg.slogdet(unit)[1]) + 2.0 * float(np.log(scale).sum())
    total = 0.0
    for (f, x, y), (a, b) in zip(fit.shape, fit.amplitudes.reshape(-1, 2), strict=True):
        K = math.hypot(a, b)
        total -= math.log(ln_range * f)
        total += priors.ln_e_density(x * x + y * y) - LN_TWO_PI
        total += priors.ln_amplitude(K) - math.log(max(K, 1e-300)) - LN_TWO_PI
    return total, ln_determinant, 5 * fit.n_planets


def _linear_terms(fit: Fit, priors: Priors) -> tuple[float, float, int]:
    basis = _whitened_basis(fit)
    q = basis.shape[1]
    ln_determinant = float(np.linalg.slogdet(basis.T @ basis)[1])
    return -q * math.log(2.0 * priors.offset_half_width_ms), ln_determinant, q


def _whitened_basis(fit: Fit) -> Array:
    A, d, W, _ = whitening(fit.problem, fit.theta)
    U, _, phi = fit.problem.kernel
    basis = fit.problem.basis.copy()
    whiten(basis, A, U, phi, d, W)
    return basis


def _noise(fit: Fit, priors: Priors) -> tuple[float, float, int]:
    """Each noise parameter by one dimension's own integral, which may end at zero."""
    problem, theta = fit.problem, fit.theta
    data, (U, V, phi) = problem.velocities, problem.kernel
    none = np.empty(0)

    def objective(trial: Array) -> float:
        value: float = value_and_gradient(
            trial, problem.floors, fit.residuals_ms, data.variances, data.instruments, U, V, phi,
            none,
        )  # fmt: skip
        return value

    best = objective(theta)
    total = 0.0
    for k, floor in enumerate(problem.floors.tolist()):
        sigmas = np.geomspace(0.03 * math.sqrt(floor), priors.jitter_max_ms, 60)
        density = []
        for sigma in sigmas.tolist():
            trial = theta.copy()
            trial[k] = math.log(sigma * sigma + floor)
            ln_likelihood = -0.5 * (objective(trial) - best)
            density.append(math.exp(min(ln_likelihood + priors.ln_jitter(sigma), 500.0)))
        total += math.log(max(float(np.trapezoid(density, sigmas)), 1e-300))
    return total, 0.0, 0
