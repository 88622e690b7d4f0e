"""Tables beside the charts of a star."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ecliptic.report.charts import Table, number

if TYPE_CHECKING:
    from ecliptic.rv import Observation
    from ecliptic.rv.panels import FittedModel

MAX_ROWS = 400


def point_table(data: Observation, model: FittedModel, epoch_days: float) -> Table:
    """Every point, the first 400 of many."""
    rows = [
        (number(t, 9), label, number(v, 4), number(s, 3), number(r, 3))
        for t, label, v, s, r in zip(
            data.times_days - epoch_days, data.instruments, data.rvs_ms - model.offsets,
            data.sigmas_ms, model.residuals, strict=True,
        )
    ]  # fmt: skip
    columns = ("Time (days)", "Instrument", "Velocity (m/s)", "Error (m/s)", "Residual (m/s)")
    return Table(columns, rows[:MAX_ROWS], "Velocities less their offsets", frozenset({2, 3, 4}))


def instrument_table(data: Observation, model: FittedModel) -> Table:
    """Residuals by instrument."""
    rows = []
    for index, label in enumerate(data.instrument_labels):
        mine = data.instrument_index == index
        rms = float(np.sqrt(np.mean(model.residuals[mine] ** 2)))
        error = float(np.median(data.sigmas_ms[mine]))
        rows.append((label, str(int(mine.sum())), number(rms, 3), number(error, 3)))
    columns = ("Instrument", "Points", "Residual RMS (m/s)", "Median error (m/s)")
    return Table(columns, rows, "Residuals by instrument", frozenset({1, 2, 3}))


def phase_table(phase: Any, values: Any, alone: Any, grid: Any) -> Table:
    """Means in ten bins of phase, beside one planet's curve ``alone`` on ``grid``."""
    rows = []
    for at in range(10):
        low, high = -0.5 + at / 10, -0.4 + at / 10
        mine = (phase >= low) & (phase < high)
        mean = number(float(np.mean(values[mine])), 3) if mine.any() else "–"
        model = number(float(np.interp((low + high) / 2, grid, alone)), 3)
        rows.append((f"{low:.1f} to {high:.1f}", str(int(mine.sum())), mean, model))
    columns = ("Phase", "Points", "Mean (m/s)", "Model (m/s)")
    return Table(columns, rows, "Mean velocity by phase", frozenset({1, 2, 3}))
