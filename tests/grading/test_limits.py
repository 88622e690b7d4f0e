"""Answers that ask for too much: counted work ends them, and the next answer is graded."""

from __future__ import annotations

import time
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from ecliptic.grading import grade, simplify_worker
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.handed_in import Unreadable, readable
from ecliptic.grading.work_budget import WorkLimitError, counted_work, spend

SECONDS = 2.0
TRIPLE = r"\int_0^a\int_0^b\int_0^c \sqrt{x^2+y^2+q^2}\,\sin(x y z)\,dx\,dy\,dz"
BOMBS = {
    "triple integral in an equation": (f"$y={TRIPLE}$", f"$y=2({TRIPLE})$"),
    "special functions under three integrals": (
        r"$\sqrt{x}$",
        r"$\int_0^1\int_0^1\int_0^1 J_2(x y z) Y_1(x+y)\,dx\,dy\,dz$",
    ),
    "nested curls": (
        r"$\mathbf{C}$",
        "$" + r"\nabla\times(" * 20 + r"\mathbf{A}\times\mathbf{B}" + ")" * 20 + "$",
    ),
    "a long chain": ("$y=" + "=".join("x" * 2000) + "$", "$y=2(" + "=".join("x" * 2000) + ")$"),
    "many inequalities": ("<".join("x" * 500), "<".join("z" * 500)),
}


TEXTS = {
    "blanks": " " * 90_000 + "5",
    "tabs and blanks": "\t " * 40_000 + "x",
    "empty lines": "x\n" + " \n" * 40_000 + "y",
    "no-break spaces": "5" + "\u00a0" * 50_000 + "km",
    "formulas without end": "$x=1$ and " * 9_000,
    "displays without end": "$$a$$ and " * 9_000,
    "open tags": "<answer>" * 12_000 + "</final>",
    "tags": "<answer>5</answer>" * 5_000,
    "commas in front of a unit": "\\," + "," * 16_000 + r"\mathrm{cm^{-9}}$8.4",
    "sentences that only compare": "decreases with increasing " * 3_500,
    "final answers": "\n".join(f"Final answer: the flux {i} rises" for i in range(2_000)),
    "lines of a formula": "$" + "```\n" * 20_000 + "x$",
}


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (r"$\frac{1}{2004!}$", r"$rac{1}{2006!}$"),
        ("$10^{15}10^{99999}$", "10^150^15"),
        ("\u03bf = -11", "73e-5"),
        ("5 nT", "\u03bf = 5 nT"),
        ("$a+b$", r"$a+b$6+ + \prod_{k=1}^{n} $6.34\times51^{69}\ \mathrm{erg\,s^{-1}}$"),
        ("$a b$", r"$10^{200} a b$"),
        ("$M_A = 6$", "$M_A = 6$} (dimensionless)"),
        ("$M_A = 6$", r"$M_A = 6$ (dimensionless)\begin{cases}"),
    ],
)
def test_values_beyond_doubles_and_odd_letters_are_graded(gold: str, answer: str) -> None:
    assert grade(gold=gold, answer=gold).passed
    assert grade(gold=gold, answer=answer).outcome in {"correct", "incorrect", "undecided"}


def code_of(verdict: Any) -> object:
    return verdict.diagnosis and verdict.diagnosis.code


@pytest.mark.parametrize("name", BOMBS)
def test_too_much_work_is_a_resource_limit(name: str) -> None:
    gold, answer = BOMBS[name]
    begin = time.thread_time()
    verdict = grade(gold=gold, answer=answer, type="symbolic")
    assert time.thread_time() - begin < SECONDS
    assert (verdict.outcome, code_of(verdict)) == ("undecided", GradingDiagnosis.RESOURCE_LIMIT)
    assert grade(gold="$a+b$", answer="$b+a$", type="symbolic").passed


@pytest.mark.parametrize("kind", ["numeric", "symbolic", "textual"])
@pytest.mark.parametrize("name", TEXTS)
def test_long_texts_are_read_in_bounded_time(name: str, kind: str) -> None:
    for gold, answer in (("5 km/s", TEXTS[name]), (TEXTS[name], "5 km/s")):
        begin = time.thread_time()
        verdict = grade(gold=gold, answer=answer, type=kind)
        assert time.thread_time() - begin < SECONDS
        assert not verdict.passed


@pytest.mark.parametrize("terms", [40, 200])
def test_sums_and_products_of_long_numbers_do_not_raise(terms: int) -> None:
    long = "7" * 390
    for text in (
        "+".join(rf"\frac{{1}}{{{long}{i}}}" for i in range(10, 10 + min(terms, 40))),
        r"\cdot ".join([long] * min(terms, 14)),
    ):
        verdict = grade(gold="$x$", answer=f"${text}$", type="symbolic")
        assert verdict.outcome in ("incorrect", "undecided")


def test_work_is_shared_by_all_that_one_answer_needs() -> None:
    with counted_work(10):
        with counted_work(1000):  # part of the same answer
            spend(6)
        with pytest.raises(WorkLimitError):
            spend(6)
    spend(1e12)  # nothing is counted outside


def test_the_calls_of_a_tie_break_are_counted() -> None:
    def endless() -> str:
        while True:
            len(str(object()))
            (lambda: 1)()

    assert simplify_worker.counted(endless, 50) == ("work", 51)
    assert simplify_worker.counted(lambda: "equal", 50) == ("equal", 1)


class Hostile:
    def __str__(self) -> str:
        raise AssertionError("an object of an answer was asked")

    __repr__ = __iter__ = __eq__ = __len__ = __str__  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]


class HostileDict(dict[str, Any]):
    def items(self) -> Any:
        raise AssertionError("an object of an answer was asked")

    __iter__ = __len__ = items


def cyclic() -> list[Any]:
    endless: list[Any] = []
    endless.append({"value": endless})
    return endless


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ({"a": (1, np.float32(2), np.array([3, 4]))}, {"a": [1, 2.0, [3, 4]]}),
        ({"b", "a"}, ["a", "b"]),
        (Decimal("2.5"), 2.5),
        ({1: b"x"}, {"1": "x"}),
        (HostileDict(value=5), {"value": 5}),
    ],
)
def test_objects_become_plain_data(value: object, plain: object) -> None:
    assert readable(value) == plain


@pytest.mark.parametrize(
    ("value", "oversized"),
    [
        (Hostile(), False),
        ({"value": Hostile()}, False),
        (cyclic(), False),
        ((number for number in iter(int, 1)), False),
        ([0] * 3_000_000, True),
        (dict.fromkeys(map(str, range(300_000)), 0), True),
        (["x" * 100_000] * 100, True),
        (np.zeros(10**7), True),
        (10**100_000, True),
    ],
    ids=["hostile", "inside", "cyclic", "endless", "list", "dict", "texts", "array", "number"],
)
def test_objects_are_counted_before_they_are_walked(value: object, oversized: bool) -> None:
    found = readable(value)
    assert isinstance(found, Unreadable)
    assert found.oversized is oversized
    verdict = grade(gold='{"value": 5}', answer=value, type="structured")
    code = GradingDiagnosis.RESOURCE_LIMIT if oversized else GradingDiagnosis.PARSE
    assert (verdict.outcome, code_of(verdict)) == ("undecided", code)
