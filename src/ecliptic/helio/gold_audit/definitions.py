"""What the equations of a text say of symbols that the final does not use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ecliptic.helio.gold_audit.mathematics import (
    Apply,
    Equation,
    Expression,
    Mul,
    Power,
    Solution,
    Symbol,
    divide,
    free_symbols,
    multiply,
    number,
    walk,
)


@dataclass(frozen=True, slots=True)
class Definition:
    """``symbol = value`` out of one equation, which is as a rule not needed for anything else."""

    symbol: Symbol
    value: Expression
    source: str
    explicit: bool
    """The text itself has the symbol alone on the left."""


class Definitions:
    """Definitions by symbol; those that the text states come before those solved from a product."""

    def __init__(self, equations: Sequence[Equation], solutions: Sequence[Solution]) -> None:
        own = {solution.subject.name for solution in solutions}
        used = {symbol for solution in solutions for symbol in free_symbols(solution.value)}
        self._found: dict[Symbol, list[Definition]] = defaultdict(list)
        for equation in equations:
            if equation.source.restricted:
                continue
            for one in (*_stated(equation), *_solved(equation)):
                known = [other.value for other in self._found[one.symbol]]
                if one.symbol.name not in own and one.symbol not in used and one.value not in known:
                    self._found[one.symbol].append(one)

    def states(self, symbol: Symbol) -> bool:
        """Whether the text gives the symbol as a formula."""
        return any(one.explicit for one in self._found.get(symbol, ()))

    def knows(self, symbol: Symbol) -> bool:
        """Whether the symbol stands in any equation that it can be taken from."""
        return bool(self._found.get(symbol))

    def choose(self, symbol: Symbol, spent: Collection[str]) -> Definition | None:
        """The one definition from an equation that is not spent; ``None`` for none or several."""
        left = [one for one in self._found.get(symbol, ()) if one.source not in spent]
        explicit = [one for one in left if one.explicit]
        chosen = explicit or left
        return chosen[0] if len(chosen) == 1 else None


def _stated(equation: Equation) -> Iterator[Definition]:
    left, value = equation.left, equation.right
    if isinstance(left, Apply):
        if any(isinstance(part, Apply) and part.name == left.name for part in walk(value)):
            return  # one function at two places
        left = Symbol(left.name, left.style)
    if isinstance(left, Power) and left.exponent == number(2):
        left, value = left.base, Power(value, divide(number(1), number(2)))
    if isinstance(left, Symbol) and left not in free_symbols(value):
        yield Definition(left, value, equation.source.text, True)


def _solved(equation: Equation) -> Iterator[Definition]:
    """``p = 2 n k T`` says what n is, too."""
    if not isinstance(equation.right, Mul) or not isinstance(equation.left, Symbol | Apply):
        return
    for factor in equation.right.factors:
        if not isinstance(factor, Symbol):
            continue
        others = [part for part in equation.right.factors if part != factor]
        if len(others) == len(equation.right.factors) - 1 and factor not in free_symbols(*others):
            yield Definition(
                factor, divide(equation.left, multiply(*others)), equation.source.text, False
            )
