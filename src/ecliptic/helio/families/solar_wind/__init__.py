"""Solar wind and Parker spiral."""

FAMILIES: tuple[str, ...] = ("parker_wind",)
