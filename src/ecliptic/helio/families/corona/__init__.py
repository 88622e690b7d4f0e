"""Corona and heating."""

FAMILIES: tuple[str, ...] = ("rtv_loop", "thermal_instability", "conductive_corona", "phase_mixing")
