"""The distance of planets and their assignment."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ecliptic.rv import matching, orbit
from ecliptic.rv.matching import Matching, distance_terms, distances


def match(distance: Any) -> Matching:
    table = np.array(distance, dtype=float)
    terms = np.zeros((4, *table.shape))
    terms[0] = table
    return matching.match(terms, distances(terms))


def test_the_nearest_are_paired() -> None:
    result = match([[0.1, 2.0, 0.3], [2.0, 0.2, 0.25]])
    assert result.pairs == [(0, 0, 0.1), (1, 1, 0.2)]
    assert (result.unmatched_truth, result.unmatched_guess, result.dropped) == ([], [2], [])
    assert result.score == pytest.approx((math.exp(-0.1) + math.exp(-0.2)) / 2 - 0.25)


def test_the_total_decides_not_the_single_nearest() -> None:
    assert [pair[:2] for pair in match([[0.1, 0.2], [0.15, 3.0]]).pairs] == [(0, 1), (1, 0)]


def test_pairs_beyond_five_are_dropped_from_the_mean() -> None:
    result = match([[0.0, 9.0], [9.0, 5.1]])
    assert result.pairs == [(0, 0, 0.0)]
    assert result.dropped == [(1, 1, 5.1)]
    assert (result.unmatched_truth, result.unmatched_guess) == ([1], [1])
    assert result.score == 1.0
    assert match([[5.0]]).pairs == [(0, 0, 5.0)]


def test_nothing_to_pair() -> None:
    assert match(np.empty((0, 0))).score == 1.0
    assert match(np.empty((2, 0))).score == -0.5
    assert match(np.empty((0, 1))).score == -0.25
    assert match([[7.0]]).score == 0.0
    assert match(np.empty((2, 0))).unmatched_truth == [0, 1]


def test_distances_that_overflow_are_never_preferred() -> None:
    result = match([[math.nan, 0.5], [0.5, math.inf]])
    assert result.pairs == [(0, 1, 0.5), (1, 0, 0.5)]
    assert match([[math.nan]]).score == 0.0


@given(
    st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
        lambda shape: arrays(float, shape, elements=st.floats(0, 8, allow_nan=False))
    )
)
def test_the_assignment_is_the_cheapest(table: Any) -> None:
    result = match(table)
    assigned = sum(d for _, _, d in (*result.pairs, *result.dropped))
    wide = table if table.shape[0] <= table.shape[1] else table.T
    best = min(
        sum(wide[i, j] for i, j in enumerate(columns))
        for columns in itertools.permutations(range(wide.shape[1]), wide.shape[0])
    )
    assert assigned == pytest.approx(best)
    assert len(result.pairs) + len(result.unmatched_truth) == table.shape[0]
    assert len(result.pairs) + len(result.unmatched_guess) == table.shape[1]


def test_the_four_addends() -> None:
    times = np.linspace(0.0, 30.0, 50)
    truth = np.array([[10.0, 5.0, 0.2, 1.0, 0.5], [25.0, 0.0, 0.0, 0.0, 0.0]])
    guess = np.array([[11.0, 7.0, 0.3, 1.2, 0.4]])
    curves_true = orbit.curves(times, 0.0, truth)
    curves_guess = orbit.curves(times, 0.0, guess)
    terms = distance_terms(
        curves_true, truth, truth[:, 2].copy(), curves_guess, guess, guess[:, 2].copy()
    )
    assert terms.shape == (4, 2, 1)
    spread = np.std(curves_true[0] - curves_guess[0])  # the mean difference is removed
    assert terms[:, 0, 0] == pytest.approx(
        [4 * spread / 5.0, math.log(1.1), 0.5 * math.log(1.4), 0.05]
    )
    assert terms[0, 1, 0] == pytest.approx(4 * np.std(curves_guess[0]) / 1e-6)
    assert terms[2, 1, 0] == pytest.approx(0.5 * math.log(7.0 / 1e-6))
