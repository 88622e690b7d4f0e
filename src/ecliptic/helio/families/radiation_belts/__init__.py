"""Radiation belts and adiabatic invariants."""

FAMILIES: tuple[str, ...] = (
    "trapped_bounce",
    "inward_transport",
    "radial_diffusion",
    "whistler_resonance",
)
