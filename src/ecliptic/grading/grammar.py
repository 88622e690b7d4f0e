"""Precedence parser from tokens to an expression tree: relations, sums, products.

Every loop is over tokens and every recursion goes through :meth:`Cursor.enter`, so the budgets
bound the time and the stack. Commands and operators with a structure of their own are in
``macros``, ``functions``, ``derivatives``, ``integrals`` and ``vectors``.
"""

from __future__ import annotations

from ecliptic.grading import vectors
from ecliptic.grading.expression import (
    Expression,
    Interval,
    Mul,
    Number,
    PlusMinus,
    Relation,
    Symbol,
    System,
    add,
    divide,
    multiply,
    negate,
    number,
    power,
)
from ecliptic.grading.factors import Factors
from ecliptic.grading.tokens import Token
from ecliptic.grading.unit_symbols import unit_symbol


class Grammar(Factors):
    """The whole grammar of a formula; statements of an answer are put together in ``relations``."""

    def statement(self) -> Expression:
        """A sum, a relation or a chain of relations."""
        left: Expression | None = None
        if self.token.kind != "rel":
            left = self.sum()
        links: list[Expression] = []
        while self.token.kind == "rel":
            operator = self.advance().text
            right = self.right_side(operator)
            if operator == "in" and not links and self.token.text == "cup" and left is not None:
                return self.union(left, right)
            links.append(Relation(operator, left, right))  # type: ignore[arg-type]
            left = right
        if not links:
            assert left is not None
            return left
        return links[0] if len(links) == 1 else System(tuple(links))

    def union(self, left: Expression, first: Expression) -> Expression:
        """``(-\\infty, a) \\cup (b, \\infty)`` as alternatives."""
        intervals = [first]
        while self.token.text == "cup":
            self.advance()
            intervals.append(self.right_side("in"))
        if not all(isinstance(part, Interval) for part in intervals):
            raise self.failure("a union of what is no interval")
        return System(tuple(Relation("in", left, part) for part in intervals), (), "or")

    def right_side(self, operator: str) -> Expression:
        """What stands behind a relation sign."""
        if operator == "in" and self.token.text in ("[", "(", "]"):
            return self.interval()
        if self.token.kind == "rel":
            raise self.failure("two relation signs stand side by side")
        return self.sum()

    def sum(self) -> Expression:
        """Terms with plus and minus."""
        terms: list[Expression] = []
        first = True
        while True:
            token = self.token
            sign = token.text if token.kind == "op" else ""
            if sign in ("+", "-", "pm", "mp"):
                self.advance()
                terms.append(self.signed(sign, self.after_sign(token)))
            elif first:
                terms.append(self.term())
            else:
                break
            first = False
        return add(*terms)

    def after_sign(self, sign: Token) -> Expression:
        """The term behind a sign; more signs may follow (``- -x``)."""
        flips = 0
        while self.token.kind == "op" and self.token.text in ("+", "-"):
            flips += self.advance().text == "-"
        if self.token.kind == "end" or not (self.starts_factor() or self.at("|")):
            raise self.failure(f"nothing stands behind '{sign.text}'", sign)
        term = self.term()
        return negate(term) if flips % 2 else term

    @staticmethod
    def signed(sign: str, term: Expression) -> Expression:
        """The term with its sign."""
        if sign == "-":
            return negate(term)
        if sign == "+":
            return term
        return PlusMinus(term, 1 if sign == "pm" else -1)

    def term(self) -> Expression:
        """Chunks with explicit products between them."""
        parts = [self.chunk()]
        while self.token.kind == "op" and self.token.text in ("*", "\\times", "\\cdot"):
            sign = self.advance().text
            right = self.signed_chunk()
            if vectors.may_join(sign, right) or self.is_power_of_ten(right):
                left = multiply(*parts)
                joined = vectors.joined(sign, left, right)
                if joined is None:
                    joined = self.scientific(left, right)
                parts = [multiply(left, right) if joined is None else joined]
            else:
                parts.append(right)
        return multiply(*parts)

    @staticmethod
    def is_power_of_ten(node: Expression) -> bool:
        """Whether a chunk begins with a decimal number, such as ``10^6``."""
        first = node.factors[0] if isinstance(node, Mul) else node
        return isinstance(first, Number) and first.decimal

    def signed_chunk(self) -> Expression:
        """A chunk behind a product sign, which may have a sign of its own."""
        flips = 0
        while self.token.kind == "op" and self.token.text in ("+", "-"):
            flips += self.advance().text == "-"
        right = self.chunk()
        return negate(right) if flips % 2 else right

    @staticmethod
    def scientific(left: Expression, right: Expression) -> Expression | None:
        """``1.2 \\times 10^6`` (perhaps with factors before or behind) as one number."""
        factors = right.factors if isinstance(right, Mul) else (right,)
        before = left.factors if isinstance(left, Mul) else (left,)
        ten, mantissa = factors[0], before[-1]
        if not (isinstance(ten, Number) and isinstance(mantissa, Number) and ten.decimal):
            return None
        value = number(
            mantissa.coefficient * ten.coefficient, mantissa.exponent + ten.exponent, decimal=True
        )
        return multiply(*before[:-1], value, *factors[1:])

    def chunk(self) -> Expression:
        """Factors side by side, and divisions between them."""
        factors: list[Expression] = []
        while True:
            start = self.token
            if factors and start.kind == "num" and self.number_before(factors[-1]):
                raise self.failure("two numbers stand side by side without a sign between them")
            if factors and vectors.is_open(factors[-1]):
                factors[-1] = vectors.directed(factors[-1], self.factor())
            else:
                factors.append(self.factor())
            while self.at("/"):
                self.advance()
                self.divide_by(factors)
            if not self.starts_factor():
                break
        return multiply(*factors)

    def number_before(self, factor: Expression) -> bool:
        """Whether the last token was a number literal."""
        return isinstance(factor, Number) and self.tokens[self.index - 1].kind == "num"

    def divide_by(self, factors: list[Expression]) -> None:
        """``a/b``: the slash takes the next factor, or the whole product by the rule."""
        flips = 0
        while self.token.kind == "op" and self.token.text in ("+", "-"):
            flips += self.advance().text == "-"
        below = self.factor()
        numeric = len(factors) == 1 and isinstance(factors[0], Number)
        grouped = self.reading.slash_groups_product or (
            self.reading.slash_groups_exponent and self.exponents
        )
        if grouped and not numeric:
            parts = [below]
            while self.starts_factor():
                parts.append(self.factor())
            below = multiply(*parts)
        elif len(factors) == 1 and isinstance(factors[0], Symbol) and not factors[0].roman:
            below = self.with_unit(below)
        if flips % 2:
            below = negate(below)
        factors[-1] = divide(factors[-1], below)
        if isinstance(factors[-1], Mul):
            factors[-1:] = factors[-1].factors

    def with_unit(self, below: Expression) -> Expression:
        """By the rule ``unit below``: the number below a slash with the unit behind it."""
        if not isinstance(below, Number):
            return below
        parts: list[Expression] = [below]
        while True:
            divided = self.at("/") and self.token.roman and len(parts) > 1
            token = self.ahead() if divided else self.token
            if not _is_upright_unit(token) or self.is_differential():
                return multiply(*parts)
            if divided:
                self.advance()
            factor = self.factor()
            parts.append(power(factor, number(-1)) if divided else factor)


def _is_upright_unit(token: Token) -> bool:
    """An upright unit; d, e and i are rather operators and constants."""
    return (
        token.kind == "name"
        and token.roman
        and token.text not in ("d", "e", "i")
        and unit_symbol(token.text) is not None
    )
