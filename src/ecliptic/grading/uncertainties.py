"""Stated uncertainties: missing, another one, or larger than the value."""

from __future__ import annotations

from decimal import Decimal

from ecliptic.grading.comparison import Comparison, different
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.quantity import Quantity
from ecliptic.grading.rules import Rules
from ecliptic.grading.shown_quantities import METHOD, figure
from ecliptic.grading.unit_alignment import Alignment

_LARGEST_ERROR_RATIO = Decimal(2)
"""Stated uncertainties agree within this factor: they are given to one or two figures."""


def uncertainty_fault(
    gold: Quantity, answer: Quantity, alignment: Alignment, rules: Rules
) -> Comparison | None:
    """What is wrong with the uncertainty of a right value, if anything is."""
    stated, given = gold.uncertainty, answer.uncertainty
    if given is None:
        if stated is not None and rules.require_uncertainty:
            return different(
                Code.UNCERTAINTY,
                "the uncertainty is missing",
                method=METHOD,
                rules=("require_uncertainty",),
            )
        return None
    if rules.allow_wide_uncertainty:
        return None
    given = abs(alignment.scaled(given))
    if stated:
        ratio = given / abs(stated)
        if not 1 / _LARGEST_ERROR_RATIO <= ratio <= _LARGEST_ERROR_RATIO:
            return different(
                Code.UNCERTAINTY,
                "the value is right, its uncertainty is not",
                method=METHOD,
                rules=("allow_wide_uncertainty",),
                ratio=figure(ratio),
            )
    elif given > abs(gold.value):
        return different(
            Code.UNCERTAINTY,
            "the uncertainty is larger than the value",
            method=METHOD,
            rules=("allow_wide_uncertainty",),
        )
    return None
