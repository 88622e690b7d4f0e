"""Suites that come with the package: frozen, audited, and with checksums.

``quick`` is what a run takes where no suite is named, ``core-v1`` the one to publish figures on.
Both are of the recipe ``ecliptic`` and stay as they are when the recipe changes; a suite drawn anew
gets a new name. ``quick-paper`` holds tasks of the published recipe, drawn when they are asked for.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from ecliptic.errors import SuiteError
from ecliptic.rv.generator import generate_many
from ecliptic.suite import Suite, load_suite
from ecliptic.suite.manifest import MANIFEST, faults_of_files

QUICK_PAPER_SEED = 20260
QUICK_PAPER_PER_TIER = 4


def quick() -> Suite:
    """A few tasks of each tier, for a first look."""
    return _shipped("quick")


def core_v1() -> Suite:
    """120 tasks: 30 easy, medium, hard and frontier ones."""
    return _shipped("core-v1")


def quick_paper() -> Suite:
    """Twelve tasks of the published recipe, four a tier; the same on every machine."""
    tasks = [
        task
        for tier in ("easy", "medium", "hard")
        for task in generate_many(QUICK_PAPER_SEED, QUICK_PAPER_PER_TIER, recipe="paper", tier=tier)
    ]
    return Suite.of(tasks, name="quick-paper")


def folder_of(name: str) -> Path:
    """Where a shipped suite lies."""
    return Path(str(files("ecliptic.rv").joinpath("suites"))) / name


def _shipped(name: str) -> Suite:
    folder = folder_of(name)
    if not (folder / MANIFEST).is_file():
        raise SuiteError(f"{name}: is not part of this installation; install ecliptic again")
    suite = load_suite(folder)
    assert suite.manifest is not None
    faults = faults_of_files(folder, suite.manifest.sha256)
    if faults:
        raise SuiteError(f"{faults[0]}; install ecliptic again")
    return suite
