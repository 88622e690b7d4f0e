"""Agent Skills: folders with a ``SKILL.md`` that tell an agent how a kind of work is done.

The shipped ones cover radial velocities (world ``rv``) and heliophysics questions (``helio``).
Nothing here needs Inspect but :func:`skill_setup` and the modules ``inspect_tool``,
``transcripts`` and ``distillation``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ecliptic.skills.library import load_skills
from ecliptic.skills.presentation import SkillReader, index_text, injected_text, read_skill
from ecliptic.skills.skill import Skill

if TYPE_CHECKING:
    from inspect_ai.solver import Solver

__all__ = [
    "Skill",
    "SkillReader",
    "index_text",
    "injected_text",
    "load_skills",
    "read_skill",
    "skill_setup",
]


def skill_setup(mode: str, world: str, folder: str | None = None) -> Solver:
    """A step of an Inspect task's setup that gives its agent the skills of ``world``.

    Parameters
    ----------
    mode
        ``injected`` (all bodies in a system message) or ``on_demand`` (an index in a system
        message, and the tool ``read_skill``).
    world
        ``rv``, ``helio`` or whatever the skills name.
    folder
        Skills of one's own instead of the shipped ones.

    Raises
    ------
    UsageError
        There is no such mode, or no skill for that world.
    """
    from ecliptic.skills.inspect_tool import skill_messages

    return skill_messages(mode, world, folder)
