"""Shocks and coronal mass ejections."""

FAMILIES: tuple[str, ...] = ()
