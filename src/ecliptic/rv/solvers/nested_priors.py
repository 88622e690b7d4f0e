r"""Priors of the nested solver as maps from the unit cube, and their exact form in K.

With :class:`~ecliptic.rv.inference.evidence.Priors`: P log-uniform; K modified Jeffreys, density
:math:`1 / (K_0 + K)` up to a largest one; e Rayleigh, cut at 1; angles uniform; jitters and the
process's amplitude modified Jeffreys; linear terms uniform. A Rayleigh e with a uniform angle makes
:math:`x = e \cos M_c, y = e \sin M_c` independent Gaussians.

The likelihood wants Gaussian amplitudes, :math:`a, b \sim N(0, \tau^2)`, hence K Rayleigh with
scale tau. With tau modified Jeffreys of scale :math:`K_0 \sqrt{\pi / 2}` the mixture

.. math:: p_{mix}(K) = \int g(\tau) \frac{K}{\tau^2} e^{-K^2 / 2 \tau^2} d\tau

equals the modified Jeffreys prior at both ends and is a few per cent off between; the mean of
:math:`\prod_j p(K_j) / p_{mix}(K_j)` over the posterior makes the evidence exact
(:func:`ln_ratio_table`).
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ecliptic.rv.inference.evidence import Priors
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.jit import compiled

TAU_SHARE = math.sqrt(0.5 * math.pi)
GAUSS_NODES = 2000
RATIO_NODES = 400


@compiled
def modified_jeffreys(u: float, scale: float, largest: float) -> float:
    """The value below which a share ``u`` of the prior lies."""
    return scale * math.expm1(u * math.log1p(largest / scale))


@compiled
def inverse_normal(u: float) -> float:
    """Quantile of the standard normal distribution, to 1e-9 relative.

    Rational start of Acklam (2003) and one step of Halley's method.
    """
    if u <= 0.0 or u >= 1.0:
        return -40.0 if u <= 0.0 else 40.0
    tail = min(u, 1.0 - u)
    if tail < 0.02425:
        q = math.sqrt(-2.0 * math.log(tail))
        top = -7.784894002430293e-03 * q - 3.223964580411365e-01
        top = ((top * q - 2.400758277161838e00) * q - 2.549732539343734e00) * q
        top = (top + 4.374664141464968e00) * q + 2.938163982698783e00
        low = 7.784695709041462e-03 * q + 3.224671290700398e-01
        low = ((low * q + 2.445134137142996e00) * q + 3.754408661907416e00) * q + 1.0
        z = top / low if u < 0.5 else -top / low
    else:
        q = u - 0.5
        r = q * q
        top = -3.969683028665376e01 * r + 2.209460984245205e02
        top = ((top * r - 2.759285104469687e02) * r + 1.383577518672690e02) * r
        top = (top - 3.066479806614716e01) * r + 2.506628277459239e00
        low = -5.447609879822406e01 * r + 1.615858368580409e02
        low = ((low * r - 1.556989798598866e02) * r + 6.680131188771972e01) * r
        low = (low - 1.328068155288572e01) * r + 1.0
        z = q * top / low
    error = 0.5 * math.erfc(-z / math.sqrt(2.0)) - u
    step = error * math.sqrt(2.0 * math.pi) * math.exp(0.5 * z * z)
    return z - step / (1.0 + 0.5 * z * step)


def widened(priors: Priors, spread_ms: float) -> Priors:
    """The same, wide enough for velocities that scatter by ``spread_ms``."""
    largest = 10.0 * spread_ms
    return replace(
        priors,
        K_max_ms=max(priors.K_max_ms, largest),
        jitter_max_ms=max(priors.jitter_max_ms, largest),
        offset_half_width_ms=max(priors.offset_half_width_ms, largest),
    )


def tau_scale_ms(priors: Priors) -> float:
    """Scale of the prior of tau."""
    return priors.K_scale_ms * TAU_SHARE


def ln_ratio_table(priors: Priors) -> tuple[Array, Array]:
    """ln K and ln of p(K) / p_mix(K), each (400,), from 1e-4 K_0 to the largest K."""
    K = np.geomspace(1e-4 * priors.K_scale_ms, priors.K_max_ms, RATIO_NODES)
    tau_0, tau_max = tau_scale_ms(priors), priors.K_max_ms
    # In z = K / tau the integrand is g(K / z) exp(-z^2 / 2), smooth and the same for every K.
    ln_z = np.linspace(math.log(1e-7), math.log(12.0), GAUSS_NODES)
    z = np.exp(ln_z)
    tau = K[:, np.newaxis] / z
    density = np.where(tau <= tau_max, 1.0 / (tau_0 + tau), 0.0) / math.log1p(tau_max / tau_0)
    mixture = np.trapezoid(density * np.exp(-0.5 * z * z) * z, ln_z, axis=1)
    exact = np.exp([priors.ln_amplitude(value) for value in K.tolist()])
    return np.log(K), np.log(exact / mixture)


def ln_prior_ratios(amplitudes: Array, priors: Priors, table: tuple[Array, Array]) -> Array:
    """ln of the exact prior over the sampled one, (count,), for draws (count, 2 p)."""
    K = np.hypot(amplitudes[:, 0::2], amplitudes[:, 1::2])
    values = np.interp(np.log(np.maximum(K, 1e-300)), *table)
    values[priors.K_max_ms < K] = -np.inf
    total: Array = values.sum(axis=1)
    return total
