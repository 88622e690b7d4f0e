"""A pass over the tokens before the grammar: doubled brackets, wide spaces and rows, functions."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from ecliptic.grading.cursor import CLOSERS, OPENERS
from ecliptic.grading.tokens import Token

_DECLARING = frozenset(("=", "propto", "approx", "equiv"))
_SEPARATING = frozenset((",", ";", "row", "quad"))


def without_doubled_brackets(tokens: list[Token]) -> list[Token]:
    """``((x))`` as ``(x)``, so that redundant brackets cost no depth."""
    if not any(
        first.text == second.text and first.text in ("(", "{") and first.kind == "op"
        for first, second in pairwise(tokens)
    ):
        return tokens
    partner: dict[int, int] = {}
    stack: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind != "op":
            continue
        if token.text in ("(", "{"):
            stack.append(index)
        elif token.text in (")", "}") and stack:
            opening = stack.pop()
            if (tokens[opening].text, token.text) in (("(", ")"), ("{", "}")):
                partner[opening] = index
    drop: set[int] = set()
    for opening, closing in partner.items():
        inner = partner.get(opening + 1)
        if inner == closing - 1 and tokens[opening].text == tokens[opening + 1].text:
            drop.update((opening + 1, closing - 1))
    return [token for index, token in enumerate(tokens) if index not in drop]


def without_empty_groups(tokens: list[Token]) -> list[Token]:
    """``x_a{}^2`` as ``x_a^2``: an empty group behind a factor only sets scripts apart."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        empty = tokens[index].text == "{" and tokens[index].kind == "op"
        empty = empty and index + 2 < len(tokens) and tokens[index + 1].text == "}"
        if empty and kept and tokens[index + 2].text in ("^", "_"):
            before = kept[-1]
            if before.kind in ("name", "num") or before.text in ("}", ")", "]"):
                index += 2
                continue
        kept.append(tokens[index])
        index += 1
    return kept


def separated(tokens: list[Token]) -> list[Token]:
    """Decide what wide spaces and rows mean: a ``;`` between statements, or nothing.

    A wide space separates two relations; a row separates unless the next one goes on with a
    relation sign, or with a plus or minus and no relation of its own.
    """
    result: list[Token] = []
    depth, cases = 0, 0
    for index, token in enumerate(tokens):
        if token.kind == "op":
            if token.text in OPENERS:
                depth += 1
                cases += token.text.startswith("begin")
            elif token.text in CLOSERS:
                depth -= 1
                cases -= token.text.startswith("end")
            elif token.text in ("quad", "row") and not cases:
                weak = token.text == "quad" and not (
                    _has_relation(reversed(result)) and _has_relation(tokens[index + 1 :])
                )
                if depth > 0 or weak or (token.text == "row" and _goes_on(result, tokens, index)):
                    following = tokens[index + 1]
                    if following.kind != "end":
                        tokens[index + 1] = following._replace(spaced=True)
                    continue
                token = token._replace(text=";")
            elif token.text == "quad" and cases and tokens[index + 1].kind != "word":
                following = tokens[index + 1]
                if following.text not in ("&", "row") and not _has_relation(tokens[index + 1 :]):
                    continue
        elif token.kind == "rel" and token.text == "implies":
            token = token._replace(kind="op", text=";")
        result.append(token)
    return result


def _has_relation(tokens: Iterable[Token]) -> bool:
    """Whether a relation sign stands before the next separator at this level."""
    depth = 0
    for token in tokens:
        if token.kind == "rel":
            if depth == 0:
                return bool(token.text != "implies")
        elif token.kind in ("word", "end"):
            return False
        elif token.kind == "op":
            if token.text in OPENERS or token.text in CLOSERS:
                depth += 1 if token.text in OPENERS else -1
            elif depth == 0 and token.text in _SEPARATING:
                return False
    return False


def _goes_on(before: list[Token], tokens: list[Token], index: int) -> bool:
    following = tokens[index + 1]
    if following.kind == "rel":
        return following.text != "implies"
    if before and (before[-1].kind == "rel" or before[-1].text in ("+", "-", "*", "\\times")):
        return True
    starts_signed = following.kind == "op" and following.text in ("+", "-", "\\times", "\\cdot")
    return starts_signed and not _has_relation(tokens[index + 1 :])


def declared_functions(tokens: list[Token]) -> frozenset[str]:
    """Names in ``f(r, p) = ...`` at the beginning of a statement."""
    names: set[str] = set()
    opens = True
    for index, token in enumerate(tokens):
        if opens and token.kind == "name":
            name, position = token.text, index + 1
            if tokens[position].text == "_":
                if tokens[position + 1].text == "{":
                    position += 2
                    parts = []
                    while tokens[position].text not in ("}", "{") and position < len(tokens) - 1:
                        parts.append(tokens[position].text)
                        position += 1
                    name += "_" + "".join(parts)
                    position += 1
                elif position + 2 < len(tokens):
                    name += "_" + tokens[position + 1].text
                    position += 2
            if position < len(tokens) and tokens[position].text == "(":
                end = position + 1
                plain = True
                while end < len(tokens) - 1 and tokens[end].text != ")":
                    plain = plain and (
                        tokens[end].kind in ("name", "num", "cmd")
                        or tokens[end].text in (",", "_", "{", "}", "'")
                    )
                    end += 1
                behind = tokens[min(end + 1, len(tokens) - 1)]
                if plain and behind.kind == "rel" and behind.text in _DECLARING:
                    names.add(name)
        opens = token.kind == "word" or (token.kind == "op" and token.text in (",", ";"))
    return frozenset(names)
