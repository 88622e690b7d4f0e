"""The recipe ``ecliptic``: each task is what its tier and its structures say."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import numpy as np
import pytest

from ecliptic.errors import UsageError
from ecliptic.rv import activity, amplitudes, recipe, systems
from ecliptic.rv.fresh_noise import signal_ms
from ecliptic.rv.generator import generate, generate_many
from ecliptic.rv.observing import MAX_VISITS
from ecliptic.rv.orbit import radial_velocity_ms, semi_amplitude_ms
from ecliptic.rv.recipe import candidate
from ecliptic.rv.recipe_options import Options
from ecliptic.rv.streams import Stream, Streams
from ecliptic.rv.structures import ECLIPTIC_TIERS, RANGES, EclipticTier
from ecliptic.rv.tasks import RVTask

SEED = 2**100 + 17
COUNTS: dict[EclipticTier, int] = {"easy": 25, "medium": 25, "hard": 20, "frontier": 4, "faint": 20}


@pytest.fixture(scope="module")
def tasks() -> list[RVTask]:
    return [candidate(SEED, tier, index) for tier, n in COUNTS.items() for index in range(n)]


def placed_by(task: RVTask, structure: str) -> list[int]:
    return [j for j, name in enumerate(task.meta["design"]["placed_by"]) if name == structure]


def without_zero_points(task: RVTask) -> np.ndarray:
    """Velocities less planets, offsets, drifts and trend: what the noise must be."""
    seen, truth = task.observation, task.truth
    by_label = {each.label: each for each in truth.instruments}
    mine = [by_label[label] for label in seen.instruments]
    years = (seen.times_days - seen.t_ref_days) / 365.25
    rest = seen.rvs_ms - radial_velocity_ms(
        seen.times_days, truth.planets, seen.star_mass_sun, seen.t_ref_days
    )
    rest = rest - [each.gamma_ms for each in mine]
    rest = rest - years * [each.drift_ms_per_year for each in mine]
    return rest - sum((c * years**k for k, c in enumerate(truth.trend, start=1)), np.zeros(1))


def white_variance(task: RVTask) -> np.ndarray:
    jitter = {each.label: each.sigma_jitter_ms for each in task.truth.instruments}
    mine = np.array([jitter[label] for label in task.observation.instruments])
    return task.observation.sigmas_ms**2 + mine**2


def test_tiers_keep_to_their_ranges(tasks: list[RVTask]) -> None:
    for task in tasks:
        ranges, seen, family = RANGES[task.tier], task.observation, task.observation.family
        assert family is not None
        span = seen.times_days[-1] - seen.times_days[0]
        periods = [planet.period_days for planet in task.truth.planets]
        low, high = ranges.planets
        assert low <= len(periods) <= high
        low, high = ranges.structures
        assert low <= len(task.meta["structures"]) <= high
        assert set(ranges.always) <= set(task.meta["structures"])
        assert 40 <= len(seen.times_days) <= 150
        assert 1 <= len(seen.instrument_labels) <= 4
        assert min(map(seen.instruments.count, seen.instrument_labels)) >= 10
        assert len(set(task.meta["survey"]["sites"].values())) <= 2
        assert family.period_min_days < min(periods)
        assert max(periods) <= 0.7 * span < family.period_max_days
        assert periods == sorted(periods)
        assert systems.keep_apart(task.truth.planets, seen.star_mass_sun)
        low, high = ranges.difficulty
        assert low <= task.difficulty <= high


def test_amplitudes_meet_the_tolerances_drawn(tasks: list[RVTask]) -> None:
    for task in tasks:
        design, (low, high) = task.meta["design"], RANGES[task.tier].tolerance
        assert all(low <= target <= high for target in design["targets"])
        ratio = np.array(design["tolerances"]) / design["targets"]
        assert np.abs(np.log(ratio)).max() < 0.06
        for planet, K_ms in zip(task.truth.planets, design["K_ms"], strict=True):
            got = semi_amplitude_ms(
                planet.m_sin_i_mjup, planet.period_days, planet.e, task.observation.star_mass_sun
            )
            assert got == pytest.approx(K_ms, rel=1e-6)
            assert 0.003 <= planet.m_sin_i_mjup <= 13.0


def test_faint_planets_are_faint(tasks: list[RVTask]) -> None:
    for task in tasks:
        if task.tier == "faint" and not task.meta["structures"]:
            n, sigma = len(task.observation.times_days), math.sqrt(np.mean(white_variance(task)))
            for K in task.meta["design"]["K_ms"]:
                assert 7 < K * math.sqrt(n) / sigma < 40


def test_structures_are_what_they_are_called(tasks: list[RVTask]) -> None:
    seen_structures = set()
    for task in tasks:
        planets, family = task.truth.planets, task.observation.family
        assert family is not None
        for structure in task.meta["structures"]:
            seen_structures.add(structure)
            mine = [planets[j] for j in placed_by(task, structure)]
            periods = [planet.period_days for planet in mine]
            if structure == "resonant_pair":
                assert 0.001 < abs(periods[1] / periods[0] / 2.0 - 1.0) < 0.006
            elif structure == "eccentric":
                assert [0.55 <= planet.e <= 0.8 for planet in mine] == [True]
            elif structure == "alias":
                assert min(abs(periods[0] / days - 1.0) for days in (1, 2, 3)) <= 0.1
                assert len(set(task.meta["survey"]["sites"].values())) == 1
            elif structure == "chain":
                assert all(1.3 < outer / inner < 1.8 for inner, outer in pairwise(periods))
                assert len(mine) == 3
            elif structure == "instruments":
                assert len(task.observation.instrument_labels) >= 2
                assert len(family.drifting) in (1, 2)
        assert family.activity == ("activity" in task.meta["structures"])
    assert len(seen_structures) == 6


def test_declared_drifts_and_trend_are_those_of_the_truth(tasks: list[RVTask]) -> None:
    orders = set()
    for task in tasks:
        family = task.observation.family
        assert family is not None
        drifts = [each.label for each in task.truth.instruments if each.drift_ms_per_year]
        assert list(family.drifting) == drifts
        assert len(task.truth.trend) == family.trend_order
        assert family.forward_model == task.truth.forward_model == "keplerian"
        orders.add(family.trend_order)
    assert orders == {0, 1, 2}


def test_what_is_left_is_the_stated_noise(tasks: list[RVTask]) -> None:
    """Whitened residuals of the truth, with the activity's covariance where there is one."""
    squares, count = 0.0, 0
    for task in tasks:
        rest, covariance = without_zero_points(task), np.diag(white_variance(task))
        gp = task.truth.noise.gp
        if gp is not None:
            times = task.observation.times_days
            lags = np.abs(times[:, np.newaxis] - times)
            covariance += gp.sigma_ms**2 * activity.rotation_correlation(gp, lags)
        z = np.linalg.solve(np.linalg.cholesky(covariance), rest)
        squares, count = squares + float(z @ z), count + z.size
        assert abs(z @ z - z.size) < 5.5 * math.sqrt(2 * z.size)
    assert abs(squares - count) < 4.0 * math.sqrt(2.0 * count)


def test_activity_is_as_strong_as_its_tier_says_and_keeps_away(tasks: list[RVTask]) -> None:
    active = [task for task in tasks if "activity" in task.meta["structures"]]
    assert len(active) >= 10
    for task in active:
        gp, K = task.truth.noise.gp, np.median(task.meta["design"]["K_ms"])
        assert gp is not None
        assert 0.245 < gp.sigma_ms / K < 1.01
        assert 8.0 <= gp.period_days <= 40.0
        for planet in task.truth.planets:
            assert activity.clear_of(planet.period_days, gp.period_days)
        assert [each.name for each in task.observation.indicators] == ["fwhm", "bisector"]
        for each in task.observation.indicators:
            made = task.meta["activity"]["indicators"][each.name]
            assert 0.4 <= made["rho"] <= 0.8
            assert 1.9 < abs(made["amplitude_ms"]) / np.median(each.sigmas_ms) < 5.1


def test_errors_scatter_and_differ_by_instrument(tasks: list[RVTask]) -> None:
    for task in tasks:
        seen = task.observation
        levels = {each.label: each.sigma_white_ms for each in task.truth.instruments}
        for j, label in enumerate(seen.instrument_labels):
            errors = seen.sigmas_ms[seen.instrument_index == j]
            assert 0.05 < np.std(np.log(errors)) < 0.6
            assert abs(math.log(np.median(errors) / levels[label])) < 0.4


def test_figures_are_rounded(tasks: list[RVTask]) -> None:
    for task in tasks:
        seen = task.observation
        for values, digits in ((seen.times_days, 6), (seen.rvs_ms, 4), (seen.sigmas_ms, 4)):
            assert (np.round(values, digits) == values).all()
        assert (np.diff(seen.times_days) > 0.0).all()


def test_points_of_an_instrument_lie_apart_and_few_a_night(tasks: list[RVTask]) -> None:
    several = 0
    for task in tasks:
        seen = task.observation
        for j in range(len(seen.instrument_labels)):
            gaps = np.diff(seen.times_days[seen.instrument_index == j]) * 24.0
            assert gaps.min() > 0.25
            several += int((gaps < 10.0).any())
            assert "11" * MAX_VISITS not in "".join("1" if gap < 10.0 else "0" for gap in gaps)
    assert several > 0


def test_the_seed_is_sealed() -> None:
    task = candidate(SEED, "medium", 0)
    assert str(SEED) in json.dumps(task.to_dict()["sealed"])
    assert str(SEED) not in json.dumps({"id": task.id, **task.public_dict()})
    assert "structures" not in json.dumps(task.public_dict())


def test_round_trip(tasks: list[RVTask]) -> None:
    for task in tasks:
        assert RVTask.from_dict(json.loads(json.dumps(task.to_dict()))) == task


def test_draws_are_independent_of_one_another() -> None:
    ids = {
        candidate(seed, tier, index, attempt).id
        for seed in (0, 2**127)
        for tier in ("easy", "medium")
        for index in range(2)
        for attempt in range(2)
    }
    assert len(ids) == 16
    one, other = (candidate(0, tier, 0).observation for tier in ("easy", "medium"))
    assert one.star_mass_sun != other.star_mass_sun


@pytest.mark.parametrize("tier", [tier for tier in ECLIPTIC_TIERS if tier != "frontier"])
def test_the_same_seed_gives_the_same_task(tier: EclipticTier) -> None:
    assert candidate(7, tier, 3).to_dict() == candidate(7, tier, 3).to_dict()


def test_generate_takes_tiers_in_turn() -> None:
    found = generate_many(5, 3, accept=None)
    assert [task.tier for task in found] == ["easy", "medium", "hard"]
    assert generate(5, tier="medium", index=1, accept=None) == generate(5, index=1, accept=None)


CHANGES = {
    Stream.WHITE: {"rvs_ms"},
    Stream.JITTER: {"rvs_ms"},
    Stream.GP: {"rvs_ms", "indicators"},
    Stream.INDICATORS: {"indicators"},
    Stream.INDICATOR_WHITE: {"indicators"},
    Stream.TREND: {"rvs_ms"},
}


@pytest.mark.parametrize("purpose", CHANGES)
def test_one_stream_changes_one_thing(purpose: Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    index = next(
        i
        for i in range(100)
        if (family := candidate(11, "medium", i).observation.family)
        and family.activity
        and family.trend_order
    )
    before = candidate(11, "medium", index)
    original = Streams.__getitem__

    def patched(self: Streams, wanted: Stream) -> np.random.Generator:
        return np.random.default_rng(99) if wanted is purpose else original(self, wanted)

    monkeypatch.setattr(Streams, "__getitem__", patched)
    after = candidate(11, "medium", index)
    one, other = before.observation.model_dump(), after.observation.model_dump()
    assert {name for name in one if one[name] != other[name]} == CHANGES[purpose]
    assert after.truth.planets == before.truth.planets


def test_last_bits_do_not_reach_the_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another machine's linear algebra: every distance of the design off by some 1e-12."""
    before = [candidate(14, "medium", index).id for index in range(12)]
    distances = amplitudes.distances
    monkeypatch.setattr(amplitudes, "distances", lambda *a: distances(*a) * (1 + 1e-12))
    assert [candidate(14, "medium", index).id for index in range(12)] == before


GOLDEN = {"easy": "rv-90c2858b01888b6f", "hard": "rv-7921304fe38dd670"}


@pytest.mark.parametrize("tier", GOLDEN)
def test_golden_tasks(tier: EclipticTier) -> None:
    """A change of any stream, range or rounding shows here: old seeds must keep their tasks."""
    assert candidate(2026, tier, 1).id == GOLDEN[tier]


# --- variants, other cadences, N-body ------------------------------------------------------


@pytest.mark.parametrize("variant", ["matern32", "quasi_periodic"])
def test_another_kernel_is_labelled_and_not_the_declared_one(variant: str) -> None:
    for task in generate_many(8, 4, tier="medium", variant=variant, accept=None):
        assert task.meta["variant"] == task.meta["activity"]["kernel"] == variant
        assert task.truth.noise.gp is None
        assert task.observation.family.activity  # type: ignore[union-attr]
        assert variant not in json.dumps(task.public_dict())
        rest = without_zero_points(task)
        level = math.sqrt(task.meta["activity"]["sigma_ms"] ** 2 + np.mean(white_variance(task)))
        assert np.sqrt(np.mean(rest**2)) < 2.0 * level


def test_spots_sit_near_a_planet() -> None:
    for task in generate_many(8, 6, tier="medium", variant="spots", accept=None):
        gp = task.truth.noise.gp
        assert gp is not None
        assert not all(
            activity.clear_of(planet.period_days, gp.period_days) for planet in task.truth.planets
        )


def test_undeclared_drifts_are_there() -> None:
    for task in generate_many(8, 6, tier="medium", variant="drifts", accept=None):
        assert task.observation.family.drifting == ()  # type: ignore[union-attr]
        assert any(each.drift_ms_per_year for each in task.truth.instruments)


def test_uniform_times_only_on_request() -> None:
    def hours(cadence: str) -> np.ndarray:
        many = generate_many(9, 6, tier="easy", cadence=cadence, accept=None)
        return np.concatenate([np.mod(task.observation.times_days, 1.0) for task in many])

    filled = [len(np.unique((24 * hours(name)).astype(int))) for name in ("uniform", "survey")]
    assert filled[0] == 24
    single = candidate(9, "medium", 0)
    assert single.meta["survey"]["sites"]


def test_times_of_a_real_star_are_taken_as_they_are() -> None:
    times = np.cumsum(np.random.default_rng(3).uniform(0.5, 9.0, 90)) + 4000.0
    task = generate(9, tier="hard", times_days=times[::-1], accept=None)
    assert np.allclose(task.observation.times_days, times, rtol=0, atol=1e-6)
    assert "survey" not in task.meta


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([[1.0]], "must be a flat list"),
        (["a"] * 40, "must be a flat list of numbers"),
        ([math.nan] * 40, "must be a flat list of finite numbers"),
        (range(29), "must hold at least 30 times, not 29"),
        ([1.0] * 40, "two of them are the same to 1e-6 d"),
    ],
)
def test_faulty_times_are_one_line(times: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        generate(1, times_days=times)  # type: ignore[arg-type]


def test_times_that_carry_no_task_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe, "MAX_REDRAWS", 10)
    times = tuple(np.linspace(0.0, 3.0, 40).tolist())
    with pytest.raises(UsageError, match=r"tier frontier: 10 draws gave no task .*orbits cross"):
        candidate(1, "frontier", 0, options=Options(times_days=times))


def test_nbody_is_labelled_where_it_makes_a_difference() -> None:
    pytest.importorskip("rebound", reason="needs the extra 'nbody'")
    labels = []
    for index in (2, 4):
        pulled = candidate(4, "hard", index, options=Options(forward_model="nbody"))
        family, truth = pulled.observation.family, pulled.truth
        assert family is not None
        assert family.forward_model == truth.forward_model
        labels.append(family.forward_model)
        if family.forward_model == "nbody":
            sines = [math.sin(each.inc_rad or 0.0) for each in truth.planets]
            assert sines == pytest.approx([1.0] * len(sines), rel=1e-12)
            keplerian = truth.model_copy(update={"forward_model": "keplerian"})
            still = signal_ms(pulled.model_copy(update={"truth": keplerian}))
            difference = signal_ms(pulled) - still
            assert np.std(difference) > 0.1 * np.median(pulled.observation.sigmas_ms)
    assert labels == ["keplerian", "nbody"]
