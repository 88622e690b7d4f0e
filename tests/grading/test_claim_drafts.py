from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from ecliptic.errors import UsageError
from ecliptic.grading import Verifier, grade
from ecliptic.grading.chat_models import Message, ScriptedModel
from ecliptic.grading.claim_drafts import ClaimDrafts, Draft
from ecliptic.grading.verifier import PARSER_VERSION

GOLD = "The density rises and the speed falls with distance."
PARTS = ["The density rises with distance.", "The speed falls with distance."]
FORM = {"normal": "density up, speed down", "claims": PARTS}
REASON = "This follows from the expansion of the solar wind."
RIGHT = (
    f"The speed decreases with distance. As the distance increases, the density increases. {REASON}"
)
WRONG = f"The speed increases with distance. The density increases with distance. {REASON}"


class Counted:
    """A scripted model that counts its calls."""

    def __init__(self, *replies: object) -> None:
        self.model = ScriptedModel(replies)
        self.calls = 0

    def __call__(self, messages: Sequence[Message]) -> str:
        self.calls += 1
        return self.model(messages)


@pytest.mark.parametrize(("answer", "outcome"), [(RIGHT, "correct"), (WRONG, "incorrect")])
def test_drafted_claims_are_checked_before_the_judge_is_asked(answer: str, outcome: str) -> None:
    model = Counted(FORM)
    verdict = grade(gold=GOLD, answer=answer, type="textual", verifier=model)
    assert verdict.outcome == outcome
    assert model.calls == 1
    assert verdict.details["decided_by"] == "drafted claims"
    assert verdict.details["drafted_claims"]["claims"] == PARTS
    assert "verifier" not in verdict.details


def test_claims_of_the_record_need_no_draft() -> None:
    model = Counted(FORM)
    record = {"final": GOLD, "type": "textual", "meta": {"claims": PARTS}}
    assert grade(record, RIGHT, verifier=model).passed
    assert model.calls == 0


@pytest.mark.parametrize(
    "claims",
    [
        [],
        [GOLD],
        ["The density rises."],
        ["The density rises.", "The speed falls."],
        ["The density falls with distance.", "The speed rises with distance."],
        ["The density rises with distance.", "The speed falls with latitude."],
        ["The distance falls with speed.", "The density rises with distance."],
        ["", *PARTS],
    ],
)
def test_a_draft_that_does_not_cut_the_gold_decides_nothing(claims: list[str]) -> None:
    assert not Draft("x", tuple(claims), "1").cuts(GOLD)
    form = {"normal": "x", "claims": claims}
    model = Counted(form, form, {"equivalent": False, "reason": "No."})
    verdict = grade(gold=GOLD, answer="The density rises.", type="textual", verifier=model)
    assert verdict.details["decided_by"] == "verifier"
    assert verdict.details["verifier"]["calls"] == model.calls == 3


def test_a_word_that_the_gold_has_twice_must_be_drafted_twice() -> None:
    gold = "Ions do not escape and electrons do not escape."
    assert Draft("x", ("Ions do not escape.", "Electrons do not escape."), "1").cuts(gold)
    assert not Draft("x", ("Ions do not escape.", "Electrons escape."), "1").cuts(gold)


def test_drafts_are_shared_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    model = Counted(FORM)
    verifier = Verifier(model, drafts=ClaimDrafts(path))
    assert verifier.claims(GOLD) == tuple(PARTS)
    assert verifier.claims(GOLD) == tuple(PARTS)
    assert model.calls == 1
    [line] = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["parser"] == PARSER_VERSION

    again = Counted("not asked")
    assert Verifier(again, drafts=ClaimDrafts(path)).claims(GOLD) == tuple(PARTS)
    assert again.calls == 0


def test_a_draft_of_another_prompt_is_not_used(tmp_path: Path) -> None:
    drafts = ClaimDrafts(tmp_path / "claims.jsonl")
    drafts.put(GOLD, Draft("old", ("old",), "another prompt"))
    assert Verifier(ScriptedModel([FORM]), drafts=drafts).claims(GOLD) == tuple(PARTS)
    assert len(drafts) == 2


def test_a_draft_that_failed_is_asked_for_again() -> None:
    model = Counted("no", "no", FORM)
    verifier = Verifier(model)
    assert verifier.claims(GOLD) == ()
    assert verifier.claims(GOLD) == tuple(PARTS)
    assert len(verifier.drafts) == 1


def test_a_line_cut_short_is_passed_over_and_a_bad_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    ClaimDrafts(path).put("a", Draft("a", ("a",), "1"))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"gold": "b", "par')
    drafts = ClaimDrafts(path)
    assert len(drafts) == 1
    drafts.put("c", Draft("c", ("c",), "1"))
    path.write_text(path.read_text(encoding="utf-8").replace('{"gold": "b", "par\n', ""))
    assert len(ClaimDrafts(path)) == 2

    path.write_text('{"gold": 1}\n{}\n')
    with pytest.raises(UsageError, match=r"line 1: no drafted claims: needs the texts"):
        ClaimDrafts(path)
    with pytest.raises(UsageError, match="cannot be read"):
        ClaimDrafts(tmp_path)
