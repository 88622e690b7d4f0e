r"""Magnetopause stand-off: stagnation pressure of the shocked wind against a compressed field.

A strong shock followed by adiabatic deceleration to rest gives the pressure

.. math:: p = \kappa \rho v^2, \qquad \kappa = \frac{2}{\gamma + 1}
          \Bigl[\frac{(\gamma + 1)^2}{4 \gamma}\Bigr]^{\gamma / (\gamma - 1)},

and a plane magnetopause doubles the dipole field at its nose (image dipole at twice the distance).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import exp, log, pi

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, power_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_IMAGE = (
    "the magnetopause is a plane perpendicular to the Sun-Earth line, so that outside sources add "
    "the field of an image dipole, equal to the Earth's, at twice the distance of the plane"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Stand-off distance behind an interplanetary shock, then the sudden impulse on the ground."""
    from astropy import constants, units

    field = draw.quantity(29.5, 31.2, "uT", digits=3)
    helium = draw.number(0.02, 0.08)
    coefficient = draw.number(0.84, 0.98)
    calm = draw.quantity(3.0, 7.0, "cm-3"), draw.quantity(330.0, 430.0, "km s-1")
    storm = draw.quantity(11.0, 30.0, "cm-3"), draw.quantity(480.0, 750.0, "km s-1")
    setting = draw.phrase(
        "Behind an interplanetary shock the solar wind has a proton density of "
        f"{tex(storm[0])} and a speed of {tex(storm[1])}; there are {tex(helium)} alpha particles "
        "(mass $4 m_p$) for each proton.",
        f"A shocked solar wind with {tex(storm[0])} protons, {tex(helium)} alpha particles (mass "
        f"$4 m_p$) per proton and a speed of {tex(storm[1])} reaches the Earth.",
    )
    model = (
        rf"At the nose of the magnetopause it exerts the pressure ${coefficient}\,\rho v^2$, "
        "which is balanced by the magnetic pressure inside. The Earth's dipole, perpendicular to "
        f"the Sun-Earth line, has {tex(field)} at the surface on the equator; {_IMAGE}. "
    )

    def standoff(density: object, speed: object) -> object:
        rho = density * (1 + 4 * helium) * constants.m_p  # type: ignore[operator]
        pressure = coefficient * rho * speed**2  # type: ignore[operator]
        ratio = (2 * field) ** 2 / (2 * constants.mu0 * pressure)
        return ratio.to_value("") ** (1 / 6)

    near, far = standoff(*storm), standoff(*calm)
    rise = (field * ((2 * near - 1) ** -3 - (2 * far - 1) ** -3)).to("nT")  # type: ignore[operator]
    b_tesla = field.value * 1e-6
    other = [
        _standoff_m(
            coefficient * n.value * 1e6 * (1 + 4 * helium) * si.M_P * (v.value * 1e3) ** 2, b_tesla
        )
        for n, v in (storm, calm)
    ]
    surface = [_image_field(2 * d - si.R_EARTH_M, b_tesla) for d in other]
    first = Part(
        f"{setting} {model}"
        + draw.phrase(
            "At which geocentric distance is the nose?",
            "Find the stand-off distance from the Earth's centre.",
        ),
        (
            r"With the image the field inside the nose is $B = 2 B_E (R_E/d)^3$.",
            rf"$B^2/(2\mu_0) = {coefficient}\,\rho v^2$ with $\rho = (1 + 4 \times {helium}) n_p "
            "m_p$.",
            f"$d$ = {tex(near * units.R_earth, 4, unit='R_earth')}.",
        ),
        Numeric(
            near * units.R_earth,
            other[0] / si.R_EARTH_M,
            "R_earth",
            Routes(
                "pressure balance solved in closed form, with units",
                "root of the pressure balance with the vector fields of both dipoles",
            ),
            digits=4,
        ),
    )
    second = Part(
        draw.phrase(
            f"Before the shock the wind had {tex(calm[0])} protons and {tex(calm[1])} (same "
            "composition and pressure coefficient). By how much does the northward field at "
            "noon on the equator, at the Earth's surface, rise when the shocked wind arrives? "
            "Count only the field of the outside sources (image dipole), not currents induced in "
            "the Earth.",
            f"Ahead of the shock there were {tex(calm[0])} protons and {tex(calm[1])}, with the "
            f"same "
            "composition and pressure coefficient. Find the sudden rise of the northward field at "
            "the noon point of the equator on the ground (field of the image dipole only, "
            "without induction in the Earth).",
        ),
        (
            r"At noon on the surface the image is at the distance $2d - R_E$: "
            r"$b = B_E\,[R_E/(2d - R_E)]^3$, northward.",
            f"Before the shock $d$ = {tex(far * units.R_earth, 4, unit='R_earth')}.",
            rf"$\Delta b$ = {tex(rise, 3, unit='nT')}.",
        ),
        Numeric(
            rise,
            (surface[0] - surface[1]) * 1e9,
            "nT",
            Routes("closed form with units", "vector field of the image dipole, in SI numbers"),
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Stand-off distance from the jump conditions, for any adiabatic index and field decay."""
    gamma = draw.choice([Fraction(*at) for at in ((5, 3), (2, 1), (7, 5), (4, 3), (3, 2))])
    decay = draw.choice([Fraction(*at) for at in ((3, 1), (4, 1), (5, 1), (5, 2), (2, 1))])
    inside = draw.choice(("vacuum", "beta", "fraction"))
    image = draw.choice((True, False))
    factor = "2" if image else draw.phrase("f", "C")
    rho, speed, radius = draw.phrase(r"\rho", r"\rho_1"), draw.phrase("v", "V"), "R"
    plasma = {
        "vacuum": "and the plasma inside is negligible",
        "beta": r"and the plasma inside has the ratio $\beta$ of gas to magnetic pressure",
        "fraction": r"and the plasma inside provides the fraction $\epsilon$ of the total "
        "pressure there",
    }[inside]
    setting = draw.phrase(
        f"A hypersonic, unmagnetised wind (density ${rho}$, speed ${speed}$, adiabatic index "
        f"$\\gamma = {power_tex(gamma)}$) passes a strong shock ahead of a planet and is then "
        "slowed to rest adiabatically on the stagnation streamline.",
        f"On the line of symmetry ahead of a magnetised planet a cold wind of density ${rho}$ and "
        f"speed ${speed}$ passes a strong normal shock, and then comes to rest isentropically at "
        f"the magnetopause; its adiabatic index is $\\gamma = {power_tex(gamma)}$.",
    )
    question = (
        f"{setting} The equatorial field of the planet (radius ${radius}$) falls as "
        f"$B_0 ({radius}/r)^{{{power_tex(decay)}}}$, magnetopause currents multiply it by "
        f"${factor}$ just inside the nose, {plasma}. "
        + draw.phrase(
            "Derive the stand-off distance $d$, with vacuum permeability $\\mu_0$.",
            "Find the distance $d$ of the magnetopause's nose ($\\mu_0$: vacuum permeability).",
        )
    )
    power = gamma / (gamma - 1)
    inner = (gamma + 1) ** 2 / (4 * gamma)
    kappa = (
        rf"{fraction_tex(2 / (gamma + 1))}\left({fraction_tex(inner)}\right)^{{{power_tex(power)}}}"
    )
    load = {"vacuum": "", "beta": r"(1 + \beta)", "fraction": ""}[inside]
    share = r"(1 - \epsilon)" if inside == "fraction" else ""
    top = f"2 {load} B_0^2" if image else f"{factor}^2 {load} B_0^2"
    half = "" if image else "2"
    final = (
        rf"$d = {radius}\left(\frac{{{top}}}{{{half}\mu_0 \kappa {share} {rho} {speed}^2}}"
        rf"\right)^{{{power_tex(1 / (2 * decay))}}},\quad \kappa = {kappa}$"
    ).replace("  ", " ")
    ranges = {r"\mu_0": (0.5, 1.5), rho: (0.5, 1.5), speed: (0.6, 1.4), "B_0": (20.0, 60.0)}
    units = {r"\mu_0": "H m-1", rho: "kg m-3", speed: "m s-1", "B_0": "T"}
    ranges[radius], units[radius], units[""] = (0.5, 1.5), "m", "m"
    if not image:
        ranges[factor], units[factor] = (1.5, 2.8), ""
    if inside != "vacuum":
        name = r"\beta" if inside == "beta" else r"\epsilon"
        ranges[name], units[name] = (0.1, 0.6), ""

    def check(at: Mapping[str, float]) -> float:
        outside = _stagnation(float(gamma)) * at[rho] * at[speed] ** 2
        extra = 1 + at.get(r"\beta", 0.0)
        if inside == "fraction":
            extra = 1 / (1 - at[r"\epsilon"])

        def balance(log_d: float) -> float:
            b = (
                at.get(factor, 2.0)
                * at["B_0"]
                * exp(-float(decay) * log_d)
                * at[radius] ** float(decay)
            )
            return log(extra * b * b / (2 * at[r"\mu_0"]) / outside)

        return exp(bracketed_root(balance, -20.0, 40.0))

    return (
        Part(
            question,
            (
                rf"Strong shock: $\rho_2 = {fraction_tex((gamma + 1) / (gamma - 1))}\,{rho}$, "
                rf"$p_2 = {fraction_tex(2 / (gamma + 1))}\,{rho} {speed}^2$, "
                rf"$M_2^2 = {fraction_tex((gamma - 1) / (2 * gamma))}$.",
                r"Bernoulli with $p \propto \rho^\gamma$: $p_0 = p_2\,[1 + (\gamma - 1)M_2^2/2]"
                rf"^{{\gamma/(\gamma-1)}} = \kappa {rho} {speed}^2$, $\kappa = {kappa}$.",
                f"Equal total pressures at the nose give {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "jump conditions and Bernoulli's equation in closed form",
                    "numerical root of the flux conservation laws, quadrature of dp/rho, and root "
                    "of the pressure balance",
                ),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """A wind that gets denser and slower, or the reverse: size and field of the dayside."""
    dense, thin = draw.number(8.0, 20.0), draw.number(2.0, 6.0)
    slow = draw.number(300.0, 420.0)
    # away from equal pressures, where the direction would be a matter of rounding
    ratio = (dense / thin) ** 0.5 * draw.choice((draw.number(1.2, 1.6), draw.number(0.55, 0.8)))
    fast = float(f"{min(max(slow * ratio, slow * 1.1), 1500.0):.3g}")
    states = draw.choice((((dense, slow), (thin, fast)), ((thin, fast), (dense, slow))))
    told = [f"{tex(n, unit='cm-3')} and {tex(v, unit='km s-1')}" for n, v in states]
    question = (
        "The nose of the Earth's magnetopause is where the wind's pressure, a fixed multiple of "
        rf"$\rho v^2$, balances the magnetic pressure inside; {_IMAGE}. "
        + draw.phrase(
            f"The wind (protons) changes from {told[0]} to {told[1]}. How do the stand-off "
            "distance and the northward field of the outside sources at noon on the equator, on "
            "the ground, change"
            "?",
            f"Two proton winds are compared, first {told[0]}, then {told[1]}. In which direction "
            "do the stand-off distance and the northward field that the outside sources add at "
            "the noon point of the equator on the ground change from the first to the second?",
            f"A proton wind of {told[0]} gives way to one of {told[1]}. Say how the distance of "
            "the magnetopause and the northward contribution of the outside sources to the field "
            "at noon on the Earth's equator change.",
        )
    )
    pressures = [n * 1e6 * si.M_P * (v * 1e3) ** 2 for n, v in states]
    closed = [(4 * 9.6e-10 / (2 * si.MU_0 * p)) ** (1 / 6) for p in pressures]
    solved = [_standoff_m(p, 3.1e-5) for p in pressures]
    added = [(2 * d - 1) ** -3 for d in closed]
    found = [_image_field(2 * d - si.R_EARTH_M, 3.1e-5) for d in solved]
    claims = (
        change_claim("stand-off distance", closed[1] / closed[0] - 1, solved[1] / solved[0] - 1),
        change_claim(
            "field of the outside sources", added[1] / added[0] - 1, found[1] / found[0] - 1
        ),
    )
    return (
        Part(
            question,
            (
                r"$d \propto (\rho v^2)^{-1/6}$: only the product of density and squared speed "
                "counts.",
                rf"It changes by the factor {tex(pressures[1] / pressures[0], 3)}.",
                r"The image, at $2d - R_E$ from the noon point, comes closer when $d$ shrinks.",
            ),
            stated(
                claims,
                Routes("closed form", "root of the pressure balance with vector dipole fields"),
            ),
        ),
    )


def _image_field(distance_m: float, surface_tesla: float) -> float:
    """Northward field on the equator of a dipole, from its moment in A m2."""
    moment = 4 * pi * surface_tesla * si.R_EARTH_M**3 / si.MU_0
    return si.MU_0 * moment / (4 * pi * distance_m**3)


def _standoff_m(pressure: float, surface_tesla: float) -> float:
    def balance(log_d: float) -> float:
        d = exp(log_d)
        # the image at 2 d is as far from the nose as the Earth is
        inside = sum(_image_field(abs(d - at), surface_tesla) for at in (0.0, 2 * d))
        return log(inside**2 / (2 * si.MU_0 * pressure))

    return exp(bracketed_root(balance, log(1e6), log(1e10)))


@lru_cache(maxsize=16)
def _stagnation(gamma: float, density: float = 1.0, speed: float = 1.0) -> float:
    """Pressure at rest behind a strong shock, from the conservation laws and Bernoulli."""
    import numpy as np

    nodes, weights = np.polynomial.legendre.leggauss(16)

    def energy(share: float) -> float:
        # fluxes of mass and momentum give density and pressure for the speed share * speed
        rho, p = density / share, density * speed**2 * (1 - share)
        behind = (share * speed) ** 2 / 2 + gamma / (gamma - 1) * p / rho
        return behind / (speed**2 / 2) - 1

    share = bracketed_root(energy, 1e-3, 0.9)
    rho, p = density / share, density * speed**2 * (1 - share)

    def work(rise: float) -> float:
        inverse = (1 + rise * (nodes + 1) / 2) ** (-1 / gamma) / rho
        done = p * rise / 2 * float(np.sum(weights * inverse))
        return float(done / ((share * speed) ** 2 / 2)) - 1

    return p * (1 + bracketed_root(work, 1e-6, 1.0))


FAMILY = Family(
    title="Stand-off distance of the magnetopause",
    assumptions=(
        "pressure balance on the stagnation streamline, tangential stress negligible",
        "dipole or power-law field, compressed by the magnetopause currents",
    ),
    sources=(
        "Spreiter, Summers & Alksne 1966, Planetary and Space Science 14, 223",
        "Kivelson & Russell 1995, Introduction to Space Physics, ch. 6",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
