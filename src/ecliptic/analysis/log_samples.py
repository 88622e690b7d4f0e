"""A sample of an Inspect log, as its summary or in full, becomes an attempt."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from sys import intern
from typing import Any

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.eval_archive import REMOVED
from ecliptic.analysis.log_headers import OTHER, LogHeader
from ecliptic.analysis.tables import TIERS, UNREAD
from ecliptic.analysis.verdict_figures import FIGURES, read_short, read_verdict

Scores = Mapping[str, Any]
FOREIGN_FORM = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError)
"""What reading values of another kind or size than ours raises."""
UNSCORED = "the log holds no score of this attempt"
STOP_OF_LIMIT = {"token": "tokens", "time": "time", "working": "time", "cost": "tokens"}
_TYPES = ("numeric", "symbolic", "textual", "structured")
_NO_CRITERIA = frozenset(
    {"passed", "passed_graded", "passed_with_verifier", "undecided", "error", "score"}
    | {"submissions", "repeats", *TIERS, *_TYPES}
)
_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}


def attempt_of(
    sample: Mapping[str, Any],
    header: LogHeader,
    log: Path,
    in_full: Callable[[], Scores] = dict,
) -> Attempt:
    """Read one sample; ``in_full`` is asked where the summary was cut where it matters."""
    score = _first(sample.get("scores"))
    metadata = score.get("metadata") or {}
    error = str(metadata.get("error") or "") or _message(sample.get("error"))
    tokens_in, tokens_out, cost = _usage(sample.get("model_usage") or {})
    common: dict[str, Any] = {
        "agent": header.agent,
        "model": header.model,
        "world": header.world,
        "suite": header.suite,
        "suite_source": header.suite_source,
        "suite_checksum": header.suite_checksum,
        "task": str(sample["id"]),
        "epoch": int(sample.get("epoch") or 1),
        "tokens_in": tokens_in,
        "tokens_out": tokens_out,
        "cost": cost,
        "seconds": _finite(sample.get("total_time")),
        "log": log,
        "uuid": str(sample.get("uuid") or ""),
    }
    if header.world == OTHER:
        return Attempt(**common, **_foreign(sample, score, header, error))
    value = score.get("value")
    value = value if isinstance(value, dict) else {}
    if _is_cut(metadata.get("verdict")) and not isinstance(metadata.get(FIGURES), dict):
        metadata = {**metadata, **(_first(in_full()).get("metadata") or {})}
    given = sample.get("metadata") or {}
    passed = _flag(value.get("passed_graded"))
    if passed is None and not error:
        error = UNSCORED
    kind = str(metadata.get("type") or metadata.get("tier") or given.get("tier") or UNREAD)
    return Attempt(
        **common,
        cluster=str(given.get("question") or sample["id"]),
        kind=intern(kind),
        passed=passed,
        undecided=bool(_flag(value.get("undecided"))),
        verified=_flag(value.get("passed_with_verifier")),
        stop=intern(str(metadata.get("stop") or "our_error")),
        error=error if passed is None else "",
        submissions=_whole(value.get("submissions")),
        repeats=_whole(value.get("repeats")),
        **_graded(value, metadata, header.protocol),
    )


def ended_at(sample: Mapping[str, Any]) -> float:
    """When the sample was completed, in seconds since 1970; 0 where that is not known."""
    for name in ("completed_at", "started_at"):
        try:
            return datetime.fromisoformat(str(sample.get(name) or "")).timestamp()
        except ValueError:
            continue
    return 0.0


def _graded(value: Mapping[str, Any], metadata: Mapping[str, Any], protocol: str) -> dict[str, Any]:
    verdict, short = metadata.get("verdict"), metadata.get(FIGURES)
    if isinstance(verdict, dict):
        found = read_verdict(verdict)
        return found | {"protocol": found["protocol"] or protocol}
    met = {
        intern(name): bool(each)
        for name, each in value.items()
        if name not in _NO_CRITERIA and _flag(each) is not None
    }
    score = value.get("score", value.get("passed"))
    found = {"criteria": met, "protocol": protocol, "score": _finite(score)}
    return found | (read_short(short, met, protocol) if isinstance(short, dict) else {})


def _foreign(
    sample: Mapping[str, Any], score: Mapping[str, Any], header: LogHeader, error: str
) -> dict[str, Any]:
    """Somebody else's benchmark: passed where the first score's value is full marks."""
    mark = None if error else _mark(score.get("value"))
    if mark is None and not error:
        error = UNSCORED
    limit = sample.get("limit")
    kind = str((limit.get("type") if isinstance(limit, dict) else limit) or "")
    stop = STOP_OF_LIMIT.get(kind, "other_limit") if kind else "answered"
    return {
        "cluster": str(sample["id"]),
        "kind": header.suite,
        "passed": None if mark is None else mark >= 1.0,
        "score": mark or 0.0,
        "stop": "our_error" if mark is None else stop,
        "error": error,
    }


def _mark(value: Any) -> float | None:
    if isinstance(value, dict):
        value = next(iter(value.values()), None)
    if isinstance(value, str):
        if value in _GRADES or value.lower() in _GRADES:
            return _GRADES.get(value, _GRADES.get(value.lower()))
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return float(value)
    return None


def _first(scores: Any) -> dict[str, Any]:
    score = next(iter(scores.values()), None) if isinstance(scores, dict) else None
    return score if isinstance(score, dict) else {}


def _is_cut(text: Any) -> bool:
    return isinstance(text, str) and text.startswith(REMOVED)


def _message(error: Any) -> str:
    return str(error.get("message") or "error") if isinstance(error, dict) else str(error or "")


def _usage(usage: Mapping[str, Any]) -> tuple[int, int, float]:
    total = written = 0
    cost = 0.0
    for each in usage.values():
        total += _tokens(each.get("total_tokens"))
        written += _tokens(each.get("output_tokens"))
        cost += _finite(each.get("total_cost"))
    return max(0, total - written), written, cost


def _tokens(value: Any) -> int:
    number = int(value or 0)
    if not 0 <= number < 2**53:
        raise ValueError("tokens")
    return number


def _finite(value: Any) -> float:
    """0 where there is none."""
    figure = float(value or 0.0)
    return figure if math.isfinite(figure) else 0.0


def _flag(value: Any) -> bool | None:
    """``None`` for NaN and for what is not there."""
    return None if value is None or value != value else bool(value)


def _whole(value: Any) -> int:
    return 0 if _flag(value) is None else int(value)
