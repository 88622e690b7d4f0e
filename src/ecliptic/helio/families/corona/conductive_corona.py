r"""Static corona whose temperature is set by heat conduction along a widening tube.

With no source of heat beyond the base, the power :math:`A \kappa_0 T^q |dT/dr|` is the same at all
radii r of a tube of area :math:`A \propto r^s`; pressure then follows from hydrostatic balance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import exp, log, pi
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, power_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KAPPA = 1.0e-11


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Temperature far out, power conducted, and the pressure left at infinity."""
    from astropy import constants, units

    base = draw.quantity(0.9, 2.2, "MK")
    start = draw.quantity(1.02, 1.5, "R_sun", digits=3)
    far = draw.quantity(5.0, 215.0, "R_sun", digits=3)
    density = draw.quantity(0.5e14, 4e14, "m-3")
    mean_mass = draw.choice((0.5, 0.6))
    setting = draw.phrase(
        f"A static, spherically symmetric corona has no source or loss of heat above its base at "
        f"{tex(start, unit='R_sun')}, where it has {tex(base)}. Heat is conducted radially with "
        r"$\kappa = \kappa_0T^{5/2}$, $\kappa_0 = 10^{-11}\ \mathrm{W\,m^{-1}\,K^{-7/2}}$, and the "
        "temperature vanishes at infinity.",
        f"Above {tex(start, unit='R_sun')}, where the temperature is {tex(base)}, a static and "
        "spherical solar corona neither gains nor loses heat; the conductivity is "
        r"$\kappa_0T^{5/2}$ with $\kappa_0 = 10^{-11}\ \mathrm{W\,m^{-1}\,K^{-7/2}}$, and "
        "$T \\to 0$ far away.",
    )
    temperature = (base * (start / far) ** (2 / 7)).to("MK")
    conductivity = _KAPPA * units.Unit("W m-1 K(-7/2)")
    power = (8 * pi / 7 * conductivity * base**3.5 * start).to("W")
    weight = constants.G * constants.M_sun * mean_mass * constants.m_p
    drop = (7 / 5 * weight / (constants.k_B * base * start)).to_value("")
    share = float(constants.k_B.value * base.to_value("K") * density.value) * exp(-drop)
    base_k, start_m = base.value * 1e6, start.value * si.R_SUN_M
    column = _Tube(2.0, 2.5, base_k, start_m)
    gm_over_k = si.GM_SUN * mean_mass * si.M_P / si.K_B
    first = Part(
        f"{setting} "
        + draw.phrase(
            f"What is the temperature at {tex(far, unit='R_sun')}?",
            f"Find the temperature at {tex(far, unit='R_sun')} from the Sun's centre.",
        ),
        (
            r"$\frac{d}{dr}\left(r^2\kappa_0T^{5/2}\frac{dT}{dr}\right) = 0$, so $T^{7/2}$ is "
            "linear in $1/r$.",
            rf"With $T(\infty) = 0$: $T = T_0(r_0/r)^{{2/7}}$ = {tex(temperature, 3, unit='MK')}.",
        ),
        Numeric(
            temperature,
            column.temperature(far.value * si.R_SUN_M) / 1e6,
            "MK",
            Routes("closed form with units", "root of the integrated heat flux, SI numbers"),
        ),
    )
    second = Part(
        draw.phrase(
            "Which power is conducted outward through a sphere around the Sun?",
            "How much heat per time does conduction carry away through the whole sphere?",
        ),
        (
            r"$4\pi r^2\kappa_0T^{5/2}|dT/dr| = \frac{8\pi}{7}\kappa_0T_0^{7/2}r_0$ at every "
            f"radius: {tex(power, 3, unit='W')}.",
        ),
        Numeric(
            power,
            4 * pi * start_m**2 * column.flux(_KAPPA),
            "W",
            Routes("closed form with units", "flux that makes the integral reach infinity"),
        ),
    )
    gas = "hydrogen" if mean_mass == 0.5 else "hydrogen and helium"
    third = Part(
        draw.phrase(
            f"The gas is fully ionised {gas} of mean molecular weight {tex(mean_mass)}, with "
            f"{tex(density)} particles per volume at the base. Which pressure is left at an "
            "infinite distance in hydrostatic balance with the Sun's gravity?",
            f"With a mean molecular weight of {tex(mean_mass)} and {tex(density)} particles (of "
            "all kinds) per volume at the base, and the Sun's gravity balanced by the pressure "
            "gradient alone, to which pressure does the corona tend at infinity?",
        ),
        (
            r"$d\ln p/dr = -\frac{GM_\odot\mu m_p}{k_BT_0r^2}(r/r_0)^{2/7}$, integrated to "
            r"infinity: $p_\infty = p_0\exp\left(-\frac{7GM_\odot\mu m_p}{5k_BT_0r_0}\right)$.",
            f"The exponent is {tex(-drop, 4)} and $p_0$ = "
            f"{tex(share * exp(drop) * units.Pa, 3, unit='mPa')}.",
        ),
        Numeric(
            share * units.Pa,
            density.value * si.K_B * base_k * exp(-gm_over_k * column.weight()),
            "Pa",
            Routes("closed form with units", "quadrature of gravity over temperature"),
            agreement=3e-6,
        ),
    )
    return first, second, third


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Temperature, flux and pressure for any widening and any law of conductivity."""
    power = draw.choice([Fraction(k, 4) for k in (2, 4, 6, 8, 10)])
    widening = draw.choice([Fraction(k, 4) for k in range(5, 13)])
    asked = draw.choice(("temperature", "flux", "pressure", "bounded"))
    if widening > power + 1:
        widening = Fraction(2)
    start, base = draw.phrase("r_0", "R"), draw.phrase("T_0", "T_b")
    slope = (widening - 1) / (power + 1)
    law = r"\kappa_0T" if power == 1 else rf"\kappa_0T^{{{power_tex(power)}}}"
    edge = (
        f"at $r_1 > {start}$ the temperature is held at $T_1 < {base}$"
        if asked == "bounded"
        else "the temperature vanishes at infinity"
    )
    setting = draw.phrase(
        rf"Heat is conducted along a coronal flux tube of cross-section $\propto "
        rf"r^{{{power_tex(widening)}}}$ with the conductivity ${law}$; nothing heats or cools the "
        f"static plasma above ${start}$, where its temperature is ${base}$, and {edge}.",
        rf"In a static corona the conductivity along the field is ${law}$ and the tubes of force "
        rf"widen as $r^{{{power_tex(widening)}}}$. There is no source or loss of heat between the "
        f"base at ${start}$, where $T = {base}$, and the far end: {edge}.",
    )
    ask = {
        "temperature": "temperature $T$ at radius $r$",
        "bounded": f"temperature $T$ at radius $r$ between ${start}$ and $r_1$",
        "flux": f"conductive heat flux $F$ (power per area) that leaves the base at ${start}$",
        "pressure": f"pressure $p_\\infty$ at infinity, when the pressure at ${start}$ is $p_0$, "
        "the gravity $GM/r^2$ acts along the radial tube and the mean mass of a particle is $m$",
    }[asked]
    question = f"{setting} " + draw.phrase(f"Derive the {ask}.", f"Find the {ask}.")
    up, inverse = power_tex(power + 1), power_tex(1 / (power + 1))
    weight = power_tex(widening - 1)
    ratio = (power + 1) / (power + 2 - widening)
    final = {
        "temperature": rf"$T = {base}\left(\frac{{{start}}}{{r}}\right)^{{{power_tex(slope)}}}$",
        "bounded": rf"$T = \left(T_1^{{{up}}} + ({base}^{{{up}}} - T_1^{{{up}}})"
        rf"\frac{{r^{{-{weight}}} - r_1^{{-{weight}}}}}{{{start}^{{-{weight}}} - "
        rf"r_1^{{-{weight}}}}}\right)^{{{inverse}}}$",
        "flux": rf"$F = {factor_tex(slope)}\frac{{\kappa_0{base}^{{{up}}}}}{{{start}}}$",
        "pressure": rf"$p_\infty = p_0\exp\left(-{factor_tex(ratio)}"
        rf"\frac{{GMm}}{{k_B{base}{start}}}\right)$",
    }[asked]
    ranges = {base: (1.5, 3.0), start: (1.0, 1.5)}
    units = {"": "K", base: "K", start: "m"}
    if asked in ("temperature", "bounded"):
        ranges["r"], units["r"] = (1.6, 3.0), "m"
    if asked == "bounded":
        ranges |= {"T_1": (0.5, 1.4), "r_1": (3.2, 6.0)}
        units |= {"T_1": "K", "r_1": "m"}
    elif asked == "flux":
        ranges[r"\kappa_0"] = (0.5, 2.0)
        units |= {r"\kappa_0": f"W m-1 K({-power - 1})", "": "W m-2"}
        if power.denominator == 1:
            units[r"\kappa_0"] = f"W m-1 K{-power - 1}"
    elif asked == "pressure":
        ranges |= dict.fromkeys(("p_0", "G", "M", "m", "k_B"), (0.5, 2.0))
        units |= {"": "Pa", "p_0": "Pa", "G": "m3 kg-1 s-2", "M": "kg", "m": "kg", "k_B": "J K-1"}

    def check(at: Mapping[str, float]) -> float:
        tube = _Tube(
            float(widening),
            float(power),
            at[base],
            at[start],
            at.get("T_1", 0.0),
            at.get("r_1", 0.0),
        )
        if asked in ("temperature", "bounded"):
            return tube.temperature(at["r"])
        if asked == "flux":
            return tube.flux(at[r"\kappa_0"])
        return at["p_0"] * exp(-at["G"] * at["M"] * at["m"] / at["k_B"] * tube.weight())

    more = (
        (r"$d\ln p/dr = -GMm/(k_BTr^2)$, integrated from the base to infinity.",)
        if asked == "pressure"
        else ()
    )
    return (
        Part(
            question,
            (
                rf"$A\kappa_0T^{{{power_tex(power)}}}dT/dr$ is constant, so $T^{{{up}}}$ is "
                rf"linear in $r^{{-{weight}}}$.",
                *more,
                f"With the boundary values: {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "quadrature over temperature and a root"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Which of two tubes stays hotter, and which conducts more at the base."""
    while True:
        bases = [draw.number(0.8, 2.5) for _ in range(2)]
        widths = [draw.number(1.6, 3.4) for _ in range(2)]
        far = draw.number(3.0, 30.0)
        slopes = [2 * (width - 1) / 7 for width in widths]
        changes = [
            log(bases[1] / bases[0]) - (slopes[1] - slopes[0]) * log(far),
            3.5 * log(bases[1] / bases[0]) + log(slopes[1] / slopes[0]),
        ]
        if min(abs(change) for change in changes) > 0.05 and widths[0] != widths[1]:
            break
    ends = [
        rf"{tex(base, unit='MK')} at the base and a cross-section $\propto r^{{{width}}}$"
        for base, width in zip(bases, widths, strict=True)
    ]
    question = draw.phrase(
        r"Heat is conducted outward (conductivity $\propto T^{5/2}$) through two static coronal "
        r"flux tubes that rise radially from $1\ R_{\odot}$ and neither gain nor lose heat there; "
        f"the temperature vanishes at infinity. The first has {ends[0]}, the second {ends[1]}. "
        f"From the first to the second, how do the temperature at {tex(far, unit='R_sun')} and "
        f"the heat flux per area at the base change?"
        "",
        f"Compare two radial, static coronal tubes: one with {ends[0]}, the other with {ends[1]}. "
        r"Above the base at $1\ R_{\odot}$ only conduction along the tube transports energy, with "
        r"a conductivity $\propto T^{5/2}$, and $T \to 0$ far away. Going from the first to the "
        f"second, in which direction do the temperature at {tex(far, unit='R_sun')} and the heat "
        f"flux per area at the base change?"
        "",
    )
    tubes = [_Tube(w, 2.5, t, 1.0) for w, t in zip(widths, bases, strict=True)]
    others = [(tube.temperature(far), tube.flux(1.0)) for tube in tubes]
    closed = [
        (base * far**-slope, slope * base**3.5) for base, slope in zip(bases, slopes, strict=True)
    ]
    claims = change_claims(
        (f"temperature at {far:g} solar radii", "conductive flux at the base"),
        relative_changes(*closed),
        relative_changes(*others),
    )
    return (
        Part(
            question,
            (
                r"For a cross-section $\propto r^s$: $T = T_0(r_0/r)^{2(s-1)/7}$ and "
                r"$F_0 = \frac{2(s-1)}{7}\kappa_0T_0^{7/2}/r_0$.",
                "The ratios of second to first are "
                f"{tex(closed[1][0] / closed[0][0], 3)} (temperature) and "
                f"{tex(closed[1][1] / closed[0][1], 3)} (flux).",
            ),
            stated(claims, Routes("closed forms", "quadrature over temperature and a root")),
        ),
    )


class _Tube:
    """A conducting tube, by quadrature with temperature as the variable."""

    def __init__(
        self,
        widening: float,
        power: float,
        base: float,
        start: float,
        end_temperature: float = 0.0,
        end: float = 0.0,
    ) -> None:
        self._widening, self._power, self._base, self._start = widening, power, base, start
        self._low = end_temperature
        self._whole = self._path(start, end)

    def _path(self, start: float, end: float = 0.0) -> float:
        """Integral of dr / r^s, in units of the base, by nodes in the logarithm (end 0: far)."""
        import numpy as np

        nodes, weights = gauss_legendre(48, 0.0, 1.0)
        order = self._widening - 1
        # The variable u = exp(-order ln(r / r_0)) turns an infinite range into a finite one.
        high = exp(-order * log(start / self._start))
        low = exp(-order * log(end / self._start)) if end else 0.0
        u = low + (high - low) * nodes
        radius = np.exp(-np.log(u) / order)
        slope = radius / (order * u)
        return float(np.sum(weights * (high - low) * slope * radius**-self._widening))

    def _integral(
        self, function: Callable[[NDArray[np.float64]], NDArray[np.float64]], high: float
    ) -> float:
        import numpy as np

        root, weights = gauss_legendre(48, 0.0, 1.0)
        t = self._low + (high - self._low) * root**4
        return float(np.sum(weights * 4 * root**3 * function(t)) * (high - self._low))

    def temperature(self, radius: float) -> float:
        """Where the conducted heat has as much way left as from ``radius`` outward."""

        whole = self._integral(lambda t: t**self._power, self._base)
        inner = self._path(self._start, radius)
        share = 1 - inner / self._whole

        def excess(t: float) -> float:
            return self._integral(lambda x: x**self._power, t) / whole - share

        low = max(self._low, 1e-6 * self._base)
        return bracketed_root(excess, low, self._base)

    def flux(self, kappa: float) -> float:
        """Heat flux at the base."""
        return (
            kappa
            * self._integral(lambda t: t**self._power, self._base)
            / (self._whole * self._start)
        )

    def weight(self) -> float:
        """Integral of dr / (T r^2) from the base to infinity."""
        whole = self._integral(lambda t: t**self._power, self._base)
        order = self._widening - 1

        def part(t: NDArray[np.float64]) -> NDArray[np.float64]:
            # r / r_0 at the temperature t, then dr by the constancy of the conducted power.
            radius = ((t / self._base) ** (self._power + 1)) ** (-1 / order)
            return t ** (self._power - 1) * radius ** (self._widening - 2) * self._whole / whole

        return self._integral(part, self._base) / self._start


FAMILY = Family(
    title="Static conductive corona",
    assumptions=(
        "static plasma without sources or losses of heat above the base",
        "conduction along radial flux tubes",
    ),
    sources=(
        "Chapman 1957, Smithsonian Contributions to Astrophysics 2, 1",
        "Parker 1958, ApJ 128, 664",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
