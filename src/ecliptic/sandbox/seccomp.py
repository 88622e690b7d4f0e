"""The system calls that a jail forbids, as a program for the kernel's filter.

The filter closes what namespaces leave open: kernel interfaces with a history of faults, nested
namespaces, keyrings (which no namespace separates), memory that no limit counts, and socket
families that reach the host (a virtual machine's ``AF_VSOCK`` ignores network namespaces).
"""

from __future__ import annotations

import errno

from ecliptic.errors import UsageError

from . import bpf

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
    "open_tree_attr": (467, 467),
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
    # Every page of a sparse file in memory can have a policy.
    "mbind": (237, 235),
    "set_mempolicy_home_node": (450, 450),
    # Watches, events, rules and filters are memory that no limit counts; a watch on a file of the
    # interpreter also sees what others do with it.
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "epoll_create": (213, None),
    "epoll_create1": (291, 20),
    "landlock_create_ruleset": (444, 444),
    "seccomp": (317, 277),
    "io_setup": (206, 0),  # the number of its requests is limited for the whole machine
    "timer_create": (222, 107),  # whose signal can be the one that wakes a frozen process
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
    # Written for the whole machine, again and again, however busy its disks are.
    "sync": (162, 81),
    "syncfs": (306, 267),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
}
_CLONE3 = 435
# Calls that depend on their arguments.
_CALLS: dict[str, tuple[int, int]] = {
    "clone": (56, 220),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "mmap": (9, 222),
    "setsockopt": (54, 208),
    "fcntl": (72, 25),
    "prctl": (157, 167),
    "flock": (73, 32),
    "prlimit64": (302, 261),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
}
_NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW... flag
_EXIT_SIGNAL, _SIGKILL, _SIGCHLD = 0xFF, 9, 17
_FAMILIES = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6
_SHARED_ANONYMOUS, _KIND_OR_ANONYMOUS, _MAP_HUGETLB = 0x21, 0x2F, 0x40000
_SOL_SOCKET, _SO_SNDBUF = 1, 7
_SET_RANGE_LOCK = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
# F_SETSIG, F_SETLEASE, F_NOTIFY, F_SET_RW_HINT, F_SET_FILE_RW_HINT
_ODD_FILE_CONTROLS = (10, 1024, 1026, 1036, 1038)
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SCHED_CORE = 1, 22, 62
# Calls that change another process's limits or its share of the processor, with the values of the
# first arguments that stand for the caller itself.
_OWN_ONLY: dict[str, tuple[int, ...]] = {
    "prlimit64": (0,),
    "setpriority": (0, 0),
    "ioprio_set": (1, 0),
    "sched_setaffinity": (0,),
    "sched_setattr": (0,),
    "sched_setparam": (0,),
    "sched_setscheduler": (0,),
}
_AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000


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
    foreign = _X32 if machine == "x86_64" else None
    steps = bpf.begin(_AUDIT_ARCHITECTURE[machine], foreign, errno.EPERM)
    for numbers in FORBIDDEN.values():
        number = numbers[column]
        if number is not None:
            steps += bpf.for_call(number, [_REFUSE])
    # glibc falls back to clone, whose flags can be looked at
    steps += bpf.for_call(_CLONE3, [bpf.refuse(errno.ENOSYS)])
    for name, inner in _by_argument().items():
        steps += bpf.for_call(_CALLS[name][column], inner)
    return b"".join([*steps, bpf.allow()])


_REFUSE = bpf.refuse(errno.EPERM)


def _by_argument() -> dict[str, bpf.Steps]:
    """What is refused of each call that depends on its arguments."""
    no_lock = bpf.refuse(errno.ENOLCK)
    family = bpf.unless_argument(0, _FAMILIES, [bpf.refuse(errno.EAFNOSUPPORT)])
    own = {
        name: [
            step
            for place, value in enumerate(values)
            for step in bpf.unless_argument(place, (value,), [_REFUSE])
        ]
        for name, values in _OWN_ONLY.items()
    }
    return {
        # A frozen process goes on at SIGCONT, so nothing may send it when a process ends.
        "clone": bpf.if_flag(0, _NEW_NAMESPACES, [_REFUSE])
        + bpf.unless_argument(0, (0, _SIGCHLD), [_REFUSE], _EXIT_SIGNAL),
        "prctl": bpf.if_argument(0, (_PR_SET_SECCOMP, _PR_SCHED_CORE), [_REFUSE])
        + bpf.if_argument(
            0, (_PR_SET_PDEATHSIG,), bpf.unless_argument(1, (0, _SIGKILL), [_REFUSE])
        ),
        "socket": family,
        "socketpair": family,
        "mmap": bpf.if_flag(3, _MAP_HUGETLB, [_REFUSE])
        + bpf.if_argument(3, (_SHARED_ANONYMOUS,), [_REFUSE], _KIND_OR_ANONYMOUS),
        # What waits in a socket is memory that no limit counts.
        "setsockopt": bpf.if_argument(
            1, (_SOL_SOCKET,), bpf.if_argument(2, (_SO_SNDBUF,), [_REFUSE])
        ),
        # One file can have any number of locked ranges; a lock on a file of the interpreter, a
        # lease or a hint is seen in other sessions.
        "fcntl": bpf.if_argument(1, _SET_RANGE_LOCK, [no_lock])
        + bpf.if_argument(1, _ODD_FILE_CONTROLS, [_REFUSE]),
        "flock": [no_lock],
        **own,
    }
