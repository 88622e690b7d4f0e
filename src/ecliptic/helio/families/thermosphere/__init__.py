"""Thermosphere and drag."""

FAMILIES: tuple[str, ...] = ("orbit_decay", "bates_profile", "ion_drag_wind")
