"""Which isolation this machine offers, and what to do where it offers none."""

from __future__ import annotations

import functools
import os
import platform
import re
import shutil
import subprocess
import sys
from typing import Literal

from ecliptic.errors import UsageError

from . import jail, seccomp

Isolation = Literal["auto", "bubblewrap", "unconfined"]
CHOICES: tuple[Isolation, ...] = ("auto", "bubblewrap", "unconfined")
OLDEST = (0, 7)
_TRIAL_SECONDS = 20


def choose(isolation: str) -> Literal["bubblewrap", "unconfined"]:
    """What a wish comes to on this machine.

    Raises
    ------
    UsageError
        Bubblewrap cannot be used, with what to install or to allow; or the wish is none of
        :data:`CHOICES`.
    """
    if isolation not in CHOICES:
        raise UsageError(f"isolation: {isolation!r} is none of {', '.join(CHOICES)}")
    if isolation == "unconfined":
        if os.name != "posix":
            raise UsageError("the laboratory needs Linux or macOS; on Windows use WSL 2")
        return "unconfined"
    problem = why_no_bubblewrap()
    if problem is not None:
        raise UsageError(
            f"no jail for the agent's code: {problem}. To run it with all rights of this user "
            "instead, choose isolation 'unconfined' (safe only in a machine you can throw away)"
        )
    return "bubblewrap"


@functools.cache
def why_no_bubblewrap() -> str | None:
    """Why bubblewrap cannot be used here and what to do, or ``None`` if it can; tried once."""
    if sys.platform != "linux":
        return (
            f"bubblewrap needs Linux, this is {platform.system()}; use a Linux machine or container"
        )
    bwrap = find_bubblewrap()
    if bwrap is None:
        return (
            "bubblewrap is not installed (Debian, Ubuntu: apt-get install bubblewrap; Fedora: "
            "dnf install bubblewrap; Arch: pacman -S bubblewrap)"
        )
    try:
        seccomp.program(platform.machine())
        version = _run([bwrap, "--version"]).stdout
        found = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
        if not found:
            return f"{bwrap} --version names no version; install bubblewrap 0.7 or newer"
        if found < OLDEST:
            return f"bubblewrap {version.split()[-1]} is too old, 0.7 or newer is needed"
        os.close(os.pidfd_open(os.getpid()))
        tried = _run(jail.trial(bwrap))
    except UsageError as error:
        return str(error)
    except subprocess.TimeoutExpired:
        return f"{bwrap} does not answer within {_TRIAL_SECONDS} s; install it anew"
    except OSError as error:
        return f"bubblewrap 0.7 and Linux 5.3 or newer are needed: {error}"
    return None if tried.returncode == 0 else explain(tried.stderr)


def find_bubblewrap() -> str | None:
    """Path of the program."""
    return shutil.which("bwrap")


def explain(complaint: str) -> str:
    """Bubblewrap's complaint with the usual remedy."""
    line = complaint.strip().splitlines()[-1] if complaint.strip() else "no reason given"
    if re.search(r"max_\S*namespaces", line):
        return f"{line} (allow more namespaces: sysctl -w user.max_user_namespaces=10000)"
    if re.search(r"uid map|Operation not permitted|Permission denied|namespace", line):
        return (
            f"{line} (namespaces are not permitted: on Ubuntu sysctl -w "
            "kernel.apparmor_restrict_unprivileged_userns=0, on other systems sysctl -w "
            "kernel.unprivileged_userns_clone=1, in a container --security-opt seccomp=unconfined "
            "or --privileged)"
        )
    return line


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=_TRIAL_SECONDS, check=False
    )
