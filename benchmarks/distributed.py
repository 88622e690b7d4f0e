"""Tasks to Parquet parts on an engine: rate, memory of the driver and of all, bytes a task.

    python benchmarks/distributed.py --count 1000000 --out /tmp/million
    python benchmarks/distributed.py --count 20000 --engine ray --out /tmp/twenty
    python benchmarks/distributed.py --count 40000 --nodes 2 --out /tmp/nodes  # one core each
    python benchmarks/distributed.py --count 300000 --ready --out /tmp/ready

The same call goes on where an earlier one stopped; figures are then of this call alone. Memory is
the proportional set size of the driver and of all processes below it (for Ray: raylet, GCS and
workers), read twice a second. A line of JSON comes last.
"""

from __future__ import annotations

import argparse
import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecliptic.distributed import (
    Engine,
    ShardSummary,
    StarShards,
    engine_of,
    generate_stars,
    run_shards,
)
from ecliptic.distributed.part_store import opened
from ecliptic.run import Progress

SECONDS_BETWEEN_LINES = 30.0
PART_BYTES = 1_500_000
STORE_BYTES = 200_000_000


class Memory(threading.Thread):
    """Looks at this process and all below it; megabytes, at present and at most."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.driver = self.all = self.driver_peak = self.all_peak = 0.0
        self.cpu = 0.0
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.5):
            self.look()
            self.cpu = time.thread_time()

    def look(self) -> None:
        self.driver = pss_mb(os.getpid())
        self.all = self.driver + sum(map(pss_mb, below(os.getpid())))
        self.driver_peak = max(self.driver_peak, self.driver)
        self.all_peak = max(self.all_peak, self.all)


def below(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(path.parent.name))
    found, left = [], [root]
    while left:
        for child in children.get(left.pop(), []):
            found.append(child)
            left.append(child)
    return found


def pss_mb(process: int) -> float:
    try:
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass  # it has just ended
    return 0.0


def driver_cpu_s(memory: Memory) -> float:
    """Without the time of looking at memory."""
    return time.process_time() - memory.cpu


class Report:
    """A line now and then; the driver's own time a part."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.begin, self.shown = memory, time.monotonic(), 0.0
        self.cpu, self.parts, self.done, self.resumed = driver_cpu_s(memory), 0, 0, 0

    def __call__(self, progress: Progress) -> None:
        self.done, self.resumed = progress.done, progress.resumed
        self.parts += progress.key is not None
        now = time.monotonic()
        if now - self.shown >= SECONDS_BETWEEN_LINES or progress.done == progress.total:
            self.shown = now
            print(
                f"{now - self.begin:7.0f} s  {progress.done}/{progress.total} tasks  "
                f"{self.rate:6.1f}/s  driver {self.memory.driver:5.0f} MB, all "
                f"{self.memory.all:5.0f} MB (peaks {self.memory.driver_peak:.0f}, "
                f"{self.memory.all_peak:.0f})",
                flush=True,
            )

    @property
    def rate(self) -> float:
        return (self.done - self.resumed) / max(time.monotonic() - self.begin, 1e-9)


@dataclass(frozen=True)
class Ready:
    """Parts of the usual size that cost nothing to make: what is left is what the driver does."""

    count: int

    @property
    def sizes(self) -> list[int]:
        return [1000] * self.count

    @property
    def work(self) -> Any:
        return ready

    def name(self, index: int) -> str:
        return f"part-{index:05d}.parquet"


def ready(index: int) -> dict[str, Any]:
    data = index.to_bytes(4, "big") * (PART_BYTES // 4)
    return {"data": data, "rows": 1000, "tally": {}}


def driver_alone(parts: int, engine: Engine, out: Path, report: Report) -> ShardSummary:
    with opened(out) as store:
        return run_shards(Ready(parts), store, engine, progress=report)


@contextmanager
def ray_nodes(count: int) -> Iterator[str]:
    """The address of a cluster of Ray's test utility; its nodes share nothing but the machine."""
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": STORE_BYTES}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(count - 1):
            cluster.add_node(num_cpus=1, object_store_memory=STORE_BYTES)
        yield cluster.address
    finally:
        cluster.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recipe", default="paper")
    parser.add_argument("--engine", default="local", choices=["local", "ray"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--address")
    parser.add_argument("--nodes", type=int, help="Ray nodes of one core each, here")
    parser.add_argument("--ready", action="store_true", help="parts that cost nothing to make")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    memory = Memory()
    memory.start()
    shards = StarShards(given.seed, given.count, given.recipe)
    with ExitStack() as stack:
        if given.nodes:
            given.engine, given.workers = "ray", given.nodes
            given.address = stack.enter_context(ray_nodes(given.nodes))
        engine = stack.enter_context(engine_of(given.engine, given.workers, given.address))
        report = Report(memory)
        summary = (
            driver_alone(given.count // 1000, engine, given.out, report)
            if given.ready
            else generate_stars(shards, given.out, engine, progress=report)
        )
        seconds = time.monotonic() - report.begin
        cpu = driver_cpu_s(memory) - report.cpu
        memory.look()
    memory.ended.set()
    print(
        json.dumps(
            {
                "engine": given.engine,
                "workers": given.workers,
                "tasks": summary.rows,
                "made_now": report.done - report.resumed,
                "seconds": round(seconds, 1),
                "tasks_per_s": round(report.rate, 1),
                "bytes_per_task": round(summary.bytes / summary.rows, 1),
                "driver_cpu_ms_per_part": round(1000 * cpu / max(report.parts, 1), 2),
                "driver_peak_mb": round(memory.driver_peak),
                "all_peak_mb": round(memory.all_peak),
                "failures": len(summary.failures),
                "load": round(os.getloadavg()[0], 1),
            }
        )
    )


if __name__ == "__main__":
    main()
