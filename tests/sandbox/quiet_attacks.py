"""Attacks that leave the session alive, so that many can share one.

The truth that they look for is ``TRUTH-`` and 32 hexadecimal digits; ``LURE`` is one of the agent's
own making, which a search must find.
"""

from __future__ import annotations

from sandbox.attack import Attack

ABSENT = "STOPPED (FileNotFoundError|NotADirectoryError|PermissionError)"
REFUSED = "STOPPED PermissionError"
READ_ONLY = r"STOPPED (PermissionError|OSError \[Errno 30\])"

MEMORY = (
    Attack(
        "search all objects for the truth",
        """
        import gc
        kept = [LURE]
        holders = [o for o in gc.get_objects() if isinstance(o, (dict, list, tuple))]
        texts = {text for o in holders for text in TRUTH.findall(str(o))}
        print("LURE", LURE in texts, "OTHERS", len(texts - {LURE}))
        """,
        "LURE True OTHERS 0",
    ),
    Attack(
        "walk the frames up to what started the session",
        """
        frame, texts, depth = sys._getframe(), set(), 0
        while frame:
            texts |= set(TRUTH.findall(str(frame.f_locals) + str(frame.f_globals)))
            frame, depth = frame.f_back, depth + 1
        print("DEPTH", depth > 3, "OTHERS", len(texts - {LURE}))
        """,
        "DEPTH True OTHERS 0",
    ),
    Attack(
        "scan the memory of the process",
        """
        texts = set()
        with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
            for line in maps:
                first, last = (int(x, 16) for x in line.split()[0].split("-"))
                if "r" in line.split()[1] and "[v" not in line and last - first < 1 << 26:
                    memory.seek(first)
                    try:
                        texts |= set(re.findall(rb"TRUTH-[0-9a-f]{32}", memory.read(last - first)))
                    except OSError:
                        pass
        print("LURE", LURE.encode() in texts, "OTHERS", len(texts - {LURE.encode()}))
        """,
        "LURE True OTHERS 0",
    ),
    Attack("read the supervisor's memory", "attempt(read, '/proc/1/mem')", REFUSED),
    Attack("list the supervisor's mappings", "attempt(read, '/proc/1/maps')", REFUSED),
    Attack("read the supervisor's environment", "attempt(read, '/proc/1/environ')", REFUSED),
    Attack(
        "see where the supervisor's descriptors lead",
        "for n in range(12): attempt(os.readlink, f'/proc/1/fd/{n}')",
        ABSENT,
        12,
    ),
    Attack(
        "cripple the supervisor through its limits",
        "import resource; attempt(resource.prlimit, 1, resource.RLIMIT_NOFILE, (0, 0))",
        REFUSED,
    ),
    Attack(
        "take the processor from the supervisor",
        """
        attempt(os.setpriority, os.PRIO_PROCESS, 1, 19)
        attempt(os.setpriority, os.PRIO_USER, 0, 19)
        attempt(os.sched_setaffinity, 1, {0})
        attempt(os.sched_setscheduler, 1, os.SCHED_IDLE, os.sched_param(0))
        attempt(call, (251, 30), 1, 1, 3 << 13)
        """,
        REFUSED,
        5,
    ),
    Attack("reopen the supervisor's channel", "attempt(open, '/proc/1/fd/1', 'w')", REFUSED),
    Attack("trace the supervisor", "attempt(call, (101, 117), 16, 1, 0, 0)", REFUSED),
    Attack(
        "copy from the supervisor's memory",
        """
        class Part(ctypes.Structure):
            _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
        part = Part(ctypes.addressof(ctypes.create_string_buffer(8)), 8)
        attempt(call, (310, 270), 1, ctypes.byref(part), 1, ctypes.byref(part), 1, 0)
        """,
        REFUSED,
    ),
    Attack(
        "take a descriptor out of the supervisor",
        "handle = os.pidfd_open(1); attempt(call, (438, 438), handle, 1, 0); os.close(handle)",
        REFUSED,
    ),
    Attack(
        "find truth in environment and arguments",
        """
        places = (os.environ, sys.argv, sys.orig_argv, read("/proc/self/environ", 9999))
        print("OTHERS", len(TRUTH.findall(str(places))))
        """,
        "OTHERS 0",
    ),
    Attack(
        "look at the host's processes",
        """
        pids = [p for p in os.listdir("/proc") if p.isdigit()]
        commands = str([read(f"/proc/{pid}/cmdline") for pid in pids])
        print("PROCESSES", len(pids), "pytest" in commands)
        """,
        r"PROCESSES [1-3] False",
    ),
    Attack(
        "use an inherited descriptor",
        """
        names = sorted(int(f) for f in os.listdir("/proc/self/fd"))
        kinds = {os.readlink(f"/proc/self/fd/{f}").split(":")[0] for f in names[:-1]}
        print("KINDS", sorted(kinds))
        """,
        r"KINDS \['/dev/null', 'pipe'\]",
    ),
    Attack("ask for keys of the user's session", "attempt(call, (250, 219), 0, -3, 0)", REFUSED),
)

DISK = (
    Attack("read the suite's file", "attempt(read, '$SUITE_FILE')", ABSENT),
    Attack("read the harness's sources", "attempt(os.listdir, '$SOURCES')", ABSENT),
    Attack("read the harness's logs and caches", "attempt(os.listdir, '$CACHE')", ABSENT),
    Attack(
        "read homes",
        "for place in ('/root', '/home', os.path.expanduser('~$USER')): attempt(os.listdir, place)",
        ABSENT,
        3,
    ),
    Attack(
        "read accounts", "attempt(read, '/etc/passwd'); attempt(read, '/etc/shadow')", ABSENT, 2
    ),
    Attack(
        "search the file system for suites, logs and this project",
        """
        names = {name for _, folders, files in tree() for name in [*folders, *files]}
        own = [n for n in names if re.fullmatch("ecliptic(-.*)?|inspect_ai|.*[.](jsonl|eval)", n)]
        print("NAMES", len(names) > 5000, "FOUND", own)
        """,
        r"NAMES True FOUND \[\]",
    ),
    Attack(
        "enter the supervisor's root",
        "attempt(os.listdir, '/proc/1/root/'); attempt(os.listdir, '/proc/1/cwd')",
        REFUSED,
        2,
    ),
    Attack(
        "open a host path through a symbolic link",
        "os.symlink('$SUITE_FILE', '/lab/link'); attempt(read, '/lab/link')",
        ABSENT,
    ),
    Attack(
        "climb out of the folder",
        "attempt(read, '/lab/' + '../' * 40 + '$SUITE_FILE'.lstrip('/'))",
        ABSENT,
    ),
    Attack(
        "link a file of the interpreter into the folder",
        "attempt(os.link, os.__file__, '/lab/os.py')",
        r"STOPPED (OSError \[Errno 18\]|PermissionError)",
    ),
    Attack(
        "write to the packages",
        "attempt(open, np.__file__, 'a'); attempt(open, '/opt/packages/evil.py', 'w')",
        READ_ONLY,
        2,
    ),
    Attack(
        "write to the interpreter and its library",
        "attempt(open, os.__file__, 'a'); attempt(open, '/opt/python/bin/python3', 'ab')",
        r"STOPPED (PermissionError|OSError \[Errno (30|26)\])",
        2,
    ),
    Attack(
        "patch the runner on disk",
        """
        place = os.path.dirname(sys.modules["inside.worker"].__file__)
        attempt(open, place + "/worker.py", "a")
        attempt(os.rename, place, place + "-old")
        """,
        r"STOPPED (PermissionError|OSError \[Errno (30|16)\])",
        2,
    ),
    Attack(
        "write anywhere else",
        """
        writable = []
        for place, _, _ in tree():
            try:
                os.close(os.open(place + "/probe", os.O_CREAT | os.O_WRONLY))
                writable.append(place)
            except OSError:
                pass
        print("WRITABLE", sorted(writable))
        """,
        r"WRITABLE \['/dev/shm', '/lab'\]",
    ),
    Attack(
        "change the kernel's settings",
        """
        for name in ("core_pattern", "hostname"):
            attempt(os.open, "/proc/sys/kernel/" + name, os.O_WRONLY)
        """,
        READ_ONLY,
        2,
    ),
    Attack("look at the machine's devices", "attempt(os.listdir, '/sys')", ABSENT),
    Attack("open a disk", "attempt(os.mknod, '/lab/disk', 0o60600, os.makedev(8, 0))", REFUSED),
    Attack(
        "read kernel memory and symbols",
        "for name in ('kcore', 'kallsyms', 'keys', 'kmsg'): attempt(read, '/proc/' + name)",
        ABSENT,
        4,
    ),
    Attack(
        "import what makes and grades tasks",
        """
        sys.path += ["$SOURCES", "$PACKAGES"]
        for name in ("ecliptic", "ecliptic.rv", "inspect_ai"):
            attempt(__import__, name)
        """,
        "STOPPED ModuleNotFoundError",
        3,
    ),
)

NETWORK = (
    Attack(
        "connect to the host over TCP",
        """
        for host in ("127.0.0.1", "127.0.0.2"):
            attempt(socket.create_connection, (host, $TCP_PORT), 2)
        """,
        r"STOPPED (ConnectionRefusedError|OSError \[Errno 101\])",
        2,
    ),
    Attack(
        "connect to the internet",
        "attempt(socket.create_connection, ('1.1.1.1', 443), 2)",
        r"STOPPED OSError \[Errno 101\]",
    ),
    Attack(
        "send over UDP",
        "attempt(socket.socket(2, 2).sendto, b'x', ('8.8.8.8', 53))",
        r"STOPPED OSError \[Errno 101\]",
    ),
    Attack(
        "ask a name server", "attempt(socket.getaddrinfo, 'example.org', 80)", "STOPPED gaierror"
    ),
    Attack(
        "connect to a socket file of the host",
        "attempt(socket.socket(1).connect, '$SOCKET_FILE')",
        ABSENT,
    ),
    Attack(
        "connect to an abstract socket of the host",
        "attempt(socket.socket(1).connect, chr(0) + '$ABSTRACT_SOCKET')",
        "STOPPED ConnectionRefusedError",
    ),
    Attack(
        "speak to the virtual machine's host or the kernel",
        """
        for family, kind in ((40, 1), (16, 3), (17, 3), (38, 5)):
            attempt(socket.socket, family, kind)
        """,
        r"STOPPED OSError \[Errno 97\]",
        4,
    ),
)

RIGHTS = (
    Attack("mount", "attempt(call, (165, 40), b'x', b'/lab', b'tmpfs', 0, 0)", REFUSED),
    Attack("unmount", "attempt(call, (166, 39), b'/proc', 2)", REFUSED),
    Attack("change root", "attempt(os.chroot, '/lab')", REFUSED),
    Attack(
        "become root",
        "attempt(os.setuid, 0); attempt(os.setgid, 0)",
        r"STOPPED (PermissionError|OSError \[Errno 22\])",
        2,
    ),
    Attack(
        "gain rights through a program that is set-user-ID",
        """
        places = ("/", "/usr/lib", "/lab", "/dev/shm", "/opt/packages/numpy")
        nosuid = all(os.statvfs(place).f_flag & os.ST_NOSUID for place in places)
        status = read("/proc/self/status", 9999).decode()
        print("NOSUID", nosuid, "NoNewPrivs:\\t1" in status)
        """,
        "NOSUID True True",
    ),
    Attack("nest a user namespace", "attempt(call, (272, 97), 0x10000000)", REFUSED),
    Attack("clone into namespaces", "attempt(call, (56, 220), 0x10000011, 0, 0, 0, 0)", REFUSED),
    Attack(
        "clone3 into namespaces",
        "attempt(call, (435, 435), ctypes.create_string_buffer(88), 88)",
        r"STOPPED OSError \[Errno 38\]",
    ),
    Attack(
        "join a namespace", "attempt(call, (308, 268), os.open('/proc/self/ns/net', 0), 0)", REFUSED
    ),
    Attack(
        "raise the limits",
        """
        import resource
        for name in ("AS", "NOFILE", "FSIZE", "CORE"):
            attempt(resource.setrlimit, getattr(resource, "RLIMIT_" + name), (-1, -1))
        """,
        "STOPPED (ValueError|PermissionError)",
        4,
    ),
    Attack(
        "load a program into the kernel, or its rings",
        "for numbers in ((321, 280), (425, 425), (323, 282)): attempt(call, numbers, 0, 0, 0)",
        REFUSED,
        3,
    ),
    Attack(
        "keep memory that no limit counts",
        "attempt(os.memfd_create, 'x'); attempt(call, (29, 194), 0, 1 << 20, 0o1600)",
        REFUSED,
        2,
    ),
    Attack(
        "keep memory in access lists of files",
        """
        import struct
        entries = [(1, 7, -1), *[(2, 7, os.getuid())] * 8000, (4, 7, -1), (16, 7, -1), (32, 7, -1)]
        blob = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *each) for each in entries)
        os.mkdir("listed")
        for name in ("access", "default"):
            attempt(os.setxattr, "listed", "system.posix_acl_" + name, blob)
        """,
        REFUSED,
        2,
    ),
    Attack(
        "keep memory in locked ranges of a file",
        """
        import fcntl
        with open("ranges", "w") as file:
            attempt(fcntl.lockf, file, fcntl.LOCK_EX, 1, 0)
            attempt(fcntl.lockf, file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 2)
        """,
        r"No locks available",
        2,
    ),
    Attack(
        "share memory that belongs to no process",
        """
        attempt(call, (9, 222), 0, 1 << 20, 3, 0x21, -1, 0)
        attempt(os.open, "/dev/zero", os.O_RDWR)
        attempt(call, (278, 75), 1, 0, 0, 0)
        """,
        REFUSED,
        3,
    ),
    Attack(
        "widen a socket",
        """
        near, far = socket.socketpair()
        near.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        attempt(near.setsockopt, socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
        """,
        REFUSED,
    ),
    Attack(
        "get ahead of the supervisor",
        "attempt(os.nice, -1); attempt(os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(1))",
        REFUSED,
        2,
    ),
    Attack("read the kernel's log", "attempt(call, (103, 116), 3, 0, 0)", REFUSED),
    Attack(
        "start a program of the host", "attempt(subprocess.run, ['/bin/sh', '-c', 'id'])", ABSENT
    ),
    Attack(
        "type into the terminal",
        "attempt(os.open, '/dev/tty', os.O_RDWR)",
        r"STOPPED OSError \[Errno 6\]",
    ),
    Attack("set the clock", "attempt(time.clock_settime, 0, 0.0)", REFUSED),
    Attack(
        "signal the supervisor",
        """
        for name in ("KILL", "STOP", "TERM", "INT", "SEGV", "ALRM", "HUP"):
            os.kill(1, getattr(signal, "SIG" + name))
        time.sleep(0.1)
        print("ALIVE", os.path.exists("/proc/1/status"), read("/proc/1/stat").split()[2])
        """,
        r"ALIVE True b'[SR]'",
    ),
)

NO_LOCK = r"STOPPED OSError \[Errno 37\]"

KERNEL = (
    Attack(
        "keep memory in watches, events and rules",
        """
        attempt(call, (294, 26), 0)
        attempt(select.epoll)
        attempt(call, (444, 444), ctypes.create_string_buffer(b"\\1" * 16, 16), 16, 0)
        """,
        REFUSED,
        3,
    ),
    Attack(
        "keep memory in filters of system calls",
        """
        attempt(call, (317, 277), 1, 8, ctypes.create_string_buffer(16))
        attempt(call, (157, 167), 22, 2, ctypes.create_string_buffer(16))
        """,
        REFUSED,
        2,
    ),
    Attack(
        "keep memory in policies of a sparse file's pages",
        """
        import mmap
        with open("/lab/sparse", "w+b") as file:
            file.truncate(1 << 20)
            pages = mmap.mmap(file.fileno(), 1 << 20)
        place = ctypes.addressof(ctypes.c_char.from_buffer(pages))
        attempt(call, (237, 235), place, 4096, 2, ctypes.byref(ctypes.c_ulong(1)), 2, 0)
        attempt(call, (450, 450), place, 4096, 0, 0)
        """,
        REFUSED,
        2,
    ),
    Attack(
        "use up what is limited for the whole machine",
        """
        attempt(call, (206, 0), 60_000, ctypes.byref(ctypes.c_ulong()))
        attempt(os.openpty)
        attempt(call, (9, 222), 0, 1 << 21, 3, 0x40022, -1, 0)
        """,
        REFUSED,
        3,
    ),
    Attack(
        "make the machine write its disks",
        "attempt(call, (162, 81)); attempt(call, (306, 267), os.open('/usr/lib', 0))",
        REFUSED,
        2,
    ),
    Attack(
        "lock a file that other sessions see",
        """
        import fcntl
        with open("/opt/python/bin/python3", "rb") as file:
            attempt(fcntl.flock, file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            attempt(fcntl.flock, file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        """,
        NO_LOCK,
        2,
    ),
    Attack(
        "leave a lease, a watch or a hint on a file",
        """
        import fcntl
        with open("/opt/python/bin/python3", "rb") as file:
            attempt(fcntl.fcntl, file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            for hint in (1036, 1038):
                attempt(fcntl.fcntl, file, hint, (1).to_bytes(8, "little"))
        attempt(fcntl.fcntl, os.open("/opt/packages", 0), fcntl.F_NOTIFY, fcntl.DN_ACCESS)
        """,
        REFUSED,
        4,
    ),
    Attack(
        "have a signal sent that wakes the frozen session",
        """
        import fcntl
        event = (ctypes.c_int * 16)(0, 0, signal.SIGCONT)
        attempt(call, (222, 107), 1, event, ctypes.byref(ctypes.c_int()))
        attempt(fcntl.fcntl, os.pipe()[0], 10, signal.SIGCONT)
        attempt(call, (157, 167), 1, signal.SIGCONT)
        attempt(call, (56, 220), signal.SIGCONT, 0, 0, 0, 0)
        """,
        REFUSED,
        4,
    ),
    Attack(
        "be spared when the machine's memory runs out",
        """
        print("FIRST", read("/proc/self/oom_score_adj").strip() == b"1000")
        for name in ("oom_score_adj", "oom_adj"):
            attempt(os.open, "/proc/self/" + name, os.O_WRONLY)
        """,
        r"FIRST True|STOPPED OSError \[Errno 30\]",
        3,
    ),
    Attack(
        "write anything in /proc",
        """
        writable = []
        for place, _, names in os.walk("/proc"):
            for name in names:
                try:
                    os.close(os.open(f"{place}/{name}", os.O_WRONLY | os.O_NONBLOCK))
                    writable.append(f"{place}/{name}")
                except OSError:
                    pass
        others = [path for path in writable if "/fd/" not in path]
        print("WRITABLE", sorted(set(map(os.path.realpath, others)) - {"/dev/null"}))
        """,
        r"WRITABLE \[\]",
    ),
    Attack(
        "call by the numbers of another interface",
        "attempt(call, (0x40000000 + 101, 117), 16, 1, 0, 0)",
        REFUSED,
    ),
    Attack(
        "mount by newer calls",
        """
        attempt(call, (428, 428), -100, b"/lab", 1)
        attempt(call, (467, 467), -100, b"/lab", 1, 0, 0)
        attempt(call, (429, 429), -100, b"/lab", -100, b"/dev/shm", 0)
        attempt(call, (430, 430), b"tmpfs", 0)
        attempt(call, (442, 442), -100, b"/lab", 0, ctypes.create_string_buffer(32), 32)
        """,
        REFUSED,
        5,
    ),
    Attack(
        "open files by handles",
        """
        handle = ctypes.create_string_buffer(b"\\x80", 136)
        attempt(call, (303, 264), -100, b"/lab", handle, ctypes.byref(ctypes.c_int()), 0)
        attempt(call, (304, 265), os.open("/lab", 0), handle, 0)
        """,
        REFUSED,
        2,
    ),
    Attack(
        "move or drop the supervisor's pages",
        """
        attempt(call, (279, 239), 1, 0, 0, 0, 0, 0)
        part = (ctypes.c_size_t * 2)(1 << 20, 4096)
        attempt(call, (440, 440), os.pidfd_open(1), part, 1, 20, 0)
        attempt(call, (312, 272), os.getpid(), 1, 0, 0, 0)
        """,
        REFUSED,
        3,
    ),
    Attack(
        "order the machine about",
        """
        for name in ("sysrq-trigger", "self/loginuid", "self/timens_offsets", "self/autogroup"):
            attempt(os.open, "/proc/" + name, os.O_WRONLY)
        """,
        r"STOPPED (PermissionError|FileNotFoundError|OSError \[Errno 30\])",
        4,
    ),
    Attack("count the keys of the machine's users", "attempt(read, '/proc/key-users')", ABSENT),
)

QUIET = (*MEMORY, *DISK, *NETWORK, *RIGHTS, *KERNEL)
