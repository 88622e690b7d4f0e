"""The model that the nested solver samples: from a point of the unit cube to ln L and orbits.

Coordinates of the cube, for p planets: p of the frequencies in order, then x, y and tau of every
planet, then the jitters and, with a process, its amplitude: 4 p + the number of noise terms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ecliptic.errors import UsageError
from ecliptic.rv.inference.celerite import factor, whiten
from ecliptic.rv.inference.evidence import Priors
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.shapes import TWO_PI
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.jit import compiled
from ecliptic.rv.solvers.nested_likelihood import gains, ln_marginal, set_covariance
from ecliptic.rv.solvers.nested_periods import PeriodDensity, draw_ln_f, nodes
from ecliptic.rv.solvers.nested_priors import (
    inverse_normal,
    modified_jeffreys,
    tau_scale_ms,
)

TAU_NODES = 8
BLOCK = 512
Constants = tuple[Any, ...]


@compiled
def unpack(
    u: Array, widths: Array, ln_f: Array, density: Array, cumulative: Array, prior: float,
    shape: Array, taus: Array, sigmas: Array,
) -> float:  # fmt: skip
    """Write shapes, scales and noise of a point of the cube; return ln of prior over density.

    ``widths``: scale of e; scale and largest of tau; scale and largest of the noise. Minus infinity
    where an eccentricity is 1 or more.
    """
    p = shape.shape[0]
    ln_weight, rank = 0.0, 1.0
    for j in range(p - 1, -1, -1):  # the largest of j + 1 uniform numbers below the last one
        rank *= u[j] ** (1.0 / (j + 1))
        value, here = draw_ln_f(rank, ln_f, density, cumulative)
        shape[j, 0] = math.exp(value)
        ln_weight += math.log(prior / here)
        shape[j, 1] = widths[0] * inverse_normal(u[p + 3 * j])
        shape[j, 2] = widths[0] * inverse_normal(u[p + 3 * j + 1])
        taus[j] = modified_jeffreys(max(u[p + 3 * j + 2], 1e-6), widths[1], widths[2])
        square = shape[j, 1] * shape[j, 1] + shape[j, 2] * shape[j, 2]
        if square >= 0.9999:
            return -math.inf
        ln_weight -= math.log1p(-math.exp(-0.5 / (widths[0] * widths[0])))
    for k in range(sigmas.size):
        sigmas[k] = modified_jeffreys(u[4 * p + k], widths[3], widths[4])
    return ln_weight


@compiled
def ln_target(
    u: Array, n_noise: int, widths: Array, ln_f: Array, density: Array, cumulative: Array,
    prior: float, times: Array, rvs: Array, basis: Array, variances: Array,
    instruments: NDArray[np.int64], n_jitters: int, U: Array, V: Array, phi: Array,
    rotation: Array,
) -> float:  # fmt: skip
    """ln L with the weight of the frequencies' density."""
    p = (u.size - n_noise) // 4
    shape, taus, sigmas = np.empty((p, 3)), np.empty(p), np.empty(n_noise)
    ln_weight = unpack(u, widths, ln_f, density, cumulative, prior, shape, taus, sigmas)
    if not ln_weight > -math.inf:
        return -math.inf
    k = basis.shape[1] + 2 * p
    return ln_weight + ln_marginal(
        times, rvs, basis, variances, instruments, n_jitters, U, V, phi, rotation, shape, taus,
        sigmas, np.empty((k, k)), np.empty(k),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class NestedModel:
    """A problem with its priors; see :mod:`ecliptic.rv.solvers.nested_likelihood`."""

    problem: Problem
    priors: Priors
    rvs_ms: Array
    basis: Array
    variances: Array
    rotation: Array
    ln_f: Array

    @classmethod
    def of(
        cls, problem: Problem, priors: Priors | None = None, covariance: Array | None = None
    ) -> NestedModel:
        """``covariance``, (n, n) in (m/s)^2: a known part of the noise, besides quoted errors.

        Raises
        ------
        UsageError
            A covariance beside several instruments or a process, or of another shape.
        """
        data, family = problem.velocities, problem.family
        rvs, basis, variances = data.rvs_ms, problem.basis, data.variances
        rotation = np.empty((0, 0))
        if covariance is not None:
            if data.n_instruments > 1 or problem.gp is not None:
                raise UsageError("covariance: needs one instrument and no activity")
            if covariance.shape != (len(data), len(data)):
                raise UsageError(f"covariance: shape must be ({len(data)}, {len(data)})")
            eigenvalues, vectors = np.linalg.eigh(covariance + np.diag(variances))
            variances = np.maximum(eigenvalues, 1e-12)
            rotation = np.ascontiguousarray(vectors.T, dtype=np.float64)
            rvs, basis = rotation @ rvs, np.ascontiguousarray(rotation @ basis)
        ln_f = nodes(family.period_min_days, family.period_max_days, data.span_days)
        return cls(
            problem, Priors() if priors is None else priors, rvs, basis, variances, rotation, ln_f
        )

    @property
    def n_noise(self) -> int:
        """Jitters, and the process's amplitude."""
        return len(self.problem.floors)

    def n_dimensions(self, n_planets: int) -> int:
        """Of the cube."""
        return 4 * n_planets + self.n_noise

    def constants(self, period: PeriodDensity) -> Constants:
        """What :func:`ln_target` takes after the point."""
        data = self.problem.velocities
        return (
            self.n_noise, self._widths(), period.ln_f, period.density, period.cumulative,
            period.prior, data.times_days, self.rvs_ms, self.basis, self.variances,
            data.instruments, data.n_instruments, *self.problem.kernel, self.rotation,
        )  # fmt: skip

    def unpacked(self, period: PeriodDensity, u: Array) -> tuple[Array, Array, Array]:
        """Shapes (p, 3), scales (p,) and noise of a point."""
        p = (len(u) - self.n_noise) // 4
        shape, taus, sigmas = np.empty((p, 3)), np.empty(p), np.empty(self.n_noise)
        unpack(
            u, self._widths(), period.ln_f, period.density, period.cumulative, period.prior,
            shape, taus, sigmas,
        )  # fmt: skip
        return shape, taus, sigmas

    def ln_linear_prior(self) -> float:
        """ln of the constant density of the linear terms."""
        return -float(self.basis.shape[1]) * math.log(2.0 * self.priors.offset_half_width_ms)

    def amplitudes(
        self, shape: Array, taus: Array, sigmas: Array, rng: np.random.Generator, count: int
    ) -> Array:
        """Draws of the amplitudes given the rest, (count, 2 p)."""
        data = self.problem.velocities
        k, q = self.basis.shape[1] + 2 * len(shape), self.basis.shape[1]
        L, b = np.zeros((k, k)), np.empty(k)
        ln_marginal(
            data.times_days, self.rvs_ms, self.basis, self.variances, data.instruments,
            data.n_instruments, *self.problem.kernel, self.rotation, shape, taus, sigmas, L, b,
        )  # fmt: skip
        whitened = b[:, np.newaxis] + rng.standard_normal((k, count))
        draws = np.linalg.solve(np.tril(L).T, whitened)[q:].T
        return np.asarray(draws, dtype=np.float64)

    def gains(self, shape: Array, taus: Array, sigmas: Array) -> Array:
        """Gain in ln L of one more circular orbit at every node of ln f, given the rest."""
        data = self.problem.velocities
        U, V, phi = self.problem.kernel
        n, times = len(data), data.times_days
        d, W, diagonal = np.empty(n), np.empty(U.shape), np.empty(n)
        A = float(
            set_covariance(sigmas, self.variances, data.instruments, data.n_instruments, diagonal)
        )
        factor(diagonal, A, U, V, phi, d, W)
        X = self._columns(shape)
        whiten(X, A, U, phi, d, W)
        precisions = np.concatenate([np.zeros(self.basis.shape[1]), np.repeat(taus**-2.0, 2)])
        tau_nodes, ln_weights = self._tau_nodes()
        out = np.empty(len(self.ln_f))
        for first in range(0, len(out), BLOCK):
            f = np.exp(self.ln_f[first : first + BLOCK])
            angles = TWO_PI * np.outer(times, f)
            waves = np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
            if len(self.rotation):
                waves = self.rotation @ waves
            whiten(waves, A, U, phi, d, W)
            table = np.ascontiguousarray(waves.T.reshape(2, len(f), n).transpose(1, 2, 0))
            out[first : first + BLOCK] = gains(X, table, precisions, tau_nodes, ln_weights)
        return out

    def _columns(self, shape: Array) -> Array:
        from ecliptic.rv.solvers.nested_likelihood import fill_columns

        data = self.problem.velocities
        columns = np.empty((len(data), 2 * len(shape)))
        fill_columns(data.times_days, shape, columns)
        if len(self.rotation):
            columns = np.asarray(self.rotation @ columns, dtype=np.float64)
        return np.ascontiguousarray(np.column_stack([self.rvs_ms, self.basis, columns]))

    def _tau_nodes(self) -> tuple[Array, Array]:
        shares = (np.arange(TAU_NODES) + 0.5) / TAU_NODES
        scale, largest = tau_scale_ms(self.priors), self.priors.K_max_ms
        taus = scale * np.expm1(shares * math.log1p(largest / scale))
        return taus, np.full(TAU_NODES, -math.log(TAU_NODES))

    def _widths(self) -> Array:
        priors = self.priors
        return np.array(
            [
                priors.e_rayleigh,
                tau_scale_ms(priors),
                priors.K_max_ms,
                priors.jitter_scale_ms,
                priors.jitter_max_ms,
            ]
        )
