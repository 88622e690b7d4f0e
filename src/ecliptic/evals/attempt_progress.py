"""How far a run of agents is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ecliptic.evals.stop_reasons import interruption
from ecliptic.run import Progress

Listener = Callable[[Progress], None]


@dataclass
class _Count:
    listener: Listener
    total: int
    resumed: int
    done: int = 0
    failed: int = 0

    def tell(self) -> None:
        done = min(self.total, self.resumed + self.done)
        self.listener(Progress(self.total, done, min(self.total, self.resumed), failed=self.failed))


_count: _Count | None = None


@contextmanager
def attempt_progress(listener: Listener | None, total: int, finished: int) -> Iterator[None]:
    """Tell ``listener`` meanwhile of each attempt that ends, of ``total`` with those ``finished``.

    An attempt that ended in an error counts as failed, here and not among those finished before,
    since a further run makes it again.
    """
    global _count
    if listener is None:
        yield
        return
    before, _count = _count, _Count(listener, total, finished)
    try:
        _count.tell()
        yield
    finally:
        _count = before


def attempt_ended() -> None:
    """Called at the end of each attempt, within its sample."""
    # Not one of Inspect's hooks: those announce themselves in every run of anybody's.
    if _count is not None:
        stopped = interruption()
        _count.done += 1
        _count.failed += stopped is not None and stopped[0].is_error
        _count.tell()
