"""``ecliptic ingest``: a LaTeX problem set with solutions becomes draft records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ecliptic.cli.option_types import FiniteRange
from ecliptic.errors import OutputError

if TYPE_CHECKING:
    from ecliptic.helio.ingest import Drafts

MAX_NAMED = 5
_File = click.Path(path_type=Path)


@click.command()
@click.argument("path", type=_File)
@click.option("--author", required=True, help="Family name; stands in every identifier.")
@click.option("--year", type=click.IntRange(1800, 2200), required=True, help="Year of the set.")
@click.option("--solutions", type=_File, help="A second file with the solutions.")
@click.option("--out", type=_File, help="Draft records, JSON lines.  [default: PATH.drafts.jsonl]")
@click.option("--todo", type=_File, help="What a human must look at.  [default: PATH.todo.md]")
@click.option(
    "--threshold",
    type=FiniteRange(0, 1),
    default=0.75,
    show_default=True,
    help="What is inferred with less confidence goes to the to-do list.",
)
@click.option("--overwrite", is_flag=True, help="Replace the files that are there.")
def ingest(
    path: Path,
    author: str,
    year: int,
    solutions: Path | None,
    out: Path | None,
    todo: Path | None,
    threshold: float,
    overwrite: bool,
) -> int:
    r"""Turn a LaTeX problem set with solutions into draft records and a to-do list.

    Whatever was inferred carries a confidence; drafts that need a human have meta.draft = true.

    Example: ecliptic ingest problems.tex --author Lee --year 2010 --out drafts.jsonl
    """
    from ecliptic.helio.ingest import draft_records, write_todo
    from ecliptic.helio.records import write_records

    out = out or path.with_suffix(".drafts.jsonl")
    todo = todo or out.with_name(
        f"{out.name.removesuffix('.jsonl').removesuffix('.drafts')}.todo.md"
    )
    for target in (out, todo):
        if target.exists() and not overwrite:
            raise OutputError(f"{target}: exists; take another --out or --todo, or --overwrite")
    drafts = draft_records(path, author=author, year=year, solutions=solutions, threshold=threshold)
    write_records(drafts.records, out)
    count = write_todo(drafts.todo, todo, str(out))
    _print(drafts)
    click.echo(f"drafts -> {out}")
    click.echo(f"{count} items to look at -> {todo}")
    for item in drafts.todo[:MAX_NAMED]:
        click.echo(f"  {item}")
    if count > MAX_NAMED:
        click.echo(f"  ... and {count - MAX_NAMED} more")
    return 0


def _print(drafts: Drafts) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for title in ("problems", "parts", *drafts.types, "need a human", "mean confidence"):
        table.add_column(title, justify="right")
    table.add_row(
        str(drafts.problems),
        str(len(drafts.records)),
        *(str(count) for count in drafts.types.values()),
        str(drafts.needing_a_human),
        f"{drafts.mean_confidence:.2f}",
    )
    Console().print(table)
