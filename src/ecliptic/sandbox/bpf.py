"""Instructions of the kernel's filter of system calls, and the few forms that a filter is made of.

Format: classic BPF, eight bytes an instruction (``struct sock_filter``); see the kernel's
Documentation/userspace-api/seccomp_filter.rst. A filter reads a call's number and the lower halves
of its arguments, and returns what becomes of the call.
"""

from __future__ import annotations

import struct

Steps = list[bytes]

_LOAD, _JUMP_EQUAL, _JUMP_SET, _JUMP_AT_LEAST, _RETURN, _AND = 0x20, 0x15, 0x45, 0x35, 0x06, 0x54
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ARGUMENT_BYTES = 8  # of which the lower four come first, and the others mean nothing here
_LONGEST_JUMP = 255


def begin(architecture: int, first_foreign: int | None, code: int) -> Steps:
    """Kill what calls by another architecture's numbers, and refuse numbers from a first one on."""
    steps = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_JUMP_EQUAL, architecture, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
    ]
    if first_foreign is not None:
        steps += [_step(_JUMP_AT_LEAST, first_foreign, 0, 1), refuse(code)]
    return steps


def allow() -> bytes:
    """Let the call happen."""
    return _step(_RETURN, _ALLOW)


def refuse(code: int) -> bytes:
    """The call fails with an error number."""
    return _step(_RETURN, _ERRNO | code)


def for_call(number: int, steps: Steps) -> Steps:
    """Steps that only a call of this number takes, after which it is allowed."""
    steps = [*steps, allow()]
    assert len(steps) <= _LONGEST_JUMP
    return [_step(_JUMP_EQUAL, number, 0, len(steps)), *steps]


def if_argument(
    place: int, values: tuple[int, ...], steps: Steps, mask: int | None = None
) -> Steps:
    """Steps for calls whose argument at a place, counted from 0, is one of some values."""
    return [
        *_loaded(place, mask),
        *_jumps_over(1, values),
        _step(_JUMP_EQUAL, values[-1], 0, len(steps)),
        *steps,
    ]


def unless_argument(
    place: int, values: tuple[int, ...], steps: Steps, mask: int | None = None
) -> Steps:
    """Steps for calls whose argument at a place, counted from 0, is none of some values."""
    return [
        *_loaded(place, mask),
        *_jumps_over(len(steps) + 1, values),
        _step(_JUMP_EQUAL, values[-1], len(steps), 0),
        *steps,
    ]


def if_flag(place: int, flags: int, steps: Steps) -> Steps:
    """Steps for calls whose argument at a place, counted from 0, has any of some bits."""
    return [*_loaded(place, None), _step(_JUMP_SET, flags, 0, len(steps)), *steps]


def _loaded(place: int, mask: int | None) -> Steps:
    loaded = [_step(_LOAD, _FIRST_ARGUMENT + place * _ARGUMENT_BYTES)]
    return loaded if mask is None else [*loaded, _step(_AND, mask)]


def _jumps_over(beyond: int, values: tuple[int, ...]) -> Steps:
    """Jumps for all values but the last to ``beyond`` steps behind what follows the jumps.

    The last value's own jump follows them.
    """
    before = values[:-1]
    return [
        _step(_JUMP_EQUAL, value, len(before) - 1 - at + beyond, 0)
        for at, value in enumerate(before)
    ]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)
