r"""Fits of planets that pull on each other: ``forward_model: nbody``.

Velocities come from :mod:`ecliptic.rv.nbody` (frame ``sky``, edge-on orbits where no inclination is
stated). The **interaction** is what they differ by from the sum of Keplerian curves of the same
elements. Where it is held, everything of :mod:`ecliptic.rv.inference.fitting` applies to the
velocities less the interaction; :func:`fit_dynamical` lets it follow the orbits, with
Levenberg-Marquardt and derivatives by finite differences, in ln P, ln m, e cos(omega),
e sin(omega) and l.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ecliptic.errors import UsageError
from ecliptic.rv import nbody
from ecliptic.rv.inference.fitting import E_MAX, NO_PLANETS, Fit, fit, whitened
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.shapes import TWO_PI
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.orbit import radial_velocity_ms, semi_amplitude_ms
from ecliptic.rv.tasks import Planet

STEPS = np.array([1e-6, 1e-4, 1e-5, 1e-5, 1e-5])
SLOPE_STEPS = 20.0  # of integration a period: what they miss is the same on both sides
MAX_STEPS = 30
NOISE_ROUNDS = 3
LN_MASS = (math.log(1e-6), math.log(1e3))  # of Jupiter's


@dataclass(frozen=True, slots=True)
class DynamicalFit:
    """Planets at the optimum, and the fit of noise and linear terms to what they leave."""

    planets: tuple[Planet, ...]
    held: Fit


def dynamical_velocities_ms(
    problem: Problem, planets: Sequence[Planet], steps_per_period: float = 50.0
) -> Array:
    """N-body velocities of planets at the problem's times, (n,).

    An orbit refers to the centre of mass of the star and the planets before it, so they are taken
    in order of period, whatever order they are given in.
    """
    data = problem.velocities
    return nbody.nbody_velocities_ms(
        data.times_days,
        [
            planet.model_copy(update={"Omega_rad": 0.0, "l_rad": _l(planet)})
            for planet in sorted(planets, key=lambda planet: planet.period_days)
        ],
        problem.star_mass_sun,
        frame="sky",
        t_ref_days=data.reference_days,
        steps_per_period=steps_per_period,
    )


def interaction_ms(problem: Problem, planets: Sequence[Planet]) -> Array:
    """N-body less Keplerian velocities of the same elements, (n,)."""
    data = problem.velocities
    if problem.family.forward_model != "nbody" or len(planets) < 2:
        return np.zeros(len(data))
    keplerian = radial_velocity_ms(
        data.times_days, planets, problem.star_mass_sun, data.reference_days
    )
    difference: Array = dynamical_velocities_ms(problem, planets) - keplerian
    return difference


def without_interaction(problem: Problem, planets: Sequence[Planet]) -> Problem:
    """The problem less the interaction of planets, which is then held; itself if Keplerian."""
    if problem.family.forward_model != "nbody" or len(planets) < 2:
        return problem
    rvs = problem.velocities.rvs_ms - interaction_ms(problem, planets)
    return problem.with_velocities(rvs)


def fit_dynamical(
    problem: Problem,
    planets: Sequence[Planet],
    theta: Array,
    tolerance: float = 1e-2,
    columns: Array | None = None,
    *,
    max_steps: int = MAX_STEPS,
    noise_rounds: int = NOISE_ROUNDS,
) -> DynamicalFit:
    """The optimum near ``planets``, the interaction following the orbits.

    ``problem`` holds the velocities as observed. Noise and orbits are fitted in turn.
    ``columns``: derivatives (:func:`derivatives`) at a model nearby, to begin with; they are
    computed anew only where a step with them fails. Fewer steps and rounds make a rough fit.
    """
    vector = np.array([_parameters(planet) for planet in planets]).ravel()
    held = _held(problem, vector, theta)
    for _ in range(noise_rounds):
        before = held.log_likelihood
        vector, columns = _search(problem, vector, held.theta, tolerance, columns, max_steps)
        held = _held(problem, vector, held.theta)
        if held.log_likelihood - before < tolerance:
            break
    return DynamicalFit(tuple(_planets(vector)), held)


def derivatives(problem: Problem, planets: Sequence[Planet]) -> Array:
    """Of the N-body velocities in ln P, ln m, h, k and l of every planet, (n, 5 p)."""
    return _derivatives(problem, np.array([_parameters(planet) for planet in planets]).ravel())


def draw_elements(
    problem: Problem,
    planets: Sequence[Planet],
    theta: Array,
    count: int,
    rng: np.random.Generator,
) -> tuple[Array, Array]:
    """Draws from the linearised posterior, and the periods' standard deviations in days.

    The draws are elements P, K, e, omega, M0, (count, n_planets, 5), with e at most 0.8.
    """
    vector = np.array([_parameters(planet) for planet in planets]).ravel()
    white = whitened(problem, theta, _derivatives(problem, vector))
    information = white.T @ white
    scale = np.sqrt(np.maximum(np.diag(information), 1e-300))
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    root = vectors / np.sqrt(np.maximum(values, 1e-12)) / scale[:, np.newaxis]
    draws = vector + rng.standard_normal((count, len(vector))) @ root.T
    rows = draws.reshape(-1, 5)
    e = np.minimum(np.hypot(rows[:, 2], rows[:, 3]), E_MAX)
    P, omega = np.exp(rows[:, 0]), np.arctan2(rows[:, 3], rows[:, 2])
    K = semi_amplitude_ms(np.exp(rows[:, 1]), P, e, problem.star_mass_sun)
    elements = np.column_stack([P, K, e, omega, rows[:, 4] - omega])
    sigmas = np.sqrt((root**2).sum(axis=1))[0::5] * np.exp(vector[0::5])
    return elements.reshape(count, len(planets), 5), sigmas


def _held(problem: Problem, vector: Array, theta: Array) -> Fit:
    velocities = dynamical_velocities_ms(problem, _planets(vector))
    rest = problem.velocities.rvs_ms - velocities
    return fit(problem.with_velocities(rest), NO_PLANETS, theta=theta)


def _derivatives(problem: Problem, vector: Array) -> Array:
    base = dynamical_velocities_ms(problem, _planets(vector), SLOPE_STEPS)
    columns = []
    for k, step in enumerate(np.tile(STEPS, len(vector) // len(STEPS)).tolist()):
        moved = vector.copy()
        moved[k] += step
        velocities = dynamical_velocities_ms(problem, _planets(moved), SLOPE_STEPS)
        columns.append((velocities - base) / step)
    return np.column_stack(columns)


def _search(
    problem: Problem,
    vector: Array,
    theta: Array,
    tolerance: float,
    columns: Array | None,
    max_steps: int,
) -> tuple[Array, Array]:
    """Levenberg-Marquardt for held noise; returns the parameters and the derivatives used last."""

    def white_residuals(trial: Array) -> Array:
        rest = problem.velocities.rvs_ms - dynamical_velocities_ms(problem, _planets(trial))
        return whitened(problem, theta, rest[:, np.newaxis])[:, 0]

    current = white_residuals(vector)
    cost, damping = float(current @ current), 1e-3
    fresh = columns is None
    if columns is None:
        columns = _derivatives(problem, vector)
    jacobian = whitened(problem, theta, columns)
    for _ in range(max_steps):
        A = jacobian.T @ jacobian
        g = jacobian.T @ current
        move = np.linalg.solve(A + damping * np.diag(np.diag(A) + 1e-300), g)
        expected, gain = float(g @ move), 0.0
        if expected > tolerance:
            trial = _bounded(vector + move, problem)
            try:
                trial_residuals = white_residuals(trial)
                gain = cost - float(trial_residuals @ trial_residuals)
            except UsageError:  # orbits that cannot be integrated
                gain = -math.inf
            if gain > 0.0:
                vector, current, cost = trial, trial_residuals, cost - gain
                damping = max(0.2 * damping, 1e-9)
        # Derivatives are kept as long as they serve: they cost as much as all steps together. Only
        # fresh ones tell that the optimum is reached.
        if gain >= max(0.1 * expected, tolerance):
            fresh = False
            continue
        if fresh and (expected <= tolerance or 0.0 < gain < tolerance):
            break
        if fresh and gain <= 0.0:
            damping *= 8.0
            if damping > 1e8:
                break
            continue
        columns, fresh = _derivatives(problem, vector), True
        jacobian = whitened(problem, theta, columns)
    return vector, columns


def _bounded(vector: Array, problem: Problem) -> Array:
    rows = vector.reshape(-1, 5).copy()
    family = problem.family
    low, high = math.log(family.period_min_days), math.log(family.period_max_days)
    rows[:, 0] = np.clip(rows[:, 0], low, high)
    rows[:, 1] = np.clip(rows[:, 1], *LN_MASS)
    rows[:, 2:4] /= np.maximum(np.hypot(rows[:, 2], rows[:, 3]) / E_MAX, 1.0)[:, np.newaxis]
    return rows.ravel()


def _parameters(planet: Planet) -> tuple[float, ...]:
    return (
        math.log(planet.period_days),
        math.log(max(planet.m_sin_i_mjup, 1e-12)),
        planet.e * math.cos(planet.omega_rad),
        planet.e * math.sin(planet.omega_rad),
        _l(planet),
    )


def _planets(vector: Array) -> list[Planet]:
    return [
        Planet(
            period_days=math.exp(ln_P),
            m_sin_i_mjup=math.exp(ln_m),
            e=math.hypot(h, k),
            omega_rad=math.atan2(k, h) % TWO_PI,
            l_rad=l_rad % TWO_PI,
        )
        for ln_P, ln_m, h, k, l_rad in vector.reshape(-1, 5).tolist()
    ]


def _l(planet: Planet) -> float:
    return planet.l_rad - planet.Omega_rad
