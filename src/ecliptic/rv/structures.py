"""What makes a task of the recipe ``ecliptic`` hard: structures that a good analyst can resolve.

=================  ===============================================================================
``resonant_pair``  two planets within 0.6 % of 2:1, beside which one eccentric planet looks alike
``eccentric``      an eccentricity of 0.55 to 0.78
``alias``          one site and a narrow window, with a period near one, two or three days
``chain``          three planets at ratios of period between 1.35 and 1.75
``activity``       rotation of a spotted star, with its indicators
``instruments``    two to four spectrographs, of which one or two drift
=================  ===============================================================================

An easy task takes none of them, a medium one 1, a hard one 2, a frontier one 3, activity always
among them; a faint one takes none or 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np

EclipticTier = Literal["easy", "medium", "hard", "frontier", "faint"]
Structure = Literal["resonant_pair", "eccentric", "alias", "chain", "activity", "instruments"]
Variant = Literal["matern32", "quasi_periodic", "spots", "drifts"]
ECLIPTIC_TIERS: Final[tuple[EclipticTier, ...]] = get_args(EclipticTier)
STRUCTURES: Final[tuple[Structure, ...]] = get_args(Structure)
VARIANTS: Final[tuple[Variant, ...]] = get_args(Variant)
PLANETS_OF: Final[dict[Structure, int]] = {
    "resonant_pair": 2,
    "eccentric": 1,
    "alias": 1,
    "chain": 3,
    "activity": 0,
    "instruments": 0,
}
"""Planets that a structure takes for itself."""


@dataclass(frozen=True, slots=True)
class TierRanges:
    """From what the tasks of a tier are drawn; ranges include both ends."""

    planets: tuple[int, int]
    structures: tuple[int, int]
    observations: tuple[int, int]
    instruments: tuple[int, int]
    tolerance: tuple[float, float]
    trend_probability: float
    activity_to_K: tuple[float, float]
    difficulty: tuple[int, int]
    always: tuple[Structure, ...] = ()


STRICT = (0.15, 0.97)
ALIKE = (0.35, 0.97)
"""Planets of like strength: none stands out so far that a simple pipeline peels them off."""
RANGES: Final[dict[EclipticTier, TierRanges]] = {
    "easy": TierRanges((1, 2), (0, 0), (40, 90), (1, 2), STRICT, 0.0, (0.25, 1.0), (1, 2)),
    "medium": TierRanges((3, 3), (1, 1), (45, 90), (1, 3), ALIKE, 0.25, (0.25, 1.0), (3, 6)),
    "hard": TierRanges((4, 5), (2, 2), (80, 130), (1, 4), ALIKE, 0.35, (0.25, 1.0), (7, 10)),
    "frontier": TierRanges(
        (5, 7), (3, 3), (100, 150), (2, 4), ALIKE, 0.5, (0.25, 1.0), (10, 10), ("activity",)
    ),
    "faint": TierRanges((1, 3), (0, 1), (60, 150), (1, 3), (1.0, 1.7), 0.2, (0.25, 1.0), (7, 10)),
}
"""The bounds of a tolerance are what an amplitude is scaled to; see ``rv.amplitudes``."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a task will hold, before anything is drawn of its star."""

    tier: EclipticTier
    n_planets: int
    structures: tuple[Structure, ...]
    n_observations: int
    n_instruments: int
    trend_order: Literal[0, 1, 2]
    variant: Variant | None = None

    @property
    def difficulty(self) -> int:
        """1 to 10: planets and structures, kept to the range of the tier."""
        low, high = RANGES[self.tier].difficulty
        return min(max(self.n_planets + 2 * len(self.structures), low), high)


def draw_plan(rng: np.random.Generator, tier: EclipticTier, variant: Variant | None) -> Plan:
    """Number of planets, structures that fit them, observations, instruments, trend.

    A variant of the activity brings activity with it; it counts as a structure where the tier
    takes any.
    """
    ranges = RANGES[tier]
    n_planets = int(rng.integers(ranges.planets[0], ranges.planets[1], endpoint=True))
    wanted = int(rng.integers(ranges.structures[0], ranges.structures[1], endpoint=True))
    chosen: list[Structure] = list(ranges.always)
    if variant == "drifts":
        chosen.append("instruments")
    elif variant is not None and "activity" not in chosen:
        chosen.append("activity")
    for number in rng.permutation(len(STRUCTURES)):
        structure = STRUCTURES[number]
        if len(chosen) >= wanted:
            break
        if structure not in chosen and _fits(structure, chosen, n_planets):
            chosen.append(structure)
    low, high = ranges.instruments
    if "instruments" in chosen:
        low, high = max(low, 2), max(high, 3)
    n_instruments = int(rng.integers(low, high, endpoint=True))
    n = int(rng.integers(ranges.observations[0], ranges.observations[1], endpoint=True))
    with_trend, square = rng.random(2)
    order: Literal[0, 1, 2] = 0
    if with_trend < ranges.trend_probability:
        order = 1 if square < 0.6 else 2
    structures = tuple(structure for structure in STRUCTURES if structure in chosen)
    return Plan(tier, n_planets, structures, n, n_instruments, order, variant)


def _fits(structure: Structure, chosen: list[Structure], n_planets: int) -> bool:
    taken = sum(PLANETS_OF[other] for other in chosen)
    return taken + PLANETS_OF[structure] <= n_planets
