"""Magnetohydrodynamics and waves."""

FAMILIES: tuple[str, ...] = (
    "hall_waves",
    "kelvin_helmholtz",
    "magnetosonic_modes",
    "pressure_anisotropy",
)
