"""Magnetosphere and magnetopause."""

FAMILIES: tuple[str, ...] = (
    "magnetopause_standoff",
    "dipole_flux_tube",
    "plasmapause",
    "ring_current",
)
