"""Ionosphere and Chapman layers."""

FAMILIES: tuple[str, ...] = (
    "chapman_layer",
    "nocturnal_recombination",
    "topside_ions",
    "dynamo_conductance",
    "virtual_height",
)
