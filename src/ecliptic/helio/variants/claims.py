"""Variants of answers in words, from the claims of the record."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ecliptic.errors import UsageError
from ecliptic.helio.variants.variant import Variant

if TYPE_CHECKING:
    from ecliptic.helio.records import Record

_OPPOSITES = (
    ("increases", "decreases"),
    ("grows", "shrinks"),
    ("rises", "falls"),
    ("larger", "smaller"),
    ("higher", "lower"),
    ("faster", "slower"),
    ("stronger", "weaker"),
    ("longer", "shorter"),
    ("steeper", "flatter"),
    ("greater", "less"),
    ("outward", "inward"),
    ("upward", "downward"),
    ("northward", "southward"),
    ("eastward", "westward"),
    ("poleward", "equatorward"),
    ("stays the same", "increases"),
)
_SAME = (
    ("increases", "becomes larger"),
    ("decreases", "becomes smaller"),
    ("increases", "goes up"),
    ("decreases", "goes down"),
    ("stays the same", "does not change"),
    ("stays the same", "remains unchanged"),
)


def right(record: Record) -> list[Variant]:
    """The same claims in another order, frame or wording."""
    claims = _claims(record)
    text = " ".join(claims)
    variants = [
        Variant(f"In short: {text}", "frame"),
        Variant(f"**Answer:** {text}", "frame"),
        Variant("\n".join(f"- {claim}" for claim in claims), "list"),
        Variant("; ".join(claim.rstrip(".") for claim in claims) + ".", "joined"),
        Variant(f"{text} This follows from the balance derived above.", "reason"),
    ]
    if len(claims) > 1:
        variants.append(Variant(" ".join(reversed(claims)), "order"))
        numbered = " ".join(f"({n}) {claim}" for n, claim in enumerate(claims, start=1))
        variants.append(Variant(numbered, "list"))
    for old, new in _SAME:
        changed = [re.sub(rf"\b{old}\b", new, claim) for claim in claims]
        if changed != claims:
            variants.append(Variant(" ".join(changed), f"wording: {new}"))
    return variants


def wrong(record: Record) -> list[Variant]:
    """One claim turned round, denied, left out, or given another's direction."""
    claims = _claims(record)
    variants: list[Variant] = []
    for place, claim in enumerate(claims):
        for turned in _turned(claim):
            variants.append(Variant(_with(claims, place, turned), "direction"))
        denied = f"It is not true that {claim[0].lower()}{claim[1:]}"
        variants.append(Variant(_with(claims, place, denied), "denied"))
        if len(claims) > 1:
            variants.append(Variant(_with(claims, place, ""), "left out"))
    for (first, one), (second, other) in pairwise(enumerate(claims)):
        swapped = _subjects_swapped(one, other)
        if swapped is not None:
            changed = list(claims)
            changed[first], changed[second] = swapped
            variants.append(Variant(" ".join(changed), "subjects swapped"))
    variants.append(Variant("The quantities may change, but it depends on the case.", "evasion"))
    return variants


def _claims(record: Record) -> list[str]:
    told = record.meta.get("claims", ())
    listed = told if isinstance(told, list | tuple) else ()
    claims = [str(claim) for claim in listed if str(claim).strip()]
    if not claims:
        raise UsageError(f"{record.id}: meta.claims names no claim")
    return claims


def _turned(claim: str) -> list[str]:
    for one, other in _OPPOSITES:
        for old, new in ((one, other), (other, one)):
            if re.search(rf"\b{old}\b", claim):
                return [re.sub(rf"\b{old}\b", new, claim, count=1)]
    return []


def _subjects_swapped(one: str, other: str) -> tuple[str, str] | None:
    """Two claims of opposite direction with their subjects exchanged."""
    verbs = [re.search(r"\b(increases|decreases|stays the same)\.", text) for text in (one, other)]
    first, second = verbs
    if first is None or second is None or first[1] == second[1]:
        return None
    return (
        other[: second.start()] + one[first.start() :],
        one[: first.start()] + other[second.start() :],
    )


def _with(claims: list[str], place: int, text: str) -> str:
    return " ".join(part for part in (*claims[:place], text, *claims[place + 1 :]) if part)
