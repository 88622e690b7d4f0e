"""The same star observed again: a task's data with every noise drawn anew.

Planets, zero points, drifts and trend stay; white noise, jitter and activity (the indicators' too)
are those that the sealed part states. Where it states another kernel than the declared family
holds, that kernel is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ecliptic.rv import nbody, noise
from ecliptic.rv.activity import Process
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.orbit import DAYS_PER_YEAR, radial_velocity_ms
from ecliptic.rv.tasks import Indicator, Observation, RotationGP, RVTask

_UNUSED = RotationGP(sigma_ms=1.0, period_days=1.0, Q0=1.0, dQ=0.0, f=0.0)


def signal_ms(task: RVTask) -> Array:
    """Velocities without any noise: planets, zero points, drifts and trend; (n,)."""
    observation, truth = task.observation, task.truth
    times = np.array(observation.times_days)
    if truth.forward_model == "nbody" and len(truth.planets) > 1:
        velocities = nbody.nbody_velocities_ms(
            times,
            truth.planets,
            observation.star_mass_sun,
            frame="sky",
            t_ref_days=observation.t_ref_days,
        )
    else:
        velocities = radial_velocity_ms(
            times, truth.planets, observation.star_mass_sun, observation.t_ref_days
        )
    years = (times - observation.t_ref_days) / DAYS_PER_YEAR
    for order, coefficient in enumerate(truth.trend, start=1):
        velocities = velocities + coefficient * years**order
    by_label = {each.label: each for each in truth.instruments}
    instruments = [by_label[label] for label in observation.instrument_labels]
    offsets = np.array([each.gamma_ms for each in instruments])
    drifts = np.array([each.drift_ms_per_year for each in instruments])
    index = observation.instrument_index
    total: Array = velocities + offsets[index] + drifts[index] * years
    return total


def jitters_of(task: RVTask, fitted: Sequence[float]) -> list[float]:
    """The jitter of each instrument as the truth states it; of real stars, the fitted ones."""
    if task.tier == "real":
        return list(fitted)
    by_label = {each.label: each for each in task.truth.instruments}
    labels = task.observation.instrument_labels
    stated = [by_label[label].sigma_jitter_ms for label in labels]
    return stated if any(stated) else [task.truth.noise.sigma_jitter_ms] * len(stated)


def observe_again(
    task: RVTask, signal: Array, jitters_ms: Sequence[float], rng: np.random.Generator
) -> Observation:
    """A fresh observation.

    ``signal`` is what :func:`signal_ms` returns, ``jitters_ms`` holds one of each instrument
    (:func:`jitters_of`).
    """
    observation, truth = task.observation, task.truth
    jitters = np.asarray(jitters_ms)
    variances = observation.sigmas_ms**2 + jitters[observation.instrument_index] ** 2
    rvs = signal + noise.draw_white_ms(np.sqrt(variances), rng)
    activity: dict[str, Any] = task.meta.get("activity", {})
    process = _process(truth.noise.gp, activity)
    indicators = observation.indicators
    if process is not None:
        times = np.array(observation.times_days)
        draws = process.draw(times, rng.standard_normal((times.size, 1 + len(indicators))))
        amplitude = truth.noise.gp.sigma_ms if truth.noise.gp else float(activity["sigma_ms"])
        rvs = rvs + amplitude * draws[:, 0]
        made = activity.get("indicators", {})
        indicators = tuple(
            _indicator(each, made.get(each.name, {}), draws[:, 0], draws[:, 1 + k], rng)
            for k, each in enumerate(indicators)
        )
    return observation.model_copy(
        update={"rvs_ms": rvs, "indicators": indicators, "_checked": False}
    )


def _process(gp: RotationGP | None, activity: dict[str, Any]) -> Process | None:
    if gp is not None:
        shape = gp.model_copy(update={"sigma_ms": 1.0})
        return Process("rotation", gp.period_days, shape, 1.0, 1.0)
    if "kernel" not in activity:
        return None
    return Process(
        kernel=activity["kernel"],
        period_days=float(activity.get("period_days", 1.0)),
        gp=_UNUSED,
        length_days=float(activity.get("length_days", 1.0)),
        width=float(activity.get("width", 1.0)),
    )


def _indicator(
    given: Indicator, made: dict[str, float], shared: Array, own: Array, rng: np.random.Generator
) -> Indicator:
    spread = float(np.std(given.values_ms))
    white = float(np.median(given.sigmas_ms))
    amplitude = made.get("amplitude_ms", math.sqrt(max(spread**2 - white**2, 0.1 * spread**2)))
    rho = made.get("rho", 0.0)
    values = amplitude * (rho * shared + math.sqrt(1.0 - rho * rho) * own)
    values = values + noise.draw_white_ms(given.sigmas_ms, rng)
    return given.model_copy(update={"values_ms": values})
