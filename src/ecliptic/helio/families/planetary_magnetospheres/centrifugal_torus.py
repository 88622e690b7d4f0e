r"""Plasma torus in a rotating dipole: centrifugal equator and distribution along the field.

Ions (mass m, charge Z e, T_i) and electrons (T_e) corotate with \Omega; the field that keeps them
neutral makes

.. math:: n = n_0 \exp\left[\frac{m \Omega^2 (\rho^2 - \rho_0^2)}{2 k (T_i + Z T_e)}\right]

along a field line, with \rho the distance from the axis of rotation.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import atan, cos, degrees, exp, log, pi, radians, sin, sqrt, tan
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, number_tex, power_tex, ratio_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    pass

_IONS = {"sulphur": (32.0, (1, 2, 3)), "oxygen": (16.0, (1, 2)), "water-group": (17.0, (1,))}
_STEADY = (
    "ions and electrons corotate, are isotropic and isothermal along the field, and stay "
    "quasi-neutral; gravity and the mass of the electrons are neglected"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Latitude of the centrifugal equator, then the density at another latitude."""
    from astropy import constants, units

    tilt = draw.number(5.0, 25.0)
    name = draw.choice(tuple(_IONS))
    mass, charges = _IONS[name]
    charge = draw.choice(charges)
    cold, hot = draw.number(20.0, 120.0), draw.number(2.0, 15.0)
    shell, radius = draw.number(4.0, 8.0), draw.quantity(5.0e4, 7.2e4, "km")
    period = draw.quantity(8.0, 14.0, "h")
    tangent = tan(radians(tilt))
    root = (sqrt(9 + 8 * tangent**2) - 3) / (4 * tangent)
    equator = degrees(atan(root))
    setting = draw.phrase(
        f"A planet's magnetic dipole is centred and tilted by {tex(tilt, unit='deg')} against its "
        "axis of rotation. Consider the meridian plane that contains both axes, and cold plasma "
        "that the rotation drives along the field to the point farthest from the axis of "
        "rotation.",
        f"The axis of a centred dipole makes {tex(tilt, unit='deg')} with the axis about which the "
        "planet rotates. In the plane of the two axes cold corotating plasma collects on each "
        "field line where its distance from the axis of rotation is greatest.",
    )
    first = Part(
        f"{setting} "
        + draw.phrase(
            "How large is the magnetic latitude (absolute value) of this centrifugal equator?",
            "At which magnetic latitude (absolute value) does this centrifugal equator lie?",
        ),
        (
            r"On $r = LR\cos^2\lambda$ the distance from the axis of rotation is "
            r"$\rho = LR\cos^2\lambda\cos(\lambda - \alpha)$, with $\lambda$ positive towards the "
            "rotational equator.",
            r"$d\rho/d\lambda = 0$: $2\tan\lambda = \tan(\alpha - \lambda)$, so "
            r"$\tan\lambda = [\sqrt{9+8\tan^2\alpha} - 3]/(4\tan\alpha)$.",
            rf"$\lambda = {number_tex(equator)}^{{\circ}}$ (about $\alpha/3$).",
        ),
        Numeric(
            equator * units.deg,
            degrees(_farthest(radians(tilt))),
            "deg",
            Routes("quadratic equation for the tangent", "maximum found by golden section"),
        ),
    )
    away = draw.choice((1, -1))
    latitude = round(equator + away * draw.number(4.0, 12.0), 1)
    if abs(latitude) < 1.0:
        latitude = round(equator + 8.0, 1)
    energy = (cold + charge * hot) * units.eV
    length = shell * radius

    def distance(at: float) -> float:
        return cos(radians(at)) ** 2 * cos(radians(at - tilt))

    spin = (2 * pi / period) ** 2 * length**2 * mass * constants.u / (2 * energy)
    ratio = exp(float(spin.to_value("")) * (distance(latitude) ** 2 - distance(equator) ** 2))
    if ratio < 1e-4 or ratio > 0.97:
        return numeric(draw)
    where = (
        "the same side of the magnetic equator as"
        if latitude > 0
        else ("the other side of the magnetic equator from")
    )
    other = _along(
        radians(tilt),
        radians(latitude),
        _farthest(radians(tilt)),
        (shell * radius.value * 1e3 * 2 * pi / (period.value * 3600)) ** 2 * mass * si.M_U,
        (cold * si.E_CHARGE, hot * si.E_CHARGE, charge),
    )
    second = Part(
        f"On the field line with $L$ = {tex(shell)} in this plane of the two axes (tilt as above; "
        f"planetary radius {tex(radius)}, rotation "
        f"period {tex(period)}) there are {name} ions of mass {tex(mass, unit='u')} and charge "
        f"${'' if charge == 1 else charge}e$ with $k_BT_i$ = {tex(cold, unit='eV')} and electrons "
        f"with $k_BT_e$ = {tex(hot, unit='eV')}; {_STEADY}. "
        + draw.phrase(
            "What is the ratio of the density at the magnetic latitude "
            f"${abs(latitude)}^{{\\circ}}$, on {where} the centrifugal equator, to that at the "
            "centrifugal equator?",
            "By which factor (below 1) does the density at the magnetic latitude "
            f"${abs(latitude)}^{{\\circ}}$, on {where} the centrifugal equator, differ from the "
            "density at the centrifugal equator?",
        ),
        (
            r"Both force balances, with the ambipolar field eliminated: $n \propto "
            r"\exp[m\Omega^2\rho^2/2k_B(T_i+ZT_e)]$.",
            rf"$m\Omega^2L^2R^2/[2k_B(T_i+ZT_e)] = {number_tex(float(spin.to_value('')))}$.",
            f"$n/n_0 = {number_tex(ratio)}$.",
        ),
        Numeric(
            ratio,
            other,
            "",
            Routes("Boltzmann factor with units", "both force balances integrated along the field"),
            agreement=1e-5,
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Scale height, distance of a density, or content of a flux tube, for other field shapes."""
    p = Fraction(draw.integer(2, 12), draw.integer(1, 4))
    charge = draw.integer(1, 3)
    theta = Fraction(draw.integer(1, 6), draw.integer(1, 4))
    asked = draw.choice(("H", "fraction", "column", "T"))
    total = 1 + charge * theta
    m, t = draw.phrase("m", "m_i"), draw.phrase("T", "T_i")
    shape = "" if p == 1 else f"^{{{power_tex(p)}}}"
    factor = 2 * total / (p + 1)
    square = ratio_tex(factor, f"k_B {t}", rf"{m}\Omega^2")
    warm = ratio_tex(1 / factor, rf"{m}\Omega^2H^2", "k_B")
    height = rf"\sqrt{{{square}}}"
    final = {
        "H": f"$H = {height}$",
        "fraction": rf"$s = {height}\sqrt{{\ln f}}$",
        "column": rf"$N = \sqrt{{\pi}}n_0{height}$",
        "T": f"${t} = {warm}$",
    }[asked]
    electrons = (
        "the same temperature" if theta == 1 else (rf"the temperature ${fraction_tex(theta)}\,{t}$")
    )
    ion = f"ions of mass ${m}$, charge ${'' if charge == 1 else charge}e$ and temperature ${t}$"
    setting = draw.phrase(
        "In a rapidly rotating magnetosphere (angular velocity $\\Omega$, field symmetric about "
        f"the axis of rotation) the field lines have the shape $r = r_0\\cos{shape}\\lambda$ with "
        f"$\\lambda$ the latitude. There are {ion}; the electrons have {electrons}. Here "
        f"{_STEADY}.",
        f"Plasma with {ion} and electrons of {electrons} fills a field line "
        f"$r = r_0\\cos{shape}\\lambda$ ($\\lambda$: latitude) of an axisymmetric magnetosphere "
        f"that rotates with $\\Omega$ about its axis of symmetry; {_STEADY}.",
    )
    law = (
        r" Close to the equator the density is $n = n_0 e^{-s^2/H^2}$, with $s$ measured along "
        "the field line. "
    )
    question = {
        "H": law + "Derive $H$.",
        "fraction": " It is confined close to the equator (distances along the field small against "
        "$r_0$). Derive the distance $s$ from the equator, along the field, at which the density "
        "is $1/f$ of that at the equator.",
        "column": " It is confined close to the equator, where the density is $n_0$. Derive the "
        "column density $N = \\int n\\,ds$ along the whole field line.",
        "T": law + f"Derive ${t}$ from the measured $H$.",
    }[asked]
    # tiny heights against r_0 = 1: the law close to the equator is a limit
    ranges = {"k_B": (0.5, 2.0), t: (0.5, 2.0), m: (0.5, 2.0), r"\Omega": (0.5, 2.0)}
    units = {"k_B": "kg m2 s-2 K-1", t: "K", m: "kg", r"\Omega": "s-1", "": "m"}
    if asked == "T":
        ranges["H"], units["H"], units[""] = (0.5, 2.0), "m", "K"
        del ranges[t], units[t]
    if asked == "fraction":
        ranges["f"], units["f"] = (2.0, 20.0), ""
    if asked == "column":
        ranges["n_0"], units["n_0"], units[""] = (0.5, 2.0), "m-3", "m-2"
    # k_B by its base units would be split as J/K
    units["k_B"] = "m2 s-2 kg K-1"

    def check(at: Mapping[str, float]) -> float:
        power = float(p)
        if asked == "T":
            unit = at[m] * at[r"\Omega"] ** 2 / at["k_B"]
            return unit * at["H"] ** 2 / _height(power, charge, float(theta), 1.0) ** 2
        scale = at["k_B"] * at[t] / (at[m] * at[r"\Omega"] ** 2)
        height = _height(power, charge, float(theta), 1.0) * sqrt(scale)
        if asked == "fraction":
            return _height(power, charge, float(theta), log(at["f"])) * sqrt(scale)
        if asked == "column":
            return at["n_0"] * height * _gauss_integral()
        return height

    return (
        Part(
            setting + question,
            (
                rf"$\ln(n/n_0) = {m}\Omega^2(\rho^2 - r_0^2)/[2k_B(T_i+ZT_e)]$ with $T_i+ZT_e = "
                rf"{fraction_tex(total)}{t}$.",
                rf"$\rho = r_0\cos^{{{power_tex(p + 1)}}}\lambda$, so $\rho^2 \approx r_0^2 - "
                rf"{'' if p == 0 else fraction_tex(p + 1)}s^2$ with $s \approx r_0\lambda$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "expansion close to the equator",
                    "force balances integrated along short field lines, extrapolated",
                ),
                units,
                agreement=1e-5,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Thickness of the torus, sign of the ambipolar field, and the centrifugal equator."""
    changed = draw.choice(("ion mass", "electron temperature", "rotation period", "tilt", "tilt"))
    name = draw.choice(tuple(_IONS))
    mass, _ = _IONS[name]
    tilt = draw.number(5.0, 15.0)
    cold, hot, period = draw.number(20.0, 90.0), draw.number(3.0, 20.0), draw.number(8.0, 14.0)
    old = {
        "ion mass": mass,
        "electron temperature": hot,
        "rotation period": period,
        "tilt": tilt,
    }[changed]
    new = float(f"{old * draw.number(1.3, 2.0):.2g}")
    values = draw.choice(((old, new), (new, old)))
    unit = {
        "ion mass": "u",
        "electron temperature": "eV",
        "rotation period": "h",
        "tilt": "deg",
    }[changed]
    state = {
        "ion mass": mass,
        "electron temperature": hot,
        "rotation period": period,
        "tilt": tilt,
    } | {changed: values[0]}
    what = {
        "ion mass": "the ion mass",
        "electron temperature": "the electron temperature ($k_BT_e$)",
        "rotation period": "the rotation period",
        "tilt": "the tilt of the dipole",
    }[changed]
    then = tex(values[1], unit=unit)
    question = draw.phrase(
        f"A planet rotates in {tex(state['rotation period'], unit='h')} and has a centred dipole "
        f"tilted by {tex(state['tilt'], unit='deg')} against the axis of rotation. Its torus has "
        f"singly charged ions of mass "
        f"{tex(state['ion mass'], unit='u')} with $k_BT_i$ = {tex(cold, unit='eV')} and electrons "
        f"with $k_BT_e$ = {tex(state['electron temperature'], unit='eV')}; {_STEADY}. If {what} "
        f"changes to {then} (all else kept), how do the scale height of the torus along the field "
        "and the angle between its centrifugal equator and the magnetic equator change, if at all, "
        "both in the meridian plane of the two axes?",
        "A torus of singly charged ions (mass "
        f"{tex(state['ion mass'], unit='u')}, $k_BT_i$ = {tex(cold, unit='eV')}) and electrons "
        f"($k_BT_e$ = {tex(state['electron temperature'], unit='eV')}) surrounds a planet with a "
        f"centred dipole, tilted by {tex(state['tilt'], unit='deg')} against the axis of "
        f"rotation, and a "
        f"rotation period of {tex(state['rotation period'], unit='h')}; {_STEADY}. How do the "
        "scale height along the field and the angle between the magnetic and the centrifugal "
        "equator, in the meridian plane of the two axes, change, if at all, when "
        f"{what} becomes {then} and the rest is kept?",
    )
    heights, angles, other_heights, other_angles = [], [], [], []
    for value in values:
        now = state | {changed: value}
        slope = tan(radians(now["tilt"]))
        angles.append(atan((sqrt(9 + 8 * slope**2) - 3) / (4 * slope)))
        other_angles.append(_farthest(radians(now["tilt"])))
        energy = cold + now["electron temperature"]
        unit_height = now["rotation period"] / sqrt(now["ion mass"])
        at, axis = angles[-1], angles[-1] - radians(now["tilt"])
        bend = (2 * cos(2 * at) + cos(at) ** 2) * cos(axis) - 2 * sin(2 * at) * sin(axis)
        curvature = cos(at) ** 2 * cos(axis) * bend
        heights.append(unit_height * sqrt(2 * energy * _metric(at) / curvature))
        at = other_angles[-1]
        line = [
            cos(at + d) ** 4 * cos(at + d - radians(now["tilt"])) ** 2 for d in (-1e-3, 0, 1e-3)
        ]
        fall = (2 * line[1] - line[0] - line[2]) / 2e-6
        other_heights.append(unit_height * sqrt(2 * energy * _metric(at) / fall))
    claims = (
        change_claim(
            "scale height of the torus",
            heights[1] / heights[0] - 1,
            other_heights[1] / other_heights[0] - 1,
        ),
        change_claim(
            "angle between the two equators",
            angles[1] / angles[0] - 1,
            other_angles[1] / other_angles[0] - 1,
        ),
    )
    return (
        Part(
            question,
            (
                r"$H = \sqrt{2k_B(T_i+T_e)/(3m\Omega^2)}$ without tilt; with it the curvature of "
                r"$\rho^2$ along the field at its maximum replaces the factor 3.",
                r"The centrifugal equator is where $2\tan\lambda = \tan(\alpha-\lambda)$, whatever "
                "the plasma and the rotation rate.",
            ),
            stated(
                claims, Routes("closed forms", "force balance and farthest point found numerically")
            ),
        ),
    )


def _metric(latitude: float) -> float:
    """Square of ds / (L R d latitude) along a dipole field line."""
    return cos(latitude) ** 2 * (1 + 3 * sin(latitude) ** 2)


def _farthest(tilt: float) -> float:
    """Magnetic latitude at which cos^2 l cos(l - tilt) is greatest."""

    def slope(at: float) -> float:
        h = 1e-4
        values = [cos(x) ** 2 * cos(x - tilt) for x in (at - 2 * h, at - h, at + h, at + 2 * h)]
        return (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * h)

    return bracketed_root(slope, 0.0, tilt)


def _along(
    tilt: float, end: float, start: float, spin: float, plasma: tuple[float, float, int]
) -> float:
    """Density at one latitude over that at another, from both force balances.

    With the slope of ln n the same for ions and electrons, the potential of the ambipolar field
    and ln n are two unknowns of two linear equations at each point; Gauss' rule sums the slope.
    """
    import numpy as np

    cold, hot, charge = plasma
    nodes, weights = gauss_legendre(24)
    matrix = np.array([[cold, charge], [hot, -1.0]])
    total = 0.0
    for node, weight in zip(nodes, weights, strict=True):
        at = (start + end) / 2 + (end - start) / 2 * node
        rho = cos(at) ** 2 * cos(at - tilt)
        climb = -2 * cos(at) * sin(at) * cos(at - tilt) - cos(at) ** 2 * sin(at - tilt)
        total += weight * np.linalg.solve(matrix, np.array([spin * rho * climb, 0.0]))[0]
    return exp(float(total) * (end - start) / 2)


def _height(p: float, charge: int, theta: float, decades: float) -> float:
    """Distance along r = cos^p(l) at which ln n has fallen by so much, for short distances.

    In units of (k T_i / m Omega^2)^(1/2); found for two small ratios of that length to r_0 and
    extrapolated to zero, where corrections vary as its square.
    """
    import numpy as np

    balance = np.linalg.inv(np.array([[1.0, charge], [theta, -1.0]]))[0, 0]

    def distance(small: float) -> float:
        def miss(at: float) -> float:
            fall = balance * (1 - cos(at) ** (2 * p + 2)) / (2 * small**2)
            return float(fall - decades)

        latitude = bracketed_root(miss, 0.0, min(200 * small, 1.5))
        # length of the arc: the field line is r = cos^p
        nodes, weights = gauss_legendre(8)
        at = latitude * (nodes + 1) / 2
        arc = np.sqrt(np.cos(at) ** 2 + p**2 * np.sin(at) ** 2) * np.cos(at) ** (p - 1)
        return float(np.sum(weights * arc) * latitude / 2 / small)

    one, two = distance(2e-2), distance(1e-2)
    three = distance(5e-3)
    return (64 * three - 20 * two + one) / 45


@lru_cache(maxsize=1)
def _gauss_integral() -> float:
    from scipy.integrate import quad

    return float(quad(lambda x: exp(-(x**2)), -9.0, 9.0)[0])


FAMILY = Family(
    title="Centrifugal equator and scale height of a plasma torus",
    assumptions=(
        "rigid corotation, isotropic and isothermal species, quasi-neutrality",
        "gravity and the mass of the electrons are neglected",
    ),
    sources=(
        "Hill, Dessler and Michel 1974, Geophysical Research Letters 1, 3",
        "Bagenal and Sullivan 1981, Journal of Geophysical Research 86, 8447",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
