from __future__ import annotations

import pytest

from ecliptic.grading import grade
from ecliptic.grading.diagnose import GradingDiagnosis

IONS = "H+, He2+ and O6+"
LAYERS = "bow shock, magnetosheath, magnetopause"


@pytest.mark.parametrize(
    ("gold", "answer", "outcome", "code"),
    [
        (IONS, "H+, He2+, and O6+", "correct", None),
        (LAYERS, "1. Bow shock\n2. Magnetosheath\n3. Magnetopause", "correct", None),
        (LAYERS, "bow shock -> magnetosheath -> magnetopause", "correct", None),
        (IONS, "H+ and O6+", "incorrect", GradingDiagnosis.INCOMPLETE),
        (LAYERS, "bow shock, magnetopause", "incorrect", GradingDiagnosis.INCOMPLETE),
        (IONS, "H+, He2+, O6+ and Fe10+", "incorrect", GradingDiagnosis.EXTRA_SOLUTION),
        (LAYERS, "magnetopause, magnetosheath, bow shock", "undecided", GradingDiagnosis.UNDECIDED),
        (IONS, "H+, He2+ and Fe10+", "undecided", GradingDiagnosis.UNDECIDED),
        (IONS, "H+, He2+ or O6+", "undecided", GradingDiagnosis.UNDECIDED),
        (IONS, "H+, He2+ and not O6+", "incorrect", GradingDiagnosis.CONTRADICTION),
    ],
)
def test_bare_lists(gold: str, answer: str, outcome: str, code: GradingDiagnosis | None) -> None:
    verdict = grade(gold=gold, answer=answer)
    assert verdict.outcome == outcome
    assert (verdict.diagnosis and verdict.diagnosis.code) == code


def test_a_missing_item_is_named_as_the_gold_writes_it() -> None:
    diagnosis = grade(gold=IONS, answer="H+ and O6+").diagnosis
    assert diagnosis is not None
    assert diagnosis.evidence["missing"] == ["He2+"]
