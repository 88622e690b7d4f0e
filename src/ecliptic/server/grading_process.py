"""What runs inside a grading process, and only there: the one place that holds truths.

Episodes here are a cache: each call brings what was graded before, and an episode that is missing
or does not stand there is made again from it. So a process may die, and a change that was not
kept in the database is forgotten, without anything being graded into an attempt twice.
"""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ecliptic.errors import EclipticError
from ecliptic.server import child_process
from ecliptic.server.catalogue import Catalogue, open_catalogue
from ecliptic.server.settings import Source

KEPT_EPISODES = 2000


@dataclass(slots=True)
class _Live:
    """An episode, and the digests of what was graded in it."""

    episode: Any
    clock: list[float]
    graded: list[str] = field(default_factory=list)


_catalogue: Catalogue
_live: OrderedDict[str, _Live] = OrderedDict()


def start(source: Source) -> None:
    """Initialise the process."""
    global _catalogue
    child_process.begin()
    _catalogue = open_catalogue(source)


def look(source: Source) -> dict[str, Any] | str:
    """The listing of a source, or the line that says why it cannot be served."""
    try:
        return open_catalogue(source).listing()
    except EclipticError as error:
        return str(error)


def warm_up() -> int:
    """Compile what grading needs; the process's id."""
    _catalogue.warm_up()
    return os.getpid()


def public_part(key: str) -> dict[str, Any]:
    """What an agent may see of a task, and its budget."""
    return _catalogue.public_part(key)


def hand_in(
    attempt: str,
    key: str,
    earlier: Iterable[tuple[str, str, float]],
    submission: Any,
    digest: str,
    seconds: float,
) -> dict[str, Any]:
    """Grade a submission that arrived ``seconds`` after its attempt began.

    ``earlier`` are digest, JSON text and seconds of those that were graded before. The answer
    holds ``told``, for the agent, and ``passed``, which is sealed.
    """
    history = list(earlier)
    live = _live.get(attempt)
    if live is None or live.graded != [each[0] for each in history]:
        live = _made_again(attempt, key, history)
    _live.move_to_end(attempt)
    live.clock[0] = seconds
    step = live.episode.step(submission)
    if step.counted:
        live.graded.append(digest)
    if step.reason:
        _live.pop(attempt, None)
    return {
        "told": step.feedback.to_dict(),
        "reason": step.reason,
        "counted": step.counted,
        "passed": passed(live.episode, step),
    }


def passed(episode: Any, step: Any) -> bool:
    """Whether this submission passed: an answer says so itself, a star's episode ends by it."""
    told: bool = getattr(episode, "passed", step.terminated)
    return bool(step.counted and told)


def _made_again(attempt: str, key: str, history: list[tuple[str, str, float]]) -> _Live:
    clock = [0.0]
    live = _Live(_catalogue.episode(key, lambda: clock[0]), clock)
    for digest, text, seconds in history:
        clock[0] = seconds
        live.episode.step(json.loads(text))
        live.graded.append(digest)
    _live[attempt] = live
    while len(_live) > KEPT_EPISODES:
        _live.popitem(last=False)
    return live


def grade_once(key: str, submission: Any) -> tuple[bool, bool]:
    """Of a single submission: whether it could be graded, and whether it passes."""
    episode = _catalogue.episode(key, lambda: 0.0, "none")
    step = episode.step(submission)
    return step.counted, passed(episode, step)
