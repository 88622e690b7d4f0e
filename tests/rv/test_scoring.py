"""Protocol `paper`: against the published evaluator, against plain formulas, and at the edges."""

from __future__ import annotations

import gc
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from ecliptic import rv
from ecliptic.errors import SubmissionError, UsageError
from ecliptic.rv import assessment, orbit
from ecliptic.rv.diagnosis import RVDiagnosis, confused_period, same_period
from ecliptic.rv.protocols import PaperProtocol
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.tasks import Instrument, Noise, Observation, Planet, RVTask, Truth
from ecliptic.verdict import Verdict

FIGURES = ("reward", "log_likelihood", "bic", "bic_null", "delta_bic", "rms_ms", "mae_ms")
DETAILS = {*FIGURES, "gamma_per_instrument_ms", "match_score", "pairs"}
DETAILS |= {"unmatched_truth", "unmatched_guess"}
INNER = Planet(period_days=11.0, m_sin_i_mjup=0.4, e=0.3, omega_rad=0.7, l_rad=2.0)
OUTER = Planet(period_days=47.0, m_sin_i_mjup=0.9, e=0.1, omega_rad=4.0, l_rad=5.0)
FAINT = INNER.model_copy(update={"m_sin_i_mjup": 0.001})


def star(
    *planets: Planet, n: int = 60, noise_ms: float = 0.5, labels: tuple[str, ...] = ("a",)
) -> RVTask:
    rng = np.random.default_rng(20)
    times = np.sort(rng.uniform(100.0, 500.0, n))
    instruments = tuple(labels[i % len(labels)] for i in range(n))
    velocities = rng.normal(0.0, noise_ms, n) + orbit.radial_velocity_ms(
        times, planets, 0.9, times[0]
    )
    velocities += np.array([10.0 * labels.index(label) for label in instruments])
    return RVTask.create(
        tier="easy",
        difficulty=2,
        observation=Observation(
            times_days=times,
            rvs_ms=velocities,
            sigmas_ms=rng.uniform(0.4, 0.8, n),
            instruments=instruments,
            star_mass_sun=0.9,
        ),
        truth=Truth(
            planets=planets,
            instruments=tuple(Instrument(label=label) for label in labels),
            noise=Noise(sigma_white_ms=noise_ms),
        ),
    )


def submit(*planets: Planet, jitter: float | None = None, **changes: float) -> dict[str, Any]:
    fields = {"period_days", "m_sin_i_mjup", "e", "omega_rad", "l_rad", "Omega_rad"}
    submission: dict[str, Any] = {
        "planets": [{**planet.model_dump(include=fields), **changes} for planet in planets]
    }
    return submission if jitter is None else {**submission, "noise": {"sigma_jitter_ms": jitter}}


# --- the published evaluator ---------------------------------------------------------------


@pytest.fixture(scope="session")
def published(stargazer_data: Path) -> list[tuple[dict[str, Any], Verdict]]:
    pytest.importorskip("rebound", reason="the published tasks need the extra 'nbody'")
    tasks = {}
    for folder in ("synthetic", "real"):
        tasks |= {task.source_id: task for task in rv.import_stargazer(stargazer_data / folder)}
    with (stargazer_data / "expected_paper_protocol.jsonl").open() as lines:
        rows = [json.loads(line) for line in lines]
    return [(row, evaluate(tasks[row["task_id"]], row["submission"])) for row in rows]


def test_all_published_rows_are_graded(published: list[tuple[dict[str, Any], Verdict]]) -> None:
    assert len(published) == 588


@pytest.mark.parametrize("figure", [*FIGURES, "match_score"])
def test_published_figures(published: list[tuple[dict[str, Any], Verdict]], figure: str) -> None:
    for row, verdict in published:
        where = f"{row['task_id']} {row['case']}"
        assert verdict.details[figure] == pytest.approx(
            row["expected"][figure], rel=1e-6, abs=1e-9
        ), where


def test_published_offsets_pairs_and_criteria(
    published: list[tuple[dict[str, Any], Verdict]],
) -> None:
    for row, verdict in published:
        expected, details = row["expected"], verdict.details
        offsets = expected["gamma_per_instrument_ms"]
        assert details["gamma_per_instrument_ms"] == pytest.approx(offsets, rel=1e-6, abs=1e-9)
        assert [pair[:2] for pair in details["pairs"]] == [pair[:2] for pair in expected["pairs"]]
        assert [pair[2] for pair in details["pairs"]] == pytest.approx(
            [pair[2] for pair in expected["pairs"]], rel=1e-6, abs=1e-9
        )
        for name in ("unmatched_truth", "unmatched_guess"):
            assert details[name] == expected[name]
        for name, criterion in verdict.criteria.items():
            assert criterion.passed is expected[f"ok_{name}"]
        assert verdict.passed is expected["success"]
        assert (verdict.diagnosis is None) is expected["success"]


# --- plain formulas ------------------------------------------------------------------------


def test_figures_follow_the_formulas() -> None:
    task = star(INNER, OUTER, labels=("a", "b", "c"))
    data = task.observation
    guess = submit(INNER, jitter=0.7)
    verdict = evaluate(task, guess)

    def fit(velocities: Any, jitter: float) -> tuple[Any, float, dict[str, float]]:
        variances = data.sigmas_ms**2 + jitter**2
        residuals, offsets = velocities.copy(), {}
        for label in data.instrument_labels:
            here = np.array(data.instruments) == label
            offsets[label] = np.average(velocities[here], weights=1 / variances[here])
            residuals[here] -= offsets[label]
        return residuals, norm.logpdf(residuals, 0, np.sqrt(variances)).sum(), offsets

    curve = orbit.radial_velocity_ms(data.times_days, [INNER], 0.9, data.t_ref_days)
    residuals, log_likelihood, offsets = fit(data.rvs_ms - curve, 0.7)
    _, null_log_likelihood, _ = fit(data.rvs_ms, 0.0)
    bic = -2 * log_likelihood + (5 + 3) * math.log(60)
    bic_null = -2 * null_log_likelihood + 3 * math.log(60)
    rms = math.sqrt(np.mean(residuals**2))
    match = 1.0 - 0.25
    expected = {
        "reward": log_likelihood / 60 + 0.3 * (bic_null - bic) / 60 - 0.1 * rms + match - 0.2,
        "log_likelihood": log_likelihood,
        "bic": bic,
        "bic_null": bic_null,
        "delta_bic": bic_null - bic,
        "rms_ms": rms,
        "mae_ms": np.mean(np.abs(residuals)),
        "match_score": match,
    }
    assert {name: verdict.details[name] for name in expected} == pytest.approx(expected, rel=1e-9)
    assert verdict.details["gamma_per_instrument_ms"] == pytest.approx(offsets, rel=1e-9)
    assert verdict.criteria["rms"].threshold == 1.5 * np.median(data.sigmas_ms)
    assert verdict.details["pairs"] == [[0, 0, 0.0]]
    assert verdict.details["unmatched_truth"] == [1]


def test_elements_agree_with_the_orbit_module() -> None:
    rows = assessment.planet_rows((INNER, OUTER))
    np.testing.assert_allclose(
        assessment.elements(rows, 0.9), orbit.elements_of([INNER, OUTER], 0.9), rtol=1e-14
    )


def test_the_curve_clips_e_and_the_distance_does_not() -> None:
    task = star(INNER)
    near, far = (evaluate(task, submit(INNER, e=e)) for e in (0.95, 0.99))
    assert near.details["rms_ms"] == far.details["rms_ms"]
    gained = far.details["pairs"][0][2] - near.details["pairs"][0][2]
    assert gained == pytest.approx(0.5 * 0.04)


# --- the verdict ---------------------------------------------------------------------------


def test_the_truth_passes() -> None:
    verdict = evaluate(star(INNER, OUTER), submit(OUTER, INNER))
    assert verdict.passed
    assert (verdict.outcome, verdict.score, verdict.diagnosis) == ("correct", 1.0, None)
    assert set(verdict.details) == DETAILS
    assert list(verdict.criteria) == ["delta_bic", "rms", "match", "count"]
    assert verdict.details["pairs"] == [[0, 1, 0.0], [1, 0, 0.0]]
    assert verdict.protocol == "paper"


def test_score_is_the_share_of_criteria() -> None:
    verdict = evaluate(star(INNER, OUTER), submit(OUTER))
    passed = {name: criterion.passed for name, criterion in verdict.criteria.items()}
    assert passed == {"delta_bic": True, "rms": False, "match": False, "count": False}
    assert verdict.score == 0.25
    assert verdict.outcome == "incorrect"


def test_thresholds_are_parameters() -> None:
    task, guess = star(INNER), submit(INNER)
    delta_bic = evaluate(task, guess).details["delta_bic"]
    strictest = PaperProtocol(min_delta_bic=delta_bic)  # the comparison is strict
    verdict = evaluate(task, guess, strictest)
    assert not verdict.criteria["delta_bic"].passed
    assert verdict.criteria["delta_bic"].threshold == delta_bic
    assert evaluate(task, guess, PaperProtocol(min_delta_bic=10, min_match=1.0)).passed
    tight = evaluate(task, guess, PaperProtocol(rms_factor=0.1))
    assert tight.protocol == "paper(rms_factor=0.1)"
    assert [name for name, c in tight.criteria.items() if not c.passed] == ["rms"]


@pytest.mark.parametrize("name", ["loose", "Paper", "", None, ["paper"]])
def test_an_unknown_protocol_is_a_mistake(name: Any) -> None:
    with pytest.raises(UsageError, match="available: 'paper'"):
        evaluate(star(INNER), {"planets": []}, name)


@pytest.mark.parametrize("value", [math.nan, math.inf, "1"])
def test_thresholds_must_be_finite(value: Any) -> None:
    with pytest.raises(UsageError, match="rms_factor"):
        PaperProtocol(rms_factor=value)


def test_a_malformed_submission_is_refused() -> None:
    with pytest.raises(SubmissionError, match=r"planets\[0\]\.e"):
        evaluate(star(INNER), {"planets": [{"P_days": 3.0, "e": 1.5}]})


def test_constants_of_a_task_die_with_it() -> None:
    task = star(INNER)
    evaluate(task, submit(INNER))
    key = id(task)
    assert assessment._prepared[key][1] is assessment.prepared(task)
    del task
    gc.collect()
    assert key not in assessment._prepared


# --- diagnoses -----------------------------------------------------------------------------

SIDEREAL = 1.0 / (1.00273790935 - 1.0 / 11.0)
HALF = OUTER.model_copy(update={"period_days": 23.5})
DIAGNOSES = [
    ("no_planets", (INNER,), submit()),
    ("missed_planet", (INNER, OUTER), submit(OUTER)),
    # Its own period, though it is half of the other's that was missed.
    ("missed_planet", (HALF, OUTER), submit(HALF, l_rad=2.5)),
    ("spurious_planet", (OUTER,), submit(OUTER, INNER)),
    ("spurious_planet", (), submit(INNER)),
    ("alias", (INNER,), submit(INNER, period_days=SIDEREAL)),
    ("alias", (INNER, OUTER), submit(INNER, period_days=SIDEREAL)),
    ("harmonic", (OUTER,), submit(OUTER, period_days=23.5)),
    ("harmonic", (INNER,), submit(INNER, period_days=22.05)),
    ("wrong_period", (OUTER,), submit(OUTER, period_days=38.0)),
    ("wrong_eccentricity", (INNER,), submit(INNER, e=0.0)),
    ("wrong_amplitude", (INNER,), submit(INNER, m_sin_i_mjup=0.7)),
    ("wrong_phase", (INNER,), submit(INNER, l_rad=2.5)),
    ("wrong_phase", (INNER,), submit(INNER, omega_rad=1.7)),
    ("poor_residuals", (INNER,), submit(INNER, l_rad=2.05)),
    ("no_improvement", (FAINT,), submit(FAINT)),
]


@pytest.mark.parametrize(("code", "truth", "guess"), DIAGNOSES)
def test_diagnosis(code: str, truth: tuple[Planet, ...], guess: dict[str, Any]) -> None:
    verdict = evaluate(star(*truth), guess)
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code == RVDiagnosis(code)
    assert verdict.diagnosis.message
    assert verdict.diagnosis.evidence
    json.dumps(verdict.to_dict(), allow_nan=False)


def test_every_diagnosis_has_a_case() -> None:
    ungraded = {RVDiagnosis.MALFORMED, RVDiagnosis.OVER_BUDGET}  # a run's, without any grading
    assert {code for code, _, _ in DIAGNOSES} == {c.value for c in set(RVDiagnosis) - ungraded}


def test_evidence_names_the_pair_and_the_terms() -> None:
    verdict = evaluate(star(INNER, OUTER), submit(INNER, OUTER, period_days=SIDEREAL))
    assert verdict.diagnosis is not None
    evidence = verdict.diagnosis.evidence
    assert evidence["which"] == "sidereal day"
    assert evidence["true_period_days"] == 11.0
    assert evidence["period_days"] == SIDEREAL
    assert (evidence["truth"], evidence["guess"]) in {(0, 0), (0, 1)}
    terms = evidence["distance_terms"]
    assert set(terms) == {"curve", "period", "amplitude", "eccentricity"}
    assert terms["period"] == pytest.approx(abs(math.log(SIDEREAL / 11.0)))


@pytest.mark.parametrize(
    ("true", "submitted", "span", "name"),
    [
        (11.0, 1.0 / (1.0 + 1.0 / 11.0), 2000.0, "solar day"),
        (11.0, 1.0 / (1.00273790935 + 1.0 / 11.0), 2000.0, "sidereal day"),
        (0.7365, 1.0 / (1.0 / 0.7365 - 1.00273790935), 2000.0, "sidereal day"),
        (5.3, 1.0 / (0.5 - 1.0 / 5.3), 300.0, "two days"),
        (12.0, 1.0 / (1.0 / 12.0 - 1.0 / 29.530589), 300.0, "lunar month"),
        (200.0, 1.0 / (1.0 / 200.0 - 1.0 / 365.25), 3000.0, "year"),
        (200.0, 1.0 / (1.0 / 200.0 - 1.0 / 365.25), 500.0, None),  # a year does not fit twice
        (40.0, 20.0, 200.0, "P/2"),
        (40.0, 120.0, 200.0, "3P"),
        (40.0, 27.0, 200.0, "2P/3"),
        (40.0, 40.5, 200.0, None),
        (40.0, 31.0, 200.0, None),
        (40.0, 20.0, 0.0, None),
    ],
)
def test_confused_periods(true: float, submitted: float, span: float, name: str | None) -> None:
    found = confused_period(true, submitted, span)
    assert (found and found[1]) == name


def test_periods_are_the_same_within_a_quarter_of_the_resolution() -> None:
    assert same_period(10.0, 10.24, 100.0)
    assert not same_period(10.0, 10.27, 100.0)


# --- the edges -----------------------------------------------------------------------------


def test_no_planets_on_either_side() -> None:
    verdict = evaluate(star(), {"planets": []})
    assert verdict.details["match_score"] == 1.0
    assert verdict.details["delta_bic"] == 0.0
    assert [name for name, c in verdict.criteria.items() if not c.passed] == ["delta_bic"]


def test_one_observation_has_no_residual() -> None:
    verdict = evaluate(star(INNER, n=1), submit(INNER, OUTER))
    assert verdict.details["rms_ms"] == 0.0
    assert verdict.details["delta_bic"] == pytest.approx(0.0, abs=1e-12)  # ln 1 = 0
    assert not verdict.passed


def test_more_planets_than_points() -> None:
    verdict = evaluate(star(INNER, n=3), {"planets": [{"P_days": 3.0 + i} for i in range(20)]})
    assert len(verdict.details["unmatched_guess"]) >= 19
    assert verdict.details["match_score"] <= 1 - 0.25 * 19
    assert not verdict.criteria["count"].passed


def test_a_true_planet_without_mass_is_matched_at_the_floor() -> None:
    ghost = INNER.model_copy(update={"m_sin_i_mjup": 0.0})
    verdict = evaluate(star(ghost, OUTER), submit(OUTER, ghost))
    assert verdict.passed
    assert verdict.details["match_score"] == 1.0


def test_a_zero_mass_guess_is_dropped_or_far() -> None:
    verdict = evaluate(star(INNER), submit(INNER, m_sin_i_mjup=0.0))
    assert verdict.details["pairs"] == []
    assert verdict.details["unmatched_truth"] == verdict.details["unmatched_guess"] == [0]
    assert verdict.details["match_score"] == 0.0


EXTREMES = st.sampled_from([0.0, 5e-324, 1e-300, 1e-9, 1.0, 1e9, 1e155, 1e300, 1.7e308])
TASKS = [star(INNER, OUTER, n=20, labels=("a", "b")), star(n=5), star(INNER, n=1)]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(TASKS),
    st.lists(
        st.fixed_dictionaries(
            {"P_days": EXTREMES.filter(bool), "m_sin_i_mjup": EXTREMES, "l_rad": EXTREMES},
            optional={"e": st.sampled_from([0.0, 0.5, 0.999999]), "omega_rad": EXTREMES},
        ),
        max_size=3,
    ),
    EXTREMES,
)
def test_extreme_submissions_fail_without_nan(
    task: RVTask, planets: list[dict[str, float]], jitter: float
) -> None:
    verdict = evaluate(task, {"planets": planets, "noise": {"sigma_jitter_ms": jitter}})
    json.dumps(verdict.to_dict(), allow_nan=False)
    assert verdict.outcome in {"correct", "incorrect"}
    for criterion in verdict.criteria.values():
        assert criterion.value is not None or not criterion.passed
    for name in ("match_score", "pairs", "unmatched_truth", "unmatched_guess"):
        assert verdict.details[name] is not None


def test_an_overflow_is_none_and_fails() -> None:
    verdict = evaluate(star(INNER), submit(INNER, m_sin_i_mjup=1e300))
    assert verdict.details["rms_ms"] is None
    assert verdict.details["reward"] is None
    assert verdict.criteria["rms"].value is None
    assert not verdict.criteria["rms"].passed
    assert not verdict.criteria["delta_bic"].passed


@pytest.mark.parametrize("value", [10**400, -(10**4000), math.inf, math.nan, "1", None])
@pytest.mark.parametrize("name", ["min_delta_bic", "rms_factor", "min_match"])
def test_a_threshold_that_is_no_finite_number(name: str, value: Any) -> None:
    with pytest.raises(UsageError, match=f"{name} must be finite") as caught:
        PaperProtocol(**{name: value})
    assert len(str(caught.value)) < 120
