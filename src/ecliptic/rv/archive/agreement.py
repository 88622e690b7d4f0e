"""Published values beside the refit's: which agree within three standard deviations, which not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ecliptic.rv.archive.seeds import UNNAMED
from ecliptic.rv.refit_records import KnownPlanet, Measured
from ecliptic.rv.tasks import RVTask

SIGMAS = 3.0
FEW_ORBITS = 2.0
HEADER = ("star", "planet", "P published", "P refit", "z", "K published", "K refit", "z", "agrees")


@dataclass(frozen=True, slots=True)
class Row:
    """One planet; deviations are refit less published over both standard deviations together.

    ``None`` where the source states no value. Without a published uncertainty the refit's own
    counts alone. ``held``: the period was taken from transits, so that it says nothing.
    """

    star: str
    planet: KnownPlanet
    expected: bool
    orbits: float
    period_z: float | None
    amplitude_z: float | None

    @property
    def held(self) -> bool:
        """Whether the refit took the period over."""
        return self.planet.e.sigma is None

    @property
    def agrees(self) -> bool:
        """Whether period and amplitude, as far as published, are within three sigma."""
        deviations = (self.period_z, self.amplitude_z)
        return all(abs(z) <= SIGMAS for z in deviations if z is not None)

    @property
    def reason(self) -> str:
        """What a disagreement can be laid to, from the figures alone."""
        if self.agrees:
            return ""
        reasons = []
        if self.orbits < FEW_ORBITS:
            reasons.append(f"the series covers {self.orbits:.2g} orbits")
        for name, z in (("period", self.period_z), ("amplitude", self.amplitude_z)):
            if z is not None and abs(z) > SIGMAS:
                reasons.append(f"{name} off by {z:+.1f} sigma")
        if self.planet.published["period_days"].sigma is None:
            reasons.append("published without an uncertainty")
        return "; ".join(reasons + ([self.planet.note] if self.planet.note else []))


def rows_of(tasks: Iterable[RVTask]) -> list[Row]:
    """A row a published planet, the tolerated ones too."""
    rows = []
    for task in tasks:
        refit = task.truth.refit
        if refit is None:
            continue
        times = task.observation.times_days
        span = float(times[-1] - times[0])
        for planet in (*refit.planets, *refit.tolerated):
            if planet.name == UNNAMED:
                continue
            rows.append(
                Row(
                    star=task.source_id or task.id,
                    planet=planet,
                    expected=planet in refit.planets,
                    orbits=span / planet.period_days.value,
                    period_z=_z(planet, "period_days"),
                    amplitude_z=_z(planet, "semi_amplitude_ms"),
                )
            )
    return rows


def _z(planet: KnownPlanet, quantity: str) -> float | None:
    published = planet.published.get(quantity)
    refit: Measured = getattr(planet, quantity)
    return None if published is None else refit.sigmas_from(published)


def agreement_table(rows: Sequence[Row]) -> str:
    """The rows as a table in Markdown."""
    lines = ["| " + " | ".join(HEADER) + " |", "|" + "---|" * len(HEADER)]
    for row in rows:
        name = row.planet.name + ("" if row.expected else " (tolerated)")
        period = "held" if row.held else measured(row.planet.period_days)
        cells = [
            row.star,
            name,
            measured(row.planet.published.get("period_days")),
            period,
            "" if row.held else deviation(row.period_z),
            measured(row.planet.published.get("semi_amplitude_ms")),
            measured(row.planet.semi_amplitude_ms),
            deviation(row.amplitude_z),
            "yes" if row.agrees else "**no**",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def summary(rows: Sequence[Row]) -> str:
    """The counts in one sentence, of expected planets."""
    expected = [row for row in rows if row.expected]
    periods = [row for row in expected if row.period_z is not None and not row.held]
    amplitudes = [row for row in expected if row.amplitude_z is not None]
    return (
        f"Of {len(expected)} expected planets of {len({row.star for row in rows})} stars the "
        f"period agrees within {SIGMAS:g} sigma for {_agreeing(periods, 'period_z')} of "
        f"{len(periods)} (the others' is held at that of transits), the semi-amplitude for "
        f"{_agreeing(amplitudes, 'amplitude_z')} of {len(amplitudes)}."
    )


def _agreeing(rows: Sequence[Row], name: str) -> int:
    return sum(abs(getattr(row, name)) <= SIGMAS for row in rows)


def measured(value: Measured | None) -> str:
    """A value with its uncertainty to two digits: ``12.459(2)`` as ``12.459 ± 0.002``."""
    if value is None:
        return "–"
    if not value.sigma:
        return f"{value.value:.6g}"
    digits = max(1 - _exponent(value.sigma), 0)
    return f"{value.value:.{digits}f} ± {value.sigma:.{digits}f}"


def deviation(z: float | None) -> str:
    """With its sign, one digit after the point."""
    return "–" if z is None else f"{z:+.1f}"


def _exponent(value: float) -> int:
    return int(f"{value:e}".partition("e")[2])
