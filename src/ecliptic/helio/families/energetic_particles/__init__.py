"""Energetic particles and cosmic-ray transport."""

FAMILIES: tuple[str, ...] = ()
