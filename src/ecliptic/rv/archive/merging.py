"""Several series of one star become one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ecliptic.errors import UsageError
from ecliptic.rv.archive.series import ArchivalSeries, SeriesIndicator


def merge(parts: Sequence[ArchivalSeries], star: str = "") -> ArchivalSeries:
    """All points of ``parts``, ordered in time; a point without an indicator has ``None`` there.

    Raises
    ------
    UsageError
        No part, or the same point of the same instrument in two of them.
    """
    if not parts:
        raise UsageError("there is no series to merge")
    times = np.concatenate([part.times_bjd for part in parts])
    order = np.argsort(times, kind="stable")
    labels = [label for part in parts for label in part.instruments]
    velocities = np.concatenate([part.rvs_ms for part in parts])
    seen: set[tuple[float, float, str]] = set()
    for row in order:
        key = (float(times[row]), float(velocities[row]), labels[row])
        if key in seen:
            raise UsageError(
                f"{star or parts[0].star}: the point of {labels[row]} at {times[row]:.6f} is in "
                "two of the series; leave one of them out"
            )
        seen.add(key)
    references = {part.time_reference for part in parts}
    flags = [flag for part in parts for flag in part.flags]
    remarks = dict.fromkeys(remark for part in parts for remark in part.remarks)
    return ArchivalSeries(
        star=star or parts[0].star,
        times_bjd=times[order],
        time_reference=references.pop() if len(references) == 1 else "mixed",
        rvs_ms=velocities[order],
        sigmas_ms=np.concatenate([part.sigmas_ms for part in parts])[order],
        instruments=tuple(labels[row] for row in order),
        flags=tuple(flags[row] for row in order),
        indicators=_indicators(parts, [int(row) for row in order]),
        sources=tuple(source for part in parts for source in part.sources),
        remarks=tuple(remarks),
    )


def _indicators(
    parts: Sequence[ArchivalSeries], order: Sequence[int]
) -> tuple[SeriesIndicator, ...]:
    """One column a name and unit; the same name in two units stays two columns."""
    kinds = dict.fromkeys((one.name, one.unit) for part in parts for one in part.indicators)
    merged = []
    for kind in kinds:
        values: list[float | None] = []
        sigmas: list[float | None] = []
        for part in parts:
            found = next((one for one in part.indicators if (one.name, one.unit) == kind), None)
            values += found.values if found else [None] * len(part)
            sigmas += found.sigmas if found else [None] * len(part)
        merged.append(
            SeriesIndicator(
                name=kind[0],
                unit=kind[1],
                values=tuple(values[row] for row in order),
                sigmas=tuple(sigmas[row] for row in order),
            )
        )
    return tuple(merged)
