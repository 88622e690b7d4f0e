"""What a model reads of a star: the public part of its task, and nothing else."""

from __future__ import annotations

from ecliptic.rv import Observation
from ecliptic.rv.agent_texts import criteria_in_words, data_rows, data_summary, family_in_words
from ecliptic.rv.protocols import AnyProtocol
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
    data = data_summary(observation)
    if not laboratory:
        data += f"\n\n{data_rows(observation)}"
    return PROMPT.format(
        data=data,
        t_ref=observation.t_ref_days,
        family=family_in_words(observation),
        criteria=criteria_in_words(protocol),
        tools="The tool `python` holds the data." if laboratory else "There is no tool to compute.",
        planets=AGENT_LIMITS.max_planets,
        max_e=AGENT_LIMITS.max_e,
        submissions=submissions,
    )
