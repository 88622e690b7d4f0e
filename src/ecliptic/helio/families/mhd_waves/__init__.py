"""Magnetohydrodynamics and waves."""

FAMILIES: tuple[str, ...] = ()
