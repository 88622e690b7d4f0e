"""Magnetic reconnection."""

FAMILIES: tuple[str, ...] = ()
