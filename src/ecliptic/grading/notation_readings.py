"""What one side's notation tells about the other's: a product or a function, a prime, a lone e.

Each function yields pairs of both formulas in another reading, to be compared where the plain one
leads to a difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from ecliptic.grading.conventions import STEP_NAMES
from ecliptic.grading.expression import (
    Add,
    Apply,
    At,
    Call,
    Constant,
    Derivative,
    Expression,
    Mul,
    Number,
    Power,
    Relation,
    Symbol,
    multiply,
    power,
    rebuild,
)
from ecliptic.grading.told_notation import primed_as_derivative
from ecliptic.grading.tree_walk import walk


def product_readings(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """``V(a + b)`` as a product, when the name is a plain variable on one side."""
    plain = {
        part.name for node in (gold, answer) for part in walk(node) if isinstance(part, Symbol)
    }

    def changed(node: Expression) -> Expression:
        if isinstance(node, Apply) and node.name in plain and len(node.args) == 1:
            return multiply(Symbol(node.name, node.style), changed(node.args[0]))
        return rebuild(node, changed)

    new = changed(gold), changed(answer)
    if new != (gold, answer):
        yield new


def leibniz_readings(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """``f'(r)`` as df/dr, where the other side differentiates f in that one variable."""
    for primed, other in ((gold, answer), (answer, gold)):
        uses: dict[tuple[str, str], set[Expression]] = {}
        for part in walk(primed):
            if isinstance(part, Apply) and part.name.endswith("'"):
                argument = part.args[0] if len(part.args) == 1 else Number(Fraction(0))
                uses.setdefault((part.name.rstrip("'"), part.style), set()).add(argument)
        variables: dict[tuple[str, str], set[Expression]] = {}
        for part in walk(other):
            if not isinstance(part, Derivative):
                continue
            operand = part.operand
            if isinstance(operand, Call) and operand.function == "ln":
                operand = operand.args[0]
            if isinstance(operand, Symbol | Apply):
                key = (operand.name, operand.style)
                variables.setdefault(key, set()).update(v for v, _ in part.variables)
        told = {
            key: next(iter(found))
            for key, found in uses.items()
            if len(found) == 1 and found == variables.get(key)
        }
        if not told:
            continue

        def changed(node: Expression, told: dict[tuple[str, str], Expression] = told) -> Expression:
            if isinstance(node, Apply | Symbol) and node.name.endswith("'"):
                variable = told.get((node.name.rstrip("'"), node.style))
                if variable is not None:
                    return primed_as_derivative(node, variable)
            return rebuild(node, changed)

        yield changed(gold), changed(answer)


def primes_agree(gold: Expression, answer: Expression) -> bool:
    """Whether the arguments written behind primes are what the gold differentiates in."""
    variables = {
        v for part in walk(gold) if isinstance(part, Derivative) for v, _ in part.variables
    }
    return all(
        arg in variables
        for part in walk(answer)
        if isinstance(part, Apply) and part.name.endswith("'") and len(part.args) == 1
        for arg in part.args
    )


def function_readings(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """``g (t - s)`` as a value of g, when the name is a function elsewhere and no variable."""
    sides = [list(walk(node)) for node in (gold, answer)]
    named = {part.name for side in sides for part in side if isinstance(part, Apply)}
    if any(isinstance(p, Call) and p.function == "heaviside" for side in sides for p in side):
        named |= STEP_NAMES

    def changed(node: Expression) -> Expression:
        if not isinstance(node, Mul):
            return rebuild(node, changed)
        factors: list[Expression] = []
        for factor in map(changed, node.factors):
            before = factors[-1] if factors else None
            if isinstance(before, Symbol) and before.name in named and isinstance(factor, Add):
                factors[-1] = Apply(before.name, (factor,), before.style)
            else:
                factors.append(factor)
        return multiply(*factors)

    new = changed(gold), changed(answer)
    left = {part.name for node in new for part in walk(node) if isinstance(part, Symbol)}
    if new != (gold, answer) and not left & named:
        yield new


def euler_readings(gold: Expression, answer: Expression) -> Iterator[tuple[Expression, Expression]]:
    """A lone ``e`` as Euler's number, where the other side has none and one an exponential."""
    letter = Symbol("e")
    sides = [set(walk(node)) for node in (gold, answer)]
    if (letter in sides[0]) == (letter in sides[1]):
        return
    if not any(isinstance(p, Call) and p.function == "exp" for side in sides for p in side):
        return

    def changed(node: Expression) -> Expression:
        return Constant("euler_e") if node == letter else rebuild(node, changed)

    yield changed(gold), changed(answer)


def logarithms_of_powers(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """``\\ln(x)^2`` as the logarithm of a square, on one side or both."""

    def changed(node: Expression) -> Expression:
        if isinstance(node, Power) and node.loose and isinstance(node.base, Call):
            inner, *base = node.base.args
            return replace(node.base, args=(power(changed(inner), node.exponent), *base))
        return rebuild(node, changed)

    sides = changed(gold), changed(answer)
    for pair in ((sides[0], answer), (gold, sides[1]), sides):
        if pair != (gold, answer):
            yield pair


def prime_readings(gold: Expression, answer: Expression) -> Iterator[tuple[Expression, Expression]]:
    """The derivative at a place, ``df/dx |_a``, as ``f'(a)`` where the other side writes that."""
    primed = [
        any(isinstance(part, Apply) and part.name.endswith("'") for part in walk(node))
        for node in (gold, answer)
    ]
    if primed[0] == primed[1]:
        return

    def changed(node: Expression) -> Expression:
        if isinstance(node, At) and len(node.conditions) == 1:
            place, inner = node.conditions[0], node.operand
            place = place.right if isinstance(place, Relation) else place
            if isinstance(inner, Derivative) and isinstance(inner.operand, Symbol | Apply):
                order = sum(count for _, count in inner.variables)
                function = inner.operand
                return Apply(function.name + "'" * order, (place,), function.style)
        return rebuild(node, changed)

    pair = changed(gold), changed(answer)
    if pair != (gold, answer):
        yield pair
