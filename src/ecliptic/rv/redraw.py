"""What a draw says when it cannot become a task."""

from __future__ import annotations


class Redraw(Exception):  # noqa: N818  (an outcome that is counted, not an error)
    """This draw is given up for the reason in the message; the next child is drawn."""
