"""Formulas in LaTeX, plain text or Unicode maths to expression trees; the whole input or nothing.

:func:`parse` tokenises, reads and checks a text under counted budgets. Nothing is executed or
expanded. Where a spelling is ambiguous, one named rule decides:

``application``
    ``f(...)`` is a function at its arguments if the bracket holds a comma or a lone symbol or
    number, if the text says ``f(r) = ...``, or if f is f, delta, Theta or Gamma; else a
    product: ``r(p+1)``. ``J_n(...)`` and ``Y_n(...)`` are Bessel functions, ``I_n`` and ``K_n``
    unless the bracket holds a sum.
``bare argument``
    ``\\sin 2\\pi f t`` takes numbers and letters up to a sign, bracket, function, fraction, ``e^``,
    spacing command, or behind an angle (theta, phi, psi): ``\\sin\\theta r`` is ``r sin(theta)``,
    ``\\ln x/y`` is ``(ln x)/y``, ``\\sin x\\cos y`` is ``sin(x) cos(y)``. A bracket belongs to it
    behind numbers and k, m, n, l, omega: ``\\cos\\omega(t-t_0)``.
``function power``
    ``\\sin^2 x`` and ``\\sin(x)^2`` are ``(sin x)^2``; ``\\sin x^2`` is ``sin(x^2)``;
    ``\\sin^{-1}`` is the inverse function. ``\\ln(x)^2`` is the logarithm of a square where only
    that agrees with the other side.
``slash``
    ``a/bc`` is ``(a/b)c``; with ``slash_groups_product`` it is ``a/(bc)`` unless a is a number.
    In exponents of e both are tried: ``e^{-mv^2/2kT}``.
``unit below``
    behind a lone italic symbol and a slash, a number keeps the upright unit behind it:
    ``T/1\\,\\mathrm{MK}`` is T in units of 1 MK. ``1/2\\,\\mathrm{K}`` is half a kelvin.
``letters``
    ``GM`` is ``G M``; a run of letters is one name if it is upright (``\\mathrm{km}``), a function,
    a Greek letter or the subscript of plain text (``v_sw``). Other long runs are words and fail.
``letter digit``
    ``u1`` is ``u_1``.
``euler``
    ``e^x`` is ``exp(x)``, except a positive integer power beside other letters (``a(1-e^2)``,
    ``n e^2/m``). A bare e is Euler's number in a text without letters, or alone below a fraction
    bar or in a bracket unless letters of a charge (hbar, epsilon, m, B, E, n, c) are there.
``imaginary``
    a bare i that multiplies something is imaginary unless it is a summation index or the whole
    argument of a function.
``vector product``
    ``\\times`` and ``\\cdot`` are vector products between letters written as vectors,
    ``\\times`` also between plain letters that name vectors (v, B, E, J, A, k, Omega ...).
``variation``
    ``\\Delta x`` and ``\\delta x`` are one symbol, so that ``\\Delta x^2`` is its square.
``nabla``
    a gradient or Laplacian takes the next factor; a divergence or curl one bracket or the factors
    up to the first vector.
``derivative operator``
    ``\\frac{d}{dx}`` takes a bracket behind it, else the rest of the product.
``differential``
    inside an integral, d before a letter is a differential and closes the integrand.
``wide space``
    ``\\quad`` and a line break separate two relations and are spaces otherwise.
``tie``
    ``~`` is a space between dollar signs and "about" in plain text (``~400``, ``y ~ x``).
``range``
    ``--`` and an en dash between digits make a range, which is no expression: refused.
``thousands``
    ``1,200,000`` is one number, ``(1,200)`` two.
"""

from __future__ import annotations

from dataclasses import dataclass

from ecliptic.grading.applied_operators import with_operators_applied
from ecliptic.grading.cursor import DIFFERENTIAL, MAX_NODES, Reading
from ecliptic.grading.expression import (
    Add,
    Apply,
    Call,
    Constant,
    Declaration,
    Derivative,
    Expression,
    Interval,
    Mul,
    PlusMinus,
    Power,
    Product,
    Relation,
    Sum,
    Symbol,
    System,
    VectorOperator,
    children,
    rebuild,
)
from ecliptic.grading.grammar import Grammar
from ecliptic.grading.lexer import tokenize
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.relations import read_answer
from ecliptic.grading.separators import (
    declared_functions,
    separated,
    without_doubled_brackets,
    without_empty_groups,
)
from ecliptic.grading.tokens import Token

MAX_TREE_DEPTH = 100

_I = Symbol("i")
_STATEMENTS = (Relation, System, Declaration)
_ARITHMETIC = (Add, Mul, Power, Call, Apply, Derivative, VectorOperator, PlusMinus, Interval)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text and the tree it was read as."""

    expression: Expression
    text: str


def parse(
    text: str, *, slash_groups_product: bool = False, reading: Reading | None = None
) -> Parsed:
    """Read a formula whole; :class:`ParseFailure` with message and position if that fails."""
    tokens = separated(without_doubled_brackets(without_empty_groups(tokenize(text))))
    reading = reading or Reading(slash_groups_product)
    cursor = Grammar(tokens, reading, declared_functions(tokens))
    expression = read_answer(cursor)
    if any(token.kind == "cmd" and token.text in ("partial", "nabla") for token in tokens) or any(
        token.text in ("d", "D") for token in tokens
    ):
        expression = with_operators_applied(expression)
    _check(expression, tokens)
    if any(token.text == "i" and token.kind == "name" for token in tokens):
        expression = _with_imaginary(expression)
    return Parsed(expression, text)


def _check(expression: Expression, tokens: list[Token]) -> None:
    """Budgets of the finished tree, and no differential left over."""
    count, stack = 0, [(expression, 1)]
    while stack:
        node, depth = stack.pop()
        count += 1
        if count > MAX_NODES:
            raise ParseFailure(f"the formula has more than {MAX_NODES} parts", 0, limit="nodes")
        if depth > MAX_TREE_DEPTH:
            raise ParseFailure("the formula is nested too deep", 0, limit="depth")
        if isinstance(node, Call) and node.function == DIFFERENTIAL:
            raise ParseFailure("a differential has no integral", tokens[0].position)
        parts = children(node)
        if isinstance(node, _ARITHMETIC) and any(isinstance(part, _STATEMENTS) for part in parts):
            raise ParseFailure("a relation stands inside an expression", tokens[0].position)
        stack.extend((child, depth + 1) for child in parts)


def _with_imaginary(expression: Expression) -> Expression:
    """Bare i as the imaginary unit where the rule ``imaginary`` says so."""
    multiplies = False
    stack = [expression]
    while stack:
        node = stack.pop()
        parts = children(node)
        if isinstance(node, Mul | Power) and _I in parts:
            multiplies = True
        elif (isinstance(node, Sum | Product) and node.index == _I) or (
            isinstance(node, Call) and _I in parts
        ):
            return expression
        stack.extend(parts)
    return _replaced(expression) if multiplies else expression


def _replaced(node: Expression) -> Expression:
    return Constant("imaginary_i") if node == _I else rebuild(node, _replaced)
