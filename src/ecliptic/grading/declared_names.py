"""Names of an answer's own that it declares: ``f(x) = 1 - x^2 with x = mu``."""

from __future__ import annotations

from dataclasses import replace

from ecliptic.grading.differentiate import substitute_all
from ecliptic.grading.expression import Expression, Relation, Symbol
from ecliptic.grading.statements import Statements
from ecliptic.grading.tree_walk import walk


def without_declared_names(gold: Statements, answer: Statements) -> Statements:
    """The answer with symbols that it sets equal to one of the gold's put in, arguments too.

    Only a name that the gold does not have is put in, once, and only if it is used elsewhere.
    """
    known = _symbols([*gold.equations, *gold.definitions])
    stated = [*answer.equations, *answer.definitions]
    renamed: dict[Expression, Expression] = {}
    declarations: list[Relation] = []
    for equation in stated:
        left, right = equation.left, equation.right
        if not isinstance(left, Symbol) or not isinstance(right, Symbol):
            continue
        others = _symbols([other for other in stated if other is not equation])
        if left in known or right not in known or left not in others or left in renamed:
            continue
        renamed[left] = right
        declarations.append(equation)
    if not renamed or len(declarations) == len(stated):
        return answer

    def put_in(equations: list[Relation]) -> list[Relation]:
        kept = [one for one in equations if not any(one is other for other in declarations)]
        changed = (substitute_all(one, renamed) for one in kept)
        return [one for one in changed if isinstance(one, Relation)]

    return replace(
        answer, equations=put_in(answer.equations), definitions=put_in(answer.definitions)
    )


def _symbols(equations: list[Relation]) -> set[Expression]:
    return {part for one in equations for part in walk(one) if isinstance(part, Symbol)}
