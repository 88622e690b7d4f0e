"""Pictures of a fit as arrays, for ``render_mode="rgb_array"``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv import Observation


def fit_picture(observation: Observation, submission: object = None) -> NDArray[np.uint8]:
    """Data, model, residuals and folded planets, shape (height, width, 3)."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from ecliptic.rv.plots import fit_figure

    figure = fit_figure(observation, submission)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    buffer: memoryview = canvas.buffer_rgba()  # type: ignore[no-untyped-call]
    return np.array(buffer, dtype=np.uint8)[:, :, :3].copy()
