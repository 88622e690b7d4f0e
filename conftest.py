"""Doctests of modules whose optional library is absent are left out."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = (
    [] if find_spec("verifiers") else ["src/ecliptic_*/*", "src/ecliptic/training/language/*"]
)
