"""The SymPy tie-break: verdicts, what is never handed over, and that a kill costs one answer."""

from __future__ import annotations

import pytest

from ecliptic.grading import simplify_worker
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.equivalence import compare
from ecliptic.grading.expression import Expression, Power, Symbol, System, add, number
from ecliptic.grading.latex import parse
from ecliptic.grading.simplify_worker import break_tie, decide
from ecliptic.grading.sympy_build import MAX_NODES, UnpackableError, build, pack
from ecliptic.grading.worker import WorkerKilledError


def read(text: str) -> Expression:
    return parse(text).expression


@pytest.mark.parametrize(
    ("gold", "answer", "verdict"),
    [
        (r"\sum_{n=1}^{\infty}\frac{1}{n^2}", r"\frac{\pi^2}{6}", "equal"),
        (r"\sum_{n=1}^{\infty}\frac{1}{n^2}", r"\frac{\pi^2}{8}", "different"),
        (r"\lim_{x\to 0}\frac{\sin x}{x}", "1", "equal"),
        (r"\int_0^1 x^n\,dx", r"\frac{1}{n+1}", "equal"),
        (r"\int_0^1 x^n\,dx", r"\frac{1}{n}", "different"),
    ],
)
def test_decide(gold: str, answer: str, verdict: str) -> None:
    assert decide([pack(read(gold)), pack(read(answer))]) == verdict


def test_the_child_decides_alike() -> None:
    assert break_tie(read(r"\sum_{n=1}^{\infty} n^{-2}"), read(r"\frac{\pi^2}{6}")) == "equal"


@pytest.mark.parametrize("limit", ["time", "memory"])
def test_a_killed_child_leaves_the_answer_undecided(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(module: str, request: object) -> object:
        raise WorkerKilledError(limit)

    monkeypatch.setattr(simplify_worker, "ask", killed)
    result = compare(read(r"\sum_{n=1}^{\infty} n^{-2}"), read(r"\frac{\pi^2}{6}"))
    assert result.outcome == "undecided"
    assert result.code is Code.RESOURCE_LIMIT


def test_names_stay_names() -> None:
    """A symbol or function called like Python code is a name of SymPy and nothing else."""
    hostile = Symbol("__import__('os').system('true')")
    built = build(pack(add(hostile, number(1))))
    assert [str(symbol) for symbol in built.free_symbols] == [f"{hostile.name}~"]


def test_large_parts_are_not_handed_over() -> None:
    with pytest.raises(UnpackableError):
        pack(Power(add(Symbol("x"), number(1)), number(10**6)))
    with pytest.raises(UnpackableError):
        pack(add(*(Symbol(f"x_{i}") for i in range(MAX_NODES))))
    with pytest.raises(UnpackableError):
        pack(number(10**1000))
    with pytest.raises(UnpackableError):
        pack(System((Symbol("x"),)))
