"""A chart as data: what Plotly draws, and the table that says the same in text.

Colours are names of the style sheet's variables (``var(--c0)``), which the page's script resolves,
so that a chart follows the light and the dark scheme.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

COLOURS = tuple(f"var(--c{number})" for number in range(8))
SYMBOLS = ("circle", "square", "triangle-up", "diamond", "cross", "x", "pentagon", "star")
INK, FAINT, TRUE, MODEL = "var(--ink)", "var(--faint)", "var(--true)", "var(--model)"


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows of texts; ``numeric`` columns are set to the right.

    A cell is a text, or a pair of a text and what to sort it by.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    caption: str = ""
    numeric: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Chart:
    """One figure.

    Attributes
    ----------
    key
        Unique on its page.
    title
        Of the figure, as text.
    summary
        What it shows, in one sentence, for those who cannot see it.
    traces, layout
        As Plotly takes them.
    table
        The same in text.
    height
        In CSS pixels.
    """

    key: str
    title: str
    summary: str
    traces: Sequence[Mapping[str, Any]]
    table: Table
    layout: Mapping[str, Any] = field(default_factory=dict)
    height: int = 320

    @property
    def spec(self) -> dict[str, Any]:
        """What the page's script reads."""
        return {"data": list(self.traces), "layout": dict(self.layout), "height": self.height}


def plain(values: Iterable[float] | np.ndarray[Any, Any], digits: int = 5) -> list[float | None]:
    """Numbers for JSON with so many significant digits; what is not finite becomes null."""
    return [_rounded(float(value), digits) for value in values]


def _rounded(value: float, digits: int) -> float | None:
    return float(f"{value:.{digits}g}") if math.isfinite(value) else None


def number(value: object, digits: int = 4) -> str:
    """A figure as text; a dash where there is none."""
    if value is None or isinstance(value, bool) or not isinstance(value, int | float | np.number):
        return "–"
    figure = float(value)
    if not math.isfinite(figure):
        return "not finite"
    if figure.is_integer() and abs(figure) < 1e7:
        return f"{figure:.0f}"
    return f"{figure:.{digits}g}"
