from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random.bit_generator import ISeedSequence
from scipy import stats

from ecliptic.errors import UsageError
from ecliptic.rv import generator, nbody, paper_recipe, priors
from ecliptic.rv.difficulty import difficulty, tier_of
from ecliptic.rv.orbit import radial_velocity_ms
from ecliptic.rv.streams import PAPER_STREAMS, Stream, Streams
from ecliptic.rv.tasks import RVTask

generate = partial(generator.generate, recipe="paper")
generate_many = partial(generator.generate_many, recipe="paper")

SEEDS = st.integers(min_value=0, max_value=2**128 - 1)


def signal_ms(task: RVTask) -> np.ndarray:
    seen = task.observation
    return radial_velocity_ms(
        seen.times_days, task.truth.planets, seen.star_mass_sun, float(seen.times_days[0])
    )


@pytest.fixture(scope="module")
def tasks() -> list[RVTask]:
    return list(generate_many(30, 400))


GOLDEN = [
    # arguments; id, planets, first period in days, last time in days, last velocity in m/s
    ({"seed": 0}, ("rv-fa534d8c732fea7f", 2, 3.7828944, 10.559214, 0.3051)),
    ({"seed": 7, "index": 39}, ("rv-c34097b6e4c7af1e", 1, 3.7867717, 12.620226, 7.179)),
    (
        {"seed": 2**128 - 1, "index": 2**32 - 1},
        ("rv-021a7f8c96043917", 2, 8.250524, 15.546193, -39.1776),
    ),
    ({"seed": 7, "tier": "easy"}, ("rv-f15a40c9d928bc8e", 1, 4.3536748, 14.566245, -16.3246)),
    ({"seed": 7, "tier": "hard"}, ("rv-5699277d00fde238", 3, 5.9494291, 18.097865, 8.1018)),
    (
        {"seed": 7, "forward_model": "nbody"},
        ("rv-cbb2112cb257d83a", 1, 144.00235, 461.101891, -9.8926),
    ),
]


@pytest.mark.parametrize(("arguments", "expected"), GOLDEN)
def test_golden_tasks(arguments: dict[str, Any], expected: tuple[Any, ...]) -> None:
    """A change of any stream, prior or rounding shows here: old seeds must keep their tasks."""
    if arguments.get("forward_model") == "nbody":
        pytest.importorskip("rebound")
    task = generate(**arguments)
    planets, seen = task.truth.planets, task.observation
    figures = planets[0].period_days, float(seen.times_days[-1]), float(seen.rvs_ms[-1])
    assert (task.id, len(planets), *figures) == expected


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(min_value=0, max_value=2**32 - 1))
def test_the_same_seed_gives_the_same_task(seed: int, index: int) -> None:
    assert generate(seed, index=index) == generate(seed, index=index)


def test_seeds_and_indices_differ() -> None:
    ids = {generate(seed, index=index).id for seed in (0, 1, 2**64, 2**127) for index in range(4)}
    assert len(ids) == 16


def test_a_task_depends_on_its_index_alone() -> None:
    many = [task.id for task in generate_many(5, 8, tier="medium")]
    assert [task.id for task in generate_many(5, 3, tier="medium", start=4)] == many[4:7]
    assert generate(5, tier="medium", index=6).id == many[6]


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(min_value=0, max_value=2**32 - 1), st.sampled_from(Stream))
def test_streams_are_the_documented_children(seed: int, index: int, purpose: Stream) -> None:
    child = np.random.SeedSequence(entropy=seed, spawn_key=(index, 3))
    words = child.generate_state(4 * (purpose + 1), np.uint64)[-4:]

    class Words(ISeedSequence):
        def generate_state(self, n_words: int, dtype: object = None) -> np.ndarray:
            return words

    expected = np.random.Generator(np.random.PCG64(Words())).random(4)
    assert (Streams(seed, index, 3)[purpose].random(4) == expected).all()


def test_streams_are_unlike_one_another() -> None:
    """Neighbouring indices, attempts and purposes, the places where a slip would show."""
    first = [
        Streams(7, index, attempt)[purpose].random(64)
        for index in range(3)
        for attempt in range(3)
        for purpose in Stream
    ]
    correlation = np.corrcoef(first) - np.eye(len(first))
    assert np.abs(correlation).max() < 5.0 / math.sqrt(64)


@pytest.fixture
def other_stream(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give one purpose the numbers of another seed."""

    def replace(purpose: Stream) -> None:
        original = Streams.__getitem__

        def patched(self: Streams, wanted: Stream) -> np.random.Generator:
            return np.random.default_rng(99) if wanted is purpose else original(self, wanted)

        monkeypatch.setattr(Streams, "__getitem__", patched)

    return replace


@pytest.mark.parametrize("purpose", PAPER_STREAMS)
def test_one_stream_changes_one_thing(purpose: Stream, other_stream: Any) -> None:
    """Angles and masses, times, noise levels and each noise come from streams of their own."""
    seed, index = 11, next(i for i in range(50) if generate(11, index=i).truth.noise.gp)
    before = generate(seed, index=index)
    other_stream(purpose)
    after = generate(seed, index=index)
    assert after.id != before.id
    same = {
        Stream.SYSTEM: after.truth.planets == before.truth.planets,
        Stream.STAR: after.observation.star_mass_sun == before.observation.star_mass_sun,
        Stream.NOISE_LEVELS: after.truth.noise == before.truth.noise,
        Stream.SCHEDULE: np.array_equal(
            after.observation.times_days, before.observation.times_days
        ),
    }
    changed = {stream for stream, is_same in same.items() if not is_same}
    if purpose is Stream.SYSTEM:  # the schedule is counted in inner periods
        assert changed == {Stream.SYSTEM, Stream.SCHEDULE}
    else:
        assert changed == {purpose} & same.keys()


@pytest.mark.parametrize("tier", ["easy", "medium", "hard"])
def test_tiers_are_met(tier: str) -> None:
    for task in generate_many(12, 15, tier=tier):
        assert task.tier == tier
        assert tier_of(task.difficulty) == tier
        seen = task.observation
        assert (task.difficulty, task.difficulty_terms) == difficulty(
            task.truth.planets, task.truth.noise, seen.times_days, seen.star_mass_sun
        )


def test_a_tier_takes_the_first_draw_that_falls_into_it() -> None:
    for index in range(30):
        free = generate(13, index=index)
        bound = generate(13, tier=free.tier, index=index)
        assert bound.id == free.id
        assert bound.meta["attempt"] == free.meta["attempt"] == 0


def test_meta_makes_the_task_again() -> None:
    task = generate(2**127 + 1, tier="easy", index=17)
    meta = json.loads(json.dumps(task.meta))
    again = generator.generate(int(meta["seed"]), meta["recipe"], meta["tier"], index=meta["index"])
    assert again == task


def test_the_seed_is_sealed() -> None:
    seed = 123_456_789_012_345_678
    task = generate(seed)
    assert str(seed) in json.dumps(task.to_dict()["sealed"])
    public = {"id": task.id, **task.public_dict()}
    assert str(seed) not in json.dumps(public)
    assert f"{seed:x}" not in json.dumps(public)
    assert task.source_id is None


def test_round_trip(tasks: list[RVTask]) -> None:
    for task in tasks[:40]:
        assert RVTask.from_dict(json.loads(json.dumps(task.to_dict()))) == task


def test_figures_are_rounded(tasks: list[RVTask]) -> None:
    for task in tasks[:40]:
        seen = task.observation
        for values, digits in ((seen.times_days, 6), (seen.rvs_ms, 4), (seen.sigmas_ms, 6)):
            assert (np.round(values, digits) == values).all()
        assert (np.diff(seen.times_days) > 0.0).all()
        assert set(seen.sigmas_ms) == {task.truth.noise.sigma_white_ms}


def test_last_bits_do_not_reach_the_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another machine's mathematical library: every period and velocity off by some 1e-15."""
    before = [task.id for task in generate_many(14, 20)]
    draw, signal = priors._draw_orbits, paper_recipe._signal_ms

    def shaken_orbits(*arguments: Any) -> Any:
        return [[value * (1 + 4e-16) for value in orbit] for orbit in draw(*arguments)]

    monkeypatch.setattr(priors, "_draw_orbits", shaken_orbits)
    monkeypatch.setattr(paper_recipe, "_signal_ms", lambda *a: signal(*a) * (1 + 1e-15))
    assert [task.id for task in generate_many(14, 20)] == before


def test_residuals_of_the_truth_are_the_stated_noise(tasks: list[RVTask]) -> None:
    quiet = [task for task in tasks if task.truth.noise.gp is None]
    assert len(quiet) > 200
    scaled = []
    for task in quiet:
        noise = task.truth.noise
        total_ms = math.hypot(noise.sigma_white_ms, noise.sigma_jitter_ms)
        scaled.append((task.observation.rvs_ms - signal_ms(task)) / total_ms)
    residuals = np.concatenate(scaled)
    assert stats.kstest(residuals, "norm").pvalue > 1e-3
    n = residuals.size
    assert abs(np.sum(residuals**2) - n) < 4.0 * math.sqrt(2.0 * n)  # chi-square of n


def test_residuals_hold_the_gp_once(tasks: list[RVTask]) -> None:
    """Their mean square is white + jitter + GP; the published files held the white part twice."""
    ratios = []
    for task in tasks:
        noise = task.truth.noise
        if noise.gp is not None:
            variance = noise.sigma_white_ms**2 + noise.sigma_jitter_ms**2 + noise.gp.sigma_ms**2
            ratios.append(np.mean((task.observation.rvs_ms - signal_ms(task)) ** 2) / variance)
    assert len(ratios) > 100
    error = np.std(ratios) / math.sqrt(len(ratios))
    assert abs(np.mean(ratios) - 1.0) < 4.0 * error
    assert error < 0.05


class TestNBody:
    @pytest.fixture(autouse=True)
    def _needs_rebound(self) -> None:
        pytest.importorskip("rebound")

    def pairs(self, count: int) -> Iterator[tuple[RVTask, RVTask]]:
        keplerian = generate_many(15, count)
        return zip(keplerian, generate_many(15, count, forward_model="nbody"), strict=True)

    def test_only_the_velocities_change(self) -> None:
        for keplerian, pulled in self.pairs(10):
            assert pulled.truth.planets == keplerian.truth.planets
            assert pulled.truth.noise == keplerian.truth.noise
            assert pulled.truth.forward_model == "nbody"
            assert (pulled.observation.times_days == keplerian.observation.times_days).all()
            assert pulled.id != keplerian.id

    def test_signal_is_osculating_at_the_first_time(self) -> None:
        """The noise is the same, so the difference is that of the signals."""
        for keplerian, pulled in self.pairs(60):
            difference = np.abs(pulled.observation.rvs_ms - keplerian.observation.rvs_ms)
            scale = np.abs(signal_ms(keplerian)).max()
            # What is left at the epoch: the planets' mass in Kepler's third law and in K, the outer
            # planets' share in the orbits' centres (each some times m / M), and the constants of
            # the two forward models, which agree to 5e-5.
            mass_mjup = sum(
                planet.m_sin_i_mjup / math.sin(planet.inc_rad or 0.0)
                for planet in keplerian.truth.planets
            )
            share = mass_mjup * priors.MJUP_IN_MSUN / keplerian.observation.star_mass_sun
            assert difference[0] < (3.0 * share + 6e-5) * scale + 2e-4

    def test_a_light_planet_is_keplerian(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(priors, "M_SIN_I_MJUP", (1e-4, 1e-3))
        for keplerian, pulled in self.pairs(20):
            difference = pulled.observation.rvs_ms - keplerian.observation.rvs_ms
            assert np.abs(difference).max() < 1e-3 * np.abs(signal_ms(keplerian)).max() + 2e-4

    def test_systems_stay_bounded(self) -> None:
        several = (t for t in generate_many(16, 400, forward_model="nbody"))
        crowded = islice((t for t in several if len(t.truth.planets) >= 3), 20)
        for task in crowded:
            seen = task.observation
            exact = nbody.nbody_velocities_ms(
                seen.times_days,
                task.truth.planets,
                seen.star_mass_sun,
                frame="sky",
                t_ref_days=float(seen.times_days[0]),
                integrator="ias15",
            )
            whfast = nbody.nbody_velocities_ms(
                seen.times_days,
                task.truth.planets,
                seen.star_mass_sun,
                frame="sky",
                t_ref_days=float(seen.times_days[0]),
            )
            assert np.abs(whfast - exact).max() < 0.01 * task.truth.noise.sigma_white_ms


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param({"seed": -1}, r"seed: must be a whole number from 0 to 2\^128 - 1, not -1"),
        pytest.param({"seed": 2**128}, r"seed: .* not an integer of 129 bits"),
        pytest.param({"seed": 10**6000}, r"seed: .* not an integer of 19932 bits"),
        pytest.param({"seed": 1.0}, r"seed: .* not 1\.0"),
        pytest.param({"seed": True}, r"seed: .* not True"),
        pytest.param({"seed": "7"}, r"seed: .* not '7'"),
        pytest.param({"seed": None}, r"seed: .* not None"),
        pytest.param({"index": -1}, r"index: must be a whole number from 0 to 4294967295, not -1"),
        pytest.param({"index": 2**32}, r"index: .* not 4294967296"),
        pytest.param({"recipe": "papre"}, r"recipe: 'papre' is not known; did you mean 'paper'\?"),
        pytest.param({"recipe": ""}, r"recipe: '' is not known \(known: ecliptic, paper\)"),
        pytest.param({"tier": "hrad"}, r"tier: 'hrad' is not known; did you mean 'hard'\?"),
        pytest.param({"tier": "real"}, r"tier: 'real' .*known: easy, medium, hard"),
        pytest.param({"tier": "frontier"}, r"tier: 'frontier' .*known: easy, medium, hard"),
        pytest.param({"variant": "spots"}, r"variant, .*: the recipe 'paper' has none"),
        pytest.param({"cadence": "uniform"}, r"cadence .*: the recipe 'paper' has none"),
        pytest.param({"variant": "spot"}, r"variant: 'spot' .* did you mean 'spots'\?"),
        pytest.param({"cadence": "weekly"}, r"cadence: .*known: survey, uniform"),
        pytest.param({"times_days": range(60)}, r"times_days: the recipe 'paper' has none"),
        pytest.param({"times_days": [1.0]}, r"times_days: must hold at least 30 times, not 1"),
        pytest.param({"tier": ["hard"]}, r"tier: \['hard'\] is not known"),
        pytest.param({"forward_model": "kepler"}, r"forward model: .* mean 'keplerian'\?"),
    ],
)
def test_mistakes_are_one_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        generate(**{"seed": 1, **arguments})
    assert len(str(caught.value)) < 160


@pytest.mark.parametrize("count", [0, -3, 2.0, 2**32])
def test_count_is_checked_before_the_first_task(count: Any) -> None:
    with pytest.raises(UsageError, match=r"count: must be a whole number from 1 to"):
        generate_many(1, count)


def test_start_is_checked_before_the_first_task() -> None:
    with pytest.raises(UsageError, match="start: must be a whole number from 0 to"):
        generate_many(1, 10, start=2**32 - 5)


def test_a_numpy_integer_is_a_seed() -> None:
    assert generate(np.int64(7)).id == generate(7).id
    assert generate(np.int64(7)).meta == generate(7).meta
