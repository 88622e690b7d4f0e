"""Shocks and coronal mass ejections."""

FAMILIES: tuple[str, ...] = (
    "perpendicular_shock",
    "switch_on_shock",
    "drag_based_cme",
    "lundquist_rope",
)
