"""A star comes from the archive whole and is kept; whatever fails is one line."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rv.archive.exoplanet_archive import (
    FAILED_VOTABLE,
    FOLDER,
    HOSTS_CSV,
    HOSTS_IPAC,
    HOSTS_VOTABLE,
    LIST,
    TAP,
    Archive,
    healthy_pages,
    served,
    table,
)

from ecliptic.errors import EclipticError, TaskError, UsageError
from ecliptic.rv.archive.fetching import URL_VARIABLE, Fetched, fetch_star

FIRST = f"{FOLDER}UID_0005364_RVC_001.tbl"
SECOND = f"{FOLDER}UID_0005364_RVC_002.tbl"


@pytest.fixture
def archive() -> Iterator[Archive]:
    with served(Archive(pages=healthy_pages())) as running:
        yield running


def fetch(archive: Archive, cache: Path, name: str = "eta Cet", **options: Any) -> Fetched:
    return fetch_star(name, **{"url": archive.url, "cache": cache, "pause_s": 0.01, **options})


def test_all_curves_of_a_star_become_one_series(archive: Archive, tmp_path: Path) -> None:
    fetched = fetch(archive, tmp_path)
    assert fetched.hostname == "eta Cet"
    assert fetched.star_mass_sun == 1.7
    assert fetched.tables == ("UID_0005364_RVC_001.tbl", "UID_0005364_RVC_002.tbl")
    assert fetched.series.instrument_labels == ("Hamilton", "CRIRES")
    assert fetched.series.times_bjd[0] == 2452000.5
    assert [source.citation for source in fetched.series.sources] == [
        "Paper of Hamilton",
        "Paper of CRIRES",
    ]


@pytest.mark.parametrize("answer", [HOSTS_CSV, HOSTS_IPAC, HOSTS_VOTABLE])
def test_the_star_is_read_from_any_form_of_answer(
    archive: Archive, tmp_path: Path, answer: str
) -> None:
    archive.pages[TAP] = answer
    assert fetch(archive, tmp_path).star_mass_sun == 1.7


def test_the_query_is_in_adql_and_knows_the_aliases(archive: Archive, tmp_path: Path) -> None:
    fetch(archive, tmp_path, "HIP 5364")
    (query,) = archive.queries
    assert query.startswith("select hostname,hd_name,hip_name,st_mass,st_nrvc from pscomppars")
    assert "lower(hostname) in ('eta cet','eta ceti','hd 6805','hip 5364')" in query


def test_quotes_in_a_name_cannot_leave_the_query(archive: Archive, tmp_path: Path) -> None:
    fetch(archive, tmp_path, "x' or '1'='1")
    assert "('x'' or ''1''=''1')" in archive.queries[0]


def test_what_was_fetched_is_kept(archive: Archive, tmp_path: Path) -> None:
    first = fetch(archive, tmp_path)
    asked = len(archive.asked)
    assert fetch(archive, tmp_path) == first
    assert len(archive.asked) == asked
    fetch(archive, tmp_path, refresh=True)
    assert len(archive.asked) == 2 * asked


def test_a_kept_file_that_was_damaged_is_fetched_again(archive: Archive, tmp_path: Path) -> None:
    first = fetch(archive, tmp_path)
    for kept in tmp_path.iterdir():
        kept.write_bytes(b"\x00")
    assert fetch(archive, tmp_path) == first


def test_nothing_damaged_is_kept(archive: Archive, tmp_path: Path) -> None:
    archive.pages[FIRST] = "|half a table\n"
    with pytest.raises(TaskError):
        fetch(archive, tmp_path)
    archive.pages[FIRST] = table("Hamilton", 2452000.5)
    assert len(fetch(archive, tmp_path).series) == 6


def test_a_cache_that_cannot_be_written_costs_nothing(archive: Archive, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert len(fetch(archive, blocked / "cache").series) == 6


def test_the_environment_names_a_copy(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(URL_VARIABLE, archive.url)
    assert len(fetch_star("eta Cet", cache=tmp_path).series) == 6


def test_a_passing_fault_is_tried_again(archive: Archive, tmp_path: Path) -> None:
    archive.pages[TAP] = [503, 500, HOSTS_CSV]
    assert len(fetch(archive, tmp_path).series) == 6
    assert archive.asked.count(TAP) == 3


def test_curves_can_be_chosen(archive: Archive, tmp_path: Path) -> None:
    assert fetch(archive, tmp_path, curves=(2,)).series.instrument_labels == ("CRIRES",)
    with pytest.raises(UsageError, match="has no curve 7, only 1, 2"):
        fetch(archive, tmp_path, curves=(7,))


def test_two_curves_of_one_instrument_have_a_zero_point_each(
    archive: Archive, tmp_path: Path
) -> None:
    archive.pages[SECOND] = table("Hamilton", 2455900.5)
    labels = fetch(archive, tmp_path).series.instrument_labels
    assert labels == ("Hamilton (1)", "Hamilton (2)")


def test_measurements_that_were_published_twice_are_not_used_twice(
    archive: Archive, tmp_path: Path
) -> None:
    archive.pages[SECOND] = table("Hamilton", 2452000.501)
    with pytest.raises(UsageError, match=r"curves 1 and 2 .* share 3 .*; choose with curves="):
        fetch(archive, tmp_path)
    assert len(fetch(archive, tmp_path, curves=(2,)).series) == 3


def test_a_star_without_hip_number_needs_the_number_of_its_files(
    archive: Archive, tmp_path: Path
) -> None:
    archive.pages[TAP] = HOSTS_CSV.replace("HIP 5364", "")
    with pytest.raises(UsageError, match=r"has no HIP number in the archive.*give uid"):
        fetch(archive, tmp_path)
    assert len(fetch(archive, tmp_path, uid="5364").series) == 6


EMPTY = HOSTS_CSV.splitlines()[0] + "\n"


@pytest.mark.parametrize(
    ("path", "page", "words"),
    [
        (TAP, 404, "is not there (404)"),
        (TAP, 400, "is refused with status 400: No luck"),
        (TAP, 503, "answers with status 503, tried 3 times; check the network"),
        (TAP, EMPTY, "knows no star 'eta Cet' with planets"),
        (TAP, HOSTS_CSV.replace("hip_name", "hip"), "column 'hip_name' is missing in the answer"),
        (TAP, HOSTS_CSV + '"eta Oph","HD 1","HIP 1",1,1\n', "is several stars: eta Cet, eta Oph"),
        (TAP, HOSTS_CSV.replace("1.7", "heavy"), "column 'st_mass' holds 'heavy'"),
        (TAP, FAILED_VOTABLE, "the service failed: ORA-00904"),
        (TAP, FAILED_VOTABLE[:200], "is not a whole VOTable"),
        (TAP, HOSTS_VOTABLE.replace('name="hostname"', ""), "is not a whole VOTable"),
        (TAP, "ERROR<br>\nno such table", "the service failed: ERROR"),
        (TAP, "<html>Under repair</html>", "the service failed: <html>"),
        (LIST, 404, "wget_RADIAL.bat: is not there (404)"),
        (LIST, "moved elsewhere", "names no file UID_..._RVC_....tbl; the service has changed"),
        (LIST, "UID_0113357_RVC_001.tbl", "lists no velocities of eta Cet (UID 0005364)"),
        (FIRST, 404, "RVC_001.tbl: is not there (404)"),
        (FIRST, "<html>sorry</html>", "is no IPAC table"),
        (FIRST, table("X", 2452000.5, unit=""), "m/s or km/s; give velocity_unit"),
        (FIRST, table("X", 2000.5), "give time_offset_days"),
        (FIRST, table("X", 2452000.5, points=0), "holds no rows"),
        (FIRST, table("X", 2452000.5).replace("Radial_Velocity|", "RadialSpeed____|"), "velocit"),
    ],
)
def test_faults_are_one_line_that_names_the_place(
    archive: Archive, tmp_path: Path, path: str, page: str | int, words: str
) -> None:
    archive.pages[path] = page
    with pytest.raises(EclipticError) as caught:
        fetch(archive, tmp_path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_network_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(UsageError, match=r"cannot be reached .*tried 2 times; check the network"):
        fetch_star("eta Cet", url=url, cache=tmp_path, retries=1, pause_s=0.0)


def test_a_silent_service_is_given_up(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(UsageError, match=r"(timed out|does not answer within 0\.2 s)"):
            fetch_star("eta Cet", url=url, cache=tmp_path, timeout_s=0.2, retries=0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"url": "ftp://x"}, "url must begin with http"),
        ({"url": "file:///etc/passwd"}, "url must begin with http"),
        ({"timeout_s": 0.0}, "timeout_s must be > 0"),
        ({"uid": "12/../3"}, "uid must be up to seven digits"),
    ],
)
def test_senseless_options_are_refused(
    archive: Archive, tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        fetch(archive, tmp_path, **options)


@pytest.mark.parametrize("name", ["", " ", "a" * 61, "eta\nCet"])
def test_what_is_no_name_is_not_asked_for(archive: Archive, tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="name must be that of a star"):
        fetch(archive, tmp_path, name)
    assert archive.asked == []
