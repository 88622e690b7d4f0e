"""Variants of one record by its type."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ecliptic.errors import UsageError
from ecliptic.helio.variants import claims, formulas, quantities
from ecliptic.helio.variants.variant import Variant

if TYPE_CHECKING:
    from collections.abc import Callable

    from ecliptic.helio.records import Record


Maker: TypeAlias = "Callable[[Record], list[Variant]]"

_RIGHT: dict[str, Maker] = {
    "numeric": quantities.right,
    "symbolic": formulas.right,
    "textual": claims.right,
}
_WRONG: dict[str, Maker] = {
    "numeric": quantities.wrong,
    "symbolic": formulas.wrong,
    "textual": claims.wrong,
}


def right_variants(record: Record, count: int = 5) -> tuple[Variant, ...]:
    """Up to ``count`` answers that say the same as the gold, each of another kind if possible.

    Raises
    ------
    UsageError
        The record's type has no variants, or its gold cannot be read.
    """
    return _chosen(_made(_RIGHT, record), record, "right", count)


def wrong_variants(record: Record, count: int = 5) -> tuple[Variant, ...]:
    """Up to ``count`` answers with one slip each, each of another kind if possible.

    Raises
    ------
    UsageError
        As for :func:`right_variants`.
    """
    return _chosen(_made(_WRONG, record), record, "wrong", count)


def _made(makers: dict[str, Maker], record: Record) -> list[Variant]:
    if record.type not in makers:
        raise UsageError(f"{record.id}: no variants are made of {record.type} answers")
    return makers[record.type](record)


def _chosen(variants: list[Variant], record: Record, what: str, count: int) -> tuple[Variant, ...]:
    """Kinds in a seeded order, one of each before a second of any."""
    rng = np.random.default_rng(zlib.crc32(f"{record.id}/{what}".encode()))
    order = [variants[i] for i in rng.permutation(len(variants))]
    order = list({variant.text: variant for variant in order}.values())
    rank: dict[str, int] = {}
    keyed = []
    for position, variant in enumerate(order):
        rank[variant.kind] = rank.get(variant.kind, 0) + 1
        keyed.append((rank[variant.kind], position, variant))
    return tuple(variant for _, _, variant in sorted(keyed, key=lambda item: item[:2])[:count])
