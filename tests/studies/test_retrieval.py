from __future__ import annotations

import json
from pathlib import Path

import pytest
from studies.conftest import study_file
from studies.test_running import run, samples

from ecliptic import helio
from ecliptic.errors import UsageError
from ecliptic.evals import helio as make_helio
from ecliptic.evals.question_task import question_of
from ecliptic.helio import read_record
from ecliptic.studies.retrieval import (
    RETRIEVAL_KEY,
    answer_with_passages,
    examples_for,
    may_be_shown,
    retrieved,
)

RETRIEVAL = """
name: mine
models: scripted/replies.jsonl
agents: hmaw
retrieval: [none, formulary, examples]
suites:
  - {questions: records.jsonl, passages: 2}
"""


def test_no_example_of_the_shipped_set_gives_the_answer_away() -> None:
    shown = 0
    for record in helio.load("helio-v1"):
        text, ids = retrieved(record, "helio-v1", "examples", 3)
        found = examples_for(record, "helio-v1", 3)
        assert [each.id for each in found] == ids
        assert len({question_of(each) for each in found}) == len(found)
        for each in found:
            assert question_of(each) != question_of(record)
            assert each.meta["family"] != record.meta["family"]
        assert "".join(record.final.split()).lower() not in "".join(text.split()).lower()
        shown += len(found)
    assert shown > 2.5 * 240


@pytest.mark.parametrize(
    ("changes", "allowed"),
    [
        ({}, True),
        ({"id": "2010_Lee_4_b", "sub_id": "b"}, False),
        ({"q_id": 4}, False),
        ({"meta": {"family": "waves"}}, False),
        ({"meta": {"problem": "p"}}, False),
        ({"step": ["It is $400\\, \\mathrm{km/s}$, as always."]}, False),
        ({"preamble": ["How fast? Answer: $400\\,\\mathrm{km/s}$"]}, False),
    ],
)
def test_what_may_stand_before_a_question(changes, allowed) -> None:
    meta = {"family": "waves", "problem": "p"} if "meta" in changes else {}
    record = read_record(
        {"id": "2010_Lee_4_a", "q_id": 4, "sub_id": "a", "question": "How fast?", "meta": meta,
         "final": "$400\\,\\mathrm{km/s}$", "type": "numeric"}
    )  # fmt: skip
    other = {"id": "2011_Poe_1", "q_id": 1, "question": "How far?", "final": "$1$ km", "meta": {},
             "type": "numeric"}  # fmt: skip
    assert may_be_shown(read_record(other | changes), record) is allowed


def test_an_unknown_mode_is_refused() -> None:
    record = helio.load("helio-v1")[0]
    with pytest.raises(UsageError, match="none of none, formulary, examples"):
        retrieved(record, "helio-v1", "wiki", 3)


def test_each_mode_is_an_arm_whose_passages_every_role_reads(place: Path, capsys) -> None:
    study_file(RETRIEVAL)
    assert run() == 0
    said = capsys.readouterr().out
    for arm in ("hmaw", "hmaw+retrieval:formulary", "hmaw+retrieval:examples"):
        assert f"records, {arm} (scripted" in said
        assert any(line.startswith(f"{arm} ") for line in said.splitlines())
    found = samples("records--hmaw+retrieval-examples--scripted-replies")
    kept = found["2010_Lee_4_a"].store[RETRIEVAL_KEY]
    assert kept == {"mode": "examples", "shown": ["2011_Poe_1"]}
    calls = [event for event in found["2010_Lee_4_a"].events if event.event == "model"]
    assert len(calls) == 3
    for call in calls:
        seen = "\n".join(message.text for message in call.input)
        assert "Answer: $E = m v^2 / 2$" in seen
        assert "3.456" not in seen
    plain = samples("records--hmaw--scripted-replies")["2010_Lee_4_a"]
    assert RETRIEVAL_KEY not in plain.store


def test_examples_are_of_the_records_as_they_are(tmp_path) -> None:
    path = tmp_path / "records.jsonl"
    lines = [
        {"id": f"201{n}_Lee_{n}", "q_id": n, "question": f"How fast is the {n}. wind of a star?",
         "final": f"${n}1$ km/s", "type": "numeric", "meta": {}}
        for n in range(3)
    ]  # fmt: skip

    def shown() -> set[str]:
        answer_with_passages("pace", str(path), "examples", 2)
        make_helio(str(path))
        return {each.id for each in examples_for(read_record(lines[0]), str(path), 2)}

    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert shown() == {"2011_Lee_1", "2012_Lee_2"}
    path.write_text("\n".join(map(json.dumps, lines[:2])), encoding="utf-8")
    assert shown() == {"2011_Lee_1"}
