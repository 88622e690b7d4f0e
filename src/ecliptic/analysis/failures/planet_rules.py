r"""What is wrong with the planets of the submission that counts.

The rules in their order, each on what the ones before leave:

1. no planets at all;
2. a submitted planet that stands for two (:mod:`ecliptic.analysis.failures.merged_pairs`);
3. submitted periods without a true one: confusions of a true period
   (:mod:`ecliptic.analysis.failures.period_confusion`), periods next to a true one (within one
   resolution 1/T, or 2 %), noise (:mod:`ecliptic.analysis.failures.noise_planets`), else spurious;
4. true periods that nothing of the above stands for: missed;
5. pairs of the right period beyond their tolerance: the element that is off most;
6. if none of these: a planet that does not improve the fit, or residuals that are too large.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ecliptic.analysis.failures.evidence import Label
from ecliptic.analysis.failures.merged_pairs import merger_labels, mergers
from ecliptic.analysis.failures.noise_planets import noise_label
from ecliptic.analysis.failures.pair_faults import pair_labels
from ecliptic.analysis.failures.period_confusion import (
    confusion_labels,
    confusions,
    relations,
)
from ecliptic.analysis.failures.system import System, system_of
from ecliptic.analysis.failures.vocabulary import FailureCode
from ecliptic.analysis.failures.wording import against, days, listed, percent

if TYPE_CHECKING:
    from ecliptic.rv import RVTask
    from ecliptic.rv.submission import Submission

NEAR = 1.0
NEAR_LOG, ALIKE_LOG = 0.25, 0.02
"""Of |ln P|: beyond the first a period is another one, however short the span; within the second
it is the same one gone wrong, however long."""


def planet_labels(
    star: RVTask, submission: Submission, verdict: Mapping[str, Any] | None
) -> list[Label]:
    """Labels of a submission that did not pass; empty where no rule applies."""
    if star.truth.planets and not submission.planets:
        periods = [planet.period_days for planet in star.truth.planets]
        return [Label(FailureCode.NO_PLANETS, f"none submitted; true: {listed(periods)}")]
    system = system_of(star, submission)
    merged = mergers(system)
    lost = set(system.lost) - {i for each in merged for i in (each.inner, each.outer)}
    loose = [j for j in system.loose if j not in {each.j for each in merged}]
    confused = confusions(system, loose)
    labels = merger_labels(system, merged) + confusion_labels(system, confused)
    lost -= {each.i for each in confused}
    loose = [j for j in loose if j not in {each.j for each in confused}]
    apart = set(system.lost) - {i for each in merged for i in (each.inner, each.outer)}
    for j in list(loose):
        i = _neighbour(system, j, apart)
        label = noise_label(system, j) if i is None else _near(system, j, i)
        if i is not None:
            lost.discard(i)
        if label is not None:
            labels.append(label)
            loose.remove(j)
    labels += _spurious(system, loose) + _missed(system, lost)
    spoken_for = {each.j for each in merged}
    pairs = {i: j for i, j in system.pairs.items() if j not in spoken_for}
    labels += pair_labels(system, pairs, verdict)
    return labels or _fit_labels(verdict)


def _neighbour(system: System, j: int, lost: set[int]) -> int | None:
    """The true planet without a partner that a submitted period is next to."""
    P = float(system.guess[j, 0])
    apart = {
        i: abs(1.0 / P - 1.0 / float(system.truth[i, 0])) * system.span_days
        for i in lost
        if abs(math.log(P / float(system.truth[i, 0]))) < NEAR_LOG
    }
    nearest = min(apart, key=lambda i: apart[i], default=None)
    if nearest is None:
        return None
    alike = abs(math.log(P / float(system.truth[nearest, 0]))) < ALIKE_LOG
    return nearest if alike or apart[nearest] < NEAR else None


def _near(system: System, j: int, i: int) -> Label:
    apart = abs(1.0 / system.guess[j, 0] - 1.0 / system.truth[i, 0]) * system.span_days
    return Label(
        FailureCode.WRONG_PERIOD,
        f"{against(system, j, i)}: off by {apart:.2g} times the frequency resolution of "
        f"{system.span_days:.0f} d of data{_other_readings(system, j, i)}",
    )


def _other_readings(system: System, j: int, i: int) -> str:
    """What a period may be of the other true planets, by its frequency."""
    others = [
        f"{which} {code} of {days(system.truth[other, 0])}"
        for other in system.lost
        if other != i
        for code, which, _ in relations(
            float(system.truth[other, 0]), float(system.guess[j, 0]), system.span_days,
            system.cycles_days,
        )
    ]  # fmt: skip
    return f"; by its frequency it may also be {', '.join(others)}" if others else ""


def _spurious(system: System, loose: list[int]) -> list[Label]:
    return [
        Label(
            FailureCode.SPURIOUS_PLANET,
            f"{days(system.guess[j, 0])} submitted (K {system.guess[j, 1]:.3g} m/s), no relation "
            f"to {_true(system)} that explains it; {_origin(system, j)}",
        )
        for j in loose
    ]


def _origin(system: System, j: int) -> str:
    """The largest source of the signal at a submitted period."""
    parts, noise = system.sources(j)
    top = max(parts, key=lambda i: parts[i], default=None)
    if top is None or noise >= parts[top]:
        return f"of the signal there noise makes up {percent(min(noise, 1.0))}"
    share = percent(min(parts[top], 1.0))
    return f"of the signal there the planet of {days(system.truth[top, 0])} makes up {share}"


def _missed(system: System, lost: set[int]) -> list[Label]:
    if not lost:
        return []
    each = [
        f"{days(system.truth[i, 0])} (K {system.truth[i, 1]:.3g} m/s, K sqrt(N) / median error "
        f"{_strength(system, i):.0f})"
        for i in sorted(lost)
    ]
    counts = f"{len(system.guess)} submitted for {len(system.truth)}"
    return [Label(FailureCode.MISSED_PLANET, f"nothing stands for {', '.join(each)}; {counts}")]


def _true(system: System) -> str:
    return f"the true {listed(system.truth[:, 0].tolist())}" if len(system.truth) else "any planet"


def _strength(system: System, i: int) -> float:
    sigmas = np.asarray(system.star.observation.sigmas_ms)
    return float(system.truth[i, 1] * math.sqrt(len(sigmas)) / np.median(sigmas))


def _fit_labels(verdict: Mapping[str, Any] | None) -> list[Label]:
    """Where the planets are right: what the criteria of the fit say."""
    criteria = (verdict or {}).get("criteria", {})
    labels = []
    for name, code in (
        ("detection", FailureCode.NO_IMPROVEMENT),
        ("delta_bic", FailureCode.NO_IMPROVEMENT),
        ("residuals", FailureCode.POOR_RESIDUALS),
        ("rms", FailureCode.POOR_RESIDUALS),
    ):
        criterion = criteria.get(name)
        if criterion and not criterion["passed"]:
            labels.append(Label(code, f"{name} {_figure(criterion)}; all periods are right"))
    return labels


def _figure(criterion: Mapping[str, Any]) -> str:
    value = criterion["value"]
    shown = "not a finite number" if value is None else f"{value:.4g}"
    return f"{shown}, must be {criterion.get('comparison', '>=')} {criterion['threshold']:.4g}"
