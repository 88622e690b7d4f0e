r"""Activity of a rotating, spotted star: the process in the velocities and in the indicators.

The velocities hold :math:`\sigma g(t)` with :math:`g` a draw of unit variance. An indicator of
amplitude :math:`a` is

.. math:: a\,[\rho\, g(t) + \sqrt{1 - \rho^2}\; h(t)]

plus white noise of its own, with :math:`h` an independent draw of the same kernel and
:math:`\rho` from 0.4 to 0.8: the shape of the kernel can be learnt from it, the velocities cannot
be read off it. The kernel is celerite2's rotation term (:mod:`ecliptic.rv.noise`), or in labelled
variants one that no declared family holds:

.. math::
   k_{3/2}(\tau) = \Bigl(1 + \frac{\sqrt 3\, \tau}{\ell}\Bigr) e^{-\sqrt 3\, \tau / \ell}, \qquad
   k_\mathrm{qp}(\tau) = \exp\Bigl[-\frac{\tau^2}{2 \ell^2}
       - \frac{\sin^2(\pi \tau / P)}{2 w^2}\Bigr]

(Rasmussen & Williams 2006, eq. 4.17; Haywood et al. 2014, eq. 5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv import noise, priors
from ecliptic.rv.redraw import Redraw
from ecliptic.rv.structures import Variant
from ecliptic.rv.tasks import Indicator, RotationGP

Array = NDArray[np.float64]
Kernel = Literal["rotation", "matern32", "quasi_periodic"]
PERIOD_DAYS = (8.0, 40.0)
Q0 = (1.0, 8.0)
DQ = (0.05, 2.0)
F = (0.1, 1.0)
LENGTH_IN_PERIODS = (0.8, 2.5)
WIDTH = (0.35, 0.8)
RHO = (0.4, 0.8)
NEAREST = 0.12
"""A planet's period keeps this far, in ln, from the star's rotation and half of it."""
NEAR_SPOTS = (0.02, 0.08)
INDICATORS = (("fwhm", (2.0, 4.0), 1.0), ("bisector", (0.5, 1.2), -1.0))
"""Name, amplitude over that of the velocities, sign."""
AMPLITUDE_TO_ERROR = (2.0, 5.0)
VALUE_DIGITS = 3
_NUGGET = 1e-6  # in units of the process; keeps the last bits of a smooth kernel's factor harmless
_TRIES = 200


@dataclass(frozen=True, slots=True)
class Process:
    """A kernel of unit variance; ``gp`` holds its shape where it is the rotation term."""

    kernel: Kernel
    period_days: float
    gp: RotationGP
    length_days: float
    width: float

    def correlation(self, times_days: Array) -> Array:
        """Correlation of the process at all pairs of times, shape (n, n)."""
        tau = np.abs(times_days[:, np.newaxis] - times_days)
        if self.kernel == "rotation":
            return rotation_correlation(self.gp, tau)
        if self.kernel == "matern32":
            x = math.sqrt(3.0) * tau / self.length_days
            matern: Array = (1.0 + x) * np.exp(-x)
            return matern
        sine = np.sin(math.pi * tau / self.period_days) / self.width
        periodic: Array = np.exp(-0.5 * (tau / self.length_days) ** 2 - 0.5 * sine**2)
        return periodic

    def draw(self, times_days: Array, normals: Array) -> Array:
        """Realisations of unit variance; ``normals`` and the result have shape (n, m)."""
        if self.kernel == "rotation":
            return noise.correlate_rotation_gp(self.gp, times_days, normals)
        covariance = self.correlation(times_days) + _NUGGET * np.eye(times_days.size)
        drawn: Array = np.linalg.cholesky(covariance) @ normals
        return drawn

    def describe(self, amplitude_ms: float) -> dict[str, Any]:
        """The process for the sealed part."""
        shape = {"rotation": ("period_days",), "matern32": ("length_days",)}.get(
            self.kernel, ("period_days", "length_days", "width")
        )
        return {
            "kernel": self.kernel,
            "sigma_ms": amplitude_ms,
            **{name: getattr(self, name) for name in shape},
        }


def rotation_correlation(gp: RotationGP, lags_days: Array) -> Array:
    """The rotation term at lags >= 0 for an amplitude of 1 (formula in ``rv.noise``)."""
    total = np.zeros_like(lags_days)
    for period, Q, share in (
        (gp.period_days, 0.5 + gp.Q0 + gp.dQ, 1.0),
        (0.5 * gp.period_days, 0.5 + gp.Q0, gp.f),
    ):
        eta = math.tau / period
        damping = eta / math.sqrt(4.0 * Q * Q - 1.0)
        total += (
            share
            * np.exp(-damping * lags_days)
            * (np.cos(eta * lags_days) + damping / eta * np.sin(eta * lags_days))
        )
    correlation: Array = total / (1.0 + gp.f)
    return correlation


def draw_process(
    rng: np.random.Generator, periods_days: Sequence[float], variant: Variant | None
) -> Process:
    """Shape of the process, away from the planets' periods, or next to one for ``spots``.

    Raises
    ------
    Redraw
        The planets leave no room.
    """
    u = rng.random(5).tolist()
    kernel: Kernel = variant if variant in ("matern32", "quasi_periodic") else "rotation"
    near = variant == "spots"
    period = _near(rng, periods_days) if near else _away(rng, periods_days)
    period = priors.significant(period)
    return Process(
        kernel=kernel,
        period_days=period,
        gp=RotationGP(
            sigma_ms=1.0,
            period_days=period,
            Q0=priors.significant(_log_between(u[0], Q0)),
            dQ=priors.significant(_log_between(u[1], DQ)),
            f=priors.significant(_log_between(u[2], F)),
        ),
        length_days=priors.significant(period * _log_between(u[3], LENGTH_IN_PERIODS)),
        width=priors.significant(_log_between(u[4], WIDTH)),
    )


def draw_indicators(
    process: Process,
    amplitude_ms: float,
    times_days: Array,
    sigmas_ms: Array,
    shared: Array,
    rng: np.random.Generator,
    white: np.random.Generator,
) -> tuple[tuple[Indicator, ...], dict[str, dict[str, float]]]:
    """Indicators that carry ``shared``, the draw g of the velocities, and how they were made."""
    indicators, made = [], {}
    for name, to_velocities, sign in INDICATORS:
        rho, amount, quality = rng.random(3).tolist()
        rho = round(_between(rho, RHO), 4)
        amplitude = sign * amplitude_ms * _between(amount, to_velocities)
        other = process.draw(times_days, rng.standard_normal((times_days.size, 1)))[:, 0]
        level = abs(amplitude) / _between(quality, AMPLITUDE_TO_ERROR)
        errors = np.maximum(np.round(level * sigmas_ms / np.median(sigmas_ms), VALUE_DIGITS), 0.01)
        values = amplitude * (rho * shared + math.sqrt(1.0 - rho * rho) * other)
        values = values + noise.draw_white_ms(errors, white)
        indicators.append(
            Indicator(name=name, values_ms=np.round(values, VALUE_DIGITS), sigmas_ms=errors)
        )
        made[name] = {"rho": rho, "amplitude_ms": priors.significant(amplitude)}
    return tuple(indicators), made


def clear_of(period_days: float, rotation_days: float) -> bool:
    """Whether a planet's period keeps away from the rotation and from half of it."""
    return all(
        abs(math.log(period_days / harmonic)) > NEAREST
        for harmonic in (rotation_days, 0.5 * rotation_days)
    )


def _away(rng: np.random.Generator, periods_days: Sequence[float]) -> float:
    for _ in range(_TRIES):
        period = _log_between(rng.random(), PERIOD_DAYS)
        if all(clear_of(planet, period) for planet in periods_days):
            return period
    raise Redraw("no room for the rotation")


def _near(rng: np.random.Generator, periods_days: Sequence[float]) -> float:
    candidates = [
        order * planet
        for planet in periods_days
        for order in (1.0, 2.0)
        if PERIOD_DAYS[0] <= order * planet <= PERIOD_DAYS[1]
    ]
    if not candidates:
        raise Redraw("no planet near a rotation")
    which, offset, sign = rng.random(3).tolist()
    period = candidates[int(which * len(candidates))]
    return period * (1.0 + _between(offset, NEAR_SPOTS) * (1.0 if sign < 0.5 else -1.0))


def _between(u: float, bounds: tuple[float, float]) -> float:
    return bounds[0] + u * (bounds[1] - bounds[0])


def _log_between(u: float, bounds: tuple[float, float]) -> float:
    return float(bounds[0] * (bounds[1] / bounds[0]) ** u)
