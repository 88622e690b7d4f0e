r"""Steady modulation of cosmic rays: diffusion, convection and adiabatic losses together.

With V = V_0 (r/r_0)^b and kappa = kappa_0 (r/r_0)^{1+b}, the transport equation of the isotropic
distribution f(r, p) is scale free; for f \propto p^{-q} it is solved by f \propto r^m with

.. math:: m^2 + (b + 2 - P) m - \tfrac{1}{3} (b + 2) q P = 0, \qquad P = V_0 r_0 / \kappa_0.

The root m > 0 is finite at the Sun.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, power_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_EQUATION = (
    r"$\frac{1}{r^2}\frac{\partial}{\partial r}\left(r^2\kappa\frac{\partial f}{\partial r}\right)"
    r" - V\frac{\partial f}{\partial r} + \frac{p}{3r^2}\frac{\partial (r^2 V)}{\partial r}"
    r"\frac{\partial f}{\partial p} = 0$"
)
_OUTWARD = "outward integration of the transport equation"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Exponent of the radial profile, then modulation depth or anisotropy."""
    from astropy import units

    wind, kappa = draw.quantity(350.0, 650.0, "km s-1"), draw.quantity(1e21, 3e21, "cm2 s-1")
    q, edge = draw.number(4.2, 5.6), draw.quantity(80.0, 120.0, "AU")
    setting = draw.phrase(
        "The isotropic distribution function $f(r, p)$ of cosmic-ray protons in a steady, "
        f"spherically symmetric heliosphere obeys {_EQUATION}. The wind speed is constant, $V$ = "
        rf"{tex(wind)}, the diffusion coefficient $\kappa$ is proportional to $r$ and is "
        f"{tex(kappa)} at 1 AU, and $f$ falls with momentum as $p^{{-{q}}}$ at all distances.",
        f"Cosmic rays diffuse inwards against a solar wind of constant {tex(wind)}; in steady "
        f"state and spherical symmetry {_EQUATION}. At 1 AU $\\kappa$ is {tex(kappa)}, it "
        f"grows in proportion to $r$, and the momentum dependence is $f \\propto p^{{-{q}}}$ "
        "everywhere.",
    )
    ratio = (wind * units.au / kappa).to_value(units.one)
    m = _positive_root(0.0, q, ratio)
    wind_ms, kappa_si = wind.value * 1e3, kappa.value * 1e-4
    other = _slope_outward(0.0, q, wind_ms * si.AU_M / kappa_si)
    first = Part(
        f"{setting} "
        + draw.phrase(
            "The solution that is finite at the Sun is $f \\propto r^m$. Find $m$.",
            "Find the exponent $m$ of the radial profile $f \\propto r^m$ that stays finite at "
            "$r = 0$.",
        ),
        (
            r"With $\kappa = \kappa_1 r/r_1$ and $f \propto r^m p^{-q}$ the equation becomes "
            r"$m(m+2) - Pm - \frac{2}{3}qP = 0$.",
            f"$P = V r_1/\\kappa_1$ = {ratio:.4g}; the positive root is $m$ = {m:.4g}.",
        ),
        Numeric(m, other, "", Routes("positive root of the indicial equation", _OUTWARD), digits=4),
    )
    if draw.choice((True, False)):
        steps: tuple[str, ...]
        depth = 100 * float((edge / units.au).to_value(units.one)) ** -m
        question = draw.phrase(
            f"How large is $f$ at 1 AU, in per cent of its value at {tex(edge, unit='AU')} at the "
            "same momentum?",
            f"Give $f(1\\ \\mathrm{{AU}})$ as a percentage of $f$ at {tex(edge, unit='AU')}, both "
            "at one momentum.",
        )
        steps = (f"$f(r_1)/f(R) = (r_1/R)^m = {edge.value:g}^{{-{m:.4g}}}$.",)
        answer = Numeric(
            depth * units.percent,
            100 * _fall_outward(q, wind_ms, kappa_si, edge.value),
            "%",
            Routes("power law", _OUTWARD),
        )
    else:
        speed = draw.quantity(1.2e5, 2.8e5, "km s-1")
        flow = 3 * (q * wind / 3 - m * (kappa / units.au)) / speed
        question = draw.phrase(
            f"The particles have the speed {tex(speed)}. Find their radial anisotropy "
            r"$\xi = 3S/(vf)$ at 1 AU in per cent, where $S = \frac{q}{3}Vf - \kappa\,\partial "
            r"f/\partial r$ is the outward streaming in the Sun's frame.",
            r"With the outward streaming $S = \frac{q}{3}Vf - \kappa\,\partial f/\partial r$ "
            "(Compton-Getting convection and diffusion), what is the radial anisotropy "
            rf"$\xi = 3S/(vf)$ at 1 AU in per cent, for particles of speed $v$ = {tex(speed)}?",
        )
        steps = (
            r"$\partial f/\partial r = mf/r$, hence $\xi = (3/v)\,(qV/3 - m\kappa_1/r_1)$ at 1 AU.",
            "Convection and diffusion nearly cancel.",
        )
        answer = Numeric(
            flow.to(units.percent),
            100 * 3 * (q * wind_ms / 3 - other * kappa_si / si.AU_M) / (speed.value * 1e3),
            "%",
            Routes("closed form with units", _OUTWARD),
            agreement=1e-5,
        )
    return first, Part(question, steps, answer)


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Exponent of the profile for winds and spectra of any power."""
    b = draw.choice([Fraction(k, 4) for k in range(-3, 4)] + [Fraction(1, 3), Fraction(-1, 3)])
    q = draw.choice(
        [None, Fraction(4), Fraction(9, 2), Fraction(14, 3), Fraction(5), Fraction(7, 2)]
    )
    asked = draw.choice(("m", "kappa", "f"))
    k0 = draw.phrase(r"\kappa_0", r"K_0")
    v0 = draw.phrase("V_0", "u_0")
    wind = f"V = {v0} (r/r_0)^{{{power_tex(b)}}}" if b else f"V = {v0}"
    spectrum = r"$f \propto p^{-q}$" if q is None else rf"$f \propto p^{{-{power_tex(q)}}}$"
    law = rf"\kappa = {k0} (r/r_0)^{{{power_tex(1 + b)}}}".replace("^{1}", "")
    setting = draw.phrase(
        f"In a steady spherical heliosphere the isotropic distribution obeys {_EQUATION}, with "
        f"${wind}$ and ${law}$. At every distance {spectrum}.",
        f"Cosmic rays in a steady radial wind ${wind}$ diffuse with ${law}$ independent of "
        f"momentum: {_EQUATION}. The spectrum is a power law everywhere, {spectrum}.",
    )
    question = {
        "m": "What is the exponent $m$ of the solution $f \\propto r^m$ that is finite at $r = 0$?",
        "kappa": f"A radial profile $f \\propto r^m$ with $m > 0$ is observed. Derive ${k0}$.",
        "f": "Find the ratio $F = f(r)/f(R)$ at one momentum, for the solution that is finite at "
        "$r = 0$.",
    }[asked]
    qs = "q" if q is None else fraction_tex(q)
    peclet = rf"\frac{{{v0} r_0}}{{{k0}}}"
    two = fraction_tex(2 + b)
    lost = f"{fraction_tex((2 + b) / 3)} q" if q is None else fraction_tex((2 + b) / 3 * q)
    lost4 = f"{fraction_tex((2 + b) * 4 / 3)} q" if q is None else fraction_tex((2 + b) * 4 / 3 * q)
    root = (
        rf"\frac{{1}}{{2}}\left({peclet} - {two} + "
        rf"\sqrt{{\left({peclet} - {two}\right)^2 + {lost4} {peclet}}}\right)"
    )
    lost = "q" if lost == "1 q" else lost
    final = {
        "m": f"$m = {root}$",
        "kappa": rf"${k0} = {v0} r_0 \frac{{m + {lost}}}{{m\left(m + {two}\right)}}$",
        "f": rf"$F = \left(\frac{{r}}{{R}}\right)^m, \quad m = {root}$",
    }[asked]
    ranges = {v0: (0.5, 2.0), "r_0": (0.5, 1.5)}
    units = {v0: "m s-1", "r_0": "m", k0: "m2 s-1", "q": "", "m": "", "r": "m", "R": "m", "": ""}
    if q is None:
        ranges["q"] = (3.6, 5.5)
    if asked == "kappa":
        ranges["m"], units[""] = (0.3, 1.4), "m2 s-1"
    else:
        ranges[k0] = (1.0, 3.0)
    if asked == "f":
        ranges |= {"r": (0.5, 1.5), "R": (2.0, 4.0)}

    def check(at: Mapping[str, float]) -> float:

        index = at["q"] if q is None else float(q)
        step = at[v0] * at["r_0"]
        if asked == "kappa":
            return bracketed_root(
                lambda k: _slope_outward(float(b), index, step / k) / at["m"] - 1,
                step * 0.3,
                step * 40,
            )
        m = _slope_outward(float(b), index, step / at[k0])
        return m if asked == "m" else float((at["r"] / at["R"]) ** m)

    return (
        Part(
            f"{setting} {question}",
            (
                f"Put $f \\propto r^m p^{{-{qs}}}$ in: every term goes as $r^{{m+b-1}}$ with "
                f"$b = {power_tex(b)}$, and $\\nabla\\cdot V = {two} V/r$.",
                rf"With $P = {v0} r_0/{k0}$ what remains is $m\left(m + {two}\right) - Pm - "
                rf"{lost} P = 0$.",
                f"The root that is positive gives {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("indicial equation", "outward integration of the transport equation"),
                {name: units[name] for name in ("", *ranges)},
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Gradient and depth of modulation in another wind, turbulence or spectrum."""
    at = [draw.number(350.0, 500.0), draw.number(7e20, 4e21), draw.number(4.2, 4.7)]
    which = draw.integer(0, 2)
    factor = draw.number(1.3, 1.8) if which < 2 else draw.number(1.1, 1.25)
    high = float(f"{at[which] * factor:.2g}")
    before, after = draw.choice(((at[which], high), (high, at[which])))
    edge = draw.integer(80, 120)
    units = ("km s-1", "cm2 s-1", "")
    texts = (
        f"the wind speed $V$ is {tex(at[0], unit='km s-1')}",
        rf"$\kappa$ at 1 AU is {tex(at[1], unit='cm2 s-1')}",
        f"the spectral exponent $q$ is ${at[2]}$",
    )
    names = ("wind speed $V$", r"value of $\kappa$ at 1 AU", "spectral exponent $q$")
    fixed = " and ".join(text for index, text in enumerate(texts) if index != which)
    change = f"from {tex(before, unit=units[which])} to {tex(after, unit=units[which])}"
    question = draw.phrase(
        "Cosmic rays enter a steady spherical heliosphere with a wind of constant speed $V$, a "
        r"diffusion coefficient $\kappa \propto r$ and a spectrum $f \propto p^{-q}$ at all "
        f"distances, subject to diffusion, convection and adiabatic losses and regular towards "
        f"the Sun (no source there); {fixed}. The "
        f"{names[which]} then goes {change}. How do the relative radial gradient of $f$ at 1 AU, "
        f"and the ratio of $f$ at 1 AU to $f$ at {edge} AU (same momentum), change?",
        f"Two steady states of galactic cosmic rays differ in the {names[which]}, "
        f"{tex(before, unit=units[which])} in the first and {tex(after, unit=units[which])} in the "
        f"second; in both, {fixed}. The wind is spherical with constant $V$, $\\kappa \\propto "
        f"r$, $f \\propto "
        "p^{-q}$, and convection, diffusion and adiabatic cooling balance; $f$ is regular towards "
        "the Sun (no source there). From the first to the "
        "second, in which direction do the relative radial gradient at 1 AU and the intensity "
        f"ratio, $f$ at 1 AU over $f$ at {edge} AU at one momentum, change?",
    )
    one, two = [], []
    for value in (before, after):
        at[which] = value
        ratio = at[0] * 1e3 * si.AU_M / (at[1] * 1e-4)
        one.append(_positive_root(0.0, at[2], ratio))
        two.append(_slope_outward(0.0, at[2], ratio))
    closed, found = ((m[1] / m[0] - 1, edge ** (m[0] - m[1]) - 1) for m in (one, two))
    claims = change_claims(("radial gradient", "intensity ratio"), closed, found)
    return (
        Part(
            question,
            (
                r"$f \propto r^m$ with $m(m+2) - Pm - \frac{2}{3}qP = 0$, $P = Vr/\kappa$.",
                "The positive root grows with $P$ and with $q$; the gradient is $m/r$ and the "
                "ratio $(r/R)^m$.",
            ),
            stated(claims, Routes("root of the indicial equation", _OUTWARD)),
        ),
    )


def _positive_root(b: float, q: float, ratio: float) -> float:
    half = (ratio - 2 - b) / 2
    return half + sqrt(half**2 + (2 + b) * q * ratio / 3)


def _slope_outward(b: float, q: float, ratio: float, decades: float = 14.0) -> float:
    """d ln f / d ln r far out, where the part that is singular at the Sun has died out.

    The transport equation in x = ln r, for f and df/dx, is stepped by its Taylor propagator;
    4096 steps are taken by doubling.
    """
    import numpy as np

    matrix = np.array([[0.0, 1.0], [(2 + b) * q * ratio / 3, ratio - 2 - b]])
    h = decades / 4096
    step = np.eye(2)
    term = np.eye(2)
    for order in range(1, 7):
        term = term @ matrix * (h / order)
        step = step + term
    for _ in range(12):
        step = step @ step
        step = step / np.abs(step).max()
    f, slope = step @ np.array([1.0, 0.0])
    return float(slope / f)


def _fall_outward(q: float, wind: float, kappa: float, edge: float) -> float:
    """f(1 AU) / f(edge) from the settled solution, stepped over the distance."""
    import numpy as np

    ratio = wind * si.AU_M / kappa
    matrix = np.array([[0.0, 1.0], [2 * q * ratio / 3, ratio - 2]])
    h, y = np.log(edge) / 250, np.array([1.0, _slope_outward(0.0, q, ratio)])
    for _ in range(250):
        a = matrix @ y
        b = matrix @ (y + h / 2 * a)
        c = matrix @ (y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + matrix @ (y + h * c))
    return float(1 / y[0])


FAMILY = Family(
    title="Cosmic-ray modulation by diffusion, convection and adiabatic losses",
    assumptions=(
        "steady state, spherical symmetry, no drifts",
        "diffusion coefficient independent of momentum, power law in distance",
        "power law in momentum at all distances",
    ),
    sources=(
        "Parker 1965, Planetary and Space Science 13, 9",
        "Fisk & Axford 1969, J. Geophys. Res. 74, 4973",
        "Gleeson & Axford 1967, ApJ 149, L115",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
