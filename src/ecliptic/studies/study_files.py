"""A YAML file becomes a study; every mistake is one line with file, field and fix."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from ecliptic.errors import UsageError
from ecliptic.files import reason
from ecliptic.model import Model, describe, known_fields, short
from ecliptic.studies.definition import ENTRIES, GENERATED, AnyEntry, Study

MOST_ENTRIES = 100_000
_KINDS = "stars, questions, benchmark or generate"


def read_study(path: str | Path, changes: Iterable[tuple[str, Any]] = ()) -> Study:
    """The study in a file.

    Parameters
    ----------
    changes
        Paths of fields, such as ``suites.0.questions``, with the values that replace the file's.

    Raises
    ------
    UsageError
        The file cannot be read, or a field is unknown, missing or wrong; says which and the fix.
    """
    where = Path(path)
    try:
        text = where.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{where}: {reason(error)}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{where}: is not UTF-8 text; save it as UTF-8") from None
    return study_of(text, str(where), changes)


def study_of(text: str, where: str, changes: Iterable[tuple[str, Any]] = ()) -> Study:
    """The study in a YAML text; ``where`` names it in errors."""
    try:
        data = yaml.load(text, _Strict)
        _entries_in(data, {})
    except RecursionError:
        raise UsageError(f"{where}: is nested too deeply; mend it") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}: " if mark else ""
        raise UsageError(f"{where}: {place}{error.problem or error.context}; mend it") from None
    except yaml.YAMLError as error:
        raise UsageError(f"{where}: is not YAML: {error}") from None
    if not isinstance(data, dict):
        raise UsageError(
            f"{where}: must hold named fields (name, suites, agents ...), not {short(data)}; "
            "`ecliptic study init` writes an example"
        )
    for field, value in changes:
        _change(data, field, value, where)
    entries = data.get("suites")
    if entries is not None and not isinstance(entries, list):
        raise UsageError(f"{where}: field 'suites' must be a list, not {short(entries)}")
    if isinstance(entries, list):
        data["suites"] = [_entry(each, f"suites[{n}]", where) for n, each in enumerate(entries)]
    study: Study = _checked(Study, data, "", where)
    return study


def _entry(data: object, field: str, where: str) -> AnyEntry:
    if not isinstance(data, dict):
        raise UsageError(
            f"{where}: field '{field}' must be an object that names {_KINDS}, not {short(data)}"
        )
    named = [key for key in ("stars", "questions", "benchmark", "generate") if key in data]
    if len(named) != 1:
        found = f"names {' and '.join(named)}; keep one" if named else _suggest(data)
        raise UsageError(f"{where}: field '{field}' {found}")
    kind = named[0]
    if kind == "generate":
        if data["generate"] not in GENERATED:
            raise UsageError(
                f"{where}: field '{field}.generate' must be stars or questions, not "
                f"{short(data['generate'])}"
            )
        kind = f"generate {data['generate']}"
    entry: AnyEntry = _checked(ENTRIES[kind], data, field, where)
    return entry


def _suggest(data: Mapping[Any, Any]) -> str:
    for key in data:
        near = difflib.get_close_matches(str(key), ENTRIES, n=1)
        if near:
            return f"has no field '{key}'; did you mean '{near[0].split()[0]}'?"
    return f"must name one of {_KINDS}"


def _checked(model: type[Model], data: Mapping[str, Any], field: str, where: str) -> Any:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        inner, _, sentence = describe(error, known_fields(model))
        parts = inner.split(".")
        # Of a union of forms pydantic tells which one it tried; of ours there is but one.
        path = ".".join(part for part in parts if not part.startswith("function-"))
        full = f"{field}.{path}" if field and path else field or path
        raise UsageError(f"{where}: field '{full}' {sentence}") from None


def _change(data: Any, field: str, value: Any, where: str) -> None:
    *way, last = field.replace("[", ".").replace("]", "").split(".")
    at = data
    for part in way:
        try:
            at = at[int(part)] if isinstance(at, list) else at[part]
        except (KeyError, IndexError, ValueError, TypeError):
            raise UsageError(f"{where}: --set {field}: there is no '{part}' to change") from None
    try:
        if isinstance(at, list):
            at[int(last)] = value
        else:
            at[last] = value
    except (IndexError, ValueError, TypeError):
        raise UsageError(f"{where}: --set {field}: there is no '{last}' to change") from None


class _Strict(yaml.SafeLoader):  # type: ignore[misc]
    """Refuses a key that is written twice, of which YAML would drop one in silence."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(
                    None, None, "the name of a field must be a word", key_node.start_mark
                )
            key = key_node.value
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"'{key}' is written twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep=deep)  # type: ignore[no-any-return]

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep=deep)
        except (ValueError, LookupError, AttributeError, TypeError):
            kind = node.tag.rpartition(":")[2]
            raise yaml.constructor.ConstructorError(
                None, None, f"{short(node.value)} is no {kind}", node.start_mark
            ) from None


def _entries_in(value: object, known: dict[int, int], most: int = MOST_ENTRIES) -> int:
    """How many entries a value has with all aliases written out, of which a few lines can make
    billions; ``known`` holds those of the containers that were seen.

    Raises
    ------
    yaml.YAMLError
        More than ``most``, or a container that holds itself.
    """
    if not isinstance(value, dict | list | tuple | set):
        return 1
    if id(value) in known:
        if known[id(value)] == 0:
            raise yaml.MarkedYAMLError(problem="an alias (*) stands within what it repeats")
        return known[id(value)]
    known[id(value)] = 0
    inside = value.values() if isinstance(value, dict) else value
    total = 1 + sum(_entries_in(each, known, most) for each in inside)
    if total > most:
        raise yaml.MarkedYAMLError(problem=f"holds more than {most:,} entries")
    known[id(value)] = total
    return total
