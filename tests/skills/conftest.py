from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

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
