r"""Cyclotron and Landau resonance of electrons with whistlers, of protons with ion cyclotron waves.

An electron that meets a parallel whistler resonates at the first harmonic where

.. math:: \gamma \omega + k p \cos\alpha / m = \Omega, \qquad
          \frac{k^2 c^2}{\omega^2} = 1 + \frac{\omega_p^2}{\omega (\Omega - \omega)} .
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import cos, cosh, exp, log, pi, radians, sqrt, tanh
from typing import Any

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, tex
from ecliptic.helio.families.roots import bracketed_root


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Wavelength of a chorus wave, then the energy of the electrons in resonance with it."""
    from astropy import constants

    field = draw.quantity(120.0, 420.0, "nT")
    density = draw.quantity(2.0, 20.0, "cm-3")
    share = draw.number(0.12, 0.45)
    pitch = draw.integer(15, 75)
    setting = draw.phrase(
        f"A whistler-mode chorus wave travels along the magnetic field ({tex(field)}) through a "
        f"cold plasma of {tex(density)} electrons, with {tex(share)} of the electron "
        "gyrofrequency.",
        f"In a cold plasma of {tex(density)} electrons and a field of {tex(field)} a whistler "
        f"propagates parallel to the field; its frequency is {tex(share)} times the gyrofrequency "
        "of (slow) electrons.",
    )
    e, m = constants.e.si, constants.m_e
    gyro = (e * field / m).to("1/s")
    plasma = ((density * e**2 / (constants.eps0 * m)) ** 0.5).to("1/s")
    omega = share * gyro
    k = (omega / constants.c * (1 + plasma**2 / (omega * (gyro - omega))) ** 0.5).to("1/m")
    length = (2 * pi / k).to("km")
    # (gamma omega = Omega - k c u cos) squared, with u = p / (m c) and gamma^2 = 1 + u^2
    push = float((k * constants.c * cos(radians(pitch)) / gyro).to_value(""))
    square = push**2 - share**2
    u = (push - sqrt(push**2 - square * (1 - share**2))) / square
    energy = ((sqrt(1 + u * u) - 1) * m * constants.c**2).to("keV")
    b, n = field.value * 1e-9, density.value * 1e6
    wave = _wavenumber(b, n, share)
    other = _resonant_joule(b, share, wave, 1, cos(radians(pitch)))
    first = Part(
        f"{setting} "
        + draw.phrase("What is its wavelength?", "Find the wavelength.")
        + " The motion of ions is negligible.",
        (
            r"Right-handed parallel wave: $k^2c^2/\omega^2 = 1 + "
            r"\omega_p^2/[\omega(\Omega - \omega)]$.",
            rf"$\Omega$ = {tex(gyro, 4, unit='s-1')}, $\omega_p$ = {tex(plasma, 4, unit='s-1')}.",
            rf"$\lambda = 2\pi/k$ = {tex(length, 4, unit='km')}.",
        ),
        Numeric(
            length,
            2 * pi / wave / 1e3,
            "km",
            Routes(
                "closed form of the dispersion relation with units",
                "root of the determinant of the wave equation with the cold dielectric tensor",
            ),
            digits=4,
        ),
    )
    second = Part(
        draw.phrase(
            f"Which kinetic energy have electrons with a pitch angle of ${pitch}^{{\\circ}}$ "
            "(angle between momentum and field axis) that meet the wave head-on and are in "
            "resonance with it at the first cyclotron harmonic? Treat them relativistically.",
            "Find the (relativistic) kinetic energy of electrons that move against the wave, "
            f"with an angle of ${pitch}^{{\\circ}}$ between momentum and field axis, and are in "
            "first-order cyclotron resonance with it.",
        ),
        (
            r"$\omega + k v\cos\alpha = \Omega/\gamma$; with $u = p/(mc)$: "
            r"$\omega\sqrt{1 + u^2} + kc\,u\cos\alpha = \Omega$.",
            "Squared, this is a quadratic equation; its root that also solves the equation itself "
            f"is $u$ = {u:.4f}.",
            rf"$(\sqrt{{1 + u^2}} - 1)\,mc^2$ = {tex(energy, 3, unit='keV')}.",
        ),
        Numeric(
            energy,
            other / si.E_CHARGE / 1e3,
            "keV",
            Routes("quadratic equation with units", "root of the resonance condition by the speed"),
        ),
    )
    return first, second


_ANGLES = {0: "1", 30: r"\frac{\sqrt{3}}{2}", 45: r"\frac{1}{\sqrt{2}}", 60: r"\frac{1}{2}"}
_SHARES = [Fraction(1, k) for k in range(3, 9)] + [Fraction(2, 5), Fraction(2, 7), Fraction(3, 8)]


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Resonant parallel energy, or the density that it needs, for several waves and harmonics."""
    ions = draw.choice((False, False, True))
    angle: Any = 0 if ions else draw.choice(("any", *_ANGLES))
    harmonic = 1 if ions else draw.choice((0, 1, 2, 3) if angle else (0, 1))
    share = draw.choice([None, *_SHARES]) if angle != "any" else draw.choice([None, *_SHARES[2:6]])
    asked = draw.choice(("W", "n"))
    b, particle = draw.phrase("B_0", "B"), "proton" if ions else "electron"
    symbol = draw.phrase("x", "y")
    frequency = (
        rf"${symbol}\Omega$" if share is None else rf"${fraction_tex(share)}\,\Omega$"
    ) + rf", where $\Omega$ is the {particle} gyrofrequency"
    if ions:
        wave = (
            "An electromagnetic ion cyclotron wave (left-handed, along the field) has the "
            r"dispersion relation $k^2c^2/\omega^2 = \omega_{p}^2/[\Omega(\Omega - \omega)]$ in a "
            r"dense proton plasma ($\omega_p$: proton plasma frequency)."
        )
    elif angle == 0:
        wave = (
            "A whistler in a dense plasma travels along the field with "
            r"$k^2c^2/\omega^2 = \omega_p^2/[\omega(\Omega - \omega)]$ ($\omega_p$: electron "
            "plasma frequency)."
        )
    else:
        tilt = r"\theta" if angle == "any" else rf"{angle}^{{\circ}}"
        wave = (
            f"A whistler in a dense plasma travels at the angle ${tilt}$ to the field with "
            rf"$k^2c^2/\omega^2 = \omega_p^2/[\omega(\Omega\cos\theta - \omega)]$ ($\omega_p$: "
            "electron plasma frequency"
            + ("" if angle == "any" else rf", $\theta = {angle}^{{\circ}}$")
            + ")."
        )
    order = {0: "Landau resonance ($k_\\parallel v_\\parallel = \\omega$)"}.get(
        harmonic,
        rf"cyclotron resonance of order {harmonic} ($\omega + k_\parallel |v_\parallel| = "
        + ("" if harmonic == 1 else str(harmonic))
        + r"\Omega$, particles moving against the wave)",
    )
    energy = (
        r"the kinetic energy $W = m v_\parallel^2/2$ of their motion along the field"
        if asked == "W"
        else r"the number density $n$ of the plasma for which their kinetic energy of motion along "
        "the field is $W$"
    )
    given = (
        f"the plasma has the number density $n$ and the field the strength ${b}$"
        if asked == "W"
        else f"the field has the strength ${b}$"
    )
    question = (
        wave
        + draw.phrase(
            f" Its frequency is {frequency}; {given}. Non-relativistic {particle}s are in ",
            f" Let the frequency be {frequency}; {given}. Consider non-relativistic {particle}s "
            "in ",
        )
        + f"{order}. "
        + draw.phrase("Derive ", "Find ")
        + energy
        + r", with the vacuum permeability $\mu_0$."
    )
    x = symbol if share is None else fraction_tex(share)
    shape = _shape(harmonic, share, x, angle, ions)
    other = "n" if asked == "W" else "W"
    final = rf"${asked} = \frac{{{b}^2}}{{2\mu_0 {other}}}{shape}$"
    ranges = {b: (0.5, 2.0), r"\mu_0": (0.5, 2.0), other: (0.5, 2.0)}
    units = {b: "T", r"\mu_0": "H m-1", "n": "m-3", "W": "J"}
    if share is None:
        ranges[symbol], units[symbol] = (0.1, 0.4), ""
    if angle == "any":
        ranges[r"\theta"], units[r"\theta"] = (0.2, 0.9), ""
    units = {"": units[asked]} | {name: units[name] for name in ranges}

    def check(at: Mapping[str, float]) -> float:
        part = at[symbol] if share is None else float(share)
        tilt = at[r"\theta"] if angle == "any" else radians(float(angle))
        state = (at[b], at[r"\mu_0"], part, tilt)
        if asked == "W":
            return _parallel_energy(state, at["n"], harmonic, ions)
        # the same condition, solved for the density
        return exp(
            bracketed_root(
                lambda log_n: _parallel_energy(state, exp(log_n), harmonic, ions) / at["W"] - 1,
                -14.0,
                14.0,
            )
        )

    speed = {
        0: r"v_\parallel = \omega/k_\parallel",
        1: r"|v_\parallel| = (\Omega - \omega)/k_\parallel",
    }.get(harmonic, rf"|v_\parallel| = ({harmonic}\Omega - \omega)/k_\parallel")
    return (
        Part(
            question,
            (
                rf"Resonance: ${speed}$ with $k_\parallel = k\cos\theta$.",
                r"$k$ from the dispersion relation, and $m c^2\Omega^2/\omega_p^2 = "
                rf"{b}^2/(\mu_0 n)$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "resonance condition with the closed dispersion relation",
                    "wavenumber and speed by roots, for a plasma of given mass, charge and c",
                ),
                units,
            ),
        ),
    )


def _shape(harmonic: int, share: Fraction | None, x: str, angle: int | str, ions: bool) -> str:
    """The factor of B^2/(2 mu_0 n): (N - x)^2 (cos - x) / (x cos^2), simplified."""
    if ions:
        if share is None:
            return rf"\frac{{(1 - {x})^3}}{{{x}^2}}"
        return fraction_tex((1 - share) ** 3 / share**2)
    if angle == "any":
        along, below = rf"\left(\cos\theta - {x}\right)", r"\cos^2\theta"
        square = Fraction(1)
    else:
        square = {0: Fraction(1), 30: Fraction(4, 3), 45: Fraction(2), 60: Fraction(4)}[int(angle)]
        along, below = rf"\left({_ANGLES[int(angle)]} - {x}\right)", ""
    if share is None:
        top = rf"{x} {along}" if harmonic == 0 else rf"({harmonic} - {x})^2 {along}"
        bottom = below if harmonic == 0 else f"{x} {below}".strip()
        factor = factor_tex(square)
        return rf"{factor}\frac{{{top}}}{{{bottom}}}" if bottom else f"{factor}{top}"
    square *= share if harmonic == 0 else (harmonic - share) ** 2 / share
    if angle in (0, 60):
        return fraction_tex(square * ((1 if angle == 0 else Fraction(1, 2)) - share))
    top = rf"{fraction_tex(square)}{along}"
    return rf"\frac{{{top}}}{{{below}}}" if below else top


def textual(draw: Draw) -> tuple[Part, ...]:
    """Another frequency, density or field: cyclotron and Landau resonance energies."""
    changed = draw.choice(("frequency", "frequency", "density", "field"))
    field, density = draw.number(120.0, 380.0), draw.number(3.0, 15.0)
    hertz = si.E_CHARGE * field * 1e-9 / si.M_E / (2 * pi)
    low, high = draw.number(0.1, 0.2), draw.number(0.28, 0.45)
    frequency = float(f"{(low if changed != 'field' else high) * hertz:.3g}")
    pairs = {
        "frequency": (frequency, float(f"{high * hertz:.3g}")),
        "density": (density, float(f"{density * draw.number(1.5, 4.0):.2g}")),
        "field": (field, float(f"{field * draw.number(1.3, 2.0):.3g}")),
    }
    order = draw.choice(((0, 1), (1, 0)))
    name, unit = {
        "frequency": ("the wave frequency", "Hz"),
        "density": ("the electron density", "cm-3"),
        "field": ("the field strength", "nT"),
    }[changed]
    values = [pairs[changed][at] for at in order]
    kept = {
        "frequency": f"the wave frequency is {tex(frequency, unit='Hz')}",
        "density": f"the electron density is {tex(density, unit='cm-3')}",
        "field": f"the field strength is {tex(field, unit='nT')}",
    }
    others = " and ".join(text for key, text in kept.items() if key != changed)
    question = (
        "A whistler travels along the magnetic field in a cold electron plasma; "
        + f"{others}. "
        + draw.phrase(
            f"Let {name} go from {tex(values[0], unit=unit)} to {tex(values[1], unit=unit)}. ",
            f"Two cases are compared: {name} is {tex(values[0], unit=unit)} in the first and "
            f"{tex(values[1], unit=unit)} in the second. ",
        )
        + draw.phrase(
            "How do the energy of electrons of zero pitch angle in first-order cyclotron resonance "
            "with the wave and the phase speed of the wave (that of electrons in Landau resonance) "
            "change?",
            "In which direction do the cyclotron resonance energy (first order) of electrons that "
            "move along the field and the phase speed of the wave, the speed of Landau resonance, "
            "change?",
        )
    )
    first, second = [], []
    for value in values:
        at = {"frequency": frequency, "density": density, "field": field} | {changed: value}
        b, n = at["field"] * 1e-9, at["density"] * 1e6
        share = at["frequency"] * 2 * pi * si.M_E / (si.E_CHARGE * b)
        plasma = n * si.E_CHARGE**2 / (si.EPS_0 * si.M_E) / (si.E_CHARGE * b / si.M_E) ** 2
        index = sqrt(1 + plasma / (share * (1 - share)))
        push = share * index
        square = push**2 - share**2
        u = (push - sqrt(push**2 - square * (1 - share**2))) / square
        first.append((sqrt(1 + u * u) - 1, 1 / index))
        wave = _wavenumber(b, n, share)
        speed = at["frequency"] * 2 * pi / wave / si.C
        second.append((_resonant_joule(b, share, wave, 1, 1.0), speed))
    claims = change_claims(
        ("cyclotron resonance energy", "phase speed of the wave"),
        relative_changes(*first),
        relative_changes(*second),
    )
    return (
        Part(
            question,
            (
                r"Nearly, the energy is $(B^2/2\mu_0 n)(1 - x)^3/x$ and the phase speed "
                r"$\sqrt{B^2 x(1 - x)/(\mu_0 n m)}$, with $x = \omega/\Omega$.",
                r"For $x < 1/2$ the first falls and the second rises with $x$.",
            ),
            stated(
                claims,
                Routes(
                    "quadratic equation of the resonance, closed dispersion relation",
                    "root of the dielectric determinant, root of the resonance condition",
                ),
            ),
        ),
    )


def _wavenumber(field: float, density: float, share: float) -> float:
    """Root of the 2 x 2 determinant (S - n^2)^2 - D^2 beyond the left-handed branch, in 1/m."""
    gyro = si.E_CHARGE * field / si.M_E
    omega = share * gyro
    ratio = density * si.E_CHARGE**2 / (si.EPS_0 * si.M_E) / omega**2
    turn = gyro / omega
    across = 1 - ratio / (1 - turn**2)
    hall = turn * ratio / (1 - turn**2)

    def determinant(log_index: float) -> float:
        square = exp(2 * log_index)
        return ((across - square) ** 2 - hall**2) / hall**2

    # between the branches n^2 = S - |D| and S + |D| the determinant is negative
    return omega / si.C * exp(bracketed_root(determinant, 0.5 * log(across), 6.0))


def _resonant_joule(
    field: float, share: float, wavenumber: float, order: int, cosine: float
) -> float:
    """Root of omega -/+ k v cos = order Omega / gamma by the speed, in J."""
    gyro = si.E_CHARGE * field / si.M_E
    sign = -1.0 if order == 0 else 1.0

    def detuning(rapidity: float) -> float:
        shift = sign * wavenumber * si.C * tanh(rapidity) * cosine
        return (share * gyro + shift) / gyro - order / cosh(rapidity)

    rapidity = bracketed_root(detuning, 1e-9, 12.0)
    return (cosh(rapidity) - 1) * si.M_E * si.C**2


def _parallel_energy(
    state: tuple[float, float, float, float], density: float, order: int, ions: bool
) -> float:
    """m v^2 / 2 for unit charge and mass and c = 700, with both unknowns by roots."""
    field, mu0, share, tilt = state
    light = 700.0
    gyro = field
    omega = share * gyro
    plasma2 = density * mu0 * light**2

    def mismatch(log_k: float) -> float:
        k2 = exp(2 * log_k)
        # the dispersion relation as a wave equation, without solving it for k
        if ions:
            return k2 * light**2 * gyro * (gyro - omega) / (plasma2 * omega**2) - 1
        return k2 * light**2 * (gyro * cos(tilt) - omega) / (plasma2 * omega) - 1

    along = exp(bracketed_root(mismatch, -12.0, 12.0)) * cos(tilt)
    sign = -1.0 if order == 0 else 1.0
    speed = exp(
        bracketed_root(lambda x: (omega + sign * along * exp(x)) / gyro - order, -30.0, 30.0)
    )
    return speed**2 / 2


FAMILY = Family(
    title="Wave-particle resonance in the radiation belts",
    assumptions=(
        "cold plasma, small wave amplitude",
        "dense plasma (plasma frequency well above the gyrofrequency) in the symbolic form",
    ),
    sources=(
        "Kennel & Petschek 1966, J. Geophys. Res. 71, 1",
        "Summers, Thorne & Xiao 1998, J. Geophys. Res. 103, 20487",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
