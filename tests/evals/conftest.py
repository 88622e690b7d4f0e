from __future__ import annotations

import gc
import json
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from ecliptic import rv

if find_spec("inspect_ai") is None:
    collect_ignore_glob = ["test_*.py"]
else:
    from evals.harness import written

HERE = Path(__file__).parent
# Inspect leaves streams between its own tasks open, which is nothing to do with what is tested.
IGNORED = (
    "ignore:Unclosed <MemoryObject:ResourceWarning",
    "ignore:Exception ignored in. <function MemoryObject:pytest.PytestUnraisableExceptionWarning",
)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "local: the real small model; run with -m local")


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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("inspect_ai._display.rich.display.tasks_results", lambda _: "")
        yield


@pytest.fixture(scope="session")
def stars() -> list[rv.RVTask]:
    """Two audited stars: an easy one, and one of several planets."""
    return [
        rv.generate(seed=2, recipe="ecliptic", tier="easy"),
        rv.generate(seed=5, recipe="ecliptic", tier="medium"),
    ]


@pytest.fixture(scope="session")
def star(stars: list[rv.RVTask]) -> rv.RVTask:
    return stars[0]


@pytest.fixture(scope="session")
def pair(stars: list[rv.RVTask]) -> rv.RVTask:
    assert len(stars[1].truth.planets) > 1
    return stars[1]


@pytest.fixture(scope="session")
def both(stars: list[rv.RVTask], tmp_path_factory: pytest.TempPathFactory) -> str:
    """A suite of the two."""
    return written(stars, tmp_path_factory.mktemp("suites") / "both")


@pytest.fixture(scope="session")
def suite(star: rv.RVTask, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A suite of the easy one."""
    return written([star], tmp_path_factory.mktemp("suites") / "one")


RECORDS = [
    {"id": "2010_Lee_4_a", "q_id": 4, "sub_id": "a", "question": "How fast is the wind?",
     "hint": "Give ONLY the number, with km/s.", "final": "$400\\ \\mathrm{km/s}$",
     "type": "numeric", "meta": {}},
    {"id": "2010_Lee_4_b", "q_id": 4, "sub_id": "b", "preamble": ["How fast? Answer: 400 km/s"],
     "question": "How far does it get in a day?", "hint": "", "final": "$3.456\\times 10^{7}$ km",
     "type": "numeric", "meta": {}},
    {"id": "2011_Poe_1", "q_id": 1, "sub_id": "", "question": "What is the energy?",
     "hint": "ONLY as a LaTeX equation in dollar signs", "final": "$E = m v^2 / 2$",
     "type": "symbolic", "meta": {}},
    {"id": "2012_Kim_2", "q_id": 2, "sub_id": "", "question": "What does the field do?",
     "hint": "", "final": "The field strength decreases with distance.", "type": "textual",
     "meta": {}},
]  # fmt: skip


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("records") / "records.jsonl"
    path.write_text("\n".join(map(json.dumps, RECORDS)), encoding="utf-8")
    return str(path)
