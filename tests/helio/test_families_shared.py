"""What the families share: claims of directions, quadrature, roots and factors in formulas."""

from __future__ import annotations

from fractions import Fraction
from math import cos, factorial, pi

import numpy as np
import pytest

from ecliptic.grading.formula_values import Formula
from ecliptic.helio.families.answers import Routes
from ecliptic.helio.families.directions import (
    change_claim,
    change_claims,
    order_claim,
    relative_changes,
    stated,
)
from ecliptic.helio.families.notation import (
    factor_tex,
    raised_tex,
    ratio_tex,
    rational_power_tex,
    root_tex,
)
from ecliptic.helio.families.quadrature import gauss_laguerre, gauss_legendre, graded_legendre
from ecliptic.helio.families.roots import bracketed_root


@pytest.mark.parametrize(
    ("first", "text", "direction"),
    [
        (0.2, "The speed increases.", 1),
        (-0.2, "The speed decreases.", -1),
        (1e-9, "The speed stays the same.", 0),
    ],
)
def test_a_claim_follows_the_first_route(first: float, text: str, direction: int) -> None:
    claim = change_claim("speed", first, 0.1)
    assert (claim.text, claim.direction, claim.second) == (text, direction, 0.1)


def test_claims_are_joined_to_an_answer() -> None:
    changes = relative_changes((2.0, 4.0), (3.0, 1.0))
    assert changes == (0.5, -0.75)
    claims = (*change_claims(("mass", "age"), changes, changes), order_claim("x", "y", -1.0, -1.0))
    answer = stated(claims, Routes("one", "another"))
    assert answer.final == "The mass increases. The age decreases. The x is smaller than the y."
    assert answer.claims == claims


def test_rules_are_exact_for_polynomials() -> None:
    x, w = gauss_legendre(4, 1.0, 3.0)
    assert float(w @ x**7) == pytest.approx((3**8 - 1) / 8, rel=1e-13)
    x, w = gauss_laguerre(5)
    assert float(w @ x**9) == pytest.approx(factorial(9), rel=1e-12)


def test_a_graded_rule_takes_a_root_at_the_lower_end() -> None:
    x, w = graded_legendre(8, 4)
    assert float(w @ x**0.25) == pytest.approx(0.8, rel=1e-13)


def test_shared_nodes_cannot_be_changed() -> None:
    nodes, _ = gauss_legendre(6)
    with pytest.raises(ValueError, match="read-only"):
        np.negative(nodes, out=nodes)


def test_a_root_is_found_between_its_bounds() -> None:
    assert bracketed_root(cos, 1.0, 2.0) == pytest.approx(pi / 2, rel=1e-14)
    with pytest.raises(ValueError, match="different signs"):
        bracketed_root(cos, 0.0, 1.0)


@pytest.mark.parametrize("value", [Fraction(1), Fraction(4, 9), Fraction(20, 81), Fraction(7, 5)])
def test_a_root_in_latex_has_its_value(value: Fraction) -> None:
    found = Formula(f"$y = {root_tex(value)} x$")({"x": np.array([1.0])})
    assert found[0] == pytest.approx(float(value) ** 0.5, rel=1e-12)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (root_tex(Fraction(20, 81)), r"\frac{2}{9}\sqrt{5}"),
        (root_tex(Fraction(9, 4)), r"\frac{3}{2}"),
        (root_tex(Fraction(1, 2)), r"\sqrt{\frac{1}{2}}"),
        (ratio_tex(Fraction(3, 2), "a", "b"), r"\frac{3 a}{2 b}"),
        (ratio_tex(Fraction(2), "", "b"), r"\frac{2}{b}"),
        (ratio_tex(Fraction(3), "a", ""), "3 a"),
        (ratio_tex(Fraction(1), "", "b"), r"\frac{1}{b}"),
        (factor_tex(Fraction(1)), ""),
        (raised_tex("r", Fraction(1)), "r"),
        (raised_tex("r", Fraction(7, 2)), "r^{7/2}"),
        (rational_power_tex(Fraction(2, 3), Fraction(2)), r"\frac{4}{9}"),
        (rational_power_tex(Fraction(2, 3), Fraction(1, 2)), r"\left(\frac{2}{3}\right)^{1/2}"),
    ],
)
def test_factors_are_written_in_one_way(shown: str, expected: str) -> None:
    assert shown == expected
