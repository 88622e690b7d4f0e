"""Signed results: uploaded, played live, graded offline."""

from __future__ import annotations

import json

import pytest
from server.conftest import attempt_at
from server.openapi_client import OpenAPIClient
from server.served import KEY, Served
from server.stars import WRONG, truth_of

import ecliptic
from ecliptic import rv
from ecliptic.cli.app import run_cli
from ecliptic.errors import UsageError
from ecliptic.server.signatures import Signer, verify_result


@pytest.fixture(scope="module")
def suite():
    return list(ecliptic.load_suite("quick-paper"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory):
    """A sealed suite, joined with its truth."""
    folder = tmp_path_factory.mktemp("board")
    tasks = [rv.generate(seed=seed, recipe="paper", tier="easy") for seed in range(3)]
    ecliptic.write_suite(ecliptic.Suite.of(tasks, name="small"), folder / "small")
    server = Served(
        str(folder / "small"), "--isolation", "none", "--feedback", "none", state=folder / "state"
    )
    yield server, tasks
    assert server.stop() == 0


def lines(pairs) -> str:
    return "".join(json.dumps({"task": i, "submission": s}) + "\n" for i, s in pairs)


def passes(task, submission) -> bool:
    return rv.evaluate(task, submission, "paper").passed


def test_an_upload_is_graded_and_signed_once(served, tmp_path, capsys) -> None:
    server, tasks = served
    client = OpenAPIClient(server.url, operator=KEY)
    text = lines([(tasks[0].id, truth_of(tasks[0])), (tasks[1].id, WRONG)])
    signed = client("upload", text, agent="mine", model="m-1").json()
    passed = int(passes(tasks[0], truth_of(tasks[0])))
    assert signed["counts"] == {"tasks": 3, "attempted": 2, "graded": 2, "passed": passed}
    assert signed["suite"]["checksum"] == client("suite").json()["checksum"]
    assert (signed["agent"], signed["model"], signed["mode"]) == ("mine", "m-1", "upload")
    assert client("upload", text, agent="mine", model="m-1").json() == signed
    assert client("results").json()["results"] == [signed]
    key = client("key").json()["public_key"]
    path = tmp_path / "result.json"
    path.write_text(json.dumps(signed))
    assert run_cli(["serve", "verify", str(path), "--key", key]) == 0
    assert "of 3 pass" in capsys.readouterr().out
    signed["counts"]["passed"] += 1
    path.write_text(json.dumps(signed))
    assert run_cli(["serve", "verify", str(path)]) == 2
    assert "was changed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no submission"),
        ("{", "line 1"),
        ('\n{"task": 3, "submission": {}}', "line 2"),
        ('{"task": "rv-0000", "submission": {}}', "no task"),
        ('{"task": "x"}', "must be"),
        ("[" * 100_000, "nested"),
        ('{"task": "x", "submission": ' + "[" * 600 + "]" * 600 + "}", "nested"),
    ],
)
def test_a_bad_upload_names_its_line(served, text, told) -> None:
    client = OpenAPIClient(served[0].url, operator=KEY)
    assert told in client("upload", text, agent="a", expect=422).json()["detail"]


def test_two_submissions_for_one_task_are_refused(served) -> None:
    server, tasks = served
    client = OpenAPIClient(server.url, operator=KEY)
    opaque = client("tasks").json()["tasks"]
    twice = lines([(tasks[0].id, WRONG), *((name, WRONG) for name in opaque)])
    assert "second" in client("upload", twice, agent="a", expect=422).json()["detail"]


def test_without_feedback_nothing_but_the_end_is_told(served) -> None:
    answer = attempt_at(served[0])("submit", WRONG).json()
    assert (answer["criteria"], answer["figures"]) == ({}, {})


def test_a_live_run_is_signed_when_it_is_over(served) -> None:
    server, tasks = served
    truths = {json.dumps(t.observation.rvs_ms.tolist()): t for t in tasks}
    operator = OpenAPIClient(server.url, operator=KEY)
    operator("close_run", {"run": "spring"}, expect=404)
    expected = 0
    for name in operator("tasks").json()["tasks"]:
        client = attempt_at(server, name, run="spring", agent="mine", model="m")
        task = truths[json.dumps(client("observe").json()["observation"]["rvs_ms"])]
        operator("close_run", {"run": "spring"}, expect=409)
        client("submit", truth_of(task))
        expected += passes(task, truth_of(task))
        client("end")
    signed = operator("close_run", {"run": "spring"}).json()
    assert signed["counts"] == {
        "tasks": 3, "attempted": 3, "graded": 3, "passed": expected, "submissions": 3,
    }  # fmt: skip
    assert operator("close_run", {"run": "spring"}).json() == signed
    verify_result(signed, operator("key").json()["public_key"])


def test_a_file_is_graded_without_a_server(tmp_path, suite, capsys) -> None:
    path, out = tmp_path / "mine.jsonl", tmp_path / "result.json"
    path.write_text(lines([(task.id, truth_of(task)) for task in suite]))
    state = tmp_path / "state"
    arguments = ["quick-paper", str(path), "--agent", "mine", "--state", str(state)]
    assert run_cli(["serve", "grade", *arguments, "--out", str(out)]) == 0
    signed = json.loads(out.read_text())
    passed = sum(passes(task, truth_of(task)) for task in suite)
    assert signed["counts"]["passed"] == passed
    assert f"{passed} of 12 pass" in capsys.readouterr().out
    verify_result(signed, Signer.of_folder(state).public_key)


WHOLE = {
    "schema": "ecliptic.result/1", "protocol": "paper", "mode": "upload", "agent": "mine",
    "model": "", "date": "2026-12-01", "version": "0.1.0",
    "suite": {"name": "small", "checksum": "0" * 64}, "counts": {"tasks": 3, "passed": 1},
}  # fmt: skip


@pytest.mark.parametrize(
    "change", [{"agent": "other"}, {"signature": "AA=="}, {"signature": 3}, {"public_key": "x"}]
)
def test_a_changed_result_does_not_verify(change) -> None:
    signed = Signer.of_folder(None).sign(WHOLE)
    verify_result(signed)
    with pytest.raises(UsageError):
        verify_result({**signed, **change})
    with pytest.raises(UsageError, match="another key"):
        verify_result(signed, Signer.of_folder(None).public_key)


@pytest.mark.parametrize(
    "change",
    [
        {"agent": "\x1b[2Jmine"},
        {"agent": None},
        {"counts": {}},
        {"counts": {"tasks": "3", "passed": "3"}},
        {"suite": "quick"},
        {"version": ["0.1.0"]},
    ],
)
def test_what_somebody_else_signed_may_be_anything(change, tmp_path, capsys) -> None:
    signer = Signer.of_folder(None)
    path = tmp_path / "result.json"
    path.write_text(json.dumps(signer.sign(WHOLE)))
    assert run_cli(["serve", "verify", str(path), "--key", signer.public_key]) == 0
    path.write_text(json.dumps(signer.sign(WHOLE | change)))
    capsys.readouterr()
    assert run_cli(["serve", "verify", str(path)]) == 2
    error = capsys.readouterr().err
    assert "no result as this version makes them" in error
    assert error.count("\n") == 1
