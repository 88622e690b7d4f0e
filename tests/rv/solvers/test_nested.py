"""Evidences against integrals that are known, and the solver as its users meet it."""

from __future__ import annotations

import math
import os
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtri, roots_legendre

from ecliptic.errors import MissingExtraError, UsageError
from ecliptic.rv import orbit, solvers
from ecliptic.rv.inference.evidence import Priors
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.solvers import nested, nested_periods, nested_priors, nested_walk
from ecliptic.rv.solvers.nested_kernel import quasi_periodic_ms2
from ecliptic.rv.solvers.nested_model import NestedModel
from ecliptic.rv.solvers.nested_run import Effort, Run, next_density, runs
from ecliptic.rv.tasks import ModelFamily, Observation

QUICK = Effort(live_points=120, walks=15)
CIRCLE = np.array([[10.0, 2.0, 0.0, 0.0, 1.0]])
engine = pytest.mark.skipif(
    not __import__("importlib.util").util.find_spec("dynesty"), reason="needs the extra 'nested'"
)


def star(
    elements: np.ndarray, n: int = 40, periods: tuple[float, float] = (1.5, 200.0), seed: int = 3
) -> Observation:
    rng = np.random.default_rng(seed)
    times = np.sort(rng.uniform(0.0, 80.0, n)) + 55000.0
    sigmas = rng.uniform(0.7, 1.3, n)
    rvs = orbit.curves(times, float(times[0]), elements.reshape(-1, 5)).sum(axis=0)
    return Observation(
        times_days=times,
        rvs_ms=rvs + 12.0 + np.hypot(sigmas, 0.5) * rng.standard_normal(n),
        sigmas_ms=sigmas,
        instruments=("A",) * n,
        star_mass_sun=1.0,
        family=ModelFamily(period_min_days=periods[0], period_max_days=periods[1]),
    )


def ln_marginal_of_offset(
    model: NestedModel, residuals: np.ndarray, covariance: np.ndarray
) -> np.ndarray:
    """ln L of residuals (..., n), one offset integrated out, by dense linear algebra."""
    n = covariance.shape[0]
    inverse = np.linalg.inv(covariance)
    one = inverse.sum()
    projected = residuals @ inverse.sum(axis=1)
    chi2 = np.einsum("...i,ij,...j->...", residuals, inverse, residuals) - projected**2 / one
    ln_det = np.linalg.slogdet(covariance)[1]
    width = 2.0 * model.priors.offset_half_width_ms
    constant = math.log(2.0 * math.pi) * (n - 1) + ln_det + math.log(one)
    return -0.5 * (chi2 + constant) - math.log(width)


@engine
@pytest.mark.parametrize("dense", [False, True], ids=["white", "quasi-periodic"])
def test_no_planets_as_by_quadrature(dense: bool) -> None:
    observation = star(np.empty(0))
    times = observation.times_days
    known = quasi_periodic_ms2(times, 3.0, 20.0, 0.5, 50.0) if dense else None
    problem = Problem.of(observation)
    model = NestedModel.of(problem, covariance=known)
    base = np.diag(problem.velocities.variances) + (0.0 if known is None else known)

    def density(jitter: float) -> float:
        covariance = base + jitter**2 * np.eye(len(times))
        value = ln_marginal_of_offset(model, problem.velocities.rvs_ms, covariance)
        return math.exp(float(value) + model.priors.ln_jitter(jitter) + 70.0)

    expected = math.log(quad(density, 0.0, 99.0, points=[0.2, 0.5, 1.0, 3.0, 10.0])[0]) - 70.0
    run = next(runs(model, 0, QUICK, seed=1))
    assert run.finished
    assert run.ln_error < 0.2
    assert abs(run.ln_evidence - expected) < 3.0 * run.ln_error


@engine
def test_one_circular_planet_as_by_quadrature() -> None:
    """Over P, K, phase and jitter on a grid, with eccentricities that are as good as zero."""
    periods = (9.0, 11.0)
    problem = Problem.of(star(CIRCLE, n=25, periods=periods))
    priors = Priors(e_rayleigh=1e-3, K_max_ms=50.0, jitter_max_ms=20.0)
    model = NestedModel.of(problem, priors)
    data = problem.velocities
    x, w = roots_legendre(40)
    ln_P = np.interp(x, [-1, 1], np.log(periods))
    u_K, v_K = 0.5 * (x + 1.0), 0.5 * w  # the prior's own distribution is uniform
    K = np.expm1(u_K * math.log1p(50.0))
    phases = np.arange(32) * 2.0 * np.pi / 32
    u_s, v_s = roots_legendre(12)
    jitters = np.expm1(0.5 * (u_s + 1.0) * math.log1p(20.0))
    total = []
    for jitter, share in zip(jitters, 0.5 * v_s, strict=True):
        covariance = np.diag(data.variances + jitter**2)
        for P, part in zip(np.exp(ln_P), 0.5 * w, strict=True):
            angle = 2.0 * np.pi * data.times_days / P
            curves = K[:, None, None] * np.cos(angle + phases[:, None])
            ln_L = ln_marginal_of_offset(model, data.rvs_ms - curves, covariance)
            weights = np.log(share * part * v_K / len(phases))[:, None]
            total.append(np.logaddexp.reduce(ln_L + weights, axis=None))
    expected = float(np.logaddexp.reduce(total))
    run = list(runs(model, 1, QUICK, seed=1))[1]
    assert run.ln_error < 0.3
    assert abs(run.ln_evidence - expected) < 3.0 * run.ln_error


@engine
def test_evidence_does_not_depend_on_how_periods_are_drawn() -> None:
    from ecliptic.rv.solvers.nested_run import sample

    model = NestedModel.of(Problem.of(star(CIRCLE)))
    streams = np.random.SeedSequence(1).spawn(2)
    flat = sample(model, 1, nested_periods.PeriodDensity.flat(model.ln_f), QUICK, streams[0])
    drawn = list(runs(model, 1, QUICK, seed=2))[1]
    assert abs(flat.ln_evidence - drawn.ln_evidence) < 3.0 * math.hypot(
        flat.ln_error, drawn.ln_error
    )
    assert drawn.ln_error < flat.ln_error


def test_density_peaks_at_the_planet_and_leaves_nothing_out() -> None:
    model = NestedModel.of(Problem.of(star(CIRCLE)))
    flat = nested_periods.PeriodDensity.flat(model.ln_f)
    points = np.full((4, 1), 0.1)
    run = Run(0, 0.0, 0.0, points, points[0], flat, 0, 0.0, True)
    density = next_density(model, run, np.random.default_rng(1))
    assert abs(math.exp(-density.ln_f[np.argmax(density.density)]) / 10.0 - 1.0) < 0.02
    assert density.density.min() >= 0.9 * nested_periods.PRIOR_SHARE * density.prior
    shares = np.linspace(0.0, 1.0, 50)
    drawn = [nested_periods.draw_ln_f(u, flat.ln_f, flat.density, flat.cumulative) for u in shares]
    straight = flat.ln_f[0] + shares * (flat.ln_f[-1] - flat.ln_f[0])
    np.testing.assert_allclose([value for value, _ in drawn], straight, rtol=0, atol=1e-9)


def test_quantiles_of_the_normal_distribution() -> None:
    shares = np.concatenate([np.geomspace(1e-14, 0.5, 40), 1.0 - np.geomspace(1e-10, 0.5, 40)])
    ours = [nested_priors.inverse_normal(u) for u in shares]
    np.testing.assert_allclose(ours, ndtri(shares), rtol=1e-7, atol=1e-9)


def test_amplitudes_weigh_back_to_the_modified_jeffreys_prior() -> None:
    priors = Priors(K_max_ms=500.0)
    rng = np.random.default_rng(5)
    scale = nested_priors.tau_scale_ms(priors)
    taus = [nested_priors.modified_jeffreys(u, scale, 500.0) for u in rng.random(200_000)]
    K = np.array(taus) * np.sqrt(-2.0 * np.log(rng.random(200_000)))
    ln_K, ln_ratio = nested_priors.ln_ratio_table(priors)
    weights = np.where(K <= 500.0, np.exp(np.interp(np.log(K), ln_K, ln_ratio)), 0.0)
    for bound in (0.3, 1.0, 10.0, 100.0, 500.0):
        expected = math.log1p(bound) / math.log1p(500.0)
        assert abs(np.mean(weights * (bound >= K)) - expected) < 0.01


def test_a_jump_moves_one_planet_and_keeps_the_order() -> None:
    rng = np.random.default_rng(2)
    out = np.empty(14)
    for _ in range(50):
        u = rng.random(14)
        nested_walk.jump(u, 3, 1, rng.random(4), False, out)
        before, after = u[3:12].reshape(3, 3), out[3:12].reshape(3, 3)
        assert sorted(before.tolist()) == sorted(after.tolist())
        np.testing.assert_array_equal(out[12:], u[12:])
        assert (out >= 0.0).all()
        assert (out <= 1.0).all()


@engine
def test_solver_finds_the_planets_that_are_there() -> None:
    observation = star(np.array([[6.1, 8.0, 0.1, 1.0, 2.0], [31.0, 6.0, 0.0, 0.0, 0.5]]), n=60)
    answer = nested.solve(observation, live_points=40, max_planets=2, seed=4)
    found = [planet["period_days"] for planet in answer["planets"]]
    np.testing.assert_allclose(found, [6.1, 31.0], rtol=0.02)
    assert answer == nested.solve(observation, live_points=40, max_planets=2, seed=4)


@pytest.mark.parametrize(
    ("evidences", "look_ahead", "expected"),
    [
        ([0.0, 6.0, 7.0, 8.0], 2, 1),
        ([0.0, 4.0, 19.0, 20.0, 21.0], 2, 2),
        ([0.0, 4.0, 19.0], 1, 0),
        ([0.0, 4.0, 9.0], 2, 0),
    ],
)
def test_number_of_planets_by_bayes_factor(
    evidences: list[float], look_ahead: int, expected: int
) -> None:
    points = np.empty((0, 1))
    period = nested_periods.PeriodDensity.flat(np.linspace(-3.0, 0.0, 10))
    found = [Run(p, z, 0.1, points, points, period, 0, 0.0, True) for p, z in enumerate(evidences)]
    assert nested.chosen(found, 150.0, look_ahead).n_planets == expected


@engine
def test_solver_adds_no_planet_to_noise() -> None:
    assert nested.solve(star(np.empty(0)), live_points=40)["planets"] == []


@engine
def test_solver_returns_what_it_has_when_the_time_is_over() -> None:
    observation = star(CIRCLE)
    nested.solve(observation, live_points=40, max_planets=1)  # compiles
    begun = time.process_time()
    answer = nested.solve(observation, live_points=5000, cpu_seconds=1.0)
    assert time.process_time() - begun < 10.0
    assert set(answer) == {"planets", "noise"}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("max_planets", 8),
        ("bayes_factor", 0.5),
        ("live_points", 1.5),
        ("look_ahead", 0),
        ("cpu_seconds", -1.0),
    ],
)
def test_options_out_of_range_are_named(option: str, value: float) -> None:
    with pytest.raises(UsageError, match=option):
        nested.solve(star(CIRCLE), **{option: value})


def test_a_missing_engine_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dynesty", None)
    with pytest.raises(MissingExtraError, match="nested"):
        nested.solve(star(CIRCLE))


def test_covariance_beside_a_second_instrument_is_refused() -> None:
    observation = star(CIRCLE).model_copy(update={"instruments": ("A", "B") * 20})
    problem = Problem.of(Observation.model_validate(observation.model_dump()))
    with pytest.raises(UsageError, match="one instrument"):
        NestedModel.of(problem, covariance=np.eye(40))


@engine
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_no_planets_as_nine_teams_found(number: int) -> None:
    folder = os.environ.get("ECLIPTIC_EVIDENCE_DATA")
    if not folder:
        pytest.skip("needs the evidence challenge's folder in ECLIPTIC_EVIDENCE_DATA")
    sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
    try:
        import evidence
    finally:
        sys.path.pop(0)
    model = evidence.read_model(Path(folder) / f"rvs_{number:04d}.txt")
    methods = evidence.read_reported(Path(folder) / "log10_evidence.csv")[number, 0]
    run = next(runs(model, 0, QUICK, seed=1))
    assert abs(run.log10_evidence - float(np.median(list(methods.values())))) < 0.2


def test_solver_is_registered() -> None:
    if "nested" not in solvers.SOLVERS:
        pytest.skip("solver 'nested' is not registered")
    assert solvers.SOLVERS["nested"] is nested.solve
