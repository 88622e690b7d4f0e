"""The laboratory as an agent and a harness use it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ecliptic.errors import UsageError
from ecliptic.sandbox import BlockingLaboratory, CellResult, Laboratory, Limits, nursery

OBSERVATION = {
    "times_days": np.array([0.0, 1.5, 4.0]),
    "instruments": np.array(["HARPS", "ESPRESSO é", "HARPS"]),
    "flags": np.array([[True], [False]]),
    "star_mass_sun": np.float64(0.9),
    "names": ["b", None, {"c": 1}],
}


@pytest.fixture(scope="module")
def session() -> Iterator[BlockingLaboratory]:
    with BlockingLaboratory(OBSERVATION, isolation="bubblewrap") as laboratory:
        yield laboratory


SHOWN = {
    "1 + 1": "2\n",
    "1 + 1;": "",
    "None": "",
    "": "",
    "# nothing": "",
    "x = 3\nx": "3\n",
    "print('a'); 'b'": "a\n'b'\n",
    "import sys; print('out'); print('err', file=sys.stderr); print('out')": "out\nerr\nout\n",
    "import os; os.write(1, b'raw\\n'); os.write(2, b'too\\n');": "raw\ntoo\n",
    "'π ± ☉'": "'π ± ☉'\n",
    "times_days.sum(), times_days.dtype": "(np.float64(5.5), dtype('float64'))\n",
    "times_days[0] = 7; times_days[0]": "np.float64(7.0)\n",
    "list(instruments)[1], flags.shape": "(np.str_('ESPRESSO é'), (2, 1))\n",
    "star_mass_sun, names": "(0.9, ['b', None, {'c': 1}])\n",
    "np.__name__, __name__": "('numpy', '__main__')\n",
    "for i in range(2):\n    i": "",
    "def f():\n    '''doc'''\n    return 5\nf()": "5\n",
}


@pytest.mark.parametrize("code", SHOWN)
def test_a_cell_shows_what_a_notebook_would(code: str, session: BlockingLaboratory) -> None:
    result = session.run(code)
    assert (result.text, result.error) == (SHOWN[code], None)


FAULTS = {
    "1 / 0": "ZeroDivisionError: division by zero",
    "x = (": "SyntaxError: '(' was never closed",
    "input('?')": "EOFError: EOF when reading a line",
    "raise KeyError('é\\ud800')": r"KeyError: 'é\ud800'",
    "exit_code = 3; raise SystemExit(exit_code)": "SystemExit: 3",
    "a\0b": "source code string cannot contain null bytes",
    "'\ud800'": "UnicodeEncodeError",
    "class E(BaseException): pass\nraise E": "E",
    "import no_such_module": "ModuleNotFoundError: No module named 'no_such_module'",
}


@pytest.mark.parametrize("code", FAULTS)
def test_a_fault_is_told_in_the_agents_own_lines(code: str, session: BlockingLaboratory) -> None:
    result = session.run(code)
    assert FAULTS[code] in (result.error or "")
    assert (result.error or "") in result.text
    assert "inside" not in result.text
    assert session.run("times_days.size").text == "3\n"


@pytest.mark.parametrize(
    "code", ["!ls", "x = (", "if 1:\n\tx\n        y", "return 5", "-" * 10**5 + "1"]
)
def test_what_cannot_be_compiled_is_told_without_a_traceback(
    code: str, session: BlockingLaboratory
) -> None:
    result = session.run(code)
    assert "Error" in (result.error or "")
    assert "Traceback" not in result.text
    assert ".py" not in result.text


BROKEN_STREAMS = {
    "closed descriptors": "import os; os.close(1); os.close(2)",
    "a stream without its buffer": "import sys; sys.stdout.detach()",
    "a closed stream": "import sys; sys.stdout.close()",
    "a stream that raises": """
class Stream:
    def __getattr__(self, name): raise SystemExit(name)
import sys
sys.stdout = sys.stderr = sys.__stderr__ = Stream()
""",
    "a stream that calls itself": """
class Stream:
    def write(self, text): self.write(text)
    flush = write
import sys
sys.stdout = sys.stderr = Stream()
""",
}


@pytest.mark.parametrize("name", BROKEN_STREAMS)
def test_broken_streams_cost_neither_the_session_nor_the_error(
    name: str, session: BlockingLaboratory
) -> None:
    result = session.run(BROKEN_STREAMS[name] + "\n1 / 0")
    assert (result.error, result.session_lost) == ("ZeroDivisionError: division by zero", False)
    assert result.text.endswith("ZeroDivisionError: division by zero\n")
    assert session.run("print('again')").text.endswith("again\n")


def test_an_interrupt_where_nothing_can_catch_it_shows_the_agents_lines_only(
    session: BlockingLaboratory,
) -> None:
    code = """
class Endless:
    def __del__(self):
        while True: pass
Endless()
print("after")
"""
    result = session.run(code, 0.3)
    assert (result.timed_out, result.session_lost) == (True, False)
    assert "in __del__" in result.text
    assert "after" in result.text
    assert "inside" not in result.text


def test_coroutines_and_pools_run(session: BlockingLaboratory) -> None:
    code = """
import asyncio, multiprocessing
async def wait():
    reader, writer = await asyncio.open_unix_connection(sock=near)
    await asyncio.sleep(0.01)
    return await reader.readline()
import socket
near, far = socket.socketpair()
far.send(b"line\\n")
print(asyncio.run(wait()))
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(abs, [-1, 2]))
"""
    assert session.run(code).text == "b'line\\n'\n[1, 2]\n"


def test_a_traceback_names_cells_and_lines(session: BlockingLaboratory) -> None:
    session.run("def divide(n):\n    return 1 / n")
    text = session.run("divide(0)").text
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1].startswith('File "<cell ')
    assert "return 1 / n" in lines
    assert "divide(0)" in lines


def test_a_cell_that_is_too_long_is_refused(session: BlockingLaboratory) -> None:
    result = session.run("#" * 2**20 + "#")
    assert result.error == "the cell has 1,048,577 bytes; at most 1,048,576 are taken"
    assert session.run("#" * (2**20 - 2) + "\n7").text == "7\n"


def test_open_figures_come_back_and_are_closed(session: BlockingLaboratory) -> None:
    result = session.run("import matplotlib.pyplot as plt\nfor _ in range(6): plt.figure()")
    assert len(result.images) == 4
    assert all(image.startswith(b"\x89PNG") for image in result.images)
    assert result.text.endswith("[2 more figures left out: at most 4 a cell]\n")
    assert session.run("plt.get_fignums()").text == "[]\n"
    large = session.run("plt.figure(figsize=(15, 15)).figimage(np.random.rand(1500, 1500));")
    assert large.images == ()
    assert "left out" in large.text


def test_astronomy_works_without_a_network(session: BlockingLaboratory) -> None:
    code = (
        "from astropy.time import Time\nabs(Time(2460000.5, format='jd').ut1.jd - 2460000.5) < 1e-4"
    )
    result = session.run(code)
    assert result.text.endswith("np.True_\n"), result.text  # tables of an old release may be stale


def test_a_lost_session_starts_again_with_the_observations(session: BlockingLaboratory) -> None:
    session.run("open('/lab/notes', 'w').write('kept'); times_days[:] = 0; mine = 1")
    lost = session.run("import os; os._exit(3)")
    assert (lost.session_lost, lost.error) == (True, "session lost: exit status 3")
    assert lost.text == "[session lost: exit status 3; variables are gone, files stay]\n"
    assert session.run("open('/lab/notes').read(), times_days.sum()").text.startswith("('kept', ")
    assert "NameError" in session.run("mine").text
    session.run("mine = 2")
    session.restart()
    assert "NameError" in session.run("mine").text


def test_a_cancelled_cell_is_interrupted_and_the_session_kept() -> None:
    async def work() -> CellResult:
        async with Laboratory.open() as laboratory:
            await laboratory.run("x = 5")
            cell = asyncio.create_task(laboratory.run("import time; time.sleep(60)"))
            await asyncio.sleep(0.2)
            cell.cancel()
            with pytest.raises(asyncio.CancelledError):
                await cell
            return await laboratory.run("x")

    begun = time.monotonic()
    assert asyncio.run(work()).text == "5\n"
    assert time.monotonic() - begun < 20


def test_cells_and_sessions_at_the_same_time() -> None:
    async def attempt(number: int) -> list[str]:
        async with Laboratory.open({"n": number}) as laboratory:
            cells = [laboratory.run(f"n * {k}") for k in range(3)]
            return [result.text for result in await asyncio.gather(*cells)]

    async def work() -> list[list[str]]:
        return await asyncio.gather(*(attempt(n) for n in range(6)))

    assert asyncio.run(work()) == [[f"{n * k}\n" for k in range(3)] for n in range(6)]


def test_closing_twice_is_harmless_and_ends_the_use() -> None:
    laboratory = BlockingLaboratory()
    laboratory.close()
    laboratory.close()

    async def work() -> None:
        async with Laboratory.open() as other:
            cell = asyncio.create_task(other.run("import time; time.sleep(60)"))
            await asyncio.sleep(0.2)
            await other.close()
            await other.close()
            assert (await cell).session_lost
            with pytest.raises(UsageError, match="closed"):
                await other.run("1")

    asyncio.run(work())


KILLED = {
    "the jail": (1, "session lost"),
    "the supervisor": (2, "session lost"),
    "the process with the agent's code": (3, "session lost: killed by SIGKILL"),
}


@pytest.mark.parametrize("name", KILLED)
def test_what_was_killed_from_outside_is_told_and_replaced(name: str) -> None:
    generation, error = KILLED[name]
    packages = ("numpy", "scipy")
    with BlockingLaboratory({"x": 7}, packages=packages) as laboratory:
        pid = nursery._nurseries[os.getpid(), packages]._process.pid
        for _ in range(generation):
            (pid,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        os.kill(int(pid), signal.SIGKILL)
        time.sleep(0.3)  # an idle session, whose end nobody is waiting for
        lost = laboratory.run("x")
        assert (lost.session_lost, lost.error) == (True, error)
        assert laboratory.run("x").text == "7\n"


def test_a_warm_jail_has_the_packages_imported() -> None:
    asyncio.run(Laboratory.warm_up())
    code = "import sys; {'scipy.optimize', 'astropy.timeseries', 'sympy'} <= set(sys.modules)"

    def warm() -> bool:
        with BlockingLaboratory() as laboratory:
            return laboratory.run(code).text == "True\n"

    assert _eventually(warm, 60)


def test_sessions_begin_with_different_random_numbers() -> None:
    drawn = []
    for _ in range(2):
        with BlockingLaboratory() as laboratory:
            drawn += laboratory.run(
                "import random; print(random.random(), np.random.rand())"
            ).text.split()
    assert len(set(drawn)) == 4


def test_importing_the_laboratory_brings_nothing_heavy() -> None:
    code = "import sys, ecliptic.sandbox; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"numpy", "scipy", "inspect_ai", "ecliptic.rv", "ecliptic.helio", "ecliptic.suite"}
    assert not heavy & set(done.stdout.split())


HARNESS = """
import sys, time
from ecliptic.sandbox import BlockingLaboratory
laboratory = BlockingLaboratory(isolation="%s")
print("ready", flush=True)
laboratory.run('''
import subprocess, sys, time
open("left", "w").close()
python = [sys.executable, "-I", "-c", "import time; time.sleep(99)"]
subprocess.Popen([*python, "%s"], start_new_session=True)
while True: pass
''')
"""


@pytest.mark.parametrize("isolation", ["bubblewrap", "unconfined"])
def test_everything_dies_with_a_killed_harness(isolation: str, tmp_path: Path) -> None:
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    harness = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", HARNESS % (isolation, mark)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    with harness:
        assert harness.stdout is not None
        assert harness.stdout.readline() == "ready\n"
        assert _eventually(lambda: mark in _command_lines(exclude=harness.pid))
        os.kill(harness.pid, signal.SIGKILL)
    assert _eventually(lambda: mark not in _command_lines())
    assert _eventually(lambda: not list(tmp_path.iterdir()))


def _command_lines(exclude: int = 0) -> str:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        if path.parent.name != str(exclude):
            try:
                found.append(path.read_text(errors="replace"))
            except OSError:
                continue
    return "\n".join(found)


def _eventually(happened: object, seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while not happened():  # type: ignore[operator]
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def test_limits_and_values_are_checked() -> None:
    with pytest.raises(UsageError, match=r"Limits\.cell_seconds"):
        Limits(cell_seconds=0)
    for preload in ({"class": 1}, {"a b": 1}, {"x": object()}, {"x": np.array([object()])}):
        with pytest.raises(UsageError, match="preload"):
            BlockingLaboratory(preload)
    with pytest.raises(UsageError, match="no-such-package"):
        BlockingLaboratory(packages=("numpy", "no-such-package"))
    with pytest.raises(UsageError, match="never shows ecliptic"):
        BlockingLaboratory(packages=("numpy", "ecliptic"))
