"""What comes out of logs is shown and never obeyed."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest

from ecliptic.report.inert_text import chart_label, clipped, inert, one_line
from ecliptic.report.rendering import json_script, render

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x00b", "a␀b"),
        ("\x1b[31m", "␛[31m"),
        ("\u202egnp.exe", "[U+202E]gnp.exe"),
        ("\u2066a\u2069", "[U+2066]a[U+2069]"),
        ("a\u200bb", "a[U+200B]b"),
        ("\ud800", "\ufffd"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("Kürster σ 中", "Kürster σ 中"),
    ],
)
def test_marks_that_hide_or_turn_text_become_visible(text: str, shown: str) -> None:
    assert inert(text) == shown


def test_long_texts_keep_beginning_and_end() -> None:
    text = clipped("a" * 500 + "b" * 500, 90)
    assert text.startswith("a" * 60)
    assert text.endswith("b" * 30)
    assert "910 characters left out" in text
    assert len(one_line("word " * 100_000, 40)) == 40


@pytest.mark.parametrize("text", [HOSTILE, "<!--", "]]>", "\u2028", "\ud800", "&lt;"])
def test_data_cannot_leave_a_script_element(text: str) -> None:
    shown = str(json_script({text: [text]}))
    assert not set("<>&\u2028") & set(shown)
    assert json.loads(shown) == {text: [text]}


def test_labels_of_charts_hold_no_markup() -> None:
    assert chart_label("<b>K</b> & co") == "&lt;b&gt;K&lt;/b&gt; &amp; co"


def test_templates_escape_whatever_they_are_given() -> None:
    class Seen(HTMLParser):
        tags: set[str] = set()

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.tags.add(tag)
            assert not any(name.startswith("on") for name, _ in attrs)

    board = {"first": HOSTILE, "parts": [(HOSTILE, [HOSTILE])]}
    names = ("kinds", "criteria", "fits", "sweep", "cost", "skills", "failures", "comparisons")
    page = render(
        "index.html",
        {
            "title": HOSTILE, "root": "", "attempts": 1, "logs": 1, "unread": [HOSTILE],
            "published": [], "published_note": HOSTILE, "version": HOSTILE,
            "boards": [{
                **dict.fromkeys(names), "key": "b1", "title": HOSTILE, "world": HOSTILE, "tasks": 1,
                "answer": board, "rows": [], "has_reach": False, "has_partial": False, "k": 0,
                "has_verified": False, "reach": None, "matrix": None, "comparison_note": "",
                "cost_table": {"caption": HOSTILE, "columns": [HOSTILE], "rows": [[HOSTILE]],
                               "numeric": ()},
            }],
        },
    )  # fmt: skip
    parser = Seen()
    parser.feed(page)
    assert "img" not in parser.tags
    assert page.count("<script") == 1
