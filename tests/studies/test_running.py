from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalSample, list_eval_logs, read_eval_log
from studies.conftest import answers, study_file

from ecliptic import helio, load_suite, rv
from ecliptic.analysis import read_attempts
from ecliptic.cli.app import run_cli
from ecliptic.studies import cells_of
from ecliptic.studies.study_files import study_of
from ecliptic.studies.subjects import subjects_of
from ecliptic.suite import Suite, write_suite

STUDY = """
name: mine
models: scripted/replies.jsonl
agents: [single_shot, hmaw]
suites:
  - questions: records.jsonl
"""


def run(*more: str, report: bool = False) -> int:
    quiet = [] if report else ["--no-report"]
    return run_cli(["study", "run", "study.yaml", "--out", "out", *quiet, *more])


def samples(cell: str) -> dict[str, EvalSample]:
    """By id, of the newest log."""
    found: dict[str, EvalSample] = {}
    for info in reversed(list_eval_logs(f"out/cells/{cell}")):
        log = read_eval_log(info, resolve_attachments=True)
        found |= {str(s.id): s for s in log.samples or []}
    return found


def states() -> dict[str, dict[str, Any]]:
    paths = sorted(Path("out/cells").glob("*/cell.json"))
    return {path.parent.name: json.loads(path.read_text()) for path in paths}


def test_the_grid_is_laid_out_by_axes_that_an_entry_may_override(place: Path) -> None:
    text = """
name: mine
models: [scripted/replies.jsonl, local]
agents: [single_shot, pace]
baselines: [null, sine]
skills: [none, injected]
retrieval: [none, examples]
seeds: [1, 2]
suites:
  - questions: records.jsonl
    skills: none
  - {stars: quick, agents: react, retrieval: none}
  - {stars: quick, label: second, agents: [], baselines: classical}
"""
    study = study_of(text, "study.yaml")
    cells = cells_of(study, subjects_of(study, "study.yaml", place), "study.yaml")
    of = {"records": 2 * 2 * 2 * 2, "quick": 2 + 2 * 2 * 2, "second": 1}
    assert {label: sum(c.subject.label == label for c in cells) for label in of} == of
    assert [cell.key for cell in cells[:3]] == ["quick--null", "quick--sine", "second--classical"]
    assert "records--pace+retrieval-examples--local--seed-2" in {cell.key for cell in cells}


def test_a_study_runs_to_its_report_and_is_not_run_twice(place: Path, capsys) -> None:
    study_file(STUDY + "  - {stars: quick, limit: 2, agents: [], baselines: [null, sine]}\n")
    assert run(report=True) == 0
    said = capsys.readouterr().out
    assert "records: single_shot, hmaw" in said
    assert "4 cells; 1 attempt of an agent on each task" in said
    assert "[1/4] quick, null: 0 of 2 passed" in said
    assert "[4/4] records, hmaw (scripted/replies.jsonl): 2 of 3 passed" in said
    assert "Paired comparison" in said
    assert Path("out/report/index.html").exists()
    assert {row.agent for row in read_attempts("out/cells")} == {
        "single_shot",
        "hmaw",
        "null",
        "sine",
    }
    before = {path: path.stat().st_mtime_ns for path in Path("out/cells").rglob("*.*")}
    assert run() == 0
    again = capsys.readouterr().out
    assert "4 cells, 4 of them finished" in again
    assert "estimate" not in again
    assert {path: path.stat().st_mtime_ns for path in Path("out/cells").rglob("*.*")} == before


def test_a_changed_file_is_refused_with_what_differs(place: Path, capsys) -> None:
    study_file(STUDY)
    assert run() == 0
    study_file(STUDY.replace("hmaw", "pace") + "epochs: 2\n")
    assert run() == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert "agents[1]: 'hmaw' there, 'pace' here; epochs: 1 there, 2 here" in line
    assert "change it back, choose another folder with --out, or delete its cells" in line
    study_file("title: another one\n" + STUDY)
    assert run() == 0
    records = Path("records.jsonl")
    records.write_text(records.read_text().replace("How far", "How very far"))
    assert run() == 2
    assert "the tasks of records have changed" in capsys.readouterr().err
    assert run("--fresh") == 0


def test_a_cell_that_cannot_run_costs_no_other(place: Path, capsys, monkeypatch) -> None:
    study_file(STUDY)
    whole = sys.modules["ecliptic.evals.campaign"].run_campaign

    def refuse(campaign, *rest):
        from ecliptic.errors import UsageError

        if "single_shot" in campaign.patterns:
            raise UsageError("no engine for it")
        return whole(campaign, *rest)

    monkeypatch.setattr("ecliptic.evals.campaign.run_campaign", refuse)
    assert run() == 1
    said = capsys.readouterr()
    assert "single_shot (scripted/replies.jsonl): could not run: no engine for it" in said.out
    assert "hmaw (scripted/replies.jsonl): 2 of 3 passed" in said.out
    assert "1 cell could not run: records, single_shot" in said.err
    monkeypatch.setattr("ecliptic.evals.campaign.run_campaign", whole)
    assert run() == 0
    assert "2 cells, 1 of them finished" in capsys.readouterr().out


def test_a_reason_of_many_cells_is_told_once() -> None:
    from ecliptic.studies.running import by_reason

    reasons = {f"cell {at}": "no engine" for at in range(8)} | {"other": "no key"}
    assert by_reason(reasons) == {
        "no engine": "cell 0; cell 1; cell 2; 5 more",
        "no key": "other",
    }


def test_errors_of_the_provider_are_made_again_and_nothing_else(place: Path, capsys) -> None:
    study_file(STUDY)
    answers({"sample": "2011_Poe_1", "fault": "bad_request", "times": 9})
    assert run() == 1
    said = capsys.readouterr()
    assert "1 of 2 passed, 1 ended in an error" in said.out
    assert "2 cells with attempts that ended in an error" in said.err
    cell = "records--hmaw--scripted-replies"
    before = samples(cell)
    answers()
    assert run() == 0
    after = samples(cell)
    changed = {name for name in after if after[name].uuid != before[name].uuid}
    assert changed == {"2011_Poe_1"}


def test_a_limit_holds_over_all_cells_and_a_larger_one_goes_on(place: Path, capsys) -> None:
    study_file(STUDY)
    answers({"turn": 1, "text": "$400$ km/s", "usage": {"input": 900, "output": 100}})
    assert run("--max-tokens", "5500") == 1
    said = capsys.readouterr()
    assert "stopped at the limit" in said.err
    spent = sum(row.tokens for row in read_attempts("out/cells"))
    assert 2000 <= spent <= 5500
    paid = {row.uuid for row in read_attempts("out/cells") if row.passed is not None}
    assert run("--max-tokens", "100000") == 0
    rows = read_attempts("out/cells")
    assert len(rows) == 6
    assert paid <= {row.uuid for row in rows}
    assert run("--max-cost", "1", "--fresh") == 2
    assert "no prices are known of scripted/replies.jsonl" in capsys.readouterr().err


def test_an_estimate_writes_nothing(place: Path, capsys) -> None:
    study_file(
        STUDY + "  - {generate: questions, seeds: 3, count: 2, forms: numeric}\n"
        "prices: {scripted/replies.jsonl: {read: 1000, written: 1000}}\n"
    )
    assert run("--estimate") == 0
    said = capsys.readouterr().out
    assert "generated-questions: single_shot, hmaw" in said
    row = next(line for line in said.splitlines() if line.startswith("hmaw")).split()
    assert row[1:3] == ["5", "15"]
    assert float(row[-1].replace(",", "")) > 0
    assert not Path("out").exists()


def test_an_estimate_asks_for_no_key_but_a_run_does(place: Path, capsys, monkeypatch) -> None:
    for name in ("OPENAI_API_KEY", "AZUREAI_OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    study_file(STUDY)
    assert run("--model", "openai/gpt-5", "--estimate") == 0
    assert "hmaw" in capsys.readouterr().out
    for more in ([], ["--fresh"]):
        assert run("--model", "openai/gpt-5", *more) == 2
        assert "OPENAI_API_KEY" in capsys.readouterr().err
    assert not Path("out").exists()


def test_a_seed_of_a_suite_makes_the_same_tasks_everywhere(place: Path) -> None:
    text = STUDY + (
        "  - {generate: stars, seeds: [5, 6], count: 2, recipe: paper, tier: easy}\n"
        "  - {generate: questions, seeds: 5, count: 3}\n"
    )
    study = study_of(text, "study.yaml")
    found = subjects_of(study, "study.yaml", place / "one")
    assert [each.label for each in found] == [
        "records",
        "generated-stars-1",
        "generated-stars-2",
        "generated-questions",
    ]
    stars = load_suite(found[1].source)
    assert [star.id for star in stars] == [
        star.id for star in rv.generate_many(5, 2, recipe="paper", tier="easy")
    ]
    records = helio.load(found[3].source)
    assert [r.id for r in records] == [r.id for r in helio.generate_many(5, 3)]
    assert found[1].checksum != found[2].checksum
    elsewhere = subjects_of(study, "study.yaml", place / "other")
    assert [each.checksum for each in elsewhere] == [each.checksum for each in found]
    assert not any("5" in part for part in Path(found[1].source).parts[-2:])


def test_a_sampling_seed_goes_with_every_call(place: Path) -> None:
    study_file(STUDY + "seeds: [11, 12]\ntemperature: 0.5\n")
    assert run() == 0
    for seed in (11, 12):
        for sample in samples(f"records--hmaw--scripted-replies--seed-{seed}").values():
            calls = [event for event in sample.events if event.event == "model"]
            assert len(calls) == 3
            assert {(call.config.seed, call.config.temperature) for call in calls} == {(seed, 0.5)}
    rows = [row for row in read_attempts("out/cells") if row.agent == "hmaw"]
    assert len(rows) == 6


def test_a_killed_study_pays_for_nothing_twice(place: Path) -> None:
    study_file(STUDY + "  - {stars: quick, limit: 1, agents: [], baselines: [null]}\n")
    slow = {"sample": "2011_Poe_1", "stage": "hmaw/answer", "text": "late", "delay_seconds": 300}
    answers(slow)
    command = [sys.executable, "-m", "ecliptic", "study", "run", "study.yaml", "--out", "out"]
    cell = "records--hmaw--scripted-replies"
    end = time.monotonic() + 240
    done: dict[str, EvalSample] = {}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
        while len(done) < 2 and time.monotonic() < end and child.poll() is None:
            time.sleep(0.3)
            done = _readable(cell)
        child.kill()
        _, told = child.communicate()
    assert len(done) == 2, told
    first = samples("records--single_shot--scripted-replies")
    assert list(states()) == ["quick--null", "records--single_shot--scripted-replies"]
    answers()
    assert run() == 0
    again = samples("records--single_shot--scripted-replies")
    assert {name: s.uuid for name, s in again.items()} == {n: s.uuid for n, s in first.items()}
    after = samples(cell)
    assert len(after) == 3
    assert all(after[name].uuid == done[name].uuid for name in done)
    assert len(read_attempts("out/cells")) == 7
    assert len(Path("out/cells/quick--null/results.jsonl").read_text().splitlines()) == 1


def _readable(cell: str) -> dict[str, EvalSample]:
    try:
        return samples(cell)
    except (OSError, ValueError, KeyError, EOFError):
        return {}
    except Exception as error:
        if type(error).__name__ in {"BadZipFile", "EvalLogReadError", "ValidationError"}:
            return {}
        raise


def test_an_interrupt_says_how_to_go_on(place: Path, monkeypatch, capsys) -> None:
    study_file(STUDY)
    # What Inspect returns after Ctrl-C.
    monkeypatch.setattr("ecliptic.evals.campaign.eval_set", lambda *_, **__: (True, []))
    assert run() == 130
    assert "0 cells of 2 finished" in capsys.readouterr().err
    assert states() == {}


def test_a_folder_that_a_run_holds_is_refused(place: Path, capsys) -> None:
    from ecliptic.run.folder import locked

    study_file(STUDY)
    with locked(Path("out")):
        assert run() == 2
    assert "another run is writing here" in capsys.readouterr().err


def test_fresh_deletes_nothing_under_a_run_that_is_at_work(place: Path, capsys) -> None:
    from ecliptic.run.folder import locked

    study_file(STUDY)
    assert run() == 0
    before = {path: path.read_bytes() for path in Path("out").rglob("*") if path.is_file()}
    capsys.readouterr()
    with locked(Path("out")):
        assert run("--fresh") == 2
    said = capsys.readouterr()
    assert "another run is writing here" in said.err
    assert {path: path.read_bytes() for path in before} == before
    was = {name: sample.uuid for name, sample in samples(next(iter(states()))).items()}
    assert run("--fresh") == 0
    now = {name: sample.uuid for name, sample in samples(next(iter(states()))).items()}
    assert was.keys() == now.keys()
    assert not set(was.values()) & set(now.values())


@pytest.fixture
def no_jail(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite of one star, on a machine without bubblewrap."""
    monkeypatch.setattr("ecliptic.sandbox.isolation.why_no_bubblewrap", lambda: "no jail here")
    write_suite(Suite.of([rv.generate(seed=2, recipe="ecliptic", tier="easy")], name="one"), "one")
    monkeypatch.setattr(
        "ecliptic.evals.campaign.eval_set", lambda *_, **__: pytest.fail("a model was called")
    )


STARS = STUDY.replace("[single_shot, hmaw]", "react") + "  - stars: one\n"


@pytest.mark.parametrize("isolation", ["", "    isolation: bubblewrap\n"])
def test_a_jail_is_looked_for_before_any_model_is_called(isolation, no_jail, capsys) -> None:
    study_file(STARS + isolation)  # its questions need no jail, and come first
    assert run() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("ecliptic: study.yaml: field 'suites[1].isolation': ")
    assert "no jail here" in line
    assert states() == {}


def test_an_estimate_needs_no_jail(no_jail) -> None:
    study_file(STARS)
    assert run("--estimate") == 0


@pytest.mark.parametrize("way", ["hand_in: text", "isolation: unconfined"])
def test_what_needs_no_jail_is_not_refused_for_it(way, no_jail, monkeypatch) -> None:
    # What Inspect returns after Ctrl-C.
    monkeypatch.setattr("ecliptic.evals.campaign.eval_set", lambda *_, **__: (True, []))
    study_file(f"{STARS}    {way}\n")
    assert run() == 130


def test_the_routing_is_compared_by_the_choices_of_the_rules(place: Path, capsys) -> None:
    study_file(STUDY.replace("single_shot", "phase") + "routing: true\n")
    assert run() == 0
    said = capsys.readouterr().out
    assert "routing, scripted/" in said
    # For one of the three the rules choose pace, for the others phase.
    assert "2 tasks of 2 problems; 1 whose choice was not run" in said
    assert "rule router" in said


@pytest.mark.parametrize("agent", ["router", "phase"])
def test_choices_are_the_logged_ones_or_made_by_the_same_rules(place: Path, agent) -> None:
    from ecliptic.studies.route_choices import rule_choices

    study_file(STUDY.replace("single_shot, hmaw", agent))
    assert run() == 0
    study = study_of(Path("study.yaml").read_text(), "study.yaml")
    cells = cells_of(study, subjects_of(study, "study.yaml", place), "study.yaml")
    found = rule_choices(study, cells, Path("out"))
    assert found == {
        ("records", "2010_Lee_4_a"): "pace",
        ("records", "2010_Lee_4_b"): "phase",
        ("records", "2011_Poe_1"): "phase",
    }
