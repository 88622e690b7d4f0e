r"""Steady annihilation of opposite fields in a stagnation-point flow: exact solutions.

Fields along y are carried towards x = 0 by v_x(x). With outflow along y, v = (-kx, ky, 0), Ohm's
law with a uniform E is \eta B' + k x B = E. With outflow along z, across the field,
\eta B'' = v_x B'.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import exp, pi, sqrt
from typing import TYPE_CHECKING, Any

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import (
    fraction_tex,
    number_tex,
    power_tex,
    raised_tex,
    ratio_tex,
    tex,
)
from ecliptic.helio.families.quadrature import gauss_legendre

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Where the field is greatest, the electric field, and the greatest current density."""
    from astropy import constants, units
    from scipy.special import dawsn

    rate = draw.number(0.2, 9.0) * 10.0 ** -draw.integer(2, 3)
    eta = draw.number(0.5, 9.0) * 10.0 ** draw.integer(0, 3)
    field = draw.quantity(2.0, 20.0, "mT")
    k_text = f"${number_tex(rate, 2)}\\ \\mathrm{{s^{{-1}}}}$"
    eta_text = f"${number_tex(eta, 2)}\\ \\mathrm{{m^2\\,s^{{-1}}}}$"
    flow = r"$\mathbf v = (-kx, ky, 0)$"
    setting = draw.phrase(
        f"In a coronal current layer an incompressible flow {flow} with $k$ = {k_text} carries "
        r"opposite fields $\mathbf B = B(x)\,\hat{\mathbf y}$, with $B(0) = 0$, against each "
        rf"other. The magnetic diffusivity is $\eta$ = {eta_text}, and the state is steady.",
        f"Steady magnetic annihilation: the stagnation-point flow {flow}, $k$ = {k_text}, brings "
        r"together fields $\mathbf B = B(x)\,\hat{\mathbf y}$ that are odd in $x$, in a plasma of "
        rf"magnetic diffusivity $\eta$ = {eta_text}.",
    )
    k_unit, eta_unit = rate / units.s, eta * units.m**2 / units.s
    peak = _dawson_maximum()
    height = float(dawsn(peak))
    place = (peak * (2 * eta_unit / k_unit) ** 0.5).to("m")
    electric = (field / height * (k_unit * eta_unit / 2) ** 0.5).to("V m-1")
    current = (electric / (constants.mu0 * eta_unit)).to("A m-2")
    at, value = _annihilation_peak()
    length = sqrt(eta / rate)
    other_e = field.value * 1e-3 / value * eta / length
    first = Part(
        f"{setting} "
        + draw.phrase(
            "At which distance from the plane $x = 0$ is the field strongest?",
            "How far from the neutral plane does $|B|$ have its maximum?",
        ),
        (
            r"The steady electric field is uniform: $\eta\,dB/dx + kxB = E$.",
            r"$B = E\sqrt{2/(k\eta)}\,D(\xi)$ with $\xi = x\sqrt{k/2\eta}$ and Dawson's integral "
            "$D$, which is greatest (0.541) at $\\xi = 0.924$.",
            f"$x$ = {tex(place, 3)}.",
        ),
        Numeric(
            place,
            at * length,
            "m",
            Routes("maximum of Dawson's integral", "Ohm's law integrated outwards"),
            agreement=1e-6,
        ),
    )
    second = Part(
        f"The greatest field strength is {tex(field)}. "
        + draw.phrase(
            "How large is the electric field?", "Find the uniform electric field of this state."
        ),
        (
            r"$B_{max} = 0.541\,E\sqrt{2/(k\eta)}$.",
            f"$E$ = {tex(electric, 3)}.",
        ),
        Numeric(
            electric,
            other_e,
            "V m-1",
            Routes("maximum of Dawson's integral", "Ohm's law integrated outwards"),
        ),
    )
    third = Part(
        draw.phrase(
            "What is the greatest current density in the layer?",
            "How large is the current density where it is greatest?",
        ),
        (
            r"$dB/dx = (E/\eta)(1 - 2\xi D)$ is greatest at $x = 0$: $j = E/(\mu_0\eta)$.",
            f"$j$ = {tex(current, 3, unit='A m-2')}.",
        ),
        Numeric(
            current,
            other_e / (si.MU_0 * eta),
            "A m-2",
            Routes("closed form with units", "slope of the integrated field"),
        ),
    )
    return first, second, third


_EXPONENTS = [
    Fraction(*pair) for pair in ((1, 1), (4, 3), (3, 2), (5, 3), (2, 1), (5, 2), (3, 1), (4, 1))
]
"""None below 1: the outflow, proportional to dv_x/dx, would be infinite at the sheet."""


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Layers in flows of any power, with the outflow across the field."""
    n = draw.choice(_EXPONENTS)
    asked = draw.choice(("slope", "width", "j", "heat", "E"))
    eta, b = r"\eta", draw.phrase("B_0", "B_e")
    u, a = draw.phrase("U", "V", "u_0"), draw.phrase("a", "L", "d")
    m = n + 1
    power = "" if n == 1 else f"^{{{power_tex(n)}}}"
    flow = rf"$v_x = -{u}\,(x/{a}){power}$ for $x > 0$ (and odd in $x$)"
    setting = draw.phrase(
        rf"Fields $\mathbf B = B(x)\,\hat{{\mathbf y}}$ that tend to $\pm {b}$ on the two sides "
        f"are carried towards $x = 0$ by an incompressible flow with {flow}. The plasma leaves "
        rf"along $z$, so that $v_y = 0$. The magnetic diffusivity ${eta}$ is uniform and the state "
        "steady.",
        rf"In a steady layer opposite fields $\mathbf B = B(x)\,\hat{{\mathbf y}}$, "
        rf"$B(\pm\infty) = \pm {b}$, are annihilated. The incompressible flow has {flow} and "
        rf"$v_y = 0$: it leaves along $z$. The magnetic diffusivity is ${eta}$.",
    )
    question = {
        "slope": r"Derive the gradient $B'_0 = dB/dx$ at $x = 0$.",
        "width": rf"Derive the half thickness $\ell = {b}/B'(0)$ of the layer.",
        "j": "Derive the greatest current density $j$.",
        "heat": r"Derive the Ohmic heating $Q$ of the layer per unit area of its plane, "
        r"$Q = \int (\eta/\mu_0)(dB/dx)^2 dx$ over all $x$.",
        "E": r"Derive the magnitude $E_0$ of the electric field component $E_z$ at $x = 0$.",
    }[asked]
    c = ratio_tex(1 / m, u, f"{eta} {raised_tex(a, n)}")
    root = power_tex(1 / m)
    g = rf"\Gamma\left({fraction_tex(1 + 1 / m)}\right)"
    scale = rf"\left({c}\right)^{{{root}}}"
    inverse = rf"\left({c}\right)^{{-{root}}}"
    final = {
        "slope": rf"$B'_0 = \frac{{{b}}}{{{g}}}{scale}$",
        "width": rf"$\ell = {g}{inverse}$",
        "j": rf"$j = \frac{{{b}}}{{\mu_0 {g}}}{scale}$",
        "heat": rf"$Q = \frac{{2^{{1 - {fraction_tex(1 / m)}}}{eta} {b}^2}}{{\mu_0 {g}}}{scale}$",
        "E": rf"$E_0 = \frac{{{eta} {b}}}{{{g}}}{scale}$",
    }[asked]
    tesla = "kg(1/2) m(-1/2) s-1"
    ranges = {eta: (0.5, 2.0), u: (0.5, 2.0), a: (0.5, 2.0)}
    units = {eta: "m2 s-1", u: "m s-1", a: "m"}
    units[""] = {
        "slope": "kg(1/2) m(-3/2) s-1",
        "width": "m",
        "j": "kg(1/2) m(-3/2) s-1",
        "heat": "kg s-3",
        "E": "kg(1/2) m(1/2) s-2",
    }[asked]
    if asked != "width":
        ranges[b], units[b] = (0.5, 2.0), tesla
    if asked in ("j", "heat"):
        ranges[r"\mu_0"], units[r"\mu_0"] = (0.5, 2.0), ""

    def check(at: Mapping[str, float]) -> float:
        diffusivity = at[eta]

        def speed(x: Any) -> Any:
            return -at[u] * (x / at[a]) ** float(n)

        slope, squares = _layer(speed, diffusivity)
        field, mu = at.get(b, 1.0), at.get(r"\mu_0", 1.0)
        return {
            "slope": field * slope,
            "width": 1 / slope,
            "j": field * slope / mu,
            "heat": 2 * diffusivity / mu * field**2 * squares,
            "E": diffusivity * field * slope,
        }[asked]

    return (
        Part(
            f"{setting} {question}" + _PERMEABILITY * (r"\mu_0" in ranges and asked != "heat"),
            (
                r"With $v_y = 0$ the $y$ component of the induction equation is "
                r"$\eta B'' = v_xB'$ (the flow does not stretch the field).",
                rf"$B' = B'_0\exp(-c|x|^{{{power_tex(m)}}})$ with $c = {c}$.",
                rf"$\int_0^\infty B'\,dx = {b}$ and $\int_0^\infty e^{{-cx^m}}dx = "
                r"\Gamma(1+1/m)\,c^{-1/m}$ give the gradient "
                rf"$B'_0 = {b}{scale}/{g}$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("Gamma function", "induction equation integrated through the layer"),
                units,
            ),
        ),
    )


_PERMEABILITY = r" (The vacuum permeability is $\mu_0$.)"

_CHANGED = {
    "eta": "the magnetic diffusivity $\\eta$",
    "U": "the speed $U$",
    "B": "the field strength $B_0$ far from the layer",
}


def textual(draw: Draw) -> tuple[Part, ...]:
    """Thickness, current and heating of a layer under one change."""
    n = draw.choice((Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3)))
    changed = draw.choice(tuple(_CHANGED))
    factor = draw.number(1.3, 4.0)
    grows = draw.choice((True, False))
    ratio = factor if grows else 1 / factor
    speed = draw.number(1.0, 20.0)
    length = draw.integer(1, 20)
    power = "" if n == 1 else f"^{{{power_tex(n)}}}"
    state = rf"$v_x = -U(x/a){power}$ for $x > 0$ (odd in $x$)"
    change = f"{'raised' if grows else 'lowered'} by a factor of {tex(factor)}"
    numbers = f"$U$ = {tex(speed, unit='km s-1')} and $a$ = {tex(float(length), unit='Mm')}"
    question = draw.phrase(
        rf"Opposite fields along $\pm y$ of strength $B_0$ are carried by a steady incompressible "
        f"flow into a resistive layer at $x = 0$: {state}, with {numbers}, while the plasma leaves "
        rf"along $z$ ($v_y = 0$). When {_CHANGED[changed]} is {change} and all else is kept, how "
        "do the thickness of the layer, the greatest current density and the Ohmic heating per "
        "unit area of the layer change, if at all?",
        rf"A steady current layer forms where an incompressible flow, {state}, presses together "
        rf"fields $\pm B_0$ along $y$; {numbers}, and the outflow is along $z$, across the field "
        f"($v_y = 0$). State whether the thickness, the greatest current density and the Ohmic "
        f"heating per unit area of this layer increase, decrease or stay the same when "
        f"{_CHANGED[changed]} is {change} (nothing else changes).",
    )
    m = float(n) + 1
    eta = ratio if changed == "eta" else 1.0
    flow = ratio if changed == "U" else 1.0
    field = ratio if changed == "B" else 1.0
    steep = (flow / eta) ** (1 / m)
    exact = (1 / steep, field * steep, eta * field**2 * steep)
    found = []
    for diffusivity, u, b in ((1.0, 1.0, 1.0), (eta, flow, field)):
        slope, squares = _layer(lambda x, u=u: -u * x ** float(n), diffusivity)  # type: ignore[misc]
        found.append((1 / slope, b * slope, diffusivity * b**2 * squares))
    names = ("thickness of the layer", "greatest current density", "Ohmic heating per unit area")
    claims = change_claims(names, (value - 1 for value in exact), relative_changes(*found))
    root = power_tex(1 / (n + 1))
    return (
        Part(
            question,
            (
                r"$\eta B'' = v_xB'$: $B' \propto \exp(-c x^{n+1})$ with $c \propto U/\eta$, so "
                rf"that the thickness varies as $(\eta/U)^{{{root}}}$.",
                rf"The current density varies as $B_0(U/\eta)^{{{root}}}$, the heating as "
                rf"$\eta B_0^2(U/\eta)^{{{root}}}$.",
            ),
            stated(
                claims, Routes("scaling of the closed solution", "induction equation integrated")
            ),
        ),
    )


@lru_cache(maxsize=1)
def _dawson_maximum() -> float:
    """Where D = 1 / (2 xi)."""
    from scipy.optimize import brentq
    from scipy.special import dawsn

    return float(brentq(lambda x: 1 - 2 * x * dawsn(x), 0.5, 1.5, xtol=1e-14))


@lru_cache(maxsize=1)
def _annihilation_peak() -> tuple[float, float]:
    """Place and value of the greatest b where b' = 1 - s b, in units of (eta/k)^(1/2)."""
    from scipy.integrate import solve_ivp

    def top(s: float, b: NDArray[np.float64]) -> float:
        return float(1 - s * b[0])

    found = solve_ivp(
        lambda s, b: [1 - s * b[0]],
        (0.0, 3.0),
        [0.0],
        method="DOP853",
        rtol=1e-12,
        atol=1e-14,
        events=top,
        max_step=0.05,
    )
    return float(found.t_events[0][0]), float(found.y_events[0][0][0])


def _layer(speed: Callable[[Any], Any], diffusivity: float) -> tuple[float, float]:
    """Slope at 0 and integral of the squared slope over x > 0, for a field that tends to 1.

    d(ln B')/dx = v_x / eta is integrated outwards by Gauss' rule, in a variable that crowds the
    points near the plane, as far as the slope is not negligible.
    """
    import numpy as np

    nodes, weights = gauss_legendre(60, 0.0, 1.0)
    end = 1e-3
    while -speed(end) * end / diffusivity < 100 * pi:
        end *= 1.3
    # x = end s^6 makes rational powers of x smooth at 0
    s = nodes
    inner = s[:, None] * s[None, :]
    x = end * inner**6
    rate = speed(x) / diffusivity
    logs = np.sum(weights * rate * 6 * end * inner**5, axis=1) * s
    slope = np.exp(logs)
    jacobian = 6 * end * s**5
    whole = float(np.sum(weights * slope * jacobian))
    squares = float(np.sum(weights * slope**2 * jacobian))
    assert slope[-1] < exp(-30)
    return 1 / whole, squares / whole**2


FAMILY = Family(
    title="Magnetic annihilation in a stagnation-point flow",
    assumptions=(
        "steady, incompressible, uniform magnetic diffusivity",
        "the flow is given and the field has one component",
    ),
    sources=(
        "Sonnerup and Priest 1975, Journal of Plasma Physics 14, 283",
        "Priest and Forbes 2000, Magnetic Reconnection, section 3.2",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
