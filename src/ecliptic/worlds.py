"""The worlds whose tasks can be read and written, by the prefix of their schema."""

from __future__ import annotations

import importlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from ecliptic.errors import TaskError
from ecliptic.files import read_json
from ecliptic.model import short

CODECS = {"ecliptic.rv": "ecliptic.rv.task_files", "ecliptic.rv.public": "ecliptic.rv.sealing"}
"""A schema's prefix, and the module that reads and writes such tasks. It has ``SCHEMA`` and the
functions ``read_task``, ``arrow_schema``, ``to_table`` and ``from_row``; where the truth is kept
elsewhere also ``SEALED = True`` and ``join(task, sealed, where)``."""

SHIPPED = {
    "quick": "ecliptic.rv.shipped:quick",
    "core-v1": "ecliptic.rv.shipped:core_v1",
    "quick-paper": "ecliptic.rv.shipped:quick_paper",
    "archival": "ecliptic.rv.archive.shipped_tasks:archival_suite",
}
"""Suites that have a name of their own, and the function without arguments that opens each."""


def codec_of(schema: object, where: str) -> Any:
    """The module for a schema such as ``ecliptic.rv/1``; a :class:`TaskError` names ``where``."""
    if schema is None:
        raise TaskError(f"{where}: schema is missing: this is not a task file")
    prefix = schema.partition("/")[0] if isinstance(schema, str) else ""
    if prefix not in CODECS:
        known = " or ".join(f"'{name}/...'" for name in CODECS)
        raise TaskError(f"{where}: schema must be {known}, not {short(schema)}")
    codec = importlib.import_module(CODECS[prefix])
    if schema != codec.SCHEMA:
        raise TaskError(
            f"{where}: schema must be '{codec.SCHEMA}', is {short(schema)}: written by another "
            "version of ecliptic; make the suite again with this one"
        )
    return codec


@lru_cache(maxsize=64)
def is_known(schema: str) -> bool:
    """Whether tasks of this schema, version included, can be read."""
    try:
        codec_of(schema, "")
    except TaskError:
        return False
    return True


def read_task(path: Path) -> Any:
    """Read one task file of any world; a :class:`TaskError` names the file and the field."""
    data = read_json(path)
    if not isinstance(data, dict):
        raise TaskError(f"{path}: must hold a JSON object, not a {type(data).__name__}")
    if "schema" not in data and {"task_id", "config", "observations"} <= data.keys():
        raise TaskError(
            f"{path}: schema is missing: this is a published Stargazer file; "
            f"run `ecliptic import stargazer {path}` first"
        )
    return codec_of(data.get("schema"), str(path)).read_task(data, str(path))
