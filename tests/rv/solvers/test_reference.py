"""The reference solver on stars that mislead a simpler one."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from ecliptic.rv import orbit
from ecliptic.rv.noise import draw_rotation_gp_ms
from ecliptic.rv.solvers import reference_count, solve
from ecliptic.rv.tasks import Indicator, ModelFamily, Observation, Planet, RotationGP

MASS = 0.9
SPAN = 420.0


def nights(n: int, seed: int, hours: float = 5.0) -> np.ndarray:
    """One site: some nights, all points within a few hours of the same sidereal time."""
    rng = np.random.default_rng(seed)
    days = np.sort(rng.choice(int(SPAN), n, replace=False)).astype(float)
    return 2.458e6 + 0.99726957 * days + rng.uniform(-0.5, 0.5, n) * hours / 24.0


def observe(
    elements: list[list[float]],
    times: np.ndarray,
    sigma: float = 1.0,
    rotation: RotationGP | None = None,
    seed: int = 5,
) -> Observation:
    """Orbits (P, K, e, omega, M0) with white noise, and activity that an indicator shows."""
    rng = np.random.default_rng(seed)
    n = len(times)
    rvs = orbit.curves(times, float(times[0]), np.array(elements).reshape(-1, 5)).sum(axis=0)
    rvs += sigma * rng.standard_normal(n)
    indicators: tuple[Indicator, ...] = ()
    if rotation is not None:
        activity = draw_rotation_gp_ms(rotation, times, rng)
        rvs += activity
        shown = 3.0 * activity + 0.5 * rng.standard_normal(n)
        indicators = (Indicator(name="fwhm", values_ms=shown, sigmas_ms=np.full(n, 0.5)),)
    return Observation(
        times_days=times,
        rvs_ms=rvs,
        sigmas_ms=np.full(n, sigma),
        instruments=("A",) * n,
        star_mass_sun=MASS,
        indicators=indicators,
        family=ModelFamily(
            activity=rotation is not None, period_min_days=0.6, period_max_days=300.0
        ),
    )


def found(observation: Observation, **options: object) -> np.ndarray:
    planets = [Planet(**each) for each in solve(observation, "reference", **options)["planets"]]
    return orbit.elements_of(planets, MASS)


ROTATION = RotationGP(sigma_ms=4.0, period_days=21.0, Q0=2.0, dQ=0.5, f=0.4)
CASES: dict[str, tuple[list[list[float]], RotationGP | None]] = {
    "period near a day": (
        [[1.06, 4.0, 0.05, 1.0, 2.0], [17.3, 3.0, 0.1, 2.0, 0.4]],
        None,
    ),
    "pair near 2:1": (
        [[5.0, 3.0, 0.0, 0.0, 1.0], [10.05, 6.0, 0.05, 2.0, 3.0]],
        None,
    ),
    "high eccentricity": ([[61.0, 7.0, 0.72, 2.0, 1.0], [4.3, 3.0, 0.0, 0.0, 1.0]], None),
    "active star": ([[7.7, 4.0, 0.05, 1.0, 1.0], [57.0, 6.0, 0.1, 0.3, 2.0]], ROTATION),
}


@pytest.mark.parametrize("name", CASES)
def test_finds_the_planets(name: str) -> None:
    truth, rotation = CASES[name]
    planets = found(observe(truth, nights(90, 3), rotation=rotation))
    expected = np.array(sorted(truth))
    assert len(planets) == len(expected)
    assert np.abs(1.0 / planets[:, 0] - 1.0 / expected[:, 0]).max() < 0.15 / SPAN
    assert planets[:, 1] == pytest.approx(expected[:, 1], rel=0.3)
    assert np.abs(planets[:, 2] - expected[:, 2]).max() < 0.2


@pytest.mark.parametrize("rotation", [None, ROTATION], ids=["quiet", "active"])
@pytest.mark.parametrize("seed", range(3))
def test_an_empty_star_has_no_planet(rotation: RotationGP | None, seed: int) -> None:
    observation = observe([], nights(60, seed), rotation=rotation, seed=seed)
    assert len(found(observation)) == 0


def test_jitter_is_reported() -> None:
    quiet = observe([[17.3, 30.0, 0.1, 2.0, 0.4]], nights(60, 1), sigma=4.0)
    observation = quiet.model_copy(update={"sigmas_ms": np.full(60, 1.0)})
    submission = solve(observation, "reference")
    assert len(submission["planets"]) == 1
    assert submission["noise"]["sigma_jitter_ms"] == pytest.approx(math.sqrt(15.0), rel=0.3)


def test_at_most_as_many_planets_as_asked_for() -> None:
    truth = CASES["high eccentricity"][0]
    assert len(found(observe(truth, nights(60, 2)), max_planets=1)) == 1


def test_planets_that_pull_on_each_other() -> None:
    """A pull of ten times the errors is no further planet, and the masses come out right."""
    pytest.importorskip("rebound", reason="needs the extra 'nbody'")
    from ecliptic.rv.nbody import nbody_velocities_ms

    truth = [
        Planet(period_days=30.1, m_sin_i_mjup=0.7, e=0.2, omega_rad=0.6, l_rad=1.0),
        Planet(period_days=61.0, m_sin_i_mjup=2.3, e=0.05, omega_rad=2.0, l_rad=4.0),
    ]
    blank = observe([], nights(60, 8))
    family = ModelFamily(period_min_days=0.6, period_max_days=300.0, forward_model="nbody")
    times = np.array(blank.times_days)
    rvs = nbody_velocities_ms(times, truth, MASS, frame="sky", t_ref_days=float(times[0]))
    observation = blank.model_copy(update={"rvs_ms": blank.rvs_ms + rvs, "family": family})
    planets = solve(observation, "reference", max_planets=4)["planets"]
    assert [each["period_days"] for each in planets] == pytest.approx([30.1, 61.0], rel=5e-3)
    assert [each["m_sin_i_mjup"] for each in planets] == pytest.approx([0.7, 2.3], rel=0.1)


@pytest.mark.parametrize(
    ("gain_bic", "gain_ln_z", "worth"),
    [
        (19.0, 9.0, False),  # below the public rule
        (23.0, 0.1, False),  # even odds: an orbit of e = 0.66 through a few points
        (23.0, 3.5, True),
        (61.0, -5.0, True),  # beyond doubt, Laplace is not asked
    ],
)
def test_a_planet_needs_strong_evidence(
    gain_bic: float, gain_ln_z: float, worth: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference_count, "ln_evidence", lambda model: model.ln_z)
    fewer = SimpleNamespace(n_planets=4, bic=0.0, ln_z=0.0)
    more = SimpleNamespace(n_planets=5, bic=-gain_bic, ln_z=gain_ln_z)
    assert reference_count.is_worth(more, fewer) is worth  # type: ignore[arg-type]
