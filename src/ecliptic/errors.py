"""The whole error vocabulary.

Two mechanisms, and nothing else:

* An :class:`EclipticError` means that somebody has to act: the message is one line that names the
  file, the field and the fix. The command line prints that line and exits with ``exit_code``; it
  never shows a traceback for one.
* What an agent gets wrong is data, not an error of the program. :class:`SubmissionError` is raised
  where a submission is read; an environment turns it into feedback and costs no attempt.

Anything else that escapes is a fault of the program and keeps its traceback.
"""

from __future__ import annotations

from typing import ClassVar


class EclipticError(Exception):
    """Base of all errors that a person can mend; ``str(error)`` is one line."""

    exit_code: ClassVar[int] = 2

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(str(message).split()))


class UsageError(EclipticError):
    """A call, option or argument that cannot be carried out as it stands."""


class TaskError(EclipticError):
    """A task (or a file that should hold one) is damaged, foreign or inconsistent."""


class SuiteError(EclipticError):
    """A suite is missing, empty, or its tasks contradict one another."""


class SubmissionError(EclipticError):
    """A submission is malformed; ``field``, ``value`` and ``allowed`` say where and how."""

    def __init__(
        self, message: str, *, field: str = "", value: object = None, allowed: str = ""
    ) -> None:
        super().__init__(message)
        self.field = field
        self.value = value
        self.allowed = allowed


class MissingExtraError(EclipticError):
    """An optional dependency is needed; the message names the extra that brings it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} need the optional extra '{extra}': pip install 'ecliptic[{extra}]', "
            f"or '.[{extra}]' in a checkout"
        )
        self.extra = extra


class OutputError(EclipticError):
    """Results cannot be written (full disk, read-only folder); what was written stays valid."""


class EclipticWarning(UserWarning):
    """Something was left out that somebody may want to know of; the result is sound without it."""


class ProofError(EclipticError):
    """A generated problem's answer could not be proven: a fault of its family, not of a user."""
