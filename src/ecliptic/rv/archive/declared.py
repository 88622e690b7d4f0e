"""What a file of velocities leaves unsaid, and the checks of units: nothing is ever guessed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ecliptic.errors import TaskError, UsageError
from ecliptic.model import short
from ecliptic.rv.archive.series import TimeReference

VelocityUnit = Literal["m/s", "km/s"]
FACTORS: dict[str, float] = {"m/s": 1.0, "km/s": 1000.0}
FULL_JD = (2430000.0, 2500000.0)
"""Julian dates from 1941 to 2132: any velocity precise enough to show a planet lies within."""
MIN_MEDIAN_SIGMA_MS = 0.01
MAX_MEDIAN_SIGMA_MS = 1e4
_OFFSETS = (
    "2400000 for reduced dates, 2400000.5 for modified ones, 2450000, or 2454833 for Kepler's"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """The caller's statements on a file.

    Attributes
    ----------
    star
        Its name.
    velocity_unit
        ``m/s`` or ``km/s``, for velocities and their errors.
    time_offset_days
        Added to the file's times it makes full Julian dates.
    time_reference
        What kind of dates they are.
    instrument
        Label of all points, where the file has no column of labels.
    sigma_ms
        Error of all points, where the file has no column of errors.
    """

    star: str = ""
    velocity_unit: VelocityUnit | None = None
    time_offset_days: float | None = None
    time_reference: TimeReference | None = None
    instrument: str | None = None
    sigma_ms: float | None = None

    def __post_init__(self) -> None:
        if self.velocity_unit is not None and self.velocity_unit not in FACTORS:
            raise UsageError(
                f"velocity_unit must be 'm/s' or 'km/s', not {short(self.velocity_unit)}"
            )
        if self.time_reference is not None and self.time_reference not in get_args(TimeReference):
            known = ", ".join(get_args(TimeReference))
            raise UsageError(
                f"time_reference must be one of {known}, not {short(self.time_reference)}"
            )
        if self.sigma_ms is not None and not 0 < self.sigma_ms < np.inf:
            raise UsageError(f"sigma_ms must be > 0, not {short(self.sigma_ms)}")
        offset = self.time_offset_days
        if offset is not None and not np.isfinite(offset):
            raise UsageError(f"time_offset_days must be finite, not {short(offset)}")

    def stated(self) -> dict[str, str]:
        """The statements made, for the record of origin."""
        names = ("velocity_unit", "time_offset_days", "time_reference", "instrument", "sigma_ms")
        values = {name: getattr(self, name) for name in names}
        return {
            name: value if isinstance(value, str) else f"{value:.9g}"
            for name, value in values.items()
            if value is not None
        }


def velocity_factor(where: str, column: str, in_file: str | None, declared: Declared) -> float:
    """What turns the file's velocities into m/s.

    Raises
    ------
    UsageError
        Neither the file nor the caller says the unit, or they contradict each other.
    """
    unit = declared.velocity_unit
    if in_file is not None and unit is not None and in_file != unit:
        raise UsageError(
            f"{where}: column '{column}': is in {in_file} by the file itself, in {unit} by "
            "velocity_unit; leave velocity_unit out"
        )
    unit_text = in_file or unit
    if unit_text is None:
        raise UsageError(
            f"{where}: column '{column}': the file does not say whether it is m/s or km/s; "
            "give velocity_unit='m/s' or velocity_unit='km/s'"
        )
    return FACTORS[unit_text]


def full_dates(
    where: str,
    column: str,
    times: NDArray[np.float64],
    in_file: float | None,
    declared: Declared,
) -> NDArray[np.float64]:
    """The times as full Julian dates.

    Raises
    ------
    UsageError
        The times are short, and neither file nor caller says what was subtracted; or what they
        say does not lead to dates between 1941 and 2132.
    """
    offset = declared.time_offset_days
    if in_file is not None and offset is not None and in_file != offset:
        raise UsageError(
            f"{where}: column '{column}': the file says {in_file:.9g} was subtracted, "
            f"time_offset_days says {offset:.9g}; leave time_offset_days out"
        )
    offset = in_file if in_file is not None else offset
    low, high = FULL_JD
    if offset is None:
        if ((times >= low) & (times <= high)).all():
            return times
        first = float(times[(times < low) | (times > high)][0])
        raise UsageError(
            f"{where}: column '{column}': {first:.9g} is not a full Julian date and the file does "
            f"not say what was subtracted; give time_offset_days ({_OFFSETS})"
        )
    dates = times + offset
    outside = (dates < low) | (dates > high)
    if outside.any():
        raise UsageError(
            f"{where}: column '{column}': {float(times[outside][0]):.9g} with time_offset_days "
            f"{offset:.9g} is not a Julian date between {low:.0f} and {high:.0f}; "
            "check time_offset_days"
        )
    rounded: NDArray[np.float64] = np.round(dates, 8)
    return rounded


def check_errors(where: str, column: str, sigmas_ms: NDArray[np.float64]) -> None:
    """Refuse errors that no spectrograph has: the sign of a wrong unit or a wrong column.

    Raises
    ------
    TaskError
        An error is not positive, or the median is below 0.01 m/s or above 10 km/s.
    """
    if (sigmas_ms <= 0).any():
        row = int(np.argmax(sigmas_ms <= 0))
        raise TaskError(
            f"{where}: column '{column}': must be > 0, is {sigmas_ms[row]:g} in row {row + 1}; "
            "correct or remove the row"
        )
    median = float(np.median(sigmas_ms))
    if not MIN_MEDIAN_SIGMA_MS <= median <= MAX_MEDIAN_SIGMA_MS:
        side = "small" if median < MIN_MEDIAN_SIGMA_MS else "large"
        raise TaskError(
            f"{where}: column '{column}': a median error of {median:.3g} m/s is too {side} for any "
            "spectrograph; check velocity_unit and the columns"
        )
