"""Outer heliosphere."""

FAMILIES: tuple[str, ...] = ("termination_shock", "pickup_ions", "mass_loading")
