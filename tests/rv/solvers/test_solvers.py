"""The registry, the limits of every solver's output, null and sine."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecliptic.errors import UsageError
from ecliptic.rv import orbit
from ecliptic.rv.solvers import SOLVERS, solve
from ecliptic.rv.submission import AGENT_LIMITS, read_submission
from ecliptic.rv.tasks import Observation


def make(
    times: Any, rvs: Any, sigmas: Any, instruments: Any = None, mass: float = 1.0
) -> Observation:
    return Observation(
        times_days=np.asarray(times, dtype=float),
        rvs_ms=np.asarray(rvs, dtype=float),
        sigmas_ms=np.asarray(sigmas, dtype=float),
        instruments=tuple(instruments) if instruments is not None else ("A",) * len(times),
        star_mass_sun=mass,
    )


def check(submission: dict[str, Any]) -> None:
    """Plain data within what an agent may submit."""
    assert json.loads(json.dumps(submission, allow_nan=False)) == submission
    assert set(submission) == {"planets", "noise"}
    read_submission(submission, AGENT_LIMITS)
    periods = [planet["period_days"] for planet in submission["planets"]]
    assert periods == sorted(periods)
    for planet in submission["planets"]:
        assert set(planet) == {"period_days", "m_sin_i_mjup", "e", "omega_rad", "l_rad"}
        assert 0.0 <= planet["omega_rad"] < 2.0 * math.pi
        assert 0.0 <= planet["l_rad"] < 2.0 * math.pi


@st.composite
def odd_observations(draw: st.DrawFn) -> Observation:
    """Few or many points, repeated times, constant velocities, any size of errors and offsets."""
    n = draw(st.integers(1, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    span = draw(st.sampled_from([0.0, 1e-300, 1e-3, 1.0, 30.0, 3000.0, 1e9, 1e200]))
    grain = draw(st.integers(1, 1000))
    start = draw(st.sampled_from([0.0, -1e5, 2.45e6, 1e300]))
    times = start + np.sort(rng.integers(0, grain + 1, n)) / grain * span
    scale = draw(st.sampled_from([0.0, 1e-300, 1e-12, 1.0, 1e4, 1e90, 1e307]))
    rvs = scale * rng.standard_normal(n)
    n_instruments = draw(st.integers(1, 5))
    labels = rng.integers(0, n_instruments, n)
    if scale < 1e10:
        rvs = rvs + draw(st.sampled_from([0.0, 1e4, 1e9])) * labels
    low = draw(st.sampled_from([-320.0, -100.0, -3.0, 0.0]))
    high = draw(st.sampled_from([0.0, 0.3, 3.0, 100.0, 308.0]))
    sigmas = np.maximum(10.0 ** rng.uniform(low, high, n), 5e-324)
    mass = draw(st.sampled_from([5e-324, 0.1, 1.0, 1e6, 1.7e308]))
    return make(times, rvs, sigmas, [f"i{label}" for label in labels], mass)


@given(
    observation=odd_observations(),
    solver=st.sampled_from(["null", "sine", "classical"]),  # the others take seconds: own tests
    jitter=st.booleans(),
)
@settings(deadline=None, max_examples=200)
def test_every_valid_observation_gets_a_valid_submission(
    observation: Observation, solver: str, jitter: bool
) -> None:
    options = {"jitter": jitter} if solver == "classical" else {}
    submission = solve(observation, solver, **options)
    check(submission)
    assert solve(observation, solver, **options) == submission


def test_null_and_its_registry_entry() -> None:
    observation = make([0.0, 1.0], [1.0, 2.0], [1.0, 1.0])
    assert solve(observation, "null") == {"planets": [], "noise": {"sigma_jitter_ms": 0.0}}
    assert list(SOLVERS) == ["null", "sine", "classical", "greedy", "nested", "reference"]
    assert SOLVERS["null"](observation) == solve(observation, "null")


@pytest.mark.parametrize("n_instruments", [1, 2])
def test_sine_finds_the_best_sinusoid(n_instruments: int) -> None:
    rng = np.random.default_rng(8)
    times = np.sort(rng.uniform(0.0, 120.0, 60)) + 2.45e6
    P, K, phase, mass = 13.7, 25.0, 1.234, 0.8
    instruments = rng.integers(0, n_instruments, 60)
    rvs = K * np.cos(2.0 * np.pi / P * (times - times[0]) + phase) + 1e4 * instruments
    rvs += rng.standard_normal(60)
    observation = make(times, rvs, np.ones(60), [str(i) for i in instruments], mass)
    submission = solve(observation, "sine")
    check(submission)
    (planet,) = submission["planets"]
    assert planet["e"] == 0.0
    assert planet["period_days"] == pytest.approx(P, rel=2e-3)
    assert planet["l_rad"] == pytest.approx(phase, abs=0.1)
    K_found = orbit.semi_amplitude_ms(planet["m_sin_i_mjup"], planet["period_days"], 0.0, mass)
    assert K_found == pytest.approx(K, abs=1.0)


@pytest.mark.parametrize(
    ("solver", "options", "words"),
    [
        ("clasical", {}, "did you mean 'classical'"),
        ("zzz", {}, "known: null, sine, classical"),
        ("classical", {"max_planet": 2}, "did you mean 'max_planets'"),
        ("null", {"peaks": 2}, "known: none"),
        ("sine", {"jitter": True}, "known: period_min_days, period_max_days"),
        ("classical", {"max_planets": 8}, "max_planets must be a whole number from 0 to 7"),
        ("classical", {"max_planets": 2.0}, "max_planets must be a whole number"),
        ("classical", {"peaks": 0}, "peaks must be a whole number from 1"),
        ("classical", {"bic_gain": -1}, "bic_gain must be >= 0"),
        ("classical", {"bic_gain": math.nan}, "bic_gain must be >= 0"),
        ("classical", {"jitter": "yes"}, "jitter must be true or false"),
        ("classical", {"period_min_days": 0.5}, "period_min_days must be > 0.5"),
        ("sine", {"period_min_days": 3, "period_max_days": 2}, "period_max_days must be > 3"),
        ("sine", {"period_max_days": "long"}, "period_max_days must be > 1.1"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_is_allowed(
    solver: str, options: dict[str, Any], words: str
) -> None:
    observation = make(range(20), np.sin(range(20)), np.ones(20))
    with pytest.raises(UsageError) as caught:
        solve(observation, solver, **options)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
