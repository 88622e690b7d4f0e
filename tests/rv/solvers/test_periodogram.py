"""The periodogram against astropy's, and its peaks."""

from __future__ import annotations

import numpy as np
import pytest
from astropy.timeseries import LombScargle

from ecliptic.rv.inference.periodogram import MAX_FREQUENCIES, Periodogram, periodogram


def test_power_is_astropys() -> None:
    rng = np.random.default_rng(5)
    times = np.sort(rng.uniform(0.0, 150.0, 70))
    sigmas = rng.uniform(0.5, 2.0, 70)
    rvs = 400.0 + 3.0 * np.sin(2.0 * np.pi * times / 17.0) + sigmas * rng.standard_normal(70)
    ours = periodogram(times, rvs, sigmas**2, 1.1, 600.0)
    reference = LombScargle(times, rvs, sigmas, fit_mean=True, normalization="standard")
    expected = reference.power(ours.frequencies, method="slow")
    np.testing.assert_allclose(ours.power, expected, atol=1e-7)
    assert ours.frequencies[0] == pytest.approx(1.0 / 600.0)
    assert ours.frequencies[-1] == pytest.approx(1.0 / 1.1, abs=1.0 / (8.0 * 149.0))


def test_peaks_are_the_highest_maxima_in_order_and_apart() -> None:
    rng = np.random.default_rng(6)
    times = np.sort(rng.uniform(0.0, 300.0, 200))
    rvs = 9.0 * np.sin(2.0 * np.pi * times / 11.0) + 5.0 * np.sin(2.0 * np.pi * times / 41.0)
    peaks = periodogram(times, rvs, np.ones(200), 2.0, 1000.0).peaks(6)
    # The side lobes of one move the peak of the other by a fraction of the resolution.
    np.testing.assert_allclose(peaks[:2], [1.0 / 11.0, 1.0 / 41.0], rtol=0, atol=0.1 / 300.0)
    gaps = np.abs(np.subtract.outer(peaks, peaks))[~np.eye(6, dtype=bool)]
    assert gaps.min() >= 0.5 / (times[-1] - times[0])


def test_a_trend_peaks_at_the_longest_period() -> None:
    times = np.linspace(0.0, 100.0, 60)
    peaks = periodogram(times, 0.3 * times, np.ones(60), 2.0, 400.0).peaks(1)
    assert 1.0 / peaks[0] > 100.0


@pytest.mark.parametrize(
    ("times", "rvs", "longest"),
    [
        ([0.0, 1.0, 2.0], [1.0, 2.0, 1.0], 10.0),
        ([1.0, 1.0, 1.0, 1.0], [1.0, 2.0, 1.0, 0.0], 10.0),
        ([0.0, 1.0, 2.0, 3.0], [2.0, 2.0, 2.0, 2.0], 10.0),
        ([0.0, 1.0, 2.0, 3.0], [1.0, 2.0, 1.0, 0.0], 2.0),
    ],
    ids=["three points", "no span", "no variation", "no period"],
)
def test_empty_where_nothing_can_be_said(
    times: list[float], rvs: list[float], longest: float
) -> None:
    power = periodogram(np.array(times), np.array(rvs), np.ones(len(times)), 2.0, longest)
    assert len(power.frequencies) == len(power.power) == 0
    assert len(power.peaks(3)) == 0


def test_a_very_long_span_leaves_out_the_shortest_periods() -> None:
    times = np.linspace(0.0, 1e7, 50)
    power = periodogram(times, np.sin(times), np.ones(50), 1.1, 4e7)
    assert len(power.power) == MAX_FREQUENCIES
    assert power.frequencies[0] == pytest.approx(2.5e-8)
    assert power.frequencies[-1] < 1.0 / 1.1


def test_vertex_of_a_parabola_is_exact() -> None:
    frequencies = np.arange(10) * 0.1
    curve = Periodogram(frequencies, 1.0 - (frequencies - 0.437) ** 2, 0.1)
    assert curve.peaks(1)[0] == pytest.approx(0.437, abs=1e-12)
