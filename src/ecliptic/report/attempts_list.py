"""The page that lists all attempts, to be sorted and filtered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ecliptic.report.attempt_page import Place, outcome_of


def attempts_context(places: Sequence[Place], pages: int) -> dict[str, Any]:
    """Rows and the choices of each filter; the first ``pages`` attempts have a page."""
    rows = [
        {"place": place, "outcome": outcome_of(place.attempt), "linked": at < pages}
        for at, place in enumerate(places)
    ]
    attempts = [place.attempt for place in places]
    choices = {
        "suite": list(dict.fromkeys(a.suite for a in attempts)),
        "agent": list(dict.fromkeys(a.arm for a in attempts)),
        "kind": list(dict.fromkeys(a.kind for a in attempts)),
        "outcome": sorted({outcome_of(a) for a in attempts}),
        "diagnosis": sorted({a.diagnosis or a.stop for a in attempts if a.passed is not True}),
    }
    return {"rows": rows, "choices": choices, "root": ""}
