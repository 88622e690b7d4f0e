from __future__ import annotations

import importlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SUPPORT = Path(__file__).parent / "support"


@pytest.fixture(autouse=True)
def _support_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SUPPORT))
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))


@pytest.fixture
def support() -> Any:
    return importlib.import_module("run_support")


@pytest.fixture
def eventually() -> Callable[..., None]:
    def wait_for(condition: Callable[[], object], seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "waited in vain"
            time.sleep(0.02)

    return wait_for


@pytest.fixture
def tmpfs(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mount a small file system; called again, change its options."""
    where = tmp_path / "small"
    mounted = False

    def mount(options: str) -> Path:
        nonlocal mounted
        where.mkdir(exist_ok=True)
        given = f"remount,{options}" if mounted else options
        command = ["mount", "-t", "tmpfs", "-o", given, "none", str(where)]
        if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
            pytest.skip("mounting a tmpfs needs root and the permission to mount")
        mounted = True
        return where

    yield mount
    if mounted:
        subprocess.run(["umount", "-l", str(where)], check=True)
