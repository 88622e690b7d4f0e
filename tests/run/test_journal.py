from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecliptic.errors import OutputError, UsageError
from ecliptic.run.journal import Journal, encode, read_results

VERDICT = {
    "outcome": "correct",
    "passed": True,
    "score": 1.0,
    "criteria": {"rms": {"value": 1.0, "threshold": 1.5, "passed": True, "comparison": "<="}},
    "diagnosis": None,
    "details": {},
}


def done(name: str, **changes: Any) -> dict[str, Any]:
    record = {
        "key": name,
        "task_id": "rv-0",
        "source_id": None,
        "tier": "easy",
        "difficulty": 1,
        "solver": "null",
        "protocol": "paper",
        "status": "done",
        "verdict": VERDICT,
        "submission": {"planets": []},
        "wall_s": 0.1,
        "cpu_s": 0.1,
        "error": None,
    }
    return {**record, **changes}


RECORDS = [done(f"t{i}") for i in range(4)]
FAILED = done("t9", status="failed", verdict=None, error={"reason": "x", "traceback": ""})
DAMAGED = [
    b"\0" * 50 + b"\n",
    b"{]\n",
    b"[1]\n",
    b'{"key": "x"}\n',
    b"\xff\n",
    b"[" * 100_000 + b"\n",
    encode(done("x", key=["x"])),
    encode(done("x", verdict=None)),
    encode(done("x", verdict=[])),
    encode(done("x", verdict={**VERDICT, "criteria": {"rms": 1}})),
    encode(done("x", tier=3)),
    encode(done("x", wall_s="1")),
    encode({name: value for name, value in done("x").items() if name != "cpu_s"}),
]


def write(path: Path, *lines: bytes) -> Path:
    path.write_bytes(b"".join(lines))
    return path


def test_appends_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    for half in (RECORDS[:2], RECORDS[2:]):
        with Journal(path) as journal:
            for record in half:
                journal.append(encode(record))
    assert [json.loads(line) for line in path.read_text().splitlines()] == RECORDS
    assert list(read_results(tmp_path)) == RECORDS


@given(cut=st.integers(0, 1700))
def test_any_torn_end_costs_only_its_own_line(cut: int, tmp_path_factory) -> None:
    lines = [encode(record) for record in RECORDS]
    whole = b"".join(lines)
    cut = min(cut, len(whole))
    path = write(tmp_path_factory.mktemp("torn") / "results.jsonl", whole[:cut])
    complete = whole[:cut].count(b"\n")
    with Journal(path) as journal:
        assert journal.finished == {f"t{i}" for i in range(complete)}
        assert journal.dropped == int(whole[:cut] != b"".join(lines[:complete]))
    assert path.read_bytes() == b"".join(lines[:complete])


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_line_in_the_middle_is_dropped(tmp_path: Path, damage: bytes) -> None:
    first, second = encode(RECORDS[0]), encode(RECORDS[1])
    path = write(tmp_path / "results.jsonl", first, damage, second)
    assert list(read_results(path)) == RECORDS[:2]
    with Journal(path) as journal:
        assert journal.dropped == 1
        assert journal.finished == {"t0", "t1"}
    assert path.read_bytes() == first + second


def test_failed_tasks_are_not_finished(tmp_path: Path) -> None:
    path = write(tmp_path / "results.jsonl", encode(FAILED), encode(RECORDS[0]))
    assert list(read_results(path)) == [FAILED, RECORDS[0]]
    with Journal(path) as journal:
        assert journal.finished == {"t0"}
        assert journal.dropped == 0
    assert path.read_bytes() == encode(RECORDS[0])


def test_a_task_finished_twice_counts_once(tmp_path: Path) -> None:
    path = write(tmp_path / "results.jsonl", encode(RECORDS[0]), encode(RECORDS[0]))
    assert list(read_results(path)) == RECORDS[:1]
    Journal(path).close()
    assert path.read_bytes() == encode(RECORDS[0])


def test_full_disk_leaves_whole_lines(tmpfs) -> None:
    folder = tmpfs("size=16k")
    line = encode(done("t", submission="x" * 700))
    journal = Journal(folder / "results.jsonl")
    written = 0

    def fill() -> None:
        nonlocal written
        while written < 100:
            journal.append(line)
            written += 1

    with pytest.raises(OutputError, match=r"results\.jsonl.*no space left on device"):
        fill()
    journal.close()
    assert 4 <= written < 16
    assert (folder / "results.jsonl").read_bytes() == line * written


def test_encode_is_strict_json() -> None:
    line = encode(
        {
            "nan": math.nan,
            "inf": np.float64("inf"),
            "array": np.array([1.0, np.nan]),
            "int": np.int64(3),
            "flag": np.bool_(True),
            "tuple": (1, 2),
        }
    )
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert json.loads(line, parse_constant=pytest.fail) == {
        "nan": None,
        "inf": None,
        "array": [1.0, None],
        "int": 3,
        "flag": True,
        "tuple": [1, 2],
    }


def test_floats_survive_exactly() -> None:
    value = 0.1 + 0.2
    assert json.loads(encode({"x": value}))["x"] == value


def test_encode_refuses_what_json_cannot_hold() -> None:
    with pytest.raises(TypeError):
        encode({"x": object()})


def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "results.jsonl")
    with pytest.raises(OSError, match="not a regular file"):
        Journal(tmp_path / "results.jsonl")


def test_no_results(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"results\.jsonl: no results here"):
        next(read_results(tmp_path))
