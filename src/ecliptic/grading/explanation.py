"""A verdict as a page for a scientist: what was taken, how it was read, why it failed."""

from __future__ import annotations

from typing import Any

from ecliptic.grading.method_words import in_plain_words
from ecliptic.verdict import Verdict

_WIDTH = 400


def explain(verdict: Verdict) -> str:
    """Plain lines: type, gold, extraction, readings, comparison, rules, verdict."""
    details = verdict.details
    extracted = details["extracted"]
    lines = [
        _row("verdict", _headline(verdict)),
        "",
        _row("type", details["type"] + (" (inferred)" if details["type_inferred"] else "")),
        _row("gold", details["gold"]),
        _row("taken", extracted["text"] or "nothing"),
        _row("found as", extracted["how"]),
    ]
    lines += [_row("removed", note) for note in extracted["notes"]]
    lines += [_row("also marked", text) for text in extracted["alternatives"]]
    parsed = details.get("parsed", {})
    lines += [_row(f"{who} read as", text) for who, text in parsed.items() if text]
    comparison = details["comparison"]
    lines += ["", _row("compared by", in_plain_words(comparison["method"]))]
    told = verdict.diagnosis is not None and verdict.diagnosis.message == comparison["message"]
    message = "" if told else comparison["message"]
    lines.append(_row("found", ": ".join(filter(None, (comparison["outcome"], message)))))
    if verdict.diagnosis is not None:
        lines.append(_row("diagnosis", str(verdict.diagnosis.code)))
        lines.append(_row("because", verdict.diagnosis.message))
        for name, value in verdict.diagnosis.evidence.items():
            lines.append(_row(f"  {name.replace('_', ' ')}", _told(name, value)))
    for demand in details.get("formats", ()):
        met = "kept" if demand["passed"] else "not kept"
        must = "demanded" if demand["strict"] else "asked for"
        lines.append(_row("format", f"{demand['demand']}: {met} ({must})"))
    if details["deciding_rules"]:
        lines.append(_row("decided by", ", ".join(details["deciding_rules"])))
    changed = [f"{name} = {_plain(value)}" for name, value in details["rules"].items()]
    lines.append(_row("rules", ", ".join(changed) or "all at their (strict) default"))
    if "data_error" in details:
        lines.append(_row("data error", details["data_error"]))
    if "verifier" in details:
        judged = details["verifier"]
        opinion = {True: "equivalent", False: "not equivalent", None: "no opinion"}
        text = f"{opinion[judged['equivalent']]}: {judged['reason']} ({judged['calls']} calls)"
        lines.append(_row("verifier", text))
    return "\n".join(lines)


def _headline(verdict: Verdict) -> str:
    if verdict.diagnosis is None:
        return verdict.outcome
    return f"{verdict.outcome} ({verdict.diagnosis.code})"


def _row(name: str, text: str) -> str:
    text = _shown(text)
    return f"{name:<12} {text}".rstrip()


def _shown(text: str) -> str:
    """One line without control characters, cut in the middle when long."""
    flat = "".join(
        character if character.isprintable() else " " for character in " ".join(text.split())
    )
    if len(flat) <= _WIDTH:
        return flat
    return f"{flat[: _WIDTH // 2]} ... {flat[-_WIDTH // 4 :]}  ({len(flat)} characters)"


_WAYS = {1: "rises", 0: "stays the same", -1: "falls"}


def _told(name: str, value: Any) -> str:
    """A piece of evidence; a direction in words."""
    if name.endswith("direction") and value in _WAYS:
        return _WAYS[value]
    return _plain(value)


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_plain(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(_plain(item) for item in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
