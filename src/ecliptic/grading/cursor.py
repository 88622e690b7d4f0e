"""A cursor over tokens with counted budgets, and the interface between the parts of the grammar."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from ecliptic.grading.expression import ONE, Call, Expression, Symbol
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.tokens import Token

MAX_DEPTH = 60
"""Nested brackets, fractions, roots and powers."""
MAX_NODES = 8_000

DIFFERENTIAL = "differential"
"""Name of the internal call for ``dx`` inside an integral; none is left in a finished tree."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How ambiguous spellings are read; see ``latex.py`` for the list."""

    slash_groups_product: bool = False
    slash_groups_exponent: bool = False
    """The same in exponents of e and arguments of exp only."""
    partial_dots: bool = False
    """Dots over letters are partial derivatives in time."""
    vectors: frozenset[str] = frozenset()
    """Names that are vectors though written in plain type."""


class Cursor(ABC):
    """Position in the token list; the methods that are abstract here live in ``grammar``."""

    def __init__(self, tokens: list[Token], reading: Reading, applied: frozenset[str]) -> None:
        self.tokens = tokens
        self.index = 0
        self.depth = 0
        self.bars = 0
        """Open ``|`` in the innermost bracket: the next one closes."""
        self.integrals = 0
        self.bold = False
        self.exponents = 0
        """Open exponents of e and arguments of exp."""
        self.reading = reading
        self.applied = applied
        """Names that a left-hand side ``f(r) =`` of this text declares as functions."""
        self.others: frozenset[str] | None = None

    # Tokens.

    @property
    def token(self) -> Token:
        """The token at the cursor."""
        return self.tokens[self.index]

    def ahead(self, offset: int = 1) -> Token:
        """A later token; the end beyond the end."""
        index = self.index + offset
        return self.tokens[index] if index < len(self.tokens) else self.tokens[-1]

    def advance(self) -> Token:
        """Take the token at the cursor."""
        token = self.tokens[self.index]
        if token.kind != "end":
            self.index += 1
        return token

    def at(self, text: str) -> bool:
        """Whether this sign stands at the cursor."""
        token = self.tokens[self.index]
        return token.text == text and token.kind == "op"

    def take(self, text: str) -> bool:
        """Take this sign if it stands at the cursor."""
        if self.at(text):
            self.index += 1
            return True
        return False

    def expect(self, text: str) -> None:
        """Take this sign or fail."""
        if not self.take(text):
            raise self.failure(f"'{text}' expected instead of {self.shown()}")

    def shown(self) -> str:
        """The token at the cursor, for messages."""
        token = self.token
        return "the end" if token.kind == "end" else f"'{token.text[:30]}'"

    def failure(self, message: str, token: Token | None = None) -> ParseFailure:
        """A failure at a token, by default at the cursor."""
        return ParseFailure(message, (token or self.token).position)

    def enter(self) -> None:
        """Go one level deeper, within the budget."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ParseFailure(
                f"brackets are nested deeper than {MAX_DEPTH}", self.token.position, limit="depth"
            )

    def leave(self) -> None:
        """Come back from a deeper level."""
        self.depth -= 1

    def skip_group(self, index: int) -> int:
        """Index behind the bracket group that opens at ``index``."""
        depth = 0
        while index < len(self.tokens):
            token = self.tokens[index]
            if token.kind == "op":
                if token.text in OPENERS:
                    depth += 1
                elif token.text in CLOSERS:
                    depth -= 1
                    if depth == 0:
                        return index + 1
            elif token.kind == "end":
                break
            index += 1
        return index

    # The grammar, by falling binding strength.

    @abstractmethod
    def factor(self) -> Expression:
        """An atom with its subscripts, powers and postfixes."""

    @abstractmethod
    def chunk(self) -> Expression:
        """Factors side by side, and divisions between them."""

    @abstractmethod
    def term(self) -> Expression:
        """Chunks with explicit products (``*``, times, dot) between them."""

    @abstractmethod
    def sum(self) -> Expression:
        """Terms with plus and minus."""

    @abstractmethod
    def statement(self) -> Expression:
        """A sum, relation or chain of relations."""

    @abstractmethod
    def bracketed(self) -> Expression:
        """A bracket group at the cursor, read whole: grouping, tuple, interval or set."""

    @abstractmethod
    def argument(self) -> Expression:
        """Argument of a LaTeX command: ``{...}`` or one token."""

    @abstractmethod
    def script(self, *, chained: bool = True) -> Expression:
        """What stands behind ``^``; ``chained`` goes on through ``a^b^c``."""

    @abstractmethod
    def symbol(self) -> Expression:
        """A name with subscripts and primes, never applied to a bracket."""

    @abstractmethod
    def scripted(self, symbol: Symbol) -> Expression:
        """Subscripts and primes behind a symbol."""

    @abstractmethod
    def letters(self) -> frozenset[str]:
        """Letters of the text beside e and the constants."""

    @abstractmethod
    def script_name(self) -> str:
        """What stands behind ``_``, as part of a name."""

    @abstractmethod
    def starts_factor(self) -> bool:
        """Whether the token at the cursor can begin a factor of a product by juxtaposition."""

    def ends_operator(self) -> bool:
        """Whether an operator in a bracket ends here, which acts on what follows the bracket."""
        token = self.token
        return token.kind == "op" and token.text in (")", "]", ".)", "rset", "+", "-")

    def is_differential(self) -> bool:
        """Inside an integral: ``d`` (any font) with a letter or bracket-free name behind it."""
        if not self.integrals:
            return False
        token = self.token
        if token.kind != "name" or token.text != "d":
            return False
        following = self.ahead()
        if following.kind == "op" and following.text == "^":
            return True
        return (
            following.kind in ("name", "func")
            or (following.kind == "cmd" and following.text != "frac")
            or (following.kind == "op" and following.text in ("{", "("))
        )


INFIX_COMMANDS = frozenset(("over", "atop", "choose"))
"""TeX commands between the two parts of a group."""
FACTOR_SIGNS = frozenset(
    (
        "(",
        "[",
        "{",
        "lset",
        "lbar",
        "(.",
        "langle",
        "lfloor",
        "lceil",
        "begin matrix",
        "begin cases",
    )
)
"""Signs that can begin a factor."""
OPENERS = frozenset(
    ("(", "[", "{", "lset", "(.", "langle", "lfloor", "lceil", "begin cases", "begin matrix")
)
CLOSERS = frozenset(
    (")", "]", "}", "rset", ".)", "rangle", "rfloor", "rceil", "end cases", "end matrix")
)


def differential(variable: Expression, *, measure: bool = False) -> Call:
    """The internal factor ``dx``; ``measure`` of a volume, which is no vector: ``d^3 x``."""
    return Call(DIFFERENTIAL, (variable, ONE) if measure else (variable,))


def is_differential_factor(node: Expression) -> bool:
    """Whether a factor is ``dx``."""
    return isinstance(node, Call) and node.function == DIFFERENTIAL
