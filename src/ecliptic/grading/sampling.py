"""Where expressions are evaluated: repeatable random points, drawn from what is compared.

The values of one point depend on the names that occur and on the compared expressions, not on
their order or on the machine, so that a comparison always ends in the same way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading.expression import Expression, Product, Sum, Symbol
from ecliptic.grading.tree_walk import survey, walk
from ecliptic.grading.work_budget import spend

Values = Mapping[Symbol, NDArray[np.complex128]]

_START, _SYMBOL = 40, 5
"""Units of work to draw a sample, and more for each symbol."""
POINTS = 10
"""Points of one domain; an identity of analytic functions holds at random points or nowhere."""


class Domain(Enum):
    """The range that symbols are drawn from."""

    POSITIVE = (0.3, 3.0, False)
    """Physical quantities: densities, speeds, lengths; roots and logarithms are real."""
    SMALL = (0.02, 0.4, False)
    """Where the functions of the first domain have poles or overflow."""
    SIGNED = (0.3, 3.0, True)
    """Either sign, for absolute values, steps and cases."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Symbol values at ``size`` points, and the seed that opaque functions are drawn from."""

    values: Values
    size: int
    seed: str

    def at(self, index: int) -> dict[str, float]:
        """One point as plain numbers by name, for a message."""
        return {
            symbol.name: float(f"{array[index].real:.6g}")
            for symbol, array in self.values.items()
            if symbol.style in ("", "vector")
        }


def free_symbols(*nodes: Expression) -> list[Symbol]:
    """All symbols that occur, in a fixed order."""
    found: set[Symbol] = set()
    for node in nodes:
        found |= survey(node).symbols
    return sorted(found, key=lambda symbol: (symbol.name, symbol.style))


def whole_number_symbols(nodes: Iterable[Expression]) -> set[Symbol]:
    """Symbols in the bounds of sums and products, which only make sense as whole numbers."""
    found: set[Symbol] = set()
    for node in nodes:
        if not survey(node).kinds & {Sum, Product}:
            continue
        for part in walk(node):
            if isinstance(part, Sum | Product):
                for bound in (part.lower, part.upper):
                    if bound is not None:
                        found.update(s for s in walk(bound) if isinstance(s, Symbol))
    return found


def draw(
    symbols: Iterable[Symbol],
    seed: str,
    domain: Domain = Domain.POSITIVE,
    *,
    size: int = POINTS,
    whole: Iterable[Symbol] = (),
) -> Sample:
    """Values of the symbols at ``size`` points, log-uniform between the domain's limits."""
    ordered = sorted(set(symbols), key=lambda symbol: (symbol.name, symbol.style))
    spend(_START + _SYMBOL * len(ordered))
    names = "|".join([f"{symbol.name}.{symbol.style}" for symbol in ordered])
    text = f"{seed}|{domain.name}|{names}".encode("utf-8", "surrogatepass")
    count = len(ordered) * size
    drawn = np.frombuffer(hashlib.shake_128(text).digest(8 * count), np.uint64)
    low, high, signed = domain.value
    uniform = (drawn >> np.uint64(11)) * 2.0**-53
    rows = (low * (high / low) ** uniform).reshape(len(ordered), size)
    if signed:
        rows = np.where((drawn & np.uint64(1)).astype(bool).reshape(rows.shape), rows, -rows)
    integers = set(whole)
    values: dict[Symbol, NDArray[np.complex128]] = {}
    for symbol, row in zip(ordered, rows, strict=True):
        if symbol in integers:
            row = np.round(2 + np.abs(row))
        values[symbol] = row.astype(np.complex128)
    return Sample(values, size, seed)


def opaque_coefficients(name: str, count: int, seed: str) -> list[Fraction]:
    """Exact small numbers in (1/4, 5/4) that make up an unknown function of ``name``."""
    digest = hashlib.blake2b(
        f"{seed}|{name}".encode("utf-8", "surrogatepass"), digest_size=min(64, 1 + count)
    ).digest()
    return [Fraction(64 + digest[i % len(digest)], 256) for i in range(count)]
