"""Question records: the published schema, read from and written to JSON lines.

A record holds one part of a question with its worked steps and final answer. Fields that are not
known here are kept, so that a file survives reading and writing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ecliptic.errors import TaskError
from ecliptic.files import atomic_file, parse_json, reason
from ecliptic.model import Text, describe, known_fields, short

MAX_LINE_BYTES = 50_000_000

AnswerType = Literal["numeric", "symbolic", "textual", "structured"]


def _read_type(value: object) -> object:
    if isinstance(value, str):
        return {"text": "textual", "json": "structured"}.get(value, value)
    return value


def _read_lines(value: object) -> object:
    """A single string stands for a list of one; nothing for an empty list."""
    if value is None or value == "":
        return ()
    return (value,) if isinstance(value, str) else value


Lines = Annotated[tuple[Text, ...], BeforeValidator(_read_lines)]
OptionalText = Annotated[Text, BeforeValidator(lambda value: "" if value is None else value)]


class Record(BaseModel):
    """One part of a question, as published.

    Attributes
    ----------
    id
        Year, author, question and part, such as ``2010_Lee_4_a``.
    preamble
        Earlier parts of the same question with their answers.
    hint
        What the answer should look like; may be empty.
    step
        The worked solution.
    final
        The gold answer.
    type
        ``text`` is read as ``textual``.
    meta
        Source and options; ``meta["rules"]`` overrides the grader's rules for this record,
        ``meta["claims"]`` names the claims that a textual answer must make, ``meta["schema"]`` is
        the JSON schema of a structured one.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    id: Annotated[Text, Field(min_length=1)]
    q_id: int | None = None
    sub_id: OptionalText = ""
    preamble: Lines = ()
    question: OptionalText = ""
    hint: OptionalText = ""
    step: Lines = ()
    final: Text
    type: Annotated[AnswerType, BeforeValidator(_read_type)]
    meta: Mapping[str, Any] = Field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """All fields, also unknown ones, ready for JSON."""
        return self.model_dump(mode="json")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one line of a file."""

    file: str
    line: int
    field: str
    message: str

    def __str__(self) -> str:
        field = f"field '{self.field}' " if self.field else ""
        return f"{self.file}: line {self.line}: {field}{self.message}"


class Records(list[Record]):
    """The readable records of a file, in order; ``problems`` tells what the other lines lack."""

    def __init__(self, records: Iterable[Record] = (), problems: Iterable[Problem] = ()) -> None:
        super().__init__(records)
        self.problems = tuple(problems)

    @property
    def counts(self) -> dict[str, int]:
        """How many records there are of each type, the commonest first."""
        return dict(Counter(record.type for record in self).most_common())


def read_record(data: object, where: str = "record") -> Record:
    """A record from a mapping.

    Raises
    ------
    TaskError
        One line that names ``where``, the field and the fault.
    """
    record = _check(data)
    if isinstance(record, Record):
        return record
    field, sentence = record
    raise TaskError(f"{where}: field '{field}' {sentence}" if field else f"{where}: {sentence}")


def _check(data: object) -> Record | tuple[str, str]:
    if not isinstance(data, Mapping):
        return "", "must be an object with named fields"
    try:
        return Record.model_validate(dict(data))
    except ValidationError as error:
        field, _, sentence = describe(error, known_fields(Record))
        return field, sentence


def read_lines(path: Path) -> Iterator[tuple[int, object | TaskError]]:
    """Number and value of every line of a file of JSON lines; a bad one gives its error.

    Raises
    ------
    TaskError
        The file itself cannot be read.
    """
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(MAX_LINE_BYTES + 1):
                number += 1
                where = f"{path}: line {number}"
                if len(line) > MAX_LINE_BYTES:
                    yield number, TaskError(f"{where}: is longer than {MAX_LINE_BYTES:,} bytes")
                    while line and not line.endswith(b"\n"):
                        line = file.readline(MAX_LINE_BYTES)
                elif line.strip():
                    try:
                        yield number, parse_json(line.strip(), where)
                    except TaskError as error:
                        yield number, error
    except OSError as error:
        raise TaskError(f"{path}: {reason(error)}") from None
    except ValueError:  # a null byte
        raise TaskError(f"{short(str(path))}: is no path") from None


def read_records(path: str | Path) -> Records:
    """All records of a file of JSON lines; faulty lines are named, the rest is loaded.

    Raises
    ------
    TaskError
        The file cannot be read.
    """
    path = Path(path)
    records: list[Record] = []
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for number, value in read_lines(path):
        if isinstance(value, TaskError):
            text = str(value).removeprefix(f"{path}: line {number}: ")
            problems.append(Problem(str(path), number, "", text))
            continue
        record = _check(value)
        if not isinstance(record, Record):
            problems.append(Problem(str(path), number, *record))
        elif record.id in seen:
            text = f"'{record.id}' was used on line {seen[record.id]} already"
            problems.append(Problem(str(path), number, "id", text))
        else:
            seen[record.id] = number
            records.append(record)
    return Records(records, problems)


def write_records(records: Iterable[Record], path: str | Path) -> int:
    """Write records as JSON lines in one step; returns how many.

    Raises
    ------
    OutputError
        The file cannot be written; what stood there is unharmed.
    """
    count = 0
    with atomic_file(Path(path)) as file:
        for record in records:
            line = json.dumps(record.to_dict(), ensure_ascii=False, allow_nan=False)
            file.write(line.encode() + b"\n")
            count += 1
    return count
