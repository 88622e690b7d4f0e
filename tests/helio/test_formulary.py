from __future__ import annotations

import pytest

from ecliptic.errors import UsageError
from ecliptic.grading.reading import gold_expression
from ecliptic.helio import formulary
from ecliptic.helio.families.catalogue import TOPICS

QUERIES = [
    ("sonic point of an isothermal coronal outflow", "parker-wind"),
    ("angle between the interplanetary magnetic field and the radial direction", "parker-spiral"),
    ("rate of reconnection in a current sheet with uniform resistivity", "sweet-parker"),
    ("height of maximum ionisation rate when the Sun stands at a zenith angle", "chapman-layer"),
    ("distance of the dayside magnetopause", "magnetopause-standoff"),
    ("spectral index of particles accelerated at a shock", "shock-acceleration"),
    ("temperature of a coronal loop from its pressure and length", "rtv-scaling"),
    ("recovery of the Dst index after a storm", "burton-equation"),
    ("lifetime of a satellite orbit in the thermosphere", "orbit-decay"),
    ("pickup ion velocity distribution", "pickup-ions"),
]


@pytest.mark.parametrize(("query", "wanted"), QUERIES)
def test_a_question_in_words_finds_its_formula(query: str, wanted: str) -> None:
    assert wanted in [entry.id for entry in formulary.search(query, 3)]


def test_every_topic_has_entries_and_every_entry_its_conditions() -> None:
    found = formulary.entries()
    assert {entry.topic for entry in found} == set(TOPICS) | {"constants"}
    assert len({entry.id for entry in found}) == len(found)
    assert all(entry.holds and entry.source and entry.where for entry in found)


@pytest.mark.parametrize("entry", formulary.entries(), ids=lambda entry: entry.id)
def test_a_formula_is_balanced(entry: formulary.Entry) -> None:
    assert entry.formula.count("{") == entry.formula.count("}")
    assert entry.formula.count(r"\left") == entry.formula.count(r"\right")
    assert "$" not in entry.formula


def test_most_formulas_are_read_by_the_grader() -> None:
    from ecliptic.grading.parse_failure import ParseFailure

    read = [
        not isinstance(gold_expression(f"${entry.formula}$"), ParseFailure)
        for entry in formulary.entries()
    ]
    assert sum(read) >= 0.6 * len(read)


def test_nothing_is_found_for_nothing() -> None:
    assert formulary.search("") == ()
    assert formulary.search("zzzz qqqq") == ()
    assert formulary.prompt_section("zzzz") == ""


def test_the_prompt_section_shows_formula_and_conditions() -> None:
    text = formulary.prompt_section("firehose instability threshold", 1)
    assert r"\frac{B^2}{\mu_0}" in text
    assert "holds for:" in text


def test_a_count_out_of_range_is_refused() -> None:
    with pytest.raises(UsageError, match="count"):
        formulary.search("wind", 0)
