"""The system calls that a jail forbids, as a program for the kernel's filter.

The filter closes what namespaces leave open: kernel interfaces with a history of faults, nested
namespaces, keyrings (which no namespace separates), memory that no limit counts, and socket
families that reach the host (a virtual machine's ``AF_VSOCK`` ignores network namespaces).

Format: classic BPF, eight bytes an instruction (``struct sock_filter``); see the kernel's
Documentation/userspace-api/seccomp_filter.rst.
"""

from __future__ import annotations

import errno
import struct

from ecliptic.errors import UsageError

# Numbers: (x86_64, aarch64), from the kernel's tables; None where the call does not exist.
FORBIDDEN: dict[str, tuple[int | None, int | None]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "vmsplice": (278, 75),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    # An access list of 64 kB can hang on every file of a file system in memory.
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
}
_CLONE = (56, 220)
_CLONE3 = 435
_SOCKET = (41, 198)
_SOCKETPAIR = (53, 199)
_MAP = (9, 222)
_SET_SOCKET_OPTION = (54, 208)
_SOL_SOCKET, _SO_SNDBUF = 1, 7
_FILE_CONTROL = (72, 25)
_SET_RANGE_LOCK = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
_SHARED_ANONYMOUS, _KIND_OR_ANONYMOUS = 0x21, 0x2F
# Calls that change another process's limits or its share of the processor, with the values of the
# first arguments that stand for the caller itself.
_OWN_ONLY: dict[str, tuple[tuple[int, int], tuple[int, ...]]] = {
    "prlimit64": ((302, 261), (0,)),
    "setpriority": ((141, 140), (0, 0)),
    "ioprio_set": ((251, 30), (1, 0)),
    "sched_setaffinity": ((203, 122), (0,)),
    "sched_setattr": ((314, 274), (0,)),
    "sched_setparam": ((142, 118), (0,)),
    "sched_setscheduler": ((144, 119), (0,)),
}
_FAMILIES = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6
_NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW... flag
_AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000

_LOAD, _JUMP_EQUAL, _JUMP_SET, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_AND = 0x54
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET, _FIRST_ARGUMENT_OFFSET = 0, 4, 16
_ARGUMENT_BYTES = 8  # of which the lower four come first, and the others mean nothing here


def program(machine: str) -> bytes:
    """The filter for a machine as ``platform.machine()`` names it.

    Raises
    ------
    UsageError
        The numbers of the system calls are not known for it.
    """
    if machine not in _AUDIT_ARCHITECTURE:
        raise UsageError(
            f"the laboratory's jail knows x86_64 and aarch64, not {machine}: use a container"
        )
    column = list(_AUDIT_ARCHITECTURE).index(machine)
    refuse = _ERRNO | errno.EPERM
    steps = [
        _step(_LOAD, _ARCHITECTURE_OFFSET),
        _step(_JUMP_EQUAL, _AUDIT_ARCHITECTURE[machine], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER_OFFSET),
    ]
    if machine == "x86_64":
        steps += [_step(_JUMP_AT_LEAST, _X32, 0, 1), _step(_RETURN, refuse)]
    for numbers in FORBIDDEN.values():
        number = numbers[column]
        if number is not None:
            steps += [_step(_JUMP_EQUAL, number, 0, 1), _step(_RETURN, refuse)]
    # glibc falls back to clone, whose flags can be looked at
    steps += [_step(_JUMP_EQUAL, _CLONE3, 0, 1), _step(_RETURN, _ERRNO | errno.ENOSYS)]
    steps += [
        _step(_JUMP_EQUAL, _CLONE[column], 0, 4),
        _step(_LOAD, _FIRST_ARGUMENT_OFFSET),
        _step(_JUMP_SET, _NEW_NAMESPACES, 0, 1),
        _step(_RETURN, refuse),
        _step(_RETURN, _ALLOW),
    ]
    for call in (_SOCKET, _SOCKETPAIR):
        steps += [
            _step(_JUMP_EQUAL, call[column], 0, 3 + len(_FAMILIES)),
            _step(_LOAD, _FIRST_ARGUMENT_OFFSET),
            *(
                _step(_JUMP_EQUAL, family, len(_FAMILIES) - place, 0)
                for place, family in enumerate(_FAMILIES)
            ),
            _step(_RETURN, _ERRNO | errno.EAFNOSUPPORT),
            _step(_RETURN, _ALLOW),
        ]
    steps += [
        _step(_JUMP_EQUAL, _MAP[column], 0, 5),
        _step(_LOAD, _FIRST_ARGUMENT_OFFSET + 3 * _ARGUMENT_BYTES),
        _step(_AND, _KIND_OR_ANONYMOUS),
        _step(_JUMP_EQUAL, _SHARED_ANONYMOUS, 0, 1),
        _step(_RETURN, refuse),
        _step(_RETURN, _ALLOW),
    ]
    steps += [  # what waits in a socket is memory that no limit counts
        _step(_JUMP_EQUAL, _SET_SOCKET_OPTION[column], 0, 6),
        _step(_LOAD, _FIRST_ARGUMENT_OFFSET + _ARGUMENT_BYTES),
        _step(_JUMP_EQUAL, _SOL_SOCKET, 0, 3),
        _step(_LOAD, _FIRST_ARGUMENT_OFFSET + 2 * _ARGUMENT_BYTES),
        _step(_JUMP_EQUAL, _SO_SNDBUF, 0, 1),
        _step(_RETURN, refuse),
        _step(_RETURN, _ALLOW),
    ]
    steps += [  # one file can have any number of locked ranges
        _step(_JUMP_EQUAL, _FILE_CONTROL[column], 0, 3 + len(_SET_RANGE_LOCK)),
        _step(_LOAD, _FIRST_ARGUMENT_OFFSET + _ARGUMENT_BYTES),
        *(
            _step(_JUMP_EQUAL, command, len(_SET_RANGE_LOCK) - place, 0)
            for place, command in enumerate(_SET_RANGE_LOCK)
        ),
        _step(_RETURN, _ALLOW),
        _step(_RETURN, _ERRNO | errno.ENOLCK),
    ]
    for calls, own in _OWN_ONLY.values():
        steps.append(_step(_JUMP_EQUAL, calls[column], 0, 3 * len(own) + 1))
        for place, value in enumerate(own):
            steps += [
                _step(_LOAD, _FIRST_ARGUMENT_OFFSET + place * _ARGUMENT_BYTES),
                _step(_JUMP_EQUAL, value, 1, 0),
                _step(_RETURN, refuse),
            ]
        steps.append(_step(_RETURN, _ALLOW))
    return b"".join([*steps, _step(_RETURN, _ALLOW)])


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)
