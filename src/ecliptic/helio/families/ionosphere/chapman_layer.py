r"""Chapman layer in an atmosphere whose scale height grows with height.

With H = H_0 + Gamma (z - z_0) the density of the absorber is n = n_0 (H / H_0)^{-(1+1/Gamma)},
the optical depth n sigma H / cos chi, and a constituent of mass s times the mean mass is ionised
at a rate that peaks where

.. math:: \tau = s + \Gamma .
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import cos, exp, expm1, log, radians, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, power_tex, ratio_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    pass

_GRADIENTS = [Fraction(*pair) for pair in ((0, 1), (1, 10), (1, 5), (1, 4), (1, 3), (2, 5), (1, 2))]
_MASSES = [Fraction(*pair) for pair in ((1, 1), (4, 7), (8, 7), (8, 9), (1, 2), (5, 4))]


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Height of greatest production, then the electron density at a height."""
    from astropy import units

    gamma = draw.number(0.15, 0.5)
    scale = draw.quantity(8.0, 12.0, "km")
    density = draw.quantity(4e17, 6e17, "m-3")
    sigma = draw.quantity(8e-22, 2.5e-21, "m2")
    flux = draw.quantity(1e14, 8e14, "m-2 s-1", log=True)
    zenith = draw.quantity(10.0, 70.0, "deg")
    alpha = draw.quantity(1e-13, 3e-13, "m3 s-1")
    height = draw.quantity(150.0, 220.0, "km")
    air = (
        f"at 120 km the number density is {tex(density)} and the scale height "
        f"$H = k_B T/(mg)$ is {tex(scale)}; $H$ grows linearly with height, $dH/dz$ = {tex(gamma)} "
        "(constant mean mass $m$ and gravity)"
    )
    light = (
        f"Monochromatic radiation with a photon flux of {tex(flux)} above the atmosphere "
        f"({_BEAM}) comes in at a zenith angle of {tex(zenith)}; the absorption cross-section is "
        f"{tex(sigma)}, and "
        "each absorbed photon makes one ion pair"
    )
    setting = draw.phrase(
        f"The lower thermosphere is a plane layer of gas in hydrostatic equilibrium: {air}. "
        f"{light}.",
        f"Consider a plane hydrostatic atmosphere of one gas: {air}. {light}.",
    )
    slant = 1 / cos(radians(zenith.value))
    tau_0 = float((sigma * density * scale).to_value("")) * slant
    ratio = (tau_0 / (1 + gamma)) ** gamma
    peak = 120 * units.km + scale / gamma * (ratio - 1)
    # The optical depth is the pressure in units of m g cos(chi) / sigma.
    h = float((1 + gamma * (height - 120 * units.km) / scale).to_value(""))
    tau = tau_0 * h ** (-1 / gamma)
    rate = sigma * density * h ** (-1 - 1 / gamma) * flux * exp(-tau)
    electrons = ((rate / alpha) ** 0.5).to("m-3")
    scale_m = scale.value * 1e3
    depth = sigma.value * density.value * scale_m * slant
    level = _peak_level(1.0, gamma, depth)
    other_level = log(1 + gamma * (height.value - 120.0) * 1e3 / scale_m) / gamma
    shape = _production(other_level, 1.0, gamma, depth)
    other = sqrt(sigma.value * density.value * flux.value * shape / alpha.value)
    return (
        Part(
            f"{setting} "
            + draw.phrase(
                "At which height is the rate of ion production greatest?",
                "Find the height of the maximum of ion production.",
            ),
            (
                r"$n \propto H^{-(1+1/\Gamma)}$ with $\Gamma = dH/dz$, and the optical depth is "
                r"$\tau = n\sigma H\sec\chi \propto H^{-1/\Gamma}$.",
                r"$q = n\sigma I_\infty e^{-\tau}$ has $d\ln q/dH = (\tau - 1 - \Gamma)/(\Gamma H)"
                r"$, so the peak is at $\tau = 1 + \Gamma$.",
                rf"With $\tau$ = {tex(tau_0, 4)} at 120 km the peak is at {tex(peak, 4)}.",
            ),
            Numeric(
                peak,
                120.0 + scale.value * expm1(gamma * level) / gamma,
                "km",
                Routes("optical depth 1 + Gamma, with units", "maximum of the integrated rate"),
                digits=4,
            ),
        ),
        Part(
            draw.phrase(
                "The ions recombine with electrons with a coefficient of "
                f"{tex(alpha)}, and transport is negligible. What is the equilibrium electron "
                f"density at {tex(height)}?",
                f"Find the steady electron density at {tex(height)} if ions and electrons are lost "
                f"only by recombination, with a coefficient of {tex(alpha)}.",
            ),
            (
                rf"At that height $H$ is {tex(h, 4)} times its value at 120 km, so that "
                rf"$\tau$ = {tex(tau, 3)} and $q$ = {tex(rate.to('m-3 s-1'), 3)}.",
                rf"$N = \sqrt{{q/\alpha}}$ = {tex(electrons, 3)}.",
            ),
            Numeric(
                electrons,
                other,
                "m-3",
                Routes("closed form with units", "quadrature of the optical depth, in SI numbers"),
            ),
        ),
    )


_BEAM = "through a plane at right angles to the rays"
_AIR = "of one gas with constant molecular mass under uniform gravity"

_ASKED = {
    "z": "the height $z_m$ at which the ion production is greatest",
    "q": "the greatest rate of ion production $q_m$ (ion pairs per volume and time)",
    "N": "the electron density $N$ at the height of greatest ion production, if production is "
    r"balanced by recombination with a uniform coefficient $\alpha$ and transport is negligible",
    "B": "the electron density $N$ at the height of greatest ion production, if production is "
    r"balanced there by the loss rate $\beta N$ and transport is negligible",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Peak height, peak rate or density for any gradient and mass of the ionised gas."""
    gamma, mass = draw.choice(_GRADIENTS), draw.choice(_MASSES)
    asked = draw.choice(tuple(_ASKED))
    scale, base, flux = draw.phrase("H", "H_0"), draw.phrase("n_0", "n_a"), draw.phrase("I", "F")
    minor = mass != 1
    air = _AIR.replace("one gas", "one major gas") if minor else _AIR
    absorber = "by the major gas with" if minor else "with"
    local = f"{scale} + {fraction_tex(gamma)} z" if gamma else scale
    profile = (
        rf"has the pressure scale height ${local}$ at height $z$"
        if gamma
        else f"has the same scale height ${scale}$ at all heights $z$"
    )
    target = (
        "Its photons ionise a minor gas in diffusive equilibrium (without thermal diffusion), "
        "whose molecules "
        rf"have ${fraction_tex(mass)}$ of the mass of those of the major gas, whose density "
        r"at $z = 0$ is $n_1$ and whose ionisation cross-section is $\sigma_1$; its own absorption "
        "is negligible."
        if minor
        else "Each absorbed photon makes one ion pair."
    )
    question = draw.phrase(
        f"A plane hydrostatic atmosphere {air} {profile}; at $z = 0$ its number density is "
        f"${base}$. "
        f"Radiation of the photon flux ${flux}$ above the atmosphere ({_BEAM}) and zenith angle "
        f"$\\chi$ is absorbed {absorber} the cross-section $\\sigma$. {target} Derive "
        f"{_ASKED[asked]}.",
        f"Radiation (photon flux ${flux}$ at the top, {_BEAM}; zenith angle $\\chi$) enters a "
        f"plane hydrostatic atmosphere {air}, which {profile} and the number density "
        f"${base}$ at $z = 0$, and is absorbed there {absorber} the cross-section $\\sigma$. "
        f"{target} Find {_ASKED[asked]}.",
    )
    depth = mass + gamma
    tau = rf"\sigma {base} {scale}"
    if asked == "z":
        inner = ratio_tex(1 / depth, tau, r"\cos\chi")
        final = (
            rf"$z_m = {fraction_tex(1 / gamma)} {scale}\left[\left({inner}\right)"
            rf"^{{{power_tex(gamma)}}} - 1\right]$"
            if gamma
            else rf"$z_m = {scale}\ln\left({inner}\right)$"
        )
    else:
        front = r"\sigma_1 n_1" if minor else rf"\sigma {base}"
        share = ratio_tex(depth, r"\cos\chi", tau)
        peak = rf"\left({share}\right)^{{{power_tex(depth)}}}"
        rate = rf"{front} {flux} {peak} e^{{-{power_tex(depth)}}}"
        final = {
            "q": f"$q_m = {rate}$",
            "N": rf"$N = \sqrt{{\frac{{1}}{{\alpha}} {rate}}}$",
            "B": rf"$N = \frac{{1}}{{\beta}} {rate}$",
        }[asked]
    ranges = {r"\sigma": (0.5, 1.0), base: (4.0, 6.0), scale: (1.0, 2.0), r"\chi": (0.1, 1.1)}
    units = {r"\sigma": "m2", base: "m-3", scale: "m", r"\chi": ""}
    units[""] = {"z": "m", "q": "m-3 s-1"}.get(asked, "m-3")
    if asked != "z":
        ranges[flux], units[flux] = (1.0, 3.0), "m-2 s-1"
        if minor:
            ranges |= {r"\sigma_1": (0.3, 0.9), "n_1": (0.5, 1.5)}
            units |= {r"\sigma_1": "m2", "n_1": "m-3"}
    if asked in "NB":
        name = r"\alpha" if asked == "N" else r"\beta"
        ranges[name], units[name] = (0.5, 1.5), "m3 s-1" if asked == "N" else "s-1"

    def check(at: Mapping[str, float]) -> float:
        slope, s = float(gamma), float(mass)
        column = at[r"\sigma"] * at[base] * at[scale] / cos(at[r"\chi"])
        level = _peak_level(s, slope, column)
        if asked == "z":
            return at[scale] * (expm1(slope * level) / slope if slope else level)
        pair = at[r"\sigma_1"] * at["n_1"] if minor else at[r"\sigma"] * at[base]
        rate = pair * at[flux] * _production(level, s, slope, column)
        if asked == "q":
            return rate
        return sqrt(rate / at[r"\alpha"]) if asked == "N" else rate / at[r"\beta"]

    return (
        Part(
            question,
            (
                r"The column above a level is density times local scale height, so "
                r"$\tau = n\sigma H(z)\sec\chi$, which falls as the pressure does.",
                "The density of the ionised gas falls as "
                rf"$d\ln n/dz = -{'' if depth == 1 else fraction_tex(depth)}/H(z)$, that of "
                r"$\tau$ as $-1/H(z)$.",
                rf"$d\ln q/dz = 0$ gives $\tau = {fraction_tex(depth)}$ at the peak.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "numerical maximum, optical depth by quadrature"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Height and rate at the peak under another zenith angle, flux, cross-section or density."""
    changed = draw.choice(("zenith", "flux", "sigma", "base"))
    gamma = draw.choice((0.0, 0.0, draw.number(0.1, 0.4)))
    scale = draw.number(7.0, 12.0)
    low, high = {
        "zenith": (draw.integer(0, 30), draw.integer(45, 75)),
        "flux": (draw.number(1.0, 2.0), draw.number(2.5, 6.0)),
        "sigma": (draw.number(0.5, 1.0), draw.number(1.3, 3.0)),
        "base": (draw.number(2.0, 3.0), draw.number(4.0, 7.0)),
    }[changed]
    before, after = draw.choice(((low, high), (high, low)))
    name, unit = {
        "zenith": ("the zenith angle of the Sun", r"^{\circ}"),
        "flux": ("the ionising photon flux", r"\times 10^{14}\ \mathrm{m^{-2}\,s^{-1}}"),
        "sigma": ("the absorption cross-section", r"\times 10^{-21}\ \mathrm{m^2}"),
        "base": ("the neutral density at 120 km", r"\times 10^{17}\ \mathrm{m^{-3}}"),
    }[changed]
    profile = (
        f"a scale height of {scale} km at 120 km that grows linearly with height ($dH/dz$ = "
        f"{tex(gamma)})"
        if gamma
        else f"a scale height of {scale} km at all heights"
    )
    kept = "The profile of scale heights stays as it is."
    beam = f"Gravity and molecular mass are uniform, and the photon flux is counted {_BEAM}."
    question = draw.phrase(
        f"Monochromatic radiation is absorbed in a plane hydrostatic atmosphere of one gas with "
        f"{profile}, and each absorbed photon makes one ion pair. {beam} Then {name} changes from "
        f"${before}{unit}$ to ${after}{unit}$. {kept} How do the height of the layer (its peak) "
        "and the maximum production rate change, if at all?",
        f"An ionised layer is made by one line of sunlight in a plane hydrostatic gas with "
        f"{profile}; each absorbed photon makes one ion pair. {beam} If {name} is ${after}{unit}$ "
        f"instead of "
        f"${before}{unit}$ and all else is kept, including the scale heights, how do the height "
        "of the layer (its peak of production) and the maximum production rate change, if at all?",
    )
    closed, found = [], []
    for value in (before, after):
        at = {"zenith": 20.0, "flux": 3.0, "sigma": 1.5, "base": 5.0} | {changed: value}
        depth = at["sigma"] * at["base"] * 0.1 * scale / cos(radians(at["zenith"]))
        front = at["sigma"] * at["base"] * at["flux"]
        level = log(depth / (1 + gamma))
        peak = front * ((1 + gamma) / (2.718281828459045 * depth)) ** (1 + gamma)
        closed.append((_height(level, gamma, scale), peak))
        level = _peak_level(1.0, gamma, depth)
        rate = front * _production(level, 1.0, gamma, depth)
        found.append((_height(level, gamma, scale), rate))
    claims = change_claims(
        ("height of the layer", "maximum production rate"),
        relative_changes(*closed),
        relative_changes(*found),
    )
    return (
        Part(
            question,
            (
                r"The peak lies at $\tau = 1 + dH/dz$: higher up for more absorber or a longer "
                "slant path, wherever the flux only scales the rate.",
                r"There $q_m = (1+\Gamma)\,e^{-(1+\Gamma)} I_\infty\cos\chi/H(z_m)$ with "
                r"$\Gamma = dH/dz$: a higher peak lies in a larger scale height if $\Gamma > 0$.",
            ),
            stated(claims, Routes("closed form", "numerical maximum, optical depth by quadrature")),
        ),
    )


def _height(level: float, gamma: float, scale_km: float) -> float:
    return 120.0 + scale_km * (expm1(gamma * level) / gamma if gamma else level)


def _production(level: float, mass: float, gamma: float, depth: float) -> float:
    """Rate in units of sigma n_0 I."""
    return exp(_log_production(level, mass, gamma, depth))


def _log_production(level: float, mass: float, gamma: float, depth: float) -> float:
    """Logarithm of the rate at a level, given as minus the logarithm of the pressure.

    ``depth`` is sigma n_0 H_0 / cos chi; the column is summed over the density above.
    """
    import numpy as np

    above, weights = gauss_legendre(48, 0.0, 40.0)
    levels = level + above
    density = np.exp(-(1 + gamma) * levels)
    tau = depth * float(np.sum(weights * density * np.exp(gamma * levels)))
    return -(mass + gamma) * level - tau


def _peak_level(mass: float, gamma: float, depth: float) -> float:
    """Level of the greatest rate: root of its logarithmic derivative by central differences."""

    def slope(level: float) -> float:
        pair = [_log_production(level + step, mass, gamma, depth) for step in (1e-4, -1e-4)]
        return (pair[0] - pair[1]) / 2e-4

    return bracketed_root(slope, -4.0, 8.0)


FAMILY = Family(
    title="Chapman layer with a gradient of scale height",
    assumptions=(
        "plane hydrostatic atmosphere, scale height constant or linear in height",
        "monochromatic radiation, absorption by one gas",
        "photochemical equilibrium where an electron density is asked for",
    ),
    sources=(
        "Chapman 1931, Proc. Phys. Soc. 43, 26",
        "Rishbeth & Garriott 1969, Introduction to Ionospheric Physics, ch. 3",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
