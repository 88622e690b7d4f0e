"""Each example runs as it stands."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


REPLIES = Path(__file__).parents[1] / "examples" / "replies.jsonl"


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 2


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize(
    ("world", "agents", "rows"),
    [("helio", "single_shot,pace", ["--limit", "2"]), ("stargazer", "react", ["--limit", "1"])],
)
def test_the_replies_play_both_worlds(
    world: str, agents: str, rows: list[str], tmp_path: Path
) -> None:
    pytest.importorskip("inspect_ai")
    from inspect_ai.log import list_eval_logs, read_eval_log

    from ecliptic.cli.app import run_cli

    given = ["--model", f"scripted/{REPLIES}", "--agents", agents, *rows, "--out", str(tmp_path)]
    assert run_cli(["run", world, *given]) == 0
    logs = [read_eval_log(log) for log in list_eval_logs(str(tmp_path))]
    samples = [sample for log in logs for sample in log.samples or []]
    assert len(samples) == len(agents.split(",")) * int(rows[1])
    stages = [stage for sample in samples for stage in sample.store["ecliptic:stages"]]
    assert stages
    assert not [stage for stage in stages if stage["repaired"] or stage["broken"]]
