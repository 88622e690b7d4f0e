"""The folder of a report: what may be overwritten, and what every report carries."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from ecliptic.errors import MissingExtraError, UsageError
from ecliptic.files import atomic_folder, output_errors

MARKER = ".ecliptic-report"
_MARKED = b"This folder was written by `ecliptic report`, which may delete and write it anew.\n"
OWN_ASSETS = ("report.css", "report.js")
PLOTLY = "plotly.min.js"


class OutputFolder:
    """A folder that is being filled; ``path`` is where it is until it is complete."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._images: set[str] = set()

    def write(self, name: str, data: bytes | str) -> None:
        """Write one file, given by its place within the folder."""
        target = self.path / name
        content = data.encode("utf-8", "replace") if isinstance(data, str) else data
        with output_errors(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)

    def keep_image(self, data: bytes, ending: str) -> str:
        """Write an image once, named after its content; returns its place within the folder."""
        name = f"media/{hashlib.sha256(data).hexdigest()[:20]}.{ending}"
        if name not in self._images:
            self._images.add(name)
            self.write(name, data)
        return name


@contextmanager
def report_folder(path: Path) -> Iterator[OutputFolder]:
    """A new report, which takes the place of an earlier one when the block ends without an error.

    Raises
    ------
    UsageError
        There is something else at that place.
    OutputError
        The folder cannot be written.
    MissingExtraError
        Plotly is not installed.
    """
    check_place(path)
    plotly = plotly_script()
    with atomic_folder(path) as partial:
        folder = OutputFolder(partial)
        folder.write(MARKER, _MARKED)
        for name in OWN_ASSETS:
            folder.write(f"assets/{name}", asset(name))
        folder.write(f"assets/{PLOTLY}", plotly)
        yield folder


def check_place(path: Path) -> None:
    """Raise a UsageError unless a report may be written there."""
    if not os.path.lexists(path):
        return
    if not path.is_dir():
        raise UsageError(f"{path}: is a file; name a folder for the report")
    if any(path.iterdir()) and not (path / MARKER).is_file():
        raise UsageError(
            f"{path}: is not empty and holds no report; name another folder, or empty this one"
        )


def asset(name: str) -> bytes:
    """A file of the package that every report carries."""
    return (files("ecliptic.report") / "assets" / name).read_bytes()


def plotly_script() -> bytes:
    """Plotly's script, as its Python package brings it (MIT licence)."""
    try:
        return (files("plotly") / "package_data" / PLOTLY).read_bytes()
    except ModuleNotFoundError:
        raise MissingExtraError("reports", "report") from None
