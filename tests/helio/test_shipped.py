"""The shipped set: complete, unchanged, audited, and graded as its card says."""

from __future__ import annotations

from pathlib import Path

import pytest

from ecliptic import helio
from ecliptic.errors import TaskError
from ecliptic.grading import grade
from ecliptic.helio import shipped
from ecliptic.helio.families.catalogue import topics_of_families


@pytest.fixture(scope="module")
def records() -> helio.Records:
    return helio.load("helio-v1")


def test_there_are_eighty_of_each_type_over_all_topics(records: helio.Records) -> None:
    assert records.counts == {"numeric": 80, "symbolic": 80, "textual": 80}
    assert {record.meta["topic"] for record in records} == set(topics_of_families().values())
    assert len({record.id for record in records}) == 240


def test_every_gold_passes_for_itself(records: helio.Records) -> None:
    refused = [record.id for record in records if not grade(record, record.final).passed]
    assert not refused


def test_the_gold_audit_finds_nothing(records: helio.Records) -> None:
    assert [str(finding) for finding in helio.audit_records(records).findings] == []


def test_a_changed_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sets").mkdir()
    original = shipped.path_of("helio-v1")
    changed = original.read_bytes().replace(b"nT", b"mT", 1)
    (tmp_path / "sets" / original.name).write_bytes(changed)
    checksum = original.with_name(f"{original.name}.sha256")
    (tmp_path / "sets" / checksum.name).write_bytes(checksum.read_bytes())
    monkeypatch.setattr("ecliptic.helio.shipped.files", lambda package: tmp_path)
    with pytest.raises(TaskError, match="not the shipped file"):
        helio.load("helio-v1")


def test_a_set_is_drawn_by_type_from_all_families() -> None:
    drawn = list(shipped.draw(seed=5, per_type=len(topics_of_families())))
    for form in ("numeric", "symbolic", "textual"):
        families = {r.meta["family"] for r in drawn if r.type == form}
        assert families == set(topics_of_families())
