"""A compact text of an expression tree, one for each tree, for tests and explanations."""

from __future__ import annotations

from ecliptic.grading.expression import (
    Add,
    Apply,
    At,
    Call,
    Constant,
    Declaration,
    Derivative,
    Expression,
    Integral,
    Interval,
    Limit,
    Mul,
    Number,
    Piecewise,
    PlusMinus,
    Power,
    Product,
    Relation,
    Sum,
    Symbol,
    System,
    Tuple,
    VectorOperator,
)


def s_expression(node: Expression) -> str:
    """A compact S-expression, one spelling for one tree.

    Numbers are fractions (``3/2``), plain symbols their name, styled ones ``name:style``; the rest
    is ``(head part part)``: ``(+ a (* -1 b))``, ``(^ x 2)``, ``(sin x)``, ``(f! r p)`` for the
    unknown function f, ``(d f (x 2))`` and ``(partial f (x 1))`` for derivatives.
    """
    match node:
        case Number(coefficient=value, exponent=exponent):
            return f"{value}e{exponent}" if exponent else str(value)
        case Symbol(name=name, style=style):
            return f"{name}:{style}" if style else name
        case Constant(name=name):
            return name
        case Add(terms=parts):
            return _list("+", parts)
        case Mul(factors=parts):
            return _list("*", parts)
        case Power(base=base, exponent=power_of):
            return _list("^", (base, power_of))
        case Call(function=name, args=parts):
            return _list(name, parts)
        case Apply(name=name, args=parts, style=style):
            return _list(f"{name}:{style}!" if style else f"{name}!", parts)
        case Derivative():
            head = "partial" if node.partial else "d"
            orders = " ".join(
                f"({s_expression(variable)} {order})" for variable, order in node.variables
            )
            return f"({head} {s_expression(node.operand)} {orders})"
        case Integral():
            head = "oint" if node.closed else "int"
            return _list(head, (node.integrand, node.variable, node.lower, node.upper))
        case Sum():
            return _list("sum", (node.term, node.index, node.lower, node.upper))
        case Product():
            return _list("prod", (node.term, node.index, node.lower, node.upper))
        case Limit():
            head = f"lim{node.direction}"
            return _list(head, (node.operand, node.variable, node.target))
        case At(operand=operand, conditions=conditions):
            return _list("at", (operand, *conditions))
        case VectorOperator(kind=kind, operands=parts):
            return _list(kind, parts)
        case PlusMinus(operand=operand, upper=upper):
            return _list("pm" if upper > 0 else "mp", (operand,))
        case Relation(operator=operator, left=left, right=right):
            return _list(operator, (left, right))
        case Interval():
            head = ("[" if node.closed_lower else "]") + ("]" if node.closed_upper else "[")
            return _list(f"interval{head}", (node.lower, node.upper))
        case Piecewise(branches=branches):
            return f"(cases {' '.join(_list('', branch) for branch in branches)})"
        case Declaration(symbol=symbol, description=description):
            return f'(declare {s_expression(symbol)} "{description}")'
        case System(statements=parts, definitions=definitions, connective=connective):
            where = f" {_list('where', definitions)}" if definitions else ""
            return f"{_list(connective, parts)[:-1]}{where})"
        case Tuple(items=parts, kind=kind):
            return _list(kind, parts)


def _list(head: str, parts: tuple[Expression | None, ...]) -> str:
    words = ["-" if part is None else s_expression(part) for part in parts]
    return f"({' '.join([head, *words] if head else words)})"
