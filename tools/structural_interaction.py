"""The picture of planets that pull on each other: all that Keplerian orbits can do, and N-body."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from structural_pictures import GREY, HEIGHT, RIGHT, SIMPLE, WIDTH, Attempt, draw_power, points

from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.inference.dynamical import dynamical_velocities_ms, interaction_ms
from ecliptic.rv.inference.fitting import Fit, fit, start_of
from ecliptic.rv.inference.holding import hold
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.scan import scan
from ecliptic.rv.oracle import planet_elements
from ecliptic.rv.orbit import radial_velocity_ms
from ecliptic.rv.plots import STYLE
from ecliptic.rv.submission import read_submission
from ecliptic.rv.tasks import Observation, Planet, RVTask

CURVE_POINTS = 6000
SWIFT = 60.0  # orbits in the time span: beyond, a curve is a band
SHORTEST = 0.7  # of the shortest true period: where periodograms begin


def keplerian_fit(task: RVTask) -> Fit:
    """Keplerian orbits fitted from the true ones: the best start that there is."""
    problem = problem_of(task.observation)
    return fit(
        problem, start_of(problem, planet_elements(task.truth.planets, problem.star_mass_sun))
    )


def draw_interaction(task: RVTask, reference: Attempt) -> Figure:
    """Velocities and pull on top, what Keplerian orbits leave, and at the bottom what N-body does.

    Residuals have one scale, and so have the periodograms.
    """
    import matplotlib as mpl

    keplerian, planets = keplerian_fit(task), planets_of(reference)
    problem = problem_of(task.observation)
    integrated = hold(problem, planet_elements(planets, problem.star_mass_sun))
    with mpl.rc_context({**STYLE, "font.size": 10.5, "axes.titlesize": 10.5}):
        figure = Figure(figsize=(WIDTH, HEIGHT), dpi=130, layout="constrained")
        axes = figure.subplots(3, 2)
        draw_orbits(axes[0, 0], task, integrated, planets)
        draw_pull(axes[0, 1], task, integrated, planets)
        shown = SHORTEST * min(planet.period_days for planet in task.truth.planets)
        highest = 1.22 * max(float(scan(each).power.max()) for each in (keplerian, integrated))
        widest = 1.35 * max(
            float(np.abs(each.residuals_ms).max()) for each in (keplerian, integrated)
        )
        rows = (
            (keplerian, SIMPLE, "Keplerian orbits, fitted from the true ones"),
            (integrated, RIGHT, "Reference, planets integrated"),
        )
        for row, (model, colour, name) in enumerate(rows, start=1):
            left, right = axes[row]
            times = task.observation.times_days - task.observation.times_days[0]
            points(left, task, times, model.residuals_ms)
            left.axhline(0.0, color=colour, lw=1.2, zorder=4)
            left.set_ylim(-widest, widest)
            left.set_title(name, loc="left", color=colour, weight="bold")
            left.set_ylabel("Residuals (m/s)")
            left.set_xlabel("Days", labelpad=1)
            left.annotate(
                f"RMS {model.rms_ms:.2f} m/s, ln L {model.log_likelihood:.0f}", (0.02, 0.97),
                xycoords="axes fraction", va="top", color=colour,
            )  # fmt: skip
            draw_power(right, task, model, None, colour, shown)
            right.set_ylim(0.0, highest)
            right.set_title(
                "What one more planet would gain", loc="left", color=colour, weight="bold"
            )
    return figure


def planets_of(attempt: Attempt) -> tuple[Planet, ...]:
    """The submitted planets."""
    return tuple(
        Planet(**planet.model_dump(exclude_none=True))
        for planet in read_submission(attempt.submission).planets
    )


def between(task: RVTask) -> Problem:
    """The star at even times from the first observation to the last, nothing observed."""
    data = task.observation
    times = np.linspace(data.times_days[0], data.times_days[-1], CURVE_POINTS)
    blank = Observation(
        times_days=times, rvs_ms=np.zeros(CURVE_POINTS), sigmas_ms=np.ones(CURVE_POINTS),
        instruments=("",) * CURVE_POINTS, star_mass_sun=data.star_mass_sun,
    )  # fmt: skip
    return Problem.of(blank)


def draw_curve(axis: Axes, task: RVTask, planets: tuple[Planet, ...], *, less_orbits: bool) -> None:
    """The integrated velocity, or what of it the orbits without the pull do not have."""
    still = between(task)
    curve = dynamical_velocities_ms(still, planets)
    data = still.velocities
    if less_orbits:
        curve = curve - radial_velocity_ms(
            data.times_days, planets, still.star_mass_sun, data.reference_days
        )
    shortest = min(planet.period_days for planet in planets)
    swift = data.span_days / shortest > SWIFT
    axis.plot(
        data.times_days - data.times_days[0], curve, color=GREY, lw=0.35 if swift else 0.9,
        alpha=0.6, rasterized=True,
    )  # fmt: skip


def draw_orbits(axis: Axes, task: RVTask, model: Fit, planets: tuple[Planet, ...]) -> None:
    """The velocities less zero points, drifts and trend, and the integrated model."""
    data = task.observation
    times = data.times_days - data.times_days[0]
    draw_curve(axis, task, planets, less_orbits=False)
    here = dynamical_velocities_ms(problem_of(data), planets)
    points(axis, task, times, here + model.residuals_ms, label=True)
    axis.set_ylabel("Velocity (m/s)")
    axis.set_xlabel("Days", labelpad=1)
    if len(data.instrument_labels) > 1:
        axis.legend(loc="lower left", bbox_to_anchor=(0.0, 0.98), ncols=4, borderaxespad=0.0,
                    handletextpad=0.2, columnspacing=1.0)  # fmt: skip


def draw_pull(axis: Axes, task: RVTask, model: Fit, planets: tuple[Planet, ...]) -> None:
    """What the pull adds to the orbits that the planets would keep without it."""
    data = task.observation
    draw_curve(axis, task, planets, less_orbits=True)
    pull = interaction_ms(problem_of(data), planets)
    points(axis, task, data.times_days - data.times_days[0], pull + model.residuals_ms)
    axis.set_title("What the pull adds to the orbits of day 0", loc="left")
    axis.set_ylabel("Velocity (m/s)")
    axis.set_xlabel("Days", labelpad=1)
