"""``ecliptic serve``: mistakes are one line, and a sealed suite needs its truth."""

from __future__ import annotations

from pathlib import Path

import pytest

from ecliptic.cli.app import run_cli
from ecliptic.cli.serve import default_state
from ecliptic.errors import EclipticError, UsageError
from ecliptic.server.catalogue import open_catalogue
from ecliptic.server.settings import Source


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "no suite at nowhere"),
        (["quick", "--limit", "laboratory=3"], "did you mean 'laboratories'?"),
        (["quick", "--limit", "queue=many"], "takes a number"),
        (["quick", "--limit", "queue=0"], "greater than zero"),
        (["quick", "--task", "t-0"], "--mcp stdio"),
        (["quick", "--protocol", "kind"], "no protocol 'kind'"),
        (["quick", "--feedback", "paper"], "paper"),
        (["quick", "--host", "192.0.2.1"], "192.0.2.1"),
        (["verify", "nothing.json"], "nothing.json"),
    ],
)
def test_a_mistake_is_one_line(arguments, told, capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_cli(["serve", *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_limits_are_listed(capsys) -> None:
    assert run_cli(["serve", "quick", "--limit", "help"]) == 0
    assert "laboratories=8" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("suite", "name"),
    [
        ("quick", "quick"),
        ("a/b.jsonl", "b"),
        ("suites/held-out/public", "held-out"),
        (".", "suite"),
    ],
)
def test_the_state_is_named_after_the_suite(suite, name) -> None:
    assert default_state(suite) == Path("served", name)


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory):
    """A small suite in two parts, without the audit of a published one."""
    import ecliptic
    from ecliptic import rv
    from ecliptic.rv.sealing import public_of

    folder = tmp_path_factory.mktemp("sealed")
    task = rv.generate(seed=1, recipe="paper", tier="easy")
    public = public_of(task, "0" * 64)
    ecliptic.write_suite(ecliptic.Suite.of([public], name="held-out"), folder / "held.parquet")
    return folder / "held.parquet", task


def test_a_sealed_suite_without_its_truth_is_not_served(sealed) -> None:
    with pytest.raises(EclipticError, match="its truth is sealed"):
        open_catalogue(Source(str(sealed[0]), protocol="paper"))


def test_a_star_shows_its_public_part_alone() -> None:
    catalogue = open_catalogue(Source("quick-paper", protocol="paper"))
    key, task_id = catalogue.listing()["tasks"][0]
    part = catalogue.public_part(key)
    assert part.keys() == {"observation", "submissions", "seconds"}
    assert task_id not in repr(part)
    assert part["observation"].keys() >= {"times_days", "rvs_ms", "t_ref_days"}


def test_distances_to_the_truth_are_not_served() -> None:
    with pytest.raises(UsageError, match="not served"):
        open_catalogue(Source("quick-paper", protocol="paper", feedback="paper"))


@pytest.mark.parametrize(
    "more", [{"protocol": "strict"}, {"truth": "x"}, {"feedback": "statistical"}]
)
def test_questions_take_no_options_of_stars(more) -> None:
    with pytest.raises(UsageError, match="questions"):
        open_catalogue(Source("helio-v1", "questions", **more))


def test_a_question_tells_no_more_than_its_feedback_level() -> None:
    for level, told in (("none", {}), ("criteria", {"correct": False})):
        catalogue = open_catalogue(Source("helio-v1", "questions", feedback=level))
        episode = catalogue.episode(catalogue.listing()["tasks"][0][0], lambda: 0.0)
        step = episode.step("-1e99 nT")
        assert (dict(step.feedback.criteria), step.terminated) == (told, False)
        assert not episode.passed
        assert episode.step("2").feedback.status == "over"


def test_an_answer_after_its_time_is_not_graded() -> None:
    now = [0.0]
    catalogue = open_catalogue(Source("helio-v1", "questions"))
    episode = catalogue.episode(catalogue.listing()["tasks"][0][0], lambda: now[0])
    now[0] = 1501.0
    step = episode.step("1")
    assert (step.counted, step.reason, step.feedback.status) == (False, "seconds", "over")
