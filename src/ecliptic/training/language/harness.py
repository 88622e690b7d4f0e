"""The conversation of a rollout: the library's chat loop, in the interpreter that is there."""

# The library ships no types.
# mypy: disable-error-code="import-untyped, misc"

from __future__ import annotations

import sys
from typing import Any, cast

import verifiers.v1 as vf
from verifiers.v1.harnesses.null import NullHarness, NullHarnessConfig

_PROGRAM = ".ecliptic-chat.py"


class ConversationConfig(NullHarnessConfig):
    """As of the library's harness ``null``."""


class Conversation(NullHarness, vf.Harness[ConversationConfig]):
    """The library's harness ``null``: a model, its prompt and the task's tools, no shell.

    It is the default of these tasksets, because the library's own default gives the model a shell
    on the trainer's machine, where the truth is. In a local process the loop runs in this Python
    (its packages are the library's own), instead of one that ``uv`` would have to download.
    """

    async def setup(self, runtime: vf.Runtime) -> None:
        """Nothing to install for a local process."""
        if runtime.type != "subprocess":
            await super().setup(runtime)

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace[Any, Any, Any],
        runtime: vf.Runtime,
        *arguments: Any,
        **options: Any,
    ) -> vf.ProgramResult:
        """Run the loop to its end."""
        where = (
            cast("vf.Runtime", _ThisPython(runtime)) if runtime.type == "subprocess" else runtime
        )
        return await super().launch(ctx, trace, where, *arguments, **options)


class _ThisPython:
    """A runtime whose scripts run in this interpreter."""

    def __init__(self, runtime: vf.Runtime) -> None:
        self._runtime = runtime

    def __getattr__(self, name: str) -> Any:
        return getattr(self._runtime, name)

    async def prepare_uv_script(self, script: str | bytes, *_: Any, **__: Any) -> list[str]:
        await self._runtime.write(_PROGRAM, script.encode() if isinstance(script, str) else script)
        return [sys.executable, _PROGRAM]
