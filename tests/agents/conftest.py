from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from agents.bench import Result, run, script

from ecliptic.agents import answer_by

HERE = Path(__file__).parent
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


@pytest.fixture(scope="session")
def plain_run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Result]:
    """A run of a pattern in which everything goes well; done once."""
    done: dict[str, Result] = {}

    def get(pattern: str) -> Result:
        if pattern not in done:
            done[pattern] = run(answer_by(pattern), script(), tmp_path_factory.mktemp(pattern))
        return done[pattern]

    return get
