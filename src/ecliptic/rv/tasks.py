"""A radial-velocity task: what an agent sees (``observation``) and what stays sealed (the rest).

Conventions: times in days, velocities and their errors in m/s, masses in Jupiter and solar
masses, angles in radians. The reference epoch of every angle is ``observation.t_ref_days``: the
first observation, unless the task states another. The mean longitude is ``l = Omega + omega + M0``
and, for radial velocities, ``Omega = 0``.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError, model_validator

from ecliptic.errors import TaskError
from ecliptic.model import Model, Text, describe, field_error, short
from ecliptic.rv.observations import (
    MAX_OBSERVATIONS,
    Indicator,
    ModelFamily,
    Observation,
    RotationGP,
)
from ecliptic.rv.sparse_records import Sparse
from ecliptic.rv.truths import Instrument, Noise, Planet, Recovery, Truth
from ecliptic.task import content_id

__all__ = [
    "MAX_OBSERVATIONS",
    "PUBLIC",
    "SCHEMA",
    "SEALED",
    "Indicator",
    "Instrument",
    "ModelFamily",
    "Noise",
    "Observation",
    "Planet",
    "RVTask",
    "Recovery",
    "RotationGP",
    "Sparse",
    "Tier",
    "Truth",
    "public_id",
]

SCHEMA = "ecliptic.rv/1"
Tier = Literal["easy", "medium", "hard", "frontier", "faint", "real"]
PUBLIC = frozenset({"source_id", "tier", "observation"})
SEALED = frozenset({"truth", "difficulty", "difficulty_terms", "meta"})


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
        task_id = public_id(source_id, tier, observation)
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
        expected = public_id(task.source_id, task.tier, task.observation)
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


def public_id(source_id: str | None, tier: str, observation: Observation) -> str:
    """The id of a task with this public part."""
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
