"""One cell: compile it, run it, show the value of a last expression or the agent's traceback."""

from __future__ import annotations

import ast
import linecache
import sys
import traceback
from collections.abc import Callable
from typing import Any

ERROR_CHARACTERS = 500
_RUNNER = __file__.rpartition("/")[0]


def execute(
    code: str, name: str, namespace: dict[str, Any], say: Callable[[str], None]
) -> str | None:
    """Run a cell in the namespace; what went wrong in one line, or ``None``.

    ``name`` stands for the file name in tracebacks and must begin with ``<cell``; ``say`` shows
    text, and never fails.
    """
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    try:
        body, last = _compile(code, name)
    except BaseException as error:  # noqa: BLE001  (as below)
        return report(error.with_traceback(None), say)
    try:
        exec(body, namespace)
        if last is not None:
            value = eval(last, namespace)
            if value is not None:
                namespace["_"] = value
                say(repr(value) + "\n")
    except BaseException as error:  # noqa: BLE001  (whatever the agent raises is its result)
        return report(error, say)
    finally:
        sys.settrace(None)
        sys.setprofile(None)
    return None


def report(error: BaseException, say: Callable[[str], None]) -> str:
    """Show the traceback as far as it concerns the agent; its last line comes back."""
    shown = traceback.TracebackException(type(error), error, error.__traceback__, compact=True)
    _leave_out_runner(shown)
    say("".join(shown.format()))
    summary = "".join(shown.format_exception_only()).strip().splitlines()
    return (summary[-1] if summary else type(error).__name__)[:ERROR_CHARACTERS]


def _leave_out_runner(shown: traceback.TracebackException | None) -> None:
    while shown is not None:
        shown.stack[:] = [step for step in shown.stack if not step.filename.startswith(_RUNNER)]
        _leave_out_runner(shown.__cause__)
        shown = shown.__context__


def _compile(code: str, name: str) -> tuple[Any, Any]:
    tree = ast.parse(code, name)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not code.rstrip().endswith(";"):
        last = compile(ast.Expression(tree.body.pop().value), name, "eval", dont_inherit=True)  # type: ignore[attr-defined]
    return compile(tree, name, "exec", dont_inherit=True), last
