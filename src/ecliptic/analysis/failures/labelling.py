"""Labels of many attempts."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.failures.evidence import Label
from ecliptic.analysis.failures.labels import label
from ecliptic.analysis.failures.reading import foreign_form, read_details
from ecliptic.analysis.failures.truths import forget_truths
from ecliptic.analysis.log_samples import FOREIGN_FORM
from ecliptic.errors import EclipticError

Report = Callable[[int, int], None]
"""Told after each attempt: done, in all."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """An attempt with its labels, the primary one first.

    ``labels`` is empty where it passed, and where it could not be read: ``skipped`` then says why.
    """

    attempt: Attempt
    labels: tuple[Label, ...] = ()
    skipped: str = ""

    @property
    def primary(self) -> Label | None:
        """The label that counts where an attempt may have one only."""
        return self.labels[0] if self.labels else None


@dataclass(frozen=True, slots=True)
class Labelling:
    """All attempts in their order."""

    rows: tuple[Labelled, ...] = field(default_factory=tuple)

    @property
    def skipped(self) -> dict[str, int]:
        """Why attempts could not be labelled, and how many each."""
        counts: dict[str, int] = {}
        for row in self.rows:
            if row.skipped:
                counts[row.skipped] = counts.get(row.skipped, 0) + 1
        return counts


def label_all(
    attempts: Sequence[Attempt],
    *,
    truth: str | os.PathLike[str] | None = None,
    report: Report | None = None,
) -> Labelling:
    """Label every attempt; the ones that passed are not even read.

    A log that cannot be read is no reason to stop: its attempts are ``skipped`` with the reason.
    ``truth``: see :func:`~ecliptic.analysis.failures.reading.read_details`.
    """
    forget_truths()
    rows = []
    for done, attempt in enumerate(attempts, 1):
        rows.append(_labelled(attempt, truth))
        if report is not None:
            report(done, len(attempts))
    return Labelling(tuple(rows))


def _labelled(attempt: Attempt, truth: str | os.PathLike[str] | None) -> Labelled:
    if attempt.passed:
        return Labelled(attempt)
    try:
        return Labelled(attempt, tuple(label(read_details(attempt, truth=truth))))
    except EclipticError as error:
        return Labelled(attempt, skipped=str(error))
    except FOREIGN_FORM as error:
        return Labelled(attempt, skipped=str(foreign_form(attempt, error)))
