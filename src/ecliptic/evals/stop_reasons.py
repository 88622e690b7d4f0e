"""Why an attempt ended, from what Inspect recorded of it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from inspect_ai.event import ErrorEvent, Event, ModelEvent, SampleLimitEvent
from inspect_ai.log import transcript


class StopReason(StrEnum):
    """The closed vocabulary; ``our_error`` and ``provider_error`` are no fault of the model."""

    SOLVED = "solved"
    SUBMISSIONS = "submissions"
    TOKENS = "tokens"
    TIME = "time"
    ANSWERED = "answered"
    GAVE_UP = "gave_up"
    OTHER_LIMIT = "other_limit"
    RUN_BUDGET = "run_budget"
    OUR_ERROR = "our_error"
    PROVIDER_ERROR = "provider_error"

    @property
    def is_error(self) -> bool:
        """Whether the attempt says nothing of the model: it is to be run again."""
        return self in {self.RUN_BUDGET, self.OUR_ERROR, self.PROVIDER_ERROR}


_LOOKED_AT = 200
"""Events at the end of a transcript; what ended an attempt is among the last."""

RUN_BUDGET_MARK = "the run's budget is used up"
"""Begins the message of an attempt that was never started."""

_CANCELLED = "model call cancelled"
"""Inspect's error of a call that was under way."""

_LIMITS = {
    "token": StopReason.TOKENS,
    "time": StopReason.TIME,
    "working": StopReason.TIME,
    "cost": StopReason.TOKENS,
}


def interruption() -> tuple[StopReason, str] | None:
    """The error or limit that ended the current sample, with its message; ``None`` if none did."""
    return of_events(transcript().history.recent_events(_LOOKED_AT))


def of_events(events: Sequence[Event]) -> tuple[StopReason, str] | None:
    """What the last error or limit among ``events`` means.

    An error is the provider's where the last call of a model failed; everything else that was
    raised is ours. Time that ran out while a failed call was tried again is the provider's, too.
    """
    for at in reversed(range(len(events))):
        event = events[at]
        if isinstance(event, SampleLimitEvent):
            reason = _LIMITS.get(event.type, StopReason.OTHER_LIMIT)
            failure = _unmended(events[:at])
            if reason is StopReason.TIME and failure:
                return StopReason.PROVIDER_ERROR, f"{event.message} The provider: {failure}"
            return reason, event.message
        if isinstance(event, ErrorEvent):
            message = event.error.message
            if RUN_BUDGET_MARK in message:
                return StopReason.RUN_BUDGET, message
            calls = [each for each in events[:at] if isinstance(each, ModelEvent)]
            # A call that was cancelled half-way has neither an output nor an error.
            failure = (calls[-1].error or "") if calls else ""
            if not failure:
                return StopReason.OUR_ERROR, message
            # The exception says no more than that it was tried again so many times.
            given_up = message.startswith("RetryError")
            return StopReason.PROVIDER_ERROR, failure if given_up else message
    return None


def _unmended(events: Sequence[Event]) -> str:
    """The error of the last call, or of the one that it was to repeat; empty if it was answered."""
    for event in reversed(events):
        if isinstance(event, ModelEvent) and not _cut_off(event):
            return event.error or ""
    return ""


def _cut_off(event: ModelEvent) -> bool:
    """Whether the call was still under way when the sample was stopped."""
    cancelled = event.error is not None and _CANCELLED in event.error
    return cancelled or (not event.error and not event.output.choices)
