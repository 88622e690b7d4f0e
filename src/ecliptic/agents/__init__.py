"""Ways to reason on Inspect: multi-agent patterns as solvers, and around other people's solvers.

Needs the extra ``agents``. Patterns know no world of tasks: they work on whatever Inspect puts
before a solver, with the task's own tools.
"""

from __future__ import annotations

from importlib.util import find_spec

from ecliptic.errors import MissingExtraError

if find_spec("inspect_ai") is None:
    raise MissingExtraError("agents", "agents")

from ecliptic.agents.attempt import attempt_over, end_attempt
from ecliptic.agents.catalogue import PATTERNS, find_pattern
from ecliptic.agents.contracts import Contract, Handover
from ecliptic.agents.generation import MultiAgentGenerate
from ecliptic.agents.ledger import STAGES_KEY, StageRecord, current_stage, stage_records
from ecliptic.agents.router import ROUTE_KEY, Route, route
from ecliptic.agents.session import Session
from ecliptic.agents.solvers import answer_by
from ecliptic.agents.stage import Pattern, Stage
from ecliptic.agents.structure import TaskStructure
from ecliptic.agents.wrapping import BYPASSED_KEY, wrap_task, wrapped

__all__ = [
    "BYPASSED_KEY",
    "PATTERNS",
    "ROUTE_KEY",
    "STAGES_KEY",
    "Contract",
    "Handover",
    "MultiAgentGenerate",
    "Pattern",
    "Route",
    "Session",
    "Stage",
    "StageRecord",
    "TaskStructure",
    "answer_by",
    "attempt_over",
    "current_stage",
    "end_attempt",
    "find_pattern",
    "route",
    "stage_records",
    "wrap_task",
    "wrapped",
]
