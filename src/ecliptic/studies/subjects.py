"""What is put before agents: the suites of a study, found or made, each with its checksum."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ecliptic.errors import EclipticError, UsageError
from ecliptic.studies.definition import (
    AnyEntry,
    ForeignBenchmark,
    GeneratedQuestions,
    GeneratedStars,
    QuestionOptions,
    Questions,
    StarOptions,
    Stars,
    Study,
)

if TYPE_CHECKING:
    from ecliptic.suite import Suite

SUITES = "suites"
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """One suite, set of questions or benchmark.

    ``field`` is where the study's file names it, for messages; ``source`` a path or a shipped
    name; ``checksum`` changes when a task does (empty for a benchmark, whose authors keep it).
    """

    label: str
    field: str
    entry: AnyEntry
    source: str
    checksum: str = ""


def subjects_of(study: Study, where: str, folder: Path) -> list[Subject]:
    """The subjects of a study in the order of its file.

    Parameters
    ----------
    where
        The study's file: relative paths in it start in its folder.
    folder
        Where generated suites are kept; those that are there already are taken.

    Raises
    ------
    UsageError
        A suite is missing, damaged or cannot be made: names file and field.
    """
    found: list[Subject] = []
    for number, entry in enumerate(study.suites):
        field = f"suites[{number}]"
        try:
            found += _subjects(entry, field, Path(where).parent, folder / SUITES)
        except EclipticError as error:
            raise UsageError(f"{where}: field '{field}': {error}") from None
    _refuse_twins(found, where)
    return found


def _subjects(entry: AnyEntry, field: str, base: Path, folder: Path) -> Iterator[Subject]:
    if isinstance(entry, Stars):
        source = _located(entry.stars, base)
        suite = _suite(source)
        suite.require_truth()
        yield Subject(entry.label or _label(source), field, entry, source, suite.checksum)
    elif isinstance(entry, Questions):
        source = _located(entry.questions, base)
        yield Subject(entry.label or _label(source), field, entry, source, _questions(source))
    elif isinstance(entry, ForeignBenchmark):
        yield Subject(entry.label or entry.benchmark, field, entry, _benchmark(entry, base, field))
    else:
        for number, seed in enumerate(entry.seeds, 1):
            # Not the seed: names of folders travel, and a seed tells the truth.
            several = len(entry.seeds) > 1
            stem = entry.label or f"generated-{entry.generate}"
            label = f"{stem}-{number}" if several else stem
            make = _stars if isinstance(entry, GeneratedStars) else _records
            source, checksum = make(entry, seed, folder, label)  # type: ignore[arg-type]
            yield Subject(label, field, entry, source, checksum)


def _suite(source: str) -> Suite:
    from ecliptic.suite import load_suite

    return load_suite(source)


def _questions(source: str) -> str:
    from ecliptic.helio import load

    records = load(source)
    if not records:
        raise UsageError(f"{source}: holds no records")
    text = "\n".join(record.model_dump_json() for record in records)
    return hashlib.sha256(text.encode()).hexdigest()


def _benchmark(entry: ForeignBenchmark, base: Path, field: str) -> str:
    if entry.data is None:
        return ""
    folder = (base / entry.data).expanduser().resolve()
    if not folder.is_dir():
        raise UsageError(f"{field}.data: {folder}: no such folder")
    return str(folder)


def _stars(entry: GeneratedStars, seed: int, folder: Path, label: str) -> tuple[str, str]:
    from ecliptic.rv.generator import generate_many
    from ecliptic.suite import load_suite, write_suite

    target = folder / label
    if not target.exists():
        tasks = generate_many(seed, entry.count, recipe=entry.recipe, tier=entry.tier)
        write_suite(tasks, target)
    return str(target.resolve()), load_suite(target).checksum


def _records(entry: GeneratedQuestions, seed: int, folder: Path, label: str) -> tuple[str, str]:
    from ecliptic.helio import generate_many, write_records

    target = folder / f"{label}.jsonl"
    if not target.exists():
        made = generate_many(seed, entry.count, families=entry.families, forms=entry.forms)
        write_records(made, target)
    return str(target.resolve()), _questions(str(target))


def _located(source: str, base: Path) -> str:
    """A path beside the study's file where there is one, else the name as it stands."""
    path = (base / Path(source).expanduser()).resolve()
    return str(path) if path.exists() else source


def _label(source: str) -> str:
    name = Path(source).name
    for ending in (".parquet", ".jsonl", ".json"):
        name = name.removesuffix(ending)
    return _NOT_IN_NAMES.sub("-", name).strip("-.") or "suite"


def _refuse_twins(subjects: list[Subject], where: str) -> None:
    seen: dict[str, Subject] = {}
    for subject in subjects:
        other = seen.setdefault(subject.label, subject)
        if other is not subject:
            raise UsageError(
                f"{where}: field '{subject.field}': is called '{subject.label}' like "
                f"{other.field}; give it a 'label' of its own"
            )


def is_stars(entry: AnyEntry) -> bool:
    """Whether the entry is of the world of stars."""
    return isinstance(entry, StarOptions)


def is_questions(entry: AnyEntry) -> bool:
    """Whether the entry is of the world of questions."""
    return isinstance(entry, QuestionOptions)
