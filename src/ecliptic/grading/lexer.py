"""Cut a formula into tokens: LaTeX, plain text or Unicode maths, all into one alphabet.

Fonts, spacing, dollars, display environments and size commands disappear here; what they mean for
the reading (an upright name, a space that ends a function argument) stays on the token. Nothing is
expanded: macro definitions are refused.
"""

from __future__ import annotations

import re

from ecliptic.grading.commands import Commands
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.symbols import (
    DISPLAYS,
    FRACTIONS,
    RELATIONS,
)
from ecliptic.grading.tokens import MAX_CHARACTERS, Token

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<command>\\(?:[A-Za-z]+\*?|[^A-Za-z]))
  | (?P<number>(?:[1-9]\d{0,2}(?:(?:,|\{,\}|\\,|\\\ |\{\\,\}|~|\ )\d{3})+(?!\d)(?:\.\d+)?
      |\d+\.\d+|\d+\.(?![\w.])|\.\d+|\d+)(?:[eE](?:[+-]?\d+|\{[+-]?\d+\}))?)
  | (?P<letters>[A-Za-z]+)
  | (?P<relation>:=|==|<=|>=|!=|=<|=>|->|<>|<<|>>|~=|[=<>])
  | (?P<sign>\*\*|--|\+/-|\+-|[-+*/^_(){}\[\]|,;!'&%:])
  | (?P<dollar>\$+)
  | (?P<tie>~)
  | (?P<stop>\.+)
    """,
    re.VERBOSE,
)
_TIMES_LETTER = re.compile(r"\s*[xX]\s*(?=10\s*(?:\^|\*\*))")
_ROMAN_LETTER = re.compile(r"\{\s*\\rm\s+[A-Za-z]\s*\}")
"""``{\\rm d}``, one upright letter."""
_TWO_NUMBERS = re.compile(r"[(\[]\s*[-+]?$")
_FINAL_STOP = re.compile(r"(?:[\s$})\]]|\\\]|\\\)|\\end\{\w+\*?\})*+\Z")


def tokenize(text: str) -> list[Token]:
    """Tokens of the whole text, an ``end`` token last.

    :class:`ParseFailure` names the first character that is no part of a formula, or the budget
    that ran out (``MAX_CHARACTERS``, ``MAX_TOKENS``, ``MAX_DIGITS``).
    """
    if len(text) > MAX_CHARACTERS:
        raise ParseFailure(
            f"the formula has {len(text)} characters, more than {MAX_CHARACTERS}",
            MAX_CHARACTERS,
            limit="characters",
        )
    lexer = _Lexer(text)
    lexer.run()
    return lexer.tokens


class _Lexer(Commands):
    """Reads numbers and signs in one pass over the text; letters and commands are its bases."""

    def run(self) -> None:
        text, end = self.text, len(self.text)
        match_at = _TOKEN.match
        while self.position < end:
            start = self.position
            match = match_at(text, start)
            if match is None:
                raise self.fail(f"'{text[start]}' is no part of a formula", start)
            self.position = match.end()
            lexeme = match.group()
            kind = match.lastgroup
            if kind == "letters":
                self.letters(lexeme, start)
            elif kind == "sign":
                self.sign(lexeme, start)
            elif kind == "command":
                self.command(lexeme, start)
            elif kind == "number":
                self.number(lexeme, start)
            elif (
                kind == "relation"
                and lexeme == "!="
                and self.tokens[-1:]
                and (self.tokens[-1].kind == "num")
            ):
                self.emit("op", "!", start)  # 3!=6
                self.emit("rel", "=", start)
            elif kind == "relation":
                if lexeme == "~=" and self.dollars and not self.outside:
                    lexeme = "="
                self.emit("rel", RELATIONS[lexeme], start)
            elif kind == "dollar":
                self.outside = self.dollars and not self.outside
            elif kind == "space":
                if "\n" in lexeme and not self.braces:
                    self.emit("op", "quad", start)
            elif kind == "tie":
                self.tie(start)
            else:
                self.stop(lexeme, start)
        if self.braces:
            raise self.fail("a brace is not closed", end)
        self.emit("end", "the end", end)

    def tie(self, start: int) -> None:
        if self.dollars and not self.outside:
            self.spaced = True
            return
        opens = not self.tokens or self.tokens[-1].text in (",", ";", "quad", "=")
        if opens or self.plain:
            self.emit("rel", "approx", start)
        else:
            self.spaced = True

    def stop(self, lexeme: str, start: int) -> None:
        if len(lexeme) > 1:
            raise self.fail("an ellipsis leaves the formula open", start)
        if self.side:
            self.emit("op", "(." if self.side == "left" else ".)", start)
        elif self.text[self.position : self.position + 1] in ("", " ", "\n", "\t", "$") or (
            _FINAL_STOP.match(self.text, self.position)
        ):
            self.emit("op", ";", start)
        else:
            raise self.fail("a full stop stands inside the formula", start)

    def sign(self, lexeme: str, start: int) -> None:
        if lexeme == "{":
            kept = _ROMAN_LETTER.match(self.text, start) is None
            self.braces.append((kept, self.roman, self.prose))
            if kept:
                self.emit("op", "{", start)
        elif lexeme == "}":
            if not self.braces:
                raise self.fail("a closing brace has no opening one", start)
            kept, self.roman, self.prose = self.braces.pop()
            if kept:
                self.emit("op", "}", start)
        elif lexeme == "--":
            raise self.fail("a range ('--') is no expression", start)
        elif lexeme == "**":
            self.emit("op", "^", start)
        elif lexeme in ("+-", "+/-"):
            self.emit("op", "pm", start)
        elif lexeme == "&":
            if self.environments and self.environments[-1] not in DISPLAYS:
                self.emit("op", "&", start)
        else:
            self.emit("op", lexeme, start)

    def number(self, lexeme: str, start: int) -> None:
        digits, mark, exponent = lexeme.partition("e") if "e" in lexeme else lexeme.partition("E")
        digits_given = digits
        if not digits.isdigit():
            grouped = re.sub(r"\{,\}|\\,|\\ |\{\\,\}|~|,| ", "", digits)
            if "," in digits and "{" not in digits and digits.count(",") == 1:
                before = _TWO_NUMBERS.search(self.text, 0, start) is not None
                after = self.text[self.position : self.position + 1] in (")", "]")
                if before and after:  # (1,200) and [1,100] hold two numbers
                    digits = grouped = digits_given = digits.partition(",")[0]
                    self.position = start + len(digits)
                    mark = exponent = ""
            digits = grouped
        exponent = exponent.strip("{}")
        self.check_size(digits, exponent, start)
        following = self.text[self.position : self.position + 2]
        glued = re.match(r"\.\d|[eE]\d|,\d" if "," in digits_given else r"\.\d|[eE]\d", following)
        if glued or (exponent and following[:1] in ("e", "E")):
            raise self.fail("a malformed number", start)
        previous = self.tokens[-1] if self.tokens else None
        if (
            previous is not None
            and previous.kind == "name"
            and digits.isdigit()
            and start
            and self.text[start - 1].isalpha()
            and not self.in_script()
            and not (len(self.tokens) > 1 and self.tokens[-2].text in FRACTIONS)
            and "\\" not in self.text[max(0, start - len(previous.text) - 1) : start]
        ):
            self.emit("op", "_", start)  # u1 is u_1
        self.emit("num", digits + ("e" + exponent if mark else ""), start)
        times = _TIMES_LETTER.match(self.text, self.position)
        if times is not None:
            self.emit("op", "\\times", self.position)
            self.position = times.end()

    def in_script(self) -> bool:
        """Whether the last name belongs to a subscript that is still open or just began."""
        return len(self.tokens) > 1 and self.tokens[-2].text == "_"
