"""The published stars with submissions whose fault is known."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest
from analysis.failures.bench import codes

from ecliptic import rv
from ecliptic.analysis.failures.evidence import ordered
from ecliptic.analysis.failures.planet_rules import planet_labels

RIGHT = {"poor_residuals", "no_improvement"}
SHAPES = {"wrong_eccentricity", "wrong_amplitude", "wrong_phase"}


@pytest.fixture(scope="module")
def found(stargazer_data: Path) -> dict[str, list[tuple[int, list[str]]]]:
    """By kind of fault: number of true planets, and labels of what did not pass."""
    stars = {star.source_id: star for star in rv.import_stargazer(stargazer_data)}
    cases: dict[str, list[tuple[int, list[str]]]] = defaultdict(list)
    for line in (stargazer_data / "expected_paper_protocol.jsonl").read_text().splitlines():
        case = json.loads(line)
        star = stars[case["task_id"]]
        verdict = rv.evaluate(star, case["submission"], "paper")
        if not verdict.passed:
            submission = rv.read_submission(case["submission"])
            labels = ordered(planet_labels(star, submission, verdict.to_dict()))
            cases[case["case"]].append((len(star.truth.planets), codes(labels)))
    return cases


def test_the_truth_is_no_wrong_planet(found: dict[str, list[tuple[int, list[str]]]]) -> None:
    assert found["truth"]
    assert all(set(labels) <= RIGHT for _, labels in found["truth"])


@pytest.mark.parametrize(
    ("case", "code"),
    [("half_period", "harmonic"), ("extra", "spurious_planet"), ("empty", "no_planets")],
)
def test_a_known_fault_is_the_primary_label(
    case: str, code: str, found: dict[str, list[tuple[int, list[str]]]]
) -> None:
    assert [labels[0] for _, labels in found[case]] == [code] * len(found[case])


def test_planets_left_out_are_missed(found: dict[str, list[tuple[int, list[str]]]]) -> None:
    for n_true, labels in found["first_only"]:
        assert "missed_planet" in labels if n_true > 1 else set(labels) <= RIGHT


def test_circular_orbits_have_no_wrong_period(
    found: dict[str, list[tuple[int, list[str]]]],
) -> None:
    assert all(set(labels) <= RIGHT | SHAPES for _, labels in found["circular"])
