"""Suites in Parquet files, read and written by row group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ecliptic.errors import SuiteError, TaskError
from ecliptic.files import reason, require_regular
from ecliptic.worlds import codec_of

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from ecliptic.task import Task

ROW_GROUP = 64
"""Tasks in a row group: what is held in memory at once, and what one read costs at most."""
_SCHEMA_KEY = b"ecliptic.schema"


def read_index(path: Path) -> list[tuple[str | None, str | None, tuple[int, int]]]:
    """For each task its id, its source_id, and its place: row group and row therein.

    Raises
    ------
    SuiteError
        Naming the file: not Parquet, cut short or damaged, no task in it, or foreign columns.
    """
    with _opened(path) as file:
        _check_columns(path, file.schema_arrow)
        sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
        names = file.read(columns=["id", "source_id"]).to_pydict()
    if not names["id"]:
        raise SuiteError(f"{path}: holds no task (0 rows)")
    places = [(group, row) for group, size in enumerate(sizes) for row in range(size)]
    return list(zip(names["id"], names["source_id"], places, strict=True))


def is_sealed(path: str) -> bool:
    """Whether the tasks in a file have their truth elsewhere."""
    with _opened(Path(path)) as file:
        schema = file.schema_arrow.metadata[_SCHEMA_KEY].decode()
    return bool(getattr(codec_of(schema, path), "SEALED", False))


@contextmanager
def _opened(path: Path) -> Iterator[pq.ParquetFile]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        require_regular(path)
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            yield file
    except UnicodeDecodeError:
        raise SuiteError(f"{path}: holds text that is not UTF-8; make the suite again") from None
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise SuiteError(f"{path}: {reason(error)}") from None
        why = str(error).partition(". ")[0]
        if "CRC" in why:
            raise SuiteError(
                f"{path}: is damaged: the checksum of a page does not hold; make the suite again"
            ) from None
        raise SuiteError(
            f"{path}: not a complete Parquet file ({why}); make the suite again"
        ) from None


def _check_columns(path: Path, schema: pa.Schema) -> None:
    name = (schema.metadata or {}).get(_SCHEMA_KEY)
    if name is None:
        columns = ", ".join(schema.names[:5]) + (", ..." if len(schema.names) > 5 else "")
        raise SuiteError(
            f"{path}: metadata 'ecliptic.schema' is missing: this table is not a suite of "
            f"ecliptic (columns: {columns})"
        )
    try:
        expected = codec_of(name.decode(errors="replace"), str(path)).arrow_schema()
    except TaskError as error:
        raise SuiteError(str(error)) from None
    for field in expected:
        if field.name not in schema.names:
            if field.metadata and b"ecliptic.optional" in field.metadata:
                continue
            raise SuiteError(f"{path}: column {field.name} is missing; make the suite again")
        found = schema.field(field.name).type
        if found != field.type:
            raise SuiteError(f"{path}: column {field.name} must be {field.type}, is {found}")


def read_row(path: str, place: tuple[int, int], key: str) -> Any:
    """The task at a place; a :class:`TaskError` names file, key and field."""
    group, row = place
    try:
        schema, table = _row_group(path, group, Path(path).stat().st_mtime_ns)
    except SuiteError as error:
        raise TaskError(str(error)) from None
    except OSError as error:
        raise TaskError(f"{path}: {reason(error)}") from None
    return codec_of(schema, path).from_row(table, row, f"{path}: {key}")


@lru_cache(maxsize=2)
def _row_group(path: str, group: int, changed_ns: int) -> tuple[str, pa.Table]:
    """One row group, kept for its neighbours: tasks are mostly read in order."""
    del changed_ns  # only part of the key, so that a file written anew is read anew
    with _opened(Path(path)) as file:
        return file.schema_arrow.metadata[_SCHEMA_KEY].decode(), file.read_row_group(group)


def write_rows(file: BinaryIO, first: Task, rest: Iterator[Task], schema: str) -> int:
    """Write tasks of one world to an open file, a row group at a time; returns how many."""
    import pyarrow.parquet as pq

    codec = codec_of(schema, "task")
    count, group = 0, [first, *islice(rest, ROW_GROUP - 1)]
    with pq.ParquetWriter(
        file, codec.arrow_schema(), compression="zstd", write_page_checksum=True
    ) as writer:
        while group:
            writer.write_table(codec.to_table(group))
            count += len(group)
            group = list(islice(rest, ROW_GROUP))
    return count


def keys_of(ids: Sequence[str | None], source_ids: Sequence[str | None]) -> list[str]:
    """Names to call tasks by: their source_ids if all have one and no two the same, else ids."""
    named = None not in source_ids and len(set(source_ids)) == len(source_ids)
    keys = source_ids if named else ids
    return [f"row {index}" if key is None else key for index, key in enumerate(keys)]
