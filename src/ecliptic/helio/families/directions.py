"""Claims about directions: a quantity changes, or one exceeds another, with its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from ecliptic.helio.families.answers import Claim, Routes, Textual

LEAST_CHANGE = 1e-6
"""A relative change below this counts as none, whichever route it was found by."""

_CHANGES = {-1: "decreases", 0: "stays the same", 1: "increases"}


def relative_changes(before: Sequence[float], after: Sequence[float]) -> tuple[float, ...]:
    """``after / before - 1`` of every quantity of two states."""
    return tuple(new / old - 1 for old, new in zip(before, after, strict=True))


def change_claim(name: str, first: float, second: float) -> Claim:
    """That a quantity increases, decreases or stays the same.

    Parameters
    ----------
    name
        The quantity, without an article: ``arrival speed``.
    first, second
        Its relative change by each route; the first decides what is claimed.
    """
    sign = _sign(first)
    return Claim(f"The {name} {_CHANGES[sign]}.", sign, first, second)


def change_claims(
    names: Iterable[str], first: Iterable[float], second: Iterable[float]
) -> tuple[Claim, ...]:
    """A :func:`change_claim` for each of several quantities."""
    return tuple(change_claim(*row) for row in zip(names, first, second, strict=True))


def order_claim(name: str, other: str, first: float, second: float) -> Claim:
    """That a quantity is larger or smaller than another.

    ``first`` and ``second`` are the relative excess over the other, by each route; both names
    are without an article.
    """
    sign = _sign(first)
    word = "larger" if sign > 0 else "smaller"
    return Claim(f"The {name} is {word} than the {other}.", sign, first, second)


def stated(claims: Iterable[Claim], routes: Routes) -> Textual:
    """The answer in words that makes the claims and says nothing else."""
    made = tuple(claims)
    return Textual(" ".join(claim.text for claim in made), made, routes)


def _sign(change: float) -> Literal[-1, 0, 1]:
    if abs(change) < LEAST_CHANGE:
        return 0
    return 1 if change > 0 else -1
