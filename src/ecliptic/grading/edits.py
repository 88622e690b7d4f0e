"""Single slips of a formula: every way to get one sign, term, factor or operator of it wrong.

A wrong answer that equals a slipped gold has that slip for its reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.expression import (
    Add,
    Call,
    Derivative,
    Expression,
    Integral,
    Mul,
    Number,
    Power,
    VectorOperator,
    add,
    children,
    multiply,
    negate,
    power,
    rebuild,
)
from ecliptic.grading.spelling import spell

MAX_EDITS = 90

_OTHER_FUNCTION = {
    "sin": ("cos", "tan"),
    "cos": ("sin",),
    "tan": ("cot", "sin"),
    "cot": ("tan",),
    "sec": ("csc",),
    "csc": ("sec",),
    "sinh": ("cosh", "sin"),
    "cosh": ("sinh", "cos"),
    "tanh": ("coth",),
    "coth": ("tanh",),
    "arcsin": ("arccos", "arctan"),
    "arccos": ("arcsin", "arctan"),
    "arctan": ("arcsin", "arccot"),
    "besselj": ("bessely", "besseli"),
    "besseli": ("besselj", "besselk"),
    "besselk": ("besseli",),
    "erf": ("erfc",),
    "erfc": ("erf",),
    "ln": ("log",),
    "log": ("ln",),
    "min": ("max",),
    "max": ("min",),
}
_OTHER_OPERATOR = {
    "cross": ("dot",),
    "dot": ("cross",),
    "curl": ("div", "grad"),
    "div": ("curl", "grad"),
    "grad": ("div", "curl", "laplacian"),
    "laplacian": ("grad",),
}


@dataclass(frozen=True, slots=True)
class Edit:
    """A slip: what it is, in words, and the formula with it."""

    code: Code
    message: str
    result: Expression
    part: str = ""
    """The part of the formula that is concerned."""


def edits(node: Expression) -> Iterator[Edit]:
    """All single slips of a formula, the nearest to its root first, at most ``MAX_EDITS``."""
    for count, edit in enumerate(_edits(node, 12)):
        if count >= MAX_EDITS:
            return
        yield edit


def dropped_terms(node: Expression) -> Iterator[tuple[str, Expression]]:
    """Each term of a sum anywhere in the formula, and the formula without it."""
    for edit in _edits(node, 12, only_terms=True):
        yield edit.part, edit.result


def _edits(node: Expression, depth: int, *, only_terms: bool = False) -> Iterator[Edit]:
    if depth == 0:
        return
    yield from _dropped(node)
    if not only_terms:
        yield from _local(node)
    parts = children(node)[:1] if isinstance(node, Derivative) else children(node)
    if isinstance(node, Derivative | VectorOperator | Integral) and only_terms:
        return
    for position, part in enumerate(parts):
        for inner in _edits(part, depth - 1, only_terms=only_terms):
            yield replace(inner, result=_with_child(node, position, inner.result))


def _with_child(node: Expression, position: int, new: Expression) -> Expression:
    if isinstance(node, Derivative):
        return replace(node, operand=new)  # the only part of it that is edited
    seen = -1

    def change(part: Expression) -> Expression:
        nonlocal seen
        seen += 1
        return new if seen == position else part

    return rebuild(node, change)


def _dropped(node: Expression) -> Iterator[Edit]:
    if not isinstance(node, Add) or len(node.terms) > 12:
        return
    for position, term in enumerate(node.terms):
        rest = node.terms[:position] + node.terms[position + 1 :]
        text = spell(term)
        yield Edit(Code.MISSING_TERM, f"the term {text} is missing", add(*rest), text)


def _local(node: Expression) -> Iterator[Edit]:
    match node:
        case Add(terms=terms) if len(terms) <= 12:
            for position, term in enumerate(terms):
                changed = (*terms[:position], negate(term), *terms[position + 1 :])
                text = spell(term)
                message = f"the sign of the term {text} is wrong"
                yield Edit(Code.SIGN, message, add(*changed), text)
                for scale in (Fraction(2), Fraction(1, 2)):
                    scaled = multiply(Number(scale), term)
                    changed = (*terms[:position], scaled, *terms[position + 1 :])
                    message = f"the term {text} is off by a factor {scale}"
                    yield Edit(Code.FACTOR, message, add(*changed), text)
        case Power():
            yield from _powers(node)
        case Call():
            yield from _calls(node)
        case Derivative(variables=variables):
            yield from _derivatives(node, variables)
        case VectorOperator(kind=kind, operands=operands):
            for other in _OTHER_OPERATOR.get(kind, ()):
                yield Edit(
                    Code.OPERATOR,
                    f"{_OPERATOR_NAMES[other]} where {_OPERATOR_NAMES[kind]} belongs",
                    VectorOperator(other, operands),  # type: ignore[arg-type]
                    kind,
                )
            if len(operands) == 2 and kind == "directional":
                message = f"the operands of {spell(node)} are exchanged"
                yield Edit(Code.SWAPPED, message, VectorOperator(kind, operands[::-1]), kind)
        case Mul(factors=factors):
            for position, factor in enumerate(factors):
                if isinstance(factor, Number):
                    for scale in (Fraction(2), Fraction(1, 2), Fraction(-1)):
                        other_factor = replace(factor, coefficient=factor.coefficient * scale)
                        yield Edit(
                            Code.SIGN if scale == -1 else Code.FACTOR,
                            f"the factor {spell(factor)} in {spell(node)} is wrong",
                            Mul((*factors[:position], other_factor, *factors[position + 1 :])),
                            spell(node),
                        )


def _powers(node: Power) -> Iterator[Edit]:
    base, exponent = node.base, node.exponent
    text = spell(base)
    numeric = isinstance(exponent, Number)
    code = Code.SIGN if not numeric or not _is_whole(exponent) else Code.EXPONENT
    message = f"the sign of the exponent of {text} is wrong"
    yield Edit(code, message, power(base, negate(exponent)), text)
    if not isinstance(exponent, Number) or exponent.exponent:
        for scale in (Fraction(2), Fraction(1, 2)):
            changed = Mul((Number(scale), exponent))
            yield Edit(
                Code.EXPONENT,
                f"the exponent of {text} is off by a factor {scale}",
                power(base, changed),
                text,
            )
        return
    value = exponent.coefficient
    options = {value * 2, value / 2, value + 1, value - 1} - {value, Fraction(0)}
    for other in sorted(options, key=lambda option: (option.denominator, abs(option - value))):
        message = f"{text} stands to the power {other} and not {value}"
        yield Edit(Code.EXPONENT, message, power(base, Number(other)), text)


def _is_whole(node: Expression) -> bool:
    return isinstance(node, Number) and node.coefficient.denominator == 1


def _calls(node: Call) -> Iterator[Edit]:
    others = (
        _OTHER_FUNCTION.get(node.function, ())
        if len(node.args) == 1 or (node.function not in ("ln", "log"))
        else ()
    )
    for other in others:
        message = f"{other} stands where {node.function} belongs"
        yield Edit(Code.OPERATOR, message, replace(node, function=other), node.function)
    if node.function == "exp":
        changed = replace(node, args=(negate(node.args[0]),))
        yield Edit(Code.SIGN, "the sign of the exponent is wrong", changed, spell(node))
        for scale in (Fraction(2), Fraction(1, 2)):
            inner = Mul((Number(scale), node.args[0]))
            message = f"the exponent is off by a factor {scale}"
            yield Edit(Code.FACTOR, message, replace(node, args=(inner,)), spell(node))


def _derivatives(node: Derivative, variables: tuple[tuple[Expression, int], ...]) -> Iterator[Edit]:
    for position, (variable, order) in enumerate(variables):
        for other in (order + 1, order - 1):
            if other < 1:
                continue
            changed = (*variables[:position], (variable, other), *variables[position + 1 :])
            message = f"a derivative of order {other} in {spell(variable)} and not {order}"
            yield Edit(Code.OPERATOR, message, replace(node, variables=changed), spell(node))
    kind = "total" if node.partial else "partial"
    message = f"a {kind} derivative of {spell(node.operand)}"
    yield Edit(Code.OPERATOR, message, replace(node, partial=not node.partial), spell(node))


_OPERATOR_NAMES = {
    "cross": "a cross product",
    "dot": "a dot product",
    "curl": "a curl",
    "div": "a divergence",
    "grad": "a gradient",
    "laplacian": "a Laplacian",
}
