"""The tree: normal form of sums, products, numbers; walking and rebuilding."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest

from ecliptic.grading.expression import (
    FOLDED_EXPONENT,
    HALF,
    MINUS_ONE,
    ONE,
    TEN,
    TWO,
    ZERO,
    Add,
    Call,
    Derivative,
    Mul,
    Number,
    Power,
    Symbol,
    VectorOperator,
    add,
    as_integer,
    children,
    divide,
    is_vector,
    multiply,
    negate,
    number,
    power,
    rebuild,
    walk,
)
from ecliptic.grading.latex import parse

X, Y, Z = Symbol("x"), Symbol("y"), Symbol("z")


def test_sums_and_products_are_flat():
    assert add(X, add(Y, Z)) == Add((X, Y, Z))
    assert multiply(multiply(X, Y), Z) == Mul((X, Y, Z))
    assert add(X) == X
    assert multiply(X) == X


def test_order_is_kept():
    assert add(X, Y) != add(Y, X)


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (negate(number(3)), number(-3)),
        (negate(negate(X)), X),
        (negate(multiply(number(3), X)), multiply(number(-3), X)),
        (negate(X), Mul((MINUS_ONE, X))),
        (multiply(ONE, X), X),
        (divide(ONE, TWO), HALF),
        (divide(X, TWO), Mul((X, HALF))),
        (divide(X, Y), Mul((X, Power(Y, MINUS_ONE)))),
        (divide(ONE, ZERO), Power(ZERO, MINUS_ONE)),
        (power(TEN, number(6)), number(1_000_000)),
        (power(X, ONE), X),
        (power(TWO, number(10)), Power(TWO, number(10))),
    ],
)
def test_normal_form(node, expected):
    assert node == expected


def test_decimals_equal_fractions_but_remember_their_spelling():
    assert number(Fraction(1, 2), decimal=True) == HALF
    assert hash(number(Fraction(1, 2), decimal=True)) == hash(HALF)
    assert number(Fraction(1, 2), decimal=True).decimal


def test_large_powers_of_ten_stay_apart():
    large = number(2, FOLDED_EXPONENT + 1)
    assert (large.coefficient, large.exponent) == (2, FOLDED_EXPONENT + 1)
    assert as_integer(large) is None
    assert number(2, 3) == number(2000)
    assert number(0, 10**6) == ZERO


def test_upright_letters_are_the_same_symbols():
    assert Symbol("x", roman=True) == X
    assert Symbol("X") != X
    assert Symbol("x", "vector") != X


def test_nodes_cannot_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        X.name = "y"


TEXTS = [
    r"f(r,p) = f_0 e^{-Vr/\kappa}, \quad V = \dot x",
    r"\int_0^\infty \sum_{n=1}^N \frac{a_n}{x^n}\,dx \le \lim_{x\to 0} \prod_k x_k",
    r"f(x)=\begin{cases} a & x<0\\ b & x\ge 0\end{cases}",
    r"\mathbf{E} = -\mathbf{v}\times\mathbf{B} + (a, b \pm c)",
    r"x \in [0, 1), \left.\frac{df}{dx}\right|_{x=0} = C, where C is a constant",
]


@pytest.mark.parametrize("text", TEXTS)
def test_rebuilding_without_change_gives_the_same_tree(text):
    tree = parse(text).expression

    def same(node):
        return rebuild(node, same)

    assert same(tree) == tree


@pytest.mark.parametrize("text", TEXTS)
def test_walking_meets_every_child_once(text):
    tree = parse(text).expression
    nodes = list(walk(tree))
    assert nodes[0] == tree
    assert len(nodes) == 1 + sum(len(children(node)) for node in nodes)


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (Symbol("B", "vector"), True),
        (Symbol("r", "unit"), True),
        (X, False),
        (multiply(X, Symbol("B", "vector")), True),
        (VectorOperator("grad", (X,)), True),
        (VectorOperator("div", (Symbol("B", "vector"),)), False),
        (VectorOperator("directional", (Symbol("B", "vector"), X)), False),
        (Derivative(Symbol("r", "vector"), ((Symbol("t"), 2),)), True),
        (Call("abs", (Symbol("B", "vector"),)), False),
        (Number(Fraction(1)), False),
    ],
)
def test_vectors_are_known_by_their_spelling(node, expected):
    assert is_vector(node) is expected
