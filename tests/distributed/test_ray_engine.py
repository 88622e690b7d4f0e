"""Jobs on a Ray cluster of this machine, started once."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ecliptic.distributed import (
    LocalEngine,
    StarShards,
    engine_of,
    generate_stars,
    ray_cluster,
    run_shards,
)
from ecliptic.distributed.installation import difference, installation
from ecliptic.distributed.part_store import opened
from ecliptic.distributed.ray_engine import RayEngine
from ecliptic.errors import MissingExtraError, UsageError

pytest.importorskip("ray")


@pytest.fixture(scope="module")
def cluster(support: Any) -> Iterator[RayEngine]:
    with ray_cluster.ray_engine(2, None) as engine:
        yield engine


def test_ray_gives_the_bytes_of_local_processes(
    cluster: RayEngine, tmp_path: Path, contents: Callable[[Path], dict[str, bytes]]
) -> None:
    shards = StarShards(7, 30, "paper", rows_per_part=10)
    folders = [tmp_path / name / "suite" for name in ("local", "one", "two")]
    for folder, engine in zip(folders, (LocalEngine(1), RayEngine(1), cluster), strict=True):
        generate_stars(shards, folder, engine, order=[1, 2, 0] if engine is cluster else None)
    local, one, two = map(contents, folders)
    assert one == local
    assert two == local


def test_a_poisoned_job_fails_after_two_workers_and_costs_no_other(
    cluster: RayEngine, tmp_path: Path, support: Any
) -> None:
    trail = tmp_path / "trail"
    trail.mkdir()
    letters = support.Letters(4, poisoned=(1,), faulty=(2,), trail=str(trail))
    with opened(tmp_path / "parts") as store:
        summary = run_shards(letters, store, cluster)
    assert summary.rows == 6
    assert summary.failures["part-00001.jsonl"].startswith("worker died")
    assert summary.failures["part-00002.jsonl"] == "ValueError: part 2 is at fault"
    assert sorted(path.name[0] for path in trail.iterdir()) == ["0", "1", "1", "2", "3"]


def test_no_more_jobs_are_taken_than_workers_can_soon_begin(
    cluster: RayEngine, support: Any
) -> None:
    from ecliptic.run.processes import Job

    taken, finished, most = iter(range(12)), 0, 0

    def take() -> Job | None:
        nonlocal most
        index = next(taken, None)
        if index is not None:
            most = max(most, index + 1 - finished)
        return None if index is None else Job(str(index), index)

    for outcome in cluster.outcomes(take, support.Letters(12).work):
        finished += outcome is not None
    assert finished == 12
    assert most <= 2 * cluster.workers + 1


def test_solvers_are_given_observations_alone(
    cluster: RayEngine, tmp_path: Path, support: Any
) -> None:
    from ecliptic.distributed import EnginePool
    from ecliptic.run import run_suite

    sent: list[Any] = []

    class Watched(EnginePool):
        def sent(self, attempt: Any) -> dict[str, Any]:
            sent.append(super().sent(attempt))
            return sent[-1]  # type: ignore[no-any-return]

    seen = tmp_path / "seen"
    summary = run_suite(
        "quick",
        support.spy,
        options={"seen": str(seen)},
        limit=3,
        out=tmp_path / "run",
        pool=lambda plan: Watched(cluster, plan),
    )
    assert summary.failures == {}
    assert [record["verdict"]["passed"] for record in summary.records()] == [False] * 3
    assert seen.read_text() == "[]\n" * 3
    assert all(job.keys() == {"observation", "seconds"} for job in sent)
    assert "truth" not in json.dumps(sent)


def test_a_solver_that_ends_its_process_is_a_failed_task(
    cluster: RayEngine, tmp_path: Path, support: Any
) -> None:
    from ecliptic.distributed import EnginePool
    from ecliptic.run import run_suite

    summary = run_suite(
        "quick",
        support.kills_itself,
        limit=1,
        out=tmp_path / "run",
        pool=lambda plan: EnginePool(cluster, plan),
    )
    assert list(summary.failures.values()) == ["worker died (SIGKILL)"]


def test_a_solver_that_is_not_there_is_refused(cluster: RayEngine, tmp_path: Path) -> None:
    from ecliptic.distributed import EnginePool
    from ecliptic.run import run_suite

    with pytest.raises(UsageError, match="no_such_module"):
        run_suite(
            "quick",
            "no_such_module:solve",
            limit=1,
            out=tmp_path / "run",
            pool=lambda plan: EnginePool(cluster, plan),
        )


def test_answers_are_graded_as_here(cluster: RayEngine) -> None:
    from ecliptic.distributed.grading import verdicts
    from ecliptic.grading.grader import grade
    from ecliptic.grading.rules import DEFAULT_RULES
    from ecliptic.helio.generator import generate_many

    records = list(generate_many(5, 4, forms=["numeric"]))
    pairs = [(record, record.final) for record in records] + [(records[0], "12 km")]
    here = [grade(record, answer).to_dict() for record, answer in pairs]
    there = dict(verdicts(pairs, DEFAULT_RULES, cluster))
    assert [there[number] for number in range(5)] == here


def test_versions_that_differ_are_named() -> None:
    here = dict(installation())
    assert difference(here, here) == ""
    with pytest.raises(UsageError, match=r"node 10\.0\.0\.2 has other versions \(numpy .* 1\.0"):
        ray_cluster.refuse_other(here, here | {"numpy": "1.0"}, "10.0.0.2")


def test_ray_that_is_missing_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"ecliptic\[distributed\]"), engine_of("ray"):
        pass


@pytest.mark.parametrize("address", ["head", "head:x", "localhost:0", "127.0.0.1:{free}"])
def test_an_address_where_nobody_listens_is_told_in_time(address: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    begin = time.monotonic()
    with pytest.raises(UsageError, match=r"HOST:PORT|no Ray cluster answers at"):
        ray_cluster._require_answer(address.format(free=free))
    assert time.monotonic() - begin < ray_cluster.CONNECT_SECONDS + 5
