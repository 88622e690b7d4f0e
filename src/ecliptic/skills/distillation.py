"""A model writes skills from finished attempts: one for each kind of task in the logs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from ecliptic.errors import EclipticError, MissingExtraError, OutputError, UsageError
from ecliptic.files import atomic_folder, write_bytes
from ecliptic.skills.quotations import quotations
from ecliptic.skills.skill import FILE_NAME, Skill, parse_skill
from ecliptic.skills.transcripts import Attempt, choose_attempts

if find_spec("inspect_ai") is None:
    raise MissingExtraError("distilled skills", "agents")

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
    ModelOutput,
)
from tenacity import RetryError

PROVENANCE = "provenance.json"
REPLY_TOKENS = 2_500
"""What a skill takes, by experience; models that reason at length take more."""
_LONGEST = 300
_FENCED = re.compile(r"\A\s*```\w*\n(.*)\n```\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Plan:
    """One skill that is to be written.

    Attributes
    ----------
    task
        The kind of task, as the logs name it.
    attempts
        Those that the model reads.
    messages
        The request.
    """

    task: str
    attempts: tuple[Attempt, ...]
    messages: tuple[ChatMessage, ...]

    @property
    def read_tokens(self) -> int:
        """About so many tokens are read, without a repair."""
        return sum(-(-len(message.text) // 4) for message in self.messages)


@dataclass(frozen=True, slots=True)
class Use:
    """What a skill took: tokens of all calls, and whether a second one was needed."""

    read_tokens: int = 0
    written_tokens: int = 0
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Distilled:
    """A skill that was written."""

    folder: Path
    skill: Skill
    use: Use


def plan(attempts: Sequence[Attempt], most: int) -> list[Plan]:
    """A plan for each kind of task, with up to ``most`` attempts each."""
    kinds: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        kinds.setdefault(attempt.task, []).append(attempt)
    system = files("ecliptic.skills").joinpath("prompts", "distil.md").read_text("utf-8")
    plans = []
    for task, own in kinds.items():
        chosen = choose_attempts(own, most)
        texts = [
            f"<attempt number={number} outcome={'passed' if each.passed else 'failed'}>\n"
            f"{each.text}\n</attempt>"
            for number, each in enumerate(chosen, start=1)
        ]
        request = "\n\n".join(["The attempts:", *texts, "Write the skill."])
        messages = (ChatMessageSystem(content=system), ChatMessageUser(content=request))
        plans.append(Plan(task, tuple(chosen), messages))
    return plans


async def write_skill(
    plan: Plan, model: Model, out: Path, *, world: str | None = None, overwrite: bool = False
) -> Distilled:
    """Have ``model`` write the skill of a plan into a new folder of ``out``.

    A reply that breaks the format, or quotes what an agent handed in, is sent back once.

    Raises
    ------
    UsageError
        The second reply is no valid skill either; it is kept beside as ``rejected-....md``.
    EclipticError
        The model could not be called.
    OutputError
        There is a skill of that name already and ``overwrite`` is not set, or the disk refuses.
    """
    text, skill, use = await _asked(plan, model, out)
    folder = out / skill.name
    if folder.exists() and not overwrite:
        kept = out / f"rejected-{skill.name}.md"
        write_bytes(kept, text.encode())
        raise OutputError(
            f"{folder}: exists; take another --out or --overwrite (the new skill is in {kept})"
        )
    metadata = {"distilled-by": str(model), **({"worlds": world} if world else {})}
    skill = replace(skill, metadata={**skill.metadata, **metadata})
    _write(skill, folder, _provenance(plan, model, use))
    return Distilled(folder, skill, use)


async def _asked(plan: Plan, model: Model, out: Path) -> tuple[str, Skill, Use]:
    """The reply, the skill that it holds, and what it took; with one repair."""
    messages = list(plan.messages)
    use = Use()
    for repaired in (False, True):
        output = await _reply(model, messages, plan.task)
        if output.usage is not None:
            use = Use(
                use.read_tokens + output.usage.input_tokens,
                use.written_tokens + output.usage.output_tokens,
            )
        text = _unfenced(output.completion)
        try:
            return text, _checked(text, plan.attempts), replace(use, repaired=repaired)
        except UsageError as error:
            fault = str(error)
        complaint = f"This is not a valid skill: {fault}. Reply with the whole file, mended."
        messages += [output.message, ChatMessageUser(content=complaint)]
    kept = out / f"rejected-{re.sub(r'[^a-z0-9]+', '-', plan.task.lower())}.md"
    write_bytes(kept, text.encode())
    raise UsageError(f"{model}: wrote no valid skill for {plan.task} ({fault}); it is in {kept}")


async def _reply(model: Model, messages: list[ChatMessage], task: str) -> ModelOutput:
    try:
        return await model.generate(messages)
    except Exception as error:  # noqa: BLE001 - every provider has errors of its own
        last = error.last_attempt.exception() if isinstance(error, RetryError) else error
        why = " ".join(str(last).split()) or type(last).__name__
        raise EclipticError(f"{model}: wrote no skill for {task}: {why[:_LONGEST]}") from None


def _unfenced(reply: str) -> str:
    fenced = _FENCED.match(reply)
    text = fenced.group(1) if fenced else reply
    # Remarks before the file do no harm; a rule further down is not its beginning.
    at = re.search(r"^---\s*$\s*^\w[\w-]*:", text, re.MULTILINE)
    return text[at.start() :] if at else text


def _checked(text: str, attempts: Sequence[Attempt]) -> Skill:
    skill = parse_skill(text, FILE_NAME)
    quoted = quotations(f"{skill.description}\n{skill.body}", attempts)
    if quoted:
        raise UsageError(
            f"{FILE_NAME}: body: quotes single tasks ({', '.join(quoted[:5])}); leave that out"
        )
    return skill


def _provenance(plan: Plan, model: Model, use: Use) -> dict[str, object]:
    return {
        "model": str(model),
        "task": plan.task,
        "logs": sorted({each.log_id for each in plan.attempts}),
        "attempts": [
            {
                "log": each.log_id,
                "model": each.model,
                "sample": each.sample_id,
                "epoch": each.epoch,
                "passed": each.passed,
            }
            for each in plan.attempts
        ],
        "repaired": use.repaired,
        "tokens": {"read": use.read_tokens, "written": use.written_tokens},
        "ecliptic": version("ecliptic"),
    }


def _write(skill: Skill, folder: Path, provenance: dict[str, object]) -> None:
    import yaml

    front: dict[str, object] = {"name": skill.name, "description": skill.description}
    front["metadata"] = dict(skill.metadata)
    head = yaml.safe_dump(
        front, sort_keys=False, allow_unicode=True, default_flow_style=False, width=10**6
    )
    text = f"---\n{head}---\n\n{skill.body}\n"
    with atomic_folder(folder) as new:
        (new / FILE_NAME).write_text(text, encoding="utf-8")
        (new / PROVENANCE).write_text(json.dumps(provenance, indent=2) + "\n", encoding="utf-8")
