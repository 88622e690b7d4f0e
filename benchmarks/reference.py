"""What solvers pass in one blind submission a task, by tier, beside what can be reached.

    python benchmarks/reference.py --count 100 --seed 7 --workers 2 --out FOLDER   # fresh tasks
    python benchmarks/reference.py --tier hard --count 100 --seed 7 --out FOLDER   # of one tier
    python benchmarks/reference.py SUITE --out FOLDER               # a suite of ours
    python benchmarks/reference.py --published PATH --out FOLDER    # public files, protocol paper
    python benchmarks/reference.py --count 20 --seed 7 --solvers greedy,greedy-gp --out FOLDER

A line a task goes into ``FOLDER/journal.jsonl``; the same command goes on where it stopped, and
further tiers, solvers or tasks may be added to the same folder. The table (also
``FOLDER/table.md``) holds passes with Wilson's 95 % interval, the ceiling, passes as a share of
the ceiling, the other solvers beside, and CPU seconds. Without ``--seed`` 128 random bits are
drawn, and kept in the folder.

The ceiling is the share of fresh noise realisations that the oracle passes (``--draws``, 25), with
other noise than that which the recipe accepted the tasks on. CPU seconds are those of the worker's
process, after a run that compiles and imports. ``--failures`` lists what went wrong, with the
log-likelihood of the submission less that of the oracle.
"""

from __future__ import annotations

import argparse
import json
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from ecliptic.analysis import wilson_interval
from ecliptic.rv.acceptance import Tally
from ecliptic.rv.auditing import audit
from ecliptic.rv.generator import generate
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.solvers import solve
from ecliptic.rv.stargazer import import_stargazer
from ecliptic.rv.tasks import RVTask
from ecliptic.suite import load_suite
from ecliptic.verdict import Verdict

TIERS = ("easy", "medium", "hard", "frontier", "faint", "real")
SOLVERS: dict[str, tuple[str, dict[str, Any]]] = {
    "reference": ("reference", {}),
    "classical": ("classical", {}),
    "greedy": ("greedy", {}),
    "greedy-gp": ("greedy", {"activity": True}),
}
BOUNDS = {  # per cent, at most: above, a tier is not hard by structure
    "greedy": {"medium": 75, "hard": 35, "frontier": 25},
    "greedy-gp": {"medium": 75, "hard": 70, "frontier": 45},
}
CEILING_SEED = 1
NEAR_ALIAS = 0.01
CYCLES_DAYS = (0.99726957, 1.0, 2.0, 365.25636)
Record = dict[str, Any]


def main() -> None:
    arguments = parsed()
    folder: Path = arguments.out
    folder.mkdir(parents=True, exist_ok=True)
    settings = settings_of(arguments, folder / "settings.json")
    journal = folder / "journal.jsonl"
    records = read_journal(journal)
    solvers = arguments.solvers.split(",")
    todo = []
    for tier, index in wanted(settings, arguments):
        have = records.get((tier, index), {"solvers": {}})
        missing = [name for name in solvers if name not in have["solvers"]]
        draws = arguments.draws if "ceiling" not in have else 0
        if missing or draws:
            todo.append((settings, tier, index, missing, draws))
    if todo:
        with (
            ProcessPoolExecutor(arguments.workers, get_context("spawn"), warm_up) as pool,
            journal.open("a", encoding="utf-8") as lines,
        ):
            for done in as_completed([pool.submit(measure, *each) for each in todo]):
                lines.write(json.dumps(done.result()) + "\n")
                lines.flush()
    records = read_journal(journal)
    told = table(list(records.values()), solvers, settings)
    (folder / "table.md").write_text(told + "\n", encoding="utf-8")
    print(told)
    if arguments.failures:
        print("\n".join(failures(list(records.values()), solvers[0])))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("suite", nargs="?", help="a suite; default: fresh tasks")
    parser.add_argument("--published", action="store_true", help="SUITE holds published files")
    parser.add_argument("--out", type=Path, required=True, help="folder of the journal")
    parser.add_argument("--tier", action="append", choices=TIERS, help="may be repeated")
    parser.add_argument("--count", type=int, default=20, help="fresh tasks a tier")
    parser.add_argument("--seed", type=int, help="default: 128 random bits")
    parser.add_argument("--solvers", default="reference,classical", help=", ".join(SOLVERS))
    parser.add_argument("--draws", type=int, default=25, help="of the ceiling; 0: no ceiling")
    parser.add_argument("--forward-model", choices=("keplerian", "nbody"), default="keplerian")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--failures", action="store_true", help="say what each failure is")
    arguments = parser.parse_args()
    unknown = set(arguments.solvers.split(",")) - set(SOLVERS)
    if unknown:
        parser.error(f"--solvers: not known: {', '.join(sorted(unknown))}")
    return arguments


def settings_of(arguments: argparse.Namespace, path: Path) -> Record:
    """Where the tasks come from; kept, so that no journal mixes two sources."""
    asked = {
        "suite": arguments.suite,
        "published": arguments.published,
        "forward_model": arguments.forward_model,
    }
    if path.exists():
        kept: Record = json.loads(path.read_text(encoding="utf-8"))
        if {**kept, **asked} != kept or arguments.seed not in (None, kept["seed"]):
            raise SystemExit(f"{path}: this folder holds other tasks; give --out another one")
        return kept
    seed = secrets.randbits(128) if arguments.seed is None else arguments.seed
    settings = {**asked, "seed": seed}
    path.write_text(json.dumps(settings) + "\n", encoding="utf-8")
    return settings


def wanted(settings: Record, arguments: argparse.Namespace) -> Iterator[tuple[str, int]]:
    if settings["suite"] is None:
        for tier in arguments.tier or TIERS[:-1]:
            yield from ((tier, index) for index in range(arguments.count))
        return
    for index, task in enumerate(read_suite(settings["suite"], settings["published"])):
        if arguments.tier is None or task.tier in arguments.tier:
            yield task.tier, index


def read_journal(path: Path) -> dict[tuple[str, int], Record]:
    """Records by task; what a later line adds comes to the earlier one."""
    records: dict[tuple[str, int], Record] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            new = json.loads(line)
        except ValueError:  # the last line of a run that was killed
            continue
        old = records.setdefault((new["tier"], new["index"]), new)
        solvers = {**old["solvers"], **new["solvers"]}
        old.update({**new, "generation_seconds": old["generation_seconds"], "solvers": solvers})
    return records


@cache
def read_suite(path: str, published: bool) -> tuple[RVTask, ...]:
    read: Any = import_stargazer if published else load_suite
    return tuple(read(path))


def warm_up() -> None:
    """Compile and import before anything is timed."""
    for tier in ("easy", "frontier"):
        task = generate(0, tier=tier, accept=None)
        for name, options in SOLVERS.values():
            solve(task.observation, name, max_planets=2, **options)
    audit(generate(0, tier="frontier", accept=None), draws=1)


def measure(settings: Record, tier: str, index: int, solvers: list[str], draws: int) -> Record:
    start = time.process_time()
    if settings["suite"] is None:
        tally = Tally()
        task = generate(
            settings["seed"], tier=tier, index=index, forward_model=settings["forward_model"],
            tally=tally,
        )  # fmt: skip
        made = {"rejected": dict(tally.rejected)}
    else:
        task = read_suite(settings["suite"], settings["published"])[index]
        made = {}
    record: Record = {
        "tier": tier,
        "index": index,
        "id": task.id,
        "planets": len(task.truth.planets),
        "structures": task.meta.get("structures", []),
        "forward_model": task.truth.forward_model,
        "generation_seconds": round(time.process_time() - start, 3),
        "solvers": {},
        **made,
    }
    protocol = "paper" if settings["published"] else "strict"
    for name in solvers:
        kind, options = SOLVERS[name]
        start = time.process_time()
        submission = solve(task.observation, kind, **options)
        seconds = time.process_time() - start
        verdict = evaluate(task, submission, protocol=protocol)
        record["solvers"][name] = {
            "passed": verdict.passed,
            "seconds": round(seconds, 3),
            **({} if verdict.passed else failure(task, submission, verdict)),
        }
    if draws:
        found = audit(task, protocol, draws=draws, seed=CEILING_SEED)
        assert found.ceiling is not None
        record["ceiling"] = [found.ceiling.passed, found.ceiling.draws]
    return record


def failure(task: RVTask, submission: dict[str, Any], verdict: Verdict) -> Record:
    recovery = task.truth.recovery
    mine = verdict.details.get("log_likelihood")
    return {
        "kind": kind_of(task, submission, verdict),
        "failed": [name for name, each in verdict.criteria.items() if not each.passed],
        "over_oracle": round(mine - recovery.log_likelihood, 2) if recovery and mine else None,
        "true_days": sorted(round(each.period_days, 4) for each in task.truth.planets),
        "found_days": sorted(round(each["period_days"], 4) for each in submission["planets"]),
    }


def kind_of(task: RVTask, submission: dict[str, Any], verdict: Verdict) -> str:
    """Missed or further planets, an alias or another wrong period, else the failed criteria."""
    found = np.array([1.0 / planet["period_days"] for planet in submission["planets"]])
    true = np.array([1.0 / planet.period_days for planet in task.truth.planets])
    if len(found) != len(true):
        return "missed planet" if len(found) < len(true) else "further planet"
    wrong = [f for f in found.tolist() if np.abs(true / f - 1.0).min(initial=1.0) > NEAR_ALIAS]
    if not wrong:
        failed = [name for name, each in verdict.criteria.items() if not each.passed]
        return "imprecise: " + " ".join(failed)
    for f in wrong:
        images = [f + sign / cycle for cycle in CYCLES_DAYS for sign in (1.0, -1.0)]
        if any(np.abs(true / abs(image) - 1.0).min() < NEAR_ALIAS for image in images if image):
            return "alias"
    if any(np.abs(true / (f * m) - 1.0).min() < NEAR_ALIAS for f in wrong for m in (0.5, 2.0)):
        return "multiple"
    return "wrong period"


def table(records: list[Record], solvers: list[str], settings: Record) -> str:
    source = settings["suite"] or f"fresh tasks of seed {settings['seed']}"
    lines = [
        f"{source}; protocol {'paper' if settings['published'] else 'strict'}, one submission",
        "",
        "| tier | solver | passed | % | 95 % interval | ceiling % | share of it % | bound % "
        "| CPU s: median | p90 | most | to make a task |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for tier in TIERS:
        here = [each for each in records if each["tier"] == tier]
        drawn = np.array([each["ceiling"] for each in here if "ceiling" in each]).reshape(-1, 2)
        ceiling = float(drawn[:, 0].sum() / drawn[:, 1].sum()) if len(drawn) else None
        for name in solvers:
            mine = [each for each in here if name in each["solvers"]]
            if not mine:
                continue
            outcomes = [each["solvers"][name] for each in mine]
            passed, n = sum(each["passed"] for each in outcomes), len(outcomes)
            low, high = wilson_interval(passed, n)
            seconds = np.array([each["seconds"] for each in outcomes])
            made = float(np.mean([each["generation_seconds"] for each in mine]))
            median, p90 = np.quantile(seconds, [0.5, 0.9])
            cells = [
                tier,
                name,
                f"{passed}/{n}",
                f"{100 * passed / n:.1f}",
                f"{100 * low:.1f}–{100 * high:.1f}",
                "" if ceiling is None else f"{100 * ceiling:.1f}",
                "" if not ceiling else f"{100 * passed / n / ceiling:.1f}",
                str(BOUNDS.get(name, {}).get(tier, "")),
                f"{median:.2f}",
                f"{p90:.1f}",
                f"{seconds.max():.1f}",
                f"{made:.2f}",
            ]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def failures(records: list[Record], solver: str) -> Iterator[str]:
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for each in records:
        outcome = each["solvers"].get(solver, {"passed": True})
        if not outcome["passed"]:
            kinds[each["tier"]][outcome["kind"]] += 1
            yield (
                f"{each['tier']} {each['index']} ({', '.join(each['structures'])}): "
                f"{outcome['kind']}; {', '.join(outcome['failed'])}; "
                f"ln L over the oracle's {outcome['over_oracle']}; "
                f"true {outcome['true_days']}, found {outcome['found_days']}"
            )
    for tier, counts in kinds.items():
        yield f"{tier}: " + ", ".join(f"{kind} {n}" for kind, n in counts.most_common())


if __name__ == "__main__":
    main()
