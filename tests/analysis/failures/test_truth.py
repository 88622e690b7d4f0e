"""The truth itself is never called a wrong planet."""

from __future__ import annotations

import numpy as np
import pytest
from analysis.failures.bench import anytime, codes, nightly, planet, star_of
from hypothesis import given, settings
from hypothesis import strategies as st

from ecliptic.analysis.failures.planet_rules import planet_labels
from ecliptic.analysis.failures.vocabulary import FailureCode
from ecliptic.rv.oracle import as_submission
from ecliptic.rv.tasks import Planet, RVTask
from ecliptic.suite import load_suite

ALLOWED = {"poor_residuals", "no_improvement"}


@st.composite
def stars(draw: st.DrawFn) -> RVTask:
    """Any star of one to five planets, seen by night or at any hour."""
    n = draw(st.integers(1, 5))
    logs = draw(st.lists(st.floats(0.0, 1.0), min_size=n, max_size=n, unique=True))
    periods = sorted(0.8 * 500.0**each for each in logs)
    planets = [
        planet(
            P,
            draw(st.floats(1.0, 60.0)),
            draw(st.floats(0.0, 0.8)),
            draw(st.floats(0.0, 6.28)),
            draw(st.floats(0.0, 6.28)),
        )
        for P in periods
    ]
    times = draw(st.sampled_from([nightly, anytime]))
    seed = draw(st.integers(0, 9))
    return star_of(times(draw(st.integers(25, 90)), 400.0, seed), planets, seed=seed)


@given(stars(), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_the_truth_in_any_order_has_no_label_of_planets(star: RVTask, rng: object) -> None:
    planets = list(star.truth.planets)
    rng.shuffle(planets)  # type: ignore[attr-defined]
    labels = planet_labels(star, as_submission(planets), None)
    assert set(codes(labels)) <= ALLOWED


@given(stars(), st.lists(st.tuples(st.floats(0.6, 900.0), st.floats(0.0, 50.0)), max_size=7))
@settings(max_examples=100, deadline=None)
def test_any_submission_has_labels_of_planets_and_the_same_ones_again(
    star: RVTask, guesses: list[tuple[float, float]]
) -> None:
    submission = as_submission([planet(P, K) for P, K in guesses])
    labels = planet_labels(star, submission, None)
    assert labels == planet_labels(star, submission, None)
    assert all(each.code.group == "planets" and each.evidence for each in labels)


@pytest.mark.parametrize("star", list(load_suite("quick")), ids=lambda star: star.id)
def test_the_truth_and_what_is_near_it_on_shipped_stars(star: RVTask) -> None:
    rng = np.random.default_rng(5)
    recovery = star.truth.recovery
    for scale in (0.0, 1.0):
        moved = [
            each.model_copy(update={"period_days": each.period_days + scale * rng.normal() * sigma})
            for each, sigma in zip(star.truth.planets, recovery.period_sigmas_days, strict=True)
        ]
        labels = planet_labels(star, as_submission(moved), None)
        assert set(codes(labels)) <= ALLOWED | {"wrong_phase"}


def test_each_true_planet_left_out_is_missed() -> None:
    for star in load_suite("quick"):
        for i, gone in enumerate(star.truth.planets):
            rest: list[Planet] = [p for k, p in enumerate(star.truth.planets) if k != i]
            labels = planet_labels(star, as_submission(rest), None)
            expected = FailureCode.MISSED_PLANET if rest else FailureCode.NO_PLANETS
            assert [each.code for each in labels] == [expected]
            assert f"{gone.period_days:.5g} d" in labels[0].evidence
