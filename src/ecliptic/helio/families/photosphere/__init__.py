"""Photosphere and radiative transfer."""

FAMILIES: tuple[str, ...] = ()
