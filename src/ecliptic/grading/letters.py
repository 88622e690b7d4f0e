"""What a run of letters means: a function, a Greek letter, words, upright names or a product."""

from __future__ import annotations

import re

from ecliptic.grading.symbols import (
    CONSTANT_WORDS,
    FUNCTIONS,
    GREEK,
    KEYWORDS,
    LABELS,
    UNIT_RUNS,
    WORDS,
)
from ecliptic.grading.tokens import TokenStream

_IN = re.compile(r"\s*[\[(]")
_LOG_BASE = re.compile(r"(?:10|2)(?=\s*[({\\A-Za-z])")
_SEGMENT_NAMES = tuple(
    sorted(
        ({name for name in FUNCTIONS if len(name) > 2} | {name for name in GREEK if len(name) > 2})
        - {"det", "arg", "avg", "div", "rot", "min", "max", "abs", "eta", "chi", "psi", "phi"},
        key=len,
        reverse=True,
    )
)
_MODIFIED = re.compile(
    rf"([A-Za-z]|{'|'.join(sorted(GREEK, key=len, reverse=True))})(d{{0,2}}dot|bar|hat|tilde)"
)
"""``Mdot``, ``xddot``, ``thetadot``, ``vbar``: the plain names of symbols with an accent."""
_NOT_MODIFIED = frozenset(("hbar", "mbar", "kbar", "that", "what", "chat", "phat"))


class Letters(TokenStream):
    """Reads letters; numbers, signs and commands are in ``lexer``."""

    def letters(self, run: str, start: int) -> None:
        """Emit what a run of letters stands for."""
        if self.tokens and self.tokens[-1].text == "_" and self.tokens[-1].kind == "op":
            self.subscript_run(run, start)
            return
        if self.prose or (self.outside and not self.braces):
            self.text_run(run, start)
            return
        if self.roman:
            self.roman_run(run, start)
            return
        modified = _MODIFIED.fullmatch(run)
        if run in FUNCTIONS:
            self.function(run, start)
        elif modified and run not in _NOT_MODIFIED and not self.backslashed(start):
            self.emit("cmd", modified[2], start)
            self.emit("name", modified[1], start)
        elif run in KEYWORDS and self.is_keyword(run, start):
            self.emit("word", run, start)
        elif run in ("partial", "nabla"):
            self.emit("cmd", run, start)
        elif run in ("infinity", "inf"):
            self.emit("name", "infty", start)
        elif run == "in" and _IN.match(self.text, self.position):
            self.emit("rel", "in", start)
        elif run in GREEK:
            self.emit("name", run, start)
        elif run in CONSTANT_WORDS:
            self.emit("name", "const", start)
        elif len(run) == 1 or run == "hbar":
            self.emit("name", run, start)
        elif self.plain and run in UNIT_RUNS and start and self.text[start - 1] in " \t":
            self.roman = True
            self.emit("name", run, start)
            self.roman = False
        elif run.lower() in WORDS:
            self.emit("word", run, start)
        else:
            self.segments(run, start)

    def backslashed(self, start: int) -> bool:
        """Whether letters are the name of a command."""
        return self.text[start - 1 : start] == "\\"

    def is_keyword(self, run: str, start: int) -> bool:
        """A word of structure stands between spaces or at the edge of maths."""
        before = self.text[start - 1 : start] if start else " "
        after = self.text[start + len(run) : start + len(run) + 1] or " "
        return before in " \n\t,;$}" and after in " \n\t,;$:\\"

    def function(self, run: str, start: int) -> None:
        """A function name; ``log10`` and ``log2`` take their base along."""
        if run == "log":
            base = _LOG_BASE.match(self.text, self.position)
            if base is not None:
                run += base.group()
                self.position = base.end()
        self.emit("func", FUNCTIONS[run], start)

    def text_run(self, run: str, start: int) -> None:
        """Letters in prose: a word of structure, a function, or one upright name."""
        if run.lower() in KEYWORDS:
            self.emit("word", run.lower(), start)
        elif run in ("as", "at"):
            self.emit("word", "for", start)
        elif run in FUNCTIONS:
            self.function(run, start)
        elif run in CONSTANT_WORDS and not self.outside:
            self.emit("name", "const", start)
        elif run.lower() in WORDS or (len(run) > 3 and run not in GREEK and run not in UNIT_RUNS):
            self.emit("word", run, start)
        else:
            self.upright_name(run, start)

    def roman_run(self, run: str, start: int) -> None:
        """Letters in an upright font."""
        if run in FUNCTIONS:
            self.function(run, start)
        elif run in KEYWORDS:
            self.emit("word", run, start)
        else:
            self.upright_name(CONSTANT_WORDS.get(run, run), start)

    def upright_name(self, run: str, start: int) -> None:
        """One name in upright type."""
        before, self.roman = self.roman, True
        self.emit("name", run, start)
        self.roman = before

    def subscript_run(self, run: str, start: int) -> None:
        """Letters behind ``_``: one letter in TeX, the whole identifier in plain text."""
        following = self.text[self.position : self.position + 1]
        if self.tokens[-2:-1] and self.tokens[-2].text == "k" and run[0] == "B":
            length = 1  # k_BT
        elif self.roman or self.plain or self.outside or run in LABELS or run in GREEK:
            length = len(run)
            if self.plain and following.isdigit():
                tail = re.match(r"\w+", self.text[self.position :])
                if tail is not None:
                    run += tail.group()
                    length = len(run)
                    self.position += tail.end()
        else:
            length = 1
        self.emit("name", run[:length], start)
        if run[length:]:
            self.segments(run[length:], start + length)

    def segments(self, run: str, start: int) -> None:
        """Cut letters into known names and single letters; long leftovers are words."""
        pieces: list[str] = []
        index = 0
        if run[0] == "d" and run[1:] in GREEK:
            pieces, index = ["d", run[1:]], len(run)
        while index < len(run):
            for name in _SEGMENT_NAMES:
                if run.startswith(name, index):
                    break
            else:
                name = run[index]
            pieces.append(name)
            index += len(name)
        letters = sum(len(piece) == 1 for piece in pieces)
        if letters >= 5 or (letters >= 4 and run[1:].islower() and letters == len(run)):
            self.emit("word", run, start)
            return
        offset = start
        for piece in pieces:
            if piece in FUNCTIONS:
                self.function(piece, offset)
            else:
                self.emit("name", piece, offset)
            offset += len(piece)
