"""A run's folder: who may write into it, and whose results it holds.

``run.json`` is the manifest. Its ``identity`` part (suite checksum, solver, options, protocol and
version) must be the same for every run that adds to the folder, or the results would not compare.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ecliptic.errors import OutputError, UsageError
from ecliptic.files import output_errors, require_regular, write_bytes

MANIFEST, JOURNAL, PARQUET, LOG = "run.json", "results.jsonl", "results.parquet", "workers.log"
FIELDS = {
    "suite_checksum": "suite",
    "solver": "solver",
    "solver_source": "source of the solver",
    "options": "solver options",
    "protocol": "protocol",
    "ecliptic": "version of ecliptic",
}


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Create ``folder`` and hold it: a second run into it is refused, not mixed in.

    The lock ends with the process, however that ends.
    """
    try:
        with output_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        with output_errors(folder / ".lock"):
            lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OutputError as error:
        if isinstance(error.__cause__, FileExistsError | NotADirectoryError):
            raise UsageError(f"{folder}: is not a folder; choose another with --out") from None
        raise
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"{folder}: another run is writing here; wait for it or choose another folder "
                "with --out"
            ) from None
        yield
    finally:
        os.close(lock)


def clear(folder: Path) -> None:
    """Delete the results of earlier runs, and nothing else."""
    for name in (JOURNAL, PARQUET, MANIFEST, LOG):
        with output_errors(folder / name):
            (folder / name).unlink(missing_ok=True)


def withdraw(folder: Path) -> None:
    """Take back the folder of a run that was refused before it had any result."""
    if (folder / JOURNAL).stat().st_size:
        return
    clear(folder)
    (folder / ".lock").unlink(missing_ok=True)
    with suppress(OSError):  # it holds other files
        folder.rmdir()


def open_manifest(
    folder: Path, identity: Mapping[str, Any], described: Mapping[str, Any]
) -> dict[str, Any]:
    """The folder's manifest; written now if this is its first run.

    ``identity`` must agree with what is there, ``described`` (names, paths) need not.

    Raises
    ------
    UsageError
        If the folder holds results of something else; says what differs and what to do.
    """
    path = folder / MANIFEST
    if not path.exists():
        if (folder / JOURNAL).exists():
            raise UsageError(
                f"{folder}: holds results without a {MANIFEST}; choose another folder with --out "
                "or delete them with --fresh"
            )
        manifest = {
            **described,
            "identity": dict(identity),
            "versions": _versions(),
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        write_bytes(path, json.dumps(manifest, indent=2).encode() + b"\n")
        return manifest
    manifest = read_manifest(folder)
    there = manifest["identity"]
    for field, name in FIELDS.items():
        if there.get(field) != identity.get(field):
            was, now = there.get(field), identity.get(field)
            if field == "suite_checksum":
                was = f"{manifest.get('suite')} (checksum {str(was)[:12]})"
                now = f"{described.get('suite')} (checksum {str(now)[:12]})"
            raise UsageError(
                f"{folder}: holds other results ({name}: {was} there, {now} here); choose another "
                "folder with --out or delete them with --fresh"
            )
    return manifest


def read_manifest(folder: Path) -> dict[str, Any]:
    """What ``run.json`` says.

    Raises
    ------
    UsageError
        If it is missing or damaged.
    """
    path = folder / MANIFEST
    try:
        require_regular(path)
        manifest = json.loads(path.read_text())
        if isinstance(manifest, dict) and isinstance(manifest.get("identity"), dict):
            return manifest
    except (OSError, ValueError):
        pass
    raise UsageError(
        f"{path}: missing or damaged; choose another folder with --out or start anew with --fresh"
    )


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for package in ("ecliptic", "numpy", "scipy", "numba", "nifty-ls", "celerite2", "rebound"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions
