"""Space-weather operations."""

FAMILIES: tuple[str, ...] = ("ring_current_index", "geoelectric_field", "stoermer_cutoff")
