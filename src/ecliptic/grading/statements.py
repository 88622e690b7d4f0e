"""What an answer states: values, equations, conditions and cases, in one form."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from ecliptic.grading.canonical import canonical
from ecliptic.grading.expression import (
    Add,
    Apply,
    Constant,
    Declaration,
    Expression,
    Interval,
    Piecewise,
    PlusMinus,
    Relation,
    Symbol,
    System,
    negate,
    rebuild,
)
from ecliptic.grading.tree_walk import walk

EQUALITIES = frozenset({"=", "approx", "equiv"})
ORDERS = frozenset(
    {"<", "<=", ">", ">=", "much_less", "much_greater", "less_approx", "greater_approx"}
)
_INFINITY = Constant("infinity")
_MINUS_INFINITY = canonical(negate(_INFINITY))
_MIRRORED = {
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
    "much_less": "much_greater",
    "much_greater": "much_less",
    "less_approx": "greater_approx",
    "greater_approx": "less_approx",
}


@dataclass(slots=True)
class Statements:
    """The parts of one answer, sorted by kind, in the order written."""

    values: list[Expression] = field(default_factory=list)
    equations: list[Relation] = field(default_factory=list)
    orders: list[Relation] = field(default_factory=list)
    """Inequalities, all turned to ``<``, ``<=``, ``much_less`` or ``less_approx``."""
    others: list[Relation] = field(default_factory=list)
    definitions: list[Relation] = field(default_factory=list)
    """Equations after "where"."""
    chain: bool = False
    """The equations are links of one chain ``a = b = c``."""
    alternatives: bool = False

    @property
    def count(self) -> int:
        """Number of statements, definitions left out."""
        return len(self.values) + len(self.equations) + len(self.orders) + len(self.others)


def read_statements(node: Expression) -> Statements:
    """Sort the parts of an answer by kind."""
    found = Statements()
    if isinstance(node, System):
        found.alternatives = node.connective == "or"
        node = _with_bounds_put_in(_merge_cases(node))
    _collect(node, found)
    links = found.equations
    found.chain = len(links) > 1 and all(
        canonical(a.right) == canonical(b.left) for a, b in pairwise(links) if b.left is not None
    )
    return found


def _collect(node: Expression, found: Statements) -> None:
    match node:
        case System():
            for part in node.statements:
                _collect(part, found)
            for part in node.definitions:
                if isinstance(part, Relation) and part.operator in EQUALITIES and part.left:
                    found.definitions.append(part)
                elif isinstance(part, Relation) and part.operator in ORDERS:
                    found.others.append(part)
        case Declaration():
            pass
        case Relation(operator=operator, left=left, right=right):
            if operator in EQUALITIES and left is None:
                _collect(right, found)
            elif operator in EQUALITIES:
                if isinstance(right, Piecewise) and len(right.branches) == 1:
                    value, condition = right.branches[0]
                    found.equations.append(Relation("=", left, value))
                    if condition is not None:
                        found.others.append(Relation("in", None, condition))
                else:
                    found.equations.append(Relation("=", left, right))
            elif operator == "in" and isinstance(right, Interval) and left is not None:
                found.orders.extend(_interval(left, right))
            elif operator in ORDERS and left is not None:
                found.orders.append(_forward(node))
            else:
                found.others.append(node)
        case Piecewise(branches=((value, condition),)):
            _collect(value, found)
            if condition is not None:
                found.others.append(Relation("in", None, condition))
        case Piecewise(branches=branches) if all(_is_equation(v) for v, _ in branches):
            first = branches[0][0]
            assert isinstance(first, Relation)
            cases = tuple((v.right, c) for v, c in branches if isinstance(v, Relation))
            found.equations.append(Relation("=", first.left, Piecewise(cases)))
        case _:
            found.values.append(node)


def _is_equation(node: Expression) -> bool:
    return isinstance(node, Relation) and node.operator in EQUALITIES and node.left is not None


def _merge_cases(node: System) -> System:
    """``f = a for x < 0 and f = b for x > 0`` as one equation with cases."""
    cases: list[tuple[Expression, Expression | None]] = []
    left: Expression | None = None
    rest: list[Expression] = []
    conditional = sum(_condition_of(part) is not None for part in node.statements)
    for part in node.statements:
        value, condition = _without_condition(part)
        is_case = condition is not None and conditional > 1
        if isinstance(value, Relation) and _is_equation(value):
            if is_case and (left is None or value.left == left):
                left = value.left
                cases.append((value.right, condition))
                continue
        elif is_case:
            cases.append((value, condition))
            continue
        rest.append(part)
    if len(cases) < 2:
        return node
    merged: Expression = Piecewise(tuple(cases))
    if left is not None:
        merged = Relation("=", left, merged)
    return System((merged, *rest), node.definitions, node.connective)


def _with_bounds_put_in(node: System) -> System:
    """``n > n_c = x`` as ``n > x``."""
    kept: list[Expression] = []
    for part in node.statements:
        before = kept[-1] if kept else None
        if (
            isinstance(before, Relation)
            and before.operator in ORDERS
            and isinstance(part, Relation)
            and part.operator in EQUALITIES
            and before.right == part.left
            and is_name(part.left)
        ):
            kept[-1] = Relation(before.operator, before.left, part.right)
        else:
            kept.append(part)
    return System(tuple(kept), node.definitions, node.connective)


def _condition_of(node: Expression) -> Expression | None:
    return _without_condition(node)[1]


def _without_condition(node: Expression) -> tuple[Expression, Expression | None]:
    """A statement and the condition it is made under, wherever that was written."""
    if isinstance(node, Piecewise) and len(node.branches) == 1:
        return node.branches[0]
    if not isinstance(node, Relation) or not isinstance(node.right, Piecewise):
        return node, None
    if len(node.right.branches) > 1:
        return node, None
    value, condition = node.right.branches[0]
    return Relation(node.operator, node.left, value), condition


def _interval(left: Expression, interval: Interval) -> list[Relation]:
    below = Relation("<=" if interval.closed_lower else "<", interval.lower, left)
    above = Relation("<=" if interval.closed_upper else "<", left, interval.upper)
    infinite = [canonical(end) for end in (interval.lower, interval.upper)]
    half = [infinite[0] == _MINUS_INFINITY, infinite[1] == _INFINITY]
    if all(half):
        return [below, above]
    return [order for order, is_open in zip((below, above), half, strict=True) if not is_open]


def _forward(relation: Relation) -> Relation:
    if relation.operator in (">", ">=", "much_greater", "greater_approx"):
        assert relation.left is not None
        operator = _MIRRORED[relation.operator]
        return Relation(operator, relation.right, relation.left)  # type: ignore[arg-type]
    return relation


def is_name(node: Expression | None) -> bool:
    """Whether an expression is the name of a quantity: a symbol, or a function of symbols."""
    match node:
        case Symbol():
            return True
        case Apply(args=args):
            return all(isinstance(arg, Symbol) for arg in args)
        case _:
            return False


def isolated(equation: Relation) -> list[tuple[Expression, Expression]]:
    """(subject, value) for each side that is a name which the other side does not contain."""
    found = []
    for subject, value in ((equation.left, equation.right), (equation.right, equation.left)):
        if subject is None or value is None or not is_name(subject):
            continue
        if not any(part == subject for part in walk(value)):
            found.append((subject, value))
    return found


def residual(equation: Relation) -> Expression:
    """Left side minus right side."""
    assert equation.left is not None
    return canonical(Add((equation.left, negate(equation.right))))


def has_signs(node: Expression) -> bool:
    """Whether a plus-minus sign occurs."""
    return any(isinstance(part, PlusMinus) for part in walk(node))


def with_sign(node: Expression, sign: int) -> Expression:
    """The expression with the upper (1) or lower (-1) signs of all plus-minus taken."""

    def changed(part: Expression) -> Expression:
        if isinstance(part, PlusMinus):
            inner = changed(part.operand)
            return inner if part.upper == sign else negate(inner)
        return rebuild(part, changed)

    return changed(node)


def without_chain(statements: Statements) -> Statements:
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
