"""Do two scalar expressions have the same values? Decided at points, without simplification.

Doubles at ten positive points decide nearly everything. Where they can't be trusted (cancellation,
overflow and underflow, terms far apart in size, near agreement), a few points are taken at 50
digits and more. Comparison is always relative, so no scale is special. Functions that are not
analytic are also compared on either sign of their arguments' symbols.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading.evaluate import FloatInterpreter
from ecliptic.grading.exact_evaluate import ExactInterpreter, has_exact_value
from ecliptic.grading.expression import Call, Expression, Piecewise, Symbol
from ecliptic.grading.integral_ranges import same_ranges
from ecliptic.grading.interpretation import TooLargeError, UnevaluableError
from ecliptic.grading.real_points import agree_where_real, is_real, may_branch
from ecliptic.grading.rounding import rounding_explains
from ecliptic.grading.rules import Rules
from ecliptic.grading.sampling import (
    POINTS,
    Domain,
    Sample,
    draw,
    free_symbols,
    whole_number_symbols,
)
from ecliptic.grading.special_functions import NOT_ANALYTIC, standard_name
from ecliptic.grading.tree_walk import survey, walk

Array = NDArray[np.complex128]
Status = Literal["same", "different", "unclear", "undefined", "too_large"]

ENOUGH = 5
"""Points at which both sides must have a value."""
EXACT_POINTS = 3
_TRUSTED = 1e-9
_CLEAR = 1e-6


@dataclass(frozen=True, slots=True)
class Agreement:
    """What evaluation found; ``gold`` and ``answer`` are values at the points of ``sample``."""

    status: Status
    method: str
    sample: Sample
    gold: Array
    answer: Array
    where: int = 0
    """A point at which they differ."""
    reason: str = ""
    rules: tuple[str, ...] = ()
    differs: bool = False
    """Unclear, but integrals or sums of both sides differ by the same rule of summation."""


def agree(gold: Expression, answer: Expression, seed: str, rules: Rules) -> Agreement:
    """Compare the values of two scalar expressions."""
    found = _agree_in(gold, answer, seed)
    if found.status == "same":
        signed = signed_symbols(gold, answer)
        if signed:
            found = _agree_signed(gold, answer, seed, signed, found)
    elif found.status == "different":
        explained = rounding_explains(
            (gold, answer), (found.gold, found.answer), found.sample, rules
        )
        if explained:
            return replace(found, status="same", method=explained[0], rules=explained[1])
        branched = _differ_where_complex(found) and may_branch(gold, answer)
        if branched and not signed_symbols(gold, answer) and agree_where_real(gold, answer, seed):
            return replace(found, status="same", method="points where both are real")
    return found


def _differ_where_complex(found: Agreement) -> bool:
    """Whether some values are complex, and all that differ are."""
    real = is_real(found.gold) & is_real(found.answer)
    if np.all(real):
        return False
    with np.errstate(all="ignore"):
        gap = np.abs(found.gold - found.answer)
        apart = gap > _CLEAR * np.maximum(np.abs(found.gold), np.abs(found.answer))
    return not np.any(apart & real)


def sample_for(
    gold: Expression, answer: Expression, seed: str, domain: Domain = Domain.POSITIVE
) -> Sample:
    """Points for the symbols of both sides."""
    whole = whole_number_symbols((gold, answer))
    return draw(free_symbols(gold, answer), seed, domain, whole=whole)


def _agree_in(gold: Expression, answer: Expression, seed: str) -> Agreement:
    best: Agreement | None = None
    for domain in (Domain.POSITIVE, Domain.SMALL):
        sample = sample_for(gold, answer, seed, domain)
        found = _at_points(gold, answer, sample)
        if found.status not in ("undefined", "unclear"):
            return found
        best = best or found
    assert best is not None
    return best


def _at_points(gold: Expression, answer: Expression, sample: Sample) -> Agreement:
    nothing = np.full(sample.size, np.nan, np.complex128)
    first, second = FloatInterpreter(sample), FloatInterpreter(sample)
    try:
        g, a = first(gold), second(answer)
    except UnevaluableError as error:
        return Agreement("unclear", "", sample, nothing, nothing, reason=str(error))
    except TooLargeError as error:
        return Agreement("too_large", "", sample, nothing, nothing, reason=str(error))
    finite = np.isfinite(g) & np.isfinite(a)
    sizes_g, sizes_a = np.abs(g), np.abs(a)
    extreme = ~finite | (sizes_g < 1e-280) | (sizes_a < 1e-280)
    loss = np.maximum(first.loss, second.loss)
    doubtful = first.absorbed or second.absorbed or bool(np.any(loss > 1e5))
    exact = has_exact_value(gold) and has_exact_value(answer)
    with np.errstate(all="ignore"):
        gap = np.abs(g - a) / np.maximum(sizes_g, sizes_a)
    gap[(g == a) & finite] = 0.0
    approximate = first.approximate or second.approximate
    inexact = first.inexact or second.inexact
    usable = ~extreme if exact else finite
    if np.count_nonzero(usable) >= ENOUGH:
        worst = int(np.argmax(np.where(usable, gap, -1.0)))
        largest = float(gap[worst])
        if largest > _CLEAR and (largest > 1e-11 * float(loss[worst]) * 10):
            if approximate:
                reason = "an integral or sum that does not converge"
                both = first.inexact and second.inexact
                return Agreement("unclear", "", sample, g, a, worst, reason, differs=both)
            return Agreement("different", _points(usable), sample, g, a, worst)
        near = 1e-7 if inexact else min(1e-9 * float(loss.max()), _CLEAR)
        if (inexact or not exact) and largest < near:
            if approximate and (largest > 1e-11 or not same_ranges(gold, answer)):
                return Agreement("unclear", "", sample, g, a, worst, "an integral that diverges")
            return Agreement("same", _points(usable), sample, g, a)
        if not doubtful and largest < _TRUSTED and not np.any(extreme):
            return Agreement("same", _points(usable), sample, g, a)
    if exact:
        return _exactly(gold, answer, sample, g, a)
    if np.count_nonzero(np.isfinite(g)) >= ENOUGH and not np.any(np.isfinite(a)):
        return Agreement("undefined", "", sample, g, a, reason="the answer has no value anywhere")
    return Agreement("unclear", "", sample, g, a, reason="too few points have a value")


def _points(usable: NDArray[np.bool_]) -> str:
    return f"{np.count_nonzero(usable)} points"


def _exactly(gold: Expression, answer: Expression, sample: Sample, g: Array, a: Array) -> Agreement:
    method, agreed, failed, reason = f"{EXACT_POINTS} points at 50 digits", 0, "", ""
    for index in range(sample.size):
        verdict, failed = _at_one_point(gold, answer, sample, index)
        if verdict == "different":
            return Agreement("different", method, sample, g, a, index)
        if verdict == "too_large":
            return Agreement("too_large", method, sample, g, a, index, failed)
        agreed += verdict == "same"
        reason = reason or failed
        if agreed == EXACT_POINTS or (not free_symbols(gold, answer) and agreed):
            return Agreement("same", method, sample, g, a)
    if failed == "answer":
        return Agreement("undefined", method, sample, g, a, reason="the answer has no value")
    return Agreement("unclear", method, sample, g, a, reason=reason)


def _at_one_point(
    gold: Expression, answer: Expression, sample: Sample, index: int
) -> tuple[str, str]:
    gaps = []
    for digits in (50, 160):
        values, side = [], "gold"
        scale = 0.0
        try:
            for side, node in (("gold", gold), ("answer", answer)):  # noqa: B007
                interpreter = ExactInterpreter(sample, index, digits)
                values.append(interpreter(node))
                scale = max(scale, interpreter.scale)
        except UnevaluableError:
            return "none", side
        except TooLargeError as error:
            if side == "answer" or _is_moderate(answer, sample, index):
                return "different", str(error)
            return "too_large", str(error)
        context = interpreter.context
        gap, largest = abs(values[0] - values[1]), max(abs(values[0]), abs(values[1]))
        if gap == 0:
            return "same", ""
        grain = context.mpf(10) ** (12 - digits)
        if gap > max(largest, scale) * grain:
            return "different", ""
        if gap <= largest * grain and scale <= largest * context.mpf(10) ** 15:
            return "same", ""
        gaps.append(gap)
    shrinks = gaps[1] < gaps[0] * context.mpf(10) ** -60
    return ("same" if shrinks else "different"), ""


def _is_moderate(node: Expression, sample: Sample, index: int) -> bool:
    try:
        ExactInterpreter(sample, index)(node)
    except (UnevaluableError, TooLargeError):
        return False
    return True


def signed_symbols(*nodes: Expression) -> set[Symbol]:
    """Symbols in the arguments of functions that are not analytic, and in conditions."""
    found: set[Symbol] = set()
    for node in nodes:
        known = survey(node)
        if not known.functions & NOT_ANALYTIC and Piecewise not in known.kinds:
            continue
        for part in walk(node):
            if isinstance(part, Call) and standard_name(part.function) in NOT_ANALYTIC:
                inner: tuple[Expression, ...] = part.args
            elif isinstance(part, Piecewise):
                inner = tuple(condition for _, condition in part.branches if condition is not None)
            else:
                continue
            found.update(s for arg in inner for s in walk(arg) if isinstance(s, Symbol))
    return found


def _agree_signed(
    gold: Expression, answer: Expression, seed: str, signed: set[Symbol], positive: Agreement
) -> Agreement:
    """Agreement with either sign for some symbols, 40 points so that every case is met."""
    size = 4 * POINTS
    symbols = free_symbols(gold, answer)
    plain = draw(symbols, seed, size=size)
    mixed = draw(symbols, seed, Domain.SIGNED, size=size)
    values = {symbol: (mixed if symbol in signed else plain).values[symbol] for symbol in symbols}
    sample = Sample(values, size, seed)
    try:
        g, a = FloatInterpreter(sample)(gold), FloatInterpreter(sample)(answer)
    except (UnevaluableError, TooLargeError):
        return positive
    g_finite, a_finite = np.isfinite(g), np.isfinite(a)
    usable = g_finite & a_finite
    if np.count_nonzero(usable) < ENOUGH:
        return positive
    with np.errstate(all="ignore"):
        gap = np.abs(g - a) / np.maximum(np.abs(g), np.abs(a))
    gap[(g == a) & usable] = 0.0
    worst = int(np.argmax(np.where(usable, gap, -1.0)))
    if gap[worst] > _CLEAR:
        return Agreement("different", "points of either sign", sample, g, a, worst)
    if np.any(g_finite & ~a_finite) and _is_piecewise(answer):
        return Agreement(
            "different",
            "points of either sign",
            sample,
            g,
            a,
            int(np.argmax(g_finite & ~a_finite)),
            "a case is missing",
        )
    return replace(positive, method=f"{positive.method}, and points of either sign")


def _is_piecewise(node: Expression) -> bool:
    return any(isinstance(part, Piecewise) for part in walk(node))
