"""Who is better, by how much, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.clusters import rate_interval
from ecliptic.analysis.multiplicity import holm
from ecliptic.analysis.paired_tests import bootstrap_interval, mcnemar, sign_flip
from ecliptic.analysis.pairing import Pairing, pair
from ecliptic.analysis.power import LEVEL, clusters_needed, tasks_needed
from ecliptic.errors import UsageError

SUPPOSED = 0.1
"""The difference that is asked for where none was seen."""
_MANY = 100_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two agents on the same tasks of one suite; rates are means over tasks.

    Attributes
    ----------
    both, only_first, only_second, neither
        Tasks by who passes them, where each was tried once; else ``None``.
    difference, interval
        First minus second, with the 95 % interval of the clustered bootstrap.
    test, p_value
        ``mcnemar`` where tasks are independent and were tried once, ``sign_flip`` of whole
        problems where not.
    p_adjusted
        By Holm's method, over all comparisons made together (``comparisons``).
    needed
        Tasks that would settle a difference as large as that seen, or of ``supposed`` where none
        was; ``None`` where it is settled.
    pairing
        What was compared.
    """

    pairing: Pairing
    first_rate: float
    first_interval: tuple[float, float]
    second_rate: float
    second_interval: tuple[float, float]
    difference: float
    interval: tuple[float, float]
    test: Literal["mcnemar", "sign_flip"]
    p_value: float
    p_adjusted: float
    comparisons: int = 1
    both: int | None = None
    only_first: int | None = None
    only_second: int | None = None
    neither: int | None = None
    needed: int | None = None
    supposed: float | None = None

    @property
    def settled(self) -> bool:
        """Whether the difference is one, at 5 % over all comparisons."""
        return self.p_adjusted < LEVEL

    def words(self) -> str:
        """One sentence that claims no more than is known."""
        first, second = self.pairing.first, self.pairing.second
        low, high = (100 * bound for bound in self.interval)
        shown = f"95 % CI {_signed(low)} to {_signed(high)}, p {p_words(self.p_adjusted)}"
        if self.settled:
            better, worse = (first, second) if self.difference > 0 else (second, first)
            points = abs(100 * self.difference)
            return f"{better} is better than {worse}, by {points:.1f} points ({shown})"
        pair = f"{first} and {second}"
        seen = f"seen {_signed(100 * self.difference)} points, {shown}"
        if self.needed is None:
            return f"{pair}: no difference settled ({seen})"
        about = f"{self.needed_words()} tasks would settle"
        if self.supposed is not None:
            return (
                f"{pair}: no difference settled ({seen}); {about} one of "
                f"{100 * self.supposed:.0f} points"
            )
        return f"{pair}: no difference settled ({seen}); {about} one as large as that seen"

    def needed_words(self) -> str:
        """``about 250``, rounded as no more is known; empty where none are needed."""
        if self.needed is None:
            return ""
        return f"over {_MANY:,}" if self.needed > _MANY else f"about {_rounded(self.needed):,}"


def compare(
    first: Sequence[Attempt],
    second: Sequence[Attempt],
    *,
    names: tuple[str, str] | None = None,
    common: bool = False,
) -> list[Comparison]:
    """Compare two agents, one comparison a suite, Holm-adjusted over these.

    Raises
    ------
    UsageError
        They do not compare (see :func:`ecliptic.analysis.pair`), or no task was graded for both.
    """
    return _judged(pair(first, second, names=names, common=common))


def compare_all(arms: Mapping[str, Sequence[Attempt]], *, common: bool = False) -> list[Comparison]:
    """Every two of several agents, Holm-adjusted over all of them."""
    pairings = [
        pairing
        for one, other in combinations(arms, 2)
        for pairing in pair(arms[one], arms[other], names=(one, other), common=common)
    ]
    return _judged(pairings)


def _judged(pairings: Sequence[Pairing]) -> list[Comparison]:
    level = LEVEL / max(1, len(pairings))
    raw = [_compared(pairing, level) for pairing in pairings]
    adjusted = holm([each.p_value for each in raw])
    done = [
        replace(each, p_adjusted=p, comparisons=len(raw))
        for each, p in zip(raw, adjusted, strict=True)
    ]
    return [replace(each, needed=None, supposed=None) if each.settled else each for each in done]


def _compared(pairing: Pairing, level: float) -> Comparison:
    if not pairing.tasks:
        raise UsageError(
            f"{pairing.suite}: no task was graded for both {pairing.first} and {pairing.second}; "
            f"{len(pairing.left_out)} ended in an error: run those again"
        )
    differences, clusters = pairing.differences, pairing.clusters
    difference = math.fsum(differences) / len(differences)
    base = Comparison(
        pairing=pairing,
        first_rate=_mean(pairing.first_rates),
        first_interval=rate_interval(pairing.first_rates, clusters),
        second_rate=_mean(pairing.second_rates),
        second_interval=rate_interval(pairing.second_rates, clusters),
        difference=difference,
        interval=bootstrap_interval(differences, clusters),
        test="mcnemar" if pairing.independent else "sign_flip",
        p_value=1.0,
        p_adjusted=1.0,
        supposed=SUPPOSED if abs(difference) < 1e-12 else None,
    )
    if pairing.epochs == 1:
        base = _counted(base)
    if not pairing.independent:
        return replace(
            base, p_value=sign_flip(differences, clusters), needed=_needed(pairing, base, level)
        )
    assert base.only_first is not None
    assert base.only_second is not None
    one, other = base.only_first / len(differences), base.only_second / len(differences)
    if base.supposed is not None:
        discordant = max(base.supposed, one + other)
        one, other = (discordant + base.supposed) / 2, (discordant - base.supposed) / 2
    p_value = mcnemar(base.only_first, base.only_second)
    return replace(base, p_value=p_value, needed=tasks_needed(one, other, level=level))


def _counted(base: Comparison) -> Comparison:
    found = list(zip(base.pairing.first_rates, base.pairing.second_rates, strict=True))
    return replace(
        base,
        both=found.count((1.0, 1.0)),
        only_first=found.count((1.0, 0.0)),
        only_second=found.count((0.0, 1.0)),
        neither=found.count((0.0, 0.0)),
    )


def _needed(pairing: Pairing, base: Comparison, level: float) -> int | None:
    """Tasks, as many of them a problem as here."""
    numbers: dict[str, int] = {}
    index = [numbers.setdefault(cluster, len(numbers)) for cluster in pairing.clusters]
    if len(numbers) < 2:
        return None
    # Of the ratio of a cluster's sum to the mean size of clusters, as the mean over tasks is one.
    deviations = np.asarray(pairing.differences) - base.difference
    size = len(index) / len(numbers)
    spread = float(np.std(np.bincount(index, deviations) / size, ddof=1))
    wanted = base.difference if base.supposed is None else base.supposed
    clusters = clusters_needed(wanted, spread, level=level)
    if clusters is None:
        return None
    tasks = math.ceil(clusters * size)
    # For a mean that is not quite normal it may be as few as did not settle it.
    return tasks if base.supposed is not None else max(tasks, len(index) + 1)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _signed(points: float) -> str:
    return f"{points:+.1f}".replace("+0.0", "0.0").replace("-0.0", "0.0")


def p_text(value: float) -> str:
    """A p-value with so many digits that 5 % can be told from a little more."""
    if value < 0.0001:
        return "< 0.0001"
    return f"{value:.4f}" if value < 0.01 else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def p_words(value: float) -> str:
    """With its sign: ``= 0.03`` or ``< 0.0001``."""
    text = p_text(value)
    return text if text.startswith("<") else f"= {text}"


def _rounded(number: int) -> int:
    """To two digits, upwards: no more is known."""
    unit: int = 10 ** max(0, len(str(number)) - 2)
    return -(-number // unit) * unit
