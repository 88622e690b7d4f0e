"""One line of JSON an event, on standard error; no bodies, no queries, no tokens."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

LOGGER = logging.getLogger("ecliptic.server")
FIELDS = ("event", "method", "route", "status", "seconds", "attempt", "tool", "number")


class JSONLines(logging.Formatter):
    """Each record as a line of JSON with known fields only.

    A fault of the program tells its type and where it was raised. Its message and the values in
    its frames are left out: they may hold what was submitted, or a truth.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.name == LOGGER.name and "event" not in line:
            line["event"] = str(record.msg)[:300]
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["where"] = _place(record.exc_info[2])
        return json.dumps(line)


def _place(traceback: Any) -> str:
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return ""
    code = traceback.tb_frame.f_code
    return f"{code.co_qualname}:{traceback.tb_lineno}"


def start_logging(level: str = "INFO") -> None:
    """Write all of this process's log to standard error, the libraries' warnings included."""
    handler = logging.StreamHandler()
    handler.setFormatter(JSONLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    LOGGER.setLevel(level)


def log(event: str, level: int = logging.INFO, **values: Any) -> None:
    """Write an event with some of :data:`FIELDS`."""
    LOGGER.log(level, event, extra={"event": event, **values})
