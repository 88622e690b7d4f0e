"""Magnetosphere and magnetopause."""

FAMILIES: tuple[str, ...] = ()
