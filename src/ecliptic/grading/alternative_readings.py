"""All pairs of formulas to try in the place of one that leads to a difference."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ecliptic.grading.complex_readings import complex_readings
from ecliptic.grading.convention_readings import (
    constant_readings,
    direction_readings,
    index_readings,
    planck_readings,
    primitive_readings,
    unit_readings,
)
from ecliptic.grading.differential_forms import differential_readings
from ecliptic.grading.expression import Expression
from ecliptic.grading.flow_derivatives import flow_readings
from ecliptic.grading.integral_ranges import domain_readings
from ecliptic.grading.named_functions import named_function_readings
from ecliptic.grading.notation_readings import function_readings, leibniz_readings, prime_readings

_READINGS = (
    function_readings,
    leibniz_readings,
    flow_readings,
    named_function_readings,
    constant_readings,
    index_readings,
    unit_readings,
    prime_readings,
    direction_readings,
    planck_readings,
    primitive_readings,
    complex_readings,
    differential_readings,
    domain_readings,
)


def notation_readings(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """Pairs in which one side is read as the notation of the other suggests."""
    return chain.from_iterable(reading(gold, answer) for reading in _READINGS)
