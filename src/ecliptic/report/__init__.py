"""A report: one folder of pages about the attempts in logs, which opens without a server."""

from ecliptic.report.site import Written, write_report

__all__ = ["Written", "write_report"]
