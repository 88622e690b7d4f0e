"""What an agent sees of a star: velocities, indicators of activity, the declared models.

Conventions: :mod:`ecliptic.rv.tasks`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, PrivateAttr, model_validator

from ecliptic.model import Float, Model, Text, Texts, Vector, field_error, immutable, short
from ecliptic.rv.sparse_records import Sparse

MAX_OBSERVATIONS = 100_000


class RotationGP(Model):
    """celerite2's rotation term: two damped oscillators at ``period_days`` and half of it."""

    sigma_ms: Annotated[Float, Field(gt=0)]
    period_days: Annotated[Float, Field(gt=0)]
    Q0: Annotated[Float, Field(gt=0)]
    dQ: Annotated[Float, Field(ge=0)]
    f: Annotated[Float, Field(ge=0)]


class Indicator(Model):
    """A measure of the star's activity beside the velocities, such as ``fwhm`` or ``bisector``.

    ``values_ms`` and ``sigmas_ms`` have shape (n,), one entry a velocity; the zero point is that
    of each instrument.
    """

    name: Text
    values_ms: Vector
    sigmas_ms: Vector

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Indicator) and self.model_dump() == other.model_dump()

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        given = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self).model_validate, (given,)

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self.__copy__()


class ModelFamily(Sparse):
    """The models that a task is graded with, in public: agent, grader and oracle fit the same.

    An offset and a jitter an instrument always belong to it. On top of these:

    Attributes
    ----------
    activity
        A quasi-periodic Gaussian process (celerite2's rotation term) of free amplitude, whose
        shape follows from the indicators, or is ``rotation``.
    rotation
        Its shape where no indicator tells it; ``sigma_ms`` is not used.
    trend_order
        Degree of a polynomial in time, common to all instruments: companions too far away to
        show their period.
    drifting
        Instruments with a linear drift of their own.
    period_min_days, period_max_days
        The range that every planet's period lies in.
    forward_model
        ``keplerian``, or ``nbody`` for planets that pull on each other.
    """

    left_out: ClassVar[frozenset[str]] = frozenset({"rotation"})

    activity: bool = False
    trend_order: Literal[0, 1, 2] = 0
    drifting: tuple[Text, ...] = ()
    period_min_days: Annotated[Float, Field(gt=0)]
    period_max_days: Annotated[Float, Field(gt=0)]
    forward_model: Literal["keplerian", "nbody"] = "keplerian"
    rotation: RotationGP | None = None

    @model_validator(mode="after")
    def _range(self) -> Self:
        if self.rotation is not None and not self.activity:
            raise field_error("rotation", "is that of an activity, which must then be true")
        if self.period_max_days <= self.period_min_days:
            raise field_error(
                "period_max_days",
                f"must be > period_min_days ({self.period_min_days:g}), "
                f"not {self.period_max_days:g}",
            )
        return self


def _first_time(validated: dict[str, Any]) -> float:
    """The first of the times, or 0 where they are themselves faulty and reported as such."""
    times = validated.get("times_days")
    return float(times[0]) if times is not None and len(times) else 0.0


def _require_positive(field: str, values: NDArray[np.float64]) -> None:
    if (values <= 0).any():
        index = int(np.argmax(values <= 0))
        raise field_error(field, f"must be > 0 at index {index}, not {values[index]:g}")


class Observation(Sparse):
    """The public part: ``n`` velocities of one star, ordered in time.

    ``times_days``, ``rvs_ms``, ``sigmas_ms`` have shape (n,); ``instruments`` holds one label a
    point. ``t_ref_days``, the reference epoch of all angles, is the first time if not given.
    ``indicators`` hold what else the spectra tell of the star, and ``family`` the models that
    the task is graded with; the published tasks have neither. Nothing in here is sealed.
    """

    left_out: ClassVar[frozenset[str]] = frozenset({"indicators", "family"})

    times_days: Vector
    rvs_ms: Vector
    sigmas_ms: Vector
    instruments: Texts
    star_mass_sun: Annotated[Float, Field(gt=0)]
    t_ref_days: Float = Field(default_factory=_first_time, validate_default=True)
    indicators: tuple[Indicator, ...] = ()
    family: ModelFamily | None = None
    _checked: bool = PrivateAttr(default=False)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self._checked:  # a task is made of it: the validator comes by a second time
            return self
        n = len(self.times_days)
        if not 1 <= n <= MAX_OBSERVATIONS:
            raise field_error("times_days", f"must hold 1 to {MAX_OBSERVATIONS} entries, not {n}")
        for name in ("rvs_ms", "sigmas_ms", "instruments"):
            length = len(getattr(self, name))
            if length != n:
                raise field_error(
                    name, f"must hold as many entries as times_days ({n}), not {length}"
                )
        for number, indicator in enumerate(self.indicators):
            self._check_indicator(f"indicators[{number}]", indicator, n)
        self._check_labels()
        decreases = self.times_days[1:] < self.times_days[:-1]
        if decreases.any():
            index = int(np.argmax(decreases)) + 1
            raise field_error("times_days", f"must not decrease, does at index {index}")
        _require_positive("sigmas_ms", self.sigmas_ms)
        self._checked = True
        return self

    @staticmethod
    def _check_indicator(field: str, indicator: Indicator, n: int) -> None:
        for name in ("values_ms", "sigmas_ms"):
            length = len(getattr(indicator, name))
            if length != n:
                raise field_error(
                    f"{field}.{name}",
                    f"must hold as many entries as times_days ({n}), not {length}",
                )
        _require_positive(f"{field}.sigmas_ms", indicator.sigmas_ms)

    def _check_labels(self) -> None:
        names = [indicator.name for indicator in self.indicators]
        for name in names:
            if names.count(name) > 1:
                raise field_error("indicators", f"hold two of the name {short(name)}")
        for label in self.family.drifting if self.family else ():
            if label not in self.instruments:
                raise field_error(
                    "family.drifting", f"names {short(label)}, which instruments does not hold"
                )

    @cached_property
    def instrument_labels(self) -> tuple[str, ...]:
        """The labels in the order of their first appearance."""
        return tuple(dict.fromkeys(self.instruments))

    @cached_property
    def instrument_index(self) -> NDArray[np.int64]:
        """Shape (n,): for each point the position of its label in ``instrument_labels``."""
        position = {label: index for index, label in enumerate(self.instrument_labels)}
        index = [position[label] for label in self.instruments]
        return immutable(np.array(index, dtype=np.int64))

    def __reduce__(self) -> tuple[Any, ...]:
        # Arrays come out of a pickle writable, hence the way through validation.
        return type(self).model_validate, (self._given(),)

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self.__copy__()  # everything within is immutable

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self.model_dump() == other.model_dump()

    def __hash__(self) -> int:
        return hash((self.instruments, self.star_mass_sun, self.t_ref_days))

    def _given(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in type(self).model_fields}
