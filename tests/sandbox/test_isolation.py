"""Choosing an isolation, with and without bubblewrap, and the runner on its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from sandbox.attack import HELPERS, Attack
from sandbox.quiet_attacks import DISK, NETWORK, QUIET
from sandbox.test_loud_attacks import BORNE, LOST, NESTED

from ecliptic.errors import EclipticWarning, UsageError
from ecliptic.sandbox import (
    RUNNER_FOLDER,
    BlockingLaboratory,
    Limits,
    isolation,
    nursery,
    read_outcome,
    runner_command,
    seccomp,
    session_settings,
)
from ecliptic.sandbox.isolation import find_bubblewrap
from ecliptic.sandbox.result import visible


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    isolation.why_no_bubblewrap.cache_clear()
    monkeypatch.setattr(isolation, "find_bubblewrap", lambda: None)
    yield
    isolation.why_no_bubblewrap.cache_clear()


@pytest.mark.parametrize("wish", ["auto", "bubblewrap"])
def test_without_bubblewrap_the_error_says_what_to_do(wish: str, no_bubblewrap: None) -> None:
    with pytest.raises(UsageError) as caught:
        isolation.choose(wish)
    assert "apt-get install bubblewrap" in str(caught.value)
    assert "'unconfined'" in str(caught.value)


def test_nothing_falls_back_to_no_jail(no_bubblewrap: None) -> None:
    with pytest.raises(UsageError, match="no jail"):
        BlockingLaboratory()


def test_other_wishes_are_refused() -> None:
    with pytest.raises(UsageError, match="none of auto, bubblewrap, unconfined"):
        isolation.choose("docker")


@pytest.mark.parametrize(
    "complaint",
    [
        "bwrap: setting up uid map: Permission denied",
        "bwrap: No permissions to create new namespace",
    ],
)
def test_refused_namespaces_are_explained(complaint: str) -> None:
    assert "apparmor_restrict_unprivileged_userns=0" in isolation.explain(complaint)


def test_too_few_namespaces_are_explained() -> None:
    complaint = "bwrap: Creating new namespace failed: /proc/sys/user/max_*_namespaces exceeded"
    assert "sysctl -w user.max_user_namespaces=" in isolation.explain(complaint)
    assert "apparmor" not in isolation.explain(complaint)


FORBIDDEN = """
echo 0 > /proc/sys/user/max_user_namespaces || exit 77
exec "$0" -c 'from ecliptic.sandbox import why_no_bubblewrap as why; print(why())'
"""


@pytest.mark.skipif(
    find_bubblewrap() is None or shutil.which("unshare") is None, reason="a program is missing"
)
def test_where_namespaces_are_used_up_the_complaint_and_the_remedy_are_told() -> None:
    """In a user namespace of its own, whose limit is no other's."""
    done = subprocess.run(
        ["unshare", "-U", "-r", "sh", "-c", FORBIDDEN, sys.executable],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(Path(isolation.__file__).parents[2])},
    )  # fmt: skip
    if done.returncode in (1, 77):
        pytest.skip(f"no user namespace here: {done.stderr}")
    assert done.stdout.startswith("bwrap: ")
    assert "sysctl -w user.max_user_namespaces=" in done.stdout


def test_unknown_machines_have_no_filter() -> None:
    with pytest.raises(UsageError, match="riscv64"):
        seccomp.program("riscv64")
    for machine in ("x86_64", "aarch64"):
        assert len(seccomp.program(machine)) % 8 == 0


@pytest.fixture(scope="module")
def unconfined() -> Iterator[BlockingLaboratory]:
    with pytest.warns(EclipticWarning, match="unconfined"):
        laboratory = BlockingLaboratory({"kept": 4}, isolation="unconfined")
    laboratory.run(HELPERS)
    yield laboratory
    laboratory.close()


WORKING = [
    attack
    for attack in (*DISK, *NETWORK)
    if attack.name
    in (
        "read the suite's file",
        "read the harness's sources",
        "read the harness's logs and caches",
        "open a host path through a symbolic link",
        "connect to a socket file of the host",
        "connect to an abstract socket of the host",
    )
]


@pytest.mark.parametrize("attack", WORKING, ids=lambda attack: attack.name)
def test_the_attacks_work_where_there_is_no_jail(
    attack: Attack, unconfined: BlockingLaboratory, facts: dict[str, str]
) -> None:
    place = unconfined.run("os.getcwd()").text.strip().strip("'")
    result = unconfined.run(attack.source(facts, place))
    assert "RESULT" in result.text, result.text


def test_unconfined_sessions_have_limits_and_a_folder_of_their_own() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EclipticWarning)
        session = BlockingLaboratory({"kept": 4}, Limits(grace_seconds=0.2), "unconfined")
    with session:
        folder = Path(session.run("import os; print(os.getcwd())").text.strip())
        assert folder.is_dir()
        assert session.run("while True: pass", 0.2).timed_out
        stubborn = "import signal; signal.signal(2, signal.SIG_IGN)\nwhile True: pass"
        assert session.run(stubborn, 0.2).session_lost
        assert (
            session.run("sum([kept]), 'SECRET' in os.environ if 'os' in dir() else 0").error is None
        )
        assert "MemoryError" in session.run("bytes(1 << 40)").text
    assert not folder.exists()


def test_the_runner_works_wherever_its_folder_is_copied(tmp_path: Path) -> None:
    folder = tmp_path / "inside"
    shutil.copytree(RUNNER_FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    limits = Limits()
    settings = asdict(session_settings(limits, str(tmp_path), counted_apart=False))
    messages = [
        {"settings": settings, "preload": {"x": {"value": 4}}},
        {"id": 1, "code": "x ** 2", "seconds": 20},
    ]
    process = subprocess.Popen(
        runner_command(sys.executable, str(folder)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PATH": os.environ["PATH"]},
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages))
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == {"ready": True}
        result = read_outcome(json.loads(process.stdout.readline()), limits, 20)
        process.stdin.close()
        assert process.wait(10) == 0
    assert result.text == "16\n"


@pytest.fixture
def fake_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A program `bwrap` that comes first on the path."""
    program = tmp_path / "bwrap"
    program.touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    forget = isolation.why_no_bubblewrap.cache_clear
    forget()
    yield program
    forget()


NO_NAMESPACE = "bwrap: No permissions to create new namespace"
VERSION = "case $1 in --version) echo bubblewrap 0.8.0; exit;; esac"


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (f"{VERSION}; echo {NO_NAMESPACE} >&2; exit 1", f"{NO_NAMESPACE} (namespaces are not"),
        (f"{VERSION}; echo {NO_NAMESPACE} >&2; exit 1", "kernel.unprivileged_userns_clone=1"),
        (f"{VERSION}; echo bwrap: some other trouble >&2; exit 1", "bwrap: some other trouble."),
        (f"{VERSION}; exit 1", "no reason given"),
        (f"{VERSION}; exec sleep 60", "bwrap does not answer within 0.5 s; install it anew"),
        ("exec sleep 60", "bwrap does not answer within 0.5 s; install it anew"),
        ("exit 1", "--version names no version"),
        ("echo bubblewrap 0.4.1", "0.4.1 is too old"),
    ],
)  # fmt: skip
def test_a_bubblewrap_that_does_not_work(
    script: str, told: str, fake_bubblewrap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(isolation, "_TRIAL_SECONDS", 0.5)
    fake_bubblewrap.write_text(f"#!/bin/sh\n{script}\n")
    with pytest.raises(UsageError) as caught:
        isolation.choose("auto")
    assert told in str(caught.value)
    assert "'unconfined'" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.skipif(find_bubblewrap() is None, reason="bubblewrap is not installed")
def test_a_jail_that_ends_at_once_says_why(
    fake_bubblewrap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_bubblewrap.write_text(f"#!/bin/sh\necho {NO_NAMESPACE} >&2\nexit 1\n")
    monkeypatch.setattr(isolation, "why_no_bubblewrap", lambda: None)
    with pytest.raises(UsageError, match="ends as soon as it is started: bwrap: No permissions"):
        BlockingLaboratory(packages=("numpy",))


def test_control_characters_are_written_out() -> None:
    assert visible("a\tb\n\x1b[0m\x00\x9b\ud800é") == "a\tb\n\\x1b[0m\\x00\\x9b\\ud800é"


def test_no_text_can_be_overwritten_turned_or_hidden() -> None:
    assert visible("hidden\rshown\r\nnext") == "hidden\nshown\nnext"
    assert visible("\u202eterces\u2066 \u2028") == "\\u202eterces\\u2066 \\u2028"
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "pass")
    assert visible(tags) == r"\U000e0070\U000e0061\U000e0073\U000e0073"
    assert visible("π ± ☉ 👩‍🚀 日本") == "π ± ☉ 👩‍🚀 日本"


def test_a_full_disk_is_told_or_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    for name in ("mkdtemp", "mkstemp", "gettempdir", "TemporaryFile"):
        monkeypatch.setattr(f"tempfile.{name}", full)
    with (
        pytest.warns(EclipticWarning, match="unconfined"),
        pytest.raises(UsageError, match="set TMPDIR to a folder that can be written"),
    ):
        BlockingLaboratory(isolation="unconfined")
    if isolation.why_no_bubblewrap() is None:
        nursery.close_all()
        with BlockingLaboratory(packages=("numpy",)) as session:
            assert session.run("1 + 1").text == "2\n"


def test_every_attack_stands_in_the_documentation() -> None:
    rows = (Path(__file__).parents[2] / "docs" / "security.md").read_text().splitlines()
    listed = {row.split(" | ")[0].removeprefix("| ") for row in rows if row.startswith("| ")}
    assert {attack.name for attack in QUIET} | set(LOST) | set(BORNE) | {NESTED} <= listed
