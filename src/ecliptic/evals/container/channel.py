"""Between Inspect's sandbox, which runs one command at a time, and a session that lives on.

A program for the inside of a container, standard library only:

    channel.py start FOLDER CODE LAB   starts the session's supervisor, which works in LAB
    channel.py ask FOLDER ID           hands it the line on standard input, waits for the answer to
                                       ID (``-``: for any), writes it to FOLDER/answer
    channel.py end FOLDER              ends it with all that it started
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import BinaryIO

LOOK_SECONDS = 0.01
END_SECONDS = 5.0


def main(verb: str, folder: str, *arguments: str) -> None:
    """What the command line says."""
    if verb == "start":
        start(Path(folder), *arguments)
    elif verb == "ask":
        ask(Path(folder), *arguments)
    else:
        end(Path(folder))


def start(folder: Path, bootstrap: str, lab: str) -> None:
    """Start the supervisor with a pipe as its input that stays open between commands."""
    folder.mkdir(0o700)
    os.mkfifo(folder / "requests", 0o600)
    with requests(folder) as given, (folder / "answers").open("ab", 0) as said:
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", bootstrap],
            stdin=given,
            stdout=said,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=lab,
        )
    (folder / "pid").write_text(str(process.pid))


def ask(folder: Path, wanted: str) -> None:
    """Send a line, wait for its answer; nothing is written if the supervisor ends before."""
    (folder / "answer").unlink(missing_ok=True)
    with (folder / "answers").open("rb") as said:
        said.seek(0, os.SEEK_END)
        with requests(folder) as pipe:
            rest = memoryview(sys.stdin.buffer.read())
            while rest:
                rest = rest[pipe.write(rest) :]
        line = b""
        while alive(folder):
            line += said.readline()
            if not line.endswith(b"\n"):
                time.sleep(LOOK_SECONDS)
                continue
            if wanted == "-" or json.loads(line).get("id") == int(wanted):
                (folder / "answer").write_bytes(line)
                os.truncate(folder / "answers", 0)
                return
            line = b""


def end(folder: Path) -> None:
    """Have the supervisor end its session and itself; kill one that does not."""
    with requests(folder) as pipe:
        pipe.write(b"end\n")  # what is no message ends it
        deadline = time.monotonic() + END_SECONDS
        while alive(folder) and time.monotonic() < deadline:
            time.sleep(LOOK_SECONDS)
    if alive(folder):
        os.killpg(supervisor(folder), signal.SIGKILL)


def requests(folder: Path) -> BinaryIO:
    """The pipe; open for both directions, so that it has no end while nobody writes."""
    return os.fdopen(os.open(folder / "requests", os.O_RDWR), "wb", 0)


def supervisor(folder: Path) -> int:
    """Its process id."""
    return int((folder / "pid").read_text())


def alive(folder: Path) -> bool:
    """Whether the supervisor runs."""
    try:
        status = Path(f"/proc/{supervisor(folder)}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


if __name__ == "__main__":
    main(*sys.argv[1:])
