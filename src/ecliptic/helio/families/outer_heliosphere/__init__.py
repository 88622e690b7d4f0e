"""Outer heliosphere."""

FAMILIES: tuple[str, ...] = ()
