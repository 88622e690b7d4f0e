"""What the page of an attempt on a star shows: its submissions, one by one, and the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ecliptic.report.charts import Chart, Table, number
from ecliptic.report.criterion_meanings import meanings_of
from ecliptic.report.star_charts import Drawn

if TYPE_CHECKING:
    from ecliptic.analysis.failures import Details, SubmissionFacts
    from ecliptic.rv import RVTask
    from ecliptic.verdict import Verdict

LARGEST_MS = 1e9
PLANET_COLUMNS = ("", "Period (days)", "K (m/s)", "m sin i (M_Jup)", "e", "ω (rad)", "l (rad)")
SIGNS = {"<=": "≤", ">=": "≥", "==": "="}
PAIR_COLUMNS = ("Distance", "Allowed", "Period off by")


def star_section(details: Details) -> dict[str, Any]:
    """Submissions with criteria, planets and charts; the truth; why there is none."""
    star = details.star
    counted = details.counted
    submissions = [
        _submission(details, facts, verdict, facts is counted)
        for facts, verdict in zip(details.submissions, details.verdicts, strict=True)
    ]
    section: dict[str, Any] = {"submissions": submissions, "missing": details.missing}
    if star is None:
        return section | {"truth": None, "data_charts": []}
    charts: list[Chart] = []
    drawn = Drawn.of("data", star, None)
    if not any(each["charts"] for each in submissions):
        charts.append(drawn.series(all_points=True))
    charts.append(drawn.periodogram(residuals=False))
    return section | {"truth": _truth(star), "data_charts": charts}


def _submission(
    details: Details, facts: SubmissionFacts, verdict: Verdict | None, is_counted: bool
) -> dict[str, Any]:
    star = details.star
    charts: list[Chart] = []
    planets: Table | None = None
    if star is not None and facts.submission is not None:
        planets = _planets(star, facts, verdict)
        # A repetition looks as the first one does.
        if facts.status == "graded" and (facts.repeat_of is None or is_counted):
            charts = submission_charts(star, facts, all_points=is_counted)
    return {
        "number": facts.number,
        "status": facts.status,
        "passed": facts.passed,
        "counted": is_counted,
        "repeat_of": facts.repeat_of,
        "spent": _spent(facts),
        "criteria": None if verdict is None else _criteria(verdict),
        "criterion_meanings": () if verdict is None else meanings_of(verdict.criteria),
        "diagnosis": _diagnosis(verdict),
        "said": facts.said,
        "planets": planets,
        "charts": charts,
    }


def submission_charts(star: RVTask, facts: SubmissionFacts, *, all_points: bool) -> list[Chart]:
    """Charts of one submission; none where its velocities are beyond all drawing."""
    import numpy as np

    with np.errstate(all="ignore"):
        drawn = Drawn.of(f"s{facts.number}", star, facts.submission)
        largest = float(np.abs(drawn.model.residuals).max(initial=0.0))
        if not (np.isfinite(drawn.model.rows).all() and largest < LARGEST_MS):
            return []
        return drawn.charts(all_points=all_points)


def _spent(facts: SubmissionFacts) -> str:
    parts = []
    if facts.seconds is not None:
        parts.append(f"after {facts.seconds:.0f} s")
    if facts.tokens:
        parts.append(f"{facts.tokens:,} tokens")
    return ", ".join(parts)


def _criteria(verdict: Verdict) -> Table:
    return criteria_table(
        {
            name: (each.value, each.comparison, each.threshold, each.passed)
            for name, each in verdict.criteria.items()
        }
    )


def criteria_table(criteria: Mapping[str, tuple[Any, str, Any, bool]]) -> Table:
    """One row a criterion."""
    rows = [
        (name.replace("_", " "), "met" if passed else "not met", number(value),
         f"{SIGNS.get(comparison, comparison)} {number(threshold)}")
        for name, (value, comparison, threshold, passed) in criteria.items()
    ]  # fmt: skip
    return Table(("Criterion", "", "Value", "Needed"), rows, "Criteria", frozenset({2, 3}))


def _diagnosis(verdict: Verdict | None) -> str:
    if verdict is None or verdict.diagnosis is None:
        return ""
    return f"{str(verdict.diagnosis.code).replace('_', ' ')}: {verdict.diagnosis.message}"


def _rows(star: RVTask, planets: Any) -> list[tuple[Any, tuple[str, ...]]]:
    """Each planet with its cells, in the order given."""
    from ecliptic.rv.assessment import elements, planet_rows

    rows = elements(planet_rows(tuple(planets)), star.observation.star_mass_sun)
    return [
        (planet, (number(planet.period_days, 7), number(float(row[1]), 4),
                  number(planet.m_sin_i_mjup, 4), f"{planet.e:.3f}",
                  number(planet.omega_rad, 4), number(planet.l_rad, 4)))
        for planet, row in zip(planets, rows, strict=True)
    ]  # fmt: skip


def _truth(star: RVTask) -> Table:
    rows = [
        (f"true {at}", *cells) for at, (_, cells) in enumerate(_rows(star, star.truth.planets), 1)
    ]
    return Table(PLANET_COLUMNS, rows, "True planets", frozenset(range(1, 7)))


def _planets(star: RVTask, facts: SubmissionFacts, verdict: Verdict | None) -> Table:
    """Each true planet above the submitted one that the grader matched with it."""
    assert facts.submission is not None
    details: Mapping[str, Any] = {} if verdict is None else verdict.details
    pairs = [(int(i), int(j), float(d)) for i, j, d in details.get("pairs") or ()]
    tolerances = details.get("tolerances") or ()
    deviations = details.get("period_deviations") or ()
    true, mine = _rows(star, star.truth.planets), _rows(star, facts.submission.planets)
    rows: list[tuple[str, ...]] = []
    for at, (i, j, distance) in enumerate(pairs):
        allowed = number(tolerances[i], 3) if i < len(tolerances) else "–"
        off = f"{number(deviations[at], 3)} of 1" if at < len(deviations) else "–"
        rows.append((f"true {i + 1}", *true[i][1], "", "", ""))
        rows.append((f"submitted {j + 1}", *mine[j][1], number(distance, 3), allowed, off))
    paired_true, paired_mine = {i for i, _, _ in pairs}, {j for _, j, _ in pairs}
    none = ("no partner", "", "")
    rows += [(f"true {i + 1}", *cells, *none) for i, (_, cells) in enumerate(true)
             if i not in paired_true]  # fmt: skip
    rows += [(f"submitted {j + 1}", *cells, *none) for j, (_, cells) in enumerate(mine)
             if j not in paired_mine]  # fmt: skip
    columns = (*PLANET_COLUMNS, *PAIR_COLUMNS)
    return Table(columns, rows, "Submitted planets beside the true ones", frozenset(range(1, 10)))
