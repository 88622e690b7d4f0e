"""Variants of formulas, made and printed by computer algebra.

The gold's tree becomes a SymPy expression by constructors; what is done to it and how it is printed
is SymPy's, so that the variants are written in another hand than the gold.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ecliptic.errors import UsageError
from ecliptic.grading.formula_values import Formula
from ecliptic.helio.variants.variant import Variant

if TYPE_CHECKING:
    from ecliptic.helio.records import Record

_POINTS = 4
_LEAST_CHANGE = 0.01
"""Relative difference at every point that makes a slip a wrong answer."""


def right(record: Record) -> list[Variant]:
    """The same formula with its terms in another order, multiplied out, or in a sentence."""
    import sympy

    left, value, names = _read(record)
    swapped = _printed(value, names, order="rev-lex")
    forms = {
        "printed": _printed(value, names),
        "order": swapped,
        "one fraction": _printed(sympy.together(value), names),
        "multiplied out": _printed(sympy.expand(value, power_exp=False, log=False), names),
        "factor drawn out": _printed(sympy.factor_terms(value), names),
        "powers as roots": _printed(value, names, fold_frac_powers=True),
    }
    variants = [Variant(f"${left} = {text}$", kind) for kind, text in forms.items()]
    variants += [
        Variant(f"Collecting terms we arrive at $$\\boxed{{{left} = {swapped}}}$$", "boxed"),
        Variant(f"${swapped} = {left}$", "sides exchanged"),
        Variant(f"Hence, $\\displaystyle {left} = {forms['one fraction']}$.", "prose"),
    ]
    return variants


def wrong(record: Record) -> list[Variant]:
    """One slip each: sign, factor, exponent, a term, two symbols exchanged."""
    import sympy

    left, value, names = _read(record)
    slips: list[tuple[str, Any]] = [
        ("sign", -value),
        ("factor 2", 2 * value),
        ("factor 1/2", value / 2),
        ("factor pi", sympy.pi * value),
        ("power of ten", 10 * value),
        ("inverted", 1 / value),
    ]
    slips += [("missing term", slip) for slip in _without_terms(value)]
    slips += [("exponent", slip) for slip in _other_exponents(value)]
    symbols = sorted(value.free_symbols, key=str)
    for one, other in pairwise(symbols):
        exchanged = value.subs({one: other, other: one}, simultaneous=True)
        slips.append(("symbols exchanged", exchanged))
    return [
        Variant(f"${left} = {_printed(slip, names)}$", kind)
        for kind, slip in slips
        if _differs(value, slip)
    ]


def _read(record: Record) -> tuple[str, Any, dict[Any, str]]:
    """Left side in LaTeX, the right side for SymPy, and LaTeX names of its symbols."""
    from ecliptic.grading.sympy_build import UnpackableError, build, pack

    formula = Formula(record.final)
    body = record.final.strip("$ ")
    left = body.partition("=")[0].strip()
    try:
        value = build(pack(formula.tree))
    except UnpackableError as error:
        raise UsageError(f"{record.id}: {record.final} cannot be rewritten: {error}") from None
    spelt = _spellings(record)
    names = {}
    for symbol in value.free_symbols:
        plain = str(symbol).partition("~")[0]
        if plain not in spelt:
            raise UsageError(f"{record.id}: no LaTeX is known for the symbol {plain}")
        names[symbol] = spelt[plain]
    return left, value, names


def _spellings(record: Record) -> dict[str, str]:
    """Symbol names as the parser has them -> LaTeX as the record writes it."""
    from ecliptic.grading.expression import Symbol
    from ecliptic.grading.reading import answer_expression

    found: dict[str, str] = {}
    texts = (record.hint, record.question, *record.preamble, record.final)
    pattern = (
        r"\\?[A-Za-z]+'?(?:_(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\?[A-Za-z0-9]+(?:\{[^{}]*\})?))?"
        r"(?:\^\{?(?:\\ast|\*|\\star)\}?)?'?"
    )
    for text in texts:
        for formula in re.findall(r"\$([^$]*)\$", text):
            for token in [formula.strip(), *re.findall(pattern, formula)]:
                tree = answer_expression(token) if token else None
                if isinstance(tree, Symbol):
                    found.setdefault(tree.name, token)
    return found


def _printed(value: Any, names: dict[Any, str], **options: Any) -> str:
    from sympy import latex

    return str(latex(value, symbol_names=names, ln_notation=True, **options))


def _without_terms(value: Any) -> list[Any]:
    from sympy import Add

    sums = sorted((node for node in value.atoms(Add) if len(node.args) > 1), key=str)
    return [value.xreplace({node: node - term}) for node in sums[:2] for term in node.args[:2]]


def _other_exponents(value: Any) -> list[Any]:
    from sympy import Pow

    powers = sorted((node for node in value.atoms(Pow) if node.exp.is_number), key=str)
    return [value.xreplace({node: node.base ** (node.exp + 1)}) for node in powers[:3]]


def _differs(value: Any, slip: Any) -> bool:
    """Whether the slip changes the value at every one of some points, and has a value there."""
    symbols = sorted(value.free_symbols | slip.free_symbols, key=str)
    rng = np.random.default_rng(7)
    for row in rng.uniform(0.6, 1.7, (_POINTS, len(symbols))):
        at = dict(zip(symbols, row.tolist(), strict=True))
        try:
            first, second = complex(value.evalf(subs=at)), complex(slip.evalf(subs=at))
        except (ArithmeticError, ValueError, TypeError):
            return False
        if not abs(first - second) > _LEAST_CHANGE * max(abs(first), abs(second)):
            return False
    return True
