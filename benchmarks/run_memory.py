"""Memory of a run over 10,000 cheap tasks: peak of the parent, of the workers and of both.

PSS counts a page that several processes share once in all, RSS once in each. The run resumes once
in the middle, so that reading back what was finished is measured as well.

    python benchmarks/run_memory.py [--tasks 10000] [--workers 2] [--solver null]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SAMPLE_SECONDS = 0.25
RUN = "from ecliptic.cli import main; main()"


def memory_mb(pid: int) -> tuple[float, float]:
    """RSS and PSS of a process; zeros once it has gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0, 0.0
    sizes = {line.split()[0]: float(line.split()[1]) / 1024 for line in lines[1:]}
    return sizes["Rss:"], sizes["Pss:"]


def children(pid: int) -> list[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


def watch(command: list[str], log: Path, journal: Path) -> list[tuple[float, ...]]:
    """Seconds, tasks done, then parent RSS, parent PSS, workers PSS in MB, sample by sample."""
    samples = []
    begin = time.monotonic()
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
        while process.poll() is None:
            rss, pss = memory_mb(process.pid)
            workers = sum(memory_mb(child)[1] for child in children(process.pid))
            done = journal.read_bytes().count(b"\n") if journal.exists() else 0
            samples.append((time.monotonic() - begin, float(done), rss, pss, workers))
            time.sleep(SAMPLE_SECONDS)
    if process.returncode:
        sys.exit(log.read_text())
    return samples


def report(samples: list[tuple[float, ...]]) -> None:
    print(f"{'seconds':>8} {'done':>6} {'parent RSS':>11} {'parent PSS':>11} {'workers PSS':>12}")
    step = max(len(samples) // 10, 1)
    for seconds, done, rss, pss, workers in samples[::step]:
        print(f"{seconds:8.1f} {done:6.0f} {rss:11.0f} {pss:11.0f} {workers:12.0f}")
    peak = [max(sample[column] for sample in samples) for column in range(5)]
    total = max(sample[3] + sample[4] for sample in samples)
    print(f"{'peak':>8} {peak[1]:6.0f} {peak[2]:11.0f} {peak[3]:11.0f} {peak[4]:12.0f}")
    print(f"peak of parent and workers together: {total:.0f} MB (PSS)\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--solver", default="null")
    arguments = parser.parse_args()

    from ecliptic.rv import generate_many
    from ecliptic.suite import write_suite

    with tempfile.TemporaryDirectory() as folder:
        suite, out = Path(folder) / "suite.parquet", Path(folder) / "results"
        write_suite(generate_many(1, arguments.tasks, recipe="paper"), suite)
        run = [sys.executable, "-c", RUN, "run", "stargazer", "--suite", str(suite)]
        run += ["--solver", arguments.solver, "--workers", str(arguments.workers)]
        run += ["--out", str(out)]
        for title, extra in (
            ("first half", ["--limit", str(arguments.tasks // 2)]),
            ("resumed to the end", []),
        ):
            print(f"{title} of {arguments.tasks} tasks, solver {arguments.solver}:")
            report(watch([*run, *extra], Path(folder) / "log", out / "results.jsonl"))
        print((Path(folder) / "log").read_text())


if __name__ == "__main__":
    main()
