"""Brackets of every kind: groups, tuples, intervals, absolute values, arguments of commands."""

from __future__ import annotations

from ecliptic.grading import application, macros
from ecliptic.grading.application import read_number
from ecliptic.grading.cursor import CLOSERS, INFIX_COMMANDS, Cursor
from ecliptic.grading.expression import Call, Expression, Interval, Tuple, divide

_CLOSER_OF = {"(": (")", "]"), "[": ("]", ")"), "lset": ("rset",), "{": ("}",), "(.": (".)",)}
_FENCES = {"langle": ("rangle", "mean"), "lfloor": ("rfloor", "floor"), "lceil": ("rceil", "ceil")}


class Brackets(Cursor):
    """Reads what stands between an opening and a closing sign."""

    def braced(self) -> Expression:
        """``{...}`` as a group, with TeX's infix ``\\over``."""
        opening = self.token
        self.expect("{")
        self.enter()
        if self.at("}"):
            raise self.failure("an empty group", opening)
        bold = self.bold
        bars, self.bars = self.bars, 0
        result = self.statement()
        if self.token.kind == "cmd" and self.token.text in INFIX_COMMANDS:
            command = self.advance().text
            below = self.statement()
            result = (
                Call("binomial", (result, below)) if command == "choose" else divide(result, below)
            )
        self.bars = bars
        self.bold = bold
        self.expect("}")
        self.leave()
        return result

    def argument(self) -> Expression:
        """Argument of a LaTeX command: ``{...}`` or one token."""
        token = self.token
        if self.at("{"):
            return self.braced()
        if token.kind == "num" and len(token.text) > 1 and token.text.isdigit():
            rest = token._replace(text=token.text[1:], position=token.position + 1)
            self.tokens[self.index] = rest  # \frac12
            return read_number(token.text[0])
        if token.kind == "num":
            self.advance()
            return read_number(token.text)
        if token.kind == "name":
            self.advance()
            return application.symbol_or_constant(self, token)
        if token.kind == "cmd":
            self.enter()
            result = macros.command(self)
            self.leave()
            return result
        if token.kind == "op" and token.text in ("(", "|"):
            return self.fenced()
        raise self.failure(f"{self.shown()} where an argument was expected")

    def fenced(self) -> Expression:
        """An atom that begins with a sign: a bracket, a bar, an environment."""
        token = self.token
        text = token.text
        if text == "{":
            return self.braced()
        if text in ("|", "lbar"):
            return self.absolute()
        if text in _FENCES:
            closer, function = _FENCES[text]
            self.advance()
            self.enter()
            inner = self.sum()
            self.expect(closer)
            self.leave()
            return Call(function, (inner,))
        if text in ("(", "[", "lset", "(."):
            return self.bracketed()
        if text in ("begin cases", "begin matrix"):
            return macros.environment(self)
        if text in CLOSERS:
            raise self.failure(f"'{text}' closes nothing")
        if text in ("parallel", "perp", "'"):
            raise self.failure(f"'{text}' has no letter to belong to")
        raise self.failure(f"{self.shown()} where a quantity was expected")

    def absolute(self) -> Expression:
        """``|x|``"""
        opening = self.advance().text
        self.enter()
        bars, self.bars = self.bars, 1
        inner = self.sum()
        self.bars = bars
        closer = "|" if opening == "|" else "rbar"
        if not (self.take(closer) or self.take("rbar") or self.take("|")):
            raise self.failure("an absolute value is not closed")
        self.leave()
        return Call("abs", (inner,))

    def bracketed(self) -> Expression:
        """A bracket group: grouping, tuple, interval or set."""
        opening = self.advance()
        kind = opening.text
        self.enter()
        bars, self.bars = self.bars, 0
        if kind == "lset" and self.token.text in ("begin matrix", "begin cases"):
            result = macros.environment(self, cases=True)
            if not (self.take(".)") or self.take("rset")):
                raise self.failure("a bracket is not closed", opening)
            self.bars = bars
            self.leave()
            return result
        items = [self.statement()]
        while self.take(",") or self.take(";"):
            items.append(self.statement())
        closing = self.token
        if kind == "(." and closing.text == "rbar":
            pass  # \left. ... \right|_{x=0}: the postfix reads the bar
        elif closing.kind == "op" and closing.text in _CLOSER_OF[kind]:
            self.advance()
        else:
            what = "the end" if closing.kind == "end" else f"'{closing.text}'"
            raise self.failure(f"a bracket is not closed before {what}")
        self.bars = bars
        self.leave()
        if len(items) == 1:
            if closing.text not in ("rbar", _CLOSER_OF[kind][0]):
                raise self.failure("a bracket is closed by another kind", closing)
            return items[0]
        if len(items) == 2 and (kind == "[" or closing.text == "]"):
            return Interval(items[0], items[1], kind == "[", closing.text == "]")
        return Tuple(tuple(items), "set" if kind == "lset" else "tuple")

    def interval(self) -> Expression:
        """``[a, b)`` behind an element sign."""
        opening = self.advance().text
        self.enter()
        lower = self.sum()
        if not self.take(",") and not self.take(";"):
            raise self.failure("an interval needs two ends")
        upper = self.sum()
        closing = self.advance()
        if closing.text not in (")", "]", "["):
            raise self.failure("an interval is not closed", closing)
        self.leave()
        return Interval(lower, upper, opening == "[", closing.text == "]")
