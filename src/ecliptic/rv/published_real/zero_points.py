"""Points that do not belong together: mixed zero points, repeated points, points in transit.

Each is found by what it costs a fit of the published planets: a label is parted in two at a gap,
and points near the time of transit are compared with the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.inference.fitting import Fit, fit
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.tasks import Observation

Mask = NDArray[np.bool_]

GAP_DAYS = 20.0
MIN_POINTS = 5
WORTH = 30.0  # delta-BIC; the date is a further parameter, chosen among many gaps
ROSSITER_P = 1e-3
LATER = " (later)"


@dataclass(frozen=True, slots=True)
class Step:
    """A label that holds two zero points: from ``day`` on the velocities are shifted."""

    label: str
    day: float
    delta_bic: float
    shift_ms: float


def with_labels(observation: Observation, labels: list[str]) -> Observation:
    """The same with other labels; indicators are not kept."""
    given = {name: getattr(observation, name) for name in type(observation).model_fields}
    return Observation(**{**given, "instruments": tuple(labels), "indicators": ()})


def without_points(observation: Observation, drop: Mask) -> Observation:
    """The points where ``drop``, shape (n,), is false; the reference epoch stays."""
    keep = ~drop
    names = np.array(observation.instruments, dtype=object)
    return Observation(
        times_days=observation.times_days[keep],
        rvs_ms=observation.rvs_ms[keep],
        sigmas_ms=observation.sigmas_ms[keep],
        instruments=tuple(names[keep]),
        star_mass_sun=observation.star_mass_sun,
        t_ref_days=observation.t_ref_days,
        family=observation.family,
    )


def find_step(observation: Observation, best: Fit) -> Step | None:
    """The step in any label's zero point that gains most, if it is worth it."""
    times = np.array(observation.times_days)
    names = list(observation.instruments)
    found: list[Step] = []
    for label in observation.instrument_labels:
        own = np.flatnonzero(np.array(names, dtype=object) == label)
        gaps = np.flatnonzero(np.diff(times[own]) > GAP_DAYS)
        for gap in gaps.tolist():
            if gap + 1 < MIN_POINTS or len(own) - gap - 1 < MIN_POINTS:
                continue
            later = own[gap + 1 :]
            labels = list(names)
            for index in later.tolist():
                labels[index] = label + LATER
            parted = Problem.of(with_labels(observation, labels))
            trial = fit(parted, best.shape, max_rounds=6)
            day = 0.5 * float(times[own[gap]] + times[own[gap + 1]])
            shift = _shift(observation, best, own[: gap + 1], later)
            found.append(Step(label, day, best.bic - trial.bic, shift))
    top = max(found, key=lambda step: step.delta_bic, default=None)
    return top if top is not None and top.delta_bic > WORTH else None


def parted(observation: Observation, step: Step) -> Observation:
    """The observation with the label parted."""
    return with_labels(
        observation,
        [
            name + LATER if name == step.label and time > step.day else name
            for name, time in zip(
                observation.instruments, observation.times_days.tolist(), strict=True
            )
        ],
    )


def _shift(
    observation: Observation, best: Fit, before: NDArray[np.intp], after: NDArray[np.intp]
) -> float:
    weights = 1.0 / np.array(observation.sigmas_ms) ** 2
    means = [np.average(best.residuals_ms[each], weights=weights[each]) for each in (before, after)]
    return float(means[1] - means[0])


def repeated_points(observation: Observation) -> int:
    """Points that repeat the one before: the same time, label and velocity."""
    rows = list(
        zip(
            observation.times_days.tolist(), observation.instruments, observation.rvs_ms.tolist(),
            strict=True,
        )
    )  # fmt: skip
    return len(rows) - len(set(rows))


def in_transit(observation: Observation, elements: Array, transit_hours: float) -> Mask:
    """Which points lie inside the transit of a planet (P, K, e, omega, M0), shape (n,).

    At mid-transit the true anomaly is pi / 2 - omega, with omega of the star's orbit.
    """
    P, _, e, omega, M_0 = elements.tolist()
    nu = 0.5 * math.pi - omega
    eccentric = 2.0 * math.atan(math.sqrt((1.0 - e) / (1.0 + e)) * math.tan(0.5 * nu))
    M = eccentric - e * math.sin(eccentric)
    phase = (np.array(observation.times_days) - observation.t_ref_days) / P
    turns = phase + (M_0 - M) / math.tau
    away = np.abs(turns - np.round(turns)) * P
    inside: Mask = away < 0.5 * transit_hours / 24.0
    return inside


def disturbed_share(residuals: Array, sigmas: Array, inside: Mask) -> tuple[float, float]:
    """Mean square of normalised residuals inside over outside, and the chance of as much.

    From the F distribution; (1, 1) with fewer than three points on either side.
    """
    from scipy.special import fdtrc

    n, m = int(inside.sum()), int((~inside).sum())
    if n < 3 or m < 3:
        return 1.0, 1.0
    square = (residuals / sigmas) ** 2
    ratio = float(square[inside].mean() / max(float(square[~inside].mean()), 1e-300))
    return ratio, float(fdtrc(n, m, ratio))


def later_copies(observation: Observation) -> Mask:
    """Which points repeat an earlier one, shape (n,)."""
    seen: set[tuple[float, str, float]] = set()
    copies = []
    for row in zip(
        observation.times_days.tolist(), observation.instruments, observation.rvs_ms.tolist(),
        strict=True,
    ):  # fmt: skip
        copies.append(row in seen)
        seen.add(row)
    return np.array(copies)
