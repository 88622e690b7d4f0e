"""Kepler's equation against 50-digit arithmetic and against independent solvers."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from ecliptic.errors import UsageError
from ecliptic.rv import kepler

PI_60 = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
ECCENTRICITIES = [0.0, 1e-9, 0.01, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.995, 0.999]


def precise_sin_cos(angle: Decimal) -> tuple[Decimal, Decimal]:
    """Taylor's series; every term until one falls below 1e-45."""
    parts, term, n = [Decimal(0), Decimal(0)], Decimal(1), 0
    while abs(term) > Decimal("1e-45") or n < 4:
        parts[n % 2] += term if n % 4 < 2 else -term
        n += 1
        term = term * angle / n
    return parts[1], parts[0]


def mean_anomaly_and_root(E: float, e: float) -> tuple[float, float]:
    """A double M near ``E - e sin E`` and the E that solves Kepler's equation for that very M.

    The rounding of M moves the root by ``dM / (1 - e cos E)``; the next order is below 1e-25.
    """
    with localcontext() as context:
        context.prec = 50
        sin_E, cos_E = precise_sin_cos(Decimal(E))
        exact = Decimal(E) - Decimal(e) * sin_E
        M = float(exact)
        return M, float(Decimal(E) + (Decimal(M) - exact) / (1 - Decimal(e) * cos_E))


@pytest.mark.parametrize("e", ECCENTRICITIES)
def test_root_has_the_precision_of_a_double(e: float) -> None:
    grid = [*np.linspace(0.0, 3.1415, 90), *np.logspace(-12, 0, 60)]
    M, roots = np.transpose([mean_anomaly_and_root(float(E), e) for E in grid])
    # A unit in the last place of f = E - e sin E - M, over the smallest slope in use.
    tolerance = 2e-15 / math.sqrt(1.0 - e)
    assert tolerance < 1e-12
    assert np.abs(kepler.eccentric_anomaly(M, e) - roots).max() < tolerance
    assert np.abs(kepler.eccentric_anomaly(-M, e) + roots).max() < tolerance
    assert np.abs(kepler.eccentric_anomaly(M, np.full(M.size, e)) - roots).max() < tolerance


@pytest.mark.parametrize("gap", [1e-4, 1e-6, 1e-9, 1e-12, 2.0**-53])
def test_nearly_parabolic_orbits_still_solve_the_equation(gap: float) -> None:
    e = 1.0 - gap
    M = np.concatenate([np.linspace(0.0, math.pi, 2001), np.logspace(-18, 0, 2001)])
    E = kepler.eccentric_anomaly(M, e)
    assert np.abs(E - e * np.sin(E) - M).max() < 2e-15
    assert (np.diff(E[2001:]) >= -1e-15).all()  # E grows with M


@pytest.mark.parametrize(
    "angle", [0.0, -0.0, 3.2, -3.2, 1e3, -6.5e6, 6.6e6, 123456789.123, -1e12, 1e15, 3e18, -1e19]
)
def test_wrap_removes_whole_turns_of_any_number(angle: float) -> None:
    with localcontext() as context:
        context.prec = 60
        turn = 2 * PI_60
        turns = (Decimal(angle) / turn).to_integral_value()
        expected = float(Decimal(angle) - turns * turn)
    wrapped = kepler.wrap(angle)
    assert abs(wrapped) <= math.pi + 1e-15
    assert wrapped == pytest.approx(expected, abs=1e-15 if abs(angle) < 6.6e6 else 1e-12)


@settings(deadline=None)  # the first call compiles
@example(M=math.pi, e=0.999)
@example(M=-1e-300, e=0.999)
@given(st.floats(-1e9, 1e9), st.floats(0.0, 0.999))
def test_scalar_and_array_solvers_agree_and_the_array_keeps_the_turn(M: float, e: float) -> None:
    E = kepler.solve(M, e)
    assert abs(E) <= math.pi + 1e-15
    in_turn = float(kepler.eccentric_anomaly(M, e))
    assert in_turn == M + (E - kepler.wrap(M))
    assert abs(in_turn - M) <= e + 1e-15 + math.ulp(M)  # E - M = e sin E
    again, sin_E, cos_E = kepler.solve_sincos(M, e)
    assert again == E
    assert sin_E == pytest.approx(math.sin(E), abs=1e-15)
    assert cos_E == pytest.approx(math.cos(E), abs=1e-15)
    turns = (M - (E - e * sin_E)) / (2.0 * math.pi)
    assert turns == pytest.approx(round(turns), abs=1e-7)


@settings(deadline=None)
@given(st.floats(-math.pi, math.pi))
def test_half_angle_is_accurate_relative_to_the_sine(E: float) -> None:
    s, c = kepler.half_angle(E)
    assert s == pytest.approx(math.sin(E / 2), rel=5e-16, abs=1e-320)
    assert c == pytest.approx(math.cos(E / 2), abs=5e-16)


@settings(deadline=None)
@given(st.floats(-math.pi, math.pi), st.floats(0.0, 0.9999))
def test_start_bounds_the_root_from_outside(M: float, e: float) -> None:
    root = kepler.solve(M, e)
    assert abs(kepler.start(M, e)) >= abs(root) - 1e-14
    assert kepler.start(-M, e) == -kepler.start(M, e)


@pytest.mark.parametrize("e", [0.0, 0.3, 0.9, 0.99])
def test_agrees_with_radvel_and_exoplanet_core(e: float) -> None:
    radvel_kepler = pytest.importorskip("radvel._kepler")
    exoplanet_core = pytest.importorskip("exoplanet_core")
    M = np.linspace(0.0, 2.0 * math.pi, 4001)[1:-1]
    E = kepler.eccentric_anomaly(M, e) % (2.0 * math.pi)
    # RadVel stops at a residual of 1e-12 in Kepler's equation.
    assert_allclose(E, radvel_kepler.kepler_array(M, e), atol=1e-12 / (1.0 - e), rtol=0)
    sin_nu, cos_nu = exoplanet_core.kepler(M, np.full(M.size, e))
    nu = 2.0 * np.arctan2(math.sqrt(1 + e) * np.sin(E / 2), math.sqrt(1 - e) * np.cos(E / 2))
    assert_allclose(sin_nu, np.sin(nu), atol=1e-13 / (1.0 - e), rtol=0)
    assert_allclose(cos_nu, np.cos(nu), atol=1e-13 / (1.0 - e), rtol=0)


def test_shapes_broadcast() -> None:
    M, e = np.linspace(-7.0, 7.0, 1200), np.array([0.0, 0.5, 0.97])
    E = kepler.eccentric_anomaly(M, e[:, np.newaxis])
    assert E.shape == (3, 1200)
    for row, one in zip(E, e, strict=True):
        # More steps than an orbit needs may move its last digit.
        assert_allclose(row, kepler.eccentric_anomaly(M, one), rtol=0, atol=4e-15)
    assert kepler.eccentric_anomaly(1.0, 0.1).shape == ()
    assert kepler.eccentric_anomaly(1.0, [0.1, 0.2]).shape == (2,)
    assert kepler.eccentric_anomaly([], 0.1).shape == (0,)
    assert kepler.eccentric_anomaly(np.zeros((2, 1, 3)), [[0.2], [0.3]]).shape == (2, 2, 3)


def test_exact_cases() -> None:
    M = np.array([-3.0, -0.5, 0.0, 0.5, 3.0])
    assert_array_equal(kepler.eccentric_anomaly(M, 0.0), M)
    assert kepler.solve(0.0, 0.999) == 0.0
    for half_turn in (math.pi, -math.pi):
        assert kepler.solve(half_turn, 0.9) == pytest.approx(math.pi, abs=1e-15)


@pytest.mark.parametrize("e", [1.0, 1.2, -1e-9, math.nan, [0.1, math.inf]])
def test_an_open_orbit_is_refused(e: float | list[float]) -> None:
    with pytest.raises(UsageError, match=r"e: must be in \[0, 1\)"):
        kepler.eccentric_anomaly([0.1, 0.2], e)


@pytest.mark.parametrize("M", [math.nan, math.inf, [0.0, -math.inf]])
def test_an_infinite_anomaly_is_refused(M: float | list[float]) -> None:
    with pytest.raises(UsageError, match="mean_anomaly: must be finite"):
        kepler.eccentric_anomaly(M, 0.1)


@pytest.mark.parametrize("angle", [6e19, 1e20, -1e20, 1e25, 1e200, -1e200, 1.7976931348623157e308])
def test_angles_beyond_an_int64_of_turns(angle: float) -> None:
    wrapped = kepler.wrap(angle)
    assert abs(wrapped) <= math.pi + 1e-15
    if abs(angle) < 1e26:
        with localcontext() as context:
            context.prec = 60
            turn = 2 * PI_60
            rest = Decimal(angle) - (Decimal(angle) / turn).to_integral_value() * turn
            expected = float(rest)
        # The third part of 2 pi carries to 1e-32: 16 digits of the number of turns.
        assert wrapped == pytest.approx(expected, abs=1e-31 * abs(angle) + 1e-12)
    for e in (0.0, 0.5, 0.99):
        E, sin_E, _ = kepler.solve_sincos(angle, e)
        assert abs(E) <= math.pi + 1e-15
        assert E - e * sin_E == pytest.approx(wrapped, abs=2e-15)
        assert kepler.eccentric_anomaly(angle, e) == pytest.approx(angle, rel=1e-15)
