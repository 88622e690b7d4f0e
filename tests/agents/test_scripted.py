from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from agents.bench import as_jsonl, run, script
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.scorer import includes
from inspect_ai.solver import generate

import ecliptic
from ecliptic.agents import answer_by
from ecliptic.agents.script import Line, read_script
from ecliptic.errors import UsageError

SOURCE = str(Path(ecliptic.__file__).parents[1])


def test_texts_play_in_order_for_each_sample(tmp_path) -> None:
    samples = [Sample(input=f"{n}", target="two", id=n) for n in range(4)]
    solver = [generate(), generate()]
    result = run(solver, ["one", "two"], tmp_path, samples=samples, scorer=includes())
    for sample in result.log.samples:
        assert [m.text for m in sample.messages if m.role == "assistant"] == ["one", "two"]


def test_a_script_that_has_run_out_ends_the_sample(tmp_path) -> None:
    result = run([generate(), generate()], ["one"], tmp_path)
    assert "no reply for stage '', turn 2, sample 'q'" in result.sample.error.message


def test_usage_is_as_told_or_a_quarter_of_the_characters(tmp_path) -> None:
    told = run(generate(), [{"text": "x", "usage": {"input": 7, "output": 3}}], tmp_path)
    usage = told.sample.model_usage["scripted/test"]
    assert (usage.input_tokens, usage.output_tokens, usage.total_tokens) == (7, 3, 10)
    counted = run(generate(), ["abcde"], tmp_path).sample.model_usage["scripted/test"]
    assert counted.output_tokens == 2


@pytest.mark.parametrize(
    ("line", "conditions", "plays"),
    [
        ({"stage": "pace/plan"}, {}, True),
        ({"stage": "plan"}, {}, True),
        ({"stage": "hmaw/plan"}, {}, False),
        ({"turn": 2}, {}, False),
        ({"sample": "7"}, {}, True),
        ({"sample": 7}, {}, True),
        ({"epoch": 2}, {}, False),
        ({"when": "corona"}, {}, True),
        ({"when": "planet"}, {}, False),
    ],
)
def test_conditions(line, conditions, plays) -> None:
    request = {"stage": "pace/plan", "turn": 1, "sample": 7, "epoch": 1, "request": "the corona"}
    assert Line.model_validate(line).matches(**request) is plays


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"text": "a"}\n{text}', "line 2: not JSON"),
        ('{"stage": "x", "falt": "empty"}', "line 1: field 'falt': Extra inputs"),
        ('{"fault": "explosion"}', "faults are bad_request, dropped_connection"),
        ("[1]", "line 1: must be a text or an object, not list"),
    ],
)
def test_a_bad_script_is_one_clear_line(text: str, message: str, tmp_path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        read_script(path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_script(tmp_path / "missing.jsonl")


def test_a_script_that_would_be_read_for_ever_is_refused() -> None:
    with pytest.raises(UsageError, match="script /dev/zero is no file"):
        read_script("/dev/zero")


def test_a_file_is_played_by_the_models_name(tmp_path) -> None:
    path = as_jsonl(script(), tmp_path / "replies.jsonl")
    task = Task(dataset=[Sample(input="x", target="$42$")], solver=answer_by("pace"))
    log = inspect_eval(task, model=f"scripted/{path}", display="none", log_dir=str(tmp_path))[0]
    assert log.status == "success"
    assert log.samples[0].output.completion == "$42$"


# What the entry point of Inspect's plug-ins does.
REGISTERED = """
import ecliptic.agents.scripted, ecliptic.agents.solvers
from inspect_ai._cli.main import main
main()
"""
TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes

@task
def small():
    samples = [Sample(input=f"Number {n}?", target="$42$", id=n) for n in range(3)]
    return Task(dataset=samples, scorer=includes())
"""


def test_from_the_command_line_with_a_registered_solver_and_no_network(tmp_path) -> None:
    as_jsonl(script(), tmp_path / "replies.jsonl")
    (tmp_path / "small.py").write_text(TASK, encoding="utf-8")
    command = [sys.executable, "-c", REGISTERED, "eval", "small.py", "--model", "scripted/x"]
    options = ["-M", "script=replies.jsonl", "--solver", "ecliptic/mentor", "-S", "every=2"]
    done = subprocess.run(
        [*command, *options, "--display", "plain", "--log-dir", "logs"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": SOURCE, "HTTPS_PROXY": "http://127.0.0.1:9"},
    )
    logs = list_eval_logs(str(tmp_path / "logs"))
    assert logs, done.stdout + done.stderr
    log = read_eval_log(logs[0])
    assert log.status == "success", done.stdout
    assert log.eval.solver == "ecliptic/mentor"
    assert log.results.scores[0].metrics["accuracy"].value == 1.0
