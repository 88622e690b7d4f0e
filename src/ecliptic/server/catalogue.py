"""The tasks of a source, truth included: lives in the grading processes alone."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ecliptic.errors import UsageError
from ecliptic.server.question_episodes import QuestionEpisode, public_question
from ecliptic.server.settings import Source

if TYPE_CHECKING:
    from ecliptic.helio import Record
    from ecliptic.rv import Environment, RVTask

KEPT_TASKS = 512


class Catalogue(Protocol):
    """What grading needs of a source."""

    def listing(self) -> dict[str, Any]:
        """Name, checksum and how it is graded; ``tasks`` are pairs of key and id."""
        ...

    def public_part(self, key: str) -> dict[str, Any]:
        """What an agent may see of a task, and its budget."""
        ...

    def episode(self, key: str, clock: Any, feedback: str | None = None) -> Any:
        """A fresh episode: ``step(submission)`` and ``reason``."""
        ...

    def warm_up(self) -> None:
        """Grade once, so that nothing is compiled while an agent waits."""
        ...


def open_catalogue(source: Source) -> Catalogue:
    """The tasks of a source.

    Raises
    ------
    EclipticError
        It cannot be opened, or there is no truth to grade with.
    """
    return QuestionCatalogue(source) if source.kind == "questions" else StarCatalogue(source)


class StarCatalogue:
    """A suite of stars."""

    def __init__(self, source: Source) -> None:
        from ecliptic.rv.feedback import level_of
        from ecliptic.rv.protocols import protocol_of
        from ecliptic.suite import load_suite

        self._suite = load_suite(source.path, truth=source.truth)
        self._suite.require_truth()
        if level_of(source.feedback) == "paper":
            raise UsageError("feedback 'paper' tells distances to the truth; it is not served")
        self._feedback = source.feedback
        self._protocol = protocol_of(source.protocol or "paper")
        self._task = lru_cache(maxsize=KEPT_TASKS)(self._load)

    def _load(self, key: str) -> RVTask:
        task: RVTask = self._suite.find(key).load()
        return task

    def listing(self) -> dict[str, Any]:
        """As :meth:`Catalogue.listing`."""
        tasks = [(each.key, each.id or each.load().id) for each in self._suite.entries()]
        manifest = self._suite.manifest
        more = {} if manifest is None else manifest.more
        return {
            "name": self._suite.name,
            "checksum": self._suite.checksum,
            "commitment": more.get("commitment"),
            "protocol": self._protocol.label,
            "tasks": tasks,
        }

    def public_part(self, key: str) -> dict[str, Any]:
        """As :meth:`Catalogue.public_part`."""
        env = self._environment(key, None)
        return {
            "observation": env.task.observation.model_dump(),
            "submissions": env.budget.submissions,
            "seconds": env.budget.seconds,
        }

    def episode(self, key: str, clock: Any, feedback: str | None = None) -> Environment:
        """As :meth:`Catalogue.episode`."""
        env = self._environment(key, clock, feedback)
        env.reset()
        return env

    def _environment(self, key: str, clock: Any, feedback: str | None = None) -> Environment:
        from ecliptic.rv import Environment, budget_of

        task = self._task(key)
        # Tokens of an agent that lives elsewhere cannot be counted here.
        budget = dataclasses.replace(budget_of(task.difficulty), tokens=math.inf)
        level = feedback or self._feedback
        extra = {} if clock is None else {"clock": clock}
        return Environment(task, self._protocol, level, budget, **extra)

    def warm_up(self) -> None:
        """As :meth:`Catalogue.warm_up`."""
        for key in self._different_kinds():
            episode = self.episode(key, lambda: 0.0)
            span = float(episode.task.observation.times_days[-1]) + 1.0
            for planets in ([], [{"period_days": span}], [{"period_days": span}] * 2):
                episode.step({"planets": planets})

    def _different_kinds(self) -> Iterator[str]:
        """One task of each declared family: what is compiled depends on it."""
        seen = set()
        for entry in list(self._suite.entries())[:KEPT_TASKS]:
            family = self._task(entry.key).observation.family
            kind = None if family is None else (family.activity, family.forward_model)
            if kind not in seen:
                seen.add(kind)
                yield entry.key


class QuestionCatalogue:
    """Question records."""

    def __init__(self, source: Source) -> None:
        import hashlib

        from ecliptic.helio import load

        if source.protocol is not None or source.truth is not None:
            raise UsageError("questions take neither --protocol nor --truth")
        if source.feedback not in ("none", "criteria"):
            raise UsageError(f"feedback of questions: none or criteria, not {source.feedback!r}")
        self._records: dict[str, Record] = {each.id: each for each in load(source.path)}
        if not self._records:
            raise UsageError(f"{source.path}: holds no question")
        self._name, self._feedback = Path(source.path).stem, source.feedback
        texts = [repr(sorted(public_question(each).items())) for each in self._records.values()]
        self._checksum = hashlib.sha256("\n".join(texts).encode()).hexdigest()

    def listing(self) -> dict[str, Any]:
        """As :meth:`Catalogue.listing`."""
        return {
            "name": self._name,
            "checksum": self._checksum,
            "commitment": None,
            "protocol": "answer",
            "tasks": [(key, key) for key in self._records],
        }

    def public_part(self, key: str) -> dict[str, Any]:
        """As :meth:`Catalogue.public_part`."""
        episode = self.episode(key, lambda: 0.0)
        return {
            "question": public_question(self._records[key]),
            "submissions": episode.submissions,
            "seconds": episode.budget_seconds,
        }

    def episode(self, key: str, clock: Any, feedback: str | None = None) -> QuestionEpisode:
        """As :meth:`Catalogue.episode`."""
        return QuestionEpisode(self._records[key], feedback or self._feedback, clock)

    def warm_up(self) -> None:
        """As :meth:`Catalogue.warm_up`."""
        record = next(iter(self._records.values()))
        QuestionEpisode(record, "none", lambda: 0.0).step("0")
