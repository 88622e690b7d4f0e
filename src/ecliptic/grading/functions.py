"""Known functions: bases, powers, arguments with and without brackets, roots."""

from __future__ import annotations

from ecliptic.grading.application import SIMPLE_COMMANDS, read_arguments
from ecliptic.grading.cursor import Cursor
from ecliptic.grading.expression import (
    HALF,
    MINUS_ONE,
    TEN,
    TWO,
    Call,
    Constant,
    Expression,
    Number,
    Power,
    Symbol,
    System,
    VectorOperator,
    divide,
    multiply,
    negate,
    number,
    power,
)
from ecliptic.grading.symbols import (
    ANGLES,
    INVERSES,
    PHASE_FACTORS,
    VECTOR_WORDS,
)
from ecliptic.grading.tokens import Token

THREE = number(3)
_NUMBERS_OF_FLOW = {"real": "Re", "imag": "Im"}
"""Without an argument they are symbols, as the Reynolds number."""
_SEVERAL = frozenset(("min", "max", "atan2", "besselj", "bessely", "besseli", "besselk", "log"))


def call(cursor: Cursor) -> Expression:
    """A known function at the cursor with its base, power and argument."""
    token = cursor.advance()
    name = token.text
    cursor.enter()
    base: Expression | None = None
    exponent: Expression | None = None
    while cursor.token.kind == "op" and cursor.token.text in ("_", "^"):
        if cursor.take("_"):
            if name != "log" or base is not None:
                raise cursor.failure(f"a subscript on '{name}' is not read", token)
            base = cursor.script(chained=False)
        else:
            cursor.advance()
            exponent = cursor.script()
    if name in _NUMBERS_OF_FLOW and not cursor.starts_factor() and base is None:
        cursor.leave()
        symbol = Symbol(_NUMBERS_OF_FLOW[name], roman=True)
        return symbol if exponent is None else Power(symbol, exponent)
    cursor.exponents += name == "exp"
    arguments = _call_arguments(cursor, name, token)
    cursor.exponents -= name == "exp"
    cursor.leave()
    if len(arguments) > 1 and name not in _SEVERAL:
        raise cursor.failure(f"'{name}' takes one argument", token)
    if exponent == MINUS_ONE and name in INVERSES:
        return Call(INVERSES[name], arguments)
    value = finished(name, arguments, base)
    return value if exponent is None else Power(value, exponent)


def finished(name: str, arguments: tuple[Expression, ...], base: Expression | None) -> Expression:
    """The node of a function by its canonical name."""
    first = arguments[0]
    if name in ("log", "ln", "log10", "lg", "log2") and first == Symbol("e"):
        arguments = (Constant("euler_e"),)
    match name:
        case "sqrt":
            return Power(first, HALF)
        case "cbrt":
            return Power(first, divide(number(1), THREE))
        case "lg" | "log10":
            return Call("log", (*arguments, TEN))
        case "log2":
            return Call("log", (*arguments, TWO))
        case "log" if base is not None:
            if base in (Symbol("e"), Constant("euler_e")):
                return Call("ln", arguments)
            return Call("log", (*arguments, base))
        case _ if name in VECTOR_WORDS:
            return VectorOperator(name, arguments)  # type: ignore[arg-type]
        case _:
            return Call(name, arguments)


def _call_arguments(cursor: Cursor, name: str, function: Token) -> tuple[Expression, ...]:
    token = cursor.token
    if token.kind == "op" and token.text in ("(", "[", "lset", "(."):
        return read_arguments(cursor)
    if token.kind == "op" and token.text == "{":
        return (cursor.argument(),)
    negative = False
    if token.kind == "op" and token.text == "-":
        negative = True
        cursor.advance()
    if not cursor.starts_factor():
        raise cursor.failure(f"'{name}' has no argument", function)
    argument = _run(cursor, name)
    return (negate(argument) if negative else argument,)


def _run(cursor: Cursor, name: str) -> Expression:
    """Argument without brackets."""
    first = cursor.token
    simple = first.kind in ("num", "name") or (
        first.kind == "cmd" and first.text in SIMPLE_COMMANDS
    )
    factors = [cursor.factor()]
    if not simple or name in ("sqrt", "cbrt", *VECTOR_WORDS):
        return factors[0]
    while True:
        token, last = cursor.token, factors[-1]
        if isinstance(last, Power):
            last = last.base
        if isinstance(last, Symbol) and last.name.partition("_")[0] in ANGLES:
            break
        if token.kind == "op" and token.text == "(":
            phase = isinstance(last, Number | Constant) or (
                isinstance(last, Symbol) and last.name in PHASE_FACTORS
            )
            if not phase:
                break
            factors.append(cursor.factor())
            break
        if token.spaced or token.kind not in ("name", "num") or cursor.is_differential():
            break
        if token.kind == "num" and isinstance(last, Number):
            break
        if token.text == "e" and cursor.ahead().text == "^":
            break
        factors.append(cursor.factor())
    return multiply(*factors)


def root(cursor: Cursor) -> Expression:
    """``\\sqrt[n]{x}``; without braces it takes one factor without its power."""
    index: Expression | None = None
    cursor.enter()
    if cursor.take("["):
        index = cursor.sum()
        cursor.expect("]")
    if cursor.at("("):
        radicand = cursor.bracketed()
    elif cursor.token.kind == "num":
        radicand = cursor.script()
    elif cursor.token.kind == "name":
        radicand = cursor.factor()
    else:
        radicand = cursor.argument()
    cursor.leave()
    if index is None:
        return Power(radicand, HALF)
    return power(radicand, divide(number(1), index))


def conjunction(conditions: list[Expression]) -> Expression:
    """One statement out of several that hold together."""
    flat: list[Expression] = []
    for condition in conditions:
        if isinstance(condition, System) and condition.connective == "and":
            flat.extend(condition.statements)
        else:
            flat.append(condition)
    return flat[0] if len(flat) == 1 else System(tuple(flat))
