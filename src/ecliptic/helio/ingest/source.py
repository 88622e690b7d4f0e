r"""LaTeX files as one text whose every line knows where it came from.

Comments go, verbatim passages are set aside, and ``\input`` brings in files of the same folder.
All later rewriting keeps the number of line breaks: one that must not separate words or
paragraphs becomes :data:`SOFT`, which counts as a line and reads as a space.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ecliptic.errors import TaskError
from ecliptic.files import reason, require_regular
from ecliptic.helio.ingest.todo import Place, TodoList

MAX_BYTES = 4_000_000
MAX_FILES = 50
MAX_DEPTH = 8
SOFT = "\x1f"
BREAK = re.compile(r"[\n\x1f]")

_CONTROL = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127], " ")
_LIGATURES = str.maketrans(
    {"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "\u00a0": " ", "\u2028": "\n"}
)
_VERBATIM = r"verbatim\*?|Verbatim|lstlisting|minted|comment"
_SPECIAL = re.compile(
    rf"\\verb\*?([^A-Za-z\s*])|\\begin\{{({_VERBATIM})\}}|(\\end\{{document\}}|\\(?:endinput|"
    rf"bye)\b)"
    r"|\\(?:input|include|subfile)\s*\{([^{}\n]{0,300})\}|\\input[ \t]+([\w./-]{1,200})"
    r"|\\.|(%[^\n]*)",
    re.DOTALL,
)
_DECLARED = re.compile(rb"\\usepackage\s*\[(latin1|latin9|ansinew|cp1252)\]\s*\{inputenc\}")
_CODECS = {"latin1": "latin-1", "latin9": "iso8859-15", "ansinew": "cp1252", "cp1252": "cp1252"}


@dataclass
class Source:
    """A text with the place of each of its lines, and the passages set aside from it."""

    text: str
    places: list[Place]
    verbatim: list[str] = field(default_factory=list)

    @cached_property
    def _breaks(self) -> list[int]:
        return [match.start() for match in BREAK.finditer(self.text)]

    def place(self, offset: int) -> Place:
        """File and line of a character of the text."""
        index = bisect_left(self._breaks, offset)
        return self.places[min(index, len(self.places) - 1)]


def substitute(
    pattern: re.Pattern[str], replacement: str | Callable[[re.Match[str]], str], text: str
) -> str:
    """``pattern.sub`` that keeps the number of line breaks."""

    def replace(match: re.Match[str]) -> str:
        new = match.expand(replacement) if isinstance(replacement, str) else replacement(match)
        return with_breaks(new, count_breaks(match[0]))

    return pattern.sub(replace, text)


def count_breaks(text: str) -> int:
    """How many lines a text ends."""
    return text.count("\n") + text.count(SOFT)


def with_breaks(text: str, wanted: int) -> str:
    """The text with soft breaks behind it, so that it has at least as many as are wanted."""
    return text + SOFT * (wanted - count_breaks(text))


def read_source(path: Path, todo: TodoList) -> Source:
    """The text of a file and of what it includes.

    Raises
    ------
    TaskError
        The file cannot be read, holds no text, or is too large.
    """
    return _Reader(path, todo).read()


class _Reader:
    def __init__(self, path: Path, todo: TodoList) -> None:
        self._path, self._todo = path, todo
        self._folder = path.parent.resolve()
        self._room = MAX_BYTES
        self._files = 0
        self._out: list[str] = []
        self._places: list[Place] = []
        self._verbatim: list[str] = []

    def read(self) -> Source:
        self._add(self._path, self._path.name, ())
        return Source("".join(self._out), [*self._places, self._end], self._verbatim)

    def _emit(self, text: str, name: str, line: int) -> int:
        """Add text that starts at a line of a file; returns the line it ends on."""
        self._out.append(text)
        for _ in range(count_breaks(text)):
            self._places.append(Place(name, line))
            line += 1
        self._end = Place(name, line)
        return line

    def _add(self, path: Path, name: str, open_files: tuple[Path, ...]) -> None:
        text = self._text(path, name)
        markdown = is_markdown(text) or path.suffix in {".md", ".mmd"}
        line, at = 1, 0
        closing_missing: set[str] = set()
        position = 0
        while match := _SPECIAL.search(text, position):
            new = None
            end = position = match.end()
            if match[1] is not None:
                close = text.find(match[1], end)
                if close >= 0 and "\n" not in text[end:close]:
                    new, end = self._set_aside(text[match.start() : close + 1]), close + 1
            elif match[2] is not None:
                closing = rf"\end{{{match[2]}}}"
                close = -1 if closing in closing_missing else text.find(closing, end)
                if close < 0:
                    if closing not in closing_missing:
                        here = Place(name, 1 + text.count("\n", 0, match.start()))
                        self._todo.note(here, "latex", rf"\begin{{{match[2]}}} has no \end")
                    closing_missing.add(closing)
                    continue
                end = close + len(closing)
                new = "" if match[2] == "comment" else self._set_aside(text[match.start() : end])
            elif match[3] is not None:
                line = self._emit(text[at : match.start()], name, line)
                return
            elif match[6] is not None and not markdown:
                whole_line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()].isspace()
                whole_line = whole_line or text[match.start() - 1 : match.start()] in ("\n", "")
                if whole_line and text[end : end + 1] == "\n":
                    end += 1
                new = ""
            elif match[4] is not None or match[5] is not None:
                line = self._emit(text[at : match.start()], name, line)
                wanted = (match[4] or match[5]).strip()
                self._include(wanted, Place(name, line), open_files)
                line = self._emit(SOFT * count_breaks(match[0]), name, line)
                at = end
                continue
            if new is not None:
                line = self._emit(text[at : match.start()], name, line)
                line = self._emit(
                    with_breaks(new, text.count("\n", match.start(), end)), name, line
                )
                at = position = end
        self._emit(text[at:], name, line)

    def _set_aside(self, passage: str) -> str:
        self._verbatim.append(passage)
        return f"\x02{len(self._verbatim) - 1}\x03"

    def _include(self, name: str, place: Place, open_files: tuple[Path, ...]) -> None:
        def skip(why: str) -> None:
            self._todo.note(place, "include", f"'{name[:80]}' {why}; it was not read")

        if not name or "\0" in name:
            return skip("names no file")
        target = self._folder / name
        target = target if target.suffix else target.with_name(target.name + ".tex")
        try:
            target = target.resolve()
        except (OSError, RuntimeError):
            return skip("cannot be found")
        if not target.is_relative_to(self._folder):
            return skip(f"lies outside the folder of {self._path.name}")
        if not target.is_file():
            return skip("is missing")
        if target in open_files or target == self._path.resolve():
            return skip("includes itself")
        if len(open_files) >= MAX_DEPTH or self._files >= MAX_FILES:
            return skip(f"is one include too many (at most {MAX_DEPTH} deep, {MAX_FILES} files)")
        self._out.append(SOFT)
        self._places.append(place)
        shown = target.relative_to(self._folder).as_posix()
        self._add(target, shown, (*open_files, target))
        self._out.append(SOFT)
        self._places.append(self._end)
        return None

    def _text(self, path: Path, name: str) -> str:
        self._files += 1
        try:
            require_regular(path)
            with path.open("rb") as file:
                data = file.read(self._room + 1)
        except OSError as error:
            raise TaskError(f"{path}: {reason(error)}") from None
        if len(data) > self._room:
            raise TaskError(
                f"{path}: a problem set with its includes may hold {MAX_BYTES / 1e6:.0f} MB; "
                "split it into several files"
            )
        self._room -= len(data)
        if b"\0" in data:
            raise TaskError(f"{path}: is not a text file (it holds zero bytes); give its LaTeX")
        text = self._decoded(data, name)
        text = re.sub(r"\r\n?", "\n", text)
        return text.translate(_CONTROL).translate(_LIGATURES)

    def _decoded(self, data: bytes, name: str) -> str:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            declared = _DECLARED.search(data)
            if declared:
                return data.decode(_CODECS[declared[1].decode()], errors="replace")
            place = Place(name, 1 + data.count(b"\n", 0, error.start))
            text = (
                f"byte 0x{data[error.start]:02x} is not UTF-8; the file was read as Windows-1252: "
                "check accented letters and signs"
            )
            self._todo.note(place, "encoding", text)
            return data.decode("cp1252", errors="replace")


def is_markdown(text: str) -> bool:
    """Whether a text is Markdown with formulas, as OCR tools write it, and not plain LaTeX."""
    if re.search(r"\\documentclass|\\begin\{document\}", text):
        return False
    return re.search(r"^#{1,6} +\S|^\*\*[A-Z]", text, re.MULTILINE) is not None
