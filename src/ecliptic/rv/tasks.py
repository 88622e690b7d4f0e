"""A radial-velocity task: what an agent sees (``observation``) and what stays sealed (the rest).

Conventions: times in days, velocities and their errors in m/s, masses in Jupiter and solar
masses, angles in radians. The reference epoch of every angle is ``observation.t_ref_days``: the
first observation, unless the task states another. The mean longitude is ``l = Omega + omega + M0``
and, for radial velocities, ``Omega = 0``.
"""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    Field,
    PrivateAttr,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from ecliptic.errors import TaskError
from ecliptic.model import (
    Float,
    Model,
    Text,
    Texts,
    Vector,
    describe,
    field_error,
    immutable,
    short,
)
from ecliptic.task import content_id

SCHEMA = "ecliptic.rv/1"
Tier = Literal["easy", "medium", "hard", "frontier", "faint", "real"]
PUBLIC = frozenset({"source_id", "tier", "observation"})
SEALED = frozenset({"truth", "difficulty", "difficulty_terms", "meta"})
MAX_OBSERVATIONS = 100_000


class Sparse(Model):
    """A record that leaves out of its JSON what stands at its default, of the fields named here.

    So a field that came later changes no id, checksum or file of a task that does without it.
    """

    left_out: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _without_defaults(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        data: dict[str, Any] = handler(self)
        for name in self.left_out & data.keys():
            if getattr(self, name) == fields[name].default:
                del data[name]
        return data


class Planet(Model):
    """Orbital elements of one planet, at the epoch ``t_ref_days`` of its task."""

    period_days: Annotated[Float, Field(gt=0)]
    m_sin_i_mjup: Annotated[Float, Field(ge=0)]
    e: Annotated[Float, Field(ge=0, lt=1)] = 0.0
    omega_rad: Float = 0.0
    l_rad: Float = 0.0
    Omega_rad: Float = 0.0
    inc_rad: Float | None = None


def _first_time(validated: dict[str, Any]) -> float:
    """The first of the times, or 0 where they are themselves faulty and reported as such."""
    times = validated.get("times_days")
    return float(times[0]) if times is not None and len(times) else 0.0


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


class ModelFamily(Model):
    """The models that a task is graded with, in public: agent, grader and oracle fit the same.

    An offset and a jitter an instrument always belong to it. On top of these:

    Attributes
    ----------
    activity
        A quasi-periodic Gaussian process (celerite2's rotation term) of free amplitude, whose
        shape follows from the indicators.
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

    activity: bool = False
    trend_order: Literal[0, 1, 2] = 0
    drifting: tuple[Text, ...] = ()
    period_min_days: Annotated[Float, Field(gt=0)]
    period_max_days: Annotated[Float, Field(gt=0)]
    forward_model: Literal["keplerian", "nbody"] = "keplerian"

    @model_validator(mode="after")
    def _range(self) -> Self:
        if self.period_max_days <= self.period_min_days:
            raise field_error(
                "period_max_days",
                f"must be > period_min_days ({self.period_min_days:g}), "
                f"not {self.period_max_days:g}",
            )
        return self


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


class Instrument(Sparse):
    """One instrument's zero point, quoted error and extra scatter.

    ``drift_ms_per_year`` is the change of the zero point, which is ``gamma_ms`` at the task's
    reference epoch.
    """

    left_out: ClassVar[frozenset[str]] = frozenset({"drift_ms_per_year"})

    label: Text
    gamma_ms: Float = 0.0
    sigma_white_ms: Annotated[Float, Field(ge=0)] = 0.0
    sigma_jitter_ms: Annotated[Float, Field(ge=0)] = 0.0
    drift_ms_per_year: Float = 0.0


class RotationGP(Model):
    """celerite2's rotation term: two damped oscillators at ``period_days`` and half of it."""

    sigma_ms: Annotated[Float, Field(gt=0)]
    period_days: Annotated[Float, Field(gt=0)]
    Q0: Annotated[Float, Field(gt=0)]
    dQ: Annotated[Float, Field(ge=0)]
    f: Annotated[Float, Field(ge=0)]


class Noise(Model):
    """Everything in the velocities that is not a planet."""

    sigma_white_ms: Annotated[Float, Field(ge=0)]
    sigma_jitter_ms: Annotated[Float, Field(ge=0)] = 0.0
    gp: RotationGP | None = None


class Recovery(Model):
    """How well the data give the planets back: the oracle's fit, and what is asked of an agent.

    Attributes
    ----------
    planets
        The oracle's, in the order of the truth's.
    rms_ms, log_likelihood
        Of the oracle's residuals under the task's family of models.
    tolerances
        For each planet the largest distance (:mod:`ecliptic.rv.matching`) that is still a match.
    period_sigmas_days
        For each planet the standard deviation of its period.
    """

    planets: tuple[Planet, ...]
    rms_ms: Annotated[Float, Field(ge=0)]
    log_likelihood: Float
    tolerances: tuple[Annotated[Float, Field(gt=0)], ...]
    period_sigmas_days: tuple[Annotated[Float, Field(gt=0)], ...]


class Truth(Sparse):
    r"""The sealed answer: planets (in the order of their source), instruments, noise, model.

    Verdicts name planets by their position here. ``trend`` holds the coefficients
    :math:`c_1, c_2` in m/s a year and m/s a year squared of
    :math:`\sum_k c_k [(t - t_\mathrm{ref}) / 365.25\,\mathrm{d}]^k`. ``recovery`` is there
    once a task has been audited.
    """

    left_out: ClassVar[frozenset[str]] = frozenset({"trend", "recovery"})

    planets: tuple[Planet, ...]
    instruments: tuple[Instrument, ...]
    noise: Noise
    forward_model: Literal["keplerian", "nbody"] = "keplerian"
    trend: tuple[Float, ...] = ()
    recovery: Recovery | None = None

    @model_validator(mode="after")
    def _recovery_of_each(self) -> Self:
        n = len(self.planets)
        for name in ("planets", "tolerances", "period_sigmas_days"):
            length = n if self.recovery is None else len(getattr(self.recovery, name))
            if length != n:
                raise field_error(
                    f"recovery.{name}", f"must hold as many entries as planets ({n}), not {length}"
                )
        return self


class RVTask(Model):
    """One star to be analysed.

    ``difficulty`` is the published score of 1 to 10 and ``difficulty_terms`` its parts. ``meta``
    is sealed as well: it may hold the seed. ``id`` is a hash of the public part; the sealed part
    has a checksum of its own in every file, so that a truth changed by accident is noticed.
    """

    id: str
    source_id: Text | None = None
    tier: Tier
    observation: Observation
    truth: Truth
    difficulty: Annotated[int, Field(strict=True, ge=1, le=10)]
    difficulty_terms: dict[str, Any] = Field(default_factory=dict)
    meta: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _instruments_known(self) -> Self:
        known = {instrument.label for instrument in self.truth.instruments}
        for label in self.observation.instrument_labels:
            if label not in known:
                raise field_error(
                    "observation.instruments",
                    f"names '{label}', which truth.instruments does not hold",
                )
        return self

    @classmethod
    def create(
        cls, *, tier: Tier, observation: Observation, source_id: str | None = None, **sealed: Any
    ) -> Self:
        """A task whose id is computed from its public part."""
        task_id = _public_id(source_id, tier, observation)
        return cls(id=task_id, source_id=source_id, tier=tier, observation=observation, **sealed)

    @property
    def world(self) -> str:
        """Always ``rv``."""
        return "rv"

    def public_dict(self) -> dict[str, Any]:
        """What an agent may see, ready for JSON; its hash is the id."""
        return self.model_dump(include=set(PUBLIC))

    def to_dict(self) -> dict[str, Any]:
        """The task's JSON: schema, id, the public and the sealed part."""
        return {
            "schema": SCHEMA,
            "id": self.id,
            "public": self.public_dict(),
            "sealed": {**self._sealed(), "checksum": self.sealed_checksum()},
        }

    def sealed_checksum(self) -> str:
        """First 64 bits, in hex, of the SHA-256 of the sealed part.

        It is taken over JSON with sorted keys and without spaces.

        Raises
        ------
        TaskError
            JSON cannot hold something in ``difficulty_terms`` or ``meta``.
        """
        try:
            # Read back, as JSON turns keys into text and would sort them before it does.
            plain = json.loads(json.dumps(self._sealed(), allow_nan=False))
        except (TypeError, ValueError) as error:
            name = self.source_id or self.id
            raise TaskError(f"{name}: cannot be written as JSON: {error}") from None
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def _sealed(self) -> dict[str, Any]:
        return self.model_dump(include=set(SEALED))

    @classmethod
    def from_dict(cls, data: object, where: str = "task") -> Self:
        """Read what :meth:`to_dict` wrote.

        Raises
        ------
        TaskError
            One line with ``where`` (a file name), the field and what is wrong with it.
        """
        if not isinstance(data, dict):
            raise TaskError(f"{where}: must be a JSON object, not {type(data).__name__}")
        schema = data.get("schema")
        if schema != SCHEMA:
            raise TaskError(f"{where}: schema must be '{SCHEMA}', is {short(schema)}")
        fields = {"id": data.get("id")}
        for name, allowed in (("public", PUBLIC), ("sealed", SEALED | {"checksum"})):
            part = data.get(name)
            if not isinstance(part, dict):
                raise TaskError(f"{where}: {name} is missing or not an object")
            for key in part.keys() - allowed:
                raise TaskError(f"{where}: {name}.{short(key)} is not a field that is known here")
            fields |= part
        checksum = fields.pop("checksum", None)
        try:
            task = cls.model_validate(fields)
        except ValidationError as error:
            field, _, sentence = describe(error)
            raise TaskError(f"{where}: {field or 'task'} {sentence}") from None
        expected = _public_id(task.source_id, task.tier, task.observation)
        if task.id != expected:
            raise TaskError(
                f"{where}: id {task.id} is not the hash of the public part ({expected}): "
                "the file was changed after it was written"
            )
        if checksum is None:
            raise TaskError(f"{where}: sealed.checksum is missing; make the suite again")
        try:
            expected = task.sealed_checksum()
        except TaskError as error:
            raise TaskError(f"{where}: {error}") from None
        if checksum != expected:
            raise TaskError(
                f"{where}: sealed.checksum {short(checksum)} is not that of the sealed part "
                f"({expected}): the file was changed after it was written"
            )
        return task

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RVTask) and self.model_dump() == other.model_dump()

    def __hash__(self) -> int:
        return hash(self.id)


def _public_id(source_id: str | None, tier: str, observation: Observation) -> str:
    parts: list[str | float | NDArray[np.float64]] = [
        source_id or "",
        tier,
        observation.star_mass_sun,
        observation.t_ref_days,
        observation.times_days,
        observation.rvs_ms,
        observation.sigmas_ms,
        json.dumps(observation.instruments),
    ]
    # Only what is there, so that tasks from before these fields keep their ids.
    for indicator in observation.indicators:
        parts += ["indicator", indicator.name, indicator.values_ms, indicator.sigmas_ms]
    if observation.family is not None:
        parts += ["family", json.dumps(observation.family.model_dump(), sort_keys=True)]
    return content_id("rv", *parts)
