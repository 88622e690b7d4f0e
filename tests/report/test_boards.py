"""What the first page says, from attempts made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from ecliptic.analysis import Attempt, Bounds
from ecliptic.analysis.comparison import p_words
from ecliptic.analysis.failures import FailureCode, Label, Labelled
from ecliptic.report.attempt_page import places_of
from ecliptic.report.attempts_list import attempts_context
from ecliptic.report.board import Board, boards_of, compared
from ecliptic.report.board_charts import cost_chart, fit_chart, kind_chart, sweep_chart
from ecliptic.report.chart_findings import cheapest_pass, hardest_part, leader_over_bars
from ecliptic.report.overview import overview
from ecliptic.report.summary import answer


def made(
    agent: str, passes: Sequence[bool | None], kinds: Sequence[str] = ("easy", "hard")
) -> list[Attempt]:
    return [
        Attempt(
            agent=agent, model="", world="stargazer", suite="s", suite_source="nowhere",
            task=f"t{at}", cluster=f"t{at}", kind=kinds[at * len(kinds) // len(passes)],
            passed=passed, protocol="paper", stop="solved" if passed else "gave_up",
            criteria={"delta_bic": True, "rms": True, "match": bool(passed), "count": True},
            values={"match": 0.85 if passed else 0.5}, tokens_in=1000, log=Path(agent),
        )
        for at, passed in enumerate(passes)
    ]  # fmt: skip


def board_of(*arms: list[Attempt]) -> Board:
    attempts = [attempt for own in arms for attempt in own]
    labels = (Label(FailureCode.ALIAS, "1 day", primary=True),)
    labelled = [Labelled(a) if a.passed else Labelled(a, labels) for a in attempts]
    (board,) = boards_of(attempts, labelled, {})
    return board


def told(board: Board) -> dict[str, str]:
    found = answer(board)
    return {"first": found.first, **{name: " ".join(lines) for name, lines in found.parts}}


def test_a_settled_lead_is_called_one() -> None:
    words = told(board_of(made("good", [True] * 40), made("poor", [False] * 40)))
    assert words["first"].startswith(
        "good passes most: 40 of 40 (100\u00a0%, 95\u00a0% interval 91"
    )
    assert "good is better than poor" in words["How sure"]
    assert "by 100.0 points" in words["How sure"]
    assert "poor, 40 failures: alias 40" in words["Why attempts fail"]
    assert "fits the data in 100\u00a0%" in words["Why attempts fail"]


def test_an_unsettled_lead_is_not() -> None:
    words = told(
        board_of(made("a", [True, True, True, False]), made("b", [True, True, False] * 1 + [False]))
    )
    assert "Whether a is better than b is not settled." in words["How sure"]
    assert "settled (5" not in words["How sure"]


def test_each_kind_names_who_is_ahead() -> None:
    words = told(
        board_of(made("a", [True, True, False, False]), made("b", [True, False, False, False]))
    )
    assert "easy: a with 100\u00a0% (2 of 2)" in words["On what"]
    assert "hard: nobody passes" in words["On what"]
    assert "is not tested" in words["On what"]


@pytest.mark.parametrize(
    ("arms", "said"),
    [
        ([made("a", [None, None])], "No attempt was graded"),
        ([made("a", [False, False]), made("b", [False, False])], "Nobody passes anything: 0 of 2"),
        ([made("a", [True, False]), made("b", [False, True])], "a and b pass the same share"),
        ([made("only", [True, False])], "only passes 1 of 2"),
    ],
)
def test_the_first_sentence_claims_no_more_than_there_is(
    arms: list[list[Attempt]], said: str
) -> None:
    assert answer(board_of(*arms)).first.startswith(said)


def test_errors_are_told_and_in_no_rate() -> None:
    words = told(board_of(made("a", [True, True, None, False])))
    assert "2 of 3" in words["first"]
    assert "1 of 4 attempts ended in an error" in words["Mind"]


def test_skills_are_compared_with_the_same_agent_without() -> None:
    with_skills = made("react+skills:injected", [True] * 30)
    board = board_of(with_skills, made("react", [False] * 30), made("other", [True] * 30))
    ((found, first, second),) = board.skills
    assert (first, second) == ("react+skills:injected", "react")
    assert found.settled
    assert (
        "Skills: on 30 tasks, react+skills:injected is better than react" in told(board)["How sure"]
    )


def test_arms_with_other_tasks_are_compared_on_the_common_ones_with_a_note() -> None:
    arms = {"a": made("a", [True] * 4), "b": made("b", [False] * 3)}
    found, note = compared(arms)
    assert len(found) == 1
    assert len(found[0].pairing.tasks) == 3
    assert "t3" in note
    apart = [a for a in made("c", [True] * 9) if a.task > "t5"]
    found, note = compared({**arms, "c": apart})
    assert len(found) == 1
    assert "Without" in note


def test_versions_of_a_suite_have_boards_of_their_own() -> None:
    old = [replace(each, suite_checksum="aaaa") for each in made("a", [True] * 4)]
    new = [replace(each, suite_checksum="bbbb") for each in made("a", [False] * 4)]
    labelled = [Labelled(each) for each in (*old, *new)]
    boards = boards_of([*old, *new], labelled, {})
    assert [board.title for board in boards] == [
        "s, paper, checksum aaaa",
        "s, paper, checksum bbbb",
    ]
    assert [board.standings[0].rate for board in boards] == [1.0, 0.0]
    assert [len(board.labelled) for board in boards] == [4, 4]


def test_the_answer_speaks_of_those_who_were_graded() -> None:
    assert told(board_of(made("a", [None, None]), made("b", [False, False])))["first"] == (
        "Nobody passes anything: 0 of 2 for b."
    )


def test_captions_say_what_is_to_be_seen() -> None:
    board = board_of(made("a", [True, True, True, False]), made("b", [True, False, False, False]))
    assert hardest_part(board.by_kind, "pass") == (
        " Over all agents together the fewest pass hard (1 of 4)."
    )
    assert board.sweep is not None
    assert leader_over_bars(board.sweep.points) == (
        " a is ahead, or among those ahead, wherever the bar is."
    )
    assert cheapest_pass(board.standings) == " The fewest tokens a pass: a, 1,333."


def test_charts_say_in_text_what_they_draw() -> None:
    board = board_of(made("a", [True, False]), made("b", [False, False]))
    for chart in (fit_chart(board), sweep_chart(board), cost_chart(board)):
        assert chart is not None
        assert [row[0] for row in chart.table.rows] == ["a", "b"]
        assert len(chart.table.columns) == len(chart.table.rows[0])
        assert chart.summary.endswith(".")


def test_published_figures_stand_beside_ours_with_the_warning() -> None:
    attempts = made("a", [True, False])
    context = overview(places_of(attempts), [], "", [])
    ((heading, table),) = context["published"]
    assert "Stargazer" in heading
    assert table.rows[0][:3] == ("a, s, paper", "here", ("100 %", "1.000000"))
    assert "do not compare" in context["published_note"]
    assert context["boards"][0]["failures"] is None


def test_an_agent_that_tried_a_part_leads_nothing() -> None:
    whole, poor = made("whole", [True] * 4 + [False] * 8), made("poor", [False] * 12)
    part = made("part", [True] * 12)[:3]
    board = board_of(part, poor, whole)
    assert [row.agent for row in board.standings] == ["whole", "poor", "part"]
    words = told(board)
    assert words["first"].startswith("Of those that tried all 12 tasks, whole passes most: 4 of 12")
    assert "Only a part of the 12 tasks tried: part 3 (3 of 3 passed)." in words["Mind"]
    assert "On 12 tasks, whole and poor: no difference settled" in words["How sure"]
    assert "part with" not in words["On what"]
    assert "easy: whole with 67\u00a0% (4 of 6)" in words["On what"]
    assert board.sweep is not None
    chart = sweep_chart(board)
    assert chart is not None
    assert "whole is ahead" in chart.summary


def test_one_agent_that_tried_all_is_not_said_to_be_better() -> None:
    board = board_of(made("part", [True] * 6)[:3], made("null", [False] * 6))
    first = told(board)["first"]
    assert first.startswith("Only null tried all 6 tasks. It passes 0 of 6 (0\u00a0%, ")


def test_rates_of_different_tasks_are_said_not_to_compare() -> None:
    first = made("a", [True] * 6)[:3]
    second = made("b", [True] * 3 + [False] * 3)[2:]
    words = told(board_of(first, second))
    assert words["first"].endswith("agents tried different tasks, so that rates do not compare.")
    assert "No agent tried all 6 tasks" in words["Mind"]


def test_above_the_ceiling_is_all_and_no_more() -> None:
    attempts = made("lucky", [True] * 4)
    bounds = {"nowhere": {each.task: Bounds(0.9, False, "paper") for each in attempts}}
    (board,) = boards_of(attempts, [Labelled(each) for each in attempts], bounds)
    assert answer(board).first.endswith("so this is all of what can be reached.")


def test_an_agent_has_one_colour_on_all_charts() -> None:
    bare = [replace(each, criteria={}, values={}) for each in made("bare", [True] * 4)]
    board = board_of(bare, made("other", [True, True, False, False]))
    fits, sweep = fit_chart(board), sweep_chart(board)
    by_criterion = kind_chart(board, "share that meets each criterion", board.by_criterion)
    assert sweep is not None
    colours = {
        trace["marker"]["color"]
        for chart in (fits, sweep, by_criterion)
        for trace in chart.traces
        if trace.get("name") == "other"
    }
    assert colours == {"var(--c1)"}


def test_points_on_one_place_differ_in_size() -> None:
    chart = cost_chart(board_of(made("a", [True, False]), made("b", [True, False])))
    assert chart is not None
    sizes = [trace["marker"]["size"] for trace in chart.traces]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 2


def test_the_fit_caption_says_what_the_chart_shows() -> None:
    right = [
        replace(each, criteria={**each.criteria, "match": False}) for each in made("a", [False] * 3)
    ]
    assert "as 1 of 2 does here" in fit_chart(board_of(right, made("b", [True] * 3))).summary
    assert (
        "here none does"
        in fit_chart(board_of(made("a", [True] * 3), made("b", [True] * 3))).summary
    )


def test_differences_tell_on_how_many_tasks_where_these_differ() -> None:
    arms = [made("a", [True] * 6), made("b", [False] * 6), made("c", [True] * 6)[:2]]
    attempts = [each for own in arms for each in own]
    (board,) = overview(places_of(attempts), [Labelled(each) for each in attempts], "", [])[
        "boards"
    ]
    cells = [text for row in board["matrix"].rows for text, _ in row[1:] if text != "·"]
    assert board["several_counts"]
    assert {text.rpartition(" ")[2] for text in cells} == {"(6)", "(2)"}


def test_the_map_leads_to_attempts_with_the_same_reason() -> None:
    attempts = made("a & b", [True, False, False])
    labels = (Label(FailureCode.ALIAS, "1 day", which="solar day", primary=True),)
    diagnosed = [replace(each, diagnosis="wrong_period") for each in attempts]
    labelled = [Labelled(a) if a.passed else Labelled(a, labels) for a in diagnosed]
    places = places_of(diagnosed)
    (board,) = overview(places, labelled, "", [])["boards"]
    (cell,) = board["failures"]["rows"][0]["cells"]
    wanted = dict(parse_qsl(cell["query"]))
    assert wanted == {"suite": "s", "agent": "a & b", "reason": "alias"}
    listed = attempts_context(places, 3, labelled)
    assert [row["reason"] for row in listed["rows"]].count("alias") == cell["count"] == 2
    assert listed["choices"]["reason"] == ["alias"]
    assert [row["told"] for row in listed["rows"]] == ["", "alias (solar day)", "alias (solar day)"]


def test_a_settled_difference_is_told_with_its_size_and_p() -> None:
    near = made("b", [True] * 38 + [False] * 2)
    board = board_of(made("a", [True] * 40), near, made("c", [False] * 40))
    found = board.between("a", "c")
    assert found is not None
    assert (
        f"better than c (by 100.0 points, p {p_words(found.p_adjusted)})" in told(board)["How sure"]
    )


def test_whoever_is_worse_on_the_common_tasks_is_not_called_unsettled() -> None:
    part = made("part", [True] * 60)[:40]
    board = board_of(part, made("whole", [False] * 40 + [True] * 20))
    words = told(board)
    assert words["first"].startswith("Only whole tried all 60 tasks.")
    assert "On the same tasks whole is worse than part (by 100.0 points" in words["How sure"]
    assert "not settled" not in words["How sure"]
