"""Each fault of a set of planets, made on purpose, has its label."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from analysis.failures.bench import (
    alternate,
    anytime,
    codes,
    dark,
    fitted,
    labels_of,
    nightly,
    planet,
    seasonal,
    star_of,
)

from ecliptic import rv
from ecliptic.analysis.failures import FailureCode
from ecliptic.analysis.failures.planet_rules import planet_labels
from ecliptic.rv.submission import GRADER_LIMITS
from ecliptic.rv.tasks import RotationGP

DAYS = {
    "sidereal day": 0.99726957,
    "solar day": 1.0,
    "two days": 2.0,
    "lunar month": 29.530589,
    "year": 365.25636,
}
ALIASES = [
    ("sidereal day", nightly(90, 900), 17.3, 1),
    ("sidereal day", nightly(90, 900), 17.3, -1),
    ("sidereal day", nightly(90, 900), 0.77, -1),
    ("two days", alternate(90, 800), 23.4, 1),
    ("two days", alternate(90, 800), 23.4, -1),
    ("lunar month", dark(100, 24), 71.0, 1),
    ("lunar month", dark(100, 24), 12.4, -1),
    ("year", seasonal(120, 6), 140.0, 1),
    ("year", seasonal(120, 6), 140.0, -1),
]


@pytest.mark.parametrize(("cycle", "times", "P", "sign"), ALIASES)
def test_a_fit_at_an_alias_is_one_by_name(
    cycle: str, times: np.ndarray, P: float, sign: int
) -> None:
    star = star_of(times, [planet(P, 12.0)])
    alias = abs(1.0 / P + sign / DAYS[cycle])
    first, *others = labels_of(star, fitted(star, [1.0 / alias]))
    assert first.code == FailureCode.ALIAS
    assert cycle in first.which
    assert not others
    assert f"{P:.5g} d true" in first.evidence
    assert ("reflected" in first.evidence) == (sign < 0 and 1.0 / DAYS[cycle] > 1.0 / P)


def test_cycles_that_the_span_cannot_tell_apart_are_named_together() -> None:
    star = star_of(nightly(40, 60), [planet(7.3, 12.0)])
    (first,) = labels_of(star, fitted(star, [1.0 / (1.0 / 7.3 + 1.0014)]))
    assert first.which in {"sidereal day or solar day", "solar day or sidereal day"}


def test_an_alias_beside_a_planet_that_was_found() -> None:
    star = star_of(nightly(90, 900), [planet(17.3, 12.0), planet(60.7, 9.0, M0=3.0)])
    guess = fitted(star, [17.3, 1.0 / (1.00273791 - 1.0 / 60.7)])
    labels = labels_of(star, guess)
    assert [(each.code, each.which) for each in labels] == [("alias", "sidereal day")]


def test_the_frequency_alone_makes_no_alias() -> None:
    """At any hour of the day the sampling has no day, so that the relation is a coincidence."""
    star = star_of(anytime(90, 900), [planet(17.3, 12.0)])
    alias = planet(1.0 / (1.0 + 1.0 / 17.3), 12.0)
    assert codes(labels_of(star, [alias])) == ["missed_planet", "spurious_planet"]


HARMONICS = [
    ("P/2", 0.5, planet(31.0, 15.0, e=0.65), 0.0),
    ("P/3", 1 / 3, planet(31.0, 15.0, e=0.7), 0.0),
    ("2P", 2.0, planet(14.77, 12.0), 0.6),
]


@pytest.mark.parametrize(("name", "ratio", "true", "e"), HARMONICS)
def test_a_fit_at_a_harmonic_is_one_by_name(
    name: str, ratio: float, true: object, e: float
) -> None:
    star = star_of(anytime(80, 500), [true])
    first, *_ = labels_of(star, fitted(star, [ratio * true.period_days], e=e))
    assert (first.code, first.which) == ("harmonic", name)
    assert f"{name} of the true period" in first.evidence


def test_an_eccentric_orbit_told_as_two_circular_ones_has_a_harmonic() -> None:
    true = planet(31.0, 15.0, e=0.5)
    star = star_of(anytime(80, 500), [true])
    labels = labels_of(star, [planet(31.0, 14.0, M0=1.3), *fitted(star, [15.5], subtract=[
        planet(31.0, 14.0, M0=1.3)])])  # fmt: skip
    assert "harmonic" in codes(labels)
    assert "missed_planet" not in codes(labels)


PAIR = [planet(15.0, 4.0, M0=2.0), planet(30.1, 12.0, e=0.02)]


def test_one_eccentric_orbit_for_a_resonant_pair() -> None:
    star = star_of(anytime(70, 400), PAIR)
    (guess,) = fitted(star, [30.1], e=0.3)
    assert guess.e > 0.2
    labels = labels_of(star, [guess])
    assert (labels[0].code, labels[0].which) == ("merged_pair", "eccentric orbit for 2:1")
    assert "missed_planet" not in codes(labels)
    assert "15 d" in labels[0].evidence


def test_the_outer_planet_alone_is_no_merger() -> None:
    star = star_of(anytime(70, 400), PAIR)
    assert codes(labels_of(star, [PAIR[1]])) == ["missed_planet"]


@pytest.mark.parametrize("outer_days", [54.0, 55.0])
def test_one_planet_between_two(outer_days: float) -> None:
    star = star_of(anytime(80, 300), [planet(50.0, 10.0), planet(outer_days, 10.0, M0=1.2)])
    (guess,) = fitted(star, [52.0], e=0.3)
    assert 51.0 < guess.period_days < 53.0
    (first,) = labels_of(star, [guess])
    assert (first.code, first.which) == ("merged_pair", "one between two")


def spots(times: np.ndarray) -> np.ndarray:
    return 6.0 * np.sin(2 * np.pi * times / 24.0) + 3.0 * np.cos(2 * np.pi * times / 12.0 + 1.0)


@pytest.mark.parametrize(
    ("P", "which"), [(24.0, "rotation"), (25.5, "rotation"), (12.0, "half the rotation")]
)
def test_a_planet_at_the_rotation_is_noise(P: float, which: str) -> None:
    true = [planet(7.1, 10.0)]
    gp = RotationGP(sigma_ms=5.0, period_days=24.0, Q0=2.0, dQ=1.0, f=0.5)
    star = star_of(anytime(90, 60), true, gp=gp, signal=spots)
    labels = labels_of(star, true + fitted(star, [P], subtract=true))
    assert ("noise_as_planet", which) in [(each.code, each.which) for each in labels]
    assert "rotates in 24 d" in labels[0].evidence


def test_a_planet_at_the_period_of_the_sampling_is_noise() -> None:
    true = [planet(7.1, 10.0)]
    rng = np.random.default_rng(8)
    # What the hours of the night do to the instrument, and nothing else.
    star = star_of(
        nightly(90, 900), true, signal=lambda t: 4.0 * np.sin(2 * np.pi * t / 0.99726957)
        * rng.uniform(0.9, 1.1, len(t)),
    )  # fmt: skip
    labels = labels_of(star, [*true, planet(0.99726957, 6.0, M0=-np.pi / 2)])
    assert codes(labels)[0] == "noise_as_planet"
    assert labels[0].which.startswith("window: sidereal day")


def test_a_planet_too_many_and_one_too_few() -> None:
    true = [planet(7.1, 10.0), planet(51.0, 6.0)]
    star = star_of(anytime(80, 500), true)
    (more,) = labels_of(star, [*true, planet(19.7, 3.0)])
    assert more.code == "spurious_planet"
    assert "19.7 d" in more.evidence
    (less,) = labels_of(star, true[:1])
    assert less.code == "missed_planet"
    assert "51 d (K 6 m/s" in less.evidence
    assert codes(labels_of(star, [])) == ["no_planets"]


WRONG: list[tuple[str, Callable[[], object]]] = [
    ("wrong_eccentricity", lambda: planet(51.0, 6.0, e=0.02, M0=1.0)),
    ("wrong_amplitude", lambda: planet(51.0, 12.0, e=0.4)),
    ("wrong_phase", lambda: planet(51.0, 6.0, e=0.4, M0=2.2)),
    ("wrong_period", lambda: planet(1.0 / (1.0 / 51.0 + 0.6 / 500.0), 6.0, e=0.4)),
]


@pytest.mark.parametrize(("code", "guess"), WRONG)
def test_one_element_off(code: str, guess: Callable[[], object]) -> None:
    star = star_of(anytime(80, 500), [planet(51.0, 6.0, e=0.4)])
    labels = labels_of(star, [guess()])
    assert codes(labels)[0] == code
    assert "51 d" in labels[0].evidence


def test_right_planets_that_leave_too_much() -> None:
    true = [planet(7.1, 10.0)]
    star = star_of(anytime(80, 500), true, signal=lambda t: 8.0 * np.sin(2 * np.pi * t / 33.3))
    labels = labels_of(star, true, protocol="paper")
    assert codes(labels) == ["poor_residuals"]
    assert "rms" in labels[0].evidence


def test_under_the_published_protocol_the_rules_are_the_same() -> None:
    star = star_of(nightly(90, 900), [planet(17.3, 12.0)])
    guess = fitted(star, [1.0 / (1.00273791 - 1.0 / 17.3)])
    assert codes(labels_of(star, guess, protocol="paper"))[0] == "alias"


def test_of_two_faults_of_one_planet_the_larger_is_primary() -> None:
    star = star_of(anytime(80, 500), [planet(51.0, 6.0)])
    labels = labels_of(star, [planet(51.0, 2.0, M0=1.9)])
    assert codes(labels) == ["wrong_amplitude", "wrong_phase"]
    labels = labels_of(star, [planet(51.0, 3.0, M0=1.9)])
    assert codes(labels) == ["wrong_phase", "wrong_amplitude"]


EXTREMES = [
    {"period_days": 1e-300, "m_sin_i_mjup": 1.0},
    {"period_days": 1e300, "m_sin_i_mjup": 1e308},
    {"period_days": 7.1, "m_sin_i_mjup": 1e308, "e": 0.999999},
    {"period_days": 7.1, "m_sin_i_mjup": 0.0},
    {"period_days": 3.55, "m_sin_i_mjup": 1.0, "omega_rad": 1e308, "l_rad": -1e308},
]


@pytest.mark.parametrize("extreme", EXTREMES)
def test_whatever_is_submitted_has_a_label(extreme: dict[str, float]) -> None:
    star = star_of(anytime(40, 200), [planet(7.1, 10.0)])
    submission = rv.read_submission({"planets": [extreme]}, GRADER_LIMITS)
    verdict = rv.evaluate(star, submission, "paper").to_dict()
    labels = planet_labels(star, submission, verdict)
    assert labels
    assert all("nan" not in each.evidence for each in labels)
