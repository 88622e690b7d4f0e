"""The time of the server: the wall's when it starts, and from then on never going back."""

from __future__ import annotations

import time


class WallClock:
    """Seconds since 1970; a change of the machine's clock while the server runs is not seen."""

    def __init__(self) -> None:
        self._wall, self._monotonic = time.time(), time.monotonic()

    def __call__(self) -> float:
        """Now."""
        return self._wall + time.monotonic() - self._monotonic
