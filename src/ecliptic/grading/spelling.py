"""A formula in one plain line, for messages."""

from __future__ import annotations

from ecliptic.grading import nodes
from ecliptic.grading.nodes import Expression

MAX_LENGTH = 160
_CONSTANTS = {
    "pi": "pi",
    "euler_e": "e",
    "imaginary_i": "i",
    "infinity": "infinity",
    "degree": "deg",
}
_RELATIONS = {
    "propto": "~",
    "approx": "≈",
    "much_less": "<<",
    "much_greater": ">>",
    "equiv": "=",
    "to": "->",
    "less_approx": "<~",
    "greater_approx": ">~",
}
_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4


def spell(node: Expression, limit: int = MAX_LENGTH) -> str:
    """The expression as plain text, cut when it is long."""
    text = _spell(node, 0, 60)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _spell(node: Expression | None, level: int, depth: int) -> str:
    if node is None:
        return ""
    if depth <= 0:
        return "..."
    text, strength = _parts(node, depth - 1)
    return f"({text})" if strength < level else text


def _parts(node: Expression, depth: int) -> tuple[str, int]:
    def inner(part: Expression | None, level: int = 0) -> str:
        return _spell(part, level, depth)

    def several(parts: tuple[Expression, ...], mark: str = ", ") -> str:
        return mark.join(inner(part) for part in parts)

    match node:
        case nodes.Number():
            return _number(node)
        case nodes.Symbol(name=name, style=style):
            marked = {"vector": f"**{name}**", "unit": f"hat({name})", "bound": "x'"}
            return marked.get(style, f"{style}({name})" if style in ("bar", "tilde") else name), 4
        case nodes.Constant(name=name):
            return _CONSTANTS.get(name, name), _ATOM
        case nodes.Add(terms=terms):
            text = " + ".join(inner(term, _SUM) for term in terms)
            return text.replace("+ -", "- "), _SUM
        case nodes.Mul():
            return _product(node, depth)
        case nodes.Power(base=base, exponent=exponent):
            return f"{inner(base, _ATOM)}^{inner(exponent, _ATOM)}", _POWER
        case nodes.Call(function=name, args=args) | nodes.Apply(name=name, args=args):
            return f"{name}({several(args)})", _ATOM
        case nodes.Derivative(operand=operand, variables=variables):
            mark = "∂" if node.partial else "d"
            total = sum(order for _, order in variables)
            below = " ".join(
                f"{mark}{inner(variable, _ATOM)}{f'^{order}' if order > 1 else ''}"
                for variable, order in variables
            )
            power = f"^{total}" if total > 1 else ""
            return f"{mark}{power}{inner(operand, _POWER)}/{below}", _PRODUCT
        case nodes.Integral():
            limits = f"_{inner(node.lower, 4)}^{inner(node.upper, 4)}" if node.lower else ""
            return f"∫{limits} {inner(node.integrand, 2)} d{inner(node.variable)}", _PRODUCT
        case nodes.Sum() | nodes.Product():
            name = "sum" if isinstance(node, nodes.Sum) else "product"
            bounds = f"{inner(node.index)}={inner(node.lower)}..{inner(node.upper)}"
            return f"{name}({inner(node.term)}, {bounds})", _ATOM
        case nodes.Limit():
            place = f"{inner(node.variable)}->{inner(node.target)}{node.direction}"
            return f"lim({inner(node.operand)}, {place})", _ATOM
        case nodes.At(operand=operand, conditions=conditions):
            return f"[{inner(operand)}] at {several(conditions)}", _ATOM
        case nodes.VectorOperator(kind=kind, operands=operands):
            sign = {"cross": " × ", "dot": " · "}.get(kind)
            if sign and len(operands) == 2:
                return sign.join(inner(part, _POWER) for part in operands), _PRODUCT
            return f"{kind}({several(operands)})", _ATOM
        case nodes.PlusMinus(operand=operand, upper=upper):
            return f"{'±' if upper > 0 else '∓'}{inner(operand, _PRODUCT)}", _SUM
        case nodes.Relation(operator=operator, left=left, right=right):
            return f"{inner(left)} {_RELATIONS.get(operator, operator)} {inner(right)}".strip(), 0
        case nodes.Interval():
            opening = "[" if node.closed_lower else "("
            closing = "]" if node.closed_upper else ")"
            return f"{opening}{inner(node.lower)}, {inner(node.upper)}{closing}", _ATOM
        case nodes.Piecewise(branches=branches):
            cases = (f"{inner(v)} {f'if {inner(c)}' if c else 'otherwise'}" for v, c in branches)
            return "{" + "; ".join(cases) + "}", _ATOM
        case nodes.Declaration(symbol=symbol, description=description):
            return f"{inner(symbol)}: {description}", 0
        case nodes.System(statements=statements, definitions=definitions):
            joined = several(statements, " or " if node.connective == "or" else "; ")
            return joined + (f"; where {several(definitions, '; ')}" if definitions else ""), 0
        case nodes.Tuple(items=items, kind=kind):
            text = several(items)
            return (f"{{{text}}}" if kind == "set" else f"({text})"), _ATOM


def _number(node: nodes.Number) -> tuple[str, int]:
    value = node.coefficient
    if node.exponent:
        return f"{_fraction(node)}e{node.exponent}", _PRODUCT
    if value.denominator != 1 and not node.decimal:
        return _fraction(node), _PRODUCT if value > 0 else _SUM
    if node.decimal or value.numerator.bit_length() > 60:
        try:
            return f"{float(value):.12g}", _POWER if value >= 0 else _SUM
        except OverflowError:
            return _fraction(node), _PRODUCT
    return str(value), _ATOM if value >= 0 else _SUM


def _fraction(node: nodes.Number) -> str:
    value = node.coefficient
    if value.numerator.bit_length() + value.denominator.bit_length() > 400:
        return "(a long number)"
    return str(value)


def _product(node: nodes.Mul, depth: int) -> tuple[str, int]:
    above, below = [], []
    sign = ""
    factors = list(node.factors)
    if isinstance(factors[0], nodes.Number) and factors[0].coefficient == -1 and len(factors) > 1:
        sign, factors = "-", factors[1:]
    for factor in factors:
        match factor:
            case nodes.Power(base=base, exponent=nodes.Number(coefficient=c, exponent=0)) if c < 0:
                raised = base if c == -1 else nodes.Power(base, nodes.Number(-c))
                below.append(_spell(raised, _POWER, depth))
            case _:
                above.append(_spell(factor, _PRODUCT, depth))
    text = " ".join(above) or "1"
    if below:
        text += "/" + (below[0] if len(below) == 1 else f"({' '.join(below)})")
    return sign + text, _SUM if sign else _PRODUCT
