"""Linearised posteriors, the scan for one more planet, the rotation shape, evidence."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rv.inference.stars import SPOTS, THREE, Array, observe
from scipy.optimize import approx_fprime

from ecliptic.errors import UsageError
from ecliptic.rv import inference
from ecliptic.rv.inference import rotation
from ecliptic.rv.inference.fitting import Fit, at, whitened
from ecliptic.rv.inference.posterior import Posterior
from ecliptic.rv.inference.problem import Problem


def strong(activity: bool) -> Fit:
    """Planets so strong that the posterior is a Gaussian."""
    elements = THREE.copy()
    elements[:, 1] *= 20.0
    elements[0, 2] = 0.2
    problem = Problem.of(observe(elements, activity=activity), SPOTS)
    return inference.fit(problem, inference.start_of(problem, elements), tolerance=1e-8, e_max=0.9)


def half_chi2(fit: Fit, elements: Array) -> float:
    model = at(fit.problem, elements, fit.theta)
    rest = whitened(fit.problem, fit.theta, model.residuals_ms[:, np.newaxis])
    return 0.5 * float((rest**2).sum())


@pytest.mark.parametrize("activity", [False, True])
def test_covariance_is_the_inverse_of_the_numerical_hessian(activity: bool) -> None:
    fit = strong(activity)
    P, K, e, omega, M0 = fit.elements().T
    centre = np.column_stack([P, K, e, omega, omega + M0])
    sigmas = Posterior.of(fit).sigmas()

    def objective(vector: Array) -> float:
        rows = centre + sigmas * vector.reshape(centre.shape)
        rows = np.column_stack([rows[:, :4], rows[:, 4] - rows[:, 3]])
        return half_chi2(fit, rows)

    def gradient(vector: Array) -> Array:
        size, h = vector.size, 0.05
        steps = h * np.eye(size)
        up = np.array([objective(vector + step) for step in steps])
        down = np.array([objective(vector - step) for step in steps])
        return (up - down) / (2 * h)

    hessian = approx_fprime(np.zeros(centre.size), gradient, 0.05)
    covariance = np.linalg.inv(0.5 * (hessian + hessian.T))
    assert np.sqrt(np.diag(covariance)) == pytest.approx(np.ones(centre.size), rel=0.05)
    for j in range(len(centre)):
        block = slice(5 * j, 5 * j + 5)
        scaled = Posterior.of(fit).planet_covariance(j) / np.outer(sigmas[j], sigmas[j])
        np.testing.assert_allclose(scaled, covariance[block, block], atol=0.08)


def test_draws_have_the_covariance() -> None:
    fit = strong(activity=True)
    posterior = Posterior.of(fit)
    draws = posterior.draw(4000, np.random.default_rng(2), e_max=0.95)
    spread = draws.std(axis=0)
    np.testing.assert_allclose(spread[:, :3], posterior.sigmas()[:, :3], rtol=0.08)


def test_fits_scatter_as_the_posterior_says() -> None:
    deviations = []
    for seed in range(40):
        problem = Problem.of(observe(THREE, activity=True, seed=seed), SPOTS)
        fit = inference.fit(problem, inference.start_of(problem, THREE))
        sigmas = Posterior.of(fit).sigmas()
        deviations.append((fit.elements()[:, :2] - THREE[:, :2]) / sigmas[:, :2])
    spread = np.std(deviations, axis=0)
    assert spread.mean() == pytest.approx(1.0, abs=0.25)


@pytest.mark.parametrize("activity", [False, True])
def test_the_scan_finds_the_planet_that_is_missing(activity: bool) -> None:
    problem = Problem.of(observe(THREE, activity=activity), SPOTS)
    fit = inference.fit(problem, inference.start_of(problem, THREE[:2]))
    power = inference.scan(fit)
    assert 1.0 / power.peaks(1)[0] == pytest.approx(THREE[2, 0], rel=0.05)


def test_the_scan_is_the_gain_of_a_circular_orbit() -> None:
    problem = Problem.of(observe(THREE[2:]))
    none = inference.fit(problem, np.empty((0, 3)))
    power = inference.scan(none)
    f = float(power.peaks(1)[0])
    circular = inference.fit(
        problem, np.array([[f, 0.0, 0.0]]), theta=none.theta, free_noise=False, max_steps=0
    )
    gain = circular.log_likelihood - none.log_likelihood
    assert float(np.interp(f, power.frequencies, power.power)) == pytest.approx(gain, rel=0.05)


def test_the_rotation_is_read_off_the_indicators() -> None:
    found = inference.fit_rotation(observe(THREE, n=200, span=250.0, activity=True))
    assert found.gp.period_days == pytest.approx(SPOTS.period_days, rel=0.12)
    # The spots' draw has 3 m/s; fwhm carries it three times, the bisector once.
    assert found.amplitudes_ms[0] / found.amplitudes_ms[1] == pytest.approx(3.0, rel=0.25)
    again = inference.fit_rotation(
        observe(THREE, n=200, span=250.0, activity=True), found.parameters
    )
    assert again.log_likelihood == pytest.approx(found.log_likelihood, abs=0.05)


def test_the_rotation_does_not_look_at_the_velocities() -> None:
    observation = observe(THREE, activity=True)
    other = observation.model_copy(update={"rvs_ms": np.zeros(len(observation.rvs_ms))})
    assert inference.fit_rotation(other).gp == inference.fit_rotation(observation).gp


def test_the_gradient_of_the_rotation_is_a_difference() -> None:
    series = rotation._Series.of(observe(THREE, activity=True))
    rng = np.random.default_rng(3)
    point = series.starts()[0] + 0.2 * rng.standard_normal(8)
    arguments = (series.times, series.values, series.variances, series.basis, series.floors)
    gradient, ignored = np.empty(8), np.empty(8)
    rotation.shape_objective(point, gradient, *arguments)
    for k in range(8):
        step = 1e-5 * (np.arange(8) == k)
        up = rotation.shape_objective(point + step, ignored, *arguments)
        down = rotation.shape_objective(point - step, ignored, *arguments)
        assert gradient[k] == pytest.approx((up - down) / 2e-5, rel=1e-3, abs=2e-2)


def test_a_rotation_needs_indicators() -> None:
    with pytest.raises(UsageError, match="indicators"):
        inference.fit_rotation(observe(THREE))


def test_evidence_of_no_planet_is_an_integral() -> None:
    observation = observe(THREE[:0], n=40, n_instruments=1)
    problem = Problem.of(observation)
    fit = inference.fit(problem, np.empty((0, 3)))
    priors = inference.Priors()
    data = problem.velocities
    offsets = np.linspace(-3.0, 3.0, 601)
    jitters = np.geomspace(1e-3, 30.0, 300)
    table = np.empty((jitters.size, offsets.size))
    for i, jitter in enumerate(jitters):
        variances = data.variances + jitter**2
        rest = data.rvs_ms - offsets[:, np.newaxis]
        chi2 = (rest**2 / variances).sum(axis=1)
        ln = -0.5 * (chi2 + np.log(2 * np.pi * variances).sum())
        table[i] = np.exp(ln + priors.ln_jitter(float(jitter)) - fit.log_likelihood)
    integral = np.trapezoid(np.trapezoid(table, offsets, axis=1), jitters) / 2000.0
    expected = fit.log_likelihood + math.log(integral)
    assert inference.ln_evidence(fit) == pytest.approx(expected, abs=0.1)


def test_evidence_counts_the_planets() -> None:
    two = THREE[[0, 2]]
    problem = Problem.of(observe(two))
    evidences = []
    for rows in (two[:1], two, np.vstack([two, [[31.0, 0.1, 0.0, 0.0, 0.0]]])):
        evidences.append(
            inference.ln_evidence(inference.fit(problem, inference.start_of(problem, rows)))
        )
    assert evidences[1] > evidences[0] + 20.0
    assert evidences[1] > evidences[2]
