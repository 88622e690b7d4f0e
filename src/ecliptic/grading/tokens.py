"""Tokens of a formula and the state of the pass that makes them."""

from __future__ import annotations

from typing import NamedTuple

from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.unicode_maths import to_ascii

MAX_CHARACTERS = 20_000
MAX_TOKENS = 6_000
MAX_DIGITS = 400
MAX_POWER_OF_TEN = 100_000


class Token(NamedTuple):
    """``kind``: num, name, func, cmd, op, rel, word or end; ``position`` is in the given text."""

    kind: str
    text: str
    position: int
    roman: bool = False
    spaced: bool = False
    """A spacing command stood before it."""


class TokenStream:
    """The text, the tokens so far, and the open fonts and braces; no recursion."""

    def __init__(self, given: str) -> None:
        self.plain = not any(mark in given for mark in "\\$")
        self.text, self.origin = to_ascii(given)
        self.dollars = "$" in self.text or "\\(" in self.text
        self.outside = self.dollars
        self.tokens: list[Token] = []
        self.position = 0
        self.roman = False
        self.prose = False
        self.spaced = False
        self.side = ""
        self.braces: list[tuple[bool, bool, bool]] = []  # (kept, roman before, prose before)
        self.environments: list[str] = []
        self.lefts: list[str] = []

    def where(self, position: int) -> int:
        """Offset in the text as given."""
        return self.origin[position] if self.origin is not None else position

    def emit(self, kind: str, text: str, position: int) -> None:
        """Append a token."""
        if self.side:
            if kind == "op":
                text = self.delimiter(text, position)
            elif kind == "rel" and text in "<>":
                kind, text = "op", "langle" if text == "<" else "rangle"
            self.side = ""
        self.tokens.append(Token(kind, text, self.where(position), self.roman, self.spaced))
        self.spaced = False
        if len(self.tokens) > MAX_TOKENS:
            raise ParseFailure(
                f"the formula has more than {MAX_TOKENS} tokens",
                self.where(position),
                limit="tokens",
            )

    def delimiter(self, text: str, position: int) -> str:
        """Sign of a ``\\left`` or ``\\right`` delimiter; ``\\left. x \\right|`` closes twice."""
        if self.side == "left":
            self.lefts.append(text)
            return "lbar" if text == "|" else text
        opening = self.lefts.pop() if self.lefts else ""
        if text != "|":
            return text
        if opening == "(.":
            self.tokens.append(Token("op", ".)", self.where(position)))
            return "|"
        return "rbar"

    def fail(self, message: str, position: int) -> ParseFailure:
        """A failure at a position of the ASCII text."""
        return ParseFailure(message, self.where(position))
