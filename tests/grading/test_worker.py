from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ecliptic.grading import grade, worker
from ecliptic.grading.worker import WorkerKilledError, ask

CHILD = "worker_child"
INTEGRAL = r"$\int_0^1 x^2\,dx$"


@pytest.fixture(autouse=True)
def _child_is_found(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    yield
    worker.close()


def test_a_child_is_used_again() -> None:
    first, second = ask(CHILD, {"a": 1}), ask(CHILD, "é")
    assert first["echo"] == {"a": 1}
    assert second["echo"] == "é"
    assert first["pid"] == second["pid"] != os.getpid()


def test_a_prepared_child_takes_the_first_request() -> None:
    worker.prepare(CHILD)
    worker.prepare(CHILD)
    assert len(worker._idle[CHILD]) == 1
    assert ask(CHILD, 1)["echo"] == 1
    assert len(worker._idle[CHILD]) == 1


def test_a_module_that_is_not_there_costs_one_request() -> None:
    with pytest.raises(WorkerKilledError):
        ask("no_such_module_at_all", 1)


def test_a_slow_request_is_stopped_and_the_next_gets_a_fresh_child() -> None:
    before = ask(CHILD, 1)["pid"]
    start = time.monotonic()
    with pytest.raises(WorkerKilledError) as stopped:
        ask(CHILD, {"spin": 60}, seconds=0.3)
    assert stopped.value.limit == "time"
    assert time.monotonic() - start < 10
    assert ask(CHILD, 2)["pid"] != before
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no resource limits")
def test_the_requests_of_one_answer_share_their_time() -> None:
    ask(CHILD, 1)
    start = time.monotonic()
    with worker.allowance(0.5):
        assert ask(CHILD, {"spin": 0.2})["echo"] == {"spin": 0.2}
        with pytest.raises(WorkerKilledError):
            ask(CHILD, {"spin": 60})
        with pytest.raises(WorkerKilledError):
            ask(CHILD, 2)
    assert time.monotonic() - start < 10
    assert ask(CHILD, 3)["echo"] == 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no timers of processor time")
def test_waiting_costs_no_time_of_the_answer() -> None:
    with worker.allowance(0.3):
        assert ask(CHILD, {"sleep": 0.6})["echo"] == {"sleep": 0.6}
        assert ask(CHILD, {"sleep": 0.6})["echo"] == {"sleep": 0.6}


def test_a_child_that_hangs_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "HANG_FACTOR", 2.0)
    with pytest.raises(WorkerKilledError) as stopped:
        ask(CHILD, {"sleep": 60}, seconds=0.2)
    assert stopped.value.limit == "time"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_a_child_killed_at_work_is_replaced_once(tmp_path: Path) -> None:
    once, twice = str(tmp_path / "once"), str(tmp_path / "twice")
    assert ask(CHILD, {"killed": once})["echo"] == {"killed": once}
    with pytest.raises(WorkerKilledError) as stopped:
        ask(CHILD, {"killed": twice, "times": 2})
    assert stopped.value.limit == "outside"


def test_memory_is_limited() -> None:
    assert ask(CHILD, {"allocate": 10_000_000}, seconds=10)["length"] == 10_000_000
    with pytest.raises(WorkerKilledError) as stopped:
        ask(CHILD, {"allocate": 2**30}, seconds=10)
    assert stopped.value.limit == "memory"
    assert ask(CHILD, 3)["echo"] == 3


@pytest.mark.parametrize("request_", [{"exit": 3}, {"recurse": 1}])
def test_a_child_that_dies_costs_one_request(request_: dict[str, int]) -> None:
    with pytest.raises(WorkerKilledError):
        ask(CHILD, request_, seconds=10)
    assert ask(CHILD, 4)["echo"] == 4


def test_a_child_killed_while_idle_costs_none() -> None:
    pid = ask(CHILD, 1)["pid"]
    os.kill(pid, 9)
    time.sleep(0.2)
    assert ask(CHILD, 2)["echo"] == 2


def test_what_a_child_prints_is_no_reply() -> None:
    assert ask(CHILD, {"print": '{"equal": true}'})["echo"] == {"print": '{"equal": true}'}


def test_threads_do_not_mix_their_replies() -> None:
    with ThreadPoolExecutor(4) as pool:
        replies = [*pool.map(lambda number: ask(CHILD, number, seconds=30)["echo"], range(40))]
    assert replies == [*range(40)]


def test_a_stopped_request_does_not_disturb_other_threads() -> None:
    stopped: list[str] = []

    def slow() -> None:
        try:
            ask(CHILD, {"spin": 60}, seconds=0.5)
        except WorkerKilledError as error:
            stopped.append(error.limit)

    thread = threading.Thread(target=slow)
    thread.start()
    replies = [ask(CHILD, number, seconds=30)["echo"] for number in range(10)]
    thread.join()
    assert replies == [*range(10)]
    assert stopped == ["time"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_gets_children_of_its_own() -> None:
    mine = ask(CHILD, 1)["pid"]
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if ask(CHILD, 2)["pid"] != mine else 2
            worker.close()
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert ask(CHILD, 3)["pid"] == mine


def test_grading_works_in_threads_and_in_asynchronous_code() -> None:
    answers = [r"$\frac13$", r"$\frac12$", "0.3333", r"$1-\frac23$"] * 3
    expected = [True, False, True, True] * 3
    with ThreadPoolExecutor(3) as pool:
        threaded = [*pool.map(lambda text: grade(gold=INTEGRAL, answer=text).passed, answers)]
    assert threaded == expected

    async def run() -> list[bool]:
        graded = await asyncio.gather(
            *(asyncio.to_thread(grade, gold=INTEGRAL, answer=text) for text in answers)
        )
        return [verdict.passed for verdict in graded]

    assert asyncio.run(run()) == expected
