"""Which symbols are functions of the variables that an answer differentiates in.

Nobody writes every argument. A function that a derivative is taken of plainly (``df/dr``) depends
on its variable; so does everything else under a derivative, save known constants, unless one side
has carried the derivative out, when only what must depend on the variable does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ecliptic.grading.expression import Call, Derivative, Expression, Symbol, VectorOperator
from ecliptic.grading.tree_walk import walk

CONSTANT = re.compile(
    r"(G|c|e|q|k|k_B|k_\{?B\}?|gamma|Gamma|Z|a|b|h|hbar|mu_0|mu0|epsilon_0|varepsilon_0|sigma_SB"
    r"|R_.*|M_.*|m|m_.*|N|M|GM|.*_0|.*_infty|.*_odot|.*_sun|.*_star)"
)
"""Names of constants, which no derivative sees unless it is taken of them."""
_NABLA_KINDS = ("grad", "div", "curl", "laplacian", "directional", "nabla")

TIME = Symbol("t")
Name = tuple[str, str]


@dataclass(slots=True)
class Dependence:
    """Names with styles of unknown functions and of variables, over gold and answer together."""

    fields: set[Name] = field(default_factory=set)
    coordinates: set[Name] = field(default_factory=set)
    nabla: bool = False
    tell_total: bool = False
    """Total and partial derivatives must be told apart."""


def study_dependence(nodes: tuple[Expression, ...]) -> Dependence:
    """What gold and answer (``nodes``) say of the dependence of their symbols."""
    sides = [[part for part in walk(node) if _differentiates(part)] for node in nodes]
    found = Dependence(
        nabla=any(isinstance(part, VectorOperator) for side in sides for part in side)
    )
    everywhere = all(sides) or found.nabla
    kinds = []
    for side in sides:
        derivatives = [part for part in side if isinstance(part, Derivative)]
        kinds.append({part.partial for part in derivatives})
        for derivative in derivatives:
            for variable, _ in derivative.variables:
                if isinstance(variable, Symbol):
                    found.coordinates.add((variable.name, variable.style))
        for part in side:
            _study(part, everywhere, found)
    found.tell_total = (
        found.nabla
        or any(len(kind) == 2 for kind in kinds)
        or (_differentiates_in_time(sides) and kinds[0] != kinds[-1])
    )
    return found


def _differentiates_in_time(sides: list[list[Expression]]) -> bool:
    """Whether each side has a derivative in time, which may follow the motion or not."""
    return all(
        any(isinstance(part, Derivative) and (TIME, 1) in part.variables for part in side)
        for side in sides
    )


def _study(part: Expression, everywhere: bool, found: Dependence) -> None:
    """Add the functions under one derivative or operator."""
    if isinstance(part, Derivative):
        operands: tuple[Expression, ...] = (part.operand,)
        variables = set().union(*(_names(variable) for variable, _ in part.variables))
    else:
        assert isinstance(part, VectorOperator)
        operands, variables = part.operands, set()
    for operand in operands:
        names, direct = _names(operand), _direct(operand)
        explicit = bool(names & variables)
        for name in names:
            if name == direct or ((everywhere or not explicit) and not CONSTANT.fullmatch(name[0])):
                found.fields.add(name)


def _names(node: Expression) -> set[Name]:
    return {
        (part.name, part.style)
        for part in walk(node)
        if isinstance(part, Symbol) and part.style != "bound"
    }


def _differentiates(node: Expression) -> bool:
    return isinstance(node, Derivative) or (
        isinstance(node, VectorOperator) and node.kind in _NABLA_KINDS
    )


def _direct(operand: Expression) -> tuple[str, str] | None:
    """The function that a derivative is taken of, when it is written plainly (or as ln f)."""
    if isinstance(operand, Call) and operand.function in ("ln", "log") and operand.args:
        operand = operand.args[0]
    return (operand.name, operand.style) if isinstance(operand, Symbol) else None
