r"""Thermal (condensation) instability of a uniform optically thin plasma.

Small waves of density, pressure and temperature with wavenumber k along the field obey

.. math:: \sigma^2 \rho_1 = -k^2 p_1, \qquad
   \frac{\sigma}{\gamma - 1} \Bigl(\frac{p_1}{p} - \gamma \frac{\rho_1}{\rho}\Bigr)
   = -\frac{\kappa T k^2}{p} \frac{T_1}{T} - \frac{\delta(n^2\Lambda - H)}{p} .
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import log, pi, sqrt

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, number_tex, power_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_KAPPA = 1.0e-11
_LOSS_UNIT = r"${}\ \mathrm{{W\,m^{{3}}}}$"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """The shortest unstable wave, then how fast a longer one grows."""
    from astropy import constants, units

    temperature = draw.quantity(0.3, 2.0, "MK")
    density = draw.quantity(1e15, 2e16, "m-3", log=True)
    slope = draw.choice((-1.5, -1.0, -0.7, -0.5))
    cooling = draw.quantity(4e-35, 2e-34, "W m3", log=True)
    ratio = draw.number(1.3, 5.0)
    setting = draw.phrase(
        f"A uniform, static coronal plasma of fully ionised hydrogen has {tex(temperature)} and "
        f"$n_e$ = {tex(density)}; $p = 2n_ek_BT$ and $\\gamma = 5/3$. It radiates "
        rf"$n_e^2\Lambda(T)$ per volume, with $\Lambda$ = "
        rf"{_LOSS_UNIT.format(number_tex(cooling.value, 2))} at this temperature and "
        rf"$\Lambda \propto T^{{{slope:g}}}$ near it; a constant heating per volume "
        r"balances this. Along the field heat is conducted with $\kappa = \kappa_0T^{5/2}$, "
        r"$\kappa_0 = 10^{-11}\ \mathrm{W\,m^{-1}\,K^{-7/2}}$.",
        f"Optically thin losses $n_e^2\\Lambda$ (with $\\Lambda$ = "
        f"{_LOSS_UNIT.format(number_tex(cooling.value, 2))} and a "
        rf"local slope $d\ln\Lambda/d\ln T$ = {tex(slope)}) are balanced by a constant "
        f"heating per volume in a uniform, static hydrogen plasma (fully ionised, $p = 2n_ek_BT$, "
        f"$\\gamma = 5/3$) with $n_e$ = {tex(density)} at {tex(temperature)}. The "
        r"conductivity along the field is $\kappa_0T^{5/2}$ with $\kappa_0 = 10^{-11}\ "
        r"\mathrm{W\,m^{-1}\,K^{-7/2}}$.",
    )
    pressure = (2 * density * constants.k_B * temperature).to("Pa")
    loss = density**2 * cooling
    conductivity = _KAPPA * units.Unit("W m-1 K(-7/2)") * temperature**2.5
    length = (2 * pi * (conductivity * temperature / ((2 - slope) * loss)) ** 0.5).to("Mm")
    k = 2 * pi / (ratio * length)
    radiative = (2 / 3 * loss / pressure).to("s-1").value
    conductive = (2 / 3 * conductivity * temperature * k**2 / pressure).to("s-1").value
    sound = ((5 / 3 * pressure / (density * constants.m_p)) ** 0.5 * k).to("s-1").value
    rate = _by_newton(radiative, conductive, sound, slope)
    plain = (temperature.value * 1e6, density.value, cooling.value, slope)
    critical = _critical_length(*plain)
    growth = _growth(2 * pi / (ratio * critical), *plain)
    first = Part(
        f"{setting} "
        + draw.phrase(
            "What is the shortest wavelength along the field of a perturbation that can condense?",
            "Beyond which wavelength along the field do condensations grow?",
        ),
        (
            r"At $\sigma = 0$ the pressure is unperturbed, so $\rho_1/\rho = -T_1/T$.",
            r"$\kappa Tk^2 = (2 - d\ln\Lambda/d\ln T)\,n_e^2\Lambda$ for a heating per volume that "
            "does not change.",
            rf"$\lambda = 2\pi/k$ = {tex(length, 3, unit='Mm')}.",
        ),
        Numeric(
            length,
            critical / 1e6,
            "Mm",
            Routes("marginal condition with units", "root of the growth rate of the 3 x 3 system"),
            digits=4,
        ),
    )
    second = Part(
        draw.phrase(
            f"What is the e-folding time of a condensation with a wavelength {tex(ratio)} times as "
            "long as that (from the full dispersion relation, sound waves included)?",
            f"A perturbation along the field is {tex(ratio)} times as long as this shortest one. "
            "Find the e-folding time of its condensation mode, with inertia included.",
        ),
        (
            r"$\sigma^3 + (\omega_\kappa + a\omega_c)\sigma^2 + k^2c_s^2\sigma + "
            r"\tfrac{k^2c_s^2}{\gamma}[\omega_\kappa - (2-a)\omega_c] = 0$ with "
            r"$\omega_c = (\gamma-1)n_e^2\Lambda/p$, $\omega_\kappa = (\gamma-1)\kappa Tk^2/p$, "
            r"$a = d\ln\Lambda/d\ln T$ and $c_s^2 = \gamma p/\rho$.",
            rf"$\omega_c$ = {tex(radiative, 3, unit='s-1')}, $\omega_\kappa$ = "
            f"{tex(conductive, 3, unit='s-1')}, $kc_s$ = {tex(sound, 3, unit='s-1')}.",
            rf"The positive root gives $1/\sigma$ = {tex(1 / rate, 3, unit='s')}.",
        ),
        Numeric(
            1 / rate,
            1 / growth,
            "s",
            Routes(
                "Newton's iteration of the cubic",
                "eigenvalues of the linearised equations, differentiated numerically",
            ),
            agreement=3e-6,
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Marginal wavenumber and growth rates for any laws of cooling and heating."""
    cooling = draw.choice([Fraction(k, 6) for k in (-9, -6, -5, -4, -3, -2)])
    heat_n = draw.choice([Fraction(k, 2) for k in (0, 1, 2)])
    heat_t = draw.choice([Fraction(k, 4) for k in (-1, 0, 1, 2)])
    asked = draw.choice(("marginal", "pressure", "density"))
    gas = draw.choice((None, Fraction(5, 3), Fraction(7, 5)))
    loss = draw.phrase("Q", "R")
    laws = [
        rf"{name}^{{{power_tex(power)}}}" if power != 1 else name
        for name, power in (("n", heat_n), ("T", heat_t))
        if power
    ]
    heating = rf"H \propto {''.join(laws)}" if laws else "H"
    same = "" if laws else " (which does not change)"
    index = r"$\gamma$" if gas is None else rf"$\gamma = {power_tex(gas)}$"
    state = {
        "marginal": "Find the wavenumber $k$ along the field above which condensations do not grow",
        "pressure": r"Find the growth rate $\sigma$ of a wave of wavenumber $k$ along the field "
        "when sound keeps the pressure uniform",
        "density": r"Find the growth rate $\sigma$ of a wave of wavenumber $k$ along the field so "
        "long that the density has no time to change",
    }[asked]
    question = draw.phrase(
        f"A uniform plasma at rest has the temperature $T$ and pressure $p$, and a ratio of "
        rf"specific heats {index}. It radiates $n^2\Lambda$ per volume with $\Lambda \propto "
        rf"T^{{{power_tex(cooling)}}}$, balanced in equilibrium, where $n^2\Lambda = {loss}$, by a "
        rf"heating per volume ${heating}$"
        rf"{same}; it conducts heat along the field with the conductivity $\kappa$. {state}.",
        rf"Radiative losses $n^2\Lambda \propto n^2T^{{{power_tex(cooling)}}}$ and a heating "
        rf"${heating}${same}, both per volume, equal ${loss}$ in a uniform static plasma "
        rf"(temperature $T$, pressure $p$, {index}, thermal conductivity $\kappa$ along the "
        f"field). {state}.",
    )
    isobaric = 2 - cooling - heat_n + heat_t
    drive = heat_t - cooling if asked == "density" else isobaric
    strength = f"{factor_tex(drive)}{loss}"
    inner = rf"{strength} - \kappa T k^2"
    if asked == "marginal":
        above, below = (str(n) if n != 1 else "" for n in drive.as_integer_ratio())
        final = rf"$k = \sqrt{{\frac{{{above}{loss}}}{{{below}\kappa T}}}}$"
    elif asked == "pressure":
        share = r"\frac{\gamma - 1}{\gamma p}" if gas is None else (_over_pressure((gas - 1) / gas))
        final = rf"$\sigma = {share}\left({inner}\right)$"
    else:
        share = r"\frac{\gamma - 1}{p}" if gas is None else _over_pressure(gas - 1)
        final = rf"$\sigma = {share}\left({inner}\right)$"
    ranges = {loss: (0.5, 2.0), r"\kappa": (0.5, 2.0), "T": (0.5, 2.0)}
    units = {"": "m-1", loss: "W m-3", r"\kappa": "W m-1 K-1", "T": "K"}
    if asked != "marginal":
        ranges |= {"k": (0.1, 0.4), "p": (0.5, 2.0)}
        units |= {"": "s-1", "k": "m-1", "p": "Pa"}
        if gas is None:
            ranges[r"\gamma"], units[r"\gamma"] = (1.2, 1.6), ""

    def check(at: Mapping[str, float]) -> float:
        powers = (float(cooling), float(heat_n), float(heat_t))
        if asked != "marginal":
            ratio = at[r"\gamma"] if gas is None else float(gas)
            bath = at[r"\kappa"] * at["T"] * at["k"] ** 2
            return _slow_rate(bath, at[loss], at["p"], ratio, powers, asked == "pressure")

        def rate(k: float) -> float:
            bath = at[r"\kappa"] * at["T"] * k**2
            return _slow_rate(bath, at[loss], 1.0, 5 / 3, powers, True)

        return bracketed_root(rate, 1e-3, 1e3)

    relation = "$n_1/n = -T_1/T$" if asked != "density" else "$n_1 = 0$"
    return (
        Part(
            question,
            (
                f"The mode has {relation}.",
                rf"Net loss per $T_1/T$: $\delta(n^2\Lambda - H) = "
                rf"{fraction_tex(-drive)}\,{loss}$, to which conduction adds $\kappa Tk^2$.",
                r"The heat content changes by $\sigma\frac{\gamma}{\gamma-1}p\,T_1/T$ at constant "
                r"pressure, by $\sigma\frac{1}{\gamma-1}p\,T_1/T$ at constant density.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("linearised energy equation", "numerical derivative of the net loss"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Shortest unstable wave and growth of long ones in another plasma."""
    slope = draw.choice((-1.0, -0.5, -0.7))
    while True:
        heats = [draw.number(0.5, 2.0) for _ in range(2)]
        densities = [draw.number(1e15, 2e16, log=True) for _ in range(2)]
        warm, dense = log(heats[1] / heats[0]), log(densities[1] / densities[0])
        changes = [(3.5 - slope) / 2 * warm - dense, dense + (slope - 1) * warm]
        if min(abs(change) for change in changes) > 0.15:
            break
    ends = [
        f"{tex(heat, unit='MK')} and {tex(density, unit='m-3')}"
        for heat, density in zip(heats, densities, strict=True)
    ]
    question = draw.phrase(
        f"A uniform, optically thin coronal plasma loses $n_e^2\\Lambda$ per volume with $\\Lambda "
        rf"\propto T^{{{slope:g}}}$, balanced by a heating per volume that does not "
        r"respond to perturbations; the conductivity along the field is $\propto T^{5/2}$. "
        f"Temperature and electron density are {ends[0]} in a first plasma and {ends[1]} in a "
        "second. How do the shortest unstable wavelength (along the field) and the growth rate of "
        "condensations at constant pressure, much longer than that, change from the first to the "
        "second?",
        f"Compare the condensation instability of two uniform plasmas, with {ends[0]} and with "
        f"{ends[1]} (temperature, electron density). In both, losses $\\propto n_e^2"
        rf"T^{{{slope:g}}}$ are balanced by a fixed heating per volume, and the "
        r"conductivity along the field is $\propto T^{5/2}$. Going from the first to the second, "
        "in which direction do the shortest unstable wavelength and the growth rate of much "
        "longer, isobaric perturbations change?",
    )
    first = [
        (heats[1] / heats[0]) ** ((3.5 - slope) / 2) / (densities[1] / densities[0]) - 1.0,
        densities[1] / densities[0] * (heats[1] / heats[0]) ** (slope - 1) - 1.0,
    ]
    second = []
    for heat, density in zip(heats, densities, strict=True):
        plasma = (heat * 1e6, density, 1e-34 * heat**slope, slope)
        loss, pressure = density**2 * plasma[2], 2 * density * si.K_B * heat * 1e6
        rate = _slow_rate(0.0, loss, pressure, 5 / 3, (slope, 0.0, 0.0), True)
        second.append((_critical_length(*plasma), rate))
    claims = change_claims(
        ("shortest unstable wavelength", "growth rate"), first, relative_changes(*second)
    )
    return (
        Part(
            question,
            (
                r"$\lambda \propto (\kappa T/n_e^2\Lambda)^{1/2}$ with $\kappa \propto T^{5/2}$.",
                r"Long waves grow at $\sigma \propto n_e^2\Lambda/p \propto n_e\Lambda/T$.",
                "The ratios of second to first are "
                f"{tex(first[0] + 1, 3)} (wavelength) and {tex(first[1] + 1, 3)} (growth rate).",
            ),
            stated(
                claims, Routes("scalings of the dispersion relation", "roots of the linear system")
            ),
        ),
    )


def _over_pressure(value: Fraction) -> str:
    return rf"\frac{{{value.numerator}}}{{{value.denominator}p}}"


def _by_newton(radiative: float, conductive: float, sound: float, slope: float) -> float:
    """Positive root of the cubic, from the isobaric rate."""
    damping, square = conductive + slope * radiative, sound**2
    constant = 0.6 * square * (conductive - (2 - slope) * radiative)
    sigma = 0.6 * ((2 - slope) * radiative - conductive)
    for _ in range(60):
        value = ((sigma + damping) * sigma + square) * sigma + constant
        sigma -= value / ((3 * sigma + 2 * damping) * sigma + square)
    return sigma


def _growth(k: float, temperature_k: float, density: float, cooling: float, slope: float) -> float:
    """Greatest real part of the eigenvalues of (density, speed, temperature), in 1/s."""
    import numpy as np

    speed = sqrt(2 * si.K_B * temperature_k / si.M_P)
    pressure = 2 * density * si.K_B * temperature_k
    bath = _KAPPA * temperature_k**3.5 * k**2 / pressure
    loss = density**2 * cooling / pressure

    def net(n: float, t: float) -> float:
        return float(loss * (n**2 * t**slope - 1.0))

    h = 1e-4
    by_n = (net(1 + h, 1.0) - net(1 - h, 1.0)) / (2 * h)
    by_t = (net(1.0, 1 + h) - net(1.0, 1 - h)) / (2 * h)
    # Density n, speed u = i v / speed and temperature t, all relative: the work of compression is
    # p dn/dt, and heat content is p t / (gamma - 1).
    sound = k * speed
    matrix = [
        [0.0, -sound, 0.0],
        [sound, 0.0, sound],
        [-2 / 3 * by_n, -2 / 3 * sound, -2 / 3 * (bath + by_t)],
    ]
    values = np.linalg.eigvals(np.array(matrix))
    real = values[np.argmin(np.abs(values.imag))]
    return float(real.real)


def _critical_length(temperature_k: float, density: float, cooling: float, slope: float) -> float:
    """Wavelength in m at which the condensation mode neither grows nor decays."""

    def rate(log_length: float) -> float:
        return _growth(2 * pi / 10**log_length, temperature_k, density, cooling, slope)

    return float(10.0 ** bracketed_root(rate, 3.0, 11.0))


def _slow_rate(
    bath: float,
    loss: float,
    pressure: float,
    ratio: float,
    powers: tuple[float, float, float],
    isobaric: bool,
) -> float:
    """Growth rate of a temperature wave from numerical derivatives of heat content and loss."""
    cooling, heat_n, heat_t = powers

    def net(t: float) -> float:
        n = 1 / t if isobaric else 1.0
        return float(loss * (n**2 * t**cooling - n**heat_n * t**heat_t) + bath * (t - 1.0))

    def heat(t: float) -> float:
        share = ratio * log(t) if isobaric else t
        return pressure * share / (ratio - 1)

    def derivative(function: Callable[[float], float], h: float = 1e-3) -> float:
        near, far = (function(1 + s) - function(1 - s) for s in (h, 2 * h))
        return float((8 * near - far) / (12 * h))

    return float(-derivative(net) / derivative(heat))


FAMILY = Family(
    title="Thermal instability of an optically thin plasma",
    assumptions=(
        "uniform plasma at rest, heating equal to radiation in equilibrium",
        "perturbations along the field, conduction along the field only",
    ),
    sources=(
        "Field 1965, ApJ 142, 531",
        "Priest 2014, Magnetohydrodynamics of the Sun, ch. 11",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
