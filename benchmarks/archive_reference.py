"""Do blind solvers recover the published planets of real stars? A line a star, protocol archival.

    python benchmarks/archive_reference.py --out FOLDER                 # all, reference and oracle
    python benchmarks/archive_reference.py --out FOLDER --star "GJ 581" --star "51 Peg"
    python benchmarks/archive_reference.py --out FOLDER --solvers greedy-gp,classical

Every star of the suite ``archival``, those with few points and a short range first. One blind
submission a solver and star; ``oracle`` is what is reached by who knows the truth
(:mod:`ecliptic.rv.oracle`), the better of two submissions. A line a star and solver goes into
``FOLDER/journal.jsonl`` at once; the same command goes on where it stopped. The table (also
``FOLDER/table.md``) tells what passed, in how many CPU seconds, and what was wrong. ``--again``
measures anew what had failed.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from ecliptic.rv.generator import generate
from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.oracle import as_submission, consult
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.solvers import solve
from ecliptic.rv.tasks import RVTask
from ecliptic.suite import load_suite

SOLVERS: dict[str, tuple[str, dict[str, Any]]] = {
    "reference": ("reference", {}),
    "classical": ("classical", {}),
    "greedy": ("greedy", {}),
    "greedy-gp": ("greedy", {"activity": True}),
}
PROTOCOL = "archival"
Record = dict[str, Any]


def main() -> None:
    arguments = parsed()
    folder: Path = arguments.out
    folder.mkdir(parents=True, exist_ok=True)
    journal = folder / "journal.jsonl"
    solvers = arguments.solvers.split(",")
    tasks = sorted(
        (each for each in load_suite("archival") if isinstance(each, RVTask)), key=effort
    )
    names = [name_of(task) for task in tasks]
    for star in arguments.star or ():
        if star not in names:
            raise SystemExit(f"--star: {star!r} is not in the suite (known: {', '.join(names)})")
    asked = [task for task in tasks if name_of(task) in (arguments.star or names)]
    records = read_journal(journal)
    warm_up()
    for name in solvers:
        for task in asked:
            have = records.get((name_of(task), name))
            if have is not None and (have["passed"] or not arguments.again):
                continue
            record = measured(task, name)
            records[record["star"], name] = record
            with journal.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(record) + "\n")
            print(line(record), flush=True)
    told = table([records[key] for key in sorted(records) if key[1] in solvers], solvers)
    (folder / "table.md").write_text(told + "\n", encoding="utf-8")
    print(told)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder of the journal")
    parser.add_argument("--star", action="append", help="may be repeated; default: all")
    parser.add_argument("--solvers", default="reference,oracle", help=", ".join(SOLVERS))
    parser.add_argument("--again", action="store_true", help="measure anew what had failed")
    arguments = parser.parse_args()
    unknown = set(arguments.solvers.split(",")) - {*SOLVERS, "oracle"}
    if unknown:
        parser.error(f"--solvers: not known: {', '.join(sorted(unknown))}")
    return arguments


def name_of(task: RVTask) -> str:
    """The star's."""
    return task.source_id or task.id


def effort(task: RVTask) -> float:
    """Points times independent frequencies: what a periodogram costs."""
    problem = problem_of(task.observation)
    data, family = problem.velocities, problem.family
    return len(data) * data.span_days * (1.0 / family.period_min_days)


def warm_up() -> None:
    """Compile and import before anything is timed."""
    task = generate(0, tier="frontier", accept=None)
    for name, options in SOLVERS.values():
        solve(task.observation, name, max_planets=1, **options)


def read_journal(path: Path) -> dict[tuple[str, str], Record]:
    """The last line of each star and solver."""
    records: dict[tuple[str, str], Record] = {}
    for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            record = json.loads(text)
        except ValueError:  # the last line of a run that was killed
            continue
        records[record["star"], record["solver"]] = record
    return records


def measured(task: RVTask, name: str) -> Record:
    """One submission, graded."""
    start = time.process_time()
    if name == "oracle":
        submissions = oracle_submissions(task)
    else:
        kind, options = SOLVERS[name]
        submissions = [solve(task.observation, kind, **options)]
    seconds = time.process_time() - start
    judged = [(evaluate(task, each, protocol=PROTOCOL), each) for each in submissions]
    verdict, submission = max(judged, key=lambda pair: (pair[0].passed, pair[0].score))
    found = [planet["period_days"] for planet in submission["planets"]]
    refit = task.truth.refit
    assert refit is not None
    criteria = {
        key: [_short(each.value), _short(each.threshold), each.passed]
        for key, each in verdict.criteria.items()
    }
    return {
        "star": name_of(task),
        "solver": name,
        "passed": verdict.passed,
        "criteria": criteria,
        "cpu_seconds": round(seconds, 1),
        "true_days": sorted(round(each.period_days, 4) for each in task.truth.planets),
        "found_days": sorted(round(each, 4) for each in found),
        "over_refit": _short(verdict.details["log_likelihood"] - refit.log_likelihood),
        "why": None if verdict.diagnosis is None else verdict.diagnosis.message,
        "submission": submission,
    }


def oracle_submissions(task: RVTask) -> list[Record]:
    """The fit from the truth, and the most likely model near it.

    The second alone will not do: real stars show signals beside the expected planets, and the most
    likely model of as many orbits may hold one of those in the place of a weak planet.
    """
    oracle = consult(task)
    return [
        as_submission(planets).model_dump(exclude_none=True)
        for planets in (oracle.from_truth.planets(), oracle.planets)
    ]


def _short(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else round(float(value), 4)


def line(record: Record) -> str:
    """A record in short."""
    failed = [name for name, (_, _, passed) in record["criteria"].items() if not passed]
    told = "passed" if record["passed"] else f"failed {', '.join(failed)}: {record['why']}"
    return f"{record['star']}, {record['solver']}, {record['cpu_seconds']} s: {told}"


def table(records: list[Record], solvers: list[str]) -> str:
    """Markdown: a row a star and solver, then a count a solver."""
    lines = [
        "| star | solver | passed | CPU s | true periods, d | found, d | ln L over the refit "
        "| why not |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in records:
        cells = [
            each["star"],
            each["solver"],
            "yes" if each["passed"] else "**no**",
            f"{each['cpu_seconds']:.0f}",
            ", ".join(f"{period:.6g}" for period in each["true_days"]),
            ", ".join(f"{period:.6g}" for period in each["found_days"]),
            "" if each["over_refit"] is None else f"{each['over_refit']:+.1f}",
            each["why"] or "",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    lines.append("")
    for name in solvers:
        mine = [each for each in records if each["solver"] == name]
        lines.append(f"{name}: {sum(each['passed'] for each in mine)} of {len(mine)} stars")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
