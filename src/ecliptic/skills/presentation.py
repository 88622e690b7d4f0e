"""How skills are put before a model: all at once, or as an index with a reader."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from ecliptic.errors import UsageError
from ecliptic.skills.library import load_skills
from ecliptic.skills.skill import Skill

_INJECTED = (
    "# Skills\n\n"
    "Worked methods for tasks of this kind. Use what fits; where they and the task differ, the "
    "task's own words hold. Code is for a Python session, if you have one."
)
_INDEX = (
    "# Skills\n\n"
    "Worked methods for tasks of this kind can be read with the tool `read_skill`, by name. Read "
    "what fits before you do that part of the work; where a skill and the task differ, the task's "
    "own words hold."
)


def injected_text(skills: Sequence[Skill]) -> str:
    """A section for a system prompt with the whole of every skill, references included."""
    return "\n\n".join([_INJECTED, *(_whole(skill) for skill in skills)])


def index_text(skills: Sequence[Skill]) -> str:
    """A section for a system prompt with names and descriptions."""
    return "\n".join([_INDEX, "", *(f"- `{skill.name}`: {skill.description}" for skill in skills)])


class SkillReader:
    """Reads skills by name: what a tool of an agent calls.

    Parameters
    ----------
    skills
        Those that may be read.
    """

    def __init__(self, skills: Sequence[Skill]) -> None:
        self._skills = {skill.name: skill for skill in skills}

    def __call__(self, name: str, file: str = "") -> str:
        """The instructions of a skill, or one of the files beside them.

        Raises
        ------
        UsageError
            There is no such skill or file; the message says which there are.
        """
        skill = self._skills.get(name.strip())
        if skill is None:
            close = difflib.get_close_matches(name, self._skills, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(self._skills)}"
            raise UsageError(f"no skill '{name}'; {hint}")
        if file:
            return skill.read_file(file)
        notes = [f"Builds on the code of: {', '.join(skill.needs)}."] if skill.needs else []
        if skill.files:
            notes.append(f"Files to read with `file`: {', '.join(skill.files)}.")
        return "\n\n".join([skill.body, *notes])


def read_skill(name: str, file: str = "") -> str:
    """As :class:`SkillReader`, of the shipped skills."""
    return SkillReader(load_skills())(name, file)


def _whole(skill: Skill) -> str:
    references = [
        f'<file path="{path}">\n{skill.read_file(path).strip()}\n</file>'
        for path in skill.files
        if path.startswith("references/")
    ]
    inside = "\n\n".join([skill.body, *references])
    return f'<skill name="{skill.name}">\n\n{inside}\n\n</skill>'
