from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar as reference
from statsmodels.stats.multitest import multipletests

from ecliptic.analysis import bootstrap_interval, holm, mcnemar, sign_flip
from ecliptic.errors import UsageError


@given(b=st.integers(0, 2000), c=st.integers(0, 2000))
def test_mcnemar_agrees_with_statsmodels_and_scipy(b: int, c: int) -> None:
    own = mcnemar(b, c)
    assert own == pytest.approx(float(reference([[0, b], [c, 0]], exact=True).pvalue), rel=1e-6)
    if b + c:
        assert own == pytest.approx(float(binomtest(b, b + c).pvalue), rel=1e-6)


@given(marks=st.lists(st.sampled_from([-1.0, 0.0, 1.0]), max_size=80))
def test_with_independent_tasks_sign_flips_are_mcnemar(marks: list[float]) -> None:
    own = sign_flip(marks, range(len(marks)))
    assert own == pytest.approx(mcnemar(marks.count(1.0), marks.count(-1.0)), rel=1e-9)


@given(
    rows=st.lists(
        st.tuples(st.sampled_from([-1.0, -2 / 3, -0.25, 0.0, 0.5, 1 / 3]), st.integers(0, 7)),
        min_size=1,
        max_size=25,
    )
)
@settings(max_examples=50)
def test_sign_flips_count_all_signs(rows: list[tuple[float, int]]) -> None:
    differences, clusters = zip(*rows, strict=True)
    names = sorted(set(clusters))
    sums = [sum(d for d, c in rows if c == name) for name in names]
    totals = [
        abs(sum(sign * one for sign, one in zip(signs, sums, strict=True)))
        for signs in product((1, -1), repeat=len(sums))
    ]
    expected = np.mean([total >= abs(sum(sums)) - 1e-9 for total in totals])
    assert sign_flip(differences, clusters) == pytest.approx(float(expected), rel=1e-9)


def test_sums_without_a_common_part_are_drawn() -> None:
    rng = np.random.default_rng(0)
    differences = (rng.normal(0.3, 1.0, 16)).tolist()
    signs = np.array(list(product((1, -1), repeat=16)))
    expected = np.mean(np.abs(signs @ differences) >= abs(sum(differences)) - 1e-9)
    assert sign_flip(differences, range(16)) == pytest.approx(float(expected), abs=0.005)


def test_repeats_on_a_few_tasks_prove_little() -> None:
    """Twelve attempts on three tasks are three, which no test can settle."""
    differences, clusters = [1.0] * 12, [i // 4 for i in range(12)]
    assert mcnemar(12, 0) < 0.001
    assert sign_flip(differences, clusters) == 0.25


@settings(max_examples=25)
@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_agrees_with_statsmodels(p: list[float]) -> None:
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1].tolist(), abs=1e-12)


def test_the_bootstrap_is_near_the_normal_interval_for_many_tasks() -> None:
    rng = np.random.default_rng(1)
    differences = rng.choice([-1.0, 0.0, 1.0], 2000, p=[0.1, 0.7, 0.2])
    low, high = bootstrap_interval(differences.tolist(), range(2000))
    half = 1.96 * differences.std() / np.sqrt(2000)
    assert (low, high) == pytest.approx(
        (differences.mean() - half, differences.mean() + half), abs=0.002
    )


def test_the_bootstrap_is_the_same_every_time_and_knows_no_certainty() -> None:
    marks = [1.0, 0.0, 0.0, -1.0, 1.0, 1.0]
    assert bootstrap_interval(marks, range(6)) == bootstrap_interval(marks, range(6))
    low, high = bootstrap_interval([0.0] * 10, range(10))
    assert low == -high
    assert 0.2 < high < 0.4
    assert bootstrap_interval([1.0, 1.0], "aa") == (-1.0, 1.0)


@pytest.mark.parametrize(
    ("differences", "clusters"),
    [([1.0] * 3, "abc"), ([-0.5] * 4, "abcd"), ([1.0, -1.0] * 3, "aabbcc")],
)
def test_an_interval_has_width_where_all_clusters_say_the_same(
    differences: list[float], clusters: str
) -> None:
    low, high = bootstrap_interval(differences, clusters)
    mean = sum(differences) / len(differences)
    assert -1.0 <= low <= mean <= high <= 1.0
    assert high - low > 0.4


def test_mistakes_are_told() -> None:
    with pytest.raises(UsageError, match="negative"):
        mcnemar(-1, 2)
    with pytest.raises(UsageError, match="from 0 to 1"):
        holm([0.5, 1.2])
