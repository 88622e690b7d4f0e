r"""One submitted planet in the place of two true ones.

With v the curve of the submitted planet and a, b those of two true planets, of which at least one
was not submitted, it stands for both where it takes more of their sum than either of them would:

.. math:: \sum (a + b - v)^2 < 0.7 \, \min\left(\sum a^2, \sum b^2\right).

Looked at are pairs within 10 % of 2:1 with a submitted planet near the outer period (an eccentric
orbit has its second harmonic there: Anglada-Escude et al. 2010, ApJ 709, 168), and neighbours with
a submitted period between theirs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ecliptic.analysis.failures.evidence import Label
from ecliptic.analysis.failures.system import System
from ecliptic.analysis.failures.vocabulary import FailureCode
from ecliptic.analysis.failures.wording import days, percent

RESONANT = 0.1
NEAR = 1.0
"""In units of the resolution: as near to the outer period as counts as being at it."""
LESS = 0.7
MIN_GAIN_E = 0.05
ECCENTRIC, BETWEEN = "eccentric orbit for 2:1", "one between two"


@dataclass(frozen=True, slots=True)
class Merger:
    """Submitted planet j in the place of the true planets ``inner`` and ``outer``."""

    j: int
    inner: int
    outer: int
    which: str
    share: float


def mergers(system: System) -> list[Merger]:
    """All of them, each submitted planet at most once, the one that takes most."""
    found: dict[int, Merger] = {}
    lost, order = set(system.lost), np.argsort(system.truth[:, 0]).tolist()
    for a in range(len(order)):
        for b in range(a + 1, len(order)):
            inner, outer = order[a], order[b]
            if not lost & {inner, outer}:
                continue
            for j in range(len(system.guess)):
                which = _kind(system, j, inner, outer, neighbours=b == a + 1)
                share = _share(system, j, inner, outer) if which else None
                if share is not None and (j not in found or share > found[j].share):
                    found[j] = Merger(j, inner, outer, which, share)
    return list(found.values())


def _kind(system: System, j: int, inner: int, outer: int, *, neighbours: bool) -> str:
    P, P_in, P_out = system.guess[j, 0], system.truth[inner, 0], system.truth[outer, 0]
    near = abs(1.0 / P - 1.0 / P_out) * system.span_days < NEAR
    if near and inner in system.lost and abs(P_out / P_in / 2.0 - 1.0) < RESONANT:
        gain = system.guess[j, 2] - system.truth[outer, 2]
        return ECCENTRIC if gain > MIN_GAIN_E else ""
    alone = {system.pairs.get(inner, j), system.pairs.get(outer, j)} == {j}
    return BETWEEN if alone and neighbours and P_in < P < P_out else ""


def _share(system: System, j: int, inner: int, outer: int) -> float | None:
    """Share of the sum that the submitted planet takes, if it stands for both."""
    a, b = system.true_curves[inner], system.true_curves[outer]
    rest = a + b - system.guess_curves[j]
    left, whole = float(rest @ rest), float((a + b) @ (a + b))
    stands = left < LESS * min(float(a @ a), float(b @ b)) and whole > 0.0
    return 1.0 - left / whole if stands else None


def merger_labels(system: System, found: list[Merger]) -> list[Label]:
    """One label a submitted planet that stands for two."""
    return [
        Label(
            FailureCode.MERGED_PAIR,
            f"one planet of {days(system.guess[each.j, 0])} with e {system.guess[each.j, 2]:.2f} "
            f"for two of {days(system.truth[each.inner, 0])} and "
            f"{days(system.truth[each.outer, 0])} (e {system.truth[each.inner, 2]:.2f} and "
            f"{system.truth[each.outer, 2]:.2f}); it takes {percent(each.share)} of their sum, "
            "more than either of them alone",
            each.which,
        )
        for each in found
    ]
