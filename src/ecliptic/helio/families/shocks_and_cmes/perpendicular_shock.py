r"""Perpendicular MHD shock: compression from the jump conditions, and what lies behind it.

With Alfvén Mach number M, plasma beta b and adiabatic index g of the upstream side, the jump
conditions of mass, momentum, energy and induction leave, apart from X = 1,

.. math:: (2 - g) X^2 + [g (1 + b) + (g - 1) M^2] X - (g + 1) M^2 = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import sqrt

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_CONSERVED = "root of the energy balance across the shock, in SI numbers"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Compression ratio, then a property of the shocked plasma."""
    from astropy import constants, units

    speed, density = draw.quantity(420.0, 1300.0, "km s-1"), draw.quantity(3.0, 12.0, "cm-3")
    field, kelvin = draw.quantity(3.0, 10.0, "nT"), draw.quantity(4e4, 2e5, "K")
    setting = draw.phrase(
        f"An interplanetary shock runs at {tex(speed)} relative to the solar wind ahead of it, "
        f"exactly across the magnetic field. The wind is a proton-electron plasma with "
        f"{tex(density)} protons, a field of {tex(field)} and {tex(kelvin)} for both species; the "
        r"adiabatic index is $5/3$ and the electron mass is neglected.",
        f"Ahead of a perpendicular shock the solar wind (protons and electrons, both at "
        f"{tex(kelvin)}, proton density {tex(density)}, magnetic field {tex(field)}) flows into "
        f"the shock at {tex(speed)} in the shock's rest frame. Take ideal MHD jump conditions "
        r"with adiabatic index $5/3$, and only protons for the mass density.",
    )
    rho = density * constants.m_p
    mach2 = (rho * speed**2 * constants.mu0 / field**2).to_value(units.one)
    pressure = 2 * density * constants.k_B * kelvin
    beta = (2 * constants.mu0 * pressure / field**2).to_value(units.one)
    ratio = _by_quadratic(mach2, beta, 5 / 3)
    up = (speed.value * 1e3, density.value * 1e6, field.value * 1e-9, kelvin.value)
    ratio_si, p2_si = _behind(*up)
    first = Part(
        f"{setting} "
        + draw.phrase(
            "By what factor is the plasma compressed?",
            "Find the ratio of the densities behind and ahead of the shock.",
        ),
        (
            rf"$M_A^2 = \mu_0\rho_1 u_1^2/B_1^2 = {mach2:.4g}$, "
            rf"$\beta_1 = 2\mu_0 p_1/B_1^2 = {beta:.4g}$ with $p_1 = 2 n_1 k_B T_1$.",
            r"Mass, momentum, energy and induction give $(2-\gamma)X^2 + [\gamma(1+\beta_1) + "
            r"(\gamma-1)M_A^2]X - (\gamma+1)M_A^2 = 0$ besides $X = 1$.",
            f"Its positive root is $X = {ratio:.4g}$.",
        ),
        Numeric(ratio, ratio_si, "", Routes("quadratic of the jump conditions", _CONSERVED)),
    )
    p2 = pressure + rho * speed**2 * (1 - 1 / ratio)
    p2 = p2 + field**2 / (2 * constants.mu0) * (1 - ratio**2)
    wind = draw.quantity(320.0, 480.0, "km s-1")
    asked = draw.choice(("temperature", "beta", "speed"))
    routes = Routes("jump conditions with units", "momentum balance at the numerical compression")
    rise = r"$p_2 = p_1 + \rho_1 u_1^2 (1 - 1/X) + B_1^2 (1 - X^2)/(2\mu_0)$"
    if asked == "temperature":
        question = draw.phrase(
            "If protons and electrons share one temperature also behind the shock, what is it?",
            "What temperature do both species have behind the shock, if it heats them alike?",
        )
        answer = Numeric(
            (p2 / (2 * density * ratio * constants.k_B)).to(units.MK),
            p2_si / (2 * up[1] * ratio_si * si.K_B) / 1e6,
            "MK",
            routes,
        )
        steps = (f"Momentum balance: {rise}.", "$T_2 = p_2/(2 X n_1 k_B)$.")
    elif asked == "beta":
        question = draw.phrase(
            "What is the plasma beta (thermal over magnetic pressure) behind the shock?",
            "Find the ratio of thermal to magnetic pressure in the shocked plasma.",
        )
        answer = Numeric(
            (p2 * 2 * constants.mu0 / (ratio * field) ** 2).to(units.one),
            p2_si * 2 * si.MU_0 / (ratio_si * up[2]) ** 2,
            "",
            routes,
        )
        steps = (f"Momentum balance: {rise}.", r"$\beta_2 = 2\mu_0 p_2/(X B_1)^2$.")
    else:
        question = draw.phrase(
            f"The shock normal is radial, and the wind ahead blows at {tex(wind)} outwards past a "
            "spacecraft, which the shock overtakes. What plasma speed does the spacecraft measure "
            "after the passage?",
            f"A spacecraft at rest saw {tex(wind)} in the wind ahead; the shock moves outwards "
            "along the radial normal. Which plasma speed does it record behind the shock?",
        )
        answer = Numeric(
            wind + speed * (1 - 1 / ratio),
            (wind.value + up[0] / 1e3 - up[0] / 1e3 / ratio_si),
            "km s-1",
            routes,
        )
        steps = (
            "The shock moves at $V_1 + u_1$; behind it the plasma lags by $u_1/X$.",
            "$V_2 = V_1 + u_1(1 - 1/X)$.",
        )
    return first, Part(question, steps, answer)


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Compression, Mach number or pressure jump for any number of degrees of freedom."""
    freedom = draw.integer(2, 9)
    gamma, cold = Fraction(freedom + 2, freedom), draw.choice((True, False))
    asked = draw.choice(("X", "M", "p") if not cold else ("X", "M"))
    mach = draw.phrase("M_A", "M_1", "M")
    beta = draw.phrase(r"\beta", r"\beta_1", r"\beta_u")
    gas = (
        "The upstream plasma is cold"
        if cold
        else rf"The upstream plasma has ${beta}$ = thermal over magnetic pressure"
    )
    setting = draw.phrase(
        f"Particles with {freedom} degrees of freedom make the adiabatic index "
        rf"$\gamma = {gamma}$ of an ideal MHD plasma. A shock runs across its magnetic field "
        f"at ${mach}$ times the upstream Alfvén speed. {gas}.",
        rf"A perpendicular shock in ideal MHD with adiabatic index $\gamma = {gamma}$ has the "
        f"Alfvén Mach number ${mach}$ (inflow speed over upstream Alfvén speed). {gas}.",
        f"Plasma flows at ${mach}$ times its Alfvén speed into a shock whose normal is "
        rf"perpendicular to the field, and obeys ideal MHD with $\gamma = {gamma}$. {gas}.",
    )
    question = {
        "X": "Derive the compression ratio $X$ (downstream over upstream density).",
        "M": f"Which ${mach}$ gives the compression ratio $X$ (downstream over upstream density)?",
        "p": r"Eliminate the Mach number: give the pressure jump $\Pi = p_2/p_1$ as a function of "
        "the compression ratio $X$ (downstream over upstream density).",
    }[asked]
    lead, plus, minus = (fraction_tex(f) for f in (2 - gamma, gamma + 1, gamma - 1))
    pressed = f"{fraction_tex(gamma)}" + ("" if cold else rf"\left(1+{beta}\right)")
    linear = rf"{pressed} + {minus} {mach}^2"
    ranges: dict[str, tuple[float, float]]
    if asked == "X":
        double = fraction_tex(4 * (2 - gamma) * (gamma + 1))
        final = (
            rf"$X = \frac{{\sqrt{{\left({linear}\right)^2 + {double} {mach}^2}} - "
            rf"\left({linear}\right)}}{{{fraction_tex(2 * (2 - gamma))}}}$"
            if gamma != 2
            else rf"$X = \frac{{{plus} {mach}^2}}{{{linear}}}$".replace("+ 1 ", "+ ")
        )
        ranges = {mach: (2.2, 8.0)}
    elif asked == "M":
        squeezed = (
            rf"X\left({lead} X + {pressed}\right)" if gamma != 2 else pressed.replace("2", "2 X", 1)
        )
        final = rf"${mach} = \sqrt{{\frac{{{squeezed}}}{{{plus} - {minus} X}}}}$"
        final = final.replace("- 1 X", "- X")
        ranges = {"X": (1.3, 2.8)}
    else:
        final = (
            rf"$\Pi = \frac{{{plus} X - {minus} + \frac{{{minus}}}{{{beta}}}(X-1)^3}}"
            rf"{{{plus} - {minus} X}}$"
        )
        final = final.replace("- 1 X", "- X")
        ranges = {"X": (1.3, 2.8)}
    if not cold:
        ranges[beta] = (0.2, 1.5)

    def check(at: Mapping[str, float]) -> float:
        b, g = at.get(beta, 0.0), float(gamma)
        if asked == "X":
            return _by_energy(lambda x: _residual(x, at[mach], b, g), 1 + 1e-6, (g + 1) / (g - 1))
        found = _by_energy(lambda m: _residual(at["X"], m, b, g), 0.5, 1e4)
        if asked == "M":
            return found
        return _pressure(at["X"], found, b) / (b / 2)

    return (
        Part(
            f"{setting} {question}",
            (
                r"Momentum: $p_2 = p_1 + \rho_1 u_1^2(1-1/X) + B_1^2(1-X^2)/(2\mu_0)$, as "
                r"$B_2 = X B_1$ and $u_2 = u_1/X$.",
                rf"The energy balance, divided by $X-1$, is $(2-\gamma)X^2 + [\gamma(1+\beta) + "
                rf"(\gamma-1){mach}^2]X - (\gamma+1){mach}^2 = 0$"
                + (r" with $\beta = 0$." if cold else "."),
                f"Hence {final}.",
            ),
            Symbolic(
                final, ranges, check, Routes("closed form", "numerical root of the energy balance")
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """How compression and heating answer to one changed property of the wind ahead."""
    at = [
        draw.number(450.0, 700.0),
        draw.number(3.0, 9.0),
        draw.number(3.0, 8.0),
        draw.number(0.5, 1.5),
    ]
    which = draw.choice((0, 2, 2, 3))
    unit = ("km s-1", "cm-3", "nT", "1e5 K")[which]
    low, high = at[which], float(f"{at[which] * draw.number(1.4, 2.2):.2g}")
    before, after = draw.choice(((low, high), (high, low)))
    names = (
        "shock speed relative to the wind",
        "proton density",
        "magnetic field strength",
        "temperature",
    )

    def label(value: float) -> str:
        return tex(value * 1e5, unit="K") if which == 3 else tex(value, unit=unit)

    values = (
        f"a shock speed of {tex(at[0], unit='km s-1')} relative to the wind",
        f"a proton density of {tex(at[1], unit='cm-3')}",
        f"a magnetic field of {tex(at[2], unit='nT')}",
        f"{tex(at[3] * 1e5, unit='K')} for protons and electrons",
    )
    *some, last = (value for index, value in enumerate(values) if index != which)
    fixed = f"{', '.join(some)} and {last}"
    question = draw.phrase(
        f"Two perpendicular shocks move through solar wind of protons and electrons with {fixed}. "
        f"From the first to the second the upstream {names[which]} goes from {label(before)} to "
        f"{label(after)}. With ideal MHD jump conditions and adiabatic index $5/3$, how do the "
        "compression ratio and the temperature behind the shock change?",
        f"A perpendicular shock in ideal MHD (adiabatic index $5/3$, proton-electron plasma) has "
        f"{fixed} ahead of it. The upstream {names[which]} is then changed from {label(before)} to "
        f"{label(after)}, all else being equal. In which direction do the density ratio across "
        "the shock (compression ratio) and the temperature behind it change?",
    ).replace("upstream shock speed", "shock speed")
    states = []
    for value in (before, after):
        at[which] = value
        up = (at[0] * 1e3, at[1] * 1e6, at[2] * 1e-9, at[3] * 1e5)
        x2, p2 = _behind(*up)
        x1, t1 = _scaled(*up)
        states.append((x1, t1, x2, p2 / x2))
    changes = relative_changes(*states)
    claims = change_claims(
        ("compression ratio", "temperature behind the shock"), changes[:2], changes[2:]
    )
    return (
        Part(
            question,
            (
                "The compression grows with the fast Mach number: with the shock speed, against "
                "field strength and temperature ahead.",
                "The heat comes from the flow energy that is lost; what is ahead of the shock in "
                "temperature stays as a base.",
            ),
            stated(claims, Routes("quadratic of the jump conditions", _CONSERVED)),
        ),
    )


def _by_quadratic(mach2: float, beta: float, gamma: float) -> float:
    linear = gamma * (1 + beta) + (gamma - 1) * mach2
    return (sqrt(linear**2 + 4 * (2 - gamma) * (gamma + 1) * mach2) - linear) / (2 * (2 - gamma))


def _scaled(u: float, n: float, b: float, kelvin: float) -> tuple[float, float]:
    """Compression and downstream temperature over any common unit, by the quadratic."""
    mach2 = si.MU_0 * n * si.M_P * u**2 / b**2
    beta = 4 * si.MU_0 * n * si.K_B * kelvin / b**2
    x = _by_quadratic(mach2, beta, 5 / 3)
    return x, kelvin / x * (1 + 2 * mach2 / beta * (1 - 1 / x) + (1 - x**2) / beta)


def _pressure(x: float, mach: float, beta: float) -> float:
    """Downstream pressure in units of B_1^2 / mu_0."""
    return beta / 2 + mach**2 * (1 - 1 / x) + (1 - x**2) / 2


def _residual(x: float, mach: float, beta: float, gamma: float) -> float:
    """Energy flux ahead less energy flux behind, a unit of mass flux each."""
    heat = gamma / (gamma - 1)
    ahead = mach**2 / 2 + heat * beta / 2 + 1
    return ahead - (mach**2 / (2 * x**2) + heat * _pressure(x, mach, beta) / x + x)


def _behind(u: float, n: float, b: float, kelvin: float) -> tuple[float, float]:
    """Compression and downstream pressure (Pa), in SI, from the energy balance."""
    rho, p1 = n * si.M_P, 2 * n * si.K_B * kelvin

    def p2(x: float) -> float:
        return p1 + rho * u**2 * (1 - 1 / x) + b**2 / (2 * si.MU_0) * (1 - x**2)

    def balance(x: float) -> float:
        ahead = u * (rho * u**2 / 2 + 2.5 * p1 + b**2 / si.MU_0)
        behind = (u / x) * (rho * u**2 / (2 * x) + 2.5 * p2(x) + (b * x) ** 2 / si.MU_0)
        return 1 - behind / ahead

    x = _by_energy(balance, 1 + 1e-3, 4.0)
    return x, p2(x)


def _by_energy(balance: Callable[[float], float], low: float, high: float) -> float:
    return bracketed_root(balance, low, high)


FAMILY = Family(
    title="Perpendicular MHD shock",
    assumptions=(
        "ideal MHD jump conditions, magnetic field exactly perpendicular to the shock normal",
        "isotropic pressure, proton-electron plasma where numbers are given",
        "steady plane shock",
    ),
    sources=(
        "Priest 2014, Magnetohydrodynamics of the Sun, sec. 5.3",
        "Kivelson & Russell 1995, Introduction to Space Physics, ch. 5",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
