"""The few members of an Inspect log that a table needs, read without Inspect.

An ``.eval`` file is a zip. ``header.json`` (``_journal/start.json`` until the run has ended) says
what ran; ``summaries.json`` (``_journal/summaries/N.json`` until then) holds a line a sample
with its scores, of which texts and metadata over 1 kB are cut; ``samples/ID_epoch_N.json`` holds
all of one sample, the conversation before its scores and the events after them.
"""

from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from zipfile import BadZipFile, ZipFile

from ecliptic.errors import MissingExtraError, TaskError
from ecliptic.files import reason, require_regular

_HEADERS = ("header.json", "_journal/start.json")
_ALL, _BATCHES = "summaries.json", "_journal/summaries/"
_CHUNK = 1 << 18
_GAP = re.compile(r"\s*,?\s*")
_SCORES = re.compile(r'(?<=[,{])\s*"scores"\s*:\s*(?=\{)')
REMOVED = "Key removed from summary"
"""Begins what Inspect puts in the place of metadata that are too long for a summary."""


class EvalArchive:
    """An open ``.eval`` file.

    Raises
    ------
    TaskError
        The file is none; one line says why.
    MissingExtraError
        It is compressed in a way that this Python cannot read by itself.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        _know_zstandard()
        try:
            require_regular(path)
            self._zip = ZipFile(path)
        except OSError as error:
            raise TaskError(f"{path}: {reason(error)}") from None
        except (BadZipFile, NotImplementedError, ValueError):
            raise self._damaged("no zip file, or one that was cut short") from None
        self._names = frozenset(self._zip.namelist())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._zip.close()

    def verify(self) -> None:
        """Unpack all of it, checksums included; for logs that are gone on with.

        Inspect looks at no checksum, and notices a damaged sample only when it comes to it.

        Raises
        ------
        TaskError
            A member is damaged: which.
        """
        for name in sorted(self._names):
            with closing(self._chunks(name)) as chunks:
                for _ in chunks:
                    pass

    def header(self) -> dict[str, Any]:
        """What ran: ``eval`` and ``plan``; ``status`` where the run has ended."""
        for name in _HEADERS:
            if name in self._names:
                with suppress(ValueError, RecursionError):
                    header = json.loads(b"".join(self._chunks(name)))
                    if isinstance(header, dict) and isinstance(header.get("eval"), dict):
                        return header
                raise self._damaged(f"{name} cannot be read")
        raise self._damaged("it has no header")

    def summaries(self) -> Iterator[dict[str, Any]]:
        """One sample after another; the whole is never in memory."""
        batches = [name for name in self._names if name.startswith(_BATCHES)]
        names = [_ALL] if _ALL in self._names else sorted(batches, key=_number)
        for name in names:
            try:
                with closing(self._chunks(name)) as chunks:
                    yield from elements(chunks)
            except (ValueError, RecursionError):
                raise self._damaged(f"{name} cannot be read") from None

    def scores(self, sample: object, epoch: int) -> dict[str, Any]:
        """A sample's scores in full; reads no further than to them."""
        name = f"samples/{sample}_epoch_{epoch}.json"
        if name not in self._names:
            return {}
        text, decode = "", codecs.getincrementaldecoder("utf-8")().decode
        with closing(self._chunks(name)) as chunks:
            for chunk in chunks:
                text += decode(chunk)
                for found in _SCORES.finditer(text):
                    with suppress(ValueError, RecursionError):
                        scores, _ = json.JSONDecoder().raw_decode(text, found.end())
                        if _are_scores(scores):
                            return dict(scores)
        return {}

    def _chunks(self, name: str) -> Generator[bytes, None, None]:
        try:
            with self._zip.open(name) as member:
                while chunk := member.read(_CHUNK):
                    yield chunk
        except OSError as error:
            if error.errno is None:  # not the system's, but of the data
                raise self._damaged(f"{name} cannot be unpacked") from None
            raise TaskError(f"{self.path}: {reason(error)}") from None
        except _unpacking_errors():
            raise self._damaged(f"{name} cannot be unpacked") from None

    def _damaged(self, why: str) -> TaskError:
        return TaskError(
            f"{self.path}: is not a log of Inspect that can be read ({why}); move it away, or name "
            "the other logs one by one"
        )


def elements(chunks: Iterable[bytes]) -> Iterator[Any]:
    """The elements of a JSON list, each as soon as it is complete.

    Raises
    ------
    ValueError
        It is cut short, or no list of JSON.
    """
    decode = codecs.getincrementaldecoder("utf-8")().decode
    parse = json.JSONDecoder().raw_decode
    text, opened = "", False
    for chunk in chunks:
        text += decode(chunk)
        at = 0
        if not opened:
            text = text.lstrip()
            opened = text[:1] == "["
            at = int(opened)
        while opened:
            try:
                element, end = parse(text, _end_of_gap(text, at))
            except ValueError:
                break
            if end == len(text):  # the next chunk may go on with it
                break
            at = end
            yield element
        text = text[at:]
    if not opened or text.strip() != "]":
        raise ValueError("no list, or one that is cut short")


def _end_of_gap(text: str, at: int) -> int:
    found = _GAP.match(text, at)
    return at if found is None else found.end()


def _are_scores(found: Any) -> bool:
    return all(isinstance(each, dict) and "value" in each for each in found.values())


def _number(name: str) -> int:
    stem = name.removeprefix(_BATCHES).removesuffix(".json")
    return int(stem) if stem.isdecimal() else 0


def _know_zstandard() -> None:
    """Teach ``zipfile`` what it knows by itself from Python 3.14 on."""
    if sys.version_info >= (3, 14) or "zipfile_zstd" in sys.modules:
        return
    try:
        import_module("zipfile_zstd")
    except ModuleNotFoundError:
        raise MissingExtraError("logs of Inspect", "agents") from None


@lru_cache(maxsize=1)
def _unpacking_errors() -> tuple[type[Exception], ...]:
    """What damaged data raise, by their compression."""
    import lzma
    import zlib

    name = "compression.zstd" if sys.version_info >= (3, 14) else "zstandard"
    zstandard: type[Exception] = import_module(name).ZstdError
    # A RuntimeError: it is encrypted, or compressed in a way that nobody writes.
    return BadZipFile, EOFError, RuntimeError, zlib.error, lzma.LZMAError, zstandard
