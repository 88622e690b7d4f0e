"""Decimals of 34 digits with far exponents, bounded before anything is computed."""

from __future__ import annotations

from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow

from ecliptic.grading.parse_failure import ParseFailure

LARGEST_DECADE = 100_000
"""Values lie between 10^-LARGEST_DECADE and 10^LARGEST_DECADE."""

CONTEXT = Context(
    prec=34,
    Emax=10 * LARGEST_DECADE,
    Emin=-10 * LARGEST_DECADE,
    traps=[DivisionByZero, InvalidOperation, Overflow],
)


def bounded(value: Decimal, at: int = 0) -> Decimal:
    """``value`` unless its magnitude is beyond the bounds."""
    if not value.is_finite() or (value and abs(value.adjusted()) > LARGEST_DECADE):
        raise ParseFailure("the number is too large or too small", at, limit="exponent")
    return value


def power(base: Decimal, exponent: Decimal, at: int = 0) -> Decimal:
    """``base ** exponent`` with the size of the result checked before it is computed."""
    if base == 0:
        if exponent <= 0:
            raise ParseFailure("zero to such a power has no value", at, limit="value")
        return base
    if exponent.adjusted() > 7:
        raise ParseFailure("the exponent is too large", at, limit="exponent")
    decades = abs(base.adjusted()) + 1
    if base not in (1, -1) and abs(exponent) * decades > LARGEST_DECADE:
        raise ParseFailure("the power is too large", at, limit="exponent")
    if base < 0 and exponent != exponent.to_integral_value():
        raise ParseFailure("a root of a negative number", at, limit="value")
    return bounded(CONTEXT.power(base, exponent), at)
