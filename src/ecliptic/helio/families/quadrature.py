"""Nodes and weights of Gaussian quadrature, for integrals in the second routes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rule: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]


@lru_cache(maxsize=64)
def gauss_legendre(count: int, low: float = -1.0, high: float = 1.0) -> Rule:
    """Nodes and weights of Gauss and Legendre between two limits, both of shape ``(count,)``.

    Exact for polynomials of degree ``2 count - 1``. The arrays are shared and read-only.
    """
    from numpy.polynomial.legendre import leggauss

    nodes, weights = leggauss(count)
    half = (high - low) / 2
    return _shared((low + high) / 2 + half * nodes, half * weights)


@lru_cache(maxsize=16)
def graded_legendre(count: int, power: int) -> Rule:
    """Nodes and weights on (0, 1) that crowd towards 0: Gauss and Legendre in ``x^(1/power)``.

    For integrands with a root or an essential singularity at the lower end.
    """
    steps, weights = gauss_legendre(count, 0.0, 1.0)
    return _shared(steps**power, weights * power * steps ** (power - 1))


@lru_cache(maxsize=8)
def gauss_laguerre(count: int) -> Rule:
    """Nodes and weights for the integral of ``f(x) exp(-x)`` from 0 to infinity."""
    from numpy.polynomial.laguerre import laggauss

    return _shared(*laggauss(count))


def _shared(nodes: NDArray[np.float64], weights: NDArray[np.float64]) -> Rule:
    nodes.setflags(write=False)
    weights.setflags(write=False)
    return nodes, weights
