"""Radial velocities for the verifiers library: ``vf-eval ecliptic-stars``.

A taskset and the harness that it is played with; see :mod:`ecliptic.training.language`.
"""

from ecliptic.training.language.harness import Conversation
from ecliptic.training.language.local_environment import LocalEnvironment
from ecliptic.training.language.star_tasks import StarsTaskset

__all__ = ["Conversation", "LocalEnvironment", "StarsTaskset"]
