"""Space-weather operations."""

FAMILIES: tuple[str, ...] = ()
