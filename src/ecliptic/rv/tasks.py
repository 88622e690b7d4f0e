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
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, PrivateAttr, ValidationError, model_validator

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
Tier = Literal["easy", "medium", "hard", "real"]
PUBLIC = frozenset({"source_id", "tier", "observation"})
SEALED = frozenset({"truth", "difficulty", "difficulty_terms", "meta"})
MAX_OBSERVATIONS = 100_000


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


class Observation(Model):
    """The public part: ``n`` velocities of one star, ordered in time.

    ``times_days``, ``rvs_ms``, ``sigmas_ms`` have shape (n,); ``instruments`` holds one label a
    point. ``t_ref_days``, the reference epoch of all angles, is the first time if not given.
    Nothing in here is sealed.
    """

    times_days: Vector
    rvs_ms: Vector
    sigmas_ms: Vector
    instruments: Texts
    star_mass_sun: Annotated[Float, Field(gt=0)]
    t_ref_days: Float = Field(default_factory=_first_time, validate_default=True)
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
        decreases = self.times_days[1:] < self.times_days[:-1]
        if decreases.any():
            index = int(np.argmax(decreases)) + 1
            raise field_error("times_days", f"must not decrease, does at index {index}")
        if (self.sigmas_ms <= 0).any():
            index = int(np.argmax(self.sigmas_ms <= 0))
            value = self.sigmas_ms[index]
            raise field_error("sigmas_ms", f"must be > 0 at index {index}, not {value:g}")
        self._checked = True
        return self

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


class Instrument(Model):
    """One instrument's zero point, quoted error and extra scatter."""

    label: Text
    gamma_ms: Float = 0.0
    sigma_white_ms: Annotated[Float, Field(ge=0)] = 0.0
    sigma_jitter_ms: Annotated[Float, Field(ge=0)] = 0.0


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


class Truth(Model):
    """The sealed answer: planets (in the order of their source), instruments, noise, and the model.

    Verdicts name planets by their position here.
    """

    planets: tuple[Planet, ...]
    instruments: tuple[Instrument, ...]
    noise: Noise
    forward_model: Literal["keplerian", "nbody"] = "keplerian"


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
    return content_id(
        "rv",
        source_id or "",
        tier,
        observation.star_mass_sun,
        observation.t_ref_days,
        observation.times_days,
        observation.rvs_ms,
        observation.sigmas_ms,
        json.dumps(observation.instruments),
    )
