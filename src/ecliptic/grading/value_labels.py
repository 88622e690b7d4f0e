"""Whether a number is given for the quantity itself or for a function of it."""

from __future__ import annotations

import re

from ecliptic.grading.comparison import Comparison, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.quantity import symbols_in

_LABEL = re.compile(r"^[^=≈<>]{0,200}?(?=\s*(?:=|≈|\\approx|\\simeq|\\sim))")
_FUNCTION = re.compile(
    r"(?<![A-Za-z])\\?(?:log|ln|lg|exp|sqrt|sin|cos|tan|arcsin|arccos|arctan)(?![a-z])|√"
    r"|(?<![\w.])1\s*/\s*[A-Za-z\\]|\\[dt]?frac\s*\{\s*1\s*\}"
    r"|[A-Za-z})]\s*\^\s*\{?\s*[-\d]|⁻?[²³]\s*$"
)
_POWER = re.compile(r"\\?sqrt|√|[A-Za-z})]\s*\^|[²³]")


_PURE = re.compile(r"(?:[-+\d.,{}()$^\s*·×eE]|\\(?:times|cdot|[,;! ]))+")


_STATEMENT = re.compile(
    r"(?:[,;.]\s+|\s+)(?:i\.e\.|that is|so|hence|thus"
    r"|therefore),?\s+(?:that\s+)?(?=[^,;.=≈]{1,30}[=≈])|⇒|⟹|\n"
    r"|(?<=[\d\w)⁰-⁹])\s*=\s*(?=[A-Za-zΑ-ω]\w{0,10}\s*[=≈])"
)
"""What stands between two statements, of which the last one counts."""


def function_of_the_value(gold: str, answer: str) -> Comparison | None:
    """``undecided`` for ``log v = 400`` where the gold is ``400`` without a name.

    The question may have asked for the logarithm; the answer alone does not tell.
    """
    if re.search(r"[=≈]|\\approx|\\sim", gold):
        return None
    last = [part for part in _STATEMENT.split(answer) if re.search(r"\d", part)][-1:]
    label = _LABEL.match((last or [answer])[0].strip().lstrip("$"))
    function = _FUNCTION.search(label[0]) if label else None
    if label is None or function is None or not symbols_in(label[0]):
        return None  # sqrt(3) is a number
    if re.match(r"[A-Za-z})]\s*\^\s*\{?\s*-|⁻", function[0]) and _PURE.fullmatch(gold.strip(" .")):
        return None  # M_A^-2 = 1.5e-3 beside 1.5e-3: both are plain numbers
    if _POWER.match(function[0]) and len(symbols_in(label[0].split()[-1])) > 1:
        return None  # sqrt(2 k T/m) is how the quantity was computed
    return undecided(
        GradingDiagnosis.UNDECIDED,
        f"the number is given for '{label[0].strip()[:60]}', the gold names no quantity",
        method="value",
    )
