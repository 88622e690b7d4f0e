"""Time to read a formula: ``python benchmarks/parse.py [FILE]``.

FILE holds JSON lines with "gold" and "pred"; without one the formulas are those of
``tests/grading/latex_cases.json``. Best of five runs a formula, after one to warm up.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

from ecliptic.grading.latex import parse
from ecliptic.grading.lexer import tokenize
from ecliptic.grading.parse_failure import ParseFailure

CASES = Path(__file__).parent.parent / "tests" / "grading" / "latex_cases.json"


def formulas(arguments: list[str]) -> list[str]:
    if not arguments:
        return [case["text"] for case in json.loads(CASES.read_text(encoding="utf-8"))]
    rows = [
        json.loads(line) for line in Path(arguments[0]).read_text(encoding="utf-8").splitlines()
    ]
    rows = [row for row in rows if row.get("kind", "sym").startswith("sym")]
    return sorted({row[side] for row in rows for side in ("gold", "pred")})


def seconds(function, text: str) -> float:
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        function(text)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    texts = formulas(sys.argv[1:])
    readable = []
    for text in texts:
        try:
            parse(text)
        except ParseFailure:
            continue
        readable.append(text)
    print(f"{len(readable)} of {len(texts)} texts are formulas")
    print(f"{'':10}{'median ms':>12}{'p99 ms':>12}")
    for name, function in (("tokens", tokenize), ("tree", parse)):
        times = 1e3 * np.array([seconds(function, text) for text in readable])
        print(f"{name:10}{np.median(times):12.3f}{np.percentile(times, 99):12.3f}")


if __name__ == "__main__":
    main()
