"""One factor of a product: an atom with powers, factorials, evaluation bars."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ecliptic.grading import application, functions, macros
from ecliptic.grading.application import read_number
from ecliptic.grading.brackets import Brackets
from ecliptic.grading.cursor import FACTOR_SIGNS, INFIX_COMMANDS
from ecliptic.grading.expression import (
    At,
    Call,
    Constant,
    Expression,
    Number,
    Power,
    Symbol,
    multiply,
    negate,
    power,
)
from ecliptic.grading.names import Names, joined_name

_LOGARITHMS = frozenset(("ln", "log"))


class Factors(Names, Brackets):
    """Reads factors; sums and products are in ``grammar``."""

    def factor(self) -> Expression:
        """An atom with its subscripts, powers and postfixes."""
        token = self.token
        if token.kind == "name":
            base = self.name()
        elif token.kind == "num":
            self.advance()
            base = read_number(token.text)
        elif token.kind == "func":
            value = functions.call(self)
            loose = self.at("^") and isinstance(value, Call) and value.function in _LOGARITHMS
            raised = self.postfix(value)
            return replace(raised, loose=True) if loose and isinstance(raised, Power) else raised
        elif token.kind == "cmd":
            base = macros.command(self)
        elif token.kind == "op":
            base = self.fenced()
        elif token.kind == "word":
            raise self.failure(f"the word '{token.text[:30]}' is no part of a formula")
        else:
            raise self.failure(f"{self.shown()} where a quantity was expected")
        return self.postfix(base)

    def starts_factor(self) -> bool:
        """Whether the token at the cursor can begin a factor."""
        token = self.token
        kind = token.kind
        if kind in ("name", "num", "func"):
            return True
        if kind == "cmd":
            return token.text not in INFIX_COMMANDS
        if kind == "op":
            if token.text == "|":
                return not self.bars
            return token.text in FACTOR_SIGNS
        return False

    def postfix(self, base: Expression) -> Expression:
        """Powers, factorials, per cent and evaluation bars behind a factor."""
        count = 0
        while self.token.kind == "op":
            text = self.token.text
            if text == "^":
                base = self.raised(base)
            elif text == "!":
                self.advance()
                base = Call("factorial2" if self.take("!") else "factorial", (base,))
            elif text == "%":
                self.advance()
                base = multiply(base, Number(Fraction(1, 100)))
            elif text == "_":
                self.advance()
                base = self.subscripted(base)
            elif text in ("|", "rbar") and self.ahead().text == "_" and not self.bars:
                base = self.evaluated(base)
            elif text == "'" and isinstance(base, Symbol):
                base = self.primed(base)
            else:
                break
            count += 1
            if count > 20:
                raise self.failure("too many powers or signs on one factor")
        return base

    def subscripted(self, base: Expression) -> Expression:
        """A subscript behind a finished factor."""
        name = self.script_name()
        if isinstance(base, Symbol):
            return Symbol(joined_name(base.name, name), base.style, base.roman)
        if isinstance(base, Power) and isinstance(base.base, Symbol):
            inner = base.base
            named = Symbol(joined_name(inner.name, name), inner.style)
            return application.raised_function(self, Power(named, base.exponent))
        if isinstance(base, Number) or (isinstance(base, Power) and isinstance(base.base, Number)):
            raise self.failure("a number has a subscript")
        return Call("component", (base, Symbol(name)))

    def evaluated(self, operand: Expression) -> Expression:
        """``... |_{x=0}``"""
        self.advance()
        self.expect("_")
        conditions = self.condition_group()
        if self.take("^"):
            upper = self.script()
            return At(operand, (*conditions, upper))
        return At(operand, conditions)

    def condition_group(self) -> tuple[Expression, ...]:
        """The conditions of an evaluation bar."""
        if not self.take("{"):
            return (self.factor(),)
        conditions = [self.statement()]
        while self.take(","):
            conditions.append(self.statement())
        self.expect("}")
        return tuple(conditions)

    def raised(self, base: Expression) -> Expression:
        """A factor with the power or label behind it."""
        self.advance()
        label = self.power_label()
        if label == "degree":
            return multiply(base, Constant("degree"))
        if label and isinstance(base, Symbol):
            return application.applied(self, Symbol(base.name + label, base.style, base.roman))
        if label:
            raise self.failure("a label stands where a power was expected")
        euler = base == Constant("euler_e") or (isinstance(base, Symbol) and base.name == "e")
        self.exponents += euler
        exponent = self.script()
        self.exponents -= euler
        if isinstance(base, Symbol) and base.name == "e" and not base.style:
            if self.is_euler(exponent):
                return Call("exp", (exponent,))
        elif base == Constant("euler_e"):
            return Call("exp", (exponent,))
        return application.raised_function(self, power(base, exponent))

    def power_label(self) -> str:
        """A superscript that is a mark or a name, not a power: star, prime, degree, (1), max."""
        index = self.index
        braced = self.take("{")
        token = self.token
        label = ""
        if token.kind == "op" and (
            token.text in ("*", "dagger", "'") or (braced and token.text in ("+", "-"))
        ):
            label = "'" if token.text == "'" else "^" + token.text
            self.advance()
            while self.take("'"):
                label += "'"
        elif token.kind == "name" and token.text in ("circ", "degree"):
            self.advance()
            label = "degree"
        elif (token.kind == "name" and token.roman and len(token.text) > 1) or (
            braced and token.kind == "func" and self.ahead().text == "}"
        ):
            self.advance()
            label = "^" + token.text
        elif (
            token.text == "("
            and braced
            and self.ahead().kind == "num"
            and self.ahead(2).text == ")"
        ):
            label = f"^({self.ahead().text})"
            self.index += 3
        if label and (not braced or self.take("}")):
            return label
        self.index = index
        return ""

    def is_euler(self, exponent: Expression) -> bool:
        """``e^n`` with a positive integer n beside other letters is a power of the symbol e."""
        if not isinstance(exponent, Number) or exponent.coefficient <= 0:
            return True
        return exponent.coefficient.denominator != 1 or not self.letters()

    def letters(self) -> frozenset[str]:
        """Letters of the text beside e and the constants."""
        if self.others is None:
            self.others = application.other_letters(self.tokens)
        return self.others

    def script(self, *, chained: bool = True) -> Expression:
        """What stands behind ``^``."""
        self.enter()
        token = self.token
        negative = False
        while token.kind == "op" and token.text in ("-", "+"):
            negative ^= token.text == "-"
            self.advance()
            token = self.token
        bars, self.bars = self.bars, 0
        if self.at("{"):
            result = self.braced()
        elif token.kind == "op" and token.text == "(":
            result = self.bracketed()
        elif token.kind == "num":
            self.advance()
            result = read_number(token.text)
        elif token.kind == "name":
            result = self.name(applies=False)
        elif token.kind == "cmd":
            result = macros.command(self)
        else:
            raise self.failure(f"{self.shown()} where a power was expected")
        if chained and self.at("^"):  # plain text: a^b^c
            result = self.raised(result)
        self.bars = bars
        self.leave()
        return negate(result) if negative else result
