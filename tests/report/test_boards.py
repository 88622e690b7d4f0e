"""What the first page says, from attempts made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ecliptic.analysis import Attempt
from ecliptic.analysis.failures import FailureCode, Label, Labelled
from ecliptic.report.board import Board, boards_of, compared
from ecliptic.report.board_charts import cost_chart, fit_chart, sweep_chart
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
    assert "Whether it is better than b is not settled." in words["How sure"]
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
    assert "Skills, react+skills:injected and react: " in told(board)["How sure"]


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
    from ecliptic.report.attempt_page import places_of

    attempts = made("a", [True, False])
    context = overview(places_of(attempts), [], "", [])
    ((heading, table),) = context["published"]
    assert "Stargazer" in heading
    assert table.rows[0][:3] == ("a, s, paper", "here", ("100 %", "1.000000"))
    assert "do not compare" in context["published_note"]
    assert context["boards"][0]["failures"] is None
