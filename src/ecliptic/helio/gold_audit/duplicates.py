"""Two records that ask one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ecliptic.helio.gold_audit.findings import Check, Finding
from ecliptic.helio.records import Record


def check_duplicates(records: Sequence[Record]) -> Iterator[Finding]:
    """Records whose id, or preamble and question, were there before."""
    ids: set[str] = set()
    texts: dict[str, Record] = {}
    for record in records:
        if record.id in ids:
            yield Finding(
                record.id,
                Check.DUPLICATE,
                "error",
                f"The id {record.id} is used twice.",
                "Give each record its own id.",
            )
        ids.add(record.id)
        text = _text(record)
        first = texts.setdefault(text, record)
        if first is record or not record.question.strip():
            continue
        same = first.final.strip() == record.final.strip()
        yield Finding(
            record.id,
            Check.DUPLICATE,
            "warning" if same or first.type != record.type else "error",
            f"Preamble and question are those of {first.id}"
            + (", the final too." if same else ", but the final is another."),
            "Remove one, or say in the question what tells them apart.",
            {"other": first.id, "other_final": first.final},
        )


def _text(record: Record) -> str:
    whole = "\n".join((*record.preamble, record.question))
    return re.sub(r"\s+", " ", whole).strip().casefold()
