"""A compact text of an expression tree, one for each tree, for tests and explanations."""

from __future__ import annotations

from ecliptic.grading import nodes
from ecliptic.grading.nodes import Expression


def s_expression(node: Expression) -> str:
    """A compact S-expression, one spelling for one tree.

    Numbers are fractions (``3/2``), plain symbols their name, styled ones ``name:style``; the rest
    is ``(head part part)``: ``(+ a (* -1 b))``, ``(^ x 2)``, ``(sin x)``, ``(f! r p)`` for the
    unknown function f, ``(d f (x 2))`` and ``(partial f (x 1))`` for derivatives.
    """
    match node:
        case nodes.Number(coefficient=value, exponent=exponent):
            return f"{value}e{exponent}" if exponent else str(value)
        case nodes.Symbol(name=name, style=style):
            return f"{name}:{style}" if style else name
        case nodes.Constant(name=name):
            return name
        case nodes.Add(terms=parts):
            return _list("+", parts)
        case nodes.Mul(factors=parts):
            return _list("*", parts)
        case nodes.Power(base=base, exponent=power_of):
            return _list("^", (base, power_of))
        case nodes.Call(function=name, args=parts):
            return _list(name, parts)
        case nodes.Apply(name=name, args=parts, style=style):
            return _list(f"{name}:{style}!" if style else f"{name}!", parts)
        case nodes.Derivative():
            head = "partial" if node.partial else "d"
            orders = " ".join(
                f"({s_expression(variable)} {order})" for variable, order in node.variables
            )
            return f"({head} {s_expression(node.operand)} {orders})"
        case nodes.Integral():
            head = "oint" if node.closed else "int"
            return _list(head, (node.integrand, node.variable, node.lower, node.upper))
        case nodes.Sum():
            return _list("sum", (node.term, node.index, node.lower, node.upper))
        case nodes.Product():
            return _list("prod", (node.term, node.index, node.lower, node.upper))
        case nodes.Limit():
            head = f"lim{node.direction}"
            return _list(head, (node.operand, node.variable, node.target))
        case nodes.At(operand=operand, conditions=conditions):
            return _list("at", (operand, *conditions))
        case nodes.VectorOperator(kind=kind, operands=parts):
            return _list(kind, parts)
        case nodes.PlusMinus(operand=operand, upper=upper):
            return _list("pm" if upper > 0 else "mp", (operand,))
        case nodes.Relation(operator=operator, left=left, right=right):
            return _list(operator, (left, right))
        case nodes.Interval():
            head = ("[" if node.closed_lower else "]") + ("]" if node.closed_upper else "[")
            return _list(f"interval{head}", (node.lower, node.upper))
        case nodes.Piecewise(branches=branches):
            return f"(cases {' '.join(_list('', branch) for branch in branches)})"
        case nodes.Declaration(symbol=symbol, description=description):
            return f'(declare {s_expression(symbol)} "{description}")'
        case nodes.System(statements=parts, definitions=definitions, connective=connective):
            where = f" {_list('where', definitions)}" if definitions else ""
            return f"{_list(connective, parts)[:-1]}{where})"
        case nodes.Tuple(items=parts, kind=kind):
            return _list(kind, parts)


def _list(head: str, parts: tuple[Expression | None, ...]) -> str:
    words = ["-" if part is None else s_expression(part) for part in parts]
    return f"({' '.join([head, *words] if head else words)})"
