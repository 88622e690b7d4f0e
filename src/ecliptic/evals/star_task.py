"""The task ``ecliptic/stargazer``: find the planets, with Python and a limited number of tries."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal, cast, get_args

import anyio
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import transcript
from inspect_ai.model import GenerateConfig, ResponseSchema
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import sample_limits

from ecliptic.agents import answer_by
from ecliptic.agents.inspect_errors import in_one_line
from ecliptic.agents.response_schemas import LimitedSchema
from ecliptic.errors import UsageError
from ecliptic.evals.admission import admission, book
from ecliptic.evals.argument_lists import names_in
from ecliptic.evals.attempt_progress import attempt_ended
from ecliptic.evals.container_laboratory import COMPOSE
from ecliptic.evals.content_version import content_version
from ecliptic.evals.episodes import (
    IN_CONTAINER,
    Confinement,
    Episode,
    close_episode,
    open_episode,
)
from ecliptic.evals.run_context import made_in_run
from ecliptic.evals.score_metrics import HEADLINE, QUESTION
from ecliptic.evals.skill_modes import skill_steps
from ecliptic.evals.star_prompt import star_prompt
from ecliptic.evals.star_scoring import find_star, planet_grade, stars_of
from ecliptic.evals.star_tools import NOISE_SCHEMA, PLANET_SCHEMA, python, submit
from ecliptic.run import protocol_for
from ecliptic.rv import Budget, Environment, RVTask, budget_of
from ecliptic.rv.protocols import protocol_of
from ecliptic.rv.submission import AGENT_LIMITS
from ecliptic.sandbox import Laboratory
from ecliptic.sandbox.isolation import choose
from ecliptic.suite import load_suite

HandIn = Literal["tool", "text"]
SCHEMA = ResponseSchema(
    name="submission",
    json_schema=LimitedSchema.model_validate(
        {
            "type": "object",
            "properties": {
                "planets": {
                    "type": "array",
                    "items": PLANET_SCHEMA.model_dump(),
                    "maxItems": AGENT_LIMITS.max_planets,
                },
                "noise": NOISE_SCHEMA.model_dump(),
            },
            "required": ["planets"],
        }
    ),
)


@task
@in_one_line
def stargazer(
    suite: str = "quick",
    protocol: str | None = None,
    feedback: str = "criteria",
    skills: str = "none",
    isolation: Confinement = "auto",
    hand_in: HandIn = "tool",
    constrained: bool = False,
    images: bool = True,
    tiers: str | list[str] | None = None,
    per_tier: int | None = None,
    truth: str | None = None,
) -> Task:
    """Radial velocities of stars.

    Parameters
    ----------
    suite
        A folder, a Parquet file, or a shipped name.
    protocol
        How to grade: ``paper``, ``strict``, ``archival``, or one of them with other thresholds; by
        default as the suite says (:func:`ecliptic.run.protocol_for`).
    feedback
        What an agent is told: ``none``, ``statistical``, ``criteria``, ``paper``.
    skills
        ``none``, ``injected`` into the prompt, or read ``on_demand``.
    isolation
        Of the laboratory: ``auto`` (bubblewrap or an error), ``bubblewrap``, ``docker`` (in a
        container that Inspect starts), ``sandbox`` (in the one that ``--sandbox`` asks Inspect for;
        it needs python3 with numpy), ``unconfined``.
    hand_in
        ``tool``, or for models that cannot call tools ``text``: the data stand in the prompt, there
        is no laboratory, and the JSON of the last reply is the one submission.
    constrained
        With ``hand_in=text``: the provider holds replies to the submission's schema.
    images
        Whether the model sees plots.
    tiers
        Only tasks of these tiers (``easy,medium``).
    per_tier
        Only so many tasks of each tier, the first ones.
    truth
        Of a sealed suite: the folder of its private part. It stays with the scorer.

    Raises
    ------
    UsageError, SuiteError, TaskError
        An option or the suite cannot be used; one line says which and why.
    """
    if hand_in not in get_args(HandIn):
        raise UsageError(f"hand_in: {hand_in!r} is none of {', '.join(get_args(HandIn))}")
    where = str(Path(suite).resolve()) if Path(suite).exists() else suite
    if isolation not in get_args(Confinement):
        raise UsageError(f"isolation: {isolation!r} is none of {', '.join(get_args(Confinement))}")
    if made_in_run():
        check_isolation(isolation, hand_in)
    by_text = hand_in == "text"
    sealed = None if truth is None else str(Path(truth).resolve())
    stars_of.cache_clear()  # the suite may have been made anew since
    stars = _chosen(where, sealed, tiers, per_tier)
    protocol = protocol_for(load_suite(where, truth=sealed), protocol).label
    Environment(stars[0], protocol, feedback)  # refuses unknown names before anything is paid for
    opening = begin_episode(where, protocol, feedback, isolation, hand_in, images, sealed)
    return Task(
        dataset=MemoryDataset([_sample(star, protocol, by_text) for star in stars], name=suite),
        setup=[admission(), opening, *skill_steps(skills, "rv")],
        solver=answer_by("single_shot" if by_text else "react"),
        scorer=planet_grade(where, protocol, feedback, by_text, sealed),
        cleanup=_cleanup,
        sandbox=("docker", COMPOSE) if isolation == "docker" and not by_text else None,
        config=GenerateConfig(response_schema=SCHEMA if by_text and constrained else None),
        score_on_error=True,
        continue_on_fail=True,
        headline_metric=HEADLINE,
        metadata={"suite_checksum": load_suite(where, truth=sealed).checksum},
        version=content_version(stars),
    )


def check_isolation(isolation: str, hand_in: str) -> None:
    """Raises :class:`UsageError` where this machine has no such jail for the laboratory."""
    if hand_in == "tool" and isolation not in IN_CONTAINER:
        choose(isolation)


def _chosen(
    suite: str, truth: str | None, tiers: str | list[str] | None, limit: int | None
) -> list[RVTask]:
    stars = list(stars_of(suite, truth).values())
    known = dict.fromkeys(star.tier for star in stars)
    wanted = names_in(tiers) or list(known)
    for tier in wanted:
        if tier not in known:
            raise UsageError(f"tiers: {suite} has no tier '{tier}'; it has {', '.join(known)}")
    if limit is not None and limit < 1:
        raise UsageError(f"per_tier must be at least 1, not {limit}")
    taken = dict.fromkeys(wanted, 0)
    chosen = []
    for star in stars:
        if star.tier in taken and (limit is None or taken[star.tier] < limit):
            taken[star.tier] += 1
            chosen.append(star)
    return chosen


def _sample(star: RVTask, protocol: str, by_text: bool) -> Sample:
    budget = _budget(star, by_text)
    text = star_prompt(star.observation, protocol_of(protocol), budget, by_text=by_text)
    return Sample(id=star.id, input=text, metadata={"tier": star.tier, QUESTION: star.id})


def _budget(star: RVTask, by_text: bool) -> Budget:
    budget = budget_of(star.difficulty)
    return Budget(budget.tokens, budget.seconds, 1) if by_text else budget


@solver
def begin_episode(
    suite: str,
    protocol: str = "paper",
    feedback: str = "criteria",
    isolation: Confinement = "auto",
    hand_in: HandIn = "tool",
    images: bool = True,
    truth: str | None = None,
) -> Solver:
    """Opens the attempt: environment, tools, limits of tokens and time by tier."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        star = find_star(suite, str(state.sample_id), truth)
        by_text = hand_in == "text"
        if not by_text:
            if isolation not in IN_CONTAINER:
                await Laboratory.warm_up(isolation)  # refuses before anything is paid for
            if isolation == "unconfined":
                transcript().info(
                    "WARNING: the agent's code runs unconfined and can read the truth of the tasks",
                    source="ecliptic/laboratory",
                )
            state.tools = [python(images, bool(star.observation.indicators)), submit()]
        environment = Environment(star, protocol, feedback, _budget(star, by_text))
        await anyio.to_thread.run_sync(environment.reset)
        open_episode(state.uuid, Episode(environment, isolation))
        _limit(state, environment.budget)
        return state

    return solve


def _limit(state: TaskState, budget: Budget) -> None:
    """Inspect's own limits, from now on. A smaller one that the run sets stays."""
    limits = sample_limits()
    if math.isfinite(budget.tokens):
        tokens = int(budget.tokens)
        state.token_limit = min(tokens, state.token_limit or tokens)
    # Inspect has no setter for the time of a running sample, but its control channel changes it
    # in this way.
    node = cast("_TimeNode", limits.time)
    if math.isfinite(budget.seconds):
        seconds = node.usage + budget.seconds
        node._limit = min(seconds, node._limit or seconds)
        node._refresh_deadline()


class _TimeNode:
    usage: float
    _limit: float | None

    def _refresh_deadline(self) -> None: ...


async def _cleanup(state: TaskState) -> None:
    book(state.uuid)
    attempt_ended()
    await close_episode(state.uuid)
