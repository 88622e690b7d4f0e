r"""Noise of a velocity series: quoted errors, jitter, and rotation of a spotted star.

Each draw takes its own numpy ``Generator``; give each kind of noise its own stream, so that one
more draw of one kind leaves the others as they were.

The rotation process is celerite2's ``RotationTerm`` (Foreman-Mackey et al. 2017, AJ 154, 220;
Foreman-Mackey 2018, RNAAS 2, 31): two stochastically driven, damped oscillators at the rotation
period and at half of it, with the covariance

.. math::
   k(\tau) = \frac{\sigma^2}{1 + f} [\kappa_1(\tau) + f \kappa_2(\tau)], \qquad
   \kappa_j(\tau) = e^{-\omega_j \tau / 2 Q_j} \Bigl[\cos \eta_j \tau
       + \frac{\omega_j}{2 Q_j \eta_j} \sin \eta_j \tau\Bigr]

where :math:`Q_1 = 1/2 + Q_0 + dQ`, :math:`Q_2 = 1/2 + Q_0`, :math:`\eta_1 = 2 \pi / P`,
:math:`\eta_2 = 4 \pi / P` and :math:`\omega_j = 2 Q_j \eta_j / \sqrt{4 Q_j^2 - 1}`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecliptic.errors import UsageError
from ecliptic.rv.tasks import RotationGP

NUGGET = 1e-12
"""White variance, in units of the process's, that keeps points at (almost) one time factorable."""


def draw_white_ms(sigmas_ms: ArrayLike, rng: np.random.Generator) -> NDArray[np.float64]:
    """Independent Gaussian noise in m/s with the standard deviations ``sigmas_ms``, shape (n,)."""
    sigmas = np.asarray(sigmas_ms, dtype=np.float64)
    _require(bool((sigmas >= 0.0).all()), "sigmas_ms: must be >= 0")
    return sigmas * rng.standard_normal(sigmas.shape)


def draw_jitter_ms(sigma_jitter_ms: float, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """``n`` independent Gaussian draws in m/s of the same standard deviation.

    The stream advances by ``n`` normal deviates whatever the jitter, zero included.
    """
    _require(sigma_jitter_ms >= 0.0, f"sigma_jitter_ms: must be >= 0, not {sigma_jitter_ms:g}")
    return sigma_jitter_ms * rng.standard_normal(n)


def draw_rotation_gp_ms(
    gp: RotationGP, times_days: ArrayLike, rng: np.random.Generator
) -> NDArray[np.float64]:
    """One realisation in m/s of the rotation process at ``times_days``, shape (n,).

    The times may not decrease. The covariance is exact up to the relative variance
    :data:`NUGGET`; time and memory grow as n.

    Raises
    ------
    UsageError
        The times decrease, are not finite or not one-dimensional.
    """
    times = np.ascontiguousarray(times_days, dtype=np.float64)
    return correlate_rotation_gp(gp, times, rng.standard_normal((times.size, 1)))[:, 0]


def correlate_rotation_gp(
    gp: RotationGP, times_days: NDArray[np.float64], normals: NDArray[np.float64]
) -> NDArray[np.float64]:
    """``L @ normals`` with the Cholesky factor of the process's covariance ``K = L L^T``.

    ``times_days`` has shape (n,), ``normals`` (n, m); the result is in m/s, shape (n, m).
    """
    from celerite2 import driver, terms

    _require(times_days.ndim == 1, "times_days: must be a flat list")
    _require(
        bool(np.isfinite(times_days).all()) and bool((np.diff(times_days) >= 0.0).all()),
        "times_days: must be finite and must not decrease",
    )
    if times_days.size == 0:
        return np.zeros_like(normals)
    term = terms.RotationTerm(sigma=gp.sigma_ms, period=gp.period_days, Q0=gp.Q0, dQ=gp.dQ, f=gp.f)
    # The term's matrices and the compiled driver, as celerite2.GaussianProcess uses them, without
    # its checks and its likelihood: half the time at n = 60.
    nugget = np.full(times_days.size, NUGGET * gp.sigma_ms**2)
    c, a, U, V = term.get_celerite_matrices(times_days, nugget)
    d, W = driver.factor(times_days, c, a, U, V, a, V.copy())  # K = (1 + U W^T) d (1 + U W^T)^T
    scaled = normals * np.sqrt(d)[:, np.newaxis]
    drawn: NDArray[np.float64] = driver.matmul_lower(times_days, c, U, W, scaled, scaled.copy())
    return drawn


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise UsageError(message)
