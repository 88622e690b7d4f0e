"""Rates, lines for laboratories, attempts that end by themselves."""

from __future__ import annotations

import asyncio
import json
import logging
from types import SimpleNamespace

import pytest
from server.conftest import ISOLATION

from ecliptic.errors import UsageError
from ecliptic.sandbox import CellResult
from ecliptic.server.attempts import Attempts
from ecliptic.server.grading_pool import BusyError
from ecliptic.server.laboratories import CELLS_WAITING, Laboratories
from ecliptic.server.logs import JSONLines
from ecliptic.server.problems import RefusedError
from ecliptic.server.rates import Rates
from ecliptic.server.settings import Limits
from ecliptic.server.store import Store

needs_jail = pytest.mark.skipif(ISOLATION == "none", reason="no bubblewrap here")


def test_a_bucket_empties_and_fills_again() -> None:
    now = [0.0]
    rates = Rates(2.0, 3, lambda: now[0])
    for _ in range(3):
        rates.take("a")
    with pytest.raises(RefusedError) as told:
        rates.take("a")
    assert (told.value.status, told.value.retry) == (429, 0.5)
    rates.take("b")
    now[0] = 0.5
    rates.take("a")
    with pytest.raises(RefusedError):
        rates.take("a")


@pytest.mark.parametrize("value", [0, -1])
def test_a_limit_is_greater_than_zero(value) -> None:
    with pytest.raises(UsageError, match="laboratories"):
        Limits(laboratories=value)


@needs_jail
def test_laboratories_wait_in_a_line_and_resting_ones_make_room() -> None:
    async def main() -> None:
        limits = Limits(laboratories=1, queue=1, queue_seconds=0.5, laboratory_idle_seconds=3600)
        laboratories = Laboratories(limits, ISOLATION)
        assert (await laboratories.run("a", {}, "x = 1; x", 30)).text.strip() == "1"
        with pytest.raises(BusyError):
            await laboratories.run("b", {}, "1", 30)
        first = asyncio.create_task(laboratories.run("b", {}, "1", 30))
        await asyncio.sleep(0.1)
        with pytest.raises(BusyError):  # the line is full
            await laboratories.run("c", {}, "1", 30)
        await laboratories.end("a")
        assert (await first).text.strip() == "1"
        await laboratories.close()

        resting = Laboratories(Limits(laboratories=1, laboratory_idle_seconds=0.01), ISOLATION)
        await resting.run("a", {}, "x = 1", 30)
        await asyncio.sleep(0.05)
        await resting.run("b", {}, "1", 30)
        await asyncio.sleep(0.05)
        again = await resting.run("a", {}, "x", 30)
        assert again.session_lost
        assert "make room" in again.text
        assert "NameError" in again.text
        await resting.close()
        assert resting.count == 0

    asyncio.run(main())


class Session:
    """Stands for a laboratory that takes its time."""

    started = 0

    @classmethod
    async def start(cls, preload, limits, isolation):
        cls.started += 1
        await asyncio.sleep(0.01)
        return cls()

    async def run(self, code, seconds):
        await asyncio.sleep(0.01)
        return CellResult(code)

    async def close(self):
        pass


def test_cells_of_one_attempt_open_one_session_and_do_not_pile_up(monkeypatch) -> None:
    monkeypatch.setattr("ecliptic.server.laboratories.Laboratory", Session)

    async def main() -> None:
        laboratories = Laboratories(Limits(), "none")
        calls = [laboratories.run("a", {}, f"{n}", 30) for n in range(CELLS_WAITING + 3)]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert [isinstance(each, BusyError) for each in outcomes].count(True) == 3
        assert (Session.started, laboratories.count) == (1, 1)
        assert (await laboratories.run("a", {}, "7", 30)).text == "7"
        await laboratories.close()

    asyncio.run(main())


class Grader:
    """Stands for the processes that grade."""

    def __init__(self) -> None:
        self.graded = 0

    async def call(self, lane: str, function, *arguments):
        if function.__name__ == "public_part":
            return {"observation": {}, "submissions": 3, "seconds": 100.0}
        self.graded += 1
        await asyncio.sleep(0.01)
        told = {
            "status": "graded", "text": "", "submissions_left": 2, "criteria": {}, "figures": {}
        }  # fmt: skip
        return {"told": told, "reason": "", "counted": True, "passed": False}


def with_attempts(work, **limits) -> None:
    async def main() -> None:
        now, store = [1000.0], Store(None, None)
        attempts = Attempts(store, Grader(), Limits(**limits), lambda: now[0])
        ended = []

        async def note(name: str) -> None:
            ended.append(name)

        attempts.when_ended = note
        await work(SimpleNamespace(attempts=attempts, now=now, store=store, ended=ended))
        store.close()

    asyncio.run(main())


def test_time_ends_an_attempt() -> None:
    async def work(here) -> None:
        attempt, token = await here.attempts.create("t", "", "", "")
        here.now[0] += 99
        await here.attempts.sweep()
        assert (attempt.ended, here.attempts.seconds_left(attempt)) == ("", 1.0)
        here.now[0] += 2
        await here.attempts.sweep()
        assert (attempt.ended, here.ended) == ("seconds", [attempt.id])
        assert (await here.attempts.of_token(token)).ended == "seconds"

    with_attempts(work)


def test_an_idle_attempt_ends_and_a_busy_one_does_not() -> None:
    async def work(here) -> None:
        idle, _ = await here.attempts.create("t", "", "", "")
        busy, token = await here.attempts.create("t", "", "", "")
        here.now[0] += 40
        await here.attempts.of_token(token)
        here.now[0] += 20
        await here.attempts.sweep()
        assert (idle.ended, busy.ended) == ("idle", "")

    with_attempts(work, idle_seconds=50)


def test_time_without_a_server_does_not_count() -> None:
    async def work(here) -> None:
        from ecliptic.server.store import take_up

        attempt, _ = await here.attempts.create("t", "", "", "")
        here.now[0] += 30
        await here.attempts.beat()
        here.now[0] += 5000
        await here.store.do(take_up("s", here.now[0]))
        following = Attempts(here.store, Grader(), Limits(), lambda: here.now[0])
        await following.load()
        assert following.seconds_left(following.open_on("t")) == 70.0
        assert attempt.id == following.open_on("t").id

    with_attempts(work)


def test_only_so_many_attempts_are_open() -> None:
    async def work(here) -> None:
        attempt, _ = await here.attempts.create("t", "", "", "")
        with pytest.raises(RefusedError) as told:
            await here.attempts.create("t", "", "", "")
        assert told.value.status == 503
        await here.attempts.close(attempt)
        await here.attempts.create("t", "", "", "")

    with_attempts(work, open_attempts=1)


def test_a_caller_that_hangs_up_loses_nothing() -> None:
    async def work(here) -> None:
        attempt, _ = await here.attempts.create("t", "", "", "")
        call = asyncio.create_task(here.attempts.submit(attempt, {"planets": []}, "k"))
        await asyncio.sleep(0.001)
        call.cancel()
        await here.attempts.finish()
        assert len(attempt.submissions) == 1
        again = await here.attempts.submit(attempt, {"planets": []}, "k")
        assert (again["number"], len(attempt.submissions)) == (1, 1)

    with_attempts(work)


def test_a_change_that_is_not_kept_is_not_told_and_not_counted() -> None:
    async def work(here) -> None:
        from ecliptic.server.store import StoreError

        attempt, _ = await here.attempts.create("t", "", "", "")
        await here.store.do(lambda connection: connection.exec_driver_sql("drop table submissions"))
        with pytest.raises(StoreError):
            await here.attempts.submit(attempt, {"planets": []}, None)
        assert (attempt.submissions, attempt.left) == ([], 3)

    with_attempts(work)


def test_a_fault_is_logged_without_its_message_and_values() -> None:
    secret = "period 12.3456"
    try:
        raise ValueError(secret)
    except ValueError:
        import sys

        record = logging.LogRecord(
            "uvicorn.error", 40, "f", 1, "%s", (secret,), sys.exc_info(), "f"
        )
    line = json.loads(JSONLines().format(record))
    assert line["error"] == "ValueError"
    assert "12.3456" not in json.dumps(line)
