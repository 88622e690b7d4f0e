"""What is installed where a job runs: it must be the same everywhere, or bytes may differ."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("ecliptic", "ray", "numpy", "scipy", "pyarrow")
"""Ours and Ray's, and those that decide the last bits of a number and the bytes of a file."""

MAKERS = ("distributed", "grading", "helio", "run", "rv", "suite")
"""Parts of the package whose source decides what a job gives."""


@lru_cache(maxsize=1)
def installation() -> Mapping[str, str]:
    """Versions by name, and a hash of our source, as a checkout keeps its version for long."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "none"
    return found | {"source of ecliptic": _source_hash()}


def _source_hash() -> str:
    spec = find_spec("ecliptic")
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    digest = hashlib.sha256()
    paths = [*root.glob("*.py")]
    for maker in MAKERS:
        paths += (root / maker).rglob("*.py")
    for path in sorted(paths):
        digest.update(f"{path.relative_to(root).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def difference(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """``numpy 2.1 here, 2.2 there``, or nothing where all agree."""
    return "; ".join(
        f"{name} {here[name]} here, {there.get(name, 'none')} there"
        for name in here
        if here[name] != there.get(name)
    )
