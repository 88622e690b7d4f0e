"""The base of everything that is read from outside, and how its faults are put into words."""

from __future__ import annotations

import difflib
import math
import reprlib
from typing import Annotated, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
)
from pydantic_core import ErrorDetails, PydanticCustomError

Number = TypeVar("Number", bound=np.number[Any])

Float = Annotated[float, Field(strict=True, allow_inf_nan=False)]
"""A finite number; neither a string nor a boolean is taken for one."""


def _read_vector(value: object) -> NDArray[np.float64]:
    """A one-dimensional, finite, read-only float64 array from a list or an array of numbers."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "iuf":
            raise PydanticCustomError("vector", "must be numbers")
        vector = np.array(value, dtype=np.float64)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            if (
                type(item) is not float
                and type(item) is not int
                and not isinstance(item, np.number)
            ):
                raise PydanticCustomError(
                    "vector",
                    "must be a number at index {index}, not {item}",
                    {"index": index, "item": short(item, 40)},
                )
        try:
            vector = np.array(value, dtype=np.float64)
        except OverflowError:
            raise PydanticCustomError("vector", "must be numbers below 1.8e308") from None
    else:
        raise PydanticCustomError("vector", "must be a list of numbers")
    if vector.ndim != 1:
        raise PydanticCustomError("vector", "must be a flat list of numbers")
    finite = np.isfinite(vector)
    if not finite.all():
        index = int(np.argmin(finite))
        raise PydanticCustomError(
            "vector",
            "must be finite at index {index}, not {item}",
            {"index": index, "item": repr(float(vector[index]))},
        )
    return immutable(vector)


def immutable(array: NDArray[Number]) -> NDArray[Number]:
    """A flat copy that stays read-only: it lies in ``bytes``, so its flag cannot be set again."""
    return np.frombuffer(array.tobytes(), dtype=array.dtype)


Vector = Annotated[
    NDArray[np.float64],
    BeforeValidator(_read_vector),
    PlainSerializer(lambda vector: vector.tolist(), return_type=list),
]
"""Finite numbers in a read-only array of float64; a plain list in JSON."""


def _read_text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise PydanticCustomError("sentence", "must be text that UTF-8 can hold") from None
    return value


Text = Annotated[str, AfterValidator(_read_text)]
"""Text without lone surrogates, so that it can be hashed and written anywhere."""


def _read_texts(values: tuple[str, ...]) -> tuple[str, ...]:
    _read_text("".join(values))  # one check for all: a column of labels may be long
    return values


Texts = Annotated[tuple[str, ...], AfterValidator(_read_texts)]
"""A column of :data:`Text`."""


def field_error(field: str, sentence: str) -> PydanticCustomError:
    """The fault of one field that only shows beside others, to raise in a model validator."""
    return PydanticCustomError("field", "{sentence}", {"field": field, "sentence": sentence})


class Model(BaseModel):
    """A frozen record that names every field it does not know."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, arbitrary_types_allowed=True
    )


def describe(error: ValidationError, known: tuple[str, ...] = ()) -> tuple[str, object, str]:
    """Field path, offending value and a sentence about the first fault of ``error``.

    ``known`` names the fields that are allowed, for the suggestion on a misspelt one.
    """
    details = error.errors(include_url=False)[0]
    location = details["loc"]
    if details["type"] == "field":
        location = (*location, details["ctx"]["field"])
    path = _path(location)
    return path, details["input"], _sentence(details, known)


def _path(location: tuple[int | str, ...]) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _sentence(details: ErrorDetails, known: tuple[str, ...]) -> str:
    kind, context, value = details["type"], details.get("ctx", {}), details["input"]
    shown = short(value)
    bounds = {"greater_than": ">", "greater_than_equal": ">=", "less_than": "<"}
    bounds["less_than_equal"] = "<="
    if kind in bounds:
        limit = next(iter(context.values()))
        return f"must be {bounds[kind]} {limit:g}, not {shown}"
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        name = str(details["loc"][-1])
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        return f"is not a field that is known here{hint}"
    if kind == "float_type":
        return f"must be a number, not {shown}"
    if kind == "finite_number":
        return f"must be a finite number, not {shown}"
    if kind in {"vector", "sentence", "field"}:
        return details["msg"]
    if kind in {"model_type", "dict_type", "model_attributes_type"}:
        return f"must be an object with named fields, not {shown}"
    if kind in {"tuple_type", "list_type"}:
        return f"must be a list, not {shown}"
    if kind in {"too_short", "string_too_short"}:
        return "must not be empty"
    if kind == "too_long":
        return f"may hold at most {context['max_length']} entries, not {context['actual_length']}"
    message = details["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return f"{message[:1].lower()}{message[1:]}, not {shown}"


def short(value: object, width: int = 60) -> str:
    """``repr(value)`` cut to ``width`` characters, safe and quick for any kind and size."""
    if isinstance(value, float) and not math.isfinite(value):
        return {math.inf: "infinity", -math.inf: "-infinity"}.get(value, "NaN")
    if isinstance(value, int) and value.bit_length() > 100:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, dict | list | tuple | set) and len(value) > 20:
        return f"a {type(value).__name__} of {len(value)} entries"
    if isinstance(value, str | bytes):
        value = value[:width]
    text = _repr.repr(value)
    return text if len(text) <= width else text[: width - 3] + "..."


_repr = reprlib.Repr()
"""Cuts nested values before they are written out, and survives a ``__repr__`` that raises."""
_repr.maxstring = _repr.maxother = 200


def known_fields(model: type[BaseModel]) -> tuple[str, ...]:
    """Names of the model's fields, for suggestions."""
    return tuple(model.model_fields)
