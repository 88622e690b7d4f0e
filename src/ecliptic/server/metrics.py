"""Figures for Prometheus. None of them tells whether anything passed."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)


class Metrics:
    """The server's own registry."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.calls = Counter(
            "ecliptic_http_requests", "Requests", ["route", "method", "status"],
            registry=self.registry,
        )  # fmt: skip
        self.seconds = Histogram(
            "ecliptic_http_request_seconds", "Time to answer", ["route"],
            buckets=BUCKETS, registry=self.registry,
        )  # fmt: skip
        self.tools = Counter(
            "ecliptic_tool_calls", "Calls of tools", ["tool", "way"], registry=self.registry
        )
        self.attempts = Gauge("ecliptic_open_attempts", "Open attempts", registry=self.registry)
        self.laboratories = Gauge(
            "ecliptic_open_laboratories", "Open Python sessions", registry=self.registry
        )
        self.grading = Gauge(
            "ecliptic_waiting_gradings", "Submissions being graded", registry=self.registry
        )

    def text(self) -> bytes:
        """All figures in Prometheus's text format."""
        return generate_latest(self.registry)
