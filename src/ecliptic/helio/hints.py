"""The form that an answer should have, in one wording for all records of a type."""

from __future__ import annotations

from ecliptic.helio.families.answers import Answer, Numeric, Symbolic
from ecliptic.helio.families.notation import unit_tex

_FIGURES = {1: "one", 2: "two", 3: "three", 4: "four"}


def hint_for(answer: Answer) -> str:
    """What a record's ``hint`` says: it depends on the type, the unit and the left-hand side."""
    if isinstance(answer, Numeric):
        figures = _FIGURES.get(answer.digits, str(answer.digits))
        figures += " significant figure" + ("" if answer.digits == 1 else "s")
        if not answer.unit:
            return f"Give one number without unit, to {figures}."
        return f"Give one number to {figures}, in units of ${unit_tex(answer.unit)}$."
    if isinstance(answer, Symbolic):
        left = answer.final.strip("$").partition("=")[0].strip()
        symbols = ", ".join(f"${name}$" for name in answer.ranges)
        return (
            f"Give one LaTeX equation in dollar signs, ${left} = \\ldots$, in terms of {symbols}."
        )
    return "Answer in one to three plain sentences that name each quantity and its direction."
