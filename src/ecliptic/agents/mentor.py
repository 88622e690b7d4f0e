"""Mentor: ReAct with a reviewer that reads the transcript now and then and advises."""

from __future__ import annotations

from collections.abc import Sequence

from inspect_ai.model import ChatMessage
from pydantic import BaseModel, Field

from ecliptic.agents.contracts import Contract
from ecliptic.agents.role_prompts import read_prompt
from ecliptic.agents.session import Session
from ecliptic.agents.stage import Pattern, Stage
from ecliptic.agents.tool_loop import MOST_TURNS
from ecliptic.errors import UsageError


class Review(BaseModel):
    """What the reviewer says of the work so far."""

    on_track: bool = Field(description="whether the work goes well")
    advice: list[str] = Field(
        description="at most three pieces, the most valuable first", max_length=3
    )


def _advice_given(review: Review) -> str | None:
    if not review.on_track and not review.advice:
        return "the work is said not to be on track, but no advice is given"
    return None


_ACT = Stage("act", "agent")
_REVIEW = Stage("review", "reviewer", Contract(delivers=Review, checkpoint=_advice_given))


def make_mentor(every: int = 4, reviews: int = 5, max_turns: int = MOST_TURNS) -> Pattern:
    """The pattern with a review after ``every`` turns with a tool call, ``reviews`` at most.

    Raises
    ------
    UsageError
        A number is below one.
    """
    if every < 1 or reviews < 1:
        raise UsageError(f"every ({every}) and reviews ({reviews}) must be at least 1")

    async def run(session: Session) -> None:
        async def advise(messages: Sequence[ChatMessage], turn: int) -> str | None:
            if turn % every or turn // every > reviews:
                return None
            work = [message for message in messages if message.role != "system"]
            handover = await session.ask(_REVIEW, about=work)
            review = handover.get(Review)
            # A review that broke its contract still is advice; a good report needs none.
            points = [] if review is None else [f"- {point}" for point in review.advice]
            advice = handover.text if review is None else "\n".join(points)
            return read_prompt("shared/advice").replace("{advice}", advice) if advice else None

        await session.work(_ACT, final=True, advisor=advise, max_turns=max_turns)

    return Pattern("mentor", run)


MENTOR = make_mentor()
