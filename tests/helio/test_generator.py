"""From a seed to records: shares, texts, workers, arguments."""

from __future__ import annotations

from collections import Counter

import pytest

from ecliptic import helio
from ecliptic.errors import UsageError
from ecliptic.helio.generator import generate_many, generate_parts


def test_records_are_shared_out_over_families_and_forms() -> None:
    names = helio.family_names()[:2]
    records = list(generate_many(5, 37, families=names))
    assert len(records) == 37
    counts = Counter(record.meta["family"] for record in records)
    assert max(counts.values()) - min(counts.values()) <= 3
    assert len({record.id for record in records}) == 37


def test_no_two_records_of_a_family_share_a_text() -> None:
    name = helio.family_names()[0]
    records = list(generate_many(5, 240, families=[name]))
    assert len({(record.preamble, record.question) for record in records}) == 240


def test_workers_do_not_change_the_records() -> None:
    names = helio.family_names()[:3]
    alone = list(generate_many(8, 24, families=names))
    assert list(generate_many(8, 24, families=names, workers=2)) == alone


def test_a_later_part_carries_the_earlier_ones_with_their_answers() -> None:
    parts = generate_parts("parker_wind", 3)
    assert [part.sub_id for part in parts] == ["a", "b"]
    assert parts[0].question in parts[1].preamble[0]
    assert parts[0].final in parts[1].preamble[0]
    assert parts[0].meta["problem"] == parts[1].meta["problem"]


def test_hints_can_be_left_out_and_leave_ids_as_they_are() -> None:
    with_hint = helio.generate("parker_wind", 3)
    without = helio.generate("parker_wind", 3, hints=False)
    assert with_hint.hint
    assert not without.hint
    assert with_hint.id == without.id


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": -1}, "seed: must be a whole number from 0"),
        ({"seed": 1, "form": "essay"}, "form: 'essay' is not known"),
        ({"seed": 1, "index": 1.5}, "index: must be a whole number"),
    ],
)
def test_a_wrong_argument_is_named(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        helio.generate("parker_wind", **arguments)  # type: ignore[arg-type]


def test_a_count_of_none_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="count: must be a whole number from 1"):
        generate_many(1, 0)
