"""Runs: a solver over a suite in worker processes, with results that survive any crash."""

from ecliptic.run.engine import Progress, RunnableSuite, RunSummary, default_out, run_suite
from ecliptic.run.folder import read_manifest
from ecliptic.run.journal import read_results
from ecliptic.run.plan import protocol_for

__all__ = [
    "Progress",
    "RunSummary",
    "RunnableSuite",
    "default_out",
    "protocol_for",
    "read_manifest",
    "read_results",
    "run_suite",
]
