"""Draws the shipped set of questions, proves and audits it, and writes file, checksum and card.

    python tools/make_helio_set.py NAME [--checked N --disagreed N --resolved TEXT]

The figures of the card are measured here: every gold graded against itself, and right and wrong
variants of each. ``--checked`` and so on record an independent check, which no program can make.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from pathlib import Path

from ecliptic.grading import grade
from ecliptic.helio import audit_records, variants
from ecliptic.helio.families.catalogue import TOPICS, family_of
from ecliptic.helio.records import Record, write_records
from ecliptic.helio.shipped import SEED, SETS, draw

FOLDER = Path(__file__).parents[1] / "src" / "ecliptic" / "helio" / "sets"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("name", choices=SETS)
    parser.add_argument("--checked", type=int, default=0, help="golds that somebody else solved")
    parser.add_argument("--disagreed", type=int, default=0, help="of these, first disagreed")
    parser.add_argument("--resolved", default="", help="how the disagreements were resolved")
    options = parser.parse_args()
    records = list(draw())
    path = FOLDER / SETS[options.name]
    write_records(records, path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    Path(f"{path}.sha256").write_text(f"{digest}  {path.name}\n", "ascii")
    card = write_card(options.name, records, digest, options)
    (FOLDER / f"{options.name}.md").write_text(card, "utf-8")
    print(f"{len(records)} records in {path}")


def write_card(name: str, records: list[Record], digest: str, options: argparse.Namespace) -> str:
    """The dataset card: what it holds, how each answer was verified, what was measured."""
    types = Counter(record.type for record in records)
    topics = Counter(record.meta["topic"] for record in records)
    itself = sum(grade(record, record.final).passed for record in records)
    right, wrong = Counter[str](), Counter[str]()
    for record in records:
        right.update(grade(record, v.text).outcome for v in variants.right_variants(record))
        wrong.update(grade(record, v.text).outcome for v in variants.wrong_variants(record))
    findings = Counter(f.severity for f in audit_records(records).findings)
    families = dict.fromkeys(record.meta["family"] for record in records)
    formulas = sum(family_of(family).one_formula for family in families)
    check = ""
    if options.checked:
        check = (
            f"{options.checked} golds, one a family, were solved from the question alone by "
            f"somebody who had not seen the family's code; {options.disagreed} first disagreed. "
            f"{options.resolved}"
        ).strip()
    lines = [
        "---",
        "license: mit",
        "language: en",
        "task_categories: [question-answering]",
        "tags: [physics, heliophysics, plasma-physics, reasoning]",
        f"pretty_name: Ecliptic {name}",
        "size_categories: n<1K",
        "---",
        "",
        f"# {name}",
        "",
        f"{len(records)} questions of graduate heliophysics "
        f"({', '.join(f'{types[t]} {t}' for t in sorted(types))}) from {len(families)} problem "
        f"families over {len(topics)} topics; {formulas} families take one formula only. Drawn "
        f"with seed {SEED}; SHA-256 of the file `{digest}`.",
        "",
        "## How the answers were verified",
        "",
        "Each answer was reached twice, by routes that do not share their calculation (table "
        "below; the record's `meta.verification` has its own difference). Formulas were evaluated "
        "as they are printed, at three points, against a numerical solution of the problem, and "
        "tested to be homogeneous in their units. The direction of each claim of a textual answer "
        "was found by both routes.",
        "",
        check,
        "",
        "| measured with the grader of this package | |",
        "|---|---|",
        f"| golds that pass for themselves | {itself} of {len(records)} |",
        f"| right variants accepted | {right['correct']} of {right.total()} |",
        f"| wrong variants accepted | {wrong['correct']} of {wrong.total()} "
        f"({wrong['undecided']} undecided) |",
        f"| findings of the gold audit | {findings['error']} errors, {findings['warning']} "
        f"warnings, {findings['note']} notes |",
        "",
        "## Families",
        "",
        "| topic | family | first route | second route | largest difference |",
        "|---|---|---|---|---|",
    ]
    for family in families:
        own = [record for record in records if record.meta["family"] == family]
        checked = [record.meta["verification"] for record in own]
        worst = max(entry["difference"] for entry in checked)
        first, second = (
            "; ".join(dict.fromkeys(entry[route] for entry in checked))
            for route in ("first", "second")
        )
        topic = TOPICS[own[0].meta["topic"]]
        lines.append(f"| {topic} | {family_of(family).title} | {first} | {second} | {worst:.1e} |")
    lines += [
        "",
        "Sources stand in each record's `meta.sources`, assumptions in `meta.assumptions`.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
