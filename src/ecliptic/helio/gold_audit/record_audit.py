"""The audit of question records: all checks, and what they found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ecliptic.helio.gold_audit.answer_form import check_answer
from ecliptic.helio.gold_audit.dimensions import check_dimensions
from ecliptic.helio.gold_audit.duplicates import check_duplicates
from ecliptic.helio.gold_audit.findings import (
    SEVERITIES,
    Check,
    Finding,
    Severity,
    count_findings,
)
from ecliptic.helio.gold_audit.given_values import check_given_values
from ecliptic.helio.gold_audit.last_step import check_last_step
from ecliptic.helio.gold_audit.own_equations import check_own_equations
from ecliptic.helio.gold_audit.parts import check_parts
from ecliptic.helio.gold_audit.recomputed import check_recomputed
from ecliptic.helio.gold_audit.symbols_used import check_symbols
from ecliptic.helio.gold_audit.text_faults import check_text
from ecliptic.helio.records import Record

_CHECKS: tuple[Callable[[Record], Iterator[Finding]], ...] = (
    check_text,
    check_answer,
    check_symbols,
    check_dimensions,
    check_last_step,
    check_own_equations,
    check_recomputed,
    check_given_values,
)


@dataclass(frozen=True, slots=True)
class RecordAudit:
    """Findings in the order of the records, for one record the gravest first."""

    records: tuple[Record, ...]
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether no error was found."""
        return not any(finding.severity == "error" for finding in self.findings)

    @property
    def counts(self) -> dict[Check, dict[Severity, int]]:
        """How many findings there are by check and severity."""
        return count_findings(self.findings)

    def of(self, record_id: str) -> tuple[Finding, ...]:
        """The findings of one record."""
        return tuple(finding for finding in self.findings if finding.record_id == record_id)


def audit_records(records: Iterable[Record]) -> RecordAudit:
    """Check the gold answers of records against their own questions, hints, steps and parts.

    Everything is decided by computation (parsing, units, substitution at random points); the same
    records give the same findings.
    """
    known: list[Record] = []
    found: dict[str, list[Finding]] = defaultdict(list)
    for record in records:
        known.append(record)
        found[record.id] += audit_record(record)
    for finding in (*check_duplicates(known), *check_parts(known)):
        found[finding.record_id].append(finding)
    ordered = [
        finding
        for record_id in dict.fromkeys(record.id for record in known)
        for finding in sorted(found[record_id], key=lambda one: SEVERITIES.index(one.severity))
    ]
    return RecordAudit(tuple(known), tuple(ordered))


def audit_record(record: Record) -> list[Finding]:
    """The findings that need this record alone."""
    found: list[Finding] = []
    for check in _CHECKS:
        found += check(record)
        if check is check_text and any(one.severity == "error" for one in found):
            break  # damaged text makes every further finding doubtful
    return found
