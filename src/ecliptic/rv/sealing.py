"""Tasks whose truth is kept elsewhere: public rows, each with a commitment to its truth.

:mod:`ecliptic.suite` finds this module by the schema's prefix, like :mod:`ecliptic.rv.task_files`
for whole tasks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, Self

from pydantic import Field, ValidationError

from ecliptic.errors import TaskError
from ecliptic.files import parse_json
from ecliptic.model import Model, Text, describe, short
from ecliptic.rv.task_files import OPTIONAL
from ecliptic.rv.task_files import arrow_schema as whole_schema
from ecliptic.rv.tasks import SCHEMA as TASK_SCHEMA
from ecliptic.rv.tasks import Observation, RVTask, Tier, public_id

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA = "ecliptic.rv.public/1"
SEALED = True
"""Tasks of this schema have no truth of their own."""
_SEALED = "{}: its truth is sealed; give --truth FOLDER (load_suite(path, truth=FOLDER))"
_VECTORS = ("times_days", "rvs_ms", "sigmas_ms")
_COLUMNS = (
    "id", "source_id", "tier", "n_obs", "star_mass_sun", "t_ref_days", *_VECTORS, "instruments",
    "indicators", "family",
)  # fmt: skip


class SealedTask(Model):
    """The public part of a task, and the commitment to its sealed part.

    It can be handed to an agent; whatever asks for its truth is answered with one line.
    """

    id: str
    source_id: Text | None = None
    tier: Tier
    observation: Observation
    commitment: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]

    @classmethod
    def of(cls, task: RVTask, commitment: str) -> Self:
        """What may be shown of a task."""
        return cls(
            id=task.id,
            source_id=task.source_id,
            tier=task.tier,
            observation=task.observation,
            commitment=commitment,
        )

    @property
    def world(self) -> str:
        """Always ``rv``."""
        return "rv"

    @property
    def truth(self) -> NoReturn:
        """Not here: raises a :class:`TaskError` that says how to bring it."""
        raise TaskError(_SEALED.format(self.id))

    @property
    def difficulty(self) -> NoReturn:
        """Not here either."""
        raise TaskError(_SEALED.format(self.id))

    def public_dict(self) -> dict[str, Any]:
        """What an agent may see, ready for JSON."""
        return self.model_dump(include={"source_id", "tier", "observation"})

    def to_dict(self) -> dict[str, Any]:
        """The task's JSON: schema, id, public part, commitment."""
        return {
            "schema": SCHEMA,
            "id": self.id,
            "public": self.public_dict(),
            "commitment": self.commitment,
        }


def join(task: SealedTask, sealed: object, where: str) -> RVTask:
    """The whole task; a :class:`TaskError` names ``where`` and what does not fit together."""
    data = {"schema": TASK_SCHEMA, "id": task.id, "public": task.public_dict(), "sealed": sealed}
    return RVTask.from_dict(data, where)


def public_of(task: RVTask, commitment: str) -> SealedTask:
    """The task without its truth."""
    return SealedTask.of(task, commitment)


def read_task(data: object, where: str) -> SealedTask:
    """The task in a parsed JSON object; a :class:`TaskError` names ``where`` and the field."""
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        schema = data.get("schema") if isinstance(data, dict) else data
        raise TaskError(f"{where}: schema must be '{SCHEMA}', is {short(schema)}")
    public = data.get("public")
    if not isinstance(public, Mapping):
        raise TaskError(f"{where}: public is missing or not an object")
    given = {"id": data.get("id"), "commitment": data.get("commitment"), **public}
    try:
        task = SealedTask.model_validate(given)
    except ValidationError as error:
        field, _, sentence = describe(error)
        raise TaskError(f"{where}: {field or 'task'} {sentence}") from None
    expected = public_id(task.source_id, task.tier, task.observation)
    if task.id != expected:
        raise TaskError(
            f"{where}: id {task.id} is not the hash of the public part ({expected}): "
            "the file was changed after it was written"
        )
    return task


@cache
def arrow_schema() -> pa.Schema:
    """The public columns of :func:`ecliptic.rv.task_files.arrow_schema`, and the commitment."""
    import pyarrow as pa

    whole = whole_schema()
    fields = [whole.field(name) for name in _COLUMNS]
    fields.append(pa.field("commitment", pa.string()))
    return pa.schema(fields, metadata={"ecliptic.schema": SCHEMA})


def to_table(tasks: Sequence[SealedTask]) -> pa.Table:
    """One row a task, in order."""
    import pyarrow as pa

    return pa.Table.from_pylist([_row(task) for task in tasks], schema=arrow_schema())


def _row(task: SealedTask) -> dict[str, Any]:
    seen = task.observation
    return {
        "id": task.id,
        "source_id": task.source_id,
        "tier": task.tier,
        "n_obs": len(seen.times_days),
        "star_mass_sun": seen.star_mass_sun,
        "t_ref_days": seen.t_ref_days,
        **{name: getattr(seen, name) for name in _VECTORS},
        "instruments": seen.instruments,
        "indicators": [each.model_dump() for each in seen.indicators] or None,
        "family": None if seen.family is None else json.dumps(seen.family.model_dump()),
        "commitment": task.commitment,
    }


def from_row(table: pa.Table, index: int, where: str) -> SealedTask:
    """The task in one row of a table; a :class:`TaskError` names ``where`` and the field."""
    row: dict[str, Any] = {}
    for field in arrow_schema():
        if field.metadata == OPTIONAL and field.name not in table.column_names:
            continue
        try:
            row[field.name] = table.column(field.name)[index].as_py()
        except UnicodeDecodeError:
            raise TaskError(f"{where}: {field.name} is not UTF-8 text") from None
    observation = {
        name: row[name] for name in ("star_mass_sun", "t_ref_days", "instruments", *_VECTORS)
    }
    if row.get("indicators") is not None:
        observation["indicators"] = row["indicators"]
    if row.get("family") is not None:
        observation["family"] = parse_json(row["family"].encode(), f"{where}: family")
    data = {
        "schema": SCHEMA,
        "id": row["id"],
        "public": {
            "source_id": row["source_id"],
            "tier": row["tier"],
            "observation": observation,
        },
        "commitment": row["commitment"],
    }
    return read_task(data, where)
