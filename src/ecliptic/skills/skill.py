"""One skill: front matter and body of a ``SKILL.md``, and the files beside it.

The format is that of https://agentskills.io/specification, within what its reference validator
(``skills-ref``, strict YAML) and Inspect both read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ecliptic.errors import UsageError
from ecliptic.files import reason

FILE_NAME = "SKILL.md"
FIELDS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
MAX_LENGTHS = {"name": 64, "description": 1024, "compatibility": 500}
MAX_BYTES = 100_000
FOLDERS = ("references", "scripts", "assets")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SEPARATORS = re.compile(r"[\s,]+")


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that has been checked.

    Attributes
    ----------
    name, description
        What it is called, and what it does and when to use it.
    body
        The instructions, in Markdown, without the front matter.
    folder
        Where it lies; ``None`` for one that has not been written yet.
    files
        Paths of further files relative to the folder (``references/...``, ``scripts/...``,
        ``assets/...``).
    metadata
        Strings of the front matter's ``metadata``.
    """

    name: str
    description: str
    body: str
    folder: Path | None = None
    files: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def worlds(self) -> tuple[str, ...]:
        """The worlds that it is for; empty for any."""
        return _words(self.metadata.get("worlds", ""))

    @property
    def needs(self) -> tuple[str, ...]:
        """Skills whose code it builds on."""
        return _words(self.metadata.get("needs", ""))

    def read_file(self, path: str) -> str:
        """Text of one of ``files``.

        Raises
        ------
        UsageError
            It is none of them, or no text.
        """
        if self.folder is None or path not in self.files:
            known = ", ".join(self.files) or "none"
            raise UsageError(f"skill {self.name}: has no file '{path}'; its files: {known}")
        return _read_text(self.folder / path)


def read_skill_folder(folder: Path) -> Skill:
    """The skill in ``folder``.

    Raises
    ------
    UsageError
        It has no ``SKILL.md``, or one that breaks the format; the message names file and fields.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        raise UsageError(f"{folder}: holds no {FILE_NAME}")
    return parse_skill(_read_text(path), str(path), folder)


def parse_skill(text: str, where: str, folder: Path | None = None) -> Skill:
    """A skill from the text of its ``SKILL.md``; with ``folder``, their names must agree.

    Raises
    ------
    UsageError
        The text breaks the format; the message starts with ``where`` and names every fault.
    """
    front, body = _split(text, where)
    values, metadata, faults = _front_matter(front)
    faults += _faults(values, body)
    name = values.get("name", "")
    if folder is not None and not faults and folder.resolve().name != name:
        faults.append(
            f"field 'name': is '{name}', but the folder is called '{folder.resolve().name}'; "
            "give both one name"
        )
    if faults:
        raise UsageError(f"{where}: {'; '.join(faults)}")
    files = () if folder is None else _files(folder)
    return Skill(name, " ".join(values["description"].split()), body, folder, files, metadata)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in _SEPARATORS.split(text) if word)


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{path}: is over {MAX_BYTES:,} bytes; shorten it")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: {reason(error)}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: is not text in UTF-8") from None


def _split(text: str, where: str) -> tuple[str, str]:
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0].rstrip() != "---":
        raise UsageError(f"{where}: must begin with a line --- and front matter")
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == "---":
            return "\n".join(lines[1:number]), "\n".join(lines[number + 1 :]).strip()
    raise UsageError(f"{where}: the front matter is not closed by a line ---")


def _front_matter(text: str) -> tuple[dict[str, str], dict[str, str], list[str]]:
    """Values, metadata and faults. Every value is a string, as for the reference validator."""
    import yaml

    if "---" in text:
        return {}, {}, ["front matter: must not hold '---', at which other readers split"]
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        said = " ".join(str(error).split())
        return {}, {}, [f"front matter: is not YAML ({said}); quote values that hold a colon"]
    except RecursionError:
        return {}, {}, ["front matter: is nested too deep; write one field a line"]
    if not isinstance(node, yaml.MappingNode):
        return {}, {}, ["front matter: must be lines 'field: value'"]
    faults: list[str] = []
    metadata: dict[str, str] = {}
    values: dict[str, str] = {}
    for name, value in _pairs(node, "", faults):
        if name not in FIELDS:
            faults.append(f"field '{name}': is not known; known: {', '.join(FIELDS)}")
        elif name == "metadata" and isinstance(value, yaml.MappingNode):
            for key, inner in _pairs(value, "metadata.", faults):
                if isinstance(inner, yaml.ScalarNode):
                    metadata[key] = str(inner.value)
                else:
                    faults.append(f"field 'metadata.{key}': must be text")
        elif name != "metadata" and isinstance(value, yaml.ScalarNode):
            values[name] = str(value.value).strip()
        else:
            faults.append(
                f"field '{name}': must be {'a mapping' if name == 'metadata' else 'text'}"
            )
    return values, metadata, faults


def _pairs(node: object, prefix: str, faults: list[str]) -> list[tuple[str, object]]:
    import yaml

    assert isinstance(node, yaml.MappingNode)
    if node.flow_style:
        faults.append(f"field '{prefix.rstrip('.')}': write one field a line, not {{...}}")
    pairs: dict[str, object] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            faults.append(f"field '{prefix.rstrip('.')}': the name of a field must be text")
            continue
        name = str(key.value)
        if name in pairs:
            faults.append(f"field '{prefix}{name}': is given twice")
        pairs[name] = value
    return list(pairs.items())


def _faults(values: Mapping[str, str], body: str) -> list[str]:
    faults = [
        f"field '{name}': is missing" for name in ("name", "description") if not values.get(name)
    ]
    for name, most in MAX_LENGTHS.items():
        if len(values.get(name, "")) > most:
            faults.append(f"field '{name}': has {len(values[name])} characters; {most} are allowed")
    if values.get("name") and not _NAME.fullmatch(values["name"]):
        faults.append(
            f"field 'name': '{values['name'][: MAX_LENGTHS['name']]}' must be lower-case letters "
            "and digits in words joined by single hyphens"
        )
    if not body:
        faults.append("body: is empty; write the instructions below the front matter")
    return faults


def _files(folder: Path) -> tuple[str, ...]:
    root = folder.resolve()
    found = []
    for name in FOLDERS:
        for path in sorted((folder / name).rglob("*")):
            relative = path.relative_to(folder)
            if any(part.startswith((".", "_")) for part in relative.parts) or not path.is_file():
                continue
            if not path.resolve().is_relative_to(root):
                raise UsageError(f"{path}: leads out of the skill's folder; copy the file instead")
            found.append(relative.as_posix())
    return tuple(found)
