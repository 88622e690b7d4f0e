"""Velocities of a real star with their origin: what a reader returns and a task is made of.

Times are Julian dates in full (days), velocities and errors in m/s.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from ecliptic.errors import UsageError
from ecliptic.model import Float, Model, Text, Texts, Vector, field_error
from ecliptic.rv.tasks import Indicator, Observation

TimeReference = Literal["bjd_tdb", "bjd_utc", "bjd", "hjd", "jd", "unstated", "mixed"]
"""Frame and scale of the times: barycentric (TDB, UTC or not said), heliocentric, geocentric.

BJD and HJD differ by up to 4 s, TDB and UTC by up to 70 s, a geocentric date by up to 8.3 min.
"""
EPOCH_BJD = 2450000.0
"""What is subtracted from the dates in an observation, unless another epoch is asked for."""
TRANSIT = "transit"
"""Flag of a point inside a transit, where the Rossiter-McLaughlin effect shifts the velocity."""
_DECIMALS = 8  # 1 ms, above the rounding of a Julian date in float64 (40 us)


class Source(Model):
    """One file that velocities came from.

    Attributes
    ----------
    file, format, sha256
        Its name (inside its package, if it has one), format and hash.
    points, instruments
        What was read from it.
    stated
        What the file leaves open and the caller stated, by argument.
    package, version, licence
        The package that ships it.
    citation, bibcode
        The paper that published the measurements.
    remarks
        What was found in it: rows out of order, repeated rows, points left out.
    """

    file: Text
    format: Text
    sha256: Text
    points: Annotated[int, Field(ge=0)]
    instruments: Texts = ()
    stated: dict[str, str] = Field(default_factory=dict)
    package: Text = ""
    version: Text = ""
    licence: Text = ""
    citation: Text = ""
    bibcode: Text = ""
    remarks: Texts = ()


class SeriesIndicator(Model):
    """A measure of activity beside the velocities; ``None`` where a point has none."""

    name: Text
    unit: Text
    values: tuple[Float | None, ...]
    sigmas: tuple[Float | None, ...]

    def as_task_indicator(self, keep: NDArray[np.bool_]) -> Indicator | None:
        """The indicator of a task, if it is a velocity with an error at every kept point."""
        values = [self.values[index] for index in np.flatnonzero(keep)]
        sigmas = [self.sigmas[index] for index in np.flatnonzero(keep)]
        if self.unit != "m/s" or None in values or any(not sigma for sigma in sigmas):
            return None
        return Indicator(name=self.name, values_ms=values, sigmas_ms=sigmas)


class ArchivalSeries(Model):
    """Velocities of one star, ordered in time; every column has shape (n,).

    Attributes
    ----------
    times_bjd
        Full Julian dates in days, of the kind that ``time_reference`` says.
    rvs_ms, sigmas_ms, instruments
        Velocity, its quoted error, the label of the instrument.
    flags
        Empty, or why a point is left out of an observation (``transit``).
    sources, remarks
        A record a file, and what was found in the series as a whole.
    """

    star: Text
    times_bjd: Vector
    time_reference: TimeReference
    rvs_ms: Vector
    sigmas_ms: Vector
    instruments: Texts
    flags: Texts = ()
    indicators: tuple[SeriesIndicator, ...] = ()
    sources: tuple[Source, ...] = ()
    remarks: Texts = ()

    @model_validator(mode="before")
    @classmethod
    def _unflagged(cls, data: Any) -> Any:
        if isinstance(data, dict) and not data.get("flags") and "times_bjd" in data:
            return {**data, "flags": ("",) * len(data["times_bjd"])}
        return data

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        n = len(self.times_bjd)
        if n == 0:
            raise field_error("times_bjd", "must hold at least one entry")
        columns: dict[str, Any] = {
            "rvs_ms": self.rvs_ms,
            "sigmas_ms": self.sigmas_ms,
            "instruments": self.instruments,
            "flags": self.flags,
        }
        for indicator in self.indicators:
            columns[f"indicators.{indicator.name}"] = indicator.values
            columns[f"indicators.{indicator.name}.sigmas"] = indicator.sigmas
        for name, column in columns.items():
            if len(column) != n:
                raise field_error(
                    name, f"must hold as many entries as times_bjd ({n}), not {len(column)}"
                )
        if (np.diff(self.times_bjd) < 0).any():
            raise field_error("times_bjd", "must not decrease")
        if (self.sigmas_ms <= 0).any():
            raise field_error("sigmas_ms", "must be > 0")
        return self

    def __len__(self) -> int:
        return len(self.times_bjd)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArchivalSeries) and self.model_dump() == other.model_dump()

    def __hash__(self) -> int:
        return hash((self.star, self.instruments))

    @property
    def instrument_labels(self) -> tuple[str, ...]:
        """The labels in the order of their first appearance."""
        return tuple(dict.fromkeys(self.instruments))

    def observation(
        self,
        star_mass_sun: float,
        *,
        epoch_bjd: float = EPOCH_BJD,
        without: tuple[str, ...] = (TRANSIT,),
    ) -> Observation:
        """The public part of a task: times in days since ``epoch_bjd``, to 1e-8 d.

        Points with a flag named in ``without`` are left out; of the indicators those stay that
        are velocities with an error at every point.

        Raises
        ------
        UsageError
            No point is left.
        """
        keep = np.array([flag not in without for flag in self.flags])
        if not keep.any():
            raise UsageError(f"{self.star}: every point is flagged; give fewer flags in without")
        found = (indicator.as_task_indicator(keep) for indicator in self.indicators)
        return Observation(
            times_days=np.round(self.times_bjd[keep] - epoch_bjd, _DECIMALS),
            rvs_ms=self.rvs_ms[keep],
            sigmas_ms=self.sigmas_ms[keep],
            instruments=tuple(np.array(self.instruments, dtype=object)[keep]),
            star_mass_sun=star_mass_sun,
            indicators=tuple(indicator for indicator in found if indicator),
        )
