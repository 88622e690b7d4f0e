"""Panels over time and over orbital phase: the parts of :mod:`ecliptic.rv.plots`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from ecliptic.rv import orbit
from ecliptic.rv.assessment import elements, planet_rows
from ecliptic.rv.submission import SubmittedPlanet
from ecliptic.rv.tasks import Observation, Planet

Array = NDArray[np.float64]
# Okabe & Ito's palette, which the colour-blind can tell apart; markers differ as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
MODEL, TRUE, FAINT = "#333333", "#CC3311", "#8A8A8A"
MAX_CURVE_POINTS = 20_000
MAX_CYCLES_DRAWN = 120
BINS = 200
MAX_INSTRUMENTS_NAMED = 12


@dataclass(frozen=True)
class FittedModel:
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
    ) -> FittedModel:
        """Planets as they are, offsets by weighted means of what they leave (as the grader's)."""
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


def _epoch_days(data: Observation) -> float:
    """What is subtracted from Julian dates, so that the axis shows no seven digits."""
    first = float(data.times_days[0])
    return 0.0 if abs(first) < 10_000 else math.floor(first / 1000) * 1000.0


def label_time(axis: Axes, data: Observation) -> None:
    """Name the axis of time and what was subtracted from it."""
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


def draw_series(
    axis: Axes, data: Observation, model: FittedModel, true: FittedModel | None, *, has_model: bool
) -> None:
    """Velocities less their offsets, with the curves of a submission and of the truth."""
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
    model: FittedModel,
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
    points = int(np.clip(60 * cycles, 1000, MAX_CURVE_POINTS))
    times = np.linspace(low, high, points - points % BINS)
    velocity = model.velocity(times, t_ref_days) + shift
    if cycles > MAX_CYCLES_DRAWN:  # lines would merge: show the range that they sweep
        bins = velocity.reshape(BINS, -1)
        middles = times.reshape(BINS, -1).mean(axis=1) - epoch
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


def draw_residuals(axis: Axes, data: Observation, model: FittedModel) -> None:
    """What the model leaves, and its RMS."""
    axis.axhline(0.0, color=FAINT, lw=0.8)
    _draw_points(axis, data.times_days - _epoch_days(data), model.residuals, data)
    rms = float(np.sqrt(np.mean(model.residuals**2)))
    axis.set_ylabel("Residual (m/s)")
    axis.set_title(
        f"RMS {rms:.3g} m/s, median error {np.median(data.sigmas_ms):.3g} m/s", loc="right", pad=3
    )


def draw_phase(axis: Axes, data: Observation, model: FittedModel, planet: int) -> None:
    """One planet alone, folded by its period; phase is the mean longitude over 2 pi."""
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
