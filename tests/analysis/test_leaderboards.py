from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from attempt_rows import attempt, attempts

from ecliptic.analysis import (
    Bounds,
    find_arm,
    leaderboard,
    leaderboard_tables,
    read_bounds,
    render,
    statistical_physical,
    suite_bounds,
    sweep,
    wilson_interval,
)
from ecliptic.analysis.arms import by_arm, split_names
from ecliptic.analysis.formats import Table
from ecliptic.errors import UsageError


def paper(match: float | None, **met: bool) -> Any:
    criteria = {"delta_bic": True, "rms": True, "match": (match or 0) >= 0.8, "count": True, **met}
    return attempt(
        task=f"t{match}{met}",
        passed=all(criteria.values()),
        protocol="paper",
        criteria={} if match is None else criteria,
        values={} if match is None else {"match": match},
    )


def test_errors_are_in_no_rate_and_the_best_stands_first() -> None:
    rows = leaderboard([*attempts("a", "10x0"), *attempts("b", "1110")])
    assert [row.agent for row in rows] == ["b", "a"]
    assert (rows[1].attempts, rows[1].errors, rows[1].graded, rows[1].passed) == (4, 1, 3, 1)
    assert rows[1].rate == pytest.approx(1 / 3)
    assert rows[1].interval == wilson_interval(1, 3)


def test_suites_and_protocols_are_never_mixed() -> None:
    rows = leaderboard([attempt(), attempt(suite="t"), attempt(protocol="paper")])
    assert len(rows) == 3
    old, new, silent = (attempt(suite_checksum=each * 64) for each in ("c", "d", ""))
    assert [row.version[:1] for row in leaderboard([old, new])] == ["c", "d"]
    assert "checksum cccccccccccc" in render(leaderboard_tables(leaderboard([old, new])))
    assert len(leaderboard([old, silent])) == 1


def test_parts_of_one_problem_widen_the_interval() -> None:
    alone = attempts("a", "1100" * 6)
    parts = [replace(each, cluster=f"q{i // 2}") for i, each in enumerate(alone)]
    (wide,), (narrow,) = leaderboard(parts), leaderboard(alone)
    assert wide.interval is not None
    assert narrow.interval is not None
    assert wide.interval[1] - wide.interval[0] > narrow.interval[1] - narrow.interval[0]


def test_division_by_kind_criterion_and_reason() -> None:
    rows = [
        attempt(task="1", kind="hard", passed=False, criteria={"count": False}, diagnosis="alias"),
        attempt(task="2", kind="easy", criteria={"count": True}, stop="solved"),
        attempt(task="3", kind="easy", passed=None, stop="provider_error"),
    ]
    assert [(r.group, r.passed, r.graded) for r in leaderboard(rows, "kind")] == [
        ("easy", 1, 1),
        ("hard", 0, 1),
    ]
    assert [(r.group, r.passed, r.graded) for r in leaderboard(rows, "criterion")] == [
        ("count", 1, 2)
    ]
    # A question that asks for no form is none that misses it; one without any answer is.
    questions = [
        attempt(task="1", criteria={"answer": True, "format": True}),
        attempt(task="2", criteria={"answer": True}),
        attempt(task="3", passed=False, criteria={}),
    ]
    assert [(r.group, r.passed, r.graded) for r in leaderboard(questions, "criterion")] == [
        ("answer", 2, 3),
        ("format", 1, 2),
    ]
    assert [(r.group, r.passed) for r in leaderboard(rows, "diagnosis")] == [("alias", 1)]
    assert [(r.group, r.passed) for r in leaderboard(rows, "stop")] == [("solved", 1)]
    with pytest.raises(UsageError, match="by: 'colour' is none of kind"):
        leaderboard(rows, "colour")  # type: ignore[arg-type]


def test_ceiling_floor_and_share_of_the_reachable() -> None:
    rows = attempts("a", "10x")
    own = {"t0": Bounds(0.9, False, "strict"), "t1": Bounds(0.7, True, "strict")}
    rows = [replace(row, suite_source="S") for row in rows]
    (found,) = leaderboard(rows, bounds={"S": own})
    assert found.reach is not None
    assert found.reach.ceiling == pytest.approx(0.8)
    assert found.reach.floor == 0.5
    assert found.reach.reached == pytest.approx(1 / 1.6)
    for lacking in ({"t0": own["t0"]}, own | {"t1": replace(own["t1"], protocol="paper")}):
        (found,) = leaderboard(rows, bounds={"S": lacking})
        assert found.reach is None


def test_bounds_of_a_shipped_suite_come_from_its_audit() -> None:
    found = suite_bounds("quick")
    assert len(found) == 12
    assert all(0.8 < each.ceiling <= 1 and not each.floor for each in found.values())
    assert {each.protocol for each in found.values()} == {"strict"}
    assert suite_bounds("/no/such/suite") == {}
    assert read_bounds([attempt(world="helio", suite_source="quick")]) == {}


def test_a_sweep_moves_one_bar_alone() -> None:
    rows = [paper(0.75), paper(0.81), paper(0.9, count=False), paper(None)]
    found = {point.threshold: point for point in sweep([*rows, attempt(passed=None)])}
    assert [found[at].passed for at in (0.72, 0.76, 0.8, 0.82, 0.88)] == [2, 1, 1, 0, 0]
    assert found[0.8].graded == 4
    assert found[0.8].passed == sum(bool(row.passed) for row in rows)
    assert sweep([attempt()]) == []
    assert [row.group for row in leaderboard(rows, "threshold")][::8] == ["0.72", "0.88"]


def test_a_good_fit_is_told_from_the_right_planets() -> None:
    rows = [paper(0.9), paper(0.1), paper(0.9, rms=False), paper(None), attempt(world="helio")]
    found = statistical_physical(rows)
    assert found is not None
    assert found.graded == 4
    assert (found.both, found.neither) == (1, 1)
    assert (found.only_statistical, found.only_physical) == (1, 1)
    assert found.statistical_rate == found.physical_rate == 0.5
    assert statistical_physical([attempt(world="other")]) is None


def test_formats_say_the_same() -> None:
    rows = leaderboard([*attempts("a_1", "10x0", model="m"), *attempts("b", "1110", model="m")])
    tables = leaderboard_tables(rows)
    records = json.loads(render(tables, "json"))
    lines = list(csv.DictReader(io.StringIO(render(tables, "csv"))))
    assert (
        [line["agent"] for line in lines] == [record["agent"] for record in records] == ["b", "a_1"]
    )
    assert float(lines[1]["rate"]) == records[1]["rate"] == pytest.approx(1 / 3)
    text, markdown, latex = (render(tables, form) for form in ("text", "markdown", "latex"))  # type: ignore[arg-type]
    for told, name in ((text, "a_1"), (markdown, "| a_1 |"), (latex, r"a\_1 &")):
        assert name in told
        assert "1/3" in told
        assert "counted apart" in told
    assert r"33 \%" in latex
    assert latex.count(r"\\") == 3


def test_cells_cannot_break_a_table() -> None:
    table = Table("T", ["a", "b"], [["x|y & 50 %_{^~\\}", "1"]], [{"a": 'q"u,o'}])
    assert r"x\|y" in render([table], "markdown")
    assert r"x|y \& 50 \%\_\{\textasciicircum{}" in render([table], "latex")
    assert list(csv.reader(io.StringIO(render([table], "csv"))))[1] == ['q"u,o']
    with pytest.raises(UsageError, match="format: 'xml'"):
        render([table], "xml")  # type: ignore[arg-type]


def test_names_out_of_logs_act_nowhere() -> None:
    names = ("=1+1", "@SUM(1)", " -2", "[x]", "*", "a\x1b[2Jb\nc\ud800", "<b>[c](d)`", "a\\|b")
    table = Table("T\x00", ["a", "b"], [[name, "1"] for name in names],
                  [{"a": name, "n": -1.5} for name in names], ["n\x07"])  # fmt: skip
    lines = list(csv.reader(io.StringIO(render([table], "csv"))))[1:]
    assert [line[0][0] for line in lines[:3]] == ["'"] * 3
    assert {line[1] for line in lines} == {"-1.5"}
    for form in ("text", "csv", "latex", "markdown"):
        told = render([table], form)  # type: ignore[arg-type]
        told.encode()
        assert all(each.isprintable() or each == "\n" for each in told)
    latex, markdown = render([table], "latex"), render([table], "markdown")
    assert "\n[" not in latex
    assert "\n*" not in latex
    assert "<b>" not in markdown
    assert "](" not in markdown
    assert r"a\\\|b" in markdown
    assert len({line.replace(r"\|", "").count("|") for line in markdown.splitlines()[2:10]}) == 1


def test_an_agent_of_whom_nothing_was_graded_stands_last() -> None:
    rows = leaderboard([*attempts("a", "xx"), *attempts("b", "00"), *attempts("c", "01")])
    assert [row.agent for row in rows] == ["c", "b", "a"]


def test_pass_at_k_is_shown_where_one_k_holds_for_all_agents() -> None:
    both = [*attempts("a", "110"), *attempts("a", "100", epoch=2), *attempts("solver", "111")]
    assert "pass@2" in render(leaderboard_tables(leaderboard(both)), "text")
    other = [*both, *attempts("b", "110"), *attempts("b", "1x0", epoch=2)]  # one for k = 1
    assert "pass@" not in render(leaderboard_tables(leaderboard(other)), "text")


def test_agents_are_found_by_what_people_type() -> None:
    known = [("react", "gpt-5"), ("react", "llama"), ("classical", "")]
    known.append(("react+skills:injected", "gpt-5"))
    arms = by_arm(attempt(agent, model=model) for agent, model in known)
    assert find_arm("classical", arms) == "classical"
    assert find_arm("llama", arms) == "react (llama)"
    assert find_arm("skills", arms) == "react+skills:injected (gpt-5)"
    with pytest.raises(UsageError, match=r"'react' may be react \(gpt-5\) or react \(llama\)"):
        find_arm("react", arms)
    with pytest.raises(UsageError, match="did you mean 'classical'"):
        find_arm("clasical", arms)
    assert split_names("react, c[a=1,b=2],m") == ["react", "c[a=1,b=2]", "m"]
