r"""Outward Alfvén waves in an expanding wind (WKB): amplitude, relative amplitude, pressure.

Wave action is conserved along a tube of area A: with energy density e, Alfvén speed v_A and
frequency proportional to v_A / (V + v_A) in the plasma,

.. math:: e\, (V + v_A)^2 A / v_A = \mathrm{const}.

The second route integrates the wave-energy equation div[(3V/2 + v_A) e] = V . grad(e / 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, log, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import power_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    pass

_ENERGY = "wave-energy equation integrated along the flow"
_ACTION = "conservation of wave action"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Alfvén Mach number, then the amplitude of the waves at another distance."""
    from astropy import constants, units

    near, far = draw.integer(10, 25) * units.R_sun, draw.quantity(80.0, 215.0, "R_sun", digits=3)
    wind, field = draw.quantity(240.0, 450.0, "km s-1"), draw.quantity(600.0, 1500.0, "nT")
    density, wave = draw.quantity(1500.0, 6000.0, "cm-3"), draw.quantity(60.0, 150.0, "km s-1")
    setting = draw.phrase(
        f"Outward Alfvén waves of short wavelength travel along a radial magnetic field in a "
        f"proton wind of constant speed {tex(wind)}, without damping. At "
        f"{tex(near, unit='R_sun')} the field is {tex(field)} and the proton density "
        f"{tex(density)}.",
        f"The solar wind blows radially with {tex(wind)} at all distances of interest; at "
        f"{tex(near, unit='R_sun')} it has {tex(density)} protons and a radial field of "
        f"{tex(field)}. It carries undamped outward Alfvén waves that are short compared with all "
        "gradients (WKB).",
    )
    speed = (field / (constants.mu0 * density * constants.m_p) ** 0.5).to(units.km / units.s)
    mach = (wind / speed).to_value(units.one)
    ratio = (far / near).to_value(units.one)
    mach_far = mach * ratio
    wind_ms, alfven = (
        wind.value * 1e3,
        field.value * 1e-9 / sqrt(si.MU_0 * density.value * 1e6 * si.M_P),
    )
    first = Part(
        f"{setting} "
        + draw.phrase(
            f"Find the ratio $M_A$ of wind speed to Alfvén speed at {tex(far, unit='R_sun')} (only "
            "protons count for the mass density).",
            f"What is the Alfvén Mach number $M_A$ of the wind at {tex(far, unit='R_sun')}, with "
            "the protons as its only mass?",
        ),
        (
            rf"$v_A = B/\sqrt{{\mu_0\rho}}$ is {tex(speed, 4, unit='km s-1')} at the inner point, "
            f"so $M_A$ = {mach:.4g} there.",
            r"$B \propto r^{-2}$ and $\rho \propto r^{-2}$ at constant $V$, so $v_A \propto 1/r$ "
            f"and $M_A \\propto r$: {mach_far:.4g}.",
        ),
        Numeric(
            mach_far,
            _mach_by_density(wind.value * 1e3, field.value * 1e-9, density.value * 1e6, ratio),
            "",
            Routes("scaling with units", "field and density carried outwards, in SI numbers"),
            digits=4,
        ),
    )
    amplitude = wave * sqrt(ratio) * (1 + mach) / (1 + mach_far)
    energy = exp(_energy_change(wind_ms / alfven, ratio, 2.0, 0.0))
    other = wave.value * sqrt(energy * ratio**2)
    if draw.choice((True, False)):
        answer = Numeric(amplitude, other, "km s-1", Routes(_ACTION, _ENERGY))
        asked, last = r"the rms velocity amplitude $\delta v$", "Its value follows."
        last = f"$\\delta v$ = {tex(amplitude, 4, unit='km s-1')}."
    else:
        relative = (amplitude / wind).to_value(units.one) * mach_far
        answer = Numeric(
            relative,
            other * 1e3 * ratio / alfven,
            "",
            Routes(_ACTION, _ENERGY),
        )
        asked = r"the relative rms amplitude $\delta B/B$"
        last = rf"$\delta B/B = \delta v/v_A = (\delta v/V) M_A$ = {relative:.4g}."
    second = Part(
        draw.phrase(
            rf"At {tex(near, unit='R_sun')} the rms velocity amplitude of the waves is {tex(wave)}"
            f". Find {asked} at {tex(far, unit='R_sun')}.",
            f"With an rms velocity amplitude of {tex(wave)} at {tex(near, unit='R_sun')}, what is "
            f"{asked} at {tex(far, unit='R_sun')}?",
        ),
        (
            r"Wave action: $\rho\,\delta v^2 (V + v_A)^2 r^2/v_A$ is constant, that is "
            r"$\delta v^2 \propto M_A/(1 + M_A)^2$.",
            last,
        ),
        answer,
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Amplitude, pressure or the point of greatest amplitude in a tube of any expansion."""
    s = draw.choice([Fraction(k, 2) for k in range(4, 9)])
    b = draw.choice([Fraction(k, 4) for k in range(4)])
    asked = draw.choice(("v", "B", "p", "r"))
    m0, r0 = draw.phrase("M_0", "m_0", "M_1"), draw.phrase("r_0", "r_1", "a")
    wind = f"speed $V \\propto r^{{{power_tex(b)}}}$" if b else "a constant speed $V$"
    setting = draw.phrase(
        f"Undamped outward Alfvén waves of short wavelength (WKB) run along a tube with cross-"
        f"section $\\propto r^{{{power_tex(s)}}}$, in which plasma flows steadily along the field "
        f"with {wind}. At $r = {r0}$ the plasma flows at ${m0}$ times the Alfvén speed.",
        f"A steady wind with {wind} flows along a magnetic tube whose area grows as "
        f"$r^{{{power_tex(s)}}}$; its Alfvén Mach number at ${r0}$ is ${m0}$. Outward Alfvén waves "
        "in it are short against all gradients, and not damped.",
    )
    question = {
        "v": f"By what factor $F$ does their velocity amplitude change from ${r0}$ to $r$?",
        "B": r"By what factor $F$ does their relative amplitude $\delta B/B$ change from "
        f"${r0}$ to $r$?",
        "p": rf"By what factor $F$ does their pressure $\langle\delta B^2\rangle/(2\mu_0)$ change "
        f"from ${r0}$ to $r$?",
        "r": "At which distance $r_m$ is their velocity amplitude greatest?",
    }[asked].replace(r"\langle\delta B^2\rangle", r"\delta B^2")
    half = (s + b) / 2
    rho = rf"\left(\frac{{r}}{{{r0}}}\right)^{{{power_tex(half)}}}"
    fall = rf"\frac{{1 + {m0}}}{{1 + {m0} {rho}}}".replace("^{1}", "")
    powers = {"v": half / 2, "B": half / 2 + half - b, "p": half - s - b}
    if asked == "r":
        final = rf"$r_m = {r0} {m0}^{{{power_tex(-1 / half)}}}$"
    else:
        power = power_tex(powers[asked])
        lead = rf"\left(\frac{{r}}{{{r0}}}\right)^{{{power}}} ".replace("^{1}", "")
        lead = lead if powers[asked] else ""
        body = rf"\left({fall}\right)^2" if asked == "p" else fall
        final = f"$F = {lead}{body}$"
    ranges = {m0: (0.3, 0.9), r0: (0.6, 1.2)}
    if asked != "r":
        ranges["r"] = (1.5, 6.0)
    units = {m0: "", r0: "m", "r": "m", "": "m" if asked == "r" else ""}

    def check(at: Mapping[str, float]) -> float:

        area, gain = float(s), float(b)
        if asked == "r":

            def slope(x: float) -> float:
                mach = at[m0] * exp(x * (area + gain) / 2)
                return _energy_slope(mach, area, gain) + area + gain

            return at[r0] * exp(bracketed_root(slope, 0.0, 5.0))
        ratio = at["r"] / at[r0]
        energy = _energy_change(at[m0], ratio, area, gain)
        density, field = -(area + gain) * log(ratio), -area * log(ratio)
        logs = {"v": (energy - density) / 2, "B": energy / 2 - field, "p": energy}
        return exp(logs[asked])

    return (
        Part(
            f"{setting} {question}",
            (
                r"Wave action: $\rho\,\delta v^2 (V + v_A)^2 A/v_A$ is constant; $\rho V A$ and "
                r"$BA$ are constant too, so $\delta v^2 \propto M/(1 + M)^2$ with $M = V/v_A$.",
                rf"$M \propto \sqrt{{V/B}} \propto r^{{{power_tex(half)}}}$, "
                r"$\delta B/B = \delta v/v_A$, $\delta B^2 \propto \rho\,\delta v^2$.",
                "The amplitude is greatest at $M = 1$: " * (asked == "r") + f"{final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("wave action", _ENERGY),
                {name: units[name] for name in ("", *ranges)},
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Directions of the amplitude, inside and outside the Alfvén point."""
    gain = draw.choice((0.0, 0.0, 0.8))
    outside = draw.choice((True, False))
    near = draw.number(3.0, 6.0) if not outside else draw.number(24.0, 40.0)
    far = draw.number(8.0, 13.0) if not outside else draw.number(70.0, 215.0)
    point = draw.number(15.0, 20.0)
    back = draw.choice((True, False))
    wind = "a constant speed" if not gain else r"a speed $V \propto r^{4/5}$"
    ends = (near, far) if not back else (far, near)
    question = draw.phrase(
        f"A steady radial wind with {wind} and a radial field passes the Alfvén speed at "
        f"{tex(point, unit='R_sun')}. It carries undamped outward Alfvén waves in the WKB limit. "
        f"From {tex(ends[0], unit='R_sun')} to {tex(ends[1], unit='R_sun')}, how "
        r"do the velocity amplitude of the waves, $\delta v$, and their normalised field "
        r"fluctuation, $\delta B/B$, change?",
        f"Short undamped Alfvén waves propagate away from the Sun in a radial wind and radial "
        f"field; the wind has {wind}, and its Alfvén point is at {tex(point, unit='R_sun')}. Going "
        f"from {tex(ends[0], unit='R_sun')} to {tex(ends[1], unit='R_sun')}, in which direction do "
        r"their velocity amplitude $\delta v$ and the normalised field fluctuation $\delta B/B$ "
        "change?",
    )
    half = (2 + gain) / 2
    m1, m2 = ((r / point) ** half for r in ends)
    ratio = ends[1] / ends[0]
    speed = log(sqrt(m2 / m1) * (1 + m1) / (1 + m2))
    relative = speed + log(m2 / m1) - gain * log(ratio)
    energy = _energy_change(m1, ratio, 2.0, gain)
    other = ((energy + (2 + gain) * log(ratio)) / 2, energy / 2 + 2 * log(ratio))
    claims = change_claims(
        ("velocity amplitude", "normalised field fluctuation"), (speed, relative), other
    )
    return (
        Part(
            question,
            (
                r"$\delta v^2 \propto M_A/(1 + M_A)^2$: it has its maximum at the Alfvén point.",
                r"$\delta B/B = \delta v/v_A$, with $v_A = V/M_A$.",
            ),
            stated(claims, Routes(_ACTION, _ENERGY)),
        ),
    )


def _energy_slope(mach: float, s: float, b: float) -> float:
    """d ln e / d ln r by the wave-energy equation, for area r^s and speed r^b."""
    alfven = 1 / mach
    flow = s * (1.5 + alfven) + 1.5 * b + alfven * (b - s) / 2
    return -flow / (1 + alfven)


def _energy_change(mach: float, ratio: float, s: float, b: float) -> float:
    """Change of ln e over a ratio of distances, by quadrature."""
    nodes, weights = gauss_legendre(40)
    half = log(ratio) / 2
    return half * sum(
        float(w) * _energy_slope(mach * exp((s + b) / 2 * half * (1 + float(x))), s, b)
        for x, w in zip(nodes, weights, strict=True)
    )


def _mach_by_density(wind: float, field: float, density: float, ratio: float) -> float:
    """Mach number where a shell has grown, from its flux of mass and of field."""
    mass, flux = density * si.M_P * wind, field
    return wind * sqrt(si.MU_0 * mass / (wind * ratio**2)) / (flux / ratio**2)


FAMILY = Family(
    title="Alfvén waves in the expanding solar wind",
    assumptions=(
        "WKB: wavelength short against all gradients; outward waves only, no damping",
        "steady flow along the magnetic field, rotation neglected",
    ),
    sources=(
        "Jacques 1977, ApJ 215, 942",
        "Hollweg 1974, J. Geophys. Res. 79, 1539",
        "Belcher 1971, ApJ 168, 509",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
