"""From named columns to a series: units, order and repeated rows are settled here, for all formats.

A format's reader only says which column is which, and what its file states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ecliptic.errors import TaskError, UsageError
from ecliptic.rv.archive.declared import Declared, check_errors, full_dates, velocity_factor
from ecliptic.rv.archive.series import ArchivalSeries, SeriesIndicator, Source, TimeReference
from ecliptic.rv.archive.text_tables import Columns, TextFile

SAME_TIME_DAYS = 1e-6
_GAP_MS = 300.0
_GAP_SCATTERS = 5.0
_GROUP = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Which column is which, and what the file itself states of them.

    ``indicators`` maps a name to its column, its errors' column (or nothing) and its unit.
    """

    format: str
    time: str
    velocity: str
    error: str | None
    instrument: str | None = None
    velocity_unit: str | None = None
    time_offset_days: float | None = None
    time_reference: TimeReference | None = None
    indicators: Mapping[str, tuple[str, str | None, str]] = field(default_factory=dict)
    rows: NDArray[np.bool_] | None = None
    remarks: tuple[str, ...] = ()


def assemble(
    file: TextFile, columns: Columns, layout: Layout, declared: Declared
) -> ArchivalSeries:
    """The series that a file holds, ordered in time, rows that are repeated word for word once.

    Raises
    ------
    TaskError
        A damaged or implausible value, with column and row.
    UsageError
        Something is neither in the file nor stated; the message names the argument.
    """
    where = file.where
    factor = velocity_factor(where, layout.velocity, layout.velocity_unit, declared)
    rows = np.ones(len(columns), dtype=bool) if layout.rows is None else layout.rows
    index = np.flatnonzero(rows)
    if not len(index):
        raise TaskError(f"{where}: holds no velocities of the star")
    chosen = _Chosen(columns, index)
    times = full_dates(
        where, layout.time, chosen.numbers(layout.time), layout.time_offset_days, declared
    )
    velocities = chosen.numbers(layout.velocity) * factor
    sigmas = _sigmas(where, chosen, layout, declared, factor)
    labels = _labels(where, chosen, layout, declared)
    order, remarks = _order(times, velocities, sigmas, labels)
    remarks += _zero_points(velocities[order], [labels[row] for row in order])
    scale = declared.time_reference or layout.time_reference or "unstated"
    if layout.time_reference and declared.time_reference not in (None, layout.time_reference):
        raise UsageError(
            f"{where}: column '{layout.time}': times are {layout.time_reference} by the file "
            f"itself, {declared.time_reference} by time_reference; leave time_reference out"
        )
    indicators = []
    for name, (values_name, sigmas_name, unit) in layout.indicators.items():
        values = chosen.optional(values_name)
        errors = chosen.optional(sigmas_name) if sigmas_name else [None] * len(values)
        indicators.append(
            SeriesIndicator(
                name=name,
                unit=unit,
                values=tuple(values[row] for row in order),
                sigmas=tuple(errors[row] for row in order),
            )
        )
    source = Source(
        file=file.name,
        format=layout.format,
        sha256=file.sha256,
        points=len(order),
        instruments=tuple(dict.fromkeys(labels[row] for row in order)),
        stated=declared.stated(),
        remarks=(*layout.remarks, *remarks),
    )
    return ArchivalSeries(
        star=declared.star or file.name,
        times_bjd=times[order],
        time_reference=scale,
        rvs_ms=velocities[order],
        sigmas_ms=sigmas[order],
        instruments=tuple(labels[row] for row in order),
        indicators=tuple(indicators),
        sources=(source,),
    )


class _Chosen:
    """Columns cut to the rows that hold velocities of the star."""

    def __init__(self, columns: Columns, index: NDArray[np.intp]) -> None:
        self._columns = columns
        self._index = index

    def numbers(self, name: str) -> NDArray[np.float64]:
        if len(self._index) == len(self._columns):
            return self._columns.numbers(name)
        values = [self._columns.optional_numbers(name)[row] for row in self._index]
        if None in values:
            row = int(self._index[values.index(None)])
            raise TaskError(
                f"{self._columns.where}: column '{name}': row {row + 1} holds no number; "
                "complete or remove the row"
            )
        return np.array(values, dtype=np.float64)

    def optional(self, name: str) -> list[float | None]:
        values = self._columns.optional_numbers(name)
        return [values[row] for row in self._index]

    def cells(self, name: str) -> list[str]:
        cells = self._columns.cells(name)
        return [cells[row] for row in self._index]

    def __len__(self) -> int:
        return len(self._index)


def _sigmas(
    where: str, chosen: _Chosen, layout: Layout, declared: Declared, factor: float
) -> NDArray[np.float64]:
    if layout.error is None:
        if declared.sigma_ms is None:
            raise UsageError(
                f"{where}: column of the errors is missing; give sigma_ms (the error of every "
                "point in m/s) or a file that has one"
            )
        return np.full(len(chosen), declared.sigma_ms)
    if declared.sigma_ms is not None:
        raise UsageError(
            f"{where}: column '{layout.error}': holds errors, and sigma_ms is given as well; "
            "leave sigma_ms out"
        )
    sigmas = chosen.numbers(layout.error) * factor
    check_errors(where, layout.error, sigmas)
    return sigmas


def _labels(where: str, chosen: _Chosen, layout: Layout, declared: Declared) -> list[str]:
    if layout.instrument is None:
        if not declared.instrument:
            raise UsageError(
                f"{where}: column of the instruments is missing; give instrument='NAME' "
                "(all velocities then share one zero point)"
            )
        return [declared.instrument] * len(chosen)
    if declared.instrument is not None:
        raise UsageError(
            f"{where}: column '{layout.instrument}': names the instruments, and instrument is "
            "given as well; leave instrument out"
        )
    labels = chosen.cells(layout.instrument)
    if "" in labels:
        raise TaskError(
            f"{where}: column '{layout.instrument}': row {labels.index('') + 1} is empty; "
            "name the instrument of every row"
        )
    return labels


def _order(
    times: NDArray[np.float64],
    velocities: NDArray[np.float64],
    sigmas: NDArray[np.float64],
    labels: Sequence[str],
) -> tuple[list[int], list[str]]:
    """The rows to keep, in order of time, and what was found on the way."""
    remarks = []
    backwards = int((np.diff(times) < 0).sum())
    if backwards:
        remarks.append(f"rows were out of order in time ({backwards} steps back); sorted")
    order: list[int] = []
    seen: set[tuple[float, float, float, str]] = set()
    repeated = 0
    for row in np.argsort(times, kind="stable"):
        key = (float(times[row]), float(velocities[row]), float(sigmas[row]), labels[row])
        if key in seen:
            repeated += 1
            continue
        seen.add(key)
        order.append(int(row))
    if repeated:
        remarks.append(f"{repeated} rows repeated another word for word; left out")
    close = sum(
        abs(times[a] - times[b]) <= SAME_TIME_DAYS and labels[a] == labels[b]
        for a, b in pairwise(order)
    )
    if close:
        remarks.append(f"{close} pairs of points of one instrument share their time")
    return order, remarks


def _zero_points(velocities: NDArray[np.float64], labels: Sequence[str]) -> list[str]:
    """Instruments whose velocities fall into two groups, as if two zero points were mixed.

    The gap must be over 300 m/s and over five times the scatter within either group.
    """
    remarks = []
    for label in dict.fromkeys(labels):
        values = np.sort(velocities[[name == label for name in labels]])
        if len(values) < 2 * _GROUP:
            continue
        gaps = np.diff(values)[_GROUP - 1 : len(values) - _GROUP]
        place = int(np.argmax(gaps)) + _GROUP
        scatter = max(values[:place].std(), values[place:].std())
        gap_ms = float(values[place] - values[place - 1])
        if gap_ms > max(_GAP_MS, _GAP_SCATTERS * scatter):
            remarks.append(
                f"velocities of {label} fall into two groups {gap_ms:.0f} m/s apart: mixed zero "
                "points, or a companion of a star's mass"
            )
    return remarks
