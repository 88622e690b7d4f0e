"""The shipped stars as tasks: whole, graded fairly, and without reward for no insight."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import ecliptic
from ecliptic import rv
from ecliptic.errors import UsageError
from ecliptic.rv import archive
from ecliptic.rv.archive.agreement import agreement_table, measured, rows_of, summary
from ecliptic.rv.archive.agreement_page import agreement_page
from ecliptic.rv.archive.shipped_tasks import read_task, refit_star
from ecliptic.rv.floor import floor_submissions
from ecliptic.rv.oracle import as_submission
from ecliptic.rv.refit_records import PARAMETERS, Measured
from ecliptic.rv.tasks import RVTask

SUITE = ecliptic.load_suite("archival")
NAMES = [entry.key for entry in SUITE.entries()]
BY_NAME: dict[str, RVTask] = dict(zip(NAMES, SUITE, strict=True))


@cache
def shipped() -> list[RVTask]:
    """Every shipped star, in and out of the suite."""
    return [BY_NAME.get(name) or read_task(name) for name in archive.stars()]


def a_sine_is_right(task: RVTask) -> bool:
    """Whether there is one planet, on an orbit that the data cannot tell from a circle."""
    refit = task.truth.refit
    assert refit is not None
    names = [i for i, name in enumerate(PARAMETERS) if name in ("e_cos_omega", "e_sin_omega")]
    h = np.array([*(refit.median[i] for i in names)])
    if len(refit.planets) > 1:
        return False
    return float(h @ np.linalg.solve(np.array(refit.covariance)[np.ix_(names, names)], h)) < 9.0


def test_the_suite_holds_the_stars_that_can_be_analysed_blind() -> None:
    assert len(NAMES) >= 15
    assert set(NAMES) == {n for n in archive.stars() if archive.published_values(n).expected}
    for task in SUITE:
        assert task.tier == "real"
        assert task.observation.family is not None
        letters = {planet.letter for planet in archive.published_values(task.source_id).expected}
        assert {planet.name for planet in task.truth.refit.planets} == letters


@pytest.mark.parametrize("name", NAMES)
def test_the_refit_passes_and_no_planet_or_padding_does(name: str) -> None:
    task = BY_NAME[name]
    verdict = rv.evaluate(task, as_submission(task.truth.planets), "archival")
    assert verdict.passed, verdict.criteria
    assert min(verdict.details["delta_bic_per_planet"]) > 20.0
    floor = floor_submissions(task, task.truth.planets)
    passed = {each for each in floor if rv.evaluate(task, floor[each], "archival").passed}
    assert passed <= ({"sine"} if a_sine_is_right(task) else set())


def test_a_task_comes_back_from_its_files(tmp_path: Path) -> None:
    from ecliptic.suite import load_suite, write_suite

    tasks = [BY_NAME["HD 164922"], BY_NAME["GJ 436"]]
    for place in (tmp_path / "folder", tmp_path / "table.parquet"):
        write_suite(tasks, place, name="two")
        assert {task.id: task for task in load_suite(place)} == {task.id: task for task in tasks}


def test_a_refit_made_anew_is_the_shipped_one() -> None:
    again, shipped = refit_star("K2-140"), read_task("K2-140")
    assert again.id == shipped.id
    one, other = again.truth.refit, shipped.truth.refit
    assert one is not None
    assert other is not None
    assert one.log_likelihood == pytest.approx(other.log_likelihood, abs=1e-3)
    sigmas = np.sqrt(np.diag(other.covariance))
    assert (np.abs(np.array(one.median) - other.median) < 0.05 * sigmas).all()


def test_published_values_agree_but_for_a_period_as_long_as_the_series() -> None:
    rows = rows_of(shipped())
    apart = {f"{row.star} {row.planet.name}" for row in rows if row.expected and not row.agrees}
    assert apart == {"GJ 849 c"}
    assert "covers 1.5 orbits" in next(row.reason for row in rows if row.planet.name == "c"
                                       and row.star == "GJ 849")  # fmt: skip
    assert agreement_table(rows).count("\n") == len(rows) + 1
    assert f"{len([row for row in rows if row.expected])} expected planets" in summary(rows)


def test_the_page_in_the_documentation_is_of_the_shipped_refits() -> None:
    page = Path(__file__).parents[3] / "docs" / "archival-agreement.md"
    tasks = shipped()
    assert page.read_text() == agreement_page(tasks, rows_of(tasks), "archival-agreement.png")


@pytest.mark.parametrize(
    ("value", "sigma", "text"),
    [
        (12.4584, 0.0023, "12.4584 ± 0.0023"),
        (1201.13, 5.6, "1201.1 ± 5.6"),
        (4757.45, 163.0, "4757 ± 163"),
        (49.7, None, "49.7"),
    ],
)
def test_uncertainties_have_two_digits(value: float, sigma: float | None, text: str) -> None:
    assert measured(Measured(value=value, sigma=sigma)) == text


def test_another_name_has_no_task() -> None:
    with pytest.raises(UsageError, match="is not a shipped star"):
        read_task("HD 1")
