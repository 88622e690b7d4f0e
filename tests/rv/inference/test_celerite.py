"""The compiled factorisation, against celerite2 and against dense matrices."""

from __future__ import annotations

import numpy as np
import pytest
from celerite2 import GaussianProcess, terms

from ecliptic.rv.inference import celerite
from ecliptic.rv.tasks import RotationGP

SHAPES = [(23.0, 1.5, 0.7, 0.6), (5.0, 0.05, 0.01, 4.0), (300.0, 40.0, 10.0, 0.03)]


@pytest.fixture(params=SHAPES)
def gp(request: pytest.FixtureRequest) -> RotationGP:
    period, Q0, dQ, f = request.param
    return RotationGP(sigma_ms=3.0, period_days=period, Q0=Q0, dQ=dQ, f=f)


def series(n: int = 90) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    times = np.sort(rng.uniform(-300.0, 300.0, n))
    times[7] = times[6]  # two points at one time
    return times, rng.uniform(0.5, 2.0, n), rng.normal(0.0, 3.0, n)


def test_likelihood_is_that_of_celerite2(gp: RotationGP) -> None:
    times, white, values = series()
    term = terms.RotationTerm(sigma=3.0, period=gp.period_days, Q0=gp.Q0, dQ=gp.dQ, f=gp.f)
    process = GaussianProcess(term, mean=0.0)
    process.compute(times, diag=white)
    U, V, phi = celerite.rotation_kernel(gp, times)
    d, W = np.empty(times.size), np.empty((times.size, 4))
    log_determinant = celerite.factor(white, 9.0, U, V, phi, d, W)
    column = values[:, np.newaxis].copy()
    celerite.whiten(column, 9.0, U, phi, d, W)
    ours = -0.5 * ((column**2).sum() + log_determinant + times.size * np.log(2.0 * np.pi))
    assert ours == pytest.approx(process.log_likelihood(values), abs=1e-8)


def test_dense_algebra_is_reproduced(gp: RotationGP) -> None:
    times, white, values = series()
    term = terms.RotationTerm(sigma=3.0, period=gp.period_days, Q0=gp.Q0, dQ=gp.dQ, f=gp.f)
    C = term.get_value(times[:, np.newaxis] - times) + np.diag(white)
    U, V, phi = celerite.rotation_kernel(gp, times)
    d, W = np.empty(times.size), np.empty((times.size, 4))
    celerite.factor(white, 9.0, U, V, phi, d, W)
    diagonal = np.empty(times.size)
    celerite.inverse_diagonal(9.0, U, phi, d, W, diagonal)
    np.testing.assert_allclose(diagonal, np.diag(np.linalg.inv(C)), rtol=1e-9)
    z = values[:, np.newaxis].copy()
    celerite.whiten(z, 9.0, U, phi, d, W)
    back, solved = z[:, 0].copy(), z[:, 0].copy()
    celerite.colour(back, 9.0, U, phi, d, W)
    np.testing.assert_allclose(back, values, atol=1e-11)
    celerite.unwhiten_transposed(solved, 9.0, U, phi, d, W)
    np.testing.assert_allclose(solved, np.linalg.solve(C, values), rtol=1e-8, atol=1e-10)


def test_no_process_is_white_noise() -> None:
    times, white, values = series()
    U, V, phi = celerite.rotation_kernel(None, times)
    d, W = np.empty(times.size), np.empty((times.size, 0))
    assert celerite.factor(white, 0.0, U, V, phi, d, W) == pytest.approx(np.log(white).sum())
    column = values[:, np.newaxis].copy()
    celerite.whiten(column, 0.0, U, phi, d, W)
    np.testing.assert_allclose(column[:, 0], values / np.sqrt(white))


def test_a_matrix_that_is_not_positive_is_told() -> None:
    gp = RotationGP(sigma_ms=1.0, period_days=9.0, Q0=1.0, dQ=0.5, f=0.5)
    times = np.array([0.0, 1.0, 2.0])
    U, V, phi = celerite.rotation_kernel(gp, times)
    d, W = np.empty(3), np.empty((3, 4))
    assert celerite.factor(np.full(3, -2.0), 1.0, U, V, phi, d, W) == np.inf
