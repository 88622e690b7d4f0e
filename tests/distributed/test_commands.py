"""``--engine`` of the commands, on one cluster."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ecliptic.cli.app import run_cli
from ecliptic.distributed import ray_cluster

pytest.importorskip("ray")


@pytest.fixture(scope="module")
def cluster(support: Any) -> Iterator[None]:
    with ray_cluster.ray_engine(2, None):
        yield


def lines_of(path: Path, *without: str) -> list[dict[str, Any]]:
    lines = [json.loads(text) for text in path.read_text().splitlines()]
    return [{k: v for k, v in line.items() if k not in without} for line in lines]


def test_runs_are_the_same_but_for_their_timings(cluster: None, tmp_path: Path) -> None:
    command = ["run", "--solver", "sine", "--limit", "3", "--workers", "2"]
    assert run_cli([*command, "--out", str(tmp_path / "a")]) == 0
    assert run_cli([*command, "--out", str(tmp_path / "b"), "--engine", "ray"]) == 0
    here, there = (
        sorted(
            lines_of(tmp_path / name / "results.jsonl", "wall_s", "cpu_s"), key=lambda r: r["key"]
        )
        for name in "ab"
    )
    assert len(here) == 3
    assert there == here


def test_audits_are_the_same_but_for_their_timings(cluster: None, tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    make = ["generate", "rv", "--recipe", "paper", "--count", "2", "--seed", "7"]
    assert run_cli([*make, "--out", str(suite)]) == 0
    command = ["audit", str(suite), "--protocol", "paper", "--draws", "0"]
    assert run_cli([*command, "--out", str(tmp_path / "a.jsonl")]) == 0
    assert run_cli([*command, "--out", str(tmp_path / "b.jsonl"), "--engine", "ray"]) == 0
    here, there = (lines_of(tmp_path / f"{name}.jsonl", "wall_s") for name in "ab")
    for line in (*here, *there):
        assert line["audit"].pop("cpu_seconds") > 0
    assert len(here) == 2
    assert there == here


def test_verdicts_are_the_same_bytes(cluster: None, tmp_path: Path) -> None:
    records, answers = tmp_path / "records.jsonl", tmp_path / "answers.jsonl"
    make = ["generate", "helio", "--count", "6", "--seed", "3", "--forms", "numeric"]
    assert run_cli([*make, "--out", str(records)]) == 0
    answers.write_text(
        "".join(f"{json.dumps({'id': r['id'], 'answer': '12 km'})}\n" for r in lines_of(records))
    )
    command = ["grade", "--records", str(records), "--answers", str(answers)]
    assert run_cli([*command, "--out", str(tmp_path / "a.jsonl")]) == 0
    assert run_cli([*command, "--out", str(tmp_path / "b.jsonl"), "--engine", "ray"]) == 0
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert len(lines_of(tmp_path / "a.jsonl")) == 6


def test_question_records_are_the_same_bytes(cluster: None, tmp_path: Path) -> None:
    make = ["generate", "helio", "--count", "6", "--seed", "3", "--forms", "numeric"]
    assert run_cli([*make, "--out", str(tmp_path / "a.jsonl")]) == 0
    assert run_cli([*make, "--out", str(tmp_path / "b.jsonl"), "--engine", "ray"]) == 0
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
