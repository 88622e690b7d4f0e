"""How often one client may call."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from ecliptic.server.problems import RefusedError

MOST_CLIENTS = 20_000


class Rates:
    """A bucket of ``burst`` calls a client, filled at ``per_second``."""

    def __init__(
        self, per_second: float, burst: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._clock = per_second, float(burst), clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> None:
        """Count a call; raises :class:`RefusedError` (429) where there are too many."""
        now = self._clock()
        filled, then = self._buckets.pop(client, (self._burst, now))
        filled = min(self._burst, filled + (now - then) * self._rate)
        enough = filled >= 1.0
        self._buckets[client] = (filled - 1.0 if enough else filled, now)
        if len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        if not enough:
            wait = (1.0 - filled) / self._rate
            raise RefusedError(429, f"too many calls; wait {wait:.1f} s", retry=wait)
