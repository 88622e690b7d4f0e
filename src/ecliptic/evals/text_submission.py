"""Submissions in the text of a reply, for models that cannot call tools."""

from __future__ import annotations

from typing import Any

from inspect_ai.solver import TaskState

from ecliptic.agents.json_replies import read_json_objects


def last_submission(state: TaskState) -> dict[str, Any] | None:
    """The last JSON object with ``planets`` in the final reply, else in an earlier one."""
    replies: list[str] = [state.output.completion]
    replies += [m.text for m in reversed(state.messages) if m.role == "assistant"]
    for reply in replies:
        for found in reversed(read_json_objects(reply)):
            if "planets" in found:
                return dict(found)
    return None
