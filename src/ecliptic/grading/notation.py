"""A number with its unit, in LaTeX or unicode, flattened to one plain line.

Flattening only rewrites notation: fonts, spacing, ``\\frac``, ``\\sqrt``, siunitx, superscripts
and look-alike characters. The result is read by :mod:`numbers`, :mod:`units` and
:mod:`quantities`; what those do not know stays in the line and makes them fail.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ecliptic.grading.flattening import Flattening
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.spoken_powers import with_spoken_powers

LONGEST_TEXT = 2000
"""Characters of a numeric final answer; longer texts are refused unread."""
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⸍ᐟ"
_RAISED = str.maketrans(_SUPERSCRIPTS, "0123456789+-//")
_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
_LOWERED = str.maketrans(_SUBSCRIPTS, "0123456789")
_FRACTIONS = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5",
    "⅗": "3/5", "⅘": "4/5", "⅙": "1/6", "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
}  # fmt: skip
_CHARACTERS = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f", " "),
        "\t": " ",
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u2061\u2062", ""),
        **dict.fromkeys("−﹣－‐‑", "-"),
        **dict.fromkeys("–—‒", "–"),
        **dict.fromkeys("×✕⨯✖", "*"),
        **dict.fromkeys("⋅∙•‧", "·"),
        **dict.fromkeys("∼≃≅≊～", "≈"),
        **dict.fromkeys("≥⩾", "≥"),
        **dict.fromkeys("≤⩽", "≤"),
        **dict.fromkeys("≳⪆", "≳"),
        **dict.fromkeys("≲⪅", "≲"),
        **dict.fromkeys("⇒→⟹", "="),
        **dict.fromkeys("º˚∘", "°"),
        **dict.fromkeys("’′ʹ", "′"),
        **dict.fromkeys("“”„", " "),
        "∧": " and ", "∨": " or ",
        "″": "″", "ʺ": "″", "µ": "μ", "\u212b": "Å", "\u212a": "K", "\u2126": "Ω", "☉": "⊙",
        "ϖ": "π", "÷": "/", "∕": "/", "⁄": "/", "`": "", "℃": "°C", "％": "%", "✓": "",
        "\r": "\n",
        **{mark: f" ({value})" for mark, value in _FRACTIONS.items()},
    }
)  # fmt: skip

_MIXED_NUMBER = re.compile(
    r"(?<![\d.,^_{A-Za-z)}])(\s*)(\d{1,4})\s*\\[dt]?frac\s*\{?\s*(\d+)\s*\}?\s*\{?\s*(\d+)\s*\}?"
)
"""``1\\frac{2}{3}``: a whole number right in front of a fraction smaller than 1 is added to it."""
_PLAIN_MIXED = re.compile(
    r"(?<![\w.,^/*×·-])(?<![\d.)}*×·/-] )()(\d{1,3}) (\d{1,2})/(\d{1,2})(?![\w./^(-])"
)
_RAISED_RUN = re.compile(f"[{_SUPERSCRIPTS}]+")
_LOWERED_RUN = re.compile(f"[{_SUBSCRIPTS}]+")
_TIE = re.compile(r"(?<![A-Za-z0-9.)}%°])~(?=\s*[-+.\d\\])")
_FORMULA = re.compile(r"\$[^$]+\$|\\\(.*?\\\)")
_PAIR_OF_STARS = re.compile(r"^\s*\*\*(.+?)\*\*\s*([.]?)\s*$", re.DOTALL)
_PLUS_OR_MINUS = re.compile(r"\bplus[ -]or[ -]minus\b", re.I)
_RAISED_O = re.compile(r"(?<=\d)\s*\^\s*(?:\(\s*[oO]\s*\)|[oO](?![A-Za-z]))")
"""``40^o``."""
_PLUS_MINUS = re.compile(r"\+\s*/\s*-|\+-|±\s*±")
_RAISED_DEGREE = re.compile(r"\^\s*\(?\s*(°|[′″]+|′\s*′)\s*\)?")
_SECONDS = re.compile(r"""(?<=\d)(?<!^["'].)(?:"|'')(?!\w)""")
_MINUTES = re.compile(r"(?<=\d)'(?!\w|')")
_SPOKEN = (" to ", "-to-", " point ", " times 10", " multiplied by 10")
_NO_CARET = re.compile(r"(?<=\d)(\s*[xX*×·]\s*)10[-−–](\d{1,3})(?![\d.,])")
"""``5x10-3``: the minus of a power of ten without its caret."""
_SWISS = re.compile(
    r"(?<![\d.])\d{1,3}(?:['’]\d{3}){2,}(?![\d'’])|(?<![\d.])\d{1,3}['’]000(?![\d'’])"
)
_PICTURES = re.compile("[\u2705\u2611\u2713\u2714\u2728\u2b50\U0001f300-\U0001faff]")
_NO_UNIT = re.compile(
    r"\s*(?:\[\s*(?:[–-]|1|dimensionless|unitless|none)\s*\]|\(\s*(?:[–-]|dimensionless|unitless)\s*\))(?=[\s.]*$)",
    re.I,
)
"""``1.4 [-]``: a unit column that says there is none."""
_SIGN_OVER_POINT = re.compile(r"(?<=\d)\s*([°′″])\s*\.\s*(\d+)")
"""``7°.25``: the unit stands over the decimal point."""
_LOOSE_SUBSCRIPT = re.compile(r"(?<=[A-Za-z]) _(?=[A-Za-z0-9({])")
"""``tau _A``, of ``\\tau_A``."""
_BLANKS = re.compile(r"[^\S\n]+")
_REQUIRES_WORK = re.compile(r"[^\x20-\x7e]|[\\{}$~*`\n\t+\"']|--|\^ ?\(")


@lru_cache(maxsize=1024)
def plain(text: str) -> str:
    """One line in plain notation, such as ``v_sw = 4.0*10^(2) km s^(-1)``.

    Raises :class:`ParseFailure` for text that is too long, nested too deeply or unbalanced.
    """
    if len(text) > LONGEST_TEXT:
        raise ParseFailure("the text is too long for a number", LONGEST_TEXT, limit="length")
    if "10" in text:
        text = _NO_CARET.sub(r"\g<1>10^-\g<2>", text)
    if "/" in text:
        text = _PLAIN_MIXED.sub(_as_fraction, text)
    if any(word in text for word in _SPOKEN):
        text = with_spoken_powers(text)
    if "or minus" in text or "or-minus" in text:
        text = _PLUS_OR_MINUS.sub("±", text)
    if _REQUIRES_WORK.search(text) is None:
        return text.strip()
    if "'" in text or "’" in text:
        text = _SWISS.sub(lambda match: re.sub("['’]", "", match[0]), text)
    if "~" in text:
        text = _FORMULA.sub(lambda match: match[0].replace("~", " "), text)
        text = _TIE.sub("≈", text).replace("~", " ")
    if not text.isascii():
        text = _PICTURES.sub("", text)
        text = _LOWERED_RUN.sub(_lower, _RAISED_RUN.sub(_raise, text)).translate(_CHARACTERS)
    if '"' in text or "'" in text:
        text = _SECONDS.sub("″", text)
        text = _MINUTES.sub("′", text)
    if len(text) > 2 and text[0] in "\"'" and text[-1] == text[0]:
        text = text[1:-1]
    bold = _PAIR_OF_STARS.match(text)
    if bold:
        text = bold[1] + bold[2]
    text = text.replace("**", "^").replace("$", " ").replace("`", "")
    if "frac" in text:
        text = _MIXED_NUMBER.sub(_as_fraction, text)
    if "\\" in text or "{" in text or "}" in text:
        text = Flattening(text).result()
    if " _" in text:
        text = _LOOSE_SUBSCRIPT.sub("_", text)
    if "±" in text or "+" in text:
        text = _PLUS_MINUS.sub("±", text)
    if "---" in text or "--" in text:
        text = text.replace("---", "–").replace("--", "–")
    if "^" in text:
        text = _RAISED_O.sub("°", _RAISED_DEGREE.sub(r"\1", text))
    if "′" in text or "''" in text:
        text = text.replace("′ ′", "″").replace("′′", "″").replace("''", "″")
    if "." in text and ("°" in text or "′" in text or "″" in text):
        text = _SIGN_OVER_POINT.sub(r".\2\1", text)
    if text.rstrip(" .")[-1:] in ("]", ")"):
        text = _NO_UNIT.sub("", text)
    return _BLANKS.sub(" ", text).strip()


def _as_fraction(match: re.Match[str]) -> str:
    whole, above, below = int(match[2]), int(match[3]), int(match[4])
    if above >= below:  # a product
        return match[0]
    return f"{match[1]}({whole * below + above})/({below})"


def _raise(match: re.Match[str]) -> str:
    return f"^({match[0].translate(_RAISED)})"


def _lower(match: re.Match[str]) -> str:
    return f"_{match[0].translate(_LOWERED)}"
