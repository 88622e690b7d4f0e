"""The canonical form: what it brings together and what it must keep apart."""

from __future__ import annotations

import pytest

from ecliptic.grading.canonical import canonical
from ecliptic.grading.expression import Add, Expression, Number, Power, Symbol, number
from ecliptic.grading.latex import parse


def form(text: str) -> Expression:
    return canonical(parse(text).expression)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (r"a+b+c", r"c+a+b"),
        (r"2a+3a", r"5a"),
        (r"a-a+b", r"b"),
        (r"-(a-b)", r"b-a"),
        (r"\frac{3u}{u-v}", r"-\frac{3u}{v-u}"),
        (r"2(a+b)", r"2a+2b"),
        (r"(2ab)^2", r"4a^2b^2"),
        (r"x^a x^b x^{-a}", r"x^b"),
        (r"\frac{x^3}{x}", r"x^2"),
        (r"\left(\sqrt{x}\right)^2", r"x"),
        (r"0.5\,x", r"\frac{x}{2}"),
        (r"\mathbf{A}\times\mathbf{B}", r"-\mathbf{B}\times\mathbf{A}"),
        (r"\mathbf{A}\cdot\mathbf{B}", r"\mathbf{B}\cdot\mathbf{A}"),
        (r"\nabla\times(2\mathbf{B})", r"2\nabla\times\mathbf{B}"),
        (r"\int_0^1 f(x)\,dx", r"\int_0^1 f(y)\,dy"),
        (r"\sum_{i=1}^{N} x^i", r"\sum_{j=1}^{N} x^j"),
        (r"(x+1)^{100000}-(x+1)^{100000}+x^2", r"x^2"),
    ],
)
def test_brings_together(first: str, second: str) -> None:
    assert form(first) == form(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (r"\mathbf{A}\times\mathbf{B}", r"\mathbf{B}\times\mathbf{A}"),
        (r"\nabla\times\mathbf{B}", r"\nabla\cdot\mathbf{B}"),
        (r"(\mathbf{a}\cdot\nabla)\mathbf{b}", r"(\mathbf{b}\cdot\nabla)\mathbf{a}"),
        (r"\sqrt{x^2}", r"x"),
        (r"x^2+\frac{0}{0}", r"x^2"),
        (r"\int_0^x f(x)\,dx", r"\int_0^y f(x)\,dx"),
        (r"v", r"V"),
        (r"V_w", r"V_s"),
        (r"\hat{r}", r"r"),
    ],
)
def test_keeps_apart(first: str, second: str) -> None:
    assert form(first) != form(second)


def test_is_a_fixed_point() -> None:
    for text in (r"\frac{3}{u_1-u_2}\left(\frac{\kappa_1}{u_1}+\frac{\kappa_2}{u_2}\right)",
                 r"-\frac{1}{3}(\nabla\cdot\mathbf{V})p\frac{\partial f}{\partial p}",
                 r"\frac{2(a+b)}{(4a-6b)^2}"):  # fmt: skip
        once = form(text)
        assert canonical(once) == once


def test_sums_are_not_multiplied_out_and_giant_powers_not_taken() -> None:
    power = Power(Add((number(1), Symbol("x"))), number(10**6))
    assert canonical(power) == power
    giant = Power(number(3), number(10**9))
    assert canonical(giant) == giant
    assert canonical(Power(number(3), number(4))) == Number(number(81).coefficient)
