"""A server in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

START_SECONDS = 300.0
END = ("--port", "0", "--state")
KEY = "the-operator-of-the-tests"


class Served:
    """``ecliptic serve ...`` on a free port; ``log`` is what it wrote to standard error."""

    def __init__(self, *arguments: str, state: Path, key: str = KEY) -> None:
        self.state, self._lines, self._up = state, [], threading.Event()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ecliptic", "serve", *arguments, *END, str(state)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "ECLIPTIC_OPERATOR_KEY": key},
        )
        self.url = ""
        streams = (self.process.stdout, self.process.stderr)
        self._readers = [threading.Thread(target=self._read, args=(each,)) for each in streams]
        for reader in self._readers:
            reader.start()
        if not self._up.wait(START_SECONDS) or not self.url:
            self.stop()
            raise AssertionError("the server did not start:\n" + self.log)

    def _read(self, stream) -> None:
        with stream:
            for line in stream:
                self._lines.append(line)
                found = re.search(r" at (http://\S+) ", line)
                if found:
                    self.url = found[1]
                    self._up.set()
        self._up.set()

    @property
    def log(self) -> str:
        return "".join(self._lines)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._ended()

    def stop(self) -> int:
        self.process.terminate()
        return self._ended()

    def _ended(self) -> int:
        status = self.process.wait(60)
        for reader in self._readers:
            reader.join(60)
        return status
