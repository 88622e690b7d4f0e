from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import ecliptic
from ecliptic.agents import PATTERNS
from ecliptic.agents.role_prompts import read_prompt
from ecliptic.errors import UsageError

SOURCE = str(Path(ecliptic.__file__).parents[1])
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "PYTHONPATH": SOURCE}


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=ENVIRONMENT
    )


def test_the_core_does_not_load_inspect() -> None:
    done = python(
        "import sys, ecliptic, ecliptic.cli\n"
        "assert not {'inspect_ai', 'ecliptic.agents'} & set(sys.modules)"
    )
    assert done.returncode == 0, done.stderr


def test_agents_load_no_world() -> None:
    done = python(
        "import sys, ecliptic.agents, ecliptic.agents.scripted\n"
        "others = ('rv', 'helio', 'grading', 'suite', 'run', 'cli', 'evals', 'sandbox')\n"
        "assert not {f'ecliptic.{name}' for name in others} & set(sys.modules)"
    )
    assert done.returncode == 0, done.stderr


def test_a_missing_extra_is_one_line_that_names_it() -> None:
    done = python(
        "import importlib.util as util\n"
        "find = util.find_spec\n"
        "util.find_spec = lambda name, *a: None if name == 'inspect_ai' else find(name, *a)\n"
        "from ecliptic.errors import MissingExtraError\n"
        "try:\n"
        "    import ecliptic.agents\n"
        "except MissingExtraError as error:\n"
        "    print(error)"
    )
    assert "pip install 'ecliptic[agents]'" in done.stdout, done.stderr


def test_every_role_has_a_prompt_that_stands_alone() -> None:
    folder = files("ecliptic.agents").joinpath("prompts")
    names = {path.name for path in folder.iterdir()}
    assert names == (set(PATTERNS) - {"single_shot"}) | {"shared"}
    for group in folder.iterdir():
        for prompt in group.iterdir():
            text = read_prompt(f"{group.name}/{prompt.name.removesuffix('.md')}")
            assert len(text) > 20
            assert ("{" in text) == (prompt.name in WITH_PLACES), prompt.name


WITH_PLACES = {"repair.md", "urge.md", "revise.md", "advice.md"}


def test_an_unknown_prompt_is_named() -> None:
    with pytest.raises(UsageError, match="no prompt 'hmaw/cfo'"):
        read_prompt("hmaw/cfo")
