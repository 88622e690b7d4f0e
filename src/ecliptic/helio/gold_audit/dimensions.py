"""Dimensions: both sides of a formula change alike when the base units do.

What a symbol measures is learnt from the record's own text (``$B = 5\\ \\mathrm{nT}$``, "the wind
speed $V$") and from a short table of symbols that mean one thing in the field. A formula is judged
only when all its symbols are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ecliptic.helio.gold_audit.findings import Check, Finding
from ecliptic.helio.gold_audit.mathematics import (
    Expression,
    Number,
    Solution,
    Symbol,
    formulas_in,
    free_symbols,
    read_final,
    scaled,
    solutions_of,
    values_at,
    walk,
)
from ecliptic.helio.gold_audit.quantities_stated import (
    Unit,
    dimension_name,
    quantities_in,
    unit_of,
)
from ecliptic.helio.records import Record

CONSTANTS = {
    "k_B": "J K-1",
    "mu_0": "N A-2",
    "epsilon_0": "F m-1",
    "m_p": "kg",
    "m_e": "kg",
    "m_i": "kg",
    "hbar": "J s",
    "c": "m s-1",
    "G": "m3 kg-1 s-2",
    "sigma_SB": "W m-2 K-4",
    "R_odot": "m",
    "M_odot": "kg",
    "L_odot": "W",
    "sigma_T": "m2",
}
"""Symbols that the field does not use for anything else."""
_QUESTIONABLE = {"c": "light", "G": "gravit", "sigma_T": "Thomson"}
"""These are taken for the constant only when the text has such a word."""

_NOUNS = {
    "m s-1": "speed|velocity|flow speed|wind speed|sound speed|alfv[eé]n speed|phase speed",
    "m": "radius|distance|wavelength|scale height|thickness|half-width|mean free path|length",
    "K": "temperature",
    "Pa": "pressure|gas pressure|thermal pressure",
    "kg m-3": "mass density",
    "m-3": "number density|electron density|proton density",
    "T": "magnetic field|field strength|magnetic field strength",
    "m-1": "wavenumber|wave number",
    "s-1": "growth rate|angular frequency|rotation rate|angular velocity|gyrofrequency",
    "m2 s-1": "diffusion coefficient|magnetic diffusivity|diffusivity|kinematic viscosity",
    "m s-2": "gravity|acceleration",
    "": "mach number|adiabatic index|plasma beta|compression ratio|optical depth",
}
_WORDS = tuple(
    (
        unit,
        re.compile(rf"\b(?:{nouns})\s+(?:of\s+)?$", re.I),
        re.compile(rf"^,?\s*(?:is|denotes|being)?\s*(?:the|a)\s+(?:\w+\s+)?(?:{nouns})\b", re.I),
    )
    for unit, nouns in _NOUNS.items()
)
_RELATIVE = re.compile(
    r"\b(?:ratio|relative|dimensionless|normali[sz]ed|in units of|units where|factor|log|natural "
    r"units|gaussian|cgs|per|times)\b",
    re.I,
)
_SCALES = (3.0, 2.0, 5.0, 7.0, 11.0, 13.0, 17.0)
"""Other units for kg, m, s, A, K, mol, cd, in effect."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a symbol measures, and whether an assignment with unit or words say so."""

    unit: Unit
    certain: bool

    @property
    def scale(self) -> float:
        """The factor by which its values change in the other base units."""
        powers = map(float, self.unit.dimensions)
        return float(np.prod([s**p for s, p in zip(_SCALES, powers, strict=True)]))


def learn_dimensions(record: Record) -> dict[Symbol, Learnt]:
    """Dimensions of symbols from the record's own text and the table of constants."""
    texts = (*record.preamble, record.question, record.hint, *record.step)
    whole = " ".join(texts)
    found: dict[Symbol, Learnt] = {}
    refused: set[Symbol] = set()

    def add(symbol: Symbol, learnt: Learnt) -> None:
        known = found.get(symbol)
        if known is not None and known.unit.dimensions != learnt.unit.dimensions:
            refused.add(symbol)
        if known is None or learnt.certain:
            found[symbol] = learnt

    for name, spelling in CONSTANTS.items():
        if name not in _QUESTIONABLE or re.search(_QUESTIONABLE[name], whole, re.I):
            unit = unit_of(spelling)
            assert unit is not None, spelling
            found[Symbol(name)] = Learnt(unit, True)
    for text in texts:
        for left, quantity in quantities_in(text):
            tree = read_final(f"${left}$") if left else ""
            if isinstance(tree, Symbol) and quantity.unit is not None:
                add(tree, Learnt(quantity.unit, True))
    if not _RELATIVE.search(whole):
        for text in (*record.preamble, record.question):
            for stated in formulas_in(text):
                tree = read_final(f"${stated.text}$")
                if isinstance(tree, Symbol) and (learnt := _by_words(stated.before, stated.after)):
                    add(tree, learnt)
    return {symbol: learnt for symbol, learnt in found.items() if symbol not in refused}


def _by_words(before: str, after: str) -> Learnt | None:
    for spelling, in_front, behind in _WORDS:
        if in_front.search(before[-40:]) or behind.match(after[:50]):
            unit = unit_of(spelling) if spelling else unit_of("1")
            return None if unit is None else Learnt(unit, False)
    return None


def dimensions_of(node: Expression, units: Mapping[Symbol, Unit]) -> tuple[Fraction, ...] | None:
    """Exponents of kg, m, s, A, K, mol, cd of a formula; ``None`` if it is not homogeneous."""
    symbols = free_symbols(node)
    known: dict[Symbol, Unit] = {}
    for symbol in symbols:
        unit = units.get(symbol) or unit_of(CONSTANTS.get(symbol.name, ""))
        if unit is None:
            return None
        known[symbol] = unit
    values = scaled(symbols)
    start = values_at([node], values)
    exponents = []
    for base in range(7):
        changed = {
            symbol: row * 2.0 ** float(known[symbol].dimensions[base])
            for symbol, row in values.items()
        }
        found = values_at([node], changed)
        if start is None or found is None:
            return None
        with np.errstate(all="ignore"):
            powers = np.log2(np.abs(found[0] / start[0]))
        if not np.all(np.isfinite(powers)) or not np.allclose(powers, powers[0], atol=1e-6):
            return None
        exponents.append(Fraction(float(powers[0])).limit_denominator(60))
    return tuple(exponents)


def check_dimensions(record: Record) -> Iterator[Finding]:
    """A symbolic final that is not homogeneous in the dimensions that its record states."""
    if record.type != "symbolic":
        return
    tree = read_final(record.final)
    if isinstance(tree, str) or _hides_units(tree):
        return
    learnt = learn_dimensions(record)
    for solution in solutions_of(tree)[:1]:
        finding = _judge(record, solution, learnt)
        if finding is not None:
            yield finding


def _hides_units(tree: Expression) -> bool:
    """``13 \\sqrt{T}`` km/s: a decimal number stands for constants with units."""
    return any(
        (isinstance(part, Number) and part.decimal) or (isinstance(part, Symbol) and part.roman)
        for part in walk(tree)
    )


def _judge(record: Record, solution: Solution, learnt: Mapping[Symbol, Learnt]) -> Finding | None:
    symbols = free_symbols(solution.value)
    if not symbols or any(symbol not in learnt for symbol in symbols):
        return None
    values = scaled(symbols)
    other = {symbol: row * learnt[symbol].scale for symbol, row in values.items()}
    first, second = values_at([solution.value], values), values_at([solution.value], other)
    if first is None or second is None:
        return None
    with np.errstate(all="ignore"):
        ratios = second[0] / first[0]
    ratios = ratios[np.isfinite(ratios)]
    if len(ratios) < 3:
        return None
    certain = all(learnt[symbol].certain for symbol in symbols)
    known = {symbol.name: dimension_name(learnt[symbol].unit) for symbol in symbols}
    if not np.allclose(ratios, ratios[0], rtol=1e-6):
        return Finding(
            record.id,
            Check.DIMENSIONS,
            "error" if certain else "warning",
            "The terms of the final have different dimensions.",
            "Look for a lost factor or exponent; the evidence lists what each symbol measures.",
            {"dimensions": known},
        )
    subject = solution.subject
    target = learnt.get(subject) if isinstance(subject, Symbol) else None
    if target is None or np.isclose(abs(ratios[0]), target.scale, rtol=1e-6):
        return None
    return Finding(
        record.id,
        Check.DIMENSIONS,
        "error" if certain and target.certain else "warning",
        f"The right side of the final does not have the dimension of {subject.name} "
        f"({dimension_name(target.unit)}).",
        "Look for a lost factor or exponent; the evidence lists what each symbol measures.",
        {"dimensions": known | {subject.name: dimension_name(target.unit)}},
    )
