"""LaTeX commands that the lexer deals with: letters, signs, fonts, spaces, environments."""

from __future__ import annotations

import re

from ecliptic.grading.letters import Letters
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.siunitx import read_units
from ecliptic.grading.symbols import (
    DISPLAYS,
    DROPPED_WITH_ARGUMENT,
    FUNCTIONS,
    IGNORED,
    LETTER_COMMANDS,
    LETTER_VARIANTS,
    MATRICES,
    RELATIONS,
    SIGNS,
    UPRIGHT,
)
from ecliptic.grading.tokens import MAX_DIGITS, MAX_POWER_OF_TEN

_NUMBER_ARGUMENT = (
    r"\s*(?:\[[^\]]*\])?\{\s*(?P<sign>[+-]?)(?P<digits>\d+(?:\.\d*)?)"
    r"(?:[eE](?P<power>[+-]?\d+))?\s*\}"
)
_UNIT_ARGUMENT = r"\s*\{(?P<unit>(?:[^{}]|\{[^{}]*\})*)\}"
_SI_NUMBER = re.compile(_NUMBER_ARGUMENT)
_SI_UNIT = re.compile(_UNIT_ARGUMENT)
_SI_BOTH = re.compile(_NUMBER_ARGUMENT + _UNIT_ARGUMENT)
_LETTER_GROUP = re.compile(r"\s*\{\s*[A-Za-z]\s*\}")
_WORD_GROUP = re.compile(r"\s*\{\s*[A-Za-z]{2,}\s*\}")
_SPACES = frozenset((",", ":", ";", " ", "!", ">", "\t", "\n"))


class Commands(Letters):
    """Reads commands; numbers and signs are in ``lexer``."""

    def check_size(self, digits: str, exponent: str, start: int) -> None:
        """The budgets of one number."""
        if len(digits) > MAX_DIGITS:
            raise ParseFailure(
                f"a number has {len(digits)} digits, more than {MAX_DIGITS}",
                self.where(start),
                limit="digits",
            )
        if len(exponent) > 7 or (exponent and abs(int(exponent)) > MAX_POWER_OF_TEN):
            raise ParseFailure(
                f"a power of ten beyond {MAX_POWER_OF_TEN}", self.where(start), limit="exponent"
            )

    def command(self, lexeme: str, start: int) -> None:
        """Emit what a command stands for, or change the state."""
        name = lexeme[1:]
        if lexeme in RELATIONS:
            self.emit("rel", RELATIONS[lexeme], start)
        elif lexeme in SIGNS:
            self.emit("op", SIGNS[lexeme], start)
        elif name in LETTER_VARIANTS or name in LETTER_COMMANDS:
            self.emit("name", LETTER_VARIANTS.get(name, name), start)
        elif name in FUNCTIONS and name != "sqrt" and name != "div":
            self.emit("func", FUNCTIONS[name], start)
        elif name == "textbf" and self.is_bold_letter(start):
            self.emit("cmd", "mathbf", start)
        elif name in UPRIGHT or (name == "mathit" and _WORD_GROUP.match(self.text, self.position)):
            self.upright(name)
        elif name == "dd":
            self.upright_name("d", start)
        elif name in ("(", ")", "[", "]"):
            self.outside = self.dollars and name == ")"
        elif name == "\\":
            self.row(start)
        elif name in _SPACES:
            self.spaced = True
        elif name in ("quad", "qquad"):
            self.emit("op", "quad", start)
        elif name in ("left", "bigl", "Bigl", "biggl", "Biggl"):
            self.side = "left"
        elif name in ("right", "bigr", "Bigr", "biggr", "Biggr"):
            self.side = "right"
        elif name in IGNORED:
            self.spaced = self.spaced or name.endswith(("space", "skip"))
        elif name in DROPPED_WITH_ARGUMENT:
            self.drop_argument(start)
        elif name in ("begin", "end"):
            self.environment(name, start)
        elif name == "qty" and self.text[self.position :].lstrip()[:1] in ("(", "[", "|"):
            self.spaced = True
        elif name in ("SI", "qty", "si", "unit", "ang"):
            self.siunitx(name, start)
        elif name == "not" and self.text[self.position :].lstrip()[:1] == "=":
            self.position = self.text.index("=", self.position) + 1
            self.emit("rel", "!=", start)
        elif name in ("lor", "land", "vee", "&"):
            self.emit("word", "and" if name in ("land", "&") else "or", start)
        elif name in ("def", "newcommand", "renewcommand", "let", "edef", "gdef", "input", "write"):
            raise self.fail(f"macro definitions ({lexeme}) are not read", start)
        elif name in ("dots", "ldots", "cdots", "dotsc", "dotsb", "vdots", "ddots"):
            raise self.fail("an ellipsis leaves the formula open", start)
        elif name in ("AA", "angstrom"):
            self.upright_name("Angstrom", start)
        else:
            self.emit("cmd", name, start)

    def is_bold_letter(self, start: int) -> bool:
        """Whether a letter in bold text stands in a formula, and is not all there is."""
        group = _LETTER_GROUP.match(self.text, self.position)
        rest = "" if group is None else self.text[:start] + self.text[group.end() :]
        return bool(rest.strip(" $.()"))

    def upright(self, name: str) -> None:
        """An upright font, for a group, one letter, or the rest of a group."""
        prose = name.startswith(("text", "mbox", "hbox")) or name == "textrm"
        if name == "rm":
            self.roman = True
            return
        opening = re.compile(r"\s*\{").match(self.text, self.position)
        if opening is None:
            if name.startswith("operatorname"):
                return
            single = re.compile(r"\s*([A-Za-z])").match(self.text, self.position)
            if single is not None:
                self.position = single.end()
                self.upright_name(single.group(1), single.start(1))
            return
        kept = bool(self.tokens) and self.tokens[-1].text in ("_", "^")
        self.braces.append((kept, self.roman, self.prose))
        if kept:
            self.emit("op", "{", opening.end() - 1)
        self.roman = True
        self.prose = prose
        self.position = opening.end()

    def siunitx(self, name: str, start: int) -> None:
        """``\\SI{number}{unit}``, ``\\unit{unit}`` and ``\\ang{number}`` as number and units."""
        pattern = {"ang": _SI_NUMBER, "si": _SI_UNIT, "unit": _SI_UNIT}.get(name, _SI_BOTH)
        match = pattern.match(self.text, self.position)
        parts = match.groupdict() if match is not None else {}
        units = read_units(parts.get("unit") or "")
        if match is None or units is None:
            raise self.fail(f"the argument of \\{name} is not read", start)
        self.position = match.end()
        if "sign" in parts:
            if parts["sign"]:
                self.emit("op", parts["sign"], start)
            self.check_size(parts["digits"], parts["power"] or "", start)
            self.emit(
                "num", parts["digits"] + ("e" + parts["power"] if parts["power"] else ""), start
            )
        if name == "ang":
            self.emit("name", "degree", start)
        for unit, power in units:
            self.upright_name(unit, start)
            if power != 1:
                for sign in ("^", "{", *("-" if power < 0 else "")):
                    self.emit("op", sign, start)
                self.emit("num", str(abs(power)), start)
                self.emit("op", "}", start)

    def row(self, start: int) -> None:
        """A row separator with its optional skip."""
        skip = re.compile(r"\s*\[[^\]]{0,20}(?:pt|em|ex|mm|cm)\]").match(self.text, self.position)
        if skip is not None:
            self.position = skip.end()
        self.emit("op", "row", start)

    def drop_argument(self, start: int) -> None:
        """Leave out the argument of a command that says nothing."""
        argument = re.compile(r"\s*\{[^{}]*\}").match(self.text, self.position)
        if argument is None:
            raise self.fail("a command lacks its {...} argument", start)
        self.position = argument.end()

    def environment(self, command: str, start: int) -> None:
        """Begin or end an environment; displays disappear."""
        match = re.compile(r"\s*\{([A-Za-z]+)\*?\}").match(self.text, self.position)
        if match is None:
            raise self.fail(f"\\{command} lacks the name of an environment", start)
        self.position = match.end()
        name = match.group(1)
        if name not in DISPLAYS and name not in MATRICES and name not in ("cases", "dcases"):
            raise self.fail(f"the environment '{name}' is not read", start)
        if command == "end":
            if not self.environments or self.environments.pop() != name:
                raise self.fail(f"\\end{{{name}}} closes nothing", start)
        else:
            self.environments.append(name)
            if name in ("array", "alignat", "alignedat"):
                columns = re.compile(r"\s*\{[^{}]*\}").match(self.text, self.position)
                self.position = columns.end() if columns is not None else self.position
        if name not in DISPLAYS:
            kind = "cases" if name.endswith("cases") else "matrix"
            self.emit("op", f"{command} {kind}", start)
