"""What a model reads of a star: the public part of its task, and nothing else."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ecliptic.rv import Budget, Observation
from ecliptic.rv.agent_texts import criteria_in_words, data_rows, data_summary, family_in_words
from ecliptic.rv.protocols import AnyProtocol
from ecliptic.rv.submission import AGENT_LIMITS


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
    data = data_summary(observation)
    if by_text:
        data += f"\n\n{data_rows(observation)}"
    return _read("star").format(
        data=data,
        t_ref=f"{observation.t_ref_days:.6f}",
        family=family_in_words(observation),
        criteria=criteria_in_words(protocol),
        handing_in=handing_in,
    )


@cache
def _read(name: str) -> str:
    folder = files("ecliptic.evals").joinpath("prompts")
    return folder.joinpath(f"{name}.md").read_text("utf-8").strip()
