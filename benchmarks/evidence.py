"""log10 evidences of solver ``nested`` beside those of nine teams.

The data are simulated velocities of the Third Extremely Precise Radial Velocities evidence
challenge (Nelson et al. 2020, AJ 159, 73): a folder with ``rvs_0001.txt`` ... and
``log10_evidence.csv``. Run as ``python benchmarks/evidence.py FOLDER`` or with the folder in
``ECLIPTIC_EVIDENCE_DATA``. The broad prior of the period is used.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import statistics
from collections import defaultdict
from pathlib import Path

import numpy as np

from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.solvers.nested_kernel import quasi_periodic_ms2
from ecliptic.rv.solvers.nested_model import NestedModel
from ecliptic.rv.solvers.nested_run import Effort, Run, runs
from ecliptic.rv.tasks import ModelFamily, Observation

VARIABLE = "ECLIPTIC_EVIDENCE_DATA"
PERIODS_DAYS = (1.25, 1e4)
KERNEL = {
    "variance_ms2": 3.0,
    "rotation_days": 20.0,
    "periodic_length": 0.5,
    "decay_days": 50.0,
}
ALLOWED = {0: 0.2, 1: 0.6, 2: 1.2}
Values = dict[tuple[int, int], dict[str, float]]


def main() -> None:
    options = _options()
    folder = Path(options.folder)
    reported = read_reported(folder / "log10_evidence.csv")
    effort = Effort(live_points=options.live, walks=options.walks)
    sets = options.sets or sorted(
        int(match[1]) for path in folder.iterdir() if (match := re.match(r"rvs_(\d+)", path.name))
    )
    ours: dict[tuple[int, int], Run] = {}
    print("set planets   log10 Z  error | methods: median   differ     low    high | teams: median")
    for number in sets:
        model = read_model(folder / f"rvs_{number:04d}.txt")
        for run in runs(model, options.planets, effort, options.seed):
            ours[number, run.n_planets] = run
            print(line(number, run, reported.get((number, run.n_planets), {})), flush=True)
    table(ours, reported)


def read_model(path: Path) -> NestedModel:
    """The challenge's model of one data set."""
    times, rvs, sigmas = np.loadtxt(path).T
    observation = Observation(
        times_days=times,
        rvs_ms=rvs,
        sigmas_ms=sigmas,
        instruments=("simulated",) * len(times),
        star_mass_sun=1.0,
        family=ModelFamily(period_min_days=PERIODS_DAYS[0], period_max_days=PERIODS_DAYS[1]),
    )
    covariance = quasi_periodic_ms2(times, **KERNEL)
    return NestedModel.of(Problem.of(observation), covariance=covariance)


def read_reported(path: Path, prior: str = "broad") -> Values:
    """Set and number of planets to method to value."""
    values: Values = defaultdict(dict)
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                if row["period_prior"] == prior:
                    key = int(row["dataset"]), int(row["n_planets"])
                    values[key][row["method"]] = float(row["log10_evidence_median"])
    return values


def line(number: int, run: Run, methods: dict[str, float]) -> str:
    """One row: ours, the methods' median and range, the median of the teams' own medians."""
    text = f"{number:3d} {run.n_planets:7d} {run.log10_evidence:9.2f} {run.log10_error:6.2f} | "
    if methods:
        values = list(methods.values())
        median = statistics.median(values)
        difference = run.log10_evidence - median
        text += f"{median:15.2f} {difference:+8.2f} {min(values):7.1f} {max(values):7.1f} | "
        text += f"{statistics.median(by_team(methods).values()):13.2f}"
        allowed = ALLOWED.get(run.n_planets)
        if allowed is not None:
            text += "  within" if abs(difference) <= allowed else "  OUTSIDE"
            text += f" {allowed}"
    return text + f"  {run.cpu_seconds:.1f} CPU s, {run.evaluations} likelihoods"


def by_team(methods: dict[str, float]) -> dict[str, float]:
    """The median of each team's methods."""
    teams: dict[str, list[float]] = defaultdict(list)
    for method, value in methods.items():
        teams[method.split("/")[0]].append(value)
    return {team: statistics.median(values) for team, values in teams.items()}


def table(ours: dict[tuple[int, int], Run], reported: Values) -> None:
    """Each method less ours, a column for each set and number of planets."""
    keys = [key for key in ours if key in reported]
    names = sorted({name for key in keys for name in reported[key]})
    if not names:
        return
    print("\nreported less ours, log10\n" + " " * 50 + "  ".join(f"{s}/{p}p" for s, p in keys))
    for name in names:
        cells = (reported[key].get(name) for key in keys)
        shown = (
            f"{value - ours[key].log10_evidence:6.2f}" if value is not None else "     -"
            for key, value in zip(keys, cells, strict=True)
        )
        print(f"{name:48s}" + "".join(shown))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    folder = os.environ.get(VARIABLE)
    parser.add_argument("folder", nargs="?" if folder else None, default=folder)
    parser.add_argument("--sets", type=int, nargs="*", help="numbers of data sets; all by default")
    parser.add_argument("--planets", type=int, default=2)
    parser.add_argument("--live", type=int, default=400)
    parser.add_argument("--walks", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
