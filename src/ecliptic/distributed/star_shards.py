"""Radial-velocity tasks as a folder of Parquet parts, which ``load_suite`` reads as a suite."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ecliptic.arguments import seed_number, whole_number
from ecliptic.distributed.engine import Engine
from ecliptic.distributed.installation import installation
from ecliptic.distributed.part_store import JOURNAL, LOCK, PartStore, held, opened
from ecliptic.distributed.shards import Part, ShardSummary, run_shards
from ecliptic.errors import OutputError, TaskError
from ecliptic.files import output_errors, read_json, write_bytes
from ecliptic.run.engine import Progress
from ecliptic.run.processes import Work
from ecliptic.run.termination import terminable
from ecliptic.suite.manifest import MANIFEST, UNFINISHED_SCHEMA, Manifest, hash_file

PARTIAL = ".partial"
"""How the name of a file ends that a crash left half-written."""
SHARD_ROWS = {"paper": 1000, "ecliptic": 32}
"""Tasks in a part: some seconds of work of the recipe ``paper``, some minutes of ``ecliptic``,
whose tasks are audited."""


@dataclass(frozen=True, slots=True)
class StarShards:
    """``count`` tasks of a seed; the fields are the options of ``ecliptic generate rv``."""

    seed: int
    count: int
    recipe: str = "ecliptic"
    tier: str | None = None
    forward_model: str = "keplerian"
    variant: str | None = None
    cadence: str = "survey"
    rows_per_part: int = 0
    """0: as :data:`SHARD_ROWS` says for the recipe."""

    def __post_init__(self) -> None:
        """Refuse at once what no shard could make."""
        from ecliptic.rv.generator import generate_many

        generate_many(seed_number(self.seed), self.count, **self._options())
        rows = self.rows_per_part or SHARD_ROWS[self.recipe]
        object.__setattr__(self, "rows_per_part", whole_number("rows", rows, 1, 10**6))

    def _options(self) -> dict[str, Any]:
        options = asdict(self)
        return {name: options[name] for name in options.keys() - {"seed", "count", "rows_per_part"}}

    @property
    def sizes(self) -> Sequence[int]:
        """Tasks in each part: the last may be smaller."""
        full, rest = divmod(self.count, self.rows_per_part)
        return [self.rows_per_part] * full + [rest] * (rest > 0)

    @property
    def work(self) -> Work:
        """From the index of a shard to its part."""
        return partial(_made, self)

    def name(self, index: int) -> str:
        """``part-00012.parquet``."""
        return f"part-{index:05d}.parquet"

    def identity(self) -> dict[str, Any]:
        """What the bytes depend on; a folder is continued only with the same."""
        parameters = asdict(self) | {"seed": str(self.seed)}
        there = installation()
        versions = {name: there[name] for name in ("ecliptic", "numpy", "scipy", "pyarrow")}
        return {"parameters": parameters, "versions": versions}


def _made(shards: StarShards, index: int) -> dict[str, Any]:
    """The work on one shard: a Parquet file in memory."""
    from ecliptic.rv.acceptance import Tally
    from ecliptic.rv.generator import generate_many
    from ecliptic.suite.parquet import write_rows

    draws = Tally()
    start = index * shards.rows_per_part
    count = min(shards.rows_per_part, shards.count - start)
    tasks = generate_many(shards.seed, count, start=start, tally=draws, **shards._options())
    tally: Counter[str] = Counter()

    def counted() -> Any:
        for task in tasks:
            tally[f"tier {task.tier}"] += 1
            tally[f"planets {len(task.truth.planets)}"] += 1
            tally["draws"] += task.meta["attempt"] + 1
            yield task

    stream = counted()
    first, file = next(stream), io.BytesIO()
    rows = write_rows(file, first, stream, str(first.to_dict()["schema"]))
    tally.update({f"rejected {why}": number for why, number in draws.rejected.items()})
    part: Part = {"data": file.getvalue(), "rows": rows, "tally": dict(sorted(tally.items()))}
    return dict(part)


def generate_stars(
    shards: StarShards,
    out: Path,
    engine: Engine,
    *,
    overwrite: bool = False,
    progress: Callable[[Progress], None] | None = None,
    order: Sequence[int] | None = None,
) -> ShardSummary:
    """Make the tasks into the folder ``out``; the same call goes on where an earlier one stopped.

    Parts that are there are verified, damaged ones made anew. The manifest is written when all are
    there, so until then the folder is no suite.

    Raises
    ------
    OutputError
        ``out`` holds something else, or cannot be written.
    UsageError
        Another command is writing there.
    KeyboardInterrupt
        On Ctrl-C, SIGTERM and SIGHUP; finished parts are kept.
    """
    if out.suffix in {".parquet", ".json"}:
        raise OutputError(f"{out}: parts need a folder; choose a name without {out.suffix}")
    identity = shards.identity()
    _require_folder(out)
    with terminable(), held(out), _prepared(out, identity, overwrite) as store:
        summary = run_shards(shards, store, engine, progress=progress, order=order)
        if len(store.lines) == len(shards.sizes):
            store.seal()
            _finish(out, identity, store.ordered())
    return summary


def write_bytes_if_missing(path: Path, value: Mapping[str, Any]) -> None:
    """Write JSON where nothing is yet."""
    if not path.exists():
        write_bytes(path, json.dumps(value, indent=1).encode() + b"\n")


def _finish(out: Path, identity: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> None:
    hashes = {line["key"]: line["sha256"] for line in lines}
    hashes[JOURNAL] = hash_file(out / JOURNAL)
    more = {
        "job": identity,
        "rows": sum(line["rows"] for line in lines),
        "parts": [{name: line[name] for name in ("key", "rows", "bytes")} for line in lines],
    }
    manifest = Manifest(
        out.resolve().name, tuple(line["key"] for line in lines), sha256=hashes, more=more
    )
    write_bytes(out / MANIFEST, json.dumps(manifest.to_dict(), indent=1).encode() + b"\n")


def _require_folder(out: Path) -> None:
    """Refuse a file in its place."""
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out}: is a file; choose a folder")


@contextmanager
def _prepared(out: Path, identity: Mapping[str, Any], overwrite: bool) -> Iterator[PartStore]:
    """The parts in a folder that is held; its manifest says what they are before the first is."""
    _prepare(out, identity, overwrite)
    write_bytes_if_missing(out / MANIFEST, {"schema": UNFINISHED_SCHEMA, "job": identity})
    with opened(out) as store:
        yield store


def _prepare(out: Path, identity: Mapping[str, Any], overwrite: bool) -> None:
    """Make sure that the folder is new, or ours, or may be replaced."""
    there = {path.name for path in out.iterdir()} - {LOCK}
    if all(name.endswith(PARTIAL) for name in there):  # or a crash came before the manifest
        return
    job = _job(out)
    if job == json.loads(json.dumps(identity)):
        return
    foreign = {name for name in there if not _is_part(name)} - {JOURNAL, MANIFEST}
    if job is None or foreign:
        raise OutputError(f"{out}: holds other files; choose an empty or new folder")
    if not overwrite:
        raise OutputError(
            f"{out}: holds tasks of other parameters or versions ({_first_change(job, identity)}); "
            "choose another name or replace them (--overwrite)"
        )
    with output_errors(out):
        for name in sorted(there, reverse=True):  # the manifest goes first
            (out / name).unlink(missing_ok=True)


def _job(out: Path) -> Any:
    try:
        data = read_json(out / MANIFEST)
    except TaskError:
        return None
    return data.get("job") if isinstance(data, dict) else None


def _is_part(name: str) -> bool:
    return name.startswith(("part-", ".part-", ".parts", ".suite")) and not name.endswith(".json")


def _first_change(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    for group in ("parameters", "versions"):
        for name, value in here[group].items():
            was = there.get(group, {}).get(name)
            if was != value:
                return f"{name} {was} there, {value} here"
    return "others"
