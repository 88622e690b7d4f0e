"""The compiled search: derivatives, optimum and bounds against independent computations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import least_squares, minimize_scalar

from ecliptic.rv import orbit
from ecliptic.rv.inference.velocities import Velocities
from ecliptic.rv.solvers import variable_projection
from ecliptic.rv.solvers.jitter import most_likely_extra_variance
from ecliptic.rv.solvers.keplerian_fit import Limits, fit
from ecliptic.rv.tasks import Observation

Array = NDArray[np.float64]
WIDE = Limits(0.6, 4000.0, e_max=0.95)
SHAPES = [
    (0.021, 0.0, 0.0),
    (0.021, 1e-6, -1e-6),
    (0.021, 0.3, -0.2),
    (0.13, -0.5, 0.61),
    (0.0031, -0.1, -0.05),
]


def observe(
    elements: Array, n: int = 60, span: float = 200.0, n_instruments: int = 1, seed: int = 1
) -> Observation:
    """Orbits (P, K, e, omega, M0) seen at random times with errors of about 1 m/s."""
    rng = np.random.default_rng(seed)
    times = np.sort(rng.uniform(0.0, span, n)) + 5000.0
    sigmas = rng.uniform(0.7, 1.4, n)
    velocities = orbit.curves(times, float(times[0]), np.asarray(elements)).sum(axis=0)
    instruments = rng.integers(0, n_instruments, n)
    offsets = np.array([-3.0, 4200.0, 17.0])[instruments]
    return Observation(
        times_days=times,
        rvs_ms=velocities + offsets + sigmas * rng.standard_normal(n),
        sigmas_ms=sigmas,
        instruments=tuple("ABC"[i] for i in instruments),
        star_mass_sun=1.0,
    )


def prepared(observation: Observation) -> Velocities:
    velocities = Velocities.of(observation)
    assert velocities is not None
    return velocities


def curve(times: Array, shape: Array, amplitudes: tuple[float, float]) -> Array:
    H = np.empty((len(times), 5))
    variable_projection.fill_shapes(times, np.array([shape]), H)
    return amplitudes[0] * H[:, 0] + amplitudes[1] * H[:, 1]


@pytest.mark.parametrize("shape", SHAPES)
def test_derivatives_equal_finite_differences(shape: tuple[float, float, float]) -> None:
    times = np.linspace(-90.0, 90.0, 41)
    a, b = 3.0, -7.0
    H = np.empty((len(times), 5))
    variable_projection.fill_shapes(times, np.array([shape]), H)
    analytic = (b * H[:, :1] - a * H[:, 1:2]) * H[:, 2:]
    for column, step in enumerate((1e-7, 1e-6, 1e-6)):
        up, down = np.array(shape), np.array(shape)
        up[column] += step
        down[column] -= step
        numeric = (curve(times, up, (a, b)) - curve(times, down, (a, b))) / (2.0 * step)
        scale = np.abs(numeric).max()
        np.testing.assert_allclose(analytic[:, column], numeric, atol=2e-6 * scale, rtol=0)


def test_gradient_and_curvature_of_the_projected_cost() -> None:
    truth = np.array([[31.0, 12.0, 0.3, 1.0, 2.0], [9.1, 6.0, 0.1, 4.0, 0.5]])
    velocities = prepared(observe(truth, n_instruments=3))
    limits = Limits(2.0, 400.0, e_scale=0.3, K_scale_ms=40.0)
    bounds, stiffness = limits.arrays()
    shape = np.array([[1 / 31.05, 0.2, -0.1], [1 / 9.12, 0.05, 0.02]])
    weights = 1.0 / velocities.variances
    target = velocities.rvs_ms * np.sqrt(weights)
    n, p = len(velocities), 2
    H, Phi, G = np.empty((n, 5 * p)), np.empty((n, 2 * p)), np.empty((n, 3 * p))
    means, L = np.empty((3, 3 * p + 1)), np.zeros((2 * p, 2 * p))
    amplitudes, residuals = np.empty(2 * p), np.empty(n)
    S, g = np.empty((3 * p, 3 * p)), np.empty(3 * p)

    def cost(parameters: Array) -> float:
        return float(
            variable_projection.project(
                velocities.times_days, target, weights, velocities.instruments,
                parameters.reshape(p, 3), stiffness, H, Phi, means, L, amplitudes, residuals,
            )
        )  # fmt: skip

    cost(shape)
    variable_projection.normal_equations(
        weights, velocities.instruments, shape, stiffness,
        H, Phi, L, amplitudes, residuals, G, means, S, g,
    )  # fmt: skip
    assert bounds[0] < shape[0, 0] < bounds[1]
    for index in range(3 * p):
        step = 1e-7 if index % 3 == 0 else 1e-5
        up, down = shape.ravel().copy(), shape.ravel().copy()
        up[index] += step
        down[index] -= step
        numeric = -0.5 * (cost(up) - cost(down)) / (2.0 * step)
        assert g[index] == pytest.approx(numeric, rel=1e-4, abs=1e-4 * math.sqrt(S[index, index]))


def scipy_optimum(observation: Observation, start: Array) -> tuple[float, Array]:
    """Chi-square and elements from a search over all parameters, offsets included."""
    times = observation.times_days - observation.t_ref_days
    index, sigmas = observation.instrument_index, observation.sigmas_ms
    n_planets = len(start)

    def residuals(parameters: Array) -> Array:
        elements = parameters[: 5 * n_planets].reshape(-1, 5)
        model = orbit.curves(times, 0.0, elements).sum(axis=0) + parameters[5 * n_planets :][index]
        return (observation.rvs_ms - model) / sigmas

    offsets = [float(np.mean(observation.rvs_ms[index == i])) for i in range(index.max() + 1)]
    found = least_squares(
        residuals, np.concatenate([start.ravel(), offsets]), x_scale="jac",
        ftol=1e-15, xtol=1e-15, gtol=1e-15, max_nfev=2000,
    )  # fmt: skip
    return 2.0 * found.cost, found.x[: 5 * n_planets].reshape(-1, 5)


@pytest.mark.parametrize("n_instruments", [1, 3])
@pytest.mark.parametrize(
    "truth",
    [
        [[31.0, 12.0, 0.25, 1.0, 2.0]],
        [[31.0, 12.0, 0.62, 1.0, 2.0], [9.1, 6.0, 0.15, 4.0, 0.5]],
        [[140.0, 20.0, 0.4, 3.0, 5.0], [55.0, 9.0, 0.2, 2.0, 3.0], [12.3, 5.0, 0.3, 1.0, 4.0]],
    ],
)
def test_optimum_is_that_of_a_search_over_all_parameters(
    truth: list[list[float]], n_instruments: int
) -> None:
    observation = observe(np.array(truth), n=90, n_instruments=n_instruments)
    velocities = prepared(observation)
    start = []
    for P, _, e, _, M_0 in truth:
        M_c = M_0 - 2.0 * math.pi / P * velocities.reference_days
        start.append([1.0 / P, 0.8 * e * math.cos(M_c), 0.8 * e * math.sin(M_c)])
    ours = fit(velocities, np.array(start), WIDE, tolerance=1e-12, max_steps=300)
    chi2, elements = scipy_optimum(observation, np.array(truth))
    assert ours.chi2 == pytest.approx(chi2, rel=1e-7)
    mine = ours.elements(velocities)
    np.testing.assert_allclose(mine[:, :3], elements[:, :3], rtol=2e-4)
    turn = mine[:, 3:] - elements[:, 3:]
    np.testing.assert_allclose(np.sin(0.5 * turn), 0.0, atol=1e-3)


def test_residuals_are_the_data_less_the_elements_curve() -> None:
    truth = np.array([[31.0, 12.0, 0.6, 1.0, 2.0], [9.1, 6.0, 0.1, 4.0, 0.5]])
    observation = observe(truth, n_instruments=3)
    velocities = prepared(observation)
    start = np.array([[1 / 31.0, 0.1, 0.1], [1 / 9.1, 0.0, 0.0]])
    ours = fit(velocities, start, WIDE)
    curves = orbit.curves(observation.times_days, observation.t_ref_days, ours.elements(velocities))
    rest = observation.rvs_ms - curves.sum(axis=0) - ours.residuals_ms
    for instrument in range(3):
        # What is left is the instrument's offset, the same for all its points.
        offset = rest[observation.instrument_index == instrument]
        np.testing.assert_allclose(offset, offset[0], atol=1e-9)


def test_covariance_is_the_inverse_of_the_full_normal_matrix() -> None:
    truth = np.array([[31.0, 12.0, 0.3, 1.0, 2.0], [9.1, 6.0, 0.2, 4.0, 0.5]])
    observation = observe(truth, n_instruments=2)
    velocities = prepared(observation)
    ours = fit(velocities, np.array([[1 / 31.0, 0.1, 0.1], [1 / 9.1, 0.1, 0.0]]), WIDE)
    parameters = np.concatenate(
        [np.concatenate([ours.shape[j], ours.amplitudes[2 * j : 2 * j + 2]]) for j in range(2)]
    )

    def model(values: Array) -> Array:
        rows = values.reshape(-1, 5)
        total = np.zeros(len(velocities))
        for row in rows:
            total += curve(velocities.times_days, row[:3], (row[3], row[4]))
        return total

    columns = []
    for index in range(10):
        step = 1e-6 if index % 5 == 0 else 1e-4
        up, down = parameters.copy(), parameters.copy()
        up[index] += step
        down[index] -= step
        columns.append((model(up) - model(down)) / (2.0 * step))
    offsets = [(velocities.instruments == s).astype(float) for s in range(2)]
    J = np.column_stack([*columns, *offsets]) / np.sqrt(velocities.variances)[:, None]
    expected = np.linalg.inv(J.T @ J)[:10, :10]
    scale = np.sqrt(np.diag(expected))
    ratio = ours.covariance(velocities) / np.outer(scale, scale)
    np.testing.assert_allclose(ratio, expected / np.outer(scale, scale), atol=1e-4)


def test_a_circle_leaves_nothing_infinite_and_an_absent_planet_does() -> None:
    velocities = prepared(observe(np.array([[31.0, 30.0, 0.0, 1.0, 2.0]])))
    ours = fit(velocities, np.array([[1 / 31.0, 0.0, 0.0]]), WIDE)
    assert np.isfinite(ours.covariance(velocities)).all()
    silent = type(ours)(
        shape=np.array([[1 / 31.0, 0.0, 0.0]]),
        amplitudes=np.zeros(2),
        residuals_ms=velocities.rvs_ms,
        jitter_ms=0.0,
        log_likelihood=0.0,
        chi2=0.0,
        cost=0.0,
    )
    diagonal = np.diag(silent.covariance(velocities))
    assert np.isinf(diagonal[:3]).all()
    assert np.isfinite(diagonal[3:]).all()


def test_optimum_on_the_bound_of_eccentricity() -> None:
    velocities = prepared(observe(np.array([[31.0, 40.0, 0.9, 1.0, 2.0]]), n=80))
    limits = Limits(2.0, 400.0, e_max=0.7)
    starts = [
        np.array([[1 / 31.0, 0.5 * math.cos(phase), 0.5 * math.sin(phase)]])
        for phase in np.arange(8) * math.pi / 4
    ]
    best = min((fit(velocities, start, limits) for start in starts), key=lambda one: one.cost)
    assert np.hypot(*best.shape[0, 1:]) == pytest.approx(0.7, rel=1e-9)
    assert np.hypot(*best.shape[0, 1:]) <= 0.7

    def along(phase: float) -> float:
        on_bound = np.array([[best.shape[0, 0], 0.7 * math.cos(phase), 0.7 * math.sin(phase)]])
        return fit(velocities, on_bound, limits, max_steps=0).cost

    phase = math.atan2(best.shape[0, 2], best.shape[0, 1])
    nearby = minimize_scalar(
        along, bounds=(phase - 0.05, phase + 0.05), method="bounded", options={"xatol": 1e-9}
    )
    assert best.cost <= nearby.fun + 1e-5


def test_a_penalty_holds_an_orbit_that_the_data_cannot() -> None:
    velocities = prepared(observe(np.array([[900.0, 100.0, 0.0, 1.0, 2.0]]), n=30, span=40.0))
    shape = np.array([[1 / 3900.0, 0.0, 0.0]])
    limits = Limits(2.0, 4000.0, K_scale_ms=20.0)
    free = fit(velocities, shape, WIDE, max_steps=0)
    held = fit(velocities, shape, limits, max_steps=0)
    assert np.hypot(*held.amplitudes) < 0.5 * np.hypot(*free.amplitudes)
    assert held.chi2 > free.chi2
    assert held.cost < free.chi2 + float(np.sum(free.amplitudes**2)) / 20.0**2


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 40),
    scatter=st.floats(0.0, 20.0),
)
@settings(deadline=None, max_examples=50)
def test_jitter_maximises_the_likelihood(seed: int, n: int, scatter: float) -> None:
    rng = np.random.default_rng(seed)
    variances = rng.uniform(0.5, 3.0, n) ** 2
    residuals = rng.standard_normal(n) * np.sqrt(variances + scatter**2)

    def minus_log_likelihood(extra: float) -> float:
        s2 = variances + extra
        return 0.5 * float(np.sum(residuals**2 / s2 + np.log(s2)))

    found = float(most_likely_extra_variance(residuals, variances))
    grid = np.concatenate([[0.0], np.geomspace(1e-4, 1e4, 400)])
    assert found >= 0.0
    assert minus_log_likelihood(found) <= min(map(minus_log_likelihood, grid)) + 1e-9


def test_jitter_and_orbit_are_fitted_in_turn() -> None:
    rng = np.random.default_rng(3)
    quiet = observe(np.array([[31.0, 30.0, 0.2, 1.0, 2.0]]), n=100)
    noisy = quiet.model_copy(
        update={"rvs_ms": quiet.rvs_ms + 4.0 * rng.standard_normal(len(quiet.rvs_ms))}
    )
    start = np.array([[1 / 31.0, 0.0, 0.0]])
    assert fit(prepared(quiet), start, WIDE, jitter=True).jitter_ms < 0.8
    with_jitter = fit(prepared(noisy), start, WIDE, jitter=True)
    assert with_jitter.jitter_ms == pytest.approx(4.0, abs=0.9)
    fixed = fit(prepared(noisy), start, WIDE)
    assert with_jitter.log_likelihood > fixed.log_likelihood + 50.0
