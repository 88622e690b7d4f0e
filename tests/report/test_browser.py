"""Every page in headless Chromium: no error, no request, tables sort, charts respond, axe."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ecliptic.report import Written

from .conftest import CHROMIUM

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
if not CHROMIUM.exists() and "ECLIPTIC_REQUIRE_CHROMIUM" not in os.environ:
    pytest.skip("no Chromium at /usr/bin/chromium", allow_module_level=True)

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
LOUD = {"error", "warning"}
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        yield running.chromium


def opened(driver: Any, folder: Path, **options: Any) -> Any:
    """A browser with a fresh profile that notes whatever goes wrong on a page."""
    context = driver.launch_persistent_context(
        folder, executable_path=str(CHROMIUM), args=FLAGS, **options
    )
    page = context.new_page()
    page.wrong = []
    page.on("console", lambda said: said.type in LOUD and page.wrong.append(said.text))
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("request", lambda sent: _local(sent.url) or page.wrong.append(sent.url))
    return page


def _local(url: str) -> bool:
    return url.startswith(("file:", "data:", "blob:"))


@pytest.fixture(scope="module")
def desk(driver: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    page = opened(driver, tmp_path_factory.mktemp("profile"), viewport=DESK)
    yield page
    page.context.close()


@pytest.fixture(scope="module")
def phone(driver: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    page = opened(driver, tmp_path_factory.mktemp("profile"), viewport=PHONE, color_scheme="dark")
    yield page
    page.context.close()


def address(path: Path) -> str:
    return path.resolve().as_uri()


def drawn(page: Any) -> None:
    """Open what is folded and scroll to every chart, so that all are drawn."""
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    for chart in page.query_selector_all("[data-chart]"):
        chart.scroll_into_view_if_needed()
    until(page, "Array.from(document.querySelectorAll('[data-chart]')).every(e => e.dataset.drawn)")


def until(page: Any, expression: str) -> None:
    """Wait; the pages' own policy forbids what Playwright does for that."""
    for _ in range(600):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"{page.url}: never {expression}")


def some_pages(site: Written) -> list[Path]:
    """The two lists, and of the attempts one of each kind that there is."""
    chosen = [site.folder / "index.html", site.folder / "attempts.html"]
    marks = ("owned", "Submitted planets beside", "Answer and gold", "badge error", "plotted",
             "badge passed")  # fmt: skip
    texts = [(p, p.read_text(encoding="utf-8")) for p in sorted(site.folder.glob("attempts/*"))]
    for mark in marks:
        chosen += [path for path, text in texts if mark in text][:1]
    return list(dict.fromkeys(chosen))


def test_every_page_opens_without_an_error_or_a_request(site: Written, desk: Any) -> None:
    for path in sorted(site.folder.rglob("*.html")):
        desk.goto(address(path))
        assert desk.title()
        assert desk.title() != "owned"
    assert desk.wrong == []


def test_charts_are_drawn_and_respond(site: Written, desk: Any) -> None:
    for path in some_pages(site)[:4]:
        desk.goto(address(path))
        drawn(desk)
    desk.goto(address(site.folder / "index.html"))
    drawn(desk)
    chart = desk.locator("[data-chart]").first
    assert chart.locator(".main-svg").count() > 0
    before = chart.locator(".scatterlayer .trace").count()
    chart.scroll_into_view_if_needed()
    chart.locator(".legendtoggle").first.click()
    traces = "document.querySelector('[data-chart]').querySelectorAll('.scatterlayer .trace')"
    until(desk, f"{traces}.length < {before}")
    assert desk.wrong == []


def test_charts_are_drawn_only_when_they_come_into_view(site: Written, desk: Any) -> None:
    desk.goto(address(site.folder / "index.html"))
    desk.wait_for_timeout(300)
    charts = desk.locator("[data-chart]").count()
    assert desk.locator("[data-chart][data-drawn]").count() < charts


def test_tables_sort_by_click_and_by_key(site: Written, desk: Any) -> None:
    desk.goto(address(site.folder / "attempts.html"))
    head = desk.locator("#attempts thead th", has_text="Tokens")
    tokens = """Array.from(document.querySelectorAll('#attempts tbody tr'))
        .map(row => Number(row.cells[8].textContent.replace(/,/g, '')))"""
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    rising = desk.evaluate(tokens)
    assert rising == sorted(rising)
    assert rising != sorted(rising, reverse=True)
    head.locator("button").press("Space")
    assert head.get_attribute("aria-sort") == "descending"
    head.locator("button").press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    head.locator("button").press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert desk.evaluate(tokens) == sorted(rising, reverse=True)


def test_attempts_are_filtered(site: Written, desk: Any) -> None:
    desk.goto(address(site.folder / "attempts.html"))
    desk.select_option("[data-column=outcome]", "passed")
    shown = desk.locator("#attempts tbody tr:visible")
    assert 0 < shown.count() < site.attempts
    assert desk.locator("[data-count]").text_content() == (
        f"{shown.count()} attempt{'s' if shown.count() != 1 else ''}"
    )
    assert set(shown.locator(".badge").all_text_contents()) == {"✓ passed"}
    desk.fill("[data-search]", "no such thing")
    assert shown.count() == 0


def test_a_number_of_the_failure_map_leads_to_its_attempts(site: Written, desk: Any) -> None:
    desk.goto(address(site.folder / "index.html"))
    cell = desk.locator(".heat td.level a").first
    count = int("".join(filter(str.isdigit, cell.evaluate("e => e.firstChild.textContent"))))
    cell.focus()
    with desk.expect_navigation():
        desk.keyboard.press("Enter")
    shown = desk.locator("#attempts tbody tr:visible")
    assert shown.count() == count
    assert desk.input_value("[data-column=reason]") != ""


def test_tables_have_names_of_their_own(site: Written, desk: Any) -> None:
    desk.goto(address(site.folder / "index.html"))
    names = desk.locator(".scroll").evaluate_all("all => all.map(e => e.ariaLabel)")
    assert "Table" not in names


def test_the_theme_is_remembered_from_page_to_page(site: Written, desk: Any) -> None:
    theme = "document.documentElement.dataset.theme"
    desk.goto(address(site.folder / "index.html"))
    assert desk.evaluate(theme) == "light"
    desk.click("[data-theme-toggle]")
    desk.goto(address(site.folder / "attempts.html"))
    assert desk.evaluate(theme) == "dark"
    desk.click("[data-theme-toggle]")
    assert desk.evaluate(theme) == "light"


def test_the_first_tab_stop_skips_to_the_content(site: Written, desk: Any) -> None:
    desk.goto(address(site.folder / "index.html"))
    desk.keyboard.press("Tab")
    assert desk.evaluate("document.activeElement.className") == "skip"


@pytest.mark.parametrize("which", ["desk", "phone"])
def test_axe_finds_nothing_serious(
    site: Written, which: str, request: pytest.FixtureRequest
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing")
    page = request.getfixturevalue(which)
    for path in some_pages(site)[:5]:
        page.goto(address(path))
        drawn(page)
        found = axe.Axe().run(page, options={"preload": False}).response["violations"]
        serious = {
            each["id"]: [node["html"][:200] for node in each["nodes"][:3]]
            for each in found
            if each["impact"] in {"serious", "critical"}
        }
        assert serious == {}, path.name


def test_no_page_scrolls_sideways_on_a_phone(site: Written, phone: Any) -> None:
    for path in some_pages(site):
        phone.goto(address(path))
        drawn(phone)
        width = phone.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], path.name
    assert phone.evaluate("document.documentElement.dataset.theme") == "dark"
    assert phone.wrong == []
