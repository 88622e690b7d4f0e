r"""Other readings of an answer or a gold, for where the plain one leads to another formula.

Each is a way of writing that authors use without a second thought: ``e^{-mv^2/2kT}`` for a
quotient with all of ``2kT`` below, and ``F = q(E + v × B)`` without bold letters, beside a gold
that has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ecliptic.grading.cursor import Reading
from ecliptic.grading.derivatives import TIME
from ecliptic.grading.expression import Derivative, Expression, Power, Symbol, rebuild, walk
from ecliptic.grading.formulas import last_formulas
from ecliptic.grading.formulas_in_words import with_definitions
from ecliptic.grading.latex import parse
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.pieces import strip_delimiters
from ecliptic.grading.told_units import unit_told_readings
from ecliptic.grading.tree_walk import survey

_SLASH_IN_EXPONENT = re.compile(r"(?:e|\\mathrm\{e\})\s*\^\s*[{(][^=]*/|exp[^=]*/")
_LETTERS_BELOW = re.compile(r"(?:\^\s*\{|exp)[^=]*/\s*\\?[A-Za-z]")
_PRODUCT_SIGN = re.compile(
    r"[×·⋅∇*]|\b(?:curl|div|grad|rot|cross|dot)\b|\\(?:times|cdot|nabla)(?![A-Za-z])"
    r"|(?<=[\w)\]]) x (?=[\w(\[])"
)
_LETTER_X = re.compile(r"(?<=[\w)\]]) x (?=[\w(\[])")
_WORD = re.compile(r"\\(?:text|mathrm|textrm|mbox)\s*\{[^{}]*[A-Za-z]{4,}[^{}]*\}")
_PLAIN_SUBSCRIPT = re.compile(r"_[A-Za-z]{2,}")
_MIXED_NUMBER = re.compile(
    r"(?<![\d.,^_{A-Za-z])(\d{1,4})\s*(\\[dt]?frac\s*(?:\{\s*\d+\s*\}|\d)\s*(?:\{\s*\d+\s*\}|\d))"
)
_DOT = re.compile(r"\\d{1,3}ot(?![A-Za-z])")
_STYLED = frozenset({"vector", "unit"})


def other_readings(
    gold: str, answer: str, trees: tuple[Expression, Expression | None]
) -> Iterator[tuple[Expression, Expression]]:
    """Pairs of trees to compare in the place of ``trees``, where another reading is at hand.

    ``trees`` are gold and answer as they were read at first; ``None`` for an answer that was not.
    """
    wanted, given = trees
    if given is not None:
        defined = with_definitions(gold)
        whole = _read(defined, Reading()) if defined else None
        if whole is not None and whole != wanted:
            yield whole, given
        yield from unit_told_readings((gold, answer), (wanted, given))
        dotted = _with_partial_dots(answer, wanted), _with_partial_dots(_concluding(gold), given)
        if dotted[0] is not None:
            yield wanted, dotted[0]
        if dotted[1] is not None:
            yield dotted[1], given
        first = _grouped(_concluding(gold), wanted)
        second = _grouped(answer, given)
        for one, other in ((wanted, second), (first, given), (first, second)):
            if one is not None and other is not None:
                yield one, other
        upright = _with_upright_names(answer, wanted)
        told = _read(upright, Reading()) if upright != answer else None
        if told is not None:
            yield wanted, told
        if _PLAIN_SUBSCRIPT.search(answer) and "$" not in answer and "\\" not in answer:
            told = _read(f"${answer}$", Reading())  # m_pc is m_p c in TeX
            if told is not None and told != given:
                yield wanted, told
        if _MIXED_NUMBER.search(answer):
            told = _read(_MIXED_NUMBER.sub(r"\\left(\1+\2\\right)", answer), Reading())
            if told is not None:
                yield wanted, told
    else:
        told = _read(_without_words(answer), Reading())
        if told is not None:
            yield wanted, told
    vectors = frozenset(
        symbol.name for symbol in survey(wanted).symbols if symbol.style == "vector"
    )
    if vectors and _PRODUCT_SIGN.search(answer):
        told = _with_vectors(answer, vectors, given)
        if told is not None:
            yield wanted, told


def _without_words(text: str) -> str:
    r"""A chain ``F = \text{power}/\text{area} = L/4\pi d^2`` without the sides that hold words."""
    sides = _sides(text)
    if len(sides) < 2 or _WORD.search(sides[-1]):
        return ""
    kept = [side for side in sides[:-1] if not _WORD.search(side)]
    return "=".join([*kept[:1], sides[-1]]) if len(kept) < len(sides) - 1 else ""


def _sides(text: str) -> list[str]:
    """The sides of a chain of equalities, cut outside of all braces."""
    sides, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == "=" and not depth:
            sides.append(text[start:position])
            start = position + 1
    return [*sides, text[start:]]


def meant_readings(
    gold: str, answer: str, trees: tuple[Expression, Expression]
) -> Iterator[tuple[Expression, Expression]]:
    """The readings that count where the gold has letters side by side below a slash in an exponent.

    None where its author cannot have meant anything else than what was read at first.
    """
    if "/" not in gold or not _LETTERS_BELOW.search(gold):
        return
    meant = _grouped(_concluding(gold), trees[0])
    if meant is not None:
        yield meant, trees[1]
        other = _grouped(answer, trees[1])
        if other is not None:
            yield meant, other


def _concluding(gold: str) -> str:
    readings, _ = last_formulas(strip_delimiters(gold), numeric=False)
    return next((text for text in readings if _read(text, Reading()) is not None), "")


def _grouped(text: str, tree: Expression) -> Expression | None:
    """The tree with products grouped below a slash in exponents; ``None`` if that is no other."""
    if "/" not in text or not _SLASH_IN_EXPONENT.search(text):
        return None
    found = _read(text, Reading(slash_groups_exponent=True))
    return None if found == tree else found


def _with_partial_dots(text: str, other: Expression) -> Expression | None:
    """The tree of a text with dots, beside another that has partial derivatives in time only."""
    if "dot" not in text or not _DOT.search(text):
        return None
    kinds = {
        part.partial
        for part in walk(other)
        if isinstance(part, Derivative) and any(variable == TIME for variable, _ in part.variables)
    }
    return _read(text, Reading(partial_dots=True)) if kinds == {True} else None


def _with_upright_names(answer: str, wanted: Expression) -> str:
    """A plain answer with names of several letters, such as ``Ro``, as the gold has them."""
    names = {s.name for s in survey(wanted).symbols if s.roman and s.name.isalpha()}
    for name in sorted(name for name in names if len(name) > 1):
        answer = re.sub(rf"(?<![A-Za-z\\{{]){name}(?![A-Za-z}}])", rf"\\mathrm{{{name}}}", answer)
    return answer


def _with_vectors(
    answer: str, vectors: frozenset[str], given: Expression | None
) -> Expression | None:
    """The answer with plain letters as the vectors that the gold has; none if it has its own."""
    if given is not None and any(symbol.style in _STYLED for symbol in survey(given).symbols):
        return None
    names = vectors | {"nabla"}
    if "x" not in names and _LETTER_X.search(answer):
        answer = _LETTER_X.sub(r" \\times ", answer)
    found = _read(answer, Reading(vectors=vectors))
    if found is None:
        return None
    found = _magnitudes(found)
    return None if found == given else found


def _magnitudes(node: Expression) -> Expression:
    """A power of a vector is one of its magnitude."""
    if isinstance(node, Power) and isinstance(node.base, Symbol) and node.base.style == "vector":
        return Power(Symbol(node.base.name), node.exponent)
    return rebuild(node, _magnitudes)


def _read(text: str, reading: Reading) -> Expression | None:
    try:
        return parse(text, reading=reading).expression
    except ParseFailure:
        return None
