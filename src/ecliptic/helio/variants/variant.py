"""One variant of a gold answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """An answer, and what was done to the gold: ``unit``, ``sign``, ``order`` ..."""

    text: str
    kind: str
