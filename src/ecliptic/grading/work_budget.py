"""The counted work of one answer: what decides, on every machine alike, that it is too large.

One unit is about a microsecond of a common core. Costs are charged from sizes that are known before
the work is done (nodes, elements of arrays, characters), never measured, so that a verdict does
not depend on the machine or its load. Outside :func:`counted_work` nothing is charged.
"""

from __future__ import annotations

from contextvars import ContextVar, Token

from ecliptic.grading.expression import Apply, Call, Expression, Power
from ecliptic.grading.special_functions import is_special
from ecliptic.grading.tree_walk import walk

MAX_WORK = 1_000_000
"""Units that all comparisons of one answer share."""
MAX_LIVE_ELEMENTS = 12_000_000
"""Complex doubles that may be alive in one evaluation (192 MB)."""
NODE = 4
"""Units for one node of an evaluation at a few points."""
_ELEMENT = 0.03
_POWER = 0.25
_FUNCTION = 0.12
_SPECIAL = 3.0
"""Units for one element of an array: sums and products, powers, elementary and other functions."""


class WorkLimitError(Exception):
    """The work of one answer is used up; caught where the answer's verdict is made."""

    def __init__(self) -> None:
        super().__init__("more work than an answer may need")


class _Account:
    """What is left for one answer."""

    __slots__ = ("left",)

    def __init__(self, units: float) -> None:
        self.left = units


_account: ContextVar[_Account | None] = ContextVar("account", default=None)


class counted_work:  # noqa: N801  used like a function
    """All work inside shares ``units``; an answer within an answer has no more than that one."""

    __slots__ = ("_token", "_units")

    def __init__(self, units: float = MAX_WORK) -> None:
        self._units = units
        self._token: Token[_Account | None] | None = None

    def __enter__(self) -> None:
        if _account.get() is None:
            self._token = _account.set(_Account(self._units))

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _account.reset(self._token)
            self._token = None


def spend(units: float) -> None:
    """Charge ``units``.

    Raises
    ------
    WorkLimitError
        There is no more left for this answer.
    """
    account = _account.get()
    if account is not None:
        account.left -= units
        if account.left < 0:
            raise WorkLimitError


def work_left() -> float:
    """Units that may still be charged; all of them where nothing is counted."""
    account = _account.get()
    return MAX_WORK if account is None else max(account.left, 0.0)


def array_cost(node: Expression, elements: int) -> float:
    """Units for the value of ``node`` on arrays of ``elements``, without integrals inside it."""
    cost = 0.0
    for part in walk(node):
        if isinstance(part, Call):
            cost += _SPECIAL if is_special(part.function) else _FUNCTION
        elif isinstance(part, Power):
            cost += _POWER
        else:
            cost += _FUNCTION if isinstance(part, Apply) else _ELEMENT
    return cost * elements
