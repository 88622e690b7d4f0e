"""Where questions come from: families without end, or a set of records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ecliptic.arguments import one_of
from ecliptic.errors import UsageError
from ecliptic.helio import Record, family_names, generate, load
from ecliptic.helio.families.answers import FORMS
from ecliptic.helio.families.catalogue import family_of


class Questions(Protocol):
    """A supply of records without end."""

    def draw(self, random: np.random.Generator) -> Record:
        """A record."""
        ...


class GeneratedQuestions:
    """A new problem each time, its answer proven by its family (:mod:`ecliptic.helio.families`).

    Parameters
    ----------
    families
        By default all, each as likely as any other.
    forms
        ``numeric``, ``symbolic``, ``textual``; by default all that a family has.

    Raises
    ------
    UsageError
        A name that is not known, or families that have none of the forms.
    """

    def __init__(
        self, families: Sequence[str] | None = None, forms: Sequence[str] | None = None
    ) -> None:
        wanted = tuple(FORMS if forms is None else (one_of("form", form, FORMS) for form in forms))
        names = family_names() if families is None else tuple(families)
        self.cells = {
            name: cell
            for name in names
            if (cell := tuple(form for form in family_of(name).forms if form in wanted))
        }
        if not self.cells:
            raise UsageError(f"forms: no family that is asked for has {', '.join(wanted)}")
        self._names = tuple(self.cells)

    def draw(self, random: np.random.Generator) -> Record:
        """A problem's last part, from a fresh seed of 128 bits."""
        family = self._names[int(random.integers(len(self._names)))]
        forms = self.cells[family]
        form = forms[int(random.integers(len(forms)))]
        return generate(family, int.from_bytes(random.bytes(16), "little"), form=form)


class RecordedQuestions:
    """Records of a file or a named set, each as likely as any other."""

    def __init__(self, records: str, forms: Sequence[str] | None = None) -> None:
        self.records = tuple(
            record for record in load(records) if forms is None or record.type in forms
        )
        if not self.records:
            raise UsageError(f"{records}: holds no record of the forms that are asked for")

    def draw(self, random: np.random.Generator) -> Record:
        """One of them, with replacement."""
        return self.records[int(random.integers(len(self.records)))]


def questions_from(
    records: str | None, families: Sequence[str] | None, forms: Sequence[str] | None
) -> Questions:
    """The supply that an environment's arguments describe."""
    for what, names in (("families", families), ("forms", forms)):
        if isinstance(names, str):
            raise UsageError(f"{what}: must be a list of names, such as ['{names[:40]}']")
    if records is None:
        return GeneratedQuestions(families, forms)
    if families is not None:
        raise UsageError("families: belong to generated questions; leave out records, or families")
    return RecordedQuestions(records, forms)


def question_text(record: Record, hint: bool = True) -> str:
    """What an agent reads: earlier parts with their answers, the question, what form is wanted."""
    parts = [*record.preamble, record.question, record.hint if hint else ""]
    return "\n\n".join(part for part in parts if part)
