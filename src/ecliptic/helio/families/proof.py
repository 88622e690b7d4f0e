"""An answer is proven: two routes agree, the dimensions are right, and the grader can read it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ecliptic.errors import ProofError
from ecliptic.grading import grade
from ecliptic.grading.formula_values import Formula
from ecliptic.helio.families.answers import Answer, Numeric, Symbolic, Textual, form_of
from ecliptic.helio.families.notation import number_tex, unit_of, unit_tex

POINTS = 3
_SCALES = {"m": 2.0, "kg": 3.0, "s": 5.0, "A": 7.0, "K": 11.0, "mol": 13.0, "cd": 17.0}
"""Another unit for each base unit, in effect: a homogeneous formula keeps its form."""
_LEAST_CHANGE = 1e-6


@dataclass(frozen=True, slots=True)
class Proven:
    """The published answer, and how far its two routes differ (relative, largest)."""

    final: str
    difference: float
    points: int


def prove(answer: Answer, points: np.random.Generator) -> Proven:
    """The answer as it is published.

    Raises
    ------
    ProofError
        The routes disagree, a formula is not homogeneous, a claim has no evidence, or the grader
        does not accept the answer as its own gold.
    """
    if isinstance(answer, Numeric):
        proven = _numeric(answer)
    elif isinstance(answer, Symbolic):
        proven = _symbolic(answer, points)
    else:
        proven = _textual(answer)
    kind = form_of(answer)
    record = {"final": proven.final, "type": kind, "meta": {"rules": dict(answer.rules)}}
    if isinstance(answer, Textual):
        record["meta"] = {"claims": [claim.text for claim in answer.claims]}
    verdict = grade(record, proven.final)
    if not verdict.passed or "data_error" in verdict.details:
        reason = verdict.details.get("data_error") or verdict.details["comparison"]["message"]
        raise ProofError(f"the gold {proven.final} does not pass for itself: {reason}")
    return proven


def _numeric(answer: Numeric) -> Proven:
    first, second = _in_unit(answer.value, answer.unit), _in_unit(answer.check, answer.unit)
    difference = _relative(first, second)
    if not difference <= answer.agreement:
        raise ProofError(
            f"{answer.routes.first} gives {first:.10g} {answer.unit}, "
            f"{answer.routes.second} {second:.10g}"
        )
    number = number_tex(first, answer.digits)
    if not answer.unit:
        return Proven(f"${number}$", difference, 1)
    gap = "" if answer.unit in ("deg", "%") else r"\ "
    return Proven(f"${number}{gap}{unit_tex(answer.unit)}$", difference, 1)


def _in_unit(value: object, unit: str) -> float:
    to_value = getattr(value, "to_value", None)
    number = float(value if to_value is None else to_value(unit_of(unit)))  # type: ignore[arg-type]
    if not math.isfinite(number):
        raise ProofError(f"a route gives {number}")
    return number


def _relative(first: float, second: float) -> float:
    size = max(abs(first), abs(second))
    return abs(first - second) / size if size else 0.0


def _symbolic(answer: Symbolic, stream: np.random.Generator) -> Proven:
    formula = Formula(answer.final)
    values = {
        name: low + (high - low) * stream.random(POINTS)
        for name, (low, high) in answer.ranges.items()
    }
    found = formula(values)
    difference = 0.0
    for index in range(POINTS):
        at = {name: float(row[index]) for name, row in values.items()}
        expected = float(answer.check(at))
        apart = _relative(float(found[index]), expected)
        if not apart <= answer.agreement:
            raise ProofError(
                f"{answer.final} is {found[index]:.10g} at {_shown(at)}; "
                f"{answer.routes.second} gives {expected:.10g}"
            )
        difference = max(difference, apart)
    if answer.units:
        _homogeneous(answer, formula, values, found)
    return Proven(answer.final, difference, POINTS)


def _homogeneous(
    answer: Symbolic,
    formula: Formula,
    values: Mapping[str, NDArray[np.float64]],
    found: NDArray[np.float64],
) -> None:
    """Other base units change every value by the factor of its dimension, the result too."""
    missing = sorted({"", *values} - answer.units.keys())
    if missing:
        raise ProofError(f"{answer.final}: no unit is given for {missing[0] or 'the result'}")
    scaled = {name: row * _factor(answer.units[name]) for name, row in values.items()}
    expected = found * _factor(answer.units[""])
    if not np.allclose(formula(scaled), expected, rtol=1e-9, atol=0.0):
        raise ProofError(f"{answer.final} is not homogeneous in the units {dict(answer.units)}")


@lru_cache(maxsize=512)
def _factor(unit: str) -> float:
    from astropy.units import UnitConversionError

    try:
        bases = unit_of(unit).decompose()
        return float(
            math.prod(
                _SCALES.get(str(base), 1.0) ** float(power)
                for base, power in zip(bases.bases, bases.powers, strict=True)
            )
        )
    except (UnitConversionError, ValueError) as error:
        raise ProofError(f"{unit!r} is no unit: {error}") from None


def _textual(answer: Textual) -> Proven:
    if not answer.claims:
        raise ProofError("a textual answer needs claims")
    difference = 0.0
    for claim in answer.claims:
        for change in (claim.first, claim.second):
            sign = 0 if abs(change) < _LEAST_CHANGE else int(math.copysign(1, change))
            if not math.isfinite(change) or sign != claim.direction:
                raise ProofError(f"the evidence for {claim.text!r} is {change:.3g}")
        apart = abs(claim.first - claim.second)
        if claim.direction:
            apart = _relative(claim.first, claim.second)
        difference = max(difference, apart)
    return Proven(answer.final, difference, len(answer.claims))


def _shown(at: Mapping[str, float]) -> str:
    return ", ".join(f"{name} = {value:.4g}" for name, value in at.items())
