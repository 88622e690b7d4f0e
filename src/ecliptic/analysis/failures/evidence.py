"""One label of an attempt with what speaks for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ecliptic.analysis.failures.vocabulary import ORDER, FailureCode


@dataclass(frozen=True, slots=True)
class Label:
    """Why an attempt failed.

    Attributes
    ----------
    code
        From the closed vocabulary.
    evidence
        In plain words, with figures. It may tell of the truth.
    which
        The variety, where there are several: ``solar day``, ``P/2``, ``rotation``.
    primary
        Whether this is the label that counts where an attempt may have one only.
    """

    code: FailureCode
    evidence: str
    which: str = ""
    primary: bool = False

    @property
    def name(self) -> str:
        """The code, with its variety."""
        return f"{self.code} ({self.which})" if self.which else str(self.code)


def ordered(labels: Iterable[Label]) -> list[Label]:
    """By rank, each code and variety once, the first marked as primary."""
    kept: dict[tuple[FailureCode, str], Label] = {}
    for each in labels:
        known = kept.get((each.code, each.which))
        if known is None:
            kept[each.code, each.which] = each
        elif each.evidence not in known.evidence:
            told = f"{known.evidence}; {each.evidence}"
            kept[each.code, each.which] = Label(each.code, told, each.which)
    ranked = sorted(kept.values(), key=lambda each: ORDER[each.code])
    return [
        Label(each.code, each.evidence, each.which, primary=not at)
        for at, each in enumerate(ranked)
    ]
