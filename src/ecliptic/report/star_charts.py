"""Charts of a submission to a star: velocities and model, folded planets, periodograms.

All figures are those of :mod:`ecliptic.rv.plots`: offsets by weighted means of what the planets
leave, phase as mean longitude over 2 pi, power of Zechmeister & Kürster (2009).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ecliptic.report.charts import (
    COLOURS,
    FAINT,
    MODEL,
    SYMBOLS,
    TRUE,
    Chart,
    Table,
    number,
    plain,
)
from ecliptic.report.inert_text import chart_label
from ecliptic.report.star_tables import instrument_table, phase_table, point_table

if TYPE_CHECKING:
    from ecliptic.rv import Observation, RVTask
    from ecliptic.rv.panels import FittedModel
    from ecliptic.rv.submission import Submission

MAX_POINTS, MAX_CYCLES, BINS, PERIODOGRAM_POINTS = 1200, 60, 150, 700
MAX_NAMED = 8
MAX_SWEPT = 20_000
Traces = list[Mapping[str, Any]]


@dataclass(frozen=True)
class Drawn:
    """A star with one set of planets for it; ``key`` begins the keys of its charts."""

    key: str
    data: Observation
    model: FittedModel
    true: FittedModel | None

    @classmethod
    def of(cls, key: str, star: RVTask, submission: Submission | None) -> Drawn:
        """With the truth beside it."""
        from ecliptic.rv.panels import FittedModel

        data = star.observation
        planets = submission.planets if submission else ()
        jitter = submission.sigma_jitter_ms if submission else 0.0
        model = FittedModel.of(data, planets, jitter)
        return cls(key, data, model, FittedModel.of(data, star.truth.planets, 0.0))

    @cached_property
    def epoch_days(self) -> float:
        """Subtracted from Julian dates, so that the axis shows no seven digits."""
        first = float(self.data.times_days[0])
        return 0.0 if abs(first) < 10_000 else math.floor(first / 1000) * 1000.0

    def charts(self, *, all_points: bool) -> list[Chart]:
        """Velocities, then each planet folded, then the periodogram of the residuals."""
        folds = [self.fold(planet) for planet in range(len(self.model.rows))]
        return [self.series(all_points=all_points), *folds, self.periodogram(residuals=True)]

    def series(self, *, all_points: bool) -> Chart:
        """Velocities less their offsets, the curves of submission and truth, the residuals.

        Its table holds every point, or with ``all_points=False`` the residuals by instrument.
        """
        times, model = self.data.times_days - self.epoch_days, self.model
        traces: Traces = []
        if self.true is not None:
            shift = float(np.mean(self.true.offsets - model.offsets))
            traces += self._curve(self.true, "truth", TRUE, shift, dash="dash")
        if len(model.rows):
            traces += self._curve(model, "submission", MODEL, 0.0)
        traces += self._points(times, self.data.rvs_ms - model.offsets)
        traces += self._points(times, model.residuals, axis="y2", legend=False)
        rms = float(np.sqrt(np.mean(model.residuals**2)))
        name = f"Time − {self.epoch_days:.0f} (days)" if self.epoch_days else "Time (days)"
        return Chart(
            key=f"{self.key}-series",
            title="Velocities and model",
            summary=f"{len(times)} velocities with the curve of {len(model.rows)} submitted planets"
            f"; residual RMS {number(rms, 3)} m/s against a median error of "
            f"{number(float(np.median(self.data.sigmas_ms)), 3)} m/s.",
            traces=traces,
            layout={
                "xaxis": {"title": {"text": name}, "anchor": "y2"},
                "yaxis": {"title": {"text": "Velocity (m/s)"}, "domain": [0.34, 1]},
                "yaxis2": {
                    "title": {"text": "Residual (m/s)"},
                    "domain": [0, 0.26],
                    "zeroline": True,
                },
                "showlegend": True,
            },
            table=point_table(self.data, self.model, self.epoch_days)
            if all_points
            else instrument_table(self.data, self.model),
            height=420,
        )

    def fold(self, planet: int) -> Chart:
        """One planet alone, folded by its period."""
        from ecliptic.rv import orbit

        P, K, e, omega, M0 = (float(each) for each in self.model.rows[planet])
        start = (omega + M0) / (2.0 * math.pi)
        t_ref = self.data.t_ref_days
        phase = np.mod((self.data.times_days - t_ref) / P + start + 0.5, 1.0) - 0.5
        grid = np.linspace(-0.5, 0.5, 121)
        row = self.model.rows[planet : planet + 1]
        alone = orbit.curves(t_ref + P * (grid - start), t_ref, row)[0]
        values = self.model.residuals + self.model.planet_curves[planet]
        traces: Traces = self._points(phase, values, legend=False)
        traces.append(
            {"type": "scatter", "mode": "lines", "x0": -0.5, "dx": round(1 / 120, 8),
             "y": plain(alone), "line": {"color": MODEL, "width": 2}, "showlegend": False,
             "hoverinfo": "skip"}
        )  # fmt: skip
        figures = f"P {number(P, 6)} d, K {number(K, 3)} m/s, e {e:.2f}"
        return Chart(
            key=f"{self.key}-fold{planet + 1}",
            title=f"Planet {planet + 1}: {figures}",
            summary=f"Velocities less all other planets, folded by {number(P, 6)} days.",
            traces=traces,
            layout={"xaxis": {"title": {"text": "Phase (orbits)"}, "range": [-0.5, 0.5]},
                    "yaxis": {"title": {"text": "Velocity (m/s)"}}},
            table=phase_table(phase, values, alone, grid),
            height=260,
        )  # fmt: skip

    def periodogram(self, *, residuals: bool) -> Chart:
        """Of the residuals, or of the velocities themselves."""
        from ecliptic.rv.inference.periodogram import periodogram
        from ecliptic.rv.panels import FittedModel
        from ecliptic.rv.power_panels import false_alarm_level

        data = self.data
        values = self.model.residuals if residuals else FittedModel.of(data, (), 0.0).residuals
        true = [] if self.true is None else [float(P) for P in self.true.rows[:, 0]]
        mine = [float(P) for P in self.model.rows[:, 0]]
        span = float(data.times_days[-1] - data.times_days[0])
        shortest = max(min([1.1, *(0.8 * P for P in (*true, *mine))]), 8.0 * span / 100_000)
        longest = max([2.0 * span, 2.0 * shortest, *(1.25 * P for P in true)])
        power = periodogram(data.times_days, values, data.sigmas_ms**2, shortest, longest)
        traces: Traces = []
        peaks: list[tuple[float, float]] = []
        if len(power.power):
            periods, heights = _envelope(1.0 / power.frequencies, power.power)
            traces.append(
                {"type": "scatter", "mode": "lines", "x": plain(periods, 6),
                 "y": plain(heights, 4), "line": {"color": COLOURS[0], "width": 1},
                 "name": "power", "hovertemplate": "%{x:.5g} d: %{y:.3f}<extra></extra>"}
            )  # fmt: skip
            band = 1.0 / shortest - 1.0 / longest
            level = false_alarm_level(len(values), band, power.resolution)
            traces.append(_line([shortest, longest], [level] * 2, "1 % false alarm", FAINT, "dash"))
            found = power.peaks(5, 1.0)
            heights_at = np.interp(found, power.frequencies, power.power)
            peaks = [(1.0 / float(f), float(p)) for f, p in zip(found, heights_at, strict=True)]
        top = max([height for _, height in peaks], default=1.0)
        marks = (("submitted", mine, MODEL, "triangle-down"), ("true", true, TRUE, "triangle-up"))
        for name, at, colour, symbol in marks:
            if at:
                traces.append(
                    {"type": "scatter", "mode": "markers", "x": plain(at, 6),
                     "y": [0.0 if name == "true" else round(1.05 * top, 4)] * len(at),
                     "name": name, "marker": {"symbol": symbol, "size": 10, "color": colour},
                     "cliponaxis": False, "hovertemplate": f"{name} %{{x:.6g}} d<extra></extra>"}
                )  # fmt: skip
        what = "residuals" if residuals else "velocities"
        strongest = f"; the strongest period is {number(peaks[0][0], 6)} days" if peaks else ""
        return Chart(
            key=f"{self.key}-{what}-power",
            title=f"Periodogram of the {what}",
            summary=f"Power against period{strongest}.",
            traces=traces,
            layout={
                "xaxis": {"title": {"text": "Period (days)"}, "type": "log",
                          "tickvals": _decades(shortest, longest),
                          "range": [math.log10(shortest), math.log10(longest)]},
                "yaxis": {"title": {"text": "Power"}, "rangemode": "tozero"},
                "showlegend": True,
            },
            table=Table(
                ("Peak", "Period (days)", "Power"),
                [(str(at), number(P, 6), number(p, 3)) for at, (P, p) in enumerate(peaks, 1)],
                f"Strongest periods of the {what}",
                frozenset({1, 2}),
            ),
            height=260,
        )  # fmt: skip

    def _points(self, x: Any, y: Any, *, axis: str = "y", legend: bool = True) -> Traces:
        traces: Traces = []
        labels = self.data.instrument_labels
        for index, label in enumerate(labels):
            mine = self.data.instrument_index == index
            traces.append(
                {"type": "scatter", "mode": "markers", "x": plain(x[mine], 8),
                 "y": plain(y[mine], 4), "yaxis": axis, "name": chart_label(label, 20),
                 "showlegend": legend and len(labels) <= MAX_NAMED, "legendgroup": f"i{index}",
                 "marker": {"color": COLOURS[index % len(COLOURS)],
                            "symbol": SYMBOLS[index % len(SYMBOLS)], "size": 6},
                 "error_y": {"type": "data", "array": plain(self.data.sigmas_ms[mine], 3),
                             "thickness": 1, "width": 0},
                 "hovertemplate": "%{x:.5g}: %{y:.2f} m/s"}
            )  # fmt: skip
        return traces

    def _curve(
        self, model: FittedModel, name: str, colour: str, shift: float, dash: str = "solid"
    ) -> Traces:
        if not len(model.rows):
            return []
        low, high = float(self.data.times_days[0]), float(self.data.times_days[-1])
        margin = 0.02 * (high - low) or 1.0
        low, high = low - margin, high + margin
        cycles = (high - low) / float(model.rows[:, 0].min())
        x0 = low - self.epoch_days
        if cycles <= MAX_CYCLES:
            times = np.linspace(low, high, int(np.clip(30 * cycles, 200, MAX_POINTS)))
            velocity = model.velocity(times, self.data.t_ref_days) + shift
            return [
                {"type": "scatter", "mode": "lines", "x0": round(x0, 6),
                 "dx": round(float(times[1] - times[0]), 9), "y": plain(velocity, 4), "name": name,
                 "line": {"color": colour, "width": 1.5, "dash": dash}, "hoverinfo": "skip"}
            ]  # fmt: skip
        # Lines would merge: the range that they sweep.
        each = int(np.clip(60 * cycles, 8 * BINS, MAX_SWEPT)) // BINS
        times = np.linspace(low, high, BINS * each)
        bins = (model.velocity(times, self.data.t_ref_days) + shift).reshape(BINS, -1)
        style = {"type": "scatter", "mode": "lines", "x0": round(x0, 6), "hoverinfo": "skip",
                 "dx": round((high - low) / BINS, 9), "legendgroup": name,
                 "line": {"color": colour, "width": 1, "dash": dash}}  # fmt: skip
        fill = {} if dash != "solid" else {"fill": "tonexty", "fillcolor": "var(--band)"}
        return [
            {**style, "y": plain(bins.min(axis=1), 4), "showlegend": False, "name": name},
            {**style, "y": plain(bins.max(axis=1), 4), "name": f"{name} (range)", **fill},
        ]


def _decades(low: float, high: float) -> list[float]:
    """Round figures (1, 3, 10, 30 ...) within limits, each to be written out in full."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [float(f"{step}e{power}") for power in powers for step in (1, 3)]
    return [tick for tick in ticks if low <= tick <= high]


def _line(x: Sequence[float], y: Sequence[float], name: str, colour: str, dash: str) -> Any:
    return {"type": "scatter", "mode": "lines", "x": plain(x, 6), "y": plain(y, 4), "name": name,
            "line": {"color": colour, "width": 1, "dash": dash}, "hoverinfo": "skip"}  # fmt: skip


def _envelope(periods: Iterable[float], power: Any) -> tuple[Any, Any]:
    """The highest point of each of many bins of log period, by period."""
    x = np.asarray(periods)[::-1]
    y = np.asarray(power)[::-1]
    if len(x) <= PERIODOGRAM_POINTS:
        return x, y
    edges = np.linspace(math.log(x[0]), math.log(x[-1]), PERIODOGRAM_POINTS + 1)
    cells = np.clip(np.searchsorted(edges, np.log(x), side="right") - 1, 0, PERIODOGRAM_POINTS - 1)
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    best = [start + int(np.argmax(part)) for start, part in
            zip(starts, np.split(y, starts[1:]), strict=True)]  # fmt: skip
    return x[best], y[best]
