"""What can be seen of a task without solving it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolDef
from pydantic import BaseModel, ConfigDict

_PART = re.compile(r"(?m)(?:^|\s)\(([a-h])\)\s|^\s*(\d{1,2})[.)]\s")
_CODE = re.compile(r"```|\bdef \w+\(|\bclass \w+[:(]|#include\b|\bdiff --git\b|>>> ")
_UNITS = re.compile(
    r"\bunits?\b|\\mathrm|\\text\{|\d\s*(?:km|m|cm|nm|s|kg|g|K|eV|keV|MeV|T|nT|Pa|J|W|Hz|AU|pc)\b"
)
# A template's "$ANSWER" and "\\boxed" are no formulas.
_FORMULA = re.compile(
    r"\\(?!boxed\b)[a-z]+|\$[^$\n]*[\\^_=][^$\n]*\$|\bderive\b|\bexpression for\b|\bin terms of\b",
    re.I,
)
_NUMBER = re.compile(r"\bhow (?:many|much)\b|\bcalculate\b|\bcompute\b|\bvalue of\b", re.I)
_PROSE = re.compile(r"\b(?:explain|describe|discuss|why|compare|qualitative(?:ly)?)\b", re.I)
_TYPES = {"text": "textual", "numerical": "numeric", "formula": "symbolic"}


class TaskStructure(BaseModel):
    """The structure of a task, as far as rules can tell it.

    ``answer_type`` is ``numeric``, ``symbolic``, ``textual`` or ``structured``; it comes from the
    sample's metadata (``type`` or ``answer_type``) where it is there, else from the wording.
    """

    model_config = ConfigDict(frozen=True)

    tools: tuple[str, ...]
    choices: int
    code: bool
    parts: int
    characters: int
    units: bool
    answer_type: str

    @classmethod
    def of(cls, state: TaskState) -> TaskStructure:
        """Structure of the task in ``state``: its user messages, tools, choices, answer type."""
        text = "\n\n".join(m.text for m in state.messages if m.role == "user")
        return cls(
            tools=tuple(ToolDef(tool).name for tool in state.tools),
            choices=len(state.choices),
            code=bool(_CODE.search(text)),
            parts=len({match.group(0).strip() for match in _PART.finditer(text)}),
            characters=len(text),
            units=bool(_UNITS.search(text)),
            answer_type=_answer_type(state.metadata, text),
        )


def _answer_type(metadata: Mapping[str, Any], text: str) -> str:
    for key in ("answer_type", "type"):
        told = metadata.get(key)
        if isinstance(told, str) and told:
            return _TYPES.get(told.lower(), told.lower())
    if "JSON" in text:
        return "structured"
    if _FORMULA.search(text):
        return "symbolic"
    if _NUMBER.search(text):
        return "numeric"
    told = bool(_UNITS.search(text)) or any(character.isdigit() for character in text)
    return "numeric" if told and not _PROSE.search(text) else "textual"
