"""Checks of what a user asks of a solver."""

from __future__ import annotations

import math

from ecliptic.errors import UsageError
from ecliptic.model import short
from ecliptic.rv.inference.velocities import Velocities
from ecliptic.rv.solvers.keplerian_fit import Limits

MAX_SPANS = 4.0
MAX_K_SPREADS = 10.0


def number(name: str, value: object, low: float, high: float, *, above: bool = False) -> float:
    """A finite number from ``low`` (or, with ``above``, greater than it) to ``high``."""
    good = (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and low <= value <= high
        and not (above and value == low)
    )
    if not good:
        upper = "" if math.isinf(high) else f" and <= {high:g}"
        raise UsageError(
            f"{name} must be {'>' if above else '>='} {low:g}{upper}, not {short(value)}"
        )
    assert isinstance(value, int | float)
    return float(value)


def whole(name: str, value: object, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise UsageError(f"{name} must be a whole number from {low} to {high}, not {short(value)}")
    return value


def flag(name: str, value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise UsageError(f"{name} must be true or false, not {short(value)}")
    return value


def search_limits(
    velocities: Velocities | None, period_min_days: object, period_max_days: object
) -> Limits | None:
    """Bounds for a search; ``None`` where the data leave no period between them.

    The longest period is four time spans unless given: beyond that an orbit cannot be told from a
    parabola. An amplitude over ten times the velocities' own scatter, which only such an orbit
    would have, is penalised.
    """
    shortest = number("period_min_days", period_min_days, 0.5, 1e9, above=True)
    longest = None
    if period_max_days is not None:
        longest = number("period_max_days", period_max_days, shortest, 1e9, above=True)
    if velocities is None:
        return None
    if longest is None:
        longest = MAX_SPANS * velocities.span_days
    if longest <= shortest:
        return None
    return Limits(shortest, longest, K_scale_ms=MAX_K_SPREADS * velocities.spread_ms)
