"""Small varied logs, made once, and the report of them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ecliptic.report import Written, write_report

CHROMIUM = Path("/usr/bin/chromium")
MAKER = Path(__file__).parents[2] / "benchmarks" / "report.py"


def maker() -> ModuleType:
    """The benchmark's maker of logs."""
    spec = importlib.util.spec_from_file_location("report_benchmark", MAKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three agents on one star a tier, two on questions, and two solvers."""
    made = maker()
    folder = tmp_path_factory.mktemp("logs") / "logs"
    made.make_logs(
        folder,
        epochs=2,
        star_epochs=1,
        per_type=2,
        per_tier=1,
        question_agents=made.QUESTION_AGENTS[2:4],
        plots=1.0,
        faults=("hostile", "missed", "provider"),
        seed=4,
    )
    return folder


@pytest.fixture(scope="session")
def site(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write_report([logs], tmp_path_factory.mktemp("site") / "report", title="A <test> & more")
