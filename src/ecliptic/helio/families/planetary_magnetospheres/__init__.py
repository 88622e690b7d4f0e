"""Planetary magnetospheres."""

FAMILIES: tuple[str, ...] = ()
