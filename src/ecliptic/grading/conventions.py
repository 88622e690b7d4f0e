"""Conventions applied to formulas before they are compared: aliases and contested names.

Everything here is a rename that one of the :class:`~ecliptic.grading.rules.Rules` allows, or a
difference of notation that carries no meaning (``f(r, p)`` beside a bare ``f``).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ecliptic.grading.expression import (
    Apply,
    Call,
    Constant,
    Derivative,
    Expression,
    Number,
    Symbol,
    multiply,
    power,
    rebuild,
)
from ecliptic.grading.means import has_means, linear_means
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.plain_arguments import drop_arguments
from ecliptic.grading.rules import Rules
from ecliptic.grading.special_functions import standard_name
from ecliptic.grading.told_notation import primed_as_derivative
from ecliptic.grading.tree_walk import Survey, survey, walk
from ecliptic.grading.unit_table import BASE_UNITS
from ecliptic.grading.units import parse_unit

STEP_NAMES = frozenset({"H", "Theta"})
"""Names of the step function."""
_FUNCTIONS = {"Gamma": "gamma", "H": "heaviside", "Theta": "heaviside"}
_SUN = ("_sun", "_Sun", "_⊙")


def apply_rules(
    gold: Expression, answer: Expression, rules: Rules
) -> tuple[Expression, Expression]:
    """Both formulas with the same names for the same things, as far as the rules say so."""
    found = survey(gold), survey(answer)
    if _nothing_to_do(found, rules):
        return gold, answer
    renames: dict[str, str] = {
        other: name for name, others in rules.aliases.items() for other in others
    }
    golden = {part.name for part in walk(gold) if isinstance(part, Symbol | Apply)}
    folded = {name.lower(): name for name in sorted(golden)}

    def name_of(name: str) -> str:
        if rules.odot_is_sun:
            for suffix in _SUN:
                name = name.removesuffix(suffix) + "_odot" if name.endswith(suffix) else name
        name = renames.get(name, name)
        if rules.k_is_boltzmann and name == "k" and "k_B" in golden:
            name = "k_B"
        if rules.fold_case and name not in golden:
            name = folded.get(name.lower(), name)
        return name

    def changed(node: Expression) -> Expression:
        match node:
            case Symbol(name=name):
                new = name_of(name)
                return node if new == name else replace(node, name=new)
            case Apply(name=name, args=args, style=style):
                inner = tuple(map(changed, args))
                if name in _FUNCTIONS and len(args) == 1 and not style:
                    return Call(_FUNCTIONS[name], inner)
                if name == "zeta" and len(args) == 1 and isinstance(inner[0], Number):
                    return Call(name, inner)
                return Apply(name_of(name), inner, style)
            case Call(function=name, args=args):
                inner = tuple(map(changed, args))
                if name == "log" and len(args) == 1 and rules.log_is_ln:
                    name = "ln"
                if name == "log" and len(args) == 2 and args[1] == Constant("euler_e"):
                    name, inner = "ln", inner[:1]
                return Call(standard_name(name), inner)
            case _:
                return rebuild(node, changed)

    gold, answer = changed(gold), changed(answer)
    if has_means(found):
        gold, answer = linear_means(gold), linear_means(answer)
    if rules.prime_is_derivative:
        gold, answer = _primes_with(gold, answer), _primes_with(answer, gold)
    return drop_arguments(gold, answer)


def _nothing_to_do(found: tuple[Survey, Survey], rules: Rules) -> bool:
    """Whether the default rules leave both formulas as they are."""
    if rules.aliases or rules.fold_case or rules.k_is_boltzmann or rules.prime_is_derivative:
        return False
    if has_means(found):
        return False
    return not any(
        Apply in side.kinds
        or "log" in side.functions
        or any(standard_name(name) != name for name in side.functions)
        or any(symbol.name.endswith(_SUN) for symbol in side.symbols)
        for side in found
    )


def _primes_with(node: Expression, other: Expression) -> Expression:
    """``f'(x)`` as a derivative, in the variable of the other side's derivatives of ``f``."""
    variables = {
        part.operand.name: part.variables[0][0]
        for part in walk(other)
        if isinstance(part, Derivative) and isinstance(part.operand, Symbol | Apply)
    }

    def changed(part: Expression) -> Expression:
        if isinstance(part, Apply | Symbol) and part.name.endswith("'"):
            variable = part.args[0] if isinstance(part, Apply) and part.args else None
            variable = variables.get(part.name.rstrip("'"), variable)
            if variable is not None:
                return primed_as_derivative(part, variable)
        return rebuild(part, changed)

    return changed(node)


def units_as_factors(node: Expression, names: frozenset[str]) -> Expression:
    """Unit symbols as a number times base units; ``names`` are those to take for units."""

    def changed(part: Expression) -> Expression:
        if isinstance(part, Symbol) and part.name in names and not part.style:
            return _unit(part.name) or part
        return rebuild(part, changed)

    return changed(node)


def unit_names(*nodes: Expression) -> frozenset[str]:
    """Names that are units: upright ones, and words of several letters that are units alone."""
    upright = {
        part.name
        for node in nodes
        for part in walk(node)
        if isinstance(part, Symbol) and part.roman and _unit(part.name) is not None
    }
    if not upright:
        return frozenset()
    words = {
        part.name
        for node in nodes
        for part in walk(node)
        if isinstance(part, Symbol) and len(part.name) > 1 and "_" not in part.name
    }
    return frozenset(upright | {word for word in words if _unit(word) is not None})


def _unit(name: str) -> Expression | None:
    if not name.isalpha() or len(name) > 12:
        return None
    try:
        unit = parse_unit(name)
    except ParseFailure:
        return None
    factors: list[Expression] = [Number(Fraction(f"{unit.factor:.15g}"))]
    for base, exponent in zip(BASE_UNITS, unit.exponents, strict=True):
        if exponent:
            factors.append(power(Symbol(base, "si"), Number(Fraction(exponent))))
    return multiply(*factors) if len(factors) > 1 else factors[0]
