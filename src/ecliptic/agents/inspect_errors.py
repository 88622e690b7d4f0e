"""Mistakes of the user under Inspect's own commands: one line there too, instead of a traceback."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from inspect_ai._util.error import PrerequisiteError
from rich.markup import escape

from ecliptic.errors import EclipticError

P = ParamSpec("P")
Made = TypeVar("Made")


def in_one_line(make: Callable[P, Made]) -> Callable[P, Made]:
    """A task or solver whose errors are Inspect's as well: its commands show these as a line.

    What is raised is still what ``make`` raises, to whoever catches that.
    """

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> Made:
        try:
            return make(*args, **kwargs)
        except PrerequisiteError:
            raise
        except EclipticError as error:
            raise _as_both(error) from None

    return made


def _as_both(error: EclipticError) -> EclipticError:
    kind = type(error)
    both: Any = type(kind.__name__, (kind, PrerequisiteError), {"__module__": kind.__module__})
    shown = both.__new__(both, str(error))
    shown.message = f"ecliptic: {escape(str(error))}"
    return cast(EclipticError, shown)
