"""The worlds as Inspect tasks: prompts, tools, scorers, runs of whole tables.

Needs the extra ``agents``. ``inspect eval ecliptic/stargazer`` and ``ecliptic/helio`` find the
tasks through :mod:`ecliptic.evals.registry`; in Python they are :func:`stargazer` and
:func:`helio`.
"""

from __future__ import annotations

from importlib.util import find_spec

from ecliptic.errors import MissingExtraError

if find_spec("inspect_ai") is None:
    raise MissingExtraError("evaluations of language models", "agents")

from ecliptic.evals.question_task import helio
from ecliptic.evals.star_task import stargazer
from ecliptic.evals.stop_reasons import StopReason
from ecliptic.evals.verifier_role import InspectChatModel

__all__ = ["InspectChatModel", "StopReason", "helio", "stargazer"]
