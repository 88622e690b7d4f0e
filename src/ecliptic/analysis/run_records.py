"""A folder of ``ecliptic run`` (``run.json``, ``results.jsonl``) becomes attempts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.log_headers import agent_label, suite_name
from ecliptic.analysis.log_samples import FOREIGN_FORM
from ecliptic.analysis.tables import UNREAD
from ecliptic.analysis.verdict_figures import read_verdict
from ecliptic.errors import TaskError
from ecliptic.files import read_json, reason

MANIFEST, RESULTS = "run.json", "results.jsonl"


def is_run(folder: Path) -> bool:
    """Whether a run has put results there."""
    return (folder / MANIFEST).is_file() and (folder / RESULTS).is_file()


def run_attempts(folder: Path) -> Iterator[Attempt]:
    """One attempt a task, the last record of each; a line that is cut short is passed over.

    Raises
    ------
    TaskError
        The manifest, or a line that is not the last one, cannot be read.
    """
    manifest = read_json(folder / MANIFEST)
    if not isinstance(manifest, dict) or not isinstance(manifest.get("identity"), dict):
        raise TaskError(f"{folder / MANIFEST}: is no manifest of a run; run anew with --fresh")
    latest: dict[str, Attempt] = {}
    for number, record in _records(folder / RESULTS):
        try:
            attempt = _attempt(record, manifest, folder)
        except FOREIGN_FORM:
            raise _no_result(folder / RESULTS, number) from None
        latest.pop(attempt.uuid, None)
        latest[attempt.uuid] = attempt
    yield from latest.values()


def _no_result(path: Path, number: int) -> TaskError:
    return TaskError(
        f"{path}: line {number} is no result; delete that line or run anew with --fresh"
    )


def _records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    record = json.loads(line)
                    if record["status"] not in {"done", "failed"}:
                        raise ValueError
                except FOREIGN_FORM:
                    if not line.endswith(b"\n"):
                        return  # the run was stopped while it wrote
                    raise _no_result(path, number) from None
                yield number, record
    except OSError as error:
        raise TaskError(f"{path}: {reason(error)}") from None


def _attempt(record: Mapping[str, Any], manifest: Mapping[str, Any], folder: Path) -> Attempt:
    identity = manifest["identity"]
    verdict = record["verdict"]
    task = str(record.get("task_id") or record["key"])
    failure = record.get("error") or {}
    seconds = record.get("cpu_s")
    graded: dict[str, Any] = {
        "protocol": str(record.get("protocol") or identity.get("protocol") or "")
    }
    if verdict is not None:
        graded = read_verdict(verdict) | {"protocol": verdict["protocol"] or graded["protocol"]}
    passed = None if verdict is None else bool(verdict["passed"])
    over = graded.get("diagnosis") == "over_budget"
    return Attempt(
        agent=agent_label(str(record["solver"]), identity.get("options") or {}),
        model="",
        world="stargazer",
        suite=suite_name(str(manifest.get("suite") or "")),
        suite_source=str(manifest.get("suite_source") or manifest.get("suite") or ""),
        suite_checksum=str(identity.get("suite_checksum") or ""),
        task=task,
        cluster=task,
        kind=str(record.get("tier") or UNREAD),
        passed=passed,
        stop="our_error"
        if passed is None
        else "solved"
        if passed
        else "time"
        if over
        else "gave_up",
        error=str(failure.get("reason") or "error") if passed is None else "",
        seconds=float((record.get("wall_s") if seconds is None else seconds) or 0.0),
        submissions=0 if passed is None or not graded["criteria"] else 1,
        log=folder,
        uuid=str(record["key"]),
        **graded,
    )
