r"""Firehose and mirror instability of a plasma whose two pressures change adiabatically.

Without heat flux p_perp / (n B) and p_par B^2 / n^3 are constant in a moving parcel. It is unstable
to the firehose where p_par - p_perp > B^2 / \mu_0, to the mirror instability where
p_perp (p_perp / p_par - 1) > B^2 / (2 \mu_0) (kinetic) or where
p_perp (p_perp / (6 p_par) - 1) > B^2 / (2 \mu_0) (double-adiabatic equations).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import pi, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, number_tex, power_tex, ratio_tex, tex
from ecliptic.helio.families.quadrature import gauss_laguerre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ADIABATIC = (
    "there are no heat fluxes and no collisions, so that both pressures follow the "
    "double-adiabatic (CGL) laws"
)
_COLD = "the electrons are cold"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Where the wind reaches the firehose threshold, then the growth time beyond it."""
    from astropy import constants, units

    start = draw.quantity(0.1, 0.3, "AU")
    field, density = draw.quantity(30.0, 90.0, "nT"), draw.quantity(60.0, 300.0, "cm-3")
    beta, ratio = draw.number(0.2, 0.7), draw.number(1.0, 2.0)
    wavelength = draw.quantity(5.0, 30.0, "1000 km")
    threshold = (start * sqrt(2 / beta + ratio)).to("AU")
    place = float(f"{threshold.value * draw.number(1.25, 1.6):.3g}") * units.AU
    length = f"${number_tex(wavelength.value * 1e3, 2)}\\ \\mathrm{{km}}$"
    values = (
        f"at {tex(start, unit='AU')} the field is {tex(field)}, the proton density {tex(density)}, "
        rf"the parallel beta $\beta_\parallel = 2\mu_0 p_\parallel/B^2$ is {tex(beta)} and "
        rf"$p_\perp/p_\parallel$ is {tex(ratio)}"
    )
    setting = draw.phrase(
        "A parcel of solar wind expands with constant speed along a radial magnetic field in "
        f"spherical symmetry; {_ADIABATIC}, and {_COLD}. Initially, {values}.",
        f"In a spherically symmetric wind of constant speed and with a radial field, {values}. "
        f"Further out {_ADIABATIC}; {_COLD}.",
    )
    x2 = (place / start) ** 2
    tension = field**2 / constants.mu0
    excess = (tension / x2**2) * (beta / 2 * x2 - ratio * beta / 2 - 1)
    rho = constants.m_p * density / x2
    time = (wavelength / (2 * pi) / (excess / rho) ** 0.5).to("s")
    squared = (field.value * 1e-9) ** 2 / si.MU_0
    pressure = beta / 2 * squared
    parcel = _Parcel(
        (squared, pressure, ratio * pressure, density.value * 1e6 * si.M_P), (2.0, 2.0), 20.0
    )
    other = bracketed_root(lambda x: _squared_speed(parcel.at(x)), 1.05, 20.0)
    beyond = _squared_speed(parcel.at(place.value / start.value))
    rate = 2 * pi / (wavelength.value * 1e6) * sqrt(-beyond)
    first = Part(
        f"{setting} "
        + draw.phrase(
            "At which heliocentric distance does the parcel become unstable to the parallel "
            "(Alfvénic) firehose in the fluid limit?",
            "How far from the Sun is the fluid threshold of the parallel firehose instability "
            "reached?",
        ),
        (
            r"$n \propto r^{-2}$ and $B \propto r^{-2}$, so $p_\parallel \propto n^3/B^2 \propto "
            r"r^{-2}$ and $p_\perp \propto nB \propto r^{-4}$.",
            r"Unstable where $p_\parallel - p_\perp > B^2/\mu_0$: "
            r"$(r/r_0)^2 = 2/\beta_{\parallel 0} + (p_\perp/p_\parallel)_0$.",
            f"$r$ = {tex(threshold, 3, unit='AU')}.",
        ),
        Numeric(
            threshold,
            other * start.value,
            "AU",
            Routes(
                "invariants in closed form",
                "invariants integrated outwards, zero of an eigenvalue of the linear equations",
            ),
        ),
    )
    second = Part(
        draw.phrase(
            f"At {tex(place, unit='AU')} the parcel is still as the adiabatic laws say. In which "
            f"time does a firehose wave of {length} along the field grow by a factor e there "
            "(no finite gyroradius effects)?",
            f"Suppose the same laws hold out to {tex(place, unit='AU')}. Find the e-folding time "
            f"of an incompressible transverse wave of {length} length along the field at that "
            "place, without finite gyroradius effects.",
        ),
        (
            r"$\omega^2 = k^2 [B^2/\mu_0 - (p_\parallel - p_\perp)]/\rho$.",
            r"With $p_\parallel$, $p_\perp$, $B$ and $\rho$ at that distance "
            f"$1/\\gamma$ = {tex(time, 3)}.",
        ),
        Numeric(
            time,
            1 / rate,
            "s",
            Routes("dispersion relation with units", "eigenvalue of the linear equations"),
        ),
    )
    return first, second


_KINDS = {
    "firehose": "the parallel firehose instability (fluid limit)",
    "mirror": "the mirror instability (low-frequency kinetic threshold of a bi-Maxwellian plasma)",
    "cgl": "the mirror instability in the double-adiabatic fluid equations",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Where an expanding tube reaches the firehose, or a compressed plasma a mirror threshold."""
    kind = draw.choice(tuple(_KINDS))
    power = Fraction(draw.integer(3, 14), draw.integer(2, 3))
    start = draw.phrase("r_0", "r_1", "R")
    given = draw.choice(((1, 2), (3, 4), (1, 1), (3, 2), (2, 1)))
    ratio = Fraction(*given)
    exponent = power_tex(1 / power)
    isotropic = (
        "both pressures equal"
        if ratio == 1
        else (rf"$p_\perp = {fraction_tex(ratio)}\,p_\parallel$")
    )
    with_beta = draw.phrase(r"\beta_0", r"\beta")
    if kind == "firehose":
        setting = draw.phrase(
            "Plasma streams outwards with constant speed along a tube of cross-section "
            rf"$\propto r^{{{power_tex(power)}}}$ with the field along it, and {_ADIABATIC}. "
            rf"At ${start}$ it has {isotropic} and $2\mu_0 p_\parallel/B^2 = {with_beta}$",
            rf"A flux tube widens as $r^{{{power_tex(power)}}}$. A field-aligned flow of constant "
            rf"speed starts at ${start}$ with {isotropic} and $2\mu_0 p_\parallel/B^2 = "
            rf"{with_beta}$; {_ADIABATIC}",
        )
        base = rf"\frac{{2}}{{{with_beta}}} + {fraction_tex(ratio)}"
    else:
        setting = draw.phrase(
            "A plasma moves inwards across the field, frozen to it, with the density in proportion "
            rf"to the field strength, $B \propto r^{{-{power_tex(power)}}}$; {_ADIABATIC}. "
            rf"At ${start}$ it has {isotropic} and $2\mu_0 p_\perp/B^2 = {with_beta}$",
            r"In a region where $B$ (and, by compression perpendicular to it, $n$) varies as "
            rf"$r^{{-{power_tex(power)}}}$, plasma drifts inwards from ${start}$, where it has "
            rf"{isotropic} and $2\mu_0 p_\perp/B^2 = {with_beta}$; {_ADIABATIC}",
        )
        steep = Fraction(6 if kind == "cgl" else 1) / ratio
        base = f"{fraction_tex(steep)} + {ratio_tex(steep, '', with_beta)}"
        exponent = f"-{exponent}"
    final = rf"$r = {start}\left({base}\right)^{{{exponent}}}$"
    question = (
        f"{setting}; {_COLD}. "
        + draw.phrase("Derive the distance $r$", "Find the radius $r$")
        + f" at which it reaches the threshold of {_KINDS[kind]}."
    )
    ranges = {start: (0.5, 2.0), with_beta: (0.1, 0.6)}

    def check(at: Mapping[str, float]) -> float:
        beta, a, m = at[with_beta], float(ratio), float(power)
        if kind == "firehose":
            parcel = _Parcel((1.0, beta / 2, a * beta / 2, 1.0), (m, m), 100.0)
            return at[start] * bracketed_root(lambda x: _squared_speed(parcel.at(x)), 1.0, 100.0)
        low = 200 ** (-1 / m)
        parcel = _Parcel((1.0, beta / 2 / a, beta / 2, 1.0), (m, m), low)
        response = _kinetic_response if kind == "mirror" else _fluid_response
        return at[start] * bracketed_root(lambda x: response(parcel.at(x)), low, 1.0)

    if kind == "firehose":
        steps = (
            rf"$n, B \propto r^{{-s}}$ with $s = {power_tex(power)}$: $p_\parallel \propto r^{{-s}}"
            r"$, $p_\perp \propto r^{-2s}$, $B^2 \propto r^{-2s}$.",
            r"Threshold: $p_\parallel - p_\perp = B^2/\mu_0$.",
        )
    else:
        six = "6" if kind == "cgl" else ""
        steps = (
            r"$n \propto B$: $p_\perp \propto B^2$ and $p_\parallel \propto B$, so that "
            r"$\beta_\perp$ is constant and $p_\perp/p_\parallel \propto B$.",
            rf"Threshold: $p_\perp/({six}p_\parallel) = 1 + 1/\beta_\perp$.",
        )
    return (
        Part(
            question,
            (*steps, f"Solved for $r$: {final}."),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "invariants and threshold in closed form",
                    "invariants integrated, zero of the linear response",
                ),
                {"": "m", start: "m", with_beta: ""},
                agreement=1e-6,
            ),
        ),
    )


_FIELDS = {
    "radial field of a spherically symmetric wind": (2, 2),
    "azimuthal field of a spherically symmetric wind": (2, 1),
    r"field along a tube whose cross-section grows as $r^{3}$": (3, 3),
    r"field along a tube whose cross-section grows as $r^{3/2}$": (1.5, 1.5),
}


def textual(draw: Draw) -> tuple[Part, ...]:
    """Anisotropy and parallel beta of a parcel that expands or is compressed."""
    name = draw.choice(tuple(_FIELDS))
    n_power, b_power = _FIELDS[name]
    near = draw.number(0.1, 0.5)
    far = float(f"{near * draw.number(1.6, 3.0):.2g}")
    outward = draw.choice((True, False))
    r0, r1 = (near, far) if outward else (far, near)
    beta, ratio = draw.number(0.2, 0.8), draw.number(0.6, 1.8)
    moves = f"from {tex(r0, unit='AU')} to {tex(r1, unit='AU')}"
    model = (
        "the wind has a constant speed"
        if outward
        else "back in time; the wind has a constant speed"
    )
    question = draw.phrase(
        f"A parcel of collisionless plasma is followed {moves} in the {name} ({model}); "
        f"{_ADIABATIC}. At the first distance $p_\\perp/p_\\parallel$ is {tex(ratio)} and the "
        f"parallel beta {tex(beta)}. How do the anisotropy $p_\\perp/p_\\parallel$, the "
        "parallel beta and the temperature along the field change on the way, "
        "if at all?",
        f"In the {name} ({model}) the state of a collisionless parcel is traced {moves}, where "
        f"{_ADIABATIC}. It starts with a parallel beta of {tex(beta)} and with "
        f"$p_\\perp/p_\\parallel$ = {tex(ratio)}. How do the anisotropy "
        r"$p_\perp/p_\parallel$, the parallel beta and the temperature along the field change, "
        "if at all?",
    )
    x = r1 / r0
    first = (
        x ** (2 * n_power - 3 * b_power) - 1,
        x ** (4 * b_power - 3 * n_power) - 1,
        x ** (2 * b_power - 2 * n_power) - 1,
    )
    parcel = _Parcel((1.0, beta / 2, ratio * beta / 2, 1.0), (n_power, b_power), x)
    field, along, across, rho = parcel.at(x)
    second = (
        across / along / ratio - 1,
        2 * along / field / beta - 1,
        along / rho / (beta / 2) - 1,
    )
    claims = change_claims(
        ("anisotropy", "parallel beta", "temperature along the field"), first, second
    )
    return (
        Part(
            question,
            (
                r"$p_\perp/p_\parallel \propto B^3/n^2$ and $p_\parallel/B^2 \propto n^3/B^4$ in a "
                "double-adiabatic parcel.",
                rf"Here $n \propto r^{{-{n_power:g}}}$ and $B \propto r^{{-{b_power:g}}}$; "
                r"$T_\parallel \propto n^2/B^2$.",
            ),
            stated(
                claims,
                Routes("powers of the distance", "the adiabatic laws integrated along the way"),
            ),
        ),
    )


_State = tuple[float, float, float, float]
"""B^2 / mu_0, parallel and perpendicular pressure, density."""


class _Parcel:
    """Plasma with n ~ r^-a, B ~ r^-b, by integration of the equations of its two energies.

    With the rates of strain e_par along the field and e_perp in each direction across it,

        dp_par/dt = -(3 e_par + 2 e_perp) p_par,   dp_perp/dt = -(e_par + 4 e_perp) p_perp.
    """

    def __init__(self, start: _State, powers: tuple[float, float], end: float) -> None:
        self._start = start
        self._factors = _factors(powers, end)

    def at(self, x: float) -> _State:
        """State at x times the first distance."""
        field, along, across, rho = (
            value * float(factor)
            for value, factor in zip(self._start, self._factors(x), strict=True)
        )
        return field, along, across, rho


@lru_cache(maxsize=64)
def _factors(powers: tuple[float, float], end: float) -> Callable[[float], NDArray[np.float64]]:
    from scipy.integrate import solve_ivp

    n, b = powers
    along, across = n - b, b / 2
    rates = (-4 * across, -(3 * along + 2 * across), -(along + 4 * across), -along - 2 * across)

    def slope(x: float, state: NDArray[np.float64]) -> list[float]:
        return [rate * value / x for rate, value in zip(rates, state, strict=True)]

    found = solve_ivp(
        slope, (1.0, end), [1.0] * 4, method="DOP853", rtol=1e-9, atol=0.0, dense_output=True
    )
    return found.sol  # type: ignore[no-any-return]


def _squared_speed(state: _State) -> float:
    """Squared phase speed of transverse waves along B, from the matrix of momentum and induction.

    The tension on a bent field line is the divergence of (p_perp - p_par + B^2/mu_0) bb.
    """
    import numpy as np

    field, along, across, rho = state
    # velocity u and perturbation b (over B) for k = 1: -i omega u = i T b / rho, b likewise
    matrix = np.array([[0.0, -(field + across - along) / rho], [-1.0, 0.0]], dtype=complex)
    return float((np.linalg.eigvals(matrix)[0] ** 2).real)


def _kinetic_response(state: _State) -> float:
    """d(p_perp + B^2/2 mu_0)/d ln B where a bi-Maxwellian is mapped along the field.

    Energy and magnetic moment are kept, so that the distribution at b times the field is
    exp(-w_par / T_par - w_perp [1 / T_par + (1 / T_perp - 1 / T_par) / b]).
    """
    import numpy as np

    field, along, across, _ = state
    nodes, weights = gauss_laguerre(12)

    def pressure(b: float) -> float:
        steep = 1 / along + (1 / across - 1 / along) / b
        # integral of w exp(-steep w) dw, on nodes for exp(-w / p_perp)
        w = nodes * across
        return float(np.sum(weights * w * np.exp(nodes - steep * w)))

    h = 1e-2 * min(along / across, 1.0)
    one = (pressure(1 + h) - pressure(1 - h)) / (2 * h)
    two = (pressure(1 + h / 2) - pressure(1 - h / 2)) / h
    return ((4 * two - one) / 3 + field) / across


def _fluid_response(state: _State) -> float:
    """The same with the double-adiabatic laws and the balance of forces along the field."""
    import numpy as np

    field, along, across, _ = state
    # unknowns dp_par, dp_perp, dn for dB = 1 (relative): invariants and parallel balance
    matrix = np.array([[1.0, 0.0, -3 * along], [0.0, 1.0, -across], [1.0, 0.0, 0.0]])
    right = np.array([-2 * along, across, along - across])
    return float((np.linalg.solve(matrix, right)[1] + field) / across)


FAMILY = Family(
    title="Firehose and mirror thresholds of an adiabatic plasma",
    assumptions=(
        "no collisions and no heat flux",
        "cold electrons, no finite-gyroradius effects",
    ),
    sources=(
        "Chew, Goldberger and Low 1956, Proceedings of the Royal Society A 236, 112",
        "Treumann and Baumjohann 1997, Advanced Space Plasma Physics, sections 3.4 and 3.5",
        "Hasegawa 1969, Physics of Fluids 12, 2642",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
