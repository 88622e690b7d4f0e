"""Metrics over scores of which some do not apply: a key is NaN there, and left out."""

from __future__ import annotations

import math

from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Metric, SampleScore, metric, stderr

QUESTION = "question"
"""Key of a sample's metadata: the problem that it is a part of, or the star."""
HEADLINE = HeadlineMetric(score="passed")
"""The figure that Inspect's viewer and lists show first."""


@metric
def mean_of_known() -> Metric:
    """Mean of the values that are not NaN; NaN if there is none."""

    def compute(scores: list[SampleScore]) -> float:
        known = _known(scores)
        values = [score.score.as_float() for score in known]
        return math.fsum(values) / len(values) if values else math.nan

    return compute


@metric
def clustered_error(cluster: str = QUESTION) -> Metric:
    """Standard error of that mean, clustered by problem; NaN with less than two problems."""
    error = stderr(cluster=cluster)

    def compute(scores: list[SampleScore]) -> float:
        known = _known(scores)
        problems = {(score.sample_metadata or {}).get(cluster) for score in known}
        return float(error(known)) if len(problems) > 1 else math.nan  # type: ignore[arg-type]

    return compute


def _known(scores: list[SampleScore]) -> list[SampleScore]:
    return [score for score in scores if not math.isnan(score.score.as_float())]
