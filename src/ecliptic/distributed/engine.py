"""What an engine is: jobs in, outcomes back in any order, a lost worker costs a second try."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, closing
from typing import Protocol

from ecliptic.arguments import one_of
from ecliptic.errors import UsageError
from ecliptic.run.processes import Job, Outcome, Work

ENGINES = ("local", "ray")
DIED, NODE_LOST = "worker died", "node lost"
"""How the reason of a job begins that has no outcome of its own."""
MAX_DEATHS = 2
"""A job that ends so many workers is at fault itself."""
MAX_NODE_LOSSES = 5
"""A job is not to blame for its machine, but no cluster is worth more tries than this."""

Take = Callable[[], Job | None]
Stream = Generator[Outcome | None, None, None]


class Engine(Protocol):
    """Where jobs run. A context manager gives one; at its end no worker is left."""

    @property
    def workers(self) -> int:
        """How many jobs run at the same time."""
        ...

    def outcomes(self, take: Take, work: Work) -> Stream:
        """One outcome a job, as :func:`ecliptic.run.processes.outcomes` gives them.

        No more jobs are taken than workers can soon begin, so ``take`` may read as it goes. A job
        whose worker or machine is lost is tried again; the second worker that ends on it makes it
        a failed one.
        """
        ...


def engine_of(
    name: str, workers: int | None = None, address: str | None = None
) -> AbstractContextManager[Engine]:
    """The engine of that name, to be entered with ``with``.

    Parameters
    ----------
    name
        ``local``: processes of this machine; ``ray``: a cluster, or one started for the call.
    workers
        Jobs at the same time; by default 2 (local), or as many as the cluster has processors.
    address
        Of a running Ray cluster: ``HOST:PORT`` or ``auto``.

    Raises
    ------
    UsageError
        No such engine, an address that is not for it or does not answer, or other versions there.
    MissingExtraError
        Ray is not installed.
    """
    if one_of("engine", name, ENGINES) == "ray":
        from ecliptic.distributed.ray_cluster import ray_engine

        return ray_engine(workers, address)
    if address is not None:
        raise UsageError("--address is that of a Ray cluster: add --engine ray, or leave it out")
    from ecliptic.distributed.local_engine import LocalEngine

    return LocalEngine(2 if workers is None else workers)


def retried(raw: Callable[[Take], Stream], take: Take) -> Stream:
    """The outcomes of ``raw``, where jobs that lost their worker are handed out once more."""
    again: deque[Job] = deque()
    running: dict[str, Job] = {}
    deaths: Counter[str] = Counter()
    losses: Counter[str] = Counter()

    def next_job() -> Job | None:
        job = again.popleft() if again else take()
        if job is not None:
            running[job.key] = job
        return job

    with closing(raw(next_job)) as stream:
        for outcome in stream:
            if outcome is None:
                yield None
                continue
            job = running.pop(outcome.key)
            if outcome.result is None and outcome.reason.startswith(NODE_LOST):
                losses[job.key] += 1
                if losses[job.key] < MAX_NODE_LOSSES:
                    again.append(job)
                    continue
            elif outcome.result is None and outcome.reason.startswith(DIED):
                deaths[job.key] += 1
                if deaths[job.key] < MAX_DEATHS:
                    again.append(job)
                    continue
            yield outcome
