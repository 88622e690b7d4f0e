"""Photosphere and radiative transfer."""

FAMILIES: tuple[str, ...] = ("limb_darkening", "zeeman_line", "two_level_atom", "saha_ionisation")
