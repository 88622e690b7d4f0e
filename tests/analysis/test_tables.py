from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from ecliptic.analysis import pass_table


def record(tier: str | None, passes: str | None, cpu_s: float | None = 1.0) -> dict[str, Any]:
    """``passes`` holds + or - for each of the four criteria; None means that the run failed."""
    if passes is None:
        return {"tier": tier, "status": "failed", "verdict": None, "cpu_s": cpu_s}
    names = ("delta_bic", "rms", "match", "count")
    criteria = {name: {"passed": sign == "+"} for name, sign in zip(names, passes, strict=True)}
    verdict = {"passed": passes == "++++", "criteria": criteria}
    return {"tier": tier, "status": "done", "verdict": verdict, "cpu_s": cpu_s}


RECORDS = [
    record("real", "+---", 9.0),
    record("hard", None, None),
    record("easy", "++++", 1.0),
    record("easy", "+++-", 3.0),
    record(None, None, None),
    record("easy", "++++", 8.0),
    record("medium", "----", None),
]


def test_rows_are_in_order_and_count_failures_apart() -> None:
    rows = pass_table(RECORDS).rows
    counts = [(row.tier, row.graded, row.failed, row.passed) for row in rows]
    assert counts == [
        ("easy", 3, 0, 2),
        ("medium", 1, 0, 0),
        ("hard", 0, 1, 0),
        ("real", 1, 0, 0),
        ("unread", 0, 1, 0),
        ("all", 5, 2, 2),
    ]


def test_rates_leave_failures_out() -> None:
    table = pass_table(RECORDS)
    easy, _, hard, *_, everything = table.rows
    assert easy.rate == pytest.approx(2 / 3)
    assert everything.rate == pytest.approx(2 / 5)
    assert hard.rate is None
    assert hard.interval == (0.0, 1.0)
    assert dict(everything.criteria) == {"delta_bic": 4, "rms": 3, "match": 3, "count": 2}


def test_median_cpu() -> None:
    rows = {row.tier: row for row in pass_table(RECORDS).rows}
    assert rows["easy"].median_cpu_s == 3.0
    assert rows["medium"].median_cpu_s is None
    assert rows["all"].median_cpu_s == 5.5


def test_plain_text() -> None:
    assert pass_table(RECORDS[2:4] + RECORDS[1:2]).to_text().splitlines() == [
        "tier  tasks  failed    passed  95 % CI  delta_bic  rms  match  count  CPU s",
        "----  -----  ------  --------  -------  ---------  ---  -----  -----  -----",
        "easy      2       0  1 (50 %)   9–91 %          2    2      2      1   2.00",
        "hard      1       1         -        -          -    -      -      -      -",
        "all       3       1  1 (50 %)   9–91 %          2    2      2      1   2.00",
    ]


def test_both_forms_fit_100_columns_and_say_the_same() -> None:
    many = [record(tier, "++++", 1234.5) for tier in ("easy", "medium", "hard", "real")] * 2500
    table = pass_table([*many, *[record(None, None)] * 10_000])
    text = table.to_text()
    assert max(map(len, text.splitlines())) <= 100
    stream = io.StringIO()
    Console(file=stream, width=100).print(table.to_rich())
    drawn = stream.getvalue()
    assert max(map(len, drawn.splitlines())) <= 100
    for row in table.rows:
        for cell in table.cells(row):
            assert cell in drawn


def test_nothing_run() -> None:
    assert [row.tier for row in pass_table([]).rows] == ["all"]
    assert "all" in pass_table([]).to_text()
