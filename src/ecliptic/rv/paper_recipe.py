"""The published recipe: what :mod:`ecliptic.rv.priors` draws becomes a task.

Unlike in the published files, the system, the schedule and each noise have their own stream, the
GP is seeded, the white noise enters once, and the id is a hash of the public part, while the seed
stays in the sealed ``meta``. As there, the quoted errors hold the white noise alone, and the one
instrument has offset zero.

Velocities are Keplerian by default. With ``forward_model="nbody"`` the same planets pull on each
other; their elements are then osculating at ``times_days[0]``, each against the centre of mass of
the star and the planets inside (:mod:`ecliptic.rv.nbody`, frame ``sky``).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv import nbody, noise, priors
from ecliptic.rv.difficulty import GeneratedTier, difficulty, tier_of
from ecliptic.rv.orbit import radial_velocity_ms
from ecliptic.rv.schedule import draw_uniform_times_days
from ecliptic.rv.streams import Stream, Streams
from ecliptic.rv.tasks import Instrument, Noise, Observation, Planet, RVTask, Truth

ForwardModel = Literal["keplerian", "nbody"]
RECIPE = "paper"
INSTRUMENT = "instA"
VELOCITY_DIGITS = 4  # in steps of 1e-4 m/s


def make(seed: int, tier: GeneratedTier | None, forward_model: ForwardModel, index: int) -> RVTask:
    """Task number ``index`` of a seed: the first draw that falls into the tier."""
    for attempt in itertools.count():
        streams = Streams(seed, index, attempt)
        star_mass_sun = priors.draw_star_mass_sun(streams[Stream.STAR])
        planets = priors.draw_planets(streams[Stream.SYSTEM], star_mass_sun)
        levels = priors.draw_noise(streams[Stream.NOISE_LEVELS])
        times = draw_uniform_times_days(streams[Stream.SCHEDULE], planets[0].period_days)
        score, terms = difficulty(planets, levels, times, star_mass_sun)
        if tier is None or tier_of(score) == tier:
            break
    sigmas = np.full(times.size, levels.sigma_white_ms)
    velocities = _signal_ms(forward_model, times, planets, star_mass_sun)
    velocities += _noise_ms(levels, times, sigmas, streams)
    return RVTask.create(
        tier=tier_of(score),
        observation=Observation(
            times_days=times,
            rvs_ms=np.round(velocities, VELOCITY_DIGITS),
            sigmas_ms=sigmas,
            instruments=(INSTRUMENT,) * times.size,
            star_mass_sun=star_mass_sun,
        ),
        truth=Truth(
            planets=planets,
            instruments=(
                Instrument(
                    label=INSTRUMENT,
                    sigma_white_ms=levels.sigma_white_ms,
                    sigma_jitter_ms=levels.sigma_jitter_ms,
                ),
            ),
            noise=levels,
            forward_model=forward_model,
        ),
        difficulty=score,
        difficulty_terms=terms,
        # The seed as text, since few JSON readers keep 128 bits.
        meta={
            "recipe": RECIPE,
            "seed": str(seed),
            "index": index,
            "tier": tier,
            "attempt": attempt,
        },
    )


def _signal_ms(
    forward_model: ForwardModel,
    times_days: NDArray[np.float64],
    planets: Sequence[Planet],
    star_mass_sun: float,
) -> NDArray[np.float64]:
    t_ref = float(times_days[0])
    if forward_model == "keplerian":
        return radial_velocity_ms(times_days, planets, star_mass_sun, t_ref)
    return nbody.nbody_velocities_ms(
        times_days, planets, star_mass_sun, frame="sky", t_ref_days=t_ref
    )


def _noise_ms(
    levels: Noise,
    times_days: NDArray[np.float64],
    sigmas_ms: NDArray[np.float64],
    streams: Streams,
) -> NDArray[np.float64]:
    total = noise.draw_white_ms(sigmas_ms, streams[Stream.WHITE])
    total += noise.draw_jitter_ms(levels.sigma_jitter_ms, times_days.size, streams[Stream.JITTER])
    if levels.gp is not None:
        total += noise.draw_rotation_gp_ms(levels.gp, times_days, streams[Stream.GP])
    return total
