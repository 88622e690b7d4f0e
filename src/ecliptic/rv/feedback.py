"""What an agent is told: the only place that decides it.

Under protocol ``paper``:

==============  =============================================================================
level           an agent sees
==============  =============================================================================
``none``        that the submission was received, and how many are left
``statistical`` whether delta-BIC and RMS pass, with figures of its own residuals
``criteria``    the default: also whether match and count pass, without any figure
``paper``       everything that the published environment computes, match score and distances
                too; a blind climber can follow these to the truth, so it is for reproduction only
==============  =============================================================================

Under protocol ``strict`` the levels are the same but the last, which is refused: ``statistical``
tells of ``detection`` alone, ``criteria`` of all five. The thresholds of ``residuals`` come from
the sealed oracle and are not told.

Under protocol ``archival``, ``statistical`` tells of no criterion, ``criteria`` of all four;
thresholds are not told.

Below ``paper``, every figure follows from the public part of the task, the submission and the
protocol alone: the truth can reach an agent through nothing but a criterion's pass or fail (and
the end of the episode when all pass).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from ecliptic.errors import SubmissionError, UsageError
from ecliptic.rv.assessment import VARIANCE_FLOOR
from ecliptic.rv.submission import Submission
from ecliptic.rv.tasks import Observation
from ecliptic.verdict import Verdict

Level = Literal["none", "statistical", "criteria", "paper"]
LEVELS: tuple[Level, ...] = get_args(Level)
Status = Literal["graded", "malformed", "over"]

_VISIBLE: Mapping[Level, tuple[str, ...]] = {
    "none": (),
    "statistical": ("delta_bic", "rms"),
    "criteria": ("delta_bic", "rms", "match", "count"),
    "paper": ("delta_bic", "rms", "match", "count"),
}
_VISIBLE_STRICT: Mapping[Level, tuple[str, ...]] = {
    "none": (),
    "statistical": ("detection",),
    "criteria": ("detection", "residuals", "recovery", "periods", "count"),
    "paper": (),
}
_VISIBLE_ARCHIVAL: Mapping[Level, tuple[str, ...]] = {
    "none": (),
    "statistical": (),
    "criteria": ("periods", "amplitudes", "residuals", "count"),
    "paper": (),
}
_OWN_RESIDUALS = ("log_likelihood", "bic", "bic_null", "delta_bic", "rms_ms", "mae_ms")
_OWN_STRICT = (
    *_OWN_RESIDUALS,
    "chi_square",
    "delta_bic_per_planet",
    "jitter_per_instrument_ms",
    "activity_ms",
)
_MEANING = {
    "residuals": "the residuals are as small as they can be",
    "recovery": "the planets agree with the true system as well as the data permit",
    "periods": "every period is right",
    "amplitudes": "every semi-amplitude is right",
    "match": "the planets agree with the true system",
    "count": "the number of planets is right",
}


@dataclass(frozen=True, slots=True)
class Feedback:
    """One answer to a submission, as text for a language model and as data for a program.

    ``status`` is ``graded``, ``malformed`` (it cost no attempt) or ``over`` (the episode had
    ended, so it was not graded). ``criteria`` maps each visible criterion to pass or fail,
    ``figures`` holds visible numbers; both are empty where nothing was graded.
    """

    status: Status
    text: str
    submissions_left: int
    criteria: Mapping[str, bool] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "status": self.status,
            "text": self.text,
            "submissions_left": self.submissions_left,
            "criteria": dict(self.criteria),
            "figures": dict(self.figures),
        }


def level_of(name: str) -> Level:
    """The level of a name; raises :class:`UsageError` with the names that exist."""
    for level in LEVELS:
        if level == name:
            return level
    raise UsageError(f"no feedback level {name!r}; available: {', '.join(map(repr, LEVELS))}")


def on_graded(
    level: Level,
    observation: Observation,
    submission: Submission,
    verdict: Verdict,
    *,
    number: int,
    submissions_left: int,
    ending: str = "",
    repeat_of: int | None = None,
) -> Feedback:
    """What is said of a graded submission.

    ``ending`` says why the episode ends, if it does; ``repeat_of`` is the number of an earlier
    submission that this one hardly differs from.
    """
    names = _visible(verdict)[level]
    visible = {name: verdict.criteria[name].passed for name in names}
    figures = _figures(level, observation, submission, verdict)
    lines = [f"Submission {number} was {'graded' if visible else 'received'}."]
    if repeat_of is not None:
        lines.append(f"It hardly differs from submission {repeat_of}.")
    lines += [f"- {_criterion_line(name, verdict)}" for name in visible]
    if figures:
        lines.append(_residual_line(figures, len(observation.times_days)))
    if level == "statistical":
        lines.append("Whether the planets are the right ones is not said.")
    if level == "paper":
        lines.append(
            f"Match score {_number(figures['match_score'])}; distances of matched planets "
            f"(true, submitted): {_pairs(figures['pairs'])}; reward {_number(figures['reward'])}."
        )
    lines.append(ending or _left(submissions_left))
    return Feedback("graded", "\n".join(lines), submissions_left, visible, figures)


def _visible(verdict: Verdict) -> Mapping[Level, tuple[str, ...]]:
    if "detection" in verdict.criteria:
        return _VISIBLE_STRICT
    return _VISIBLE_ARCHIVAL if "amplitudes" in verdict.criteria else _VISIBLE


def on_malformed(error: SubmissionError, *, submissions_left: int) -> Feedback:
    """What is said of a submission that cannot be read: the field, its value, what is allowed."""
    text = f"The submission was not accepted: {error}.\nIt cost no attempt. "
    return Feedback("malformed", text + _left(submissions_left), submissions_left)


def on_over(ending: str, *, submissions_left: int) -> Feedback:
    """What is said of a submission after the end."""
    text = f"This submission was not graded. {ending}"
    return Feedback("over", text, submissions_left)


def _figures(
    level: Level, observation: Observation, submission: Submission, verdict: Verdict
) -> dict[str, Any]:
    if level == "none":
        return {}
    details = verdict.details
    if level == "paper":
        return dict(details)
    if "delta_bic" not in verdict.criteria:  # protocols strict and archival
        figures = {name: details[name] for name in _OWN_STRICT}
        figures["gamma_per_instrument_ms"] = dict(details["gamma_per_instrument_ms"])
        if "detection" in verdict.criteria:
            figures["min_delta_bic"] = verdict.criteria["detection"].threshold
        return figures
    figures = {name: details[name] for name in _OWN_RESIDUALS}
    figures["chi_square"] = _chi_square(observation, submission, details["log_likelihood"])
    figures["gamma_per_instrument_ms"] = dict(details["gamma_per_instrument_ms"])
    figures["min_delta_bic"] = verdict.criteria["delta_bic"].threshold
    figures["max_rms_ms"] = verdict.criteria["rms"].threshold
    return figures


def _chi_square(
    observation: Observation, submission: Submission, log_likelihood: float | None
) -> float | None:
    """Sum of squared residuals over their variances (jitter included)."""
    if log_likelihood is None:
        return None
    jitter = submission.sigma_jitter_ms
    variances = np.square(observation.sigmas_ms) + jitter * jitter + VARIANCE_FLOOR
    chi_square = float(-2.0 * log_likelihood - np.log(2.0 * math.pi * variances).sum())
    return chi_square if math.isfinite(chi_square) else None


def _criterion_line(name: str, verdict: Verdict) -> str:
    criterion = verdict.criteria[name]
    outcome = "pass" if criterion.passed else "FAIL"
    if name in _MEANING:  # value and threshold of these tell of the truth
        return f"{name}: {outcome} ({_MEANING[name]}: {'yes' if criterion.passed else 'no'})"
    unit = {"rms": " m/s"}.get(name, "")
    return (
        f"{name}: {outcome} ({_number(criterion.value)}{unit}, must be {criterion.comparison} "
        f"{_number(criterion.threshold)}{unit})"
    )


def _residual_line(figures: Mapping[str, Any], n_times: int) -> str:
    offsets = ", ".join(
        f"{label} {_number(gamma)}" for label, gamma in figures["gamma_per_instrument_ms"].items()
    )
    chi_square = (
        f"chi-square {_number(figures['chi_square'])} for {n_times} points, "
        if "chi_square" in figures
        else ""
    )
    gains = figures.get("delta_bic_per_planet", ())
    weights = ", ".join(map(_number, gains))
    planets = f" Delta-BIC without each planet: {weights}." if gains else ""
    return (
        f"Residuals: RMS {_number(figures['rms_ms'])} m/s, MAE {_number(figures['mae_ms'])} m/s, "
        f"{chi_square}log-likelihood {_number(figures['log_likelihood'])}; fitted offsets in m/s: "
        f"{offsets}.{planets}"
    )


def _pairs(pairs: list[list[float]]) -> str:
    return ", ".join(f"({i}, {j}) {d:.3g}" for i, j, d in pairs) or "none"


def _number(value: float | None) -> str:
    return "not a finite number" if value is None else f"{value:.5g}"


def _left(submissions: int) -> str:
    return f"{submissions} submission{'' if submissions == 1 else 's'} left."
