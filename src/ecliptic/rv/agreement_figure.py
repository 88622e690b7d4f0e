"""The picture of the agreement table: published values against the refit, in sigmas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ecliptic.rv.archive.agreement import SIGMAS, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LIMIT = 7.5  # a deviation beyond is drawn at the edge
PANELS = (("period_z", "Period", "o"), ("amplitude_z", "Semi-amplitude", "s"))


def agreement_figure(rows: Sequence[Row]) -> Figure:
    """Two panels, period and semi-amplitude; a line a planet, the expected ones filled.

    ``rows`` as :func:`~ecliptic.rv.archive.agreement.rows_of` returns them.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    from ecliptic.rv.plots import STYLE

    with mpl.rc_context(STYLE):
        height = 1.3 + 0.19 * len(rows)
        figure = Figure(figsize=(8.2, height), dpi=120, layout="constrained")
        axes = figure.subplots(1, 2, sharey=True, squeeze=False)[0]
        for axis, (name, title, marker) in zip(axes, PANELS, strict=True):
            _draw(axis, rows, name, title, marker)
        axes[0].set_yticks(range(len(rows)), [f"{row.star} {row.planet.name}" for row in rows])
        axes[0].set_ylim(len(rows) - 0.4, -0.6)
        figure.supxlabel("(refit \N{MINUS SIGN} published) / \N{GREEK SMALL LETTER SIGMA}")
    return figure


def _draw(axis: Axes, rows: Sequence[Row], name: str, title: str, marker: str) -> None:
    from ecliptic.rv.panels import COLOURS, FAINT, TRUE

    axis.axvspan(-SIGMAS, SIGMAS, color=FAINT, alpha=0.15, lw=0)
    axis.axvline(0.0, color=FAINT, lw=0.8)
    for place, row in enumerate(rows):
        z = getattr(row, name)
        if z is None or (row.held and name == "period_z"):
            axis.text(0.0, place, "\N{EN DASH}", ha="center", va="center", color=FAINT)
            continue
        colour = COLOURS[0] if abs(z) <= SIGMAS else TRUE
        shown = min(max(z, -LIMIT), LIMIT)
        face = colour if row.expected else "white"
        axis.plot(shown, place, marker, color=colour, mfc=face, ms=5.5, clip_on=False)
        if abs(z) > LIMIT:
            side = "left" if z < 0 else "right"
            offset = 0.4 if z < 0 else -0.4
            axis.text(shown + offset, place, f"{z:+.1f}", ha=side, va="center", color=colour)
    axis.set_title(title)
    axis.set_xlim(-LIMIT - 0.3, LIMIT + 0.3)
    axis.grid(axis="y", lw=0.3)
