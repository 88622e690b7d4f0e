"""The page that lists all attempts, to be sorted and filtered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ecliptic.report.attempt_page import Place, outcome_of

if TYPE_CHECKING:
    from ecliptic.analysis.failures import Labelled


def attempts_context(
    places: Sequence[Place], pages: int, labelled: Sequence[Labelled]
) -> dict[str, Any]:
    """Rows and the choices of each filter; the first ``pages`` attempts have a page.

    ``labelled`` holds the attempts in the order of ``places``: why one failed is its main label,
    as in the map on the first page; the grader's diagnosis where it could not be labelled.
    """
    rows: list[dict[str, Any]] = [
        {
            "place": place,
            "outcome": outcome_of(place.attempt),
            "linked": at < pages,
            "reason": _reason(each),
            "told": _reason(each) if each.primary is None else each.primary.name,
        }
        for at, (place, each) in enumerate(zip(places, labelled, strict=True))
    ]
    attempts = [place.attempt for place in places]
    choices = {
        "suite": list(dict.fromkeys(a.suite for a in attempts)),
        "agent": list(dict.fromkeys(a.arm for a in attempts)),
        "kind": list(dict.fromkeys(a.kind for a in attempts)),
        "outcome": sorted({outcome_of(a) for a in attempts}),
        "reason": sorted({row["reason"] for row in rows} - {""}),
    }
    return {"rows": rows, "choices": choices, "root": ""}


def _reason(labelled: Labelled) -> str:
    attempt = labelled.attempt
    if attempt.passed:
        return ""
    if labelled.primary is not None:
        return str(labelled.primary.code)
    return attempt.diagnosis or attempt.stop
