"""Sets of questions that come with the package, frozen and with a checksum.

``helio-v1``: 240 records, 80 of each type, drawn once from the families. The file stays as it is
when families change; a set drawn anew gets a new name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

from ecliptic.errors import TaskError
from ecliptic.helio.families.answers import FORMS, Form
from ecliptic.helio.families.catalogue import family_of, topics_of_families
from ecliptic.helio.families.writing import Recipe, problems
from ecliptic.helio.records import Record

SEED: Final = 20261130
PER_TYPE: Final = 80
SETS: Final = {"helio-v1": "helio-v1.jsonl"}
"""Name of a set, and its file in ``ecliptic.helio.sets``."""


def path_of(name: str) -> Path:
    """The file of a shipped set, after its checksum was compared.

    Raises
    ------
    TaskError
        The file was changed after it was written.
    """
    folder = Path(str(files("ecliptic.helio").joinpath("sets")))
    path = folder / SETS[name]
    wanted = (folder / f"{SETS[name]}.sha256").read_text("ascii").split()[0]
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != wanted:
        raise TaskError(f"{path}: is not the shipped file (its checksum differs); install again")
    return path


def draw(seed: int = SEED, per_type: int = PER_TYPE) -> Iterator[Record]:
    """The records of such a set: of every family in turn one problem's last part, by type.

    A later part of a problem carries the earlier ones, answers included, in its preamble.
    """
    seen: dict[str, set[str]] = {name: set() for name in topics_of_families()}
    for form in FORMS:
        yield from _of_form(seed, form, per_type, seen)


def _of_form(seed: int, form: Form, number: int, seen: dict[str, set[str]]) -> Iterator[Record]:
    endless = {
        name: problems(Recipe(seed, name, form), texts)
        for name, texts in seen.items()
        if form in family_of(name).forms
    }
    names = list(endless)
    for position in range(number):
        yield next(endless[names[position % len(names)]])[-1]
