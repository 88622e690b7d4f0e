from __future__ import annotations

import json
from pathlib import Path

import pytest

from ecliptic.errors import TaskError
from ecliptic.helio import Record, read_record, read_records, write_records

LINE = {
    "id": "2010_Lee_4_a",
    "q_id": 4,
    "sub_id": "a",
    "preamble": ["An earlier part.", "Its answer."],
    "question": "What is the sound speed?",
    "hint": "in km/s",
    "step": ["c_s^2 = k T / m"],
    "final": "$c_s = 130$ km/s",
    "type": "numeric",
    "meta": {"author": "Lee", "year": 2010},
}


def test_a_record_reads_every_published_field() -> None:
    record = read_record(LINE)
    assert record.preamble == ("An earlier part.", "Its answer.")
    assert record.meta["year"] == 2010
    assert record.to_dict() == LINE


def test_text_is_textual_and_an_unknown_field_is_kept() -> None:
    record = read_record({**LINE, "type": "text", "difficulty": 3})
    assert record.type == "textual"
    assert record.to_dict()["difficulty"] == 3


def test_missing_lists_and_null_texts_are_empty() -> None:
    record = read_record({"id": "a", "final": "1", "type": "numeric", "hint": None, "step": None})
    assert record.hint == ""
    assert record.step == ()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"type": "poem"}, "type"),
        ({"final": 3}, "final"),
        ({"q_id": "x"}, "q_id"),
        ({"id": ""}, "id"),
    ],
)
def test_a_bad_field_is_named(change: dict[str, object], field: str) -> None:
    with pytest.raises(TaskError, match=f"record: field '{field}' "):
        read_record({**LINE, **change})


def test_files_go_round(tmp_path: Path) -> None:
    records = [read_record({**LINE, "id": f"r{i}", "extra": "é\u2028"}) for i in range(3)]
    assert write_records(records, tmp_path / "r.jsonl") == 3
    assert read_records(tmp_path / "r.jsonl") == records


def test_bad_lines_are_named_and_the_rest_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    lines = [
        json.dumps(LINE),
        "{broken",
        json.dumps({**LINE, "id": "b", "type": "poem"}),
        "",
        json.dumps(LINE),
        json.dumps({**LINE, "id": "c"}),
        "[1]",
    ]
    path.write_text("\n".join(lines))
    read = read_records(path)
    assert [record.id for record in read] == ["2010_Lee_4_a", "c"]
    assert [(problem.line, problem.field) for problem in read.problems] == [
        (2, ""),
        (3, "type"),
        (5, "id"),
        (7, ""),
    ]
    assert str(read.problems[1]).startswith(f"{path}: line 3: field 'type' ")
    assert "line 1 already" in str(read.problems[2])


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"nowhere\.jsonl: no such file"):
        read_records(tmp_path / "nowhere.jsonl")


def test_a_record_is_frozen() -> None:
    record = read_record(LINE)
    assert isinstance(record, Record)
    with pytest.raises(ValueError, match="frozen"):
        record.final = "2"  # type: ignore[misc]
