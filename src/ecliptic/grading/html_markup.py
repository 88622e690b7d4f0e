"""HTML in an answer: raised and lowered text as LaTeX, named signs as characters, no tags."""

from __future__ import annotations

import re

_RAISED = re.compile(r"<(sup|sub)>([^<>]{1,80})</\1>", re.I)
_TAGS = re.compile(
    r"</?(?:b|strong|i|em|u|p|span|font|code|mark|small|big|center|div|h[1-6])(?:\s[^<>]{0,120})?>",
    re.I,
)
_BREAKS = re.compile(r"<br\s*/?>|</(?:p|div|li|h[1-6])>", re.I)
_ENTITIES = {
    "times": "×", "minus": "−", "plusmn": "±", "nbsp": " ", "thinsp": " ", "deg": "°", "mu": "μ",
    "micro": "µ", "middot": "·", "sdot": "⋅", "sup2": "²", "sup3": "³", "frac12": "½",
    "frac14": "¼", "frac34": "¾", "asymp": "≈", "sim": "∼", "pi": "π", "alpha": "α", "beta": "β",
    "gamma": "γ", "Delta": "Δ", "lambda": "λ", "omega": "ω", "Omega": "Ω", "radic": "√",
    "prime": "′", "Prime": "″", "ndash": "–", "mdash": "—", "le": "≤", "ge": "≥", "Aring": "Å",
    "lt": "<", "gt": ">", "amp": "&", "hellip": "…", "infin": "∞", "odot": "⊙", "sigma": "σ",
    "rho": "ρ", "theta": "θ", "phi": "φ", "nu": "ν", "tau": "τ", "eta": "η", "kappa": "κ",
}  # fmt: skip
_ENTITY = re.compile(r"&([A-Za-z]{2,6}[234]?);|&#(\d{2,5});|&#[xX]([0-9A-Fa-f]{2,4});")


def without_html(text: str) -> str:
    """The text as a browser would show it, as far as a closed list of tags and signs goes."""
    if "</" in text or "<br" in text or "<BR" in text:
        text = _RAISED.sub(_script, text)
        text = _TAGS.sub("", _BREAKS.sub("\n", text))
    if "&" in text and ";" in text:
        text = _ENTITY.sub(_sign, text)
    return text


def _script(match: re.Match[str]) -> str:
    return f"{'^' if match[1].lower() == 'sup' else '_'}{{{match[2].strip()}}}"


def _sign(match: re.Match[str]) -> str:
    if match[1]:
        return _ENTITIES.get(match[1], match[0])
    code = int(match[2]) if match[2] else int(match[3], 16)
    return chr(code) if 0xA0 <= code <= 0x2FFF else match[0]
