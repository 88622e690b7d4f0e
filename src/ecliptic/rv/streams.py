"""Random streams: one a purpose, each a child of the seed.

A draw has the child ``SeedSequence(entropy=seed, spawn_key=key)``, whose state words number 4 p to
4 p + 3 seed the ``PCG64`` of purpose p. No stream depends on what another has drawn, and a purpose
added later leaves the present ones as they are.
"""

from __future__ import annotations

from enum import IntEnum
from typing import cast

import numpy as np
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import NDArray

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
    PLAN = 7
    SPECTROGRAPHS = 8
    SITES = 9
    WEATHER = 10
    ERRORS = 11
    ZERO_POINTS = 12
    TREND = 13
    TOLERANCES = 14
    ACTIVITY = 15
    INDICATORS = 16
    INDICATOR_WHITE = 17
    VARIANT = 18


PAPER_STREAMS = tuple(Stream)[: Stream.PLAN]
"""Those that the published recipe draws from."""


class Streams:
    """The generators of one draw, made when asked for.

    One sequence for all purposes, as its set-up costs ten times as much as a generator's.
    """

    def __init__(self, seed: int, *key: int) -> None:
        child = np.random.SeedSequence(entropy=seed, spawn_key=key)
        state = child.generate_state(_WORDS * len(Stream), np.uint64)
        self._state = cast("NDArray[np.uint64]", state)

    def __getitem__(self, purpose: Stream) -> np.random.Generator:
        words = _Words(self._state[_WORDS * purpose : _WORDS * (purpose + 1)])
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
