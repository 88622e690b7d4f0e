r"""Waves along the field in Hall magnetohydrodynamics: whistler and ion-cyclotron branch.

With the Alfvén speed a and the ion gyrofrequency \Omega, and s = 1 for the right-handed and -1
for the left-handed wave:

.. math:: \omega^2 - s \frac{a^2 k^2}{\Omega} \omega - a^2 k^2 = 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, log, pi, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, order_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, number_tex, root_tex, tex
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HAND = {1: "right-handed (whistler)", -1: "left-handed (ion-cyclotron)"}
_MODEL = (
    "cold Hall magnetohydrodynamics (massless electrons, no displacement current, gas pressure "
    "negligible)"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Frequency of one of the two waves at a wavelength, then its group velocity."""
    from astropy import constants, units

    hand = draw.choice((1, -1))
    field = draw.quantity(4.0, 30.0, "nT")
    density = draw.quantity(2.0, 20.0, "cm-3")
    share = draw.number(0.5, 2.0)
    rho = constants.m_p * density
    alfven = field / (constants.mu0 * rho) ** 0.5
    inertial = (alfven * constants.m_p / (constants.e.si * field)).to("km")
    wavelength = float(f"{2 * pi * inertial.value / share:.2g}") * units.km
    state = f"a field of {tex(field)} and {tex(density)} of protons, with as many electrons"
    setting = draw.phrase(
        f"A uniform plasma with {state}, is described by {_MODEL}. A {_HAND[hand]} wave of "
        f"wavelength {tex(wavelength)} travels along the field.",
        f"Take {_MODEL} for a plasma with {state}. Consider the {_HAND[hand]} wave that "
        f"propagates along the field with a wavelength of {tex(wavelength)}.",
    )
    k = 2 * pi / wavelength
    h = float((k * inertial / 2).to_value(""))
    root = sqrt(1 + h**2)
    frequency = (k * alfven * (root + hand * h) / (2 * pi)).to("Hz")
    group = (alfven * ((1 + 2 * h**2) / root + 2 * hand * h)).to("km s-1")
    a = field.value * 1e-9 / sqrt(si.MU_0 * density.value * 1e6 * si.M_P)
    omega = si.E_CHARGE * field.value * 1e-9 / si.M_P
    found, slope, _ = _wave(hand, 2 * pi / (wavelength.value * 1e3), a, omega)
    first = Part(
        f"{setting} "
        + draw.phrase(
            "What is its frequency (in Hz) in the frame of the plasma?",
            "Find its frequency in hertz, in the rest frame of the plasma.",
        ),
        (
            r"For circularly polarised perturbations the momentum and induction equations with "
            r"the Hall term give $\omega^2 \mp (v_A^2k^2/\Omega_i)\omega - v_A^2k^2 = 0$, upper "
            "sign for the right-handed wave.",
            rf"$\omega = kv_A(\sqrt{{1+h^2}} {'+' if hand > 0 else '-'} h)$ with $h = kd_i/2 = "
            rf"{number_tex(h)}$ and $v_A$ = {tex(alfven, 3, unit='km s-1')}.",
            rf"$f = \omega/2\pi$ = {tex(frequency, 3, unit='Hz')}.",
        ),
        Numeric(
            frequency,
            found / (2 * pi),
            "Hz",
            Routes("root of the dispersion relation", "eigenvalue of the linearised equations"),
        ),
    )
    second = Part(
        draw.phrase(
            "What is the group velocity of this wave?",
            "With which speed does a packet of such waves travel along the field?",
        ),
        (
            rf"$v_g = v_A[(1+2h^2)/\sqrt{{1+h^2}} {'+' if hand > 0 else '-'} 2h]$ by "
            "differentiation.",
            f"$v_g$ = {tex(group, 3, unit='km s-1')}.",
        ),
        Numeric(
            group,
            slope / 1e3,
            "km s-1",
            Routes("derivative of the dispersion relation", "perturbation of the eigenvalue"),
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """What is asked of the wave whose frequency is a given multiple of the gyrofrequency."""
    hand = draw.choice((1, -1))
    bottom = draw.integer(2, 7)
    r = Fraction(draw.integer(1, bottom - 1 if hand < 0 else 2 * bottom), bottom)
    asked = draw.choice(("k", "group", "u", "flow"))
    a, gyro = draw.phrase("v_A", "a"), draw.phrase(r"\Omega_i", r"\Omega")
    against = draw.choice((True, False))
    f, half = 1 + hand * r, 1 + hand * r / 2
    times = factor_tex(r)
    slow = "" if f == 1 else root_tex(1 / f)
    k = rf"{times}{slow}\frac{{{gyro}}}{{{a}}}"
    final = {
        "k": f"$k = {k}$",
        "group": rf"$v_g = {factor_tex(f / half)}{root_tex(f)}{a}$",
        "u": rf"$u = {slow}\frac{{{a} b}}{{B}}$",
        "flow": rf"$\omega' = {times}{gyro}\left(1 {'-' if against else '+'} "
        rf"{slow}\frac{{V}}{{{a}}}\right)$",
    }[asked]
    setting = draw.phrase(
        rf"In {_MODEL} a {_HAND[hand]} wave with angular frequency "
        rf"$\omega = {times}{gyro}$ (${gyro}$: ion gyrofrequency, in the frame of the plasma) "
        f"propagates along the uniform field. The Alfvén speed is ${a}$.",
        f"A uniform plasma with Alfvén speed ${a}$ and ion gyrofrequency ${gyro}$ obeys {_MODEL}. "
        f"A {_HAND[hand]} wave along the field has the angular frequency "
        rf"$\omega = {times}{gyro}$ in the frame of the plasma.",
    )
    question = {
        "k": "Derive its wavenumber $k$.",
        "group": "Derive its group velocity $v_g$.",
        "u": "The amplitude of its magnetic perturbation is $b$, the background field is $B$. "
        "Derive the amplitude $u$ of the velocity of the ions.",
        "flow": "The plasma streams along the field with the speed $V$, "
        + (
            "against the direction of the wave but slower than its phase"
            if against
            else "in the direction of the wave"
        )
        + r". Derive the angular frequency $\omega'$ that a spacecraft at rest measures.",
    }[asked]
    ranges = {a: (0.8, 2.0), gyro: (0.5, 2.0)}
    units = {"": "s-1", a: "m s-1", gyro: "s-1"}
    if asked == "k":
        units[""] = "m-1"
    elif asked in ("group", "u"):
        del ranges[gyro], units[gyro]
        units[""] = "m s-1"
    if asked == "u":
        ranges |= {"b": (0.01, 0.1), "B": (0.5, 2.0)}
        units |= {"b": "T", "B": "T"}
    if asked == "flow":
        ranges["V"], units["V"] = (0.01, 0.2), "m s-1"

    def check(at: Mapping[str, float]) -> float:

        omega = at.get(gyro, 1.0)

        def miss(log_k: float) -> float:
            return _frequency(hand, exp(log_k), at[a], omega) / (float(r) * omega) - 1

        k = exp(bracketed_root(miss, log(1e-2), log(1e3)))
        frequency, slope, walen = _wave(hand, k, at[a], omega)
        if asked == "k":
            return k
        if asked == "group":
            return slope
        if asked == "u":
            return walen * at[a] * at["b"] / at["B"]
        return frequency + (-1 if against else 1) * k * at["V"]

    sign = "-" if hand > 0 else "+"
    last = {
        "k": r"The dispersion relation is solved for $k$.",
        "group": r"$d\omega/dk$ follows from the derivative of $k(\omega)$.",
        "u": r"The momentum equation $\rho\omega u = kBb/\mu_0$ gives $u = (kv_A/\omega)\,v_A b/B$"
        ".",
        "flow": rf"The Doppler shift is ${'-' if against else '+'}kV$.",
    }[asked]
    return (
        Part(
            f"{setting} {question}",
            (
                rf"$\omega^2 {sign} (v_A^2k^2/\Omega_i)\omega - v_A^2k^2 = 0$, so that "
                rf"$k^2v_A^2 = \omega^2/(1 {'+' if hand > 0 else '-'} \omega/\Omega_i)$.",
                last,
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("dispersion relation", "eigenvalues of the linearised equations"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Group against phase speed, and the phase speed at another wavelength, density or field."""
    hand = draw.choice((1, -1))
    changed = draw.choice(("wavelength", "density", "field"))
    state = {
        "wavelength": draw.number(200.0, 900.0),
        "density": draw.number(3.0, 12.0),
        "field": draw.number(5.0, 20.0),
    }
    other = float(f"{state[changed] * draw.number(1.3, 2.2):.2g}")
    values = draw.choice(((state[changed], other), (other, state[changed])))
    exact, numerical, groups = [], [], []
    for value in values:
        now = state | {changed: value}
        field, rho = now["field"] * 1e-9, now["density"] * 1e6 * si.M_P
        a, omega, k = (
            field / sqrt(si.MU_0 * rho),
            si.E_CHARGE * field / si.M_P,
            2 * pi / (now["wavelength"] * 1e3),
        )
        h = k * a / omega / 2
        phase = a * (sqrt(1 + h**2) + hand * h)
        exact.append((phase, a * ((1 + 2 * h**2) / sqrt(1 + h**2) + 2 * hand * h)))
        frequency, slope, _ = _wave(hand, k, a, omega)
        numerical.append(frequency / k)
        groups.append(slope)
    shown = {
        "wavelength": "a wavelength of {}",
        "density": "a number density of {} (protons)",
        "field": "a field of {}",
    }
    units = {"wavelength": "km", "density": "cm-3", "field": "nT"}
    state |= {changed: values[0]}
    *some, last = (text.format(tex(state[key], unit=units[key])) for key, text in shown.items())
    listed = f"{', '.join(some)} and {last}"
    then = tex(values[1], unit=units[changed])
    question = draw.phrase(
        f"A {_HAND[hand]} wave propagates along the field of a uniform plasma that obeys {_MODEL}; "
        f"given are {listed}. Compare its group velocity with its phase speed. How does the phase "
        f"speed change when the {changed} is changed to {then}, all else being kept?",
        f"In {_MODEL} a {_HAND[hand]} wave travels along the field, with {listed}. Does its energy "
        "travel faster or slower than its phase, that is, is the group velocity larger or smaller "
        f"than the phase speed? In which direction does the phase speed change if the {changed} "
        f"becomes {then} and the rest is kept?",
    )
    gap = exact[0][1] / exact[0][0] - 1
    change = exact[1][0] / exact[0][0] - 1
    claims = (
        order_claim("group velocity", "phase speed", gap, groups[0] / numerical[0] - 1),
        change_claim("phase speed", change, numerical[1] / numerical[0] - 1),
    )
    return (
        Part(
            question,
            (
                rf"$\omega/k = v_A(\sqrt{{1+h^2}} {'+' if hand > 0 else '-'} h)$ with "
                r"$h = kd_i/2$ and $d_i = v_A/\Omega_i$.",
                f"It goes from {number_tex(exact[0][0] / 1e3)} to "
                f"{number_tex(exact[1][0] / 1e3)} km/s; the phase speed "
                f"{'rises' if hand > 0 else 'falls'} with $k$, which sets the group velocity apart "
                "from it.",
            ),
            stated(
                claims, Routes("dispersion relation", "eigenvalues of the linearised equations")
            ),
        ),
    )


def _matrix(k: float, a: float, gyro: float) -> NDArray[np.complex128]:
    """Acts on (u_x, u_y, b_x, b_y), b in velocity units; its eigenvalues are the frequencies."""
    import numpy as np

    matrix = np.zeros((4, 4), dtype=complex)
    for i in range(2):
        matrix[i, i + 2] = matrix[i + 2, i] = -k * a
    hall = 1j * (k * a) ** 2 / gyro
    matrix[2, 3], matrix[3, 2] = -hall, hall
    return matrix


def _frequency(hand: int, k: float, a: float, gyro: float) -> float:
    import numpy as np

    scale = k * a
    return float(np.linalg.eigvalsh(_matrix(k, a, gyro) / scale)[3 if hand > 0 else 2]) * scale


def _wave(hand: int, k: float, a: float, gyro: float) -> tuple[float, float, float]:
    """Angular frequency, group velocity, and amplitude of u over that of b."""
    import numpy as np

    scale = k * a
    values, vectors = np.linalg.eigh(_matrix(k, a, gyro) / scale)
    at = 3 if hand > 0 else 2
    vector = vectors[:, at]
    slope = (_matrix(k * (1 + 1e-5), a, gyro) - _matrix(k * (1 - 1e-5), a, gyro)) / (2e-5 * k)
    group = float((vector.conj() @ slope @ vector).real)
    ratio = float(np.linalg.norm(vector[:2]) / np.linalg.norm(vector[2:]))
    return float(values[at]) * scale, group, ratio


FAMILY = Family(
    title="Whistler and ion-cyclotron waves in Hall magnetohydrodynamics",
    assumptions=(
        "propagation along a uniform field, small amplitude",
        "cold ions of one kind, massless electrons, no displacement current",
    ),
    sources=(
        "Stix 1992, Waves in Plasmas, chapter 2 (limit of massless electrons)",
        "Gurnett and Bhattacharjee 2017, Introduction to Plasma Physics, chapter 4",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
