"""The page on how published values and refits agree, written by ``ecliptic archive agreement``."""

from __future__ import annotations

from collections.abc import Sequence

from ecliptic.rv.archive.agreement import Row, agreement_table, deviation, measured, summary
from ecliptic.rv.archive.literature import PublishedStar
from ecliptic.rv.archive.seeds import UNNAMED
from ecliptic.rv.tasks import ModelFamily, RVTask

INTRODUCTION = """\
Every shipped star is fitted anew: published periods say where to look, everything else comes from
the shipped velocities, with an offset and a jitter an instrument and what the last table declares.
A published figure agrees with the refit where the two differ by at most three standard deviations,
published and refitted together. An amplitude that the source does not state follows from its
minimum mass. This page and its picture are written by

```sh
ecliptic archive refit --out src/ecliptic/rv/archive/refits.json
ecliptic archive agreement --out docs/archival-agreement.md --plot docs/archival-agreement.png
```
"""
TOLERATED = """\
"Tolerated" are planets that the series shows weakly, that are disputed, or that only an analyst
who knows the transits can find: protocol `archival` takes a submission with or without them.
"held": the period is that of transits, and the orbit is taken as circular.
"""

OPEN = """\
Aliases and side lobes of a period can fit as well as the period itself; a paper then chose by the
transits. Solutions within 5 in ln L of the refit (`rivals`) count as right too, since nothing in
the velocities speaks against them. A period beyond the published ones that gains a delta-BIC of
more than 20 is tolerated.
"""


def agreement_page(tasks: Sequence[RVTask], rows: Sequence[Row], picture: str = "") -> str:
    """Markdown: the counts, the picture, the table, what disagrees, and what was declared."""
    parts = ["# Published values and refits", INTRODUCTION.rstrip(), summary(rows)]
    if picture:
        parts.append(f"![Refit less published in standard deviations]({picture})")
        parts.append("Filled: part of the truth; open: tolerated. Grey: three sigma. Red: beyond.")
    parts += [agreement_table(rows), TOLERATED.rstrip(), "## What disagrees", _disagreements(rows)]
    parts += ["## What the velocities leave open", OPEN.rstrip(), _open_questions(tasks)]
    parts += ["## What was declared", _families(tasks)]
    return "\n\n".join(parts) + "\n"


def _disagreements(rows: Sequence[Row]) -> str:
    lines = [
        f"- **{row.star} {row.planet.name}** (period {deviation(row.period_z)}, amplitude "
        f"{deviation(row.amplitude_z)} sigma): {row.reason}."
        for row in rows
        if not row.agrees
    ]
    return "\n".join(lines) or "Nothing."


def _open_questions(tasks: Sequence[RVTask]) -> str:
    lines = ["| star | periods, d | ln L less than the refit by |", "|---|---|---|"]
    for task in tasks:
        refit = task.truth.refit
        assert refit is not None
        for rival in refit.rivals:
            periods = ", ".join(measured(period) for period in rival.periods_days)
            lines.append(f"| {task.source_id} | {periods} | {rival.loss:.1f} |")
        for planet in refit.tolerated:
            if planet.name == UNNAMED:
                period = measured(planet.period_days)
                lines.append(f"| {task.source_id} | {period} (tolerated, unexplained) | – |")
    return "\n".join(lines)


def _families(tasks: Sequence[RVTask]) -> str:
    lines = [
        "| star | points | residuals, m/s | declared beside offsets and jitters | in the suite |",
        "|---|---|---|---|---|",
    ]
    for task in tasks:
        refit, family = task.truth.refit, task.observation.family
        assert refit is not None
        assert family is not None
        star = _star(task)
        lines.append(
            f"| {task.source_id} | {len(task.observation.times_days)} | {refit.rms_ms:.2f} | "
            f"{declared(family)} | {'yes' if star.expected else 'no: only with the ephemeris'} |"
        )
    return "\n".join(lines)


def _star(task: RVTask) -> PublishedStar:
    from ecliptic.rv.archive.catalogue import published_values

    return published_values(task.source_id or "")


def declared(family: ModelFamily) -> str:
    """What a family holds beside offsets and jitters, in words."""
    words = []
    if family.trend_order:
        words.append(f"a trend of order {family.trend_order}")
    if family.drifting:
        words.append(f"drift of {', '.join(family.drifting)}")
    if family.rotation is not None:
        words.append(f"a rotation process of {family.rotation.period_days:g} d")
    if family.forward_model == "nbody":
        words.append("N-body velocities")
    return "; ".join(words) or "–"
