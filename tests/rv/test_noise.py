"""Noise draws: their streams, their size, and the covariance of the rotation process."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from ecliptic.errors import UsageError
from ecliptic.rv.noise import (
    correlate_rotation_gp,
    draw_jitter_ms,
    draw_rotation_gp_ms,
    draw_white_ms,
)
from ecliptic.rv.tasks import RotationGP

GP = RotationGP(sigma_ms=2.5, period_days=25.0, Q0=1.0, dQ=0.1, f=0.5)
PROCESSES = [
    GP,
    RotationGP(sigma_ms=0.1, period_days=3.0, Q0=8.0, dQ=4.0, f=0.0),
    RotationGP(sigma_ms=40.0, period_days=90.0, Q0=0.05, dQ=0.0, f=2.0),
]


def some_times(n: int = 60) -> np.ndarray:
    times = np.random.default_rng(3).uniform(0.0, 120.0, n)
    times[1] = times[0]  # one time twice, and a pair a tenth of a millisecond apart
    times[3] = times[2] + 1e-9
    return np.sort(times)


@pytest.mark.parametrize("gp", PROCESSES)
def test_factor_gives_the_dense_covariance(gp: RotationGP) -> None:
    terms = pytest.importorskip("celerite2.terms")
    times = some_times()
    factor = correlate_rotation_gp(gp, times, np.eye(times.size))
    term = terms.RotationTerm(sigma=gp.sigma_ms, period=gp.period_days, Q0=gp.Q0, dQ=gp.dQ, f=gp.f)
    dense = term.get_value(times[:, np.newaxis] - times)
    assert_allclose(factor @ factor.T, dense, rtol=0, atol=2e-12 * gp.sigma_ms**2)
    assert_array_equal(np.triu(factor, 1), 0.0)


@pytest.mark.parametrize("gp", PROCESSES)
def test_covariance_is_the_documented_formula(gp: RotationGP) -> None:
    times = some_times()
    tau = np.abs(times[:, np.newaxis] - times)
    expected = np.zeros_like(tau)
    for weight, Q, eta in (
        (1.0, 0.5 + gp.Q0 + gp.dQ, 2.0 * math.pi / gp.period_days),
        (gp.f, 0.5 + gp.Q0, 4.0 * math.pi / gp.period_days),
    ):
        rate = eta / math.sqrt(4.0 * Q * Q - 1.0)  # omega / 2 Q
        wave = np.cos(eta * tau) + rate / eta * np.sin(eta * tau)
        expected += weight * np.exp(-rate * tau) * wave
    expected *= gp.sigma_ms**2 / (1.0 + gp.f)
    factor = correlate_rotation_gp(gp, times, np.eye(times.size))
    assert_allclose(factor @ factor.T, expected, rtol=0, atol=2e-12 * gp.sigma_ms**2)


def test_draw_applies_the_factor_to_this_streams_normals() -> None:
    times = some_times()
    drawn = draw_rotation_gp_ms(GP, times, np.random.default_rng(11))
    normals = np.random.default_rng(11).standard_normal(times.size)
    factor = correlate_rotation_gp(GP, times, np.eye(times.size))
    assert_allclose(drawn, factor @ normals, rtol=0, atol=1e-12)


def test_draw_neither_reads_nor_moves_numpys_global_stream() -> None:
    before = np.random.get_state()[1].tobytes()  # noqa: NPY002  the one to stay away from
    first = draw_rotation_gp_ms(GP, some_times(), np.random.default_rng(4))
    np.random.seed(99)  # noqa: NPY002
    second = draw_rotation_gp_ms(GP, some_times(), np.random.default_rng(4))
    assert_array_equal(first, second)
    np.random.seed(99)  # noqa: NPY002
    after_seed = np.random.get_state()[1].tobytes()  # noqa: NPY002
    draw_rotation_gp_ms(GP, some_times(), np.random.default_rng(4))
    assert np.random.get_state()[1].tobytes() == after_seed  # noqa: NPY002
    assert before != after_seed


def test_many_draws_have_the_variance_of_the_process() -> None:
    times, n = np.linspace(0.0, 60.0, 30), 4000
    rng = np.random.default_rng(8)
    draws = np.array([draw_rotation_gp_ms(GP, times, rng) for _ in range(n)])
    # The variance of n Gaussian draws scatters by sqrt(2 / n) of itself: 5 standard deviations.
    spread = draws.var(axis=0) / GP.sigma_ms**2 - 1.0
    assert np.abs(spread).max() < 5.0 * math.sqrt(2.0 / n)


def test_white_noise_scales_one_stream() -> None:
    sigmas = np.array([0.0, 1.0, 2.0, 300.0])
    drawn = draw_white_ms(sigmas, np.random.default_rng(1))
    assert_array_equal(drawn, sigmas * np.random.default_rng(1).standard_normal(4))


def test_jitter_advances_its_stream_whatever_its_size() -> None:
    none, some = np.random.default_rng(1), np.random.default_rng(1)
    assert_array_equal(draw_jitter_ms(0.0, 5, none), np.zeros(5))
    assert draw_jitter_ms(2.0, 5, some).std() > 0.0
    assert none.random() == some.random()


def test_sample_sizes_at_the_edges() -> None:
    rng = np.random.default_rng(1)
    assert draw_rotation_gp_ms(GP, [], rng).shape == (0,)
    assert np.isfinite(draw_rotation_gp_ms(GP, [5.0], rng)).all()
    dense = np.sort(rng.uniform(0.0, 1e-3, 3000))  # far shorter than the period
    assert np.isfinite(draw_rotation_gp_ms(GP, dense, rng)).all()


@pytest.mark.parametrize("times", [[2.0, 1.0], [0.0, math.nan], [0.0, math.inf], [[0.0, 1.0]]])
def test_times_out_of_order_are_refused(times: list[float]) -> None:
    with pytest.raises(UsageError, match="times_days: must be"):
        draw_rotation_gp_ms(GP, times, np.random.default_rng(1))


def test_negative_noise_is_refused() -> None:
    with pytest.raises(UsageError, match="sigma_jitter_ms: must be >= 0, not -1"):
        draw_jitter_ms(-1.0, 3, np.random.default_rng(1))
    for sigmas in ([1.0, -0.1], [math.nan]):
        with pytest.raises(UsageError, match="sigmas_ms: must be >= 0"):
            draw_white_ms(sigmas, np.random.default_rng(1))
