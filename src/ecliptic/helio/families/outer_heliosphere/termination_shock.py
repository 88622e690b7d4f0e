r"""Termination shock: where the ram pressure of the wind meets the interstellar pressure.

A strong shock leaves :math:`p_2 = 2\rho v^2/(\gamma+1)` and a subsonic flow whose stagnation
pressure is that of the interstellar medium. If the flow is taken as incompressible,

.. math:: P = \frac{\gamma + 3}{2(\gamma + 1)} \rho v^2 .
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import exp

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, power_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_GAMMA = 5 / 3


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Distance of the shock of finite strength, then the transit time in the heliosheath."""
    from astropy import constants, units

    density = draw.quantity(4.0, 8.0, "cm-3")
    speed = draw.quantity(380.0, 600.0, "km s-1")
    mach = draw.number(2.5, 8.0)
    pressure = draw.quantity(0.15, 0.32, "pPa")
    farther = draw.integer(10, 35)
    setting = draw.phrase(
        f"At 1 AU the solar wind (protons) has {tex(density)} and {tex(speed)}; it expands "
        "spherically with constant speed. Pickup ions heat it, so that it arrives at the "
        f"termination shock with the sonic Mach number {tex(mach)}.",
        f"A spherical proton wind of constant speed {tex(speed)}, with {tex(density)} at 1 AU, has "
        f"been heated by pickup ions to a sonic Mach number of {tex(mach)} by the time it meets "
        "the termination shock.",
    )
    setting += (
        " Behind the shock (normal, non-magnetic, adiabatic index 5/3) it is slowed to rest without"
        f" loss on the upwind axis, where it balances an interstellar pressure of {tex(pressure)}. "
    )
    m2, g = mach**2, _GAMMA
    behind = (2 * g * m2 - (g - 1)) / (g + 1)  # p_2 / p_1
    mach2 = ((g - 1) * m2 + 2) / (2 * g * m2 - (g - 1))
    kappa = behind / (g * m2) * (1 + (g - 1) / 2 * mach2) ** (g / (g - 1))
    ram = density * constants.m_p * speed**2
    shock = (units.au * ((kappa * ram / pressure).to_value("")) ** 0.5).to("AU")
    compression = (g + 1) * m2 / ((g - 1) * m2 + 2)
    end = shock + farther * units.au
    time = ((end**3 - shock**3) / (3 * shock**2 * speed / compression)).to("yr")
    p0, share = _stagnation(g, mach)
    ram_si = density.value * 1e6 * si.M_P * (speed.value * 1e3) ** 2
    place = _balance(lambda r: p0 * ram_si / r**2, pressure.value * 1e-12, 2.0)
    other = _transit(place, place + farther, share * speed.value * 1e3)
    first = Part(
        setting
        + draw.phrase(
            "At which heliocentric distance is the termination shock on this axis?",
            "Find the distance of the termination shock from the Sun on the upwind axis.",
        ),
        (
            r"Jump: $p_2/p_1 = (2\gamma M^2 - \gamma + 1)/(\gamma + 1)$, "
            r"$M_2^2 = [(\gamma-1)M^2 + 2]/(2\gamma M^2 - \gamma + 1)$, with "
            r"$p_1 = \rho v^2/(\gamma M^2)$.",
            r"Isentropic to rest: $p_0 = p_2[1 + (\gamma-1)M_2^2/2]^{\gamma/(\gamma-1)}$ = "
            rf"{kappa:.4f}$\,\rho v^2$.",
            r"$\rho v^2 \propto r^{-2}$ equals $P/"
            rf"{kappa:.4f}$ at $r$ = {tex(shock, 4, unit='AU')}.",
        ),
        Numeric(
            shock,
            place,
            "AU",
            Routes(
                "normal-shock relations and isentropic stagnation pressure, with units",
                "numerical root of the conservation laws, integration of dp/rho, root by distance",
            ),
            digits=4,
        ),
    )
    second = Part(
        draw.phrase(
            f"Treat the flow for the next {farther} AU behind the shock as radial and "
            "incompressible. How many years does the plasma take for this distance?",
            f"How many years does the plasma take for the first {farther} AU beyond the shock, if "
            "its flow there is taken to be radial and incompressible?",
        ),
        (
            r"$v_2 = v[(\gamma-1)M^2 + 2]/[(\gamma+1)M^2]$ = "
            f"{tex(speed / compression, 4, unit='km s-1')}, then $v \\propto r^{{-2}}$.",
            r"$t = \int dr/v = (r^3 - r_s^3)/(3 r_s^2 v_2)$ = " + f"{tex(time, 3, unit='yr')}.",
        ),
        Numeric(
            time,
            other / si.YEAR_S,
            "yr",
            Routes("closed form with units", "quadrature of dr/v behind the numerical jump"),
        ),
    )
    return first, second


_OUTSIDE = {
    "static": ("an interstellar gas at rest of pressure $P$", "P"),
    "moving": (
        r"an interstellar gas of pressure $P$ and density $\rho_i$ that approaches with the low "
        r"subsonic speed $V$ and comes to rest as an incompressible fluid",
        r"P + \frac{1}{2}\rho_i V^2",
    ),
    "magnetic": (
        "an interstellar gas of pressure $P$ with a field $B$ parallel to the interface ($\\mu_0$: "
        "vacuum permeability)",
        r"P + \frac{B^2}{2\mu_0}",
    ),
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Strong-shock distance for any adiabatic index, expansion and kind of outer medium."""
    gamma = draw.choice([Fraction(*at) for at in ((5, 3), (2, 1), (3, 2), (7, 5), (4, 3))])
    s = draw.choice([Fraction(*at) for at in ((2, 1), (2, 1), (3, 2), (5, 2), (3, 1))])
    compressed = draw.choice((True, False))
    outside = draw.choice(tuple(_OUTSIDE))
    speed, rho = draw.phrase("v", "u"), draw.phrase(r"\rho_0", r"\rho_1")
    radius = "r_0" if rho == r"\rho_0" else "r_1"
    medium, pressure = _OUTSIDE[outside]
    flow = (
        "spherically" if s == 2 else f"in a tube of cross-section $A \\propto r^{{{power_tex(s)}}}$"
    )
    slowing = "isentropically" if compressed else "as an incompressible fluid would be"
    question = draw.phrase(
        f"A cold wind of constant speed ${speed}$ expands {flow}; its density is ${rho}$ at "
        f"${radius}$ and its adiabatic index $\\gamma = {power_tex(gamma)}$. It passes a strong "
        f"normal shock, behind which it is slowed to rest {slowing}, against {medium}. ",
        f"A stellar wind flows {flow} with the constant speed ${speed}$ and the density ${rho}$ at "
        f"${radius}$. It is cold up to a strong normal shock ($\\gamma = {power_tex(gamma)}$); the "
        f"shocked gas comes to rest, slowed {slowing}, at the boundary with {medium}. ",
    ) + draw.phrase(
        "Derive the distance $R$ of the shock on the axis of stagnation.",
        "Where is the shock (distance $R$) on the axis of stagnation?",
    )
    strong = 2 / (gamma + 1)
    if compressed:
        base = (gamma + 1) ** 2 / (4 * gamma)
        number = (
            rf"{fraction_tex(strong)}\left({fraction_tex(base)}\right)"
            rf"^{{{power_tex(gamma / (gamma - 1))}}}"
        )
    else:
        number = fraction_tex((gamma + 3) / (2 * (gamma + 1)))
    final = (
        rf"$R = {radius}\left(\frac{{\kappa {rho} {speed}^2}}{{{pressure}}}\right)"
        rf"^{{{power_tex(1 / s)}}},\quad \kappa = {number}$"
    )
    ranges = {radius: (0.5, 1.5), rho: (5.0, 15.0), speed: (1.0, 2.0), "P": (0.2, 0.6)}
    units = {"": "m", radius: "m", rho: "kg m-3", speed: "m s-1", "P": "Pa"}
    if outside == "moving":
        ranges |= {r"\rho_i": (0.5, 1.5), "V": (0.1, 0.4)}
        units |= {r"\rho_i": "kg m-3", "V": "m s-1"}
    elif outside == "magnetic":
        ranges |= {"B": (0.2, 0.9), r"\mu_0": (0.5, 1.5)}
        units |= {"B": "T", r"\mu_0": "H m-1"}

    def check(at: Mapping[str, float]) -> float:
        p0 = _stagnation(float(gamma))[0] if compressed else _bernoulli(float(gamma))
        total = at["P"]
        if outside == "moving":
            # work against the pressure gradient of the approaching gas, by the trapezium rule
            steps = [at["V"] * k / 16 for k in range(17)]
            total += sum(at[r"\rho_i"] * (a + b) / 2 * (b - a) for a, b in pairwise(steps))
        elif outside == "magnetic":
            total += at["B"] ** 2 / (2 * at[r"\mu_0"])
        ram = at[rho] * at[speed] ** 2
        place = _balance(lambda x: p0 * ram * x ** -float(s), total, float(s))
        return at[radius] * place

    rest = (
        r"Bernoulli with $p \propto \rho^\gamma$: $p_0 = p_2[1 + (\gamma-1)M_2^2/2]"
        rf"^{{\gamma/(\gamma-1)}}$ with $M_2^2 = {fraction_tex((gamma - 1) / (2 * gamma))}$."
        if compressed
        else r"Bernoulli without compression: $p_0 = p_2 + \rho_2 v_2^2/2$."
    )
    return (
        Part(
            question,
            (
                rf"Strong shock: $\rho_2 = {fraction_tex((gamma + 1) / (gamma - 1))}\rho$, "
                rf"$p_2 = {fraction_tex(strong)}\,\rho {speed}^2$.",
                f"{rest} So $p_0 = \\kappa\\rho {speed}^2$ with $\\kappa = {number}$.",
                rf"$\rho {speed}^2 \propto r^{{-{power_tex(s)}}}$ and $p_0 = {pressure}$: {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "strong-shock relations and Bernoulli's equation",
                    "numerical root of the conservation laws, integration to rest, root by "
                    "distance",
                ),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Another wind: distance of the shock and temperature behind it."""
    slow = draw.number(300.0, 400.0)
    fast = float(f"{slow * draw.number(1.25, 1.9):.3g}")
    thin = draw.number(2.5, 5.0)
    # ram pressures that differ clearly, either way
    ratio = (fast / slow) ** 2 * draw.choice((draw.number(0.5, 0.8), draw.number(1.25, 2.0)))
    dense = float(f"{thin * ratio:.2g}")
    pressure = draw.number(0.12, 0.3)
    states = draw.choice((((dense, slow), (thin, fast)), ((thin, fast), (dense, slow))))
    told = [f"{tex(n, unit='cm-3')} and {tex(v, unit='km s-1')}" for n, v in states]
    question = draw.phrase(
        "A cold spherical proton wind of constant speed ends in a strong shock (adiabatic index "
        f"5/3), held by an interstellar pressure of {tex(pressure, unit='pPa')} that equals the "
        "stagnation pressure of the shocked wind. ",
        f"An interstellar pressure of {tex(pressure, unit='pPa')} balances the stagnation pressure "
        "of a spherical proton wind behind its strong termination shock (adiabatic index 5/3; the "
        "wind is cold and of constant speed). ",
    ) + draw.phrase(
        f"At 1 AU the wind has {told[0]} in one steady state and {told[1]} in another. How do the "
        "distance of the shock and the plasma temperature just behind it change from the first to "
        "the second?",
        f"Its density and speed at 1 AU go from {told[0]} to {told[1]}. In which direction do the "
        "distance of the shock and the plasma temperature right behind it change, once all is "
        "steady?",
    )
    closed = [(n * v * v) ** 0.5 for n, v in states]
    heat = [v * v for _, v in states]
    p0, share = _stagnation(_GAMMA)
    found, hot = [], []
    for n, v in states:
        ram = n * 1e6 * si.M_P * (v * 1e3) ** 2
        found.append(_balance(lambda r, q=ram: p0 * q / r**2, pressure * 1e-12, 2.0))  # type: ignore[misc]
        # momentum flux behind the shock: p_2 / rho_2 = v^2 (1 - share) share
        hot.append(si.M_P / (2 * si.K_B) * (v * 1e3) ** 2 * (1 - share) * share)
    claims = (
        change_claim("shock distance", closed[1] / closed[0] - 1, found[1] / found[0] - 1),
        change_claim("plasma temperature", heat[1] / heat[0] - 1, hot[1] / hot[0] - 1),
    )
    return (
        Part(
            question,
            (
                r"The stagnation pressure is a fixed multiple of $\rho v^2 \propto r^{-2}$, so "
                r"$R \propto \sqrt{n v^2}$.",
                r"$k_B T_2 = 3 m_p v^2/32$ depends on the speed alone.",
                f"The ram pressure changes by the factor {(closed[1] / closed[0]) ** 2:.3g}.",
            ),
            stated(
                claims,
                Routes("powers of density and speed", "roots of the jump and of the balance"),
            ),
        ),
    )


@lru_cache(maxsize=64)
def _jump(gamma: float, mach: float | None) -> tuple[float, float]:
    """Speed ratio and pressure behind the shock in units of rho v^2, from the three fluxes."""
    ahead = 0.0 if mach is None else 1 / (gamma * mach**2)

    def energy(share: float) -> float:
        pressure = ahead + 1 - share
        before = 0.5 + gamma / (gamma - 1) * ahead
        return share**2 / 2 + gamma / (gamma - 1) * pressure * share - before

    share = bracketed_root(energy, 1e-4, 0.97 if mach is None else 1 - 0.3 * (1 - 1 / mach**2))
    return share, ahead + 1 - share


@lru_cache(maxsize=64)
def _stagnation(gamma: float, mach: float | None = None) -> tuple[float, float]:
    """Stagnation pressure in units of rho v^2 (and speed ratio), by d p = -rho v d v."""
    share, pressure = _jump(gamma, mach)
    steps = 32
    h = share / steps
    constant = 1 / share / pressure ** (1 / gamma)

    def slope(speed: float, p: float) -> float:
        return float(-constant * p ** (1 / gamma) * speed)

    p, speed = pressure, share
    for _ in range(steps):
        a = slope(speed, p)
        b = slope(speed - h / 2, p - h / 2 * a)
        c = slope(speed - h / 2, p - h / 2 * b)
        d = slope(speed - h, p - h * c)
        p -= h * (a + 2 * b + 2 * c + d) / 6
        speed -= h
    return p, share


def _bernoulli(gamma: float) -> float:
    """The same for a fluid that keeps the density behind the shock."""
    share, pressure = _jump(gamma, None)
    steps = [share * k / 8 for k in range(9)]
    return pressure + sum((a + b) / 2 * (b - a) / share for a, b in pairwise(steps))


def _balance(inside: Callable[[float], float], pressure: float, power: float) -> float:
    """Distance at which a falling pressure equals another."""
    return exp(bracketed_root(lambda x: inside(exp(x)) / pressure - 1, -12.0 / power, 40.0 / power))


def _transit(start_au: float, end_au: float, speed: float) -> float:
    """Time in s of a flow that falls as r^-2, by Gauss-Legendre."""
    import numpy as np

    nodes, weights = np.polynomial.legendre.leggauss(4)
    r = start_au + (end_au - start_au) * (nodes + 1) / 2
    slowness = (r / start_au) ** 2 / speed
    return float(np.sum(weights * slowness)) / 2 * (end_au - start_au) * si.AU_M


FAMILY = Family(
    title="Distance of the termination shock",
    assumptions=(
        "steady wind of constant speed up to the shock, normal non-magnetic shock",
        "loss-free flow to the stagnation point",
    ),
    sources=(
        "Parker 1963, Interplanetary Dynamical Processes, ch. IX",
        "Zank 1999, Space Science Reviews 89, 413, sec. 2",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
