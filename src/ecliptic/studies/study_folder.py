"""A study's folder: what it is of, and which cells are finished.

``study.json`` holds the whole definition, as it was after all options, with the checksums of the
suites and the versions. ``cells/NAME/`` holds a cell's logs and, once it has run, ``cell.json``.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ecliptic.errors import TaskError, UsageError
from ecliptic.files import output_errors, read_json, write_bytes
from ecliptic.model import short
from ecliptic.studies.definition import Study
from ecliptic.studies.grid import Cell
from ecliptic.studies.subjects import Subject

STUDY, CELL = "study.json", "cell.json"
CELLS, OWN = "cells", ("cells", "suites", "cache", "report")
_SAME_STUDY = ("title",)
"""Fields that change no cell."""
_MOST_NAMED = 3
DONE, FAILED, INCOMPLETE = "done", "failed", "incomplete"


@dataclass(frozen=True, slots=True)
class CellState:
    """How a cell stands: ``done``, ``failed`` (it could not run), or ``incomplete``.

    ``attempts`` are those in its logs, ``passed`` of them passed, ``errors`` ended in an error
    or were not begun.
    """

    status: str
    reason: str = ""
    attempts: int = 0
    passed: int = 0
    errors: int = 0


def open_study(folder: Path, study: Study, subjects: Sequence[Subject]) -> None:
    """Begin a study in a folder, or go on with it.

    Raises
    ------
    UsageError
        The folder holds another study, or this one with a change; says what differs.
    """
    path = folder / STUDY
    identity = identity_of(study, subjects)
    if not path.exists():
        if (folder / CELLS).exists():
            raise UsageError(
                f"{folder}: holds cells without a {STUDY}; choose another folder with --out, or "
                "delete them with --fresh"
            )
        write_bytes(path, json.dumps(identity, indent=2).encode() + b"\n")
        return
    _refuse(folder, read_identity(folder), identity)


def _refuse(folder: Path, there: Mapping[str, Any], identity: Mapping[str, Any]) -> None:
    if there == identity:
        return
    told = list(_differences(there, identity))
    more = f" and {len(told) - _MOST_NAMED} more" if len(told) > _MOST_NAMED else ""
    raise UsageError(
        f"{folder}: holds another form of this study: {'; '.join(told[:_MOST_NAMED])}{more}; "
        "change it back, choose another folder with --out, or delete its cells with --fresh"
    )


def check_study(folder: Path, study: Study) -> None:
    """Refuse a folder of another study, before its suites are read or anything is shown.

    Raises
    ------
    UsageError
        As :func:`open_study`.
    """
    if (folder / STUDY).exists():
        there = read_identity(folder)
        _refuse(folder, there, identity_of(study, ()) | {"checksums": there.get("checksums")})


def read_identity(folder: Path) -> dict[str, Any]:
    """What ``study.json`` says; a :class:`UsageError` where it is missing or damaged."""
    try:
        found = read_json(folder / STUDY)
    except TaskError as error:
        raise UsageError(f"{error}; is {folder} the folder of a study?") from None
    if isinstance(found, dict) and isinstance(found.get("study"), dict):
        return found
    raise UsageError(f"{folder / STUDY}: is damaged; start anew with --fresh")


def identity_of(study: Study, subjects: Sequence[Subject]) -> dict[str, Any]:
    """All that the cells' results depend on, as plain JSON."""
    plain = study.model_dump(mode="json", exclude=set(_SAME_STUDY))
    return {
        "study": plain,
        "checksums": {subject.label: subject.checksum for subject in subjects},
        "versions": _versions(with_inspect=bool(study.models)),
    }


def _versions(*, with_inspect: bool) -> dict[str, str]:
    found = {}
    for package in ("ecliptic", *(("inspect-ai", "inspect-evals") if with_inspect else ())):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _differences(there: Any, here: Any, place: str = "") -> Iterator[str]:
    if isinstance(there, Mapping) and isinstance(here, Mapping):
        for name in dict.fromkeys([*there, *here]):
            inner = f"{place}.{name}" if place else str(name)
            yield from _differences(there.get(name), here.get(name), inner)
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        for number, (was, now) in enumerate(zip(there, here, strict=True)):
            yield from _differences(was, now, f"{place}[{number}]")
    elif there != here:
        field = place.removeprefix("study.")
        if field.startswith("checksums."):
            yield f"the tasks of {field.removeprefix('checksums.')} have changed"
        else:
            yield f"{field}: {short(there)} there, {short(here)} here"


def clear(folder: Path) -> None:
    """Delete what studies keep in the folder, and nothing else."""
    if not (folder / STUDY).exists() and not (folder / CELLS).exists():
        return
    with output_errors(folder):
        for name in OWN:
            shutil.rmtree(folder / name, ignore_errors=True)
        (folder / STUDY).unlink(missing_ok=True)


def state_of(folder: Path, cell: Cell) -> CellState | None:
    """How a cell stands; ``None`` before it has run, or where its logs are gone."""
    place = folder / CELLS / cell.key
    path = place / CELL
    if not path.exists() or not any(each.name != CELL for each in place.iterdir()):
        return None
    try:
        return CellState(**read_json(path))  # type: ignore[arg-type]
    except (TaskError, TypeError):
        return None  # cut short: the cell looks into its logs itself


def keep_state(folder: Path, cell: Cell, state: CellState) -> None:
    """Write down how a cell stands."""
    path = folder / CELLS / cell.key / CELL
    write_bytes(path, json.dumps(asdict(state)).encode() + b"\n")
