"""Quantities in one line, for evidence."""

from __future__ import annotations

from decimal import Decimal

from ecliptic.grading.quantity import Quantity

METHOD = "quantities"


def shown(quantity: Quantity) -> str:
    """A quantity in one line, for evidence: ``n = 6 cm^-3``."""
    parts = [f"{quantity.label} {quantity.relation}"] if quantity.label else []
    if not quantity.label and quantity.relation != "=":
        parts.append(quantity.relation)
    parts.append(figure(quantity.value))
    if quantity.upper is not None:
        parts[-1] += f" to {figure(quantity.upper)}"
    if quantity.uncertainty is not None:
        parts.append(f"+- {figure(quantity.uncertainty)}")
    if quantity.unit is not None:
        parts.append(quantity.unit.spelling)
    return " ".join(parts)


def figure(value: Decimal) -> str:
    """Six digits of a number of any size."""
    return f"{float(value):.6g}" if -300 < value.adjusted() < 300 else f"{value:.6g}"
