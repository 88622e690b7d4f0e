"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

VARIABLE = "ECLIPTIC_STARGAZER_DATA"


@pytest.fixture(scope="session")
def stargazer_data() -> Path:
    """Folder with published task files and what the published evaluator says of them.

    Named by the variable ``ECLIPTIC_STARGAZER_DATA``; the tests that need it are skipped without.
    """
    path = Path(os.environ.get(VARIABLE, ""))
    if not (path / "expected_paper_protocol.jsonl").is_file():
        pytest.skip(f"{VARIABLE} names no folder of published tasks with their expected figures")
    return path
