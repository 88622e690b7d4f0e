"""``ecliptic audit`` for question records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ecliptic.cli.progress import counted
from ecliptic.errors import UsageError

if TYPE_CHECKING:
    from ecliptic.helio.gold_audit.record_audit import RecordAudit

DONE, ERRORS_FOUND = 0, 1
MAX_NAMED = 10


def audit_record_file(path: Path, out: Path | None, findings: Path | None) -> int:
    """Audit a file of records, print table and errors, and return the exit status."""
    from ecliptic.helio.gold_audit.record_audit import audit_records
    from ecliptic.helio.gold_audit.report import write_findings, write_report
    from ecliptic.helio.records import read_records

    records = read_records(path)
    for problem in records.problems[:MAX_NAMED]:
        click.echo(str(problem), err=True)
    if len(records.problems) > MAX_NAMED:
        click.echo(f"... and {len(records.problems) - MAX_NAMED} more", err=True)
    if not records:
        raise UsageError(f"{path}: holds no question record that can be read")
    audited = audit_records(counted(records, len(records), "audit"))
    _print(audited)
    if out is not None:
        write_report(audited, out, path.name)
        click.echo(f"report -> {out}")
    if findings is not None:
        write_findings(audited, findings)
        click.echo(f"{len(audited.findings)} findings -> {findings}")
    return DONE if audited.passed and not records.problems else ERRORS_FOUND


def _print(audited: RecordAudit) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from ecliptic.helio.gold_audit.report import table_rows

    if audited.findings:
        table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
        for position, title in enumerate(("check", "errors", "warnings", "notes")):
            table.add_column(title, justify="right" if position else "left")
        *rows, total = table_rows(audited)
        for row in rows:
            table.add_row(*map(escape, row))
        table.add_section()
        table.add_row(*total, style="bold")
        Console().print(table)
    errors = [finding for finding in audited.findings if finding.severity == "error"]
    for finding in errors[:MAX_NAMED]:
        click.echo(f"{finding.record_id}: {' '.join(finding.message.split())}")
    if len(errors) > MAX_NAMED:
        click.echo(f"... and {len(errors) - MAX_NAMED} more errors; --out writes all of them")
    touched = len({finding.record_id for finding in audited.findings})
    click.echo(f"{len(audited.records)} records, {touched} with findings")
