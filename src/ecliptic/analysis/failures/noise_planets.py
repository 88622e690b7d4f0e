"""Submitted planets that are the star's rotation, or the sampling itself.

A submitted planet that stands for no true one is taken for noise where its period is

* that of the star's rotation, a half or a third of it, within 10 %, or within half the width of
  the rotation's line in the spectrum where that is known and broader (1 / 2 Q, at most 25 %: spots
  come and go, so that their signal has no sharper period), or
* that of a peak of the spectral window, and within half a resolution of a cycle of the sampling,

and where it was taken from the noise: half of the signal at that period is in what the true planets
leave of the data (:meth:`ecliptic.analysis.failures.system.System.sources`), it can take a tenth of
that, and without it the submission leaves more of the data.
"""

from __future__ import annotations

import math

import numpy as np

from ecliptic.analysis.failures.evidence import Label
from ecliptic.analysis.failures.system import System, window_height
from ecliptic.analysis.failures.vocabulary import FailureCode
from ecliptic.analysis.failures.wording import days, percent
from ecliptic.rv.diagnosis import CONFUSED_PERIOD

AT_ROTATION, BROADEST = 0.1, 0.25
PARTS = {"rotation": 1.0, "half the rotation": 0.5, "a third of the rotation": 1.0 / 3.0}
MIN_PART, MIN_SHARE = 0.5, 0.1
MIN_WINDOW = 0.25
"""Height of the spectral window, 1 at frequency 0."""


def noise_label(system: System, j: int) -> Label | None:
    """The label of a submitted planet that is noise, if it is."""
    _, part = system.sources(j)
    share = system.share(j, system.noise)
    if part < MIN_PART or share < MIN_SHARE or not system.helps(j):
        return None
    P, K = float(system.guess[j, 0]), float(system.guess[j, 1])
    takes = f"it can take {percent(share)} of what the true planets leave of the data"
    rotation = rotation_days(system)
    if rotation is not None:
        which = min(PARTS, key=lambda name: abs(math.log(P / (PARTS[name] * rotation))))
        if abs(math.log(P / (PARTS[which] * rotation))) <= _width(system, which):
            return Label(
                FailureCode.NOISE_AS_PLANET,
                f"{days(P)} submitted (K {K:.3g} m/s), the star rotates in {days(rotation)}: "
                f"{which}; {takes}",
                which,
            )
    height = window_height(np.asarray(system.star.observation.times_days), P)
    cycle = _cycle(system, P)
    if cycle and height >= MIN_WINDOW:
        return Label(
            FailureCode.NOISE_AS_PLANET,
            f"{days(P)} submitted (K {K:.3g} m/s), the period of the sampling ({cycle}; height of "
            f"the spectral window {height:.2f}); {takes}",
            f"window: {cycle}",
        )
    return None


def rotation_days(system: System) -> float | None:
    """The star's rotation, where the truth or the declared family tells it."""
    star = system.star
    if star.truth.noise.gp is not None:
        return star.truth.noise.gp.period_days
    activity = star.meta.get("activity")
    stated = activity.get("period_days") if isinstance(activity, dict) else None
    if isinstance(stated, int | float) and stated > 0:
        return float(stated)
    family = star.observation.family
    return None if family is None or family.rotation is None else family.rotation.period_days


def _width(system: System, which: str) -> float:
    """Of |ln P|: how far from a part of the rotation a period still belongs to it."""
    gp = system.star.truth.noise.gp
    if gp is None or which not in ("rotation", "half the rotation"):
        return AT_ROTATION
    Q = 0.5 + gp.Q0 + (gp.dQ if which == "rotation" else 0.0)
    return min(max(AT_ROTATION, 0.5 / Q), BROADEST)


def _cycle(system: System, P_days: float) -> str:
    miss = {
        name: abs(1.0 / P_days - 1.0 / cycle) * system.span_days
        for name, cycle in system.cycles_days.items()
    }
    near = [name for name, each in miss.items() if each < CONFUSED_PERIOD]
    return " or ".join(sorted(near, key=lambda name: miss[name]))
