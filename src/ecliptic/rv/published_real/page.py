"""The page on the published real tasks, written by ``ecliptic archive published``."""

from __future__ import annotations

from collections.abc import Sequence

from ecliptic.rv.archive.agreement import measured
from ecliptic.rv.published_real.review import Review
from ecliptic.verdict import Verdict

INTRODUCTION = """\
The benchmark Stargazer (Liu et al. 2026, arXiv:2604.15664) holds tasks of real stars whose
published answers do not pass its own evaluator. Each was measured by

```sh
ecliptic archive published PATH-OF-THE-BENCHMARK --out docs/published-real-tasks.md
```

which also refits the star (sorted, with mixed zero points parted, repeated points and disturbed
ones in transit left out, planets added that the series shows and the file lacks), and grades both
the published planets and the refit under protocol `archival`. `--tasks FOLDER` writes the refitted
tasks as a suite. Planets are numbered as in the file; letters are those of planets that it leaves
out. Nothing on this page was written by hand but the names of the stars and the periods of planets
left out, which come from the papers cited.
"""
MEANINGS = """\
| fault | found when |
|---|---|
| `unsorted`, `repeated_points` | rows of the file go back in time, or stand there twice |
| `mixed_zero_points` | parting a label at a gap gains a delta-BIC of more than 30 |
| `in_transit` | residuals inside the transits exceed those outside (F test, p < 0.001) |
| `trend` | a trend, or a drift of one instrument, gains more than 20 |
| `missing_planet` | a known planet that the file lacks gains more than 20 |
| `further_signal` | so does another period; it is tolerated in the refitted task |
| `unsupported_planet` | removing a published planet costs less than 10 |
| `interaction` | N-body velocities gain more than 10 in ln L |
| `quarter_turn` | all measurable phases are off by 90 degrees |
| `phase` | a mean longitude is off by more than three sigma at the file's epoch |
| `period`, `amplitude` | off by more than three sigma of the refit |
| `jitter` | the refit leaves more than 1.5 times the median quoted error, the bar of `paper` |
"""


def published_page(reviews: Sequence[Review]) -> str:
    """Markdown: a table of verdicts, then a section a task."""
    oracle = sum(review.oracle.passed for review in reviews)
    truth = sum(review.truth.passed for review in reviews)
    paper = sum(review.paper.passed for review in reviews)
    head = (
        f"Of {len(reviews)} tasks the published planets pass protocol `paper` on {paper} and "
        f"`archival` on {truth}; the refit passes `archival` on {oracle}."
    )
    lines = [
        "| task | star | points | planets published / expected | published fails `paper` at | "
        "published fails `archival` at | refit | residuals, m/s | faults |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for review in reviews:
        refit = review.task.truth.refit
        assert refit is not None
        codes = ", ".join(dict.fromkeys(str(fault.code) for fault in review.faults))
        name = review.star.star if review.star else ""
        n = len(review.published.observation.times_days)
        given = len(review.published.truth.planets)
        lines.append(
            f"| {review.published.source_id} | {name} | {n} | {given} / {len(refit.planets)} | "
            f"{failed(review.paper)} | {failed(review.truth)} | "
            f"{'passes' if review.oracle.passed else failed(review.oracle)} | {refit.rms_ms:.2f} | "
            f"{codes} |"
        )
    sections = [_section(review) for review in reviews]
    parts = ["# The published real tasks", INTRODUCTION.rstrip(), head, "\n".join(lines)]
    return "\n\n".join([*parts, "## Faults", MEANINGS.rstrip(), *sections]) + "\n"


def _section(review: Review) -> str:
    refit = review.task.truth.refit
    assert refit is not None
    name = f", {review.star.star} ({review.star.source})" if review.star else ""
    lines = [f"## {review.published.source_id}{name}", ""]
    lines += [f"- `{fault.code}`: {fault.text}." for fault in review.faults] or ["- no fault"]
    for model, (rms, log_likelihood) in review.dynamical.items():
        lines.append(f"- `{model}`: residuals {rms:.2f} m/s, ln L {log_likelihood:.1f}.")
    if review.truth.diagnosis is not None:
        diagnosis = review.truth.diagnosis
        lines.append(f"- The published planets under `archival`: {diagnosis.code}.")
    lines += ["", "| planet | period, d | K, m/s | e |", "|---|---|---|---|"]
    for planet in (*refit.planets, *refit.tolerated):
        mark = "" if planet in refit.planets else " (tolerated)"
        lines.append(
            f"| {planet.name}{mark} | {measured(planet.period_days)} | "
            f"{measured(planet.semi_amplitude_ms)} | {measured(planet.e)} |"
        )
    return "\n".join(lines)


def failed(verdict: Verdict) -> str:
    """The criteria that failed, or that none did."""
    names = [name for name, criterion in verdict.criteria.items() if not criterion.passed]
    return ", ".join(names) or "nothing"


def summary_line(review: Review) -> str:
    """One line for the terminal."""
    codes = ", ".join(dict.fromkeys(str(fault.code) for fault in review.faults)) or "no fault"
    name = f" ({review.star.star})" if review.star else ""
    return (
        f"{review.published.source_id}{name}: {codes}; archival: published planets "
        f"{'pass' if review.truth.passed else 'fail'}, refit "
        f"{'passes' if review.oracle.passed else 'fails'}"
    )
