"""Thermosphere and drag."""

FAMILIES: tuple[str, ...] = ()
