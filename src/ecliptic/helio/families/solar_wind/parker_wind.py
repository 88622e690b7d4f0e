r"""Isothermal transonic wind: critical point, and the speed by Bernoulli's equation.

Mass and momentum conservation of a steady flow in a tube of area A \propto r^s, with
c^2 = c_0^2 (r / r_0)^{-b}, give

.. math:: \Bigl(v - \frac{c^2}{v}\Bigr) \frac{dv}{dr} = (s + b) \frac{c^2}{r} - \frac{G M}{r^2}.

The solar wind is the solution that passes through the critical point, where both sides vanish.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, log, sqrt

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import power_tex, ratio_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_MIXTURES = {
    0.5: "fully ionised hydrogen (mean molecular weight 0.5)",
    0.6: "fully ionised hydrogen and helium (mean molecular weight 0.6)",
}


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Sound speed and critical radius, then the speed at a distance."""
    from astropy import constants, units

    temperature = draw.quantity(0.8, 2.5, "MK")
    mean_mass = draw.choice(tuple(_MIXTURES))
    distance = draw.quantity(15.0, 215.0, "R_sun", digits=3)
    setting = draw.phrase(
        f"The solar corona is an isothermal gas of {_MIXTURES[mean_mass]} at {tex(temperature)} "
        "that expands steadily and spherically, driven by its pressure against the Sun's gravity "
        "alone.",
        f"Consider a steady, spherically symmetric outflow of {_MIXTURES[mean_mass]} from the Sun, "
        f"isothermal at {tex(temperature)}; rotation, waves and magnetic forces are neglected.",
    )
    sound_speed = (constants.k_B * temperature / (mean_mass * constants.m_p)) ** 0.5
    critical = (constants.G * constants.M_sun / (2 * sound_speed**2)).to(units.R_sun)
    sound_speed_ms = sqrt(si.K_B * temperature.value * 1e6 / (mean_mass * si.M_P))
    first = Part(
        f"{setting} "
        + draw.phrase(
            "At which heliocentric distance does the flow become supersonic?",
            "How far from the Sun's centre does the wind pass its sonic point?",
        ),
        (
            "Mass conservation and the momentum equation combine to "
            r"$(v - c_s^2/v)\,dv/dr = 2c_s^2/r - GM_\odot/r^2$.",
            r"At the sonic point both sides vanish, so $r_c = GM_\odot/(2c_s^2)$.",
            rf"With $c_s = \sqrt{{k_B T/(\mu m_p)}}$ = {tex(sound_speed, 3, unit='km s-1')} this "
            f"is {tex(critical, 3, unit='R_sun')}.",
        ),
        Numeric(
            critical,
            _critical_m(2.0, 0.0, sound_speed_ms, 1.0, si.GM_SUN) / si.R_SUN_M,
            "R_sun",
            Routes("r_c = G M / (2 c_s^2) with units", "root of the forcing term, in SI numbers"),
        ),
    )
    speed = sound_speed * _mach_by_bernoulli(float((distance / critical).to_value("")))
    distance_m = distance.value * si.R_SUN_M
    second = Part(
        draw.phrase(
            f"What is the speed of this wind at {tex(distance, unit='R_sun')}?",
            f"Find the flow speed at {tex(distance, unit='R_sun')} on the transonic branch.",
        ),
        (
            "Integrated from the critical point: "
            r"$(v/c_s)^2 - \ln (v/c_s)^2 = 4\ln(r/r_c) + 4 r_c/r - 3$.",
            "Beyond the critical point the wind is the root with $v > c_s$, found by iteration: "
            f"$v$ = {tex(speed, 3, unit='km s-1')}.",
        ),
        Numeric(
            speed,
            sound_speed_ms * _mach_by_integration(distance_m, sound_speed_ms) / 1e3,
            "km s-1",
            Routes("Bernoulli integral, iterated", "outward integration of the momentum equation"),
            agreement=1e-5,
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """The critical radius in a tube of any expansion, with a temperature that falls outwards."""
    expansion = draw.choice([Fraction(k, 4) for k in range(8, 17)])
    cooling = draw.choice([Fraction(k, 7) for k in range(5)])
    radius, speed = draw.phrase(r"r_0", r"R_b", r"R_\odot"), draw.phrase("c_0", "a_0")
    profile = f"$c^2 = {speed}^2 (r/{radius})^{{-{power_tex(cooling)}}}$" if cooling else ""
    heat = (
        f"the square of its isothermal sound speed falls as {profile}"
        if cooling
        else f"its isothermal sound speed ${speed}$ is the same everywhere"
    )
    tube = f"$A \\propto r^{{{power_tex(expansion)}}}$"
    question = draw.phrase(
        f"A steady wind flows along a tube whose cross-section grows as {tube}; {heat}. Gravity "
        "($GM$) is the only other force. Derive the radius $r_c$ of the critical point.",
        f"In a coronal flux tube with {tube} a steady flow is driven by gas pressure against the "
        f"gravity of a mass $M$, and {heat}. Where is the critical point $r_c$?",
    )
    factor = expansion + cooling
    final = f"$r_c = {ratio_tex(1 / factor, 'GM', f'{speed}^2')}$"
    if cooling:
        inverse = 1 / (1 - cooling)
        final = (
            rf"$r_c = {radius} \left({ratio_tex(1 / factor, 'GM', f'{speed}^2 {radius}')}"
            rf"\right)^{{{power_tex(inverse)}}}$"
        )
    ranges = {"G": (0.5, 2.0), "M": (5.0, 9.0), speed: (0.6, 1.4)}
    units = {"": "m", "G": "m3 kg-1 s-2", "M": "kg", speed: "m s-1"}
    if cooling:
        ranges[radius], units[radius] = (0.5, 1.5), "m"

    def check(at: Mapping[str, float]) -> float:
        base = at.get(radius, 1.0)
        return _critical_m(
            float(expansion), float(cooling), at[speed], base, at["G"] * at["M"], 1e-9, 1e12
        )

    return (
        Part(
            question,
            (
                r"Mass conservation $\rho v A$ = const and $p = \rho c^2$ turn the momentum "
                rf"equation into $(v - c^2/v)\,dv/dr = {power_tex(factor)}\,c^2/r - GM/r^2$.",
                f"At the critical point $ {power_tex(factor)}\\,c^2(r_c) = GM/r_c$.",
                f"Solved for $r_c$: {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "root of the forcing term at drawn values"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """How critical radius and speed answer to a hotter or cooler corona."""
    hot, cool = draw.number(1.8, 3.0), draw.number(0.8, 1.6)
    rises = draw.choice((True, False))
    before, after = (cool, hot) if rises else (hot, cool)
    distance = draw.number(30.0, 215.0, digits=3)
    question = draw.phrase(
        f"Parker's isothermal wind is followed at {tex(distance, unit='R_sun')} from the Sun while "
        f"the coronal temperature goes from {tex(before, unit='MK')} to {tex(after, unit='MK')}. "
        "How do the radius of the sonic point and the wind speed at that distance change?",
        f"In two isothermal Parker winds the corona has {tex(before, unit='MK')} and "
        f"{tex(after, unit='MK')}. Going from the first to the second, in which direction do the "
        f"sonic point and the speed at {tex(distance, unit='R_sun')} move?",
    )
    radii = [_state(t, distance, by_integration=False) for t in (before, after)]
    other = [_state(t, distance, by_integration=True) for t in (before, after)]
    claims = change_claims(
        ("radius of the sonic point", "wind speed"),
        relative_changes(*radii),
        relative_changes(*other),
    )
    return (
        Part(
            question,
            (
                r"$r_c = GM_\odot/(2c_s^2) \propto 1/T$.",
                r"Far beyond it $v \approx 2c_s\sqrt{\ln(r/r_c)}$: both factors grow with $T$.",
            ),
            stated(
                claims,
                Routes("closed form and Bernoulli integral", "roots and integration of the ODE"),
            ),
        ),
    )


def _critical_m(
    expansion: float,
    cooling: float,
    speed_ms: float,
    base_m: float,
    gm: float,
    low_m: float = 1e7,
    high_m: float = 1e13,
) -> float:
    """Root of (s + b) c^2 / r = G M / r^2 between two radii."""

    def forcing(log_r: float) -> float:
        r = exp(log_r)
        return float((expansion + cooling) * speed_ms**2 * (r / base_m) ** -cooling * r / gm) - 1.0

    return exp(bracketed_root(forcing, log(low_m), log(high_m)))


def _mach_by_bernoulli(x: float) -> float:
    """Supersonic root of M^2 - ln M^2 = 4 ln x + 4/x - 3: a contraction from above."""
    square = 2.0 + 4.0 * log(x)
    for _ in range(200):
        square = 4.0 * log(x) + 4.0 / x - 3.0 + log(square)
    return sqrt(square)


def _mach_by_integration(distance_m: float, sound_speed_ms: float) -> float:
    """The Mach number outward from the critical point, where it is 1 + ln x - (ln x)^2 / 6."""
    from scipy.integrate import solve_ivp

    end = log(distance_m / (si.GM_SUN / (2 * sound_speed_ms**2)))
    start = 1e-3

    def slope(log_x: float, mach: list[float]) -> list[float]:
        return [2.0 * (1.0 - exp(-log_x)) / (mach[0] - 1.0 / mach[0])]

    begin = [1.0 + start - start**2 / 6.0]
    solution = solve_ivp(slope, (start, end), begin, method="DOP853", rtol=1e-9, atol=1e-11)
    return float(solution.y[0, -1])


def _state(
    temperature_mk: float, distance_rsun: float, *, by_integration: bool
) -> tuple[float, float]:
    """Critical radius in m and speed in m/s of a hydrogen wind."""
    speed_ms = sqrt(2.0 * si.K_B * temperature_mk * 1e6 / si.M_P)
    distance_m = distance_rsun * si.R_SUN_M
    if by_integration:
        critical_m = _critical_m(2.0, 0.0, speed_ms, 1.0, si.GM_SUN)
        return critical_m, speed_ms * _mach_by_integration(distance_m, speed_ms)
    critical_m = si.GM_SUN / (2 * speed_ms**2)
    return critical_m, speed_ms * _mach_by_bernoulli(distance_m / critical_m)


FAMILY = Family(
    title="Isothermal transonic solar wind",
    assumptions=(
        "steady flow along the field or radially",
        "ideal gas with electrons and ions at one temperature",
        "no rotation, magnetic force or wave pressure",
    ),
    sources=(
        "Parker 1958, ApJ 128, 664",
        "Lamers & Cassinelli 1999, Introduction to Stellar Winds, ch. 3",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
