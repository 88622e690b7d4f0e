"""Radial-velocity tasks in files: JSON objects, and rows of a Parquet table.

Both are exact: every float64 comes back bit for bit. The table's columns are typed where an analyst
would look at them (one row a task, lists for the observations, a struct a planet); the rest of the
sealed part is JSON text. A column that came later is marked as optional in its metadata; a table
without it reads as if it were empty. :mod:`ecliptic.suite` finds this module by the schema's
prefix.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ecliptic.errors import TaskError
from ecliptic.files import parse_json
from ecliptic.rv.tasks import SCHEMA, Planet, RVTask

if TYPE_CHECKING:
    import pyarrow as pa

_VECTORS = ("times_days", "rvs_ms", "sigmas_ms")
_JSON_TEXT = ("instruments_truth", "noise", "difficulty_terms", "meta")
_OPTIONAL_TEXT = ("family", "recovery", "refit")
OPTIONAL = {b"ecliptic.optional": b"1"}
"""Metadata of a column that a table of an earlier version lacks."""


def read_task(data: object, where: str) -> RVTask:
    """The task in a parsed JSON object; a :class:`TaskError` names ``where`` and the field."""
    return RVTask.from_dict(data, where)


@cache
def arrow_schema() -> pa.Schema:
    """The columns of a table of tasks; the schema's name stands in the metadata."""
    import pyarrow as pa

    number, numbers = pa.float64(), pa.list_(pa.float64())
    planet = pa.struct([(name, number) for name in Planet.model_fields])
    indicator = pa.struct([("name", pa.string()), ("values_ms", numbers), ("sigmas_ms", numbers)])
    return pa.schema(
        [
            ("id", pa.string()),
            ("source_id", pa.string()),
            ("tier", pa.string()),
            ("difficulty", pa.int64()),
            ("n_obs", pa.int64()),
            ("star_mass_sun", number),
            ("t_ref_days", number),
            *((name, numbers) for name in _VECTORS),
            ("instruments", pa.list_(pa.string())),
            ("planets", pa.list_(planet)),
            ("forward_model", pa.string()),
            *((name, pa.string()) for name in _JSON_TEXT),
            ("sealed_checksum", pa.string()),
            pa.field("indicators", pa.list_(indicator), metadata=OPTIONAL),
            pa.field("trend", numbers, metadata=OPTIONAL),
            *(pa.field(name, pa.string(), metadata=OPTIONAL) for name in _OPTIONAL_TEXT),
        ],
        metadata={"ecliptic.schema": SCHEMA},
    )


def to_table(tasks: Sequence[RVTask]) -> pa.Table:
    """One row a task, in order."""
    import pyarrow as pa

    return pa.Table.from_pylist([_row(task) for task in tasks], schema=arrow_schema())


def _row(task: RVTask) -> dict[str, Any]:
    seen, truth = task.observation, task.truth.model_dump()
    return {
        "id": task.id,
        "source_id": task.source_id,
        "tier": task.tier,
        "difficulty": task.difficulty,
        "n_obs": len(seen.times_days),
        "star_mass_sun": seen.star_mass_sun,
        "t_ref_days": seen.t_ref_days,
        **{name: getattr(seen, name) for name in _VECTORS},
        "instruments": seen.instruments,
        "planets": truth["planets"],
        "forward_model": truth["forward_model"],
        "instruments_truth": _text(truth["instruments"], task, "truth.instruments"),
        "noise": _text(truth["noise"], task, "truth.noise"),
        "difficulty_terms": _text(task.difficulty_terms, task, "difficulty_terms"),
        "meta": _text(task.meta, task, "meta"),
        "sealed_checksum": task.sealed_checksum(),
        "indicators": [indicator.model_dump() for indicator in seen.indicators] or None,
        "trend": truth.get("trend"),
        "family": None if seen.family is None else json.dumps(seen.family.model_dump()),
        "recovery": json.dumps(truth["recovery"]) if "recovery" in truth else None,
        "refit": json.dumps(truth["refit"]) if "refit" in truth else None,
    }


def _text(value: object, task: RVTask, field: str) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        name = task.source_id or task.id
        raise TaskError(f"{name}: {field} cannot be written as JSON: {error}") from None


def _value(cell: pa.Scalar, where: str) -> Any:
    try:
        return cell.as_py()
    except UnicodeDecodeError:
        raise TaskError(f"{where} is not UTF-8 text; make the suite again") from None


def from_row(table: pa.Table, index: int, where: str) -> RVTask:
    """The task in one row of a table; a :class:`TaskError` names ``where`` and the field."""
    column = {
        field.name: table.column(field.name)[index]
        for field in arrow_schema()
        if field.metadata is None or field.name in table.column_names
    }
    vectors = {
        name: column[name].values.to_numpy(zero_copy_only=False) if column[name].is_valid else None
        for name in _VECTORS
    }
    rest = {
        name: _value(cell, f"{where}: {name}")
        for name, cell in column.items()
        if name not in _VECTORS
    }
    text = {
        name: parse_json((rest[name] or "").encode(), f"{where}: {name}") for name in _JSON_TEXT
    }
    later: dict[str, Any] = {
        name: parse_json(rest[name].encode(), f"{where}: {name}")
        for name in _OPTIONAL_TEXT
        if rest.get(name) is not None
    }
    later |= {name: rest[name] for name in ("indicators", "trend") if rest.get(name) is not None}
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "id": rest["id"],
        "public": {
            "source_id": rest["source_id"],
            "tier": rest["tier"],
            "observation": {
                **vectors,
                "instruments": rest["instruments"],
                "star_mass_sun": rest["star_mass_sun"],
                "t_ref_days": rest["t_ref_days"],
                **{name: later[name] for name in ("indicators", "family") if name in later},
            },
        },
        "sealed": {
            "truth": {
                "planets": rest["planets"],
                "instruments": text["instruments_truth"],
                "noise": text["noise"],
                "forward_model": rest["forward_model"],
                **{name: later[name] for name in ("trend", "recovery", "refit") if name in later},
            },
            "difficulty": rest["difficulty"],
            "difficulty_terms": text["difficulty_terms"],
            "meta": text["meta"],
            "checksum": rest["sealed_checksum"],
        },
    }
    return RVTask.from_dict(data, where)
