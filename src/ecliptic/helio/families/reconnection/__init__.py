"""Magnetic reconnection."""

FAMILIES: tuple[str, ...] = ("asymmetric_reconnection", "flux_annihilation", "tearing_mode")
