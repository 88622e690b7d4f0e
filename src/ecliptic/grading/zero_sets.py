"""Do two equations have the same solutions?

An equation is its residual, left side minus right side. Residuals with a constant ratio have the
same zeros. Otherwise both are solved for one symbol at random values of the others: where both
are Laurent polynomials in that symbol (seen by a Fourier transform around a circle), all its roots
are compared; elsewhere roots are searched by the secant method and put into the other residual.

Whether the root zero counts is a matter of convention, for nobody minds an equation that is
multiplied through by a quantity. It counts for the unknown of the equation: the symbol that the
gold is solved for, the symbol whose power stands alone on one side (``x^2 = a x``), or, where a
polynomial is set to zero, every symbol that both sides have other roots in. A factor without the
unknown is a quantity that the equation is multiplied through by.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading.expression import Expression, Symbol
from ecliptic.grading.real_points import is_real, may_branch, real_sample
from ecliptic.grading.roots import (
    ZeroSets,
    polynomial_roots,
    relation_at_zero,
    searched_roots,
    values_at,
)
from ecliptic.grading.sampling import (
    POINTS,
    Domain,
    Sample,
    draw,
    free_symbols,
    whole_number_symbols,
)
from ecliptic.grading.tree_walk import survey
from ecliptic.grading.values import signed_symbols

Array = NDArray[np.complex128]

MAX_SEARCHED = 500
"""Nodes of both residuals together, beyond which roots are not searched."""


@dataclass(frozen=True, slots=True)
class Solutions:
    """How the zeros of two residuals relate, and how that was found."""

    status: ZeroSets
    method: str
    factor: complex | None = None
    """Constant ratio of answer to gold residual, when there is one."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """What an equation is solved for, as far as its form tells."""

    subject: Symbol | None = None
    """The symbol to solve for first."""
    zero_counts: bool = False
    """Whether the root zero of the subject counts."""
    set_to_zero: bool = False
    """A polynomial is set to zero: without a subject, the root zero counts in every symbol."""


def compare_zeros(
    gold: tuple[Expression, ...],
    answer: tuple[Expression, ...],
    seed: str,
    unknown: Unknown | None = None,
    *,
    search: bool = True,
) -> Solutions:
    """Relation of the zeros of two residuals, with one expression a component.

    Without ``search`` only residuals with polynomial roots are solved, which is quick.
    """
    unknown = unknown or Unknown()
    if len(gold) != len(answer):
        return Solutions("different", "number of components")
    symbols = free_symbols(*gold, *answer)
    whole = whole_number_symbols((*gold, *answer))
    signed = signed_symbols(*gold, *answer)
    sample = draw(symbols, seed, whole=whole)
    if signed:
        mixed = draw(symbols, seed, Domain.SIGNED)
        values = {s: mixed.values[s] if s in signed else v for s, v in sample.values.items()}
        sample = Sample(values, sample.size, seed)
    g = [values_at(part, sample) for part in gold]
    a = [values_at(part, sample) for part in answer]
    if any(part is None for part in (*g, *a)):
        return Solutions("unclear", "")
    branched = not all(np.all(is_real(v)) for v in (*g, *a) if v is not None)
    if branched and not signed and not whole and may_branch(*gold, *answer):
        real = real_sample((*gold, *answer), seed, size=POINTS)
        if real is not None:
            g = [values_at(part, real) for part in gold]
            a = [values_at(part, real) for part in answer]
    ratio = _common_ratio([v for v in g if v is not None], [v for v in a if v is not None])
    if ratio is not None:
        middle = complex(np.mean(ratio))
        if np.max(np.abs(ratio - middle)) < 1e-9 * abs(middle):
            return Solutions("same", f"{POINTS} points", middle)
        if len(gold) > 1:
            return Solutions("same", f"{POINTS} points")
    elif len(gold) > 1:
        return Solutions("different", f"{POINTS} points")
    shared = set(free_symbols(*gold)) & set(free_symbols(*answer)) - whole
    candidates = _in_order(shared, unknown.subject)
    if signed:
        candidates = [s for s in candidates if s in signed] or candidates
        return _by_search(gold[0], answer[0], seed, candidates, either_sign=True)
    found = _by_roots(gold[0], answer[0], seed, candidates)
    if found is None and search:
        found = _by_search(gold[0], answer[0], seed, candidates)
    if found is None or found.status != "same":
        return found or Solutions("unclear", "")
    return _elsewhere(gold[0], answer[0], seed, candidates, unknown) or found


def _elsewhere(
    gold: Expression, answer: Expression, seed: str, candidates: list[Symbol], unknown: Unknown
) -> Solutions | None:
    """A difference that the roots in the first symbol do not show: other symbols, the root zero."""
    if unknown.subject is not None:
        status = None
        if unknown.zero_counts:
            status = relation_at_zero(gold, answer, seed, unknown.subject)
        return Solutions(status, f"the root {unknown.subject.name} = 0") if status else None
    for symbol in candidates[1:]:
        found = polynomial_roots(gold, answer, seed, symbol)
        if found not in (None, "same"):
            return Solutions(found, f"roots in {symbol.name}")
    if unknown.set_to_zero:
        if any(symbol.style == "jet" for symbol in candidates):
            return None
        for symbol in candidates:
            if polynomial_roots(gold, answer, seed, symbol) is None:
                continue
            status = relation_at_zero(gold, answer, seed, symbol)
            if status is not None:
                return Solutions(status, f"the root {symbol.name} = 0")
    return None


def _common_ratio(gold: list[Array], answer: list[Array]) -> Array | None:
    """Ratio of answer to gold at each point, when it is one for all components."""
    ratios = []
    for g, a in zip(gold, answer, strict=True):
        if not np.any(g) and not np.any(a):
            continue
        with np.errstate(all="ignore"):
            ratio = a / g
        if not np.all(np.isfinite(ratio)) or not np.all(ratio):
            return None
        ratios.append(ratio)
    if not ratios:
        return None
    first = ratios[0]
    for other in ratios[1:]:
        if np.max(np.abs(other - first) / np.abs(first)) > 1e-8:
            return None
    return first


def _in_order(symbols: Iterable[Symbol], subject: Symbol | None) -> list[Symbol]:
    ordered = sorted(symbols, key=lambda s: (s.style != "jet", s.name, s.style))
    if subject in ordered:
        ordered.remove(subject)
        ordered.insert(0, subject)
    return ordered[:8]


def _by_roots(
    gold: Expression, answer: Expression, seed: str, candidates: list[Symbol]
) -> Solutions | None:
    if not candidates:
        return Solutions("different", "no symbol in common")
    for symbol in candidates:
        found = polynomial_roots(gold, answer, seed, symbol)
        if found is not None:
            return Solutions(found, f"roots in {symbol.name}")
    return None


def _by_search(
    gold: Expression,
    answer: Expression,
    seed: str,
    candidates: list[Symbol],
    *,
    either_sign: bool = False,
) -> Solutions:
    if survey(gold).count + survey(answer).count > MAX_SEARCHED:
        return Solutions("unclear", "")
    for symbol in candidates[:3]:
        found = searched_roots(gold, answer, seed, symbol, either_sign)
        if found is not None:
            return Solutions(found, f"roots in {symbol.name}")
    return Solutions("unclear", "")
