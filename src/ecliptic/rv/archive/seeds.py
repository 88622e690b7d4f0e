"""Where a refit begins: published periods and amplitudes, with what is expected of the series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ecliptic.rv.archive.literature import PublishedPlanet, PublishedStar, Quantity
from ecliptic.rv.orbit import elements_of, semi_amplitude_ms
from ecliptic.rv.refit_records import Measured
from ecliptic.rv.tasks import Planet

Role = Literal["expected", "tolerated"]
HALF_RESOLUTION, SIGMAS = 0.5, 5.0
UNNAMED = "?"  # a signal that no paper claims


@dataclass(frozen=True, slots=True)
class Seed:
    """One published planet.

    Attributes
    ----------
    name
        Its letter.
    published
        Period in days (always there), amplitude, eccentricity and so on, by the names of
        :class:`~ecliptic.rv.refit_records.KnownPlanet`.
    role
        Whether an analyst must find it, or may.
    held
        The period is that of transits, which the velocities cannot better: it is held, the orbit
        circular, and the amplitude alone is fitted.
    note
        What a reader should know of it.
    """

    name: str
    published: dict[str, Measured]
    role: Role = "expected"
    held: bool = False
    note: str = field(default="", compare=False)

    @property
    def period_days(self) -> Measured:
        """The published period."""
        return self.published["period_days"]

    @property
    def strength_ms(self) -> float:
        """The published semi-amplitude, 0 where nothing implies one."""
        amplitude = self.published.get("semi_amplitude_ms")
        return amplitude.value if amplitude else 0.0

    def window(self, span_days: float) -> tuple[float, float]:
        """Lowest and highest frequency in 1/day where the series may have the planet.

        Half the resolution of the time span around the published one, or five of its standard
        deviations, whichever is more.
        """
        frequency = 1.0 / self.period_days.value
        sigma = (self.period_days.sigma or 0.0) * frequency * frequency
        half = max(HALF_RESOLUTION / span_days, SIGMAS * sigma)
        return max(frequency - half, 1e-3 * frequency), frequency + half


def seeds_of(star: PublishedStar) -> tuple[Seed, ...]:
    """The planets of a star that its series shows at all, those expected first.

    Where nothing is expected to be found blind, what transits tell of is expected.
    """
    mass = star.star_mass_sun.value
    shown = [planet for planet in star.planets if planet.seen != "no"]
    blind = any(planet.seen == "blind" for planet in shown)
    wanted = ("blind",) if blind else ("blind", "with_ephemeris")
    seeds = [
        Seed(
            name=planet.letter,
            published=published_quantities(planet, mass),
            role="expected" if planet.seen in wanted else "tolerated",
            held=planet.seen == "with_ephemeris",
            note=planet.note,
        )
        for planet in shown
    ]
    return tuple(sorted(seeds, key=lambda seed: seed.role))


def published_quantities(planet: PublishedPlanet, star_mass_sun: float) -> dict[str, Measured]:
    """What the source states; an amplitude that it does not follows from the minimum mass."""
    names = ("period_days", "semi_amplitude_ms", "e", "omega_deg", "m_sin_i_mjup")
    stated = {name: getattr(planet, name) for name in names}
    found = {name: _measured(value) for name, value in stated.items() if value is not None}
    if "semi_amplitude_ms" not in found and "m_sin_i_mjup" in found:
        mass = found["m_sin_i_mjup"]
        e = found["e"].value if "e" in found else 0.0
        K = float(semi_amplitude_ms(mass.value, planet.period_days.value, e, star_mass_sun))
        share = None if mass.sigma is None else mass.sigma / mass.value
        found["semi_amplitude_ms"] = Measured(value=K, sigma=None if share is None else share * K)
    return found


def seeds_of_planets(
    planets: Sequence[Planet], star_mass_sun: float, roles: Sequence[Role] = ()
) -> tuple[Seed, ...]:
    """Seeds of planets whose source states no uncertainties, in order; all expected by default."""
    rows = elements_of(planets, star_mass_sun).tolist()
    return tuple(
        Seed(
            name=str(index),
            published={
                "period_days": Measured(value=planet.period_days),
                "semi_amplitude_ms": Measured(value=row[1]),
                "e": Measured(value=planet.e),
                "m_sin_i_mjup": Measured(value=planet.m_sin_i_mjup),
            },
            role=roles[index] if roles else "expected",
        )
        for index, (planet, row) in enumerate(zip(planets, rows, strict=True))
    )


def _measured(quantity: Quantity) -> Measured:
    """Of an uncertainty with two sides the larger one."""
    sides = [side for side in (quantity.minus, quantity.plus) if side is not None]
    return Measured(value=quantity.value, sigma=max(sides) if sides else None)
