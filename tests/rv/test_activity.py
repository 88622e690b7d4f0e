"""The process of a spotted star and the indicators that carry it."""

from __future__ import annotations

import numpy as np
import pytest
from celerite2 import terms

from ecliptic.rv.activity import (
    Kernel,
    Process,
    clear_of,
    draw_indicators,
    draw_process,
    rotation_correlation,
)
from ecliptic.rv.redraw import Redraw
from ecliptic.rv.tasks import RotationGP

GP = RotationGP(sigma_ms=1.0, period_days=17.0, Q0=2.0, dQ=0.7, f=0.4)


def process(kernel: Kernel) -> Process:
    return Process(kernel=kernel, period_days=17.0, gp=GP, length_days=25.0, width=0.5)


def test_the_rotation_term_is_celerites() -> None:
    lags = np.linspace(0.0, 90.0, 400)
    term = terms.RotationTerm(sigma=1.0, period=17.0, Q0=2.0, dQ=0.7, f=0.4)
    assert rotation_correlation(GP, lags) == pytest.approx(term.get_value(lags), abs=1e-12)


@pytest.mark.parametrize("kernel", ["rotation", "matern32", "quasi_periodic"])
def test_draws_have_the_stated_correlation(kernel: Kernel) -> None:
    times = np.array([0.0, 1.0, 4.0, 8.5, 17.0, 40.0])
    normals = np.random.default_rng(4).standard_normal((6, 40_000))
    drawn = process(kernel).draw(times, normals)
    assert np.cov(drawn) == pytest.approx(process(kernel).correlation(times), abs=0.03)


@pytest.mark.parametrize("kernel", ["rotation", "matern32", "quasi_periodic"])
def test_indicators_share_the_process_by_rho(kernel: Kernel) -> None:
    times = 1000.0 * np.arange(1200)  # so far apart that points are independent
    rng = np.random.default_rng(5)
    shared = process(kernel).draw(times, rng.standard_normal((1200, 1)))[:, 0]
    indicators, made = draw_indicators(process(kernel), 3.0, times, np.ones(1200), shared, rng, rng)
    assert [each.name for each in indicators] == ["fwhm", "bisector"]
    for each in indicators:
        rho, amplitude = made[each.name]["rho"], made[each.name]["amplitude_ms"]
        total = np.sqrt(amplitude**2 + np.mean(each.sigmas_ms**2))
        expected = rho * amplitude / total
        assert np.corrcoef(each.values_ms, shared)[0, 1] == pytest.approx(expected, abs=0.08)
        assert np.std(each.values_ms) == pytest.approx(total, rel=0.08)


def test_indicators_have_the_kernel_of_the_velocities() -> None:
    """Over many pairs of points the correlation in a pair is the kernel's."""
    lag, pairs = 5.0, 4000
    times = np.repeat(1000.0 * np.arange(pairs), 2) + np.tile([0.0, lag], pairs)
    rng = np.random.default_rng(6)
    shared = process("rotation").draw(times, rng.standard_normal((times.size, 1)))[:, 0]
    sigmas = np.ones(times.size)
    indicators, made = draw_indicators(process("rotation"), 1.0, times, sigmas, shared, rng, rng)
    expected = float(rotation_correlation(GP, np.array([lag]))[0])
    for each in indicators:
        product = np.mean(each.values_ms[0::2] * each.values_ms[1::2])
        correlation = product / made[each.name]["amplitude_ms"] ** 2
        assert correlation == pytest.approx(expected, abs=0.07)


def test_rotation_keeps_away_from_planets_or_sits_on_one() -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        free = draw_process(rng, [12.0, 25.0], None).period_days
        assert clear_of(12.0, free)
        assert clear_of(25.0, free)
        spots = draw_process(rng, [12.0, 300.0], "spots").period_days
        assert not clear_of(12.0, spots)


def test_without_a_planet_near_a_rotation_there_are_no_spots_near_it() -> None:
    with pytest.raises(Redraw, match="no planet near a rotation"):
        draw_process(np.random.default_rng(8), [1.1, 500.0], "spots")
