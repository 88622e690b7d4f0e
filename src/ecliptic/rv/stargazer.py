"""Reads the task files of the published benchmark Stargazer (Liu et al. 2026, arXiv:2604.15664).

A synthetic file holds velocities of an N-body integration. As the published evaluator does, the
reader subtracts that signal and adds the planets' Keplerian one with ``l' = l - Omega`` and
``Omega' = 0``, so that the planets' truth and the velocities agree; files of real stars (marked
``rv_only``) are taken as they are. A real star's points may be grouped by instrument: they are put
in the order of time, and ``t_ref_days`` stays the first time of the file.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from ecliptic.errors import EclipticWarning, SuiteError, UsageError
from ecliptic.model import describe
from ecliptic.rv.difficulty import tier_of
from ecliptic.rv.nbody import nbody_velocities_ms
from ecliptic.rv.orbit import radial_velocity_ms
from ecliptic.rv.stargazer_files import SourceFile, find_task_files
from ecliptic.rv.stargazer_format import (
    PublishedObservations,
    PublishedPlanet,
    PublishedRotationGP,
    PublishedTaskFile,
)
from ecliptic.rv.tasks import (
    Instrument,
    Noise,
    Observation,
    Planet,
    RotationGP,
    RVTask,
    Tier,
    Truth,
)
from ecliptic.suite import Problem, Suite, natural_order

MAX_INNER_PERIODS = 20_000
"""Longest N-body integration in periods of the innermost planet: some seconds of computing, and a
thousand times what the published schedules need."""
TIERS: tuple[Tier, ...] = ("easy", "medium", "hard", "real")
Progress = Callable[[int, int], None]


def import_stargazer(path: str | os.PathLike[str]) -> Suite:
    """Read the published tasks below ``path`` into a suite, in memory.

    Parameters
    ----------
    path
        A checkout of the public repository, any folder that holds its task files at some depth,
        one such file, or a zip archive of them.

    Returns
    -------
    Suite
        Ordered by tier and name; ``source_id`` is the file's ``task_id``. ``suite.problems`` names
        each file that was left out and why; a warning says so, too.

    Raises
    ------
    SuiteError
        No task could be imported.
    MissingExtraError
        REBOUND is not installed and a file needs it.
    """
    tasks, problems = read_published(path)
    if not tasks:
        raise SuiteError(f"{path}: no task could be imported{_first(problems)}")
    if problems:
        warnings.warn(
            f"{path}: {len(problems)} of {len(tasks) + len(problems)} files were left out"
            f"{_first(problems)}",
            EclipticWarning,
            stacklevel=2,
        )
    return Suite.of(tasks, name="stargazer", problems=problems)


def _first(problems: list[Problem]) -> str:
    if not problems:
        return ""
    more = f" (and {len(problems) - 1} more, see .problems)" if len(problems) > 1 else ""
    return f": {problems[0]}{more}"


def read_published(
    path: str | os.PathLike[str], progress: Progress | None = None
) -> tuple[list[RVTask], list[Problem]]:
    """What :func:`import_stargazer` reads, without a judgement on it: tasks and problems.

    ``progress`` is called with the files done and their number.

    Raises
    ------
    SuiteError
        Nothing at ``path`` looks like a published task.
    MissingExtraError
        REBOUND is not installed and a file needs it.
    """
    files, problems = find_task_files(Path(path).expanduser())
    files, repeated = _distinct(files)
    problems += repeated
    tasks = []
    for done, file in enumerate(files, start=1):
        task = _read(file)
        if isinstance(task, RVTask):
            tasks.append(task)
        else:
            problems.append(task)
        if progress:
            progress(done, len(files))
    tasks.sort(key=lambda task: (TIERS.index(task.tier), natural_order(task.source_id or "")))
    return tasks, problems


def _distinct(files: Iterable[SourceFile]) -> tuple[list[SourceFile], list[Problem]]:
    """One file for each task_id; a copy is passed over, a contradiction is a problem."""
    first: dict[str, SourceFile] = {}
    kept, problems = [], []
    for file in files:
        task_id = file.data["task_id"]
        other = first.setdefault(task_id, file) if isinstance(task_id, str) else file
        if other is file:
            kept.append(file)
        elif other.data != file.data:
            message = f"'{task_id[:60]}' is that of {other.name}, too, with other content"
            problems.append(Problem(file.name, "task_id", message))
    return kept, problems


def _read(file: SourceFile) -> RVTask | Problem:
    try:
        return _task(PublishedTaskFile.model_validate(file.data))
    except ValidationError as error:
        field, _, sentence = describe(error)
        part = "observations." if error.title == Observation.__name__ else ""
        return Problem(file.name, part + field, sentence)
    except UsageError as error:
        return Problem(file.name, "config.planets", f"cannot be integrated: {error}")


def _task(source: PublishedTaskFile) -> RVTask:
    observation = _observation(source)
    planets = tuple(_planet(planet) for planet in source.config.planets)
    if not source.rv_only:
        observation, planets = _converted(observation, planets)
    noise = source.config.noise
    tier: Tier = "real" if source.real else tier_of(source.truth_difficulty)
    return RVTask.create(
        tier=tier,
        source_id=source.task_id,
        observation=observation,
        truth=Truth(
            planets=planets,
            instruments=tuple(Instrument(**dict(item)) for item in source.config.instruments),
            noise=Noise(
                sigma_white_ms=noise.sigma_white_ms,
                sigma_jitter_ms=noise.sigma_jitter_ms,
                gp=_rotation_gp(noise.gp),
            ),
            forward_model="keplerian",
        ),
        difficulty=source.truth_difficulty,
        difficulty_terms=source.difficulty_details,
        meta={
            **source.meta,
            "benchmark": "stargazer",
            "engine": source.config.engine,
            "conversion": "none" if source.rv_only else "nbody_to_keplerian",
        },
    )


def _observation(source: PublishedTaskFile) -> Observation:
    seen = source.observations
    columns = {name: getattr(seen, name) for name in PublishedObservations.model_fields}
    n = len(seen.times_days)
    if source.real and all(len(column) == n for column in columns.values()):
        order = np.argsort(seen.times_days, kind="stable")
        columns = {
            name: column[order]
            if isinstance(column, np.ndarray)
            else tuple(column[i] for i in order)
            for name, column in columns.items()
        }
    return Observation(
        **columns,
        star_mass_sun=source.config.star.M_star_sun,
        t_ref_days=float(seen.times_days[0]) if n else 0.0,
    )


def _planet(planet: PublishedPlanet) -> Planet:
    return Planet(
        period_days=planet.P_days,
        m_sin_i_mjup=planet.m_sin_i_mjup,
        e=planet.e,
        omega_rad=planet.omega_rad,
        l_rad=planet.l_rad,
        Omega_rad=planet.Omega_rad,
        inc_rad=planet.inc_rad,
    )


def _rotation_gp(gp: PublishedRotationGP | None) -> RotationGP | None:
    if gp is None or not gp.use_gp:
        return None
    return RotationGP(**gp.model_dump(exclude={"use_gp"}))


def _converted(
    observation: Observation, planets: tuple[Planet, ...]
) -> tuple[Observation, tuple[Planet, ...]]:
    """The N-body signal taken out, the Keplerian one put in."""
    times, star_mass = observation.times_days, observation.star_mass_sun
    shortest = min(planet.period_days for planet in planets)
    periods = float(np.abs(times).max()) / shortest
    if periods > MAX_INNER_PERIODS:
        raise UsageError(f"{periods:.3g} periods of {shortest:g} d, at most {MAX_INNER_PERIODS}")
    nbody = nbody_velocities_ms(times, planets, star_mass)
    planets = tuple(
        planet.model_copy(
            update={"l_rad": (planet.l_rad - planet.Omega_rad) % math.tau, "Omega_rad": 0.0}
        )
        for planet in planets
    )
    kepler = radial_velocity_ms(times, planets, star_mass, observation.t_ref_days)
    columns = dict(observation) | {"rvs_ms": observation.rvs_ms - nbody + kepler}
    return Observation(**columns), planets
