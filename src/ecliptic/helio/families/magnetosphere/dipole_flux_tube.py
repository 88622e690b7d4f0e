r"""Flux tubes of a dipole: Alfvén travel time, content and adiabatic convection.

On the line :math:`r = r_e \cos^2\lambda`, with density :math:`\rho = \rho_e (r_e/r)^m`,

.. math:: \frac{ds}{B} = \frac{r_e^4}{B_0 R^3} \cos^7\lambda\, d\lambda, \qquad
          \int \frac{ds}{v_A} = \sqrt{\mu_0 \rho_e} \frac{r_e^4}{B_0 R^3}
          \int \cos^{7-m}\lambda\, d\lambda .
"""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from fractions import Fraction
from math import asin, cos, sin, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import power_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre

if TYPE_CHECKING:
    from collections.abc import Callable

_WKB = (
    "the fundamental has half a wavelength between the two feet, so that its period is twice the "
    "time that an Alfvén wave takes from foot to foot"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Period of a field line, then the time in which the ionosphere refills its tube."""
    from astropy import constants, units
    from scipy.special import hyp2f1

    shell = draw.number(3.0, 6.5)
    field = draw.quantity(29.5, 31.2, "uT", digits=3)
    density = draw.quantity(5.0, 400.0, "cm-3", log=True)
    mass = draw.number(1.0, 3.0)
    index = draw.choice((0.5, 1.0, 1.5, 2.0, 2.5, 3.0))
    flux = draw.quantity(0.8, 4.0, "1e12 m-2 s-1")
    line = draw.phrase(
        f"A dipole field line of $L$ = {tex(shell)} (equatorial field at the Earth's surface "
        f"{tex(field)}) holds {tex(density)} ions at the equator, of mean mass {tex(mass)} "
        rf"$m_p$; along the line the ion density goes as $r^{{-{index:g}}}$.",
        f"Along the dipole field line $L$ = {tex(shell)} the ion density varies as "
        rf"$r^{{-{index:g}}}$ and is {tex(density)} at the equator, with {tex(mass)} $m_p$ per "
        f"ion; the field on the equator at the Earth's surface is {tex(field)}.",
    )
    foot = sqrt(1 - 1 / shell)
    geometry = shell**4 * constants.R_earth / field
    speed_part = (constants.mu0 * density * mass * constants.m_p) ** 0.5
    period = (
        4 * geometry * speed_part * foot * float(hyp2f1(0.5, index / 2 - 3, 1.5, foot**2))
    ).to("s")
    content = 2 * geometry * density * foot * float(hyp2f1(0.5, index - 3, 1.5, foot**2))
    foot_field = field * sqrt(4 - 3 / shell)
    rate = flux.value * 1e12 / units.m**2 / units.s
    refill = (content * foot_field / (2 * rate)).to("day")
    b_tesla, n_si = field.value * 1e-6, density.value * 1e6
    rho = n_si * mass * si.M_P
    scale = shell * si.R_EARTH_M

    def slowness(r: float, b: float) -> float:
        return float(sqrt(si.MU_0 * rho * (scale / r) ** index) / b)

    time = _along(slowness, shell, b_tesla, foot)
    held = _along(lambda r, b: n_si * (scale / r) ** index / b, shell, b_tesla, foot)
    surface = _field(asin(foot), shell, b_tesla)[1]
    supply = f"${flux.value}\\times 10^{{12}}\\ \\mathrm{{m^{{-2}}\\,s^{{-1}}}}$"
    first = Part(
        f"{line} The feet are on the surface ($r = R_E$). Treat standing Alfvén waves as WKB "
        f"waves: {_WKB}. "
        + draw.phrase(
            "What is the period of the fundamental?",
            "Find the period of the fundamental oscillation of the line.",
        ),
        (
            r"$ds = L R_E \cos\lambda\sqrt{1 + 3\sin^2\lambda}\,d\lambda$ and "
            r"$B = B_E L^{-3}\sqrt{1 + 3\sin^2\lambda}/\cos^6\lambda$.",
            rf"$T = 4\sqrt{{\mu_0\rho_e}}\,(L^4 R_E/B_E)\int_0^{{\lambda_0}}"
            rf"\cos^{{{7 - index:g}}}\lambda\,d\lambda$ with $\cos^2\lambda_0 = 1/L$.",
            f"$T$ = {tex(period, 4, unit='s')}.",
        ),
        Numeric(
            period,
            2 * time,
            "s",
            Routes(
                "hypergeometric closed form with units",
                "quadrature along the traced line with vector fields, in SI numbers",
            ),
        ),
    )
    second = Part(
        draw.phrase(
            "Suppose the same line (same number density along it) had been emptied in a storm. "
            f"How long would it take to fill it again, if each of the two ionospheres supplies "
            f"{supply} ions per unit area at $r = R_E$, along the field?",
            f"A storm empties the tube. Ions flow upward along the field with {supply} per unit "
            "area perpendicular to the field at $r = R_E$ in both hemispheres. After what time "
            "does the tube again hold the number of ions that the density given above implies?"
            "",
        ),
        (
            r"Content per unit magnetic flux: $\int n\,ds/B = 2 n_e (L^4 R_E/B_E)"
            rf"\int_0^{{\lambda_0}}\cos^{{{7 - 2 * index:g}}}\lambda\,d\lambda$.",
            rf"At the feet unit flux has the area $1/B_f$, $B_f = B_E\sqrt{{4 - 3/L}}$ = "
            f"{tex(foot_field, 3, unit='uT')}.",
            f"$t$ = content $B_f/(2F)$ = {tex(refill, 3, unit='day')}.",
        ),
        Numeric(
            refill,
            held * surface / (2 * flux.value * 1e12) / si.DAY_S,
            "day",
            Routes("hypergeometric closed form with units", "quadrature along the traced line"),
        ),
    )
    return first, second


_HALVES = (
    "one half wavelength",
    *(f"{number} half wavelengths" for number in ("two", "three", "four", "five")),
)
_ASKED = {
    "content": "the number of ions per unit magnetic flux in the whole tube, ${n}$",
    "time": "the time ${n}$ that an Alfvén wave takes from one end of the line to the other",
    "period": "the period ${n}$ of the standing Alfvén wave with {j} on the line (WKB)",
    "inflow": "the time ${n}$ in which an inflow of $F$ ions per unit magnetic flux and time, in "
    "all, doubles the content of the tube",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Content, travel time, harmonics and refilling with a power law of density."""
    asked = draw.choice(tuple(_ASKED))
    harmonic = draw.integer(1, 5)
    count = asked in ("content", "inflow")
    m = draw.choice(
        [Fraction(k, 2) for k in range(7)] if count else [Fraction(k) for k in range(7)]
    )
    power = int(7 - (2 * m if count else m))
    shell, dense = draw.phrase("r_e", "r_0"), "n_e" if count else r"\rho_e"
    kind = "number density of the ions" if count else "mass density"
    law = (
        f"is ${dense}$ all along it"
        if m == 0
        else rf"is ${dense}$ at the equator and goes as $r^{{-{power_tex(m)}}}$ along it"
    )
    name = {"content": "N", "time": r"\tau", "period": "T", "inflow": r"\tau"}[asked]
    words = _ASKED[asked].format(n=name, j=_HALVES[harmonic - 1])
    question = draw.phrase(
        f"A field line of a dipole crosses the equator at the distance ${shell}$; the equatorial "
        f"field is $B_0$ at the distance $R$. The {kind} {law}.",
        f"In a dipole field, $B_0$ on the equator at the distance $R$ from the centre, consider "
        f"the line that reaches the equator at ${shell}$. On it the {kind} {law}.",
        f"The {kind} on a dipole field line {law}. The line meets the equator at ${shell}$, and "
        "the equatorial field at the distance $R$ is $B_0$.",
    ) + (
        " The planet is so small that the integral may be carried to the centre. "
        + draw.phrase("Derive ", "Find ", "Calculate ")
        + words
        + ("." if count else r"; $\mu_0$ is the vacuum permeability.")
    )
    factor, with_pi = _wallis(power)
    if asked == "period":
        factor = 2 * factor / harmonic
    number = _number(factor, with_pi)
    body = {
        "content": rf"\frac{{n_e {shell}^4}}{{B_0 R^3}}",
        "inflow": rf"\frac{{n_e {shell}^4}}{{F B_0 R^3}}",
    }.get(asked, rf"\frac{{{shell}^4}}{{B_0 R^3}}\sqrt{{\mu_0\rho_e}}")
    final = f"${name} = {number}{body}$"
    ranges = {dense: (0.5, 2.0), shell: (2.0, 5.0), "B_0": (0.5, 2.0), "R": (0.6, 1.5)}
    units = {dense: "m-3" if count else "kg m-3", shell: "m", "B_0": "T", "R": "m"}
    units[""] = {"content": "m-2 T-1"}.get(asked, "s")
    if asked == "inflow":
        ranges["F"], units["F"] = (0.5, 2.0), "m-2 T-1 s-1"
    if not count:
        ranges[r"\mu_0"], units[r"\mu_0"] = (0.5, 2.0), "H m-1"

    def check(at: Mapping[str, float]) -> float:
        far, exponent = at[shell], float(m)

        def weight(r: float, b: float) -> float:
            local = at[dense] * (far / r) ** exponent
            return local / b if count else sqrt(at[r"\mu_0"] * local) / b

        total = _along(weight, far / at["R"], at["B_0"], 1.0, at["R"])
        if asked == "period":
            return 2 * total / harmonic
        return total / at.get("F", 1.0)

    return (
        Part(
            question,
            (
                rf"On the line $r = {shell}\cos^2\lambda$: $ds/B = ({shell}^4/B_0R^3)"
                r"\cos^7\lambda\,d\lambda$.",
                ("The weight is $n$" if count else r"The weight is $\sqrt{\mu_0\rho}$")
                + rf", so that $\int_{{-\pi/2}}^{{\pi/2}}\cos^{{{power}}}\lambda\,d\lambda = "
                rf"{_number(*_wallis(power)) or 1}$ remains.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("integral of a power of the cosine", "quadrature along the traced line"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Adiabatic convection of a tube, or another density law: pressure, content and period."""
    near, far = draw.number(3.0, 5.0), draw.number(6.0, 9.5)
    inward = draw.choice((True, False))
    gamma = draw.choice((Fraction(5, 3), Fraction(4, 3), Fraction(2)))
    start, end = (far, near) if inward else (near, far)
    index = draw.integer(1, 4)
    question = (
        draw.phrase(
            f"A flux tube of a dipole convects from $L$ = {tex(start)} to $L$ = {tex(end)} without "
            "losing or gaining particles or heat;",
            f"Plasma on a whole dipole flux tube is carried from $L$ = {tex(start)} to $L$ = "
            f"{tex(end)}, with no exchange of particles or heat with its surroundings;",
        )
        + f" its pressure is uniform along the line and $p V^{{{power_tex(gamma)}}}$ is kept, "
        rf"where $V = \int ds/B$. The mass density goes as $r^{{-{index}}}$ along the line all the "
        "while, and the size of the planet may be neglected. "
        + draw.phrase(
            "How do the pressure and the WKB period of the fundamental standing Alfvén wave "
            "change?",
            "In which direction do the pressure and the period of the fundamental standing Alfvén "
            "wave (WKB) change?",
        )
    )
    ratio = end / start
    pressure = ratio ** (-4 * float(gamma)) - 1
    # mass per unit flux is kept: rho_e goes as L^-4, and T as sqrt(rho_e) L^4
    period = ratio**2 - 1
    volumes, masses, times = [], [], []
    for shell in (start, end):
        volumes.append(_along(lambda _, b: 1 / b, shell, 1.0, 1.0, 1.0))
        masses.append(_along(lambda r, b, s=shell: (s / r) ** index / b, shell, 1.0, 1.0, 1.0))  # type: ignore[misc]
        times.append(_along(lambda r, b, s=shell: (s / r) ** (index / 2) / b, shell, 1.0, 1.0, 1.0))  # type: ignore[misc]
    other_p = (volumes[0] / volumes[1]) ** float(gamma) - 1
    other_t = times[1] / times[0] * sqrt(masses[0] / masses[1]) - 1
    claims = change_claims(
        ("pressure", "period of the wave"), (pressure, period), (other_p, other_t)
    )
    return (
        Part(
            question,
            (
                rf"$V \propto L^4$, so $p \propto L^{{-{power_tex(4 * gamma)}}}$.",
                r"The mass per unit flux $\propto \rho_e L^4$ is kept, and "
                r"$T \propto \sqrt{\rho_e}\,L^4 \propto L^2$.",
            ),
            stated(claims, Routes("powers of L", "quadratures along the traced lines")),
        ),
    )


def _wallis(power: int) -> tuple[Fraction, bool]:
    """Integral of cos^power from -pi/2 to pi/2: a rational number, times pi or not."""
    value, with_pi = (Fraction(2), False) if power % 2 else (Fraction(1), True)
    for k in range(3 if power % 2 else 2, power + 1, 2):
        value *= Fraction(k - 1, k)
    return value, with_pi


def _number(value: Fraction, with_pi: bool) -> str:
    tail = r"\pi" if with_pi else ""
    if value.denominator == 1:
        head = "" if value == 1 else str(value.numerator)
        return f"{head}{tail} " if head or tail else ""
    top = "" if value.numerator == 1 and with_pi else str(value.numerator)
    return rf"\frac{{{top}{tail}}}{{{value.denominator}}}"


def _field(latitude: float, shell: float, surface: float) -> tuple[float, float]:
    """Radius (unit radius 1) and field strength, from the gradient of the potential."""
    r = shell * cos(latitude) ** 2
    return r, surface * r**-3 * sqrt(cos(latitude) ** 2 + (2 * sin(latitude)) ** 2)


def _along(
    weight: Callable[[float, float], float],
    shell: float,
    surface: float,
    foot_sine: float,
    unit_m: float = si.R_EARTH_M,
) -> float:
    """Integral of weight(r, B) ds between the feet, by Gauss-Legendre along the traced line."""
    end = asin(foot_sine)
    total = 0.0
    for node, share in zip(*gauss_legendre(24), strict=True):
        latitude = end * (node + 1) / 2
        moved = shell * cmath.cos(latitude + 1e-20j) ** 2
        step_r = moved.imag / 1e-20
        r, b = _field(latitude, shell, surface)
        total += share * weight(r * unit_m, b) * sqrt(step_r**2 + r**2)
    return total * end * unit_m


FAMILY = Family(
    title="Flux tubes of a dipole: content and Alfvén travel time",
    assumptions=(
        "undistorted dipole field",
        "power law of the density along a field line",
        "WKB approximation for standing Alfvén waves",
    ),
    sources=(
        "Schulz 1996, J. Geophys. Res. 101, 17385",
        "Denton & Gallagher 2000, J. Geophys. Res. 105, 27717",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
