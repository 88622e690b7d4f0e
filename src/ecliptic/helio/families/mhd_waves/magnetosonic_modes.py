r"""Fast and slow magnetosonic waves at an angle to the field, in a uniform plasma.

With the sound speed c, the Alfvén speed a and the angle \theta of the wave vector to the field the
phase speed v obeys

.. math:: v^4 - (c^2 + a^2) v^2 + c^2 a^2 \cos^2\theta = 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import acos, atan, atan2, cos, degrees, isqrt, lcm, radians, sin, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, order_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, number_tex, root_tex, tex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SQUARED_COSINES = {
    Fraction(3, 4): r"30^{\circ}",
    Fraction(1, 2): r"45^{\circ}",
    Fraction(1, 4): r"60^{\circ}",
    Fraction(1, 3): r"\arccos(1/\sqrt{3})",
    Fraction(4, 9): r"\arccos(2/3)",
    Fraction(9, 25): r"\arccos(3/5)",
}
_INDICES = {
    Fraction(1): "isothermal ($\\gamma = 1$)",
    Fraction(5, 3): "adiabatic with $\\gamma = 5/3$",
    Fraction(2): "adiabatic with $\\gamma = 2$",
    Fraction(4, 3): "polytropic with the index $\\gamma = 4/3$",
}

_PERMEABILITY = r" (The vacuum permeability is $\mu_0$.)"

_GAUSSIAN = "kg(1/2) m(-1/2) s-1"
"""Dimension of a field where that of a pressure is its square."""


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Phase speed of a mode, then the angle between its group velocity and the wave vector."""
    from astropy import constants, units

    field = draw.quantity(3.0, 12.0, "nT")
    density = draw.quantity(3.0, 20.0, "cm-3")
    temperature = draw.quantity(0.08, 0.6, "MK")
    angle = draw.integer(25, 65)
    mode = draw.choice(("fast", "slow"))
    values = (
        f"a number density of {tex(density)} of protons (and as many electrons), a temperature "
        f"of {tex(temperature)} for both species and a field of {tex(field)}"
    )
    setting = draw.phrase(
        f"The solar wind at 1 AU has {values}. Ideal magnetohydrodynamics with $\\gamma = 5/3$ "
        "holds, and the mass of the electrons is neglected. A plane "
        f"{mode} magnetosonic wave has its wave vector at ${angle}^{{\\circ}}$ to the field.",
        f"A uniform plasma at rest has {values}; it is an ideal gas with $\\gamma = 5/3$ and obeys "
        f"ideal magnetohydrodynamics (electron mass neglected). A small-amplitude {mode} "
        f"magnetosonic wave travels through it with its wave vector at ${angle}^{{\\circ}}$ to "
        "the field.",
    )
    theta = angle * units.deg
    rho = constants.m_p * density
    alfven2 = (field**2 / (constants.mu0 * rho)).to("km2 s-2").value
    sound2 = (10 / 3 * constants.k_B * temperature / constants.m_p).to("km2 s-2").value
    total, cosine = alfven2 + sound2, cos(theta.to_value("rad"))
    sign = 1 if mode == "fast" else -1
    speed = sqrt((total + sign * sqrt(total**2 - 4 * alfven2 * sound2 * cosine**2)) / 2)
    slope = alfven2 * sound2 * cosine * sqrt(1 - cosine**2) / (speed * (2 * speed**2 - total))
    other_rho = density.value * 1e6 * si.M_P
    other, along, across = _by_matrix(
        sqrt(10 / 3 * si.K_B * temperature.value * 1e6 / si.M_P),
        field.value * 1e-9 / sqrt(si.MU_0 * other_rho),
        radians(angle),
        mode,
    )
    apart = degrees(abs(atan(slope / speed)))
    other_apart = degrees(abs(atan2(across, along) - radians(angle)))
    first = Part(
        f"{setting} "
        + draw.phrase("What is its phase speed?", "Find the phase speed of this wave."),
        (
            r"$v_A^2 = B^2/\mu_0\rho$ and $c_s^2 = \gamma p/\rho = 2\gamma k_B T/m_p$: "
            f"$v_A = {number_tex(sqrt(alfven2))}$, $c_s = {number_tex(sqrt(sound2))}$ km/s.",
            r"The linearised equations give $v^4 - (c_s^2 + v_A^2)v^2 + c_s^2 v_A^2\cos^2\theta "
            "= 0$.",
            f"The {'larger' if mode == 'fast' else 'smaller'} root is "
            f"$v = {number_tex(speed, 4)}$ km/s.",
        ),
        Numeric(
            speed * units.km / units.s,
            other / 1e3,
            "km s-1",
            Routes("root of the biquadratic", "eigenvalues of the linearised equations"),
            digits=4,
        ),
    )
    second = Part(
        draw.phrase(
            "What is the angle between the group velocity of this wave and its wave vector?",
            "By which angle does the direction of its energy transport (its group velocity) differ "
            "from that of its wave vector?",
        ),
        (
            r"$\mathbf v_g = v\,\hat{\mathbf k} + (dv/d\theta)\,\hat{\boldsymbol\theta}$, so that "
            r"$\tan\delta = |dv/d\theta|/v$.",
            r"From the dispersion relation $dv/d\theta = c_s^2 v_A^2\sin\theta\cos\theta / "
            r"[v(2v^2 - c_s^2 - v_A^2)]$.",
            rf"$\delta = {number_tex(apart)}^{{\circ}}$.",
        ),
        Numeric(
            apart * units.deg,
            other_apart,
            "deg",
            Routes("derivative of the dispersion relation", "perturbation of the eigenvalue"),
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Speed, group speed along the field or compression, for a given beta and angle."""
    squared = draw.choice(tuple(_SQUARED_COSINES))
    index = draw.choice(tuple(_INDICES))
    beta = Fraction(draw.integer(1, 6), draw.integer(1, 4))
    mode = draw.choice(("fast", "slow"))
    asked = draw.choice(("v", "group", "rho"))
    sign = 1 if mode == "fast" else -1
    b, rho = draw.phrase("B", "B_0"), draw.phrase(r"\rho", r"\rho_0")
    ratio = index * beta / 2
    total = 1 + ratio
    root = total**2 - 4 * ratio * squared
    scale = lcm(total.denominator, (2 * ratio * squared).denominator)
    whole, inner = total * scale, root * scale**2
    near = whole - 2 * scale * ratio * squared
    radical = f"{'+' if sign > 0 else '-'} {root_tex(inner)}"
    speed = rf"\frac{{{b}}}{{\sqrt{{\mu_0 {rho}}}}}"
    x = rf"\frac{{{whole} {radical}}}{{{2 * scale}}}"
    compression = rf"\frac{{{whole} {radical}}}{{{near} {radical}}}"
    if isqrt(int(inner)) ** 2 == inner:
        found = whole + sign * isqrt(int(inner))
        x, compression = (
            fraction_tex(found / (2 * scale)),
            factor_tex(found / (found + near - whole)),
        )
    final = {
        "v": rf"$v = {speed}\sqrt{{{x}}}$",
        "group": rf"$v_{{g\parallel}} = {speed}\frac{{{root_tex(squared)}"
        rf"\left({fraction_tex(total)} x - {fraction_tex(ratio * (1 + squared))}\right)}}"
        rf"{{\sqrt{{x}}\left(2x - {fraction_tex(total)}\right)}}, \quad x = {x}$",
        "rho": rf"$\delta\rho = {compression}\frac{{{rho} b}}{{{b}}}$",
    }[asked]
    setting = draw.phrase(
        f"A uniform plasma of density ${rho}$ at rest in a field ${b}$ has a ratio of gas to "
        rf"magnetic pressure of ${beta}$ and is {_INDICES[index]}. A {mode} magnetosonic wave "
        rf"has its wave vector at $\theta = {_SQUARED_COSINES[squared]}$ to the field.",
        f"Consider a plane {mode} wave of ideal magnetohydrodynamics whose wave vector makes the "
        rf"angle $\theta = {_SQUARED_COSINES[squared]}$ with the uniform field ${b}$. The plasma "
        rf"(density ${rho}$) is {_INDICES[index]}, and its gas pressure is ${beta}$ times the "
        "magnetic pressure.",
    )
    question = {
        "v": "Derive its phase speed $v$.",
        "group": r"Derive the component $v_{g\parallel}$ of its group velocity along the field.",
        "rho": "The field strength is perturbed by $b$ (to first order; positive where the field "
        r"is stronger). Derive the density perturbation $\delta\rho$ at the same place.",
    }[asked]
    if asked == "rho":
        ranges = {rho: (0.5, 2.0), "b": (0.05, 0.1), b: (0.5, 2.0)}
        units = {"": "kg m-3", rho: "kg m-3", "b": "T", b: "T"}
    else:
        ranges = {b: (0.5, 2.0), r"\mu_0": (0.5, 2.0), rho: (0.5, 2.0)}
        units = {"": "m s-1", b: _GAUSSIAN, r"\mu_0": "", rho: "kg m-3"}

    def check(at: Mapping[str, float]) -> float:
        theta = acos(sqrt(squared))
        if asked == "rho":
            return at[rho] * at["b"] / at[b] * _compression(sqrt(ratio), 1.0, theta, mode)
        alfven = at[b] / sqrt(at[r"\mu_0"] * at[rho])
        found, along, _ = _by_matrix(sqrt(ratio) * alfven, alfven, theta, mode)
        return found if asked == "v" else along

    last = {
        "v": "The root of this mode follows.",
        "group": r"$v_{g\parallel} = \partial\omega/\partial k_\parallel = \cos\theta\,[v^2(c_s^2+"
        r"v_A^2) - c_s^2v_A^2(1+\cos^2\theta)]/[v(2v^2-c_s^2-v_A^2)]$.",
        "rho": r"Continuity, induction and the force along the field give $(\delta\rho/\rho)/(b/B)"
        r" = v^2/(v^2 - c_s^2\cos^2\theta)$.",
    }[asked]
    return (
        Part(
            f"{setting} {question}" + _PERMEABILITY * (asked != "rho"),
            (
                r"$v^4 - (c_s^2 + v_A^2)v^2 + c_s^2v_A^2\cos^2\theta = 0$ with "
                rf"$c_s^2 = {fraction_tex(ratio)} v_A^2$ and $\cos^2\theta = "
                rf"{fraction_tex(squared)}$.",
                last,
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("dispersion relation", "eigenvectors of the linearised equations"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Phase speed under another angle, temperature or field; which perturbation is the larger."""
    mode = draw.choice(("fast", "slow"))
    changed = draw.choice(("angle", "c_s", "v_A"))
    sound, alfven = draw.number(30.0, 90.0), draw.number(30.0, 90.0)
    angle = draw.integer(20, 45)
    low = {"angle": float(angle), "c_s": sound, "v_A": alfven}[changed]
    high = float(draw.integer(angle + 12, 70)) if changed == "angle" else round(low * 1.4)
    before, after = draw.choice(((low, high), (high, low)))
    states = [
        {"angle": float(angle), "c_s": sound, "v_A": alfven} | {changed: value}
        for value in (before, after)
    ]
    first, second = [], []
    for state in states:
        c, a, theta = state["c_s"], state["v_A"], radians(state["angle"])
        sign = 1 if mode == "fast" else -1
        total = c**2 + a**2
        first.append(sqrt((total + sign * sqrt(total**2 - (2 * c * a * cos(theta)) ** 2)) / 2))
        second.append(_by_matrix(c, a, theta, mode)[0])
    here = states[0]
    theta = radians(here["angle"])
    part = (here["c_s"] * cos(theta)) ** 2
    excess = abs(first[0] ** 2 / (first[0] ** 2 - part)) - 1
    other = abs(_compression(here["c_s"], here["v_A"], theta, mode)) - 1
    if abs(excess) < 0.02:
        return textual(draw)
    unit = "deg" if changed == "angle" else "km s-1"
    name = {
        "angle": r"the angle $\theta$",
        "c_s": "the sound speed $c_s$",
        "v_A": "the Alfvén speed $v_A$",
    }[changed]
    state_text = (
        rf"$c_s$ = {tex(here['c_s'], unit='km s-1')}, $v_A$ = {tex(here['v_A'], unit='km s-1')} "
        rf"and $\theta$ = {tex(here['angle'], unit='deg')}"
    )
    question = draw.phrase(
        f"In a uniform plasma (ideal magnetohydrodynamics) with sound speed $c_s$ and Alfvén "
        rf"speed $v_A$ a {mode} magnetosonic wave has its wave vector at the angle $\theta$ to "
        f"the field: {state_text}. Is the relative perturbation of the density of this wave "
        "larger or smaller in amplitude than the relative perturbation of the field strength? "
        f"How does the phase speed change when {name} goes to {tex(after, unit=unit)}, all else "
        "being kept?",
        f"A {mode} magnetosonic wave of small amplitude in ideal magnetohydrodynamics: {state_text}"
        r" ($c_s$ sound speed, $v_A$ Alfvén speed, $\theta$ angle between wave vector and field). "
        "Compare the amplitudes of the relative perturbations of density and of field strength, "
        f"and say what happens to the phase speed if {name} becomes {tex(after, unit=unit)} "
        "while the rest is kept.",
    )
    change, other_change = first[1] / first[0] - 1, second[1] / second[0] - 1
    claims = (
        order_claim("relative density perturbation", "relative field perturbation", excess, other),
        change_claim("phase speed", change, other_change),
    )
    return (
        Part(
            question,
            (
                r"$(\delta\rho/\rho)/(\delta B/B) = v^2/(v^2 - c_s^2\cos^2\theta)$, which exceeds "
                "1 for the fast wave and is negative for the slow wave.",
                r"$2v^2 = c_s^2+v_A^2 \pm \sqrt{(c_s^2+v_A^2)^2 - 4c_s^2v_A^2\cos^2\theta}$ gives "
                f"${number_tex(first[0])}$ and then ${number_tex(first[1])}$ km/s.",
            ),
            stated(
                claims, Routes("dispersion relation", "eigenvectors of the linearised equations")
            ),
        ),
    )


def _mode(
    sound: float, alfven: float, theta: float, mode: str
) -> tuple[float, NDArray[np.float64]]:
    """Eigenvalue and eigenvector (v_x, v_z, b_x, b_z, p) of the linear equations for k = 1."""
    import numpy as np

    values, vectors = np.linalg.eigh(_matrix(sound, alfven, sin(theta), cos(theta)))
    at = 4 if mode == "fast" else 3
    return float(values[at]), vectors[:, at]


def _matrix(c: float, a: float, kx: float, kz: float) -> NDArray[np.float64]:
    import numpy as np

    return np.array(
        [
            [0, 0, -a * kz, a * kx, c * kx],
            [0, 0, 0, 0, c * kz],
            [-a * kz, 0, 0, 0, 0],
            [a * kx, 0, 0, 0, 0],
            [c * kx, c * kz, 0, 0, 0],
        ]
    )


def _by_matrix(sound: float, alfven: float, theta: float, mode: str) -> tuple[float, float, float]:
    """Phase speed, and group velocity along and across the field."""
    speed, vector = _mode(sound, alfven, theta, mode)
    along = vector @ _matrix(sound, alfven, 0.0, 1.0) @ vector
    across = vector @ _matrix(sound, alfven, 1.0, 0.0) @ vector
    return speed, float(along), float(across)


def _compression(sound: float, alfven: float, theta: float, mode: str) -> float:
    """Relative density over relative field perturbation."""
    _, vector = _mode(sound, alfven, theta, mode)
    return float(vector[4] / sound / (vector[3] / alfven))


FAMILY = Family(
    title="Fast and slow magnetosonic waves",
    assumptions=(
        "uniform plasma at rest, ideal magnetohydrodynamics, small amplitude",
        "both species at one temperature in the numerical problems",
    ),
    sources=(
        "Priest 2014, Magnetohydrodynamics of the Sun, section 4.6",
        "Goedbloed, Keppens and Poedts 2019, Magnetohydrodynamics, chapter 5",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
