from __future__ import annotations

import gc
import json
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
if find_spec("inspect_ai") is None:
    collect_ignore_glob = ["test_running.py", "test_retrieval.py", "test_cross_benchmark.py"]
# Inspect leaves streams between its own tasks open, which is nothing to do with what is tested.
IGNORED = (
    "ignore:Unclosed <MemoryObject:ResourceWarning",
    "ignore:Exception ignored in. <function MemoryObject:pytest.PytestUnraisableExceptionWarning",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            for ignored in IGNORED:
                item.add_marker(pytest.mark.filterwarnings(ignored))


@pytest.fixture(scope="module", autouse=True)
def _streams_collected() -> Iterator[None]:
    """Such streams must not be found while other modules are tested."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture(scope="session", autouse=True)
def _no_summaries() -> Iterator[None]:
    """Inspect draws a table of results that is not shown, which takes longer than the rest."""
    if find_spec("inspect_ai") is None:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("inspect_ai._display.rich.display.tasks_results", lambda _: "")
        yield


RECORDS = [
    {"id": "2010_Lee_4_a", "q_id": 4, "sub_id": "a", "question": "How fast is the wind?",
     "hint": "Give ONLY the number, with km/s.", "final": "$400\\ \\mathrm{km/s}$",
     "type": "numeric", "meta": {}},
    {"id": "2010_Lee_4_b", "q_id": 4, "sub_id": "b", "preamble": ["How fast? Answer: 400 km/s"],
     "question": "How far does the wind get in a day?", "hint": "",
     "final": "$3.456\\times 10^{7}$ km", "type": "numeric", "meta": {}},
    {"id": "2011_Poe_1", "q_id": 1, "sub_id": "", "question": "What is the wind's energy?",
     "hint": "ONLY as a LaTeX equation in dollar signs", "final": "$E = m v^2 / 2$",
     "type": "symbolic", "meta": {}},
]  # fmt: skip


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with records and a script of right answers to one of them."""
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "records.jsonl", *RECORDS)
    answers()
    return tmp_path


def write_lines(path: Path, *lines: dict[str, Any]) -> None:
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


RIGHT = {"when": "How fast is the wind", "text": "$400$ km/s"}
OTHER = {"turn": 1, "text": "$E = m v^2/2$"}
LAST = {"text": "$E = m v^2/2$", "times": 99}  # to a request for repair


def answers(*lines: dict[str, Any]) -> None:
    """What the scripted model says, in the file ``replies.jsonl``."""
    write_lines(Path("replies.jsonl"), *lines, RIGHT, OTHER, LAST)


def study_file(text: str, name: str = "study.yaml") -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name
