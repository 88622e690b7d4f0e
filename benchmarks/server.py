"""Load on a server over loopback: latency of submissions, and what a crash loses.

    python benchmarks/server.py                    # 300 attempts for 60 s, then kill -9
    python benchmarks/server.py --suite quick --tiers easy,medium,hard,frontier

The generator is bounded: ``--attempts`` clients together send ``--rate`` submissions a second,
whatever the server does; one that is late waits for its answer first. A submission's time runs from
the call to the answer in the generator's own process, so what the generator costs is in it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import httpx2
import numpy as np

import ecliptic

SEED = 7
RETRY_SECONDS = 0.25


class Server:
    """``ecliptic serve`` in a process of its own."""

    def __init__(self, suite: Path, state: Path, key: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "ecliptic", "serve", str(suite), "--state", str(state)]
        command += ["--port", str(port), "--isolation", "none"]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=(state.parent / "log.jsonl").open("a"),
            text=True,
            env={**os.environ, "ECLIPTIC_OPERATOR_KEY": key},
        )
        assert self.process.stdout is not None
        found = re.search(r" at (http://\S+):(\d+) ", self.process.stdout.readline())
        assert found, "the server did not start"
        self.url, self.port = f"{found[1]}:{found[2]}", int(found[2])


def processor_seconds(parent: int) -> float:
    """Processor time of a process and its children, as Linux counts it."""
    total, tick = 0.0, os.sysconf("SC_CLK_TCK")
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(stat.parent.name) == parent or int(fields[1]) == parent:
            total += (int(fields[11]) + int(fields[12])) / tick
    return total


class Load:
    """Clients that play attempt after attempt."""

    def __init__(self, url: str, key: str, tasks: list[str], rate: float, clients: int) -> None:
        self.key, self.tasks, self.pause = key, tasks, clients / rate
        limits = httpx2.Limits(max_connections=clients + 20, max_keepalive_connections=clients + 20)
        self.http = httpx2.AsyncClient(base_url=url, timeout=60, limits=limits)
        self.times: list[float] = []
        self.told: dict[tuple[str, str], dict] = {}
        self.bodies: dict[tuple[str, str], dict] = {}
        self.errors: Counter[str] = Counter()
        self.crashing = False
        self.until = 0.0

    async def call(self, method: str, path: str, token: str, **more) -> httpx2.Response:
        """A call that is repeated while the server is expected to be away."""
        headers = {"Authorization": f"Bearer {token}", **more.pop("headers", {})}
        while True:
            try:
                answer = await self.http.request(method, path, headers=headers, **more)
            except httpx2.TransportError as error:
                if not self.crashing:
                    self.errors[type(error).__name__] += 1
                    raise
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if answer.is_error and answer.status_code != 409:
                self.errors[str(answer.status_code)] += 1
            return answer

    async def client(self, number: int) -> None:
        """One client: attempt after attempt, a submission every ``pause`` seconds."""
        draw = random.Random(SEED + number)
        await asyncio.sleep(draw.random() * self.pause)
        following = time.perf_counter()
        while time.perf_counter() < self.until:
            task = draw.choice(self.tasks)
            created = await self.call("POST", "/v1/attempts", self.key, json={"task": task})
            token, over = created.json()["token"], False
            await self.call("GET", "/v1/attempt/observation", token)
            while not over and time.perf_counter() < self.until:
                following = max(following + self.pause, time.perf_counter() - self.pause)
                await asyncio.sleep(max(0.0, following - time.perf_counter()))
                over = await self.submit(token, draw)

    async def submit(self, token: str, draw: random.Random) -> bool:
        key = secrets.token_hex(8)
        planets = [
            {
                "period_days": draw.uniform(2, 100), "m_sin_i_mjup": draw.uniform(0.01, 1),
                "e": draw.uniform(0, 0.3), "omega_rad": draw.uniform(0, 6),
                "l_rad": draw.uniform(0, 6),
            }
            for _ in range(draw.randint(1, 3))
        ]  # fmt: skip
        begun = time.perf_counter()
        answer = await self.call(
            "POST", "/v1/attempt/submissions", token,
            json={"planets": planets}, headers={"Idempotency-Key": key},
        )  # fmt: skip
        if answer.status_code == 200:
            self.times.append(time.perf_counter() - begun)
            self.told[token, key] = answer.json()
            self.bodies[token, key] = {"planets": planets}
            return bool(answer.json()["over"])
        return True

    async def run(self, clients: int, seconds: float) -> None:
        self.until = time.perf_counter() + seconds
        await asyncio.gather(*(self.client(number) for number in range(clients)))

    async def lost(self) -> tuple[int, int, int]:
        """Acknowledged submissions; how many are missing or differ; how many came twice."""
        answers: dict[str, list[dict]] = {}
        missing = twice = 0
        for token in {token for token, _ in self.told}:
            state = await self.call("GET", "/v1/attempt", token)
            answers[token] = state.json()["answers"]
        for (token, _), told in self.told.items():
            same = sum(each == told for each in answers[token])
            missing += same == 0
            twice += same > 1
        return len(self.told), missing, twice


def served_suite(name: str, tiers: str, folder: Path) -> Path:
    tasks = [task for task in ecliptic.load_suite(name) if task.tier in tiers.split(",")]
    ecliptic.write_suite(ecliptic.Suite.of(tasks, name="served"), folder / "served")
    return folder / "served"


def summary(load: Load, seconds: float) -> dict:
    times = 1000 * np.array(load.times)
    return {
        "submissions": len(times),
        "per_second": round(len(times) / seconds, 1),
        **{f"p{q}_ms": round(float(np.percentile(times, q)), 1) for q in (50, 95, 99)},
        "max_ms": round(float(times.max()), 1),
        "errors": dict(load.errors),
        "load_average": [round(each, 1) for each in os.getloadavg()],
    }


async def measure(server: Server, arguments: argparse.Namespace, key: str) -> Load:
    async with httpx2.AsyncClient(base_url=server.url) as http:
        tasks = (await http.get("/v1/tasks")).json()["tasks"]
    load = Load(server.url, key, tasks, arguments.rate, arguments.attempts)
    begun, own = processor_seconds(server.process.pid), time.process_time()
    await load.run(arguments.attempts, arguments.seconds)
    used, own = processor_seconds(server.process.pid) - begun, time.process_time() - own
    told = summary(load, arguments.seconds)
    # On a machine that others use, too, this says what the times alone cannot.
    told["server_processor_ms_per_submission"] = round(1000 * used / len(load.times), 1)
    told["generator_processor_ms_per_submission"] = round(1000 * own / len(load.times), 1)
    print("load", json.dumps(told), flush=True)
    return load


async def crash(
    server: Server, arguments: argparse.Namespace, key: str, suite: Path, state: Path
) -> Server:
    async with httpx2.AsyncClient(base_url=server.url) as http:
        tasks = (await http.get("/v1/tasks")).json()["tasks"]
    load = Load(server.url, key, tasks, arguments.rate, arguments.attempts)
    load.crashing = True
    running = asyncio.create_task(load.run(arguments.attempts, arguments.crash_seconds))
    await asyncio.sleep(arguments.crash_seconds / 2)
    before = len(load.told)
    server.process.kill()
    server.process.wait()
    away = time.perf_counter()
    again = await asyncio.to_thread(Server, suite, state, key, server.port)
    away = time.perf_counter() - away
    await running
    acknowledged, missing, twice = await load.lost()
    told = {
        "acknowledged": acknowledged, "before_kill": before, "missing": missing, "twice": twice,
        "away_seconds": round(away, 1), "errors": dict(load.errors),
    }  # fmt: skip
    print("kill -9", json.dumps(told), flush=True)
    return again


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", default="quick")
    parser.add_argument("--tiers", default="easy,medium")
    parser.add_argument("--attempts", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--crash-seconds", type=float, default=30.0)
    parser.add_argument("--rate", type=float, default=40.0, help="submissions a second")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, key = Path(name), secrets.token_urlsafe(32)
        suite, state = served_suite(arguments.suite, arguments.tiers, folder), folder / "state"
        server = Server(suite, state, key)
        try:
            asyncio.run(measure(server, arguments, key))
            if arguments.crash_seconds:
                server = asyncio.run(crash(server, arguments, key, suite, state))
        finally:
            server.process.terminate()
            server.process.wait(60)


if __name__ == "__main__":
    main()
