from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from ecliptic.analysis import wilson_interval
from ecliptic.errors import UsageError


@given(
    n=st.integers(1, 10_000),
    share=st.floats(0, 1),
    confidence=st.floats(0.5, 0.999),
)
def test_agrees_with_scipy(n: int, share: float, confidence: float) -> None:
    passed = round(share * n)
    expected = binomtest(passed, n).proportion_ci(confidence, method="wilson")
    assert wilson_interval(passed, n, confidence) == pytest.approx(
        (expected.low, expected.high), rel=1e-9, abs=1e-12
    )


@given(n=st.integers(1, 1000), share=st.floats(0, 1))
def test_holds_the_rate_and_stays_a_probability(n: int, share: float) -> None:
    passed = round(share * n)
    low, high = wilson_interval(passed, n)
    assert 0 <= low <= passed / n <= high <= 1
    assert low < high
    mirrored = wilson_interval(n - passed, n)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_published_example() -> None:
    # Newcombe 1998, Statistics in Medicine 17, 857, table I: 81 of 263 and 0 of 20.
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)


def test_nothing_tried_nothing_known() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("passed", "n", "confidence"), [(3, 2, 0.95), (-1, 2, 0.95), (1, 2, 0.0), (1, 2, 1.0)]
)
def test_impossible_counts(passed: int, n: int, confidence: float) -> None:
    with pytest.raises(UsageError):
        wilson_interval(passed, n, confidence)
