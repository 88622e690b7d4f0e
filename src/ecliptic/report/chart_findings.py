"""What to see in a chart of the first page, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ecliptic.analysis.leaderboards import Standing
from ecliptic.analysis.thresholds import SweepPoint
from ecliptic.report.published import arm_of


def hardest_part(groups: Mapping[str, Mapping[str, Standing]], verb: str) -> str:
    """Which column is the lowest, over all agents together.

    >>> hardest_part({}, "passes")
    ''
    """
    counts: dict[str, tuple[int, int]] = {}
    for own in groups.values():
        for name, row in own.items():
            passed, graded = counts.get(name, (0, 0))
            counts[name] = (passed + row.passed, graded + row.graded)
    known = {name: (p, n) for name, (p, n) in counts.items() if n}
    if len(known) < 2:
        return ""
    rates = {name: passed / n for name, (passed, n) in known.items()}
    lowest = min(rates.values())
    if lowest == max(rates.values()):
        return " Over all agents together all are alike."
    told = [
        f"{name.replace('_', ' ')} ({known[name][0]} of {known[name][1]})"
        for name, rate in rates.items()
        if rate == lowest
    ]
    return f" Over all agents together the fewest {verb} {' and '.join(told)}."


def leader_over_bars(points: Mapping[str, Sequence[SweepPoint]]) -> str:
    """Whether who is ahead depends on where the bar is."""
    if len(points) < 2:
        return ""
    leaders: list[set[str]] = []
    for column in zip(*points.values(), strict=True):
        best = max(point.rate for point in column)
        leaders.append(
            {arm for arm, point in zip(points, column, strict=True) if point.rate == best}
        )
    always = set.intersection(*leaders)
    if always == set(points):
        return " All agents are alike wherever the bar is."
    if always:
        verb = "is" if len(always) == 1 else "are"
        names = " and ".join(arm for arm in points if arm in always)
        return f" {names} {verb} ahead, or among those ahead, wherever the bar is."
    return " Who is ahead depends on where the bar is."


def below_line(points: Sequence[tuple[float, float]]) -> str:
    """How many agents have a higher first figure than second, as an end to a sentence.

    >>> below_line([(0.5, 0.2), (0.1, 0.4)])
    ', as 1 of 2 does here'
    """
    below = sum(x > y for x, y in points)
    if below == 0:
        return "; here none does" if len(points) > 1 else ""
    return f", as {below} of {len(points)} {'do' if below > 1 else 'does'} here"


def cheapest_pass(rows: Sequence[Standing]) -> str:
    """Who takes the fewest tokens for a pass."""
    known = [(row.tokens_per_pass, row) for row in rows if row.tokens_per_pass]
    if len(known) < 2:
        return ""
    tokens, row = min(known, key=lambda each: each[0])
    return f" The fewest tokens a pass: {arm_of(row)}, {tokens:,.0f}."
