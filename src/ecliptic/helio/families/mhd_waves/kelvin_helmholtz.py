r"""Kelvin-Helmholtz instability of a magnetised vortex sheet in an incompressible plasma.

Layer 1 moves with V, layer 2 is at rest; a rigid wall at the distance h in layer 1 changes
\rho_1 and B_1^2 by the factor C = \coth kh (1 without wall):

.. math:: C \rho_1 (\omega - k V)^2 + \rho_2 \omega^2 =
          [C (\mathbf{k B}_1)^2 + (\mathbf{k B}_2)^2] / \mu_0.
"""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from fractions import Fraction
from math import cos, exp, pi, radians, sqrt

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, number_tex, root_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_SHEET = (
    "both plasmas are incompressible and ideal, and the boundary is a thin plane sheet to which "
    "both fields and the flow are parallel"
)
_SQUARES = {Fraction(3, 4): 30, Fraction(1, 2): 45, Fraction(1, 4): 60}


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Least shear for the flank of the magnetosphere, then the growth time at a given shear."""
    from astropy import constants, units

    n1, n2 = draw.quantity(8.0, 25.0, "cm-3"), draw.quantity(0.4, 4.0, "cm-3")
    b1, b2 = draw.quantity(8.0, 25.0, "nT"), draw.quantity(18.0, 40.0, "nT")
    angle1, angle2 = draw.integer(35, 80), draw.integer(60, 85)
    wavelength = draw.quantity(1.0, 6.0, "R_earth")
    rho1, rho2 = (constants.m_p * n for n in (n1, n2))
    tension = (b1 * cos(radians(angle1))) ** 2 + (b2 * cos(radians(angle2))) ** 2
    least = ((rho1 + rho2) * tension / (constants.mu0 * rho1 * rho2)) ** 0.5
    least = least.to("km s-1")
    speed = float(f"{least.value * draw.number(1.5, 2.2):.3g}") * units.km / units.s
    time = (
        wavelength / (2 * pi) * (rho1 + rho2) / (rho1 * rho2 * (speed**2 - least**2)) ** 0.5
    ).to("s")
    setting = draw.phrase(
        f"At the flank of the magnetosphere the magnetosheath (protons, {tex(n1)}, field "
        f"{tex(b1)} at ${angle1}^{{\\circ}}$ to the flow) streams past magnetospheric plasma at "
        f"rest (protons, {tex(n2)}, field {tex(b2)} at ${angle2}^{{\\circ}}$ to the flow "
        f"direction); {_SHEET}. Waves run along the flow.",
        f"Two half-spaces of proton plasma meet at a plane: one at rest with {tex(n2)} and a field "
        f"of {tex(b2)}, the other in uniform motion with {tex(n1)} and {tex(b1)}. The fields make "
        f"angles of ${angle2}^{{\\circ}}$ (at rest) and ${angle1}^{{\\circ}}$ (moving) with the "
        f"direction of the flow; {_SHEET}. Consider waves with $\\mathbf k$ along the flow.",
    )
    layers = (
        n1.value * 1e6 * si.M_P,
        n2.value * 1e6 * si.M_P,
        b1.value * 1e-9 * cos(radians(angle1)),
        b2.value * 1e-9 * cos(radians(angle2)),
    )
    k = 2 * pi / (wavelength.value * si.R_EARTH_M)
    other = _threshold(layers, k, None, si.MU_0)
    growth = _roots(layers, k, speed.value * 1e3, None, si.MU_0)[0].imag
    first = Part(
        f"{setting} "
        + draw.phrase(
            "Above which flow speed are they unstable?",
            "Which flow speed must be exceeded for the boundary to be unstable to them?",
        ),
        (
            r"$\rho_1(\omega - kV)^2 + \rho_2\omega^2 = [(\mathbf k\cdot\mathbf B_1)^2 + "
            r"(\mathbf k\cdot\mathbf B_2)^2]/\mu_0$ from the continuity of displacement and total "
            "pressure.",
            r"Complex roots need $V^2 > V_c^2 = (\rho_1+\rho_2)(B_1^2\cos^2\psi_1 + "
            r"B_2^2\cos^2\psi_2)/(\mu_0\rho_1\rho_2)$.",
            f"$V_c$ = {tex(least, 3)}.",
        ),
        Numeric(
            least,
            other / 1e3,
            "km s-1",
            Routes("discriminant, with units", "determinant of the matched layers, root in V"),
        ),
    )
    second = Part(
        draw.phrase(
            f"The flow speed is {tex(speed)}. In which time does a wave of "
            f"{tex(wavelength, unit='R_earth')} length grow by a factor e (amplitude)?",
            f"Find the e-folding time of the amplitude of a wave with a wavelength of "
            f"{tex(wavelength, unit='R_earth')} when the flow speed is {tex(speed)}.",
        )
        + r" ($R_{\mathrm{E}}$ = 6378 km.)",
        (
            r"$\gamma = k\sqrt{\rho_1\rho_2(V^2 - V_c^2)}/(\rho_1+\rho_2)$.",
            f"$1/\\gamma$ = {tex(time, 3)}.",
        ),
        Numeric(
            time,
            1 / growth,
            "s",
            Routes("closed form with units", "complex root of the determinant"),
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Threshold, growth rate or phase speed for given ratios, with or without a wall."""
    q = Fraction(draw.integer(1, 4), draw.integer(2, 6))
    strength = Fraction(draw.integer(1, 5), draw.integer(1, 3))
    first, second = draw.choice(tuple(_SQUARES)), draw.choice(tuple(_SQUARES))
    wall = draw.choice((True, False))
    asked = draw.choice(("V_c", r"\gamma", "v"))
    b, rho = draw.phrase("B", "B_0", "B_1"), draw.phrase(r"\rho", r"\rho_0", r"\rho_1")
    added = strength**2 * second
    c = r"\coth(kh)" if wall else ""
    both = (
        rf"\left(1 + {fraction_tex(q)}\tanh(kh)\right)"
        rf"\left({fraction_tex(first)}{c} + {fraction_tex(added)}\right)"
        if wall
        else fraction_tex((1 + q) * (first + added))
    )
    squared = rf"\frac{{{b}^2}}{{\mu_0 {rho}}}"
    mass = rf"{c} + {fraction_tex(q)}" if wall else fraction_tex(1 + q)
    limit = rf"{factor_tex(1 / q)}{both}{squared}"
    front = rf"\frac{{k\sqrt{{{factor_tex(q)}{c}}}}}{{{mass}}}"
    if not wall:
        limit = factor_tex((1 + q) * (first + added) / q) + squared
        front = f"{root_tex(q / (1 + q) ** 2)}k"
    final = {
        "V_c": rf"$V_c = \frac{{{b}}}{{\sqrt{{\mu_0 {rho}}}}}"
        rf"\sqrt{{{factor_tex(1 / q)}{both}}}$"
        if wall
        else rf"$V_c = {root_tex((1 + q) * (first + added) / q)}"
        rf"\frac{{{b}}}{{\sqrt{{\mu_0 {rho}}}}}$",
        r"\gamma": rf"$\gamma = {front}\sqrt{{V^2 - {limit}}}$",
        "v": rf"$v = \frac{{{c}}}{{{mass}}} V$" if wall else f"$v = {fraction_tex(1 / (1 + q))} V$",
    }[asked]
    place = (
        "Layer 1 is bounded by a rigid plane wall at the distance $h$ from the sheet; layer 2 is a "
        "half-space."
        if wall
        else "Both layers are half-spaces."
    )
    setting = draw.phrase(
        f"Layer 1 (density ${rho}$, field ${b}$ at ${_SQUARES[first]}^{{\\circ}}$ to the flow) "
        f"moves with the velocity $V$ along layer 2, which is at rest and has the density "
        f"${fraction_tex(q)}\\,{rho}$ and the field ${fraction_tex(strength)}\\,{b}$ at "
        f"${_SQUARES[second]}^{{\\circ}}$ to "
        f"the flow direction; {_SHEET}. {place} The wave vector (wavenumber $k$) is along the "
        "flow.",
        f"A tangential discontinuity: {_SHEET}. The plasma on side 1 has density ${rho}$, velocity "
        f"$V$ and a field ${b}$ that makes ${_SQUARES[first]}^{{\\circ}}$ with the flow; that on "
        f"side 2 is at rest, with density ${fraction_tex(q)}\\,{rho}$ and a "
        f"field ${fraction_tex(strength)}\\,{b}$ at "
        f"${_SQUARES[second]}^{{\\circ}}$ to the same direction. {place} Waves with wavenumber "
        "$k$ run along the flow.",
    ).replace("$1\\,", "$")
    question = {
        "V_c": "Derive the speed $V_c$ above which they grow.",
        r"\gamma": r"For $V$ above the threshold, derive their growth rate $\gamma$.",
        "v": "For $V$ above the threshold, derive their phase speed $v$.",
    }[asked]
    ranges = {rho: (0.5, 1.5), b: (0.5, 1.5), r"\mu_0": (0.5, 1.5)}
    units = {rho: "kg m-3", b: "kg(1/2) m(-1/2) s-1", r"\mu_0": "", "": "m s-1"}
    if asked == "v":
        ranges, units = {}, {"": "m s-1"}
    if asked != "V_c":
        ranges["V"], units["V"] = (60.0, 90.0), "m s-1"
    if asked == r"\gamma" or wall:
        ranges["k"], units["k"] = (0.5, 1.5), "m-1"
    if asked == r"\gamma":
        units[""] = "s-1"
    if wall:
        ranges["h"], units["h"] = (0.6, 1.2), "m"

    def check(at: Mapping[str, float]) -> float:
        dens, field, k = at.get(rho, 1.0), at.get(b, 1.0), at.get("k", 1.0)
        layers = (dens, dens * q, field * sqrt(first), field * float(strength) * sqrt(second))
        mu = at.get(r"\mu_0", 1.0)
        if asked == "V_c":
            return _threshold(layers, k, at.get("h"), mu)
        root = _roots(layers, k, at["V"], at.get("h"), mu)[0]
        return root.imag if asked == r"\gamma" else root.real / k

    factor = r"\coth(kh)\," if wall else ""
    return (
        Part(
            f"{setting} {question}" + _PERMEABILITY * (asked != "v"),
            (
                "Laplace's equation for the total pressure in both layers"
                f"{' (no motion through the wall)' * wall} and continuity of pressure and "
                "displacement give "
                rf"${factor}\rho_1(\omega-kV)^2 + \rho_2\omega^2 = [{factor}"
                r"(\mathbf k\cdot\mathbf B_1)^2 + (\mathbf k\cdot\mathbf B_2)^2]/\mu_0$.",
                "The roots are complex where the discriminant of this quadratic is negative.",
                f"With the ratios given: {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("quadratic dispersion relation", "determinant of the matching conditions"),
                units,
            ),
        ),
    )


_PERMEABILITY = r" (The vacuum permeability is $\mu_0$.)"

_CHANGED = {
    "n1": ("the density of the moving plasma", "cm-3"),
    "n2": ("the density of the plasma at rest", "cm-3"),
    "b1": ("the field strength in the moving plasma", "nT"),
    "psi": ("the angle between the field of the moving plasma and the flow", "deg"),
}


def textual(draw: Draw) -> tuple[Part, ...]:
    """Threshold and growth rate under another density, field or angle."""
    changed = draw.choice(tuple(_CHANGED))
    state = {
        "n1": draw.number(9.0, 20.0),
        "n2": draw.number(1.0, 5.0),
        "b1": draw.number(10.0, 20.0),
        "psi": float(draw.integer(40, 60)),
    }
    factor = 1.3 if changed == "psi" else draw.number(1.4, 1.9)
    other = float(f"{state[changed] * factor:.2g}")
    values = draw.choice(((state[changed], other), (other, state[changed])))
    exact, found = [], []
    flow = draw.integer(60, 90) * 10
    for value in values:
        now = state | {changed: value}
        rho1, rho2 = now["n1"] * 1e6 * si.M_P, now["n2"] * 1e6 * si.M_P
        along = now["b1"] * 1e-9 * cos(radians(now["psi"]))
        least = sqrt(along**2 * (1 / rho1 + 1 / rho2) / si.MU_0)
        exact.append((least, sqrt(rho1 * rho2 * ((flow * 1e3) ** 2 - least**2)) / (rho1 + rho2)))
        layers = (rho1, rho2, along, 0.0)
        found.append(
            (
                _threshold(layers, 1e-7, None, si.MU_0),
                _roots(layers, 1e-7, flow * 1e3, None, si.MU_0)[0].imag,
            )
        )
    state[changed] = values[0]
    name, unit = _CHANGED[changed]
    n1, n2 = tex(state["n1"], unit="cm-3"), tex(state["n2"], unit="cm-3")
    field = f"{tex(state['b1'], unit='nT')} at {tex(state['psi'], unit='deg')} to the flow"
    question = draw.phrase(
        f"A proton plasma of {n1} with a field of {field} streams at "
        f"{tex(float(flow), unit='km/s')} past one at rest of {n2}, whose field is "
        f"perpendicular to the flow; {_SHEET}. Only waves that run along the flow, of a given "
        f"length, are considered."
        f" If {name} is changed to {tex(values[1], unit=unit)} and "
        "all else is kept, how do the threshold speed of their instability and their growth rate "
        "change?"
        "",
        f"The boundary between a moving and a resting proton plasma: {_SHEET}. Moving side: {n1}, "
        f"{tex(float(flow), unit='km/s')}, a field of {field}; side at rest: {n2}, with its field "
        "perpendicular to the flow. For waves of a fixed length along the flow, state what "
        "happens to the threshold speed and to the growth rate when"
        f" {name} becomes "
        f"{tex(values[1], unit=unit)} (nothing else changes).",
    )
    claims = change_claims(
        ("threshold speed", "growth rate"), relative_changes(*exact), relative_changes(*found)
    )
    return (
        Part(
            question,
            (
                r"$V_c^2 = (1/\rho_1 + 1/\rho_2)B_1^2\cos^2\psi_1/\mu_0$ and "
                r"$\gamma = k\sqrt{\rho_1\rho_2(V^2-V_c^2)}/(\rho_1+\rho_2)$.",
                f"$V_c$ goes from {number_tex(exact[0][0] / 1e3)} to "
                f"{number_tex(exact[1][0] / 1e3)} km/s, $\\gamma/k$ from "
                f"{number_tex(exact[0][1] / 1e3)} to {number_tex(exact[1][1] / 1e3)} km/s.",
            ),
            stated(claims, Routes("dispersion relation", "determinant of the matching conditions")),
        ),
    )


_Layers = tuple[float, float, float, float]
"""Densities and field components along k of layers 1 (moving) and 2."""


def _roots(layers: _Layers, k: float, flow: float, h: float | None, mu: float) -> list[complex]:
    """Frequencies at which the amplitudes of pressure in the layers match at the sheet.

    The unknowns are the two exponentials in layer 1 and the one in layer 2; the determinant of
    their conditions, a quadratic in the frequency, is interpolated through three of its values.
    """
    rho1, rho2, b1, b2 = layers
    speed = max(abs(flow), (b1**2 + b2**2) ** 0.5 / (mu * min(rho1, rho2)) ** 0.5)
    edge = 0.0 if h is None else exp(-2 * k * h)

    def determinant(x: float) -> float:
        # x is the phase speed in units of speed; displacement = slope of pressure / inertia
        force1 = (x - flow / speed) ** 2 - b1**2 / (mu * rho1) / speed**2
        force2 = (x**2 - b2**2 / (mu * rho2) / speed**2) * (rho2 / rho1)
        # the determinant of: no displacement at the wall, equal pressure, equal displacement, for
        # the decaying and growing exponential of layer 1 and the decaying one of layer 2
        return float(edge * (-force1 + force2) - (force1 + force2))

    low, middle, high = (determinant(x) for x in (-1.0, 0.0, 1.0))
    square, slope = (low + high) / 2 - middle, (high - low) / 2
    split = cmath.sqrt(slope**2 - 4 * square * middle)
    found = [(-slope + sign * split) / (2 * square) * speed * k for sign in (1, -1)]
    return sorted(found, key=lambda root: (-root.imag, root.real))


def _threshold(layers: _Layers, k: float, h: float | None, mu: float) -> float:
    """Flow at which the squared difference of the two roots changes sign."""

    _, rho2, b1, b2 = layers
    scale = sqrt((b1**2 + b2**2) / (mu * rho2))

    def gap(share: float) -> float:
        one, two = _roots(layers, k, share * scale, h, mu)
        return float(((one - two) ** 2).real) / (k * scale) ** 2

    return bracketed_root(gap, 1e-2, 50.0) * scale


FAMILY = Family(
    title="Kelvin-Helmholtz instability of a magnetised shear layer",
    assumptions=(
        "incompressible ideal magnetohydrodynamics, thin plane vortex sheet",
        "wave vector along the flow",
    ),
    sources=(
        "Chandrasekhar 1961, Hydrodynamic and Hydromagnetic Stability, section 106",
        "Southwood 1968, Planetary and Space Science 16, 587",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
