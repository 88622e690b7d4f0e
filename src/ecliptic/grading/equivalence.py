"""Is a formula the right one? The one entry to the comparison of symbolic answers.

What was read is sorted into values, equations, inequalities and cases, and each kind is compared by
what it says: canonical form first, then values at seeded points, then SymPy in a killable child.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from ecliptic.grading.canonical import canonical, sort_key
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.components import Components
from ecliptic.grading.conventions import apply_rules, product_readings
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.differentiate import UndifferentiableError, substitute_all
from ecliptic.grading.equations import compare_equations, compare_signed_values
from ecliptic.grading.evaluate import TooLargeError
from ecliptic.grading.expression import (
    MINUS_ONE,
    Add,
    Apply,
    Call,
    Constant,
    Derivative,
    Expression,
    Interval,
    Mul,
    Number,
    Power,
    Relation,
    Symbol,
)
from ecliptic.grading.orders import compare_orders
from ecliptic.grading.proportions import compare_proportions
from ecliptic.grading.rules import DEFAULT_RULES, Rules
from ecliptic.grading.spelling import spell
from ecliptic.grading.statements import (
    Statements,
    is_name,
    isolated,
    read_statements,
)
from ecliptic.grading.systems import compare_systems
from ecliptic.grading.tree_walk import MAX_DEPTH, MAX_NODES, forget_surveys, survey, walk
from ecliptic.grading.value_equivalence import Context, compare_values, joined, match_values

MAX_POWER = 60
"""Formulas with larger powers are compared in canonical form, where alone they may cancel."""


def compare(gold: Expression, answer: Expression, rules: Rules = DEFAULT_RULES) -> Comparison:
    """Compare two formulas; deterministic, and bounded by counted budgets."""
    try:
        return _compare_bounded(gold, answer, rules)
    finally:
        forget_surveys()


def _compare_bounded(gold: Expression, answer: Expression, rules: Rules) -> Comparison:
    for node in (gold, answer):
        if _too_large(node):
            return undecided(Code.RESOURCE_LIMIT, "the formula is larger than is compared")
    try:
        gold, answer = apply_rules(gold, answer, rules)
        result = _compare(gold, answer, rules)
        if result.outcome != "same" and Apply in survey(gold).kinds | survey(answer).kinds:
            for pair in product_readings(gold, answer):
                other = _compare(*pair, rules)
                if other.outcome == "same":
                    return other
    except TooLargeError as limit:
        return undecided(Code.RESOURCE_LIMIT, str(limit))
    except UndifferentiableError as part:
        return undecided(Code.UNDECIDED, f"cannot be decided: {part}")
    if result.outcome == "same" and _inverted(gold, answer):
        return undecided(Code.UNDECIDED, "a derivative is turned round: dy/dx against dx/dy")
    return result


def _inverted(gold: Expression, answer: Expression) -> bool:
    """Whether the answer holds dx/dy where the gold holds dy/dx, which points cannot tell apart."""
    wanted, given = _derivatives(gold), _derivatives(answer)
    return any(pair[::-1] in wanted - given for pair in given - wanted)


def _derivatives(node: Expression) -> set[tuple[Expression, Expression]]:
    return {
        (part.operand, variable)
        for part in walk(node)
        if isinstance(part, Derivative)
        for variable, _ in part.variables
    }


def _too_large(node: Expression) -> bool:
    found = survey(node)
    return found.count > MAX_NODES or found.depth > MAX_DEPTH


def _compare(gold: Expression, answer: Expression, rules: Rules) -> Comparison:
    first, second = canonical(gold), canonical(answer)
    if first == second and not _is_empty_statement(second):
        return same(method="canonical form")
    keys = sorted((sort_key(first), sort_key(second)))
    digest = hashlib.blake2b("|".join(keys).encode("utf-8", "surrogatepass"), digest_size=8)
    seed = digest.hexdigest()
    if max(survey(gold).largest_power, survey(answer).largest_power) <= MAX_POWER:
        first, second = gold, answer  # as written: better to explain, and decimals are known
    context = Context(rules, seed, Components(first, second))
    if survey(first).kinds | survey(second).kinds <= _PLAIN:
        return compare_values(first, second, context, compared=True)
    return _by_kind(read_statements(first), read_statements(second), context)


_PLAIN = {Number, Symbol, Constant, Add, Mul, Power, Call, Apply}
"""Kinds of which plain values consist, without statements, signs or cases."""


def _is_empty_statement(node: Expression) -> bool:
    return isinstance(node, Relation) and node.left is not None and node.left == node.right


def _by_kind(gold: Statements, answer: Statements, context: Context) -> Comparison:
    if gold.others and any(relation.operator == "propto" for relation in gold.others):
        return compare_proportions(gold, answer, context)
    conditions = _conditions(gold, answer, context)
    if conditions is not None and conditions.outcome != "same":
        return conditions
    if gold.values and not gold.equations:
        result = _values(gold, answer, context)
    elif gold.equations:
        result = _equations(gold, answer, context)
    elif gold.orders:
        if not answer.orders and len(answer.values) == 1:
            answer = _bare_interval(gold, answer)
        if not answer.orders:
            kind = "a value" if answer.values else "an equation"
            return different(Code.RELATION, f"{kind} where an inequality belongs")
        if gold.alternatives != answer.alternatives and len(answer.orders) > 1 < len(gold.orders):
            return different(Code.RELATION, "'or' and 'and' are exchanged")
        return compare_orders(gold.orders, answer.orders, context, alternatives=gold.alternatives)
    elif conditions is not None:
        return conditions
    else:
        return undecided(Code.UNDECIDED, "nothing to compare")
    if result.outcome != "same":
        return result
    if gold.orders:
        if not answer.orders:
            message = f"the condition {spell(gold.orders[0])} is missing"
            return different(Code.INCOMPLETE, message)
        return joined([result, compare_orders(gold.orders, answer.orders, context)])
    return result


def _conditions(gold: Statements, answer: Statements, context: Context) -> Comparison | None:
    """Relations of other kinds (to, in, !=): each of the gold's must be in the answer."""
    results = []
    for wanted in gold.others:
        same_kind = [other for other in answer.others if other.operator == wanted.operator]
        if not same_kind:
            if wanted.left is None and wanted.operator == "in":
                continue  # a condition on a value, which an answer may leave to the question
            message = f"{spell(wanted)} is missing"
            return different(Code.RELATION, message)
        found = [_compare_relations(wanted, other, context) for other in same_kind]
        results.append(min(found, key=lambda result: result.outcome != "same"))
    if any(relation.operator == "propto" for relation in answer.others):
        message = "only a proportionality where an equation belongs"
        return different(Code.RELATION, message)
    return joined(results) if results else None


def _compare_relations(gold: Relation, answer: Relation, context: Context) -> Comparison:
    if canonical(gold) == canonical(answer):
        return same(method="canonical form")
    if gold.left is None and answer.left is None:
        return _by_kind(read_statements(gold.right), read_statements(answer.right), context)
    if gold.operator == "!=":
        return compare_equations(
            Relation("=", gold.left, gold.right), Relation("=", answer.left, answer.right), context
        )
    if Constant("infinity") in (gold.right, answer.right) and gold.right != answer.right:
        return different(Code.NOT_EQUIVALENT, f"{spell(answer)} for {spell(gold)}")
    pairs = [(gold.left, answer.left), (gold.right, answer.right)]
    return joined(
        [compare_values(a, b, context) for a, b in pairs if a is not None and b is not None]
    )


def _values(gold: Statements, answer: Statements, context: Context) -> Comparison:
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
        elif (_is_quotient(equation.left) and _quantity(equation)) or (
            equation.left is not None
            and (compare_values(equation.left, equation.right, context).outcome == "same")
        ):
            found.append(equation.right)
        else:
            return None
    return found


def _equations(gold: Statements, answer: Statements, context: Context) -> Comparison:
    if not answer.equations and answer.values:
        return _bare_right_side(gold, answer, context)
    if not answer.equations:
        return different(Code.RELATION, "an equation is missing")
    if gold.chain:
        links = [Relation("=", gold.equations[0].left, link.right) for link in gold.equations]
        for link in reversed(links):
            whole = replace(gold, equations=[link], chain=False)
            result = _equations(whole, answer, context)
            if result.outcome == "same":
                return result
    gold, answer = _without_chain(gold), _without_chain(answer)
    parts = len(gold.equations) + len(gold.definitions)
    given = len(answer.equations) + len(answer.definitions)
    if parts == given == 1:
        return compare_equations(gold.equations[0], answer.equations[0], context)
    return compare_systems(gold, answer, context)


def _without_chain(statements: Statements) -> Statements:
    """``a = b = c`` as ``a = c``."""
    if not statements.chain:
        return statements
    first, last = statements.equations[0], statements.equations[-1]
    return Statements(
        equations=[Relation("=", first.left, last.right)],
        orders=statements.orders,
        others=statements.others,
        definitions=statements.definitions,
    )


def _bare_right_side(gold: Statements, answer: Statements, context: Context) -> Comparison:
    """An expression alone, for an equation whose left side is the name of what was asked for."""
    gold = _without_chain(gold)
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


def _bare_interval(gold: Statements, answer: Statements) -> Statements:
    """``[1, 4]`` for ``1 <= r <= 4``, when the gold bounds one quantity on both sides."""
    interval = answer.values[0]
    if not isinstance(interval, Interval) or len(gold.orders) != 2:
        return answer
    quantity = gold.orders[0].right
    if quantity != gold.orders[1].left:
        return answer
    return read_statements(Relation("in", quantity, interval))


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
    inner = left.args[0] if isinstance(left, Call) and left.function in ("mean", "abs") else left
    factors = inner.factors if isinstance(inner, Mul) else (inner,)
    bases = [part.base if isinstance(part, Power) else part for part in factors]
    if not all(isinstance(base, Symbol | Apply | Derivative) for base in bases):
        return []
    symbols = {part for part in walk(left) if isinstance(part, Symbol)}
    if symbols & set(walk(equation.right)):
        return []
    return [(left, equation.right)]


def _definitions(equations: list[Relation]) -> dict[Expression, Expression]:
    return dict(pairs[0] for pairs in map(isolated, equations) if pairs)
