"""What of an answer still stands when its later sentences are heard."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ecliptic.grading.marks import Mark
from ecliptic.grading.retractions import Cue, is_refusal, states_a_new_value, taken_back
from ecliptic.grading.sentences import MASK, Sentence, sentences
from ecliptic.grading.stances import denied_in_front, may_hold_a_stance, not_stated

MAX_LATE = 40
"""Sentences of an answer without marks that are heard, counted from the end."""
_VALUE = re.compile(r"[\d=^\\≈∝<>$]")
_EXPLAINS = re.compile(r"^(?:where|with|here|in which|because|since|note)\b", re.I)


@dataclass(frozen=True, slots=True)
class Standing:
    """The marks and the text in which the answer is to be looked for.

    Attributes
    ----------
    marks
        Marked answers that nothing takes back.
    text
        The text without sentences that state nothing, from the words of correction on if there
        are any.
    before
        Text in front of the words of correction, and ``void`` the marks in it.
    doubt
        Why no answer can be told, or nothing; ``refused`` when the answer was a refusal.
    """

    marks: list[Mark]
    text: str
    before: str = ""
    void: list[Mark] = field(default_factory=list)
    doubt: str = ""
    refused: bool = False


def what_stands(text: str, found: list[Mark], kind: str) -> Standing:
    """Drop what is taken back, and what only asks, quotes or supposes."""
    if not may_hold_a_stance(text):
        return Standing(found, text)
    boxes = tuple((mark.start, mark.end) for mark in found if mark.how == "boxed")
    parts = sentences(text, boxes)
    begin = found[0].start if found else 0
    late = [part for part in parts if part.end > begin]
    late = late if found else late[-MAX_LATE:]
    cue = _last_cue(text, late, found, kind, parts[0].start if parts else 0)
    marks, reason = _stated(found, parts, kind)
    if found and not marks:
        return Standing([], text, doubt=f"the marked answer is not stated: {reason}")
    if cue is None:
        if found or kind == "textual":
            return Standing(marks, text)
        kept, reason = _without_unstated(text, late, kind)
        doubt = f"no value is stated: {reason}" if reason and not _VALUE.search(kept) else ""
        return Standing([], text if doubt else kept, doubt=doubt)
    later = [mark for mark in marks if mark.start >= cue.start]
    void = [mark for mark in marks if mark.start < cue.start]
    before = text[: cue.start]
    if later:
        return Standing(later, text, before, void)
    said = f"'{cue.words[:80]}' takes back the answer in front of it"
    if is_refusal(cue):
        return Standing([], text, before, void, said, refused=True)
    behind = [
        part
        for part in sentences(text[cue.start :])
        if not not_stated(part, cases=kind == "symbolic")
    ]
    telling = [
        part
        for part in behind
        if re.search(rf"[\d{MASK}]", part.words) and not _EXPLAINS.match(part.words)
    ]
    if kind != "textual" and not (telling and states_a_new_value(telling[-1].words)):
        return Standing([], text, before, void, f"{said}, and no other value is stated")
    if kind == "textual":
        return Standing([], text[cue.start :], before, void)
    start = cue.start + telling[-1].start
    return Standing([], text[start : cue.start + telling[-1].end], before, void)


def _last_cue(
    text: str, parts: list[Sentence], found: list[Mark], kind: str, beginning: int
) -> Cue | None:
    """The last words of correction that have an answer in front of them."""
    first_mark = min((mark.start for mark in found), default=len(text))
    for index in range(len(parts) - 1, -1, -1):
        cue = taken_back(parts[index], first=parts[index].start == beginning)
        if cue is None:
            continue
        # ``400 km/s is wrong``: the value is part of the words.
        end = cue.end if re.match(rf"[\d{MASK}]", cue.words) else cue.start
        if found and first_mark < max(end, cue.start):
            return Cue(end, cue.end, cue.words)
        if not found and kind != "textual" and _VALUE.search(text[:end]):
            return Cue(end, cue.end, cue.words)
    return None


def _stated(found: list[Mark], parts: list[Sentence], kind: str) -> tuple[list[Mark], str]:
    kept: list[Mark] = []
    why = ""
    for mark in found:
        holder = [part for part in parts if part.start <= mark.start < part.end]
        reason = ""
        words = holder[-1].words[: max(mark.start - holder[-1].start, 0)] if holder else ""
        if holder and (mark.how == "boxed" or words.strip()):
            reason = not_stated(holder[-1], cases=kind == "symbolic")
            reason = reason or ("it is denied" if denied_in_front(words) else "")
        elif holder and holder[-1].words.rstrip().endswith("?"):
            reason = not_stated(holder[-1])
        if reason:
            why = reason
        else:
            kept.append(mark)
    return kept, why


def _without_unstated(text: str, parts: list[Sentence], kind: str) -> tuple[str, str]:
    """The text without sentences that do not state their value, and why one was left out."""
    kept, why, position = "", "", 0
    for part in parts:
        reason = not_stated(part, cases=kind == "symbolic")
        if reason:
            why = reason
            kept += text[position : part.start]
            position = part.end
    return (kept + text[position:]).strip() if why else text, why
