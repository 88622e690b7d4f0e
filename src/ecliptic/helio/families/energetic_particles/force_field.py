r"""Force-field modulation: rigidity lost on the way from the boundary of the heliosphere.

Without net streaming, convection (with Compton-Getting factor) balances diffusion, so that f is
constant along the curves dP/dr = V P / (3 kappa) of rigidity P.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, hypot, log, sqrt

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import power_tex, ratio_tex, tex

_IONS = {"proton": (1, 1), "helium nucleus": (4, 2)}
_REST_GEV = {1: 0.93827208943, 4: 3.7273794118}
_BALANCE = r"$\frac{V P}{3}\frac{\partial f}{\partial P} + \kappa\frac{\partial f}{\partial r} = 0$"
_CURVES = "Runge-Kutta integration of dP/dr = V P / (3 kappa) outwards"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Modulation potential, interstellar energy, and what is left of the intensity."""
    from astropy import constants, units

    wind, edge = draw.quantity(380.0, 520.0, "km s-1"), draw.quantity(85.0, 125.0, "AU", digits=3)
    kappa = draw.quantity(3.0, 9.0, "1e22 cm2 s-1")
    name = draw.choice(("proton", "helium nucleus"))
    mass, charge = _IONS[name]
    kinetic, slope = draw.quantity(0.3, 3.0, "GeV"), draw.number(2.5, 2.8)
    shown = f"${kappa.value}\\times 10^{{22}}\\ \\mathrm{{cm^2\\,s^{{-1}}}}$"
    setting = draw.phrase(
        "In the force-field approximation the streaming of cosmic rays vanishes everywhere, "
        f"{_BALANCE}, for the distribution $f(r, P)$ and rigidity $P$. The wind speed is $V$ = "
        rf"{tex(wind)} from 1 AU to the boundary at {tex(edge, unit='AU')}; the diffusion "
        rf"coefficient is $\kappa = \kappa_1 \beta P/(1\ \mathrm{{GV}})$ with $\kappa_1$ = {shown} "
        r"at all distances, where $\beta$ is the particle speed over that of light.",
        rf"Cosmic rays with $\kappa = \kappa_1 \beta P/(1\ \mathrm{{GV}})$, $\kappa_1$ = {shown}, "
        r"independent of distance ($\beta$: speed over that of light, $P$: rigidity), meet a wind "
        f"of the constant speed {tex(wind)} that ends"
        f" at {tex(edge, unit='AU')}. Let convection and "
        f"diffusion balance at every point, {_BALANCE}.",
    )
    potential = (wind * (edge - 1 * units.au) / (3 * kappa)).to_value(units.one) * units.GV
    rest_gev = _REST_GEV[mass]
    kin = float(kinetic.value) * mass
    p_in = sqrt(kin * (kin + 2 * rest_gev)) / charge
    p_out = _rigidity_outside(
        p_in, rest_gev / charge, wind.value * 1e3 / (kappa.value * 1e18), (edge.value - 1) * si.AU_M
    )
    gained = hypot(p_out * charge, rest_gev) - hypot(p_in * charge, rest_gev)
    first = Part(
        f"{setting} "
        + draw.phrase(
            r"Find the modulation potential $\phi = \int V\,dr\,(1\ \mathrm{GV})/(3\kappa_1)$ at 1 "
            "AU, in MV.",
            r"What is the force-field potential $\phi = \int V\,dr\,(1\ \mathrm{GV})/(3\kappa_1)$ "
            "between 1 AU and the boundary, in MV?",
        ),
        (
            r"$f$ is constant where $dP/dr = VP/(3\kappa) = V\,(1\ \mathrm{GV})/(3\kappa_1\beta)$.",
            rf"$\phi = V(R - r)\,(1\ \mathrm{{GV}})/(3\kappa_1)$ = {tex(potential, 4, unit='MV')}.",
        ),
        Numeric(
            potential,
            1e3 * gained / charge,
            "MV",
            Routes("integral with units", f"{_CURVES}, energy gained"),
            digits=4,
        ),
    )
    rest = (constants.m_p * constants.c**2).to(units.GeV) if mass == 1 else 3.7273794118 * units.GeV
    total = kinetic * mass + rest
    outside = total + charge * (potential * constants.e.si).to(units.GeV)
    momentum = ((outside**2 - rest**2) ** 0.5, (total**2 - rest**2) ** 0.5)
    per_nucleon = (outside - rest) / mass
    t_out = (hypot(p_out * charge, rest_gev) - rest_gev) / mass
    each = "" if mass == 1 else " per nucleon"
    second = Part(
        draw.phrase(
            f"A {name} is seen at 1 AU with {tex(kinetic)}{each} of kinetic energy. With which "
            f"kinetic energy{each} did such particles come in through the boundary, in GeV?",
            f"Which kinetic energy{each} (in GeV) at the boundary belongs to a {name} of "
            f"{tex(kinetic)}{each} at 1 AU, on the curve of constant $f$?",
        )
        + ("" if mass == 1 else rf" The rest energy of the nucleus is ${rest.value:.5g}$ GeV."),
        (
            r"$dE = \beta Z e\,dP$, so along the curve the total energy rises by $Ze\phi$.",
            f"Per particle $T_\\infty = T + {charge if charge > 1 else ''}e\\phi$: "
            f"{tex(per_nucleon, 4, unit='GeV')}{each}.",
        ),
        Numeric(
            per_nucleon,
            t_out,
            "GeV",
            Routes("energy gain Z e phi", _CURVES),
            digits=4,
        ),
    )
    ratio = (momentum[1] / momentum[0]).to_value(units.one) ** 2
    left = ratio * (per_nucleon / kinetic).to_value(units.one) ** -slope
    other = (p_in / p_out) ** 2 * (t_out / kinetic.value) ** -slope
    third = Part(
        draw.phrase(
            f"At the boundary the differential intensity falls with kinetic energy{each} as "
            f"$T^{{-{slope}}}$. What is the intensity at 1 AU at {tex(kinetic)}{each} in per cent "
            "of the boundary's intensity at the same energy?",
            f"Let the boundary's intensity be $j \\propto T^{{-{slope}}}$ ($T$: kinetic "
            f"energy{each}). At {tex(kinetic)}{each}, what percentage of the boundary's intensity "
            f"remains at 1 AU?"
            "",
        ),
        (
            r"$f \propto j/p^2$ is what is conserved: $j(T) = j_\infty(T_\infty)\,p^2/p_\infty^2$.",
            rf"$p^2/p_\infty^2 = {ratio:.4g}$ and $(T_\infty/T)^{{-{slope}}} = "
            f"{left / ratio:.4g}$.",
        ),
        Numeric(
            100 * left * units.percent,
            100 * other,
            "%",
            Routes("conserved f with units", _CURVES),
        ),
    )
    return first, second, third


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Loss of rigidity and depth of modulation for power laws of kappa and the wind."""
    a = draw.choice([Fraction(k, 6) for k in (2, 3, 4, 6, 8, 9, 12)])
    s = draw.choice([Fraction(k, 4) for k in (0, 1, 2, 3, 5, 6, 8)] + [Fraction(1)])
    asked = draw.choice(("P", "F", "g"))
    q = draw.choice([Fraction(4), Fraction(9, 2), Fraction(14, 3), Fraction(5)])
    k0 = draw.phrase(r"\kappa_0", "K_0")
    rigid = r"(P/P_0)" + f"^{{{power_tex(a)}}}" * (a != 1)
    radial = (r"(r/r_0)" + f"^{{{power_tex(s)}}}" * (s != 1)) if s else ""
    setting = draw.phrase(
        f"Galactic cosmic rays in a wind of constant speed $V$ obey the force-field balance "
        f"{_BALANCE} with $\\kappa = {k0} {rigid} {radial}$ ($P$: rigidity, $f$: distribution "
        "function) inside a boundary at $r = R$.",
        f"Diffusion with $\\kappa = {k0} {rigid} {radial}$ holds up the convection of cosmic rays "
        f"of rigidity $P$ in a wind of constant speed $V$ at every point inside $R$, {_BALANCE} "
        "for the distribution function $f$.",
    )
    spectrum = f"f(R, P) \\propto P^{{-{power_tex(q)}}}"
    question = {
        "P": "Which rigidity $P_R$ at the boundary has the same $f$ as rigidity $P$ at $r < R$?",
        "F": f"At the boundary ${spectrum}$. Find the modulation $F = f(r, P)/f(R, P)$ at $r < R$.",
        "g": f"At the boundary ${spectrum}$. Find the relative gradient $g = \\partial \\ln "
        "f/\\partial r$ at $r < R$ and rigidity $P$.",
    }[asked]
    rho, e = rf"\left(\frac{{P}}{{P_0}}\right)^{{{power_tex(a)}}}", 1 - s
    factor = a / 3 if e == 0 else a / 3 / abs(e)
    if e == 0:
        span = r"r_0 \ln\frac{R}{r}"
    else:
        big, small = ("R", "r") if e > 0 else ("r", "R")
        up = f"^{{{power_tex(e)}}}" * (e != 1)
        lead = "" if s == 0 else f"r_0^{{{power_tex(s)}}} "
        span = rf"{lead}\left({big}{up} - {small}{up}\right)"
    drop = f"{ratio_tex(factor, 'V', k0)} {span}"
    final = {
        "P": rf"$P_R = P_0\left({rho} + {drop}\right)^{{{power_tex(1 / a)}}}$",
        "F": rf"$F = \left(1 + \left(\frac{{P_0}}{{P}}\right)^{{{power_tex(a)}}} {drop}"
        rf"\right)^{{{power_tex(-q / a)}}}$",
        "g": f"$g = {ratio_tex(q / 3, 'V', k0)} "
        + (rf"\left(\frac{{r_0}}{{r}}\right)^{{{power_tex(s)}}} " if s else "")
        + rf"\left({rho} + {drop}\right)^{{-1}}$",
    }[asked].replace("^{1}", "")
    ranges = {
        "V": (0.6, 1.4),
        k0: (1.0, 2.0),
        "P": (1.0, 2.0),
        "P_0": (0.6, 1.2),
        "r": (0.5, 1.0),
        "R": (1.5, 3.0),
    }
    if s:
        ranges["r_0"] = (0.6, 1.5)
    units = {"V": "m s-1", k0: "m2 s-1", "P": "V", "P_0": "V", "r": "m", "R": "m", "r_0": "m"}
    units[""] = {"P": "V", "F": "", "g": "m-1"}[asked]

    def check(at: Mapping[str, float]) -> float:
        def outside(start: float, reach: float = 1.0) -> float:
            """Rigidity at the boundary: RK4 for ln P over ln r from where it is ``start``."""
            low, high = log(at["r"] * reach), log(at["R"])
            y, h = log(start / at["P_0"]), (high - low) / 40

            def rate(x: float, y: float) -> float:
                distance = exp(x) / at["r_0"] if s else 1.0
                kappa = at[k0] * exp(float(a) * y) * distance ** float(s)
                return float(at["V"] * exp(x) / (3 * kappa))

            for i in range(40):
                x = low + i * h
                k1 = rate(x, y)
                k2 = rate(x + h / 2, y + h / 2 * k1)
                k3 = rate(x + h / 2, y + h / 2 * k2)
                y += h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(x + h, y + h * k3))
            return exp(y) * at["P_0"]

        if asked == "P":
            return outside(at["P"])
        if asked == "F":
            return float((outside(at["P"]) / at["P"]) ** -float(q))
        d = 1e-4
        rise = (
            8 * (log(outside(at["P"], 1 + d)) - log(outside(at["P"], 1 - d)))
            - log(outside(at["P"], 1 + 2 * d))
            + log(outside(at["P"], 1 - 2 * d))
        )
        return -float(q) * rise / (12 * d * at["r"])

    return (
        Part(
            f"{setting} {question}",
            (
                r"$f$ is constant along $dP/dr = VP/(3\kappa)$.",
                f"Separated, $P^{{{power_tex(a - 1)}}}dP$ against a power of $r$, from $r$ to $R$: "
                rf"$(P_R/P_0)^{{{power_tex(a)}}} = {rho} + {drop}$.",
                f"With $f(r, P) = f(R, P_R)$: {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("characteristics, separated", "Runge-Kutta integration of dP/dr"),
                units,
                agreement=1e-5,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """What the Sun's cycle, energy or boundary do to the modulation."""
    at = [draw.number(0.35, 0.6), draw.number(0.4, 1.5), draw.number(2.4, 2.8)]
    which = draw.choice((0, 1))
    high = float(f"{at[which] * draw.number(1.5, 2.2):.2g}")
    before, after = draw.choice(((at[which], high), (high, at[which])))
    name = ("modulation potential", "kinetic energy at 1 AU")[which]
    unit = ("GV", "GeV")[which]
    fixed = (
        f"protons of {tex(at[1], unit='GeV')} kinetic energy"
        if which == 0
        else f"protons where the modulation potential is {tex(at[0], unit='GV')}"
    )
    question = draw.phrase(
        f"Consider force-field modulation of {fixed}; the local interstellar differential "
        f"intensity is $j \\propto T^{{-{at[2]}}}$ in kinetic energy $T$. The {name} goes from "
        f"{tex(before, unit=unit)} to {tex(after, unit=unit)}. How do the ratio of the intensity "
        "at 1 AU to the interstellar one at equal energy (intensity ratio) and the fraction of "
        "their interstellar kinetic energy that these particles have lost (energy loss fraction) "
        "change?",
        f"In the force-field model, with an interstellar spectrum $j \\propto T^{{-{at[2]}}}$ "
        f"($T$: kinetic energy), compare two cases of {fixed}: the {name} is "
        f"{tex(before, unit=unit)} in the first and {tex(after, unit=unit)} in the second. From "
        "first to second, in which direction do the intensity ratio (1 AU to interstellar, at "
        "equal energy) and the energy loss fraction (energy lost over interstellar energy) change?",
    )
    states = []
    for value in (before, after):
        at[which] = value
        t, rest = at[1], _REST_GEV[1]
        outside = t + at[0]
        p2 = t * (t + 2 * rest) / (outside * (outside + 2 * rest))
        p_in = sqrt(t * (t + 2 * rest))
        p_out = _rigidity_outside(p_in, rest, 3.0, at[0])
        other = hypot(p_out, rest) - rest
        states.append(
            (
                p2 * (outside / t) ** -at[2],
                at[0] / outside,
                (p_in / p_out) ** 2 * (other / t) ** -at[2],
                1 - t / other,
            )
        )
    changes = relative_changes(*states)
    claims = change_claims(("intensity ratio", "energy loss fraction"), changes[:2], changes[2:])
    return (
        Part(
            question,
            (
                r"$j(T) = j_\infty(T + e\phi)\,p^2/p_\infty^2$: a proton loses $e\phi$ on its way.",
                "What counts is the loss relative to the particle's energy.",
            ),
            stated(claims, Routes("energy loss e phi", _CURVES)),
        ),
    )


def _rigidity_outside(p: float, rest: float, wind_over_kappa: float, span: float) -> float:
    """Rigidity in GV at the boundary, for kappa / kappa_1 = beta P; ``rest`` energy over charge."""
    h = span / 100

    def rate(p: float) -> float:
        beta = p / hypot(p, rest)
        return wind_over_kappa * p / (3 * beta * p)

    for _ in range(100):
        k1 = rate(p)
        k2 = rate(p + h / 2 * k1)
        k3 = rate(p + h / 2 * k2)
        p += h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(p + h * k3))
    return p


FAMILY = Family(
    title="Force-field modulation of galactic cosmic rays",
    assumptions=(
        "steady state, spherical symmetry, negligible streaming, no drifts",
        "constant radial wind speed",
    ),
    sources=(
        "Gleeson & Axford 1968, ApJ 154, 1011",
        "Caballero-Lopez & Moraal 2004, J. Geophys. Res. 109, A01101",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
