"""Statistics of results: intervals and tables."""

from ecliptic.analysis.intervals import wilson_interval
from ecliptic.analysis.tables import PassRow, PassTable, pass_table

__all__ = ["PassRow", "PassTable", "pass_table", "wilson_interval"]
