"""The two parts of a sealed suite put together, every commitment verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ecliptic.errors import SuiteError, TaskError
from ecliptic.suite.commitments import suite_commitment_of
from ecliptic.suite.entries import Entry
from ecliptic.suite.manifest import Manifest
from ecliptic.suite.truth import PRIVATE_MANIFEST, TRUTH, read_private, read_truths


def joined(
    entries: Sequence[Entry], manifest: Manifest | None, truth: Path, where: str
) -> list[Entry]:
    """The entries, each with the place of its truth; every commitment has been verified.

    Raises
    ------
    SuiteError
        No private part there, one of another suite, or one that a commitment does not fit; names
        the task.
    """
    private = read_private(truth)
    known = read_truths(truth / TRUTH)
    found = [replace(entry, truth=str(truth / TRUTH)) for entry in entries]
    commitments = []
    for entry in found:
        try:
            public = replace(entry, truth="").load()
            if not hasattr(public, "commitment"):
                raise SuiteError(f"{where}: holds its truth itself; leave --truth out")
            entry.load()
        except TaskError as error:
            raise SuiteError(str(error)) from None
        commitments.append(public.commitment)
    extra = known.keys() - {entry.id for entry in entries}
    if extra:
        raise SuiteError(
            f"{truth}: holds the truth of {min(extra)}, which {where} does not hold: "
            "the private part of another suite, or one of the two was changed"
        )
    found_whole = suite_commitment_of(commitments, str(private["seed"]), str(private["salt"]))
    stated = None if manifest is None else manifest.more.get("commitment")
    if found_whole not in (stated or found_whole,) or found_whole != private["commitment"]:
        raise SuiteError(
            f"{where}: the suite's commitment does not hold: the order of its tasks, suite.json or "
            f"{truth / PRIVATE_MANIFEST} was changed after it was written"
        )
    return found
