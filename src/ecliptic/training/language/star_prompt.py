"""What a model reads of a star: the public part of its task, and nothing else."""

from __future__ import annotations

import numpy as np

from ecliptic.rv import Observation
from ecliptic.rv.protocols import AnyProtocol, ArchivalProtocol, PaperProtocol
from ecliptic.rv.submission import AGENT_LIMITS

PROMPT = """\
Find the planets of a star in its radial velocities.

# The data

{data}

# The model

Each planet moves on a Keplerian orbit; the star's velocity is

    v(t) = gamma_instrument + sum over planets of K [cos(nu + omega) + e cos omega]

with true anomaly nu, the star's argument of periastron omega, and
K = 28.4329 m/s (m sin i / M_Jup) (M_star / M_Sun)^(-2/3) (P / 365.25 d)^(-1/3) (1 - e^2)^(-1/2).
Angles refer to t_ref_days = {t_ref:.6f}; the mean longitude is l = omega + M at that time.
{family}

# What counts

{criteria}

# How to hand in

{tools} Hand in with the tool `submit`: at most {planets} planets, e up to {max_e:g}. You have \
{submissions} submissions; the attempt ends when one passes or all are used.
"""


def star_prompt(
    observation: Observation, protocol: AnyProtocol, submissions: int, *, laboratory: bool
) -> str:
    """The prompt of a rollout; without a laboratory all data are written out."""
    data = _summary(observation)
    if not laboratory:
        data += f"\n\n{_rows(observation)}"
    return PROMPT.format(
        data=data,
        t_ref=observation.t_ref_days,
        family=_family(observation),
        criteria=_criteria(protocol),
        tools="The tool `python` holds the data." if laboratory else "There is no tool to compute.",
        planets=AGENT_LIMITS.max_planets,
        max_e=AGENT_LIMITS.max_e,
        submissions=submissions,
    )


def _summary(observation: Observation) -> str:
    times, labels = observation.times_days, np.array(observation.instruments)
    lines = [
        f"- {len(times)} velocities over {np.ptp(times):.1f} days",
        f"- stellar mass {observation.star_mass_sun:.4g} solar masses",
    ]
    for label in observation.instrument_labels:
        errors = observation.sigmas_ms[labels == label]
        lines.append(
            f"- instrument {label}: {len(errors)} points, median error {np.median(errors):.3g} m/s"
        )
    names = ", ".join(each.name for each in observation.indicators)
    if names:
        lines.append(f"- activity indicators at the same times: {names}")
    return "\n".join(lines)


def _rows(observation: Observation) -> str:
    columns = (observation.times_days, observation.rvs_ms, observation.sigmas_ms)
    rows = [
        f"{time:.4f} {velocity:.2f} {sigma:.2f} {label}"
        for time, velocity, sigma, label in zip(*columns, observation.instruments, strict=True)
    ]
    return "\n".join(["time_days rv_ms sigma_ms instrument", *rows])


def _family(observation: Observation) -> str:
    family = observation.family
    if family is None:
        return "The noise is Gaussian with the quoted errors; a white jitter may be added."
    parts = ["An offset and a white jitter of each instrument are fitted by the grader."]
    if family.activity:
        parts.append("So is a quasi-periodic Gaussian process that follows the indicators.")
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
            f"The BIC is better than that of no planets by more than {protocol.min_delta_bic:g}, "
            f"the RMS of the residuals is at most {protocol.rms_factor:g} times the median error, "
            "and planets and their number agree with the true system."
        )
    if isinstance(protocol, ArchivalProtocol):
        return (
            "This is a real star. Periods and semi-amplitudes agree with the published planets "
            f"within {protocol.sigmas:g} standard deviations, their number is right, and the "
            "residuals are as small as those of the best fit."
        )
    return (
        f"Every planet improves the BIC by more than {protocol.min_delta_bic:g}, the residuals are "
        "as small as they can be, the planets agree with the true system as well as the data "
        "permit, every period is right (no alias), and their number is right."
    )
