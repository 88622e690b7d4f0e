"""Claims of a gold answer that a verifier's parser drafted: cached, and checked before use.

A draft is made once for a gold text and a version of the parser's prompt, and is kept in a
:class:`ClaimDrafts` that several verifiers may share, in memory or in a file of JSON lines. Since
the draft comes from a model, the deterministic check uses it only when it demonstrably cuts the
gold into parts: every claim is made of the gold's own words in the gold's order, and together they
leave no word out. Any other draft is shown to the judge and decides nothing by rule.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.grading.clause_words import clause_words

_JOINING = frozenset({"and", "but", "while", "whereas", "also", "then"})
"""Words that only join two claims."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What the parser made of one gold answer.

    Attributes
    ----------
    normal
        The gold in its shortest plain form.
    claims
        Its single claims.
    parser
        Version of the parser's prompt.
    calls, unreadable
        Calls that were made for it now (none for a cached draft) and replies that could not be
        read.
    decided
        The claims decided the grade without the judge.
    """

    normal: str
    claims: tuple[str, ...]
    parser: str
    calls: int = 0
    unreadable: int = 0
    decided: bool = False

    def cuts(self, gold: str) -> bool:
        """Whether the claims are two or more parts of ``gold`` that leave no word out."""
        words = [word for word in clause_words(gold) if word not in _JOINING]
        parts = [
            [word for word in clause_words(claim) if word not in _JOINING] for claim in self.claims
        ]
        if len(parts) < 2 or not all(parts):
            return False
        left_out = Counter(words) - Counter(word for part in parts for word in part)
        return not left_out and all(_in_order(part, words) for part in parts)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "claims": list(self.claims),
            "parser": self.parser,
            "calls": self.calls,
            "unreadable": self.unreadable,
            "decided": self.decided,
        }


def _in_order(part: Iterable[str], words: Iterable[str]) -> bool:
    rest = iter(words)
    return all(word in rest for word in part)


class ClaimDrafts:
    """Drafts by gold text and version of the parser's prompt; safe to share between threads.

    Parameters
    ----------
    path
        A file of JSON lines (``gold``, ``parser``, ``normal``, ``claims``) that is read now and
        appended to; without it the drafts live as long as the object.

    Raises
    ------
    UsageError
        The file cannot be read, or a line of it is no draft.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self._path = None if path is None else Path(path)
        self._lock = threading.Lock()
        self._drafts: dict[tuple[str, str], Draft] = {}
        self._open_line = False
        if self._path is not None and self._path.exists():
            self._read(self._path)

    def __len__(self) -> int:
        return len(self._drafts)

    def get(self, gold: str, parser: str) -> Draft | None:
        """The draft of ``gold`` by this version of the parser, if there is one."""
        return self._drafts.get((gold, parser))

    def put(self, gold: str, draft: Draft) -> None:
        """Keep a draft; the first one of a gold text and parser stays."""
        key = (gold, draft.parser)
        with self._lock:
            if key in self._drafts:
                return
            self._drafts[key] = Draft(draft.normal, draft.claims, draft.parser)
            if self._path is not None:
                self._append(self._path, gold, draft)

    def _append(self, path: Path, gold: str, draft: Draft) -> None:
        line = json.dumps(
            {
                "gold": gold,
                "parser": draft.parser,
                "normal": draft.normal,
                "claims": list(draft.claims),
            },
            ensure_ascii=False,
        )
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(("\n" if self._open_line else "") + line + "\n")
        except OSError as error:
            raise UsageError(f"{path}: claims cannot be written: {error.strerror}") from None
        self._open_line = False

    def _read(self, path: Path) -> None:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{path}: cannot be read as drafted claims: {error}") from None
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                gold, draft = _draft(json.loads(line))
            except (ValueError, RecursionError) as error:
                if number == len(lines):  # a run was stopped while it wrote the line
                    self._open_line = True
                    continue
                raise UsageError(f"{path}: line {number}: no drafted claims: {error}") from None
            self._drafts.setdefault((gold, draft.parser), draft)


def _draft(data: object) -> tuple[str, Draft]:
    """Gold and draft of one line; ``ValueError`` says what is missing."""
    fields = data if isinstance(data, Mapping) else {}
    texts = [fields.get(name) for name in ("gold", "parser", "normal")]
    claims = fields.get("claims")
    if not isinstance(claims, list) or not all(isinstance(text, str) for text in [*texts, *claims]):
        message = "needs the texts 'gold', 'parser', 'normal' and the list of texts 'claims'"
        raise ValueError(message)
    gold, parser, normal = map(str, texts)
    return gold, Draft(normal, tuple(claims), parser)
