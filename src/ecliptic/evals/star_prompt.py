"""What a model reads of a star: the public part of its task, and nothing else."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import numpy as np

from ecliptic.rv import Budget, Observation
from ecliptic.rv.protocols import AnyProtocol, ArchivalProtocol, PaperProtocol
from ecliptic.rv.submission import AGENT_LIMITS

MOST_ROWS = 400
"""Observations that are written out where the model has no laboratory."""


def star_prompt(
    observation: Observation, protocol: AnyProtocol, budget: Budget, *, by_text: bool
) -> str:
    """The text of a sample; with ``by_text`` the data are written out."""
    if by_text:
        handing_in = _read("hand_in_by_text").replace(
            "{max_planets}", str(AGENT_LIMITS.max_planets)
        )
    else:
        handing_in = _read("hand_in_by_tool").format(
            submissions=budget.submissions,
            tokens=f"{budget.tokens:,.0f}",
            seconds=f"{budget.seconds:g}",
        )
    data = _summary(observation)
    if by_text:
        data += f"\n\n{_rows(observation)}"
    return _read("star").format(
        data=data,
        t_ref=f"{observation.t_ref_days:.6f}",
        family=_family(observation),
        criteria=_criteria(protocol),
        handing_in=handing_in,
    )


@cache
def _read(name: str) -> str:
    folder = files("ecliptic.evals").joinpath("prompts")
    return folder.joinpath(f"{name}.md").read_text("utf-8").strip()


def _summary(observation: Observation) -> str:
    times = observation.times_days
    lines = [
        f"- {len(times)} velocities over {np.ptp(times):.1f} days",
        f"- stellar mass {observation.star_mass_sun:.4g} solar masses",
    ]
    for label in observation.instrument_labels:
        here = np.array([each == label for each in observation.instruments])
        error = float(np.median(observation.sigmas_ms[here]))
        lines.append(f"- instrument {label}: {here.sum()} points, median error {error:.3g} m/s")
    names = ", ".join(each.name for each in observation.indicators)
    if names:
        lines.append(f"- activity indicators at the same times: {names}")
    return "\n".join(lines)


def _rows(observation: Observation) -> str:
    rows = [
        f"{time:.4f} {velocity:.2f} {sigma:.2f} {label}"
        for time, velocity, sigma, label in zip(
            observation.times_days,
            observation.rvs_ms,
            observation.sigmas_ms,
            observation.instruments,
            strict=True,
        )
    ]
    left_out = len(rows) - MOST_ROWS
    note = [f"({left_out} later observations are left out)"] if left_out > 0 else []
    return "\n".join(["time_days rv_ms sigma_ms instrument", *rows[:MOST_ROWS], *note])


def _family(observation: Observation) -> str:
    family = observation.family
    if family is None:
        return (
            "The noise is Gaussian with the quoted errors, to which a white jitter may be added; "
            "there may be correlated noise of the star."
        )
    parts = ["An offset and a white jitter of each instrument are fitted by the grader."]
    if family.activity:
        parts.append(
            "So is a quasi-periodic Gaussian process of the star's activity, whose shape follows "
            "from the indicators."
        )
    if family.trend_order:
        parts.append(f"So is a trend of degree {family.trend_order} in time.")
    if family.drifting:
        parts.append(f"A linear drift of its own has: {', '.join(family.drifting)}.")
    if family.forward_model == "nbody":
        parts.append("The planets pull on each other noticeably.")
    parts.append(
        f"Every period lies between {family.period_min_days:g} and {family.period_max_days:g} days."
    )
    return " ".join(parts)


def _criteria(protocol: AnyProtocol) -> str:
    if isinstance(protocol, PaperProtocol):
        return (
            "A submission passes when its BIC is better than that of no planets by more than "
            f"{protocol.min_delta_bic:g}, the RMS of its residuals is at most "
            f"{protocol.rms_factor:g} times the median error, and planets and their number agree "
            "with the true system."
        )
    if isinstance(protocol, ArchivalProtocol):
        return (
            "This is a real star. A submission passes when periods and semi-amplitudes agree with "
            f"the published planets within {protocol.sigmas:g} standard deviations, their number "
            "is right, and the residuals are as small as those of the best fit."
        )
    return (
        f"A submission passes when every planet improves the BIC by more than "
        f"{protocol.min_delta_bic:g}, the residuals are as small as they can be, the planets agree "
        "with the true system as well as the data permit, every period is right (no alias), and "
        "their number is right."
    )
