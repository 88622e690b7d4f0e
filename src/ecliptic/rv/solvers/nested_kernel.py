r"""The quasi-periodic covariance of a star with spots, with known parameters."""

from __future__ import annotations

import math

import numpy as np

from ecliptic.rv.inference.small_matrices import Array


def quasi_periodic_ms2(
    times_days: Array,
    variance_ms2: float,
    rotation_days: float,
    periodic_length: float,
    decay_days: float,
) -> Array:
    r"""Covariance (n, n) in (m/s)^2 at times (n,).

    :math:`a^2 \exp(-[\sin^2(\pi \Delta t / \tau) / \lambda_p^2 + \Delta t^2 / \lambda_e^2] / 2)`
    (Haywood et al. 2014, MNRAS 443, 2517; as in Nelson et al. 2020, AJ 159, 73, eq. 1), with
    a^2 ``variance_ms2``, tau ``rotation_days``, lambda_p ``periodic_length`` and lambda_e
    ``decay_days``. To be handed to :meth:`~ecliptic.rv.solvers.nested_model.NestedModel.of`.
    """
    dt = np.subtract.outer(times_days, times_days)
    periodic = (np.sin(math.pi * dt / rotation_days) / periodic_length) ** 2
    covariance: Array = variance_ms2 * np.exp(-0.5 * (periodic + (dt / decay_days) ** 2))
    return covariance
