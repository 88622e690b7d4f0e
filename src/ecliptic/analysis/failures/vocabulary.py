"""The closed vocabulary of failures, in the order in which one of several becomes primary."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Self

Group = Literal["error", "planets", "answer", "conduct", "none"]
"""``error``: no fault of the agent; ``planets``, ``answer``: what was handed in; ``conduct``: how
the attempt went."""


class FailureCode(StrEnum):
    """A kind of failure. Of an attempt's labels the one that stands first here is primary.

    Attributes
    ----------
    group
        What it speaks of.
    meaning
        One line.
    """

    group: Group
    meaning: str

    def __new__(cls, value: str, group: Group, meaning: str) -> Self:
        """A member with its group and meaning."""
        code = str.__new__(cls, value)
        code._value_ = value
        code.group = group
        code.meaning = meaning
        return code

    # No fault of the agent.
    OUR_ERROR = "our_error", "error", "An error of the harness ended it."
    PROVIDER_ERROR = "provider_error", "error", "The model's provider failed."
    RUN_BUDGET = "run_budget", "error", "Never started: the budget of the whole run was used up."

    # Planets of the submission that counts.
    NO_PLANETS = "no_planets", "planets", "No planet was submitted."
    MERGED_PAIR = (
        "merged_pair",
        "planets",
        "One submitted planet stands for two: an eccentric orbit for a 2:1 pair, or one between.",
    )
    ALIAS = (
        "alias",
        "planets",
        "A period that the sampling makes of a true one: days, a lunar month, a year, reflections.",
    )
    HARMONIC = "harmonic", "planets", "A small ratio of a true period: P/3, P/2, ... 3P."
    NOISE_AS_PLANET = (
        "noise_as_planet",
        "planets",
        "A planet at the star's rotation or a part of it, or at a period of the sampling itself.",
    )
    MISSED_PLANET = "missed_planet", "planets", "No submitted planet stands for a true one."
    SPURIOUS_PLANET = "spurious_planet", "planets", "A submitted planet has nothing to stand for."
    WRONG_PERIOD = "wrong_period", "planets", "Near a true period, beyond what the data leave open."
    WRONG_ECCENTRICITY = "wrong_eccentricity", "planets", "Right period, wrong eccentricity."
    WRONG_AMPLITUDE = "wrong_amplitude", "planets", "Right period, wrong semi-amplitude."
    WRONG_PHASE = "wrong_phase", "planets", "Right period, wrong phase or orientation."
    NO_IMPROVEMENT = (
        "no_improvement",
        "planets",
        "Right planets, one of which does not improve on a model without it.",
    )
    POOR_RESIDUALS = "poor_residuals", "planets", "Right planets that leave too much behind."

    # Answers: the grader's diagnoses.
    NO_ANSWER = "no_answer", "answer", "Empty, an echo of the question, or prose without an answer."
    SEVERAL_ANSWERS = (
        "several_answers",
        "answer",
        "Two or more different final answers, or a hedge.",
    )
    FORMAT = "format", "answer", "Right, but not in the form that was asked for."
    PARSE = "parse", "answer", "Cannot be read as the type of answer that is asked for."
    NOT_FINITE = "not_finite", "answer", "An expression without a value."
    UNIT_MISSING = "unit_missing", "answer", "A number without its unit."
    UNIT_UNEXPECTED = "unit_unexpected", "answer", "A dimension where the gold is a bare number."
    UNIT_INCOMPATIBLE = "unit_incompatible", "answer", "Another dimension."
    UNIT_PREFIX = "unit_prefix", "answer", "The right number with a unit of another size."
    UNIT_SYSTEM = "unit_system", "answer", "Gaussian against SI."
    POWER_OF_TEN = "power_of_ten", "answer", "Off by a power of ten."
    SIGN = "sign", "answer", "The other sign."
    FACTOR = "factor", "answer", "Off by a constant factor that can be recognised."
    RECIPROCAL = "reciprocal", "answer", "The inverse of the gold."
    ROUNDING = "rounding", "answer", "Beyond the tolerance by coarse rounding."
    MAGNITUDE = "magnitude", "answer", "A number that is off for no simpler reason."
    UNCERTAINTY = "uncertainty", "answer", "The uncertainty is missing or wrong."
    RANGE = "range", "answer", "A value for a range, a range for a value, or other limits."
    EXPONENT = "exponent", "answer", "A symbol stands to another power."
    WRONG_VARIABLE = "wrong_variable", "answer", "Another symbol."
    MISSING_TERM = "missing_term", "answer", "A term is missing."
    EXTRA_TERM = "extra_term", "answer", "A term too many."
    OPERATOR = "operator", "answer", "Another operation."
    STRICTNESS = "strictness", "answer", "< for <= or the other way round."
    RELATION = "relation", "answer", "Another relation, or its direction."
    WRONG_SUBJECT = "wrong_subject", "answer", "An equation for another quantity."
    TAUTOLOGY = "tautology", "answer", "An equation that says nothing."
    NOT_EQUIVALENT = "not_equivalent", "answer", "Another expression, for no simpler reason."
    INCOMPLETE = "incomplete", "answer", "A required part is missing."
    EXTRA_SOLUTION = "extra_solution", "answer", "All that was asked for, and more that is wrong."
    CONTRADICTION = "contradiction", "answer", "A claim the other way round."
    SWAPPED = "swapped", "answer", "The right words or symbols with their roles exchanged."
    SCHEMA = "schema", "answer", "A structured answer that breaks its schema."
    RESOURCE_LIMIT = "resource_limit", "answer", "Grading the answer took too much."
    UNREADABLE_GOLD = "unreadable_gold", "answer", "The gold answer cannot be read: our fault."
    UNDECIDED = "undecided", "answer", "The deterministic checks cannot tell."

    # How the attempt went.
    WRONG_FORMAT = "wrong_format", "conduct", "A submission that does not follow the schema."
    LABORATORY_ERROR = (
        "laboratory_error",
        "conduct",
        "The laboratory lost its session or stopped a cell, or every cell failed.",
    )
    SPENT_WITHOUT_SUBMITTING = (
        "spent_without_submitting",
        "conduct",
        "Time or tokens were used up before anything was handed in.",
    )
    STOPPED_EARLY = "stopped_early", "conduct", "It ended by itself with submissions left."
    NEVER_ESCALATED = (
        "never_escalated",
        "conduct",
        "Submission after submission without ever one planet more, though there are more.",
    )
    RESUBMITTED = "resubmitted", "conduct", "The same model was submitted again."

    UNEXPLAINED = "unexplained", "none", "No rule applies without a guess."


_SHAPE = (FailureCode.WRONG_ECCENTRICITY, FailureCode.WRONG_AMPLITUDE, FailureCode.WRONG_PHASE)
ORDER: dict[FailureCode, int] = {
    code: list(FailureCode).index(_SHAPE[0] if code in _SHAPE else code) for code in FailureCode
}
"""The rank of each code: the label of least rank is primary, of equal ranks the larger fault."""

BY_NAME: dict[str, FailureCode] = {str(code): code for code in FailureCode}
