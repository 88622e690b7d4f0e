"""Two or three planets looked for at once."""

from __future__ import annotations

import numpy as np
import pytest
from rv.inference.stars import observe

from ecliptic.rv.inference import Problem, fit, scan
from ecliptic.rv.inference.fitting import fit_noise
from ecliptic.rv.solvers import reference_pairs
from ecliptic.rv.solvers.reference_pairs import (
    gains_beside,
    gains_beside_pairs,
    pair_gains,
    pairs,
    sinusoids,
    triples,
    unexplained,
)

ALIKE = np.array([[11.3, 8.0, 0.0, 1.0, 2.0], [47.0, 8.0, 0.05, 2.0, 3.0]])


@pytest.mark.parametrize("n_before", [0, 1])
def test_the_gain_of_a_pair_is_that_of_least_squares(n_before: int) -> None:
    problem = Problem.of(observe(ALIKE, n=40, n_instruments=1))
    base = fit(problem, np.array([[1 / 11.3, 0.0, 0.0]])[:n_before])
    frequencies = np.array([1 / 47.0, 1 / 9.0, 1 / 3.1])
    gains = pair_gains(base, frequencies)
    np.testing.assert_allclose(gains, gains.T, rtol=1e-9)
    if n_before:  # orbits that are free to first order have no closed form here
        return
    sigma = np.sqrt(problem.velocities.variances + base.noise.jitters_ms[0] ** 2)
    angles = 2.0 * np.pi * np.outer(problem.velocities.times_days, frequencies[:2])
    columns = np.hstack([problem.basis, np.cos(angles), np.sin(angles)]) / sigma[:, np.newaxis]

    def chi2(part: np.ndarray) -> float:
        y = problem.velocities.rvs_ms / sigma
        rest = y - part @ np.linalg.lstsq(part, y, rcond=None)[0]
        return float(rest @ rest)

    assert gains[0, 1] == pytest.approx(0.5 * (chi2(columns[:, :1]) - chi2(columns)), rel=1e-6)


def test_two_alike_are_found_though_neither_stands_out() -> None:
    """With 22 points the highest peak belongs to neither planet; the best pair is the true one."""
    problem = Problem.of(observe(ALIKE, n=22, span=200.0, n_instruments=1, seed=23))
    null = fit_noise(problem)
    highest = float(scan(null).peaks(1)[0])
    assert min(abs(highest - 1 / P) for P in ALIKE[:, 0]) > 1.0 / 200.0
    best = np.sort(1.0 / pairs(null, 1)[0][:, 0])
    assert best == pytest.approx(ALIKE[:, 0], rel=0.06)


def test_a_sinusoid_beside_another_gains_what_the_pair_does() -> None:
    base = fit_noise(Problem.of(observe(ALIKE, n=40, n_instruments=1)))
    frequencies = np.array([1 / 47.0, 1 / 9.0, 1 / 3.1])
    columns, y = sinusoids(base, frequencies), unexplained(base)
    Q = np.linalg.qr(columns[:, 0])[0]
    together = 0.5 * float(((Q.T @ y) ** 2).sum()) + gains_beside(Q[np.newaxis], columns, y)[0, 1:]
    np.testing.assert_allclose(together, pair_gains(base, frequencies)[0, 1:], rtol=1e-6)


def test_blocks_of_frequencies_give_what_the_whole_grid_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    base = fit_noise(Problem.of(observe(ALIKE, n=40, n_instruments=2)))
    chosen = np.array([[1 / 47.0, 1 / 11.3], [1 / 9.0, 1 / 3.1]])
    frequencies = np.linspace(1 / 90.0, 1 / 2.0, 50)
    columns, y = sinusoids(base, frequencies), unexplained(base)
    monkeypatch.setattr(reference_pairs, "BLOCK", 7)
    gains = gains_beside_pairs(base, chosen, frequencies)
    for pair, row in zip(chosen, gains, strict=True):
        Q = np.linalg.qr(sinusoids(base, pair).reshape(len(y), -1))[0]
        np.testing.assert_allclose(row, gains_beside(Q[np.newaxis], columns, y)[0], atol=1e-4)


def test_three_alike_are_found_together() -> None:
    planets = np.vstack([ALIKE, [23.1, 8.0, 0.0, 0.5, 5.0]])
    problem = Problem.of(observe(planets, n=40, span=300.0, n_instruments=1, seed=23))
    best = np.sort(1.0 / triples(fit_noise(problem), 1)[0][:, 0])
    assert best == pytest.approx([11.3, 23.1, 47.0], rel=0.06)
