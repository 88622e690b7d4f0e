"""Statistics of results: attempts out of logs, intervals, comparisons and tables."""

from ecliptic.analysis.arms import by_arm, find_arm
from ecliptic.analysis.attempts import Attempt, to_pandas
from ecliptic.analysis.ceilings import Bounds, Reach, read_bounds, suite_bounds
from ecliptic.analysis.clusters import clustered_interval, clustered_standard_error, rate_interval
from ecliptic.analysis.comparison import Comparison, compare, compare_all
from ecliptic.analysis.criterion_kinds import StatisticalPhysical, statistical_physical
from ecliptic.analysis.formats import FORMATS, Table, render
from ecliptic.analysis.intervals import wilson_interval
from ecliptic.analysis.leaderboards import GROUPINGS, Standing, leaderboard, standing
from ecliptic.analysis.logs import find_logs, read_attempts
from ecliptic.analysis.multiplicity import holm
from ecliptic.analysis.paired_tests import bootstrap_interval, mcnemar, sign_flip
from ecliptic.analysis.pairing import Pairing, pair
from ecliptic.analysis.power import clusters_needed, mcnemar_power, tasks_needed
from ecliptic.analysis.repeats import Repeats, pass_at_k, pass_hat_k, repeated
from ecliptic.analysis.standing_tables import (
    comparison_record,
    comparison_table,
    leaderboard_tables,
    standing_record,
)
from ecliptic.analysis.tables import PassRow, PassTable, pass_table
from ecliptic.analysis.thresholds import SweepPoint, sweep

__all__ = [
    "FORMATS",
    "GROUPINGS",
    "Attempt",
    "Bounds",
    "Comparison",
    "Pairing",
    "PassRow",
    "PassTable",
    "Reach",
    "Repeats",
    "Standing",
    "StatisticalPhysical",
    "SweepPoint",
    "Table",
    "bootstrap_interval",
    "by_arm",
    "clustered_interval",
    "clustered_standard_error",
    "clusters_needed",
    "compare",
    "compare_all",
    "comparison_record",
    "comparison_table",
    "find_arm",
    "find_logs",
    "holm",
    "leaderboard",
    "leaderboard_tables",
    "mcnemar",
    "mcnemar_power",
    "pair",
    "pass_at_k",
    "pass_hat_k",
    "pass_table",
    "rate_interval",
    "read_attempts",
    "read_bounds",
    "render",
    "repeated",
    "sign_flip",
    "standing",
    "standing_record",
    "statistical_physical",
    "suite_bounds",
    "sweep",
    "tasks_needed",
    "to_pandas",
    "wilson_interval",
]
