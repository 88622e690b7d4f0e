"""One unit by its symbol, its symbol with a prefix, or its word; nothing is guessed."""

from __future__ import annotations

from functools import cache, lru_cache

from ecliptic.grading.unit import ONE, Unit, exponents_of
from ecliptic.grading.unit_table import (
    COUNTED,
    PREFIXED_ONLY_BY,
    REFUSED,
    SYMBOL_PREFIXES,
    TABLE,
    WORD_PREFIXES,
    Entry,
)


@cache
def _entries() -> tuple[dict[str, Entry], dict[str, Entry]]:
    symbols: dict[str, Entry] = {}
    words: dict[str, Entry] = {}
    for entry in TABLE:
        for symbol in entry.symbols.split():
            if symbols.setdefault(symbol, entry) is not entry:
                raise AssertionError(f"two units are spelled {symbol}")
        for word in entry.words.split():
            words[word] = entry
    return symbols, words


def _unit(entry: Entry, scale: float, name: str) -> Unit:
    offset = entry.kelvin_offset
    return Unit(entry.factor * scale, exponents_of(entry.dimension), name, entry.gaussian, offset)


@lru_cache(maxsize=4096)
def unit_symbol(name: str) -> Unit | None:
    """One unit by symbol, by symbol with a prefix, or by word."""
    if name in REFUSED:
        return None
    symbols, words = _entries()
    name = name.replace(" ", "")
    if name in symbols:
        return _unit(symbols[name], 1.0, name)
    if name in COUNTED:
        return ONE
    for length in (1, 2):
        prefix, rest = name[:length], name[length:]
        entry = symbols.get(rest)
        if (
            prefix in SYMBOL_PREFIXES
            and entry is not None
            and entry.prefixes
            and (rest not in PREFIXED_ONLY_BY or prefix in PREFIXED_ONLY_BY[rest].split())
        ):
            return _unit(entry, SYMBOL_PREFIXES[prefix], name)
    return _word(name.lower(), words)


def _word(name: str, words: dict[str, Entry]) -> Unit | None:
    for form in _singulars(name):
        if len(form) < 3:
            continue
        if form in words:
            return _unit(words[form], 1.0, name)
        if form in COUNTED:
            return ONE
        for prefix, scale in WORD_PREFIXES.items():
            if form.startswith(prefix) and form[len(prefix) :] in words:
                entry = words[form[len(prefix) :]]
                if entry.prefixes:
                    return _unit(entry, scale, name)
    return None


def _singulars(name: str) -> tuple[str, ...]:
    if name.endswith("ies"):
        return name, name[:-3] + "y"
    if name.endswith("s"):
        return name, name[:-1], name[:-2] if name.endswith("es") else name
    return (name,)


@lru_cache(maxsize=1024)
def two_symbols(name: str) -> tuple[Unit, Unit] | None:
    """Two symbols set without a space (``kms``), if there is exactly one way to read them."""
    if len(name) > 8 or name in REFUSED:
        return None
    symbols, _ = _entries()
    found = []
    for cut in range(1, len(name)):
        head, tail = name[:cut], name[cut:]
        if tail == "m" and head not in _SPLIT_HEADS_OF_METRE:
            continue
        if (head in symbols or len(head) > 1) and tail in _SPLIT_TAILS:
            left, right = _short(head), _short(tail)
            if left is not None and right is not None:
                found.append((left, right))
    return found[0] if len(found) == 1 else None


_HEADS_OF_METRE = "N T A W V J C S nT mV"

_TAILS = "s m cm kg K Hz sr yr g rad h d eV MeV keV GeV nucleon"

_SPLIT_HEADS_OF_METRE = frozenset(_HEADS_OF_METRE.split())

_SPLIT_TAILS = frozenset(_TAILS.split())


def _short(name: str) -> Unit | None:
    """A unit by symbol only; words do not run together."""
    unit = unit_symbol(name)
    return None if unit is None or unit is ONE or len(name) > 4 else unit
