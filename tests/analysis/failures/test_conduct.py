"""How an attempt went, from details made by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from analysis.failures.bench import anytime, attempt, codes, handed_in, planet, star_of

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.failures import (
    ORDER,
    Details,
    FailureCode,
    Labelled,
    ToolCall,
    confusion,
    confusion_text,
    failure_table,
    label,
)
from ecliptic.analysis.failures.evidence import Label, ordered
from ecliptic.analysis.formats import render
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.rv.diagnosis import RVDiagnosis
from ecliptic.rv.tasks import RVTask

TRUE = [planet(7.1, 10.0), planet(51.0, 6.0), planet(160.0, 8.0)]
WRONG = handed_in([planet(3.3, 2.0)])


@pytest.fixture(scope="module")
def star() -> RVTask:
    return star_of(anytime(80, 500), TRUE)


def test_the_vocabulary_holds_every_diagnosis_and_says_what_it_means() -> None:
    known = {str(code) for code in FailureCode}
    assert {str(each) for each in GradingDiagnosis} <= known
    ungraded = {"malformed": "wrong_format", "over_budget": "spent_without_submitting"}
    assert {ungraded.get(str(each), str(each)) for each in RVDiagnosis} <= known
    assert all(code.meaning.endswith(".") and "\n" not in code.meaning for code in FailureCode)
    answers = {str(code) for code in FailureCode if code.group == "answer"}
    assert answers == {str(each) for each in GradingDiagnosis}


def test_of_several_labels_the_one_that_stands_first_is_primary() -> None:
    labels = ordered(
        [Label(FailureCode.RESUBMITTED, "b"), Label(FailureCode.ALIAS, "a", "year"),
         Label(FailureCode.ALIAS, "c", "year")]
    )  # fmt: skip
    assert [(each.code, each.evidence, each.primary) for each in labels] == [
        ("alias", "a; c", True),
        ("resubmitted", "b", False),
    ]
    assert ORDER[FailureCode.OUR_ERROR] == 0


def test_an_attempt_that_passed_has_no_label(star: RVTask) -> None:
    details = attempt(star, handed_in(TRUE), protocol="paper(rms_factor=9)")
    assert details.attempt.passed
    assert label(details) == []


def test_the_same_model_again(star: RVTask) -> None:
    labels = label(attempt(star, WRONG, handed_in(TRUE[:1]), WRONG))
    again = next(each for each in labels if each.code == "resubmitted")
    assert again.evidence == "submission 3 hardly differs from 1 (3 graded)"


@pytest.mark.parametrize(
    ("counts", "never"), [((1, 1), True), ((2, 2, 2), True), ((1, 2), False), ((2, 1), True),
                          ((1,), False), ((3, 3), False)],
)  # fmt: skip
def test_never_one_planet_more(star: RVTask, counts: tuple[int, ...], never: bool) -> None:
    submissions = [handed_in([planet(3.3 + k, 2.0) for k in range(n)]) for n in counts]
    labels = label(attempt(star, *submissions))
    assert ("never_escalated" in codes(labels)) == never
    if never:
        (found,) = (each for each in labels if each.code == "never_escalated")
        assert f"{counts[0]}, {counts[1]}" in found.evidence
        assert "there are 3" in found.evidence


def test_more_planets_after_all_are_an_escalation_though_too_few(star: RVTask) -> None:
    submissions = [handed_in(TRUE[:n]) for n in (1, 2)]
    assert "never_escalated" not in codes(label(attempt(star, *submissions)))


def test_what_does_not_follow_the_schema(star: RVTask) -> None:
    labels = label(attempt(star, {"planets": [{"P_days": 3.0, "e": 1.2}]}, WRONG))
    (found,) = (each for each in labels if each.code == "wrong_format")
    assert found.evidence.startswith("1 of 2 submissions not accepted")
    assert "planets[0].e" in found.evidence
    alone = label(attempt(star, {"planets": 3}, stop="gave_up", tokens_in=5000))
    assert codes(alone) == ["wrong_format", "stopped_early"]
    assert (
        alone[1].evidence == "ended by itself after 0 of 5 submissions and 5,000 of 450,000 tokens"
    )


def test_the_budget_gone_with_nothing_handed_in(star: RVTask) -> None:
    for stop, word in (("tokens", "tokens"), ("time", "time"), ("other_limit", "a limit")):
        (found,) = label(attempt(star, stop=stop, tokens_in=300_000, seconds=12.0))
        assert found.code == "spent_without_submitting"
        assert word in found.evidence
        assert "300,000 tokens" in found.evidence
    assert "spent_without_submitting" not in codes(label(attempt(star, WRONG, stop="tokens")))


CELLS = [
    ("[session lost: exit status 3; variables are gone, files stay]\n", 1, "session lost 1 times"),
    ("12\n[stopped after 60 s; variables are kept]\n", 1, "1 cells stopped"),
    ("Traceback (most recent call last):\nNameError: x\n", 3, "all 3 cells ended in an error"),
]


@pytest.mark.parametrize(("text", "times", "said"), CELLS)
def test_what_happened_in_the_laboratory(star: RVTask, text: str, times: int, said: str) -> None:
    details = attempt(star, WRONG)
    cells = (ToolCall("python", {"code": "1"}, text),) * times
    found = next(
        each for each in label(replace(details, calls=cells)) if each.code == "laboratory_error"
    )
    assert said in found.evidence


def test_errors_of_the_agents_own_code_are_none_of_the_laboratory(star: RVTask) -> None:
    cells = (ToolCall("python", {}, CELLS[2][0]), ToolCall("python", {}, "3\n"))
    labels = label(replace(attempt(star, WRONG), calls=cells))
    assert "laboratory_error" not in codes(labels)


@pytest.mark.parametrize("stop", ["our_error", "provider_error", "run_budget"])
def test_an_error_is_the_only_label(star: RVTask, stop: str) -> None:
    details = attempt(star, WRONG, passed=None, stop=stop, error="500 internal server error")
    assert [(each.code, each.evidence) for each in label(details)] == [
        (stop, "500 internal server error")
    ]


def test_without_the_truth_the_verdict_speaks_and_says_so(star: RVTask) -> None:
    details = replace(attempt(star, handed_in(TRUE[:2])), task=None, missing="the truth is sealed")
    (found,) = label(details)
    assert found.code == "missed_planet"
    assert found.evidence == (
        "2 of 3 planets were submitted (from the verdict alone: the truth is sealed)"
    )


def test_where_nothing_is_known_it_is_unexplained(star: RVTask) -> None:
    details = replace(attempt(star, WRONG), task=None, missing="no suite", verdict=None)
    (found,) = label(details)
    assert (found.code, found.evidence) == ("unexplained", "no suite")


def question(code: str, stop: str = "answered", reply: str = "5 T") -> Details:
    row = Attempt(
        agent="single_shot", model="m", world="helio", suite="r", task="q", cluster="q",
        kind="numeric", passed=False, stop=stop,
    )  # fmt: skip
    verdict = {"diagnosis": {"code": code, "message": "off by 10", "evidence": {}}}
    return Details(row, None, "no record", reply=reply, verdict=verdict)


def test_answers_have_the_graders_diagnosis() -> None:
    for code in GradingDiagnosis:
        (found,) = label(question(str(code)))
        assert (found.code, found.evidence) == (str(code), "off by 10")
    (spent,) = label(question("no_answer", "tokens", ""))
    assert spent.code == "spent_without_submitting"


def test_a_benchmark_of_somebody_else_is_unexplained() -> None:
    row = replace(question("sign").attempt, world="other")
    (found,) = label(Details(row, missing="the task is not one of ours"))
    assert found.code == "unexplained"


def rows() -> list[Labelled]:
    base = question("sign").attempt
    made = []
    for kind, code, more in (
        ("numeric", FailureCode.SIGN, ()),
        ("numeric", FailureCode.SIGN, ()),
        ("symbolic", FailureCode.FACTOR, (FailureCode.RESUBMITTED,)),
    ):
        labels = ordered(Label(each, "so") for each in (code, *more))
        made.append(Labelled(replace(base, kind=kind), tuple(labels)))
    made.append(Labelled(replace(base, passed=True)))
    return [*made, Labelled(base, skipped="gone")]


def test_a_table_by_agent_and_kind() -> None:
    table = confusion(rows())
    assert [(row.kind, str(row.code), row.primary, row.any) for row in table] == [
        ("numeric", "sign", 2, 2),
        ("symbolic", "factor", 1, 1),
        ("symbolic", "resubmitted", 0, 1),
        ("all", "sign", 2, 2),
        ("all", "factor", 1, 1),
        ("all", "resubmitted", 0, 1),
    ]
    assert (table[0].attempts, table[0].failed, table[0].share) == (3, 2, 1.0)
    assert sum(row.share for row in table if row.kind == "all") == pytest.approx(1.0)
    assert json.loads(json.dumps([row.to_dict() for row in table]))[0]["code"] == "sign"
    text = confusion_text(table).splitlines()
    assert text[0].split() == ["agent", "kind", "failed", "label", "primary", "share", "any"]
    assert text[2].split() == ["single_shot", "(m)", "numeric", "2/3", "sign", "2", "100", "%", "2"]
    assert text[5].split()[0] == "all"
    assert confusion([]) == []
    assert "| single_shot (m) | numeric | 2/3 | sign |" in render(
        [failure_table(table)], "markdown"
    )


def test_the_docs_name_every_label() -> None:
    text = (Path(__file__).parents[3] / "docs" / "failures.md").read_text(encoding="utf-8")
    assert [code for code in FailureCode if f"`{code}`" not in text] == []
