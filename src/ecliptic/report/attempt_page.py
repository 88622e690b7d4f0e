"""The page of one attempt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ecliptic.analysis.log_samples import FOREIGN_FORM
from ecliptic.errors import EclipticError
from ecliptic.report.conversation import StagePart, stages_of
from ecliptic.report.inert_text import one_line
from ecliptic.report.question_section import question_section
from ecliptic.report.sample_events import KeepImage
from ecliptic.report.star_section import star_section

if TYPE_CHECKING:
    from ecliptic.analysis import Attempt
    from ecliptic.analysis.failures import Label

STOPS = {
    "solved": "solved it",
    "submissions": "used up its submissions",
    "tokens": "ran out of tokens",
    "time": "ran out of time",
    "answered": "handed in an answer",
    "gave_up": "stopped by itself",
    "other_limit": "met a limit of the run",
    "run_budget": "was never started: the run's budget was used up",
    "our_error": "met an error of ours",
    "provider_error": "met an error of the model's provider",
}
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an attempt's page is, and what others call it."""

    attempt: Attempt
    file: str
    title: str


def places_of(attempts: Sequence[Attempt]) -> list[Place]:
    """A page's name for each attempt: a number, then what it is about."""
    places = []
    for number, attempt in enumerate(attempts, start=1):
        words = _NOT_IN_NAMES.sub("-", f"{attempt.agent}-{attempt.task}")[:60].strip("-").lower()
        title = f"{one_line(attempt.task, 40)} by {one_line(attempt.arm, 60)}"
        if attempt.epoch > 1:
            title += f", attempt {attempt.epoch}"
        places.append(Place(attempt, f"attempts/{number:05d}-{words}.html", title))
    return places


def outcome_of(attempt: Attempt) -> str:
    """``passed``, ``failed``, ``undecided`` or ``error``."""
    if attempt.passed is None:
        return "error"
    if attempt.passed:
        return "passed"
    return "undecided" if attempt.undecided else "failed"


def attempt_context(
    place: Place, before: Place | None, after: Place | None, keep_image: KeepImage
) -> dict[str, Any]:
    """All that the template of a page asks for; what cannot be read is told there."""
    from ecliptic.analysis.failures import Labelled, label, read_details
    from ecliptic.analysis.failures.reading import foreign_form

    attempt = place.attempt
    context: dict[str, Any] = {
        "place": place,
        "attempt": attempt,
        "outcome": outcome_of(attempt),
        "stop": STOPS.get(attempt.stop, attempt.stop.replace("_", " ")),
        "before": before,
        "after": after,
        "root": "../",
        "labels": (),
        "labelled": Labelled(attempt),
        "unread": "",
        "star": None,
        "question": None,
        "stages": (),
        "unread_conversation": "",
    }
    try:
        try:
            details = read_details(attempt)
            if attempt.passed is not True:
                labels = tuple(label(details))
                context["labels"] = labels_shown(labels)
                context["labelled"] = Labelled(attempt, labels)
            if attempt.world == "stargazer":
                context["star"] = star_section(details)
            elif attempt.world == "helio":
                context["question"] = question_section(details)
        except FOREIGN_FORM as error:
            raise foreign_form(attempt, error) from None
    except EclipticError as error:
        context["unread"] = str(error)
        if attempt.passed is not True and not context["labels"]:
            context["labelled"] = Labelled(attempt, skipped=str(error))
    if attempt.log.is_dir():
        return context
    stages, why = _conversation(attempt, keep_image)
    return context | {"stages": stages, "unread_conversation": why}


def labels_shown(labels: Sequence[Label]) -> list[dict[str, Any]]:
    """Name, meaning and evidence of each."""
    return [
        {
            "name": each.name.replace("_", " "),
            "meaning": each.code.meaning,
            "evidence": each.evidence,
            "primary": each.primary,
        }
        for each in labels
    ]


def _conversation(attempt: Attempt, keep_image: KeepImage) -> tuple[list[StagePart], str]:
    from ecliptic.analysis.failures.sample_reading import read_sample

    try:
        return stages_of(read_sample(attempt), keep_image), ""
    except EclipticError as error:
        return [], str(error)
    except FOREIGN_FORM as error:
        return [], f"its form is not known ({one_line(f'{type(error).__name__}: {error}', 160)})"
