"""The laboratory in a sandbox of Inspect's, here ``local``, which needs no engine."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from evals.harness import planets_of, python, run, submit

from ecliptic.errors import UsageError
from ecliptic.evals import stargazer
from ecliptic.evals.container_laboratory import COMPOSE


@pytest.fixture(autouse=True)
def _this_interpreter(monkeypatch) -> None:
    """``python3`` is the one that has the packages, as in the container's image."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)


def test_a_session_keeps_its_state_and_the_star_is_solved(star, suite, tmp_path) -> None:
    lines = [
        python("n = len(times_days); print(n, rvs_ms.shape)", times=1),
        python("import matplotlib.pyplot as plt; plt.plot(times_days); print(n + 1)", times=1),
        python("1 / 0", times=1),
        python("import time; time.sleep(2); print('slow')", times=1),
        submit(planets_of(star), times=1),
    ]
    result = run(stargazer(suite, isolation="sandbox"), lines, tmp_path, sandbox="local")
    n = len(star.observation.times_days)
    assert result.told[0].startswith(f"{n} ({n},)")
    assert result.told[1].startswith(str(n + 1))
    assert "ZeroDivisionError" in result.told[2]
    assert "slow" in result.told[3]
    assert result.stop == "solved"
    parts = [part for m in result.sample.messages if m.role == "tool" for part in m.content]
    assert [part for part in parts if getattr(part, "type", "") == "image"]


def test_what_breaks_the_session_costs_the_session_alone(suite, tmp_path) -> None:
    kill = "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"
    forge = """
import glob
for name in glob.glob('.laboratory-*/session-*/answers'):
    open(name, 'ab').write(b'{"id": 3}\\n')
    print('forged')
"""
    lines = [
        python("kept = 1", times=1),
        python(kill, times=1),
        python(forge, times=1),
        python("print('kept' in globals(), len(times_days))", times=1),
        {"text": "Enough.", "times": 9},
    ]
    result = run(stargazer(suite, isolation="sandbox"), lines, tmp_path, sandbox="local")
    assert "session lost" in result.told[1]
    assert "session lost" in result.told[2]  # what it forged is no result of a cell
    assert result.told[3].startswith("False ")
    assert result.stop == "gave_up"


def test_no_process_stays_behind(suite, tmp_path) -> None:
    mark = "a_mark_that_nothing_else_has"
    code = f"import subprocess; subprocess.Popen(['sh', '-c', 'sleep 300; : {mark}'])"
    lines = [python(code, times=1), {"text": "Enough.", "times": 9}]
    run(stargazer(suite, isolation="sandbox"), lines, tmp_path, sandbox="local")
    deadline = time.monotonic() + 10
    while (left := _running(mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left


def _running(mark: str) -> str:
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return "\n".join(line for line in listed.stdout.splitlines() if f": {mark}" in line)


def test_without_a_sandbox_it_says_how_to_get_one(suite, tmp_path) -> None:
    result = run(stargazer(suite, isolation="sandbox"), [python("1")], tmp_path)
    assert result.stop == "our_error"
    assert "--sandbox docker" in result.score.metadata["error"]


def test_an_unknown_isolation_is_refused_at_once(suite) -> None:
    with pytest.raises(UsageError, match="isolation: 'dokcer' is none of auto, bubblewrap, docker"):
        stargazer(suite, isolation="dokcer")


def test_the_container_has_no_network_and_nothing_of_the_harness(suite) -> None:
    task = stargazer(suite, isolation="docker")
    assert task.sandbox is not None
    assert (task.sandbox.type, task.sandbox.config) == ("docker", COMPOSE)
    (service,) = yaml.safe_load(Path(COMPOSE).read_text())["services"].values()
    assert service["network_mode"] == "none"
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert "volumes" not in service
    assert "COPY" not in Path(COMPOSE).with_name("Dockerfile").read_text()
