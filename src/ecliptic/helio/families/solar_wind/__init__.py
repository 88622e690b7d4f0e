"""Solar wind and Parker spiral."""

FAMILIES: tuple[str, ...] = ("parker_wind", "double_adiabatic", "alfvenic_waves", "weber_davis")
