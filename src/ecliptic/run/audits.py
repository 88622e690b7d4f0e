"""Audit every task of a suite, into a file of JSON lines that a stopped run goes on with.

A line: ``key`` (the task's key in the suite and a hash of its content), ``name``, ``task_id``,
``source_id``, ``tier``, ``status`` (done or failed), ``settings`` (protocol, draws, seed, version),
``audit`` (:class:`ecliptic.rv.auditing.Audit`), ``error``, ``wall_s``. Lines are appended as
tasks finish (:mod:`ecliptic.run.journal`); at the end the file is put into the suite's order.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecliptic.errors import EclipticError, SuiteError, UsageError
from ecliptic.files import atomic_file, output_errors
from ecliptic.run.engine import Progress
from ecliptic.run.journal import Journal, encode
from ecliptic.run.processes import Job, Outcome, Work, outcomes
from ecliptic.run.termination import terminable

if TYPE_CHECKING:
    from ecliptic.rv.tasks import RVTask
    from ecliptic.suite import Entry, Suite

SETTINGS = ("protocol", "draws", "seed", "ecliptic")
Streams = Callable[[Callable[[], Job | None], Work], Generator[Outcome | None, None, None]]
"""As :func:`ecliptic.run.processes.outcomes`, for workers on other machines."""
_FIELDS = {"key", "name", "status", "settings", "audit", "error"}


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """Lines in the suite's order, how many of them an earlier run wrote, and where they are."""

    lines: list[dict[str, Any]]
    resumed: int
    out: Path

    @property
    def failures(self) -> dict[str, str]:
        """Names of the tasks without an audit, and why."""
        return {
            line["name"]: line["error"]["reason"] for line in self.lines if line["status"] != "done"
        }


def audit_tasks(
    suite: Suite,
    out: Path,
    *,
    protocol: str = "strict",
    draws: int = 25,
    seed: int = 0,
    workers: int = 2,
    fresh: bool = False,
    progress: Callable[[Progress], None] | None = None,
    streams: Streams | None = None,
) -> AuditSummary:
    """Audit the tasks of ``suite`` that ``out`` does not hold yet.

    A task that changed since is audited anew, and so is one that could not be audited. With
    ``fresh`` what ``out`` holds is replaced. ``streams``: in place of ``workers`` processes.

    Raises
    ------
    UsageError
        No such protocol, or ``out`` is something else, of other settings, or in use.
    SuiteError
        The suite has no tasks.
    OutputError
        ``out`` cannot be written.
    KeyboardInterrupt
        On Ctrl-C, SIGTERM and SIGHUP; audits so far are kept.
    """
    if workers < 1 or draws < 0:
        raise UsageError("workers must be at least 1 and draws at least 0")
    entries = list(suite.entries())
    if not entries:
        raise SuiteError(f"{suite.name}: has no tasks to audit")
    suite.require_truth()
    settings = settings_of(protocol, draws, seed)
    asked = {name: settings[name] for name in ("protocol", "draws", "seed")}
    with terminable(), _locked(out):
        if fresh:
            with output_errors(out):
                out.unlink(missing_ok=True)
        known = _read(out, settings, {entry.key for entry in entries})
        heads: dict[str, dict[str, Any]] = {}
        lines: dict[str, dict[str, Any]] = {}
        with Journal(out, _is_line) as journal:
            standing = _Standing(len(entries), progress)

            def add(line: dict[str, Any]) -> None:
                journal.append(encode(line))
                lines[line["name"]] = line
                standing.count(line)

            def jobs() -> Iterator[Job]:
                for entry in entries:
                    head = {"name": entry.key, "settings": settings}
                    try:
                        job = _job(entry)
                    except EclipticError as error:
                        add(_line({"key": entry.key, **head, **_UNREAD}, None, str(error)))
                        continue
                    if job.key in known:
                        lines[entry.key] = known[job.key]
                        standing.resume()
                        continue
                    heads[job.key] = {
                        "key": job.key,
                        **head,
                        "task_id": job.given.id,
                        "source_id": job.given.source_id,
                        "tier": job.given.tier,
                    }
                    yield job

            take, work = partial(next, jobs(), None), partial(audited, **asked)
            with closing(
                outcomes(take, work, workers) if streams is None else streams(take, work)
            ) as stream:
                for outcome in stream:
                    if outcome is None:
                        journal.tick()
                    else:
                        add(_line(heads.pop(outcome.key), outcome))
            standing.tell()
        ordered = [lines[entry.key] for entry in entries]
        with atomic_file(out) as file:
            file.writelines(map(encode, ordered))
    return AuditSummary(ordered, standing.resumed, out)


class _Standing:
    """Counts, and tells of each change."""

    def __init__(self, total: int, report: Callable[[Progress], None] | None) -> None:
        self.total, self.report = total, report
        self.resumed = self.done = self.failed = 0
        self.tell()

    def resume(self) -> None:
        self.resumed += 1
        self.done += 1

    def count(self, line: dict[str, Any]) -> None:
        self.done += 1
        self.failed += line["status"] != "done"
        self.tell(line["name"])

    def tell(self, key: str | None = None) -> None:
        if self.report is not None:
            self.report(Progress(self.total, self.done, self.resumed, failed=self.failed, key=key))


_UNREAD: dict[str, Any] = {"task_id": None, "source_id": None, "tier": None}


def _job(entry: Entry) -> Job:
    task = entry.load()
    if task.world != "rv":
        raise UsageError(f"{entry.key}: only radial-velocity tasks can be audited so far")
    return Job(key_of(entry.key, task), task)


def key_of(name: str, task: RVTask) -> str:
    """The key of a task's line: its name in the suite, and a hash of its content."""
    content = f"{task.id} {task.sealed_checksum()}"
    return f"{name}:{hashlib.sha256(content.encode()).hexdigest()[:12]}"


def audited(task: RVTask, *, protocol: str, draws: int, seed: int) -> dict[str, Any]:
    """The audit of one task as JSON: what a worker does."""
    from ecliptic.rv.auditing import audit

    return audit(task, protocol, draws=draws, seed=seed).to_dict()


def settings_of(protocol: str, draws: int, seed: int) -> dict[str, Any]:
    """What an audit file was made with; it is continued only with the same."""
    from ecliptic.rv.protocols import protocol_of

    label = protocol_of(protocol).label
    return {"protocol": label, "draws": draws, "seed": seed, "ecliptic": version("ecliptic")}


def line_of(name: str, task: RVTask, settings: dict[str, Any], audit: Any) -> dict[str, Any]:
    """The line of a task that was audited elsewhere (``audit`` as JSON)."""
    head = {
        "key": key_of(name, task),
        "name": name,
        "settings": settings,
        "task_id": task.id,
        "source_id": task.source_id,
        "tier": task.tier,
    }
    return {**head, "status": "done", "audit": audit, "error": None, "wall_s": None}


def _line(head: dict[str, Any], outcome: Outcome | None, reason: str = "") -> dict[str, Any]:
    audit = None if outcome is None else outcome.result
    if outcome is not None:
        reason = outcome.reason
    trace = "" if outcome is None else outcome.trace
    return {
        **head,
        "status": "failed" if audit is None else "done",
        "audit": audit,
        "error": {"reason": reason, "traceback": trace} if audit is None else None,
        "wall_s": None if outcome is None else outcome.wall_s,
    }


def _is_line(line: Any) -> bool:
    return isinstance(line, dict) and line.keys() >= _FIELDS and isinstance(line["settings"], dict)


def _read(out: Path, settings: dict[str, Any], names: set[str]) -> dict[str, dict[str, Any]]:
    """Audits of an earlier run, by key; a file that is something else is not touched."""
    if not out.exists():
        return {}
    found: dict[str, dict[str, Any]] = {}
    with output_errors(out), out.open("rb") as file:
        for number, text in enumerate(file, 1):
            try:
                line = json.loads(text)
            except ValueError:
                if text.endswith(b"\n"):
                    raise UsageError(
                        f"{out}: line {number} is no audit; choose another --out"
                    ) from None
                continue  # cut short: audited anew
            if not _is_line(line):
                raise UsageError(f"{out}: line {number} is no audit; choose another --out")
            _compare(out, line, settings, names)
            if line["status"] == "done":
                found[line["key"]] = line
    return found


def _compare(out: Path, line: dict[str, Any], settings: dict[str, Any], names: set[str]) -> None:
    advice = "choose another --out or replace it with --fresh"
    for name in SETTINGS:
        there = line["settings"].get(name)
        if there != settings[name]:
            raise UsageError(
                f"{out}: holds other audits ({name} {there} there, {settings[name]} here); {advice}"
            )
    if line["name"] not in names:
        raise UsageError(f"{out}: holds '{line['name']}', which this suite does not; {advice}")


@contextmanager
def _locked(out: Path) -> Iterator[None]:
    """Hold ``out`` against a second audit; the lock ends with the process."""
    lock = out.parent / f".{out.name}.lock"
    with output_errors(out):
        if out.is_dir():
            raise UsageError(f"{out}: is a folder; name a file with --out")
        out.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"{out}: another audit is writing here; wait for it or choose another --out"
            ) from None
        try:
            yield
        finally:
            with suppress(OSError):
                lock.unlink(missing_ok=True)
    finally:
        os.close(handle)
