from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from evals.conftest import RECORDS
from evals.harness import run, score_of, scored_again, scripted
from inspect_ai import eval as inspect_eval

from ecliptic.errors import UsageError
from ecliptic.evals import helio

REPLIES = [
    {"sample": "2010_Lee_4_a", "text": r"$400\ \mathrm{km/s}$"},
    {"sample": "2010_Lee_4_b", "fault": "bad_request"},
    {"sample": "2011_Poe_1", "text": "$E = m v^2$"},
    {"sample": "2012_Kim_2", "text": "It does something."},
]


@pytest.fixture(scope="module")
def result(records, tmp_path_factory):
    return run(helio(records), REPLIES, tmp_path_factory.mktemp("logs"))


def test_every_key_is_in_every_score_and_errors_are_counted_apart(result) -> None:
    values = {sample.id: score_of(sample).value for sample in result.samples}
    keys = list(next(iter(values.values())))
    assert all(list(value) == keys for value in values.values())
    assert [values[i]["passed"] for i in values] == [1.0, 0.0, 0.0, 0.0]
    assert [values[i]["error"] for i in values] == [0.0, 1.0, 0.0, 0.0]
    assert math.isnan(values["2010_Lee_4_b"]["passed_graded"])
    assert values["2012_Kim_2"]["undecided"] == 1.0
    assert math.isnan(values["2011_Poe_1"]["numeric"])
    assert math.isnan(values["2011_Poe_1"]["passed_with_verifier"])


def test_metrics_leave_out_what_does_not_apply_and_cluster_by_question(result) -> None:
    assert result.metric("passed") == 0.25
    assert result.metric("passed_graded") == pytest.approx(1 / 3)
    assert result.metric("numeric") == 0.5
    assert result.metric("format") == 1.0
    # Three problems: the two parts of one question are one cluster.
    means = [1 / 4 * 2, -1 / 4, -1 / 4]
    deviations = [0.75 - 0.25, -0.25, -0.25]
    assert sum(means) == pytest.approx(0.0)
    expected = math.sqrt(sum(d * d for d in deviations) * 3 / 2) / 4
    assert result.metric("passed", "clustered_error") == pytest.approx(expected)


def test_reasons_and_verdicts_are_recorded(result) -> None:
    stops = {s.id: score_of(s).metadata["stop"] for s in result.samples}
    assert stops["2010_Lee_4_b"] == "provider_error"
    assert stops["2010_Lee_4_a"] == stops["2012_Kim_2"] == "answered"
    poe = score_of(result.samples[2])
    assert poe.explanation.startswith("incorrect, factor: ")
    assert poe.metadata["verdict"]["diagnosis"]["code"] == "factor"


def test_the_model_reads_preamble_question_and_hint_word_for_word_and_no_gold(result) -> None:
    asked = {messages[-1].text for _, messages in result.requests}
    assert "How fast is the wind?\n\nGive ONLY the number, with km/s." in asked
    assert "How fast? Answer: 400 km/s\n\nHow far does it get in a day?" in asked
    assert not any("3.456" in text or "decreases with distance" in text for text in asked)
    assert all(sample.target == "" for sample in result.samples)
    for sample in result.samples:
        assert set(sample.metadata) == {"type", "id", "question"}


@pytest.mark.parametrize("mode", ["injected", "on_demand"])
def test_skills_come_before_the_question(mode, records, tmp_path) -> None:
    made = helio(records, types="textual", skills=mode)
    result = run(made, [{"text": "It does.", "turn": 1}], tmp_path)
    assert [message.role for message in result.requests[0][1]] == ["system", "user"]
    assert result.stop == "answered"


def test_without_hints(records, tmp_path) -> None:
    made = helio(records, hint=False, types="numeric", per_type=1)
    assert [sample.input for sample in made.dataset] == ["How fast is the wind?"]


def test_scored_again_from_its_log_it_is_the_same(result) -> None:
    before = [score_of(sample).value for sample in result.samples]
    after = [again.value for again in scored_again(result)]
    assert repr(after) == repr(before)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"types": "numerical"}, "no type 'numerical'"),
        ({"types": "structured"}, "no record of type structured"),
        ({"per_type": 0}, "per_type must be at least 1"),
    ],
)
def test_mistakes_are_one_line(arguments, message, records) -> None:
    with pytest.raises(UsageError, match=message):
        helio(records, **arguments)


def test_an_empty_reply_is_no_answer(records, tmp_path) -> None:
    result = run(helio(records, per_type=1), [{"fault": "empty", "times": 9}], tmp_path)
    assert {score_of(s).metadata["stop"] for s in result.samples} == {"gave_up"}
    codes = {score_of(s).metadata["verdict"]["diagnosis"]["code"] for s in result.samples}
    assert codes == {"no_answer"}


NORMAL = {"normal": "field strength decreases with distance", "claims": []}
UNDECIDED = [{"text": "It does something.", "turn": 1}]


def judged(equivalent: bool) -> list:
    verdict = {"equivalent": equivalent, "reason": "so it is"}
    return [
        {"when": "You decide whether", "json": verdict},
        {"when": "You normalise", "json": NORMAL},
    ]


@pytest.mark.parametrize("equivalent", [True, False])
def test_the_verifiers_judgement_stands_beside_the_headline(equivalent, records, tmp_path) -> None:
    roles = {"verifier": scripted(judged(equivalent), "judge")}
    result = run(helio(records, types="textual"), UNDECIDED, tmp_path, model_roles=roles)
    assert result.value["passed"] == 0.0
    assert result.value["undecided"] == 1.0
    assert result.value["passed_with_verifier"] == float(equivalent)
    assert result.score.metadata["verdict_with_verifier"]["details"]["verifier"]["reason"]
    usage = result.sample.role_usage["verifier"]
    assert usage.total_tokens > 0


def test_the_verifier_is_not_asked_where_the_rules_decided(records, tmp_path) -> None:
    verifier = scripted(judged(True), "judge")
    lines = [{"text": "$7$ km/s", "turn": 1}]
    made = helio(records, types="numeric", per_type=1)
    result = run(made, lines, tmp_path, model_roles={"verifier": verifier})
    assert result.value["passed_with_verifier"] == 0.0
    assert not verifier.api.requests


def test_an_unbound_verifier_fails_at_once_with_the_flag(records, tmp_path) -> None:
    result = run(helio(records, verifier=True), UNDECIDED, tmp_path)
    assert result.log.status == "error"
    assert all("--model-role verifier=" in s.error.message for s in result.samples)
    assert not result.requests


@pytest.mark.parametrize(
    ("arguments", "judge", "message"),
    [
        ({"verifier": True}, None, "--model-role verifier="),
        ({}, "test", "allow_self_judge=true"),
        ({"allow_self_judge": True}, "test", ""),
        ({"verifier": True}, "judge", ""),
    ],
)
def test_under_inspect_eval_a_verifier_that_cannot_be_had_begins_no_run(
    arguments, judge, message, records, tmp_path
) -> None:
    lines = [*judged(True), *UNDECIDED]
    model = scripted(lines)
    roles = {} if judge is None else {"verifier": scripted(lines, judge)}
    given = {"records": records, "types": "textual", **arguments}
    settings = {"log_dir": str(tmp_path), "display": "none", "model_roles": roles}
    if message:
        with pytest.raises(UsageError, match=message):
            inspect_eval("ecliptic/helio", task_args=given, model=model, **settings)
        assert not list(tmp_path.iterdir())
    else:
        (log,) = inspect_eval("ecliptic/helio", task_args=given, model=model, **settings)
        assert log.status == "success"


def test_the_model_under_test_does_not_judge_itself_unless_told_to(records, tmp_path) -> None:
    model = scripted([*judged(True), *UNDECIDED])
    roles = {"verifier": model}
    refused = run(helio(records, types="textual"), model, tmp_path, model_roles=roles)
    assert "allow_self_judge" in refused.sample.error.message
    assert not refused.requests
    allowed = helio(records, types="textual", allow_self_judge=True)
    assert run(allowed, model, tmp_path, model_roles=roles).value["passed_with_verifier"] == 1.0


def test_records_by_path_are_found_from_anywhere(records, monkeypatch) -> None:
    monkeypatch.chdir(Path(records).parent)
    assert len(helio("records.jsonl").dataset) == 4


def test_what_is_graded_is_what_was_asked(tmp_path) -> None:
    own = tmp_path / "own.jsonl"
    text = "\n".join(map(json.dumps, RECORDS))
    own.write_text(text, encoding="utf-8")
    task = helio(str(own), types="numeric", per_type=1)
    own.write_text(text.replace("$400", "$500"), encoding="utf-8")
    assert run(task, REPLIES, tmp_path / "asked").value["passed"] == 1.0

    mended = helio(str(own), types="numeric", per_type=1)
    assert mended.version != task.version
    assert run(mended, REPLIES, tmp_path / "mended").value["passed"] == 0.0
