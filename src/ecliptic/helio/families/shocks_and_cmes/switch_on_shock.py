r"""Switch-on shock: a shock along the field that makes a field across the flow.

Ahead the field is along the normal; M = u_1/v_A, plasma beta b, adiabatic index g. Besides the
hydrodynamic shock the jump conditions have a branch with X = M^2 and

.. math:: (B_t/B_n)^2 = (M^2 - 1)\,[g + 1 - g b - (g - 1) M^2],

for M^2 between 1 and (g + 1 - g b) / (g - 1).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import atan, degrees, sqrt

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_CLOSED = "closed form of the switched-on branch"
_BALANCE = "roots of the energy balance across the shock"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Fastest switch-on shock in a corona, then the deflection of the field by a given one."""
    from astropy import constants, units

    field, density = draw.quantity(0.3, 1.5, "G"), draw.quantity(2e6, 9e6, "cm-3")
    kelvin = draw.quantity(0.8, 1.8, "MK")
    setting = draw.phrase(
        "A plane shock driven by an eruption runs exactly along the magnetic field of the corona: "
        f"{tex(field)}, {tex(density)} protons and as many electrons (massless), both at "
        rf"{tex(kelvin)}. Ideal MHD holds with adiabatic index $5/3$.",
        f"The corona ahead of a shock has a field of {tex(field)} along the shock normal, a proton "
        f"density of {tex(density)} (only protons have mass) and {tex(kelvin)} for protons and "
        r"electrons. Take ideal MHD jump conditions with adiabatic index $5/3$.",
    )
    rho = density * constants.m_p
    alfven = (field / (constants.mu0 * rho) ** 0.5).to(units.km / units.s)
    pressure = 2 * density * constants.k_B * kelvin
    beta = (2 * constants.mu0 * pressure / field**2).to_value(units.one)
    fastest = alfven * sqrt(4 - 2.5 * beta)
    si_field, si_rho = field.value * 1e-4, density.value * 1e6 * si.M_P
    si_alfven = si_field / sqrt(si.MU_0 * si_rho) / 1e3
    si_beta = 4 * si.MU_0 * density.value * 1e6 * si.K_B * kelvin.value * 1e6 / si_field**2
    first = Part(
        f"{setting} "
        + draw.phrase(
            "Up to which shock speed relative to this plasma can the shock switch on a field "
            "component tangential to its front?",
            "What is the greatest shock speed, relative to this plasma, of a switch-on shock "
            "(field tangential to the front behind it, none ahead)?",
        ),
        (
            rf"$v_A$ = {tex(alfven, 4, unit='km s-1')} and $\beta = 2\mu_0 p_1/B^2$ = {beta:.4g}.",
            r"With $\vec B_t \neq 0$ behind, transverse momentum asks $u_2 = B_n/\sqrt{\mu_0 "
            r"\rho_2}$, so $X = M^2$; energy gives $(B_t/B_n)^2 = (M^2 - 1)[\gamma + 1 - "
            r"\gamma\beta - (\gamma - 1)M^2]$.",
            rf"The bracket vanishes at $M^2 = 4 - \frac{{5}}{{2}}\beta$: "
            f"{tex(fastest, 4, unit='km s-1')}.",
        ),
        Numeric(
            fastest,
            si_alfven * _limit(si_beta, 5 / 3),
            "km s-1",
            Routes(_CLOSED, _BALANCE),
        ),
    )
    share = draw.number(0.15, 0.85, digits=3)
    top = float(fastest.value)
    low = float(alfven.value)
    speed = float(f"{low + share * (top - low):.3g}") * units.km / units.s
    mach2 = float((speed / alfven).to_value(units.one)) ** 2
    tangent = sqrt((mach2 - 1) * (8 / 3 - 5 / 3 * beta - 2 / 3 * mach2))
    other = _tangent((speed.value / si_alfven) ** 2, si_beta, 5 / 3)
    if draw.choice((True, False)):
        question = draw.phrase(
            f"A switch-on shock moves at {tex(speed)} relative to this plasma. At which angle to "
            "the shock normal is the field behind it?",
            f"By which angle does a switch-on shock of {tex(speed)}, relative to the same plasma, "
            "turn the field away from the normal?",
        )
        answer = Numeric(
            degrees(atan(tangent)) * units.deg,
            degrees(atan(other)),
            "deg",
            Routes(_CLOSED, _BALANCE),
        )
        last = rf"$\theta = \arctan(B_t/B_n)$ with $B_t/B_n$ = {tangent:.4g}."
    else:
        heat = (pressure + rho * speed**2 * (1 - 1 / mach2)) - field**2 * tangent**2 / (
            2 * constants.mu0
        )
        behind = (heat / (2 * density * mach2 * constants.k_B)).to(units.MK)
        square = (speed.value / si_alfven) ** 2
        ratio = _pressure(square, si_beta, other**2) / (si_beta / 2)
        question = draw.phrase(
            f"A switch-on shock moves at {tex(speed)} relative to this plasma. If it heats protons "
            "and electrons alike, how hot are they behind it?",
            f"Find the common temperature of protons and electrons behind a switch-on shock of "
            f"{tex(speed)}, relative to the same plasma.",
        )
        answer = Numeric(behind, kelvin.value * ratio / square, "MK", Routes(_CLOSED, _BALANCE))
        last = (
            r"$p_2 = p_1 + \rho_1 u_1^2(1 - 1/M^2) - B_t^2/(2\mu_0)$ and "
            rf"$T_2/T_1 = p_2/(M^2 p_1)$: {tex(behind, 4, unit='MK')}."
        )
    second = Part(
        question,
        (
            rf"$M^2 = u_1^2/v_A^2$ = {mach2:.4g} is also the compression.",
            rf"$(B_t/B_n)^2 = (M^2 - 1)[\gamma + 1 - \gamma\beta - (\gamma - 1)M^2]$ = "
            f"{tangent**2:.4g}.",
            last,
        ),
        answer,
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Deflection, limits and greatest deflection for any adiabatic index."""
    freedom = draw.integer(2, 9)
    gamma, cold = Fraction(freedom + 2, freedom), draw.choice((True, False, False, False))
    asked = "b" if cold else draw.choice(("b", "limit", "best", "most", "p"))
    mach, beta = draw.phrase("M_A", "M", "M_1"), draw.phrase(r"\beta", r"\beta_1")
    gas = (
        "the plasma ahead is cold"
        if cold
        else rf"the plasma ahead has ${beta}$ = thermal over magnetic pressure"
    )
    setting = draw.phrase(
        f"A plane shock moves along a uniform magnetic field at ${mach}$ times the Alfvén speed; "
        rf"{gas}, and ideal MHD holds with adiabatic index $\gamma = {gamma}$. On the switch-on "
        "branch of the jump conditions the field behind has a component $B_t$ tangential to the "
        "front besides the normal one, $B_n$.",
        f"Plasma with {freedom} degrees of freedom per particle, $\\gamma = {gamma}$, flows along "
        f"its field into a switch-on shock at ${mach}$ times its Alfvén speed; {gas}. Behind the "
        "shock the field has the normal component $B_n$ and a tangential one, $B_t$.",
    )
    question = {
        "b": "Derive $b = B_t/B_n$ from the ideal MHD jump conditions.",
        "limit": f"For which ${mach} = M_c$, the largest of the branch, does $B_t$ vanish again?",
        "best": f"At which ${mach} = M_m$ is $B_t/B_n$ greatest?",
        "most": f"What is the greatest $b = B_t/B_n$ that any ${mach}$ gives?",
        "p": r"Find the ratio $\Pi = p_2/p_1$ of the pressures behind and ahead.",
    }[asked]
    minus = gamma - 1
    lost = "" if cold else f" - {fraction_tex(gamma)} {beta}"
    slope = "" if minus == 1 else f"{fraction_tex(minus)} "
    square = (
        rf"\left({mach}^2 - 1\right) \left({fraction_tex(gamma + 1)}{lost} - {slope}{mach}^2\right)"
    )
    turned = "" if cold else rf" - {fraction_tex(gamma / minus)} {beta}"
    final = {
        "b": rf"$b = \sqrt{{{square}}}$",
        "limit": rf"$M_c = \sqrt{{{fraction_tex((gamma + 1) / minus)}{turned}}}$",
        "best": rf"$M_m = \sqrt{{{fraction_tex(gamma / minus / 2)} \left(2 - {beta}\right)}}$",
        "most": rf"$b = \frac{{2{lost}}}{{2 \sqrt{{{fraction_tex(minus)}}}}}$",
        "p": rf"$\Pi = 1 + \frac{{1}}{{{beta}}} \left({mach}^2 - 1\right) \left({slope}{mach}^2 - "
        rf"{fraction_tex(minus)} + {fraction_tex(gamma)} {beta}\right)$",
    }[asked]
    top = 0.95 * sqrt(float((gamma + 1 - gamma * Fraction(3, 10)) / minus))
    ranges = {mach: (1.08, top)} if asked in "bp" else {}
    if not cold:
        ranges[beta] = (0.05, 0.3)

    def check(at: Mapping[str, float]) -> float:
        g, ahead = float(gamma), at.get(beta, 0.0)
        if asked == "limit":
            return _limit(ahead, g)
        if asked in "bp":
            tangent = _tangent(at[mach] ** 2, ahead, g)
            if asked == "b":
                return tangent
            return _pressure(at[mach] ** 2, ahead, tangent**2) / (ahead / 2)
        # b^2 is smooth with one maximum: its slope by differences, exact for a parabola.
        end = _limit(ahead, g) ** 2

        def rise(y: float) -> float:
            h = 0.01 * (end - 1)
            return _tangent(y + h, ahead, g) ** 2 - _tangent(y - h, ahead, g) ** 2

        best = bracketed_root(rise, 1 + 0.05 * (end - 1), 1 + 0.95 * (end - 1))
        return sqrt(best) if asked == "best" else _tangent(best, ahead, g)

    return (
        Part(
            f"{setting} {question}",
            (
                r"In the frame without electric field $\vec u_2 \parallel \vec B_2$; transverse "
                rf"momentum, $\rho_1 u_1 u_{{2t}} = B_n B_t/\mu_0$, then asks $X = {mach}^2$.",
                r"Normal momentum gives $p_2 = p_1 + \rho_1 u_1^2(1 - 1/X) - B_t^2/(2\mu_0)$.",
                r"The energy balance leaves $(B_t/B_n)^2 = (M^2 - 1)[\gamma + 1 - \gamma\beta - "
                rf"(\gamma - 1)M^2]$ with $M = u_1/v_A$; hence {final}.",
            ),
            Symbolic(final, ranges, check, Routes(_CLOSED, _BALANCE)),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Compression and deflection on the rising or the falling side of the branch."""
    beta, rising = draw.number(0.02, 0.25), draw.choice((True, False))
    best, end = 2.5 - 1.25 * beta, 4 - 2.5 * beta
    squares = (1.05, best) if rising else (best, end)
    width = squares[1] - squares[0]
    low = draw.number(sqrt(squares[0] + 0.1 * width), sqrt(squares[0] + 0.4 * width), digits=3)
    high = draw.number(sqrt(squares[0] + 0.6 * width), sqrt(squares[0] + 0.9 * width), digits=3)
    before, after = draw.choice(((low, high), (high, low)))
    question = draw.phrase(
        f"In a coronal plasma with $\\beta = {beta}$ (thermal over magnetic pressure) and "
        "adiabatic index $5/3$ a switch-on shock runs along the field. Its Alfvén Mach number "
        f"goes from ${before}$ to ${after}$. How do the compression ratio and the deflection angle "
        "of the field behind the shock (from the normal) change?",
        f"Compare two switch-on shocks along the field of a plasma with $\\beta = {beta}$ (thermal "
        f"over magnetic pressure) and $\\gamma = 5/3$: one moves at ${before}$ times the Alfvén "
        f"speed, another at ${after}$ times. From the one to the other, in which direction do the "
        "compression ratio and the deflection angle of the field behind the shock, measured from "
        "the normal, change?",
    )
    closed = [sqrt((m**2 - 1) * (8 / 3 - 5 / 3 * beta - 2 / 3 * m**2)) for m in (before, after)]
    found = [_tangent(m**2, beta, 5 / 3) for m in (before, after)]
    density = [
        _compression(m, beta, 5 / 3, t**2) for m, t in zip((before, after), found, strict=True)
    ]
    claims = (
        change_claim("compression ratio", (after / before) ** 2 - 1, density[1] / density[0] - 1),
        change_claim(
            "deflection angle",
            atan(closed[1]) / atan(closed[0]) - 1,
            atan(found[1]) / atan(found[0]) - 1,
        ),
    )
    return (
        Part(
            question,
            (
                "On this branch $X = M^2$.",
                r"$(B_t/B_n)^2 = (M^2 - 1)[\gamma + 1 - \gamma\beta - (\gamma - 1)M^2]$ has its "
                rf"maximum at $M$ = {sqrt(best):.3g} and vanishes at 1 and {sqrt(end):.3g}.",
            ),
            stated(claims, Routes(_CLOSED, _BALANCE)),
        ),
    )


def _pressure(square: float, beta: float, tangent2: float) -> float:
    """Pressure behind in units of B_n^2 / mu_0, for X = M^2 = ``square``."""
    return beta / 2 + square - 1 - tangent2 / 2


def _imbalance(square: float, beta: float, gamma: float, tangent2: float) -> float:
    """Energy ahead less energy behind a switched-on shock, a unit of mass and v_A = 1.

    With no electric field the Poynting flux is nil on both sides.
    """
    heat = gamma / (gamma - 1)
    flow = 1 / square
    ahead = square / 2 + heat * beta / 2
    return ahead - flow * (1 + tangent2) / 2 - heat * _pressure(square, beta, tangent2) / square


def _tangent(square: float, beta: float, gamma: float) -> float:
    """B_t / B_n that balances the energy."""
    return sqrt(bracketed_root(lambda t: _imbalance(square, beta, gamma, t), -5.0, 500.0))


def _limit(beta: float, gamma: float) -> float:
    """Mach number above 1 at which the energy balances without a tangential field."""
    return sqrt(bracketed_root(lambda y: _imbalance(y, beta, gamma, 0.0) / (y - 1), 1.0001, 100.0))


def _compression(mach: float, beta: float, gamma: float, tangent2: float) -> float:
    """Density ratio that balances the energy with a given tangential field, from above."""
    heat = gamma / (gamma - 1)

    def imbalance(x: float) -> float:
        speed2 = (mach / x) ** 2 * (1 + tangent2)
        pressure = beta / 2 + mach**2 * (1 - 1 / x) - tangent2 / 2
        return mach**2 / 2 + heat * beta / 2 - speed2 / 2 - heat * pressure / x

    guess = mach**2
    return bracketed_root(imbalance, guess * 0.97, guess * 1.03)


FAMILY = Family(
    title="Switch-on shock",
    assumptions=(
        "ideal MHD jump conditions, field ahead along the shock normal",
        "isotropic pressure, plane steady shock",
    ),
    sources=(
        "Kennel, Blandford & Coppi 1989, J. Plasma Physics 42, 299",
        "Priest 2014, Magnetohydrodynamics of the Sun, sec. 5.4",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
