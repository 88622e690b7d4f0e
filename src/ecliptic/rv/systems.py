"""Orbits of the recipe ``ecliptic``: periods, eccentricities and phases of a whole system.

Ordinary planets have log-uniform periods from 2.2 d to 0.6 of the span of the observations and
eccentricities from Beta(0.867, 3.03) (Kipping 2013), cut where a crowded or close orbit would not
keep them. Structures place some of the planets (:mod:`ecliptic.rv.structures`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ecliptic.rv import priors
from ecliptic.rv.redraw import Redraw
from ecliptic.rv.structures import PLANETS_OF, Structure
from ecliptic.rv.tasks import Planet

SHORTEST_DAYS = 2.2
LONGEST_SPAN = 0.6
"""The longest period of an ordinary planet over the span; no planet goes beyond COVERED."""
COVERED = 0.7
PAIR_OFFSET = (0.0015, 0.0058)
PAIR_PERIOD_DAYS = (3.0, 40.0)
CHAIN_RATIO = (1.35, 1.75)
CHAIN_PERIOD_DAYS = (2.5, 25.0)
ECCENTRIC = (0.55, 0.78)
ECCENTRIC_SHORTEST_DAYS = 12.0
NEAR_DAY_OFFSET = (0.02, 0.1)
LONE_ECCENTRICITY = (0.12, 0.5)
LONE_SHORTEST_DAYS = 5.0
MIN_SIN_I = 0.3
USUAL_HILL_RADIUS = 0.045
"""Over the axis, of two planets of a tenth of Jupiter's mass: what is looked for before masses."""
PAIR_CYCLES = 0.35
"""Turns that a resonant pair drifts from its resonance during the survey, at least."""
_TRIES = 30
_TRIES_A_PLANET = 6


@dataclass(frozen=True, slots=True)
class Orbit:
    """A planet without its mass; ``structure`` is what placed it, if one did."""

    period_days: float
    e: float
    omega_rad: float = 0.0
    l_rad: float = 0.0
    structure: Structure | None = None

    def planet(self, m_sin_i_mjup: float, inc_rad: float) -> Planet:
        """This orbit with a mass."""
        return Planet(
            period_days=self.period_days,
            m_sin_i_mjup=m_sin_i_mjup,
            e=self.e,
            omega_rad=self.omega_rad,
            l_rad=self.l_rad,
            inc_rad=inc_rad,
        )


def draw_orbits(
    rng: np.random.Generator, n_planets: int, structures: Sequence[Structure], span_days: float
) -> list[Orbit]:
    """Orbits in order of period, of which no two cross.

    Raises
    ------
    Redraw
        No such system in 30 draws.
    """
    for _ in range(_TRIES):
        orbits = [orbit for structure in structures for orbit in _placed(rng, structure, span_days)]
        orbits.sort(key=lambda orbit: orbit.period_days)
        if not _apart(orbits):
            continue
        _fill(rng, orbits, n_planets, span_days)
        if len(orbits) == n_planets and orbits[-1].period_days <= COVERED * span_days:
            return [_finished(rng, orbit) for orbit in orbits]
    raise Redraw("orbits cross")


def _fill(rng: np.random.Generator, orbits: list[Orbit], n_planets: int, span_days: float) -> None:
    """Add ordinary planets where they find room, in order of period."""
    if n_planets == 1 and not orbits:
        orbits.append(_lone(rng, span_days))
    cap = 0.4 if n_planets <= 3 else 0.25 if n_planets <= 4 else 0.15
    for _ in range(_TRIES_A_PLANET * n_planets):
        if len(orbits) == n_planets:
            return
        more = sorted([*orbits, _ordinary(rng, span_days, cap)], key=lambda o: o.period_days)
        if _apart(more):
            orbits[:] = more


def draw_inclination_rad(rng: np.random.Generator) -> float:
    """Isotropic, with sin i above 0.3."""
    cos_i = math.sqrt(1.0 - MIN_SIN_I**2) * rng.random()
    return priors.significant(math.acos(cos_i))


def keep_apart(planets: Sequence[Planet], star_mass_sun: float) -> bool:
    """Whether neighbours are Hill stable, as :func:`ecliptic.rv.priors.draw_planets` asks."""
    columns = np.array([(p.period_days, p.m_sin_i_mjup, p.e) for p in planets]).T[:, np.newaxis]
    P, m, e = (np.ascontiguousarray(column) for column in columns)
    sin_i = math.sin(planets[0].inc_rad or math.pi / 2.0)
    return priors.first_apart(P, m, e, np.array([star_mass_sun * sin_i]), math.inf) == 0


def _placed(rng: np.random.Generator, structure: Structure, span_days: float) -> list[Orbit]:
    if not PLANETS_OF[structure]:
        return []
    if structure == "resonant_pair":
        shortest, longest = PAIR_PERIOD_DAYS
        needed = max(PAIR_OFFSET[0], PAIR_CYCLES * shortest / span_days)
        size = rng.uniform(min(needed, PAIR_OFFSET[1]), PAIR_OFFSET[1])
        inner = _log_uniform(
            rng, shortest, min(longest, max(shortest, span_days * size / PAIR_CYCLES))
        )
        offset = size * rng.choice((-1.0, 1.0))
        first, second = rng.uniform(0.0, 0.1, 2)
        return [
            Orbit(inner, first, structure=structure),
            Orbit(2.0 * inner * (1.0 + offset), second, structure=structure),
        ]
    if structure == "chain":
        period, orbits = _log_uniform(rng, *CHAIN_PERIOD_DAYS), []
        for _ in range(PLANETS_OF[structure]):
            orbits.append(Orbit(period, rng.uniform(0.0, 0.06), structure=structure))
            period *= _log_uniform(rng, *CHAIN_RATIO)
        return orbits
    if structure == "eccentric":
        period = _log_uniform(rng, ECCENTRIC_SHORTEST_DAYS, 0.5 * span_days)
        return [Orbit(period, rng.uniform(*ECCENTRIC), structure=structure)]
    days = rng.integers(1, 3, endpoint=True)
    offset = rng.uniform(*NEAR_DAY_OFFSET) * rng.choice((-1.0, 1.0))
    return [Orbit(days * (1.0 + offset), rng.uniform(0.0, 0.15), structure=structure)]


def _ordinary(rng: np.random.Generator, span_days: float, cap: float) -> Orbit:
    period = _log_uniform(rng, SHORTEST_DAYS, LONGEST_SPAN * span_days)
    e = rng.beta(*priors.ECCENTRICITY_BETA)
    if period < 5.0:  # tides have made it round
        cap = 0.1
    return Orbit(period, cap * rng.random() if e > cap else e)


def _lone(rng: np.random.Generator, span_days: float) -> Orbit:
    """The only planet of a system: eccentric enough that a sine is no answer."""
    period = _log_uniform(rng, LONE_SHORTEST_DAYS, LONGEST_SPAN * span_days)
    return Orbit(period, rng.uniform(*LONE_ECCENTRICITY))


def _apart(orbits: Sequence[Orbit]) -> bool:
    """A first look, before there are masses: apastron inside the next periastron, with room."""
    for inner, outer in pairwise(orbits):
        ratio = (outer.period_days / inner.period_days) ** (2.0 / 3.0)
        gap = ratio * (1.0 - outer.e) - (1.0 + inner.e)
        if gap < priors.HILL_SEPARATION * USUAL_HILL_RADIUS * 0.5 * (1.0 + ratio):
            return False
        together = inner.structure is not None and inner.structure == outer.structure
        if not together and ratio < 1.15:
            return False
    return True


def _finished(rng: np.random.Generator, orbit: Orbit) -> Orbit:
    omega, longitude = math.tau * rng.random(2)
    return replace(
        orbit,
        period_days=priors.significant(orbit.period_days),
        e=priors.significant(orbit.e),
        omega_rad=priors.significant(omega),
        l_rad=priors.significant(longitude),
    )


def _log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(low * (high / low) ** rng.random())
