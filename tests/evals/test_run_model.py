from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from evals.conftest import RECORDS
from evals.harness import call, planets_of, scripted
from inspect_ai import Task, task_with
from inspect_ai.log import EvalSample, list_eval_logs, read_eval_log
from inspect_ai.solver import Solver, generate

from ecliptic.agents import PATTERNS, wrapped
from ecliptic.agents.solvers import pace
from ecliptic.analysis import leaderboard, read_attempts
from ecliptic.cli.app import run_cli
from ecliptic.errors import UsageError
from ecliptic.evals import helio as make_task
from ecliptic.evals.campaign import Campaign, run_campaign
from ecliptic.skills import index_text, injected_text, load_skills

RIGHT = {"when": "How fast is the wind", "text": "$400$ km/s"}
OTHER = {"turn": 1, "text": "$E = m v^2/2$"}
FAILS = {"sample": "2010_Lee_4_b", "fault": "bad_request", "times": 9}


def model(folder: Path, *lines: dict[str, Any]) -> str:
    path = folder / "replies.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return f"scripted/{path}"


def samples(folder: Path) -> dict[tuple[str, str], EvalSample]:
    """By pattern and id, of the newest logs."""
    found = {}
    for info in reversed(list_eval_logs(str(folder))):
        log = read_eval_log(info)
        pattern = log.plan.steps[-1].params_passed["pattern"]
        found |= {(pattern, str(s.id)): s for s in log.samples or []}
    return found


def helio(records: str, name: str, out: Path, *more: str) -> int:
    return run_cli(
        ["run", "helio", "--records", records, "--model", name, "--out", str(out), *more]
    )


def test_a_table_of_patterns_that_is_taken_up_again_where_it_failed(
    records, tmp_path, capsys
) -> None:
    out = tmp_path / "out"
    name = model(tmp_path, FAILS, RIGHT, OTHER)
    prices = ["--agents", "single_shot,hmaw", "--price-in", "1000", "--price-out", "1000"]
    assert helio(records, name, out, *prices) == 1
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0].split()[:3] == ["estimate", "attempts", "calls"]
    assert [line.split()[:3] for line in lines[2:5]] == [
        ["single_shot", "4", "4"],
        ["hmaw", "4", "12"],
        ["all", "8", "16"],
    ]
    row = next(line for line in lines[6:] if line.startswith("single_shot")).split("  ")
    assert [cell.strip() for cell in row if cell.strip()][1:5] == [
        "1/1 (100 %)",
        "1/1 (100 %)",
        "0/1 (0 %)",
        "2/3 (67 %)",
    ]
    assert "provider_error 2" in said.out
    assert "cost: " in said.out
    assert f"ecliptic report {out} -o report" in said.out
    assert f"ecliptic compare --agents single_shot,hmaw {out}" in said.out
    assert "2 attempts ended in an error" in said.err
    before = samples(out)

    model(tmp_path, RIGHT, OTHER)
    assert helio(records, name, out, *prices) == 0
    assert "answered 8" in capsys.readouterr().out
    after = samples(out)
    assert len(after) == 8
    again = {key for key in after if after[key].uuid != before[key].uuid}
    assert {sample for _, sample in again} == {"2010_Lee_4_b"}


def test_records_that_were_mended_are_answered_anew(tmp_path, capsys) -> None:
    out, own = tmp_path / "out", tmp_path / "own.jsonl"
    text = "\n".join(map(json.dumps, RECORDS))
    own.write_text(text, encoding="utf-8")
    name = model(tmp_path, RIGHT, OTHER)
    assert helio(str(own), name, out, "--types", "numeric") == 0
    assert "1/2 (50 %)" in capsys.readouterr().out
    first = {sample.uuid for sample in samples(out).values()}
    assert helio(str(own), name, out, "--types", "numeric") == 0
    assert {sample.uuid for sample in samples(out).values()} == first

    own.write_text(text.replace("$400", "$500"), encoding="utf-8")
    capsys.readouterr()
    assert helio(str(own), name, out, "--types", "numeric") == 0
    assert "0/2 (0 %)" in capsys.readouterr().out
    assert not first & {sample.uuid for sample in samples(out).values()}
    versions = {row.version: row.passed for row in leaderboard(read_attempts(out))}
    assert sorted(versions.values()) == [0, 1]


def test_progress_counts_what_earlier_runs_left(records, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr("ecliptic.cli.progress.SECONDS_BETWEEN_LINES", 0.0)
    name = model(tmp_path, FAILS, RIGHT, OTHER)
    assert helio(records, name, tmp_path / "out") == 1
    lines = [line for line in capsys.readouterr().err.splitlines() if "attempts done" in line]
    assert [line.split(",")[0] for line in lines] == [f"{n} of 4 attempts done" for n in range(5)]
    assert ", 1 failed" in lines[-1]

    model(tmp_path, RIGHT, OTHER)
    assert helio(records, name, tmp_path / "out") == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "attempts done" in line]
    assert [line.split(",")[0] for line in lines] == [f"{n} of 4 attempts done" for n in (3, 4)]


def test_an_estimate_alone_runs_nothing(records, tmp_path, capsys) -> None:
    assert helio(records, model(tmp_path, OTHER), tmp_path / "out", "--estimate") == 0
    assert "no prices known" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


def test_an_estimate_counts_skills(records, tmp_path, capsys) -> None:
    said = {}
    for mode in ("none", "injected", "on_demand"):
        assert helio(records, model(tmp_path, OTHER), tmp_path, "--estimate", "--skills", mode) == 0
        cells = capsys.readouterr().out.splitlines()[2].replace(",", "").split()
        said[mode] = [int(cell) for cell in cells[1:]]
    _, calls, read, _ = said["none"]
    skills = load_skills(world="helio")
    whole, index = len(injected_text(skills)) // 4, len(index_text(skills)) // 4
    assert said["injected"][1:3] == [calls, read + calls * whole]
    assert said["on_demand"][1] > calls
    assert read + calls * index < said["on_demand"][2]


def test_a_table_names_its_agents_as_all_readers_of_logs_do(records, tmp_path) -> None:
    def task(solver: Solver) -> Task:
        return task_with(make_task(records, types="symbolic"), solver=solver)

    tasks = {"pace": task(pace()), "single_shot": task(wrapped(generate(), "single_shot"))}
    settings = {"display": "none", "log_level": "error"}
    campaign = Campaign(
        lambda: make_task(records), list(tasks), scripted([OTHER]), tmp_path, settings=settings
    )
    outcome = run_campaign(campaign, tasks)
    assert not outcome.interrupted
    assert [row.agent for row in outcome.rows] == list(tasks)


def test_a_limit_of_tokens_begins_no_attempt_that_it_cannot_pay(records, tmp_path, capsys) -> None:
    out = tmp_path / "out"
    spends = {"turn": 1, "text": "$400$ km/s", "usage": {"input": 900, "output": 100}}
    name = model(tmp_path, spends)
    assert helio(records, name, out, "--max-tokens", "2500") == 1
    said = capsys.readouterr()
    assert "run_budget 2" in said.out
    assert "2 attempts were not begun" in said.err
    before = samples(out)
    assert sum(s.model_usage["scripted/" + name.partition("/")[2]].total_tokens
               for s in before.values() if s.model_usage) == 2000  # fmt: skip

    assert helio(records, name, out, "--max-tokens", "10000") == 0
    after = samples(out)
    kept = [key for key in after if after[key].uuid == before[key].uuid]
    assert len(kept) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["helio"], "name a language model"),
        (["helio", "--model", "nobody/x"], "nobody"),
        (["helio", "--model", "scripted/none.jsonl"], "none.jsonl"),
        (["helio", "--model", "MODEL", "--agents", "reakt"], "did you mean 'react'?"),
        (["helio", "--model", "MODEL", "--agents", ""], "'--agents'"),
        (["helio", "--model", "MODEL", "--agents", "pace,"], "'pace,' holds an empty name"),
        (["helio", "--model", "MODEL", "--types", "prose"], "no type 'prose'"),
        (["helio", "--model", "MODEL", "--records", "gone.jsonl"], "gone.jsonl"),
        (["helio", "--model", "MODEL", "--max-cost", "1"], "--price-in"),
        (["helio", "--model", "MODEL", "--price-in", "1"], "belong together"),
        (["helio", "--model", "MODEL", "--verifier"], "--model-role verifier="),
        (
            ["helio", "--model", "MODEL", "--model-role", "verifier=MODEL"],
            "--allow-self-judge",
        ),
        (["stargazer", "--model", "MODEL", "--solver", "sine"], "--solver and --model"),
        (["stargazer", "--max-tokens", "5"], "--max-tokens needs a language model"),
        (["stargazer", "--no-images"], "--images needs a language model"),
        (["stargazer", "--epochs", "2"], "--epochs needs a language model"),
        (["stargazer", "-M", "a=1"], "--model-arg needs a language model"),
        (["stargazer", "--model", "MODEL", "--suite", "gone"], "no suite at gone"),
    ],
)
def test_mistakes_are_one_line(arguments, message, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    name = model(tmp_path, OTHER)
    given = [each.replace("MODEL", name) for each in arguments]
    assert run_cli(["run", *given]) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert line.startswith("ecliptic: ")
    assert message in line
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["helio", "--model", "openai/gpt-5"],
            "model openai/gpt-5: no key: the environment variable OPENAI_API_KEY "
            "(or AZUREAI_OPENAI_API_KEY) is not set; set it (export OPENAI_API_KEY=...)",
        ),
        (
            ["stargazer", "--model", "openai-api/acme/x", "--suite", "gone"],
            "the environment variable ACME_API_KEY is not set",
        ),
        (
            ["helio", "--model", "MODEL", "--model-role", "verifier=openai/x", "--estimate"],
            "model openai/x of the role verifier: no key",
        ),
    ],
)
def test_a_missing_key_is_told_before_anything_else(
    arguments, message, tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "AZUREAI_OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    name = model(tmp_path, OTHER)
    assert run_cli(["run", *(each.replace("MODEL", name) for each in arguments)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert message in line


def test_an_estimate_needs_no_key(records, tmp_path, monkeypatch, capsys) -> None:
    for name in ("OPENAI_API_KEY", "AZUREAI_OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert helio(records, "openai/gpt-5", tmp_path / "out", "--estimate") == 0
    assert "single_shot" in capsys.readouterr().out


def test_all_names_every_pattern(records, tmp_path, capsys) -> None:
    name = model(tmp_path, OTHER)
    assert helio(records, name, tmp_path / "out", "--agents", "all", "--estimate") == 0
    said = capsys.readouterr().out
    assert [line.split()[0] for line in said.splitlines()[2:11]] == [*PATTERNS, "all"]
    assert helio(records, name, tmp_path / "out", "--agents", "mine.py@own") == 2
    assert "inspect eval TASK --solver FILE.py" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("", "no address: the environment variable ACME_BASE_URL is not set"),
        ("http://127.0.0.1:9/v1", "nobody answers at http://127.0.0.1:9/v1 (Connection refused)"),
        ("127.0.0.1:9/v1", "'127.0.0.1:9/v1' is no address"),
    ],
)
def test_a_server_that_is_not_there_is_told_before_the_run(
    address, message, records, tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.setenv("ACME_API_KEY", "any")
    monkeypatch.delenv("ACME_BASE_URL", raising=False)
    if address:
        monkeypatch.setenv("ACME_BASE_URL", address)
    assert helio(records, "openai-api/acme/x", tmp_path / "out") == 2
    assert message in capsys.readouterr().err
    assert not list((tmp_path / "out").glob("*.eval"))


def test_a_finished_table_is_shown_though_the_server_is_gone(
    records, tmp_path, monkeypatch, capsys
) -> None:
    def gone(_: object) -> None:
        raise UsageError("nobody answers")

    name, out = model(tmp_path, RIGHT, OTHER), tmp_path / "out"
    assert helio(records, name, out) == 0
    monkeypatch.setattr("ecliptic.evals.campaign.check_address", gone)
    capsys.readouterr()
    assert helio(records, name, out) == 0
    assert "2/4 (50 %)" in capsys.readouterr().out
    assert helio(records, name, out, "--temperature", "0.5") == 2
    assert "nobody answers" in capsys.readouterr().err


def test_a_machine_without_a_jail_is_told_before_anything_else(
    suite, tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.setattr("ecliptic.sandbox.isolation.why_no_bubblewrap", lambda: "no jail here")
    arguments = ["run", "stargazer", "--suite", suite, "--model", model(tmp_path, OTHER)]
    assert run_cli([*arguments, "--out", str(tmp_path / "out")]) == 2
    assert "no jail here" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert run_cli([*arguments, "--estimate"]) == 0


def test_without_the_extra_it_is_one_line(records, tmp_path, monkeypatch, capsys) -> None:
    for name in [name for name in sys.modules if name.startswith("ecliptic.evals")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name, *_: None if name == "inspect_ai" else object()
    )
    assert helio(records, "openai/x", tmp_path) == 2
    assert "pip install 'ecliptic[agents]'" in capsys.readouterr().err


def test_stars_by_react_and_with_the_suites_own_protocol(both, stars, tmp_path, capsys) -> None:
    lines = [
        {"sample": star.id, "tool_calls": call("submit", planets=planets_of(star)), "times": 1}
        for star in stars[:1]
    ]
    name = model(tmp_path, *lines, {"text": "Enough.", "times": 9})
    arguments = ["--suite", both, "--model", name, "--agent", "react", "--out", str(tmp_path / "o")]
    assert run_cli(["run", "stargazer", *arguments]) == 0
    said = capsys.readouterr().out
    assert "1/1 (100 %)  0/1 (0 %)  1/2 (50 %)" in said
    assert "solved 1, gave_up 1" in said
    (log,) = list_eval_logs(str(tmp_path / "o"))
    scorers = read_eval_log(log, header_only=True).eval.scorers or []
    assert scorers[0].options["protocol"] == "strict"


def test_kill_9_loses_nothing_that_was_paid_for(records, tmp_path, capsys) -> None:
    out = tmp_path / "out"
    slow = {"sample": "2012_Kim_2", "turn": 1, "text": "late", "delay_seconds": 300}
    name = model(tmp_path, slow, OTHER)
    command = [sys.executable, "-m", "ecliptic", "run", "helio", "--records", records]
    command += ["--model", name, "--out", str(out)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        deadline = time.monotonic() + 90
        done: dict[Any, EvalSample] = {}
        while len(done) < 3 and time.monotonic() < deadline and child.poll() is None:
            time.sleep(0.3)
            done = _readable(out)
        os.kill(child.pid, signal.SIGKILL)
    assert len(done) == 3
    model(tmp_path, OTHER)
    assert helio(records, name, out) == 0
    assert "answered 4" in capsys.readouterr().out
    after = samples(out)
    assert len(after) == 4
    assert all(after[key].uuid == done[key].uuid for key in done)


def _readable(out: Path) -> dict[tuple[str, str], EvalSample]:
    try:
        return samples(out)
    except (OSError, ValueError, KeyError, EOFError):
        return {}
    except Exception as error:
        if type(error).__name__ in {"BadZipFile", "EvalLogReadError", "ValidationError"}:
            return {}
        raise


def test_an_interrupt_says_that_the_same_command_goes_on(
    records, tmp_path, monkeypatch, capsys
) -> None:
    # What Inspect returns after Ctrl-C.
    monkeypatch.setattr("ecliptic.evals.campaign.eval_set", lambda *_, **__: (True, []))
    assert helio(records, model(tmp_path, OTHER), tmp_path / "out") == 130
    assert "the same command (without --fresh) goes on" in capsys.readouterr().err


def test_progress_counts_nothing_of_other_runs_into_the_folder(
    records, tmp_path, capsys, monkeypatch
) -> None:
    monkeypatch.setattr("ecliptic.cli.progress.SECONDS_BETWEEN_LINES", 0.0)
    name, out = model(tmp_path, RIGHT, OTHER), tmp_path / "out"

    def told(*more: str) -> list[str]:
        assert helio(records, name, out, *more) == 0
        lines = capsys.readouterr().err.splitlines()
        return [line.split(",")[0] for line in lines if "attempts done" in line]

    begun = ["0 of 4 attempts done", "1 of 4 attempts done", "2 of 4 attempts done"]
    whole = [*begun, "3 of 4 attempts done", "4 of 4 attempts done"]
    assert told() == whole
    assert told("--agents", "hmaw") == whole
    assert told("--temperature", "0.5") == whole
    assert told("--no-hints") == whole
    assert told("--types", "numeric")[0] == "0 of 2 attempts done"
    assert told("--limit", "2", "--temperature", "0.5")[0] == "2 of 2 attempts done"
    assert told("--epochs", "2", "--limit", "1")[0].startswith("1 of 2")
