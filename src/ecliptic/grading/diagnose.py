"""The closed vocabulary of reasons why an answer was not accepted."""

from __future__ import annotations

from enum import StrEnum


class GradingDiagnosis(StrEnum):
    """Why an answer failed, or why it could not be decided."""

    # What was handed in.
    NO_ANSWER = "no_answer"
    """Empty, an echo of the question or hint, or prose without an answer."""
    SEVERAL_ANSWERS = "several_answers"
    """Two or more different final answers, or a hedge."""
    FORMAT = "format"
    """The answer is right; the form the question demanded is not kept, or a number is malformed."""
    PARSE = "parse"
    """Cannot be read as the type of answer that is asked for."""
    NOT_FINITE = "not_finite"
    """NaN, infinity, 0/0 or another expression without a value."""

    # Numbers and units.
    MAGNITUDE = "magnitude"
    """The number is off, and no simpler reason explains it."""
    POWER_OF_TEN = "power_of_ten"
    SIGN = "sign"
    FACTOR = "factor"
    """Off by a recognisable constant factor (evidence: ``factor``)."""
    RECIPROCAL = "reciprocal"
    ROUNDING = "rounding"
    """Outside the tolerance, yet what coarse rounding would give."""
    UNIT_MISSING = "unit_missing"
    UNIT_UNEXPECTED = "unit_unexpected"
    """The gold is a bare number and the answer carries a dimension."""
    UNIT_INCOMPATIBLE = "unit_incompatible"
    """Another dimension."""
    UNIT_PREFIX = "unit_prefix"
    """The number of the gold with a compatible unit of another size (5 nT against 5 T)."""
    UNIT_SYSTEM = "unit_system"
    """Gaussian against SI."""
    UNCERTAINTY = "uncertainty"
    """The value is right; its uncertainty is missing, wrong, or swallows the value."""
    RANGE = "range"
    """A value for a range, a range for a value, or other limits."""

    # Formulas.
    EXPONENT = "exponent"
    """One symbol stands to another power (evidence: ``symbol``, ``power``)."""
    WRONG_VARIABLE = "wrong_variable"
    MISSING_TERM = "missing_term"
    EXTRA_TERM = "extra_term"
    OPERATOR = "operator"
    """Another operation: cross for dot, curl for divergence, partial for total."""
    STRICTNESS = "strictness"
    """``<`` for ``<=``."""
    RELATION = "relation"
    """Another relation or its direction (``<`` for ``>``, ``=`` for ``\\propto``)."""
    WRONG_SUBJECT = "wrong_subject"
    """An equation for another quantity than the one that was asked for."""
    TAUTOLOGY = "tautology"
    """An equation that says nothing (``x = x``)."""
    NOT_EQUIVALENT = "not_equivalent"
    """Another expression, and no simpler reason explains it."""

    # Parts, claims and fields.
    INCOMPLETE = "incomplete"
    """A required part, value, case, claim or field is missing."""
    EXTRA_SOLUTION = "extra_solution"
    """All that was asked for, and more that is wrong."""
    CONTRADICTION = "contradiction"
    """A claim is stated the other way round or negated."""
    SWAPPED = "swapped"
    """The right words or symbols with their roles exchanged."""
    SCHEMA = "schema"
    """A structured answer that breaks its schema."""

    # Not decided.
    RESOURCE_LIMIT = "resource_limit"
    """A counted budget, the time or the memory of one answer was used up."""
    UNREADABLE_GOLD = "unreadable_gold"
    """A fault of the data: the gold answer cannot be read as its type."""
    UNDECIDED = "undecided"
    """The deterministic checks cannot tell."""
