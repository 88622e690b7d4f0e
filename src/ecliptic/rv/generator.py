"""A seed becomes a task.

Everything random comes from one of the streams of :class:`Stream`. A draw of a task has the child
``SeedSequence(entropy=seed, spawn_key=(index, attempt))``, whose state words number 4 p to 4 p + 3
seed the ``PCG64`` of purpose p. No stream depends on what another has drawn, and a purpose added
later leaves the present ones as they are. So task ``index`` of a seed is the same whether it is
made alone, in a batch, or on another machine.

To that end nothing is left to the last bit of a mathematical library: the truth is rounded to eight
significant digits before the velocities are computed from it, times are multiples of 1e-6 d, errors
of 1e-6 m/s, and velocities of 1e-4 m/s, far finer than any spectrograph. (The GP decides: between
points that nearly coincide its Cholesky factor turns last bits into 4e-8 m/s, so that in steps of
1e-6 m/s one of 1,500 tasks had another hash without the processor's FMA and AVX2.)

Velocities are Keplerian by default. With ``forward_model="nbody"`` the same planets pull on each
other; their elements are then osculating at ``times_days[0]``, each against the centre of mass of
the star and the planets inside (:mod:`ecliptic.rv.nbody`, frame ``sky``).

Unlike in the published files, the system, the schedule and each noise have their own stream, the
GP is seeded, the white noise enters once, and the id is a hash of the public part, while the seed
stays in the sealed ``meta``. As there, the quoted errors hold the white noise alone, and the one
instrument has offset zero.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, Literal, cast, get_args

import numpy as np
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import NDArray

from ecliptic.arguments import one_of, seed_number, whole_number
from ecliptic.rv import nbody, noise, priors
from ecliptic.rv.difficulty import TIERS, GeneratedTier, difficulty, tier_of
from ecliptic.rv.orbit import radial_velocity_ms
from ecliptic.rv.schedule import draw_uniform_times_days
from ecliptic.rv.tasks import Instrument, Noise, Observation, Planet, RVTask, Truth

Recipe = Literal["paper"]
ForwardModel = Literal["keplerian", "nbody"]
RECIPES: Final[tuple[Recipe, ...]] = get_args(Recipe)
FORWARD_MODELS: Final[tuple[ForwardModel, ...]] = get_args(ForwardModel)
INSTRUMENT = "instA"
VELOCITY_DIGITS = 4  # in steps of 1e-4 m/s
_MAX_INDEX = 2**32 - 1  # one word of a spawn key
_WORDS = 4  # of 64 bits, the state of a PCG64


class Stream(IntEnum):
    """Purposes of the random streams; never renumber, only append."""

    SYSTEM = 0
    STAR = 1
    SCHEDULE = 2
    NOISE_LEVELS = 3
    WHITE = 4
    JITTER = 5
    GP = 6


def generate(
    seed: int,
    recipe: str = "paper",
    tier: str | None = None,
    *,
    index: int = 0,
    forward_model: str = "keplerian",
) -> RVTask:
    """Task number ``index`` of a seed.

    Parameters
    ----------
    seed
        Any whole number from 0 to 2^128 - 1. Draw 128 random bits for tasks whose truth must not
        be guessed.
    recipe
        ``paper``: the published one (:mod:`ecliptic.rv.priors`).
    tier
        ``easy``, ``medium`` or ``hard``: draw until the difficulty falls into it.
        ``None``: as it comes.
    forward_model
        ``keplerian``, or ``nbody`` for planets that pull on each other (needs REBOUND).

    Raises
    ------
    UsageError
        A name that is not known, or a number out of range.
    MissingExtraError
        N-body velocities without REBOUND.
    """
    return _make(
        _request(seed, recipe, tier, forward_model), whole_number("index", index, 0, _MAX_INDEX)
    )


def generate_many(
    seed: int,
    count: int,
    *,
    recipe: str = "paper",
    tier: str | None = None,
    forward_model: str = "keplerian",
    start: int = 0,
) -> Iterator[RVTask]:
    """Tasks ``start`` to ``start + count - 1`` of a seed, made one by one as they are asked for.

    Each is the task that :func:`generate` makes of that index. Errors are raised at once, not at
    the first task.
    """
    request = _request(seed, recipe, tier, forward_model)
    count = whole_number("count", count, 1, _MAX_INDEX)
    start = whole_number("start", start, 0, _MAX_INDEX - count)
    return (_make(request, index) for index in range(start, start + count))


@dataclass(frozen=True, slots=True)
class _Request:
    seed: int
    recipe: Recipe
    tier: GeneratedTier | None
    forward_model: ForwardModel


def _request(seed: int, recipe: str, tier: str | None, forward_model: str) -> _Request:
    request = _Request(
        seed_number(seed),
        one_of("recipe", recipe, RECIPES),
        None if tier is None else one_of("tier", tier, TIERS),
        one_of("forward model", forward_model, FORWARD_MODELS),
    )
    if request.forward_model == "nbody":
        nbody.require_rebound()
    return request


def _make(request: _Request, index: int) -> RVTask:
    for attempt in itertools.count():
        streams = _Streams(request.seed, index, attempt)
        star_mass_sun = priors.draw_star_mass_sun(streams[Stream.STAR])
        planets = priors.draw_planets(streams[Stream.SYSTEM], star_mass_sun)
        levels = priors.draw_noise(streams[Stream.NOISE_LEVELS])
        times = draw_uniform_times_days(streams[Stream.SCHEDULE], planets[0].period_days)
        score, terms = difficulty(planets, levels, times, star_mass_sun)
        if request.tier is None or tier_of(score) == request.tier:
            break
    sigmas = np.full(times.size, levels.sigma_white_ms)
    velocities = _signal_ms(request.forward_model, times, planets, star_mass_sun)
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
            forward_model=request.forward_model,
        ),
        difficulty=score,
        difficulty_terms=terms,
        meta=_provenance(request, index, attempt),
    )


def _provenance(request: _Request, index: int, attempt: int) -> dict[str, Any]:
    """What makes this task again; the seed as text, since few JSON readers keep 128 bits."""
    return {
        "recipe": request.recipe,
        "seed": str(request.seed),
        "index": index,
        "tier": request.tier,
        "attempt": attempt,
    }


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
    streams: _Streams,
) -> NDArray[np.float64]:
    total = noise.draw_white_ms(sigmas_ms, streams[Stream.WHITE])
    total += noise.draw_jitter_ms(levels.sigma_jitter_ms, times_days.size, streams[Stream.JITTER])
    if levels.gp is not None:
        total += noise.draw_rotation_gp_ms(levels.gp, times_days, streams[Stream.GP])
    return total


class _Streams:
    """The generators of one attempt, made when asked for.

    One sequence for all purposes, as its set-up costs ten times as much as a generator's.
    """

    def __init__(self, seed: int, index: int, attempt: int) -> None:
        child = np.random.SeedSequence(entropy=seed, spawn_key=(index, attempt))
        state = child.generate_state(_WORDS * len(Stream), np.uint64)
        self._words = cast("NDArray[np.uint64]", state)

    def __getitem__(self, purpose: Stream) -> np.random.Generator:
        words = _Words(self._words[_WORDS * purpose : _WORDS * (purpose + 1)])
        # Any ISeedSequence will do, which numpy's annotations do not say.
        return np.random.Generator(np.random.PCG64(cast("np.random.SeedSequence", words)))


class _Words(ISeedSequence):
    """State words that are known already, in the form that a bit generator takes."""

    def __init__(self, words: NDArray[np.uint64]) -> None:
        self._words = words

    def generate_state(self, n_words: int, dtype: object = np.uint64) -> NDArray[np.uint64]:
        assert n_words == self._words.size
        assert dtype == np.uint64
        return self._words
