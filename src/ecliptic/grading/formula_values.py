"""Values of a gold formula at given values of its symbols, definitions put in.

For authors who prove a gold answer against an independent calculation: what is evaluated is the
published LaTeX itself, read by the grader's own parser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ecliptic.errors import UsageError
from ecliptic.grading.differentiate import substitute_all
from ecliptic.grading.evaluate import FloatInterpreter
from ecliptic.grading.expression import Expression, Relation, Symbol
from ecliptic.grading.interpretation import TooLargeError, UnevaluableError
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.reading import answer_expression, gold_expression
from ecliptic.grading.sampling import Sample, free_symbols
from ecliptic.grading.statements import isolated, read_statements
from ecliptic.model import short

Row: TypeAlias = Sequence[float] | NDArray[np.float64]

_MAX_DEFINITIONS = 8


class Formula:
    """The right-hand side of a formula as a function of its symbols.

    ``f(r) = A r^{-a}, \\quad a = V/\\kappa`` is a function of A, V, kappa and r: later equations
    that define a symbol are put in.

    >>> area = Formula(r"$A = \\pi r_0^2$")
    >>> [round(float(value), 6) for value in area({"r_0": [1.0, 2.0]})]
    [3.141593, 12.566371]

    Raises
    ------
    UsageError
        The text is no formula, or no value can be computed from it.
    """

    def __init__(self, text: str) -> None:
        tree = gold_expression(text)
        if isinstance(tree, ParseFailure):
            raise UsageError(f"the formula {short(text)} cannot be read: {tree}")
        self.text = text
        self.tree = _right_side(tree, text)
        """The right-hand side with definitions put in."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """Names of the symbols that need a value."""
        return tuple(symbol.name for symbol in free_symbols(self.tree))

    def __call__(self, values: Mapping[str, Row]) -> NDArray[np.float64]:
        """Real values at all points; keys of ``values`` are symbols in LaTeX, all of one length."""
        size = len(next(iter(values.values()), (0.0,)))
        known = {
            _symbol(name): np.asarray(row, dtype=np.complex128) for name, row in values.items()
        }
        missing = [symbol.name for symbol in free_symbols(self.tree) if symbol not in known]
        if missing:
            raise UsageError(f"the formula {short(self.text)} needs a value of {missing[0]}")
        try:
            found = FloatInterpreter(Sample(known, size, self.text))(self.tree)
        except (UnevaluableError, TooLargeError) as error:
            raise UsageError(f"the formula {short(self.text)} has no value: {error}") from None
        if np.any(np.abs(found.imag) > 1e-9 * np.abs(found.real)):
            raise UsageError(f"the formula {short(self.text)} is complex at some of the points")
        return np.array(found.real)


@lru_cache(maxsize=4096)
def _symbol(name: str) -> Symbol:
    tree = answer_expression(name)
    if not isinstance(tree, Symbol):
        raise UsageError(f"{short(name)} is not one symbol to the parser")
    return tree


def _right_side(tree: Expression, text: str) -> Expression:
    """The value of the first statement with all definitions behind it put in."""
    statements = read_statements(tree)
    equations = [*statements.equations, *statements.definitions]
    if not equations:
        if len(statements.values) != 1:
            raise UsageError(f"{short(text)} is not one formula")
        return statements.values[0]
    first, *others = equations
    value = first.right if isinstance(first, Relation) else None
    if value is None:
        raise UsageError(f"{short(text)} has no right-hand side")
    definitions = {pairs[0][0]: pairs[0][1] for other in others if (pairs := isolated(other))}
    for _ in range(_MAX_DEFINITIONS):
        resolved = substitute_all(value, definitions)
        if resolved == value:
            break
        value = resolved
    return value
