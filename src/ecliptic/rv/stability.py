r"""Whether orbits can be those of planets: Hill stability of every pair.

Two planets of mass ratios :math:`\mu_1, \mu_2` to their star can never meet if (Marchal & Bozis
1982, Celest. Mech. 26, 311; Gladman 1993, Icarus 106, 247, equation 21)

.. math::
   \alpha^{-3} \left( \mu_1 + \frac{\mu_2}{\delta^2} \right)
   \left( \mu_1 \gamma_1 + \mu_2 \gamma_2 \delta \right)^2
   > 1 + 3^{4/3} \frac{\mu_1 \mu_2}{\alpha^{4/3}},
   \qquad \alpha = \mu_1 + \mu_2, \; \gamma_k = \sqrt{1 - e_k^2}, \; \delta^2 = a_2 / a_1,

which for circular orbits asks for :math:`2 \sqrt{3}` mutual Hill radii between them. Masses are
minimum masses: the largest separations that the velocities allow. The criterion is sufficient, not
necessary: a far planet of high eccentricity fails it. So three things are granted:

* orbits that stay :math:`2 \sqrt{3}` mutual Hill radii apart, from the inner one's apastron to the
  outer one's periastron, are stable all the same;
* pairs near a resonance may cross and yet never meet (the orbits of HD 82943 or HD 45364 do), so a
  pair within 3 % of 4:3, 3:2, 2:1, 5:2 or 3:1 is not judged;
* eccentricities that the data hardly know are taken two standard deviations smaller.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from ecliptic.rv.inference.fitting import Fit
from ecliptic.rv.inference.posterior import Posterior
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.orbit import minimum_mass_mjup

JUPITER_SUN = 9.5459e-4
RESONANCES = (4 / 3, 3 / 2, 2.0, 5 / 2, 3.0)
NEAR_RESONANCE = 0.03
HILL_SEPARATION = 2.0 * math.sqrt(3.0)
E_SIGMAS = 2.0


def is_stable(model: Fit) -> bool:
    """Whether every pair of a model's planets is Hill stable, or may be protected by resonance."""
    if model.n_planets < 2:
        return True
    elements, mass_sun = model.elements(), model.problem.star_mass_sun
    if are_stable(elements, mass_sun):
        return True
    if not elements[:, 2].any():
        return False
    rounder = elements.copy()
    sigmas = Posterior.of(model).sigmas()[:, 2]
    rounder[:, 2] = np.maximum(elements[:, 2] - E_SIGMAS * sigmas, 0.0)
    return are_stable(rounder, mass_sun)


def are_stable(elements: Array, star_mass_sun: float) -> bool:
    """The same of elements P in days, K in m/s, e, ..., (n_planets, 3 or more)."""
    order = np.argsort(elements[:, 0])
    rows = [
        (P, float(minimum_mass_mjup(K, P, e, star_mass_sun)) * JUPITER_SUN / star_mass_sun, e)
        for P, K, e in elements[order, :3].tolist()
    ]
    return all(is_pair_stable(inner, outer) for inner, outer in combinations(rows, 2))


def is_pair_stable(inner: tuple[float, float, float], outer: tuple[float, float, float]) -> bool:
    """Of period, mass over that of the star, and eccentricity of two planets."""
    (P_1, mu_1, e_1), (P_2, mu_2, e_2) = inner, outer
    ratio = P_2 / P_1
    if any(abs(ratio / resonance - 1.0) < NEAR_RESONANCE for resonance in RESONANCES):
        return True
    alpha, delta = mu_1 + mu_2, ratio ** (1.0 / 3.0)
    if not alpha > 0.0:
        return True
    axes = delta**2
    hill_radius = (alpha / 3.0) ** (1.0 / 3.0) * 0.5 * (1.0 + axes)
    if axes * (1.0 - e_2) - (1.0 + e_1) > HILL_SEPARATION * hill_radius:
        return True
    momentum = mu_1 * math.sqrt(1.0 - e_1**2) + mu_2 * math.sqrt(1.0 - e_2**2) * delta
    left = (mu_1 + mu_2 / axes) * momentum**2 / alpha**3
    return bool(left > 1.0 + 3.0 ** (4.0 / 3.0) * mu_1 * mu_2 / alpha ** (4.0 / 3.0))
