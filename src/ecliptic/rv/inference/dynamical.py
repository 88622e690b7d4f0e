r"""Fits of planets that pull on each other: ``forward_model: nbody``.

Velocities come from :mod:`ecliptic.rv.nbody` (frame ``sky``, edge-on orbits where no inclination is
stated). The **interaction** is what they differ by from the sum of Keplerian curves of the same
elements. Where it is held, everything of :mod:`ecliptic.rv.inference.fitting` applies to the
velocities less the interaction; :func:`fit_dynamical` lets it follow the orbits, with
Levenberg-Marquardt in ln P, ln m, e cos(omega), e sin(omega) and l.

Integrations are what a fit costs, so two things spare them. The Keplerian part of the derivatives
is computed anew at each step; that of the interaction, by finite differences, changes little and is
kept, with Broyden's updates, as long as it serves. And steps are tried with a coarser integration,
whose error at the start is taken off; only the result is integrated in full.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ecliptic.errors import UsageError
from ecliptic.rv import nbody, orbit
from ecliptic.rv.inference.fitting import E_MAX, NO_PLANETS, Fit, fit, whitened
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.shapes import TWO_PI
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.orbit import radial_velocity_ms, semi_amplitude_ms
from ecliptic.rv.tasks import Planet

STEPS = np.array([1e-6, 1e-4, 1e-5, 1e-5, 1e-5])
FULL_STEPS, COARSE_STEPS = 50.0, 20.0  # of integration in the shortest period
COARSE_ERROR = 0.05  # of the median error: beyond, every integration is a full one
MAX_STEPS = 30
POOR = 0.1  # share of the gain expected
NOISE_ROUNDS = 3
MOST_E = 0.999
LN_MASS = (math.log(1e-6), math.log(1e3))  # of Jupiter's


@dataclass(frozen=True, slots=True)
class DynamicalFit:
    """Planets at the optimum, and the fit of noise and linear terms to what they leave.

    ``slopes``: the derivatives of the interaction that were used last.
    """

    planets: tuple[Planet, ...]
    held: Fit
    slopes: Array


def dynamical_velocities_ms(
    problem: Problem, planets: Sequence[Planet], steps_per_period: float = FULL_STEPS
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
    slopes: Array | None = None,
    *,
    max_steps: int = MAX_STEPS,
    noise_rounds: int = NOISE_ROUNDS,
) -> DynamicalFit:
    """The optimum near ``planets``, the interaction following the orbits.

    ``problem`` holds the velocities as observed. Noise and orbits are fitted in turn.
    ``slopes``: derivatives of the interaction (:func:`interaction_slopes`) at a model nearby, which
    are then taken to be good enough to tell the optimum, and computed anew only where no step with
    them gains. Fewer steps and rounds make a rough fit.
    """
    vector = np.array([_parameters(planet) for planet in planets]).ravel()
    integration = _integration(problem, vector)
    trusted = slopes is not None
    held = _held(problem, integration(vector), theta)
    for _ in range(noise_rounds):
        before = held.log_likelihood
        vector, slopes = _search(
            integration, vector, held.theta, tolerance, slopes, max_steps, trusted
        )
        held = _held(problem, integration(vector), held.theta)
        if held.log_likelihood - before < tolerance:
            break
    full = dynamical_velocities_ms(problem, _planets(vector))
    held = _held(problem, full, held.theta)
    assert slopes is not None
    return DynamicalFit(tuple(_planets(vector)), held, slopes)


def derivatives(problem: Problem, planets: Sequence[Planet]) -> Array:
    """Of the N-body velocities in ln P, ln m, h, k and l of every planet, (n, 5 p)."""
    vector = np.array([_parameters(planet) for planet in planets]).ravel()
    return _keplerian_slopes(problem, vector) + _interaction_slopes(problem, vector)


def interaction_slopes(problem: Problem, planets: Sequence[Planet]) -> Array:
    """Derivatives of the interaction in ln P, ln m, h, k and l of every planet, (n, 5 p)."""
    vector = np.array([_parameters(planet) for planet in planets]).ravel()
    return _interaction_slopes(problem, vector)


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
    white = whitened(problem, theta, derivatives(problem, planets))
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


@dataclass(frozen=True, slots=True)
class _Integration:
    """Velocities at trial models: integrated with ``steps``, and ``offset_ms`` added."""

    problem: Problem
    steps: float
    offset_ms: Array

    def __call__(self, vector: Array) -> Array:
        return dynamical_velocities_ms(self.problem, _planets(vector), self.steps) + self.offset_ms


def _integration(problem: Problem, vector: Array) -> _Integration:
    planets = _planets(vector)
    full = dynamical_velocities_ms(problem, planets)
    offset = full - dynamical_velocities_ms(problem, planets, COARSE_STEPS)
    error = math.sqrt(float(np.median(problem.velocities.variances)))
    if not float(np.abs(offset).max(initial=0.0)) <= COARSE_ERROR * error:
        return _Integration(problem, FULL_STEPS, np.zeros(len(problem)))
    return _Integration(problem, COARSE_STEPS, offset)


def _held(problem: Problem, velocities: Array, theta: Array) -> Fit:
    rest = problem.velocities.rvs_ms - velocities
    return fit(problem.with_velocities(rest), NO_PLANETS, theta=theta)


def _keplerian_rows(vector: Array, star_mass_sun: float) -> Array:
    """Elements P, K, e, omega, M0 of parameters, (n_planets, 5)."""
    ln_P, ln_m, h, k, l_rad = vector.reshape(-1, 5).T
    P, e, omega = np.exp(ln_P), np.hypot(h, k), np.arctan2(k, h)
    K = semi_amplitude_ms(np.exp(ln_m), P, np.minimum(e, MOST_E), star_mass_sun)
    return np.column_stack([P, K, e, omega, l_rad - omega])


def _keplerian(problem: Problem, vector: Array) -> Array:
    """Sum of the Keplerian curves, (n,)."""
    data = problem.velocities
    rows = np.ascontiguousarray(_keplerian_rows(vector, problem.star_mass_sun))
    total: Array = orbit.curves(data.times_days, data.reference_days, rows).sum(axis=0)
    return total


def _keplerian_slopes(problem: Problem, vector: Array) -> Array:
    data = problem.velocities
    count = len(vector)
    rows = np.repeat(vector.reshape(-1, 5), 10, axis=0)
    steps = np.tile(STEPS, count // 5)
    number = np.arange(count)
    rows[2 * number, number % 5] += steps
    rows[2 * number + 1, number % 5] -= steps
    elements = _keplerian_rows(rows.ravel(), problem.star_mass_sun)
    curves = orbit.curves(data.times_days, data.reference_days, np.ascontiguousarray(elements))
    slopes: Array = (curves[0::2] - curves[1::2]).T / (2.0 * steps)
    return slopes


def _interaction_slopes(problem: Problem, vector: Array) -> Array:
    def interaction(parameters: Array) -> Array:
        pulled = dynamical_velocities_ms(problem, _planets(parameters), COARSE_STEPS)
        return pulled - _keplerian(problem, parameters)

    base = interaction(vector)
    columns = []
    for k, step in enumerate(np.tile(STEPS, len(vector) // len(STEPS)).tolist()):
        moved = vector.copy()
        moved[k] += step
        columns.append((interaction(moved) - base) / step)
    return np.column_stack(columns)


def _search(
    integration: _Integration,
    vector: Array,
    theta: Array,
    tolerance: float,
    slopes: Array | None,
    max_steps: int,
    trusted: bool,
) -> tuple[Array, Array]:
    """Levenberg-Marquardt for held noise; the parameters, and the interaction's derivatives."""
    problem = integration.problem

    def white_residuals(velocities: Array) -> Array:
        rest = problem.velocities.rvs_ms - velocities
        return whitened(problem, theta, rest[:, np.newaxis])[:, 0]

    velocities = integration(vector)
    current = white_residuals(velocities)
    cost, damping = float(current @ current), (1e-7 if trusted else 1e-3)
    fresh = slopes is None
    if slopes is None:
        slopes = _interaction_slopes(problem, vector)
    for _ in range(max_steps):
        jacobian = whitened(problem, theta, _keplerian_slopes(problem, vector) + slopes)
        A = jacobian.T @ jacobian
        g = jacobian.T @ current
        move = np.linalg.solve(A + damping * np.diag(np.diag(A) + 1e-300), g)
        expected = float(g @ move)
        if expected <= tolerance:
            if fresh or trusted:
                break
            slopes, fresh = _interaction_slopes(problem, vector), True
            continue
        trial = _bounded(vector + move, problem)
        try:
            trial_velocities = integration(trial)
            trial_residuals = white_residuals(trial_velocities)
            gain = cost - float(trial_residuals @ trial_residuals)
        except UsageError:  # orbits that cannot be integrated
            gain = -math.inf
        if gain > -math.inf:
            # Broyden's update, of the interaction alone.
            change = trial_velocities - _keplerian(problem, trial)
            change -= velocities - _keplerian(problem, vector)
            step = trial - vector
            weighted = np.diag(A) * step
            missed = change - slopes @ step
            slopes = slopes + np.outer(missed, weighted / max(float(weighted @ step), 1e-300))
        if gain > 0.0:
            vector, current, cost = trial, trial_residuals, cost - gain
            velocities = trial_velocities
            damping = max(0.2 * damping, 1e-9)
            if fresh and gain < tolerance:
                break
            stale, fresh = not fresh, False
        else:
            damping *= 8.0
            stale = not fresh and damping > 1.0
            if damping > 1e8:
                break
        if stale and gain < POOR * expected:
            slopes, fresh = _interaction_slopes(problem, vector), True
            damping = min(damping, 1e-7 if trusted else 1e-3)
    return vector, slopes


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
