"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PUBLISHED = Path(__file__).parents[2] / "shared" / "data" / "stargazer"


@pytest.fixture(scope="session")
def stargazer_data() -> Path:
    """Folder with published task files and what the published evaluator says of them.

    Looked for in ``ECLIPTIC_STARGAZER_DATA``, else beside the checkout; the tests that need it
    are skipped where there is none.
    """
    path = Path(os.environ.get("ECLIPTIC_STARGAZER_DATA", PUBLISHED))
    if not (path / "expected_paper_protocol.jsonl").is_file():
        pytest.skip(f"no published tasks at {path} (set ECLIPTIC_STARGAZER_DATA)")
    return path
