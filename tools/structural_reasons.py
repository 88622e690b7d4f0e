"""Writes docs/structural-reasons.md: a hard task for each structural reason, with a picture.

    python tools/structural_reasons.py --work FOLDER                # search, draw and write all
    python tools/structural_reasons.py --work FOLDER --only chain   # one picture anew

For each reason the tasks of one seed and tier are gone through in order. Taken is the first on
which a simple pipeline fails in the way that the reason explains, while the reference solver, blind
and with one submission, passes protocol ``strict``. How many tasks were looked at is told on the
page. What was found is kept in FOLDER, so that the same command goes on where it stopped.

The simple pipeline is the solver ``greedy``: planets one after another at the highest peak, joint
refits, no second thoughts, white noise, Keplerian orbits. Against drifts it has no terms for
drifts in its model either: that is what the reason is about.

Planets that pull on each other are a reason of their own only where the whole search of the
reference solver, with Keplerian orbits, fails as well. Both Keplerian attempts are graded by
Keplerian velocities, not by integrating orbits that were never meant to be.
"""

from __future__ import annotations

import argparse
import json
from functools import cache
from pathlib import Path
from typing import Any

from structural_cases import REASONS, SEED, Reason
from structural_interaction import draw_interaction
from structural_pictures import Attempt, draw_reason

from ecliptic.rv.generator import generate
from ecliptic.rv.inference.fitting import Fit, fit_noise
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.plots import save_figure
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.solvers import solve
from ecliptic.rv.solvers.greedy import with_highest_peak
from ecliptic.rv.tasks import RVTask

WORTH = 20.0
MAX_TASKS = 400
DOCS = Path(__file__).parents[1] / "docs"
PAGE, FOLDER = "structural-reasons.md", "structural-reasons"
Record = dict[str, Any]
INTRODUCTION = """\
# Why tasks are hard

A task of the recipe `ecliptic` is hard by its structure, never because the data hold too little:
every one is audited ([radial-velocities.md](radial-velocities.md)). Here is one task for each
structural reason. A simple pipeline, planets one after another at the highest peak, fails on it;
the solver `reference`, blind and with one submission, passes protocol `strict`.

In each picture: on top the velocities less zero points, drifts and trend, with the reference's
model. Below, the simple pipeline: the periodogram at the step where it went wrong (▼ what it
took, ▲ the true periods; the height is the gain in ln L of a sinusoid), and the velocities folded
at periods that it submitted, less its other planets. At the bottom the reference: the periodogram
beside all its planets but one, and the velocities folded at planets that were missed above, less
the others and the activity. The picture of planets that pull on each other shows the pull itself,
and what the best Keplerian orbits and the reference's planets leave of the velocities.

Pictures and figures come from `python tools/structural_reasons.py --work FOLDER`, which takes the
first task of a seed and tier that shows the reason.\
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--work", type=Path, required=True, help="folder of what was found")
    parser.add_argument("--only", action="append", choices=[each.key for each in REASONS])
    parser.add_argument("--docs", type=Path, default=DOCS)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    (arguments.docs / FOLDER).mkdir(exist_ok=True)
    sections = []
    for reason in REASONS:
        kept = arguments.work / f"{reason.key}.json"
        if not kept.exists():
            if arguments.only and reason.key not in arguments.only:
                continue  # the page then lacks it
            kept.write_text(json.dumps(found_for(reason)), encoding="utf-8")
        record: Record = json.loads(kept.read_text(encoding="utf-8"))
        if not arguments.only or reason.key in arguments.only:
            task = task_of(reason, record["index"])
            if task.id != record["id"]:
                raise SystemExit(f"{kept}: of another version of the recipe; remove it")
            simple, reference = attempts(task, reason, record["reference"])
            picture = arguments.docs / FOLDER / f"{reason.key}.png"
            if reason.forward_model == "nbody":
                figure = draw_interaction(task, reference)
            else:
                figure = draw_reason(task, simple, reference, *reason.about(task, simple))
            save_figure(figure, picture)
        sections.append(section(reason, record))
    (arguments.docs / PAGE).write_text(page(sections), encoding="utf-8")


def task_of(reason: Reason, index: int) -> RVTask:
    return task_at(reason.tier, index, reason.forward_model)


@cache
def task_at(tier: str, index: int, forward_model: str) -> RVTask:
    """Kept, as reasons look at the same ones."""
    return generate(SEED, tier=tier, index=index, forward_model=forward_model)


def keplerian_twin(task: RVTask) -> RVTask:
    """The same star, declared to have planets that do not pull on each other."""
    assert task.observation.family is not None
    update = {"forward_model": "keplerian"}
    family = task.observation.family.model_copy(update=update)
    observation = task.observation.model_copy(update={"family": family})
    truth = task.truth.model_copy(update=update)
    return task.model_copy(update={"observation": observation, "truth": truth})


def found_for(reason: Reason) -> Record:
    """The first task that the reason makes hard, and what both solvers hand in."""
    looked = failed = 0
    for index in range(MAX_TASKS):
        task = task_of(reason, index)
        if reason.structure is not None and reason.structure not in task.meta["structures"]:
            continue
        family = task.observation.family
        assert family is not None
        if reason.forward_model != family.forward_model:
            continue
        looked += 1
        simple = Attempt.of(keplerian_twin(task), simple_levels(task, reason)[-1])
        if simple.passed:
            continue
        failed += 1
        if not reason.explains(task, simple):
            continue
        still = without_pull(task) if reason.forward_model == "nbody" else {}
        if still.get("why") == "passed":
            continue
        submission = solve(task.observation, "reference")
        verdict = evaluate(task, submission, protocol="strict")
        print(reason.key, index, simple.periods, verdict.passed, flush=True)
        if verdict.passed:
            return {
                "index": index, "id": task.id, "looked": looked, "failed": failed,
                "true": [planet.period_days for planet in by_period(task)],
                "true_e": [planet.e for planet in by_period(task)],
                "simple": simple.submission, "simple_why": simple.why,
                "simple_rms": simple.rms_ms, "reference_rms": verdict.details["rms_ms"],
                "reference": submission, "keplerian": still,
            }  # fmt: skip
    raise SystemExit(f"{reason.key}: none of {MAX_TASKS} tasks of seed {SEED}")


def without_pull(task: RVTask) -> Record:
    """What the reference solver hands in where its orbits may not pull on each other."""
    twin = keplerian_twin(task)
    submission = solve(twin.observation, "reference")
    attempt = Attempt.of_submission(twin, submission)
    return {"submission": submission, "why": attempt.why, "rms": attempt.rms_ms}


def by_period(task: RVTask) -> list[Any]:
    return sorted(task.truth.planets, key=lambda planet: planet.period_days)


def simple_levels(task: RVTask, reason: Reason) -> list[Fit]:
    """The models of the solver ``greedy``, one planet after another."""
    observation = task.observation
    if not reason.drifts and observation.family is not None:
        blind = observation.family.model_copy(update={"drifting": ()})
        observation = observation.model_copy(update={"family": blind})
    levels = [fit_noise(Problem.of(observation))]
    while levels[-1].n_planets < 7:
        more = with_highest_peak(levels[-1])
        if more is None or not levels[-1].bic - more.bic > WORTH:
            break
        levels.append(more)
    return levels


def attempts(task: RVTask, reason: Reason, submission: Record) -> tuple[Attempt, Attempt]:
    levels = simple_levels(task, reason)
    simple = Attempt.of(keplerian_twin(task), levels[-1], levels)
    return simple, Attempt.of_submission(task, submission)


def section(reason: Reason, record: Record) -> str:
    """One reason of the page."""
    simple = listed(record["simple"]["planets"])
    reference = listed(record["reference"]["planets"])
    still = record.get("keplerian") or {}
    row = "| reference, but Keplerian orbits | {} | {rms:.2f} | {why} |"
    more = [row.format(listed(still["submission"]["planets"]), **still)] if still else []
    true = ", ".join(told(P, e) for P, e in zip(record["true"], record["true_e"], strict=True))
    which = f"structure `{reason.structure}`" if reason.structure else "any structure"
    if reason.forward_model == "nbody":
        which = "interacting planets"
    return "\n".join(
        [
            f"## {reason.title}",
            "",
            f"{reason.hard} **Resolved:** {reason.resolved[0].lower()}{reason.resolved[1:]}",
            "",
            f"![{reason.title}]({FOLDER}/{reason.key}.png)",
            "",
            "| | periods in days (e where over 0.1) | RMS, m/s | verdict |",
            "|---|---|---|---|",
            f"| truth | {true} | | |",
            f"| simple pipeline | {simple} | {record['simple_rms']:.2f} | {record['simple_why']} |",
            *more,
            f"| reference | {reference} | {record['reference_rms']:.2f} | passed |",
            "",
            f"Task {record['index']} of seed {SEED}, tier {reason.tier} "
            f"(`{record['id']}`), the {nth(record['looked'])} looked at with {which}; the simple "
            f"pipeline had failed on {record['failed']} of them.",
        ]
    )


def nth(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


def listed(planets: list[Record]) -> str:
    return ", ".join(told(each["period_days"], each["e"]) for each in planets) or "none"


def told(period: float, e: float) -> str:
    return f"{period:.5g}" + (f" ({e:.2f})" if e > 0.1 else "")


def page(sections: list[str]) -> str:
    return "\n\n".join([INTRODUCTION, *sections]) + "\n"


if __name__ == "__main__":
    main()
