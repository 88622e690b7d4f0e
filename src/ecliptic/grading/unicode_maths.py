"""Unicode mathematics to the ASCII and LaTeX that the lexer knows."""

from __future__ import annotations

import re
import unicodedata

from ecliptic.grading.parse_failure import ParseFailure

_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
_SUBSCRIPTS = dict(
    zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-=()aeoxhklmnpstijruv", strict=True)
)
_GREEK_LETTERS = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩςϵϑϕϖϱϰ"
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega sigma "
    "epsilon theta phi varpi rho kappa"
)
GREEK = dict(zip(_GREEK_LETTERS, _GREEK_NAMES.split(), strict=True))
_LOOKALIKES = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABEZHIKMNOPTX", strict=True))
"""Greek capitals without a LaTeX command of their own are the Latin letters they look like."""
_SIGNS = {
    "−": "-", "–": "-", "‐": "-", "‑": "-", "﹣": "-", "－": "-", "×": "\\times ", "✕": "\\times ",
    "⨯": "\\times ", "·": "\\cdot ", "⋅": "\\cdot ", "∙": "\\cdot ", "•": "\\cdot ", "÷": "/",
    "∕": "/", "⁄": "/", "±": "\\pm ", "∓": "\\mp ", "≤": "\\le ", "≥": "\\ge ", "⩽": "\\le ",
    "⩾": "\\ge ", "≠": "\\ne ", "≈": "\\approx ", "≃": "\\simeq ", "≅": "\\cong ",
    "∼": "\\sim ", "∝": "\\propto ", "≡": "\\equiv ", "≪": "\\ll ", "≫": "\\gg ",
    "≲": "\\lesssim ", "≳": "\\gtrsim ", "∈": "\\in ", "→": "\\to ", "⇒": "\\implies ",
    "⟹": "\\implies ", "⇔": "\\iff ", "∴": "\\therefore ", "√": "\\sqrt ", "∛": "\\cbrt ",
    "∇": "\\nabla ", "∂": "\\partial ", "∫": "\\int ", "∮": "\\oint ", "∑": "\\sum ",
    "∬": "\\iint ", "∭": "\\iiint ", "∯": "\\oiint ", "∰": "\\oiiint ",
    "∏": "\\prod ", "∞": "\\infty ", "′": "'", "″": "''", "’": "'", "°": "^\\circ ",
    "⊙": "\\odot ", "☉": "\\odot ", "⊕": "\\oplus ", "∥": "\\parallel ", "‖": "\\| ",
    "⊥": "\\perp ", "⟂": "\\perp ", "ℏ": "\\hbar ", "ħ": "\\hbar ", "ℓ": "\\ell ", "⟨": "\\langle ",
    "⟩": "\\rangle ", "∧": "\\wedge ", "µ": "\\mu ", "Å": "\\AA ", "∣": "|", "½": "\\frac{1}{2}",
    "⅓": "\\frac{1}{3}", "⅔": "\\frac{2}{3}", "¼": "\\frac{1}{4}", "¾": "\\frac{3}{4}",
    "⅕": "\\frac{1}{5}", "⅙": "\\frac{1}{6}", "⅛": "\\frac{1}{8}", "“": " ", "”": " ",
    "∗": "*", "⋆": "*", "≔": ":=", "ı": "i",
}  # fmt: skip
_IGNORED = frozenset(
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\u2061\u2062\u2063\u2064\ufe0e\ufe0f\u200e\u200f"
)
_GREEK_SUBSCRIPT = re.compile(r"_[α-ω]{2,3}(?![\w{(])")
"""``D_μμ``: all letters are the subscript, as with ``D_pp``."""
_ACCENTS = {
    "\u0307": "dot", "\u0308": "ddot", "\u0302": "hat", "\u0304": "bar", "\u0305": "bar",
    "\u0303": "tilde", "\u20d7": "vec",
}  # fmt: skip


def to_ascii(text: str) -> tuple[str, list[int] | None]:
    """The text in ASCII, and for each of its characters the offset in the original.

    The offsets are None where nothing had to change. :class:`ParseFailure` on a character outside
    of mathematics (other scripts, control and private characters).
    """
    if text.isascii():
        return text, None
    pieces: list[str] = []
    origin: list[int] = []
    run = ""
    group_end = -1

    def put(piece: str, offset: int) -> None:
        pieces.append(piece)
        origin.extend([offset] * len(piece))

    def close_run(offset: int) -> None:
        nonlocal run
        if run:
            put("}", offset)
            run = ""

    for offset, character in enumerate(text):
        if character in _IGNORED:
            continue
        script = "^" if character in _SUPERSCRIPTS else "_" if character in _SUBSCRIPTS else ""
        if script:
            if run != script:
                close_run(offset)
                put(script + "{", offset)
                run = script
            table = _SUPERSCRIPTS if script == "^" else _SUBSCRIPTS
            put(table[character], offset)
            continue
        close_run(offset)
        if offset == group_end:
            put("}", offset)
        if character == "_" and (group := _GREEK_SUBSCRIPT.match(text, offset)):
            put("_{", offset)
            group_end = group.end()
            continue
        if character in "☉⊙⊕" and text[offset - 1 : offset].isalpha():
            put("_", offset)
        if character == "–" and _between_digits(text, offset):
            raise ParseFailure("a range is no expression", offset)
        if character.isascii():
            put(character, offset)
        elif character in _ACCENTS:
            if not pieces:
                raise ParseFailure("an accent has no letter", offset)
            bare = pieces.pop()
            del origin[len(origin) - len(bare) :]
            put(f"\\{_ACCENTS[character]}{{{bare.strip()}}}", offset)
        else:
            put(_translated(character, offset), offset)
    close_run(len(text))
    if group_end == len(text):
        put("}", len(text))
    origin.append(len(text))
    return "".join(pieces), origin


def _between_digits(text: str, offset: int) -> bool:
    before, after = (
        text[max(0, offset - 80) : offset].rstrip()[-1:],
        text[offset + 1 : offset + 80].lstrip()[:1],
    )
    return before.isdigit() and after.isdigit()


def _translated(character: str, offset: int) -> str:
    if character in _SIGNS:
        return _SIGNS[character]
    if character in GREEK:
        return f"\\{GREEK[character]} "
    if character in _LOOKALIKES:
        return _LOOKALIKES[character]
    if character.isspace():
        return " "
    compatible = unicodedata.normalize("NFKD", character)
    name = unicodedata.name(character, "")
    if name.startswith("MATHEMATICAL"):
        letter = compatible if compatible.isascii() else f"\\{GREEK.get(compatible, '')} "
        if letter.strip("\\ ") and len(compatible) == 1:
            return (
                f"\\mathbf{{{letter}}}" if " BOLD " in name and letter.strip().isalpha() else letter
            )
    if len(compatible) == 2 and compatible[0].isascii() and compatible[1] in _ACCENTS:
        return f"\\{_ACCENTS[compatible[1]]}{{{compatible[0]}}}"
    if name.startswith("FULLWIDTH") and compatible.isascii():
        return compatible
    raise ParseFailure(f"'{character}' is no part of a formula", offset)
