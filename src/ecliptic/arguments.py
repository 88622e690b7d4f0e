"""Checks of what a caller passes: one line that says what would have been right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TypeVar

import numpy as np

from ecliptic.errors import UsageError
from ecliptic.model import short

Name = TypeVar("Name", bound=str)

SEED_BITS = 128
"""A seed is a whole number of so many bits."""
_MOST_NAMED = 12


def whole_number(what: str, value: int, low: int, high: int, shown: str | None = None) -> int:
    """``value`` if it is a whole number between the limits; ``shown`` stands for ``high``.

    A numpy integer is as good as a Python one; True and 3.0 are mistakes.
    """
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        number = int(value)
        if low <= number <= high:
            return number
    raise UsageError(
        f"{what}: must be a whole number from {low} to {shown or high}, not {short(value)}"
    )


def seed_number(seed: int) -> int:
    """A seed from 0 to 2^128 - 1."""
    return whole_number("seed", seed, 0, 2**SEED_BITS - 1, f"2^{SEED_BITS} - 1")


def one_of(what: str, name: str, known: Iterable[Name]) -> Name:
    """The name if it is known; a close one is suggested otherwise."""
    names = tuple(known)
    for candidate in names:
        if candidate == name:
            return candidate
    close = difflib.get_close_matches(str(name), names, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    listed = ", ".join(names[:_MOST_NAMED]) + (", ..." if len(names) > _MOST_NAMED else "")
    raise UsageError(f"{what}: {short(name)} is not known{hint} (known: {listed})")
