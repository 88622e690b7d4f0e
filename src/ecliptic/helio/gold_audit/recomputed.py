"""A numeric final computed again: the steps' last formula at the values of the question."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ecliptic.helio.gold_audit.dimensions import dimensions_of
from ecliptic.helio.gold_audit.findings import Check, Finding
from ecliptic.helio.gold_audit.mathematics import (
    Expression,
    Symbol,
    equations_in,
    free_symbols,
    read_final,
    values_at,
)
from ecliptic.helio.gold_audit.quantities_stated import (
    Quantity,
    quantities_in,
    quantity_of,
)
from ecliptic.helio.records import Record

VALUES = {
    "c": 299792458.0,
    "k_B": 1.380649e-23,
    "mu_0": 1.25663706127e-6,
    "epsilon_0": 8.8541878188e-12,
    "m_p": 1.67262192595e-27,
    "m_e": 9.1093837139e-31,
    "hbar": 1.054571817e-34,
    "G": 6.6743e-11,
    "R_odot": 6.957e8,
    "M_odot": 1.98841e30,
}
"""CODATA 2022 and IAU 2015 nominal values in the SI."""
_TOLERANCE = 0.02


def given_values(record: Record) -> dict[Symbol, Quantity]:
    """``symbol = quantity`` of the question and preamble; symbols with two values are left out."""
    found: dict[Symbol, Quantity] = {}
    twice: set[Symbol] = set()
    for text in (*record.preamble, record.question):
        for left, quantity in quantities_in(text):
            tree = read_final(f"${left}$") if left else ""
            if not isinstance(tree, Symbol):
                continue
            if tree in found and found[tree] != quantity:
                twice.add(tree)
            found[tree] = quantity
    return {symbol: quantity for symbol, quantity in found.items() if symbol not in twice}


def check_recomputed(record: Record) -> Iterator[Finding]:
    """The last formula of the steps whose symbols all have values, against the final."""
    final = quantity_of(record.final) if record.type == "numeric" else None
    if final is None or not final.value:
        return
    given = given_values(record)
    wanted = float(final.value) * final.measure.factor
    for formula, value, dimensions in _values(record, given):
        if dimensions != final.measure.dimensions:
            continue
        ratio = wanted / value
        if abs(ratio - 1) <= _TOLERANCE:
            return
        kind = _simple(ratio)
        if kind is None:
            continue
        yield Finding(
            record.id,
            Check.RECOMPUTED,
            "warning",
            f"${formula}$ at the values of the question gives {value / final.measure.factor:.4g} "
            f"{final.unit.spelling if final.unit else ''}".rstrip()
            + f", not the final ({kind}).",
            "Work it out again; mend the formula, the values or the final.",
            {"formula": formula, "ratio": float(f"{ratio:.4g}"), "diagnosis": kind},
        )
        return


def _values(
    record: Record, given: dict[Symbol, Quantity]
) -> Iterator[tuple[str, float, tuple[object, ...]]]:
    """(formula, value in the SI, dimension) of what the last steps can be evaluated to."""
    units = {symbol: quantity.measure for symbol, quantity in given.items()}
    for step in reversed(record.step[-2:]):
        for equation in reversed(equations_in(step)):
            symbols = free_symbols(equation.right)
            if not symbols or not equation.named:
                continue
            if any(symbol not in given and symbol.name not in VALUES for symbol in symbols):
                continue
            value = _evaluated(equation.right, given)
            dimensions = dimensions_of(equation.right, units)
            if value is not None and dimensions is not None and value:
                yield equation.source.text, value, dimensions


def _evaluated(node: Expression, given: dict[Symbol, Quantity]) -> float | None:
    points = {
        symbol: np.full(1, _si(symbol, given), dtype=np.complex128) for symbol in free_symbols(node)
    }
    found = values_at([node], points)
    if found is None:
        return None
    value = complex(found[0][0])
    fine = math.isfinite(value.real) and abs(value.imag) <= 1e-9 * abs(value.real)
    return value.real if fine else None


def _si(symbol: Symbol, given: dict[Symbol, Quantity]) -> float:
    quantity = given.get(symbol)
    if quantity is None:
        return VALUES[symbol.name]
    return float(quantity.value) * quantity.measure.factor


def _simple(ratio: float) -> str | None:
    for factor, name in ((-1.0, "sign"), (2.0, "factor 2"), (0.5, "factor 1/2")):
        if abs(ratio / factor - 1) <= _TOLERANCE:
            return name
    power = round(math.log10(abs(ratio)))
    if power and ratio > 0 and abs(ratio / 10.0**power - 1) <= _TOLERANCE:
        return f"power of ten, 10^{power}"
    return None
