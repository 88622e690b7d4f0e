"""A node, and the driver itself, killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ecliptic.distributed import LocalEngine, StarShards, engine_of, generate_stars, run_shards
from ecliptic.distributed.part_store import opened
from ecliptic.run import Progress

pytest.importorskip("ray")
pytestmark = pytest.mark.distributed
STORE = 100 * 2**20
COUNT, SEED = 3000, 7


@pytest.fixture(scope="module")
def nodes(support: Any) -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": STORE}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    yield cluster
    cluster.shutdown()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("once") / "suite"
    generate_stars(StarShards(SEED, COUNT, "paper"), out, LocalEngine(1))
    return out


def killing(nodes: Any, at: int) -> Callable[[Progress], None]:
    """A second node that is killed when so many rows are done."""
    second = [nodes.add_node(num_cpus=1, object_store_memory=STORE)]
    nodes.wait_for_nodes()

    def watch(progress: Progress) -> None:
        if progress.done >= at and second:
            nodes.remove_node(second.pop(), allow_graceful=False)

    return watch


def test_a_node_that_is_killed_changes_no_byte(
    nodes: Any, tmp_path: Path, contents: Callable[[Path], dict[str, bytes]]
) -> None:
    shards = StarShards(SEED, 800, "paper", rows_per_part=100)
    generate_stars(shards, tmp_path / "one" / "suite", LocalEngine(1))
    watch = killing(nodes, 100)
    with engine_of("ray", 2, nodes.address) as engine:
        assert engine.workers == 2
        summary = generate_stars(shards, tmp_path / "two" / "suite", engine, progress=watch)
    assert summary.failures == {}
    assert contents(tmp_path / "two" / "suite") == contents(tmp_path / "one" / "suite")


def test_a_node_that_is_killed_costs_its_unfinished_jobs_once(
    nodes: Any, tmp_path: Path, support: Any
) -> None:
    trail = tmp_path / "trail"
    trail.mkdir()
    watch = killing(nodes, 12)
    letters = support.Letters(12, seconds=1.5, trail=str(trail))
    finished: list[str] = []

    def note(progress: Progress) -> None:
        watch(progress)
        if progress.key is not None:
            finished.append(progress.key)

    with (
        engine_of("ray", 2, nodes.address) as engine,
        opened(tmp_path / "parts") as store,
    ):
        assert engine.workers == 2
        summary = run_shards(letters, store, engine, progress=note)
    assert summary.rows == 36
    assert sorted(finished) == [letters.name(index) for index in range(12)]
    begun = Counter(path.name.partition("-")[0] for path in trail.iterdir())
    assert len(begun) == 12
    assert begun.total() in {12, 13}  # the second node had one under way


@pytest.mark.parametrize("engine", ["local", "ray"])
def test_a_driver_that_is_killed_is_gone_on_with(
    engine: str, made: Path, tmp_path: Path, contents: Callable[[Path], dict[str, bytes]]
) -> None:
    out = tmp_path / "suite"
    command = [sys.executable, "-m", "ecliptic", "generate", "rv", "--recipe", "paper"]
    command += ["--count", str(COUNT), "--seed", str(SEED), "--out", str(out)]
    command += ["--engine", engine, "--workers", "1"]
    driver = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    journal, end = out / "parts.jsonl", time.monotonic() + 120
    while not (journal.exists() and journal.read_bytes().count(b"\n") >= 1):
        assert driver.poll() is None
        assert time.monotonic() < end
        time.sleep(0.05)
    os.kill(driver.pid, signal.SIGKILL)
    driver.wait()
    again = subprocess.run(command, capture_output=True, text=True, timeout=200, check=True)
    assert "tasks were there already, verified" in again.stdout
    assert contents(out) == contents(made)
