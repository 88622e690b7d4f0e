"""How the attempt went: what was handed in when, how it ended, what its laboratory did."""

from __future__ import annotations

import re
from typing import Any

from ecliptic.analysis.failures.details import MALFORMED, OVER, Details
from ecliptic.analysis.failures.evidence import Label
from ecliptic.analysis.failures.vocabulary import FailureCode

ERRORS = {
    "our_error": FailureCode.OUR_ERROR,
    "provider_error": FailureCode.PROVIDER_ERROR,
    "run_budget": FailureCode.RUN_BUDGET,
}
LIMITS = {"tokens": "tokens", "time": "time", "other_limit": "a limit of the run"}
LONGEST = 200
LOST = re.compile(r"^\[session lost\b", re.M)
STOPPED = re.compile(r"^\[stopped after \d", re.M)
TRACEBACK = "Traceback (most recent call last)"
MIN_CELLS = 2


def error_label(details: Details) -> Label:
    """The label of an attempt that ended in an error of ours or of the provider."""
    code = ERRORS.get(details.stop, FailureCode.OUR_ERROR)
    return Label(code, _short(details.attempt.error) or "the log holds no message")


def conduct_labels(details: Details) -> list[Label]:
    """All labels that speak of the conduct of an attempt on a star."""
    found = [
        _wrong_format(details),
        _laboratory(details),
        _spent(details),
        _stopped(details),
        _never_escalated(details),
        _resubmitted(details),
    ]
    return [label for label in found if label is not None]


def _wrong_format(details: Details) -> Label | None:
    faulty = [each for each in details.submissions if each.status == MALFORMED]
    if faulty:
        count = f"{len(faulty)} of {len(details.submissions)} submissions not accepted"
        return Label(FailureCode.WRONG_FORMAT, f"{count}: {_short(faulty[0].said)}")
    if details.by_text and not details.submissions and details.reply.strip():
        return Label(
            FailureCode.WRONG_FORMAT,
            f"the reply holds no JSON object with planets; it ends: {_short(details.reply[-80:])}",
        )
    return None


def _laboratory(details: Details) -> Label | None:
    cells = [call for call in details.calls if call.tool == "python"]
    lost = sum(bool(LOST.search(cell.result)) for cell in cells)
    stopped = sum(bool(STOPPED.search(cell.result)) for cell in cells)
    if lost or stopped:
        parts = [f"session lost {lost} times"] * (lost > 0)
        parts += [f"{stopped} cells stopped by the time limit"] * (stopped > 0)
        return Label(FailureCode.LABORATORY_ERROR, f"{', '.join(parts)}, of {len(cells)} cells run")
    failed = [cell for cell in cells if cell.error or TRACEBACK in cell.result]
    if len(cells) >= MIN_CELLS and len(failed) == len(cells):
        last = failed[-1].error or failed[-1].result.strip().rpartition("\n")[2]
        told = f"all {len(cells)} cells ended in an error, the last: {_short(last)}"
        return Label(FailureCode.LABORATORY_ERROR, told)
    return None


def _spent(details: Details) -> Label | None:
    if details.graded or details.stop not in LIMITS:
        return None
    what = LIMITS[details.stop]
    late = sum(each.status == OVER for each in details.submissions)
    told = f"ended by {what} with no submission graded" + (
        f", {late} came too late" if late else ""
    )
    spent = details.attempt.tokens
    return Label(
        FailureCode.SPENT_WITHOUT_SUBMITTING,
        f"{told}; {spent:,} tokens, {details.attempt.seconds:.0f} s" if spent else told,
    )


def _stopped(details: Details) -> Label | None:
    # A solver always hands in once, and so does a model that answers by text.
    if details.stop != "gave_up" or details.by_text or not details.attempt.model:
        return None
    budget = _budget(details)
    used = len(details.graded)
    submissions = f"{used} of {budget.submissions}" if budget else str(used)
    tokens = f"{details.attempt.tokens:,}" + (f" of {budget.tokens:,.0f}" if budget else "")
    return Label(
        FailureCode.STOPPED_EARLY,
        f"ended by itself after {submissions} submissions and {tokens} tokens",
    )


def _budget(details: Details) -> Any:
    from ecliptic.rv import budget_of

    return None if details.star is None else budget_of(details.star.difficulty)


def _never_escalated(details: Details) -> Label | None:
    criterion = ((details.verdict or {}).get("criteria") or {}).get("count")
    if criterion is None or (details.star is not None and details.star.tier == "real"):
        return None  # a real star may have planets that count neither for nor against
    counts = [len(each.submission.planets) for each in details.graded if each.submission]
    n_true = round(criterion["threshold"])
    if len(counts) < 2 or max(counts) > counts[0] or max(counts) >= n_true:
        return None
    return Label(
        FailureCode.NEVER_ESCALATED,
        f"{', '.join(map(str, counts))} planets in {len(counts)} submissions; there are {n_true}",
    )


def _resubmitted(details: Details) -> Label | None:
    graded = details.graded
    again = [(k, each.repeat_of) for k, each in enumerate(graded, 1) if each.repeat_of]
    if not again:
        return None
    told = ", ".join(f"submission {k} hardly differs from {of}" for k, of in again)
    return Label(FailureCode.RESUBMITTED, f"{told} ({len(graded)} graded)")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
