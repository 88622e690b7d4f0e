"""What a star, its planets and its noise are drawn from: the published recipe.

Published (Stargazer: Liu et al. 2026, arXiv:2604.15664):

=====================  ============================================================================
planets                1, 2, 3, 4 with probability 0.5, 0.3, 0.15, 0.05
period                 log-uniform, 2 to 300 d
m sin i                log-uniform, 0.01 to 1 Jupiter masses
eccentricity           Beta(0.867, 3.03) (Kipping 2013), capped at 0.9
near resonance         2:1, 3:2 or 5:3 with 2 % scatter, probability 0.25 to 0.30
quoted error           10^U(-0.3, 0.7) m/s, one value a task
jitter                 half-normal, scale 0.5 m/s
rotation GP            probability 0.4
=====================  ============================================================================

Inferred from 70 published task files (in brackets the Kolmogorov-Smirnov p-value of the choice;
the files were picked by difficulty, so they are no fair sample):

=====================  ============================================================================
star mass              uniform, 0.7 to 1.3 solar masses (0.38)
inclination            isotropic, cos i uniform in 0 to 1 (0.63)
which are resonant     each neighbouring pair by itself; the scatter is a Gaussian factor
GP sigma               uniform, 0.05 to 1 m/s (0.68)
GP period              uniform, 10 to 45 d (0.75)
GP Q0 - 0.5            log-uniform, 0.1 to 5.5 (0.51)
GP dQ                  log-uniform, 0.05 to 1.5 (0.66)
GP f                   log-uniform, 0.1 to 1 (0.67)
=====================  ============================================================================

Differences from the published files, on purpose:

* Periods above 300 d are redrawn; the files hold planets moved to exactly 300 d.
* Orbits that cross are redrawn, whatever the forward model (see :func:`draw_planets`); the files
  hold 296 d beside 300 d with e = 0.39.
* ``Omega = 0`` and one inclination a system. The files tilt each planet by itself, so that mutual
  inclinations of 60 degrees occur; no velocity depends on either.

Every parameter is rounded as it is drawn: the observations follow from the rounded value, so the
last bits, in which mathematical libraries differ between machines, do not reach them.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.jit import compiled
from ecliptic.rv.tasks import Noise, Planet, RotationGP

PLANET_COUNTS = (0.5, 0.8, 0.95, 1.0)  # cumulative, for 1, 2, 3, 4 planets
PERIOD_DAYS = (2.0, 300.0)
M_SIN_I_MJUP = (0.01, 1.0)
ECCENTRICITY_BETA = (0.867, 3.03)
MAX_ECCENTRICITY = 0.9
RESONANCES = (2.0, 3.0 / 2.0, 5.0 / 3.0)
# The middle of the published range. Drawing it anew for each system would change the probability
# that two pairs of one system are both resonant from 0.0756 to 0.0758.
RESONANCE_PROBABILITY = 0.275
RESONANCE_SCATTER = 0.02
STAR_MASS_SUN = (0.7, 1.3)
LOG10_SIGMA_WHITE_MS = (-0.3, 0.7)
SIGMA_JITTER_MS = 0.5
GP_PROBABILITY = 0.4
GP_SIGMA_MS = (0.05, 1.0)
GP_PERIOD_DAYS = (10.0, 45.0)
GP_Q0_EXCESS = (0.1, 5.5)
GP_DQ = (0.05, 1.5)
GP_F = (0.1, 1.0)

MJUP_IN_MSUN = 9.5459e-4
HILL_SEPARATION = 2.0 * math.sqrt(3.0)
SIGNIFICANT_DIGITS = 8
_SIGNIFICANT = f"%.{SIGNIFICANT_DIGITS - 1}e"
LEVEL_DIGITS = 6  # white noise and jitter in steps of 1e-6 m/s
_TRIES = 8  # systems drawn at once, of which the first good one is taken
FloatOrArray = TypeVar("FloatOrArray", float, NDArray[np.float64])


def draw_star_mass_sun(rng: np.random.Generator) -> float:
    """Mass of the star in solar masses."""
    return significant(_between(rng.random(), STAR_MASS_SUN))


def draw_noise(rng: np.random.Generator) -> Noise:
    """Levels of the white noise and the jitter, and the rotation GP if there is one.

    Takes eight numbers from ``rng``, with or without a GP.
    """
    white, with_gp, sigma, period, Q0, dQ, f = rng.random(7).tolist()
    jitter = abs(rng.standard_normal())
    gp = None
    if with_gp < GP_PROBABILITY:
        gp = RotationGP(
            sigma_ms=significant(_between(sigma, GP_SIGMA_MS)),
            period_days=significant(_between(period, GP_PERIOD_DAYS)),
            Q0=significant(0.5 + _log_between(Q0, GP_Q0_EXCESS)),
            dQ=significant(_log_between(dQ, GP_DQ)),
            f=significant(_log_between(f, GP_F)),
        )
    return Noise(
        sigma_white_ms=round(10.0 ** _between(white, LOG10_SIGMA_WHITE_MS), LEVEL_DIGITS),
        sigma_jitter_ms=round(SIGMA_JITTER_MS * jitter, LEVEL_DIGITS),
        gp=gp,
    )


def draw_planets(rng: np.random.Generator, star_mass_sun: float) -> tuple[Planet, ...]:
    r"""One to four planets in order of period, on orbits that keep apart.

    The number of planets and which neighbours are near a resonance are drawn once, so both keep
    their published probabilities. Periods, masses, eccentricities and the system's inclination are
    redrawn together until each pair of neighbours satisfies

    .. math:: a_2 (1 - e_2) - a_1 (1 + e_1) > 2 \sqrt 3 R_H,\quad
              R_H = \Bigl(\frac{m_1 + m_2}{3 M_\star}\Bigr)^{1/3} \frac{a_1 + a_2}{2}

    with ``m`` the true masses (Gladman 1993, for circular orbits; taken here between apastron and
    periastron). Of 100 draws 45, 14 and 4 are good for two, three and four planets, so the mean
    eccentricity falls from the prior's 0.22 to 0.16, 0.13 and 0.12.
    """
    count, *pairs = rng.random(7).tolist()
    n = 1 + bisect_right(PLANET_COUNTS, count)
    ratios = [
        RESONANCES[int(which * len(RESONANCES))] if near < RESONANCE_PROBABILITY else None
        for near, which in zip(pairs[: n - 1], pairs[3 : n + 2], strict=True)
    ]
    orbits = _draw_orbits(rng, ratios, star_mass_sun)
    return tuple(
        Planet(
            period_days=significant(P),
            m_sin_i_mjup=significant(m),
            e=significant(e),
            omega_rad=significant(math.tau * omega),
            l_rad=significant(math.tau * longitude),
            inc_rad=significant(inc),
        )
        for (P, m, e, inc), (omega, longitude) in zip(
            orbits, rng.random((n, 2)).tolist(), strict=True
        )
    )


def _draw_orbits(
    rng: np.random.Generator, ratios: Sequence[float | None], star_mass_sun: float
) -> list[tuple[float, float, float, float]]:
    """P, m sin i, e and inclination of each planet; ``ratios`` has one entry a pair."""
    n = len(ratios) + 1
    tries = 1 if n == 1 else _TRIES
    while True:
        uniform, cos_i = rng.random((2, tries, n)), rng.random(tries)
        uniform[0].sort(axis=1)
        P = _log_between(uniform[0], PERIOD_DAYS)
        m = _log_between(uniform[1], M_SIN_I_MJUP)
        e = np.minimum(rng.beta(*ECCENTRICITY_BETA, (tries, n)), MAX_ECCENTRICITY)
        for j, ratio in enumerate(ratios):
            if ratio is not None:
                scatter = 1.0 + RESONANCE_SCATTER * rng.standard_normal(tries)
                P[:, j + 1] = P[:, j] * ratio * scatter
        # m over sin i over the star's mass: the same ratio as m sin i over the star's times sin i.
        k = first_apart(P, m, e, star_mass_sun * np.sqrt(1.0 - cos_i * cos_i), PERIOD_DAYS[1])
        if k >= 0:
            inc = [math.acos(cos_i[k])] * n
            return list(zip(P[k].tolist(), m[k].tolist(), e[k].tolist(), inc, strict=True))


@compiled
def first_apart(
    period_days: NDArray[np.float64],
    m_sin_i_mjup: NDArray[np.float64],
    e: NDArray[np.float64],
    star_mass_sin_i_sun: NDArray[np.float64],
    max_period_days: float,
) -> int:
    """The first system whose neighbours keep apart as :func:`draw_planets` demands, or -1.

    The planets' arrays have shape (n_systems, n_planets), the stars' (n_systems,). A system with
    its last period beyond ``max_period_days`` does not count.
    """
    systems, planets = period_days.shape
    for k in range(systems):
        good = period_days[k, -1] <= max_period_days
        for j in range(planets - 1):
            inner = period_days[k, j] ** (2.0 / 3.0)  # only the ratio of the axes matters
            outer = period_days[k, j + 1] ** (2.0 / 3.0)
            gap = outer * (1.0 - e[k, j + 1]) - inner * (1.0 + e[k, j])
            pair_sun = (m_sin_i_mjup[k, j] + m_sin_i_mjup[k, j + 1]) * MJUP_IN_MSUN
            hill = (
                (pair_sun / (3.0 * star_mass_sin_i_sun[k])) ** (1.0 / 3.0) * 0.5 * (inner + outer)
            )
            good = good and gap > HILL_SEPARATION * hill
        if good:
            return k
    return -1


def significant(value: float) -> float:
    """``value`` rounded to eight significant decimal digits, exactly alike on every machine."""
    return float(_SIGNIFICANT % value)


def _between(u: float, bounds: tuple[float, float]) -> float:
    return bounds[0] + u * (bounds[1] - bounds[0])


def _log_between(u: FloatOrArray, bounds: tuple[float, float]) -> FloatOrArray:
    power: FloatOrArray = (bounds[1] / bounds[0]) ** u
    return bounds[0] * power
