"""Whether a task is made for a run that is about to begin."""

from __future__ import annotations

import inspect_ai._eval.eval as evaluation


def made_in_run() -> bool:
    """Whether ``inspect eval`` is making its tasks, or ``inspect_ai.eval`` one that it was named.

    Models and roles are bound by then, so that what is missing can be told at once. A task that is
    made before, in Python or for an eval set, may get them later.
    """
    return evaluation._eval_async_running
