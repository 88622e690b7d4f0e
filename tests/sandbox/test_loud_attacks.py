"""Attacks that break their session: on its channel, its limits, its end."""

from __future__ import annotations

import asyncio
import os
import platform
import secrets
import select
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any, cast

import pytest
from sandbox.attack import HELPERS

from ecliptic.sandbox import (
    BlockingLaboratory,
    CellResult,
    Laboratory,
    Limits,
    session_settings,
)
from ecliptic.sandbox.inside import usage
from ecliptic.sandbox.inside.run import read_reply
from ecliptic.sandbox.inside.session import Session
from ecliptic.sandbox.inside.supervisor import Supervisor
from ecliptic.sandbox.limits import MEBIBYTE

SMALL = Limits(
    memory_bytes=700 * MEBIBYTE,
    processes=16,
    disk_bytes=8 * MEBIBYTE,
    file_bytes=4 * MEBIBYTE,
    files=500,
    output_bytes=2_000,
    grace_seconds=0.3,
)


CLEAN = """
import shutil
for place in ("/lab", "/dev/shm"):
    for entry in os.scandir(place):
        shutil.rmtree(entry) if entry.is_dir() else os.remove(entry)
"""


@pytest.fixture
def session(laboratory: BlockingLaboratory) -> BlockingLaboratory:
    """A fresh session with an empty folder."""
    laboratory.restart()
    assert laboratory.run(HELPERS + CLEAN).error is None
    return laboratory


@pytest.fixture(scope="module")
def laboratory() -> Iterator[BlockingLaboratory]:
    with BlockingLaboratory({"kept": [1, 2]}, SMALL, "bubblewrap") as laboratory:
        yield laboratory


@pytest.fixture(scope="module")
def neighbour() -> Iterator[BlockingLaboratory]:
    with BlockingLaboratory({"kept": [1, 2]}, SMALL, "bubblewrap") as laboratory:
        yield laboratory


def run(session: BlockingLaboratory, code: str, seconds: float = 20) -> CellResult:
    return session.run(dedent(code), seconds)


def works(session: BlockingLaboratory) -> bool:
    return session.run("sum(kept)").text == "3\n"


LOST = {
    "kill itself": ("os.kill(os.getpid(), 9)", "killed by SIGKILL"),
    "leave without a word": ("os._exit(0)", "exit status 0"),
    "crash": ("ctypes.string_at(0)", "SIGSEGV"),
    "close every descriptor": ("os.closerange(0, 256)", "closed its channel|exit status"),
    "end the channel's line never": (
        "chunk = b'x' * 65536\nwhile True: os.write(4, chunk)",
        "flooded its channel",
    ),
    "ignore the interrupt": (
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
        "did not stop",
    ),
    "mask the interrupt": (
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\nwhile True: pass",
        "did not stop",
    ),
    "catch every interrupt": (
        "while True:\n    try:\n        while 1: time.sleep(0.01)\n    except BaseException: pass",
        "did not stop",
    ),
    "loop in C": ("import itertools; sum(itertools.repeat(0))", "did not stop"),
    "stop itself": ("os.kill(os.getpid(), signal.SIGSTOP)", "did not stop"),
    "take memory in several processes": (
        """
        for _ in range(8):
            if os.fork() == 0:
                held = b"x" * (300 << 20)
                time.sleep(60)
        time.sleep(60)
        """,
        "more than 700 MB",
    ),
    "hold sockets without end": (
        """
        for _ in range(6):
            if os.fork() == 0:
                held = []
                try:
                    while True:
                        held.append(socket.socketpair())
                except OSError:
                    time.sleep(60)
        time.sleep(60)
        """,
        "more than 512 sockets",
    ),
    "hold sockets of every kind": (
        """
        for _ in range(6):
            if os.fork() == 0:
                held = []
                try:
                    while True:
                        held.append(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                except OSError:
                    time.sleep(60)
        time.sleep(60)
        """,
        "more than 512 sockets",
    ),
    "take memory for page tables": (
        """
        libc.mmap.restype = ctypes.c_void_p
        for _ in range(4):
            if os.fork() == 0:
                for n in range(60_000):  # one page, one table and one directory a gigabyte
                    place = libc.mmap(
                        ctypes.c_void_p(0x100000000000 + (n << 30)), ctypes.c_size_t(4096), 1,
                        0x100022, -1, ctypes.c_size_t(0),
                    )
                    ctypes.string_at(place, 1)
                time.sleep(60)
        time.sleep(60)
        """,
        "more than 700 MB",
    ),
    "take memory for mappings": (
        """
        libc.mmap.restype = ctypes.c_void_p
        for _ in range(12):
            if os.fork() == 0:
                for n in range(60_000):
                    libc.mmap(
                        ctypes.c_void_p(0x100000000000 + (n << 13)), ctypes.c_size_t(4096), 1,
                        0x100022, -1, ctypes.c_size_t(0),
                    )
                time.sleep(60)
        time.sleep(60)
        """,
        "more than 65536 mappings",
    ),
    "hide memory behind a first thread that has ended": (
        """
        def hide():
            time.sleep(1)
            held = b"x" * (300 << 20)
            time.sleep(60)
        for _ in range(5):
            if os.fork() == 0:
                threading.Thread(target=hide).start()
                time.sleep(0.3)
                call((60, 93), 0)
        time.sleep(60)
        """,
        "more than 700 MB",
    ),
}
OTHER_NUMBERS = "call by the numbers of 32-bit programs"
if platform.machine() == "x86_64":
    LOST[OTHER_NUMBERS] = (
        """
        import mmap
        kind = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, kind)
        page.write(bytes.fromhex("b814000000 cd80 c3"))  # getpid through interrupt 0x80
        start = ctypes.addressof(ctypes.c_char.from_buffer(page))
        print("RESULT", ctypes.CFUNCTYPE(ctypes.c_int)(start)())
        """,
        "killed by SIGSYS",
    )


@pytest.mark.parametrize("name", LOST)
def test_ends_the_session_and_no_more(name: str, session: BlockingLaboratory) -> None:
    code, why = LOST[name]
    result = run(session, code, 20 if "more than" in why else 1)
    assert result.session_lost
    assert any(reason in (result.error or "") for reason in why.split("|")), result
    assert works(session)


NESTED = "nest folders without end, then break a limit"


def test_nested_folders_are_emptied_after_a_broken_limit() -> None:
    deep = """
        os.mkdir("/lab/closed", 0)
        os.symlink("/opt", "/lab/link")
        for place in ("/lab", "/dev/shm"):
            os.chdir(place)
            for _ in range(2000):
                os.mkdir("d")
                os.chdir("d")
            open("f", "w").close()
        """
    memory, why = LOST["take memory in several processes"]
    limits = replace(SMALL, files=2500)
    with BlockingLaboratory({"kept": [1, 2]}, limits, "bubblewrap") as session:
        session.run(HELPERS)
        result = run(session, dedent(deep) + dedent(memory))
        assert (result.session_lost, why in (result.error or "")) == (True, True), result
        assert result.text.endswith("; variables and files are gone]\n")
        left = session.run("import os; os.listdir('/lab') + os.listdir('/dev/shm')")
        assert left.text == "[]\n"
        assert works(session)


BORNE = {
    "fork without end": (
        """
        def bomb():
            while True:
                try:
                    os.fork()
                except OSError:
                    pass
        bomb()
        """,
        None,
    ),
    "start threads without end": (
        """
        while True:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        """,
        "RuntimeError",
    ),
    "take memory without end": (
        "held = []\nwhile True: held.append(bytes(1 << 24))",
        "MemoryError",
    ),
    "map memory without end": ("np.ones(1 << 40)", "MemoryError"),
    "fill the folder": (
        """
        for n in range(100):
            with open(f"/lab/{n}", "wb") as file:
                file.write(bytes(1 << 20))
        """,
        "No space left",
    ),
    "fill shared memory": (
        """
        for n in range(100):
            with open(f"/dev/shm/{n}", "wb") as file:
                file.write(bytes(3 << 20))
        """,
        "No space left",
    ),
    "fill the folder with empty files": (
        "for n in range(10**6): open(f'/lab/{n}', 'w').close()",
        "No space left",
    ),
    "fill shared memory with empty files": (
        "for n in range(10**6): open(f'/dev/shm/{n}', 'w').close()",
        "No space left",
    ),
    "write one huge file": ("open('/lab/big', 'wb').write(bytes(5 << 20))", "File too large"),
    "open descriptors without end": (
        "held = []\nwhile True: held.append(open('/dev/null'))",
        "Too many open files",
    ),
    "nest code without end": ("eval('(' * 5000 + ')' * 5000)", "Error"),
    "recur without end": ("def f(): f()\nf()", "RecursionError"),
    "raise what cannot be shown": (
        "class E(Exception):\n    def __str__(self): raise self\nraise E",
        "E",
    ),
}


@pytest.mark.parametrize("name", BORNE)
def test_meets_its_limit(name: str, session: BlockingLaboratory) -> None:
    code, error = BORNE[name]
    result = run(session, code, 2 if error is None else 20)
    if error is None:
        assert result.error is not None
    else:
        assert error in (result.error or ""), result
        assert not result.session_lost
    time.sleep(0.1)
    session.run("held = None")
    assert works(session)


FORGED = '{"nonce": %s, "error": null, "images": [], "passed": true, "head": "forged"}\n'


def test_a_forged_reply_is_ignored(session: BlockingLaboratory) -> None:
    code = """
        for fd in range(256):
            for nonce in ('""', '"0"', 'null', '1'):
                try:
                    os.write(fd, (%r %% nonce).encode()) if fd not in (0, 1, 2) else 0
                except OSError:
                    pass
        print("real")
        """
    result = run(session, code % FORGED)
    assert result.text.endswith("real\n[4 messages to the laboratory ignored]\n")
    assert (result.error, result.images, result.session_lost) == (None, (), False)


def test_a_reply_with_the_stolen_nonce_only_ends_the_own_cell(session: BlockingLaboratory) -> None:
    code = """
        frame = sys._getframe()
        while "request" not in frame.f_locals:
            frame = frame.f_back
        nonce = '"' + frame.f_locals["request"]["nonce"] + '"'
        os.write(4, (%r %% nonce).encode())
        time.sleep(0.3)
        print("late")
        """
    early = run(session, code % FORGED)
    assert (early.text, early.error, early.images) == ("", None, ())
    later = run(session, "'answer of the second cell'")
    assert later.text.splitlines()[-2:] == [
        "'answer of the second cell'",
        "[1 messages to the laboratory ignored]",
    ]
    assert works(session)


def test_lines_without_the_nonce_are_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of ten megabytes can hold three hundred as objects."""
    settings = session_settings(SMALL, "/lab", counted_apart=True)
    good = b'{"nonce": "12", "error": null, "images": []}'
    assert read_reply(good, "12", settings) == {"error": None, "images": []}
    monkeypatch.setattr("ecliptic.sandbox.inside.run.json", None)
    for line in (b'{"nonce": "13", "error": null}', b'{"a": [], "nonce": "12"}', b"[[[["):
        assert read_reply(line, "12", settings) is None


def test_swapped_pages_and_page_tables_are_counted(tmp_path: Path) -> None:
    lines = "Name:\tx\nRssAnon:\t 100 kB\nRssFile:\t 900 kB\nVmSwap:\t 20 kB\nVmPTE:\t 3 kB\n"
    (tmp_path / "status").write_text(lines)
    rollup = "Pss_Anon: 40 kB\nPss_File: 70 kB\nSwapPss: 5 kB\n"
    assert usage._held_bytes([str(tmp_path)]) == 123 << 10
    assert usage._share_bytes([str(tmp_path)]) == 123 << 10
    (tmp_path / "smaps_rollup").write_text(rollup)
    assert usage._share_bytes([str(tmp_path)]) == 48 << 10


PATCHES = (
    "import json; json.dumps = json.loads = lambda *a, **k: 'verdict: passed'",
    "import builtins; builtins.print = builtins.repr = builtins.exec = builtins.len = None",
    "import inside.cell; inside.cell.execute = lambda *a: 'passed'",
    "import inside.worker; inside.worker.Worker._run = lambda *a: {'error': 5, 'images': 7}",
    "import inside.run, inside.supervisor; inside.run.read_reply = lambda *a: {'passed': True}",
    "os.write = os.read = lambda *a: b''",
    "sys.modules.clear()",
    "sys.stdout = sys.stderr = sys.__stdout__ = 5",
    "import gc; [setattr(o, 'settings', None) for o in gc.get_objects() if hasattr(o, 'settings')]",
    "sys.settrace(lambda *a: 1 / 0)",
    "sys.excepthook = sys.displayhook = None; raise SystemExit('passed')",
)


@pytest.mark.parametrize("patch", PATCHES)
def test_patching_the_tool_changes_the_own_session_at_most(
    patch: str, session: BlockingLaboratory, neighbour: BlockingLaboratory
) -> None:
    run(session, patch, 0.5)
    result = run(session, "print(sum(kept))", 0.5)
    assert set(vars(result)) == set(vars(CellResult("")))
    assert isinstance(result.error, str | None)
    assert result.images == ()
    assert works(neighbour)


WAITS = (
    "libc.usleep(10**8)",
    "time.sleep(100)",
    "lock = threading.Lock(); lock.acquire(); lock.acquire()",
)


@pytest.mark.parametrize("code", WAITS)
def test_waiting_is_interrupted_and_variables_stay(code: str, session: BlockingLaboratory) -> None:
    result = run(session, code, 0.3)
    assert (result.timed_out, result.session_lost) == (True, False)
    assert result.text.endswith("KeyboardInterrupt\n[stopped after 0.3 s; variables are kept]\n")
    assert works(session)


def test_forged_images_are_refused(session: BlockingLaboratory) -> None:
    code = """
        import types
        class Figure:
            def savefig(self, buffer, **options):
                buffer.write(%s)
        calls = {"get_fignums": lambda: range(9), "figure": lambda n: Figure(), "close": id}
        sys.modules["matplotlib.pyplot"] = types.SimpleNamespace(**calls)
        """
    for forged in ("b'<svg/>'", r"b'\x89PNG\r\n\x1a\n' + bytes(50)", "bytes(3 << 20)"):
        result = run(session, code % forged)
        assert result.images == ()
        assert "left out" in result.text


def test_output_is_capped_and_harmless(session: BlockingLaboratory) -> None:
    result = run(session, "for n in range(10**5): print(n, 'x' * 100)", 60)
    assert result.truncated
    assert len(result.text) < 3_000
    assert result.text.startswith("0 xxx")
    assert "bytes of output left out" in result.text
    assert "99999 xxx" in result.text
    escaped = run(session, r"print('\x1b[2J\x00\x9b' + chr(0xD800)); os.write(1, b'\xff\n')")
    assert escaped.text.startswith("\\x1b[2J\\x00\\x9b\\ud800\n�\n")


WORKERS = {
    "a thread and a fork": "",
    "processes that wake each other": """
        def wake():
            while True:
                os.kill(-1, signal.SIGCONT)
                os.kill(first, signal.SIGCONT)
        first = os.getpid()
        for _ in range(6):
            if os.fork() == 0:
                wake()
        """,
}


@pytest.mark.parametrize("name", WORKERS)
def test_nothing_runs_between_cells(name: str, session: BlockingLaboratory) -> None:
    run(
        session,
        """
        count = 0
        def tick():
            global count
            while True:
                count += 1
                print("late")
                time.sleep(0.005)
        threading.Thread(target=tick, daemon=True).start()
        if os.fork() == 0:
            tick()
        """
        + WORKERS[name],
    )
    counts = []
    for _ in range(4):
        counts.append(int(run(session, "print('N', count)").text.split("N ")[1].split()[0]))
        time.sleep(0.4)
    assert max(after - before for before, after in pairwise(counts)) < 20, counts


@pytest.mark.parametrize("stops", [True, False])
def test_a_session_that_is_woken_again_and_again_is_killed(
    stops: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []

    class Woken:
        def freeze(self) -> bool:
            done.append("freeze")
            return stops

        def kill(self) -> None:
            done.append("kill")

    harness: Any = None
    supervisor = Supervisor(harness, session_settings(SMALL, "/lab", counted_apart=True), {})
    supervisor.session = cast("Session", Woken())
    monkeypatch.setattr(usage, "awake", lambda: bool(len(done) < 9))
    for _ in range(4):
        supervisor._watch()
    assert done == (["freeze"] * 4 + ["kill"] if stops else ["freeze", "kill"] * 4)


def test_a_supervisor_that_cannot_answer_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starved or stopped, whatever kept it: nothing of the session may be left."""
    monkeypatch.setattr("ecliptic.sandbox.laboratory._MARGIN_SECONDS", 0.5)
    monkeypatch.setattr("ecliptic.sandbox.process._END_SECONDS", 0.2)

    async def attempt() -> tuple[CellResult, list[int], CellResult]:
        async with Laboratory.open({"kept": [1, 2]}, SMALL, "bubblewrap") as laboratory:
            assert laboratory._process is not None
            assert laboratory._process._pidfd is not None
            supervisor = os.dup(laboratory._process._pidfd)
            signal.pidfd_send_signal(supervisor, signal.SIGSTOP)
            lost = await laboratory.run("1", 0.1)
            ended, _, _ = select.select([supervisor], [], [], 5)
            os.close(supervisor)
            return lost, ended, await laboratory.run("sum(kept)")

    lost, ended, after = asyncio.run(attempt())
    assert lost.session_lost
    assert ended
    assert after.text == "3\n"


OUTLIVING = {
    "a session of its own": "subprocess.Popen(SLEEP, start_new_session=True)",
    "two forks": "os.fork() or (os.setsid(), os.fork() or os.execv(SLEEP[0], SLEEP), os._exit(0))",
    "deaf to hang-ups": (
        "subprocess.Popen(SLEEP, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))"
    ),
    "a stopped one": "os.kill(subprocess.Popen(SLEEP).pid, signal.SIGSTOP)",
}


def alive(mark: str) -> list[str]:
    """Processes of this machine with a mark among their arguments."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            continue
    return found


@pytest.mark.parametrize("name", OUTLIVING)
def test_nothing_outlives_the_attempt(name: str) -> None:
    mark = secrets.token_hex(12)
    with BlockingLaboratory(isolation="bubblewrap") as session:
        session.run(HELPERS)
        session.run(
            "SLEEP = ['/opt/python/bin/python3', '-I', '-c', 'import time; time.sleep(99)']"
        )
        session.run(f"SLEEP.append('{mark}')")
        session.run(OUTLIVING[name] + "\ntime.sleep(0.2)")
        assert alive(mark)
    assert not alive(mark)


def test_attempts_do_not_see_each_other() -> None:
    with BlockingLaboratory(isolation="bubblewrap") as one:
        with BlockingLaboratory(isolation="bubblewrap") as two:
            one.run("open('/lab/answer', 'w').write('42'); open('/dev/shm/answer', 'w')")
            seen = two.run("import os; os.listdir('/lab') + os.listdir('/dev/shm')")
            assert seen.text == "[]\n"
        with BlockingLaboratory(isolation="bubblewrap") as three:
            assert three.run("import os; os.listdir('/lab')").text == "[]\n"
