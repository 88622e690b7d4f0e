"""A family of problems: what it is about, where it comes from, and its three forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ecliptic.helio.families.answers import FORMS, Form, Part
from ecliptic.helio.families.drawing import Draw

Writer: TypeAlias = Callable[[Draw], tuple[Part, ...]]


@dataclass(frozen=True, slots=True)
class Family:
    """Problems of one kind.

    Attributes
    ----------
    title
        In plain words.
    assumptions
        What holds in every problem of the family; the questions state them too.
    sources
        Textbook sections or papers, with authors, year and where.
    one_formula
        Whether the answer takes a single formula; at most a third of all families may.
    numeric, symbolic, textual
        Functions from the random choices to the parts of one problem, the last of which has an
        answer of that form; ``None`` where a form makes no sense. Earlier parts may have any
        form; each later question may use the answers before it.
    """

    title: str
    assumptions: tuple[str, ...]
    sources: tuple[str, ...]
    one_formula: bool = False
    numeric: Writer | None = None
    symbolic: Writer | None = None
    textual: Writer | None = None

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms that the family has."""
        return tuple(form for form in FORMS if getattr(self, form) is not None)

    def writer(self, form: Form) -> Writer:
        """The function that writes problems of a form."""
        found: Writer | None = getattr(self, form)
        assert found is not None, form
        return found
