"""Submissions without insight, which no task may let pass.

===============  =============================================================================
``null``         no planet
``sine``         one sinusoid at the highest peak of the periodogram
``padding``      the oracle's strongest planet, and others without mass up to the right number
``duplicate``    the oracle's strongest planet shared out among the right number of planets
``free_jitter``  planets without mass at the true periods, and a jitter that hides everything
``resubmission`` the padding once more, its figures changed in the fifth digit
===============  =============================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ecliptic.rv import solvers
from ecliptic.rv.oracle import as_submission
from ecliptic.rv.orbit import elements_of
from ecliptic.rv.protocols import AnyProtocol
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.submission import Submission
from ecliptic.rv.tasks import Planet, RVTask

HIDING_JITTER_MS = 1e4


def floor_of(task: RVTask, best: Sequence[Planet], rules: AnyProtocol) -> dict[str, bool]:
    """Whether each of the submissions passes; ``best`` are the oracle's planets."""
    return {
        name: evaluate(task, submission, rules).passed
        for name, submission in floor_submissions(task, best).items()
    }


def floor_submissions(
    task: RVTask, best: Sequence[Planet]
) -> dict[str, Submission | dict[str, Any]]:
    """The submissions by name; those that need planets are left out where there are none."""
    submissions: dict[str, Submission | dict[str, Any]] = {"null": {"planets": []}}
    submissions["sine"] = solvers.solve(task.observation, "sine")
    if not best:
        return submissions
    K = elements_of(best, task.observation.star_mass_sun)[:, 1]
    strongest = best[int(np.argmax(K))]
    count = len(best)
    massless = [each.model_copy(update={"m_sin_i_mjup": 0.0}) for each in best]
    hidden = [each for each in massless if each.period_days != strongest.period_days]
    share = strongest.model_copy(update={"m_sin_i_mjup": strongest.m_sin_i_mjup / count})
    shares = [
        share.model_copy(update={"period_days": share.period_days * (1.0 + 1e-5 * k)})
        for k in range(count)
    ]
    submissions["free_jitter"] = as_submission(massless, HIDING_JITTER_MS)
    if count > 1:
        submissions["padding"] = as_submission([strongest, *hidden])
        submissions["duplicate"] = as_submission(shares)
        nudged = [
            each.model_copy(update={"period_days": each.period_days * (1.0 + 1e-5)})
            for each in (strongest, *hidden)
        ]
        submissions["resubmission"] = as_submission(nudged)
    return submissions
