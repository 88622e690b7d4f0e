"""The report of an audit for an author: Markdown by record, JSON lines, and a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ecliptic.files import atomic_file
from ecliptic.helio.gold_audit.findings import SEVERITIES, Finding
from ecliptic.helio.gold_audit.record_audit import RecordAudit
from ecliptic.helio.records import Record

_SHOWN = 600


def write_report(audit: RecordAudit, path: Path, source: str = "") -> None:
    """Write the Markdown report in one step.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    with atomic_file(path) as file:
        file.write("\n".join(report_lines(audit, source)).encode() + b"\n")


def write_findings(audit: RecordAudit, path: Path) -> None:
    """Write one finding a line as JSON, in one step.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    with atomic_file(path) as file:
        for finding in audit.findings:
            line = json.dumps(finding.to_dict(), ensure_ascii=False, default=str)
            file.write(line.encode() + b"\n")


def table_rows(audit: RecordAudit) -> list[tuple[str, ...]]:
    """(check, errors, warnings, notes) of each check that found something, and of all."""
    rows = [
        (str(check), *(str(counts[level] or "-") for level in SEVERITIES))
        for check, counts in audit.counts.items()
        if any(counts.values())
    ]
    totals = [sum(finding.severity == level for finding in audit.findings) for level in SEVERITIES]
    return [*rows, ("all", *(str(total or "-") for total in totals))]


def report_lines(audit: RecordAudit, source: str = "") -> Iterator[str]:
    """The lines of the Markdown report."""
    touched = {finding.record_id for finding in audit.findings}
    yield "# Gold audit" + (f" of {source}" if source else "")
    yield ""
    yield (
        f"{len(audit.records)} records, {len(touched)} with findings. An error means that the "
        "record is wrong or contradicts itself, a warning that it very likely is or that a grader "
        "may stumble over it, a note that it deserves a look."
    )
    yield ""
    yield "| check | errors | warnings | notes |"
    yield "|---|---:|---:|---:|"
    for row in table_rows(audit):
        yield f"| {' | '.join(row)} |"
    done: set[str] = set()
    for record in audit.records:
        if record.id in touched and record.id not in done:
            done.add(record.id)
            yield from _record_lines(record, audit.of(record.id))


def _record_lines(record: Record, findings: tuple[Finding, ...]) -> Iterator[str]:
    yield ""
    yield f"## {record.id} ({record.type})"
    yield ""
    yield f"- Question: {_quoted(record.question)}"
    if record.hint:
        yield f"- Hint: {_quoted(record.hint)}"
    yield f"- Final: {_quoted(record.final)}"
    steps = sorted({step for finding in findings if (step := _step(finding, record))})
    for step in steps:
        yield f"- Step {step}: {_quoted(record.step[step - 1])}"
    yield ""
    for finding in findings:
        yield f"- **{finding.severity}** ({finding.check}): {_visible(finding.message)}"
        if finding.fix:
            yield f"  - Fix: {_visible(finding.fix)}"
        shown = ", ".join(
            f"{name} = `{_visible(str(value))[:200]}`" for name, value in finding.evidence.items()
        )
        if shown:
            yield f"  - Evidence: {shown}"


def _step(finding: Finding, record: Record) -> int:
    """The number of the step that a finding is about; 0 for none."""
    step = finding.evidence.get("step")
    place = str(finding.evidence.get("place", ""))
    if not isinstance(step, int) and place.startswith("step "):
        step = int(place.split()[1])
    return step if isinstance(step, int) and step <= len(record.step) else 0


def _quoted(text: str) -> str:
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + " ..."
    return _visible(shown) or "(empty)"


def _visible(text: str) -> str:
    """On one line, with control characters spelled out."""
    text = text.replace("\n", " ")
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
