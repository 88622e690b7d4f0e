"""The filter of system calls, run step by step for both machines as the kernel would."""

from __future__ import annotations

import errno
import struct

import pytest

from ecliptic.sandbox.seccomp import FORBIDDEN, program

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOWED, KILLED = "allowed", "killed"


def decision(machine: str, number: int, *arguments: int, architecture: int | None = None) -> str:
    """What becomes of a call: its error's name, or that it is allowed, or kills."""
    given = [argument % (1 << 64) for argument in (*arguments, *[0] * 6)][:6]
    data = struct.pack("<IIQ6Q", number, architecture or ARCHITECTURES[machine], 0, *given)
    steps = list(struct.iter_unpack("<HBBI", program(machine)))
    at = held = 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        if code == 0x20:
            (held,) = struct.unpack_from("<I", data, value)
        elif code == 0x54:
            held &= value
        elif code in (0x15, 0x35, 0x45):
            found = {0x15: held == value, 0x35: held >= value, 0x45: held & value}[code]
            at += if_true if found else if_false
        else:
            assert code == 0x06
            if value >> 16 == 0x0005:
                return errno.errorcode[value & 0xFFFF]
            return {0x7FFF0000: ALLOWED, 0x80000000: KILLED}[value]


NUMBERS = {
    "clone": (56, 220),
    "clone3": (435, 435),
    "fcntl": (72, 25),
    "flock": (73, 32),
    "mmap": (9, 222),
    "prctl": (157, 167),
    "prlimit64": (302, 261),
    "read": (0, 63),
    "sched_setaffinity": (203, 122),
    "setpriority": (141, 140),
    "setsockopt": (54, 208),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "write": (1, 64),
}
CALLS = [
    ("read", (0,), ALLOWED),
    ("write", (1,), ALLOWED),
    ("clone", (17,), ALLOWED),
    ("clone", (0x3D0F00,), ALLOWED),  # a thread
    ("clone", (0x4111,), ALLOWED),  # vfork
    ("clone", (18,), "EPERM"),
    ("clone", (0x10000011,), "EPERM"),
    ("clone3", (), "ENOSYS"),
    ("prctl", (4, 1), ALLOWED),
    ("prctl", (1, 9), ALLOWED),
    ("prctl", (1, 0), ALLOWED),
    ("prctl", (1, 18), "EPERM"),
    ("prctl", (22, 2), "EPERM"),
    ("prctl", (62, 1), "EPERM"),
    ("fcntl", (3, 1), ALLOWED),
    ("fcntl", (3, 6), "ENOLCK"),
    ("fcntl", (3, 38), "ENOLCK"),
    ("fcntl", (3, 10, 18), "EPERM"),
    ("fcntl", (3, 1024), "EPERM"),
    ("flock", (3, 2), "ENOLCK"),
    ("mmap", (0, 4096, 3, 0x22), ALLOWED),
    ("mmap", (0, 4096, 3, 0x01), ALLOWED),
    ("mmap", (0, 4096, 3, 0x21), "EPERM"),
    ("mmap", (0, 4096, 3, 0x100021), "EPERM"),
    ("mmap", (0, 4096, 3, 0x40022), "EPERM"),
    ("setsockopt", (3, 1, 9), ALLOWED),
    ("setsockopt", (3, 1, 7), "EPERM"),
    ("setsockopt", (3, 6, 7), ALLOWED),
    ("socket", (1,), ALLOWED),
    ("socket", (10,), ALLOWED),
    ("socket", (40,), "EAFNOSUPPORT"),
    ("socketpair", (16,), "EAFNOSUPPORT"),
    ("prlimit64", (0, 7), ALLOWED),
    ("prlimit64", (1, 7), "EPERM"),
    ("setpriority", (0, 0, 5), ALLOWED),
    ("setpriority", (0, 1, 5), "EPERM"),
    ("setpriority", (2, 0, 5), "EPERM"),
    ("sched_setaffinity", (0,), ALLOWED),
    ("sched_setaffinity", (1,), "EPERM"),
]


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize(("name", "arguments", "expected"), CALLS)
def test_a_call_is_judged_by_its_arguments(
    machine: str, name: str, arguments: tuple[int, ...], expected: str
) -> None:
    number = NUMBERS[name][list(ARCHITECTURES).index(machine)]
    assert decision(machine, number, *arguments) == expected


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_forbidden_calls_are_refused_whatever_they_ask(machine: str) -> None:
    for numbers in FORBIDDEN.values():
        number = numbers[list(ARCHITECTURES).index(machine)]
        if number is not None:
            assert decision(machine, number, 1, 2, 3) == "EPERM"


def test_other_interfaces_are_closed() -> None:
    assert decision("x86_64", 20, architecture=0x40000003) == KILLED
    assert decision("aarch64", 63, architecture=0x40000028) == KILLED
    assert decision("x86_64", 0x40000000) == "EPERM"
    assert decision("x86_64", 0xFFFFFFFF) == "EPERM"
