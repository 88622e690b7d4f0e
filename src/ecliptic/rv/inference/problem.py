r"""An observation and its declared family of models, made ready for fits.

.. math::
   v(t_i) = \sum_j v_j(t_i) + \gamma_{s(i)} + \delta_{s(i)} (t_i - t_c)
            + \sum_k c_k (t_i - t_c)^k + \epsilon_i

with an offset per instrument s, a drift of those that are declared to have one, and a polynomial
trend; :math:`\epsilon` is Gaussian with variance :math:`\sigma_i^2 + \mathrm{jitter}_s^2` and, for
active stars, the rotation process of :mod:`ecliptic.rv.noise` on top.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ecliptic.errors import UsageError
from ecliptic.rv.inference.celerite import rotation_kernel
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.inference.velocities import Velocities
from ecliptic.rv.tasks import ModelFamily, Observation, RotationGP

FLOOR_SHARE = 0.05  # noise terms below this share of the median error are as good as none
MIN_PERIOD_DAYS, MAX_SPANS = 0.5, 10.0


def family_of(observation: Observation) -> ModelFamily:
    """The declared family, or for a task without: Keplerian orbits, white noise.

    The range of periods is then 0.5 d to ten times the time span.
    """
    if observation.family is not None:
        return observation.family
    span = float(observation.times_days[-1] - observation.times_days[0])
    longest = max(MAX_SPANS * span, 4.0 * MIN_PERIOD_DAYS)
    return ModelFamily(period_min_days=MIN_PERIOD_DAYS, period_max_days=longest)


@dataclass(frozen=True, slots=True)
class Problem:
    """What the compiled likelihood takes; shapes with n points and q linear terms.

    Attributes
    ----------
    velocities
        Times from the middle, centred velocities, variances, instruments.
    family
        What the model holds.
    gp
        Shape of the rotation process (its ``sigma_ms`` is not used), or ``None``.
    basis
        Linear terms, (n, q): offsets, then drifts, then the trend.
    kernel
        U, V, phi of the process, each (n, 4) or (n, 0).
    floors
        Epsilons of the noise parameters: jitters, then the process.
    star_mass_sun
        Mass of the star, for minimum masses.
    """

    velocities: Velocities
    family: ModelFamily
    gp: RotationGP | None
    basis: Array
    kernel: tuple[Array, Array, Array]
    floors: Array
    star_mass_sun: float

    @classmethod
    def of(cls, observation: Observation, gp: RotationGP | None = None) -> Problem:
        """The problem of an observation; ``gp`` is left out where no activity is declared.

        Without one, the shape that the family declares is taken.

        Raises
        ------
        UsageError
            No orbit can be fitted: no time span, or numbers beyond 1e100.
        """
        velocities = Velocities.of(observation)
        if velocities is None:
            raise UsageError("observation: no orbit can be fitted (no time span, or overflow)")
        family = family_of(observation)
        if not family.activity:
            gp = None
        elif gp is None:
            gp = family.rotation
        kernel = rotation_kernel(gp, velocities.times_days)
        median = math.sqrt(float(np.median(velocities.variances)))
        count = velocities.n_instruments + (gp is not None)
        return cls(
            velocities=velocities,
            family=family,
            gp=gp,
            basis=_basis(velocities, family, observation.instrument_labels),
            kernel=kernel,
            floors=np.full(count, (FLOOR_SHARE * median) ** 2),
            star_mass_sun=observation.star_mass_sun,
        )

    def __len__(self) -> int:
        return len(self.velocities)

    def with_velocities(self, rvs_ms: Array) -> Problem:
        """The same with other velocities, (n,), for instance less some planets or redrawn."""
        from dataclasses import replace

        return replace(self, velocities=replace(self.velocities, rvs_ms=rvs_ms))

    @property
    def n_common(self) -> int:
        """Parameters that every model of the family has: linear terms and noise."""
        return int(self.basis.shape[1]) + len(self.floors)

    def bic(self, log_likelihood: float, n_planets: int) -> float:
        """Bayesian information criterion; five parameters a planet."""
        k = 5 * n_planets + self.n_common
        return -2.0 * log_likelihood + k * math.log(len(self))


def _basis(velocities: Velocities, family: ModelFamily, labels: tuple[str, ...]) -> Array:
    scaled = velocities.times_days / (0.5 * velocities.span_days)
    here = velocities.instruments[:, np.newaxis] == np.arange(velocities.n_instruments)
    columns = [here.astype(np.float64)]
    for label in family.drifting:
        columns.append((here[:, labels.index(label)] * scaled)[:, np.newaxis])
    for degree in range(1, family.trend_order + 1):
        columns.append((scaled**degree)[:, np.newaxis])
    return np.ascontiguousarray(np.hstack(columns))
