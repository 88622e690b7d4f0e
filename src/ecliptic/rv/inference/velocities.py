"""An observation made ready for fits."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.tasks import Observation

VARIANCE_FLOOR = 1e-12  # the published protocol's own, in (m/s)^2
LARGEST = 1e100  # beyond it squares of velocities and weights overflow


@dataclass(frozen=True, slots=True)
class Velocities:
    """An observation made ready for fits.

    ``times_days`` count from the middle of the observations and ``rvs_ms`` from each instrument's
    weighted mean, so that neither Julian dates nor offsets of km/s cost digits.
    ``reference_days`` is the reference epoch of the angles on the same clock.
    """

    times_days: Array
    rvs_ms: Array
    variances: Array
    instruments: NDArray[np.int64]
    n_instruments: int
    reference_days: float
    span_days: float
    spread_ms: float

    @classmethod
    def of(cls, observation: Observation) -> Velocities | None:
        """``None`` where no orbit can be fitted: no time span, or numbers beyond 1e100."""
        times = observation.times_days - observation.t_ref_days
        span = float(times[-1])
        sigmas = observation.sigmas_ms
        magnitude = max(float(np.abs(observation.rvs_ms).max()), float(sigmas.max()))
        if not 0.0 < span < LARGEST or magnitude > LARGEST:
            return None
        variances = sigmas**2 + VARIANCE_FLOOR
        instruments = observation.instrument_index
        n_instruments = len(observation.instrument_labels)
        rvs = observation.rvs_ms - observation.rvs_ms.mean()
        rvs = without_offsets(rvs, 1.0 / variances, instruments, n_instruments)
        return cls(
            times_days=times - 0.5 * span,
            rvs_ms=rvs,
            variances=variances,
            instruments=instruments,
            n_instruments=n_instruments,
            reference_days=-0.5 * span,
            span_days=span,
            spread_ms=math.sqrt(float(np.mean(rvs**2))),
        )

    def __len__(self) -> int:
        return len(self.times_days)

    def thinned(self, count: int) -> Velocities:
        """Itself, or an even selection of about ``count`` points of every instrument alike."""
        if len(self) <= count:
            return self
        order = np.argsort(self.instruments, kind="stable")
        chosen = np.sort(order[:: -(-len(self) // count)])
        labels, instruments = np.unique(self.instruments[chosen], return_inverse=True)
        return replace(
            self,
            times_days=self.times_days[chosen],
            rvs_ms=self.rvs_ms[chosen],
            variances=self.variances[chosen],
            instruments=instruments,
            n_instruments=len(labels),
        )


def without_offsets(
    rvs: Array, weights: Array, instruments: NDArray[np.int64], n_instruments: int
) -> Array:
    """The velocities less each instrument's weighted mean; shapes (n,)."""
    total = np.bincount(instruments, weights, n_instruments)
    means: Array = np.bincount(instruments, weights * rvs, n_instruments) / total
    return rvs - means[instruments]
