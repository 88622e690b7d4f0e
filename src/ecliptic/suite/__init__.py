"""Suites of tasks of any world: a folder of JSON files, a Parquet file, or a list in memory.

A suite holds no task: it knows where each one is and reads it when it is asked for, so 10,000
tasks take a few megabytes. A damaged task is an error of that task alone: :meth:`Suite.entries`
lets a run report it and go on. Worlds are found through :mod:`ecliptic.worlds`. A sealed suite has
its truth in another place, and a commitment to it in this one.
"""

from ecliptic.suite.collection import Suite, load_suite
from ecliptic.suite.entries import Entry, Problem, natural_order
from ecliptic.suite.verification import Verification, verify_suite
from ecliptic.suite.writing import write_suite

__all__ = [
    "Entry",
    "Problem",
    "Suite",
    "Verification",
    "load_suite",
    "natural_order",
    "verify_suite",
    "write_suite",
]
