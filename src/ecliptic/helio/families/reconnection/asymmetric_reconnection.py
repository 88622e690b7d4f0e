r"""Reconnection of unlike plasmas: outflow, rate, and where the flow and the field divide.

Conservation of mass and energy in a layer of length 2 L and thickness 2 \delta, with equal inflow
of flux from both sides, E = v_1 B_1 = v_2 B_2.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Claim, Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, number_tex, tex

_MODEL = (
    "the fields are antiparallel, the layer is steady and two-dimensional, and mass, flux and "
    "energy are conserved across it"
)
_MIXING = (
    "in the outflow the plasma of reconnected flux tubes from both sides is mixed, with volumes "
    "inversely proportional to their fields of origin"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Outflow speed, electric field, and distance of X-line and stagnation point."""
    n1, n2 = draw.quantity(8.0, 30.0, "cm-3"), draw.quantity(0.2, 3.0, "cm-3")
    b1, b2 = draw.quantity(12.0, 30.0, "nT"), draw.quantity(40.0, 70.0, "nT")
    aspect = draw.number(0.05, 0.15)
    thick = draw.quantity(100.0, 900.0, "km")
    from astropy import constants

    rho1, rho2 = constants.m_p * n1, constants.m_p * n2
    mixed = rho1 * b2 + rho2 * b1
    out = (b1 * b2 * (b1 + b2) / (constants.mu0 * mixed)) ** 0.5
    electric = (b1 * b2 / (b1 + b2) * out * 2 * aspect).to("mV m-1")
    apart = thick * abs(float((rho1 * b2 / mixed - b1 / (b1 + b2)).to_value("")))
    plasma = (
        n1.value * 1e6 * si.M_P,
        n2.value * 1e6 * si.M_P,
        b1.value * 1e-9,
        b2.value * 1e-9,
    )
    other, rate, places = _balance(plasma, aspect, 0.5, si.MU_0)
    values = (
        f"the magnetosheath has {tex(n1)} protons and {tex(b1)}, the magnetosphere {tex(n2)} "
        f"and {tex(b2)}"
    )
    setting = draw.phrase(
        f"At the dayside magnetopause {values}; {_MODEL}. Half of the inflowing Poynting flux "
        f"becomes the kinetic energy of the outflow, the inflowing kinetic energy is negligible, "
        f"and {_MIXING}.",
        f"Magnetic reconnection joins two plasmas: {values}. Assume that {_MODEL}, that half of "
        "the Poynting flux that enters leaves as bulk kinetic energy (inflow energy neglected), "
        f"and that {_MIXING}.",
    )
    first = Part(
        f"{setting} " + draw.phrase("What is the speed of the outflow?", "Find the outflow speed."),
        (
            r"Flux: $v_1B_1 = v_2B_2$. Mass: $L(\rho_1v_1+\rho_2v_2) = 2\delta\rho_ov_o$. Energy: "
            r"$\frac12 L(B_1^2v_1+B_2^2v_2)/\mu_0 = 2\delta\,\frac12\rho_ov_o^3$.",
            r"$v_o^2 = B_1B_2(B_1+B_2)/[\mu_0(\rho_1B_2+\rho_2B_1)]$.",
            f"$v_o$ = {tex(out, 3, unit='km s-1')}.",
        ),
        Numeric(
            out,
            other / 1e3,
            "km s-1",
            Routes("closed form with units", "conservation laws solved as a system"),
        ),
    )
    second = Part(
        draw.phrase(
            f"The layer has the aspect ratio $\\delta/L$ = {tex(aspect)} (half thickness over half "
            "length). How large is the reconnection electric field?",
            f"What is the reconnection electric field if the ratio of the layer's half thickness "
            f"$\\delta$ to its half length $L$ is {tex(aspect)}?",
        ),
        (
            r"With $\rho_o = (\rho_1B_2+\rho_2B_1)/(B_1+B_2)$ the mass balance gives "
            r"$E = 2(\delta/L)\,v_oB_1B_2/(B_1+B_2)$.",
            f"$E$ = {tex(electric, 3, unit='mV m-1')}.",
        ),
        Numeric(
            electric,
            rate * 1e3,
            "mV m-1",
            Routes("closed form with units", "conservation laws solved as a system"),
        ),
    )
    third = Part(
        f"The full thickness of the layer is {tex(thick)}. "
        + draw.phrase(
            "How far apart, across the layer, are the X-line and the stagnation point of the flow?",
            "What is the distance across the layer between the stagnation point of the flow and "
            "the X-line?",
        )
        + " (The outflow is uniform: on each side of the X-line it carries off the energy, and on "
        "each side of the stagnation point the mass, that came in from that side.)"
        "",
        (
            r"Energy on each side of the X-line: $\delta_{X1}/\delta_{X2} = B_1/B_2$. Mass on each "
            r"side of the stagnation point: $\delta_{S1}/\delta_{S2} = \rho_1B_2/(\rho_2B_1)$.",
            f"The distance is {tex(apart, 3, unit='km')}.",
        ),
        Numeric(
            apart,
            abs(places[1] - places[0]) * thick.value,
            "km",
            Routes("ratios of the fluxes", "fluxes of the solved system, side by side"),
        ),
    )
    return first, second, third


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Outflow, field or inflow for given ratios and a given share of bulk energy."""
    q = Fraction(draw.integer(1, 5), draw.integer(2, 8))
    b = Fraction(draw.integer(3, 12), draw.integer(1, 3))
    if b**2 == q:
        b += 1
    share = Fraction(*draw.choice(((1, 2), (1, 3), (2, 3), (1, 4), (2, 5), (3, 5), (3, 8))))
    asked = draw.choice(("v_o", "E", "v_1", "x"))
    field, rho = draw.phrase("B", "B_1", "B_0"), draw.phrase(r"\rho", r"\rho_1", r"\rho_0")
    square = 2 * share * b * (1 + b) / (b + q)
    speed = rf"\frac{{{field}}}{{\sqrt{{\mu_0 {rho}}}}}\sqrt{{{fraction_tex(square)}}}"
    offset = b / (b + q) - 1 / (1 + b)
    final = {
        "v_o": f"$v_o = {speed}$",
        "E": rf"$E = {fraction_tex(2 * b / (1 + b))}\epsilon {field}{speed}$",
        "v_1": rf"$v_1 = {fraction_tex(2 * b / (1 + b))}\epsilon {speed}$",
        "x": rf"$x = {fraction_tex(2 * offset)}\delta$",
    }[asked]
    setting = draw.phrase(
        f"Two plasmas reconnect: {_MODEL}. Plasma 1 has density ${rho}$ and field ${field}$, "
        f"plasma 2 the density ${fraction_tex(q)}\\,{rho}$ and the field "
        f"${fraction_tex(b)}\\,{field}$. The fraction ${fraction_tex(share)}$ of the entering "
        f"Poynting flux leaves as bulk kinetic energy, and {_MIXING}.",
        f"In asymmetric reconnection {_MODEL}. On side 1 there are ${rho}$ and ${field}$, on side "
        f"2 the density is ${fraction_tex(q)}\\,{rho}$ and the field ${fraction_tex(b)}\\,{field}$;"
        f" ${fraction_tex(share)}$ of the Poynting flux that enters becomes kinetic energy of the "
        f"outflow, and {_MIXING}.",
    ).replace("$1\\,", "$")
    layer = (
        r" The layer has the half thickness $\delta$ and the half length $L$, with "
        r"$\epsilon = \delta/L$. "
    )
    question = {
        "v_o": " Derive the outflow speed $v_o$.",
        "E": layer + "Derive the reconnection electric field $E$.",
        "v_1": layer + "Derive the inflow speed $v_1$ from side 1.",
        "x": r" The layer has the thickness $2\delta$; the X-line divides the energy flux that "
        "comes in from the two sides, the stagnation point the mass flux, with uniform density and "
        "speed in the outflow. Derive the distance $x$ between them, counted from the X-line "
        "towards side 2.",
    }[asked]
    ranges = {rho: (0.5, 2.0), field: (0.5, 2.0), r"\mu_0": (0.5, 2.0)}
    tesla = "kg(1/2) m(-1/2) s-1"
    units = {rho: "kg m-3", field: tesla, r"\mu_0": "", "": "m s-1"}
    if asked in ("E", "v_1"):
        ranges[r"\epsilon"], units[r"\epsilon"] = (0.02, 0.2), ""
    if asked == "E":
        units[""] = "kg(1/2) m(1/2) s-2"
    if asked == "x":
        ranges, units = {r"\delta": (0.5, 2.0)}, {r"\delta": "m", "": "m"}

    def check(at: Mapping[str, float]) -> float:
        dens, strength = at.get(rho, 1.0), at.get(field, 1.0)
        plasma = (dens, dens * float(q), strength, strength * float(b))
        out, rate, places = _balance(
            plasma, at.get(r"\epsilon", 0.1), float(share), at.get(r"\mu_0", 1.0)
        )
        if asked == "x":
            return (places[1] - places[0]) * 2 * at[r"\delta"]
        return {"v_o": out, "E": rate, "v_1": rate / strength}[asked]

    return (
        Part(
            setting + question + _PERMEABILITY * (asked != "x"),
            (
                r"$v_1B_1 = v_2B_2 = E$, $L(\rho_1v_1+\rho_2v_2) = 2\delta\rho_ov_o$ and "
                rf"${fraction_tex(share)}L(B_1^2v_1+B_2^2v_2)/\mu_0 = \delta\rho_ov_o^3$.",
                r"$\rho_o = (\rho_1B_2+\rho_2B_1)/(B_1+B_2)$ from the volumes of the flux tubes."
                if asked != "x"
                else r"From side 1: $\delta_{X1} = 2\delta B_1/(B_1+B_2)$ and $\delta_{S1} = "
                r"2\delta\rho_1B_2/(\rho_1B_2+\rho_2B_1)$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("conservation laws by hand", "conservation laws solved as a system"),
                units,
            ),
        ),
    )


_PERMEABILITY = r" (The vacuum permeability is $\mu_0$.)"

_CHANGED = {
    "n1": ("the density in the magnetosheath", "cm-3"),
    "n2": ("the density in the magnetosphere", "cm-3"),
    "b1": ("the field in the magnetosheath", "nT"),
    "b2": ("the field in the magnetosphere", "nT"),
}


def textual(draw: Draw) -> tuple[Part, ...]:
    """Outflow and rate under one change; on which side of the X-line the flow divides."""
    changed = draw.choice(tuple(_CHANGED))
    dense = draw.choice((True, False))
    state = {
        "n1": draw.number(8.0, 25.0) if dense else draw.number(2.0, 4.0),
        "n2": draw.number(0.3, 2.0) if dense else draw.number(20.0, 60.0),
        "b1": draw.number(15.0, 30.0),
        "b2": draw.number(45.0, 70.0),
    }
    other = float(f"{state[changed] * draw.number(1.3, 1.6):.2g}")
    values = draw.choice(((state[changed], other), (other, state[changed])))
    exact, found = [], []
    for value in values:
        now = state | {changed: value}
        rho1, rho2 = now["n1"] * 1e6 * si.M_P, now["n2"] * 1e6 * si.M_P
        b1, b2 = now["b1"] * 1e-9, now["b2"] * 1e-9
        mixed = rho1 * b2 + rho2 * b1
        out = sqrt(b1 * b2 * (b1 + b2) / (si.MU_0 * mixed))
        exact.append((out, 0.2 * out * b1 * b2 / (b1 + b2), rho1 * b2 / mixed - b1 / (b1 + b2)))
        out, rate, places = _balance((rho1, rho2, b1, b2), 0.1, 0.5, si.MU_0)
        found.append((out, rate, places[1] - places[0]))
    change = min(abs(exact[1][i] / exact[0][i] - 1) for i in range(2))
    if abs(exact[0][2]) < 0.03 or change < 0.01:
        return textual(draw)
    state[changed] = values[0]
    name, unit = _CHANGED[changed]
    listed = (
        f"the magnetosheath has {tex(state['n1'], unit='cm-3')} and {tex(state['b1'], unit='nT')}, "
        f"the magnetosphere {tex(state['n2'], unit='cm-3')} and {tex(state['b2'], unit='nT')}"
    )
    plume = "" if dense else " (a dense plume of cold plasma has reached the magnetopause)"
    then = tex(values[1], unit=unit)
    question = draw.phrase(
        f"A reconnecting magnetopause has protons on both sides: {listed}{plume}; {_MODEL}; "
        f"{_MIXING}, and the aspect"
        f" ratio of the layer is fixed. Is the stagnation point of the "
        "flow closer to the magnetosphere or closer to the magnetosheath than the X-line is? If "
        f"{name} becomes {then} and the rest is kept, how do the outflow speed and the "
        "reconnection electric field change?",
        f"Reconnection at the magnetopause, where {listed}{plume}, all protons. Assume that "
        f"{_MODEL}, that {_MIXING}, and that the aspect ratio of the layer does not change. State "
        "on which side of the X-line, towards the magnetosphere or towards the magnetosheath, the "
        "flow has its stagnation point, and in which direction the outflow speed and the "
        f"reconnection electric field change when {name} is changed to {then}.",
    )
    side = exact[0][2]
    near = "magnetosphere" if side > 0 else "magnetosheath"
    moves = change_claims(
        ("outflow speed", "reconnection electric field"),
        *(relative_changes(*(row[:2] for row in rows)) for rows in (exact, found)),
    )
    claims = (
        Claim(
            f"The stagnation point is closer to the {near} than the X-line.",
            1 if side > 0 else -1,
            side,
            found[0][2],
        ),
        *moves,
    )
    return (
        Part(
            question,
            (
                r"From the magnetosheath side (1): $\delta_{X1} = 2\delta B_1/(B_1+B_2)$, "
                r"$\delta_{S1} = 2\delta\rho_1B_2/(\rho_1B_2+\rho_2B_1)$.",
                r"$v_o^2 = B_1B_2(B_1+B_2)/[\mu_0(\rho_1B_2+\rho_2B_1)]$ goes from "
                f"{number_tex(exact[0][0] / 1e3)} to {number_tex(exact[1][0] / 1e3)} km/s; "
                r"$E \propto v_oB_1B_2/(B_1+B_2)$.",
            ),
            stated(claims, Routes("closed forms", "conservation laws solved as a system")),
        ),
    )


def _balance(
    plasma: tuple[float, float, float, float], aspect: float, share: float, mu: float
) -> tuple[float, float, tuple[float, float]]:
    """Outflow, electric field, and X-line and stagnation point as shares of the full thickness.

    Newton's method on the conservation laws of mass and energy in the logarithms of outflow speed
    and electric field; the places follow from the fluxes that enter through either side.
    """
    import numpy as np

    rho1, rho2, b1, b2 = plasma
    unit = sqrt(b1 * b2 / (mu * (rho1 + rho2)))

    def fluxes(electric: float) -> tuple[float, float, float, float]:
        v1, v2 = electric / b1, electric / b2
        return rho1 * v1, rho2 * v2, b1**2 * v1 / mu, b2**2 * v2 / mu

    volume1, volume2 = 1 / b1, 1 / b2
    density = (rho1 * volume1 + rho2 * volume2) / (volume1 + volume2)

    def residuals(state: list[float]) -> list[float]:
        out, electric = np.exp(state[0]) * unit, np.exp(state[1]) * unit * b1
        m1, m2, e1, e2 = fluxes(electric)
        mass = 2 * aspect * density * out
        return [
            float(np.log((m1 + m2) / mass)),
            float(np.log(2 * share * (e1 + e2) / mass / out**2)),
        ]

    state = [0.0, 0.0]
    for _ in range(30):
        now = np.array(residuals(state))
        if np.max(np.abs(now)) < 1e-13:
            break
        jacobian = np.empty((2, 2))
        for i in range(2):
            moved = list(state)
            moved[i] += 1e-6
            jacobian[:, i] = (np.array(residuals(moved)) - now) / 1e-6
        state = [float(x) for x in np.array(state) - np.linalg.solve(jacobian, now)]
    out, electric = float(np.exp(state[0])) * unit, float(np.exp(state[1])) * unit * b1
    m1, m2, e1, e2 = fluxes(electric)
    return out, electric, (e1 / (e1 + e2), m1 / (m1 + m2))


FAMILY = Family(
    title="Asymmetric reconnection",
    assumptions=(
        "antiparallel fields, steady two-dimensional layer, no guide field",
        "inflowing kinetic energy neglected, outflow mixed by flux-tube volume",
    ),
    sources=("Cassak and Shay 2007, Physics of Plasmas 14, 102114",),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
