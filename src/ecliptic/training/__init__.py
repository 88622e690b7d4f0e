"""Tasks as a training ground: Gymnasium environments, and tasksets for the verifiers library.

>>> import gymnasium
>>> import ecliptic.training
>>> env = gymnasium.make("ecliptic/RadialVelocity-Easy-v1", source="suite")
>>> observation, info = env.reset(seed=3)
>>> env.close()

Importing this package registers the environments where Gymnasium is installed
(:mod:`ecliptic.training.registration`); nothing heavy is loaded before one is made. The parts for
language models stand in :mod:`ecliptic.training.language`. Generating, grading and the laboratory
are those of :mod:`ecliptic.rv`, :mod:`ecliptic.helio`, :mod:`ecliptic.grading` and
:mod:`ecliptic.sandbox`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

from ecliptic.training.registration import IDS, register_environments

if TYPE_CHECKING:
    from ecliptic.training.curriculum import Curriculum
    from ecliptic.training.plain_submissions import PlainSubmissions
    from ecliptic.training.question_environment import HeliophysicsEnv
    from ecliptic.training.star_actions import decode_action, encode_submission
    from ecliptic.training.star_environment import RadialVelocityEnv

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "curriculum": ["Curriculum"],
        "plain_submissions": ["PlainSubmissions"],
        "question_environment": ["HeliophysicsEnv"],
        "star_actions": ["decode_action", "encode_submission"],
        "star_environment": ["RadialVelocityEnv"],
    },
)

__all__ = [
    "IDS",
    "Curriculum",
    "HeliophysicsEnv",
    "PlainSubmissions",
    "RadialVelocityEnv",
    "decode_action",
    "encode_submission",
    "register_environments",
]

register_environments()
