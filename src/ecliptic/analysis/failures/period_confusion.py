r"""Submitted periods that the sampling, or a small ratio, makes of true ones.

A submitted planet of frequency :math:`f'` is the confusion of a true one of :math:`f` when

* :math:`f'` is within half the resolution :math:`1/T`, and 5 %, of :math:`f/r` for a small ratio
  r (harmonic), or of :math:`|f \pm f_c|` for a cycle that the spectral window shows (alias;
  reflected where :math:`f_c > f`), the constants being those of :mod:`ecliptic.rv.diagnosis`;
* it is not simply near: :math:`|f' - f| \ge 1/T`;
* it is the planet's doing: its curve and sinusoids of its period take a tenth of what the
  submitted planets leave of the true planet's velocities, and half of the signal that they find
  comes from that planet
  (:meth:`ecliptic.analysis.failures.system.System.sources`).

The last condition tells a confusion from a coincidence, since with several planets, five cycles
and six ratios some relation holds for many a period. It is not asked of half and twice a period
that are exact, to half a per cent and a tenth of the resolution: by chance one of these is met by
0.3 % of all periods for each true planet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ecliptic.analysis.failures.evidence import Label
from ecliptic.analysis.failures.system import System
from ecliptic.analysis.failures.vocabulary import FailureCode
from ecliptic.analysis.failures.wording import against, percent
from ecliptic.rv.diagnosis import CONFUSED_PERIOD, CYCLES_DAYS, RATIOS, RELATIVE_TOLERANCE

NEAR = 1.0
"""In units of the resolution: periods nearer than this are not told as confusions."""
MIN_SHARE, MIN_PART = 0.1, 0.5
MIN_REMAINDER = 0.1
"""Amplitude of what is left of a true planet, over its own, that is worth imitating."""
SAME_MISS = 0.25
EXACT_RATIOS, EXACT, EXACT_MISS = ("P/2", "2P"), 0.005, 0.1


@dataclass(frozen=True, slots=True)
class Relation:
    """Submitted planet j as the confusion of the true planet i.

    ``share`` of what is left of that planet is taken at the submitted period, and ``part`` of the
    signal there is that planet's.
    """

    j: int
    i: int
    code: FailureCode
    which: str
    reflected: bool
    share: float
    part: float


def relations(
    true_days: float, days: float, span_days: float, cycles_days: Mapping[str, float] = CYCLES_DAYS
) -> list[tuple[FailureCode, str, bool]]:
    """What a period may be of a true one, by frequency alone: code, variety, reflected.

    Cycles that cannot be told apart over the span are named together.
    """
    true, submitted = 1.0 / true_days, 1.0 / days
    if abs(submitted - true) * span_days < NEAR:
        return []
    found = [
        (FailureCode.HARMONIC, name, False)
        for name, ratio in RATIOS.items()
        if _miss(submitted, true / ratio, span_days) is not None
    ]
    aliases: list[tuple[float, str, bool]] = []
    for name, cycle_days in cycles_days.items():
        cycle = 1.0 / cycle_days
        for expected in (abs(true - cycle), true + cycle):
            miss = _miss(submitted, expected, span_days)
            if miss is not None:
                aliases.append((miss, name, expected < cycle and true < cycle))
    if aliases:
        best = min(miss for miss, _, _ in aliases)
        near = [each for each in aliases if each[0] - best < SAME_MISS]
        which = " or ".join(dict.fromkeys(name for _, name, _ in near))
        found.append((FailureCode.ALIAS, which, min(near)[2]))
    return found


def _miss(submitted: float, expected: float, span_days: float) -> float | None:
    """Distance in units of the resolution, if it is near enough."""
    miss = abs(submitted - expected)
    near = miss * span_days < CONFUSED_PERIOD and miss <= RELATIVE_TOLERANCE * expected
    return miss * span_days if near else None


def confusions(system: System, loose: list[int]) -> list[Relation]:
    """For each of the submitted planets what it is the confusion of; several names may fit."""
    told: list[Relation] = []
    for j in loose:
        parts, _ = system.sources(j)
        P = float(system.guess[j, 0])
        for i in range(len(system.truth)):
            P_true = float(system.truth[i, 0])
            part, share = parts.get(i, 0.0), system.share(j, system.unfitted(i))
            imitates = part >= MIN_PART and share >= MIN_SHARE and _remains(system, i)
            told += [
                Relation(j, i, code, which, reflected, share, part)
                for code, which, reflected in relations(
                    P_true, P, system.span_days, system.cycles_days
                )
                if imitates or (i in system.lost and _is_exact(which, P_true, P, system.span_days))
            ]
    return told


def _remains(system: System, i: int) -> bool:
    left = system.unfitted(i)
    whole = float(np.sum(system.true_curves[i] ** 2))
    return float(left @ left) >= MIN_REMAINDER**2 * whole


def _is_exact(which: str, true_days: float, days: float, span_days: float) -> bool:
    if which not in EXACT_RATIOS:
        return False
    expected = true_days * RATIOS[which]
    miss = abs(1.0 / days - 1.0 / expected) * span_days
    return miss < EXACT_MISS and abs(days / expected - 1.0) < EXACT


def confusion_labels(system: System, found: list[Relation]) -> list[Label]:
    """One label a confusion; where there is more than one reading, each says so."""
    labels = []
    for each in found:
        others = [other for other in found if other.j == each.j and other is not each]
        note = "; also possible: " + ", ".join(
            f"{other.which} {other.code} of {system.truth[other.i, 0]:.5g} d" for other in others
        )
        labels.append(
            Label(
                each.code,
                f"{against(system, each.j, each.i)}: {_name(each)}; at the observed times it can "
                f"take {percent(each.share)} of "
                f"{'' if each.i in system.lost else 'what is left of '}that planet's velocities, "
                f"which make up {percent(min(max(each.part, 0.0), 1.0))} of the signal there"
                f"{note if others else ''}",
                each.which,
            )
        )
    return labels


def _name(each: Relation) -> str:
    if each.code is FailureCode.HARMONIC:
        return f"{each.which} of the true period"
    return f"its alias by the {each.which}{', reflected' if each.reflected else ''}"
