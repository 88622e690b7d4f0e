"""Faults of a published real task, in a closed vocabulary, and those that its planets show."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ecliptic.rv.refit_records import PARAMETERS
from ecliptic.rv.tasks import Planet, RVTask

SIGMAS = 3.0
WELL_KNOWN_DEG, FAR_DEG, QUARTER_WIDTH_DEG = 15.0, 30.0, 5.0
RMS_FACTOR = 1.5  # of protocol paper


class RealFault(StrEnum):
    """What can be wrong with a task of a real star."""

    UNSORTED = "unsorted"
    REPEATED = "repeated_points"
    MIXED_ZERO_POINTS = "mixed_zero_points"
    IN_TRANSIT = "in_transit"
    TREND = "trend"
    MISSING_PLANET = "missing_planet"
    FURTHER_SIGNAL = "further_signal"
    UNSUPPORTED_PLANET = "unsupported_planet"
    INTERACTION = "interaction"
    QUARTER_TURN = "quarter_turn"
    PHASE = "phase"
    PERIOD = "period"
    AMPLITUDE = "amplitude"
    JITTER = "jitter"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and the measurement that shows it."""

    code: RealFault
    text: str


@dataclass(frozen=True, slots=True)
class PhaseError:
    """Published less refitted mean longitude at the file's epoch, in degrees within half a turn."""

    period_days: float
    error_deg: float
    sigma_deg: float


def partners(published: RVTask, refitted: RVTask) -> list[tuple[Planet, int]]:
    """Published planets with the position of the expected one of the same name in the refit."""
    refit = refitted.truth.refit
    assert refit is not None
    names = [planet.name for planet in refit.planets]
    return [
        (planet, names.index(str(place)))
        for place, planet in enumerate(published.truth.planets)
        if str(place) in names
    ]


def phase_errors(published: RVTask, refitted: RVTask) -> list[PhaseError]:
    """Of every published planet that the series supports."""
    refit = refitted.truth.refit
    assert refit is not None
    size = len(PARAMETERS)
    found = []
    for planet, place in partners(published, refitted):
        index = size * place + PARAMETERS.index("l_rad")
        turn = planet.l_rad - planet.Omega_rad - refit.median[index]
        sigma = math.sqrt(max(refit.covariance[index][index], 0.0))
        error = math.degrees(math.remainder(turn, math.tau))
        found.append(PhaseError(planet.period_days, error, math.degrees(sigma)))
    return found


def faults_of_planets(published: RVTask, refitted: RVTask) -> list[Fault]:
    """Phases, periods and amplitudes that the refit contradicts."""
    refit = refitted.truth.refit
    assert refit is not None
    errors = phase_errors(published, refitted)
    faults = _phase_faults(errors)
    for code, quantity, unit in (
        (RealFault.PERIOD, "period_days", "d"),
        (RealFault.AMPLITUDE, "semi_amplitude_ms", "m/s"),
    ):
        wrong = []
        for _, place in partners(published, refitted):
            known = refit.planets[place]
            measured, given = getattr(known, quantity), known.published[quantity]
            z = given.sigmas_from(measured)
            if z is not None and abs(z) > SIGMAS:
                wrong.append(
                    f"{given.value:.6g} for {measured.value:.6g} ± {measured.sigma:.2g} {unit}"
                )
        if wrong:
            faults.append(Fault(code, "; ".join(wrong)))
    return faults


def _phase_faults(errors: list[PhaseError]) -> list[Fault]:
    known = [each for each in errors if each.sigma_deg < WELL_KNOWN_DEG]
    off = [each for each in known if abs(each.error_deg) > max(SIGMAS * each.sigma_deg, 1.0)]
    if not off:
        return []
    worst = max(off, key=lambda each: abs(each.error_deg))
    quarter = [
        each for each in off if abs(abs(each.error_deg) - 90.0) < QUARTER_WIDTH_DEG + each.sigma_deg
    ]
    faults = []
    far = sum(abs(each.error_deg) > FAR_DEG for each in off)
    # One planet in eight lies there by chance, all of several do not.
    if len(quarter) == len(known):
        values = ", ".join(f"{each.error_deg:+.1f} ± {each.sigma_deg:.1f}" for each in quarter)
        faults.append(Fault(RealFault.QUARTER_TURN, f"phases off by a quarter turn: {values} deg"))
    else:
        faults.append(
            Fault(
                RealFault.PHASE,
                f"{len(off)} of {len(known)} measurable phases are off, {far} by more than "
                f"{FAR_DEG:g} deg; the worst, of {worst.period_days:.5g} d, by "
                f"{worst.error_deg:+.0f} ± {worst.sigma_deg:.0f} deg",
            )
        )
    return faults


def rms_fault(published: RVTask, refit_rms_ms: float) -> list[Fault]:
    """Whether even the refit leaves more than protocol ``paper`` allows."""
    allowed = RMS_FACTOR * float(np.median(published.observation.sigmas_ms))
    if refit_rms_ms <= allowed:
        return []
    return [
        Fault(
            RealFault.JITTER,
            f"the refit leaves {refit_rms_ms:.3g} m/s where protocol paper allows {allowed:.3g}: "
            "quoted errors without jitter",
        )
    ]
