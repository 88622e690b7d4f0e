"""Parts of one problem: complete, in order, and telling each other's answers alike."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ecliptic.errors import UsageError
from ecliptic.grading import grade
from ecliptic.helio.gold_audit.findings import Check, Finding, Severity
from ecliptic.helio.gold_audit.mathematics import (
    formulas_in,
)
from ecliptic.helio.records import Record

_ID = re.compile(r"(.+?)[_\-.]([a-z]|[ivx]{1,4})")
_ANSWER = re.compile(
    r"\b(?:final\s+)?(?:answer|solution|result)s?(?:\s+to\s+(?:part\s+)?\(?\w\)?)?\s*:\s*", re.I
)
_LABEL = re.compile(r"^\s*(?:part\s+)?\(?([a-z]|[ivx]{1,4})\s*[).:]\s+", re.I)


def check_parts(records: Sequence[Record]) -> Iterator[Finding]:
    """Findings over all problems of several parts."""
    for parts in problems_of(records):
        yield from _completeness(parts)
        for position, part in enumerate(parts):
            if position and not part.preamble:
                yield _finding(
                    part,
                    "note",
                    "This is a later part, but it has no preamble.",
                    "Repeat the earlier parts with their answers, if it needs them.",
                )
            for earlier in parts[:position]:
                yield from _told(part, earlier)
        yield from _same_start(parts)


def problems_of(records: Sequence[Record]) -> list[list[Record]]:
    """Records of one problem together, in the order of the file."""
    groups: dict[object, list[Record]] = defaultdict(list)
    for record in records:
        key = _problem(record)
        if key is not None:
            groups[key].append(record)
    return [parts for parts in groups.values() if len(parts) > 1]


def _problem(record: Record) -> object:
    problem = record.meta.get("problem")
    if isinstance(problem, str | int):
        return "meta", problem
    if (match := _ID.fullmatch(record.id)) and (not record.sub_id or record.sub_id == match[2]):
        return "id", match[1]
    if record.q_id is not None and record.sub_id:
        return "q_id", record.q_id, record.meta.get("author"), record.meta.get("year")
    return None


def label_of(record: Record) -> str:
    """The letter of a part."""
    if record.sub_id:
        return record.sub_id.strip("() .").lower()
    match = _ID.fullmatch(record.id)
    return match[2] if match else ""


def _completeness(parts: list[Record]) -> Iterator[Finding]:
    labels = [label_of(part) for part in parts]
    for position, (part, label) in enumerate(zip(parts, labels, strict=True)):
        if label and label in labels[:position]:
            other = parts[labels.index(label)].id
            yield _finding(
                part,
                "error",
                f"Part {label} occurs twice in this problem, also as {other}.",
                "Give each part its own letter.",
                other=other,
            )
        elif position and len(label) == 1 and labels[position - 1] > label:
            yield _finding(
                part,
                "warning",
                f"Part {label} stands behind part {labels[position - 1]}.",
                "Put the parts in order.",
            )
    letters = sorted({label for label in labels if len(label) == 1})
    if letters and letters[0].isalpha():
        missing = [
            chr(code)
            for code in range(ord(letters[0]), ord(letters[-1]))
            if chr(code) not in letters
        ]
        if missing:
            last = parts[-1]
            yield _finding(
                last,
                "warning",
                f"Part {', '.join(missing)} of this problem is missing.",
                "Add it, or rename the later parts.",
                missing=missing,
            )


def _told(part: Record, earlier: Record) -> Iterator[Finding]:
    """What the preamble of a part says of an earlier part."""
    if not part.preamble:
        return
    question = _plain(earlier.question)
    whole = _plain(" ".join(part.preamble))
    entries = [text for text in part.preamble if question and question in _plain(text)]
    label = label_of(earlier)
    if not entries and question and question not in whole:
        labelled = [text for text in part.preamble if _labelled(text) == label]
        yield _finding(
            part,
            "warning",
            f"The preamble does not repeat the question of part {label or earlier.id}"
            + (" in the same words." if labelled else "."),
            "Copy the earlier question and its answer into the preamble.",
            earlier=earlier.id,
        )
        entries = labelled
    told = _answer_in("\n".join(entries))
    text = "\n".join(part.preamble)
    agreed = _agrees(earlier, told or text)
    if agreed or (agreed is None and told is None):
        return
    yield _finding(
        part,
        "error" if told is not None else "warning",
        f"The preamble gives another answer to part {label or earlier.id} than that part's final."
        if told is not None
        else f"The preamble does not give the answer to part {label or earlier.id}.",
        "Copy the final of the earlier part into the preamble, or correct that final.",
        earlier=earlier.id,
        final=earlier.final,
        told=(told or "")[:200],
    )


def _labelled(text: str) -> str:
    match = _LABEL.match(text)
    return match[1].lower() if match else ""


def _answer_in(text: str) -> str | None:
    """What stands behind the last "Answer:" of a text."""
    marks = list(_ANSWER.finditer(text))
    return text[marks[-1].end() :].strip() if marks else None


def _agrees(earlier: Record, told: str) -> bool | None:
    """Whether a text gives the final of an earlier part; ``None`` where that cannot be told."""
    final = re.escape(_plain(earlier.final))
    if re.search(rf"(?<![-−\w.]){final}(?![\w.])", _plain(told)):
        return True
    try:
        verdicts = [grade(earlier, told)]
        if earlier.type in ("numeric", "symbolic"):
            verdicts += [grade(earlier, f"${stated.text}$") for stated in formulas_in(told)]
    except UsageError:
        return None
    if any(verdict.passed for verdict in verdicts):
        return True
    return None if verdicts[0].outcome == "undecided" and earlier.type != "numeric" else False


def _same_start(parts: list[Record]) -> Iterator[Finding]:
    """The preamble of each part is the start of the next one's."""
    for former, later in pairwise(parts):
        if not former.preamble or len(later.preamble) < len(former.preamble):
            continue
        pairs = zip(former.preamble, later.preamble, strict=False)
        for number, (one, other) in enumerate(pairs, 1):
            if _plain(one) != _plain(other):
                yield _finding(
                    later,
                    "warning",
                    f"Entry {number} of the preamble differs from that of part "
                    f"{label_of(former) or former.id}.",
                    "Use one text for both, with the final of the part it tells.",
                    other=former.id,
                    entry=other[:300],
                )


def _plain(text: str) -> str:
    return re.sub(r"[\s$.]+", " ", text).strip().casefold()


def _finding(
    record: Record, severity: Severity, message: str, fix: str, **evidence: object
) -> Finding:
    return Finding(record.id, Check.PARTS, severity, message, fix, evidence)
