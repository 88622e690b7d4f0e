"""Numbers inside formulas, prefixes apart from their units, sets; integrals and premises."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ecliptic.grading import grade

FILES = ("formula_terms.jsonl", "integrals_and_premises.jsonl")
CASES = [
    json.loads(line)
    for name in FILES
    for line in Path(__file__).with_name(name).read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[str(number) for number in range(1, len(CASES) + 1)])
def test_a_formula_is_read_whole(case: dict[str, str]) -> None:
    verdict = grade(gold=case["gold"], answer=case["answer"])
    assert verdict.passed == (case["expected"] == "correct"), (case, verdict.diagnosis)
