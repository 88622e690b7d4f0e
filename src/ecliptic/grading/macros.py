"""LaTeX commands: fractions, roots, fonts, accents, matrices, cases."""

from __future__ import annotations

from collections.abc import Callable

from ecliptic.grading import application, derivatives, functions, integrals, vectors
from ecliptic.grading.cursor import Cursor
from ecliptic.grading.expression import (
    Call,
    Derivative,
    Expression,
    Piecewise,
    Relation,
    Symbol,
    System,
    Tuple,
    divide,
)
from ecliptic.grading.symbols import ACCENTS, BOLD, DOTS, FRACTIONS, PLAIN_FONTS, SCRIPTS

STYLE_COMMANDS = BOLD | PLAIN_FONTS | frozenset(ACCENTS) | frozenset(SCRIPTS)


def command(cursor: Cursor) -> Expression:
    """The command at the cursor."""
    token = cursor.token
    read = _COMMANDS.get(token.text)
    if read is None:
        raise cursor.failure(f"the command '\\{token.text}' is not read")
    cursor.enter()
    result = read(cursor)
    cursor.leave()
    return result


def _fraction(cursor: Cursor) -> Expression:
    cursor.advance()
    derivative = derivatives.fraction_derivative(cursor)
    if derivative is not None:
        return derivative
    above = cursor.argument()
    return divide(above, cursor.argument())


def _root(cursor: Cursor) -> Expression:
    cursor.advance()
    return functions.root(cursor)


def _cube_root(cursor: Cursor) -> Expression:
    cursor.advance()
    return functions.finished("cbrt", (functions.root(cursor),), None)


def _binomial(cursor: Cursor) -> Expression:
    cursor.advance()
    above = cursor.argument()
    return Call("binomial", (above, cursor.argument()))


def _holds_nabla(cursor: Cursor) -> bool:
    """Take ``{\\nabla}`` or ``\\nabla`` behind a font command."""
    if cursor.token.kind == "cmd" and cursor.token.text == "nabla":
        cursor.index += 1
        return True
    if cursor.at("{") and cursor.ahead().text == "nabla" and cursor.ahead(2).text == "}":
        cursor.index += 3
        return True
    return False


def _bold(cursor: Cursor) -> Expression:
    cursor.advance()
    if _holds_nabla(cursor):
        return vectors.nabla(cursor)
    before, cursor.bold = cursor.bold, True
    inner = cursor.argument()
    cursor.bold = before
    return _with_scripts(cursor, inner)


def _font(cursor: Cursor) -> Expression:
    cursor.advance()
    return _with_scripts(cursor, cursor.argument())


def _with_scripts(cursor: Cursor, inner: Expression) -> Expression:
    """Scripts and a bracket behind a styled letter belong to it as to a plain one."""
    if not isinstance(inner, Symbol):
        return inner
    inner = cursor.scripted(inner)
    return application.applied(cursor, inner) if isinstance(inner, Symbol) else inner


def _accent(cursor: Cursor) -> Expression:
    name = cursor.advance().text
    style = ACCENTS[name]
    inner = cursor.argument()
    if isinstance(inner, Symbol):
        styled = Symbol(inner.name, style)
        if style == "unit":
            scripted = cursor.scripted(Symbol(inner.name, "vector"))
            if isinstance(scripted, Symbol):
                return application.applied(cursor, Symbol(scripted.name, "unit"))
        return _with_scripts(cursor, styled)
    if style == "bar":
        return Call("mean", (inner,))
    raise cursor.failure(f"'\\{name}' stands over more than a letter")


def _script_letter(cursor: Cursor) -> Expression:
    style = SCRIPTS[cursor.advance().text]
    inner = cursor.argument()
    if not isinstance(inner, Symbol):
        raise cursor.failure("a script font holds more than a letter")
    return _with_scripts(cursor, Symbol(inner.name, style))


def _dots(cursor: Cursor) -> Expression:
    """``\\dot x`` is the time derivative."""
    order = DOTS[cursor.advance().text]
    inner = _with_scripts(cursor, cursor.argument())
    return Derivative(inner, ((derivatives.TIME, order),), cursor.reading.partial_dots)


def _nabla(cursor: Cursor) -> Expression:
    cursor.advance()
    return vectors.nabla(cursor)


def _magnitude(cursor: Cursor) -> Expression:
    cursor.advance()
    return Call("abs", (cursor.argument(),))


def _brace(cursor: Cursor) -> Expression:
    """``\\underbrace{x}_{label}``: the label says nothing."""
    cursor.advance()
    inner = cursor.argument()
    if cursor.take("_") or cursor.take("^"):
        cursor.script_name()
    return inner


def _physics_derivative(cursor: Cursor) -> Expression:
    """``\\dv[n]{f}{x}``, ``\\pdv{f}{x}`` of the physics package."""
    name = cursor.advance().text
    order = 1
    if cursor.take("["):
        token = cursor.advance()
        if not token.text.isdigit() or not 1 <= int(token.text[:3]) <= derivatives.MAX_ORDER:
            raise cursor.failure("the order of a derivative is no small integer", token)
        order = int(token.text)
        cursor.expect("]")
    operand = cursor.argument()
    variable = cursor.argument()
    if name == "pdv" and order == 1 and cursor.at("{"):
        return Derivative(operand, ((variable, 1), (cursor.argument(), 1)), True)
    return Derivative(operand, ((variable, order),), name == "pdv")


def _number(cursor: Cursor) -> Expression:
    cursor.advance()
    return cursor.argument()


def environment(cursor: Cursor, *, cases: bool = False) -> Expression:
    """``cases`` as a Piecewise, as a System where its rows are equations without conditions.

    A matrix is a Tuple of rows, a column or row a plain Tuple.
    """
    opening = cursor.advance()
    kind = opening.text.removeprefix("begin ")
    piecewise = cases or kind == "cases"
    cursor.enter()
    bars, cursor.bars = cursor.bars, 0
    rows: list[tuple[Expression, ...]] = []
    while not cursor.at(f"end {kind}"):
        rows.append(_case(cursor) if piecewise else _row(cursor))
        if not cursor.take("row") and not cursor.at(f"end {kind}"):
            raise cursor.failure(f"{cursor.shown()} stands inside {kind}")
    cursor.advance()
    cursor.bars = bars
    cursor.leave()
    if not rows:
        raise cursor.failure(f"{kind} without rows", opening)
    if piecewise:
        if len(rows) > 1 and all(len(row) == 1 and _is_equation(row[0]) for row in rows):
            return System(tuple(row[0] for row in rows), (), "and")
        branches = tuple((row[0], row[1] if len(row) > 1 else None) for row in rows)
        return Piecewise(branches)
    if len(rows) == 1:
        return Tuple(rows[0])
    if all(len(row) == 1 for row in rows):
        return Tuple(tuple(row[0] for row in rows))
    return Tuple(tuple(Tuple(row) for row in rows))


def _is_equation(node: Expression) -> bool:
    return isinstance(node, Relation) and node.operator == "=" and node.left is not None


def _row(cursor: Cursor) -> tuple[Expression, ...]:
    cells = [cursor.statement()]
    while cursor.take("&"):
        cells.append(cursor.statement())
    return tuple(cells)


def _case(cursor: Cursor) -> tuple[Expression, ...]:
    """``value & condition``; commas, spaces and "if", "for", "otherwise" around it."""
    value = cursor.statement()
    while cursor.take(",") or cursor.take("quad") or cursor.take("&") or cursor.take(";"):
        pass
    while cursor.token.kind == "word" and cursor.token.text in ("if", "for", "when"):
        cursor.advance()
        while cursor.take("quad"):
            pass
    if cursor.token.kind == "word" and cursor.token.text in ("otherwise", "else", "elsewhere"):
        cursor.advance()
        _end_case(cursor)
        return (value,)
    if cursor.token.text in ("row", "end cases", "end matrix"):
        return (value,)
    conditions = [cursor.statement()]
    while cursor.take(",") or (cursor.token.text == "and" and cursor.advance()):
        if cursor.token.text in ("row", "end cases", "end matrix"):
            break
        conditions.append(cursor.statement())
    _end_case(cursor)
    return (value, functions.conjunction(conditions))


def _end_case(cursor: Cursor) -> None:
    while cursor.take(",") or cursor.take(";") or cursor.take("quad"):
        pass


_COMMANDS: dict[str, Callable[[Cursor], Expression]] = {
    **dict.fromkeys(FRACTIONS, _fraction),
    **dict.fromkeys(BOLD, _bold),
    **dict.fromkeys(PLAIN_FONTS, _font),
    **dict.fromkeys(ACCENTS, _accent),
    **dict.fromkeys(SCRIPTS, _script_letter),
    **dict.fromkeys(DOTS, _dots),
    **dict.fromkeys(integrals.INTEGRALS, integrals.integral),
    **dict.fromkeys(("sum", "prod"), integrals.big_operator),
    **dict.fromkeys(("binom", "dbinom", "tbinom"), _binomial),
    **dict.fromkeys(("abs", "norm"), _magnitude),
    **dict.fromkeys(("underbrace", "overbrace"), _brace),
    **dict.fromkeys(("dv", "pdv"), _physics_derivative),
    "sqrt": _root,
    "cbrt": _cube_root,
    "lim": integrals.limit,
    "partial": derivatives.partial,
    "nabla": _nabla,
    "num": _number,
}
