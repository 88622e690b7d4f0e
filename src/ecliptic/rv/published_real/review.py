"""What was wrong with each real task of the published benchmark, found by measurement.

The published planets say where to look; the velocities say the rest. In order: the file's rows
(sorted, repeated), zero points that a label mixes, points in transit, terms of noise and trend that
the series demands, known planets that the file leaves out, other signals, planets that the series
does not show, the planets' mutual pull. The mended series is refitted as any archival star is, and
both the published and the refitted planets are graded under protocol ``archival``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ecliptic.rv.alternatives import without
from ecliptic.rv.archive.further_signals import further_signals
from ecliptic.rv.archive.joint_fit import solve
from ecliptic.rv.archive.model_choice import declared_family
from ecliptic.rv.archive.refitting import archival_task
from ecliptic.rv.archive.seeds import Seed, seeds_of_planets
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.oracle import as_submission
from ecliptic.rv.published_real.faults import Fault, RealFault, faults_of_planets, rms_fault
from ecliptic.rv.published_real.known import KnownStar, known_stars
from ecliptic.rv.published_real.mending import keplerian_fit, mended
from ecliptic.rv.refit_records import Measured
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.stargazer import read_published
from ecliptic.rv.stargazer_files import find_task_files
from ecliptic.rv.tasks import Observation, RVTask
from ecliptic.verdict import Verdict

WORTH, SUPPORT = 20.0, 10.0  # delta-BIC: to add a planet, to keep a published one
PULL_GAIN = 10.0


@dataclass(frozen=True, slots=True)
class Review:
    """One task: its faults, its refit, and the verdicts on both.

    Attributes
    ----------
    published, task
        The imported task, and the refitted one of the mended series.
    star
        What is known of it, if anything.
    faults
        In the order in which they were looked for.
    truth, oracle
        Verdicts under protocol ``archival`` on the published and on the refitted planets.
    paper
        The verdict of protocol ``paper`` on the published planets.
    dynamical
        RMS in m/s and ln L of the Keplerian and of the N-body model, where both were fitted.
    """

    published: RVTask
    task: RVTask
    star: KnownStar | None
    faults: tuple[Fault, ...]
    truth: Verdict
    oracle: Verdict
    paper: Verdict
    dynamical: dict[str, tuple[float, float]] = field(default_factory=dict)


def review_bank(path: str | os.PathLike[str]) -> Iterator[Review]:
    """Review the real tasks below ``path``, in the order of their names.

    Raises
    ------
    SuiteError
        Nothing at ``path`` looks like a published task.
    """
    tasks, _ = read_published(path)
    files, _ = find_task_files(Path(path).expanduser())
    times = {file.data["task_id"]: file.data["observations"]["times_days"] for file in files}
    for task in tasks:
        if task.tier == "real":
            in_file = np.array(times[task.source_id], dtype=np.float64)
            yield review(task, unsorted_rows=int((np.diff(in_file) < 0.0).sum()))


def review(task: RVTask, unsorted_rows: int = 0) -> Review:
    """The review of one imported task; ``unsorted_rows`` is told of its file."""
    star = known_stars().get(task.source_id or "")
    faults: list[Fault] = []
    if unsorted_rows:
        text = f"{unsorted_rows} rows of the file are earlier than the one before"
        faults.append(Fault(RealFault.UNSORTED, text))
    seeds = list(seeds_of_planets(task.truth.planets, task.observation.star_mass_sun))
    observation = mended(task.observation, seeds, star, faults)
    family = declared_family(observation, seeds)
    if family.trend_order or family.drifting:
        what = [f"a trend of order {family.trend_order}"] if family.trend_order else []
        what += [f"a drift of {label}" for label in family.drifting]
        faults.append(Fault(RealFault.TREND, f"the series demands {' and '.join(what)}"))
    observation = observation.model_copy(update={"family": family})
    observation, dynamical = _pulled(observation, seeds, star, faults)
    if observation.family is None or observation.family.forward_model == "keplerian":
        # What Keplerian orbits leave of interacting planets would pass for further ones.
        seeds = _with_missing(observation, seeds, star, faults)
        seeds = _without_unsupported(observation, seeds, faults)
    refitted = archival_task(
        observation,
        seeds,
        source_id=task.source_id or task.id,
        source="" if star is None else star.source,
        remarks=tuple(f"{fault.code}: {fault.text}" for fault in faults),
    )
    refit = refitted.truth.refit
    assert refit is not None
    faults += faults_of_planets(task, refitted)
    faults += rms_fault(task, refit.rms_ms)
    given = as_submission(task.truth.planets)
    return Review(
        published=task,
        task=refitted,
        star=star,
        faults=tuple(faults),
        truth=evaluate(refitted, given, "archival"),
        oracle=evaluate(refitted, as_submission(refitted.truth.planets), "archival"),
        paper=evaluate(task, given, "paper"),
        dynamical=dynamical,
    )


def _with_missing(
    observation: Observation, seeds: list[Seed], star: KnownStar | None, faults: list[Fault]
) -> list[Seed]:
    """Known planets that the file leaves out, expected; other signals, tolerated."""
    best = keplerian_fit(observation, seeds)
    for letter, period in star.further if star else ():
        seed = Seed(letter, {"period_days": Measured(value=period)})
        more = keplerian_fit(observation, [*seeds, seed])
        gain = best.bic - more.bic
        if gain > WORTH:
            K = float(more.elements()[-1, 1])
            text = f"planet {letter} at {period:g} d (K {K:.3g} m/s, delta-BIC {gain:.0f})"
            faults.append(Fault(RealFault.MISSING_PLANET, f"{text} is left out"))
            seeds, best = [*seeds, seed], more
    for seed, gain in list(further_signals(best, seeds)):
        text = f"another signal at {seed.period_days.value:.4g} d (delta-BIC {gain:.0f})"
        faults.append(Fault(RealFault.FURTHER_SIGNAL, f"{text} is in the series"))
        seeds = [*seeds, seed]
    return seeds


def _without_unsupported(
    observation: Observation, seeds: list[Seed], faults: list[Fault]
) -> list[Seed]:
    """Planets whose removal costs nothing become tolerated, the weakest first."""
    while True:
        expected = [seed for seed in seeds if seed.role == "expected"]
        best = keplerian_fit(observation, seeds)
        gains = {
            index: without(best, index).bic - best.bic
            for index, seed in enumerate(seeds)
            if seed.role == "expected"
        }
        weakest = min(gains, key=gains.__getitem__, default=None)
        if weakest is None or gains[weakest] >= SUPPORT or len(expected) == 1:
            return seeds
        seed = seeds[weakest]
        text = f"planet {seed.name} at {seed.period_days.value:g} d is not in the series"
        gained = f"delta-BIC {gains[weakest]:.0f}"
        faults.append(Fault(RealFault.UNSUPPORTED_PLANET, f"{text} ({gained})"))
        rest = [each for index, each in enumerate(seeds) if index != weakest]
        if gains[weakest] > 0.0:
            rest.append(replace(seed, role="tolerated", note="weak"))
        seeds = rest


def _pulled(
    observation: Observation, seeds: list[Seed], star: KnownStar | None, faults: list[Fault]
) -> tuple[Observation, dict[str, tuple[float, float]]]:
    """The observation with an N-body family where that explains the series better."""
    if star is None or not star.nbody:
        return observation, {}
    assert observation.family is not None
    figures = {}
    models = {}
    for model in ("keplerian", "nbody"):
        family = observation.family.model_copy(update={"forward_model": model})
        models[model] = observation.model_copy(update={"family": family})
        held = solve(Problem.of(models[model]), seeds).held
        figures[model] = (held.rms_ms, held.log_likelihood)
    gain = figures["nbody"][1] - figures["keplerian"][1]
    if gain <= PULL_GAIN:
        return observation, figures
    faults.append(
        Fault(
            RealFault.INTERACTION,
            f"the planets pull on each other: N-body residuals are {figures['nbody'][0]:.3g} m/s, "
            f"Keplerian ones {figures['keplerian'][0]:.3g} m/s (ln L gains {gain:.0f})",
        )
    )
    return models["nbody"], figures
