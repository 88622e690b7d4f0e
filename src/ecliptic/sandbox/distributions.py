"""Which installed files a set of distributions consists of."""

from __future__ import annotations

import functools
import importlib.metadata
import re
from pathlib import Path

from ecliptic.errors import UsageError

OWN_NAME = "ecliptic"
_NAME = re.compile(r"[A-Za-z0-9._-]+")


@functools.cache
def installed_entries(names: tuple[str, ...]) -> dict[str, Path]:
    """Top-level entries (packages, modules, metadata) of distributions and all that they need.

    Keys are paths relative to the folder with packages, values where they are installed.

    Raises
    ------
    UsageError
        One of the named distributions is not installed, or this project is among them.
    """
    entries: dict[str, Path] = {}
    for distribution in _closure(names):
        for relative in _top_level(distribution):
            path = Path(str(distribution.locate_file(relative)))
            if relative not in entries and path.exists():
                entries[relative] = path.resolve()
    return entries


def _top_level(distribution: importlib.metadata.Distribution) -> set[str]:
    """First parts of the installed files' paths; compiled single modules with their folder."""
    record = distribution.read_text("RECORD")  # ``files`` would parse every line of it
    if record is not None:
        names = [line.partition(",")[0].strip('"') for line in record.splitlines()]
    else:
        names = [str(file) for file in distribution.files or ()]
    found = set()
    for name in names:
        top = name.partition("/")[0]
        if top not in ("..", "") and not top.endswith(".pth"):  # scripts, start-up hooks
            found.add(name if top == "__pycache__" else top)
    return found


def _closure(names: tuple[str, ...]) -> list[importlib.metadata.Distribution]:
    found: dict[str, importlib.metadata.Distribution] = {}
    waiting = list(names)
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name == OWN_NAME:
            raise UsageError(f"the laboratory never shows {OWN_NAME} to the agent's code")
        if name in found:
            continue
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            if name in names:
                raise UsageError(f"the laboratory needs {name}: pip install {name}") from None
            continue  # needed on another platform
        found[name] = distribution
        for requirement in distribution.requires or ():
            needed = _NAME.match(requirement)
            if needed is not None and "extra ==" not in requirement:
                waiting.append(needed.group())
    return list(found.values())
