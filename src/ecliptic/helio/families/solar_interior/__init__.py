"""Solar interior and dynamo."""

FAMILIES: tuple[str, ...] = ()
