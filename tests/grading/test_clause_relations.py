from __future__ import annotations

import pytest

from ecliptic.grading.clause_relations import Form, related
from ecliptic.grading.clause_words import clause_words


def form(text: str) -> Form | None:
    return related(" ".join(clause_words(text)))


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("Protons are heavier than electrons", "Electrons are lighter than protons"),
        ("The flare precedes the CME", "The CME occurs after the flare"),
        ("Reconnection causes flares", "Flares result from reconnection"),
        ("The speed exceeds the sound speed", "The sound speed is exceeded by the speed"),
    ],
)
def test_two_ways_to_state_a_relation(text: str, again: str) -> None:
    assert form(text) is not None
    assert form(text) == form(again)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Protons are heavier than electrons", "Electrons are heavier than protons"),
        ("The flare precedes the CME", "The CME precedes the flare"),
        ("The density increases", "The density decreases"),
        ("Reconnection causes flares", "Flares cause reconnection"),
    ],
)
def test_a_relation_turned_round_is_another(text: str, other: str) -> None:
    assert form(text) is not None
    assert form(text) != form(other)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The speed is independent of the mass", "independent"),
        ("The density increases with the field", "trend"),
        ("The flux drops by a factor of 4", "factor"),
        ("The Sun is hot", None),
        ("The density may increase", None),
    ],
)
def test_kinds_of_statement(text: str, kind: str | None) -> None:
    found = form(text)
    assert (found and found.kind) == kind
