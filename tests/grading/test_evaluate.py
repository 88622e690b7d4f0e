"""The interpreters: values against the standard library and mpmath, guards, and agreement."""

from __future__ import annotations

import cmath
import math

import mpmath
import numpy as np
import pytest

from ecliptic.grading.differentiate import differentiate
from ecliptic.grading.evaluate import FloatInterpreter
from ecliptic.grading.exact_evaluate import ExactInterpreter
from ecliptic.grading.expression import Apply, Call, Expression, Symbol, add, multiply, negate
from ecliptic.grading.function_slopes import derivative_of
from ecliptic.grading.interpretation import TooLargeError, UnevaluableError
from ecliptic.grading.latex import parse
from ecliptic.grading.quick_evaluate import quick_value
from ecliptic.grading.sampling import Domain, draw, free_symbols
from ecliptic.grading.special_functions import exact_function, float_function

X = Symbol("x")


def read(text: str) -> Expression:
    return parse(text).expression


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"\frac{1}{3}", 1 / 3),
        (r"\sqrt{2}\pi", math.sqrt(2) * math.pi),
        (r"e^{-2}", math.exp(-2)),
        (r"\ln 10", math.log(10)),
        (r"\log_{10} 1000", 3.0),
        (r"\sin\frac{\pi}{6}", 0.5),
        (r"5!", 120.0),
        (r"\sum_{k=1}^{10} k^2", 385.0),
        (r"\prod_{k=1}^{5} k", 120.0),
        (r"\int_0^1 x^2\,dx", 1 / 3),
        (r"\int_0^\infty e^{-x^2}\,dx", math.sqrt(math.pi) / 2),
        (r"\int_{-\infty}^{\infty} e^{-x^2}\,dx", math.sqrt(math.pi)),
        (r"\int_0^1\int_0^1 x y\,dx\,dy", 0.25),
        (r"\sqrt{-1}", 1j),
        (r"|-3|", 3.0),
    ],
)
def test_values(text: str, value: complex) -> None:
    interpreter = FloatInterpreter(draw([], "seed"))
    found = interpreter(read(text))
    assert found == pytest.approx(np.full(found.shape, value), rel=1e-9)
    assert not interpreter.approximate


@pytest.mark.parametrize(
    "name",
    [
        "sin",
        "cos",
        "tan",
        "sinh",
        "cosh",
        "tanh",
        "arcsin",
        "arccos",
        "arctan",
        "arcsinh",
        "arctanh",
        "exp",
        "ln",
        "erf",
        "gamma",
        "cot",
        "sec",
    ],
)
def test_float_exact_and_slope_agree(name: str) -> None:
    function, exact = float_function(name), exact_function(name)
    assert function is not None
    assert exact is not None
    place = 0.37
    value = complex(function(np.array([place], complex))[0])
    assert value == pytest.approx(complex(exact(mpmath.mp, mpmath.mpf(place))), rel=1e-12)
    call = Call(name, (X,))
    if derivative_of(call) is None:
        return
    slope = quick_or_float(differentiate(call, X, lambda _: False), place)
    step = 1e-6
    ends = [complex(function(np.array([place + s], complex))[0]) for s in (step, -step)]
    assert slope == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-8)


def quick_or_float(node: Expression, place: float) -> complex:
    sample = draw([X], "seed", size=1)
    sample.values[X][:] = place  # type: ignore[index]
    return complex(FloatInterpreter(sample)(node)[0])


def test_cancellation_and_absorption_are_noticed() -> None:
    sample = draw([X], "seed")
    interpreter = FloatInterpreter(sample)
    interpreter(read(r"(x+1)^2 - x^2 - 2x - 1"))
    assert interpreter.loss.max() > 1e10
    other = FloatInterpreter(sample)
    other(read(r"x + 10^{-12}"))
    assert other.absorbed


def test_exact_values_do_not_underflow() -> None:
    sample = draw([], "seed")
    first, second = (ExactInterpreter(sample, 0)(read(t)) for t in (r"1/2004!", r"1/2006!"))
    assert first != 0
    assert float(first / second) == pytest.approx(2005 * 2006)


def test_exact_and_float_agree_on_unknown_functions() -> None:
    node = add(Apply("f", (X, Symbol("y"))), multiply(X, Apply("g", (X,))))
    sample = draw(free_symbols(node), "seed")
    values = FloatInterpreter(sample)(node)
    for index in range(3):
        exact = complex(ExactInterpreter(sample, index)(node))
        assert complex(values[index]) == pytest.approx(exact, rel=1e-13)
        point = {s: complex(array[index]) for s, array in sample.values.items()}
        assert quick_value(node, point, "seed") == pytest.approx(exact, rel=1e-13)


@pytest.mark.parametrize("text", ["9^{9^{9^9}}", r"e^{10^{30}}", r"(10^{30})!"])
def test_giants_are_refused_before_they_are_taken(text: str) -> None:
    with pytest.raises(TooLargeError):
        ExactInterpreter(draw([], "seed"), 0)(read(text))


def test_loops_are_counted() -> None:
    interpreter = FloatInterpreter(draw([], "seed"))
    with pytest.raises(TooLargeError, match="more than 400 terms"):
        interpreter(read(r"\sum_{n=1}^{1000000} n"))
    with pytest.raises(TooLargeError):
        interpreter(read(r"\sum_{a=1}^{399}\sum_{b=1}^{399} a b"))


def test_unknown_symbols_have_no_value() -> None:
    with pytest.raises(UnevaluableError, match="x"):
        FloatInterpreter(draw([], "seed"))(X)


def test_branch_cuts_do_not_depend_on_signed_zeros() -> None:
    sample = draw([X], "seed")
    root = FloatInterpreter(sample)(Call("ln", (negate(X),)))
    x = sample.values[X]
    assert root == pytest.approx([cmath.log(-value + 0j) for value in x])


def test_points_repeat_and_depend_on_the_seed() -> None:
    first, again, other = (draw([X], seed) for seed in ("a", "a", "b"))
    assert np.array_equal(first.values[X], again.values[X])
    assert not np.array_equal(first.values[X], other.values[X])
    assert np.all(first.values[X].real > 0)
    signed = draw([X], "a", Domain.SIGNED, size=40).values[X].real
    assert signed.min() < 0 < signed.max()
