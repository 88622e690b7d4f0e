"""Derivatives: fractions of differentials, slashes, partial signs with subscripts."""

from __future__ import annotations

from ecliptic.grading import functions
from ecliptic.grading.applied_operators import MARK
from ecliptic.grading.cursor import (
    Cursor,
)
from ecliptic.grading.expression import (
    Derivative,
    Expression,
    Symbol,
    as_integer,
    multiply,
)
from ecliptic.grading.tokens import Token

MAX_ORDER = 12
TIME = Symbol("t")


def _is_d(token: Token) -> bool:
    return (token.kind == "name" and token.text in ("d", "D")) or (
        token.kind == "cmd" and token.text == "partial"
    )


def fraction_derivative(cursor: Cursor) -> Expression | None:
    """``\\frac{d f}{d x}`` with the cursor behind ``\\frac``; None if it is another fraction."""
    tokens, start = cursor.tokens, cursor.index
    braced = cursor.at("{")
    head = start + braced
    middle = cursor.skip_group(start) if braced else start + 1
    if middle + 2 >= len(tokens) or tokens[middle].text != "{":
        return None
    above, below, variable = tokens[head], tokens[middle + 1], tokens[middle + 2]
    if not (_is_d(above) and _is_d(below) and above.text == below.text):
        return None
    if tokens[head + 1].text == "_" or variable.text in ("_", "}", "^"):
        return None
    if above.text == "D" and variable.text != "t":
        return None
    cursor.index = head + 1
    order = read_order(cursor)
    operand: Expression | None = None
    if braced:
        if not cursor.at("}"):
            operand = cursor.term()
        cursor.expect("}")
    cursor.expect("{")
    variables = _variables(cursor)
    cursor.expect("}")
    _check_order(cursor, above, order, variables)
    if operand is None:
        operand = _operand(cursor, above)
    return Derivative(operand, variables, above.text == "partial")


def read_order(cursor: Cursor) -> int:
    """The power of a d: 1 when there is none."""
    if not cursor.take("^"):
        return 1
    token = cursor.token
    order = as_integer(cursor.script())
    if order is None or not 1 <= order <= MAX_ORDER:
        raise cursor.failure(f"the order of a derivative must be 1 to {MAX_ORDER}", token)
    return order


def _check_order(
    cursor: Cursor, token: Token, order: int, variables: tuple[tuple[Expression, int], ...]
) -> None:
    if sum(power for _, power in variables) != order:
        raise cursor.failure("the orders above and below in a derivative differ", token)


def _variables(cursor: Cursor) -> tuple[tuple[Expression, int], ...]:
    """``d x^2 d y``: the variables below, as many as there are d."""
    variables: list[tuple[Expression, int]] = []
    while _is_d(cursor.token):
        cursor.advance()
        variable = read_variable(cursor)
        variables.append((variable, read_order(cursor)))
    if not variables:
        raise cursor.failure("a derivative has no variable")
    return tuple(variables)


def read_variable(cursor: Cursor) -> Expression:
    """The variable of a derivative or integral."""
    token = cursor.token
    if token.kind == "func":
        return functions.call(cursor)
    if token.kind == "name":
        return cursor.symbol()
    if token.kind == "cmd":
        styled = cursor.argument()
        return cursor.scripted(styled) if isinstance(styled, Symbol) else styled
    if token.kind == "op" and token.text in ("(", "{"):
        return cursor.bracketed() if token.text == "(" else cursor.argument()
    raise cursor.failure("a derivative or integral has no variable")


def _operand(cursor: Cursor, operator: Token) -> Expression:
    """What a derivative operator acts on: one bracket, else the rest of the product."""
    if not cursor.starts_factor():
        if cursor.ends_operator():
            return MARK
        raise cursor.failure("a derivative acts on nothing", operator)
    if cursor.token.kind == "op" and cursor.token.text in ("(", "[", "lset", "(."):
        return cursor.factor()
    return cursor.chunk()


def slash_derivative(cursor: Cursor) -> Expression | None:
    """``df/dx`` or ``d/dx (...)`` with the cursor on the first d; None if it is none."""
    tokens, index = cursor.tokens, cursor.index
    head = tokens[index]
    index += 1
    if tokens[index].text == "^":
        index += 1
        index = cursor.skip_group(index) if tokens[index].text == "{" else index + 1
    index = min(index, len(tokens) - 1)
    operand_start = index
    for _ in range(12):
        token = tokens[index]
        if token.kind == "op":
            if token.text in ("(", "{"):
                index = cursor.skip_group(index)
                continue
            if token.text not in ("_", "'", "^"):
                break
        elif token.kind not in ("name", "func", "cmd", "num"):
            break
        index += 1
    if tokens[index].text != "/" or index + 2 >= len(tokens):
        return None
    below, variable = tokens[index + 1], tokens[index + 2]
    if not (_is_d(below) and below.text == head.text):
        return None
    if variable.kind not in ("name", "func", "cmd") and variable.text != "(":
        return None
    if head.text == "D" and variable.text != "t":
        return None
    if index > operand_start and tokens[operand_start].text == "_" and head.text != "partial":
        return None
    cursor.advance()
    order = read_order(cursor)
    factors: list[Expression] = []
    while not cursor.at("/"):
        factors.append(cursor.factor())
    cursor.expect("/")
    variables = _variables(cursor)
    _check_order(cursor, head, order, variables)
    operand = multiply(*factors) if factors else _operand(cursor, head)
    return Derivative(operand, variables, head.text == "partial")


def partial(cursor: Cursor) -> Expression:
    """``\\partial_t f``, ``\\partial f/\\partial t`` with the cursor on ``\\partial``."""
    found = slash_derivative(cursor)
    if found is not None:
        return found
    head = cursor.advance()
    if not cursor.take("_"):
        raise cursor.failure("a partial derivative without its variable", head)
    variables: list[tuple[Expression, int]] = []
    if cursor.take("{"):
        while not cursor.at("}"):
            if cursor.take(","):
                continue
            variables.append((read_variable(cursor), 1))
        cursor.expect("}")
    else:
        variables.append((cursor.script(chained=False), 1))
    if cursor.at("^"):
        variables = [(variable, read_order(cursor)) for variable, _ in variables[:1]]
    return Derivative(_operand(cursor, head), tuple(variables), True)
