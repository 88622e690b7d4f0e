"""Corona and heating."""

FAMILIES: tuple[str, ...] = ()
