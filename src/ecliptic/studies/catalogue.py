"""The shipped studies, and how a study is found by name or path."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.studies.definition import Study
from ecliptic.studies.study_files import read_study

EXAMPLE = "example"


def _folder() -> Path:
    return Path(str(files("ecliptic.studies").joinpath("shipped")))


def shipped_studies() -> dict[str, Path]:
    """The shipped studies' files by name."""
    paths = sorted(_folder().glob("*.yaml"))
    return {path.stem: path for path in paths if path.stem != EXAMPLE}


def example_text() -> str:
    """A commented study file, to start from."""
    return (_folder() / f"{EXAMPLE}.yaml").read_text(encoding="utf-8")


def path_of(source: str) -> Path:
    """The file of a study: a path, or the name of a shipped one.

    Raises
    ------
    UsageError
        There is neither; the nearest name is suggested.
    """
    path = Path(source).expanduser()
    if path.is_file():
        return path
    known = shipped_studies()
    if source in known:
        return known[source]
    if path.is_dir():
        raise UsageError(f"{path}: is a folder; name the study's YAML file")
    near = difflib.get_close_matches(source, known, n=1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    raise UsageError(
        f"no study file {source}, and no shipped study of that name; {hint}there are "
        f"{', '.join(known)}; `ecliptic study init` writes an example"
    )


def find_study(source: str, changes: Iterable[tuple[str, Any]] = ()) -> Study:
    """The study in a file, or a shipped one by its name."""
    return read_study(path_of(source), changes)
