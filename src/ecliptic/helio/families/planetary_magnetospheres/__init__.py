"""Planetary magnetospheres."""

FAMILIES: tuple[str, ...] = ("alfven_wing", "centrifugal_torus", "corotation_breakdown")
