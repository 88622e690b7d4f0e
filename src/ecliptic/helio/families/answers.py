"""What a family returns: the parts of a problem, each with an answer and two routes to it.

The two routes must not share a step that could be wrong in both: a closed form in quantities with
units against a numerical solution of the equation in plain SI numbers, say. The proof
(:mod:`ecliptic.helio.families.proof`) compares them, and a record carries how far they agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from astropy.units import Quantity

Form = Literal["numeric", "symbolic", "textual"]
FORMS: tuple[Form, ...] = ("numeric", "symbolic", "textual")


@dataclass(frozen=True, slots=True)
class Routes:
    """In a few words each, how an answer was reached twice; stands in the record."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Numeric:
    """A number with its unit.

    Attributes
    ----------
    value
        First route, computed in quantities with units.
    check
        Second route: a bare float is in ``unit``.
    unit
        Unit of the published answer, as astropy spells it; empty for a pure number.
    digits
        Significant figures of the published answer.
    agreement
        Relative difference that the routes may have: the error of the numerical one.
    rules
        Changes of the grader's rules for this record, such as another tolerance.
    """

    value: Quantity | float
    check: Quantity | float
    unit: str
    routes: Routes
    digits: int = 3
    agreement: float = 1e-6
    rules: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Symbolic:
    """A formula, proven by its values.

    Attributes
    ----------
    final
        LaTeX in dollar signs: an equation, solved for what was asked, and, after
        ``, \\quad`` the definitions that it needs.
    ranges
        For every symbol of the right-hand side, in LaTeX as in ``final``, the positive range (or
        range of either sign) that test points are drawn from, in one system of units.
    check
        Second route: from the values of the symbols (by the keys of ``ranges``) the value of the
        right-hand side, found without using ``final``.
    units
        Unit (astropy spelling) of each symbol and, under ``""``, of the right-hand side; the
        formula is then also tested to be homogeneous. Empty: no dimensional test, for formulas
        in pure numbers only.
    """

    final: str
    ranges: Mapping[str, tuple[float, float]]
    check: Callable[[Mapping[str, float]], float]
    routes: Routes
    units: Mapping[str, str] = field(default_factory=dict)
    agreement: float = 1e-6
    rules: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence that an answer must say, and the evidence for its direction.

    Attributes
    ----------
    text
        A sentence with one subject and one direction, in the grader's vocabulary.
    direction
        +1: what is measured is positive (a quantity grows, A exceeds B), -1: negative, 0: nil.
    first, second
        The relative change, or relative difference, by each route: both must have the claimed
        sign and exceed ``1e-6`` in size (stay below it for 0).
    """

    text: str
    direction: Literal[-1, 0, 1]
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class Textual:
    """An explanation in words: its sentences, the claims in it, and the evidence of each."""

    final: str
    claims: tuple[Claim, ...]
    routes: Routes
    rules: Mapping[str, object] = field(default_factory=dict)


Answer: TypeAlias = Numeric | Symbolic | Textual


@dataclass(frozen=True, slots=True)
class Part:
    """One question of a problem; ``steps`` lead from the assumptions to the answer."""

    question: str
    steps: tuple[str, ...]
    answer: Answer


def form_of(answer: Answer) -> Form:
    """The type of record that an answer makes."""
    if isinstance(answer, Numeric):
        return "numeric"
    return "symbolic" if isinstance(answer, Symbolic) else "textual"
