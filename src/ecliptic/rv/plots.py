"""Pictures of a star's velocities and of a submission's model for them.

Figures are made with matplotlib's object interface and its Agg, PDF and SVG writers: no display,
no global state, so they may be made in any thread and in any number.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from ecliptic.errors import UsageError
from ecliptic.files import output_errors
from ecliptic.rv.panels import FittedModel, draw_phase, draw_residuals, draw_series, label_time
from ecliptic.rv.power_panels import draw_periodograms
from ecliptic.rv.submission import read_submission
from ecliptic.rv.tasks import Observation, Truth

FORMATS = (".png", ".pdf", ".svg")
WIDTH_INCHES = 10.0
GRID_COLUMNS = 6
STYLE: dict[Any, Any] = {
    "font.size": 9.5,
    "axes.titlesize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}


def fit_figure(
    observation: Observation,
    submission: object = None,
    *,
    truth: Truth | None = None,
    title: str = "",
) -> Figure:
    """Draw the data and, if there is one, a submission's model, residuals and folded planets.

    Data are shown less the offset of their instrument: the weighted mean of what the model leaves,
    or of the velocities themselves where there is no model. Error bars are the quoted errors. A
    planet's phase is its mean longitude over 2 pi, so a circular orbit peaks at phase 0. The
    truth is drawn only if it is given.

    Raises
    ------
    SubmissionError
        The submission is malformed.
    """
    import matplotlib as mpl

    guess = None if submission is None else read_submission(submission)
    model = FittedModel.of(
        observation,
        guess.planets if guess else (),
        guess.sigma_jitter_ms if guess else 0.0,
    )
    true = None if truth is None else FittedModel.of(observation, truth.planets, 0.0)
    n_planets = len(model.rows)
    in_a_row = _phases_in_a_row(n_planets)
    n_phase_rows = math.ceil(n_planets / in_a_row)
    heights = [3.3, *([1.3] if guess else []), *[2.4] * n_phase_rows, *[1.6] * (1 + bool(guess))]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_INCHES, sum(heights)), dpi=120, layout="constrained")
        # One grid for everything, so that all panels begin and end at the same places.
        grid = figure.add_gridspec(len(heights), GRID_COLUMNS, height_ratios=heights)
        if title:
            figure.suptitle(title, fontsize=12, fontweight="bold")
        lowest = top = figure.add_subplot(grid[0, :])
        draw_series(top, observation, model, true, has_model=guess is not None)
        if guess:
            lowest = figure.add_subplot(grid[1, :], sharex=top)
            top.tick_params(labelbottom=False)
            draw_residuals(lowest, observation, model)
        label_time(lowest, observation)
        for planet in range(n_planets):
            row, column = divmod(planet, in_a_row)
            width = GRID_COLUMNS // in_a_row
            place = grid[2 + row, width * column : width * (column + 1)]
            axis = figure.add_subplot(place)
            draw_phase(axis, observation, model, planet)
            if column == 0:
                axis.set_ylabel("Velocity (m/s)")
        power = [figure.add_subplot(grid[-1, :])]
        if guess:
            power.insert(0, figure.add_subplot(grid[-2, :], sharex=power[0]))
            power[0].tick_params(labelbottom=False)
        draw_periodograms(power, observation, model, true)
        figure.align_ylabels()
    return figure


def _phases_in_a_row(n_planets: int) -> int:
    return n_planets if 1 <= n_planets <= 3 else 2 if n_planets == 4 else 3


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure as PNG, PDF or SVG, by the ending of ``path``.

    Raises
    ------
    UsageError
        Another ending.
    OutputError
        The file cannot be written.
    """
    check_format(path)
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from ecliptic.files import atomic_file

    FigureCanvasAgg(figure)
    with output_errors(path), mpl.rc_context(STYLE), atomic_file(path) as file:
        figure.savefig(file, format=path.suffix.lower()[1:])


def check_format(path: Path) -> None:
    """Raise a UsageError unless a figure can be written to a file of this ending."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{path}: a picture's name must end in {', '.join(FORMATS)}")
