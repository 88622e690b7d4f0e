"""The picture of a suite's audits: what can be reached against how strong the weakest planet is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ecliptic.analysis.tables import TIERS
from ecliptic.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENOUGH = 0.9
PUBLISHED_BAR, STRICT_BAR = 96.0, 22.0
"""K sqrt(N) / sigma_eff at which a tolerance of 0.223 and of 1 is usually met."""
SPREAD = 0.012
"""Points are moved up or down by at most this, so that equal ones can be told apart."""


def audit_figure(lines: Sequence[Mapping[str, Any]], title: str = "") -> Figure:
    """Ceiling of each task against the smallest K sqrt(N) / sigma_eff of its planets, by tier.

    Filled where the audit accepts the task, open where it does not.

    Raises
    ------
    UsageError
        No line has a ceiling and a planet.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    from ecliptic.rv.panels import COLOURS, FAINT
    from ecliptic.rv.plots import STYLE, WIDTH_INCHES

    points = _points(lines)
    if not points:
        raise UsageError("no task has both a ceiling and planets; nothing to draw (--draws 0?)")
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_INCHES, 5.0), dpi=120, layout="constrained")
        axis = figure.add_subplot()
        axis.axhline(ENOUGH, color=FAINT, lw=0.9, ls="--")
        axis.annotate("accepted from 0.9", (1.0, ENOUGH), xytext=(-2, -3), color=FAINT,
                      xycoords=axis.get_yaxis_transform(), textcoords="offset points",
                      ha="right", va="top")  # fmt: skip
        for x, name in (
            (STRICT_BAR, "distance 1 in reach"),
            (PUBLISHED_BAR, "distance 0.223 in reach"),
        ):
            axis.axvline(x, color=FAINT, lw=0.9, ls=":")
            axis.annotate(name, (x, 0.5), xytext=(3, 0), rotation=90, color=FAINT,
                          xycoords=axis.get_xaxis_transform(), textcoords="offset points",
                          va="center")  # fmt: skip
        rng = np.random.default_rng(0)
        tiers = [tier for tier in TIERS if any(tier == point[0] for point in points)]
        for tier, colour in zip(tiers, COLOURS, strict=False):
            chosen = [point for point in points if point[0] == tier]
            for accepted in (True, False):
                shown = [point for point in chosen if point[3] == accepted]
                moved = SPREAD * rng.uniform(-1.0, 1.0, len(shown))
                strengths = [point[1] for point in shown]
                shares = np.array([point[2] for point in shown]) + moved
                axis.plot(strengths, shares, "o", ms=5, color=colour, mew=1.0, alpha=0.85,
                          mfc=colour if accepted else "none")  # fmt: skip
            count = sum(taken for *_, taken in chosen)
            axis.plot([], [], "o", color=colour, label=f"{tier}: {count} of {len(chosen)} accepted")
        axis.set_xscale("log")
        axis.xaxis.set_major_locator(LogLocator(10, subs=(1.0, 2.0, 5.0)))
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.xaxis.set_minor_formatter(NullFormatter())
        axis.set_ylim(-0.04, 1.04)
        axis.set_xlabel("Weakest planet: $K \\sqrt{N} / \\sigma_{\\mathrm{eff}}$")
        axis.set_ylabel("Ceiling: share of fresh noise that the oracle passes")
        figure.legend(loc="outside right upper", title="filled: accepted")
        if title:
            axis.set_title(title, fontsize=12, fontweight="bold", loc="left")
    return figure


def _points(lines: Sequence[Mapping[str, Any]]) -> list[tuple[str, float, float, bool]]:
    """Tier, smallest strength, ceiling, accepted."""
    points = []
    for line in lines:
        audit = line["audit"]
        if audit is None or not (audit["ceiling"] or {}).get("draws"):
            continue
        strengths = [x for x in audit["identifiability"]["strength"] if x and x > 0]
        if strengths:
            share = audit["ceiling"]["passed"] / audit["ceiling"]["draws"]
            points.append((audit["tier"], min(strengths), share, audit["accepted"]))
    return points
