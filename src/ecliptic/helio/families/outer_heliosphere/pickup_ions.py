r"""Pickup ions in the solar wind: the filled shell of Vasyliunas and Siscoe.

Ions born at r' with the wind speed u cool as :math:`v = u (r'/r)^a` (a = 2/3: isotropic, radial
wind). Their number is kept, so that

.. math:: f(r, v) = \frac{q(r')\, r'^3}{4\pi a\, u\, r^2 v^3}, \qquad r' = r (v/u)^{1/a},

q being the number of ions born per unit volume and time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import exp, pi
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, power_tex, raised_tex, ratio_tex, tex
from ecliptic.helio.families.quadrature import graded_legendre

if TYPE_CHECKING:
    pass


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Density of pickup protons on the upwind axis, then their phase-space density."""
    from astropy import units
    from scipy.special import expn

    rate = draw.quantity(4.0, 9.0, "1e-7 s-1")
    inflow = draw.quantity(20.0, 26.0, "km s-1")
    neutral = draw.quantity(0.07, 0.16, "cm-3")
    wind = draw.quantity(350.0, 700.0, "km s-1")
    distance = draw.quantity(4.0, 40.0, "AU", log=True)
    share = draw.number(0.4, 0.95)
    told = f"${rate.value}\\times 10^{{-7}}\\ \\mathrm{{s^{{-1}}}}$"
    setting = draw.phrase(
        f"Interstellar hydrogen ({tex(neutral)} far from the Sun) flows towards the Sun at "
        f"{tex(inflow)}; radiation pressure balances gravity, and its thermal speed is "
        f"negligible. The atoms are ionised at the rate {told} at 1 AU, which falls as "
        "$r^{-2}$.",
        f"Cold hydrogen atoms enter the heliosphere with {tex(inflow)} and {tex(neutral)}; "
        "gravity and radiation pressure on them cancel. Their ionisation rate is "
        rf"{told} $(1\ \mathrm{{AU}}/r)^2$.",
    )
    setting += (
        " On the upwind axis (where the atoms move straight at the Sun) the ions are picked up by "
        f"the radial wind of constant speed {tex(wind)}, and are convected with it; no other ions "
        "count. "
    )
    beta = rate.value * 1e-7 / units.s
    cavity = (beta * units.au**2 / inflow).to("AU")
    depth = float((cavity / distance).to_value(""))
    density = (beta * units.au**2 * neutral / (wind * distance) * float(expn(2, depth))).to("m-3")
    born = neutral * exp(-depth / share**1.5)
    space = (3 * beta * units.au**2 * born / (8 * pi * distance * wind**4) * share**-1.5).to(
        "s3 km-6"
    )
    u, r = wind.value * 1e3, distance.value * si.AU_M
    strength = rate.value * 1e-7 * si.AU_M**2
    length = strength / (inflow.value * 1e3)
    n_far = neutral.value * 1e6

    def source(at: float) -> float:
        return float(strength * n_far * exp(-length / at))

    total = _integral(source, r) / (u * r * r)
    # ions slower than w u were born inside r w^(3/2)
    slower = [_integral(source, r * (share * (1 + k * 2e-3)) ** 1.5) for k in (-2, -1, 1, 2)]
    slope = (slower[0] - 8 * slower[1] + 8 * slower[2] - slower[3]) / (12 * 2e-3 * share * u)
    other = slope / (u * r * r) / (4 * pi * (share * u) ** 2)
    first = Part(
        setting
        + draw.phrase(
            f"What is the number density of pickup ions at {tex(distance, unit='AU')}?",
            f"Find the number density of the pickup ions at {tex(distance, unit='AU')}.",
        ),
        (
            r"The atoms obey $dn/dr = n\beta_0 r_0^2/(V r^2)$: $n = n_\infty e^{-\Lambda/r}$ with "
            rf"$\Lambda = \beta_0 r_0^2/V$ = {tex(cavity, 4, unit='AU')}.",
            r"Continuity: $N = \frac{\beta_0 r_0^2}{u r^2}\int_0^r n\,dr' = "
            r"\frac{\beta_0 r_0^2 n_\infty}{u r}E_2(\Lambda/r)$.",
            f"$N$ = {tex(density, 3, unit='m-3')}.",
        ),
        Numeric(
            density,
            total,
            "m-3",
            Routes("exponential integral with units", "quadrature of the continuity equation"),
        ),
    )
    second = Part(
        draw.phrase(
            "Scattering keeps the ions isotropic in the frame of the wind, where each is born with "
            "the speed of the wind and then cools adiabatically. What is their phase-space density "
            f"there at the speed of {tex(share)} times the wind speed (number per volume and per "
            "volume of velocity space)?",
            "In the wind's frame, where they are born with the speed of the wind, the ions are "
            "isotropic at all times and cool adiabatically. Find their phase-space density (per "
            "volume and per velocity volume) at the distance above, for the speed "
            f"{tex(share)} times that of the wind.",
        ),
        (
            r"Adiabatic cooling, $dv/dr = -2v/(3r)$: ions of speed $v$ were born at "
            r"$r' = r (v/u)^{3/2}$.",
            r"$f = \frac{3\beta_0 r_0^2}{8\pi r u^4}\left(\frac{v}{u}\right)^{-3/2}"
            r"n_\infty e^{-\Lambda/r'}$.",
            f"$f$ = {tex(space, 3, unit='s3 km-6')}.",
        ),
        Numeric(
            space,
            other * 1e18,
            "s3 km-6",
            Routes(
                "solution along characteristics with units",
                "derivative of the number of ions below a speed, by quadrature and differences",
            ),
        ),
    )
    return first, second


_ASKED = {
    "distribution": "the isotropic phase-space density $f$ of the ions in the frame of the wind at "
    "the distance $r$ and the speed $v$",
    "pressure": "the pressure $P$ of the ions (mass $m$ each) at the distance $r$",
    "fraction": "the fraction $X$ of the ions with speeds below $v$, at any distance",
    "energy": "the mean kinetic energy $K$ of an ion (mass $m$) in the frame of the wind",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """The distribution and its moments, for other laws of production and cooling."""
    s = draw.choice([Fraction(k, 2) for k in range(6)])
    a = draw.choice([Fraction(*at) for at in ((2, 3), (2, 3), (1, 2), (1, 1), (3, 4), (4, 3))])
    asked = draw.choice(tuple(_ASKED))
    rate, wind = draw.phrase("q_0", "Q"), draw.phrase("u", "V")
    law = (
        f"${rate}$ everywhere"
        if s == 0
        else f"${rate} (r_0/r)^{{{power_tex(s)}}}$".replace("^{1}", "")
    )
    cooling = (
        "cools adiabatically and isotropically, which makes $v \\propto r^{-2/3}$"
        if a == Fraction(2, 3)
        else f"then cools (not by isotropic adiabatic expansion alone) as $v \\propto "
        f"r^{{-{power_tex(a)}}}$"
    )
    question = (
        draw.phrase(
            f"In a radial wind of constant speed ${wind}$ pickup ions are born at the rate per "
            f"unit volume {law}. ",
            f"Neutral gas in a radial wind of constant speed ${wind}$ yields pickup ions, per "
            f"unit volume and time {law}. ",
        )
        + f"In the frame of the wind each is born with the speed ${wind}$, {cooling} on its way "
        "outward, and stays in an isotropic distribution; the ions are convected with the wind, "
        "from $r = 0$ on. " + draw.phrase("Derive ", "Find ", "Determine ") + _ASKED[asked] + "."
    )
    grows = (3 - s) / a
    near = "" if s == 0 else f"r_0^{{{power_tex(s)}}}".replace("^{1}", "")
    far = 1 - s
    amount = f"{rate} {near}".strip()
    above = f" r^{{{power_tex(far)}}}".replace("^{1}", "") if far > 0 else ""
    below = f" r^{{{power_tex(-far)}}}".replace("^{1}", "") if far < 0 else ""
    number = 4 * a
    mean = grows / (grows + 2)
    pressure = 1 / (3 * (3 - s + 2 * a))
    slow = rf"\left(\frac{{v}}{{{wind}}}\right)"
    density = ratio_tex(1 / number, f"{amount}{above}", rf"\pi {wind}^4{below}")
    final = {
        "distribution": f"$f = {density}{'' if grows == 3 else raised_tex(slow, grows - 3)}$",
        "pressure": f"$P = {ratio_tex(pressure, f'm {wind} {amount}{above}', below.strip())}$",
        "fraction": f"$X = {raised_tex(slow, grows)}$",
        "energy": rf"$K = {fraction_tex(mean / 2)} m {wind}^2$",
    }[asked].replace("  ", " ")
    ranges: dict[str, tuple[float, float]] = {wind: (1.5, 3.0)}
    units = {rate: "m-3 s-1", wind: "m s-1", "r": "m", "r_0": "m", "v": "m s-1", "m": "kg"}
    if asked in ("distribution", "pressure"):
        ranges[rate] = (0.5, 2.0)
        if far != 0:
            ranges["r"] = (2.0, 5.0)
        if s != 0:
            ranges["r_0"] = (0.5, 1.5)
    if asked in ("distribution", "fraction") and not (asked == "distribution" and grows == 3):
        ranges["v"] = (0.5, 1.4)
    if asked in ("pressure", "energy"):
        ranges["m"] = (0.5, 2.0)
    units = {
        "": {"distribution": "s3 m-6", "pressure": "Pa", "fraction": "", "energy": "J"}[asked]
    } | {name: units[name] for name in ranges}

    def check(at: Mapping[str, float]) -> float:
        u, r, v = at[wind], at.get("r", 2.3), at.get("v", 1.0)

        def source(x: float) -> float:
            near = at.get("r_0", 1.0) ** float(s)
            return float(at.get(rate, 1.0) * near * x ** (2 - float(s)))

        def born(speed: float) -> float:
            return float(r * (speed / u) ** (1 / float(a)))

        if asked == "distribution":
            slower = [_integral(source, born(v * (1 + k * 1e-3))) for k in (-2, -1, 1, 2)]
            slope = (slower[0] - 8 * slower[1] + 8 * slower[2] - slower[3]) / (12e-3 * v)
            return slope / (u * r * r) / (4 * pi * v * v)
        total = _integral(source, r)
        if asked == "fraction":
            return _integral(source, born(v)) / total
        energy = at["m"] / 2 * _integral(lambda x: source(x) * u * u * (x / r) ** (2 * float(a)), r)
        return energy / total if asked == "energy" else 2 / 3 * energy / (u * r * r)

    return (
        Part(
            question,
            (
                rf"Ions of speed $v$ at $r$ were born at $r' = r (v/{wind})"
                rf"^{{{power_tex(1 / a)}}}$.",
                rf"Their number is kept: $4\pi v^2 f\,{wind} r^2\,dv = q(r')\,r'^2\,dr'$.",
                rf"The number of ions slower than $v$ grows as $(v/{wind})"
                rf"^{{{power_tex(grows)}}}$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "solution along the characteristics",
                    "quadrature over the places of birth, and differences of the number by speed",
                ),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """More or less ionisation: density of pickup ions near and far, and shape of the shell."""
    near = draw.choice((True, False))
    distance = draw.number(0.9, 1.5) if near else draw.number(18.0, 60.0)
    low = draw.number(4.0, 5.5)
    high = draw.number(6.5, 9.0)
    rises = draw.choice((True, False))
    rates = (low, high) if rises else (high, low)
    inflow, wind = draw.number(20.0, 26.0), draw.number(380.0, 700.0)
    share = draw.number(0.4, 0.7)
    told = [f"${rate}\\times 10^{{-7}}\\ \\mathrm{{s^{{-1}}}}$" for rate in rates]
    question = (
        draw.phrase(
            f"Cold interstellar hydrogen flows towards the Sun at {tex(inflow, unit='km s-1')}, "
            "radiation pressure balancing gravity. ",
            f"Interstellar hydrogen atoms approach the Sun at the constant speed "
            f"{tex(inflow, unit='km s-1')} (no net force, negligible temperature). ",
        )
        + "The atoms are ionised at a rate that falls as $r^{-2}$ and is "
        + draw.phrase(
            f"{told[0]} at 1 AU in one state of the Sun and {told[1]} in another. ",
            f"first {told[0]}, later {told[1]} at 1 AU (a steady state each). ",
        )
        + f"The ions are picked up by the radial wind of {tex(wind, unit='km s-1')} and cool "
        "adiabatically, always isotropic in its frame. On the upwind axis at "
        f"{tex(distance, unit='AU')}, "
        + draw.phrase(
            "how do the density of pickup ions and the ratio of their phase-space density at "
            f"{tex(share)} times the wind speed to that at the wind speed (its frame) change from "
            "the first to the second?",
            "in which direction does the density of pickup ions change, and in which the ratio of "
            f"phase-space densities, at {tex(share)} of the wind speed over that at the wind speed "
            "(frame of the wind)?",
        )
    )
    from scipy.special import expn

    first, second = [], []
    for rate in rates:
        length = rate * 1e-7 * si.AU_M / (inflow * 1e3)
        ratio = share**-1.5 * exp(-length / distance * (share**-1.5 - 1))
        first.append((rate * float(expn(2, length / distance)), ratio))

        def source(at: float, cavity: float = length, strength: float = rate) -> float:
            return strength * exp(-cavity / at)

        born = distance * share**1.5
        counted = [
            _integral(source, x * (1 + 1e-3)) - _integral(source, x * (1 - 1e-3))
            for x in (born, distance)
        ]
        # per ln r', and so per ln v; the phase-space density has v^3 below
        second.append((_integral(source, distance), counted[0] / counted[1] / share**3))
    claims = change_claims(
        ("density of pickup ions", "ratio of phase-space densities"),
        relative_changes(*first),
        relative_changes(*second),
    )
    return (
        Part(
            question,
            (
                r"$N \propto \beta_0 E_2(\Lambda/r)$ with $\Lambda \propto \beta_0$: inside the "
                "cavity the loss of atoms outweighs the faster ionisation, outside it does not.",
                f"{tex(distance, unit='AU')} is {'inside' if near else 'outside'} the cavity of "
                f"some {tex(rates[0] * 1e-7 * si.AU_M / (inflow * 1e3), 2, unit='AU')}.",
                r"Slow ions were born further in, where a larger $\Lambda$ leaves fewer atoms.",
            ),
            stated(claims, Routes("exponential integral", "quadrature of the production")),
        ),
    )


def _integral(source: Callable[[float], float], end: float) -> float:
    """Integral of the production from the Sun to ``end``."""
    nodes, weights = graded_legendre(40, 4)
    return end * sum(float(w) * source(end * float(x)) for x, w in zip(nodes, weights, strict=True))


FAMILY = Family(
    title="Pickup ions: filled shell and ionisation cavity",
    assumptions=(
        "radial wind of constant speed, instant pickup and isotropy in its frame",
        "neutral gas cold and without net force, or a given rate of production",
    ),
    sources=(
        "Vasyliunas & Siscoe 1976, J. Geophys. Res. 81, 1247",
        "Zank 1999, Space Science Reviews 89, 413, sec. 4",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
