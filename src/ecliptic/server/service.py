"""All parts of one server, started and stopped together."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.sandbox import Laboratory
from ecliptic.server import store as changes
from ecliptic.server.attempts import Attempts
from ecliptic.server.credentials import digest, kept_secret, opaque_id, operator_key
from ecliptic.server.desk import Desk
from ecliptic.server.drawing_pool import DrawingPool
from ecliptic.server.grading_pool import GradingPool, listing_of
from ecliptic.server.laboratories import Laboratories
from ecliptic.server.logs import log
from ecliptic.server.metrics import Metrics
from ecliptic.server.settings import Settings
from ecliptic.server.signatures import Signer
from ecliptic.server.store import Store, StoreError
from ecliptic.server.tool_schemas import ToolText, tools_of
from ecliptic.server.wall_clock import WallClock

BEAT_SECONDS, SWEEP_SECONDS = 5.0, 1.0


@dataclass
class Service:
    """What routes and MCP tools work with.

    Attributes
    ----------
    served
        Name, kind, checksum, commitment, protocol and feedback of the suite.
    keys
        Opaque id of a task, and its key in the suite.
    """

    settings: Settings
    served: dict[str, Any]
    keys: dict[str, str]
    ids: dict[str, str]
    tools: tuple[ToolText, ...]
    operator: str
    signer: Signer
    store: Store
    pool: GradingPool
    attempts: Attempts
    laboratories: Laboratories
    desk: Desk
    metrics: Metrics = field(default_factory=Metrics)
    uploads: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def version(self) -> str:
        """Of ecliptic."""
        return version("ecliptic")

    def gauge(self) -> None:
        """Bring the gauges up to date."""
        self.metrics.attempts.set(self.attempts.open_count)
        self.metrics.laboratories.set(self.laboratories.count)
        self.metrics.grading.set(self.pool.waiting)


def prepare(settings: Settings, listing: dict[str, Any] | None = None) -> Service:
    """All parts, with the database open and nothing running yet.

    Raises
    ------
    EclipticError
        The suite, a key or the database cannot be used.
    """
    source = settings.source
    listing = listing_of(source) if listing is None else listing
    secret = kept_secret(settings.state, "tasks.key").encode()
    found = {opaque_id(secret, task_id): (key, task_id) for key, task_id in listing["tasks"]}
    keys = {name: found[name][0] for name in sorted(found)}
    # An upload names tasks by the ids that the public part of a suite shows.
    ids = {task_id: key for key, task_id in listing["tasks"]} | keys
    limits = settings.limits
    signer = Signer.of_folder(settings.state)
    operator = digest(operator_key(settings.state))
    store = Store(settings.database, settings.state)
    pool = GradingPool(source, limits.graders, limits.waiting)
    attempts = Attempts(store, pool, limits, WallClock())
    laboratories = Laboratories(limits, settings.isolation)
    served = {name: listing[name] for name in ("name", "checksum", "commitment", "protocol")}
    served |= {"kind": source.kind, "feedback": source.feedback}
    desk = Desk(attempts, laboratories, DrawingPool(limits.waiting), served)
    tools = tools_of(source.kind, settings.isolation != "none")
    return Service(
        settings, served, keys, ids, tools, operator, signer, store, pool, attempts,
        laboratories, desk,
    )  # fmt: skip


@contextlib.asynccontextmanager
async def running(service: Service, *, warm: bool = True) -> AsyncIterator[None]:
    """The time that a server runs: attempts are taken up, and kept at the end.

    ``warm``: compile what grading needs before the first call.
    """
    now = service.attempts.clock()
    try:
        owner, rest = await service.store.do(changes.take_up(service.served["checksum"], now))
        if owner != service.served["checksum"]:
            raise UsageError(
                f"the database holds attempts on another suite (checksum {owner[:12]}...); "
                "choose another --state or --database"
            )
        if service.settings.isolation != "none":
            await Laboratory.warm_up(service.settings.isolation)
        if warm:
            await asyncio.gather(service.pool.warm_up(), service.desk.warm_up())
        await service.attempts.load()
        log("started", number=service.attempts.open_count, seconds=round(rest, 1))
        keeper = asyncio.create_task(_keep(service))
        try:
            yield
        finally:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)
            await service.attempts.finish()
    finally:
        await service.laboratories.close()
        service.desk.close()
        await asyncio.to_thread(service.pool.close)
        await asyncio.to_thread(service.store.close)
        log("stopped")


async def _keep(service: Service) -> None:
    loop = asyncio.get_running_loop()
    beat = loop.time()
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        try:
            await service.attempts.sweep()
            if loop.time() - beat >= BEAT_SECONDS:
                beat = loop.time()
                await service.attempts.beat()
        except StoreError:
            log("the database does not answer", level=40)
