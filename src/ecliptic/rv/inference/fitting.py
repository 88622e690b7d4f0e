"""Joint maximum-likelihood fits: what solvers, graders and the oracle call.

>>> problem = Problem.of(observation)            # doctest: +SKIP
>>> best = fit(problem, shapes)                  # doctest: +SKIP
>>> best.elements(), best.log_likelihood         # doctest: +SKIP
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ecliptic.rv import orbit
from ecliptic.rv.inference.celerite import factor, whiten
from ecliptic.rv.inference.noise_search import set_diagonal
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.search import deflate, information, maximise, orthonormalise
from ecliptic.rv.inference.shapes import TWO_PI, elements_of, shapes_of
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.tasks import Planet

E_MAX = 0.8  # the most that an agent may submit
K_SCALE_SPREADS = 100.0
MAX_ROUNDS, MAX_STEPS = 40, 60
NO_PLANETS = np.empty((0, 3))


@dataclass(frozen=True, slots=True)
class NoiseLevels:
    """Standard deviations in m/s: a jitter per instrument, and the process's (0 without one)."""

    jitters_ms: tuple[float, ...]
    gp_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Fit:
    """A model at its optimum.

    Attributes
    ----------
    problem
        What was fitted.
    shape
        (n_planets, 3): :mod:`ecliptic.rv.inference.shapes`.
    amplitudes
        (2 n_planets,): K cos L and -K sin L in m/s.
    theta
        Noise parameters as :mod:`ecliptic.rv.inference.noise_search` has them.
    residuals_ms
        (n,): data less planets and all linear terms.
    log_likelihood
        Without any penalty.
    """

    problem: Problem
    shape: Array
    amplitudes: Array
    theta: Array
    residuals_ms: Array
    log_likelihood: float

    @property
    def n_planets(self) -> int:
        """Number of orbits in the model."""
        return len(self.shape)

    @property
    def bic(self) -> float:
        """Bayesian information criterion."""
        return self.problem.bic(self.log_likelihood, self.n_planets)

    @property
    def rms_ms(self) -> float:
        """Root of the mean square residual, unweighted."""
        return math.sqrt(float(np.mean(self.residuals_ms**2)))

    @property
    def noise(self) -> NoiseLevels:
        """The fitted noise."""
        return noise_levels(self.problem, self.theta)

    def elements(self) -> Array:
        """Columns P in days, K in m/s, e, omega, M0 at the reference epoch; (n_planets, 5)."""
        return elements_of(self.shape, self.amplitudes, self.problem.velocities.reference_days)

    def planets(self) -> tuple[Planet, ...]:
        """The planets in the order of the start."""
        return planets_of(self.elements(), self.problem.star_mass_sun)

    def information(self) -> Array:
        """Fisher matrix of f, x, y, a, b a planet, linear terms marginalised; (5 p, 5 p)."""
        problem = self.problem
        A, d, W, Q = whitening(problem, self.theta)
        U, _, phi = problem.kernel
        fisher: Array = information(
            problem.velocities.times_days, A, U, phi, d, W, Q, self.shape, self.amplitudes
        )
        return fisher


def noise_levels(problem: Problem, theta: Array) -> NoiseLevels:
    """Noise parameters in m/s."""
    sigmas = np.sqrt(np.maximum(np.exp(theta) - problem.floors, 0.0)).tolist()
    n = problem.velocities.n_instruments
    return NoiseLevels(tuple(sigmas[:n]), sigmas[n] if len(sigmas) > n else 0.0)


def theta_of(problem: Problem, noise: NoiseLevels) -> Array:
    """Noise parameters of standard deviations in m/s."""
    sigmas = [*noise.jitters_ms, *([noise.gp_ms] if problem.gp is not None else [])]
    return np.log(np.square(np.array(sigmas, dtype=np.float64)) + problem.floors)


def default_theta(problem: Problem) -> Array:
    """A start for the noise: jitters of a third of the median error, the process as large."""
    median = float(np.median(problem.velocities.variances))
    theta = np.log(np.full(len(problem.floors), 0.1 * median) + problem.floors)
    if problem.gp is not None:
        theta[-1] = math.log(max(median, 0.1 * problem.velocities.spread_ms**2))
    return theta


def whitening(problem: Problem, theta: Array) -> tuple[float, Array, Array, Array]:
    """The process's variance, D and W of the covariance, and the whitened linear terms."""
    U, V, phi = problem.kernel
    data = problem.velocities
    diagonal, d, W = np.empty(len(data)), np.empty(len(data)), np.empty(U.shape)
    A = float(set_diagonal(theta, problem.floors, data.variances, data.instruments, diagonal))
    factor(diagonal, A, U, V, phi, d, W)
    Q = problem.basis.copy()
    whiten(Q, A, U, phi, d, W)
    orthonormalise(Q)
    return A, d, W, Q


def whitened(problem: Problem, theta: Array, columns: Array) -> Array:
    """Columns, (n, k), with unit noise and no part along the linear terms."""
    A, d, W, Q = whitening(problem, theta)
    out = np.array(columns, dtype=np.float64, order="C")
    whiten(out, A, problem.kernel[0], problem.kernel[2], d, W)
    deflate(out, Q)
    return out


def fit(
    problem: Problem,
    start: Array,
    *,
    theta: Array | None = None,
    free_noise: bool = True,
    e_max: float = E_MAX,
    e_scale: float = math.inf,
    tolerance: float = 1e-3,
    max_rounds: int = MAX_ROUNDS,
    max_steps: int = MAX_STEPS,
) -> Fit:
    """The optimum that a search from ``start`` (shape parameters, (n_planets, 3)) ends in.

    ``theta`` starts the noise (:func:`theta_of`), or is kept with ``free_noise=False``;
    ``e_scale`` is the standard deviation of a prior on e cos M and e sin M. The
    search stops when -2 ln L falls by less than ``tolerance`` in a round.
    """
    family, data = problem.family, problem.velocities
    limits = np.array([1.0 / family.period_max_days, 1.0 / family.period_min_days, e_max])
    shape = _inside(np.reshape(np.asarray(start, dtype=np.float64), (-1, 3)), limits)
    K_scale = K_SCALE_SPREADS * max(data.spread_ms, 1e-100)
    U, V, phi = problem.kernel
    shape, amplitudes, theta, residuals, value, _ = maximise(
        data.times_days, data.rvs_ms, data.variances, data.instruments, problem.basis, U, V, phi,
        shape, default_theta(problem) if theta is None else theta, problem.floors, limits,
        np.array([e_scale**-2.0, K_scale**-2.0]), free_noise, tolerance, max_rounds, max_steps,
    )  # fmt: skip
    log_likelihood = -0.5 * (value + len(data) * math.log(TWO_PI))
    return Fit(problem, shape, amplitudes, theta, residuals, log_likelihood)


def fit_held(problem: Problem, elements: Array, *, theta: Array | None = None) -> Fit:
    """Noise and linear terms fitted, the planets held at ``elements`` (P, K, e, omega, M0).

    The result has no planets of its own: its residuals are the data less the held planets.
    """
    data = problem.velocities
    curves = orbit.curves(data.times_days, data.reference_days, np.ascontiguousarray(elements))
    return fit_noise(problem.with_velocities(data.rvs_ms - curves.sum(axis=0)), theta)


def fit_noise(problem: Problem, theta: Array | None = None) -> Fit:
    """Noise and linear terms of a model without planets.

    With a process the likelihood may have two optima, one where it and one where the jitters hold
    the variance; both are tried.
    """
    starts = [default_theta(problem)] + ([] if theta is None else [theta])
    if problem.gp is not None:
        low = np.log(1.05 * problem.floors)
        variance = float(np.var(problem.velocities.rvs_ms))
        process, jitters = low.copy(), low.copy()
        process[-1] = math.log(variance + problem.floors[-1])
        jitters[:-1] = math.log(variance + problem.floors[0])
        starts += [process, jitters]
    fits = [fit(problem, NO_PLANETS, theta=start) for start in starts]
    return max(fits, key=lambda each: each.log_likelihood)


def log_likelihood(problem: Problem, shape: Array, theta: Array) -> float:
    """ln L of shapes and noise as they are, amplitudes and linear terms solved for."""
    return fit(
        problem, shape, theta=theta, free_noise=False, e_max=0.999, max_rounds=1, max_steps=0
    ).log_likelihood


def planets_of(elements: Array, star_mass_sun: float) -> tuple[Planet, ...]:
    """Planets of elements P, K, e, omega, M0, (n_planets, 5)."""
    return tuple(
        Planet(
            period_days=P,
            m_sin_i_mjup=float(orbit.minimum_mass_mjup(K, P, e, star_mass_sun)),
            e=e,
            omega_rad=omega % TWO_PI,
            l_rad=(omega + M_0) % TWO_PI,
        )
        for P, K, e, omega, M_0 in elements.tolist()
    )


def start_of(problem: Problem, elements: Array) -> Array:
    """Shape parameters of elements P, K, e, omega, M0 at the reference epoch."""
    return shapes_of(elements, problem.velocities.reference_days)


def _inside(shape: Array, limits: Array) -> Array:
    f, x, y = shape.T
    excess = np.maximum(np.hypot(x, y) / limits[2], 1.0) * (1.0 + 1e-12)
    return np.column_stack([np.clip(f, limits[0], limits[1]), x / excess, y / excess])


def at(problem: Problem, elements: Array, theta: Array) -> Fit:
    """The model of given elements (P, K, e, omega, M0) and noise; only linear terms are solved."""
    reference = problem.velocities.reference_days
    longitude = elements[:, 3] + elements[:, 4] - TWO_PI * reference / elements[:, 0]
    K = elements[:, 1]
    amplitudes = np.column_stack([K * np.cos(longitude), -K * np.sin(longitude)]).ravel()
    data = problem.velocities
    curves = orbit.curves(data.times_days, reference, np.ascontiguousarray(elements))
    rest = fit(
        problem.with_velocities(data.rvs_ms - curves.sum(axis=0)), NO_PLANETS, theta=theta,
        free_noise=False,
    )  # fmt: skip
    shape = shapes_of(elements, reference)
    return Fit(problem, shape, amplitudes, theta, rest.residuals_ms, rest.log_likelihood)
