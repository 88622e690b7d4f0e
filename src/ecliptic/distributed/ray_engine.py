"""Jobs as Ray tasks: a bounded number under way, and the loss of a machine is no fault of theirs.

Ray's own retries are off, as they would run a job that ends its worker again and again.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ecliptic.distributed.engine import DIED, NODE_LOST, Stream, Take, retried
from ecliptic.distributed.installation import difference, installation
from ecliptic.errors import EclipticError, UsageError
from ecliptic.run.processes import TICK_SECONDS, Job, Outcome, Work

QUEUED_PER_WORKER = 2
"""Jobs under way for each worker: the one it does, and the next, so that it never waits."""

Answer = tuple[dict[str, Any] | None, str, str, float]
_OTHER_VERSIONS = "other versions: "


class RayEngine:
    """Tasks on the cluster that this process is connected to."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    @property
    def workers(self) -> int:
        """How many jobs run at the same time."""
        return self._workers

    def outcomes(self, take: Take, work: Work) -> Stream:
        """One outcome a job; see :class:`ecliptic.distributed.engine.Engine`."""
        return retried(lambda next_job: self._stream(next_job, work), take)

    def _stream(self, take: Take, work: Work) -> Stream:
        import ray

        remote = ray.remote(num_cpus=1, max_retries=0)(_perform)
        here = dict(installation())
        running: dict[Any, Job] = {}
        upcoming = take()
        try:
            while upcoming is not None or running:
                while upcoming is not None and len(running) < self._most():
                    running[remote.remote(work, upcoming.given, here)] = upcoming
                    upcoming = take()
                ready, _ = ray.wait(list(running), num_returns=1, timeout=TICK_SECONDS)
                for reference in ready:
                    yield _outcome(reference, running.pop(reference))
                yield None
                if upcoming is None:
                    upcoming = take()
        finally:
            for reference in running:
                with suppress(ray.exceptions.RayError):
                    ray.cancel(reference, force=True)

    def _most(self) -> int:
        return QUEUED_PER_WORKER * self._workers


def _outcome(reference: Any, job: Job) -> Outcome:
    import ray

    try:
        result, reason, trace, wall_s = ray.get(reference)
    except ray.exceptions.RayError as error:
        told = " ".join(str(error).split())[:300]
        return Outcome(job.key, None, f"{_kind(error)} ({told})", "", 0.0)
    if reason.startswith(_OTHER_VERSIONS):
        raise UsageError(f"a Ray node that joined later has {reason}; install the same everywhere")
    return Outcome(job.key, result, reason, trace, wall_s)


def _kind(error: Exception) -> str:
    from ray import exceptions

    if isinstance(error, exceptions.WorkerCrashedError | exceptions.OutOfMemoryError):
        return DIED
    lost = exceptions.NodeDiedError | exceptions.ObjectLostError | exceptions.LocalRayletDiedError
    return NODE_LOST if isinstance(error, lost) else type(error).__name__


def _perform(work: Work, given: Any, wanted: Mapping[str, str]) -> Answer:
    """What runs on the cluster."""
    begin = time.monotonic()
    told = difference(wanted, installation())
    if told:
        return None, f"{_OTHER_VERSIONS}{told}", "", 0.0
    answer: tuple[dict[str, Any] | None, str, str]
    try:
        answer = work(given), "", ""
    except EclipticError as error:
        answer = None, str(error), ""
    except Exception as error:  # noqa: BLE001  (a fault of one job costs no other)
        answer = None, f"{type(error).__name__}: {error}", traceback.format_exc()
    return *answer, round(time.monotonic() - begin, 3)
