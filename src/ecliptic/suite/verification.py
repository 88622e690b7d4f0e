"""Is a suite what it was when it was written? Checksums of files, ids, and commitments."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ecliptic.errors import EclipticError, SuiteError
from ecliptic.suite.collection import load_suite
from ecliptic.suite.manifest import faults_of_files
from ecliptic.suite.truth import PRIVATE_MANIFEST, read_private


@dataclass(frozen=True, slots=True)
class Verification:
    """What was compared, and every fault in a line of its own.

    ``files`` with a checksum that holds, ``tasks`` that are what their ids say, ``commitments``
    that the truth fits (``None``: no truth was given, or the suite is not sealed).
    """

    files: int
    tasks: int
    commitments: int | None
    faults: tuple[str, ...]


def verify_suite(
    path: str | os.PathLike[str], truth: str | os.PathLike[str] | None = None
) -> Verification:
    """Compare all that can be compared; only what is no suite at all raises.

    Raises
    ------
    SuiteError
        Nothing there, or no suite.
    """
    suite = load_suite(path)
    faults: list[str] = []
    hashes = {} if suite.manifest is None else suite.manifest.sha256
    if suite.folder is not None:
        faults += faults_of_files(suite.folder, hashes)
    n_hashes = len(hashes)
    if truth is not None:
        private = read_private(Path(truth))
        listed = private.get("sha256")
        if not isinstance(listed, dict):
            raise SuiteError(f"{Path(truth) / PRIVATE_MANIFEST}: sha256 is missing")
        faults += faults_of_files(Path(truth), listed)
        n_hashes += len(listed)
    n_files = n_hashes - len(faults)
    sound = 0
    for entry in suite.entries():
        try:
            entry.load()
        except EclipticError as error:
            faults.append(str(error))
        else:
            sound += 1
    commitments = None
    if truth is not None:
        try:
            commitments = len(load_suite(path, truth=truth))
        except EclipticError as error:
            faults.append(str(error))
            commitments = 0
    return Verification(n_files, sound, commitments, tuple(faults))
