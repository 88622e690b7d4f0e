"""Charts of a board: by kind, two ways to succeed, moved bars, what success costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ecliptic.analysis.leaderboards import Standing
from ecliptic.report.board import Board
from ecliptic.report.chart_findings import below_line, cheapest_pass, hardest_part, leader_over_bars
from ecliptic.report.charts import COLOURS, FAINT, SYMBOLS, Chart, Table
from ecliptic.report.inert_text import chart_label
from ecliptic.report.published import arm_of, percent

_SHARE = {"range": [-0.03, 1.03], "tickformat": ".0%", "tickvals": [0, 0.25, 0.5, 0.75, 1]}


def share_text(rate: float | None, interval: tuple[float, float] | None) -> tuple[str, str]:
    """``45 % (27–65)`` and what to sort it by."""
    if rate is None or interval is None:
        return percent(rate)
    low, high = (f"{100 * each:.0f}" for each in interval)
    return f"{100 * rate:.0f} % ({low}–{high})", f"{rate:.6f}"


def style_of(at: int) -> dict[str, Any]:
    """Colour and symbol of an arm, so that neither has to be told apart alone."""
    return {"color": COLOURS[at % len(COLOURS)], "symbol": SYMBOLS[at % len(SYMBOLS)], "size": 9}


def _sizes(points: Sequence[tuple[float, float]]) -> list[int]:
    """Of markers: larger the more later ones lie on the same place, so that none is hidden."""
    return [11 + 7 * points[at + 1 :].count(point) for at, point in enumerate(points)]


def kind_chart(board: Board, what: str, groups: Mapping[str, Mapping[str, Standing]]) -> Chart:
    """Rates with intervals, a group of dots a kind (or criterion)."""
    names = list(dict.fromkeys(name for own in groups.values() for name in own))
    traces = []
    arms = list(board.arms)
    for arm, own in groups.items():
        at = arms.index(arm)
        rows = [own[name] for name in names if name in own and own[name].rate is not None]
        traces.append(_dots(arm, at, [chart_label(_shown(row.group)) for row in rows], rows))
    table_rows = [
        (arm, *(share_text(own[n].rate, own[n].interval) if n in own else "–" for n in names))
        for arm, own in groups.items()
    ]
    key = "criterion" if "criterion" in what else "kind"
    found = hardest_part(groups, "meet" if key == "criterion" else "pass")
    return Chart(
        key=f"{board.key}-{key}",
        title=f"{what[0].upper()}{what[1:]} of {len(groups)} agents",
        summary=f"{what[0].upper()}{what[1:]}, with 95 % intervals of each agent by itself.{found}",
        traces=traces,
        layout={
            "xaxis": {"type": "category", "categoryarray": [chart_label(_shown(n)) for n in names],
                      "categoryorder": "array", "showgrid": False},
            "yaxis": _SHARE,
            "scattermode": "group",
            "scattergap": 0.5,
            "showlegend": True,
        },
        table=Table(("Agent", *map(_shown, names)), table_rows, "", frozenset(range(1, 40))),
        height=320,
    )  # fmt: skip


def _dots(arm: str, at: int, x: list[str], rows: Sequence[Standing]) -> dict[str, Any]:
    rates = [row.rate or 0.0 for row in rows]
    intervals = [row.interval or (0.0, 1.0) for row in rows]
    return {
        "type": "scatter", "mode": "markers", "name": chart_label(arm, 48), "x": x,
        "y": [round(rate, 5) for rate in rates], "marker": style_of(at), "offsetgroup": f"a{at}",
        "error_y": _errors(rates, intervals),
        "text": [f"{row.passed} of {row.graded}" for row in rows],
        "hovertemplate": "%{x}: %{y:.0%} (%{text})",
    }  # fmt: skip


def _errors(rates: Sequence[float], intervals: Sequence[tuple[float, float]]) -> dict[str, Any]:
    pairs = list(zip(rates, intervals, strict=True))
    return {
        "type": "data", "symmetric": False, "thickness": 1.3, "width": 0,
        "array": [round(high - rate, 5) for rate, (_, high) in pairs],
        "arrayminus": [round(rate - low, 5) for rate, (low, _) in pairs],
    }  # fmt: skip


def fit_chart(board: Board) -> Chart:
    """Statistical against physical pass rate, an agent a point; on the line both are equal."""
    traces: list[Mapping[str, Any]] = [
        {"type": "scatter", "mode": "lines", "x": [0, 1], "y": [0, 1], "showlegend": False,
         "line": {"color": FAINT, "width": 1, "dash": "dot"}, "hoverinfo": "skip"}
    ]  # fmt: skip
    rows = []
    arms = list(board.arms)
    points = [(fit.statistical_rate, fit.physical_rate) for fit in board.fits.values()]
    sizes = _sizes(points)
    for size, (arm, fit) in zip(sizes, board.fits.items(), strict=True):
        at = arms.index(arm)
        x, y = fit.statistical_rate, fit.physical_rate
        traces.append(
            {"type": "scatter", "mode": "markers", "name": chart_label(arm, 48), "x": [round(x, 5)],
             "y": [round(y, 5)], "marker": style_of(at) | {"size": size},
             "error_x": _errors([x], [fit.statistical_interval]),
             "error_y": _errors([y], [fit.physical_interval]),
             "hovertemplate": "statistical %{x:.0%}, physical %{y:.0%}"}
        )  # fmt: skip
        rows.append(
            (arm, str(fit.graded), share_text(x, fit.statistical_interval),
             share_text(y, fit.physical_interval), str(fit.both), str(fit.only_statistical),
             str(fit.only_physical), str(fit.neither))
        )  # fmt: skip
    columns = ("Agent", "Graded", "Statistical", "Physical", "Both", "Only statistical",
               "Only physical", "Neither")  # fmt: skip
    return Chart(
        key=f"{board.key}-fits",
        title="Statistical against physical success",
        summary="Share of attempts that meet all statistical and all physical criteria. Below the "
        "dotted line agents fit the data more often than they find the planets"
        f"{below_line(points)}.",
        traces=traces,
        layout={
            "xaxis": {**_SHARE, "title": {"text": "Fits the data"}},
            "yaxis": {**_SHARE, "title": {"text": "Right planets"}},
            "showlegend": True,
        },
        table=Table(columns, rows, "", frozenset(range(1, 8))),
        height=420,
    )


def sweep_chart(board: Board) -> Chart | None:
    """Pass rate against where the bar is."""
    found = board.sweep
    if found is None:
        return None
    arms = list(board.arms)
    leading = {arm_of(row) for row in board.leading}
    compared = {arm: each for arm, each in found.points.items() if arm in leading}
    bars = [point.threshold for point in next(iter(found.points.values()))]
    traces: list[Mapping[str, Any]] = [
        {"type": "scatter", "mode": "lines+markers", "name": chart_label(arm, 48), "x": bars,
         "y": [round(point.rate, 5) for point in points],
         "line": {"color": COLOURS[at % len(COLOURS)], "width": 1.5},
         "marker": style_of(at) | {"size": 7}, "hovertemplate": "bar %{x}: %{y:.0%}"}
        for arm, points in found.points.items()
        for at in (arms.index(arm),)
    ]  # fmt: skip
    if found.criterion == "match":
        name, told = "Bar of the match score", "further right is stricter"
    else:
        name, told = "Allowed deviation, in units of the tolerance", "further left is stricter"
    rows = [
        (arm, *(share_text(point.rate, point.interval) for point in points))
        for arm, points in found.points.items()
    ]
    return Chart(
        key=f"{board.key}-sweep",
        title=f"Pass rate with the bar of ‘{found.criterion}’ moved",
        summary=f"Pass rate with the bar of ‘{found.criterion}’ moved and all else as it was; "
        f"{told}, and the run’s own bar is {found.bar:g}. Agents stopped where they passed at that "
        "bar, so stricter ones show what these submissions reach, not what agents would have."
        f"{leader_over_bars(compared)}",
        traces=traces,
        layout={
            "xaxis": {"title": {"text": name}},
            "yaxis": _SHARE,
            "showlegend": True,
            "shapes": [{"type": "line", "x0": found.bar, "x1": found.bar, "yref": "paper", "y0": 0,
                        "y1": 1, "line": {"color": FAINT, "width": 1, "dash": "dot"}}],
        },
        table=Table(("Agent", *(f"{bar:g}" for bar in bars)), rows, "", frozenset(range(1, 40))),
    )  # fmt: skip


def cost_chart(board: Board) -> Chart | None:
    """Pass rate against tokens an attempt, for agents that use any."""
    chosen = [(at, row) for at, row in enumerate(board.standings) if row.tokens and row.graded]
    if not chosen:
        return None
    sizes = _sizes([(row.tokens / row.attempts, row.rate or 0.0) for _, row in chosen])
    traces = [
        {"type": "scatter", "mode": "markers", "name": chart_label(arm_of(row), 48),
         "x": [round(row.tokens / row.attempts)], "y": [round(row.rate or 0.0, 5)],
         "marker": style_of(at) | {"size": size},
         "error_y": _errors([row.rate or 0.0], [row.interval or (0.0, 1.0)]),
         "hovertemplate": "%{x:,} tokens an attempt: %{y:.0%}"}
        for size, (at, row) in zip(sizes, chosen, strict=True)
    ]  # fmt: skip
    return Chart(
        key=f"{board.key}-cost",
        title="Tokens against success",
        summary="Pass rate against the tokens of an attempt, prompts included. Up and to the left "
        f"is better.{cheapest_pass([row for _, row in chosen])}",
        traces=traces,
        layout={
            "xaxis": {"title": {"text": "Tokens an attempt"}, **_token_axis(chosen)},
            "yaxis": _SHARE,
            "showlegend": True,
        },
        table=cost_table(board),
    )


def _token_axis(chosen: Sequence[tuple[int, Standing]]) -> dict[str, Any]:
    """Logarithmic where agents differ by more than a factor of ten."""
    means = [row.tokens / row.attempts for _, row in chosen]
    if max(means) > 10.0 * min(means):
        return {"type": "log"}
    return {"rangemode": "tozero", "tickformat": "~s"}


def cost_table(board: Board) -> Table:
    """Tokens, cost and time by arm."""
    rows = [
        (arm_of(row), share_text(row.rate, row.interval), _whole(row.tokens / row.attempts),
         _whole(row.tokens_per_pass), _money(row.cost), _money(row.cost_per_pass),
         "–" if row.seconds is None else f"{row.seconds:.1f}")
        for row in board.standings
    ]  # fmt: skip
    columns = ("Agent", "Passes", "Tokens an attempt", "Tokens a pass", "Cost", "Cost a pass",
               "Seconds (median)")  # fmt: skip
    return Table(columns, rows, "", frozenset(range(1, 7)))


def _whole(value: float | None) -> str:
    return "–" if not value else f"{value:,.0f}"


def _money(value: float | None) -> str:
    return "–" if not value else f"{value:,.4f}" if value < 1 else f"{value:,.2f}"


def _shown(name: str) -> str:
    return name.replace("_", " ")
