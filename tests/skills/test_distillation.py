"""Skills written from logs: what the model reads, what it may write, what is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from agents.bench import as_jsonl, call, submit
from inspect_ai import Task, task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState, generate, use_tools

from ecliptic.cli import app
from ecliptic.errors import UsageError
from ecliptic.skills import load_skills
from ecliptic.skills.transcripts import choose_attempts, condensed, read_attempts

TRUTH = "the planet hides at 271.828 days"
GOOD = (
    "---\nname: look-twice\ndescription: Look at residuals before handing in.\n---\n\n"
    "# Look twice\n\nPlot the residuals, then hand in.\n"
)


@scorer(metrics={"*": [mean()]})
def telling() -> Scorer:
    """A score in whose explanation and metadata the truth stands, as in verdicts."""

    async def score(state: TaskState, target: Target) -> Score:
        passed = "42" in state.output.completion
        return Score(
            value={"passed": float(passed)},
            answer=state.output.completion,
            explanation=f"wrong: {TRUTH}",
            metadata={"verdict": {"details": TRUTH}},
        )

    return score


@task
def sums(feedback: str = "criteria") -> Task:
    return Task(
        dataset=[
            Sample(
                input=f"An {'even' if at % 2 else 'odd'} product?",
                id=f"sample-{at}",
                target=TRUTH,
                metadata={"truth": TRUTH},
            )
            for at in range(4)
        ],
        setup=use_tools(submit()),
        solver=generate(),
        scorer=telling(),
    )


def make_logs(folder: Path, feedback: str = "criteria") -> Path:
    """Four attempts, of which two pass; the truth is in all places that a log has for it."""
    lines = [
        {"turn": 1, "tool_calls": call("submit", value=31), "usage": {"input": 1, "output": 1}},
        {"turn": 2, "when": "even", "text": "I hand in 42 since 6 * 7.\nValue 1234.5678"},
        {"turn": 2, "text": "I hand in 41, a guess."},
    ]
    log = inspect_eval(
        sums(feedback),
        model=get_model("scripted/test", script=lines, memoize=False),
        display="none",
        log_dir=str(folder),
        log_realtime=False,
    )[0]
    assert log.status == "success", log.error
    return folder


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_logs(tmp_path_factory.mktemp("logs"))


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.COMMANDS, "skills", ("ecliptic.cli.skills:skills", "Skills."))


def distil(logs: Path, out: Path, *replies: dict[str, Any], options: tuple[str, ...] = ()) -> int:
    script = as_jsonl(list(replies), out.parent / "replies.jsonl")
    model = f"scripted/{script}"
    return app.run_cli(
        ["skills", "distil", str(logs), "--model", model, "--out", str(out), *options]
    )


def test_attempts_hold_the_conversation_and_the_outcome_but_never_the_truth(logs: Path) -> None:
    attempts = read_attempts([logs])
    assert [each.passed for each in attempts] == [False, True, False, True]
    for each in attempts:
        assert "product?" in each.text
        assert "<call tool=submit>" in each.text
        assert "not accepted" in each.text
        assert "271.828" not in repr(each)
        assert "hides" not in repr(each)


def test_nothing_that_the_model_is_sent_holds_the_truth(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ecliptic.evals import serving

    model = get_model("scripted/x", script=[GOOD], keep_requests=True, memoize=False)
    monkeypatch.setattr(serving, "reachable_model", lambda _: model)
    assert distil(logs, tmp_path / "out") == 0
    ((_, messages),) = model.api.requests  # type: ignore[attr-defined]
    sent = "\n".join(message.text for message in messages)
    assert "outcome=passed" in sent
    assert "outcome=failed" in sent
    assert "sample-" not in sent
    for secret in ("271.828", "hides", "verdict"):
        assert secret not in sent.replace("transcripts", "")


def test_a_skill_is_written_with_its_provenance(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    prices = ("--price-in", "1", "--price-out", "1000", "--world", "rv")
    assert distil(logs, out, {"text": f"```markdown\n{GOOD}```"}, options=prices) == 0
    printed = capsys.readouterr().out
    assert "sums: 2 passed and 2 failed attempts" in printed
    assert "estimate: 1 calls" in printed
    assert "cost 2.50" in printed
    (skill,) = load_skills(folder=out, world="rv")
    assert skill.name == "look-twice"
    assert skill.metadata["distilled-by"].startswith("scripted/")
    provenance = json.loads((out / "look-twice" / "provenance.json").read_text("utf-8"))
    assert provenance["logs"] == [read_attempts([logs])[0].log_id]
    assert len(provenance["attempts"]) == 4
    assert provenance["repaired"] is False
    assert provenance["tokens"]["read"] > 100
    skills_ref = pytest.importorskip("skills_ref")
    assert skills_ref.validate(out / "look-twice") == []


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("I would rather not.", "must begin with a line ---"),
        (GOOD.replace("look-twice", "Look Twice"), "field 'name'"),
        (GOOD.replace("residuals, then", "value 1234.6, then"), "quotes single tasks (1235)"),
        (GOOD.replace("residuals, then", "star sample-1, then"), "quotes single tasks (sample-1)"),
    ],
)
def test_a_faulty_skill_is_sent_back_once(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], reply: str, fault: str
) -> None:
    mended = [{"turn": 1, "text": reply}, {"turn": 2, "when": fault, "text": GOOD}]
    assert distil(logs, tmp_path / "out", *mended) == 0
    assert "mended once" in capsys.readouterr().out
    assert [skill.name for skill in load_skills(folder=tmp_path / "out")] == ["look-twice"]


def test_a_second_faulty_reply_is_kept_and_reported(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert distil(logs, tmp_path / "out", {"text": "no", "times": 2}) == 2
    assert "wrote no valid skill for sums" in capsys.readouterr().err
    assert (tmp_path / "out" / "rejected-sums.md").read_text("utf-8") == "no"


@pytest.mark.parametrize(
    ("fault", "why"), [("bad_request", "400 the request is not"), ("server_error", "500 internal")]
)
def test_a_model_that_cannot_be_called_is_one_line(
    fault: str, why: str, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert distil(logs, tmp_path / "out", {"fault": fault, "times": 99}) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "wrote no skill for sums: " in line
    assert why in line


def test_half_a_character_in_a_skill_is_mended(logs: Path, tmp_path: Path) -> None:
    assert distil(logs, tmp_path / "out", {"text": f"{GOOD}\ud800"}) == 0
    assert "\ufffd" in (tmp_path / "out" / "look-twice" / "SKILL.md").read_text("utf-8")


def test_a_skill_is_not_replaced_unasked(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert distil(logs, out, {"text": GOOD}) == 0
    newer = {"text": GOOD.replace("Plot", "Draw")}
    assert distil(logs, out, newer) == 2
    assert "exists; take another --out or --overwrite" in capsys.readouterr().err
    assert "Draw" in (out / "rejected-look-twice.md").read_text("utf-8")
    assert distil(logs, out, newer, options=("--overwrite",)) == 0
    assert "Draw" in (out / "look-twice" / "SKILL.md").read_text("utf-8")


def test_a_dry_run_calls_no_model(logs: Path, tmp_path: Path) -> None:
    assert distil(logs, tmp_path / "out", options=("--dry-run",)) == 0
    assert not (tmp_path / "out").exists()


def test_a_world_leaves_out_the_tasks_of_the_other(logs: Path, capsys, monkeypatch) -> None:
    from ecliptic.cli import skills

    out = logs.parent / "out"
    assert distil(logs, out, options=("--dry-run", "--world", "rv")) == 0
    (kind,) = {line.partition(":")[0] for line in capsys.readouterr().out.splitlines()[:-1]}
    monkeypatch.setattr(skills, "_WORLDS", {kind: "helio"})
    assert distil(logs, out, options=("--dry-run", "--world", "rv")) == 2
    assert f"--world rv: the logs hold attempts on {kind} only" in capsys.readouterr().err
    assert distil(logs, out, options=("--dry-run", "--world", "helio")) == 0


def test_a_missing_key_is_named(logs: Path, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.delenv("ACME_API_KEY", raising=False)
    command = ["skills", "distil", str(logs), "--model", "openai-api/acme/x", "--out", "out"]
    assert app.run_cli(command) == 2
    assert "the environment variable ACME_API_KEY is not set" in capsys.readouterr().err


def test_logs_whose_feedback_tells_the_truth_are_left_out(tmp_path: Path) -> None:
    telling_log = make_logs(tmp_path / "logs", feedback="paper")
    with pytest.raises(UsageError, match="its feedback 'paper' tells the truth"):
        read_attempts([telling_log])


def test_what_is_no_log_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        read_attempts([tmp_path / "none"])
    with pytest.raises(UsageError, match="holds no log"):
        read_attempts([tmp_path])
    (tmp_path / "broken.eval").write_text("not a zip", encoding="utf-8")
    with pytest.raises(UsageError, match=r"broken.eval: cannot be read as a log"):
        read_attempts([tmp_path / "broken.eval"])


def test_successes_and_failures_are_chosen_in_turn(logs: Path) -> None:
    attempts = read_attempts([logs])
    assert [each.passed for each in choose_attempts(attempts, 2)] == [True, False]
    assert [each.passed for each in choose_attempts(attempts, 3)] == [True, False, False]
    only = [each for each in attempts if each.passed]
    assert choose_attempts(only, 4) == only


def test_a_long_conversation_keeps_its_beginning_and_its_end(logs: Path) -> None:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser

    turns = [ChatMessageAssistant(content=f"turn {at} " + "x" * 500) for at in range(100)]
    text = condensed([ChatMessageUser(content="the task"), *turns], most=5000)
    assert len(text) < 5200
    assert text.startswith("TASK:\nthe task")
    assert "messages left out" in text
    assert "turn 0 " in text
    assert "turn 99 " in text


def test_list_show_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run_cli(["skills", "list", "--world", "helio"]) == 0
    listed = capsys.readouterr().out
    assert "units-discipline (helio," in listed
    assert "keplerian-fit" not in listed
    assert app.run_cli(["skills", "show", "phase-folding"]) == 0
    assert "# Phase folding" in capsys.readouterr().out
    for name, text in (("look-twice", GOOD), ("other", GOOD)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_text(text, encoding="utf-8")
    assert app.run_cli(["skills", "check", str(tmp_path / "look-twice")]) == 0
    assert app.run_cli(["skills", "check", str(tmp_path)]) == 1
    checked = capsys.readouterr().out
    assert "valid  look-twice" in checked
    assert "field 'name': is 'look-twice', but the folder is called 'other'" in checked
    assert app.run_cli(["skills", "check", str(tmp_path / "none")]) == 2
    assert "is not a folder" in capsys.readouterr().err
