"""What integrals and limits run over: ``n_e`` under ``dr`` is a function of r, if written bare.

Taken for constants, bare integrands make ``\\int_0^L n ds`` the product ``n L`` and hide the limits
of endless integrals. So the symbols of an integrand that does not show its variable become
functions of it; beside other uses of the variable only profiles along a path do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ecliptic.grading.canonical import canonical, sort_key
from ecliptic.grading.dependence import CONSTANT
from ecliptic.grading.expression import (
    TWO,
    ZERO,
    Apply,
    Call,
    Derivative,
    Expression,
    Integral,
    Limit,
    Number,
    Relation,
    Symbol,
    add,
    children,
    is_vector,
    multiply,
    negate,
    power,
    rebuild,
)
from ecliptic.grading.field_symbols import UnlowerableError
from ecliptic.grading.integral_ranges import is_endless
from ecliptic.grading.tree_walk import survey, walk
from ecliptic.grading.vector_algebra import Lowered

_PROFILE = re.compile(
    r"(?:n|rho|varrho|T|p|P|B|u|v|kappa|alpha|epsilon|varepsilon|eta|j|J|S|f|F)'?(?:_.*)?"
)
"""Names of quantities that change along a path or with depth."""
_PATH = re.compile(r"(?:r|s|l|ell|x|y|z|h|R)'*")
"""Names of variables along a path."""
_STEADY = frozenset({"bound", "@", "domain", "si"})
"""Styles of symbols that are no functions."""


def over_named_domain(node: Integral) -> Integral:
    """``\\int_V f dV`` and ``\\oint f dl`` as integrals up to a number that stands for the domain.

    Unlike unknown numbers of their own, these are linear in what is integrated. Integrals over
    vectors are left as they are.
    """
    named = node.lower is not None and node.upper is None
    variable = node.variable
    if not isinstance(variable, Symbol):
        return node
    unnamed = variable.style == "element" and (node.lower, node.upper) == (None, None)
    if not (named or node.closed or unnamed):
        return node
    if is_vector(variable):
        if is_vector(node.integrand) or variable in set(walk(node.integrand)):
            return node
        variable = Symbol(variable.name, "domain")
    lower = node.lower
    upper: Expression
    measured = lower is not None and not node.closed and not survey(node.integrand).symbols
    if measured and lower is not None and (lower == variable or _is_numeric(lower)):
        upper = lower
    else:
        limits = [part for part in (lower, node.upper) if part is not None]
        name = ",".join(sort_key(canonical(part)) for part in limits)
        upper = Symbol(f"closed {name}" if node.closed else name, "domain")
    return Integral(node.integrand, variable, ZERO, upper)


def _is_numeric(node: Expression) -> bool:
    return survey(node).kinds.isdisjoint({Symbol, Apply, Relation})


def near_target(node: Limit) -> Expression:
    """The limit of a formula that does not show what runs: its symbols have values at the target.

    Raises :class:`~ecliptic.grading.field_symbols.UnlowerableError` for other limits.
    """
    if node.variable in set(walk(node.operand)):
        functions = {part for part in walk(node.operand) if isinstance(part, Apply)}
        shown = sum(part == node.variable for part in walk(node.operand))
        if any(part.args != (node.variable,) for part in functions) or shown > len(functions):
            raise UnlowerableError("limit")
    place = sort_key(canonical(node.target)) + node.direction

    def changed(part: Expression) -> Expression:
        if isinstance(part, Symbol | Apply) and (isinstance(part, Apply) or not _steady(part)):
            return Symbol(f"{part.name} near {place}", part.style)
        return rebuild(part, changed)

    return changed(node.operand)


def as_places(operand: Expression, conditions: tuple[Expression, ...]) -> tuple[Expression, ...]:
    """The subscript of ``dT/dr |_R`` as the place r = R; a quantity held constant stays one."""
    variables = {
        (variable, part.partial)
        for part in walk(operand)
        if isinstance(part, Derivative)
        for variable, _ in part.variables
    }
    if len(variables) != 1 or len(conditions) != 1 or isinstance(conditions[0], Relation):
        return conditions
    variable, partial = next(iter(variables))
    if not isinstance(variable, Symbol):
        return conditions
    of_its_name = any(
        isinstance(part, Symbol) and part.name.lower().partition("_")[0] == variable.name.lower()
        for part in walk(conditions[0])
    )
    if partial and not of_its_name and not isinstance(conditions[0], Number):
        return conditions
    return (Relation("=", variable, conditions[0]),)


def with_integrands(gold: Lowered, answer: Lowered) -> tuple[Lowered, Lowered]:
    """:func:`functions_in_integrands` for two values, each a number or a vector."""
    sides = [side if isinstance(side, tuple) else (side,) for side in (gold, answer)]
    first, second = (
        side if isinstance(old, tuple) else side[0]
        for side, old in zip(functions_in_integrands(*sides), (gold, answer), strict=True)
    )
    return first, second  # type: ignore[return-value]


def functions_in_integrands(
    gold: tuple[Expression, ...], answer: tuple[Expression, ...]
) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
    """Both sides with symbols under integrals as functions of the variables.

    Where the gold has no integral, what stands in the answer's is taken for constant.
    """
    if not any(Integral in survey(part).kinds for part in gold):
        return gold, answer
    outside = {symbol for part in (*gold, *answer) for symbol in _outside(part)}
    ends = _symbols_of_limits((*gold, *answer))
    first, second = (
        tuple(_functions(part, (), outside, ends) for part in side) for side in (gold, answer)
    )
    fading = _under_endless_integrals((*first, *second))
    if not fading:
        return first, second
    first, second = (tuple(_fading(part, fading) for part in side) for side in (first, second))
    return first, second


def _symbols_of_limits(nodes: tuple[Expression, ...]) -> set[Symbol]:
    limits = [
        limit
        for node in nodes
        for part in walk(node)
        if isinstance(part, Integral)
        for limit in (part.lower, part.upper)
        if limit is not None
    ]
    return {part for limit in limits for part in walk(limit) if isinstance(part, Symbol)}


def _under_endless_integrals(nodes: tuple[Expression, ...]) -> set[tuple[str, str]]:
    return {
        (part.name, part.style)
        for node in nodes
        for outer in walk(node)
        if isinstance(outer, Integral) and is_endless(outer)
        for part in walk(outer.integrand)
        if isinstance(part, Apply)
    }


def _fading(node: Expression, names: set[tuple[str, str]]) -> Expression:
    """Unknown functions made to fall off, so that their integrals to infinity have values."""
    changed = rebuild(node, lambda part: _fading(part, names))
    if not isinstance(changed, Apply) or (changed.name, changed.style) not in names:
        return changed
    squares = [negate(power(arg, TWO)) for arg in changed.args]
    return multiply(changed, Call("exp", (add(*squares),)))


def _outside(node: Expression) -> Iterator[Symbol]:
    """Symbols that stand outside of all integrands."""
    if isinstance(node, Symbol):
        yield node
    elif isinstance(node, Integral):
        for limit in (node.lower, node.upper):
            if limit is not None:
                yield from _outside(limit)
    else:
        for part in children(node):
            yield from _outside(part)


def _functions(
    node: Expression, running: tuple[Symbol, ...], outside: set[Symbol], ends: set[Symbol]
) -> Expression:
    if Integral not in survey(node).kinds and not running:
        return node
    if isinstance(node, Integral) and isinstance(node.variable, Symbol):
        if Integral in {type(part) for part in walk(node.integrand)}:
            inner = _functions(node.integrand, (*running, node.variable), outside, ends)
        else:
            inner = _integrand(node.integrand, (*running, node.variable), outside, ends)
        lower, upper = (
            limit if limit is None else _functions(limit, (), outside, ends)
            for limit in (node.lower, node.upper)
        )
        return Integral(inner, node.variable, lower, upper, node.closed, node.product)
    if running and Integral not in {type(part) for part in walk(node)}:
        return _integrand(node, running, outside, ends)
    return rebuild(node, lambda part: _functions(part, running, outside, ends))


def _integrand(
    node: Expression, running: tuple[Symbol, ...], outside: set[Symbol], ends: set[Symbol]
) -> Expression:
    found = {part for part in walk(node) if isinstance(part, Symbol) and _may_change(part)}
    shown = found & set(running)
    found -= set(running)
    jets = {symbol for symbol in found if symbol.style == "jet"}
    found -= ends
    if shown:
        path = all(_PATH.fullmatch(symbol.name) for symbol in shown)
        chosen = {s for s in found if path and _PROFILE.fullmatch(s.name) and not _steady(s)}
    else:
        free = {s for s in found if not _steady(s)}
        chosen = {s for s in free if s not in outside or _PROFILE.fullmatch(s.name)}
        chosen = chosen or free or ({s for s in found if s not in outside} or found)
    chosen |= jets
    order = tuple(sorted(running, key=lambda symbol: (symbol.name, symbol.style)))

    def changed(part: Expression) -> Expression:
        if isinstance(part, Symbol):
            return Apply(part.name, order, part.style) if part in chosen else part
        return rebuild(part, changed)

    return changed(node)


def _may_change(symbol: Symbol) -> bool:
    return symbol.style not in _STEADY


def _steady(symbol: Symbol) -> bool:
    return symbol.style != "jet" and CONSTANT.fullmatch(symbol.name) is not None
