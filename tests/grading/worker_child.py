"""A child for the tests of the worker: does what it is asked to, good or bad."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from ecliptic.grading.worker import serve


def answer(request: Any) -> Any:
    match request:
        case {"sleep": seconds}:
            time.sleep(seconds)
        case {"spin": seconds}:
            start = time.process_time()
            while time.process_time() - start < seconds:
                pass
        case {"killed": mark}:  # the first child that is asked is stopped, as if from outside
            with Path(mark).open("a") as file:
                file.write("x")
            if Path(mark).stat().st_size <= request.get("times", 1):
                os.kill(os.getpid(), 9)
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
