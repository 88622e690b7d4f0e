"""The published set from a server that answers as the hub does, and from a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hub_server import Hub, serving

from ecliptic import helio
from ecliptic.errors import EclipticWarning, TaskError
from ecliptic.helio.hub import PUBLISHED

KINDS = [kind for kind, number in PUBLISHED.items() for _ in range(number)]


def lines(kinds: list[str]) -> bytes:
    spelt = {"textual": "text"}
    rows = [
        {"id": f"r{n}", "question": "?", "final": "1", "type": spelt.get(kind, kind), "topic": "x"}
        for n, kind in enumerate(kinds)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "hub"


def fetched(
    hub: Hub, cache: Path, monkeypatch: pytest.MonkeyPatch, **options: object
) -> helio.Records:
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # between the library's retries
    return helio.load("rws", cache_dir=cache, **options)  # type: ignore[arg-type]


def test_the_published_set_is_loaded_and_counted(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Hub(lines(KINDS))) as hub:
        records = fetched(hub, cache, monkeypatch)
    assert len(records) == 158
    assert records.counts == PUBLISHED
    assert records[0].to_dict()["topic"] == "x"


def test_the_first_commit_stays_until_a_refresh(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Hub(lines(KINDS))) as hub:
        fetched(hub, cache, monkeypatch)
        hub.content, hub.commit = lines(KINDS[::-1]), "b" * 40
        asked = len(hub.requests)
        again = fetched(hub, cache, monkeypatch)
        assert len(hub.requests) == asked, "the pinned commit is in the cache"
        newer = fetched(hub, cache, monkeypatch, refresh=True)
    assert (again[0].type, newer[0].type) == ("textual", "numeric")


def test_without_network_the_cache_is_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Hub(lines(KINDS))) as hub:
        fetched(hub, cache, monkeypatch)
    assert len(fetched(hub, cache, monkeypatch)) == 158  # the server is gone


def test_without_network_and_cache_the_line_says_what_to_do(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(TaskError, match=r"cannot be reached.*name a local copy"):
        fetched(Hub(b"", url="http://127.0.0.1:9"), cache, monkeypatch)


def test_offline_mode_asks_no_server(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with serving(Hub(lines(KINDS))) as hub:
        with pytest.raises(TaskError, match="cannot be reached"):
            fetched(hub, cache, monkeypatch)
        assert not hub.requests


def test_a_truncated_download_is_an_error_and_leaves_no_file(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Hub(lines(KINDS), truncate=300)) as hub:
        with pytest.raises(TaskError, match=r"download of RWS\.jsonl failed"):
            fetched(hub, cache, monkeypatch)
        hub.truncate = 0
        assert len(fetched(hub, cache, monkeypatch)) == 158


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("EntryNotFound", "there is no RWS.jsonl"),
        ("RepoNotFound", "there is no RWS.jsonl"),
        ("RevisionNotFound", "has no revision 'v9'"),
    ],
)
def test_what_the_hub_does_not_have_is_named(
    code: str, message: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        serving(Hub(b"", status=404, error_code=code)) as hub,
        pytest.raises(TaskError, match=message),
    ):
        fetched(hub, cache, monkeypatch, revision="v9")


def test_a_changed_schema_is_told_with_the_first_fault(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = json.dumps({"key": "r1", "answer": "1"}).encode() + b"\n"
    with (
        serving(Hub(changed)) as hub,
        pytest.raises(TaskError, match=r"no question record: .*line 1: field 'id'"),
    ):
        fetched(hub, cache, monkeypatch)


def test_other_counts_than_the_published_ones_are_told(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        serving(Hub(lines(["numeric", "textual"]))) as hub,
        pytest.warns(EclipticWarning, match="the paper counts 68 textual"),
    ):
        assert len(fetched(hub, cache, monkeypatch)) == 2


def test_a_bad_line_of_a_file_is_named_and_the_rest_loaded(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_bytes(lines(["text", "numeric"]) + b'{"id": "x", "final": 3, "type": "numeric"}\n')
    with pytest.warns(EclipticWarning, match=r"line 3: field 'final'"):
        records = helio.load(path)
    assert [record.type for record in records] == ["textual", "numeric"]
    assert records.problems[0].line == 3


def test_a_name_that_is_no_file_is_an_error() -> None:
    with pytest.raises(TaskError, match=r"nowhere\.jsonl"):
        helio.load("nowhere.jsonl")
