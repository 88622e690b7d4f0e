"""What of a verdict a row keeps: criteria, their figures, diagnosis, protocol, score."""

from __future__ import annotations

from collections.abc import Mapping
from sys import intern
from typing import Any

from ecliptic.verdict import Verdict

FIGURES = "figures"
"""Key of the short form in the metadata of a score. Inspect cuts what is over 1 kB, as verdicts
are, out of a log's summaries; with the short form a table needs nothing else of the log."""


def short_form(verdict: Verdict | None) -> dict[str, Any]:
    """Under 1 kB, for the metadata of a score."""
    if verdict is None:
        return {}
    return {
        "diagnosis": "" if verdict.diagnosis is None else str(verdict.diagnosis.code),
        "protocol": verdict.protocol,
        "score": verdict.score,
        "values": {name: each.value for name, each in verdict.criteria.items()},
        "met": {name: each.passed for name, each in verdict.criteria.items()},
    }


def read_short(short: Mapping[str, Any], met: Mapping[str, bool], protocol: str) -> dict[str, Any]:
    """Fields of a row; ``met`` and ``protocol`` stand in where the short form lacks them."""
    values = short.get("values") or {}
    told = short.get("met")
    found: dict[str, Any] = {
        "criteria": {intern(name): bool(each) for name, each in told.items()} if told else met,
        "values": {intern(n): float(each) for n, each in values.items() if each is not None},
        "diagnosis": intern(str(short.get("diagnosis") or "")),
        "protocol": intern(str(short.get("protocol") or protocol)),
    }
    return found | ({"score": float(short["score"] or 0.0)} if "score" in short else {})


def read_verdict(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a row, from a verdict's JSON."""
    criteria = verdict.get("criteria") or {}
    diagnosis = verdict.get("diagnosis") or {}
    return {
        "criteria": {intern(name): bool(each["passed"]) for name, each in criteria.items()},
        "values": {
            intern(name): float(each["value"])
            for name, each in criteria.items()
            if each.get("value") is not None
        },
        "diagnosis": intern(str(diagnosis.get("code") or "")),
        "protocol": intern(str(verdict.get("protocol") or "")),
        "score": float(verdict.get("score") or 0.0),
    }
