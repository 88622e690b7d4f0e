from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ecliptic.errors import UsageError
from ecliptic.rv.difficulty import difficulty, near_resonance, tier_of
from ecliptic.rv.orbit import minimum_mass_mjup
from ecliptic.rv.tasks import Noise, Planet, RotationGP

STAR_MASS_SUN = 1.0


def planet(K_ms: float, period_days: float = 10.0, e: float = 0.0) -> Planet:
    mass = minimum_mass_mjup(K_ms, period_days, e, STAR_MASS_SUN)
    return Planet(period_days=period_days, m_sin_i_mjup=mass, e=e)


def gp(sigma_ms: float) -> RotationGP:
    return RotationGP(sigma_ms=sigma_ms, period_days=20.0, Q0=1.0, dQ=0.1, f=0.5)


def times(n: int, periods: float) -> np.ndarray:
    return np.linspace(3.0, 3.0 + periods * 10.0, n)


def points(
    planets: list[Planet] | None = None,
    n: int = 80,
    periods: float = 3.0,
    white_ms: float = 1.0,
    jitter_ms: float = 0.0,
    gp_ms: float | None = None,
) -> tuple[int, dict[str, Any]]:
    noise = Noise(
        sigma_white_ms=white_ms,
        sigma_jitter_ms=jitter_ms,
        gp=None if gp_ms is None else gp(gp_ms),
    )
    score, terms = difficulty(planets or [planet(50.0)], noise, times(n, periods), STAR_MASS_SUN)
    assert list(terms["points"]) == [
        "base",
        "snr",
        "resonance",
        "coverage",
        "observations",
        "red",
    ]
    return score, terms["points"]


@pytest.mark.parametrize(
    ("K_over_noise", "expected"),
    [(5.01, 0), (4.99, 1), (2.01, 1), (1.99, 2), (1.01, 2), (0.99, 3), (1e-3, 3)],
)
def test_signal_to_noise(K_over_noise: float, expected: int) -> None:
    for white_ms, jitter_ms in ((1.0, 0.0), (0.4, 1.6)):
        weak = planet(K_over_noise * (white_ms + jitter_ms), 100.0, e=0.3)
        _, parts = points([planet(50.0), weak], white_ms=white_ms, jitter_ms=jitter_ms)
        assert parts["snr"] == expected


@pytest.mark.parametrize(
    ("periods", "expected"), [(3.001, 0), (2.999, 1), (2.001, 1), (1.999, 2), (0.5, 2)]
)
def test_coverage(periods: float, expected: int) -> None:
    assert points(periods=periods)[1]["coverage"] == expected


@pytest.mark.parametrize(
    ("n", "expected"), [(120, 0), (80, 0), (79, 1), (50, 1), (49, 2), (30, 2), (29, 3), (1, 3)]
)
def test_observations(n: int, expected: int) -> None:
    assert points(n=n)[1]["observations"] == expected


@pytest.mark.parametrize(
    ("gp_ms", "expected"), [(None, 0), (0.98, 1), (1.0, 2), (1.98, 2), (2.0, 3), (9.0, 3)]
)
def test_red_noise(gp_ms: float | None, expected: int) -> None:
    assert points(white_ms=2.0, gp_ms=gp_ms)[1]["red"] == expected


@pytest.mark.parametrize(
    ("ratio", "near"),
    [
        (2.0, True),
        (2.059, True),
        (2.061, False),
        (1.941, True),
        (1.939, False),
        (1.5, True),
        (1.46, True),
        (1.45, False),
        (1.55, False),
        (5.0 / 3.0, True),
        (1.71, True),
        (1.72, False),
        (1.6, False),
        (3.0, False),
        (1.0, False),
    ],
)
def test_near_resonance(ratio: float, near: bool) -> None:
    assert near_resonance(ratio) is near


def test_only_neighbours_count_and_at_most_two() -> None:
    def resonance(*periods: float) -> int:
        return int(points([planet(50.0, P) for P in periods])[1]["resonance"])

    assert resonance(10.0, 12.5, 20.0) == 0  # the pair at 2:1 is none of neighbours
    assert resonance(10.0, 14.0, 20.0) == 0
    assert resonance(20.0, 10.0) == 1  # in whatever order they come
    assert resonance(10.0, 20.0, 40.0) == 2
    assert resonance(10.0, 20.0, 40.0, 80.0) == 2


def test_score_is_the_clipped_sum() -> None:
    assert points() == (
        1,
        {"base": 1, "snr": 0, "resonance": 0, "coverage": 0, "observations": 0, "red": 0},
    )
    worst = [planet(0.1, P) for P in (10.0, 20.0, 40.0, 80.0, 160.0)]
    score, parts = points(worst, n=20, periods=1.0, gp_ms=3.0)
    assert parts == {
        "base": 4,
        "snr": 3,
        "resonance": 2,
        "coverage": 2,
        "observations": 3,
        "red": 3,
    }
    assert score == 10


def test_terms_are_json_even_without_noise() -> None:
    _, terms = difficulty([planet(5.0)], Noise(sigma_white_ms=0.0, gp=gp(1.0)), times(40, 3.0), 1.0)
    assert json.loads(json.dumps(terms, allow_nan=False)) == terms


def test_needs_a_planet_and_a_time() -> None:
    with pytest.raises(UsageError, match="at least one planet and one observation"):
        difficulty([], Noise(sigma_white_ms=1.0), times(40, 3.0), 1.0)
    with pytest.raises(UsageError, match="at least one planet and one observation"):
        difficulty([planet(1.0)], Noise(sigma_white_ms=1.0), np.array([]), 1.0)


def test_tiers() -> None:
    tiers = [tier_of(score) for score in range(1, 11)]
    assert tiers == ["easy"] * 2 + ["medium"] * 4 + ["hard"] * 4


def test_agrees_with_every_published_task(stargazer_data: Path) -> None:
    paths = sorted((stargazer_data / "synthetic").glob("*.json"))
    assert len(paths) >= 70
    for path in paths:
        published = json.loads(path.read_text())
        config, details = published["config"], published["difficulty_details"]
        noise, star_mass_sun = config["noise"], config["star"]["M_star_sun"]
        red = noise["gp"]
        score, terms = difficulty(
            [
                Planet(period_days=p["P_days"], m_sin_i_mjup=p["m_sin_i_mjup"], e=p["e"])
                for p in config["planets"]
            ],
            Noise(
                sigma_white_ms=noise["sigma_white_ms"],
                sigma_jitter_ms=noise["sigma_jitter_ms"],
                gp=gp(red["sigma_ms"]) if red["use_gp"] else None,
            ),
            np.array(config["schedule"]["times_days"]),
            star_mass_sun,
        )
        assert score == int(published["truth_difficulty"]), path.name
        assert sum(terms["points"].values()) == details["raw_score"], path.name
        inputs = terms["inputs"]
        assert inputs["planets"] == details["n_planets"], path.name
        assert inputs["observations"] == details["n_obs"], path.name
        assert inputs["resonances"] == details["resonances_detected"], path.name
        assert (inputs["gp_to_white"] is not None) == details["gp_used"], path.name
        assert inputs["K_min_ms"] == pytest.approx(details["minK_ms"], rel=1e-9), path.name
        assert inputs["snr"] == pytest.approx(details["snr_like"], rel=1e-9), path.name
        coverage = details["coverage_inner_periods"]
        assert inputs["coverage_inner_periods"] == pytest.approx(coverage, rel=1e-9), path.name
