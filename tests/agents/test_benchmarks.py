from __future__ import annotations

import csv
import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agents.bench import run, script
from inspect_ai.tool import ToolDef

from ecliptic.agents import PATTERNS, benchmarks
from ecliptic.agents.benchmarks import BENCHMARKS, answer_benchmark, find_benchmark, load_benchmark
from ecliptic.agents.foreign_agents import find_foreign_agent
from ecliptic.errors import MissingExtraError, UsageError

# What other packages warn of on import is theirs to mend.
pytestmark = pytest.mark.filterwarnings("ignore")

GSM8K = [
    {"question": f"Ann has {n} apples and buys 2. How many?", "answer": f"{n} + 2\n#### {n + 2}"}
    for n in range(5, 9)
]
MATH = [
    {
        "problem": "What is $6 \\times 7$?",
        "solution": "It is $\\boxed{42}$.",
        "level": "Level 1",
        "type": "Algebra",
    }
]
HUMANEVAL = [
    {
        "task_id": "HumanEval/0",
        "prompt": 'def add(a, b):\n    """Add."""\n',
        "canonical_solution": "    return a + b\n",
        "test": "def check(f):\n    assert f(1, 2) == 3\n",
        "entry_point": "add",
    }
]


def write(path: str, rows: list[dict[str, Any]]) -> None:
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


@pytest.fixture
def offline(tmp_path, monkeypatch) -> Iterator[Path]:
    """An empty working directory, empty caches and no network."""
    pytest.importorskip("inspect_evals")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "datasets"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path


def test_unknown_benchmarks_get_a_suggestion() -> None:
    with pytest.raises(UsageError, match=r"no benchmark 'gsm8': did you mean 'gsm8k'\?"):
        find_benchmark("gsm8")


def test_a_missing_package_is_named_with_its_extra(monkeypatch) -> None:
    monkeypatch.setattr(benchmarks, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"inspect_evals.*pip install 'ecliptic\[bench"):
        load_benchmark("swe_bench")


def test_the_five_of_the_published_comparison() -> None:
    assert list(BENCHMARKS) == ["gsm8k", "math", "gpqa_diamond", "humaneval", "swe_bench"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_gsm8k_with_its_few_shots_and_template(pattern: str, offline: Path) -> None:
    write("openai/gsm8k/main/test.jsonl", GSM8K[:1])
    write("openai/gsm8k/main/train.jsonl", GSM8K[1:])
    result = run(answer_benchmark("gsm8k", pattern, fewshot=2), script(answer="ANSWER: 7"), offline)
    assert result.sample.scores["match"].value == "C"
    seen = "\n".join(m.text for m in result.requests[-1][1])
    assert "you do not need to use a \\boxed command" in seen
    assert seen.count("Reasoning:") == 3


@pytest.mark.parametrize("pattern", ["hmaw", "schema"])
def test_math_by_exact_match(pattern: str, offline: Path) -> None:
    pytest.importorskip("antlr4")
    write("DigitalLearningGmbH/MATH-lighteval/test.jsonl", MATH)
    lines = script({"when": "equivalent", "text": "Yes"}, answer="ANSWER: 42")
    result = run(answer_benchmark("math", pattern), lines, offline)
    assert result.sample.scores["expression_exact_match"].value == "C"
    configs = [e.config for e in result.sample.events if e.event == "model"]
    assert {c.temperature for c in configs[: len(result.records)]} == {0.5}


@pytest.mark.parametrize("pattern", ["single_shot", "pace", "schema"])
def test_humaneval_by_running_the_code(pattern: str, offline: Path) -> None:
    write("openai/openai_humaneval/test.jsonl", HUMANEVAL)
    task = answer_benchmark("humaneval", pattern, sandbox="local")
    code = "```python\ndef add(a, b):\n    return a + b\n```"
    result = run(task, script(answer=code), offline, epochs=1)
    assert result.sample.scores["verify"].value == "C"
    assert "Your response should only contain the code" in result.requests[-1][1][-1].text


@pytest.mark.parametrize("pattern", ["hmaw", "phase", "router"])
def test_gpqa_by_its_letters_over_four_epochs(pattern, offline: Path, monkeypatch) -> None:
    path = offline / "gpqa_diamond.csv"
    columns = ["Question", "Correct Answer", *(f"Incorrect Answer {n}" for n in (1, 2, 3))]
    row = dict.fromkeys([*columns, "Record ID", "High-level domain", "Subdomain"], "x")
    row |= {"Question": "Which is even?", "Correct Answer": "two"}
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerow(row)
    module = importlib.import_module("inspect_evals.gpqa.gpqa")
    monkeypatch.setattr(module, "GPQA_DIAMOND_CACHE_PATH", path)
    monkeypatch.setattr(module, "download", lambda *_: None)
    task = answer_benchmark("gpqa_diamond", pattern)
    letter = str(task.dataset[0].target[0])
    result = run(task, script(answer=f"ANSWER: {letter}"), offline)
    assert [s.scores["choice"].value for s in result.log.samples] == ["C"] * 4


def test_swe_bench_keeps_the_agents_tools_and_instructions(offline: Path) -> None:
    pytest.importorskip("swebench")
    keys = ["base_commit", "patch", "test_patch", "version", "repo", "hints_text", "created_at"]
    row = dict.fromkeys([*keys, "environment_setup_commit"], "x")
    row |= {"problem_statement": "It fails.", "instance_id": "astropy__astropy-1"}
    row |= {"PASS_TO_PASS": "[]", "FAIL_TO_PASS": "[]"}
    write("princeton-nlp/SWE-bench_Verified/test.jsonl", [row])
    solver = load_benchmark("swe_bench").solver
    agent = find_foreign_agent(solver, [solver])
    assert agent is not None
    names = [t.name if isinstance(t, ToolDef) else ToolDef(t).name for t in agent.tools or []]
    assert names == ["python", "bash_session", "text_editor", "submit"]
    assert agent.answer_tool == "submit"
    assert "You will be given an issue to fix." in agent.instructions
    assert "arallel" not in agent.instructions
    task = answer_benchmark("swe_bench", "react")
    assert "It fails." in str(task.dataset[0].input)
    assert task.setup is not None


def test_arguments_that_a_task_does_not_take(offline: Path) -> None:
    with pytest.raises(UsageError, match="unexpected keyword argument 'shots'"):
        load_benchmark("gsm8k", shots=3)
