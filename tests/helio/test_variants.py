"""Right variants of every family's golds are accepted, wrong ones never."""

from __future__ import annotations

from collections import Counter

import pytest

from ecliptic.errors import UsageError
from ecliptic.grading import grade
from ecliptic.helio.families.catalogue import topics_of_families
from ecliptic.helio.generator import generate_many
from ecliptic.helio.records import Record
from ecliptic.helio.variants import right_variants, wrong_variants

WANTED = 5


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return list(generate_many(21, 3 * len(topics_of_families())))


def test_a_wrong_variant_is_never_accepted(records: list[Record]) -> None:
    made = 0
    for record in records:
        for variant in wrong_variants(record, WANTED):
            made += 1
            verdict = grade(record, variant.text)
            assert not verdict.passed, f"{record.final} | {variant.kind}: {variant.text}"
    assert made >= 0.98 * WANTED * len(records)


def test_nearly_every_right_variant_is_accepted(records: list[Record]) -> None:
    outcomes: Counter[str] = Counter()
    refused: list[str] = []
    for record in records:
        for variant in right_variants(record, WANTED):
            verdict = grade(record, variant.text)
            outcomes[verdict.outcome] += 1
            if not verdict.passed:
                refused.append(f"{record.final} | {variant.kind}: {variant.text}")
    assert outcomes["correct"] >= 0.99 * outcomes.total(), refused
    assert outcomes.total() >= 0.95 * WANTED * len(records)


def test_each_variant_is_of_another_kind_where_there_are_enough(records: list[Record]) -> None:
    for record in records[:30]:
        kinds = [variant.kind for variant in wrong_variants(record, 3)]
        assert len(set(kinds)) >= 2, kinds


def test_a_structured_record_has_no_variants() -> None:
    record = Record(id="a", final='{"x": 1}', type="structured")
    with pytest.raises(UsageError, match="no variants"):
        right_variants(record)
