"""LaTeX of a number with its unit to plain characters, in one pass over its tokens."""

from __future__ import annotations

import re

from ecliptic.grading.parse_failure import ParseFailure

DEEPEST_GROUP = 40
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
    "wedge": " and ", "vee": " or ",
    "in": "∈", "fdg": "°.", "farcm": "′.", "farcs": "″.",
}  # fmt: skip
_SI_PREFIXES_LIST = (
    "kilo mega giga tera peta exa milli micro nano pico femto atto centi deci hecto deca"
)
_SI_PREFIXES = frozenset(_SI_PREFIXES_LIST.split())
_TOKEN = re.compile(r"\\([A-Za-z]+)\*?[ \t]*|\\(.)|([{}])|([^\\{}]+)", re.DOTALL)
_POWER_MARK = re.compile(r"(?<=[\d.])[dD](?=[-+]?\d)")
_SPLIT_PREFIX = re.compile(r"\\(mathrm|text|textrm|rm)\{(k|M|n|p|f|μ|µ|\\mu)\}\\\1\{(?=[A-Za-z])")
"""``\\mathrm{k}\\mathrm{eV}``: a prefix that is no unit of its own, printed without a gap."""
_ESCAPES = {
    ",": " ", ";": " ", ":": " ", "!": "", " ": " ", "%": "%", "$": " ", "#": "#", "&": " and ",
    "_": "_", "{": "(", "}": ")", "(": " ", ")": " ", "[": " ", "]": " ", "\\": " ; ", "/": "",
    "-": "", "\n": " ", "|": "|", ">": " ",
}  # fmt: skip


class Flattening:
    """One pass over LaTeX tokens; groups become parentheses only where they bind."""

    def __init__(self, text: str) -> None:
        text = _SPLIT_PREFIX.sub(r"\\\1{\2", text) if "}\\" in text else text
        self._tokens = [
            (match[1] or "", match[2] or "", match[3] or match[4] or "")
            for match in _TOKEN.finditer(text)
        ]
        self._at = 0
        self._depth = 0

    def result(self) -> str:
        """The line; :class:`ParseFailure` for a brace too many or too deep a nesting."""
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
            elif name == "num":
                inner = _siunitx_number(inner)
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
            number, unit = _siunitx_number(self._argument()), _siunitx(self._argument())
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


def _siunitx_number(number: str) -> str:
    """A siunitx number argument: ``d`` is another spelling of ``e``."""
    return _POWER_MARK.sub("e", number)


def _siunitx(unit: str) -> str:
    """A siunitx unit argument: ``.`` separates factors."""
    return re.sub(r"(?<=[A-Za-z)\d])\.(?=[A-Za-z])", " ", unit)
