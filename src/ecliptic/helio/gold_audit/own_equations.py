"""Whether a symbolic final satisfies the equations of its own question and steps.

The final is put into each equation that holds its subject; definitions of the text are put in,
derivatives carried out, and both sides compared at random points. An equation is judged only when
every symbol that is left belongs to the final.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ecliptic.helio.gold_audit.definitions import Definitions
from ecliptic.helio.gold_audit.findings import Check, Finding
from ecliptic.helio.gold_audit.mathematics import (
    Equation,
    Number,
    Symbol,
    equations_in,
    free_symbols,
    read_final,
    solutions_of,
)
from ecliptic.helio.gold_audit.substitution import (
    TOLERANCE,
    Residual,
    mending_factor,
    pose,
    residual,
)
from ecliptic.helio.records import Record

_CONDITION = re.compile(
    r"\b(?:if|when|for|at|unless|not|besides|than|set|suppose|initially|boundary|as|take)\s*$",
    re.I,
)
_REFERENCE = re.compile(r".+_(?:\d|infty|odot|E|i)")
_AT_A_PLACE = re.compile(r"\bat (?:the|its|infinity|\$[^$]*=)", re.I)
_PLACE = re.compile(r"\bwhere\s*$", re.I)
_AT_A_VALUE = re.compile(
    r"[A-Za-z}]\s*(?:\\left)?\(\s*[-+]?(?:[\d.]+|\\infty)\s*(?:\\right)?\)\s*="
)
_APPROXIMATE = re.compile(
    r"\b(?:approximat\w+|asymptot\w+|leading order|lowest order|first order|to order|small|large|"
    r"limit|negligible|neglect\w*|much (?:less|greater|smaller|larger)|far from|strong|weak|expand|"
    r"estimate|roughly|order of magnitude)\b|\\ll|\\gg|\\approx|\\sim",
    re.I,
)


def check_own_equations(record: Record) -> Iterator[Finding]:
    """Equations of the record that its final does not satisfy."""
    if record.type != "symbolic":
        return
    tree = read_final(record.final)
    solutions = [] if isinstance(tree, str) else solutions_of(tree)
    if not solutions:
        return
    texts = [(f"preamble {position}", text) for position, text in enumerate(record.preamble, 1)]
    texts += [("question", record.question)]
    texts += [(f"step {position}", step) for position, step in enumerate(record.step, 1)]
    placed = [(place, equation) for place, text in texts for equation in equations_in(text)]
    equations = [equation for _, equation in placed]
    definitions = Definitions(equations, solutions)
    loose = _loose(equations)
    approximate = _APPROXIMATE.search(" ".join((record.question, record.hint, *record.step)))
    subjects = {solution.subject.name for solution in solutions}
    at_a_place = _AT_A_PLACE.search(re.split(r"(?<=[.?])\s+", record.question.strip())[-1])
    seen: set[str] = set()
    for place, equation in placed:
        gives_subject = any(name.name in subjects for name, _ in equation.named)
        if equation.source.text in seen or _is_condition(equation):
            continue
        posed = pose(equation, solutions, definitions, loose)
        if posed is not None and (gives_subject if posed.direct else at_a_place):
            continue  # told by the last step, or definitions that hold elsewhere
        found = None if posed is None else residual(posed, solutions)
        if posed is None or found is None or found.size <= TOLERANCE:
            continue
        seen.add(equation.source.text)
        factor = mending_factor(posed, solutions)
        certain = (posed.differential or factor is not None) and not approximate and posed.closed
        yield _finding(record, place, equation, found, factor, certain=certain)


def _loose(equations: Sequence[Equation]) -> frozenset[Symbol]:
    """Constants by name that stand in one equation only, so that they drop out of a solution."""
    counted = Counter(
        symbol
        for text in {equation.source.text: equation for equation in equations}.values()
        for symbol in set(free_symbols(text.left, text.right))
    )
    return frozenset(
        symbol
        for symbol, count in counted.items()
        if count == 1 and _REFERENCE.fullmatch(symbol.name)
    )


def _is_condition(equation: Equation) -> bool:
    """Whether an equation holds at a place or under a condition only."""
    before = equation.source.before
    if _CONDITION.search(before) or equation.source.restricted:
        return True
    if _AT_A_VALUE.search(equation.source.text):  # a boundary value: h(0) = h_0
        return True
    return isinstance(equation.right, Number) and _PLACE.search(before) is not None


def _finding(
    record: Record,
    place: str,
    equation: Equation,
    found: Residual,
    factor: str | None,
    *,
    certain: bool,
) -> Finding:
    evidence: dict[str, object] = {
        "place": place,
        "equation": equation.source.text,
        "residual": float(f"{found.size:.3g}"),
    }
    told = ""
    if found.ratio is not None:
        evidence["ratio"] = float(f"{found.ratio:.6g}")
        told = f"; its sides have the constant ratio {found.ratio:.4g}"
    fix = "Solve the equation again; correct the final, or the equation."
    if factor is not None:
        evidence["factor"] = factor
        fix = f"The equation holds with {factor}: correct the final, or the equation."
    return Finding(
        record.id,
        Check.OWN_EQUATION,
        "error" if certain else "warning",
        f"The final does not satisfy the equation ${equation.source.text}$ of the {place}{told}.",
        fix,
        evidence,
    )
