"""Details out of a sample of an Inspect log, read without Inspect."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.eval_archive import EvalArchive
from ecliptic.analysis.failures.details import GRADED, MALFORMED, SubmissionFacts, ToolCall
from ecliptic.errors import SubmissionError, TaskError
from ecliptic.files import read_json

SUBMIT = "submit"
SUBMISSIONS_KEY = "ecliptic:submissions"
"""In a sample's store: what was handed in, where there is no score."""
SOURCES = ("suite", "records")
KEPT_LOGS = 64


class SampleArchive(EvalArchive):
    """An open ``.eval`` file of which whole samples are read."""

    def sample(self, task: str, epoch: int) -> dict[str, Any]:
        """One sample in full.

        Raises
        ------
        TaskError
            The log does not hold it (any more), or it cannot be read.
        """
        name = f"samples/{task}_epoch_{epoch}.json"
        if name not in self._names:
            raise TaskError(f"{self.path}: holds no sample '{task}' of epoch {epoch}")
        try:
            found = json.loads(b"".join(self._chunks(name)))
        except (ValueError, RecursionError):
            raise self._damaged(f"{name} cannot be read") from None
        if not isinstance(found, dict):
            raise self._damaged(f"{name} cannot be read")
        return found


def read_sample(attempt: Attempt) -> dict[str, Any]:
    """The JSON of an attempt's sample; raises :class:`TaskError` where there is none."""
    if attempt.log.suffix != ".json":
        with SampleArchive(attempt.log) as archive:
            return archive.sample(attempt.task, attempt.epoch)
    data = read_json(attempt.log)
    for sample in (data.get("samples") or []) if isinstance(data, dict) else []:
        if (str(sample.get("id")), sample.get("epoch", 1)) == (attempt.task, attempt.epoch):
            return dict(sample)
    raise TaskError(f"{attempt.log}: holds no sample '{attempt.task}' of epoch {attempt.epoch}")


@lru_cache(maxsize=KEPT_LOGS)
def source_in(log: Path) -> str:
    """Where the tasks of a log are, as its scorer was told; empty where it does not say."""
    if log.suffix == ".json":
        data = read_json(log)
        header = data if isinstance(data, dict) else {}
    else:
        with EvalArchive(log) as archive:
            header = archive.header()
    for scorer in (header.get("eval") or {}).get("scorers") or []:
        options = scorer.get("options") or {}
        for name in SOURCES:
            if isinstance(options.get(name), str):
                return str(options[name])
    return ""


def score_of(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata of the sample's score; empty where it has none."""
    scores = sample.get("scores")
    first = next(iter(scores.values()), None) if isinstance(scores, dict) else None
    metadata = first.get("metadata") if isinstance(first, dict) else None
    return metadata if isinstance(metadata, dict) else {}


def reply_of(sample: Mapping[str, Any]) -> str:
    """The last reply of the model."""
    choices = (sample.get("output") or {}).get("choices") or []
    message = choices[0].get("message") or {} if choices else {}
    return _text(message.get("content"), sample)


def calls_of(sample: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """Calls of tools in the conversation, each with its result."""
    messages = sample.get("messages") or []
    found: list[ToolCall] = []
    for at, message in enumerate(messages):
        if message.get("role") != "assistant" or not message.get("tool_calls"):
            continue
        answers = list(_answers(messages, at))
        for call in message["tool_calls"]:
            # Ids may repeat from turn to turn: only the answers right after the call are its own.
            answer = next((a for a in answers if a.get("tool_call_id") == call.get("id")), {})
            error = answer.get("error") or {}
            found.append(
                ToolCall(
                    tool=str(call.get("function")),
                    arguments=call.get("arguments") or {},
                    result=_text(answer.get("content"), sample),
                    error=str(error.get("message") or call.get("parse_error") or ""),
                )
            )
    return tuple(found)


def _answers(messages: list[dict[str, Any]], at: int) -> Iterator[dict[str, Any]]:
    for message in messages[at + 1 :]:
        if message.get("role") != "tool":
            return
        yield message


def _text(content: Any, sample: Mapping[str, Any]) -> str:
    if isinstance(content, list):
        parts = [part.get("text") or "" for part in content if part.get("type") == "text"]
        return "\n".join(_text(part, sample) for part in parts)
    text = content if isinstance(content, str) else ""
    if text.startswith("attachment://"):
        return str((sample.get("attachments") or {}).get(text.removeprefix("attachment://"), text))
    return text


def submissions_of(
    sample: Mapping[str, Any], calls: tuple[ToolCall, ...]
) -> tuple[SubmissionFacts, ...]:
    """What was handed in, also what the schema of the tool turned away."""
    kept = score_of(sample).get("submissions")
    if not isinstance(kept, list):
        kept = (sample.get("store") or {}).get(SUBMISSIONS_KEY) or []
    left = list(kept)
    found: list[SubmissionFacts] = []
    for call in (call for call in calls if call.tool == SUBMIT):
        if call.error:
            found.append(SubmissionFacts(len(found) + 1, MALFORMED, said=call.error))
        elif left:
            found.append(_facts(len(found) + 1, left.pop(0), call.result))
    for each in left:  # by text, or the conversation was cut
        found.append(_facts(len(found) + 1, each, ""))
    return tuple(found)


def _facts(number: int, kept: Mapping[str, Any], said: str) -> SubmissionFacts:
    from ecliptic.rv import read_submission
    from ecliptic.rv.submission import GRADER_LIMITS

    status, submission = str(kept.get("status") or GRADED), None
    if kept.get("submission") is not None and status != MALFORMED:
        try:
            submission = read_submission(kept["submission"], GRADER_LIMITS)
        except SubmissionError as error:
            status, said = MALFORMED, said or str(error)
    return SubmissionFacts(
        number=number,
        status=status,
        submission=submission,
        passed=bool(kept.get("passed")),
        score=kept.get("score"),
        seconds=kept.get("seconds"),
        tokens=kept.get("tokens"),
        repeat_of=kept.get("repeat_of"),
        said=said,
    )
