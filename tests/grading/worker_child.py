"""A child for the tests of the worker: does what it is asked to, good or bad."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from ecliptic.grading.worker import serve


def answer(request: Any) -> Any:
    match request:
        case {"sleep": seconds}:
            time.sleep(seconds)
        case {"allocate": size}:
            return {"length": len(bytearray(size))}
        case {"exit": status}:
            os._exit(status)
        case {"print": text}:
            print(text)  # noqa: T201  what a library might do
        case {"recurse": _}:
            return answer({"recurse": 1})
    return {"pid": os.getpid(), "echo": request}


def main() -> None:
    assert "pytest" not in sys.modules
    serve(answer)
