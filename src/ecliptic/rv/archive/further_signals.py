"""Signals that a series holds beside the published planets.

An analyst who finds one has read the data rightly, whatever its cause; the published model lacks
it. So it is tolerated: a submission may hold it or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ecliptic.rv.alternatives import with_one_more
from ecliptic.rv.archive.seeds import UNNAMED, Seed
from ecliptic.rv.inference.fitting import Fit
from ecliptic.rv.refit_records import Measured
from ecliptic.rv.stability import is_stable

WORTH = 20.0  # delta-BIC
MAX_SIGNALS = 2


def further_signals(best: Fit, seeds: Sequence[Seed]) -> Iterator[tuple[Seed, float]]:
    """Tolerated seeds, each with the delta-BIC that it gains, the strongest first.

    ``best``: the joint fit of ``seeds``. One that could not last beside the known planets is a
    sign of something else, and ends the search.
    """
    for count in range(len(seeds) + 1, len(seeds) + 1 + MAX_SIGNALS):
        more = with_one_more(best)
        gain = best.bic - more.bic
        if not gain > WORTH or more.n_planets != count or not is_stable(more):
            return
        P, K = more.elements()[-1, :2].tolist()
        found = {"period_days": Measured(value=P), "semi_amplitude_ms": Measured(value=K)}
        yield Seed(UNNAMED, found, role="tolerated", note="unexplained"), gain
        best = more
