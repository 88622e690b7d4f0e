"""Ionosphere and Chapman layers."""

FAMILIES: tuple[str, ...] = ()
