from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ecliptic.errors import UsageError
from ecliptic.grading import DEFAULT_RULES, GradingDiagnosis, Rules, explain, grade
from ecliptic.grading.reading import infer_type
from ecliptic.helio import read_record

SPEED = r"$400\ \mathrm{km\,s^{-1}}$"
RADIUS = r"$r_c = \frac{GM}{2c_s^2}$"
ONLY = "Give the answer ONLY as a LaTeX-formatted equation wrapped in dollar signs."


@pytest.mark.parametrize(
    ("gold", "kind"),
    [
        (SPEED, "numeric"),
        ("400 km/s", "numeric"),
        ("$q = 4$", "numeric"),
        (r"$10\,R_\odot$", "numeric"),
        (r"$\gtrsim 10^{6}\ \mathrm{K}$", "numeric"),
        (r"$B = 5\ \mathrm{nT},\ n = 6\ \mathrm{cm^{-3}}$", "numeric"),
        (RADIUS, "symbolic"),
        (r"$\nabla\cdot\mathbf{B}=0$", "symbolic"),
        (r"$\beta > 1$", "symbolic"),
        (r"$13\,\sqrt{T}\ \mathrm{m\,s^{-1}}$", "symbolic"),
        (r"$0.25\,\pi d^2$", "symbolic"),
        ("V_w/kappa_0", "symbolic"),
        ("$B$", "symbolic"),
        ("B", "textual"),
        ("Yes", "textual"),
        ("solar minimum", "textual"),
        ("The flux decreases with heliocentric distance.", "textual"),
        ('{"value": 5}', "structured"),
    ],
)
def test_the_type_of_a_gold_answer(gold: str, kind: str) -> None:
    assert infer_type(gold) == kind


def test_a_right_answer() -> None:
    verdict = grade(gold=SPEED, answer="We find $v = 4.0\\times10^5$ m/s.")
    assert verdict.passed
    assert verdict.score == 1.0
    assert verdict.diagnosis is None
    assert verdict.criteria["answer"].passed
    assert verdict.details["parsed"] == {"gold": "400 km s^(-1)", "answer": "v = 4.0e+5 m/s"}
    json.dumps(verdict.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("gold", "answer", "code"),
    [
        (SPEED, "400 m/s", GradingDiagnosis.UNIT_PREFIX),
        (SPEED, "400", GradingDiagnosis.UNIT_MISSING),
        (SPEED, "400 km", GradingDiagnosis.UNIT_INCOMPATIBLE),
        (SPEED, "-400 km/s", GradingDiagnosis.SIGN),
        (SPEED, "800 km/s", GradingDiagnosis.FACTOR),
        (SPEED, "4000 km/s", GradingDiagnosis.POWER_OF_TEN),
        (SPEED, "", GradingDiagnosis.NO_ANSWER),
        (SPEED, "400 km/s or 500 km/s", GradingDiagnosis.SEVERAL_ANSWERS),
        (SPEED, "\\boxed{400 km/s} \\boxed{700 km/s}", GradingDiagnosis.SEVERAL_ANSWERS),
        (RADIUS, r"$r_c = \frac{GM}{c_s^2}$", GradingDiagnosis.FACTOR),
        (RADIUS, r"$r_c = -\frac{GM}{2c_s^2}$", GradingDiagnosis.SIGN),
        (RADIUS, r"$r_c = \frac{GM}{2v_A^2}$", GradingDiagnosis.WRONG_VARIABLE),
        (RADIUS, "$x = x$", GradingDiagnosis.TAUTOLOGY),
        (RADIUS, r"\boxed{r_c = GM/(2c_s^2)} \boxed{r_c = GM/c_s^2}",
         GradingDiagnosis.SEVERAL_ANSWERS),
    ],
)  # fmt: skip
def test_a_wrong_answer_gets_its_reason(gold: str, answer: str, code: GradingDiagnosis) -> None:
    verdict = grade(gold=gold, answer=answer)
    assert verdict.outcome == "incorrect"
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code == code
    assert verdict.diagnosis.message
    assert verdict.score == 0.0
    json.dumps(verdict.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("answer", "accepted"),
    [
        (
            "We get\n\n$$v = 4.0\\times10^5\\ \\text{m/s} = 400\\ \\text{km/s}$$\n\nSo 400 km/s.",
            True,
        ),
        (
            "v = 4e5 m/s.\n### Final Answer\n$$\\boxed{v \\approx 400\\ \\text{km/s}}$$",
            True,
        ),
        ("$$v \\approx \\boxed{400}\\ \\mathrm{km/s}$$", True),
        ("v = 400 km/s, i.e. 4.0 × 10^5 m/s", True),
        ("v = 400 km/s, i.e. 4.0 × 10^6 m/s", False),
        ("Using v = d/t with d = 1 AU and t = 4.33 days, v = 400 km/s.", True),
        ("Answer: 400 km/s\n\nSince 1 AU = 1.5e8 km and t = 4.3 days.", True),
        ("The answer is not 400 km/s but 500 km/s.", False),
        ("It is definitely not 400 km/s.", False),
        ("400 km/s? No, 450 km/s.", False),
        ("400 km/s if the density is constant, otherwise 500 km/s.", False),
    ],
)
def test_numbers_in_prose(answer: str, accepted: bool) -> None:
    assert grade(gold=SPEED, answer=answer).passed == accepted


PROSE = Path(__file__).with_name("prose_cases.jsonl")


def read_cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in PROSE.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("kind", sorted({case["kind"] for case in read_cases()}))
def test_answers_in_prose(kind: str) -> None:
    wrong = []
    for case in read_cases():
        if case["kind"] == kind:
            outcome = grade(gold=case["gold"], answer=case["answer"]).outcome
            if (outcome == "correct") != (case["expected"] == "correct"):
                wrong.append((case["gold"], case["answer"], outcome))
    assert wrong == []


def test_the_prose_cases_go_both_ways() -> None:
    cases = read_cases()
    expected = Counter(case["expected"] for case in cases)
    assert set(expected) == {"correct", "not correct"}
    assert min(expected.values()) >= 60
    assert len({(case["gold"], case["answer"]) for case in cases}) == len(cases)


HELD_OUT = Path(__file__).with_name("held_out_pairs.jsonl")


def held_out_golds() -> list[str]:
    pairs = [json.loads(line) for line in HELD_OUT.read_text("utf-8").splitlines()]
    kinds = ("text", "schema", "adversarial")
    return sorted({pair["gold"] for pair in pairs if pair["kind"] not in kinds})[::5]


@pytest.mark.parametrize(
    "reply",
    [
        r"\boxed{%s}. Wait, that is wrong.",
        "**Final answer:** %s\n\nCorrection: I forgot a factor, so it is different.",
        "<answer>%s</answer> Sorry, I made a mistake.",
        "The result is %s. I take that back.",
        "%s\n\nOops, I misread the question.",
        r"\boxed{%s} is incorrect.",
        r"It is not \boxed{%s}.",
        "Is it %s?",
        "Someone may think that it is %s.",
        "The wrong answer would be %s.",
        "You ask whether it is %s. I do not know.",
        "If it is %s, the rest follows.",
        "For comparison: %s",
        "~~%s~~",
    ],
)
def test_the_gold_itself_is_not_accepted_where_it_is_not_stated(reply: str) -> None:
    golds = held_out_golds()
    assert len(golds) > 30
    assert [gold for gold in golds if grade(gold=gold, answer=reply % gold).passed] == []


@pytest.mark.parametrize(
    "reply",
    [
        r"\boxed{%s}. Note that this is wrong for cold plasma.",
        "\\boxed{%s}\n\nIf one neglected gravity one would get 200 km/s.",
        "\\boxed{%s}\n\nThis should not be confused with another quantity.",
        r"First I made a mistake, but now: \boxed{%s}",
        r"Do we need more? No. \boxed{%s}",
        "<answer>%s</answer>\n\nI hope this helps.",
    ],
)
def test_innocent_words_around_the_gold_void_nothing(reply: str) -> None:
    golds = [
        gold for gold in held_out_golds() if grade(gold=gold, answer=f"\\boxed{{{gold}}}").passed
    ]
    assert len(golds) > 30
    assert [gold for gold in golds if not grade(gold=gold, answer=reply % gold).passed] == []


def test_words_of_correction_count_by_rule() -> None:
    answer = "v = 200 km/s. Correction: 400 km/s"
    verdict = grade(gold=SPEED, answer=answer)
    assert verdict.passed
    assert verdict.details["deciding_rules"] == ["last_box_counts"]
    strict = grade(gold=SPEED, answer=answer, rules={"last_box_counts": False})
    assert strict.diagnosis is not None
    assert strict.diagnosis.code == GradingDiagnosis.SEVERAL_ANSWERS


def test_the_words_that_take_an_answer_back_are_told() -> None:
    verdict = grade(gold=SPEED, answer="\\boxed{400} km/s. Oops, I forgot the factor 2.")
    assert verdict.outcome == "undecided"
    assert "'Oops' takes back the answer" in explain(verdict)


def test_several_marked_answers_that_agree_are_one() -> None:
    assert grade(gold="$1.5$", answer=r"\boxed{1.5}, that is \boxed{3/2}").passed
    parts = r"$B = 5\ \mathrm{nT},\ n = 6\ \mathrm{cm^{-3}}$"
    assert grade(
        gold=parts, answer=r"\boxed{B = 5\ \mathrm{nT}}, \boxed{n = 6\,\mathrm{cm^{-3}}}"
    ).passed


def test_the_parts_of_an_answer_may_stand_on_a_line_each() -> None:
    gold = r"$B = 5\ \mathrm{nT},\ n = 6\ \mathrm{cm^{-3}}$"
    assert grade(gold=gold, answer="B = 5 nT\nn = 6 cm^-3").passed
    assert grade(gold=gold, answer="- $B = 5$ nT;\n- $n = 6$ cm$^{-3}$.").passed
    assert not grade(gold=gold, answer="B = 5 nT\nn = 7 cm^-3").passed
    assert grade(gold=SPEED, answer="n = 6 cm^-3\nv = 400 km/s").passed


def test_a_right_answer_in_the_wrong_form_is_seen_as_that() -> None:
    right = r"$r_c = \frac{GM}{2c_s^2}$"
    kept = grade(gold=RADIUS, answer=right, hint=ONLY)
    assert kept.passed
    assert kept.criteria["format"].passed

    prose = grade(gold=RADIUS, answer=f"It is {right}, as was to be shown.", hint=ONLY)
    assert prose.outcome == "incorrect"
    assert prose.criteria["answer"].passed
    assert not prose.criteria["format"].passed
    assert prose.diagnosis is not None
    assert prose.diagnosis.code == GradingDiagnosis.FORMAT
    assert prose.details["deciding_rules"] == ["require_format"]

    lenient = grade(
        gold=RADIUS, answer=f"It is {right}.", hint=ONLY, rules={"require_format": False}
    )
    assert lenient.passed
    assert not lenient.criteria["format"].passed


def test_a_wrong_answer_in_the_wrong_form_keeps_its_own_reason() -> None:
    verdict = grade(gold=RADIUS, answer="r_c = GM/c_s^2", hint=ONLY)
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code == GradingDiagnosis.FACTOR
    assert not verdict.criteria["format"].passed


@pytest.mark.parametrize(
    ("hint", "answer", "kept"),
    [
        ("Answer in m/s.", "4e5 m/s", True),
        ("Answer in m/s.", "400 km/s", False),
        ("to two significant figures", "4.0e2 km/s", True),
        ("to two significant figures", "400.0 km/s", False),
        ("as JSON", '{"answer": "400 km/s"}', True),
        ("as JSON", "400 km/s", False),
        ("Put it in a \\boxed{}.", "\\boxed{400 km/s}", True),
        ("Put it in a \\boxed{}.", "400 km/s", False),
    ],
)
def test_formats(hint: str, answer: str, kept: bool) -> None:
    verdict = grade(gold=SPEED, answer=answer, hint=hint)
    assert verdict.passed  # asked for, not demanded
    assert verdict.criteria["format"].passed == kept


def test_a_hint_without_a_form_makes_no_criterion() -> None:
    assert set(grade(gold=SPEED, answer="400 km/s", hint="Use mass conservation.").criteria) == {
        "answer"
    }


def test_an_unreadable_gold_is_a_fault_of_the_data_and_equals_itself() -> None:
    gold = r"$\frac{x}{$ + \unknownmacro"
    same = grade(gold=gold, answer=gold, type="symbolic")
    assert same.passed
    assert "data_error" in same.details
    other = grade(gold=gold, answer="$x$", type="symbolic")
    assert other.outcome == "undecided"
    assert other.diagnosis is not None
    assert other.diagnosis.code == GradingDiagnosis.UNREADABLE_GOLD


def test_an_unreadable_answer_is_undecided_not_wrong() -> None:
    verdict = grade(gold=RADIUS, answer=r"$r_c = \frac{GM}{$", type="symbolic")
    assert verdict.outcome == "undecided"
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code == GradingDiagnosis.PARSE


def test_a_record_brings_its_own_rules() -> None:
    data: dict[str, Any] = {"id": "a", "final": SPEED, "type": "numeric"}
    assert not grade(read_record(data), "430 km/s").passed
    loose = read_record({**data, "meta": {"rules": {"relative_tolerance": 0.1}}})
    verdict = grade(loose, "430 km/s")
    assert verdict.passed
    assert verdict.details["rules"] == {"relative_tolerance": 0.1}
    assert verdict.protocol == "answer(relative_tolerance=0.1)"


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({}, "no gold answer"),
        ({"gold": " "}, "is empty"),
        ({"gold": "1", "type": "poem"}, "no answer type 'poem'"),
        ({"gold": "1", "rules": {"tolerance": 1}}, "'tolerance' is not a field"),
        ({"gold": "1", "rules": {"relative_tolerance": 2.0}}, "must be < 1"),
        ({"record": {"final": "1", "meta": {"rules": 3}}}, r"meta\['rules'\]"),
    ],
)
def test_a_mistake_of_the_caller_is_one_line(arguments: dict[str, Any], match: str) -> None:
    with pytest.raises(UsageError, match=match):
        grade(answer="1", **arguments)


def test_rules_are_strict_by_default_and_named() -> None:
    assert DEFAULT_RULES.overridden() == {}
    assert Rules(decimal_comma=True).overridden() == {"decimal_comma": True}
    assert not grade(gold=r"$k_B T$", answer="$kT$").passed
    assert grade(gold=r"$k_B T$", answer="$kT$", rules={"k_is_boltzmann": True}).passed
    assert not grade(gold=r"$\ln x$", answer=r"$\log x$").passed
    assert grade(gold=r"$\ln x$", answer=r"$\log x$", rules={"log_is_ln": True}).passed


def test_explain_says_what_was_read_and_why() -> None:
    page = explain(grade(gold=RADIUS, answer=r"So $r_c = \frac{GM}{c_s^2}$.", hint=ONLY))
    assert page.splitlines()[0] == "verdict      incorrect (factor)"
    assert r"taken        r_c = \frac{GM}{c_s^2}" in page
    assert "gold read as r_c = G M/(2 c_s^2)" in page
    assert "  factor     2" in page
    assert "dollar signs only: not kept (demanded)" in page


def test_explain_prints_no_control_characters() -> None:
    page = explain(grade(gold=SPEED, answer="4\x1b[31m00 km/s\u202e"))
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_grading_is_a_pure_function() -> None:
    first = [grade(gold=RADIUS, answer=f"${n} GM/c_s^2$").to_dict() for n in range(5)]
    again = [grade(gold=RADIUS, answer=f"${n} GM/c_s^2$").to_dict() for n in range(5)]
    assert first == again


FRAGMENTS = st.sampled_from(
    [*"0123456789.+-*/^_=<>(){}[]$\\%&,;: \n\x00",
     "\\frac", "\\sqrt{", "e", "x", "km",
     "/s",     "\\boxed{", " or ", "10^{", "\\mathrm{", "nT", "\\int", "\\sum_{", "!", "é", "²", "\u200b", "π"]  # noqa: E501
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.lists(FRAGMENTS, max_size=25).map("".join),
    st.sampled_from([SPEED, RADIUS, "Yes", '{"a": 1}']),
)
def test_no_text_raises(answer: str, gold: str) -> None:
    verdict = grade(gold=gold, answer=answer)
    assert verdict.outcome in {"correct", "incorrect", "undecided"}
    assert (verdict.diagnosis is None) == verdict.passed


@settings(max_examples=200, deadline=None)
@given(st.lists(FRAGMENTS, max_size=25).map("".join))
def test_every_gold_equals_itself(gold: str) -> None:
    assume(gold.strip())
    assert grade(gold=gold, answer=gold).passed


@pytest.mark.parametrize(
    "answer",
    ["$10^{10^{10}}$", "9**9**9**9", "$100000000!$", "1" * 100_000, "(" * 10_000 + "x",
     r"\def\a{\a\a}\a", "__import__('os').system('true')", "$x^{x^{x^{x^{x^x}}}}$",
     "$" + "{" * 10_000 + "$", "x" * 10**7, r"$\sum_{n=1}^{10^{12}} n$", "\x00" * 1000,
     r"\input{/etc/passwd}", r"$\sqrt{" * 500 + "x" + "}" * 500 + "$", "$(x+1)^{99999}$"],
)  # fmt: skip
@pytest.mark.parametrize("gold", [SPEED, RADIUS, "Yes"])
def test_hostile_answers_are_not_accepted(answer: str, gold: str) -> None:
    assert grade(gold=gold, answer=answer).outcome != "correct"


@pytest.mark.parametrize("empty", ["$~$", r"$\,$", r"\[ \quad \]", "$$ $$"])
def test_a_formula_of_spaces_is_no_answer(empty: str) -> None:
    assert not grade(gold=RADIUS, answer=empty).passed
    assert grade(gold=RADIUS, answer=f"{RADIUS} {empty}").passed


class Odd:
    def __str__(self) -> str:
        raise RuntimeError("odd")


@pytest.mark.parametrize("kind", ["numeric", "symbolic", "textual", "structured"])
def test_no_object_of_an_agent_raises(kind: str) -> None:
    endless: list[object] = []
    endless.append(endless)
    deep: object = 0
    for _ in range(3000):
        deep = [deep]
    for answer in (
        endless,
        Odd(),
        10**100_000,
        {(1, 2): 3},
        {b"a": 1},
        deep,
        {1, 2},
        np.float32(5),
    ):
        verdict = grade(gold="5", answer=answer, type=kind)
        assert verdict.outcome in {"correct", "incorrect", "undecided"}


class Worse:
    def __str__(self) -> str:
        raise WorstError


class WorstError(Exception):
    def __str__(self) -> str:
        raise WorstError


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Odd(), "an object of type Odd cannot be read: an object of type Odd is neither"),
        (Worse(), "an object of type Worse cannot be read: an object of type Worse is"),
        (
            {(1, 2): 3},
            "an object of type dict cannot be read: an object of type tuple stands where",
        ),
    ],
)
def test_an_object_that_cannot_be_read_is_told_as_that(answer: object, message: str) -> None:
    verdict = grade(gold="5", answer=answer, type="numeric")
    assert verdict.outcome == "undecided"
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code == GradingDiagnosis.PARSE
    assert verdict.diagnosis.message.startswith(message)
    assert message in explain(verdict)


def test_numbers_of_numpy_are_numbers() -> None:
    assert grade(gold="5", answer=np.float32(5), type="numeric").passed
    assert grade(gold="5", answer=np.array(5.0), type="numeric").passed


PIECEWISE = r"$\rho(r)=\begin{cases}\rho_0 & r<a\\ 0 & r>a\end{cases}$"
PRESSURES = r"$u = \frac{B^2}{8\pi},\quad p = nk_BT$"
CRITICAL = r"$\theta > \theta_c$, where $\sin\theta_c = 1/n$"
MOMENT = r"$\mu = \frac{mv_\perp^2}{2B}$"


@pytest.mark.parametrize(
    ("gold", "answer", "outcome"),
    [
        (r"$m_{\rm p} c^2$", "$m_pc^2$", "correct"),
        (r"$m_{\rm p} c^2$", "$m_ec^2$", "incorrect"),
        (r"$\frac{5}{3}x$", r"$1\frac{2}{3}x$", "correct"),
        (MOMENT, rf"{MOMENT[:-1]} \qquad \text{{(first adiabatic invariant)}}$", "correct"),
        (MOMENT, rf"{MOMENT[:-1]} \qquad \text{{(this is wrong)}}$", "undecided"),
        (PIECEWISE, r"$\rho=\rho_0$ inside ($r<a$) and $\rho=0$ outside ($r>a$)", "correct"),
        (PIECEWISE, r"$\rho=\rho_0$ inside ($r>a$) and $\rho=0$ outside ($r<a$)", "incorrect"),
        (PRESSURES, "1. Gas: $p = nk_BT$\n2. Field: $u=\\frac{B^2}{8\\pi}$", "correct"),
        (PRESSURES, "1. Gas: $p = nk_BT$\n2. Field: $u=\\frac{B^2}{4\\pi}$", "incorrect"),
        (CRITICAL, r"$\theta > \theta_c$, where $n\sin\theta_c = 1$", "correct"),
        (CRITICAL, r"$\theta > \theta_c$, where $\cos\theta_c = 1/n$", "incorrect"),
        (r"$2\Omega\sin\lambda$", r"$2\Omega\cos\lambda$", "incorrect"),
        (r"$3\alpha\ln\beta$", r"$3\alpha\ln\gamma$", "incorrect"),
        (r"$z^2+1$", r"$z^2+1+\ln 0$", "incorrect"),
        (r"$x$", r"$x+0\ln 0$", "incorrect"),
        (r"$\mathrm{erfc}(z)$", r"$1-\operatorname{erf}(z)$", "correct"),
    ],
)
def test_ways_to_write_a_formula(gold: str, answer: str, outcome: str) -> None:
    assert grade(gold=gold, answer=answer).outcome == outcome


def test_a_symbol_behind_a_unit_is_not_passed_over() -> None:
    gold, answer = r"$2\Omega\sin\lambda$", r"$2\Omega\cos\lambda$"
    assert not grade(gold=gold, answer=answer, type="numeric").passed
