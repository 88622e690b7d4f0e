"""The written folder: complete, small, the same every time, and never in the place of others."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

from ecliptic.cli.app import run_cli
from ecliptic.errors import UsageError
from ecliptic.report import Written, write_report
from ecliptic.report.output_folder import MARKER, OWN_ASSETS, asset


class Page(HTMLParser):
    """Links, identifiers, headings and scripts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.inline_scripts: list[dict[str, str | None]] = []
        self.rows: list[dict[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.links += [found[name] or "" for name in ("href", "src") if name in found]
        self.ids += [found["id"] or ""] if "id" in found else []
        if tag == "tr":
            self.rows.append(found)
        if tag == "script" and "src" not in found:
            self.inline_scripts.append(found)
        assert "style" not in found
        assert not any(name.startswith("on") for name in found)


def pages(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.rglob("*.html")):
        yield path, path.read_text(encoding="utf-8")


def bytes_of(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_every_attempt_has_a_page_and_every_link_leads_somewhere(site: Written) -> None:
    assert site.unread == ()
    assert len(list((site.folder / "attempts").iterdir())) == site.attempts == site.pages - 2
    seen = {path.resolve(): Page(text) for path, text in pages(site.folder)}
    for path, page in seen.items():
        assert len(page.ids) == len(set(page.ids)), path
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme == "data":
                continue
            assert not parts.scheme, link
            assert not parts.netloc, link
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.is_file(), f"{path.name}: {link}"
            if target.name == "attempts.html" and "=" in parts.fragment:
                wanted = {f"data-{key}": value for key, value in parse_qsl(parts.fragment)}
                assert any(wanted.items() <= row.items() for row in seen[target].rows), link
            elif parts.fragment and target in seen:
                assert parts.fragment in seen[target].ids, f"{path.name}: {link}"


def test_no_page_holds_markup_out_of_a_log(site: Written) -> None:
    hostile = 0
    for path, text in pages(site.folder):
        page = Page(text)
        assert all(found.get("type") == "application/json" for found in page.inline_scripts)
        assert not re.search(r"<img src=x|<script>document|\x00|\u202e", text), path
        assert "Content-Security-Policy" in text
        hostile += "document.title=&#39;owned&#39;" in text
    assert hostile > 0


def test_the_same_logs_give_the_same_bytes(site: Written, logs: Path, tmp_path: Path) -> None:
    again = write_report([logs], tmp_path / "again", title="A <test> & more")
    assert bytes_of(again.folder) == bytes_of(site.folder)


def test_pages_stay_small(site: Written) -> None:
    files = bytes_of(site.folder)
    own = {name: data for name, data in files.items() if "plotly" not in name}
    assert sum(map(len, own.values())) / site.attempts < 170_000
    assert max(len(data) for name, data in own.items() if name.endswith(".html")) < 1_500_000


def test_two_hundred_attempts_would_take_less_than_half_a_minute(
    site: Written, logs: Path, tmp_path: Path
) -> None:
    begun = time.process_time()
    write_report([logs], tmp_path / "timed")
    assert (time.process_time() - begun) / site.attempts * 200 < 30.0


def test_the_first_page_answers_in_words(site: Written) -> None:
    text = re.sub(r"<[^>]+>", " ", (site.folder / "index.html").read_text(encoding="utf-8"))
    assert "A &lt;test&gt; &amp; more" in text
    for said in ("passes most", "95 % interval", "failures:", "Of the reachable", "do not compare",
                 "settle", "statistical", "SCHEMA", "nested sampling"):  # fmt: skip
        assert said in text, said


def test_an_attempt_on_a_star_shows_why_it_failed(site: Written) -> None:
    found = [text for _, text in pages(site.folder / "attempts") if "main reason" in text]
    assert found
    star = next(text for text in found if "Submitted planets beside the true ones" in text)
    for said in ("What the agent was told", "Periodogram of the residuals", "True planets",
                 "Conversation", "Why it failed", "calls <code>python</code>"):  # fmt: skip
        assert said in star, said


def test_an_attempt_on_a_question_shows_gold_and_grader(site: Written) -> None:
    found = next(text for _, text in pages(site.folder / "attempts") if "Answer and gold" in text)
    for said in ("Gold", "Taken from the reply", "The grader’s explanation", "pace/plan"):
        assert said in found, said


def test_an_unreadable_log_is_one_line_and_the_rest_is_written(logs: Path, tmp_path: Path) -> None:
    some = tmp_path / "logs"
    shutil.copytree(next(logs.glob("*-null")), some / "null")
    (some / "bad.eval").write_bytes(b"PK\x03\x04 no zip")
    written = write_report([some], tmp_path / "out")
    assert written.attempts > 0
    (line,) = written.unread
    assert "bad.eval" in line
    assert "\n" not in line
    assert "bad.eval" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match=r"no attempt to report: .*bad\.eval"):
        write_report([some / "bad.eval"], tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_nothing_but_a_report_is_overwritten(logs: Path, tmp_path: Path) -> None:
    null = next(logs.glob("*-null"))
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageError, match="holds no report"):
        write_report([null], mine)
    assert (mine / "thesis.tex").read_text() == "years of work"
    with pytest.raises(UsageError, match="is a file"):
        write_report([null], mine / "thesis.tex")
    empty = tmp_path / "empty"
    empty.mkdir()
    write_report([null], empty)
    (empty / "attempts" / "old.html").write_text("old")
    write_report([null], empty)
    assert (empty / MARKER).is_file()
    assert not (empty / "attempts" / "old.html").exists()


def test_fewer_pages_on_demand(logs: Path, tmp_path: Path) -> None:
    null = next(logs.glob("*-null"))
    written = write_report([null], tmp_path / "few", max_pages=1)
    assert len(list((tmp_path / "few" / "attempts").iterdir())) == 1
    assert written.attempts > 1
    seen = Page((tmp_path / "few" / "attempts.html").read_text(encoding="utf-8"))
    assert sum(link.startswith("attempts/") for link in seen.links) == 1


def test_the_command_writes_and_says_where(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    null = next(logs.glob("*-null"))
    assert run_cli(["report", str(null), "-o", str(tmp_path / "site")]) == 0
    assert "index.html" in capsys.readouterr().out
    assert run_cli(["report", str(tmp_path / "nothing"), "-o", str(tmp_path / "site")]) == 2
    assert "no such file" in capsys.readouterr().err


@pytest.mark.parametrize("name", OWN_ASSETS)
def test_assets_come_with_the_package(name: str) -> None:
    assert len(asset(name)) > 1000
