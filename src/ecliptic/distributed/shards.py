"""Run all shards of a job into a folder of parts, from wherever an earlier call stopped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypedDict

from ecliptic.distributed.engine import Engine
from ecliptic.distributed.part_store import PartStore
from ecliptic.errors import EclipticError
from ecliptic.run.engine import Progress
from ecliptic.run.processes import Job, Outcome, Work


class Part(TypedDict):
    """What the work on one shard gives: bytes of a file, its rows, and counts worth telling."""

    data: bytes
    rows: int
    tally: dict[str, int]


class Shards(Protocol):
    """A job cut into shards; each is a pure function of the job's parameters and its index."""

    @property
    def sizes(self) -> Sequence[int]:
        """Rows that each shard is to give."""
        ...

    @property
    def work(self) -> Work:
        """From the index of a shard to its :class:`Part`."""
        ...

    def name(self, index: int) -> str:
        """The file of a shard's part."""
        ...


@dataclass(frozen=True, slots=True)
class ShardSummary:
    """What a call came to.

    Attributes
    ----------
    rows, bytes, parts
        In the folder now, and of these ``resumed`` rows by earlier calls.
    tally
        Sums over all parts.
    redone
        Parts that the journal has, but that were damaged or missing, so that they were made anew.
    failures
        By part: why there is none.
    """

    folder: Path
    rows: int
    bytes: int
    parts: int
    resumed: int
    tally: Mapping[str, int]
    redone: tuple[str, ...]
    failures: Mapping[str, str]


def run_shards(
    shards: Shards,
    store: PartStore,
    engine: Engine,
    *,
    progress: Callable[[Progress], None] | None = None,
    order: Sequence[int] | None = None,
) -> ShardSummary:
    """Make the parts that ``store`` does not hold; those that fail cost no other.

    Parameters
    ----------
    order
        In which shards are handed out, all or a part of them; by default by their number.

    Raises
    ------
    OutputError
        Parts cannot be written; those so far stay valid.
    EclipticError
        A shard gives other rows than it should.
    """
    sizes = shards.sizes
    for index, line in list(store.lines.items()):
        if not (0 <= index < len(sizes) and _fits(line, shards.name(index), sizes[index])):
            store.drop(index)
    asked = range(len(sizes)) if order is None else order
    todo = iter([index for index in asked if index not in store.lines])
    resumed = done = sum(line["rows"] for line in store.lines.values())
    total, failed = sum(sizes), 0
    failures: dict[str, str] = {}

    def take() -> Job | None:
        index = next(todo, None)
        return None if index is None else Job(str(index), index)

    def tell(key: str | None = None) -> None:
        if progress is not None:
            progress(Progress(total, done, resumed, failed=failed, key=key))

    tell()
    with closing(engine.outcomes(take, shards.work)) as stream:
        for outcome in stream:
            if outcome is None:
                continue
            index = int(outcome.key)
            name = shards.name(index)
            if outcome.result is None:
                failures[name] = outcome.reason
                failed += sizes[index]
            else:
                _keep(store, index, name, sizes[index], outcome)
                done += sizes[index]
            tell(name)
    tally: Counter[str] = Counter()
    for line in store.lines.values():
        tally.update(line["tally"])
    lines = store.ordered()
    return ShardSummary(
        store.folder,
        sum(line["rows"] for line in lines),
        sum(line["bytes"] for line in lines),
        len(lines),
        resumed,
        tally,
        tuple(store.redone),
        failures,
    )


def _fits(line: Mapping[str, Any], name: str, rows: int) -> bool:
    return bool(line["key"] == name and line["rows"] == rows)


def _keep(store: PartStore, index: int, name: str, size: int, outcome: Outcome) -> None:
    part: Any = outcome.result
    if part["rows"] != size:
        raise EclipticError(f"{name}: {part['rows']} rows, not {size}: a fault of the generator")
    store.add(index, name, part["data"], part["rows"], part["tally"])
