"""Finished attempts as short texts that hold what the agent saw and did, and never the truth.

Of a log's sample only two things are read: the conversation, and whether the attempt passed.
Target, metadata, store, events, and a score's explanation and metadata (where verdicts stand,
with the truth in them) never get into a text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ecliptic.errors import MissingExtraError, UsageError

if find_spec("inspect_ai") is None:
    raise MissingExtraError("transcripts of attempts", "agents")

from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log
from inspect_ai.model import ChatMessage, ChatMessageAssistant

_TASK_CHARACTERS = 2_000
_SAID_CHARACTERS = 800
_CODE_CHARACTERS = 1_500
_OUTPUT_CHARACTERS = 700
_MOST_CHARACTERS = 9_000
_TELLING = "paper"
"""The level of feedback whose answers let the truth be worked out."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt of a log.

    Attributes
    ----------
    log_id, task, model, sample_id, epoch
        Where it comes from.
    passed
        Whether it passed.
    text
        The condensed conversation.
    handed_in
        What the agent handed in or said last: no skill may quote it.
    """

    log_id: str
    task: str
    model: str
    sample_id: str
    epoch: int
    passed: bool
    text: str
    handed_in: str


def read_attempts(paths: Sequence[Path]) -> list[Attempt]:
    """All graded attempts of logs; folders are searched.

    Raises
    ------
    UsageError
        A path holds no log that can be read, or nothing in them is usable.
    """
    attempts: list[Attempt] = []
    left_out: list[str] = []
    for file in _files(paths):
        log = _read(file)
        if (log.eval.task_args or {}).get("feedback") == _TELLING:
            left_out.append(f"{file}: its feedback '{_TELLING}' tells the truth")
            continue
        attempts += filter(None, (_attempt(log, sample) for sample in log.samples or []))
    if not attempts:
        why = f" ({'; '.join(left_out)})" if left_out else ""
        raise UsageError(f"no finished and graded attempt in {', '.join(map(str, paths))}{why}")
    return attempts


def choose_attempts(attempts: Sequence[Attempt], most: int) -> list[Attempt]:
    """Up to ``most`` attempts, successes and failures in turn.

    Tasks that have both come first, as their comparison says most; then short ones.
    """
    outcomes: dict[str, set[bool]] = {}
    for attempt in attempts:
        outcomes.setdefault(attempt.sample_id, set()).add(attempt.passed)

    def rank(attempt: Attempt) -> tuple[int, int, str, int]:
        both = len(outcomes[attempt.sample_id])
        return -both, len(attempt.text), attempt.sample_id, attempt.epoch

    passed = sorted((each for each in attempts if each.passed), key=rank)
    failed = sorted((each for each in attempts if not each.passed), key=rank)
    few, many = sorted((passed, failed), key=len)
    share = min(len(few), most // 2)
    kept = [*few[:share], *many[: most - share]]
    return sorted(kept, key=lambda each: (not each.passed, rank(each)))


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder of logs")
        if path.is_file():
            yield path
            continue
        logs = [Path(info.name.removeprefix("file://")) for info in list_eval_logs(str(path))]
        if not logs:
            raise UsageError(f"{path}: holds no log (.eval or .json)")
        yield from sorted(logs)


def _read(path: Path) -> EvalLog:
    from zipfile import BadZipFile

    try:
        return read_eval_log(
            str(path), resolve_attachments=True, exclude_fields={"events", "store"}
        )
    except (BadZipFile, ValueError, KeyError, OSError) as error:
        raise UsageError(f"{path}: cannot be read as a log of Inspect ({error})") from None


def _attempt(log: EvalLog, sample: EvalSample) -> Attempt | None:
    passed = None if sample.error else _passed(sample)
    if passed is None:
        return None
    return Attempt(
        log.eval.eval_id,
        log.eval.task,
        log.eval.model,
        str(sample.id),
        sample.epoch,
        passed,
        condensed(sample.messages),
        _handed_in(sample.messages),
    )


def _passed(sample: EvalSample) -> bool | None:
    """Of the first score that says so; ``None`` for an attempt that was not graded."""
    for score in (sample.scores or {}).values():
        value: Any = score.value
        if isinstance(value, dict):
            if value.get("error") == 1:
                return None
            value = value.get("passed", value.get("correct"))
        if value in ("C", True, 1):
            return True
        if value in ("I", False, 0):
            return False
    return None


def condensed(messages: Sequence[ChatMessage], most: int = _MOST_CHARACTERS) -> str:
    """The conversation in at most about ``most`` characters; turns in its middle give way."""
    parts = [part for message in messages if (part := _part(message))]
    head, tail = parts[:1], parts[1:]
    left_out = 0
    while len(tail) > 2 and sum(map(len, (*head, *tail))) > most:
        # From just behind the first third: how it began and how it ended say most.
        tail.pop(len(tail) // 3)
        left_out += 1
    note = [f"[{left_out} messages left out here and there]"] if left_out else []
    return "\n\n".join([*head, *note, *tail])


def _part(message: ChatMessage) -> str:
    if message.role == "system":
        return ""
    if isinstance(message, ChatMessageAssistant):
        said = [_cut(message.text, _SAID_CHARACTERS)] if message.text.strip() else []
        for call in message.tool_calls or []:
            code = call.arguments.get("code")
            shown = code if isinstance(code, str) else json.dumps(call.arguments, default=str)
            said.append(f"<call tool={call.function}>\n{_cut(shown, _CODE_CHARACTERS)}\n</call>")
        return "AGENT:\n" + "\n".join(said) if said else ""
    if message.role == "tool":
        return f"RESULT:\n{_cut(message.text, _OUTPUT_CHARACTERS)}"
    return f"TASK:\n{_cut(message.text, _TASK_CHARACTERS)}"


def _handed_in(messages: Sequence[ChatMessage]) -> str:
    handed = [
        json.dumps(call.arguments, default=str)
        for message in messages
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or []
        if call.function == "submit"
    ]
    last = next((m.text for m in reversed(messages) if m.role == "assistant"), "")
    return "\n".join([*handed, last])


def _cut(text: str, most: int) -> str:
    text = text.strip()
    if len(text) <= most:
        return text
    head = most * 2 // 3
    return f"{text[:head]}\n[... {len(text) - most} characters ...]\n{text[head - most :]}"
