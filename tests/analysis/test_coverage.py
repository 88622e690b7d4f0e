"""Intervals hold the truth as often as they say, tests find what is there: short simulations.

``benchmarks/interval_coverage.py`` makes the large ones. Here each case has so many seeded trials
that three standard errors are one to two points; the seed is fixed, so that it is met or not for
good.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ecliptic.analysis import mcnemar, mcnemar_power, tasks_needed

PLACE = Path(__file__).parents[2] / "benchmarks" / "interval_coverage.py"


@pytest.fixture(scope="module")
def simulations() -> ModuleType:
    spec = importlib.util.spec_from_file_location("coverage_simulations", PLACE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("n", [30, 100])
def test_wilson_holds_the_rate(simulations: ModuleType, n: int) -> None:
    assert simulations.wilson(40_000, n, np.random.default_rng(1)) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.8])
def test_the_clustered_interval_holds_the_rate(simulations: ModuleType, correlation: float) -> None:
    covered = simulations.clustered(2000, 60, 3, correlation, np.random.default_rng(2))
    assert covered == pytest.approx(0.95, abs=0.01)


def test_an_interval_that_ignores_clusters_does_not(simulations: ModuleType) -> None:
    rng, held = np.random.default_rng(3), 0
    for _ in range(1000):
        rate = rng.uniform(0.1, 0.9)
        values, _ = simulations.clustered_passes(rng, rate, np.full(60, 3), 0.8)
        low, high = simulations.wilson_interval(int(values.sum()), values.size)
        held += low <= rate <= high
    assert held < 820


@pytest.mark.parametrize("epochs", [1, 4])
def test_the_bootstrap_holds_the_difference(simulations: ModuleType, epochs: int) -> None:
    covered = simulations.bootstrap(1500, 60, epochs, np.random.default_rng(4), resamples=1000)
    assert covered == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("epochs", [1, 4])
def test_no_more_false_alarms_than_agreed(simulations: ModuleType, epochs: int) -> None:
    share = simulations.false_alarms(1000, 60, epochs, np.random.default_rng(5))
    assert 0.005 < share < 0.06


@pytest.mark.parametrize(("one", "other"), [(0.2, 0.05), (0.3, 0.15), (0.1, 0.02)])
def test_so_many_tasks_find_the_difference(one: float, other: float) -> None:
    tasks = tasks_needed(one, other)
    assert tasks is not None
    rng = np.random.default_rng(6)
    counts = rng.multinomial(tasks, [one, other, 1 - one - other], 20_000)
    found = np.mean([mcnemar(int(b), int(c)) < 0.05 for b, c, _ in counts])
    assert found == pytest.approx(mcnemar_power(tasks, one, other), abs=0.01)
    assert 0.79 < found < 0.85
