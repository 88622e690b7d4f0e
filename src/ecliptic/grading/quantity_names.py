"""Names that cannot belong to one quantity: a plasma beta for a Mach number, T_p for T_e.

A value of the right size and unit answers nothing when its words or its symbol give it to another
quantity. Only names of a closed list decide, and only where both sides bear one; any other pair of
names (``v`` and ``u``) may be one quantity.
"""

from __future__ import annotations

import re

from ecliptic.grading.component_names import other_component
from ecliptic.grading.quantity import Quantity
from ecliptic.grading.quantity_lines import HEMISPHERIC

_WORDS = (
    ("plasma beta", r"\bplasma[- ](?:beta|β)|\b(?:beta|β)\b"),
    ("Mach number", r"\bmach\b"),
    ("Reynolds number", r"\breynolds\b"),
    ("Lundquist number", r"\blundquist\b"),
    ("Knudsen number", r"\bknudsen\b"),
    ("Prandtl number", r"\bprandtl\b"),
    ("optical depth", r"\boptical depth\b"),
    ("refractive index", r"\b(?:refractive index|index of refraction)\b"),
    ("spectral index", r"\b(?:spectral|power[- ]law) (?:index|slope)\b"),
    ("latitude", r"latitude\b"),
    ("longitude", r"longitude\b"),
    ("temperature", r"\btemperature\b"),
    ("density", r"\bdensity\b"),
    ("pressure", r"\bpressure\b"),
    ("Debye length", r"\bdebye\b"),
    ("gyroradius", r"\b(?:gyro|larmor )radius\b"),
    ("skin depth", r"\b(?:skin depth|inertial length)\b"),
    ("mean free path", r"\bmean free path\b"),
    ("scale height", r"\bscale height\b"),
    ("wavelength", r"\bwavelength\b"),
    ("Alfvén speed", r"\balfv[eé]n (?:speed|velocity)\b"),
    ("sound speed", r"\b(?:sound speed|speed of sound)\b"),
    ("escape speed", r"\bescape (?:speed|velocity)\b"),
    ("plasma frequency", r"\bplasma frequency\b"),
    ("gyrofrequency", r"\b(?:gyro|cyclotron |larmor )frequency\b"),
)
_RATIOS = tuple(
    (f"{name} ratio", re.compile(rf"\b{name}[- ]ratio\b", re.I))
    for name in (
        "compression",
        "aspect",
        "mirror",
        "charge-to-mass",
        "mass",
        "damping",
        "branching",
    )
)
_NAMES = tuple((name, re.compile(pattern, re.I)) for name, pattern in _WORDS)
_SYMBOLS = (
    ("latitude", r"latitude"),
    ("longitude", r"longitude"),
    ("plasma beta", r"beta(?:_\w+)?|β(?:_\w+)?"),
    ("Mach number", r"M|Ma|M_?A|M_(?:A|s|ms|f|S|Alfven|Alfvén|sonic)|M_?\(A\)"),
    ("Reynolds number", r"Re|R_?e|R_?m|Rm|Re_m"),
    ("Lundquist number", r"S|Lu|S_L"),
    ("optical depth", r"(?:tau|τ)(?:_\w+)?"),
    ("sound speed", r"[cC]_s|c_S|v_s"),
    ("Alfvén speed", r"[vVc]_?A|v_(?:Alf|Alfven|Alfvén)"),
    ("Debye length", r"(?:lambda|λ)_D(?:e|ebye)?"),
    ("gyroradius", r"(?:r|rho|ρ)_(?:L|g|c|i|e|ci|ce|Li|Le)"),
    ("plasma frequency", r"(?:omega|ω|f|nu|ν)_?p(?:e|i)?"),
    ("gyrofrequency", r"(?:omega|ω|f|nu|ν|Omega|Ω)_?c(?:e|i|p)?"),
)
_OF_SYMBOL = tuple((name, re.compile(pattern)) for name, pattern in _SYMBOLS)
_SIDES = (
    # mutually exclusive: words of each, subscripts of each
    (
        (r"\belectrons?\b", {"e", "ele", "electron", "el"}),
        (r"\b(?:protons?|ions?)\b", {"p", "i", "ion", "proton", "H"}),
    ),
    (
        (r"\bparallel\b", {"∥", "parallel", "par", "||", "‖"}),
        (r"\bperpendicular\b|\btransverse\b", {"⊥", "perp", "perpendicular"}),
    ),
    (
        (r"\bupstream\b", {"u", "up", "upstream"}),
        (r"\bdownstream\b", {"d", "down", "downstream"}),
    ),
    (
        (r"\bminimum\b", {"min", "minimum"}),
        (r"\bmaximum\b", {"max", "maximum"}),
    ),
)
_PATTERNS = tuple(
    tuple((re.compile(words, re.I), subscripts) for words, subscripts in sides) for sides in _SIDES
)
_OF_TWO = re.compile(
    r"\b(?:ratio|over|to|per|divided|relative|between|and|vs|difference|from|with|minus)\b|[/+*-]",
    re.I,
)
_NAMED_ANGLE = re.compile(r"l(?:atitude|ongitude|at|on)\b|^[λφΛ]|^(?:lambda|phi|Lambda)", re.I)
_SHORTEST_WORD = 6
"""Letters of a label that is a word (``temperature``), not a symbol."""
_SUBSCRIPT = re.compile(r"^([A-Za-zΑ-ω]+?)_\(?([^\s()_^=]+)\)?$")


def other_quantity(gold: Quantity, answer: Quantity) -> str:
    """What the answer's value is given for, where that cannot be what the gold names; else ""."""
    if answer.words.startswith(HEMISPHERIC) and not _NAMED_ANGLE.search(gold.words + gold.label):
        return answer.label  # 30° N for an angle of 30°
    if not (gold.label or gold.words) or not (answer.label or answer.words):
        return ""
    wanted, given = _names_of(gold), _names_of(answer)
    if wanted and given and not wanted & given:
        return min(given)
    if other_component(gold, answer):
        return answer.words or answer.label
    bases = {
        _base(one.label) for one in (gold, answer) if 0 < len(_base(one.label)) < _SHORTEST_WORD
    }
    same_base = len(bases) < 2
    if same_base:
        for sides in _PATTERNS:
            first, second = _side(gold, sides), _side(answer, sides)
            if first is not None and second is not None and first != second:
                return answer.words or answer.label
    return ""


def name_in(words: str) -> str:
    """The one name of the closed list that stands in ``words``, or nothing."""
    if _OF_TWO.search(words):
        return ""
    found = [match[0] for _, pattern in _NAMES if (match := pattern.search(words))]
    return found[0] if len(found) == 1 else ""


def _names_of(quantity: Quantity) -> set[str]:
    words = quantity.words
    for name, pattern in _RATIOS:
        if pattern.search(words):
            return {name}
    if words and not _OF_TWO.search(words):
        found = {name for name, pattern in _NAMES if pattern.search(words)}
        if found:
            return found if len(found) == 1 else set()
    return {name for name, pattern in _OF_SYMBOL if pattern.fullmatch(quantity.label)}


def _base(label: str) -> str:
    return label.partition("_")[0]


def _side(quantity: Quantity, sides: tuple[tuple[re.Pattern[str], set[str]], ...]) -> int | None:
    match = _SUBSCRIPT.match(quantity.label)
    if match:
        found = [place for place, (_, names) in enumerate(sides) if match[2] in names]
        if found:
            return found[0]
    if _OF_TWO.search(quantity.words):
        return None
    found = [place for place, (words, _) in enumerate(sides) if words.search(quantity.words)]
    return found[0] if len(found) == 1 else None
