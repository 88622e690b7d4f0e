"""Components and indices of one symbol: ``E_z`` is another quantity than ``E_y``.

Two names of one system exclude each other (x, y and z; radial, polar and azimuthal; parallel and
perpendicular), and so do two numbers at one letter. Names of different systems may be one
component (``B_x`` and ``B_r``), and so may a name and none.
"""

from __future__ import annotations

import re

from ecliptic.grading.quantity import Quantity

_SYSTEMS = (
    # subscripts and words of each component of a system
    (
        ({"x"}, r"\bx[- ](?:component|direction|axis)\b"),
        ({"y"}, r"\by[- ](?:component|direction|axis)\b"),
        ({"z"}, r"\bz[- ](?:component|direction|axis)\b"),
    ),
    (
        ({"r", "R", "rad", "radial"}, r"\bradial\b(?! distance)|\br[- ]component\b"),
        ({"theta", "θ"}, r"\b(?:polar|meridional|theta|θ)[- ]component\b"),
        (
            {"phi", "φ", "varphi", "T", "az"},
            r"\b(?:azimuthal|toroidal)\b|\b(?:phi|φ)[- ]component\b",
        ),
    ),
    (
        ({"r", "R", "rad", "radial"}, r"\bradial\b(?! distance)"),
        ({"t", "tan", "tangential"}, r"\btangential\b"),
        ({"n", "normal"}, r"\bnormal component\b"),
    ),
    (
        ({"p", "P", "pol", "poloidal"}, r"\bpoloidal\b"),
        ({"t", "tor", "toroidal", "phi", "φ"}, r"\btoroidal\b"),
    ),
    (
        ({"parallel", "par", "∥", "||", "‖"}, r"\bparallel\b"),
        ({"perp", "perpendicular", "⊥"}, r"\bperpendicular\b|\btransverse\b"),
    ),
)
_READ = tuple(
    tuple((marks, re.compile(words, re.I)) for marks, words in system) for system in _SYSTEMS
)
_SYMBOL = re.compile(r"(?<![\w\\])([A-Za-zΑ-ω]+)_\(?([^\s()_^=;:]+)\)?(?![\w_])")
_NUMBERED = re.compile(r"([A-Za-zΑ-ω]+?)_?\(?(\d{1,2})\)?")
_COMPACT = re.compile(r"([A-Za-z])([xyz])")
_OF_TWO = re.compile(r"\b(?:ratio|over|to|divided|relative|between|and|vs|difference)\b|[/+*]")


def other_component(gold: Quantity, answer: Quantity) -> bool:
    """Whether the answer's value is given for another component or index than the gold's."""
    wanted, given = _symbol(gold), _symbol(answer)
    if wanted and given and wanted[0] != given[0]:
        return False
    if wanted and given and wanted[1].isdigit() and given[1].isdigit():
        return wanted[1] != given[1]
    for system in _READ:
        first, second = _place(gold, wanted, system), _place(answer, given, system)
        if first is not None and second is not None and first != second:
            return True
    return False


def _symbol(quantity: Quantity) -> tuple[str, str] | None:
    """Letter and subscript of the label, or of the last symbol in the words."""
    if quantity.label:
        forms = (_SYMBOL, _NUMBERED, _COMPACT)
        match = next((m for form in forms if (m := form.fullmatch(quantity.label))), None)
        return (match[1], match[2]) if match else None
    found = _SYMBOL.findall(quantity.words)
    return found[0] if len(found) == 1 else None


def _place(
    quantity: Quantity,
    symbol: tuple[str, str] | None,
    system: tuple[tuple[set[str], re.Pattern[str]], ...],
) -> int | None:
    """Which component of the system is named, if it is one alone."""
    if symbol is not None:
        parts = symbol[1].split(",")  # B_{z,GSM}
        return next((at for at, (marks, _) in enumerate(system) if marks.intersection(parts)), None)
    if _OF_TWO.search(quantity.words):
        return None
    found = [at for at, (_, words) in enumerate(system) if words.search(quantity.words)]
    return found[0] if len(found) == 1 else None
