"""The shipped stars as tasks: the suite ``archival``.

Velocities come from the star's table, family and sealed part from ``refits.json``, which
``ecliptic archive refit`` writes. The id of a task covers its velocities, so that a refit of other
velocities than the shipped ones is noticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ecliptic.errors import TaskError, UsageError
from ecliptic.files import parse_json
from ecliptic.rv.archive.catalogue import find_star, read_star
from ecliptic.rv.archive.literature import PublishedStar, published
from ecliptic.rv.tasks import SCHEMA, Observation, RVTask
from ecliptic.suite import Suite

if TYPE_CHECKING:
    from ecliptic.rv.archive.seeds import Seed

REFITS_SCHEMA = "ecliptic.archive.refits/1"
SUITE = "archival"
FILE = "refits.json"


def archival_suite() -> Suite:
    """Every shipped star whose planets can be found from its velocities alone."""
    keys = [key for key, star in published().items() if is_blind(star)]
    tasks = [read_task(key) for key in sorted(keys, key=lambda key: published()[key].name.lower())]
    return Suite.of(tasks, name=SUITE)


def is_blind(star: PublishedStar) -> bool:
    """Whether a blind analysis is expected to find a planet."""
    return bool(star.expected)


def read_task(name: str) -> RVTask:
    """The task of one shipped star, by any of its names.

    Raises
    ------
    UsageError
        No such star.
    TaskError
        The shipped refit is not that of the shipped velocities.
    """
    key = find_star(name)
    if key not in _refits():
        raise UsageError(f"{published()[key].name}: {FILE} holds no refit of it")
    record = _refits()[key]
    observation = bare_observation(key).model_dump()
    public = {"source_id": published()[key].name, "tier": "real"}
    data = {
        "schema": SCHEMA,
        "id": record["id"],
        "public": {**public, "observation": {**observation, "family": record["family"]}},
        "sealed": record["sealed"],
    }
    return RVTask.from_dict(data, f"{FILE}: {key}")


def bare_observation(name: str) -> Observation:
    """The shipped velocities of a star, points inside transits left out, without a family.

    Indicators are left out too: those shipped are indices without an error.
    """
    star = published()[find_star(name)]
    observation = read_star(name).observation(star.star_mass_sun.value)
    return observation.model_copy(update={"indicators": ()})


def refit_star(name: str) -> RVTask:
    """The task of a shipped star, its refit made anew (some seconds).

    Raises
    ------
    UsageError
        No such star.
    """
    star = published()[find_star(name)]
    return refit_of(bare_observation(name), star)


def refit_of(observation: Observation, star: PublishedStar) -> RVTask:
    """A task of velocities of a star whose published values are known."""
    from ecliptic.rv.archive.further_signals import further_signals
    from ecliptic.rv.archive.joint_fit import fit_keplerian
    from ecliptic.rv.archive.model_choice import declared_family
    from ecliptic.rv.archive.refitting import archival_task
    from ecliptic.rv.archive.seeds import seeds_of
    from ecliptic.rv.inference.problem import Problem

    seeds: tuple[Seed, ...] = seeds_of(star)
    family = declared_family(observation, seeds, star)
    declared = observation.model_copy(update={"family": family})
    if family.forward_model == "keplerian" and not any(seed.held for seed in seeds):
        best = fit_keplerian(Problem.of(declared), seeds)
        seeds = (*seeds, *(seed for seed, _ in further_signals(best, seeds)))
    return archival_task(
        declared, seeds, source_id=star.name, source=star.source, remarks=star.notes
    )


def refits_json(tasks: Iterable[RVTask]) -> dict[str, Any]:
    """What ``refits.json`` holds of some tasks of shipped stars."""
    stars = {}
    for task in tasks:
        family = task.observation.family
        data = task.to_dict()
        stars[find_star(task.source_id or "")] = {
            "id": task.id,
            "family": None if family is None else family.model_dump(),
            "sealed": data["sealed"],
        }
    return {"schema": REFITS_SCHEMA, "stars": stars}


@cache
def _refits() -> Mapping[str, Any]:
    data = parse_json(files("ecliptic.rv.archive").joinpath(FILE).read_bytes(), FILE)
    if not isinstance(data, dict) or data.get("schema") != REFITS_SCHEMA:
        raise TaskError(f"{FILE}: schema must be '{REFITS_SCHEMA}'")
    stars: Mapping[str, Any] = data["stars"]
    return stars
