"""Heliophysics questions for the verifiers library: ``vf-eval ecliptic-questions``.

A taskset and the harness that it is played with; see :mod:`ecliptic.training.language`.
"""

from ecliptic.training.language.harness import Conversation
from ecliptic.training.language.local_environment import LocalEnvironment
from ecliptic.training.language.question_tasks import QuestionsTaskset

__all__ = ["Conversation", "LocalEnvironment", "QuestionsTaskset"]
