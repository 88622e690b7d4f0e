"""All that Inspect finds by name: tasks, solvers, scorers, tools and the scripted provider.

The package's entry point of the group ``inspect_ai`` names this module.
"""

from ecliptic.agents.scripted import scripted
from ecliptic.agents.solvers import (
    answer_by,
    hmaw,
    mentor,
    pace,
    phase,
    react,
    router,
    schema,
    single_shot,
)
from ecliptic.agents.wrapping import wrapped
from ecliptic.evals.admission import admission
from ecliptic.evals.answer_scoring import answer_grade
from ecliptic.evals.question_task import helio
from ecliptic.evals.score_metrics import clustered_error, mean_of_known
from ecliptic.evals.star_scoring import planet_grade
from ecliptic.evals.star_task import begin_episode, stargazer
from ecliptic.evals.star_tools import python, submit
from ecliptic.evals.verifier_role import check_verifier
from ecliptic.skills.inspect_tool import skill_messages, skill_tool

__all__ = [
    "admission",
    "answer_by",
    "answer_grade",
    "begin_episode",
    "check_verifier",
    "clustered_error",
    "helio",
    "hmaw",
    "mean_of_known",
    "mentor",
    "pace",
    "phase",
    "planet_grade",
    "python",
    "react",
    "router",
    "schema",
    "scripted",
    "single_shot",
    "skill_messages",
    "skill_tool",
    "stargazer",
    "submit",
    "wrapped",
]
