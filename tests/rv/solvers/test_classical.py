"""The classical pipeline on injected planets and on the published tasks."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from ecliptic.rv import orbit
from ecliptic.rv.solvers import solve
from ecliptic.rv.tasks import Observation, Planet

MASS = 0.9


def inject(
    elements: list[list[float]],
    *,
    n: int = 80,
    span: float = 160.0,
    sigma: float = 1.0,
    jitter: float = 0.0,
    offsets: tuple[float, ...] = (0.0,),
    seed: int = 4,
) -> Observation:
    """Orbits (P, K, e, omega, M0) with white noise, seen by one instrument an offset."""
    rng = np.random.default_rng(seed)
    times = np.sort(rng.uniform(0.0, span, n)) + 2.455e6
    rvs = orbit.curves(times, float(times[0]), np.array(elements).reshape(-1, 5)).sum(axis=0)
    instruments = rng.integers(0, len(offsets), n)
    rvs += np.array(offsets)[instruments] + math.hypot(sigma, jitter) * rng.standard_normal(n)
    return Observation(
        times_days=times,
        rvs_ms=rvs,
        sigmas_ms=np.full(n, sigma),
        instruments=tuple(f"i{k}" for k in instruments),
        star_mass_sun=MASS,
    )


def elements_found(observation: Observation, **options: object) -> np.ndarray:
    planets = [Planet(**planet) for planet in solve(observation, **options)["planets"]]
    return orbit.elements_of(planets, MASS)


CASES = {
    "circular": [[23.4, 15.0, 0.0, 0.0, 2.0]],
    "eccentric": [[41.0, 30.0, 0.6, 2.2, 0.7]],
    "two": [[11.3, 9.0, 0.1, 1.0, 3.0], [58.0, 25.0, 0.3, 4.0, 1.0]],
    "three": [[7.1, 10.0, 0.0, 0.0, 1.0], [18.3, 14.0, 0.2, 5.0, 2.0], [77.0, 25.0, 0.1, 1.0, 4.0]],
    "longer than the span": [[230.0, 40.0, 0.15, 1.0, 1.0]],
}


@pytest.mark.parametrize("offsets", [(0.0,), (0.0, 5400.0)], ids=["one", "two instruments"])
@pytest.mark.parametrize("name", CASES)
def test_recovers_what_was_injected(name: str, offsets: tuple[float, ...]) -> None:
    truth = np.array(CASES[name])
    observation = inject(CASES[name], offsets=offsets)
    found = elements_found(observation)
    assert len(found) == len(truth)
    times, start = observation.times_days, observation.t_ref_days
    for true, mine in zip(truth, found, strict=True):
        signal_to_noise = true[1] * math.sqrt(len(times) / 2.0)
        # Five standard deviations of a well covered sinusoid's frequency and amplitude; an orbit
        # that is not covered correlates them with the offsets, by a factor that is measured.
        cover = max(1.0, (true[0] / 80.0) ** 3)
        d_frequency = abs(1.0 / mine[0] - 1.0 / true[0])
        assert d_frequency < 5.0 * cover * math.sqrt(3.0) / (math.pi * 160.0 * signal_to_noise)
        assert abs(mine[2] - true[2]) < 10.0 * cover / signal_to_noise
    total = orbit.curves(times, start, found).sum(axis=0)
    expected = orbit.curves(times, start, truth).sum(axis=0)
    difference = (total - expected) - (total - expected).mean()
    # Of n points' noise a fit takes up as much as it has parameters.
    noise = math.sqrt((5 * len(truth) + 1) / len(times))
    assert np.sqrt(np.mean(difference**2)) < 2.0 * noise


def test_stops_at_noise() -> None:
    for seed in range(20):
        assert solve(inject([], seed=seed))["planets"] == []


def test_jitter_keeps_underestimated_errors_from_becoming_planets() -> None:
    observation = inject([[23.4, 30.0, 0.1, 0.0, 2.0]], jitter=5.0)
    submission = solve(observation)
    assert len(submission["planets"]) == 1
    assert submission["noise"]["sigma_jitter_ms"] == pytest.approx(5.0, rel=0.25)
    published = solve(observation, jitter=False)
    assert published["noise"] == {"sigma_jitter_ms": 0.0}
    assert len(published["planets"]) > 1


def test_the_options_bound_the_search() -> None:
    observation = inject(CASES["two"])
    assert len(elements_found(observation, max_planets=1)) == 1
    assert len(elements_found(observation, max_planets=0)) == 0
    assert len(elements_found(observation, bic_gain=1e6)) == 0
    periods = elements_found(observation, period_min_days=20.0, max_planets=1)[:, 0]
    assert periods == pytest.approx([58.0], rel=0.02)
    periods = elements_found(observation, period_max_days=20.0, max_planets=1)[:, 0]
    assert (periods <= 20.0).all()


def test_few_points_give_no_planet() -> None:
    observation = inject([[5.0, 300.0, 0.0, 0.0, 1.0]], n=11, span=20.0)
    assert solve(observation)["planets"] == []


def test_the_same_observation_gives_the_same_bits() -> None:
    observation = inject(CASES["three"])
    state = np.random.get_state()[1].copy()  # noqa: NPY002  (the global state must stay untouched)
    assert solve(observation) == solve(observation)
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002


def test_many_points_take_bounded_work() -> None:
    elements = [[33.0, 10.0, 0.1, 1.0, 2.0], [7.7, 5.0, 0.2, 3.0, 4.0]]
    found = elements_found(inject(elements, n=30_000, span=2000.0, sigma=5.0))
    np.testing.assert_allclose(found[:, 0], [7.7, 33.0], rtol=1e-3)


def test_passes_as_many_published_tasks_as_the_published_pipeline(stargazer_data: Path) -> None:
    pytest.importorskip("rebound")
    from ecliptic.rv.scoring import evaluate
    from ecliptic.rv.stargazer import import_stargazer

    suite = import_stargazer(stargazer_data / "synthetic")
    assert len(suite) == 70
    for options in ({}, {"jitter": False}):
        passed: Counter[str] = Counter()
        for task in suite:
            passed[task.tier] += evaluate(task, solve(task.observation, **options)).passed
        assert passed["easy"] >= 13
        assert passed["medium"] >= 11
