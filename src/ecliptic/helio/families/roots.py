"""Roots of a function of one variable between two bounds, for the second routes."""

from __future__ import annotations

from collections.abc import Callable

_PRECISION = 1e-14


def bracketed_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes sign between ``low`` and ``high``, to 14 digits (Brent 1973).

    Raises
    ------
    ValueError
        The function has the same sign at both ends.
    """
    from scipy.optimize import brentq

    return float(brentq(function, low, high, xtol=_PRECISION, rtol=_PRECISION))
