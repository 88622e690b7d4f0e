"""Radiation belts and adiabatic invariants."""

FAMILIES: tuple[str, ...] = ()
