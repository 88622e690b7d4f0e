r"""Plasmapause: the last closed equipotential of corotation and convection.

In the equatorial plane, with phi eastward from noon (dusk at 90 degrees) and a northward field,

.. math:: \Phi = -\frac{\Omega B_0 R^n}{(n-2) r^{n-2}} - A r^g \sin\phi,

(n = 3 for a dipole; Volland-Stern convection, shielded for g > 1). Cold plasma follows the
equipotentials; the flow stagnates where :math:`\nabla\Phi = 0`, at dusk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import exp, log, pi, sin
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import (
    factor_tex,
    power_tex,
    raised_tex,
    ratio_tex,
    rational_power_tex,
    tex,
)
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    pass

_HOURS = (0, 2, 3, 4, 6, 8, 9, 10, 12, 14, 15, 21, 22)
_SIDEREAL_S = 86164.1
_AXES = (
    r"$\varphi$ is counted eastward from noon, so that dusk is at $\varphi = 90^{\circ}$ and dawn "
    r"at $270^{\circ}$"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Stagnation point, then the plasmapause at another local time."""
    from astropy import constants, units

    shielding = draw.choice((1.0, 1.5, 2.0, 2.5, 3.0))
    strength = draw.quantity(0.15, 1.2, "mV m-1", log=True)
    reference = draw.integer(6, 10) * units.R_earth
    field = draw.quantity(29.5, 31.2, "uT", digits=3)
    hour = draw.choice(_HOURS)
    power = "" if shielding == 1 else f"^{{{shielding:g}}}"
    radius = rf"$R_{{\mathrm{{E}}}}$ = {tex(si.R_EARTH_M / 1e3, unit='km')}"
    setting = draw.phrase(
        "Cold plasma in the equatorial plane of the Earth drifts in the sum of corotation (sidereal"
        rf" day {tex(_SIDEREAL_S, unit='s')}, dipole axis along the rotation axis, {tex(field)} on "
        f"the equator at the surface, radius {radius}) and of the convection potential "
        f"$-A r{power} \\sin\\varphi$ with $A > 0$.",
        f"Take the convection potential $-A r{power} \\sin\\varphi$, $A > 0$, in the Earth's "
        f"equatorial plane (radius of the Earth: {radius}), and let the plasma also corotate "
        f"(period "
        f"{tex(_SIDEREAL_S, unit='s')}, dipole along the rotation axis, {tex(field)} at the "
        "surface on the equator); the plasma is cold.",
    )
    setting += (
        f" Here {_AXES}, and the convection field at dusk has the strength {tex(strength)} at "
        f"{tex(reference, unit='R_earth')}. The stagnation point of the drift lies at dusk. "
    )
    omega = 2 * pi / (_SIDEREAL_S * units.s)
    corotation = omega * field * constants.R_earth**3
    # E = E_ref (r / r_ref)^(g - 1) at dusk equals the corotation field C / r^2
    ratio = (corotation / (strength * reference**2)).to_value("")
    stagnation = (reference * ratio ** (1 / (shielding + 1))).to(units.R_earth)
    sine = sin(pi * (hour - 12) / 12)
    place = stagnation * _scaled(shielding, round(sine, 12))
    c = 2 * pi / _SIDEREAL_S * field.value * 1e-6 * si.R_EARTH_M**3
    r_ref = reference.value * si.R_EARTH_M
    a = strength.value * 1e-3 / (shielding * r_ref ** (shielding - 1))

    def potential(r: float, across: float) -> float:
        return float(-c / r - a * r**shielding * across)

    found = _stagnation(potential, 0.5 * si.R_EARTH_M, 60 * si.R_EARTH_M)
    other = _boundary(potential, found, sine)
    bend = r"x\sin\varphi"
    growing = "E_0"
    if shielding != 1:
        bend = rf"x^{{{shielding:g}}}\sin\varphi/{shielding:g}"
        growing = rf"E_0 (r/r_0)^{{{shielding - 1:g}}}"
    first = Part(
        setting
        + draw.phrase(
            "At which geocentric distance does the drift vanish?",
            "Find the distance of the stagnation point of the drift from the Earth's centre.",
        ),
        (
            r"Corotation: $\Phi_c = -\Omega B_E R_E^3/r$, with the field $C/r^2$, "
            r"$C = \Omega B_E R_E^3$.",
            f"At dusk it opposes the convection field ${growing}$: "
            rf"$r_s = r_0\,[C/(E_0 r_0^2)]^{{1/{shielding + 1:g}}}$.",
            f"$r_s$ = {tex(stagnation, 4, unit='R_earth')}, at dusk.",
        ),
        Numeric(
            stagnation,
            found / si.R_EARTH_M,
            "R_earth",
            Routes("balance of the fields with units", "root of the slope of the potential in SI"),
            digits=4,
        ),
    )
    second = Part(
        draw.phrase(
            "The plasmapause is the equipotential through this point that encloses the Earth. What "
            f"is its distance at {hour:02d} h local time (noon is 12 h, dusk 18 h)?",
            "Take the closed equipotential through this point as the plasmapause; how far from the "
            f"Earth's centre is it at the local time {hour:02d} h (dusk is 18 h, dawn 06 h)?",
        ),
        (
            rf"On it $1/x + {bend} = {1 + 1 / shielding:.4g}$ with $x = r/r_s$.",
            rf"$\sin\varphi$ = {sine:.4f}: the smallest positive root is $x$ = "
            f"{_scaled(shielding, round(sine, 12)):.4f}.",
            f"$r$ = {tex(place, 3, unit='R_earth')}.",
        ),
        Numeric(
            place,
            other / si.R_EARTH_M,
            "R_earth",
            Routes("scaled equation of the separatrix", "level line of the potential in SI"),
        ),
    )
    return first, second


_ASKED = {
    "stagnation": "the distance ${n}$ of the stagnation point",
    "noon": "the distance ${n}$, at noon, of the closed equipotential through the stagnation point",
    "rate": "the rate of rotation ${n}$ with which the stagnation point would be at the distance "
    "$r_s$",
    "field": "the strength ${n}$ of the convection field at the stagnation point",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Stagnation point and separatrix for a shielded convection and any decay of the field."""
    g = draw.choice([Fraction(*at) for at in ((1, 1), (3, 2), (2, 1), (5, 2), (3, 1), (4, 1))])
    n = draw.choice([Fraction(*at) for at in ((3, 1), (3, 1), (7, 2), (4, 1), (5, 2), (5, 1))])
    asked = draw.choice(tuple(_ASKED))
    name = {"stagnation": "r_s", "noon": "r_n", "rate": r"\Omega", "field": "E_s"}[asked]
    shape = (
        "$B_0 (R/r)^3$ (dipole)" if n == 3 else f"$B_0 (R/r)^{{{power_tex(n)}}}$ (stretched field)"
    )
    if n > 3:
        shape = shape.replace("stretched field", "steep inner field")
    power = "" if g == 1 else f"^{{{power_tex(g)}}}"
    rate = r"\Omega" if asked == "rate" else draw.phrase(r"\Omega", r"\omega")
    setting = draw.phrase(
        f"In the equatorial plane of a planet that rotates eastward at the rate ${rate}$ the field "
        f"points north with the strength {shape}. Cold plasma drifts in the corotation field and "
        f"in the convection potential $-A r{power} \\sin\\varphi$ ($A > 0$);",
        f"Cold magnetospheric plasma, with the convection potential $-A r{power} \\sin\\varphi$, "
        f"$A > 0$, also corotates with a planet that turns eastward at the rate ${rate}$; the "
        f"equatorial field points north, {shape}, and",
    )
    question = (
        f"{setting} {_AXES}. The stagnation point of the flow lies at dusk. "
        + draw.phrase("Derive ", "Find ", "Determine ")
        + _ASKED[asked].format(n=name)
        + "."
    )
    total = g + n - 2
    inner = f"{rate} B_0 R^{{{power_tex(n)}}}"
    base = rf"\left({ratio_tex(1 / g, inner, 'A')}\right)"
    root = rf"{base}^{{{power_tex(1 / total)}}}"
    final = {
        "stagnation": f"$r_s = {root}$",
        "noon": rf"$r_n = {rational_power_tex(g / total, 1 / (n - 2))}{root}$",
        "rate": f"$\\Omega = {ratio_tex(g, raised_tex('A r_s', total), raised_tex('B_0 R', n))}$",
        "field": rf"$E_s = {factor_tex(g)}A{base}^{{{power_tex((g - 1) / total)}}}$"
        if g != 1
        else "$E_s = A$",
    }[asked]
    ranges = {"A": (0.5, 2.0)}
    units = {"A": f"V m({float(-g)})", "": "m"}
    if not (asked == "field" and g == 1):
        ranges |= {"B_0": (0.5, 2.0), "R": (0.6, 1.6)}
        units |= {"B_0": "T", "R": "m"}
        if asked == "rate":
            ranges["r_s"], units["r_s"], units[""] = (0.7, 1.6), "m", "s-1"
        else:
            ranges[rate], units[rate] = (0.5, 2.0), "s-1"
    if asked == "field":
        units[""] = "V m-1"

    def check(at: Mapping[str, float]) -> float:
        b, r0 = at.get("B_0", 1.0), at.get("R", 1.0)

        def slope(log_r: float, turn: float) -> float:
            """Radial drift balance at dusk: corotation speed against convection, log of ratio."""
            r = exp(log_r)
            local = b * (r0 / r) ** float(n)
            step = 1e-4 * r
            pull = at["A"] * ((r + step) ** float(g) - (r - step) ** float(g)) / (2 * step)
            return float(turn * r - pull / local)

        if asked == "rate":
            return -slope(log(at["r_s"]), 0.0) / at["r_s"]
        turn = at.get(rate, 1.0)
        r_s = exp(bracketed_root(lambda x: slope(x, turn), -3.0, 4.0))
        if asked == "field":
            return float(turn * r_s * b * (r0 / r_s) ** float(n))
        if asked == "stagnation":
            return r_s
        level = _corotation(turn, b, r0, float(n), r_s) - at["A"] * r_s ** float(g)
        return exp(
            bracketed_root(
                lambda x: _corotation(turn, b, r0, float(n), exp(x)) / level - 1, -9.0, 4.0
            )
        )

    return (
        Part(
            question,
            (
                rf"Corotation means $E_r = -{rate} r B$, so that $\Phi_c = "
                rf"-{factor_tex(1 / (n - 2))}{inner}{_radius(2 - n)}$.",
                rf"At dusk the slopes cancel: ${inner}{_radius(1 - n)} = {factor_tex(g)}A"
                rf"{_radius(g - 1)}$.",
                *(
                    (r"At noon $\Phi = \Phi_c(r_n)$ equals $\Phi$ at the stagnation point.",)
                    if asked == "noon"
                    else ()
                ),
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "extremum of the potential in closed form",
                    "numerical root of the drift speed, and quadrature of the corotation field",
                ),
                units,
                agreement=3e-6,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Another convection, rotation or field strength: size and shape of the plasmasphere."""
    g = draw.choice((1.0, 1.5, 2.0, 2.5, 3.0))
    other_g = draw.choice((1.0, 1.5, 2.0, 2.5, 3.0))
    changed = draw.choice(("convection", "rotation", "field"))
    factor = draw.number(1.2, 3.0)
    grows = draw.choice((True, False))
    shape = other_g != g
    r0 = draw.integer(4, 8)
    where = draw.choice(("noon", "dawn", "midnight"))
    name = {
        "convection": "the strength $A$ of the convection",
        "rotation": "the rate of rotation of the planet",
        "field": "the dipole moment of the planet",
    }[changed]
    verb = "multiplied" if grows else "divided"
    ratio = factor if grows else 1 / factor
    question = (
        "In the equatorial plane of a planet with a dipole along its axis of rotation, cold plasma "
        r"drifts in the corotation field and in the convection potential $-A (r/r_0)^g \sin"
        rf"\varphi$, with $A > 0$, where $r_0$ is {r0} planetary radii and {_AXES}. "
        + draw.phrase(
            f"The exponent $g$ = {g:g} is kept and {name} is {verb} by {tex(factor)}: how does the "
            "distance of the stagnation point change?",
            f"With $g$ = {g:g}, how does the distance of the stagnation point change if {name} is "
            f"{verb} by {tex(factor)} and all else is kept?",
        )
        + " "
        + (
            draw.phrase(
                f"And how does the asymmetry of the plasmapause, the ratio of its "
                f"distance at dusk to that at {where}, change, if at all, when $g$ goes from "
                f"{g:g} to {other_g:g}?",
                f"And how does the asymmetry of the plasmapause (its distance at dusk over that at "
                f"{where}) change, if at all, when $g$ is changed from {g:g} to {other_g:g}?",
            )
            if shape
            else f"And how does the asymmetry of the plasmapause, its distance at dusk over that "
            f"at {where}, then change, if at all?"
        )
        + " The plasmapause is the closed equipotential through the stagnation point, which lies "
        "at dusk."
    )
    sine = {"noon": 0.0, "midnight": 0.0, "dawn": -1.0}[where]
    power = (-1 if changed == "convection" else 1) / (g + 1)
    first = ratio**power - 1
    other_c = 1.0 if changed == "convection" else ratio
    other_a = ratio if changed == "convection" else 1.0
    base, moved = _model(1.0, 1.0, g), _model(other_c, other_a, g)
    r_s, r_m = (_stagnation(p, 1e-3, 1e3) for p in (base, moved))
    second = r_m / r_s - 1
    final_model = _model(1.0, 1.0, other_g) if shape else moved
    r_f = _stagnation(final_model, 1e-3, 1e3) if shape else r_m
    other_ratio = (r_f / _boundary(final_model, r_f, sine)) / (r_s / _boundary(base, r_s, sine)) - 1
    ratio_change = _scaled(g, sine) / _scaled(other_g, sine) - 1
    claims = (
        change_claim("stagnation distance", first, second),
        change_claim("asymmetry of the plasmapause", ratio_change, other_ratio),
    )
    return (
        Part(
            question,
            (
                r"At dusk $C/r^2 = g A r^{g-1}/r_0^g$: $r_s = [C r_0^g/(gA)]^{1/(g+1)}$, with $C$ "
                "the product of rotation rate and dipole moment.",
                r"In $x = r/r_s$ the separatrix is $1/x + x^g\sin\varphi/g = 1 + 1/g$: its shape "
                "depends on $g$ only.",
            ),
            stated(
                claims, Routes("scaled equation of the separatrix", "level lines of the potential")
            ),
        ),
    )


def _radius(power: Fraction) -> str:
    if power == 0:
        return ""
    return r"\,r" if power == 1 else rf"\,r^{{{power_tex(power)}}}"


def _scaled(g: float, sine: float) -> float:
    """Smallest positive root x of 1/x + x^g sin/g = 1 + 1/g."""
    from scipy.optimize import brentq

    def separatrix(x: float) -> float:
        return float(1 + x ** (g + 1) * sine / g - x * (1 + 1 / g))

    return float(brentq(separatrix, 1e-3, 1 - 1e-9, xtol=1e-13))


def _model(c: float, a: float, g: float) -> Callable[[float, float], float]:
    return lambda r, across: -c / r - a * r**g * across


def _stagnation(potential: Callable[[float, float], float], low: float, high: float) -> float:
    """Radius at dusk where the central difference of the potential vanishes."""

    def slope(log_r: float) -> float:
        # of fourth order; the potential is steep, so that the step may be wide
        h, total = 2e-3, 0.0
        for shift, weight in ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0)):
            total += weight * potential(exp(log_r + shift * h), 1.0)
        return total / abs(potential(exp(log_r), 1.0))

    return exp(bracketed_root(slope, log(low), log(high)))


def _boundary(potential: Callable[[float, float], float], r_s: float, sine: float) -> float:
    level = potential(r_s, 1.0)
    return exp(
        bracketed_root(lambda x: potential(exp(x), sine) / level - 1, log(r_s) - 6, log(r_s) - 1e-9)
    )


def _corotation(turn: float, b: float, r0: float, n: float, r: float) -> float:
    """Potential by quadrature of the corotation field from infinity, in u = (r/r')^(n-2)."""
    import numpy as np

    nodes, weights = gauss_legendre(8)
    u = (nodes + 1) / 2
    far = r * u ** (-1 / (n - 2))
    field = turn * far * b * (r0 / far) ** n
    jacobian = far / (u * (n - 2))
    return -float(np.sum(weights * field * jacobian)) / 2


FAMILY = Family(
    title="Plasmapause as the last closed equipotential",
    assumptions=(
        "cold plasma in the equatorial plane, E x B drift only, steady state",
        "field axis along the axis of rotation, full corotation",
    ),
    sources=(
        "Volland 1973, J. Geophys. Res. 78, 171; Stern 1975, J. Geophys. Res. 80, 595",
        "Nishida 1966, J. Geophys. Res. 71, 5669",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
