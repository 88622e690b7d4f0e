"""JSON as it is written in answers: one value a name, and every number finite."""

from __future__ import annotations

import json
import math
from typing import Any


class RepeatedNameError(ValueError):
    """An object names one field twice with different values, which are two answers."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the field '{name[:60]}' is given twice with different values")
        self.name = name


def read_json(text: str) -> Any:
    """The value of JSON text; a field that is given twice with one value counts once.

    Raises
    ------
    RepeatedNameError
        An object gives one field two values.
    ValueError
        Not JSON, nested too deeply, or holding NaN, infinities or numbers beyond any double.
    """
    try:
        return json.loads(
            text, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_without_repeats
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{digits[:20]} is beyond any double")
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        for name, value in pairs:
            other = found[name]
            if value is not other and (type(value) is not type(other) or value != other):
                raise RepeatedNameError(name)
    return found
