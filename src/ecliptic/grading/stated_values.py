"""Values against equations: a right side alone, a name on the left, definitions put in."""

from __future__ import annotations

from dataclasses import replace

from ecliptic.grading.canonical import canonical
from ecliptic.grading.comparison import Comparison, different
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.differentiate import substitute_all
from ecliptic.grading.equations import compare_equations, compare_signed_values
from ecliptic.grading.expression import (
    MINUS_ONE,
    Apply,
    Call,
    Derivative,
    Expression,
    Integral,
    Limit,
    Mul,
    Number,
    Power,
    Product,
    Relation,
    Sum,
    Symbol,
    VectorOperator,
)
from ecliptic.grading.statements import (
    Statements,
    is_name,
    isolated,
    without_chain,
)
from ecliptic.grading.tree_walk import walk
from ecliptic.grading.value_equivalence import compare_values, match_values
from ecliptic.grading.value_matcher import Context


def compare_stated(gold: Statements, answer: Statements, context: Context) -> Comparison:
    """Values of the gold against what the answer states, with names on the left taken off."""
    given = _values_of(answer, context)
    if given is None:
        if answer.equations and all(
            canonical(one.left) == canonical(one.right)
            for one in answer.equations
            if one.left is not None
        ):
            return different(Code.TAUTOLOGY, "the answer is true of anything")
        message = "a relation between quantities where an expression belongs"
        return different(Code.RELATION, message)
    if len(gold.values) == len(given) == 1:
        return _with_definitions(gold, answer, given[0], context)
    if len(given) > len(gold.values):
        results = [compare_signed_values(gold.values[0], one, context) for one in given]
        if all(result.outcome == "same" for result in results) and len(gold.values) == 1:
            return results[0]
        if len(gold.values) == 1:
            message = f"{len(given)} different expressions"
            return different(Code.SEVERAL_ANSWERS, message)
    return match_values(tuple(gold.values), tuple(given), context)


def compare_defined(gold: Statements, answer: Statements, context: Context) -> Comparison | None:
    """Values of the gold whose symbols it defines beside them: ``v / S, S = L v / eta``.

    The answer may put the definitions in, leave them out or repeat them; what it repeats must be
    right. ``None`` where the equations of the gold are no definitions.
    """
    names = {pairs[0][0] for pairs in map(isolated, gold.equations) if pairs}
    used = {part for value in gold.values for part in walk(value)}
    if len(names) < len(gold.equations) or not names <= used:
        return None
    repeated = [
        equation
        for equation in (*answer.equations, *answer.definitions)
        if any(subject in names for subject, _ in isolated(equation))
    ]
    for equation in repeated:
        results = [compare_equations(wanted, equation, context) for wanted in gold.equations]
        if not any(result.outcome == "same" for result in results):
            return next(r for r in results if r.outcome != "same")
    gold = replace(gold, equations=[], definitions=[*gold.definitions, *gold.equations])
    rest = [equation for equation in answer.equations if equation not in repeated]
    answer = replace(answer, equations=rest, chain=answer.chain and not repeated)
    return compare_stated(gold, answer, context)


def compare_with_identity(gold: Relation, answer: Relation, context: Context) -> Comparison | None:
    """The right side under a name of the answer's own, for a gold that is an identity.

    ``omega_z = ...`` for ``(curl V) . z = ...``: the gold holds for any V, so that its left side
    only names the quantity.
    """
    named = isolated(answer)
    if gold.left is None or not named or not isinstance(named[0][0], Symbol):
        return None
    if named[0][0] in set(walk(gold)) or is_name(gold.left):
        return None
    if compare_values(gold.left, gold.right, context).outcome != "same":
        return None
    result = compare_values(gold.right, named[0][1], context)
    return result if result.outcome == "same" else None


def _with_definitions(
    gold: Statements, answer: Statements, given: Expression, context: Context
) -> Comparison:
    """One value, also with what either side defines put in."""
    result = compare_signed_values(gold.values[0], given, context)
    further = answer.equations if answer.values else answer.equations[1:]
    definitions = _definitions([*gold.definitions, *answer.definitions, *further])
    names = [pairs[0][0] for pairs in map(isolated, answer.equations) if pairs]
    if not answer.chain and len(set(names)) < len(names):
        return different(Code.SEVERAL_ANSWERS, "two different equations for one quantity")
    if result.outcome == "same" or not definitions:
        return result
    sides = [substitute_all(side, definitions) for side in (gold.values[0], given)]
    resolved = compare_signed_values(sides[0], sides[1], context)
    return resolved if resolved.outcome == "same" else result


def _values_of(answer: Statements, context: Context) -> list[Expression] | None:
    """The expressions that an answer states, with names on the left taken off."""
    if answer.values:
        return answer.values
    if not answer.equations or not context.rules.allow_bare_right_side:
        return None
    if answer.chain:
        return [answer.equations[-1].right]
    found: list[Expression] = []
    for equation in answer.equations[:1]:
        if is_name(equation.left):
            found.append(equation.right)
        elif is_name(equation.right) and equation.left is not None:
            found.append(equation.left)
        elif (_names_a_value(equation.left) and _quantity(equation)) or (
            equation.left is not None
            and (compare_values(equation.left, equation.right, context).outcome == "same")
        ):
            found.append(equation.right)
        else:
            return None
    return found


def compare_bare_side(gold: Statements, answer: Statements, context: Context) -> Comparison:
    """An expression alone, for an equation whose left side is the name of what was asked for."""
    gold = without_chain(gold)
    subjects = [isolated(equation) or _quantity(equation) for equation in gold.equations]
    if not context.rules.allow_bare_right_side or not all(subjects):
        return different(Code.RELATION, "an expression where an equation belongs")
    (name, value), *others = (pair[0] for pair in subjects)
    helpers = {subject: inner for subject, inner in others if subject in set(walk(value))}
    if len(answer.values) != 1:
        return different(Code.SEVERAL_ANSWERS, f"{len(answer.values)} different expressions")
    if len(helpers) < len(others):
        message = f"one expression for {len(subjects)} equations"
        return different(Code.INCOMPLETE, message)
    definitions = _definitions([*gold.definitions, *answer.definitions, *answer.equations])
    definitions.pop(name, None)
    given = substitute_all(answer.values[0], definitions)
    wanted = substitute_all(value, helpers | definitions)
    return compare_signed_values(wanted, given, context)


_OF_A_SYMBOL = frozenset({"sin", "cos", "tan", "ln", "log", "exp", "sinh", "cosh", "tanh"})


def _names_a_value(left: Expression | None) -> bool:
    """A quotient, or a power or function of one symbol: ``omega^2 = ...`` states a value."""
    if isinstance(left, Power):
        return is_name(left.base) and isinstance(left.exponent, Number)
    if isinstance(left, Call) and left.function in _OF_A_SYMBOL:
        return all(is_name(arg) for arg in left.args)
    return _is_quotient(left)


def _is_quotient(left: Expression | None) -> bool:
    """Whether a left side names a quantity without a doubt: ``n_2/n_1``, ``dv/dr``, a mean."""
    if isinstance(left, Mul):
        exponents = {part.exponent for part in left.factors if isinstance(part, Power)}
        return exponents == {MINUS_ONE}
    return isinstance(left, Derivative) or (isinstance(left, Call) and left.function == "mean")


def _quantity(equation: Relation) -> list[tuple[Expression, Expression]]:
    """Left side as the subject when it is a product of powers of symbols, or a mean."""
    left = equation.left
    assert left is not None
    if isinstance(left, Call) and left.function == "component" and is_label(left):
        return [(left, equation.right)]
    if isinstance(left, Integral | Sum | Product | Limit) or (
        isinstance(left, VectorOperator) and left.kind in ("div", "curl", "laplacian")
    ):
        return [(left, equation.right)]
    named = isinstance(left, Call) and left.function in {"mean", "abs"} | _OF_A_SYMBOL
    inner = left.args[0] if isinstance(left, Call) and named else left
    factors = inner.factors if isinstance(inner, Mul) else (inner,)
    bases = [part.base if isinstance(part, Power) else part for part in factors]
    if not all(isinstance(base, Symbol | Apply | Derivative) for base in bases):
        return []
    arguments = {arg for base in bases if isinstance(base, Apply) for arg in base.args}
    symbols = {part for part in walk(left) if isinstance(part, Symbol)} - arguments
    if symbols & set(walk(equation.right)):
        return []
    return [(left, equation.right)]


def is_label(node: Call) -> bool:
    """Whether a bracket has a word for a subscript, ``(df/dt)_acc``, which only names the term."""
    label = node.args[-1]
    return isinstance(label, Symbol) and len(label.name) > 2 and label.name.isalpha()


def _definitions(equations: list[Relation]) -> dict[Expression, Expression]:
    return dict(pairs[0] for pairs in map(isolated, equations) if pairs)
