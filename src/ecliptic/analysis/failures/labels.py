"""An attempt that failed becomes labels."""

from __future__ import annotations

from ecliptic.analysis.failures.conduct_rules import (
    ERRORS,
    LIMITS,
    conduct_labels,
    error_label,
)
from ecliptic.analysis.failures.details import Details
from ecliptic.analysis.failures.evidence import Label, ordered
from ecliptic.analysis.failures.planet_rules import planet_labels
from ecliptic.analysis.failures.vocabulary import BY_NAME, FailureCode
from ecliptic.errors import EclipticError

ARCHIVAL = "archival"


def label(details: Details) -> list[Label]:
    """Why an attempt failed, the primary label first; empty for one that passed.

    Rules alone, from log and truth: the same attempt always has the same labels. An attempt that
    ended in an error has the label of the error and no other. Where no rule applies the label is
    ``unexplained``.
    """
    attempt = details.attempt
    if attempt.passed:
        return []
    if attempt.passed is None or details.stop in ERRORS:
        return ordered([error_label(details)])
    if attempt.world == "stargazer":
        found = _planets(details) + conduct_labels(details)
    elif attempt.world == "helio":
        found = _answer(details)
    else:
        found = []
    return ordered(found or [Label(FailureCode.UNEXPLAINED, _why_not(details))])


def _planets(details: Details) -> list[Label]:
    counted = details.counted
    if counted is None or counted.submission is None:
        return []
    star = details.star
    if star is None or _judged_apart(details):
        return _by_verdict(details)
    try:
        return planet_labels(star, counted.submission, details.verdict)
    except EclipticError:  # no time span, or velocities that overflow
        return _by_verdict(details)


def _judged_apart(details: Details) -> bool:
    """Real stars: signals that count neither way, and rivals of the refit, only graders know."""
    return details.attempt.protocol.startswith(ARCHIVAL)


def _by_verdict(details: Details) -> list[Label]:
    """The grader's own diagnosis, as the log holds it."""
    diagnosis = (details.verdict or {}).get("diagnosis") or {}
    code = BY_NAME.get(str(diagnosis.get("code") or ""))
    if code is None:
        return []
    evidence = dict(diagnosis.get("evidence") or {})
    words = str(diagnosis.get("message") or code)
    note = f" (from the verdict alone: {details.missing})" if details.missing else ""
    return [Label(code, words + note, str(evidence.get("which") or ""))]


def _answer(details: Details) -> list[Label]:
    if details.stop in LIMITS and not details.reply.strip():
        told = f"ended by {LIMITS[details.stop]} before there was an answer"
        return [Label(FailureCode.SPENT_WITHOUT_SUBMITTING, told)]
    found = _by_verdict(details)
    # The record, with its gold, adds nothing to a diagnosis, so that its absence is no limit.
    return [
        Label(each.code, each.evidence.partition(" (from the verdict alone")[0], each.which)
        for each in found
    ]


def _why_not(details: Details) -> str:
    diagnosis = (details.verdict or {}).get("diagnosis") or {}
    message = str(diagnosis.get("message") or "")
    if message:
        return f"no rule applies; the verdict says: {message}"
    return details.missing or "no rule applies, and the log holds no verdict"
