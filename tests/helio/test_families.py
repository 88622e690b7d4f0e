"""Every family in every form: proven, distinct, self-contained, and graded as it should be."""

from __future__ import annotations

import re

import pytest

from ecliptic.errors import ProofError, UsageError
from ecliptic.grading import grade
from ecliptic.helio.families.answers import Form, Numeric, Routes, Symbolic, Textual
from ecliptic.helio.families.catalogue import TOPICS, family_of, topics_of_families
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.notation import number_tex, tex
from ecliptic.helio.families.proof import prove
from ecliptic.helio.families.writing import Recipe, problems
from ecliptic.helio.records import Record

PROBLEMS = 12
CELLS = [(name, form) for name in topics_of_families() for form in family_of(name).forms]
ROUTES = Routes("one way", "another")


def drawn(name: str, form: Form, count: int = PROBLEMS, seed: int = 11) -> list[Record]:
    endless = problems(Recipe(seed, name, form), set())
    return [record for _ in range(count) for record in next(endless)]


@pytest.mark.parametrize(("name", "form"), CELLS)
def test_a_family_writes_proven_questions(name: str, form: Form) -> None:
    records = drawn(name, form)
    assert any(record.type == form for record in records)
    for record in records:
        assert grade(record, record.final).passed
        assert record.step
        assert record.meta["sources"]
        assert record.meta["assumptions"]
        text = " ".join((*record.preamble, record.question, record.hint, *record.step))
        assert text.count("$") % 2 == 0, text
        left_open = r"\bnan\b|\binf\b|(?<![\w}^_\\])\{[a-z_.]+[!:}]|  "  # or a field not filled in
        assert not re.search(left_open, record.question), text
        assert record.question.endswith(("?", ".", "?)", ".)")), record.question


@pytest.mark.parametrize(("name", "form"), CELLS)
def test_the_same_seed_writes_the_same_and_another_seed_another(name: str, form: Form) -> None:
    first, again, other = drawn(name, form, 2), drawn(name, form, 2), drawn(name, form, 2, seed=12)
    assert first == again
    assert {record.id for record in first} != {record.id for record in other}


@pytest.mark.parametrize("name", list(topics_of_families()))
def test_the_direction_of_a_first_claim_depends_on_the_draw(name: str) -> None:
    if "textual" not in family_of(name).forms:
        pytest.skip("no textual form")
    records = [r for r in drawn(name, "textual", 40) if r.type == "textual"]
    assert len({record.final for record in records}) > 1


def test_the_curriculum_is_covered() -> None:
    names = topics_of_families()
    assert set(names.values()) == set(TOPICS)
    assert len(names) >= 48
    assert sum(family_of(name).one_formula for name in names) <= len(names) / 3


def test_routes_that_disagree_are_no_proof() -> None:
    stream = Draw(1, "x", "numeric", 0).points
    with pytest.raises(ProofError, match=r"one way gives 2 m, another 2\.1"):
        prove(Numeric(2.0, 2.1, "m", ROUTES), stream)
    halved = Symbolic("$a = b/2$", {"b": (1.0, 2.0)}, lambda at: at["b"], ROUTES)
    with pytest.raises(ProofError, match="another gives"):
        prove(halved, stream)


def test_an_inhomogeneous_formula_is_no_proof() -> None:
    stream = Draw(1, "x", "symbolic", 0).points
    answer = Symbolic(
        "$a = b + c$",
        {"b": (1.0, 2.0), "c": (1.0, 2.0)},
        lambda at: at["b"] + at["c"],
        ROUTES,
        {"": "m", "b": "m", "c": "s"},
    )
    with pytest.raises(ProofError, match="not homogeneous"):
        prove(answer, stream)


def test_a_claim_against_its_evidence_is_no_proof() -> None:
    from ecliptic.helio.families.answers import Claim

    stream = Draw(1, "x", "textual", 0).points
    claims = (Claim("The speed increases.", 1, 0.1, -0.1),)
    with pytest.raises(ProofError, match="the evidence"):
        prove(Textual("The speed increases.", claims, ROUTES), stream)


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (400.0, 3, "400"),
        (0.00123, 3, "0.00123"),
        (1.5e6, 2, r"1.5\times 10^{6}"),
        (99999.0, 2, r"1.0\times 10^{5}"),
        (-3.0, 2, "-3.0"),
        (0.0, 3, "0"),
    ],
)
def test_numbers_are_written_with_their_digits(value: float, digits: int, shown: str) -> None:
    assert number_tex(value, digits) == shown


def test_quantities_are_written_as_they_were_drawn() -> None:
    assert tex(Draw(1, "x", "y", 0).quantity(5.2, 5.2, "nT")) == r"$5.2\ \mathrm{nT}$"
    assert tex(30.0, unit="deg") == r"$30^{\circ}$"


def test_a_family_that_is_not_known_gets_a_suggestion() -> None:
    with pytest.raises(UsageError, match="did you mean 'parker_wind'"):
        family_of("parker_wnd")
