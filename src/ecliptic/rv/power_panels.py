"""Periodogram panels of :mod:`ecliptic.rv.plots`, with false-alarm levels."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from ecliptic.rv.inference.periodogram import periodogram
from ecliptic.rv.panels import COLOURS, FAINT, TRUE, Array, FittedModel
from ecliptic.rv.tasks import Observation

FALSE_ALARM = 0.01
SPACING = 8.0  # frequencies in the inverse of the time span
MAX_FREQUENCIES = 100_000


def draw_periodograms(
    axes: Sequence[Axes], data: Observation, model: FittedModel, true: FittedModel | None
) -> None:
    """Of the data in the first, of the residuals in the second of ``axes``, if there is one."""
    series = (("Data", FittedModel.of(data, (), 0.0).residuals), ("Residuals", model.residuals))
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
