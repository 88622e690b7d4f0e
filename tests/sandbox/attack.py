"""What an attack on the laboratory is: code that tries something, and what must stop it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import dedent

HELPERS = '''
import ctypes, os, platform, re, select, signal, socket, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
COLUMN = 0 if platform.machine() == "x86_64" else 1
TRUTH = re.compile("TRUTH-[0-9a-f]{32}")
TREE = []
LURE = "TRUTH-" + "0" * 32

def attempt(action, *arguments):
    try:
        print("RESULT", action(*arguments))
    except BaseException as error:
        print("STOPPED", type(error).__name__, error)

def call(numbers, *arguments):
    ctypes.set_errno(0)
    given = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    if libc.syscall(numbers[COLUMN], *given) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))

def tree():
    """Every folder of the jail with what it holds, but for processes; kept."""
    if not TREE:
        for place, folders, files in os.walk("/"):
            if place == "/":
                folders.remove("proc")
            TREE.append((place, folders, files))
    return TREE

def read(path, size=200):
    with open(path, "rb") as file:
        return file.read(size)
'''


@dataclass(frozen=True)
class Attack:
    """``stopped`` is a pattern that the output must show so many ``times``.

    ``$NAME`` in the code stands for a fact about the host, such as where a file lies.
    """

    name: str
    code: str
    stopped: str
    times: int = 1

    def source(self, facts: dict[str, str], folder: str = "/lab") -> str:
        """The code with the facts and the session's folder put in."""
        code = dedent(self.code).replace("/lab", folder)
        for name, value in facts.items():
            code = code.replace(f"${name}", value)
        return code

    def was_stopped(self, output: str) -> bool:
        """Whether the output shows that each try failed, and none worked."""
        return len(re.findall(self.stopped, output)) == self.times and "RESULT" not in output
