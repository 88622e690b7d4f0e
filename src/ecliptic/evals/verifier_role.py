"""The grader's verifier on Inspect's model role ``verifier``."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    get_model,
)
from inspect_ai.model import model_roles as bound_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver

from ecliptic.agents.clean_replies import clean_replies
from ecliptic.errors import UsageError
from ecliptic.evals.run_context import made_in_run
from ecliptic.grading import ChatModel
from ecliptic.grading.chat_models import Message

ROLE = "verifier"


class InspectChatModel:
    """A chat model of the grader that calls a model of Inspect; for a worker thread of a scorer.

    Its tokens are counted and its calls logged with the sample that is scored.
    """

    def __init__(self, model: Model) -> None:
        clean_replies(model)
        self._model = model

    def __call__(self, messages: Sequence[Message]) -> str:
        """The reply's text."""
        return anyio.from_thread.run(self._ask, list(messages))

    async def _ask(self, messages: list[Message]) -> str:
        asked: list[ChatMessage] = [_KINDS[m["role"]](content=m["content"]) for m in messages]
        output = await self._model.generate(asked, config=GenerateConfig(temperature=0.0))
        return output.completion


_KINDS = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


def find_verifier(wanted: bool | None, allow_self_judge: bool = False) -> ChatModel | None:
    """The model of the role, inside of a running sample; ``None`` if there is and need be none.

    Inspect's own ``get_model(role=...)`` falls back to the model under test in silence.

    Parameters
    ----------
    wanted
        ``None`` takes the role's model where one is bound, ``True`` insists, ``False`` goes
        without.
    allow_self_judge
        Whether the model under test may be its own judge.

    Raises
    ------
    UsageError
        The role is unbound, holds several models, or is the model under test.
    """
    if wanted is False:
        return None
    model = bound_roles().get(ROLE)
    if model is None:
        if wanted:
            raise UsageError(
                "a verifier is asked for but none is bound: add "
                "--model-role verifier=PROVIDER/MODEL"
            )
        return None
    if not isinstance(model, Model):
        raise UsageError("the role 'verifier' takes one model, not a list of them")
    tested = get_model()
    if not allow_self_judge and _same(model, tested):
        raise UsageError(
            f"the verifier is the model under test ({tested}): bind another model with "
            "--model-role verifier=PROVIDER/MODEL, or allow it with -T allow_self_judge=true"
        )
    return InspectChatModel(model)


def _same(model: Model, other: Model) -> bool:
    return str(model).lower() == str(other).lower()


def check_roles(wanted: bool | None = None, allow_self_judge: bool = False) -> None:
    """Raises what :func:`find_verifier` raises, in a run that is about to begin.

    Roles that are bound later are looked at by each sample (:func:`check_verifier`).
    """
    if made_in_run():
        find_verifier(wanted, allow_self_judge)


@solver
def check_verifier(wanted: bool | None = None, allow_self_judge: bool = False) -> Solver:
    """Raises what :func:`find_verifier` raises, before anything is paid for."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        find_verifier(wanted, allow_self_judge)
        return state

    return solve
