"""Solar interior and dynamo."""

FAMILIES: tuple[str, ...] = ("dynamo_wave", "flux_tube_arch", "mixing_length")
