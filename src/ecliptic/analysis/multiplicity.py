"""Several comparisons at once."""

from __future__ import annotations

from collections.abc import Sequence

from ecliptic.errors import UsageError


def holm(p_values: Sequence[float]) -> list[float]:
    r"""Adjusted p-values that hold the chance of any false finding, in the given order.

    With :math:`p_{(1)} \le \dots \le p_{(m)}` the j-th is
    :math:`\max_{i \le j} \min(1, (m - i + 1)\, p_{(i)})` (Holm 1979, Scand. J. Stat. 6, 65). It
    asks nothing of how the comparisons depend on one another, and is never weaker than
    Bonferroni's.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    if not all(0.0 <= p <= 1.0 for p in p_values):
        raise UsageError("p-values must be from 0 to 1")
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted
