"""A final put into an equation: definitions resolved, derivatives carried out, sides compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ecliptic.helio.gold_audit.definitions import Definitions
from ecliptic.helio.gold_audit.mathematics import (
    POINTS,
    Apply,
    Derivative,
    Equation,
    Expression,
    Solution,
    Symbol,
    divide,
    free_symbols,
    mapped,
    multiply,
    number,
    scaled,
    substitute_all,
    values_and_sizes,
    walk,
    with_derivatives,
)

TOLERANCE = 1e-7
_FACTORS = ((-1, 1), (2, 1), (1, 2), (-2, 1), (-1, 2), (3, 1), (1, 3), (4, 1), (1, 4), (10, 1))
_MAX_DEFINITIONS = 5
_FEWEST_POINTS = 3

Sides = tuple[Expression, Expression]


@dataclass(frozen=True, slots=True)
class Residual:
    """How far two sides are apart.

    Attributes
    ----------
    size
        Median over points of the difference of the sides over their size before terms cancel.
    ratio
        Left side over right side where that is one real number at all points.
    differential
        Whether the equation holds derivatives.
    """

    size: float
    ratio: float | None
    differential: bool = False


@dataclass(frozen=True, slots=True)
class Posed:
    """An equation whose only unknowns are the subjects of a final.

    ``direct`` when no definition had to be put in, ``closed`` when no symbol is left but those of
    the final; one that is left stands nowhere else, so it should drop out.
    """

    sides: Sides
    differential: bool
    direct: bool
    closed: bool


def pose(
    equation: Equation,
    solutions: Sequence[Solution],
    definitions: Definitions,
    loose: frozenset[Symbol] = frozenset(),
) -> Posed | None:
    """The equation in symbols of the final alone, or ``None`` where that can't be had.

    In a differential equation ``loose`` symbols may be left that a definition brought in, such as
    the amplitude of a profile.
    """
    names = {solution.subject.name: solution for solution in solutions}
    left, right = _primed(equation.left, names), _primed(equation.right, names)
    parts = [*walk(left), *walk(right)]
    if not any(isinstance(part, Symbol | Apply) and part.name in names for part in parts):
        return None
    if any(isinstance(part, Apply) and not _is_known(part, names, definitions) for part in parts):
        return None  # a function that only the text knows
    allowed = {
        symbol
        for solution in solutions
        for node in (solution.value, solution.subject)
        for symbol in free_symbols(node)
        if symbol.name not in names
    }
    derivatives = [part for part in parts if isinstance(part, Derivative)]
    for part in derivatives:
        variables = {symbol for variable, _ in part.variables for symbol in free_symbols(variable)}
        if not variables <= allowed or not _is_known(part.operand, names, definitions):
            return None
    sides, left_over, direct = _resolved(
        (left, right), {*names}, allowed, definitions, equation.source.text
    )
    original = set(free_symbols(equation.left, equation.right))
    if left_over and (not derivatives or not left_over <= loose - original):
        return None
    return Posed(sides, bool(derivatives), direct, not left_over)


def _is_known(operand: Expression, names: Mapping[str, Solution], definitions: Definitions) -> bool:
    """A bare symbol that is differentiated is a function, so it must be given as one."""
    if not isinstance(operand, Symbol | Apply):
        return True
    return operand.name in names or definitions.states(Symbol(operand.name, operand.style))


def _primed(side: Expression, names: Mapping[str, Solution]) -> Expression:
    """Primes of a subject ``f(x)`` as derivatives in its one argument."""

    def change(part: Expression) -> Expression | None:
        if isinstance(part, Symbol | Apply) and part.name.endswith("'"):
            base = part.name.rstrip("'")
            subject = names[base].subject if base in names else None
            if isinstance(subject, Apply) and len(subject.args) == 1:
                order = len(part.name) - len(base)
                return Derivative(Symbol(base), ((subject.args[0], order),))
        return None

    return mapped(side, change)


def _resolved(
    sides: Sides,
    subjects: set[str],
    allowed: set[Symbol],
    definitions: Definitions,
    source: str,
) -> tuple[Sides, set[Symbol], bool]:
    """The sides with definitions put in, the symbols that are still foreign, and whether none was.

    No equation is used twice, nor the one that is judged.
    """
    spent = {source}
    direct = True
    for _ in range(_MAX_DEFINITIONS):
        foreign = [
            symbol
            for symbol in free_symbols(*sides)
            if symbol not in allowed and symbol.name not in subjects
        ]
        chosen = [one for symbol in foreign if (one := definitions.choose(symbol, spent))]
        if not chosen:
            return sides, set(foreign), direct
        direct = False
        spent |= {one.source for one in chosen}
        changes = {(one.symbol.name, one.symbol.style): one.value for one in chosen}

        def put_in(
            part: Expression, changes: Mapping[tuple[str, str], Expression] = changes
        ) -> Expression | None:
            if isinstance(part, Symbol | Apply):
                return changes.get((part.name, part.style))
            return None

        sides = (mapped(sides[0], put_in), mapped(sides[1], put_in))
    return sides, set(free_symbols(*sides)) - allowed, direct


def residual(posed: Posed, solutions: Sequence[Solution]) -> Residual | None:
    """The residual with the final put in; ``None`` where there is no value."""
    done: list[Expression] = []
    for side in posed.sides:
        carried = with_derivatives(_with_final(side, solutions))
        if carried is None:
            return None
        done.append(carried)
    for small in (False, True):
        found = values_and_sizes(done, scaled(free_symbols(*done), small=small))
        if found is None:
            return None
        (left, left_size), (right, right_size) = found
        left, right = np.broadcast_to(left, (POINTS,)), np.broadcast_to(right, (POINTS,))
        with np.errstate(all="ignore"):
            size = np.maximum(left_size, right_size)
            apart, ratio = np.abs(left - right) / size, left / right
        usable = np.isfinite(apart)
        if np.count_nonzero(usable) >= _FEWEST_POINTS:
            constant = _constant(ratio[usable])
            return Residual(float(np.median(apart[usable])), constant, posed.differential)
    return None


def _with_final(side: Expression, solutions: Sequence[Solution]) -> Expression:
    names = {solution.subject.name: solution for solution in solutions}

    def put_in(part: Expression) -> Expression | None:
        if not isinstance(part, Symbol | Apply) or part.name not in names:
            return None
        solution = names[part.name]
        subject = solution.subject
        if isinstance(part, Apply) and isinstance(subject, Apply) and part.args != subject.args:
            if len(part.args) != len(subject.args):
                return None
            # At other arguments, as in a boundary condition.
            return substitute_all(solution.value, dict(zip(subject.args, part.args, strict=True)))
        return solution.value

    return mapped(side, put_in)


def _constant(ratio: np.ndarray) -> float | None:
    if not np.all(np.isfinite(ratio)) or not np.allclose(ratio, ratio[0], rtol=1e-6, atol=0.0):
        return None
    first = complex(ratio[0])
    return first.real if abs(first.imag) <= 1e-9 * abs(first) else None


def mending_factor(posed: Posed, solutions: Sequence[Solution]) -> str | None:
    """The number times one part of the final with which the equation would hold."""
    for solution in solutions:
        for above, below in _FACTORS:
            factor = divide(number(above), number(below))
            tried = [_with_scaled(other, solution, factor) for other in solutions]
            found = residual(posed, tried)
            if found is not None and found.size <= TOLERANCE:
                shown = f"{above}" if below == 1 else f"{above}/{below}"
                return f"{shown} times {solution.subject.name}"
    return None


def _with_scaled(other: Solution, one: Solution, factor: Expression) -> Solution:
    """A solution when another part of the final is multiplied by a number."""
    if other.subject == one.subject:
        return replace(other, value=multiply(factor, other.value))
    changed = substitute_all(other.written, {one.subject: multiply(factor, one.value)})
    return other if changed == other.written else replace(other, value=changed)
