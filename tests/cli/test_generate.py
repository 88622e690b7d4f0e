from __future__ import annotations

import io
from functools import partial
from pathlib import Path

import pytest

from ecliptic.cli.app import run_cli
from ecliptic.rv import generator
from ecliptic.suite import load_suite

generate_many = partial(generator.generate_many, recipe="paper")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(arguments: str) -> int:
    """The command; the published recipe, unless the arguments name one."""
    words = arguments.split()
    if words[0] == "rv" and "--recipe" not in words:
        words += ["--recipe", "paper"]
    return run_cli(["generate", *words])


def test_a_tier_into_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rv --recipe paper --tier hard --count 5 --seed 7 --out hard") == 0
    assert list(load_suite("hard")) == list(generate_many(7, 5, tier="hard"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("5 tasks in hard (")
    assert lines[1] == "tiers    0 easy, 0 medium, 5 hard"
    assert lines[2].startswith("planets  ")
    draws = sum(task.meta["attempt"] + 1 for task in generate_many(7, 5, tier="hard"))
    assert lines[3] == f"draws    {draws / 5:.2f} a task ({5 / draws:.1%} accepted)"
    assert lines[4] == "seed     7"


def test_the_default_recipe_is_ecliptic(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(["generate", "rv", "--tier", "easy", "--count", "2", "--seed", "9"]) == 0
    suite = list(load_suite("suites/rv-ecliptic-easy-2"))
    assert suite == list(generator.generate_many(9, 2, tier="easy"))
    assert {task.meta["recipe"] for task in suite} == {"ecliptic"}


def test_a_variant_is_named_in_the_folder() -> None:
    assert run("rv --recipe ecliptic --tier easy --variant matern32 --count 1 --seed 9") == 0
    (task,) = load_suite("suites/rv-ecliptic-matern32-easy-1")
    assert task.meta["variant"] == "matern32"


def test_a_parquet_file() -> None:
    assert run("rv --count 4 --seed 9 --out some.parquet") == 0
    assert list(load_suite("some.parquet")) == list(generate_many(9, 4))


def test_a_fresh_seed_is_printed_and_makes_the_suite_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("rv --count 2 --out first") == 0
    line = capsys.readouterr().out.splitlines()[-1]
    seed = int(line.split()[1])
    assert seed > 2**64  # 128 random bits; below this once in 2^64 runs
    assert f"--seed {seed}" in line
    assert run(f"rv --count 2 --seed {seed} --out second") == 0
    assert list(load_suite("first")) == list(load_suite("second"))


def test_two_fresh_seeds_differ() -> None:
    assert run("rv --count 1 --out one") == 0
    assert run("rv --count 1 --out two") == 0
    assert load_suite("one")[0].id != load_suite("two")[0].id


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ("--tier medium --count 2", "rv-paper-medium-2"),
        ("--count 3", "rv-paper-all-3"),
        ("", "rv-paper-all-12"),
    ],
)
def test_default_place_does_not_tell_the_seed(arguments: str, name: str) -> None:
    assert run(f"rv --seed 4242 {arguments}") == 0
    assert [path.name for path in Path("suites").iterdir()] == [name]


def test_nbody() -> None:
    pytest.importorskip("rebound")
    assert run("rv --count 2 --seed 5 --forward-model nbody") == 0
    suite = load_suite("suites/rv-paper-nbody-all-2")
    assert {task.truth.forward_model for task in suite} == {"nbody"}
    assert list(suite) == list(generate_many(5, 2, forward_model="nbody"))


def test_overwrite(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rv --count 2 --seed 1 --out here") == 0
    capsys.readouterr()
    assert run("rv --count 3 --seed 2 --out here") == 2
    assert "here: " in (message := capsys.readouterr().err)
    assert "--overwrite" in message
    assert len(load_suite("here")) == 2
    assert run("rv --count 3 --seed 2 --out here --overwrite") == 0
    assert list(load_suite("here")) == list(generate_many(2, 3))


def test_overwrite_spares_what_is_no_suite(capsys: pytest.CaptureFixture[str]) -> None:
    Path("thesis").mkdir()
    Path("thesis/chapter.tex").write_text("years of work")
    assert run("rv --count 1 --seed 1 --out thesis --overwrite") == 2
    assert "chapter.tex" in capsys.readouterr().err
    assert Path("thesis/chapter.tex").read_text() == "years of work"
    assert len(list(Path("thesis").iterdir())) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--recipe papr", "recipe: 'papr' is not known; did you mean 'paper'?"),
        ("--tier hrd", "tier: 'hrd' is not known; did you mean 'hard'?"),
        ("--tier real", "(known: easy, medium, hard)"),
        ("--count 0", "count: must be a whole number from 1"),
        ("--count -4", "count: must be a whole number from 1"),
        ("--count many", "'many' is not a valid integer"),
        ("--count 2.5", "'2.5' is not a valid integer"),
        ("--seed -1", "seed: must be a whole number from 0 to 2^128 - 1, not -1"),
        (f"--seed {2**128}", "seed: must be a whole number"),
        ("--seed 0x7", "'0x7' is not a valid integer"),
        ("--seed nan", "'nan' is not a valid integer"),
        ("--forward-model newton", "forward model: 'newton' is not known"),
        ("--variant spot", "variant: 'spot' is not known; did you mean 'spots'?"),
        ("--variant spots", "the recipe 'paper' has none"),
        ("--colour blue", "No such option"),
        ("extra", "unexpected extra argument"),
    ],
)
def test_mistakes_are_one_line(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(f"rv --out nowhere {arguments}") == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert not Path("nowhere").exists()


def test_an_unknown_world(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("moon") == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_without_rebound_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert run("rv --count 1 --forward-model nbody") == 2
    assert "ecliptic[nbody]" in capsys.readouterr().err


def test_progress_shows_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("rv --count 2 --seed 1 --out quiet") == 0
    assert capsys.readouterr().err == ""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    assert run("rv --count 2 --seed 1 --out loud") == 0
    assert "2/2" in terminal.getvalue()
    assert "a second" in terminal.getvalue()
    assert list(load_suite("loud")) == list(load_suite("quiet"))
