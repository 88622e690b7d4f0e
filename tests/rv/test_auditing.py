"""Audits: what is accepted, what is rejected and why; the published tasks' truths."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from rv.test_strict import INNER, OUTER, moved, star, submit

from ecliptic import rv
from ecliptic.errors import UsageError
from ecliptic.rv import alternatives, inference, recovery
from ecliptic.rv.auditing import Audit, audit, with_recovery
from ecliptic.rv.ceiling import Ceiling
from ecliptic.rv.floor import floor_submissions
from ecliptic.rv.fresh_noise import observe_again, signal_ms
from ecliptic.rv.inference.fitting import at
from ecliptic.rv.oracle import consult, true_elements, true_theta
from ecliptic.rv.uniqueness import wrong_periods

FLOOR = {"null", "sine", "padding", "duplicate", "free_jitter", "resubmission"}


@pytest.fixture(scope="module", params=[False, True], ids=["white", "active"])
def audited(request: pytest.FixtureRequest) -> tuple[rv.RVTask, Audit]:
    task = star(INNER, OUTER, activity=request.param)
    return task, audit(task, draws=10)


def test_a_good_task_is_accepted(audited: tuple[rv.RVTask, Audit]) -> None:
    task, found = audited
    assert found.accepted
    assert found.reason is None
    assert found.oracle.passed
    assert found.protocol == "strict"
    assert found.task_id == task.id
    assert found.identifiability is not None
    assert found.identifiability.weakest_delta_bic >= 30.0
    assert found.identifiability.further_delta_bic <= 10.0
    assert found.uniqueness is not None
    assert found.uniqueness.margin is not None
    assert found.uniqueness.margin >= 5.0
    assert found.ceiling is not None
    assert found.ceiling.share >= 0.9
    assert set(found.floor) == FLOOR
    assert not any(found.floor.values())
    assert found.cpu_seconds > 0.0


def test_an_audit_survives_json(audited: tuple[rv.RVTask, Audit]) -> None:
    _, found = audited
    text = json.dumps(found.to_dict(), allow_nan=False)
    assert Audit.model_validate(json.loads(text)) == found


def test_an_audit_repeats(audited: tuple[rv.RVTask, Audit]) -> None:
    task, found = audited
    again = audit(task, draws=10)
    assert again.model_copy(update={"cpu_seconds": found.cpu_seconds}) == found


def test_the_record_goes_into_the_sealed_part(audited: tuple[rv.RVTask, Audit]) -> None:
    task, found = audited
    sealed = with_recovery(task, found.recovery)
    assert sealed.id == task.id
    assert rv.RVTask.from_dict(json.loads(json.dumps(sealed.to_dict()))) == sealed
    guess = submit(*found.recovery.planets)
    assert rv.evaluate(sealed, guess, "strict").passed


def test_a_planet_below_the_noise_is_not_identifiable() -> None:
    faint = moved(INNER, m_sin_i_mjup=0.004)
    found = audit(star(faint, OUTER), draws=0)
    assert "identifiability" in found.reasons
    assert not found.accepted


def test_a_planet_that_the_truth_lacks_is_found() -> None:
    task = star(INNER, OUTER)
    truth = task.truth.model_copy(update={"planets": (OUTER,)})
    found = audit(task.model_copy(update={"truth": truth}), draws=0)
    assert "further_planet" in found.reasons


def test_stopping_early_ends_at_the_first_reason() -> None:
    faint = moved(INNER, m_sin_i_mjup=0.004)
    found = audit(star(faint, OUTER), stop_early=True)
    assert len(found.reasons) == 1
    assert found.ceiling is None


def test_a_wrong_truth_is_rejected() -> None:
    task = star(INNER, OUTER)
    wrong = task.truth.model_copy(update={"planets": (moved(INNER, period_days=9.1), OUTER)})
    found = audit(task.model_copy(update={"truth": wrong}), draws=0)
    assert not found.truth.passed
    assert "oracle" in found.reasons


def test_a_rival_from_a_solver_is_compared() -> None:
    task = star(INNER, OUTER)
    rival = submit(moved(INNER, period_days=9.1), OUTER)
    found = audit(task, draws=0, rivals=[rival])
    assert found.accepted
    assert found.uniqueness is not None
    with pytest.raises(UsageError, match="no protocol"):
        audit(task, "loose")


def test_a_daily_schedule_has_a_daily_rival() -> None:
    """Observed at the same time every night, a period and its alias are one."""
    task = star(INNER, OUTER)
    times = np.round(task.observation.times_days - 100.0) + 100.0
    clean = rv.radial_velocity_ms(times, [INNER, OUTER], 0.9, float(times[0]))
    noise = np.random.default_rng(3).normal(0.0, 1.0, times.size)
    observation = task.observation.model_copy(
        update={"times_days": times, "rvs_ms": clean + noise, "t_ref_days": float(times[0])}
    )
    found = audit(task.model_copy(update={"observation": observation}), draws=0)
    assert "uniqueness" in found.reasons
    assert found.uniqueness is not None
    assert found.uniqueness.margin == pytest.approx(0.0, abs=2.0)


# --- parts ---------------------------------------------------------------------------------


def test_aliases_lie_in_the_declared_range() -> None:
    found = alternatives.alias_frequencies(1.0 / 7.3, 0.003, 1.6)
    assert all(0.003 <= f <= 1.6 for f in found)
    for f in (2.0 / 7.3, 0.5 / 7.3, 1.0 - 1.0 / 7.3, 1.0 + 1.0 / 7.3, 1.0 / 7.3 + 1 / 365.25636):
        assert min(abs(f - other) for other in found) < 1e-9


def test_wrong_periods_know_no_order() -> None:
    task = star(INNER, OUTER)
    oracle = consult(task)
    truth = oracle.truth
    assert not wrong_periods(oracle.best, truth, [1e-3, 1e-3])
    assert not wrong_periods(oracle.best, truth[::-1], [1e-3, 1e-3])
    elsewhere = truth * np.array([1.2, 1.0, 1.0, 1.0, 1.0])
    assert wrong_periods(oracle.best, elsewhere, [1e-3, 1e-3])


def test_fresh_noise_has_the_stated_size() -> None:
    task = star(INNER, OUTER, activity=True)
    signal = signal_ms(task)
    draws = [
        observe_again(task, signal, [0.5, 0.5], np.random.default_rng(seed)) for seed in range(300)
    ]
    rest = np.array([draw.rvs_ms for draw in draws]) - signal
    expected = np.sqrt(task.observation.sigmas_ms**2 + 0.25 + 4.0)
    np.testing.assert_allclose(rest.std(axis=0).mean(), expected.mean(), rtol=0.05)
    assert abs(rest.mean()) < 0.1
    assert draws[0].indicators[0] != draws[1].indicators[0]
    assert draws[0].family == task.observation.family


def test_tolerances_are_the_quantiles_of_refits() -> None:
    """The linearised posterior against a hundred fits of fresh noise."""
    task = star(INNER, OUTER)
    problem = inference.problem_of(task.observation)
    truth = true_elements(task)
    model = at(problem, truth, true_theta(task, problem, problem.floors))
    sample = inference.Posterior.of(model).draw(4000, np.random.default_rng(1))
    data = problem.velocities
    linear = recovery.own_distances(data.times_days, data.reference_days, truth, sample)
    fits = []
    signal = signal_ms(task)
    for seed in range(100):
        again = observe_again(task, signal, [0.5, 0.5], np.random.default_rng(seed))
        fresh = inference.Problem.of(again)
        fits.append(inference.fit(fresh, inference.start_of(fresh, truth)).elements())
    refitted = recovery.own_distances(data.times_days, data.reference_days, truth, np.array(fits))
    expected = np.quantile(linear, 0.8, axis=0)
    np.testing.assert_allclose(np.quantile(refitted, 0.8, axis=0), expected, rtol=0.15)


def test_no_floor_needs_planets() -> None:
    assert set(floor_submissions(star(), ())) == {"null", "sine"}


def test_a_ceiling_stops_when_it_cannot_be_reached(audited: tuple[rv.RVTask, Audit]) -> None:
    assert Ceiling(draws=0, passed=0, failed={}).share == 0.0
    task, _ = audited
    found = audit(task, "strict(min_delta_bic=1e6)", draws=20, stop_early=True)
    assert found.reasons == ("oracle",)


# --- the published tasks -------------------------------------------------------------------


def test_the_published_truths_pass_as_often_as_published(stargazer_data: Path) -> None:
    pytest.importorskip("rebound", reason="the published tasks need the extra 'nbody'")
    passed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for folder in ("synthetic", "real"):
        for task in rv.import_stargazer(stargazer_data / folder):
            found = audit(task, "paper", draws=0)
            total[task.tier] += 1
            passed[task.tier] += found.truth.passed
    assert total == {"easy": 14, "medium": 28, "hard": 28, "real": 14}
    assert {tier: passed[tier] for tier in total} == {
        "easy": 14,
        "medium": 26,
        "hard": 16,
        "real": 0,
    }
