"""The hint of a draft, in the house wording, from its type, unit, figures and symbols."""

from __future__ import annotations

import re

from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.helio.families.answers import Numeric, Routes, Symbolic, Textual
from ecliptic.helio.hints import hint_for

_NO_ROUTES = Routes("", "")
_SYMBOL = re.compile(
    r"(?:\\(?:vec|hat|dot|ddot|bar|tilde|mathbf|mathcal|boldsymbol|bm|overline)\s*(?:\{(?:[^{}]|"
    r"\{[^{}]*\})*\}|[A-Za-z]|\\[A-Za-z]+)"
    r"|\\(?P<name>[A-Za-z]+)|(?P<letter>[A-Za-zα-ωΑ-Ω]))"
    r"(?P<sub>\s*_\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\(?:mathrm|text|rm)\s*\{[^{}]*\}|\\[A-Za-z]+|"
    r"[A-Za-z\d]))?"
)
_GREEK_LIST = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi "
    "rho varrho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Sigma "
    "Upsilon Phi Psi Omega ell hbar"
)
_GREEK = frozenset(_GREEK_LIST.split())
_UPRIGHT = re.compile(r"\\(?:mathrm|text|operatorname|rm)\s*\{[^{}]*\}")
_UNIT_SPELLINGS = {"⊙": "sun", "⊕": "earth", "μ": "u", "µ": "u", "Å": "Angstrom", "°": "deg"}


def infer_hint(kind: str, final: str) -> tuple[str, str]:
    """Hint for a final of a type, and what keeps it from being sure (empty: nothing)."""
    if kind == "textual":
        return hint_for(Textual("", (), _NO_ROUTES)), ""
    if kind == "numeric":
        return _numeric(final)
    if kind != "symbolic":
        return "", "no wording for this type: write the hint"
    return _symbolic(final)


def _numeric(final: str) -> tuple[str, str]:
    from ecliptic.grading.quantities import read_quantities

    try:
        quantities = read_quantities(final).quantities
    except ParseFailure:
        return "", "the number cannot be read: write the hint"
    if len(quantities) != 1:
        return "", "the answer holds several numbers: write the hint"
    spelling = quantities[0].unit.spelling if quantities[0].unit is not None else ""
    unit = astropy_spelling(spelling)
    if unit is None:
        return "", f"the unit '{spelling}' has no house wording: write the hint"
    digits = significant_figures(str(final))
    return hint_for(Numeric(1.0, 1.0, unit, _NO_ROUTES, digits=digits)), ""


def significant_figures(text: str) -> int:
    """Figures of the first number, two at least; trailing zeros of a whole one don't count."""
    match = re.search(r"\d[\d,]*(?:\\,\d{3})*(?:\.\d+)?", text)
    if not match:
        return 3
    number = match[0].replace(",", "").replace("\\", "")
    digits = number.replace(".", "").lstrip("0")
    if "." not in number:
        digits = digits.rstrip("0")
    return max(len(digits), 2)


def astropy_spelling(spelling: str) -> str | None:
    """A unit in the spelling that :mod:`ecliptic.helio.families.notation` takes; else ``None``."""
    from ecliptic.helio.families.notation import unit_of

    if not spelling:
        return ""
    text = spelling
    for old, new in _UNIT_SPELLINGS.items():
        text = text.replace(old, new)
    text = re.sub(r"\^\s*\(([-+]?\d+)\)", r"^\1", text).replace("·", " ").replace("*", " ")
    own = {"R_sun": "R_sun", "Rsun": "R_sun", "Msun": "M_sun", "M_sun": "M_sun", "%": "%"}
    own |= {"R_E": "R_earth", "R_earth": "R_earth", "AU": "AU", "au": "AU", "RE": "R_earth"}
    candidates = [
        own.get(text, text),
        text.removesuffix("s"),
        re.sub(r"(?<=[A-Za-z])\^?(-?\d)", r"\1", text),
    ]
    for candidate in candidates:
        try:
            unit_of(candidate)
        except (ValueError, TypeError):
            continue
        return candidate
    return None


def _symbolic(final: str) -> tuple[str, str]:
    body = final.strip("$ ")
    left, equals, right = body.partition("=")
    if not equals:
        return "", "the formula has no left-hand side: name it, then write the hint"
    symbols = [name for name in symbols_of(right.split(r",\quad")[0]) if name != left.strip()]
    if not symbols:
        return "", "no symbol was found on the right-hand side: write the hint"
    ranges = dict.fromkeys(symbols, (1.0, 2.0))
    answer = Symbolic(f"${left.strip()} = ${right}", ranges, lambda values: 0.0, _NO_ROUTES)
    return hint_for(answer), ""


def symbols_of(formula: str) -> list[str]:
    """Symbols of a formula in LaTeX in the order of their first use, without functions."""
    found: dict[str, None] = {}
    text = _UPRIGHT.sub(
        lambda m: " " * len(m[0]) if not _is_script(formula, m.start()) else m[0], formula
    )
    at = 0
    while match := _SYMBOL.search(text, at):
        at = match.end()
        name, letter = match["name"], match["letter"]
        if name is not None and name not in _GREEK:
            at = match.end("name")
            continue
        if letter in ("e", "i") and not match["sub"]:
            continue
        if (
            letter == "d"
            and re.match(r"\s*(?:\\?[A-Za-z])", text[match.end() :])
            and not match["sub"]
        ):
            continue
        found.setdefault(re.sub(r"\s+", " ", match[0]).strip())
    return list(found)


def _is_script(text: str, start: int) -> bool:
    return text[:start].rstrip(" {")[-1:] in ("_", "^")
