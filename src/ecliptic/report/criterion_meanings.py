"""What each criterion asks, in a line: for those who read a report without the documentation."""

from __future__ import annotations

from collections.abc import Iterable

MEANINGS = {
    "delta_bic": "The planets improve the fit: BIC (a likelihood less a price of parameters) gains "
    "over no planet at all.",
    "rms": "The scatter of the residuals against the median error of the velocities (m/s).",
    "match": "How well the planets agree with the true ones, from 0 to 1.",
    "count": "As many planets as there are.",
    "detection": "The data want every submitted planet: BIC gains by so much from each. An empty "
    "submission holds no planet to doubt, so it meets this one.",
    "residuals": "What is left after the fit is as small as the oracle leaves it: an RMS (m/s), or "
    "a log-likelihood where the star is active or real.",
    "recovery": "Every true planet has a partner as close as the data permit: the largest distance "
    "in units of what is allowed.",
    "periods": "Every matched period is right within its uncertainty: the largest deviation, in "
    "units of what is allowed.",
    "amplitudes": "The same of the semi-amplitudes K.",
    "answer": "The answer agrees with the gold: 1 if so.",
    "format": "The form that the question asks for; it decides only where the hint says ONLY or "
    "MUST.",
}
"""By name; the thresholds are the protocol's and stand on the attempts' pages."""


def meanings_of(names: Iterable[str]) -> list[tuple[str, str]]:
    """Name as shown and meaning, of those that are known."""
    return [(name.replace("_", " "), MEANINGS[name]) for name in names if name in MEANINGS]
