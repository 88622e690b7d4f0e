"""The private part of a sealed suite: read, and joined with single tasks of the public part.

It is a folder with ``truth.jsonl``, a line a task (``id``, ``salt``, ``sealed``), and
``sealed.json`` (seed, the suite's salt and commitment, hashes of the files).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ecliptic.errors import SuiteError, TaskError
from ecliptic.files import parse_json, read_json, reason
from ecliptic.suite.commitments import commitment_of
from ecliptic.worlds import codec_of

TRUTH, PRIVATE_MANIFEST = "truth.jsonl", "sealed.json"
PRIVATE_SCHEMA = "ecliptic.truth/1"


def read_private(folder: Path) -> dict[str, Any]:
    """What ``sealed.json`` says: seed, salt, commitment, hashes."""
    if not folder.is_dir():
        raise SuiteError(f"{folder}: no such folder; --truth names the private part of a suite")
    try:
        data = read_json(folder / PRIVATE_MANIFEST)
    except TaskError as error:
        raise SuiteError(f"{error}; --truth names the private part of a suite") from None
    if not isinstance(data, dict) or data.get("schema") != PRIVATE_SCHEMA:
        raise SuiteError(f"{folder / PRIVATE_MANIFEST}: schema must be '{PRIVATE_SCHEMA}'")
    for name in ("seed", "salt", "commitment"):
        if not isinstance(data.get(name), str):
            raise SuiteError(f"{folder / PRIVATE_MANIFEST}: {name} must be text")
    return data


def _changed_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError as error:
        raise SuiteError(f"{path}: {reason(error)}") from None


def read_truths(path: Path) -> dict[str, dict[str, Any]]:
    """The lines of a ``truth.jsonl`` by id.

    Raises
    ------
    SuiteError
        No such file, a line that is no truth, or two of one task.
    """
    return _read_truths(str(path), _changed_ns(path))


@lru_cache(maxsize=2)
def _read_truths(path: str, changed_ns: int) -> dict[str, dict[str, Any]]:
    del changed_ns  # only part of the key, so that a file written anew is read anew
    found: dict[str, dict[str, Any]] = {}
    with Path(path).open("rb") as file:
        for number, text in enumerate(file, 1):
            where = f"{path}: line {number}"
            try:
                line = parse_json(text, where)
            except TaskError as error:
                raise SuiteError(str(error)) from None
            if not isinstance(line, dict) or not isinstance(line.get("id"), str):
                raise SuiteError(f"{where} is no truth of a task; make the suite again")
            if line["id"] in found:
                raise SuiteError(f"{where}: a second truth of {line['id']}")
            found[line["id"]] = line
    return found


def joined_task(public: Any, path: str, key: str) -> Any:
    """The whole task of a public one, its commitment verified.

    Raises
    ------
    TaskError
        Names the task, and what was changed or is missing.
    """
    try:
        line = read_truths(Path(path)).get(public.id)
    except SuiteError as error:
        raise TaskError(str(error)) from None
    if line is None:
        raise TaskError(
            f"{key}: {path} holds no truth of it: of another suite, or a part was changed"
        )
    salt, sealed = line.get("salt"), line.get("sealed")
    where = f"{path}: {key}"
    if not isinstance(salt, str) or not isinstance(sealed, dict):
        raise TaskError(f"{where}: salt or sealed part is missing")
    data = public.to_dict()
    try:
        found = commitment_of({**data, "sealed": sealed}, salt)
    except ValueError:  # NaN, which JSON text may hold
        found = ""
    if found != public.commitment:
        raise TaskError(
            f"{where}: the truth does not fit the commitment in the public part: "
            "one of them was changed after it was written"
        )
    return codec_of(data["schema"], where).join(public, sealed, where)


def write_truths(path: Path, lines: Sequence[dict[str, Any]]) -> None:
    """Write ``truth.jsonl``."""
    text = "".join(json.dumps(line, allow_nan=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
