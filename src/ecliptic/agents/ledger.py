"""What each stage used: a span in the log and an entry in the sample's store."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar

from inspect_ai.util import span, store, token_limit
from pydantic import BaseModel

STAGES_KEY = "ecliptic:stages"


class StageRecord(BaseModel):
    """Use and fate of one run of a stage.

    ``input_tokens`` counts what was read, prompt caches included; ``output_tokens`` what was
    written, reasoning included. What a stage inside this one used stands in that stage's record
    only, so that the records of a sample add up to its total. Replies from Inspect's own cache
    cost nothing.
    """

    pattern: str
    stage: str
    role: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    repaired: bool = False
    """One repair call was made."""
    broken: bool = False
    """The contract did not hold in the end; the raw text was handed on."""
    fault: str = ""
    """What broke the contract at first."""
    error: str = ""
    """The error or limit that ended the stage; it was raised, not swallowed."""


_stage: ContextVar[str] = ContextVar("ecliptic_stage", default="")
_inner_use: ContextVar[list[int] | None] = ContextVar("ecliptic_inner_use", default=None)


def current_stage() -> str:
    """``pattern/stage`` of the running stage, or an empty string outside of one."""
    return _stage.get()


def stage_records() -> list[StageRecord]:
    """The records of the current sample, in the order in which the stages ended."""
    return [StageRecord.model_validate(item) for item in store().get(STAGES_KEY) or []]


@asynccontextmanager
async def recorded_stage(pattern: str, stage: str, role: str) -> AsyncIterator[StageRecord]:
    """Run a stage in a span of its own and put its record into the store, whatever happens."""
    record = StageRecord(pattern=pattern, stage=stage, role=role)
    outer, own = _inner_use.get(), [0, 0]
    stage_token, use_token = _stage.set(f"{pattern}/{stage}"), _inner_use.set(own)
    started = time.monotonic()
    try:
        async with span(f"{pattern}/{stage}", type="stage"):
            with token_limit(None, type="input") as read, token_limit(None, "output") as written:
                try:
                    yield record
                except BaseException as error:
                    record.error = _one_line(error)
                    raise
                finally:
                    use = int(read.usage), int(written.usage)
                    record.input_tokens, record.output_tokens = use[0] - own[0], use[1] - own[1]
                    record.seconds = round(time.monotonic() - started, 4)
                    if outer is not None:
                        outer[0], outer[1] = outer[0] + use[0], outer[1] + use[1]
                    records = [*(store().get(STAGES_KEY) or []), record.model_dump()]
                    store().set(STAGES_KEY, records)
    finally:
        _stage.reset(stage_token)
        _inner_use.reset(use_token)


def _one_line(error: BaseException) -> str:
    """Name and message; of a long one (providers echo the request) the beginning and the end."""
    cause = error.__cause__
    why = f" caused by {type(cause).__name__}: {cause}" if cause is not None else ""
    text = " ".join(f"{type(error).__name__}: {error}{why}".split())
    return text if len(text) <= 240 else f"{text[:60]} ... {text[-175:]}"
