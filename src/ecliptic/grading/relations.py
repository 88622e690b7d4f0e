"""The parts of an answer: several statements, conditions, definitions behind "where".

An answer is one or more statements between commas, semicolons, rows, wide spaces and words. A
statement with "for", "if" or "otherwise" is a branch; branches with one left-hand side make one
:class:`Piecewise`. What stands behind "where" or "with" defines or describes symbols.
"""

from __future__ import annotations

from dataclasses import dataclass

from ecliptic.grading.cursor import Cursor
from ecliptic.grading.expression import (
    Apply,
    Declaration,
    Expression,
    Mul,
    Piecewise,
    Relation,
    Symbol,
    System,
    multiply,
)
from ecliptic.grading.functions import conjunction
from ecliptic.grading.symbols import KEYWORDS
from ecliptic.grading.tokens import Token


@dataclass(slots=True)
class _Item:
    statement: Expression
    condition: Expression | None = None
    conditional: bool = False


class _Answer:
    """Collects the statements of one answer from left to right."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.items: list[_Item] = []
        self.definitions: list[Expression] = []
        self.in_where = False
        self.connective = "and"
        self.pending: _Item | None = None

    def read(self) -> None:
        cursor = self.cursor
        while cursor.token.kind != "end":
            if cursor.take(",") or cursor.take(";"):
                continue
            if cursor.token.kind == "word":
                self.word()
                continue
            if self.in_where and self.is_remark():
                self.remark()
                continue
            start = cursor.token
            statement = cursor.statement()
            if self.is_condition_in_front(statement):
                cursor.advance()
                self.pending = _Item(Symbol(""), statement, True)
                continue
            self.add(statement, start)
            token = cursor.token
            if token.kind not in ("end", "word") and token.text not in (",", ";"):
                raise cursor.failure(f"{cursor.shown()} does not belong here")

    def is_condition_in_front(self, statement: Expression) -> bool:
        """``r > r_c: v > c_s``"""
        cursor = self.cursor
        if not cursor.at(":") or self.in_where or self.pending is not None:
            return False
        return (
            isinstance(statement, Relation)
            and statement.operator not in ("=", "approx", "equiv", "propto")
            and cursor.ahead().kind not in ("end", "word")
        )

    def add(self, statement: Expression, start: Token) -> None:
        if self.in_where:
            if isinstance(statement, Relation | System):
                self.definitions.append(statement)
            else:
                if not isinstance(statement, Symbol | Apply):
                    raise self.cursor.failure("a definition is no equation", start)
                self.definitions.append(Declaration(statement, ""))
            return
        statement, condition = _with_condition(statement)
        item = _Item(statement, condition, condition is not None)
        if self.pending is not None:
            item.condition, item.conditional = self.pending.condition, True
            self.pending = None
        self.items.append(item)

    def word(self) -> None:
        cursor = self.cursor
        token = cursor.advance()
        role = KEYWORDS.get(token.text, "")
        if role == "where":
            if not self.items:
                raise cursor.failure("nothing stands before 'where'", token)
            self.in_where = True
        elif role == "and" and (self.items or self.pending):
            pass
        elif role == "or" and self.items:
            self.connective = "or"
        elif role == "for" and not self.in_where:
            self.condition(token)
        elif role == "otherwise" and not self.in_where:
            last = self.items[-1] if self.items else None
            if last is not None and not last.conditional:
                last.conditional = True
            else:
                self.pending = _Item(Symbol(""), None, True)
        elif self.in_where and self.definitions:
            cursor.index -= 1
            self.remark()
        elif not (self.in_where and token.text in ("the", "a")):
            raise cursor.failure(f"the word '{token.text[:30]}' is no part of a formula", token)

    def condition(self, word: Token) -> None:
        cursor = self.cursor
        every = False
        while cursor.token.kind == "word" and cursor.token.text in ("all", "any"):
            every = True
            cursor.advance()
        if cursor.token.kind in ("end", "word"):
            raise cursor.failure(f"'{word.text}' has no condition", word)
        conditions = [cursor.statement()]
        while self.condition_goes_on():
            cursor.advance()
            while cursor.take(","):
                pass
            conditions.append(cursor.statement())
        condition = conjunction(conditions)
        if every and isinstance(condition, Symbol):  # "for all x" says nothing
            return
        if not isinstance(condition, Relation | System):
            raise cursor.failure(f"what stands behind '{word.text}' is no condition", word)
        last = self.items[-1] if self.items else None
        if last is None or last.conditional:
            self.pending = _Item(Symbol(""), condition, True)
        else:
            last.condition, last.conditional = condition, True

    def condition_goes_on(self) -> bool:
        """``for x > 0 and y > 0``: an inequality behind the "and" that has no branch of its own."""
        cursor = self.cursor
        if not (cursor.at(",") or (cursor.token.kind == "word" and cursor.token.text == "and")):
            return False
        index, found = cursor.index + 1, False
        while True:
            token = cursor.tokens[index]
            if token.kind == "rel":
                if token.text == "=":
                    return False
                found = True
            elif token.kind == "word" and KEYWORDS.get(token.text) in ("for", "otherwise"):
                return False
            elif token.kind in ("end", "word") or token.text in (",", ";"):
                return found
            index += 1

    def is_remark(self) -> bool:
        """Whether the clause at the cursor is prose: a word and no relation sign in front of it."""
        index = self.cursor.index
        first = True
        while True:
            token = self.cursor.tokens[index]
            if token.kind == "rel" or token.kind == "end" or token.text in (",", ";"):
                return False
            if token.kind == "word":
                return KEYWORDS.get(token.text) is None and not first
            first = False
            index += 1

    def remark(self) -> None:
        """``is a constant``: prose about the last symbol, kept as text up to the next separator."""
        cursor = self.cursor
        words: list[str] = []
        while cursor.token.kind != "end" and cursor.token.text not in (",", ";"):
            if cursor.token.text == "and" and self.statement_follows():
                break
            words.append(cursor.advance().text)
        if not self.definitions:
            raise cursor.failure("a remark describes nothing")
        text = " ".join(words[1:] if words and KEYWORDS.get(words[0]) == "is" else words)
        last = self.definitions[-1]
        if isinstance(last, Declaration):
            self.definitions[-1] = Declaration(last.symbol, f"{last.description} {text}".strip())
        elif isinstance(last, Relation) and isinstance(last.left, Symbol):
            self.definitions.append(Declaration(last.left, text))

    def statement_follows(self) -> bool:
        index = self.cursor.index + 1
        while True:
            token = self.cursor.tokens[index]
            if token.kind == "rel" or KEYWORDS.get(token.text) == "is":
                return True
            if token.kind in ("end", "word") or token.text in (",", ";"):
                return False
            index += 1


def _with_condition(statement: Expression) -> tuple[Expression, Expression | None]:
    """Split off a condition in brackets at the end: ``x^2 (x > 0)``."""
    value = statement.right if isinstance(statement, Relation) else statement
    if not isinstance(value, Mul) or not isinstance(value.factors[-1], Relation | System):
        return statement, None
    rest = multiply(*value.factors[:-1])
    if isinstance(statement, Relation):
        rest = Relation(statement.operator, statement.left, rest)
    return rest, value.factors[-1]


def _same_left(first: Expression | None, second: Expression | None) -> bool:
    """``f(x)`` and ``f`` name one function."""

    def name(node: Expression | None) -> object:
        return node.name if isinstance(node, Apply | Symbol) else node

    return name(first) == name(second)


def _statements(items: list[_Item]) -> list[Expression]:
    """Branches with one left-hand side joined; everything else in order."""
    statements: list[Expression] = []
    left: Expression | None = None
    branches: list[tuple[Expression, Expression | None]] = []

    def close() -> None:
        nonlocal left, branches
        if branches:
            pieces = Piecewise(tuple(branches))
            statements.append(pieces if left is None else Relation("=", left, pieces))
        left, branches = None, []

    for item in items:
        statement = item.statement
        equation = isinstance(statement, Relation) and statement.operator == "="
        if not item.conditional:
            close()
            if isinstance(statement, System) and statement.connective == "and":
                statements.extend(statement.statements)
            else:
                statements.append(statement)
            continue
        if isinstance(statement, Relation) and equation:
            if branches and not _same_left(left, statement.left):
                close()
            left = left or statement.left
            branches.append((statement.right, item.condition))
        else:
            branches.append((statement, item.condition))
    close()
    return statements


def read_answer(cursor: Cursor) -> Expression:
    """The whole text as one statement or a :class:`System`."""
    answer = _Answer(cursor)
    answer.read()
    if answer.pending is not None:
        raise cursor.failure("a condition belongs to no statement")
    statements = _statements(answer.items)
    if not statements:
        raise cursor.failure("there is no formula")
    if len(statements) == 1 and not answer.definitions:
        return statements[0]
    if any(isinstance(part, System) and part.connective == "or" for part in statements):
        raise cursor.failure("a union of intervals stands beside other statements")
    connective = "or" if answer.connective == "or" else "and"
    return System(tuple(statements), tuple(answer.definitions), connective)  # type: ignore[arg-type]
