from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ecliptic.grading import grade
from ecliptic.grading.claims import read_claim
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.paraphrase import agree, normal_form
from ecliptic.grading.rules import DEFAULT_RULES
from ecliptic.grading.textual import compare_textual

HARDENS = "The spectrum hardens with increasing compression ratio."
CASES = Path(__file__).with_name("claim_cases.jsonl")
RISES = "The flux decreases with heliocentric distance."
DOMINATES = "Adiabatic cooling dominates over diffusion"
TENSION = "Magnetic tension is stronger than magnetic pressure"


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("Yes", "yes."),
        ("True", "True, since the field is frozen in."),
        ("B", "B) coronal mass ejections"),
        ("C", "(C)"),
        ("Prograde", "prograde"),
        ("solar minimum", "at the solar minimum"),
        (RISES, RISES.lower()),
        (RISES, "The flux falls with increasing heliocentric distance."),
        (RISES, "With distance it is so: the flux drops with heliocentric distance."),
        (HARDENS, "The spectrum softens with decreasing compression ratio."),
        ("solar minimum", "solar minimum, not solar maximum"),
        ("B", "Option B: coronal mass ejections. Not A."),
        (DOMINATES, "adiabatic cooling exceeds diffusion"),
        (DOMINATES, "Diffusion is dominated by adiabatic cooling."),
        ("CME", "a coronal mass ejection"),
        (HARDENS, "As the compression ratio increases, the spectrum becomes harder."),
    ],
)
def test_the_same_claim(gold: str, answer: str) -> None:
    assert compare_textual(gold, answer, DEFAULT_RULES).outcome == "same"


@pytest.mark.parametrize(
    ("gold", "answer", "code"),
    [
        ("Yes", "No", GradingDiagnosis.CONTRADICTION),
        ("B", "D", GradingDiagnosis.CONTRADICTION),
        ("B", "B or C", GradingDiagnosis.SEVERAL_ANSWERS),
        (HARDENS, "The spectrum softens with increasing compression ratio.",
         GradingDiagnosis.CONTRADICTION),
        (HARDENS, "As the compression ratio increases, the spectrum becomes softer.",
         GradingDiagnosis.CONTRADICTION),
        (HARDENS, "The spectrum does not depend on the compression ratio.",
         GradingDiagnosis.CONTRADICTION),
        (RISES, "The flux does not decrease with heliocentric distance.",
         GradingDiagnosis.CONTRADICTION),
        ("The growth rate is independent of the wavenumber.",
         "The growth rate increases with the wavenumber.", GradingDiagnosis.CONTRADICTION),
        (DOMINATES, "diffusion dominates over adiabatic cooling", GradingDiagnosis.SWAPPED),
        (DOMINATES, "adiabatic cooling does not dominate over diffusion",
         GradingDiagnosis.CONTRADICTION),
        ("CMEs cause geomagnetic storms", "Geomagnetic storms cause CMEs",
         GradingDiagnosis.SWAPPED),
        ("Flares precede CMEs", "CMEs precede flares", GradingDiagnosis.SWAPPED),
        ("Waves heat ions", "Waves are heated by ions", GradingDiagnosis.SWAPPED),
        ("There are 2 cells", "There are 3 cells", GradingDiagnosis.CONTRADICTION),
        ("solar minimum", "solar maximum", GradingDiagnosis.CONTRADICTION),
        ("Density increases and speed decreases", "Density decreases and speed increases",
         GradingDiagnosis.CONTRADICTION),
        ("Temperature and density increase", "The temperature rises and the density drops.",
         GradingDiagnosis.CONTRADICTION),
        ("bremsstrahlung", "Gyrosynchrotron emission, not bremsstrahlung.",
         GradingDiagnosis.CONTRADICTION),
        ("Type II radio burst", "a type IV radio burst", GradingDiagnosis.CONTRADICTION),
        ("The field points from dawn to dusk", "The field points from dusk to dawn",
         GradingDiagnosis.SWAPPED),
        ("downwind", "upwind", GradingDiagnosis.CONTRADICTION),
        ("No", "The beta is low, hence yes.", GradingDiagnosis.CONTRADICTION),
        ("Fast magnetosonic shock", "a slow-mode shock", GradingDiagnosis.CONTRADICTION),
        ("quasi-parallel", "quasi-perpendicular", GradingDiagnosis.CONTRADICTION),
        ("coronal mass ejection", "not a coronal mass ejection", GradingDiagnosis.CONTRADICTION),
    ],
)  # fmt: skip
def test_a_contradiction_is_named(gold: str, answer: str, code: GradingDiagnosis) -> None:
    result = compare_textual(gold, answer, DEFAULT_RULES)
    assert (result.outcome, result.code) == ("different", code)
    assert result.message


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (RISES, "As one moves outward, fewer particles cross each unit area."),
        ("coronal holes", "active regions"),
        ("magnetic reconnection", "magnetic reconnection or turbulence"),
        ("Yes", "It depends."),
        (RISES, "The flux does not increase with heliocentric distance."),
        (RISES, "The flux decreases, not increases, with heliocentric distance."),
        ("B", "coronal mass ejections"),
        (DOMINATES, "gravity dominates over rotation"),
        ("electron pressure", "electron temperature times ion pressure"),
        ("Density and speed change", "Density decreases and speed increases"),
        (
            "Energy is transferred from waves to particles",
            "from particles to waves energy is transferred",
        ),
        (TENSION, f'The claim "{TENSION}" is incorrect.'),
        (TENSION, f"It is a misconception that {TENSION}."),
        (TENSION, f"Nobody believes that {TENSION}."),
        (TENSION, f"Whether {TENSION} remains unknown."),
        (TENSION, f"Perhaps {TENSION}."),
        (TENSION, "Magnetic tension is stronger than gas pressure"),
    ],
)
def test_what_cannot_be_told_is_undecided(gold: str, answer: str) -> None:
    assert compare_textual(gold, answer, DEFAULT_RULES).outcome == "undecided"


def test_claims_of_a_record_are_checked_one_by_one() -> None:
    claims = [
        "The speed increases with distance.",
        {"text": "The density decreases with distance."},
    ]
    both = "The speed increases with distance. The density decreases with distance."
    assert compare_textual("-", both, DEFAULT_RULES, claims).outcome == "same"

    one = compare_textual("-", "The speed increases with distance.", DEFAULT_RULES, claims)
    assert one.outcome != "same"
    assert one.evidence["claims"]["The density decreases with distance."] == "undecided"

    wrong = compare_textual("-", both.replace("decreases", "increases"), DEFAULT_RULES, claims)
    assert wrong.code == GradingDiagnosis.CONTRADICTION
    assert wrong.evidence["claim"] == "The density decreases with distance."


def test_a_claim_that_is_not_spoken_of_is_incomplete() -> None:
    claims = ["The speed increases with distance.", "Reconnection heats protons."]
    result = compare_textual("-", "The speed increases with distance.", DEFAULT_RULES, claims)
    assert result.code == GradingDiagnosis.INCOMPLETE
    assert result.evidence["missing"] == ["Reconnection heats protons."]


def test_two_reversals_cancel() -> None:
    claim = read_claim("The flux decreases with decreasing distance.")
    assert (claim.subject, claim.driver, claim.effect) == ({"flux"}, {"distance"}, 1)


def read_cases(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def is_as_expected(expected: str, outcome: str) -> bool:
    if expected == "correct":
        return outcome == "correct"
    return outcome != expected.removeprefix("not ")


@pytest.mark.parametrize("gold", sorted({case["gold"] for case in read_cases(CASES)}))
def test_claims_and_what_only_looks_like_them(gold: str) -> None:
    wrong = []
    for case in read_cases(CASES):
        if case["gold"] != gold:
            continue
        outcome = grade(gold=gold, answer=case["answer"], type="textual").outcome
        if not is_as_expected(case["expected"], outcome):
            wrong.append((case["answer"], case["expected"], outcome))
    assert wrong == []


def test_the_claim_cases_go_both_ways() -> None:
    cases = read_cases(CASES)
    expected = Counter(case["expected"] for case in cases)
    assert set(expected) == {"correct", "not correct", "not incorrect"}
    assert min(expected["correct"], expected["not correct"]) >= 90
    assert len({(case["gold"], case["answer"]) for case in cases}) == len(cases)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("On the nightside, ions are heated by waves.", "Waves heat ions on the nightside."),
        ("The larger the density, the smaller the speed.", "The speed falls as the density rises."),
        ("B is followed by C", "C occurs after B"),
        ("It follows that tension exceeds pressure", "Pressure is dominated by tension."),
        ("The rate does not vary with k", "the rate is independent of k"),
        (r"The $\alpha$ effect", "the α effect"),
    ],
)
def test_one_normal_form_for_turns_of_phrase(left: str, right: str) -> None:
    assert agree(normal_form(left), normal_form(right))
    assert agree(normal_form(right), normal_form(left))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("All ions are heated by some waves.", "Some waves heat all ions."),
        ("Ions near the loop heat the gas.", "Ions heat the gas near the loop."),
        ("The speed falls as the density rises.", "The density rises as the speed falls."),
        ("The charge is -2", "The charge is 2"),
        ("T < 3", "T > 3"),
        ("Ions are not heated by waves.", "Waves heat ions."),
        ("Star A is hotter than star B", "Star is hotter than star B"),
        ("X is larger than Y", "X is faster than Y"),
    ],
)
def test_other_statements_have_other_forms(left: str, right: str) -> None:
    assert not agree(normal_form(left), normal_form(right))


def test_two_things_that_change_in_one_sentence_are_not_multiplied() -> None:
    gold = "The density rises with distance."
    answer = "The density rises with distance and the speed falls."
    assert compare_textual(gold, answer, DEFAULT_RULES).outcome == "undecided"
