r"""Which submitted planet stands for which true one.

The distance of a true planet :math:`i` and a submitted one :math:`j` is

.. math::
   d_{ij} = 4\,\frac{\mathrm{rms}(\Delta v_{ij} - \overline{\Delta v_{ij}})}{K_i}
          + |\Delta \ln P| + \tfrac12 |\Delta \ln K| + \tfrac12 |\Delta e|

with :math:`\Delta v_{ij}` the difference of the two single-planet curves at the observation
times. The assignment of least total distance is taken (Hungarian method); its pairs with
:math:`d > 5` are dropped. The match score is

.. math::
   \overline{\exp(-d)} - 0.25\, |n_\mathrm{true} - n_\mathrm{submitted}|

over the pairs that are left; without any, the mean is 0, or 1 if both sides are empty
(Stargazer, Liu et al. 2026, arXiv:2604.15664).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from ecliptic.rv.jit import compiled

CURVE_WEIGHT, PERIOD_WEIGHT, AMPLITUDE_WEIGHT, E_WEIGHT = 4.0, 1.0, 0.5, 0.5
K_FLOOR_MS = 1e-6
MAX_DISTANCE = 5.0
COUNT_PENALTY = 0.25
TERMS = ("curve", "period", "amplitude", "eccentricity")
_BEYOND = 1e150  # stands for distances that overflow, which no assignment can weigh


@dataclass(slots=True)
class Matching:
    """Pairs of (true, submitted) planets, by index.

    ``pairs`` holds those that count with their distance, ``dropped`` those beyond
    ``MAX_DISTANCE``; the planets of the latter are in ``unmatched_truth`` and
    ``unmatched_guess`` too. ``terms`` has shape (4, n_true, n_submitted): the addends of each
    distance in the order of ``TERMS``.
    """

    pairs: list[tuple[int, int, float]]
    dropped: list[tuple[int, int, float]]
    unmatched_truth: list[int]
    unmatched_guess: list[int]
    score: float
    terms: NDArray[np.float64]


@compiled
def distance_terms(
    truth_curves: NDArray[np.float64],
    truth: NDArray[np.float64],
    truth_e: NDArray[np.float64],
    guess_curves: NDArray[np.float64],
    guess: NDArray[np.float64],
    guess_e: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The four addends of every distance, shape (4, n_true, n_submitted).

    ``*_curves`` have shape (n_planets, n_times) in m/s; ``truth`` and ``guess`` hold elements as
    in :mod:`ecliptic.rv.orbit`; ``*_e`` the eccentricities before they were clipped for the
    curves.
    """
    n_true, n_times = truth_curves.shape
    n_guess = guess_curves.shape[0]
    terms = np.empty((4, n_true, n_guess))
    for i in range(n_true):
        K_true = max(truth[i, 1], K_FLOOR_MS)
        for j in range(n_guess):
            mean = 0.0
            for k in range(n_times):
                mean += guess_curves[j, k] - truth_curves[i, k]
            mean /= n_times
            square = 0.0
            for k in range(n_times):
                rest = guess_curves[j, k] - truth_curves[i, k] - mean
                square += rest * rest
            terms[0, i, j] = CURVE_WEIGHT * math.sqrt(square / n_times) / K_true
            terms[1, i, j] = PERIOD_WEIGHT * abs(math.log(guess[j, 0] / truth[i, 0]))
            K_guess = max(guess[j, 1], K_FLOOR_MS)
            terms[2, i, j] = AMPLITUDE_WEIGHT * abs(math.log(K_guess / K_true))
            terms[3, i, j] = E_WEIGHT * abs(guess_e[j] - truth_e[i])
    return terms


@compiled
def distances(terms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of the addends, shape (n_true, n_submitted); finite in any case."""
    _, n_true, n_guess = terms.shape
    out = np.empty((n_true, n_guess))
    for i in range(n_true):
        for j in range(n_guess):
            total = terms[0, i, j] + terms[1, i, j] + terms[2, i, j] + terms[3, i, j]
            out[i, j] = total if total < _BEYOND else _BEYOND  # the latter for NaN too
    return out


def match(terms: NDArray[np.float64], distance: NDArray[np.float64]) -> Matching:
    """Assign planets one to one so that the sum of their distances is least."""
    n_true, n_guess = distance.shape
    penalty = COUNT_PENALTY * abs(n_true - n_guess)
    free_truth, free_guess = list(range(n_true)), list(range(n_guess))
    if not n_true or not n_guess:
        mean = 1.0 if n_true == n_guess else 0.0
        return Matching([], [], free_truth, free_guess, mean - penalty, terms)
    pairs, dropped, total = [], [], 0.0
    rows, columns = linear_sum_assignment(distance)
    table = distance.tolist()
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        d = table[i][j]
        if d <= MAX_DISTANCE:
            pairs.append((i, j, d))
            free_truth.remove(i)
            free_guess.remove(j)
            total += math.exp(-d)
        else:
            dropped.append((i, j, d))
    mean = total / len(pairs) if pairs else 0.0
    return Matching(pairs, dropped, free_truth, free_guess, mean - penalty, terms)
