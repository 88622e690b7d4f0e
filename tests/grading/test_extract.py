from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecliptic.grading.extraction import extract
from ecliptic.grading.retractions import taken_back
from ecliptic.grading.rules import DEFAULT_RULES
from ecliptic.grading.sentences import sentences
from ecliptic.grading.stances import not_stated

FRACTION = r"\frac{V_w}{\kappa_0}"


@pytest.mark.parametrize(
    ("answer", "text", "how"),
    [
        (rf"\boxed{{{FRACTION}}}", FRACTION, "boxed"),
        (rf"\boxed{{${FRACTION}$}}", FRACTION, "boxed"),
        (f"Thus\n\\[\\boxed{{{FRACTION}}}\\]\nas claimed.", FRACTION, "boxed"),
        (f"**Final answer:** ${FRACTION}$", FRACTION, "marked as final"),
        (f"The answer is ${FRACTION}$.", FRACTION, "marked as final"),
        (f"## Answer\n\nIt follows:\n\n$${FRACTION} \\tag{{3}}$$", FRACTION, "marked as final"),
        (f"<answer>${FRACTION}$</answer>", FRACTION, "answer tag"),
        (f"First $a = b$. Hence $x = {FRACTION}$.", f"x = {FRACTION}", "last statement"),
        (f"So\n$$x = {FRACTION}$$\nwhere $C$ is a constant.", f"x = {FRACTION}", "last statement"),
        (json.dumps({"answer": f"${FRACTION}$"}), FRACTION, "JSON field 'answer'"),
        ('Here:\n```json\n{"final_answer": "x^2"}\n```', "x^2", "JSON field 'final_answer'"),
        ("The escape speed is v = sqrt(2GM/R)", "v = sqrt(2GM/R)", "whole text"),
        (f"\\begin{{align}} {FRACTION} \\end{{align}}", FRACTION, "formula"),
        ("<think>\\boxed{1}</think> \\boxed{x}", "x", "boxed"),
        (r"\boxed{\{x \mid x > \frac{1}{2}\}}", r"\{x \mid x > \frac{1}{2}\}", "boxed"),
    ],
)
def test_where_a_formula_is_found(answer: str, text: str, how: str) -> None:
    found = extract(answer, kind="symbolic")
    assert (found.text, found.how) == (text, how)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (r"so $v=\boxed{400}$ km/s.", "400 km/s"),
        ("Half of 22 yr is 11 yr.\n\n**Final answer: 11 yr**", "11 yr"),
        ({"value": 4, "unit": "km/s"}, "4 km/s"),
        ({"answer": 4, "unit": "km/s"}, "4 km/s"),
        (4.5, "4.5"),
        (b"4.5 nT", "4.5 nT"),
        ("#### 42", "42"),
    ],
)
def test_where_a_number_is_found(answer: object, text: str) -> None:
    assert extract(answer, kind="numeric").text == text


@pytest.mark.parametrize(
    "answer",
    [None, "", "   ", "\x00\x00", r"\boxed{}", "I don't know.", "the correct answer", "N/A",
     "Hint: use conservation of mass, 4 pi r^2 rho v.", "<think>x = 3</think>"],
)  # fmt: skip
def test_what_is_no_answer(answer: object) -> None:
    assert extract(answer, kind="numeric").text == ""


QUESTION = "A shock moves at 500 km/s through a plasma with n = 5 cm^-3. What is its ram pressure?"


@pytest.mark.parametrize("answer", [QUESTION, QUESTION.replace(" ", "\n"), QUESTION[:60]])
def test_an_echo_of_the_question_is_no_answer(answer: str) -> None:
    assert extract(answer, kind="numeric", question=QUESTION).text == ""


def test_an_answer_behind_an_echo_is_one() -> None:
    assert extract(f"{QUESTION}\n2.1 nPa", kind="numeric", question=QUESTION).text == "2.1 nPa"


def test_a_short_answer_may_be_a_word_of_the_question() -> None:
    found = extract("a fast shock", kind="textual", question="Is it a fast shock or a slow shock?")
    assert found.text == "a fast shock"


def test_different_marked_answers_are_all_kept() -> None:
    found = extract(r"\boxed{1.5} and also \boxed{3}", kind="numeric")
    assert found.alternatives == ("1.5", "3")
    assert extract(r"\boxed{3}, so \boxed{3}", kind="numeric").alternatives == ()


def test_a_word_of_correction_leaves_the_last_by_rule() -> None:
    answer = r"\boxed{3}. Wait, that is wrong: \boxed{1.5}"
    found = extract(answer, kind="numeric")
    assert (found.text, found.alternatives, found.rules) == ("1.5", (), ("last_box_counts",))
    strict = DEFAULT_RULES.updated({"last_box_counts": False})
    assert extract(answer, kind="numeric", rules=strict).alternatives == ("3", "1.5")


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (r"\boxed{3}. Wait, that is wrong. It should be 1.5", "It should be 1.5"),
        ("v = 3. Correction: 1.5", "Correction: 1.5"),
        ("Final answer: 3. Actually, no: I forgot the factor 2, so 1.5", "so 1.5"),
        ("Answer: 3. Sorry, I meant 1.5.", "Sorry, I meant 1.5"),
    ],
)
def test_a_value_behind_words_of_correction_is_the_answer_by_rule(answer: str, text: str) -> None:
    found = extract(answer, kind="numeric")
    assert text in found.text
    assert found.rules == ("last_box_counts",)
    assert "an answer was taken back" in found.notes
    strict = extract(
        answer, kind="numeric", rules=DEFAULT_RULES.updated({"last_box_counts": False})
    )
    assert len(strict.alternatives) == 2


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (r"\boxed{3}. Wait, that is wrong.", "no other value is stated"),
        (r"\boxed{3}. I made a mistake: the factor 2 is missing.", "no other value is stated"),
        (r"\boxed{3}. Oops, I used 1.5 for the radius.", "no other value is stated"),
        ("v = 3 km/s. That is incorrect.", "takes back the answer"),
        ("Is v = 3 km/s?", "only asked"),
        (r"It is not \boxed{3}.", "denied"),
        ("For comparison: 3 km/s", "quoted, supposed or compared"),
        ("Suppose v = 3 km/s.", "only supposed"),
        ("If v = 3 km/s, the rest follows.", "only a condition"),
        ("3 km/s if it is cold, otherwise 4 km/s", "depends on a condition"),
    ],
)
def test_what_is_not_stated_is_doubtful(answer: str, reason: str) -> None:
    found = extract(answer, kind="numeric")
    assert reason in found.doubt
    assert found.readings == ()
    assert found.text  # for a verifier


@pytest.mark.parametrize(
    "answer", ["You ask whether v = 3 km/s. I do not know.", r"\boxed{3}. I cannot tell."]
)
def test_a_refusal_is_no_answer(answer: str) -> None:
    found = extract(answer, kind="numeric")
    assert found.text == ""
    assert found.how.startswith("no answer is given")


def test_the_first_look_misses_no_word_of_correction(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for name in ("prose_cases.jsonl", "claim_cases.jsonl"):
        lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
        texts += [json.loads(line)["answer"] for line in lines]
    parts = [part for text in texts for part in sentences(text)]
    quick = [(taken_back(part, first=False), not_stated(part)) for part in parts]
    assert sum(cue is not None for cue, _ in quick) > 50
    assert sum(bool(reason) for _, reason in quick) > 50
    for module in ("retractions", "stances"):
        monkeypatch.setattr(f"ecliptic.grading.{module}.first_look", lambda words: True)
    assert [(taken_back(part, first=False), not_stated(part)) for part in parts] == quick


def test_sentences_are_cut_outside_formulas() -> None:
    text = r"So $v = 4.0$ and $a. B$. Then, e.g. 3.5 km; \boxed{x. Y}! Fin"
    spans = ((text.index(r"\boxed"), text.index("!")),)
    shown = [text[part.start : part.end].strip() for part in sentences(text, spans)]
    assert shown == ["So $v = 4.0$ and $a. B$.", "Then, e.g. 3.5 km;", r"\boxed{x. Y}!", "Fin"]


def test_a_piecewise_answer_in_words_becomes_cases() -> None:
    found = extract(r"$f = a$ for $x<0$ and $f = b$ for $x \ge 0$", kind="symbolic")
    assert found.text == r"f = \begin{cases}  a & x<0\\  b & x \ge 0\end{cases}"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("We obtain $x = a$, not $x = b$.", "x = a"),
        ("Hence $x = a$.\n\nSo the point lies at $x \\approx 4\\,R_\\odot$.", "x = a"),
        ("$$x = a \\approx 4\\,R_\\odot$$", "x = a"),
        ("With $c = d$ we obtain $x = a$.", "x = a"),
        ("It is not $x = a$.", ""),
    ],
)
def test_a_denied_or_evaluated_formula_is_not_the_answer(answer: str, text: str) -> None:
    assert extract(answer, kind="symbolic").text == text


def test_zero_width_characters_go_and_look_alikes_stay() -> None:
    found = extract("y\u200b^3\ufeff", kind="symbolic")
    assert found.text == "y^3"
    assert found.notes == ("2 invisible characters removed",)
    assert extract("\u0443^3", kind="symbolic").text == "\u0443^3"


def test_of_a_huge_answer_only_marked_ends_are_read() -> None:
    found = extract("x" * 10**7 + r"\boxed{y}", kind="symbolic")
    assert found.text == "y"
    assert "characters in the middle were not looked at" in found.notes[0]
    assert extract("x+" * 5 * 10**6, kind="symbolic").oversized


UNITS_OF_TEXT = st.sampled_from(
    ["\\boxed{", "}", "$", "$$", "\\[", "\\]", "answer:", "**", "```", "{", '"', "x", "1", "\n",
     " or ", "<think>", "</think>", "<answer>", "\\begin{align}", "\\end{align}", "\\", "&", "é"]
)  # fmt: skip


@given(st.lists(UNITS_OF_TEXT, max_size=30).map("".join), st.sampled_from(["numeric", "symbolic"]))
def test_any_text_gives_an_extraction(text: str, kind: str) -> None:
    found = extract(text, kind=kind)
    assert found.how
    assert not found.readings or found.readings[0] == found.text


@pytest.mark.parametrize(
    "unit", ["*", "<think>", "answer: ", "\\[", "$", "{", "\\boxed{", " ", "\n"]
)
@pytest.mark.parametrize("kind", ["numeric", "symbolic", "textual", "structured"])
def test_repetition_is_read_in_one_pass(unit: str, kind: str) -> None:
    answer: Any = unit * (200_000 // len(unit)) + "x"
    assert isinstance(extract(answer, kind=kind).text, str)
