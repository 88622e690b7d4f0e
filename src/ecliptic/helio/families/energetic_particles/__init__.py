"""Energetic particles and cosmic-ray transport."""

FAMILIES: tuple[str, ...] = (
    "diffusion_convection",
    "force_field",
    "shock_acceleration",
    "pitch_angle_scattering",
)
