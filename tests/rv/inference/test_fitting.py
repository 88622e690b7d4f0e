"""Joint fits: the likelihood against dense matrices, optima against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from celerite2 import terms
from rv.inference.stars import OFFSETS, SPOTS, THREE, Array, observe
from scipy.optimize import minimize

from ecliptic.errors import UsageError
from ecliptic.rv import inference, orbit
from ecliptic.rv.inference import noise_search
from ecliptic.rv.inference.fitting import NoiseLevels, at, default_theta, fit_noise
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.tasks import ModelFamily, Observation

CASES = [
    {"activity": False},
    {"activity": True},
    {"activity": False, "drift_ms": 6.0, "trend_ms": -9.0, "n_instruments": 3},
]


def problem_for(case: dict[str, object], elements: Array = THREE) -> Problem:
    observation = observe(elements, **case)  # type: ignore[arg-type]
    return Problem.of(observation, SPOTS)


def covariance(problem: Problem, noise: NoiseLevels) -> Array:
    data = problem.velocities
    jitters = np.array(noise.jitters_ms)[data.instruments]
    C = np.diag(data.variances + jitters**2)
    if problem.gp is not None:
        gp = problem.gp
        term = terms.RotationTerm(
            sigma=noise.gp_ms, period=gp.period_days, Q0=gp.Q0, dQ=gp.dQ, f=gp.f
        )
        C += term.get_value(data.times_days[:, np.newaxis] - data.times_days)
    return C


def dense(problem: Problem, elements: Array, noise: NoiseLevels) -> float:
    """ln L with the linear terms at their best, by plain matrices."""
    data = problem.velocities
    C = covariance(problem, noise)
    curves = orbit.curves(data.times_days, data.reference_days, np.ascontiguousarray(elements))
    rest = data.rvs_ms - curves.sum(axis=0)
    inverse = np.linalg.inv(C)
    B = problem.basis
    rest = rest - B @ np.linalg.solve(B.T @ inverse @ B, B.T @ inverse @ rest)
    ln_determinant = np.linalg.slogdet(C)[1]
    return -0.5 * float(rest @ inverse @ rest + ln_determinant + len(rest) * math.log(2 * math.pi))


@pytest.mark.parametrize("case", CASES)
def test_likelihood_equals_dense_matrices(case: dict[str, object]) -> None:
    problem = problem_for(case)
    jitters = tuple(0.3 + 0.4 * k for k in range(problem.velocities.n_instruments))
    noise = NoiseLevels(jitters, 2.5 if problem.gp is not None else 0.0)
    model = at(problem, THREE, inference.theta_of(problem, noise))
    assert model.log_likelihood == pytest.approx(dense(problem, THREE, noise), abs=1e-7)
    P, K, e, omega, M0 = model.elements().T  # omega alone has no meaning where e = 0
    back = np.column_stack([P, K, e, (omega + M0) % math.tau])
    there = np.column_stack([THREE[:, :3], THREE[:, 3:].sum(axis=1) % math.tau])
    assert back == pytest.approx(there, abs=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_residuals_and_likelihood_of_a_fit_belong_to_its_parameters(
    case: dict[str, object],
) -> None:
    problem = problem_for(case)
    best = inference.fit(problem, inference.start_of(problem, THREE))
    expected = dense(problem, best.elements(), best.noise)
    assert best.log_likelihood == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("case", CASES)
def test_scipy_finds_nothing_better_nearby(case: dict[str, object]) -> None:
    problem = problem_for(case)
    best = inference.fit(problem, inference.start_of(problem, THREE), tolerance=1e-5)
    p = len(THREE)

    def objective(vector: Array) -> float:
        rows = vector[: 5 * p].reshape(p, 5)
        e = np.hypot(rows[:, 2], rows[:, 3])
        if (e > 0.8).any() or (vector[5 * p :] < np.log(problem.floors)).any():
            return 1e6
        omega = np.arctan2(rows[:, 3], rows[:, 2])
        elements = np.column_stack([rows[:, 0], rows[:, 1], e, omega, rows[:, 4] - omega])
        return -at(problem, elements, vector[5 * p :].copy()).log_likelihood

    P, K, e, omega, M0 = best.elements().T
    rows = np.column_stack([P, K, e * np.cos(omega), e * np.sin(omega), omega + M0])
    start = np.concatenate([rows.ravel(), best.theta])
    options = {"maxiter": 1500, "adaptive": True, "xatol": 1e-9, "fatol": 1e-9}
    steps = np.concatenate(
        [np.tile([1e-3, 0.1, 0.01, 0.01, 0.02], p), np.full(len(best.theta), 0.1)]
    )
    simplex = np.vstack([start, start + np.diag(steps)])
    result = minimize(
        objective, start, method="Nelder-Mead", options={**options, "initial_simplex": simplex}
    )
    assert -result.fun - best.log_likelihood < 0.01


@pytest.mark.parametrize("case", CASES[:2])
@pytest.mark.parametrize("e_start", [0.0, 0.5])
def test_fits_from_rough_starts_reach_the_same_optimum(
    case: dict[str, object], e_start: float
) -> None:
    problem = problem_for(case)
    best = inference.fit(problem, inference.start_of(problem, THREE))
    rough = inference.start_of(problem, THREE)
    rough[:, 0] *= 1.0 + np.array([1e-4, -2e-4, 3e-3])
    rough[0, 1:] = e_start * 0.6, e_start * 0.8
    rough[1, 1:] *= 0.7
    again = inference.fit(problem, rough)
    assert again.log_likelihood == pytest.approx(best.log_likelihood, abs=0.01)


def test_orbits_are_found_again_without_noise() -> None:
    observation = observe(THREE, jitter_ms=0.0)
    curves = orbit.curves(
        np.array(observation.times_days), observation.t_ref_days, np.ascontiguousarray(THREE)
    ).sum(axis=0)
    index = observation.instrument_index
    exact = observation.model_copy(update={"rvs_ms": curves + OFFSETS[index]})
    problem = Problem.of(exact)
    start = inference.start_of(problem, THREE)
    start[:, 1:] *= 0.9
    best = inference.fit(problem, start, tolerance=1e-10)
    P, K, e, _, _ = best.elements().T
    assert pytest.approx(THREE[:, 0], rel=1e-6) == P
    assert pytest.approx(THREE[:, 1], rel=1e-4) == K
    assert e == pytest.approx(THREE[:, 2], abs=1e-4)
    assert max(best.noise.jitters_ms) < 1e-3


def test_drift_and_trend_do_not_bias_the_orbits() -> None:
    problem = problem_for(CASES[2])
    best = inference.fit(problem, inference.start_of(problem, THREE))
    sigmas = inference.Posterior.of(best).sigmas()
    assert (np.abs(best.elements()[:, 0] - THREE[:, 0]) < 4.0 * sigmas[:, 0]).all()
    assert (np.abs(best.elements()[:, 1] - THREE[:, 1]) < 4.0 * sigmas[:, 1]).all()
    blind = Problem.of(observe(THREE, **{**CASES[2], "drift_ms": 0.0}))  # type: ignore[arg-type]
    assert problem.n_common == blind.n_common + 1


def test_bounds_are_kept() -> None:
    observation = observe(THREE)
    family = ModelFamily(period_min_days=5.0, period_max_days=90.0)
    problem = Problem.of(observation.model_copy(update={"family": family}))
    best = inference.fit(problem, inference.start_of(problem, THREE), e_max=0.3)
    P, _, e, _, _ = best.elements().T
    assert P.min() >= 5.0 * (1 - 1e-12)
    assert P.max() <= 90.0 * (1 + 1e-12)
    assert e.max() <= 0.3 * (1 + 1e-9)


@pytest.mark.parametrize("activity", [False, True])
def test_the_gradient_of_the_noise_is_a_difference(activity: bool) -> None:
    problem = Problem.of(observe(THREE, activity=activity), SPOTS)
    data, (U, V, phi) = problem.velocities, problem.kernel
    residuals = data.rvs_ms - data.rvs_ms.mean()
    theta = default_theta(problem) + 0.7

    def value(trial: Array, gradient: Array) -> float:
        found: float = noise_search.value_and_gradient(
            trial, problem.floors, residuals, data.variances, data.instruments, U, V, phi, gradient
        )
        return found

    gradient = np.empty(theta.size)
    value(theta, gradient)
    for k in range(theta.size):
        step = 1e-5 * (np.arange(theta.size) == k)
        none = np.empty(0)
        difference = (value(theta + step, none) - value(theta - step, none)) / 2e-5
        assert gradient[k] == pytest.approx(difference, rel=1e-5, abs=1e-4)


def test_noise_is_fitted_to_its_most_likely_level() -> None:
    observation = observe(THREE[:0], n=400, jitter_ms=2.0, n_instruments=1)
    noise = fit_noise(Problem.of(observation)).noise
    assert noise.jitters_ms[0] == pytest.approx(2.0, rel=0.15)
    quiet = observe(THREE[:0], n=400, jitter_ms=0.0, n_instruments=1, seed=3)
    assert fit_noise(Problem.of(quiet)).noise.jitters_ms[0] < 0.4


def test_what_cannot_be_fitted_is_a_mistake() -> None:
    observation = Observation(
        times_days=[3.0, 3.0],
        rvs_ms=[1.0, 2.0],
        sigmas_ms=[1.0, 1.0],
        instruments=("A", "A"),
        star_mass_sun=1.0,
    )
    with pytest.raises(UsageError, match="no time span"):
        Problem.of(observation)


def test_bic_counts_every_parameter() -> None:
    problem = problem_for(CASES[1])
    # Two offsets, two jitters, one amplitude; five a planet.
    assert problem.bic(-100.0, 3) == pytest.approx(200.0 + (5 + 15) * math.log(100))
