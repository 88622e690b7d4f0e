r"""Geoelectric field of a plane wave over layered ground, and the current in a grounded line.

Below the surface :math:`\partial_z^2 E = i \omega \mu_0 \sigma E`; the surface impedance
:math:`Z = \mu_0 E_x / B_y` of a layer (thickness d, conductivity sigma_1) over a half-space is

.. math:: Z = \zeta_1 \frac{Z_2 + \zeta_1 \tanh k_1 d}{\zeta_1 + Z_2 \tanh k_1 d}, \qquad
          \zeta_j = \frac{i \omega \mu_0}{k_j}, \quad k_j = \sqrt{i \omega \mu_0 \sigma_j} .
"""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from fractions import Fraction
from math import degrees, pi, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Claim, Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, power_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre

if TYPE_CHECKING:
    pass

_WAVE = "displacement currents are negligible and the ground has the permeability $\\mu_0$"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Amplitude of the field, its phase, then the greatest current in a line."""
    from astropy import constants, units

    top = draw.quantity(3e-4, 2e-2, "S m-1", log=True)
    below = draw.quantity(5e-3, 0.3, "S m-1", log=True)
    depth = draw.quantity(8.0, 120.0, "km")
    period = draw.quantity(90.0, 900.0, "s", log=True)
    swing = draw.quantity(100.0, 900.0, "nT")
    length, angle = draw.quantity(80.0, 400.0, "km"), draw.quantity(10.0, 65.0, "deg")
    wire, earth = draw.quantity(2.0, 6.0, "ohm"), draw.quantity(0.5, 1.5, "ohm")
    ground = f"a layer of {tex(depth)} with {tex(top)} on a half-space of {tex(below)} ({_WAVE})"
    setting = draw.phrase(
        f"The horizontal magnetic field at the ground varies as a plane wave of vertical "
        f"incidence with a period of {tex(period)}; its eastward component has the amplitude "
        f"{tex(swing)}. The ground is {ground}.",
        f"During a storm the eastward magnetic field at the surface oscillates with the amplitude "
        f"{tex(swing)} and the period {tex(period)}, uniform over a wide area. Beneath lies "
        f"{ground}.",
    )
    omega = 2 * pi / period
    mu = constants.mu0
    factor = (omega * mu * depth**2).to("ohm m")
    k_1 = cmath.sqrt(1j * float((factor * top).to_value("")))
    k_2 = cmath.sqrt(1j * float((factor * below).to_value("")))
    unit = (omega * mu * depth).to("ohm")
    impedance = 1j * (k_1 + k_2 * cmath.tanh(k_1)) / (k_1 * (k_2 + k_1 * cmath.tanh(k_1)))
    strength = (unit * abs(impedance) * swing / mu).to("V km-1")
    phase = degrees(cmath.phase(impedance)) * units.deg
    along = strength * float(abs(_cosine(angle.value)))
    current = (along * length / (wire + 2 * earth)).to("A")
    other = _surface_field(2 * pi / period.value, top.value, below.value, depth.value * 1e3)
    field = other * swing.value * 1e-9
    routes = Routes("impedance recursion with units", "field in both layers from a linear system")
    voltage = abs(field) * sqrt(1 - _sine(angle.value) ** 2) * length.value * 1e3
    return (
        Part(
            f"{setting} "
            + draw.phrase(
                "What is the amplitude of the northward electric field at the surface?",
                "Find the amplitude of the geoelectric field (along north).",
            ),
            (
                r"$E'' = i\omega\mu_0\sigma E$ in each layer; $E$ and $E'$ are continuous, and in "
                r"the half-space only the wave that decays downward exists.",
                r"$Z = \zeta_1\frac{Z_2 + \zeta_1\tanh k_1 d}{\zeta_1 + Z_2\tanh k_1 d}$ with "
                r"$\zeta_1 = i\omega\mu_0/k_1$ and $Z_2 = i\omega\mu_0/k_2$, "
                r"$k_j = \sqrt{i\omega\mu_0\sigma_j}$.",
                rf"$|Z|$ = {tex((unit * abs(impedance)).to('mohm'), 4)}, and $|Z|B/\mu_0$ = "
                f"{tex(strength, 3)}.",
            ),
            Numeric(strength, abs(field) * 1e3, "V km-1", routes),
        ),
        Part(
            draw.phrase(
                "By which phase angle does the electric field lead the eastward magnetic field? "
                "(Positive northward and eastward.)",
                "How large is the phase angle by which the northward electric field is ahead "
                "of the eastward magnetic field?",
            ),
            (
                r"It is the argument of $Z$; over uniform ground it would be "
                r"$45^{\circ}$.",
                rf"$\arg Z$ = {tex(phase, 3, unit='deg')}.",
            ),
            Numeric(phase, degrees(cmath.phase(field)), "deg", routes),
        ),
        Part(
            draw.phrase(
                f"A straight line of {tex(length)}, {tex(angle)} away from north, is grounded at "
                f"both ends through {tex(earth)} each and has a resistance of {tex(wire)} and "
                "negligible inductance. What is the amplitude of the current driven in it?",
                f"Find the amplitude of the current in a straight power line of {tex(length)} that "
                f"makes an angle of {tex(angle)} with north; its wires have {tex(wire)}, each of "
                f"its two groundings has {tex(earth)}, and its inductance is negligible.",
            ),
            (
                r"The uniform field drives the voltage $EL\cos\theta$ along the line.",
                r"$I = EL\cos\theta/(R + 2R_g)$ = " + tex(current, 3) + ".",
            ),
            Numeric(
                current,
                voltage / (wire.value + 2 * earth.value),
                "A",
                Routes("Ohm's law with units", "voltage of the linear system's field, in SI"),
            ),
        ),
    )


_POWERS: dict[Fraction, tuple[Fraction, bool]] = {
    Fraction(1): (Fraction(2), False),
    Fraction(2): (Fraction(8, 3), False),
    Fraction(3): (Fraction(16, 5), False),
    Fraction(4): (Fraction(128, 35), False),
    Fraction(1, 2): (Fraction(1, 2), True),
    Fraction(3, 2): (Fraction(3, 4), True),
    Fraction(5, 2): (Fraction(15, 16), True),
}
"""p times the integral of x^(p-1) (1-x)^(-1/2) from 0 to 1; the flag says that pi is a factor."""


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Field in time over a half-space, or amplitude and phase over a sheet on other ground."""
    kind = draw.choice(("time", "time", "sheet", "layer"))
    return _in_time(draw) if kind == "time" else _in_frequency(draw, kind)


def _in_time(draw: Draw) -> tuple[Part, ...]:
    p = draw.choice(tuple(_POWERS))
    asked = draw.choice(("field", "line", "jump", "after" if p == 1 else "field"))
    b, sigma = draw.phrase("b", "A", "B_1"), draw.phrase(r"\sigma", r"\sigma_g")
    law = f"{b} t^{{{power_tex(p)}}}" if p != 1 else f"{b} t"
    stop = asked == "after"
    what = {
        "field": "Derive the electric field $E(t)$ at the surface.",
        "line": "A line of length $L$ along the electric field is grounded at its ends; its "
        "resistance with groundings is $R$ and its inductance negligible. Derive the current "
        "$I(t)$ in it.",
        "jump": "Find the charge $q$ that has flowed until $t$ through a line of length $L$ along "
        "the electric field, grounded at its ends, with the resistance $R$ (with groundings) and "
        "negligible inductance.",
        "after": "Find the electric field $E(t)$ at the surface for $t > T$.",
    }[asked]
    until = " until $t = T$ and stays constant afterwards" if stop else ""
    question = draw.phrase(
        f"The horizontal magnetic field at the surface of uniform ground of conductivity "
        f"${sigma}$ is zero until $t = 0$ and then grows as $B_y = {law}${until}, uniformly over "
        f"a wide area ({_WAVE}). {what}",
        f"A disturbance that is uniform in the horizontal directions begins at $t = 0$: at the "
        f"surface $B_y = {law}${until}, while below is a half-space of conductivity ${sigma}$ "
        f"({_WAVE}). {what}",
    )
    number, with_pi = _POWERS[p]
    circle = r"\pi " if with_pi else ""
    root = rf"\sqrt{{\pi\mu_0 {sigma}}}"

    def growth(value: Fraction, power: Fraction) -> str:
        front = factor_tex(value)
        if power == 0:
            return f"{front}{circle}{b}"
        return rf"{front}{circle}{b} t^{{{power_tex(power)}}}".replace("t^{1}", "t")

    final = {
        "field": rf"$E = \frac{{{growth(number, p - Fraction(1, 2))}}}{{{root}}}$",
        "line": rf"$I = \frac{{{growth(number, p - Fraction(1, 2))}L}}{{R{root}}}$",
        "jump": rf"$q = \frac{{{growth(number / (p + Fraction(1, 2)), p + Fraction(1, 2))}L}}"
        rf"{{R{root}}}$",
        "after": rf"$E = \frac{{2{b}}}{{{root}}}\left(\sqrt{{t}} - \sqrt{{t - T}}\right)$",
    }[asked]
    ranges = {b: (0.5, 2.0), sigma: (0.5, 2.0), r"\mu_0": (0.5, 2.0), "t": (0.5, 2.0)}
    units = {b: f"T s({-float(p)})", sigma: "S m-1", r"\mu_0": "H m-1", "t": "s"}
    units[""] = {"line": "A", "jump": "C"}.get(asked, "V m-1")
    if stop:
        ranges |= {"T": (0.5, 1.0), "t": (1.2, 2.5)}
        units["T"] = "s"
    if asked in ("line", "jump"):
        ranges |= {"L": (0.5, 2.0), "R": (0.5, 2.0)}
        units |= {"L": "m", "R": "ohm"}

    def check(at: Mapping[str, float]) -> float:
        import numpy as np

        x, w = gauss_legendre(48, 0.0, 1.0)
        scale = at[b] / sqrt(pi * at[r"\mu_0"] * at[sigma])

        def field(t: float) -> float:
            """Convolution of dB/dt with (pi mu sigma t)^(-1/2), roots at both ends removed."""
            if stop:
                return float(np.sum(w / np.sqrt(t - at["T"] * x))) * at["T"] * scale
            angle = pi / 2 * x
            since = t * np.sin(angle) ** 2
            weight = w * pi * t * np.sin(angle) * np.cos(angle)
            rate = float(p) * since ** (float(p) - 1)
            return float(np.sum(weight * rate / np.sqrt(t - since))) * scale

        if asked == "jump":
            parts = [
                float(b_) * field(at["t"] * float(a_) ** 2) * 2 * float(a_)
                for a_, b_ in zip(x, w, strict=True)
            ]
            return sum(parts) * at["t"] * at["L"] / at["R"]
        return field(at["t"]) * (at["L"] / at["R"] if asked == "line" else 1.0)

    return (
        Part(
            question,
            (
                r"Diffusion into the half-space gives $E(\omega) = \sqrt{i\omega/(\mu_0\sigma)}\,"
                r"B(\omega)$.",
                r"In time: $E(t) = \frac{1}{\sqrt{\pi\mu_0\sigma}}\int_0^t \frac{dB/dt'}"
                r"{\sqrt{t-t'}}\,dt'$.",
                f"With this $B$: {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("Beta function", "numerical solution of the diffusion in the ground"),
                units,
            ),
        ),
    )


def _in_frequency(draw: Draw, kind: str) -> tuple[Part, ...]:
    asked = draw.choice(("E", "phase", "I"))
    under = draw.choice(("half", "insulator", "conductor"))
    field, thickness = draw.phrase("B_0", "B_a"), draw.phrase("d", "h")
    sheet = draw.phrase("S", r"\Sigma")
    if kind == "sheet" or under == "half":
        kind = "sheet"
        under = draw.choice(("half", "conductor"))
    beneath = {
        "half": r"uniform ground of conductivity $\sigma$",
        "conductor": f"an insulating layer of thickness ${thickness}$ on a perfect conductor",
        "insulator": "a perfect insulator",
    }[under]
    if kind == "sheet":
        cover = (
            f"a thin sheet (the sea) of the conductance ${sheet}$, much thinner than its skin "
            f"depth, on {beneath}"
        )
    else:
        beneath = "a perfect conductor" if under == "conductor" else "a perfect insulator"
        cover = (
            rf"a layer of conductivity $\sigma$ and thickness ${thickness}$ (not thin against its "
            f"skin depth) on {beneath}"
        )
    what = {
        "E": "the amplitude $E$ of the electric field at the surface",
        "phase": r"the phase angle $\varphi$ by which $E_x$ leads $B_y$ at the surface "
        r"(positive where $E_x = ZB_y/\mu_0$ with $\arg Z = \varphi$)",
        "I": "the amplitude $I$ of the current in a line of length $L$ along the electric field "
        "that is grounded at its ends and has the resistance $R$ with its groundings and "
        "negligible inductance",
    }[asked]
    question = draw.phrase(
        f"At the Earth's surface a horizontal magnetic field $B_y = {field}\\cos\\omega t$ (total "
        f"field, uniform in the horizontal directions) is measured above {cover}; {_WAVE}. "
        f"Derive {what}.",
        f"Below the surface lies {cover} ({_WAVE}). The total magnetic field at the surface is "
        f"horizontal and uniform, $B_y = {field}\\cos\\omega t$. Find {what}.",
    )
    final, names = _wave_formula(kind, under, asked, (field, thickness, sheet))
    table = {
        field: ("T", (0.5, 2.0)),
        r"\omega": ("s-1", (0.5, 2.0)),
        r"\mu_0": ("H m-1", (0.5, 2.0)),
        r"\sigma": ("S m-1", (0.5, 2.0)),
        thickness: ("m", (0.4, 1.0)),
        sheet: ("S", (0.5, 2.0)),
        "L": ("m", (0.5, 2.0)),
        "R": ("ohm", (0.5, 2.0)),
    }
    ranges = {name: table[name][1] for name in names}
    units = {name: table[name][0] for name in names}
    units[""] = {"E": "V m-1", "phase": "", "I": "A"}[asked]

    def check(at: Mapping[str, float]) -> float:
        mu, omega = at.get(r"\mu_0", 1.0), at[r"\omega"]
        if kind == "sheet":
            value = _sheet_impedance(omega, mu, at[sheet], at.get(r"\sigma"), at.get(thickness))
        else:
            value = _layer_impedance(omega, mu, at[r"\sigma"], at[thickness], under)
        if asked == "phase":
            return cmath.phase(value)
        strength = abs(value) * at[field] / mu
        return strength if asked == "E" else strength * at["L"] / at["R"]

    return (
        Part(
            question,
            (
                r"$E'' = i\omega\mu_0\sigma E$ in a conductor; a sheet adds its conductance "
                r"to the admittance below, $1/Z = S + 1/Z_2$.",
                r"$Z = \frac{i\omega\mu_0}{k}\coth kd$ over an insulator, "
                r"$\frac{i\omega\mu_0}{k}\tanh kd$ over a perfect conductor, "
                r"$k = (1+i)\sqrt{\omega\mu_0\sigma/2}$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form of the impedance", "matching of fields as a linear system"),
                units,
            ),
        ),
    )


def _wave_formula(
    kind: str, under: str, asked: str, symbols: tuple[str, str, str]
) -> tuple[str, tuple[str, ...]]:
    """Final and the symbols in it."""
    field, d, s = symbols
    line = r"\frac{L}{R}" if asked == "I" else ""
    more = ("L", "R") if asked == "I" else ()
    name = "I" if asked == "I" else "E"
    if kind == "sheet" and under == "half":
        y = r"\sqrt{\frac{\sigma}{2\omega\mu_0}}"
        if asked == "phase":
            final = rf"$\varphi = \arctan\left(\frac{{{y}}}{{{s} + {y}}}\right)$"
            return final, (r"\omega", r"\mu_0", r"\sigma", s)
        final = (
            rf"${name} = {line}\frac{{{field}}}{{\mu_0\sqrt{{\left({s} + {y}\right)^2 + "
            rf"\frac{{\sigma}}{{2\omega\mu_0}}}}}}$"
        )
        return final, (field, r"\omega", r"\mu_0", r"\sigma", s, *more)
    if kind == "sheet":
        if asked == "phase":
            final = rf"$\varphi = \arctan\left(\frac{{1}}{{\omega\mu_0 {s} {d}}}\right)$"
            return final, (r"\omega", r"\mu_0", s, d)
        final = (
            rf"${name} = {line}\frac{{\omega {field} {d}}}"
            rf"{{\sqrt{{1 + \left(\omega\mu_0 {s} {d}\right)^2}}}}$"
        )
        return final, (field, r"\omega", r"\mu_0", s, d, *more)
    twice = rf"{d}\sqrt{{2\omega\mu_0\sigma}}"
    sign, other = ("+", "-") if under == "insulator" else ("-", "+")
    wave = (r"\omega", r"\mu_0", r"\sigma", d)
    if asked == "phase":
        turn = "-" if under == "insulator" else "+"
        final = (
            rf"$\varphi = \frac{{\pi}}{{4}} {turn} \arctan\left(\frac{{\sin\left({twice}\right)}}"
            rf"{{\sinh\left({twice}\right)}}\right)$"
        )
        return final, wave
    final = (
        rf"${name} = {line}{field}\sqrt{{\frac{{\omega}}{{\mu_0\sigma}}}}\sqrt{{\frac{{"
        rf"\cosh\left({twice}\right) {sign} \cos\left({twice}\right)}}"
        rf"{{\cosh\left({twice}\right) {other} \cos\left({twice}\right)}}}}$"
    )
    return final, (field, *wave, *more)


def textual(draw: Draw) -> tuple[Part, ...]:
    """How amplitude and phase answer to the ground and the period."""
    resistive = draw.choice((True, False))
    top, low = draw.number(5e-3, 2e-2), draw.number(2e-4, 1e-3)
    below = low if resistive else draw.number(0.2, 1.0)
    depth, period = draw.number(5.0, 9.0), draw.number(200.0, 500.0)
    if not resistive:
        top = draw.number(5e-4, 3e-3)
    changed = draw.choice(("period", "top", "below", "depth"))
    at = {"period": period, "top": top, "below": below, "depth": depth}
    factor, grows = draw.choice((1.5, 2.0, 2.5)), draw.choice((True, False))
    name = {
        "period": "the period",
        "top": "the conductivity of the upper layer",
        "below": "the conductivity of the half-space",
        "depth": "the thickness of the upper layer",
    }[changed]
    verb = "multiplied" if grows else "divided"
    ground = (
        f"a layer of {tex(depth, unit='km')} with {tex(top, unit='S m-1')} over a half-space with "
        f"{tex(below, unit='S m-1')}"
    )
    question = draw.phrase(
        f"A plane electromagnetic wave with a period of {tex(period, unit='s')} diffuses into "
        f"the ground, {ground} ({_WAVE}). Is the phase lead of the electric field over the "
        "perpendicular magnetic field at the surface larger or smaller than 45 degrees, the value "
        f"over uniform ground? How does the amplitude of the electric field change if {name} is "
        f"{verb} by {tex(factor)} and the total magnetic field at the surface is kept?",
        f"Geomagnetic variations of {tex(period, unit='s')} act on {ground}; {_WAVE}. Compare the "
        "phase lead of the surface electric field over the perpendicular magnetic field with 45 "
        f"degrees, its value for uniform ground. If {name} is {verb} by {tex(factor)} while the "
        "magnetic variation at the surface stays as it is, in which direction does the "
        "amplitude of the electric field change?",
    )
    after = at | {changed: at[changed] * (factor if grows else 1 / factor)}
    values = []
    for case in (at, after):
        row = (2 * pi / case["period"], case["top"], case["below"], case["depth"] * 1e3)
        values.append((_recursion(*row), _surface_field(*row)))
    lead = [degrees(cmath.phase(value)) / 45 - 1 for value in values[0]]
    swing = [abs(values[1][i]) / abs(values[0][i]) - 1 for i in (0, 1)]
    claims = (
        Claim(
            f"The phase lead is {'larger' if lead[0] > 0 else 'smaller'} than 45 degrees.",
            1 if lead[0] > 0 else -1,
            lead[0],
            lead[1],
        ),
        change_claim("amplitude of the electric field", swing[0], swing[1]),
    )
    return (
        Part(
            question,
            (
                "Poorly conducting ground below a thin conducting layer makes the response "
                "resistive (phase towards 0 degrees), well conducting ground below makes it "
                "inductive (towards 90 degrees).",
                r"The amplitude is $|Z|B/\mu_0$ with the impedance of the layered ground.",
            ),
            stated(
                claims, Routes("impedance recursion", "field in both layers from a linear system")
            ),
        ),
    )


def _cosine(angle_deg: float) -> float:
    from math import cos, radians

    return cos(radians(angle_deg))


def _sine(angle_deg: float) -> float:
    from math import radians, sin

    return sin(radians(angle_deg))


def _recursion(omega: float, top: float, below: float, depth: float) -> complex:
    """E / B at the surface by the recursion of impedances."""
    k_1, k_2 = (cmath.sqrt(1j * omega * si.MU_0 * sigma) for sigma in (top, below))
    z_1, z_2 = 1j * omega / k_1, 1j * omega / k_2
    turn = cmath.tanh(k_1 * depth)
    return z_1 * (z_2 + z_1 * turn) / (z_1 + z_2 * turn)


def _surface_field(omega: float, top: float, below: float, depth: float) -> complex:
    """E / B at the surface: amplitudes of three waves from the conditions at both faces."""
    import numpy as np

    k_1, k_2 = (np.sqrt(1j * omega * si.MU_0 * sigma) for sigma in (top, below))
    fall = np.exp(-k_1 * depth)
    # E = a e^{-k1 z} + b e^{-k1 (d - z)}, below c e^{-k2 (z - d)}; i omega B = -dE/dz.
    matrix = np.array([[k_1, -k_1 * fall, 0], [fall, 1, -1], [k_1 * fall, -k_1, -k_2]])
    a, b, _ = np.linalg.solve(matrix, np.array([1j * omega, 0, 0]))
    return complex(a + b * fall)


def _sheet_impedance(
    omega: float, mu: float, sheet: float, sigma: float | None, depth: float | None
) -> complex:
    """mu E / B above a sheet: the current in it is the jump of B, below diffusion or a gap."""
    import numpy as np

    if sigma is not None:
        slope = -np.sqrt(1j * omega * mu * sigma)
    else:
        assert depth is not None
        slope = -1 / depth
    # Unknown: E and B just below; i omega B = -dE/dz, and B_above - B_below = mu S E.
    matrix = np.array([[slope, 1j * omega], [mu * sheet, 1.0]])
    field, _ = np.linalg.solve(matrix, np.array([0, 1.0 + 0j]))
    return complex(mu * field)


def _layer_impedance(omega: float, mu: float, sigma: float, depth: float, under: str) -> complex:
    """mu E / B of a layer, E or dE/dz vanishing at its bottom."""
    import numpy as np

    k = np.sqrt(1j * omega * mu * sigma)
    up, down = np.exp(k * depth), np.exp(-k * depth)
    bottom = [down, up] if under == "conductor" else [-k * down, k * up]
    waves = np.linalg.solve(np.array([[k, -k], bottom]), np.array([1j * omega, 0]))
    return complex(mu * np.sum(waves))


FAMILY = Family(
    title="Geoelectric field over layered ground and the current in a line",
    assumptions=(
        "plane wave of vertical incidence, horizontally uniform ground",
        "no displacement current, permeability of vacuum",
        "current in the line limited by resistance only",
    ),
    sources=(
        "Cagniard 1953, Geophysics 18, 605",
        "Pirjola 2002, Surveys in Geophysics 23, 71",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
