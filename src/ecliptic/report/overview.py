"""The first page: the answer in words, then each board with its tables and charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from ecliptic.analysis.comparison import Comparison, p_text
from ecliptic.analysis.failures import FailureCode, Labelled
from ecliptic.analysis.leaderboards import Standing
from ecliptic.analysis.standing_tables import common_k
from ecliptic.report.attempt_page import Place
from ecliptic.report.board import Board, boards_of
from ecliptic.report.board_charts import (
    cost_chart,
    cost_table,
    fit_chart,
    kind_chart,
    share_text,
    sweep_chart,
)
from ecliptic.report.charts import Table
from ecliptic.report.criterion_meanings import meanings_of
from ecliptic.report.published import NOTE, arm_of, percent, question_table, star_table
from ecliptic.report.summary import answer

LEVELS = (0.0001, 0.15, 0.35)
"""Shares from which a cell of the failure map is set in a stronger colour."""


def overview(
    places: Sequence[Place],
    labelled: Sequence[Labelled],
    title: str,
    unread: Sequence[str],
) -> dict[str, Any]:
    """All that the template of the first page asks for."""
    from importlib.metadata import version

    from ecliptic.analysis.ceilings import read_bounds

    attempts = [place.attempt for place in places]
    boards = boards_of(attempts, labelled, read_bounds(attempts))
    return {
        "title": title or "Results",
        "boards": [_board(board) for board in boards],
        "published": _published(boards),
        "published_note": NOTE,
        "attempts": len(attempts),
        "logs": len({attempt.log for attempt in attempts}),
        "unread": list(unread),
        "version": version("ecliptic"),
        "root": "",
    }


def _board(board: Board) -> dict[str, Any]:
    many_criteria = len({name for own in board.by_criterion.values() for name in own}) > 1
    many_kinds = len({name for own in board.by_kind.values() for name in own}) > 1
    return {
        "key": board.key,
        "title": board.title,
        "world": board.world,
        "tasks": len({attempt.task for attempt in board.attempts}),
        "answer": answer(board),
        "has_partial": any(map(board.is_partial, board.standings)),
        "rows": [_row(row) for row in board.standings],
        "has_reach": any(row.reach for row in board.standings),
        "k": common_k(board.standings),
        "has_verified": any(row.verified is not None for row in board.standings),
        "kinds": kind_chart(board, _kind_title(board), board.by_kind) if many_kinds else None,
        "reach": _reach_table(board),
        "criteria": kind_chart(board, "share that meets each criterion", board.by_criterion)
        if many_criteria
        else None,
        "criterion_meanings": meanings_of(
            dict.fromkeys(name for own in board.by_criterion.values() for name in own)
        ),
        "fits": fit_chart(board) if board.fits else None,
        "sweep": sweep_chart(board),
        "cost": cost_chart(board),
        "cost_table": cost_table(board),
        "skills": _comparisons([each for each, _, _ in board.skills]),
        "failures": _failure_map(board),
        "failures_by_kind": _failure_table(board),
        "matrix": _matrix(board),
        "comparisons": _comparisons(board.comparisons),
        "comparison_note": board.comparison_note,
        "several_counts": len({len(each.pairing.tasks) for each in board.comparisons}) > 1,
    }


def _kind_title(board: Board) -> str:
    return "pass rate by tier" if board.world == "stargazer" else "pass rate by type"


def _row(row: Standing) -> dict[str, Any]:
    """A line of the leaderboard, with the figures of its drawn interval (0 to 100)."""
    low, high = row.interval or (0.0, 1.0)
    return {
        "arm": arm_of(row),
        "standing": row,
        "rate": percent(row.rate),
        "low": f"{100 * low:.0f}",
        "high": f"{100 * high:.0f}",
        "bar": None
        if row.rate is None
        else {
            "x": round(100 * row.rate, 2),
            "low": round(100 * low, 2),
            "high": round(100 * high, 2),
            "ceiling": None if row.reach is None else round(100 * row.reach.ceiling, 2),
            "floor": None if row.reach is None else round(100 * row.reach.floor, 2),
        },
    }


def _reach_table(board: Board) -> Table | None:
    """By tier: passes, ceiling, floor, share of what can be reached."""
    rows: list[tuple[Any, ...]] = []
    for arm, own in board.by_kind.items():
        for kind, row in own.items():
            if row.reach is not None:
                rows.append(
                    (arm, kind, share_text(row.rate, row.interval), percent(row.reach.ceiling),
                     percent(row.reach.floor), percent(row.reach.reached))
                )  # fmt: skip
    if not rows:
        return None
    columns = ("Agent", "Tier", "Passes", "Ceiling", "Floor", "Of the reachable")
    return Table(columns, rows, "Ceilings and floors by tier", frozenset(range(2, 6)))


def _failure_map(board: Board) -> dict[str, Any] | None:
    """Agents against labels: how many failures have each as the main one, and its level."""
    cells = {arm: {r.code: r for r in board.failures_of(arm)} for arm in board.arms}
    totals: dict[FailureCode, int] = {}
    for own in cells.values():
        for code, row in own.items():
            totals[code] = totals.get(code, 0) + row.primary
    codes = sorted((c for c in totals if totals[c]), key=lambda code: (-totals[code], str(code)))
    if not codes:
        return None
    rows = []
    for arm, own in cells.items():
        failed = next((row.failed for row in own.values()), 0)
        line = []
        for code in codes:
            found = own.get(code)
            count, share = (0, 0.0) if found is None else (found.primary, found.share)
            level = sum(share >= each for each in LEVELS)
            wanted = {"suite": board.suite, "agent": arm, "reason": str(code)}
            line.append(
                {"count": count, "level": level, "query": urlencode(wanted, errors="replace")}
            )
        rows.append({"arm": arm, "failed": failed, "cells": line})
    meanings = [(str(code).replace("_", " "), code.meaning) for code in codes]
    return {"codes": meanings, "rows": rows}


def _failure_table(board: Board) -> Table | None:
    rows = [
        (row.agent, row.kind, f"{row.failed} of {row.attempts}", str(row.code).replace("_", " "),
         str(row.primary), percent(row.share), str(row.any))
        for row in board.confusion
        if row.kind != "all"
    ]  # fmt: skip
    if not rows:
        return None
    columns = ("Agent", "Kind", "Failed", "Label", "Main reason", "Share", "Has it at all")
    return Table(columns, rows, "Labels by agent and kind", frozenset({4, 5, 6}))


def _points(value: float) -> str:
    text = f"{100 * value:+.1f}"
    return "0.0" if text in {"+0.0", "-0.0"} else text.replace("-", "−")


def _matrix(board: Board) -> Table | None:
    """Row less column in points; settled differences are marked.

    Where not all pairs have the same number of tasks, a cell tells its own in brackets.
    """
    arms = list(board.arms)
    if len(board.comparisons) < 2:
        return None
    several = len({len(each.pairing.tasks) for each in board.comparisons}) > 1
    rows: list[tuple[Any, ...]] = []
    for number, arm in enumerate(arms, start=1):
        cells: list[Any] = []
        for other in arms:
            found = None if other == arm else board.between(arm, other)
            if found is None:
                cells.append(("·" if other == arm else "–", ""))
                continue
            sign = 1.0 if found.pairing.first == arm else -1.0
            value = sign * found.difference
            mark = ("▲ " if value > 0 else "▼ ") if found.settled else ""
            tasks = f" ({len(found.pairing.tasks)})" if several else ""
            cells.append((f"{mark}{_points(value)}{tasks}", f"{value:.6f}"))
        rows.append((f"{number}  {arm}", *cells))
    what = "Row less column, in points" + (" (tasks)" if several else "")
    columns = (what, *map(str, range(1, len(arms) + 1)))
    return Table(columns, rows, "", frozenset(range(1, len(arms) + 1)))


def _comparisons(comparisons: Sequence[Comparison]) -> Table | None:
    if not comparisons:
        return None
    rows = []
    for each in comparisons:
        low, high = each.interval
        rows.append(
            (each.pairing.first, each.pairing.second, str(len(each.pairing.tasks)),
             (_points(each.difference), f"{each.difference:.6f}"),
             f"{_points(low)} to {_points(high)}",
             (p_text(each.p_adjusted), f"{each.p_adjusted:.8f}"),
             each.test.replace("_", " "),
             "settled" if each.settled else _needed(each))
        )  # fmt: skip
    columns = ("First", "Second", "Tasks", "Difference (points)", "95 % interval", "p (Holm)",
               "Test", "Outcome")  # fmt: skip
    return Table(columns, rows, "", frozenset({2, 3, 4, 5}))


def _needed(each: Comparison) -> str:
    if each.needed is None:
        return "open"
    what = "it" if each.supposed is None else f"one of {100 * each.supposed:.0f} points"
    return f"open; {each.needed_words()} tasks would settle {what}"


def _published(boards: Sequence[Board]) -> list[tuple[str, Table]]:
    stars = [
        (f"{arm}, {board.title}", own)
        for board in boards
        if board.world == "stargazer"
        for arm, own in board.by_kind.items()
    ]
    questions = [row for board in boards if board.world == "helio" for row in board.standings]
    found = []
    if stars:
        found.append(("Stars (Stargazer): pass rate by tier", star_table(stars)))
    if questions:
        found.append(("Questions (Reasoning With a Star): accuracy", question_table(questions)))
    return found
