"""What an agent can do in its attempt, whichever way its call came in."""

from __future__ import annotations

import json
from typing import Any

from ecliptic.rv.agent_texts import session_variables
from ecliptic.sandbox import CellResult
from ecliptic.server import drawing
from ecliptic.server.attempt import Attempt
from ecliptic.server.attempts import Attempts
from ecliptic.server.drawing_pool import DrawingPool
from ecliptic.server.laboratories import Laboratories
from ecliptic.server.problems import RefusedError
from ecliptic.server.tool_schemas import LEAST_DAYS, LONGEST_CODE, MOST_DAYS

MOST_PEAKS, FEW_PEAKS = 20, 5
_MODEL = ("planets", "noise")


class Desk:
    """The tools, each for one attempt; what is not permitted raises :class:`RefusedError`."""

    def __init__(
        self,
        attempts: Attempts,
        laboratories: Laboratories,
        drawings: DrawingPool,
        served: dict[str, Any],
    ) -> None:
        self._attempts, self._laboratories, self._drawings = attempts, laboratories, drawings
        self._served = served
        attempts.when_ended = laboratories.end

    async def observe(self, attempt: Attempt) -> dict[str, Any]:
        """The public part of the task, how it is graded, and the budget."""
        part = await self._attempts.public_part(attempt)
        name = "question" if "question" in part else "observation"
        return {name: part[name], **self.state(attempt)}

    def state(self, attempt: Attempt) -> dict[str, Any]:
        """What is left of the attempt."""
        return {
            "attempt": attempt.id,
            "protocol": self._served["protocol"],
            "feedback": self._served["feedback"],
            "submissions": attempt.limits[0],
            "submissions_left": attempt.left,
            "seconds": attempt.limits[1],
            "seconds_left": round(self._attempts.seconds_left(attempt), 3),
            "over": bool(attempt.ended),
            "ending": self._attempts.ending(attempt),
        }

    def told(self, attempt: Attempt) -> list[dict[str, Any]]:
        """What the agent was told of each graded submission."""
        return [json.loads(each.answer) for each in attempt.submissions]

    async def submit(self, attempt: Attempt, body: Any, key: str | None = None) -> dict[str, Any]:
        """Grade a submission."""
        if self._served["kind"] == "questions":
            body = _only(body, ("answer",)).get("answer")
        return await self._attempts.submit(attempt, body, key)

    async def python(self, attempt: Attempt, body: Any) -> CellResult:
        """Run a cell in the attempt's laboratory."""
        code = _only(body, ("code",)).get("code")
        if not isinstance(code, str) or len(code) > LONGEST_CODE:
            raise RefusedError(422, f"code must be text of at most {LONGEST_CODE:,} characters")
        self._attempts.require_open(attempt)
        part = await self._attempts.public_part(attempt)
        variables: dict[str, Any] = {}
        if "observation" in part:
            variables = session_variables(drawing.observation_of(json.dumps(part["observation"])))
        left = max(1.0, self._attempts.seconds_left(attempt))
        result = await self._laboratories.run(attempt.id, variables, code, left)
        if attempt.ended:  # meanwhile
            await self._laboratories.end(attempt.id)
        return result

    async def periodogram(self, attempt: Attempt, body: Any) -> dict[str, Any]:
        """Peaks and curve of the data or of residuals."""
        asked = _only(body, (*_MODEL, "period_min_days", "period_max_days", "peaks"))
        low = _days(asked, "period_min_days")
        high = _days(asked, "period_max_days")
        peaks = asked.get("peaks", FEW_PEAKS)
        if isinstance(peaks, float) and peaks.is_integer():  # 5.0 is a whole number in JSON
            peaks = int(peaks)
        if isinstance(peaks, bool) or not isinstance(peaks, int) or not 1 <= peaks <= MOST_PEAKS:
            raise RefusedError(422, f"peaks must be a whole number from 1 to {MOST_PEAKS}")
        found = await self._drawn(attempt, drawing.power, asked, low, high, peaks)
        assert isinstance(found, dict)
        return found

    async def plot(self, attempt: Attempt, body: Any) -> bytes:
        """A PNG of the data and a model."""
        found = await self._drawn(attempt, drawing.picture, _only(body, _MODEL))
        assert isinstance(found, bytes)
        return found

    async def warm_up(self) -> None:
        """Start the process that draws, before the first picture is asked for."""
        if self._served["kind"] == "stars":
            await self._drawings.call(drawing.warm_up)

    def close(self) -> None:
        """End the process that draws."""
        self._drawings.close()

    async def _drawn(self, attempt: Attempt, function: Any, asked: Any, *more: Any) -> Any:
        self._attempts.require_open(attempt)
        part = await self._attempts.public_part(attempt)
        model = {name: asked[name] for name in _MODEL if name in asked} or None
        if model is not None:
            model.setdefault("planets", [])
        text = json.dumps(part["observation"])
        found = await self._drawings.call(function, text, model, *more)
        if isinstance(found, str):
            raise RefusedError(422, found)
        return found


def _only(body: Any, known: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise RefusedError(422, "the body must be a JSON object")
    for name in body:
        if name not in known:
            raise RefusedError(422, f"{str(name)[:100]!r} is not known here ({', '.join(known)})")
    return body


def _days(asked: dict[str, Any], name: str) -> float | None:
    value = asked.get(name)
    if name not in asked:
        return None
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not LEAST_DAYS <= value <= MOST_DAYS
    ):
        raise RefusedError(422, f"{name} must be a number from {LEAST_DAYS:g} to {MOST_DAYS:g}")
    return float(value)
