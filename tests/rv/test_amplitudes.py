"""Semi-amplitudes by design: the linearised posterior behind them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ecliptic.rv import amplitudes, orbit
from ecliptic.rv.amplitudes import Sky, derivatives, design_amplitudes, elements_row
from ecliptic.rv.redraw import Redraw
from ecliptic.rv.systems import Orbit

N, SPAN, SIGMA = 200, 400.0, 2.0
TIMES = np.sort(np.random.default_rng(1).uniform(0.0, SPAN, N))
SKY = Sky(TIMES, float(TIMES[0]), np.full(N, SIGMA**2), None, np.ones((N, 1)))


@pytest.mark.parametrize("e", [1e-9, 0.3, 0.75])
@pytest.mark.parametrize("period", [1.1, 30.0])
def test_derivatives_are_those_of_the_curve(period: float, e: float) -> None:
    """K's is the curve itself; a small step along all five gives the curve there."""
    row = elements_row(Orbit(period, e, omega_rad=1.0, l_rad=2.0))
    slopes = derivatives(TIMES, float(TIMES[0]), row)
    curve = orbit.curves(TIMES, float(TIMES[0]), row[np.newaxis])[0]
    assert slopes[:, 1] == pytest.approx(curve, abs=1e-8)
    step = 1e-7 * np.array([period / SPAN, 1.0, 0.3, -0.4, 0.7])
    h, k = e * math.cos(1.0) + step[2], e * math.sin(1.0) + step[3]
    omega = math.atan2(k, h)
    moved = np.array(
        [
            period * math.exp(step[0]),
            math.exp(step[1]),
            math.hypot(h, k),
            omega,
            2.0 + step[4] - omega,
        ]
    )
    change = orbit.curves(TIMES, float(TIMES[0]), moved[np.newaxis])[0] - curve
    assert change == pytest.approx(slopes @ step, abs=2e-3 * np.abs(change).max())


def test_uncertainties_of_a_circular_orbit_are_the_textbook_ones() -> None:
    """sigma_K = sigma sqrt(2 / N), sigma_P = sqrt(6 / N) sigma P^2 / (pi T K)."""
    row = elements_row(Orbit(7.3, 1e-9, l_rad=0.5))
    unit = [derivatives(TIMES, float(TIMES[0]), row)]
    (covariance,) = amplitudes.posterior_covariances(SKY, unit, 0.0)
    assert math.sqrt(covariance[1, 1]) == pytest.approx(SIGMA * math.sqrt(2 / N), rel=0.1)
    expected = math.sqrt(6.0 / N) * SIGMA * 7.3 / (math.pi * SPAN)
    assert math.sqrt(covariance[0, 0]) == pytest.approx(expected, rel=0.15)


ORBITS = [Orbit(7.3, 0.1, 1.0, 2.0), Orbit(61.0, 0.3, 0.5, 4.0)]


def test_the_design_meets_its_targets() -> None:
    design = design_amplitudes(SKY, ORBITS, [0.9, 0.2], 0.5)
    assert design.tolerances == pytest.approx((0.9, 0.2), rel=0.04)
    assert design.activity_ms == 0.0
    assert design.K_ms[1] > 3.0 * design.K_ms[0]


def test_a_strong_planet_has_an_amplitude_of_twenty_sigma() -> None:
    """The design document's rule: a tolerance of 1 lies at about K sqrt(N) / sigma = 22."""
    design = design_amplitudes(SKY, ORBITS[:1], [1.0], 0.5)
    assert 15.0 < design.K_ms[0] * math.sqrt(N) / SIGMA < 30.0


def test_activity_asks_for_stronger_planets_and_scales_with_them() -> None:
    lags = np.abs(TIMES[:, np.newaxis] - TIMES)
    noisy = Sky(SKY.times_days, SKY.t_ref_days, SKY.variance, np.exp(-lags / 9.0), SKY.nuisance)
    quiet, active = (design_amplitudes(sky, ORBITS, [0.5, 0.5], 0.15) for sky in (SKY, noisy))
    assert active.activity_ms == pytest.approx(0.15 * np.median(active.K_ms), rel=1e-3)
    assert min(a / q for a, q in zip(active.K_ms, quiet.K_ms, strict=True)) > 1.0
    assert active.tolerances == pytest.approx((0.5, 0.5), rel=0.04)


def test_an_unresolved_rotation_is_given_up() -> None:
    white = Sky(SKY.times_days, SKY.t_ref_days, SKY.variance, np.eye(N), SKY.nuisance)
    with pytest.raises(Redraw, match="activity too weak"):
        design_amplitudes(white, ORBITS, [0.15, 0.15], 1.0, 0.5)


@pytest.mark.parametrize(
    ("orbits", "message"),
    [
        ([Orbit(7.3, 0.1), Orbit(7.3 * (1 + 1e-12), 0.1)], "do not tell apart"),
        ([Orbit(7.3, 0.1), Orbit(7.32, 0.1)], "amplitude out of range"),
    ],
)
def test_planets_that_are_one_are_given_up(orbits: list[Orbit], message: str) -> None:
    with pytest.raises(Redraw, match=message):
        design_amplitudes(SKY, orbits, [0.2, 0.2], 0.5)
