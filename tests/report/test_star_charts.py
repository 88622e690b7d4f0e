"""Charts of submissions, however absurd."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from ecliptic import rv
from ecliptic.analysis.failures import SubmissionFacts
from ecliptic.report.rendering import json_script
from ecliptic.report.star_charts import MAX_POINTS, PERIODOGRAM_POINTS, Drawn
from ecliptic.report.star_section import submission_charts
from ecliptic.rv.submission import GRADER_LIMITS, read_submission
from ecliptic.suite import load_suite

STAR = next(iter(load_suite("quick")))


def submission_of(planets: list[dict[str, float]]) -> rv.Submission:
    return read_submission({"planets": planets}, GRADER_LIMITS)


TRUE = submission_of(
    [
        {"period_days": p.period_days, "m_sin_i_mjup": p.m_sin_i_mjup, "e": p.e,
         "omega_rad": p.omega_rad, "l_rad": p.l_rad}
        for p in STAR.truth.planets
    ]
)  # fmt: skip


def test_a_right_submission_leaves_the_residuals_of_the_grader() -> None:
    series, *folds, power = Drawn.of("s1", STAR, TRUE).charts(all_points=True)
    assert len(folds) == len(STAR.truth.planets)
    residuals = np.array([float(row[4]) for row in series.table.rows])
    assert len(residuals) == len(STAR.observation.times_days)
    rms = rv.evaluate(STAR, TRUE, "paper").details["rms_ms"]
    assert math.sqrt(float(np.mean(residuals**2))) == pytest.approx(rms, rel=0.01)
    drawn = [trace for trace in series.traces if trace["mode"] == "lines"]
    assert {trace["name"].partition(" ")[0] for trace in drawn} == {"truth", "submission"}
    assert all(len(trace["y"]) <= MAX_POINTS for trace in drawn)
    assert len(power.traces[0]["x"]) <= PERIODOGRAM_POINTS


def test_the_periodogram_of_the_data_peaks_at_a_true_period() -> None:
    chart = Drawn.of("data", STAR, None).periodogram(residuals=False)
    peaks = [float(row[1]) for row in chart.table.rows]
    truth = [planet.period_days for planet in STAR.truth.planets]
    assert any(abs(peak / P - 1.0) < 0.02 for peak in peaks for P in truth)


@pytest.mark.parametrize(
    "planets",
    [
        [],
        [{"period_days": 1e-6, "m_sin_i_mjup": 1.0}],
        [{"period_days": 1e9, "m_sin_i_mjup": 1.0}],
        [{"period_days": 10.0, "m_sin_i_mjup": 1e300}],
        [{"period_days": 10.0, "m_sin_i_mjup": 0.0}],
        [{"period_days": 10.0, "m_sin_i_mjup": 1.0, "e": 0.94, "omega_rad": 1e12}],
    ],
)
def test_absurd_submissions_give_sound_json_or_no_chart(planets: list[dict[str, float]]) -> None:
    facts = SubmissionFacts(1, "graded", submission_of(planets))
    for chart in submission_charts(STAR, facts, all_points=False):
        spec = json.loads(str(json_script(chart.spec)))
        assert spec["data"]
        assert len(json.dumps(spec)) < 200_000
