"""Names with their scripts and primes."""

from __future__ import annotations

from ecliptic.grading import application, derivatives, integrals, macros
from ecliptic.grading.cursor import Cursor
from ecliptic.grading.expression import Expression, Symbol, multiply
from ecliptic.grading.symbols import FRACTIONS
from ecliptic.grading.unit_symbols import unit_symbol

_SCRIPT_SIGNS = frozenset(("parallel", "perp", "*", "+", "-", "|", "pm", "mp"))
"""Signs that stand below a letter as its label."""


class Names(Cursor):
    """Reads letters, subscripts and what depends on the letter (constants, derivatives)."""

    def symbol(self) -> Expression:
        """A name with its scripts, never applied to a bracket."""
        return self.name(applies=False)

    def name(self, *, applies: bool = True) -> Expression:
        """A letter with its subscripts and primes, a constant, or a derivative that begins here."""
        token = self.token
        if token.text == "d" or token.text == "D":
            found = derivatives.slash_derivative(self)
            if found is not None:
                return found
            if self.is_differential():
                return integrals.read_differential(self)
        self.advance()
        letter = application.symbol_or_constant(self, token)
        if not isinstance(letter, Symbol):
            return letter
        if token.text in ("Delta", "delta") and application.is_letter(self):
            inner = self.argument()
            if isinstance(inner, Symbol):
                inner = self.scripted(inner)
            if isinstance(inner, Symbol):
                return Symbol(f"{token.text} {inner.name}", inner.style)
            return multiply(letter, inner)
        if not applies and not (self.at("_") or self.at("'")):
            if letter.name in self.reading.vectors and not letter.style:
                return Symbol(letter.name, "vector")
            return letter
        symbol = self.scripted(letter)
        if isinstance(symbol, Symbol) and symbol.name in self.reading.vectors and not symbol.style:
            symbol = Symbol(symbol.name, "vector")
        if applies and isinstance(symbol, Symbol):
            unit = self.unit_label()
            if unit:
                return Symbol(f"{symbol.name}[{unit}]", symbol.style, symbol.roman)
            return application.applied(self, symbol)
        return symbol

    def unit_label(self) -> str:
        r"""Take ``[\mathrm{keV}]`` behind a letter, the unit of a number that it stands for."""
        if not (self.at("[") or self.at("(")):
            return ""
        unit, closing = self.ahead(), self.ahead(2)
        if not (unit.roman and unit.kind == "name" and closing.text in ("]", ")")):
            return ""
        if len(unit.text) < 2 or unit_symbol(unit.text) is None:
            return ""
        self.index += 3
        return unit.text

    def scripted(self, symbol: Symbol) -> Expression:
        """Subscripts and primes; a power between them (``x^2_1``) is kept for behind the name."""
        name, primes = symbol.name, ""
        while self.token.kind == "op":
            if self.at("_"):
                self.advance()
                name = joined_name(name, self.script_name())
            elif self.at("'"):
                self.advance()
                primes += "'"
            elif self.at("^") and self.prime_power():
                primes += "'"
            elif self.at("parallel") or self.at("perp"):  # a sign right behind its letter
                name = joined_name(name, self.advance().text)
            else:
                break
        name += primes
        if symbol.style == "vector" and name.startswith("e_") and len(name) > 2:
            return Symbol(name[2:], "unit")
        if name in ("pi", "infty") and not symbol.style:
            return application.constant(name)
        return Symbol(name, symbol.style, symbol.roman)

    def prime_power(self) -> bool:
        """Take ``^\\prime`` or ``^{\\prime}``."""
        if self.ahead().text == "'":
            self.index += 2
            return True
        if self.ahead().text == "{" and self.ahead(2).text == "'" and self.ahead(3).text == "}":
            self.index += 4
            return True
        return False

    def primed(self, base: Symbol) -> Expression:
        """Primes behind a finished symbol."""
        marks = 0
        while self.take("'"):
            marks += 1
        base = Symbol(base.name + "'" * marks, base.style, base.roman)
        return application.applied(self, base)

    def script_name(self) -> str:
        """What stands behind ``_``, as part of a name."""
        token = self.token
        if not self.at("{"):
            if token.kind in ("name", "num", "func"):
                self.advance()
                return token.text
            if token.kind == "op" and token.text in _SCRIPT_SIGNS:
                self.advance()
                return "parallel" if token.text == "|" else token.text
            if token.kind == "cmd" and token.text in macros.STYLE_COMMANDS:
                self.advance()
                return self.script_name()
            if token.kind == "op" and token.text == "(":
                return self.group_name("(", ")")
            raise self.failure(f"{self.shown()} where a subscript was expected")
        return self.group_name("{", "}")

    def group_name(self, opening: str, closing: str) -> str:
        """The text of a subscript group, fonts left out; numbers and letters run together."""
        first = self.token
        self.expect(opening)
        depth, parts = 1, []
        while True:
            token = self.advance()
            if token.kind == "end":
                raise self.failure("a subscript is not closed", first)
            if token.text == opening and token.kind == "op":
                depth += 1
            elif token.text == closing and token.kind == "op":
                depth -= 1
                if not depth:
                    break
            elif token.text == "|":
                parts.append("parallel")
            elif token.kind == "cmd" and token.text in FRACTIONS and self.at("{"):
                parts.append(f"{self.group_name('{', '}')}/{self.group_name('{', '}')}")
            elif token.kind == "cmd" and token.text not in macros.STYLE_COMMANDS:
                raise self.failure("a command stands inside a subscript", token)
            elif token.kind in ("cmd",) or token.text in ("{", "}", "quad"):
                continue
            else:
                parts.append(token.text)
        if not parts:
            raise self.failure("an empty subscript", first)
        return "".join(parts)


def joined_name(name: str, subscript: str) -> str:
    """``V`` and ``w`` to ``V_w``; a second subscript joins the first (``v_{A,0}``)."""
    if subscript in ("inf", "infinity"):
        subscript = "infty"
    return f"{name},{subscript}" if "_" in name else f"{name}_{subscript}"
