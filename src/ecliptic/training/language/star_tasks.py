"""Stars as a taskset: prompt, tools, and a reward from the verdict."""

# The library ships no types.
# mypy: disable-error-code="import-untyped, misc, untyped-decorator"

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any, Literal

import verifiers.v1 as vf
from pydantic import Field

from ecliptic.arguments import one_of
from ecliptic.rv import RVTask, audit, budget_of, evaluate
from ecliptic.rv.protocols import protocol_of
from ecliptic.rv.structures import ECLIPTIC_TIERS
from ecliptic.training.language.attempts import AttemptRules
from ecliptic.training.language.references import StarReference, WideInt, open_suite
from ecliptic.training.language.star_prompt import star_prompt
from ecliptic.training.language.star_tools import StarState, StarTools, StarToolsConfig
from ecliptic.training.star_rewards import Reward
from ecliptic.verdict import Verdict

IN_TURN = ("easy", "medium", "hard", "frontier")


class StarData(vf.TaskData):
    """One rollout's data. The reference leads to the truth, so they are the trainer's alone."""

    rules: AttemptRules
    tier: str


class StarTaskConfig(vf.TaskConfig):
    """``reward``: ``sparse`` or ``shaped`` (:mod:`ecliptic.training.star_rewards`)."""

    reward: Literal["sparse", "shaped"] = "sparse"


class StarTask(vf.Task[StarData, StarState, StarTaskConfig]):
    """Find the planets of one star."""

    @property
    def key(self) -> str:
        """The star's own id, a hash of what the agent sees."""
        return str(self.data.id)

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Tell the tool server whose calls these are; its clock starts at the first of them."""
        del runtime
        trace.state.attempt, trace.state.rules = trace.id, self.data.rules

    @vf.stop
    async def attempt_over(self, trace: vf.Trace) -> bool:
        """Solved, or no submission is left."""
        return bool(trace.state.over)

    @vf.reward
    async def verdict(self, trace: vf.Trace) -> float:
        """What the best of the graded submissions is worth."""
        reward = Reward(self.config.reward)
        return max(map(reward.potential, await self._verdicts(trace)), default=0.0)

    @vf.metric
    async def attempt(self, trace: vf.Trace) -> dict[str, float]:
        """``solved``, ``score`` (criteria passed, of the best submission), ``submissions``."""
        verdicts = await self._verdicts(trace)
        return {
            "solved": float(any(verdict.passed for verdict in verdicts)),
            "score": max((verdict.score for verdict in verdicts), default=0.0),
            "submissions": float(len(verdicts)),
        }

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the task is proven solvable: by an audit, or by the truth under other protocols.

        The audit (:func:`ecliptic.rv.audit`) submits the truth refined by a fit, and asks that no
        submission without insight pass.
        """
        del runtime
        star = await asyncio.to_thread(self.data.rules.reference.find)
        if protocol_of(self.data.rules.protocol).label.startswith("strict"):
            found = await asyncio.to_thread(audit, star, self.data.rules.protocol, stop_early=True)
            return found.accepted
        truth = {"planets": [planet.model_dump() for planet in star.truth.planets]}
        return (await asyncio.to_thread(evaluate, star, truth, self.data.rules.protocol)).passed

    async def _verdicts(self, trace: vf.Trace) -> list[Verdict]:
        def graded() -> list[Verdict]:
            star = self.data.rules.reference.find()
            return [
                evaluate(star, each, self.data.rules.protocol) for each in trace.state.submissions
            ]

        return await asyncio.to_thread(graded) if trace.state.submissions else []


class StarsConfig(vf.TasksetConfig):
    """Which stars, and by which rules."""

    source: Literal["suite", "generator"] = "suite"
    """``suite``: those of a suite, in order. ``generator``: new ones without end."""
    suite: str = "quick"
    tiers: list[str] = Field(default_factory=list)
    """Only these; empty for all. Generated stars take them in turn."""
    recipe: Literal["ecliptic", "paper"] = "ecliptic"
    audited: bool = False
    """Generated stars: only those that an audit accepts."""
    seed: WideInt = 0
    """Of generated stars. Draw 128 random bits where a model might know this package."""
    protocol: str | None = None
    """By default ``strict`` where a star declares its models, ``paper`` otherwise."""
    feedback: Literal["none", "statistical", "criteria"] = "criteria"
    submissions: int | None = Field(None, ge=1)
    """Instead of the number that belongs to a star's difficulty."""
    seconds: float | None = Field(None, gt=0)
    """Wall-clock limit of an attempt."""
    tools: StarToolsConfig = StarToolsConfig()
    task: StarTaskConfig = StarTaskConfig()


class StarsTaskset(vf.Taskset[StarTask, StarsConfig]):
    """Stars of a suite, or new ones without end."""

    def __init__(self, config: StarsConfig) -> None:
        super().__init__(config)
        self.INFINITE = config.source == "generator"

    @classmethod
    def toolsets(cls, config: StarsConfig) -> list[vf.Toolset]:
        """``python`` and ``submit``, one server for all rollouts of a worker."""
        return [StarTools(config.tools)]

    def load(self) -> Iterator[StarTask]:
        """The tasks one after another; a damaged one of a suite ends it with one line."""
        for reference in self._references():
            star = reference.find()
            if not self.config.tiers or star.tier in self.config.tiers:
                yield StarTask(self._data(reference, star), self.config.task)

    def _references(self) -> Iterator[StarReference]:
        config = self.config
        if config.source == "suite":
            for entry in open_suite(config.suite).entries():
                yield StarReference(suite=config.suite, key=entry.key)
            return
        tiers = config.tiers or IN_TURN[: 3 if config.recipe == "paper" else 4]
        for tier in tiers:
            one_of("tiers", tier, ECLIPTIC_TIERS)
        for index in itertools.count():
            yield StarReference(
                recipe=config.recipe,
                tier=tiers[index % len(tiers)],
                seed=config.seed,
                index=index,
                audited=config.audited,
            )

    def _data(self, reference: StarReference, star: RVTask) -> StarData:
        config = self.config
        usual = "strict" if star.observation.family is not None else "paper"
        protocol = protocol_of(config.protocol or usual)
        submissions = config.submissions or budget_of(star.difficulty).submissions
        fields: dict[str, Any] = {
            "id": star.id,
            "name": star.id,
            "prompt": star_prompt(
                star.observation, protocol, submissions, laboratory=config.tools.laboratory
            ),
        }
        rules = AttemptRules(
            reference=reference,
            protocol=protocol.label,
            feedback=config.feedback,
            submissions=submissions,
            seconds=config.seconds,
        )
        return StarData(rules=rules, tier=star.tier, **fields)
