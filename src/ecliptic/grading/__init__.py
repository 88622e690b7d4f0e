"""Grading of scientific answers: numbers with units, formulas, claims and structured answers.

>>> from ecliptic.grading import grade
>>> verdict = grade(gold=r"$400\\ \\mathrm{km\\,s^{-1}}$", answer="4.0e5 m/s")
>>> verdict.passed
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from ecliptic.grading.chat_models import ChatModel
    from ecliptic.grading.claim_drafts import ClaimDrafts
    from ecliptic.grading.comparison import Comparison
    from ecliptic.grading.diagnose import GradingDiagnosis
    from ecliptic.grading.explanation import explain
    from ecliptic.grading.extraction import extract
    from ecliptic.grading.grader import grade
    from ecliptic.grading.rules import DEFAULT_RULES, Rules
    from ecliptic.grading.verifier import Verifier
    from ecliptic.grading.verifier_rates import measure_verifier

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "chat_models": ["ChatModel"],
        "claim_drafts": ["ClaimDrafts"],
        "comparison": ["Comparison"],
        "diagnose": ["GradingDiagnosis"],
        "explanation": ["explain"],
        "extraction": ["extract"],
        "grader": ["grade"],
        "rules": ["DEFAULT_RULES", "Rules"],
        "verifier": ["Verifier"],
        "verifier_rates": ["measure_verifier"],
    },
)

__all__ = [
    "DEFAULT_RULES",
    "ChatModel",
    "ClaimDrafts",
    "Comparison",
    "GradingDiagnosis",
    "Rules",
    "Verifier",
    "explain",
    "extract",
    "grade",
    "measure_verifier",
]
