"""``suite.json``: which files a suite has, how it is graded, and what its files must hash to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ecliptic.errors import SuiteError, TaskError
from ecliptic.files import output_errors, read_json

MANIFEST = "suite.json"
MANIFEST_SCHEMA = "ecliptic.suite/1"
UNFINISHED_SCHEMA = "ecliptic.suite.unfinished/1"
"""While parts are missing: no command takes the folder for a suite."""
AUDIT_SUFFIX = ".audit.jsonl"
"""Audits of a suite stand beside its tasks, and go with them when a suite is replaced."""
CROISSANT, CARD = "croissant.json", "README.md"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Manifest:
    """What ``suite.json`` says.

    Attributes
    ----------
    files
        Names of the task files, in order.
    protocol
        How the suite is graded where nothing else is asked for; ``None``: it does not say.
    sha256
        Hashes of all files of the suite by name, empty for a suite that was written without.
    more
        Everything else, such as ceilings and floors by tier, for people and for
        ``ecliptic suite show``.
    """

    name: str
    files: tuple[str, ...]
    protocol: str | None = None
    sha256: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON, with the checksum over all files where these have hashes."""
        data: dict[str, Any] = {
            "schema": MANIFEST_SCHEMA,
            "name": self.name,
            "made_by": f"ecliptic {version('ecliptic')}",
            "files": list(self.files),
        }
        if self.protocol is not None:
            data["protocol"] = self.protocol
        data |= self.more
        if self.sha256:
            data["sha256"] = dict(self.sha256)
            data["checksum"] = checksum_of(self.sha256)
        return data

    def write(self, folder: Path) -> None:
        """Write ``suite.json`` into ``folder``."""
        text = json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n"
        with output_errors(folder / MANIFEST):
            (folder / MANIFEST).write_text(text, encoding="utf-8")


def read_manifest(path: Path) -> Manifest:
    """The manifest in a file.

    Raises
    ------
    SuiteError
        Naming the file and the field that is wrong.
    """
    try:
        data = read_json(path)
    except TaskError as error:
        raise SuiteError(f"{error}; remove it to use the task files without it") from None
    if isinstance(data, dict) and data.get("schema") == UNFINISHED_SCHEMA:
        raise SuiteError(
            f"{path}: the suite is not finished; the command that began it goes on with it"
        )
    if not isinstance(data, dict) or data.get("schema") != MANIFEST_SCHEMA:
        raise SuiteError(f"{path}: schema must be '{MANIFEST_SCHEMA}'")
    name, files, protocol = data.get("name"), data.get("files"), data.get("protocol")
    if not isinstance(name, str):
        raise SuiteError(f"{path}: name must be text")
    if not isinstance(files, list) or not all(_is_task_file(file) for file in files):
        raise SuiteError(f"{path}: files must be a list of file names")
    if not isinstance(protocol, str | None):
        raise SuiteError(f"{path}: protocol must be text")
    hashes = data.get("sha256", {})
    if not isinstance(hashes, dict) or not all(
        _is_plain(file) and isinstance(value, str) for file, value in hashes.items()
    ):
        raise SuiteError(f"{path}: sha256 must give a hash for each file name")
    if hashes and data.get("checksum") != checksum_of(hashes):
        raise SuiteError(
            f"{path}: checksum is not that of the hashes under sha256: changed by hand"
        )
    known = {"schema", "name", "made_by", "files", "protocol", "sha256", "checksum"}
    more = {key: value for key, value in data.items() if key not in known}
    return Manifest(name, tuple(files), protocol, hashes, more)


def _is_plain(name: object) -> bool:
    return isinstance(name, str) and name == Path(name).name and not name.startswith(".")


def _is_task_file(name: object) -> bool:
    return _is_plain(name) and str(name).endswith((".json", ".parquet"))


def checksum_of(sha256: Mapping[str, str]) -> str:
    """SHA-256 over lines ``HASH  NAME`` in the order of the names, as ``sha256sum`` prints them."""
    lines = "".join(f"{sha256[name]}  {name}\n" for name in sorted(sha256))
    return hashlib.sha256(lines.encode()).hexdigest()


def hash_file(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def hash_files(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """SHA-256 of each of these files."""
    return {name: hash_file(folder / name) for name in sorted(names)}


def faults_of_files(folder: Path, sha256: Mapping[str, str]) -> list[str]:
    """Files that are missing or are not what their hash says; one line each."""
    faults = []
    for name, wanted in sha256.items():
        path = folder / name
        if not path.is_file():
            faults.append(f"{path}: is missing")
        elif hash_file(path) != wanted:
            faults.append(f"{path}: was changed: its SHA-256 is not that in the manifest")
    return faults
