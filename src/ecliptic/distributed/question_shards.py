"""Question records as one file of JSON lines, made a family at a time.

No two records of a family have one text, so a family is the smallest piece that can be made alone.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ecliptic.distributed.engine import Engine
from ecliptic.distributed.installation import installation
from ecliptic.distributed.part_store import held, opened
from ecliptic.distributed.shards import Part, ShardSummary, run_shards
from ecliptic.distributed.star_shards import write_bytes_if_missing
from ecliptic.errors import OutputError
from ecliptic.files import atomic_file, read_json
from ecliptic.run.engine import Progress
from ecliptic.run.processes import Work
from ecliptic.run.termination import terminable

JOB = "job.json"


@dataclass(frozen=True, slots=True)
class QuestionShards:
    """``count`` records of a seed; as :func:`ecliptic.helio.generator.generate_many` shares them.

    ``families`` and ``forms`` are names in order.
    """

    seed: int
    count: int
    families: tuple[str, ...]
    forms: tuple[str, ...]
    hints: bool = True

    def __post_init__(self) -> None:
        """Refuse at once what no shard could make."""
        from ecliptic.helio.generator import generate_many

        generate_many(
            self.seed, self.count, families=self.families, forms=self.forms, hints=self.hints
        )

    @property
    def shares(self) -> dict[str, int]:
        """Records of each family that has any."""
        from ecliptic.helio.families.catalogue import family_of

        cells = [
            name
            for name in dict.fromkeys(self.families)
            for form in family_of(name).forms
            if form in self.forms
        ]
        share, rest = divmod(self.count, len(cells))
        found: Counter[str] = Counter()
        for position, name in enumerate(cells):
            found[name] += share + (position < rest)
        return {name: number for name, number in found.items() if number}

    @property
    def sizes(self) -> Sequence[int]:
        """Records of each family."""
        return list(self.shares.values())

    @property
    def work(self) -> Work:
        """From the index of a family to its part."""
        return partial(_made, self)

    def name(self, index: int) -> str:
        """``part-00012.jsonl``."""
        return f"part-{index:05d}.jsonl"


def _made(shards: QuestionShards, index: int) -> dict[str, Any]:
    from ecliptic.helio.generator import generate_many

    name, number = list(shards.shares.items())[index]
    tally: Counter[str] = Counter()
    lines = []
    for record in generate_many(
        shards.seed, number, families=[name], forms=shards.forms, hints=shards.hints
    ):
        tally[f"type {record.type}"] += 1
        lines.append(json.dumps(record.to_dict(), ensure_ascii=False, allow_nan=False) + "\n")
    part: Part = {
        "data": "".join(lines).encode(),
        "rows": len(lines),
        "tally": dict(sorted(tally.items())),
    }
    return dict(part)


def generate_questions(
    shards: QuestionShards,
    out: Path,
    engine: Engine,
    *,
    progress: Callable[[Progress], None] | None = None,
) -> ShardSummary:
    """Make the records into the file ``out``, by way of parts in the folder ``OUT.parts``.

    The folder is removed when the file is there.

    Raises
    ------
    OutputError
        The folder holds parts of something else, or cannot be written.
    """
    folder = out.with_name(f"{out.name}.parts")
    job = {
        "seed": str(shards.seed),
        "count": shards.count,
        "families": list(shards.families),
        "forms": list(shards.forms),
        "hints": shards.hints,
        "ecliptic": installation()["ecliptic"],
    }
    with terminable(), held(folder):
        if (folder / JOB).exists() and read_json(folder / JOB) != job:
            raise OutputError(
                f"{folder}: holds parts of other records; remove it, or another --out"
            )
        write_bytes_if_missing(folder / JOB, job)
        with opened(folder) as store:
            summary = run_shards(shards, store, engine, progress=progress)
            if summary.failures:
                return summary
            with atomic_file(out) as file:
                for line in store.ordered():
                    file.write((folder / line["key"]).read_bytes())
        shutil.rmtree(folder)
    return summary
