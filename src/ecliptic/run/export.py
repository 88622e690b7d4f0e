"""The results as one Parquet table: typed columns, one row a task, in the suite's order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecliptic.files import atomic_file, output_errors
from ecliptic.run.journal import scan

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_ROWS = 1000


def write_parquet(path: Path, journal: Path, order: Sequence[str]) -> None:
    """Write the record of each task, in the order of the keys in ``order``.

    Three columns a criterion (``<name>_value``, ``<name>_threshold``, ``<name>_passed``);
    ``submission`` and ``details`` hold JSON. A task that failed has nulls from ``outcome`` on.
    Memory does not grow with the number of tasks beyond one offset each.

    Raises
    ------
    OutputError
        If the file cannot be written; an older one is then untouched.
    """
    import pyarrow.parquet as pq

    with output_errors(journal):  # a solver may have deleted it
        places, criteria = _index(journal)
    schema = _schema(criteria)
    with (
        atomic_file(path) as file,
        pq.ParquetWriter(file, schema, compression="zstd") as writer,
        journal.open("rb") as lines,
    ):
        for batch in _batches([places[key] for key in order if key in places]):
            rows = []
            for place in batch:
                lines.seek(place)
                rows.append(_row(json.loads(lines.readline()), criteria))
            writer.write_table(_table(rows, schema))


def _index(journal: Path) -> tuple[dict[str, int], list[str]]:
    """Where the line of each key starts, and the names of all criteria, sorted by use."""
    places: dict[str, int] = {}
    criteria: dict[str, None] = {}
    for start, record in scan(journal):
        if record is not None:
            places.setdefault(record["key"], start)
            criteria |= dict.fromkeys((record["verdict"] or {}).get("criteria", ()))
    return places, list(criteria)


def _batches(places: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(places), BATCH_ROWS):
        yield places[start : start + BATCH_ROWS]


def _schema(criteria: Sequence[str]) -> pa.Schema:
    import pyarrow as pa

    text, number, flag = pa.string(), pa.float64(), pa.bool_()
    columns: list[tuple[str, pa.DataType]] = [
        ("key", text),
        ("task_id", text),
        ("source_id", text),
        ("tier", text),
        ("difficulty", pa.int16()),
        ("solver", text),
        ("protocol", text),
        ("status", text),
        ("outcome", text),
        ("passed", flag),
        ("score", number),
    ]
    for name in criteria:
        columns += [(f"{name}_value", number), (f"{name}_threshold", number)]
        columns += [(f"{name}_passed", flag)]
    columns += [("wall_s", number), ("cpu_s", number), ("diagnosis", text), ("error", text)]
    columns += [("submission", text), ("details", text)]
    return pa.schema(columns)


def _row(record: dict[str, Any], criteria: Sequence[str]) -> dict[str, Any]:
    verdict = record["verdict"] or {}
    row = {**record, **{name: verdict.get(name) for name in ("outcome", "passed", "score")}}
    for name in criteria:
        checked = verdict.get("criteria", {}).get(name, {})
        for part in ("value", "threshold", "passed"):
            row[f"{name}_{part}"] = checked.get(part)
    row["diagnosis"] = (verdict.get("diagnosis") or {}).get("code")
    row["error"] = (record["error"] or {}).get("reason")
    row["submission"] = _json(record["submission"])
    row["details"] = _json(verdict.get("details"))
    return row


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, sort_keys=True)


def _table(rows: Sequence[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    columns = []
    for column in schema:
        values = [row[column.name] for row in rows]
        if pa.types.is_floating(column.type):
            values = [None if value is None else float(value) for value in values]
        columns.append(pa.array(values, type=column.type))
    return pa.Table.from_arrays(columns, schema=schema)
