"""Answers that their own words deny, contrast or double, and like ones that must pass."""

from __future__ import annotations

import time
from typing import Any

import pytest

from ecliptic.grading import grade
from ecliptic.grading.cleaning import clean

SHOCK = '{"v": 400, "kind": "slow"}'
ENERGY = "$E=mc^2$"
BETA = r"$\beta > 1$"
SPEED = "400 km/s"


@pytest.mark.parametrize(
    "answer",
    [
        f"Not this: {SHOCK}",
        f"Do not answer {SHOCK}",
        f"{SHOCK} is wrong.",
        f"{SHOCK}?",
        f"{SHOCK}\nThis is incorrect.",
        f"{SHOCK}\nWait, v should be 700.",
        f"The wrong answer would be {SHOCK}",
        f"It would be a mistake to write {SHOCK}",
        '{"answer": {"v": 700, "kind": "fast"}, "v": 400, "kind": "slow"}',
        '{"v": 400, "kind": "slow", "correction": {"v": 700}}',
        '{"v": 400, "kind": "slow", "final_answer": {"kind": "fast", "v": 400}}',
    ],
)
def test_a_denied_or_doubled_document_is_no_right_one(answer: str) -> None:
    assert not grade(gold=SHOCK, answer=answer, type="structured").passed


@pytest.mark.parametrize(
    "answer",
    [
        f"Answer: {SHOCK}",
        f"So we get\n```json\n{SHOCK}\n```\nwhere v is in km/s.",
        f"This is not a simple problem. The answer:\n{SHOCK}",
        f"Some would say it is fast, which is wrong. {SHOCK}",
        f"Wait, that was wrong. {SHOCK}",
        f"It is not fast: {SHOCK}",
        f"{SHOCK}\nThe shock does not move faster than 500 km/s.",
        rf"\boxed{{{SHOCK}}}",
        '{"answer": {"v": 400, "kind": "slow"}, "v": 400, "kind": "slow"}',
        '{"v": 400, "kind": "slow", "result": "done"}',
    ],
)
def test_words_around_a_document_that_leave_it(answer: str) -> None:
    verdict = grade(gold=SHOCK, answer=answer, type="structured")
    assert verdict.passed, verdict.diagnosis


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (ENERGY, "$E=mc^2$ is a well known formula, but the answer here is $E=mc$"),
        (ENERGY, "Usually $E=mc^2$, but here $E=mc^3$."),
        (ENERGY, r"$E=mc^2$ is the rest energy; here $E=\gamma mc^2$."),
        (ENERGY, "In vacuum $E=mc^2$. However, in this case $E = mc^3$."),
        (ENERGY, "$E=mc^2$ never holds"),
        (ENERGY, "$E=mc^2$ is violated."),
        (ENERGY, "$E=mc^2$ breaks down"),
        (BETA, r"$\beta > 1$ fails"),
        (BETA, r"$\beta > 1$ is clearly violated"),
        (BETA, r"unless $\beta>1$"),
        (BETA, r"except for $\beta > 1$"),
    ],
)
def test_a_contrasted_or_denied_formula_is_no_right_one(gold: str, answer: str) -> None:
    assert not grade(gold=gold, answer=answer, type="symbolic").passed


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (ENERGY, "Usually $E=mc^3$, but here $E=mc^2$."),
        (ENERGY, "$E=mc^2$, where here $c$ is the speed of light."),
        (ENERGY, "$E=mc^2$, but the units here are joules."),
        (ENERGY, "$E=mc^2$ never fails, as experiments show."),
        (ENERGY, "$E=mc^2$ is not violated."),
        (BETA, r"The approximation fails when $\beta > 1$"),
        (BETA, r"unstable when $\beta > 1$"),
    ],
)
def test_a_formula_that_stays(gold: str, answer: str) -> None:
    verdict = grade(gold=gold, answer=answer, type="symbolic")
    assert verdict.passed, verdict.diagnosis


OTHERS = ["final_answer", "result", "final", "alternative", "correction", "corrected_answer"]


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(("first", "second"), [(SPEED, "700 km/s"), ("700 km/s", SPEED)])
def test_two_answers_in_one_document(name: str, first: str, second: str) -> None:
    verdict = grade(gold=SPEED, answer={"answer": first, name: second}, type="numeric")
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code == "several_answers"
    assert grade(gold=SPEED, answer={name: SPEED, "answer": SPEED}, type="numeric").passed


@pytest.mark.parametrize(
    "answer",
    [
        {"answer": SPEED, "final_answer": "4e5 m/s"},
        {"answer": SPEED, "result": 400},
        {"answer": 400, "unit": "km/s", "result": 400},
        {"answer": SPEED, "solution": "We use v = sqrt(2GM/R) and find 400 km/s."},
        {"answer": SPEED, "solution": "Take r = 3 R_sun and integrate."},
        {"answer": SPEED, "result": "success"},
        {"answer": SPEED, "alternative": None},
        {"answer": SPEED, "final": True},
    ],
)
def test_one_answer_with_more_beside_it(answer: Any) -> None:
    verdict = grade(gold=SPEED, answer=answer, type="numeric")
    assert verdict.passed, verdict.diagnosis


@pytest.mark.parametrize(
    "answer",
    ["Answer: 400 km/s (fast) / 700 km/s (slow)", "700 km/s (fast) / 400 km/s (slow)",
     "400 km/s (fast wind) | 700 km/s (slow wind)"],
)  # fmt: skip
def test_two_values_with_remarks_are_two_answers(answer: str) -> None:
    assert not grade(gold=SPEED, answer=answer, type="numeric").passed


PRESSURE = {
    "id": "p", "type": "symbolic", "final": r"$B^2/(2\mu_0)$", "hint": "", "meta": {},
    "question": r"Show that the pressure is $B^2/(2\mu_0)$.",
}  # fmt: skip


@pytest.mark.parametrize(
    "answer",
    [
        r"The task: Derive $B^2/(2\mu_0)$. I was not able to.",
        r"We are asked to show $B^2/(2\mu_0)$. I failed.",
        r"I could not obtain $B^2/(2\mu_0)$.",
        r"Cannot derive $B^2/(2\mu_0)$.",
        r"I get twice the stated $B^2/(2\mu_0)$.",
        r"I was unable to reproduce $p=B^2/(2\mu_0)$, sorry.",
    ],
)
def test_a_failure_with_the_formula_of_the_question_is_no_answer(answer: str) -> None:
    assert not grade(PRESSURE, answer).passed


@pytest.mark.parametrize(
    "answer",
    [
        r"We cannot find it by symmetry alone, but the stress tensor gives $B^2/(2\mu_0)$.",
        r"Direct integration fails. The virial theorem gives $p=B^2/(2\mu_0)$, as stated.",
        r"Energy density: $p = B^2/(2\mu_0)$. QED",
        r"We could not find a shorter way; the result is $\frac{B^2}{2\mu_0}$.",
    ],
)
def test_a_derivation_of_what_the_question_states_is_one(answer: str) -> None:
    verdict = grade(PRESSURE, answer)
    assert verdict.passed, verdict.diagnosis


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (r"\cancel{$a$} $b$", "$b$"),
        (r"$\bcancel{a}$ $b$", "$b$"),
        (r"$$\xcancel{\frac{a}{b}}$$ $c$", "$c$"),
        (r"\sout{400} 700 km/s", "700 km/s"),
        (r"\st{400 km/s}", ""),
        (r"$a\phantom{b}$", "$a$"),
        (r"$\hphantom{a}$$\vphantom{a}$", ""),
        (r"$\frac{\cancel m a}{b}$", r"$\frac{ a}{b}$"),
        (r"$x$ \cancel{y} $z$", "$x$  $z$"),
        (r"\cancelto{0}{x} \stackrel{a}{b}", r"\cancelto{0}{x} \stackrel{a}{b}"),
        (r"\cancel{a", r"\cancel{a"),
    ],
)
def test_what_is_struck_out_or_hidden_in_latex(text: str, seen: str) -> None:
    assert clean(text).text == seen


@pytest.mark.parametrize(
    "answer",
    [r"\boxed{" * 30_000, r"\boxed{ " * 20_000, r"\boxed{" * 20_000 + "}" * 20_000,
     r"\cancel{" * 20_000, r"\cancel{" * 10_000 + "}" * 10_000, r"$\cancel{a}" * 8_000],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["structured", "symbolic"])
def test_many_openings_take_no_time(answer: str, kind: str) -> None:
    start = time.process_time()
    assert not grade(gold=SHOCK if kind == "structured" else "$x$", answer=answer, type=kind).passed
    assert time.process_time() - start < 2.0


@pytest.mark.parametrize(
    ("gold", "answer", "code", "words"),
    [
        (r"$B/\sqrt{\mu_0\rho}$", r"$B/\sqrt{4\pi\rho}$", "unit_system", "Gaussian units"),
        (r"$B^2/(2\mu_0)$", r"$B^2/(8\pi)$", "unit_system", "Gaussian units"),
        (r"$B^2/(2\mu_0)$", r"$B^2/(2\pi)$", "exponent", "mu_0"),
        ("6e-12 W m^-3", "6e-12 erg/cm^3/s", "unit_system", "W m^-3"),
        ("6e-12 W m^-3", "6e-12 mW m^-3", "unit_prefix", "W m^-3"),
        ("45 degrees", "0.785 deg", "unit_prefix", "radians, not in degrees"),
        ("0.785 rad", "45 rad", "unit_prefix", "degrees, not in radians"),
        (r"$-v\times B$", r"$-B\times v$", "sign", "wrong order"),
        (r"$-v\times B$", r"$v\times B$", "sign", "the overall sign is wrong"),
    ],
)
def test_the_reason_names_units_and_orders(gold: str, answer: str, code: str, words: str) -> None:
    diagnosis = grade(gold=gold, answer=answer).diagnosis
    assert diagnosis is not None
    assert (diagnosis.code, words in diagnosis.message) == (code, True)
