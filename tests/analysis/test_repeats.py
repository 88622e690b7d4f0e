from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from attempt_rows import attempt
from hypothesis import given
from hypothesis import strategies as st

from ecliptic.analysis import pass_at_k, pass_hat_k, repeated
from ecliptic.errors import UsageError


@given(marks=st.lists(st.booleans(), min_size=1, max_size=8), data=st.data())
def test_both_are_means_over_all_choices_of_k_attempts(
    marks: list[bool], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(marks)))
    chosen = list(combinations(marks, k))
    n, passed = len(marks), sum(marks)
    assert pass_at_k(n, passed, k) == pytest.approx(np.mean([any(c) for c in chosen]))
    assert pass_hat_k(n, passed, k) == pytest.approx(np.mean([all(c) for c in chosen]))


def test_both_are_unbiased() -> None:
    rng = np.random.default_rng(0)
    passed = rng.binomial(10, 0.3, 20_000)
    assert np.mean([pass_at_k(10, int(c), 4) for c in passed]) == pytest.approx(
        1 - 0.7**4, abs=0.005
    )
    assert np.mean([pass_hat_k(10, int(c), 2) for c in passed]) == pytest.approx(0.09, abs=0.005)


def test_tasks_weigh_alike_and_errors_are_no_attempts() -> None:
    rows = [attempt(task="a", passed=p, epoch=i) for i, p in enumerate([True, True, False, None])]
    rows += [attempt(task="b", passed=p, epoch=i) for i, p in enumerate([False, True, False])]
    rows += [attempt(task="c", passed=None)]
    found = repeated(rows, k=2)
    assert found is not None
    assert (found.tasks, found.left_out) == (2, 1)
    assert found.at_least_once == pytest.approx((1.0 + 2 / 3) / 2)
    assert found.every_time == pytest.approx((1 / 3 + 0.0) / 2)
    low, high = found.every_time_interval
    assert low < found.every_time < high
    assert repeated(rows, k=4) is None
    assert repeated([attempt(passed=None)]) is None
    default = repeated(rows)
    assert default is not None
    assert default.k == 3


@pytest.mark.parametrize(("n", "passed", "k"), [(3, 4, 1), (3, 1, 4), (3, 1, 0)])
def test_impossible_counts_are_refused(n: int, passed: int, k: int) -> None:
    for estimate in (pass_at_k, pass_hat_k):
        with pytest.raises(UsageError):
            estimate(n, passed, k)
