"""Pictures of a star's velocities and of a submission's model for them.

Figures are made with matplotlib's object interface and its Agg, PDF and SVG writers: no display,
no global state, so they may be made in any thread and in any number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from numpy.typing import NDArray

from ecliptic.errors import UsageError
from ecliptic.files import output_errors
from ecliptic.rv import orbit
from ecliptic.rv.assessment import elements, planet_rows
from ecliptic.rv.solvers.periodogram import periodogram
from ecliptic.rv.submission import SubmittedPlanet, read_submission
from ecliptic.rv.tasks import Observation, Planet, Truth

Array = NDArray[np.float64]
FORMATS = (".png", ".pdf", ".svg")
# Okabe & Ito's palette, which the colour-blind can tell apart; markers differ as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
MODEL, TRUE, FAINT = "#333333", "#CC3311", "#8A8A8A"
WIDTH_INCHES = 10.0
GRID_COLUMNS = 6
MAX_CURVE_POINTS = 20_000
MAX_CYCLES_DRAWN = 120
MAX_INSTRUMENTS_NAMED = 12
FALSE_ALARM = 0.01
SPACING = 8.0  # frequencies in the inverse of the time span
MAX_FREQUENCIES = 100_000
STYLE: dict[Any, Any] = {
    "font.size": 9.5,
    "axes.titlesize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}


@dataclass(frozen=True)
class _Model:
    """A set of planets, by increasing period, with the offsets that the data give them."""

    rows: Array
    """Elements as in :mod:`ecliptic.rv.orbit`, shape (n_planets, 5)."""
    planet_curves: Array
    """Each planet at the observed times, shape (n_planets, n)."""
    offsets: Array
    """The offset of each point's instrument, shape (n,)."""
    residuals: Array

    @classmethod
    def of(
        cls,
        data: Observation,
        planets: tuple[SubmittedPlanet, ...] | tuple[Planet, ...],
        sigma_jitter_ms: float,
    ) -> _Model:
        ordered = sorted(planets, key=lambda planet: planet.period_days)
        rows = elements(planet_rows(tuple(ordered)), data.star_mass_sun)  # type: ignore[arg-type]
        curves = orbit.curves(np.array(data.times_days), data.t_ref_days, rows)
        rest = data.rvs_ms - curves.sum(axis=0)
        weights = 1.0 / (data.sigmas_ms**2 + sigma_jitter_ms**2)
        index = data.instrument_index
        offsets = np.bincount(index, weights * rest) / np.bincount(index, weights)
        return cls(rows, curves, offsets[index], rest - offsets[index])

    def velocity(self, times_days: Array, t_ref_days: float) -> Array:
        """Velocity of all planets together, in m/s."""
        total: Array = orbit.curves(times_days, t_ref_days, self.rows).sum(axis=0)
        return total


def fit_figure(
    observation: Observation,
    submission: object = None,
    *,
    truth: Truth | None = None,
    title: str = "",
) -> Figure:
    """Draw the data and, if there is one, a submission's model, residuals and folded planets.

    Data are shown less the offset of their instrument: the weighted mean of what the model leaves,
    or of the velocities themselves where there is no model. Error bars are the quoted errors. A
    planet's phase is its mean longitude over 2 pi, so a circular orbit peaks at phase 0. The
    truth is drawn only if it is given.

    Raises
    ------
    SubmissionError
        The submission is malformed.
    """
    import matplotlib as mpl

    guess = None if submission is None else read_submission(submission)
    model = _Model.of(
        observation,
        guess.planets if guess else (),
        guess.sigma_jitter_ms if guess else 0.0,
    )
    true = None if truth is None else _Model.of(observation, truth.planets, 0.0)
    n_planets = len(model.rows)
    in_a_row = _phases_in_a_row(n_planets)
    n_phase_rows = math.ceil(n_planets / in_a_row)
    heights = [3.3, *([1.3] if guess else []), *[2.4] * n_phase_rows, *[1.6] * (1 + bool(guess))]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_INCHES, sum(heights)), dpi=120, layout="constrained")
        # One grid for everything, so that all panels begin and end at the same places.
        grid = figure.add_gridspec(len(heights), GRID_COLUMNS, height_ratios=heights)
        if title:
            figure.suptitle(title, fontsize=12, fontweight="bold")
        lowest = top = figure.add_subplot(grid[0, :])
        _draw_series(top, observation, model, true, has_model=guess is not None)
        if guess:
            lowest = figure.add_subplot(grid[1, :], sharex=top)
            top.tick_params(labelbottom=False)
            _draw_residuals(lowest, observation, model)
        _label_time(lowest, observation)
        for planet in range(n_planets):
            row, column = divmod(planet, in_a_row)
            width = GRID_COLUMNS // in_a_row
            place = grid[2 + row, width * column : width * (column + 1)]
            axis = figure.add_subplot(place)
            _draw_phase(axis, observation, model, planet)
            if column == 0:
                axis.set_ylabel("Velocity (m/s)")
        power = [figure.add_subplot(grid[-1, :])]
        if guess:
            power.insert(0, figure.add_subplot(grid[-2, :], sharex=power[0]))
            power[0].tick_params(labelbottom=False)
        _draw_periodograms(power, observation, model, true)
        figure.align_ylabels()
    return figure


def _phases_in_a_row(n_planets: int) -> int:
    return n_planets if 1 <= n_planets <= 3 else 2 if n_planets == 4 else 3


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure as PNG, PDF or SVG, by the ending of ``path``.

    Raises
    ------
    UsageError
        Another ending.
    OutputError
        The file cannot be written.
    """
    check_format(path)
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from ecliptic.files import atomic_file

    FigureCanvasAgg(figure)
    with output_errors(path), mpl.rc_context(STYLE), atomic_file(path) as file:
        figure.savefig(file, format=path.suffix.lower()[1:])


def check_format(path: Path) -> None:
    """Raise a UsageError unless a figure can be written to a file of this ending."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{path}: a picture's name must end in {', '.join(FORMATS)}")


def _epoch_days(data: Observation) -> float:
    """What is subtracted from Julian dates, so that the axis shows no seven digits."""
    first = float(data.times_days[0])
    return 0.0 if abs(first) < 10_000 else math.floor(first / 1000) * 1000.0


def _label_time(axis: Axes, data: Observation) -> None:
    epoch = _epoch_days(data)
    axis.set_xlabel(f"Time − {epoch:,.0f} (days)".replace(",", " ") if epoch else "Time (days)")


def _draw_points(axis: Axes, x: Array, y: Array, data: Observation, *, label: bool = False) -> None:
    n = len(x)
    size = 4.5 if n <= 100 else 3.6 if n <= 300 else 3.0
    many = len(data.instrument_labels) > MAX_INSTRUMENTS_NAMED
    for index, name in enumerate(data.instrument_labels):
        mine = data.instrument_index == index
        axis.errorbar(
            x[mine],
            y[mine],
            data.sigmas_ms[mine],
            fmt=MARKERS[index % len(MARKERS)],
            color=COLOURS[index % len(COLOURS)],
            ms=size,
            mew=0,
            elinewidth=0.8,
            alpha=0.9 if n <= 300 else 0.6,
            label=_short(name) if label and not many else None,
            zorder=3,
        )


def _short(name: str) -> str:
    text = name.replace("$", r"\$")  # a label is a name, never mathematics
    return text if len(text) <= 20 else text[:19] + "…"


def _draw_series(
    axis: Axes, data: Observation, model: _Model, true: _Model | None, *, has_model: bool
) -> None:
    epoch = _epoch_days(data)
    low, high = float(data.times_days[0]), float(data.times_days[-1])
    margin = 0.02 * (high - low) or 1.0
    if has_model and len(model.rows):
        _draw_curve(axis, model, low - margin, high + margin, data.t_ref_days, epoch)
    if true is not None and len(true.rows):
        shift = float(np.mean(true.offsets - model.offsets))
        _draw_curve(
            axis, true, low - margin, high + margin, data.t_ref_days, epoch, shift, is_truth=True
        )
    _draw_points(axis, data.times_days - epoch, data.rvs_ms - model.offsets, data, label=True)
    axis.set_ylabel("Velocity (m/s)")
    axis.margins(x=0)
    axis.set_xlim(low - margin - epoch, high + margin - epoch)
    names = axis.get_legend_handles_labels()[1]
    if names:
        axis.legend(
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=len(names) if sum(map(len, names)) + 6 * len(names) < 120 else 4,
            borderaxespad=0.2,
            handlelength=1.6,
            handletextpad=0.4,
            columnspacing=1.4,
            markerscale=1.0 if len(data.rvs_ms) <= 100 else 1.5,
        )


def _draw_curve(
    axis: Axes,
    model: _Model,
    low: float,
    high: float,
    t_ref_days: float,
    epoch: float,
    shift: float = 0.0,
    *,
    is_truth: bool = False,
) -> None:
    colour = TRUE if is_truth else MODEL
    label = "truth" if is_truth else "submission"
    cycles = (high - low) / float(model.rows[:, 0].min())
    times = np.linspace(low, high, int(np.clip(60 * cycles, 1000, MAX_CURVE_POINTS)))
    velocity = model.velocity(times, t_ref_days) + shift
    if cycles > MAX_CYCLES_DRAWN:  # lines would merge: show the range that they sweep
        bins = velocity.reshape(200, -1)
        middles = times.reshape(200, -1).mean(axis=1) - epoch
        band = bins.min(axis=1), bins.max(axis=1)
        label += " (range)"
        if is_truth:
            for edge in band:
                axis.plot(middles, edge, color=colour, lw=1.1, ls="--", label=label)
                label = "_"
        else:
            axis.fill_between(middles, *band, color=colour, alpha=0.15, lw=0, label=label)
        return
    axis.plot(
        times - epoch,
        velocity,
        color=colour,
        ls="--" if is_truth else "-",
        lw=1.1 if cycles < 40 else 0.6,
        zorder=2,
        label=label,
        rasterized=len(times) > 5000,
    )


def _draw_residuals(axis: Axes, data: Observation, model: _Model) -> None:
    axis.axhline(0.0, color=FAINT, lw=0.8)
    _draw_points(axis, data.times_days - _epoch_days(data), model.residuals, data)
    rms = float(np.sqrt(np.mean(model.residuals**2)))
    axis.set_ylabel("Residual (m/s)")
    axis.set_title(
        f"RMS {rms:.3g} m/s, median error {np.median(data.sigmas_ms):.3g} m/s", loc="right", pad=3
    )


def _draw_phase(axis: Axes, data: Observation, model: _Model, planet: int) -> None:
    P, K, e, omega, M0 = model.rows[planet]
    start = (omega + M0) / (2.0 * math.pi)
    phase = np.mod((data.times_days - data.t_ref_days) / P + start + 0.5, 1.0) - 0.5
    grid = np.linspace(-0.5, 0.5, 400)
    times = data.t_ref_days + P * (grid - start)
    alone = orbit.curves(times, data.t_ref_days, model.rows[planet : planet + 1])[0]
    axis.plot(grid, alone, color=MODEL, lw=1.3, zorder=4)
    _draw_points(axis, phase, model.residuals + model.planet_curves[planet], data)
    axis.set_xlim(-0.5, 0.5)
    axis.set_xlabel("Phase")
    axis.set_title(f"{planet + 1}: P = {P:.5g} d, K = {K:.3g} m/s, e = {e:.2f}", loc="left")


def _draw_periodograms(
    axes: Sequence[Axes], data: Observation, model: _Model, true: _Model | None
) -> None:
    """Of the data in the first, of the residuals in the second of ``axes``, if there is one."""
    series = (("Data", _Model.of(data, (), 0.0).residuals), ("Residuals", model.residuals))
    periods = [*model.rows[:, 0], *(true.rows[:, 0] if true is not None else ())]
    span = float(data.times_days[-1] - data.times_days[0])
    shortest = min([1.1, *(0.8 * P for P in periods)])
    shortest = max(shortest, SPACING * span / MAX_FREQUENCIES)
    longest = max([2.0 * span, 2.0 * shortest, *(1.25 * P for P in periods)])
    for axis, (name, values) in zip(axes, series, strict=False):
        axis.set_xscale("log")
        axis.set_xlim(shortest, longest)
        axis.set_ylabel(f"{name}\npower")
        axis.xaxis.set_major_locator(LogLocator(10, subs=(1.0, 2.0, 5.0)))
        axis.xaxis.set_major_formatter(FuncFormatter(lambda P, _: f"{P:g}"))
        axis.xaxis.set_minor_formatter(NullFormatter())
        _draw_power(axis, data, values, shortest, longest)
        if true is not None:
            bottom = axis.get_xaxis_transform()
            for P in true.rows[:, 0]:
                axis.plot(P, 0.0, "^", color=TRUE, ms=8, mew=0, transform=bottom, clip_on=False)
        for P in model.rows[:, 0]:
            axis.axvline(P, color=COLOURS[1], lw=1.0, ls=":", zorder=1)
    _number_periods(axes[0], model.rows[:, 0])
    if true is not None:
        axes[-1].set_title("▲ true periods", color=TRUE, loc="right", pad=3)
    axes[-1].set_xlabel("Period (days)")


def _number_periods(axis: Axes, periods: Sequence[float] | Array) -> None:
    """Number the marked periods along the top, those too close together with one label."""
    low, high = axis.get_xlim()
    width = math.log(high / low)
    groups: list[list[int]] = []
    for index, P in enumerate(periods):
        if groups and math.log(P / periods[groups[-1][-1]]) < 0.02 * width:
            groups[-1].append(index)
        else:
            groups.append([index])
    for group in groups:
        middle = math.exp(float(np.mean(np.log([periods[index] for index in group]))))
        axis.annotate(
            ", ".join(str(index + 1) for index in group),
            (middle, 1.0),
            xytext=(0, 2),
            xycoords=axis.get_xaxis_transform(),
            textcoords="offset points",
            ha="center",
            color=COLOURS[1],
            fontweight="bold",
        )


def _draw_power(
    axis: Axes, data: Observation, values: Array, shortest: float, longest: float
) -> None:
    span = float(data.times_days[-1] - data.times_days[0])
    power = periodogram(
        data.times_days,
        values,
        data.sigmas_ms**2,
        shortest,
        longest,
        oversampling=30.0 if span < 1000.0 * shortest else SPACING,
    )
    if not len(power.power):
        axis.set_yticks([])
        axis.text(0.5, 0.5, "too few points for a periodogram", ha="center", va="center",
                  transform=axis.transAxes, color=FAINT)  # fmt: skip
        return
    many = len(power.power) > 5000
    axis.plot(1.0 / power.frequencies, power.power, color=COLOURS[0], lw=0.7, rasterized=many)
    level = false_alarm_level(len(values), 1.0 / shortest - 1.0 / longest, power.resolution)
    axis.set_ylim(0.0, 1.15 * max(float(power.power.max()), level))
    axis.axhline(level, color=FAINT, lw=0.9, ls="--")
    low = level < 0.5 * axis.get_ylim()[1]
    axis.annotate(
        f"{100 * FALSE_ALARM:g} % false alarm",
        (1.0, level),
        xytext=(-2, 2 if low else -2),
        xycoords=axis.get_yaxis_transform(),
        textcoords="offset points",
        ha="right",
        va="bottom" if low else "top",
        color="#5A5A5A",
        fontsize=8,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.5},
    )


def false_alarm_level(
    n: int, bandwidth: float, resolution: float, probability: float = FALSE_ALARM
) -> float:
    r"""Power that white noise exceeds anywhere in the band with this probability.

    .. math::
       \mathrm{FAP} = 1 - \bigl[1 - (1 - p)^{(n - 3)/2}\bigr]^M

    (Zechmeister & Kürster 2009, eqs. 24 and 25) with M = ``bandwidth / resolution`` independent
    frequencies, both in 1/day, for n > 3 points.
    """
    independent = max(bandwidth / resolution, 1.0)
    single: float = -math.expm1(math.log1p(-probability) / independent)
    return float(1.0 - single ** (2.0 / (n - 3)))
