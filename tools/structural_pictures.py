"""Pictures for docs/structural-reasons.md: what a simple pipeline made of a star, and what is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ecliptic.rv import orbit
from ecliptic.rv.inference.celerite import unwhiten_transposed, whiten
from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.inference.dynamical import without_interaction
from ecliptic.rv.inference.fitting import Fit, fit, start_of, whitening
from ecliptic.rv.inference.scan import scan
from ecliptic.rv.oracle import planet_elements
from ecliptic.rv.panels import COLOURS, MARKERS, TRUE
from ecliptic.rv.plots import STYLE
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.solvers.submissions import submission_of_joint
from ecliptic.rv.submission import read_submission
from ecliptic.rv.tasks import RVTask

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Attempt:
    """What a solver handed in, its model, and the verdict."""

    submission: dict[str, Any]
    model: Fit
    levels: tuple[Fit, ...]
    passed: bool
    why: str
    rms_ms: float

    @classmethod
    def of(cls, task: RVTask, model: Fit, levels: Sequence[Fit] = ()) -> Attempt:
        return cls._judged(task, submission_of_joint(model), model, levels)

    @classmethod
    def of_submission(cls, task: RVTask, submission: dict[str, Any]) -> Attempt:
        """The model of a submission, its noise fitted, the planets' mutual pull held."""
        planets = read_submission(submission).planets
        rows = planet_elements(planets, task.observation.star_mass_sun)
        problem = problem_of(task.observation)
        found = fit(problem, start_of(problem, rows))
        if problem.family.forward_model == "nbody":
            still = without_interaction(problem, planets)  # type: ignore[arg-type]
            found = fit(still, start_of(still, rows))
        return cls._judged(task, submission, found, ())

    @classmethod
    def _judged(
        cls, task: RVTask, submission: dict[str, Any], model: Fit, levels: Sequence[Fit]
    ) -> Attempt:
        verdict = evaluate(task, submission, protocol="strict")
        failed = [name for name, each in verdict.criteria.items() if not each.passed]
        why = "passed" if verdict.passed else f"fails {', '.join(failed)}"
        return cls(submission, model, tuple(levels), verdict.passed, why, verdict.details["rms_ms"])

    @property
    def periods(self) -> list[float]:
        """In days, in order."""
        return [each["period_days"] for each in self.submission["planets"]]


WIDTH, HEIGHT = 10.0, 7.4
SIMPLE, RIGHT, GREY = "#B34700", "#005A8F", "#767676"
MOST_FOLDED, PHASES = 2, 400


def draw_reason(
    task: RVTask,
    simple: Attempt,
    reference: Attempt,
    lost: Sequence[float],
    false: Sequence[float],
) -> Figure:
    """The velocities on top, the simple pipeline in the middle, the reference at the bottom.

    ``lost``: true periods to fold at, the one that is looked for first; ``false``: periods of the
    simple pipeline.
    """
    import matplotlib as mpl

    with mpl.rc_context({**STYLE, "font.size": 10.5, "axes.titlesize": 10.5}):
        figure = Figure(figsize=(WIDTH, HEIGHT), dpi=130, layout="constrained")
        grid = figure.add_gridspec(3, 4, height_ratios=[1.0, 1.15, 1.15])
        indicator = task.observation.indicators[:1]
        top = figure.add_subplot(grid[0, : 3 if indicator else 4])
        draw_velocities(top, task, reference)
        if indicator:
            draw_indicator(figure.add_subplot(grid[0, 3]), task)
        level, taken = step_towards(task, simple, false[0]) if false else (simple.levels[-1], None)
        true = [planet.period_days for planet in task.truth.planets]
        shown = 0.7 * min([*true, *([] if taken is None else [taken])])
        rows = (
            (1, simple, level, taken, false, SIMPLE, "Simple pipeline"),
            (2, reference, less_one(reference, lost[0]), lost[0], lost, RIGHT, "Reference"),
        )
        for row, attempt, base, marked, folded, colour, name in rows:
            power = figure.add_subplot(grid[row, :2])
            draw_power(power, task, base, marked, colour, shown)
            ending = "passes" if attempt.passed else "fails"
            told = f"{name} {ending}: submits {len(attempt.periods)} for {len(true)} planets"
            power.set_title(told, loc="left", color=colour, weight="bold")
            for column, period in enumerate(folded[:MOST_FOLDED]):
                axis = figure.add_subplot(grid[row, 2 + column])
                draw_fold(axis, task, attempt, period, colour)
                if column == 0:
                    axis.set_ylabel("m/s")
                axis.set_xlabel("Orbital phase", labelpad=1)
            if len(folded) < MOST_FOLDED:
                axis = figure.add_subplot(grid[row, 2 + len(folded) :])
                axis.set_axis_off()
                told = f"No {'further ' if folded else ''}peak\nwas worth a planet"
                axis.text(
                    0.5, 0.5, told, ha="center", va="center", color=colour, transform=axis.transAxes
                )
    return figure


def nearest(periods: Sequence[float], period: float) -> int:
    """Number of the period next to one, in the logarithm."""
    return int(np.argmin(np.abs(np.log(np.array(periods) / period))))


def step_towards(task: RVTask, simple: Attempt, period: float) -> tuple[Fit, float | None]:
    """The step at which the simple pipeline took a period: the model before it, and the peak.

    Where refits have moved all planets since, the step of the first peak that is no planet's; where
    there is none, the last model, whose peak was not worth a planet.
    """
    resolution = 1.0 / float(np.ptp(task.observation.times_days))
    true = np.array([1.0 / planet.period_days for planet in task.truth.planets])
    peaks = [float(scan(level).peaks(1)[0]) for level in simple.levels[:-1]]
    for number, f in enumerate(peaks):
        if abs(f - 1.0 / period) < 0.5 * resolution:
            return simple.levels[number], 1.0 / f
    for number, f in enumerate(peaks):
        if np.abs(true - f).min() > 0.5 * resolution:
            return simple.levels[number], 1.0 / f
    return simple.levels[-1], None


def less_one(attempt: Attempt, period: float) -> Fit:
    """The model without the planet of a period, all else refitted."""
    model = attempt.model
    gone = nearest([1.0 / f for f in model.shape[:, 0].tolist()], period)
    return fit(model.problem, np.delete(model.shape, gone, axis=0), theta=model.theta)


def quiet_residuals(model: Fit) -> Array:
    """Residuals less the activity that the process predicts, m/s."""
    problem = model.problem
    A, d, W, _ = whitening(problem, model.theta)
    U, _, phi = problem.kernel
    if problem.gp is None:
        return model.residuals_ms
    data = problem.velocities
    jitters = np.array(model.noise.jitters_ms)[data.instruments]
    column = model.residuals_ms[:, np.newaxis].copy()
    whiten(column, A, U, phi, d, W)
    solved = column[:, 0].copy()
    unwhiten_transposed(solved, A, U, phi, d, W)
    left: Array = (data.variances + jitters**2) * solved
    return left


def draw_velocities(axis: Axes, task: RVTask, reference: Attempt) -> None:
    """The velocities less offsets, drifts, trend; the model's curve where it can be drawn."""
    data, model = task.observation, reference.model
    times = data.times_days - data.times_days[0]
    rows = model.elements()
    here = orbit.curves(data.times_days, data.t_ref_days, rows).sum(axis=0)
    fine = np.linspace(times[0], times[-1], 6000)
    curve = orbit.curves(fine + data.times_days[0], data.t_ref_days, rows).sum(axis=0)
    swift = times[-1] / rows[:, 0].min() > 60.0
    axis.plot(fine, curve, color=GREY, lw=0.35 if swift else 0.8, alpha=0.6, rasterized=True)
    points(axis, task, times, here + model.residuals_ms, label=True)
    axis.set_xlim(-0.01 * times[-1], 1.01 * times[-1])
    axis.set_xlabel("Days", labelpad=1)
    axis.set_ylabel("m/s")
    if len(data.instrument_labels) > 1:
        axis.legend(loc="lower left", bbox_to_anchor=(0.0, 0.98), ncols=4, borderaxespad=0.0,
                    handletextpad=0.2, columnspacing=1.0)  # fmt: skip


def draw_indicator(axis: Axes, task: RVTask) -> None:
    """The first indicator over time."""
    data = task.observation
    indicator = data.indicators[0]
    times = data.times_days - data.times_days[0]
    points(axis, task, times, np.array(indicator.values_ms))
    axis.set_title(f"indicator: {indicator.name}", loc="left")
    axis.set_xlabel("Days", labelpad=1)


def points(axis: Axes, task: RVTask, x: Array, y: Array, *, label: bool = False) -> None:
    data = task.observation
    for number, name in enumerate(data.instrument_labels):
        mine = data.instrument_index == number
        axis.errorbar(
            x[mine], y[mine], data.sigmas_ms[mine], fmt=MARKERS[number % len(MARKERS)],
            color=COLOURS[number % len(COLOURS)], ms=4.0, mew=0, elinewidth=0.8, alpha=0.9,
            label=name if label else None, zorder=3,
        )  # fmt: skip


def draw_power(
    axis: Axes, task: RVTask, base: Fit, marked: float | None, colour: str, shortest: float
) -> None:
    """Gain of one more sinusoid beside a model; what was taken, and the true periods."""
    power = scan(base, 8.0)
    axis.plot(1.0 / power.frequencies, power.power, color=GREY, lw=0.7, rasterized=True)
    axis.set_xscale("log")
    true = [planet.period_days for planet in task.truth.planets]
    family = base.problem.family
    shown = (max(shortest, family.period_min_days), family.period_max_days)
    axis.set_xlim(*shown)
    top = 1.22 * float(power.power.max())
    axis.set_ylim(0.0, top)
    axis.plot(true, np.zeros(len(true)), "^", color=TRUE, ms=9, mew=0, clip_on=False, zorder=5)
    for period in () if marked is None else (marked,):
        height = float(np.interp(1.0 / period, power.frequencies, power.power))
        near = np.abs(power.frequencies - 1.0 / period) < power.resolution
        height = max(height, float(power.power[near].max(initial=0.0)))
        axis.plot(period, height + 0.06 * top, "v", color=colour, ms=9, mew=0, zorder=5)
        right = np.log(period / shown[0]) > 0.75 * np.log(shown[1] / shown[0])
        axis.annotate(
            f"{period:.4g} d", (period, height + 0.06 * top), xytext=(-8 if right else 8, 0),
            textcoords="offset points", ha="right" if right else "left", va="center", color=colour,
        )  # fmt: skip
    gp = task.truth.noise.gp
    if gp is not None:
        axis.axvline(gp.period_days, color=GREY, lw=1.0, ls="--", zorder=0)
        axis.annotate("rotation", (gp.period_days, top), xytext=(3, -2), va="top", color=GREY,
                      textcoords="offset points", fontsize=9)  # fmt: skip
    axis.set_ylabel("Gain in ln L")
    axis.xaxis.set_major_formatter(lambda P, _: f"{P:g}")
    axis.set_xlabel("Period (days), ▲ true", labelpad=1)


def draw_fold(axis: Axes, task: RVTask, attempt: Attempt, period: float, colour: str) -> None:
    """One planet of a model, the others, slow terms and activity taken out."""
    data, model = task.observation, attempt.model
    rows = model.elements()
    row = rows[nearest(rows[:, 0].tolist(), period)]
    P = float(row[0])
    single = np.ascontiguousarray(row[np.newaxis])
    here = orbit.curves(data.times_days, data.t_ref_days, single)[0]
    phases = (data.times_days - data.t_ref_days) / P % 1.0
    points(axis, task, phases, here + quiet_residuals(model))
    fine = np.linspace(0.0, 1.0, PHASES)
    curve = orbit.curves(data.t_ref_days + fine * P, data.t_ref_days, single)[0]
    axis.plot(fine, curve, color=colour, lw=2.0, zorder=4)
    true = [planet.period_days for planet in task.truth.planets]
    partner = true[nearest(true, P)]
    known = abs(partner / P - 1.0) < 0.03
    told = f"{P:.4g} d, e {row[2]:.2f}" + ("" if known else ", false")
    axis.set_title(told, color=colour)
    axis.set_xlim(0.0, 1.0)
