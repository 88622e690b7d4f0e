from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ecliptic.errors import UsageError
from ecliptic.skills import SkillReader, index_text, injected_text, load_skills, read_skill

RV = {
    "eccentricity-checks",
    "instrument-offsets",
    "keplerian-fit",
    "number-of-planets",
    "period-search",
    "phase-folding",
    "several-planets",
    "submitting-planets",
}
HELIO = {"answer-formats", "units-discipline"}
NAMES = sorted(RV | HELIO)
VALID = "---\nname: own\ndescription: What it does.\n---\n\n# Own\n\nDo it.\n"


def folder_with(root: Path, text: str, name: str = "own") -> Path:
    (root / name).mkdir(parents=True)
    (root / name / "SKILL.md").write_text(text, encoding="utf-8")
    return root / name


def test_the_shipped_skills_are_found_by_world() -> None:
    assert {skill.name for skill in load_skills(world="rv")} == RV
    assert {skill.name for skill in load_skills(world="helio")} == HELIO
    assert sorted(skill.name for skill in load_skills()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_public_validator_accepts_every_skill(name: str) -> None:
    skills_ref = pytest.importorskip("skills_ref")
    skill = load_skills([name])[-1]
    assert skill.folder is not None
    assert skills_ref.validate(skill.folder) == []
    assert skills_ref.read_properties(skill.folder).description == skill.description


@pytest.mark.parametrize("name", NAMES)
def test_a_skill_is_short_and_names_only_files_that_exist(name: str) -> None:
    skill = load_skills([name])[-1]
    assert len(skill.body.splitlines()) <= 135
    named = set(re.findall(r"`((?:references|scripts)/[^`]+)`", skill.body))
    assert named == set(skill.files)


@pytest.mark.parametrize("name", NAMES)
def test_code_of_a_skill_needs_only_what_the_laboratory_has(name: str) -> None:
    imported = set(re.findall(r"^(?:import|from) (\w+)", load_skills([name])[-1].body, re.M))
    assert imported <= {"json", "numpy", "scipy", "astropy", "matplotlib"}


def test_a_skill_says_nothing_of_this_package_or_how_tasks_are_made() -> None:
    text = injected_text(load_skills()).lower()
    for word in ("ecliptic", "seed1", "generator", "recipe", "oracle", "stargazer", "tier"):
        assert word not in text.replace("default_rng(seed)", "")


def test_what_a_skill_needs_comes_before_it() -> None:
    names = [skill.name for skill in load_skills(["number-of-planets"])]
    assert names == ["period-search", "keplerian-fit", "several-planets", "number-of-planets"]


def test_an_unknown_name_or_world_is_named_with_a_hint() -> None:
    with pytest.raises(UsageError, match="did you mean 'keplerian-fit'"):
        load_skills(["keplerian-fits"])
    with pytest.raises(UsageError, match=r"no skill is for the world 'exo'.*helio, rv"):
        load_skills(world="exo")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("# No front matter", "must begin with a line ---"),
        (f"---\nname: {'[' * 5000}\n---\nb\n", "front matter: is nested too deep"),
        ("---\n? [a, b]\n: c\n---\nb\n", "the name of a field must be text"),
        ("---\nname: own\n", "not closed"),
        ("---\nname: own\n---\n\nBody", "field 'description': is missing"),
        (VALID.replace("own", "Own", 1), "field 'name': 'Own' must be lower-case"),
        (VALID.replace("own", "other", 1), "field 'name': is 'other', but the folder"),
        (VALID.replace("What", "x" * 1100), "field 'description': has 11.. characters; 1024"),
        (VALID.replace("---\n\n#", "colour: red\n---\n\n#"), "field 'colour': is not known"),
        (VALID.replace("---\n\n#", "name: own\n---\n\n#"), "field 'name': is given twice"),
        (VALID.replace("---\n\n#", "metadata: {a: b}\n---\n\n#"), "'metadata': write one field"),
        (VALID.replace("---\n\n#", "metadata: x\n---\n\n#"), "'metadata': must be a mapping"),
        (VALID.replace("What it", "a: b: c"), "is not YAML.*quote"),
        (VALID[: VALID.index("# Own")], "body: is empty"),
    ],
)
def test_a_broken_skill_names_file_and_field(tmp_path: Path, text: str, fault: str) -> None:
    folder = folder_with(tmp_path, text)
    with pytest.raises(UsageError, match=fault) as error:
        load_skills(folder=tmp_path)
    assert str(folder / "SKILL.md") in str(error.value)


def test_every_fault_is_named_at_once(tmp_path: Path) -> None:
    folder_with(tmp_path, "---\nname: A B\ncolour: red\n---\n")
    with pytest.raises(UsageError, match=r"colour.*description.*name.*body"):
        load_skills(folder=tmp_path)


def test_own_skills_may_build_on_shipped_ones(tmp_path: Path) -> None:
    text = VALID.replace("---\n\n#", "metadata:\n  needs: period-search\n---\n\n#")
    folder = folder_with(tmp_path, text)
    for given in (tmp_path, folder):
        assert [s.name for s in load_skills(folder=given, world="rv")] == ["period-search", "own"]
    folder_with(tmp_path, text.replace("own", "two").replace("period-search", "three"), "two")
    with pytest.raises(UsageError, match=r"skill two: field 'metadata.needs': no skill 'three'"):
        load_skills(folder=tmp_path)


def test_skills_that_need_each_other_are_refused(tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        needs = f"metadata:\n  needs: {other}\n---\n\n#"
        folder_with(tmp_path, VALID.replace("own", name, 1).replace("---\n\n#", needs), name)
    with pytest.raises(UsageError, match="a -> b"):
        load_skills(folder=tmp_path)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, VALID)
    (tmp_path / "secret.txt").write_text("the truth", encoding="utf-8")
    (folder / "references").mkdir()
    (folder / "references" / "notes.md").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(UsageError, match="leads out of the skill's folder"):
        load_skills(folder=tmp_path)


def test_injected_text_holds_bodies_and_references() -> None:
    skills = load_skills(world="helio")
    text = injected_text(skills)
    assert all(skill.body in text for skill in skills)
    assert '<file path="references/latex.md">' in text
    assert "Spellings of final answers" in text


def test_the_index_holds_descriptions_and_no_bodies() -> None:
    skills = load_skills(world="rv")
    text = index_text(skills)
    assert all(f"- `{skill.name}`: {skill.description}" in text for skill in skills)
    assert "```python" not in text


def test_a_skill_is_read_by_name_and_its_files_by_path() -> None:
    assert "Builds on the code of: period-search." in read_skill("keplerian-fit")
    assert "references/latex.md" in read_skill("answer-formats")
    assert read_skill("answer-formats", "references/latex.md").startswith("# Spellings")
    with pytest.raises(UsageError, match="did you mean 'phase-folding'"):
        read_skill("phasefolding")
    for path in ("../period-search/SKILL.md", "/etc/passwd", "SKILL.md"):
        with pytest.raises(UsageError, match="has no file"):
            read_skill("answer-formats", path)


def test_a_reader_reads_only_what_it_was_given() -> None:
    with pytest.raises(UsageError, match="no skill 'keplerian-fit'"):
        SkillReader(load_skills(world="helio"))("keplerian-fit")


def test_the_core_needs_no_inspect() -> None:
    code = (
        "import sys; from ecliptic.skills import load_skills, injected_text; "
        "injected_text(load_skills()); "
        "print([m for m in ('inspect_ai', 'scipy', 'ecliptic.agents') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(importlib.util.find_spec("inspect_ai") is None, reason="needs Inspect")
def test_inspect_reads_the_same_folders() -> None:
    from inspect_ai.tool import read_skills

    skills = load_skills()
    read = read_skills([skill.folder for skill in skills if skill.folder])
    assert [each.name for each in read] == [skill.name for skill in skills]
    assert [each.instructions.strip() for each in read] == [skill.body for skill in skills]
