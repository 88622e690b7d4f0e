"""Single shot: the task as it stands, one call, nothing added. The floor of every comparison."""

from __future__ import annotations

from ecliptic.agents.session import Session
from ecliptic.agents.stage import Pattern, Stage

_ANSWER = Stage("answer", "model", prompt="")


async def _run(session: Session) -> None:
    await session.work(_ANSWER, final=True)


SINGLE_SHOT = Pattern("single_shot", _run, repairs=0)
