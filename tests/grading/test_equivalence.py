"""Comparison of formulas: labelled pairs (symbolic_pairs.json) and laws of all formulas."""

from __future__ import annotations

import json
import threading
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.equivalence import compare
from ecliptic.grading.evaluate import FloatInterpreter
from ecliptic.grading.expression import (
    Add,
    Call,
    Expression,
    Mul,
    Number,
    Power,
    Relation,
    Symbol,
    add,
    multiply,
    negate,
    number,
    power,
)
from ecliptic.grading.latex import parse
from ecliptic.grading.rules import DEFAULT_RULES
from ecliptic.grading.sampling import draw, free_symbols

PAIRS = json.loads((Path(__file__).parent / "symbolic_pairs.json").read_text(encoding="utf-8"))
ONE_WAY = {
    "definition of the answer put into the gold",
    "bare right side of a proportionality",
    "bare interval",
    "where clause of the answer",
    "derivative told by the gold",
    "solved for a factor of both sides",
}
"""Equal pairs that are not symmetric: only an answer may bring definitions or leave a side out."""


def read(text: str) -> Expression:
    return parse(text).expression


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['gold']} | {pair['answer']}")
def test_pair(pair: dict[str, Any]) -> None:
    result = compare(read(pair["gold"]), read(pair["answer"]))
    assert result.outcome == pair["expected"], result
    assert (result.code is None) == (result.outcome == "same")
    if pair["code"]:
        assert result.code == pair["code"], result


@pytest.mark.parametrize(
    "pair",
    [p for p in PAIRS if p["expected"] == "same" and p["why"] not in ONE_WAY],
    ids=lambda pair: f"{pair['gold']} | {pair['answer']}",
)
def test_equal_pairs_are_symmetric(pair: dict[str, Any]) -> None:
    assert compare(read(pair["answer"]), read(pair["gold"])).outcome == "same"


@pytest.mark.parametrize("text", sorted({pair["gold"] for pair in PAIRS}))
def test_every_gold_equals_itself(text: str) -> None:
    result = compare(read(text), read(text))
    assert result.outcome == "same"
    assert result.method == "canonical form"


def test_a_difference_comes_with_a_point_and_both_values() -> None:
    result = compare(read(r"\frac{GM}{2c_s^2}"), read(r"\frac{GM}{c_s^2}"))
    assert result.code is Code.FACTOR
    assert result.evidence["factor"] == "2"
    assert set(result.evidence["point"]) == {"G", "M", "c_s"}
    ratio = result.evidence["answer_value"] / result.evidence["gold_value"]
    assert ratio == pytest.approx(2, rel=1e-6)


@pytest.mark.parametrize(
    ("rule", "gold", "answer"),
    [
        ("rename_symbols", r"\frac{V_w}{\kappa_0}", r"\frac{u}{k}"),
        ("fold_case", r"\sqrt{\gamma p/\rho}", r"\sqrt{\gamma P/\rho}"),
        ("k_is_boltzmann", r"k_B T", r"k T"),
        ("log_is_ln", r"\ln x", r"\log x"),
        ("proportional_is_constant", r"f\propto p^{-q}", r"f = C p^{-q}"),
        ("allow_squared_equation", r"v = \sqrt{a/b}", r"v^2 = a/b"),
        ("one_root_is_enough", r"\omega^2 = k^2 v^2", r"\omega = k v"),
        ("one_root_is_enough", r"x = \pm a", r"x = a"),
        ("prime_is_derivative", r"f' + 1", r"\frac{df}{dx} + 1"),
    ],
)
def test_a_contested_rule_decides(rule: str, gold: str, answer: str) -> None:
    lenient = DEFAULT_RULES.updated({rule: True})
    assert compare(read(gold), read(answer)).outcome == "different"
    assert compare(read(gold), read(answer), lenient).outcome == "same"


def test_aliases_are_other_names_of_one_symbol() -> None:
    rules = DEFAULT_RULES.updated({"aliases": {"V_w": ("V_sw", "u")}})
    gold = read(r"\frac{V_w}{\kappa_0}")
    assert compare(gold, read(r"\frac{V_{sw}}{\kappa_0}"), rules).outcome == "same"
    assert compare(gold, read(r"\frac{V_{sw}}{\kappa_0}")).code is Code.WRONG_VARIABLE


@pytest.mark.parametrize(
    ("gold", "answer", "method"),
    [
        (r"\tan\psi = -\frac{\Omega r}{V}", r"\psi = -\arctan\frac{\Omega r}{V}", "solved for psi"),
        (r"n = n_0 e^{-z/H}", r"\ln(n/n_0) = -z/H", "solved for n"),
    ],
)
def test_the_method_tells_what_was_undone(gold: str, answer: str, method: str) -> None:
    result = compare(read(gold), read(answer))
    assert result.outcome == "same"
    assert result.method.startswith(method)


def test_the_logarithm_of_a_square_is_told_by_the_other_side_only_where_it_is_ambiguous() -> None:
    assert compare(read(r"\ln(x)^2"), read(r"2\ln x")).outcome == "same"
    assert compare(read(r"(\ln x)^2"), read(r"2\ln x")).outcome == "different"
    assert compare(read(r"\ln^2 x"), read(r"2\ln x")).outcome == "different"


def test_strict_forms_by_rule() -> None:
    rules = DEFAULT_RULES.updated(
        {"allow_rearranged_equation": False, "allow_bare_right_side": False}
    )
    gold = read(r"r_c = \frac{GM}{2c_s^2}")
    assert compare(gold, read(r"M = \frac{2 r_c c_s^2}{G}"), rules).code is Code.WRONG_SUBJECT
    assert compare(gold, read(r"M = \frac{2 r_c c_s^2}{G}")).outcome == "same"
    assert compare(gold, read(r"\frac{GM}{2c_s^2}"), rules).code is Code.RELATION


@pytest.mark.parametrize(
    ("gold", "answer", "outcome"),
    [
        ("4.2", "9**9**9**9", "different"),
        ("9^{9^{9^{9}}}", "9^{9^{9^{8}}}", "undecided"),
        ("x^2", "(x+1)^{100000}-(x+1)^{100000}+x^2", "same"),
        ("(x+y+z)^2", "(x+y+z)^{300}", "different"),
        ("4.2", "100000000!", "different"),
        (r"A\sin(kx)", r"A\sin(10^{99999}kx)", "different"),
        (r"f(kx)", r"f(10^{99999}kx)", "different"),
        ("x", r"\sum_{n=1}^{1000000000000} n^{-1.5}", "undecided"),
    ],
)
def test_large_answers_end_by_counted_budgets(gold: str, answer: str, outcome: str) -> None:
    assert compare(read(gold), read(answer)).outcome == outcome


@pytest.mark.parametrize("answer", [r"\tau\eta 1/0 = L^2", r"\tau\eta/0 = L^2"])
def test_a_division_by_zero_in_an_equation_is_refused(answer: str) -> None:
    assert compare(read(r"\tau = \frac{L^2}{\eta}"), read(answer)).outcome != "same"


def test_deep_and_long_trees_are_refused_not_followed() -> None:
    deep: Expression = Symbol("x")
    for _ in range(300):
        deep = Power(Add((deep, number(1))), number(2))
    assert compare(Symbol("x"), deep).code is Code.RESOURCE_LIMIT
    long = Add(tuple(Symbol(f"x_{i}") for i in range(9000)))
    assert compare(Symbol("x"), long).code is Code.RESOURCE_LIMIT


def test_threads_find_the_same() -> None:
    pairs = [(read(p["gold"]), read(p["answer"])) for p in PAIRS[:60]]
    alone = [compare(gold, answer) for gold, answer in pairs]
    found: list[list[Any]] = [[] for _ in range(4)]

    def work(place: int) -> None:
        found[place] = [compare(gold, answer) for gold, answer in pairs]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(results == alone for results in found)


# Properties of any formula.

SYMBOLS = [Symbol(name) for name in ("a", "b", "r", "V_w")]
COEFFICIENTS = st.builds(lambda n, d: Number(Fraction(n, d)), st.integers(1, 9), st.integers(1, 5))
LEAVES = st.sampled_from(SYMBOLS) | COEFFICIENTS


def _grown(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(inner, min_size=2, max_size=3)
    exponents = st.sampled_from([-2, -1, 2, 3]).map(number) | st.just(Number(Fraction(1, 2)))
    return st.one_of(
        several.map(lambda parts: add(*parts)),
        several.map(lambda parts: multiply(*parts)),
        st.tuples(inner, inner).map(lambda pair: add(pair[0], negate(pair[1]))),
        st.tuples(inner, exponents).map(lambda pair: power(*pair)),
        st.tuples(st.sampled_from(["sin", "exp", "ln", "cosh"]), st.sampled_from(SYMBOLS)).map(
            lambda pair: Call(pair[0], (pair[1],))
        ),
    )


FORMULAS = st.recursive(LEAVES, _grown, max_leaves=8)
QUICK = settings(max_examples=60, deadline=None)


def has_value(formula: Expression) -> bool:
    """Whether a formula has a value that is neither zero nor out of reach at the points."""
    values = FloatInterpreter(draw(free_symbols(formula), "test"))(formula)
    sizes = np.abs(values[np.isfinite(values)])
    return sizes.size == values.size and bool(np.all((sizes > 1e-3) & (sizes < 1e12)))


def shuffled(node: Expression) -> Expression:
    match node:
        case Add(terms=terms):
            return Add(tuple(shuffled(term) for term in reversed(terms)))
        case Mul(factors=factors):
            return Mul(tuple(shuffled(factor) for factor in reversed(factors)))
        case Power(base=base, exponent=exponent):
            return Power(shuffled(base), exponent)
        case _:
            return node


@QUICK
@given(FORMULAS)
def test_reflexive_and_unchanged_by_order(formula: Expression) -> None:
    assert compare(formula, formula).outcome == "same"
    result = compare(formula, shuffled(formula))
    assert result.outcome == "same"
    assert result.method == "canonical form"


@QUICK
@given(FORMULAS, FORMULAS)
def test_symmetric(first: Expression, second: Expression) -> None:
    forward, backward = compare(first, second).outcome, compare(second, first).outcome
    assert (forward == "same") == (backward == "same")
    if has_value(first) and has_value(second):
        assert forward == backward


@QUICK
@given(FORMULAS, st.sampled_from([Fraction(2), Fraction(1, 2), Fraction(3), Fraction(3, 2)]))
def test_sign_and_factor_are_always_caught(formula: Expression, factor: Fraction) -> None:
    assume(has_value(formula))
    assert compare(formula, negate(formula)).outcome == "different"
    wrong = compare(formula, Mul((Number(factor), formula)))
    assert wrong.outcome == "different"
    if free_symbols(formula):
        assert wrong.code in (Code.FACTOR, Code.POWER_OF_TEN)


@QUICK
@given(FORMULAS, st.sampled_from(SYMBOLS), st.sampled_from([-1, 1, 2]))
def test_another_power_of_a_symbol_is_always_caught(
    formula: Expression, symbol: Symbol, exponent: int
) -> None:
    assume(has_value(formula))
    wrong = compare(formula, multiply(formula, power(symbol, number(exponent))))
    assert wrong.outcome == "different"


@QUICK
@given(FORMULAS, FORMULAS)
def test_an_extra_term_is_always_caught(formula: Expression, term: Expression) -> None:
    assume(has_value(formula))
    assume(has_value(term))
    assert compare(formula, add(formula, term)).outcome == "different"


@QUICK
@given(FORMULAS, FORMULAS)
def test_an_equation_multiplied_through_is_the_same(value: Expression, factor: Expression) -> None:
    assume(has_value(value))
    assume(has_value(factor))
    subject = Symbol("y")
    gold = Relation("=", subject, value)
    answer = Relation("=", multiply(factor, subject), multiply(factor, value))
    assert compare(gold, answer).outcome == "same"
    wrong = Relation("=", multiply(factor, subject), multiply(number(-1), factor, value))
    assert compare(gold, wrong).outcome == "different"


@QUICK
@given(st.sampled_from([p["gold"] for p in PAIRS]), st.sampled_from([r"\,", r"\;", r"\ "]))
def test_spacing_says_nothing(text: str, space: str) -> None:
    spaced = text.replace("+", f"{space}+{space}").replace("=", f"{space}={space}")
    assert compare(read(text), read(spaced)).outcome == "same"
