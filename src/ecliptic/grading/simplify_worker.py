"""The tie-break in a killable child: SymPy carries out integrals, sums and limits and simplifies.

The child answers with a verdict on ``gold - answer`` and, when it can, with both values at a few
numbers put in, so that a symbolic "equal" is never believed without a numeric one beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Literal

from ecliptic.grading.expression import Expression
from ecliptic.grading.sympy_build import UnpackableError, build, pack
from ecliptic.grading.work_budget import spend, work_left
from ecliptic.grading.worker import WorkerKilledError, ask, serve

MODULE = "ecliptic.grading.simplify_worker"
_PLACES = ((5, 7), (11, 13), (17, 10))
"""Ratios that symbols are set near, one after the other, for the numeric confirmation."""
_DIGITS = 20
MAX_CALLS = 150_000
"""Calls of Python functions that SymPy may make for one tie-break."""
_CALL = 2
"""Units of an answer's work for one of them."""

Tie = Literal["equal", "different", "unknown", "time", "memory", "work"]


def break_tie(gold: Expression, answer: Expression) -> Tie:
    """Whether SymPy finds two scalar expressions equal; ``time``, ``memory``, ``work``: stopped.

    Its calls are counted, so that the same tie-breaks are stopped on every machine; the limits of
    time and memory stand behind.
    """
    calls = min(MAX_CALLS, int(work_left() / _CALL))
    try:
        request = {"sides": [pack(gold), pack(answer)], "calls": calls}
    except UnpackableError:
        return "unknown"
    try:
        reply = ask(MODULE, request)
    except WorkerKilledError as stopped:
        return "memory" if stopped.limit == "memory" else "time"
    spend(_CALL * reply["calls"])
    verdict: Tie = reply["verdict"]
    return verdict


def answer(request: Any) -> dict[str, Any]:
    """In the child: the verdict on the sides of a request, and the calls it took."""
    from sympy.core.cache import clear_cache

    clear_cache()  # what was asked before must not change what this one costs
    verdict, calls = counted(lambda: decide(request["sides"]), request["calls"])
    return {"verdict": verdict, "calls": calls}


class _StoppedError(BaseException):
    """Too many calls; not to be caught by what is stopped."""


def counted(work: Callable[[], str], most: int) -> tuple[str, int]:
    """The result of ``work`` and its calls of Python functions; ``work`` when it needs too many."""
    calls = 0

    def count(*_: Any) -> None:
        nonlocal calls
        calls += 1
        if calls > most:
            raise _StoppedError

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return work(), calls
    except _StoppedError:
        return "work", calls
    finally:
        sys.settrace(before)


def decide(request: Any) -> str:
    """In the child: ``equal`` needs zero after simplification or at points, never a guess."""
    try:
        return _decide(request)
    except _SYMPY_FAULTS:
        return "unknown"


_SYMPY_FAULTS = (
    ArithmeticError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError,
    AssertionError, UnpackableError,
)  # fmt: skip
"""What SymPy's algorithms raise on expressions that they do not handle."""


def _decide(request: Any) -> str:
    import sympy

    gold, answer = (_carried_out(build(side)) for side in request)
    numbers = [_numeric_verdict(gold, answer, place) for place in range(len(_PLACES))]
    if any(verdict == "different" for verdict in numbers):
        return "different"
    if all(verdict == "equal" for verdict in numbers):
        return "equal"
    gap = gold - answer
    if gap.has(sympy.nan, sympy.zoo):
        return "unknown"
    zero = sympy.simplify(gap) == 0
    return "equal" if zero and "equal" in numbers else "unknown"


def _carried_out(expression: Any) -> Any:
    return expression.doit() if hasattr(expression, "doit") else expression


def _numeric_verdict(gold: Any, answer: Any, place: int) -> str:
    """Both values with all symbols set to numbers, at 20 digits; ``unknown`` without values."""
    import sympy

    top, bottom = _PLACES[place]
    names = sorted(gold.free_symbols | answer.free_symbols, key=str)
    values = {
        name: sympy.Rational(top + 3 * position, bottom + 2 * position)
        for position, name in enumerate(names)
    }
    try:
        first, second = (sympy.N(side.subs(values), _DIGITS, maxn=200) for side in (gold, answer))
    except (ValueError, TypeError, ArithmeticError, NotImplementedError):
        return "unknown"
    if not (first.is_number and second.is_number) or first.has(sympy.nan, sympy.zoo, sympy.oo):
        return "unknown"
    if second.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
        return "unknown"
    try:
        gap, size = abs(complex(first - second)), max(abs(complex(first)), abs(complex(second)))
    except (TypeError, OverflowError):
        return "unknown"
    return "equal" if gap <= 1e-13 * size or gap == 0 else "different"


def main() -> None:
    """Start of the child.

    What SymPy loads and builds at first use is loaded now: no answer pays for it.
    """
    x, n = ["symbol", "x~"], ["symbol", "n~"]
    one, two = ["number", "1", "1"], ["number", "2", "1"]
    square = ["power", x, two]
    endless = ["constant", "infinity"]
    for side in (
        ["integral", ["call", "exp", ["mul", ["number", "-1", "1"], square]], x, one, endless],
        ["sum", ["power", n, ["number", "-2", "1"]], n, one, endless],
        ["limit", ["mul", ["call", "sin", x], ["power", x, ["number", "-1", "1"]]], x, one, ""],
    ):
        decide([side, x])
    serve(answer)
