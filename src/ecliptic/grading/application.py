"""Letters, constants and the application of functions to brackets.

A bracket behind a letter is an application by the rule ``application`` of ``latex.py``, and a
product otherwise.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ecliptic.grading.cursor import Cursor
from ecliptic.grading.expression import (
    Apply,
    Call,
    Constant,
    Expression,
    Number,
    Power,
    Symbol,
    add,
    negate,
    number,
    power,
)
from ecliptic.grading.symbols import (
    ACCENTS,
    APPLIED_LETTERS,
    BESSEL,
    BOLD,
)
from ecliptic.grading.tokens import Token

_CONSTANTS = {
    "pi": Constant("pi"),
    "infty": Constant("infinity"),
    "degree": Constant("degree"),
    "circ": Constant("degree"),
}
_SPECIAL = {"delta": "dirac", "Gamma": "gamma", "Theta": "heaviside"}
_CHARGE_LETTERS = frozenset(("epsilon", "hbar", "m", "B", "E", "n", "c", "Z", "q"))
_ORDER = re.compile(r"(\w+)([+-])(\d+)")
SIMPLE_COMMANDS = BOLD | frozenset(ACCENTS)


def constant(name: str) -> Constant:
    """The constant of a letter command."""
    return _CONSTANTS[name]


def read_number(text: str) -> Number:
    """The number of a num token; powers of ten stay apart when they are large."""
    mantissa, mark, exponent = text.partition("e")
    decimal = bool(mark) or "." in mantissa
    return number(Fraction(mantissa), int(exponent or 0), decimal=decimal)


def other_letters(tokens: list[Token]) -> frozenset[str]:
    """Letters of a text beside e and the constants; they decide what its e means."""
    names = (token.text for token in tokens if token.kind == "name")
    return frozenset(name for name in names if name != "e" and name not in _CONSTANTS)


def _is_euler(cursor: Cursor, index: int) -> bool:
    """A bare e is Euler's number in a text without letters, or alone below or in a bracket."""
    letters = cursor.letters()
    if not letters:
        return True
    before = cursor.tokens[index - 1] if index else None
    alone = before is not None and before.kind == "op" and before.text in ("/", "{", "(")
    return alone and not cursor.starts_factor() and not letters & _CHARGE_LETTERS


def symbol_or_constant(cursor: Cursor, token: Token) -> Symbol | Constant:
    """The meaning of one name token that has just been taken."""
    text = token.text
    if text in _CONSTANTS and not (cursor.token.kind == "op" and cursor.token.text in ("_", "'")):
        return _CONSTANTS[text]
    if text == "e" and not cursor.bold:
        following = cursor.token
        scripted = following.kind == "op" and following.text in ("^", "_", "'")
        if not scripted and _is_euler(cursor, cursor.index - 1):
            return Constant("euler_e")
    return Symbol(text, "vector" if cursor.bold else "", token.roman)


def is_letter(cursor: Cursor) -> bool:
    """Whether one letter, plain or styled, stands at the cursor."""
    token = cursor.token
    if token.kind == "cmd" and token.text in SIMPLE_COMMANDS:
        following = cursor.ahead()
        if following.text == "{":
            return cursor.ahead(2).kind == "name" and cursor.ahead(3).text == "}"
        return following.kind == "name"
    return token.kind == "name" and token.text not in _CONSTANTS and not token.spaced


def applied(cursor: Cursor, symbol: Symbol) -> Expression:
    """The symbol, or what it gives at the bracket behind it if that is an application."""
    token = cursor.token
    if token.kind != "op" or token.text != "(":
        return symbol
    name = symbol.name
    first, end = cursor.index + 1, cursor.skip_group(cursor.index) - 1
    if cursor.ahead().kind == "rel" and cursor.ahead().text in ("<", ">", "<=", ">="):
        bound = "".join(part.text for part in cursor.tokens[first:end])  # N(>E)
        cursor.index = end + 1
        return Symbol(f"{name}({bound})", symbol.style, symbol.roman)
    content = cursor.tokens[first:end]
    letter, _, order = name.partition("_")
    several = _top_level(content, (",", ";"))
    if letter in BESSEL and order and not symbol.style and not several:
        signs = _top_level(content, ("+", "-"))
        if letter in "JY" or not (signs or _stands_alone(cursor, letter)):
            return Call(BESSEL[letter], (_order(order), *read_arguments(cursor)))
    declared = name in cursor.applied
    if not (
        declared
        or name.rstrip("'") in APPLIED_LETTERS
        or several
        or _lone(content)
        or (letter == "P" and order and content and content[0].kind == "func")
    ):
        return symbol
    arguments = read_arguments(cursor)
    if name in _SPECIAL and not declared and len(arguments) == 1 and not symbol.style:
        return Call(_SPECIAL[name], arguments)
    return Apply(name, arguments, symbol.style)


def _stands_alone(cursor: Cursor, letter: str) -> bool:
    """Whether I or K is a quantity of its own in the text, so that I_0 is one as well."""
    following = zip(cursor.tokens, cursor.tokens[1:], strict=False)
    return any(a.kind == "name" and a.text == letter and b.text != "_" for a, b in following)


def raised_function(cursor: Cursor, value: Expression) -> Expression:
    """``J_1^2(x)`` as the square of the Bessel function; anything else as it is.

    ``K`` and ``I`` with an index are as often constants, so a power of one stays one; and
    ``J_1^{-1}`` is an inverse.
    """
    if not (isinstance(value, Power) and isinstance(value.base, Symbol) and cursor.at("(")):
        return value
    letter, _, order = value.base.name.partition("_")
    if letter not in ("J", "Y") or not order or value.base.style:
        return value
    exponent = value.exponent
    if not isinstance(exponent, Number) or exponent.coefficient <= 0:
        return value
    if exponent.exponent or exponent.coefficient.denominator != 1:
        return value
    function = applied(cursor, value.base)
    return power(function, exponent)


def _order(text: str) -> Expression:
    """Order of a Bessel function from its subscript."""
    match = _ORDER.fullmatch(text)
    if match is not None:
        shift = number(int(match.group(3)))
        return add(_order(match.group(1)), shift if match.group(2) == "+" else negate(shift))
    if re.fullmatch(r"-?\d{1,4}(?:/[1-9]\d{0,3})?", text):
        return Number(Fraction(text))
    return Symbol(text)


def _top_level(content: list[Token], signs: tuple[str, ...]) -> bool:
    depth = 0
    for token in content:
        if token.kind == "op":
            if token.text in ("(", "[", "{"):
                depth += 1
            elif token.text in (")", "]", "}"):
                depth -= 1
            elif not depth and token.text in signs:
                return True
    return False


def _lone(content: list[Token]) -> bool:
    """One symbol, perhaps styled, with subscripts and primes, or one number."""
    names, index = 0, 0
    while index < len(content):
        token = content[index]
        if token.text in ("Delta", "delta") and index + 1 < len(content):
            pass
        elif token.kind in ("name", "num"):
            names += 1
        elif token.kind == "op" and token.text == "_":
            index += 1
            depth = 0
            while index < len(content):
                text = content[index].text
                depth += (text == "{") - (text == "}")
                if depth <= 0:
                    break
                index += 1
        elif not (
            (token.kind == "op" and token.text in ("'", "{", "}"))
            or (token.kind == "cmd" and token.text in SIMPLE_COMMANDS)
        ):
            return False
        index += 1
    return names == 1


def read_arguments(cursor: Cursor) -> tuple[Expression, ...]:
    """The arguments in the bracket at the cursor."""
    opening = cursor.advance()
    cursor.enter()
    bars, cursor.bars = cursor.bars, 0
    items = [cursor.sum()]
    while cursor.take(",") or cursor.take(";"):
        items.append(cursor.sum())
    closing = cursor.token
    if not cursor.take({"(": ")", "[": "]", "lset": "rset", "(.": ".)"}[opening.text]):
        what = "the end" if closing.kind == "end" else f"'{closing.text}'"
        raise cursor.failure(f"a bracket is not closed before {what}")
    cursor.bars = bars
    cursor.leave()
    return tuple(items)
