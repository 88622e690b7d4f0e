from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from ecliptic.analysis import (
    clustered_interval,
    clustered_standard_error,
    rate_interval,
    wilson_interval,
)
from ecliptic.errors import UsageError

ROWS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6)), min_size=3, max_size=60)


@given(rows=ROWS.filter(lambda rows: len({c for _, c in rows}) > 1))
def test_standard_error_agrees_with_statsmodels(rows: list[tuple[float, int]]) -> None:
    values, clusters = (np.array(column) for column in zip(*rows, strict=True))
    fit = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": True}
    )
    own = clustered_standard_error(values.tolist(), clusters.tolist())
    assert own == pytest.approx(float(fit.bse[0]), rel=1e-6, abs=1e-9)


def test_clusters_of_one_give_the_usual_standard_error() -> None:
    values = [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]
    expected = np.std(values, ddof=1) / np.sqrt(len(values))
    assert clustered_standard_error(values, range(7)) == pytest.approx(expected)


def test_repeating_each_value_adds_no_information() -> None:
    values = [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]
    once = clustered_interval(values, range(8))
    thrice = clustered_interval(values * 3, [*range(8)] * 3)
    assert thrice == pytest.approx(once, rel=1e-9)
    low, high = wilson_interval(15, 24)
    assert thrice[1] - thrice[0] > 1.4 * (high - low)


@pytest.mark.parametrize(("value", "expected"), [(1.0, (20, 20)), (0.0, (0, 20))])
def test_without_a_spread_clusters_are_what_counts(value: float, expected: tuple[int, int]) -> None:
    interval = clustered_interval([value] * 60, [*range(20)] * 3)
    assert interval == wilson_interval(*expected)


def test_where_every_cluster_is_half_passed_the_interval_still_has_a_width() -> None:
    low, high = clustered_interval([1.0, 0.0] * 10, [i // 2 for i in range(20)])
    assert 0.2 < low < 0.4
    assert 0.6 < high < 0.8


def test_rate_interval_takes_the_simplest_that_is_right() -> None:
    assert rate_interval([1, 0, 1], "abc") == wilson_interval(2, 3)
    assert rate_interval([1, 0, 1], "aab") == clustered_interval([1, 0, 1], "aab")
    assert rate_interval([1, 0], "aa") == (0.0, 1.0)


def test_mistakes_are_told() -> None:
    with pytest.raises(UsageError, match="2 values but 1 clusters"):
        clustered_standard_error([1, 0], "a")
    with pytest.raises(UsageError, match="from 0 to 1"):
        clustered_interval([1, 2], "ab")
