from __future__ import annotations

from pathlib import Path

import pytest

from ecliptic.cli.app import run_cli
from ecliptic.errors import UsageError
from ecliptic.studies import read_study, shipped_studies
from ecliptic.studies.catalogue import example_text
from ecliptic.studies.study_files import study_of

HEAD = "name: mine\nmodels: scripted/replies.jsonl\n"
BOMB = "a0: &a0 [x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)
GOOD = HEAD + "agents: pace\nsuites:\n  - questions: records.jsonl\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must hold named fields"),
        ("- a", "must hold named fields"),
        ("name: [a", "line 1: "),
        ("name: a\nname: b", "line 2: 'name' is written twice; mend it"),
        ("name: a", "field 'suites' is missing"),
        (GOOD + "epoch: 3", "field 'epoch' is not a field that is known here; did you mean"),
        (GOOD + "epochs: 0", "field 'epochs' must be >= 1, not 0"),
        (GOOD + "epochs: two", "field 'epochs' should be a valid integer, not 'two'"),
        (GOOD + "seeds: [-1]", "field 'seeds[0]' must be >= 0, not -1"),
        (GOOD + "seeds: [1, 1]", "field 'seeds' names 1 twice; remove one"),
        (GOOD + "skills: inject", "field 'skills[0]' should be 'none', 'injected' or 'on_demand'"),
        (GOOD + "skills: []", "field 'skills' must not be empty"),
        (GOOD + "roles: {verifier: scripted/replies.jsonl}", "field 'roles.verifier' is the model"),
        (GOOD.replace("mine", "a/b"), "field 'name' "),
        (HEAD + "suites: []", "field 'suites' must not be empty"),
        (HEAD + "suites: quick", "field 'suites' must be a list, not 'quick'"),
        (GOOD + "? [a]\n: 1", "line 6: the name of a field must be a word"),
        (GOOD + "title: 2020-99-99", "line 6: '2020-99-99' is no timestamp; mend it"),
        (GOOD + "epochs: !!int x", "line 6: 'x' is no int; mend it"),
        (GOOD + "epochs: " + "9" * 5000, "line 6: '999"),
        (GOOD + "epochs: 1000000000000", "field 'epochs' must be <= 10000"),
        (GOOD + "temperature: .inf", "field 'temperature' must be a finite number"),
        (GOOD + "baselines: [sine, sine]", "field 'baselines' names sine twice; remove one"),
        (GOOD + "    agents: [pace, pace]", "field 'suites[0].agents' names pace twice"),
        (GOOD + "roles: &a {verifier: *a}", "an alias (*) stands within what it repeats"),
        ("a: " + "[" * 5000, "is nested too deeply; mend it"),
        (BOMB, "holds more than 100,000 entries; mend it"),
        (HEAD + "suites: [quick]", "field 'suites[0]' must be an object that names stars,"),
        (HEAD + "suites: [{star: quick}]", "has no field 'star'; did you mean 'stars'?"),
        (HEAD + "suites: [{per_tier: 3}]", "field 'suites[0]' must name one of stars"),
        (
            HEAD + "suites: [{stars: quick, questions: rws}]",
            "field 'suites[0]' names stars and questions; keep one",
        ),
        (
            HEAD + "suites: [{stars: quick, tier: easy}]",
            "field 'suites[0].tier' is not a field that is known here; did you mean 'tiers'?",
        ),
        (HEAD + "suites: [{generate: moons}]", "field 'suites[0].generate' must be stars or"),
        (HEAD + "suites: [{generate: stars, count: 2}]", "field 'suites[0].seeds' is missing"),
        (
            HEAD + "suites: [{generate: stars, count: 2, seeds: []}]",
            "field 'suites[0].seeds' must not be empty",
        ),
    ],
)
def test_a_mistake_names_file_field_and_fix(text: str, message: str) -> None:
    with pytest.raises(UsageError) as told:
        study_of(text, "study.yaml")
    assert str(told.value).startswith("study.yaml: ")
    assert message in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("pace", "pase"), "field 'agents': there is no pattern 'pase': did you mean"),
        (GOOD + "    agents: [reakt]", "field 'suites[0].agents': there is no pattern 'reakt'"),
        (GOOD + "baselines: clasical", "field 'baselines': no solver 'clasical'; did you mean"),
        (
            HEAD + "suites: [{stars: quick, protocol: stict}]\nbaselines: sine",
            "field 'suites[0].protocol': no protocol 'stict'",
        ),
        (GOOD.replace("agents: pace", ""), "the grid is empty"),
        (GOOD.replace("agents: pace", "baselines: sine"), "the grid is empty"),
        (GOOD.replace("models: scripted/replies.jsonl", ""), "field 'models' names none"),
        (GOOD.replace("records", "gone"), "field 'suites[0]': gone.jsonl: no such file"),
        (GOOD + "    types: prose", "field 'suites[0]': types: there is no type 'prose'"),
        (GOOD + "  - questions: records.jsonl", "is called 'records' like suites[0]; give it a"),
        (HEAD + "agents: pace\nsuites: [{stars: gone}]", "field 'suites[0]': no suite at"),
        (HEAD + "agents: pace\nsuites: [{benchmark: gsm8}]", "did you mean 'gsm8k'?"),
        (
            HEAD + "baselines: null\nsuites: [{stars: quick, tiers: huge}]",
            "field 'suites[0]': tiers: quick has no tier 'huge'; it has easy",
        ),
        (
            HEAD + "agents: pace\nsuites: [{benchmark: gsm8k, data: gone}]",
            "gone: no such folder",
        ),
        (GOOD.replace("scripted/replies", "nobody/x"), "nobody"),
        (GOOD.replace("scripted/replies.jsonl", "openai/x"), "OPENAI_API_KEY"),
    ],
)
def test_what_the_grid_needs_is_looked_for_before_anything_runs(
    place: Path, monkeypatch, capsys, text: str, message: str
) -> None:
    pytest.importorskip("inspect_ai")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    Path("study.yaml").write_text(text, encoding="utf-8")
    assert run_cli(["study", "run", "study.yaml", "--out", "out"]) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert message in line
    assert said.out == ""
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "rws-tabel"], "did you mean 'rws-table'?"),
        (["run", "gone.yaml"], "there are cross-benchmark, retrieval, router, rws-table"),
        (["run", "."], "is a folder; name the study's YAML file"),
        (["run", "rws-table", "--set", "epochs"], "is not of the form FIELD=VALUE"),
        (["run", "rws-table", "--set", "suites.7.limit=1"], "--set suites.7.limit: there is no"),
        (["show", "nothing"], "no study file nothing"),
        (["init", "there.yaml"], "there.yaml: exists; name another file"),
        (["cross-benchmark"], "name a language model"),
        (["cross-benchmark", "--model", "m", "-T", "x.y=1"], "-T x.y: must be BENCHMARK.NAME"),
        (["run", "rws-table", "--max-cost", "1", "--max-tokens", "1"], "give one of"),
    ],
)
def test_mistakes_on_the_command_line(tmp_path, monkeypatch, capsys, arguments, message) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.yaml").write_text("")
    assert run_cli(["study", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_the_five_shipped_studies_and_the_example_are_valid(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["cross-benchmark", "retrieval", "router", "rws-table", "stargazer-table"]
    assert list(shipped_studies()) == names
    for name, path in shipped_studies().items():
        assert read_study(path).name == name
    assert run_cli(["study", "list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == names
    assert run_cli(["study", "init", "mine.yaml"]) == 0
    assert read_study("mine.yaml") == study_of(example_text(), "example")
    assert run_cli(["study", "init", "copy.yaml", "--from", "router"]) == 0
    assert read_study("copy.yaml").routing


def test_words_that_yaml_reads_as_something_else() -> None:
    text = HEAD + "baselines: [null, {solver: sine, options: {peaks: 3}}]\nsuites: [{stars: quick}]"
    study = study_of(text, "s", [("epochs", 2), ("suites[0].limit", 1)])
    assert [(each.solver, dict(each.options)) for each in study.baselines] == [
        ("null", {}),
        ("sine", {"peaks": 3}),
    ]
    assert (study.epochs, study.suites[0].limit, study.agents) == (2, 1, ())
