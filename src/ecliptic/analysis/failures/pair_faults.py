"""Submitted planets of the right period that are still too far from the true ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ecliptic.analysis.failures.evidence import Label
from ecliptic.analysis.failures.system import System
from ecliptic.analysis.failures.vocabulary import FailureCode
from ecliptic.analysis.failures.wording import figure
from ecliptic.rv import matching

BASE_TOLERANCE = 0.223
"""Distance of exp(-d) = 0.8, where the verdict states no tolerance of its own."""
COMPARABLE = 0.7
"""Of the largest fault: one as large is told, too."""


def pair_labels(
    system: System, pairs: Mapping[int, int], verdict: Mapping[str, Any] | None
) -> list[Label]:
    """Labels of pairs (true, submitted) beyond the tolerance, the largest fault first."""
    criteria = (verdict or {}).get("criteria", {})
    judged = criteria.get("recovery") or criteria.get("match")
    if judged is not None and judged["passed"]:
        return []
    given = (verdict or {}).get("details", {}).get("tolerances") or []
    labels: list[tuple[float, Label]] = []
    for i, j in sorted(pairs.items()):
        terms = [float(term) for term in system.terms[:, i, j]]
        distance = sum(terms)
        tolerance = given[i] if i < len(given) else BASE_TOLERANCE
        if math.isfinite(distance) and distance <= tolerance:
            continue
        labels += _faults(
            system, i, j, terms, f"distance {figure(distance)}, allowed {figure(tolerance)}"
        )
    return [each for _, each in sorted(labels, key=lambda fault: -fault[0])]


def _faults(
    system: System, i: int, j: int, terms: list[float], so_far: str
) -> list[tuple[float, Label]]:
    r"""Faults of one pair with their sizes: :math:`|\Delta e|`, :math:`|\ln r|`, a phase in rad.

    With r the ratio of the semi-amplitudes, the difference of two curves that are out of phase by
    :math:`\phi` is :math:`2 (\mathrm{rms}/K)^2 = (1 - r)^2 + 4 r \sin^2(\phi/2)`, to which an
    eccentricity that is off adds :math:`(\Delta e)^2` to first order.
    """
    truth, guess = system.truth[i], system.guess[j]
    curve, _, amplitude, e = terms
    off = curve / matching.CURVE_WEIGHT
    ratio = max(float(guess[1]), matching.K_FLOOR_MS) / max(float(truth[1]), matching.K_FLOOR_MS)
    phase = _phase(2.0 * off * off - (1.0 - ratio) ** 2 - (e / matching.E_WEIGHT) ** 2, ratio)
    words = (
        f"at {truth[0]:.5g} d e {guess[2]:.2f} submitted, {truth[2]:.2f} true; K {guess[1]:.3g} "
        f"against {truth[1]:.3g} m/s; curves differ by {figure(off)} K, which makes the phase or "
        f"orientation off by {phase:.2g} rad; {so_far}"
    )
    faults = {
        FailureCode.WRONG_ECCENTRICITY: e / matching.E_WEIGHT,
        FailureCode.WRONG_AMPLITUDE: amplitude / matching.AMPLITUDE_WEIGHT,
        FailureCode.WRONG_PHASE: phase,
    }
    largest = max(faults.values())
    return [
        (size, Label(code, words))
        for code, size in faults.items()
        if size >= COMPARABLE * largest and size > 0.0
    ]


def _phase(square: float, ratio: float) -> float:
    """The phase in rad; 0 where curves that overflow tell none."""
    if not math.isfinite(square) or not math.isfinite(ratio):
        return 0.0
    return 2.0 * math.asin(min(math.sqrt(max(square, 0.0) / (4.0 * ratio)), 1.0))
