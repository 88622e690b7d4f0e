"""A number with its unit, in LaTeX or unicode, flattened to one plain line.

Flattening only rewrites notation: fonts, spacing, ``\\frac``, ``\\sqrt``, siunitx, superscripts
and look-alike characters. The result is read by :mod:`numbers`, :mod:`units` and
:mod:`quantities`; what those do not know stays in the line and makes them fail.
"""

from __future__ import annotations

import re

from ecliptic.grading.parse_failure import ParseFailure

LONGEST_TEXT = 2000
"""Characters of a numeric final answer; longer texts are refused unread."""
DEEPEST_GROUP = 40

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⸍ᐟ"
_RAISED = str.maketrans(_SUPERSCRIPTS, "0123456789+-//")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
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
        "″": "″", "ʺ": "″", "µ": "μ", "\u212b": "Å", "\u212a": "K", "\u2126": "Ω", "☉": "⊙",
        "ϖ": "π", "÷": "/", "∕": "/", "⁄": "/", "`": "", "℃": "°C", "％": "%", "✓": "",
        "\r": "\n",
        **{mark: f" ({value})" for mark, value in _FRACTIONS.items()},
    }
)  # fmt: skip

_SPACES_LIST = (
    "quad qquad thinspace medspace thickspace enspace space hspace nobreakspace hfill newline "
    "displaystyle textstyle left right bigl bigr Bigl Bigr big Big biggl biggr bigg Bigg Biggl "
    "Biggr rm it bf sf tt mathstrut limits nolimits boldsymbol phantom allowbreak null"
)
_SPACES = frozenset(_SPACES_LIST.split())
_BREAKS = frozenset({"newline"})
_FONTS_LIST = (
    "mathrm text textrm textnormal mathit textit mathsf textsf mathtt texttt mbox operatorname "
    "hbox rm boxed fbox ensuremath textbf mathbf bm boldsymbol vec hat mathcal emph underline bar "
    "tilde overline dot si unit units textup mathnormal num hspace mathbin mathord"
)
_FONTS = frozenset(_FONTS_LIST.split())
_MARKS = {
    "times": "*", "cdot": "·", "ast": "*", "bullet": "·", "div": "/", "pm": "±", "mp": "±",
    "sim": "≈", "approx": "≈", "simeq": "≈", "cong": "≈", "approxeq": "≈", "gtrsim": "≳",
    "lesssim": "≲", "geq": "≥", "ge": "≥", "geqslant": "≥", "leq": "≤", "le": "≤",
    "leqslant": "≤", "gg": "≫", "ll": "≪", "gt": ">", "lt": "<", "equiv": "=", "to": "=",
    "rightarrow": "=", "Rightarrow": "=", "implies": "=", "therefore": " ", "degree": "°",
    "circ": "°", "textdegree": "°", "prime": "′", "AA": "Å", "angstrom": "Å", "mu": "μ",
    "micro": "micro", "textmu": "μ", "upmu": "μ", "odot": "⊙", "astrosun": "⊙", "sun": "⊙",
    "oplus": "⊕", "earth": "⊕", "percent": " % ", "Omega": "Ω", "ohm": "Ω", "infty": "∞",
    "pi": "π", "arcmin": "′", "arcsec": "″", "dots": "...", "ldots": "...", "textendash": "–",
    "kms": " km/s ", "propto": "∝", "neq": "≠", "ne": "≠", "gamma": "γ", "textasciitilde": "~",
    "textminus": "-", "nicefrac": "", "slash": "/", "colon": ":", "celsius": "°C",
    "degreeCelsius": "°C", "cup": " or ", "lor": " or ", "land": " and ", "&": " ",
}  # fmt: skip
_SI_PREFIXES_LIST = (
    "kilo mega giga tera peta exa milli micro nano pico femto atto centi deci hecto deca"
)
_SI_PREFIXES = frozenset(_SI_PREFIXES_LIST.split())
_TOKEN = re.compile(r"\\([A-Za-z]+)\*?[ \t]*|\\(.)|([{}])|([^\\{}]+)", re.DOTALL)
_RAISED_RUN = re.compile(f"[{_SUPERSCRIPTS}]+")
_TIE = re.compile(r"(?<![A-Za-z0-9.)}%°])~(?=\s*[-+.\d\\])")
_FORMULA = re.compile(r"\$[^$]+\$|\\\(.*?\\\)")
_PAIR_OF_STARS = re.compile(r"^\s*\*\*(.+?)\*\*\s*([.]?)\s*$", re.DOTALL)
_PLUS_MINUS = re.compile(r"\+\s*/\s*-|\+-|±\s*±")
_RAISED_DEGREE = re.compile(r"\^\s*\(?\s*(°|[′″]+|′\s*′)\s*\)?")
_SECONDS = re.compile(r"""(?<=\d)(?<!^["'].)(?:"|'')(?!\w)""")
_MINUTES = re.compile(r"(?<=\d)'(?!\w|')")
_BLANKS = re.compile(r"[^\S\n]+")
_REQUIRES_WORK = re.compile(r"[^\x20-\x7e]|[\\{}$~*`\n\t+\"']|--|\^ ?\(")


def plain(text: str) -> str:
    """One line in plain notation, such as ``v_sw = 4.0*10^(2) km s^(-1)``.

    Raises :class:`ParseFailure` for text that is too long, nested too deeply or unbalanced.
    """
    if len(text) > LONGEST_TEXT:
        raise ParseFailure("the text is too long for a number", LONGEST_TEXT, limit="length")
    if _REQUIRES_WORK.search(text) is None:
        return text.strip()
    if "~" in text:
        text = _FORMULA.sub(lambda match: match[0].replace("~", " "), text)
        text = _TIE.sub("≈", text).replace("~", " ")
    if not text.isascii():
        text = (
            _RAISED_RUN.sub(_raise, text.replace("⁻¹", "^(-1)"))
            if "⁻" in text
            else (_RAISED_RUN.sub(_raise, text))
        )
        text = text.translate(_LOWERED).translate(_CHARACTERS)
    if '"' in text or "'" in text:
        text = _SECONDS.sub("″", text)
        text = _MINUTES.sub("′", text)
    if len(text) > 2 and text[0] in "\"'" and text[-1] == text[0]:
        text = text[1:-1]
    bold = _PAIR_OF_STARS.match(text)
    if bold:
        text = bold[1] + bold[2]
    text = text.replace("**", "^").replace("$", " ").replace("`", "")
    if "\\" in text or "{" in text or "}" in text:
        text = _Flattening(text).result()
    if "log _" in text:
        text = text.replace("log _", "log_")
    if "±" in text or "+" in text:
        text = _PLUS_MINUS.sub("±", text)
    if "---" in text or "--" in text:
        text = text.replace("---", "–").replace("--", "–")
    if "^" in text:
        text = _RAISED_DEGREE.sub(r"\1", text)
    if "′" in text or "''" in text:
        text = text.replace("′ ′", "″").replace("′′", "″").replace("''", "″")
    return _BLANKS.sub(" ", text).strip()


def _raise(match: re.Match[str]) -> str:
    return f"^({match[0].translate(_RAISED)})"


class _Flattening:
    """One pass over LaTeX tokens; groups become parentheses only where they bind."""

    def __init__(self, text: str) -> None:
        self._tokens = [
            (match[1] or "", match[2] or "", match[3] or match[4] or "")
            for match in _TOKEN.finditer(text)
        ]
        self._at = 0
        self._depth = 0

    def result(self) -> str:
        line = self._group(top=True)
        if self._at < len(self._tokens):
            raise ParseFailure("a closing brace too many", self._at)
        return line

    def _group(self, *, top: bool = False) -> str:
        self._depth += 1
        if self._depth > DEEPEST_GROUP:
            raise ParseFailure("nested too deeply", self._at, limit="depth")
        out: list[str] = []
        while self._at < len(self._tokens):
            macro, escape, other = self._tokens[self._at]
            if other == "}":
                break
            self._at += 1
            if macro:
                self._macro(macro, out)
            elif escape:
                out.append(_ESCAPES.get(escape, " "))
            elif other == "{":
                inner = self._group()
                self._close()
                _bind(inner, out)
            else:
                out.append(other)
        if not top and self._at >= len(self._tokens):
            raise ParseFailure("an opening brace without its partner", self._at)
        self._depth -= 1
        return "".join(out)

    def _close(self) -> None:
        self._at += 1

    def _argument(self) -> str:
        """The next group without its braces, or the next single character or macro."""
        self._depth += 1
        if self._depth > DEEPEST_GROUP:
            raise ParseFailure("nested too deeply", self._at, limit="depth")
        argument = self._undelimited()
        self._depth -= 1
        return argument

    def _undelimited(self) -> str:
        while self._at < len(self._tokens):
            macro, escape, other = self._tokens[self._at]
            self._at += 1
            if macro or escape:
                out: list[str] = []
                self._macro(macro, out) if macro else out.append(_ESCAPES.get(escape, " "))
                return "".join(out)
            if other == "{":
                inner = self._group()
                self._close()
                return inner
            if other == "}":
                raise ParseFailure("an argument is missing", self._at)
            stripped = other.lstrip()
            if stripped:
                if len(stripped) > 1:
                    self._at -= 1
                    self._tokens[self._at] = ("", "", stripped[1:])
                return stripped[0]
        raise ParseFailure("an argument is missing", self._at)

    def _option(self) -> str:
        """The text of ``[...]`` in front of an argument, or nothing."""
        if self._at < len(self._tokens):
            other = self._tokens[self._at][2]
            if other.startswith("[") and "]" in other:
                option, rest = other[1:].split("]", 1)
                self._tokens[self._at] = ("", "", rest)
                if not rest:
                    self._at += 1
                return option
        return ""

    def _macro(self, name: str, out: list[str]) -> None:
        if name in _FONTS and not (name == "rm" and not self._at_brace()):
            self._option() if name in {"si", "unit", "num"} else None
            inner = self._argument()
            if name in {"si", "unit"}:
                inner = _siunitx(inner)
            _bind(inner, out, font=True)
        elif name in {"frac", "dfrac", "tfrac", "nicefrac", "sfrac", "cfrac"}:
            top, bottom = self._argument(), self._argument()
            _bind(f"(({top})/({bottom}))", out)
        elif name == "sqrt":
            root = self._option()
            inner = self._argument()
            out.append(f"(({inner})^(1/({root})))" if root else f"sqrt({inner})")
        elif name in {"SI", "qty"}:
            self._option()
            number, unit = self._argument(), _siunitx(self._argument())
            out.append(f"{number} {unit}")
        elif name in {"SIrange", "qtyrange"}:
            low, high = self._argument(), self._argument()
            out.append(f"{low} – {high} {_siunitx(self._argument())}")
        elif name == "numrange":
            out.append(f"{self._argument()} – {self._argument()}")
        elif name == "ang":
            out.append(f"{self._argument()}°")
        elif name in {"begin", "end", "label", "tag", "mathchoice"}:
            raise ParseFailure(f"\\{name} in a number", self._at)
        elif name in _BREAKS:
            out.append(" ; ")
        elif name in _SPACES:
            out.append(" ")
        elif name in _SI_PREFIXES:
            out.append(name)
        elif name == "tothe":
            out.append("^")
        elif name == "per":
            out.append(" ⁄ ")
        elif name in _MARKS:
            out.append(_MARKS[name])
        elif name in {"ln", "log", "exp", "lg"}:
            out.append(f" {name} ")
        else:
            _bind(name, out, font=True)
            out.append(" ")

    def _at_brace(self) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at][2] == "{"


_ESCAPES = {
    ",": " ", ";": " ", ":": " ", "!": "", " ": " ", "%": "%", "$": " ", "#": "#", "&": " ",
    "_": "_", "{": "(", "}": ")", "(": " ", ")": " ", "[": " ", "]": " ", "\\": " ; ", "/": "",
    "-": "", "\n": " ", "|": "|", ">": " ",
}  # fmt: skip


def _bind(inner: str, out: list[str], *, font: bool = False) -> None:
    """Put a group's text behind ``out`` so that ``^`` and ``_`` keep hold of all of it."""
    before = out[-1].rstrip()[-1:] if out else ""
    if before == "^":
        out.append(f"({inner.strip()})")
    elif before == "_":
        out.append("".join(inner.split()))
    else:
        if font and before.isalpha() and inner[:1].isalpha() and not _joins(out[-1]):
            out.append(" ")
        out.append(inner)


def _joins(last: str) -> bool:
    """Whether what follows belongs to the same unit: after a micro sign or a prefix in words."""
    return last.endswith("μ") or last in _SI_PREFIXES


def _siunitx(unit: str) -> str:
    """A siunitx unit argument: ``.`` separates factors."""
    return re.sub(r"(?<=[A-Za-z)\d])\.(?=[A-Za-z])", " ", unit)
