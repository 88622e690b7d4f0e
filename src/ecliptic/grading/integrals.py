"""Integrals, sums, products and limits."""

from __future__ import annotations

from ecliptic.grading.cursor import (
    CLOSERS,
    OPENERS,
    Cursor,
    differential,
    is_differential_factor,
)
from ecliptic.grading.derivatives import read_order, read_variable
from ecliptic.grading.expression import (
    ONE,
    Add,
    Call,
    Expression,
    Integral,
    Limit,
    Mul,
    Product,
    Relation,
    Sum,
    Symbol,
    System,
    add,
    multiply,
    negate,
)
from ecliptic.grading.line_elements import element_product
from ecliptic.grading.nodes import ElementProduct
from ecliptic.grading.tokens import Token

INTEGRALS = {"int": 1, "oint": 1, "iint": 2, "oiint": 2, "iiint": 3, "oiiint": 3}
"""How often each sign integrates."""
_ENDS = CLOSERS | {"+", "-", ",", ";", "&"}


def read_differential(cursor: Cursor) -> Expression:
    """``dx`` inside an integral; ``d^3 x`` is the volume element of the vector x."""
    cursor.advance()
    if cursor.at("^"):
        read_order(cursor)
        variable = read_variable(cursor)
        if isinstance(variable, Symbol):
            variable = Symbol(variable.name, "vector")
        return differential(variable, measure=True)
    return differential(read_variable(cursor))


def _limits(cursor: Cursor) -> tuple[Expression | None, Expression | None]:
    lower: Expression | None = None
    upper: Expression | None = None
    while cursor.token.kind == "op" and cursor.token.text in ("_", "^"):
        if cursor.advance().text == "_":
            lower = cursor.script(chained=False)
        else:
            upper = cursor.script(chained=False)
    return lower, upper


def integral(cursor: Cursor) -> Expression:
    """An integral; its integrand reaches to its differential, which may stand anywhere in it.

    Further terms with differentials of their own belong to it: ``\\oint P\\,dx + Q\\,dy``.
    """
    head = cursor.advance()
    lower, upper = _limits(cursor)
    if isinstance(lower, Relation) and lower.operator == "=":
        lower = lower.right
    cursor.enter()
    cursor.integrals += 1
    negative = cursor.take("-")
    body = cursor.term()
    body = negate(body) if negative else body
    while _differentials(body) == 0 and cursor.token.text in ("+", "-"):
        sign = cursor.advance().text
        following = cursor.term()
        body = add(body, negate(following) if sign == "-" else following)
    cursor.integrals -= 1
    cursor.leave()
    parts = [body]
    if isinstance(body, Add) and all(map(_differentials, body.terms)):
        parts = list(body.terms)
    while cursor.integrals == 0 and _another_part(cursor):
        sign = cursor.advance().text
        cursor.integrals += 1
        part = cursor.term()
        cursor.integrals -= 1
        parts.append(negate(part) if sign == "-" else part)
    return add(*(_repeated(cursor, head, part, lower, upper) for part in parts))


def _another_part(cursor: Cursor) -> bool:
    """Whether a further term follows that ends with a differential and no integral of its own."""
    if cursor.token.text not in ("+", "-"):
        return False
    index = cursor.index + 1
    found = False
    while index < len(cursor.tokens):
        token = cursor.tokens[index]
        if token.kind == "op" and token.text in OPENERS:
            index = cursor.skip_group(index)
            continue
        if token.kind == "cmd" and token.text in INTEGRALS:
            return False
        if token.kind in ("end", "rel", "word") or (token.kind == "op" and token.text in _ENDS):
            break
        following = cursor.tokens[index + 1] if index + 1 < len(cursor.tokens) else token
        found |= token.text == "d" and token.kind == "name" and following.kind in ("name", "cmd")
        index += 1
    return found


def _repeated(
    cursor: Cursor,
    head: Token,
    body: Expression,
    lower: Expression | None,
    upper: Expression | None,
) -> Expression:
    # Over a surface or a volume, by its one element, or by two or three of them.
    for _ in range(1 if _differentials(body) == 1 else INTEGRALS[head.text]):
        body = _integrated(cursor, head, body, lower, upper)
    return body


def _last_factors(body: Expression) -> tuple[Expression, ...]:
    last = body.terms[-1] if isinstance(body, Add) else body
    return last.factors if isinstance(last, Mul) else (last,)


def _differentials(body: Expression) -> int:
    return sum(_holds_differential(factor) for factor in _last_factors(body))


def _holds_differential(factor: Expression) -> bool:
    return is_differential_factor(factor) or element_product(factor) is not None


def _integrated(
    cursor: Cursor,
    head: Token,
    body: Expression,
    lower: Expression | None,
    upper: Expression | None,
) -> Expression:
    found = [factor for factor in _last_factors(body) if _holds_differential(factor)]
    if not found:
        raise cursor.failure("an integral has no differential", head)
    rest = [factor for factor in _last_factors(body) if not _holds_differential(factor)]
    first = found[0]
    product: ElementProduct = ""
    parts = element_product(first)
    if parts is not None:
        vector, variable, product = parts
        rest.append(vector)
    else:
        assert isinstance(first, Call)
        variable = first.args[0]
    integrand = multiply(*rest) if rest else ONE
    if isinstance(body, Add):
        integrand = add(*body.terms[:-1], integrand)
    closed = head.text.startswith("o")
    return multiply(Integral(integrand, variable, lower, upper, closed, product), *found[1:])


def _without_differentials(term: Expression) -> tuple[Expression, tuple[Expression, ...]]:
    """A term, and apart from it the differentials that belong to an integral around it."""
    if not isinstance(term, Mul):
        return term, ()
    outside = tuple(factor for factor in term.factors if is_differential_factor(factor))
    if not outside or len(outside) == len(term.factors):
        return term, ()
    return multiply(*(f for f in term.factors if not is_differential_factor(f))), outside


def big_operator(cursor: Cursor) -> Expression:
    """``\\sum_{i=1}^{N} a_i`` or a product; it takes the rest of its term."""
    head = cursor.advance()
    lower, upper = _limits(cursor)
    index: Expression | None = lower
    start: Expression | None = None
    if isinstance(lower, Relation) and lower.operator == "=":
        index, start = lower.left, lower.right
    if not cursor.starts_factor():
        raise cursor.failure(f"'{head.text}' acts on nothing", head)
    cursor.enter()
    term = cursor.term()
    cursor.leave()
    rest, outside = _without_differentials(term)
    node = Sum if head.text == "sum" else Product
    return multiply(node(rest, index, start, upper), *outside)


def limit(cursor: Cursor) -> Expression:
    """``\\lim_{x \\to a} f``"""
    head = cursor.advance()
    where, _ = _limits(cursor)
    if isinstance(where, System) or not isinstance(where, Relation) or where.left is None:
        raise cursor.failure("a limit does not say where", head)
    if not cursor.starts_factor():
        raise cursor.failure("a limit acts on nothing", head)
    cursor.enter()
    operand = cursor.term()
    cursor.leave()
    rest, outside = _without_differentials(operand)
    return multiply(Limit(rest, where.left, where.right), *outside)
