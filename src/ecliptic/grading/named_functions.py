r"""Functions with an index by what defines them: ``P_2(\cos\theta)`` as ``(3\cos^2\theta - 1)/2``.

Legendre polynomials P_n, exponential integrals E_n and the spherical Bessel functions j_0 and j_1.
A letter with an index may as well be a quantity at a place, so they are written out only where the
other side has not the same ones (DLMF 18.5, 8.19 and 10.49).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from ecliptic.grading.expression import (
    ONE,
    TWO,
    Apply,
    Call,
    Constant,
    Expression,
    Integral,
    Number,
    Symbol,
    add,
    divide,
    multiply,
    negate,
    number,
    power,
    rebuild,
)
from ecliptic.grading.tree_walk import survey, walk

_NAME = re.compile(r"(?:P_([0-8])|E_([1-9])|j_([01]))")
_T = Symbol("t_E")


def named_function_readings(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """Both sides with the functions written out, where only one of them has any."""
    if Apply not in survey(gold).kinds | survey(answer).kinds:
        return
    uses = [_uses(gold), _uses(answer)]
    if uses[0] != uses[1]:
        yield _written_out(gold), _written_out(answer)


def _uses(node: Expression) -> set[str]:
    """Names of such functions, which are compared as they are where both sides have the same."""
    return {
        part.name for part in walk(node) if isinstance(part, Apply) and _written(part) is not None
    }


def _written_out(node: Expression) -> Expression:
    node = rebuild(node, _written_out)
    found = _written(node) if isinstance(node, Apply) else None
    return node if found is None else found


def _written(node: Apply) -> Expression | None:
    found = _NAME.fullmatch(node.name)
    if found is None or len(node.args) != 1 or node.style:
        return None
    x = node.args[0]
    if found[1]:
        return _legendre(int(found[1]), x)
    if found[2]:
        decay = Call("exp", (negate(multiply(x, _T)),))
        integrand = multiply(decay, power(_T, number(-int(found[2]))))
        return Integral(integrand, _T, ONE, Constant("infinity"))
    sine = Call("sin", (x,))
    if found[3] == "0":
        return divide(sine, x)
    return add(divide(sine, power(x, TWO)), negate(divide(Call("cos", (x,)), x)))


def _legendre(degree: int, x: Expression) -> Expression:
    terms = [
        multiply(Number(value), power(x, number(exponent)))
        for exponent, value in enumerate(_coefficients(degree))
        if value
    ]
    return add(*terms)


def _coefficients(degree: int) -> list[Fraction]:
    """Coefficients of x^0, x^1, ... by Bonnet's recursion."""
    last, current = [Fraction(0)], [Fraction(1)]
    for n in range(degree):
        following = [Fraction(0), *(Fraction(2 * n + 1, n + 1) * c for c in current)]
        for i, c in enumerate(last):
            following[i] -= Fraction(n, n + 1) * c
        last, current = current, following
    return current
