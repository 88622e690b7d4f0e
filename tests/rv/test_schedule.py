from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ecliptic.rv.schedule import draw_uniform_times_days

PERIOD_DAYS = 12.5


@pytest.fixture(scope="module")
def schedules() -> list[np.ndarray]:
    rng = np.random.default_rng(8)
    return [draw_uniform_times_days(rng, PERIOD_DAYS) for _ in range(3000)]


def test_number_of_times_is_uniform_from_30_to_100(schedules: list[np.ndarray]) -> None:
    counts = np.bincount([len(times) for times in schedules], minlength=101)
    assert counts[:30].sum() == 0
    assert len(counts) == 101
    assert stats.chisquare(counts[30:]).pvalue > 1e-3


def test_span_is_uniform_over_2_to_4_periods(schedules: list[np.ndarray]) -> None:
    # The largest of n uniform times is at span * n / (n + 1) on average.
    spans = np.array([times[-1] * (len(times) + 1) / len(times) for times in schedules])
    assert max(times[-1] for times in schedules) <= 4.0 * PERIOD_DAYS
    periods = spans / PERIOD_DAYS
    assert periods.mean() == pytest.approx(3.0, abs=4 * 0.58 / np.sqrt(3000))
    assert periods.std() == pytest.approx(2.0 / np.sqrt(12.0), rel=0.05)


def test_times_are_uniform_within_the_span(schedules: list[np.ndarray]) -> None:
    # Between the first and the last, the others are uniform, whatever the span.
    inside = [(times[1:-1] - times[0]) / (times[-1] - times[0]) for times in schedules[:300]]
    assert stats.kstest(np.concatenate(inside), "uniform").pvalue > 1e-3


def test_times_are_multiples_of_a_microday(schedules: list[np.ndarray]) -> None:
    times = np.concatenate(schedules)
    assert (times == np.rint(times * 1e6) / 1e6).all()
    assert times.min() >= 0.0


@pytest.mark.parametrize("period_days", [1e-5, 1e-4, 2.0, 300.0])
def test_times_strictly_increase_even_where_they_coincide(period_days: float) -> None:
    rng = np.random.default_rng(9)
    for _ in range(200):
        times = draw_uniform_times_days(rng, period_days)
        assert (np.diff(times) > 0.0).all()
        assert (times == np.rint(times * 1e6) / 1e6).all()
