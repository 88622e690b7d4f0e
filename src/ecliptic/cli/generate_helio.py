"""``ecliptic generate helio``: question records from a seed."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ecliptic.cli.engine_options import engine_options
from ecliptic.cli.progress import counted

if TYPE_CHECKING:
    from ecliptic.helio.records import Record

DEFAULT_COUNT = 12


@click.command()
@click.option(
    "--families",
    default="all",
    show_default=True,
    metavar="NAME,...",
    help="Families or topics, separated by commas.",
)
@click.option(
    "--forms",
    default="numeric,symbolic,textual",
    show_default=True,
    metavar="FORM,...",
    help="Types of answer.",
)
@click.option(
    "--count", type=int, default=DEFAULT_COUNT, show_default=True, help="Records to make."
)
@click.option(
    "--seed", type=int, help="0 to 2^128 - 1; the same seed gives the same file.  [default: fresh]"
)
@click.option("--hints/--no-hints", default=True, help="Say what form the answer should have.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@engine_options("Families on several workers, and the same command resumes.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="A file of JSON lines.  [default: ./suites/helio-COUNT.jsonl]",
)
@click.option("--overwrite", is_flag=True, help="Replace the file that --out names.")
@click.option("--list", "listing", is_flag=True, help="List topics and families, and stop.")
def helio(
    families: str,
    forms: str,
    count: int,
    seed: int | None,
    hints: bool,
    workers: int,
    engine: str | None,
    address: str | None,
    out: Path | None,
    overwrite: bool,
    listing: bool,
) -> int:
    """Make heliophysics questions: each answer is proven by two routes before it is written.

    Example: ecliptic generate helio --families all --count 480 --seed 7 --out questions.jsonl
    """
    from ecliptic.errors import OutputError
    from ecliptic.helio.generator import generate_many
    from ecliptic.helio.records import write_records

    if listing:
        click.echo(_listing())
        return 0
    used = secrets.randbits(128) if seed is None else seed
    out = out or Path("suites", f"helio-{count}.jsonl")
    if out.exists() and not overwrite:
        raise OutputError(f"{out}: exists; take another --out, or --overwrite")
    chosen_forms = [form.strip() for form in forms.split(",")]
    if engine is not None or address is not None:
        from ecliptic.cli.generate_parts import generate_record_parts
        from ecliptic.distributed import QuestionShards
        from ecliptic.helio.generator import family_names

        wanted = tuple(_names(families) or family_names())
        shards = QuestionShards(used, count, wanted, tuple(chosen_forms), hints)
        return generate_record_parts(
            shards, out, engine or "local", workers, address, seed is not None
        )
    records = generate_many(
        used,
        count,
        families=_names(families),
        forms=chosen_forms,
        hints=hints,
        workers=workers,
    )
    tally = Tally()
    begin = time.perf_counter()
    out.parent.mkdir(parents=True, exist_ok=True)
    written = write_records(map(tally.note, counted(records, count, "generate")), out)
    seconds = time.perf_counter() - begin
    click.echo(f"{written} records in {out}, all proven ({seconds:.1f} s)")
    click.echo(tally.summary())
    origin = "" if seed is not None else f"  (drawn now; --seed {used} makes these records again)"
    click.echo(f"seed      {used}{origin}")
    return 0


class Tally:
    """Counts what passes by."""

    def __init__(self) -> None:
        self.types: Counter[str] = Counter()
        self.topics: Counter[str] = Counter()
        self.families: set[str] = set()

    def note(self, record: Record) -> Record:
        """The same record, counted."""
        self.types[record.type] += 1
        self.topics[record.meta["topic"]] += 1
        self.families.add(record.meta["family"])
        return record

    def summary(self) -> str:
        """Two lines: types of answer, and how many families and topics."""
        types = ", ".join(f"{self.types[name]} {name}" for name in sorted(self.types))
        return f"types     {types}\nfamilies  {len(self.families)} over {len(self.topics)} topics"


def _names(text: str) -> list[str] | None:
    """Families of a list of families and topics; ``None`` for all."""
    from ecliptic.helio.families.catalogue import TOPICS, topics_of_families

    if text.strip() == "all":
        return None
    names: list[str] = []
    for name in (part.strip() for part in text.split(",")):
        inside = [family for family, topic in topics_of_families().items() if topic == name]
        names += inside if name in TOPICS else [name]
    return names


def _listing() -> str:
    from ecliptic.helio.families.catalogue import TOPICS, family_of, topics_of_families

    lines = []
    for topic, title in TOPICS.items():
        lines.append(f"{topic}: {title}")
        for name, where in topics_of_families().items():
            if where == topic:
                family = family_of(name)
                lines.append(f"  {name:<32} {family.title} ({', '.join(family.forms)})")
    return "\n".join(lines)
