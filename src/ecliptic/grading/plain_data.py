"""Objects of any making as plain JSON data, counted before they are walked.

Only containers and numbers of known types are looked into, through the methods of those types:
nothing that an object brings along (its text, its iteration, its comparison) is ever called.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

MAX_PARTS = 20_000
"""Entries of all containers together."""
MAX_LEVELS = 60
MAX_CHARACTERS = 200_000
"""Characters of all texts inside containers together; a text by itself may be longer."""
MAX_BITS = 14_000
"""Larger whole numbers have no digits that the interpreter would write."""


class PlainDataError(Exception):
    """The object is no plain data, or with ``limit`` more of it than an answer may hold."""

    def __init__(self, message: str, *, limit: bool = False) -> None:
        super().__init__(message)
        self.limit = limit


def plain(value: object) -> Any:
    """``value`` as None, booleans, numbers, text, lists and objects with text for names.

    Sets become lists in a fixed order, bytes text, decimals and fractions numbers, arrays and
    numbers of numpy those of Python.

    Raises
    ------
    PlainDataError
        A part is of another kind, the object holds itself, or it is too large.
    """
    return _Reader().read(value, 0)


class _Reader:
    def __init__(self) -> None:
        self._parts = 0
        self._characters = 0
        self._above: set[int] = set()
        """Containers that the one being read is part of."""

    def read(self, value: Any, level: int) -> Any:
        kind = type(value)  # and not isinstance, which asks the object itself
        if value is None or kind is bool:
            return value
        if issubclass(kind, str):
            return self._text(value, level)
        if issubclass(kind, np.generic):
            return self._numpy_number(value, level)
        if issubclass(kind, float):
            return float.__float__(value)
        if issubclass(kind, int):
            whole = int.__int__(value)
            if whole.bit_length() > MAX_BITS:
                raise PlainDataError("a number of too many digits", limit=True)
            return whole
        if kind in (Decimal, Fraction, complex):
            return _number(value)
        if kind in (bytes, bytearray):
            return self._text(value.decode("utf-8", "replace"), level)
        return self._container(value, level)

    def _text(self, value: str, level: int) -> str:
        if level:
            self._characters += str.__len__(value)
            if self._characters > MAX_CHARACTERS:
                raise PlainDataError("more text than an answer may hold", limit=True)
        return str.__str__(value)

    def _numpy_number(self, value: Any, level: int) -> Any:
        if issubclass(type(value), np.floating):
            return float(np.float64(value))  # longer floats have no number of Python's
        return self.read(np.generic.item(value), level)

    def _container(self, value: object, level: int) -> Any:
        if level > MAX_LEVELS:
            raise PlainDataError("more levels than an answer may have", limit=True)
        if id(value) in self._above:
            raise PlainDataError("it holds itself")
        self._above.add(id(value))
        result = self._entries(value, level + 1)
        self._above.discard(id(value))
        return result

    def _entries(self, value: Any, level: int) -> Any:
        kind = type(value)
        if issubclass(kind, dict):
            self._count(dict.__len__(value))
            pairs = [(self._name(key), part) for key, part in dict.items(value)]
            return {name: self.read(part, level) for name, part in pairs}
        for known in (list, tuple):
            if issubclass(kind, known):
                return self._list(known.__len__(value), known.__iter__(value), level)
        for unordered in (set, frozenset):
            if issubclass(kind, unordered):
                parts = self._list(unordered.__len__(value), unordered.__iter__(value), level)
                return sorted(parts, key=lambda part: json.dumps(part, sort_keys=True))
        if kind in (np.ndarray, np.ma.MaskedArray):
            self._count(value.size)
            return self.read(np.ndarray.tolist(value), level)
        raise PlainDataError(f"{name_of(value)} is neither text nor a number nor a container")

    def _list(self, length: int, parts: Iterable[object], level: int) -> list[Any]:
        self._count(length)
        return [self.read(part, level) for part in parts]

    def _count(self, parts: int) -> None:
        self._parts += parts
        if self._parts > MAX_PARTS:
            raise PlainDataError("more entries than an answer may have", limit=True)

    def _name(self, key: Any) -> str:
        kind = type(key)
        if issubclass(kind, str):
            return self._text(key, 1)
        if key is None or kind is bool or issubclass(kind, int | float):
            return json.dumps(self.read(key, 1))
        raise PlainDataError(f"{name_of(key)} stands where the name of a field must")


def _number(value: Any) -> Any:
    """Exact numbers as the nearest number of JSON, or as text where there is none."""
    if isinstance(value, complex):
        return str(value)
    try:
        nearest = float(value)
    except (ArithmeticError, ValueError):
        nearest = math.inf
    if math.isfinite(nearest) and (nearest or not value):
        return nearest
    if isinstance(value, Fraction):
        raise PlainDataError("a number beyond any double", limit=True)
    return str(value)


def name_of(value: object) -> str:
    """What an object is, for a message."""
    name = type.__getattribute__(type(value), "__name__")
    return f"an object of type {name[:60]}"
