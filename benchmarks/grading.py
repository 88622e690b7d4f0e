"""Accuracy and speed of the grader on labelled pairs, math-verify beside it in the same run.

    python benchmarks/grading.py PAIRS.jsonl [--math-verify] [--failures]

A ``same`` pair is right when the grader accepts, a ``different`` one when it does not. For kind
``text`` without a verifier, ``undecided`` on a ``same`` pair is right too. Contested pairs do not
count. Speed is that of one core, warm; the share of adversarial pairs is timed apart.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

SECONDS = 5.0
HANG_SECONDS = 2.0
START_SECONDS = 3.0
"""For the start of the grader's worker, once a process."""
NUMBERS = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--math-verify", action="store_true", help="run math-verify beside it")
    parser.add_argument("--failures", action="store_true", help="list what went wrong")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        serve(options.child)
        return
    pairs = [json.loads(line) for line in options.pairs.read_text("utf-8").splitlines() if line]
    results = {"ecliptic": run_ecliptic(pairs)}
    if options.math_verify:
        for name, tolerance in (("math-verify", 0.0), ("math-verify 5 %", 0.05)):
            results[name] = run_math_verify(pairs, tolerance)
    for name, outcomes in results.items():
        show(name, pairs, outcomes, failures=options.failures)
    show_numbers()


Outcome = tuple[str, float]
"""("same" | "different" | "undecided" | "hang", seconds)."""


def run_ecliptic(pairs: list[dict[str, Any]]) -> list[Outcome]:
    from ecliptic.grading import grade

    # Imports, tables and the worker's start are not part of an answer.
    grade(gold=r"$\int_0^1 x^2\,dx$", answer=r"$\frac{1}{3}$")
    grade(gold="5 nT", answer="5e-5 G")
    time.sleep(START_SECONDS)
    outcomes: list[Outcome] = []
    names = {"correct": "same", "incorrect": "different", "undecided": "undecided"}
    for pair in pairs:
        start = time.perf_counter()
        verdict = grade(gold=pair["gold"], answer=pair["pred"])
        seconds = time.perf_counter() - start
        outcome = "hang" if seconds > HANG_SECONDS else names[verdict.outcome]
        outcomes.append((outcome, seconds))
    return outcomes


class Child:
    """math-verify in a process of its own, killed after ``SECONDS`` on one pair."""

    def __init__(self, tolerance: float) -> None:
        self._command = [sys.executable, __file__, "-", "--child", str(tolerance)]
        self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._read(60.0)

    def _read(self, seconds: float) -> bytes:
        import select

        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], seconds)
        return self._process.stdout.readline() if ready else b""

    def ask(self, pair: dict[str, Any]) -> Outcome:
        assert self._process.stdin is not None
        start = time.perf_counter()
        request = json.dumps([pair["gold"], pair["pred"]]).encode()
        self._process.stdin.write(request + b"\n")
        self._process.stdin.flush()
        line = self._read(SECONDS)
        seconds = time.perf_counter() - start
        if line:
            return json.loads(line), seconds
        self.close()
        self._start()
        return "hang", seconds

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def run_math_verify(pairs: list[dict[str, Any]], tolerance: float) -> list[Outcome]:
    child = Child(tolerance)
    outcomes = [child.ask(pair) for pair in pairs]
    child.close()
    return outcomes


def serve(tolerance: str) -> None:
    """In the child: one verdict a line; signals would not work anywhere else."""
    import logging

    from math_verify import parse, verify

    logging.disable()
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        gold, prediction = json.loads(line)
        try:
            answer = parse(prediction, parsing_timeout=None)
            truth = parse(gold, parsing_timeout=None)
            alike = verify(truth, answer, timeout_seconds=None)
            if not alike and float(tolerance):
                alike = close(truth, answer, float(tolerance))
        except Exception:  # noqa: BLE001  another program's faults are counted as not accepted
            alike = False
        print(json.dumps("same" if alike else "different"), flush=True)


def close(gold: list[Any], answer: list[Any], tolerance: float) -> bool:
    """Whether the first values are numbers within the tolerance."""
    if not gold or not answer:
        return False
    left, right = float(gold[0]), float(answer[0])
    return abs(left - right) <= tolerance * abs(left)


def is_right(pair: dict[str, Any], outcome: str) -> bool:
    if pair["expected"] == "same":
        return outcome == "same" or (pair["kind"] == "text" and outcome == "undecided")
    return outcome != "same" and outcome != "hang"


def show(
    name: str, pairs: list[dict[str, Any]], outcomes: list[Outcome], *, failures: bool
) -> None:
    counted = [
        (pair, outcome)
        for pair, (outcome, _) in zip(pairs, outcomes, strict=True)
        if not pair["contested"]
    ]
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    faults: defaultdict[str, int] = defaultdict(int)
    for pair, outcome in counted:
        total[pair["kind"]] += 1
        good = is_right(pair, outcome)
        right[pair["kind"]] += good
        if outcome == "same" and pair["expected"] == "different":
            faults["false accepts"] += 1
        elif not good:
            faults["hangs" if outcome == "hang" else "false rejects"] += outcome != "undecided"
            faults["undecided"] += outcome == "undecided"
        if failures and not good:
            print(f"  {name}: {pair['id']}: {outcome}, not {pair['expected']}: {pair['why']}")
    share = 100 * sum(right.values()) / sum(total.values())
    print(f"\n{name}: {share:.1f} % of {len(counted)} uncontested pairs right")
    print("  " + ", ".join(f"{kind} {right[kind]}/{total[kind]}" for kind in sorted(total)))
    different = sum(pair["expected"] == "different" for pair, _ in counted)
    print(
        f"  false accepts {faults['false accepts']} of {different}, "
        f"false rejects {faults['false rejects']} of {len(counted) - different}, "
        f"undecided {faults['undecided']}, hangs {faults['hangs']}"
    )
    for title, adversarial in (("", False), (" (adversarial)", True)):
        seconds = sorted(
            took
            for pair, (_, took) in zip(pairs, outcomes, strict=True)
            if (pair["kind"] == "adversarial") == adversarial
        )
        if seconds:
            middle = seconds[len(seconds) // 2]
            late = seconds[min(int(0.99 * len(seconds)), len(seconds) - 1)]
            print(
                f"  ms a pair{title}: median {1e3 * middle:.2f}, p99 {1e3 * late:.1f}, "
                f"most {1e3 * seconds[-1]:.1f}"
            )


def show_numbers() -> None:
    """Time of many different numeric answers with units."""
    import random

    from ecliptic.grading import grade

    stream = random.Random(1)
    work = [
        (rf"${value:.3g}\ \mathrm{{km\,s^{{-1}}}}$", f"{1e3 * value:.4g} m/s")
        for value in (stream.uniform(100, 1000) for _ in range(NUMBERS))
    ]
    start = time.perf_counter()
    accepted = sum(grade(gold=gold, answer=answer, type="numeric").passed for gold, answer in work)
    seconds = time.perf_counter() - start
    print(f"\n{NUMBERS} numeric answers: {seconds:.2f} s, {accepted} accepted")


if __name__ == "__main__":
    main()
