r"""Phase mixing: Alfvén waves on neighbouring field lines run out of step and are damped.

Field lines along z have :math:`v_A = v_0(x) f(z)`. A wave of frequency :math:`\omega` has the phase
:math:`\omega \int dz / v_A`, hence a transverse wavenumber

.. math:: k_x = \frac{\omega \beta}{v_0^2} w, \qquad \beta = \frac{dv_0}{dx}, \quad
          w = \int_0^z \frac{dz'}{f(z')},

and viscosity and resistivity take :math:`(\nu + \eta) k_x^2` of its energy per time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import exp, log, pi
from typing import TYPE_CHECKING

from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import (
    factor_tex,
    fraction_tex,
    power_tex,
    ratio_tex,
    tex,
    unit_of,
)
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WAVES = (
    "linear shear Alfvén waves, polarised at right angles to the field and to the gradient of the "
    "Alfvén speed, are driven in phase at the base $z = 0$"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Height at which the flux has fallen to 1/e, then the heat left below a height."""
    while True:
        values = (
            draw.number(600.0, 2000.0),
            draw.number(0.5, 5.0),
            draw.number(30.0, 300.0),
            draw.number(1e8, 3e9, log=True),
        )
        kms, scale, seconds, spread = values
        cube = 3e21 * kms**3 * scale**2 / (spread * (2 * pi / seconds) ** 2)
        reach = cube ** (1 / 3) / 1e6
        # Weak damping over a wavelength, strong mixing, and a height within the corona.
        if max(2e-3 * kms * seconds, 10 * scale) < reach < 700.0:
            break
    speed, width, period, damping = (
        value * unit_of(unit)
        for value, unit in zip(values, ("km s-1", "Mm", "s", "m2 s-1"), strict=True)
    )
    frequency = 2 * pi / period
    height = ((3 * speed**3 * width**2 / (damping * frequency**2)) ** (1 / 3)).to("Mm")
    density = draw.quantity(3e-13, 3e-12, "kg m-3", log=True)
    motion = draw.quantity(15.0, 50.0, "km s-1")
    setting = draw.phrase(
        rf"In a coronal region with vertical field lines the Alfvén speed does not vary with "
        f"height, but across the field it does: it is {tex(speed)} on a given line, and its "
        f"gradient is its value divided by {tex(width)}. Along these lines {_WAVES} with a period "
        f"of {tex(period)}. The sum of kinematic viscosity and magnetic diffusivity is "
        f"{tex(damping)}; damping is weak over one wavelength.",
        f"Along straight field lines, {_WAVES} (period {tex(period)}). On one line "
        rf"$v_A$ = {tex(speed)}, with $v_A/|dv_A/dx|$ = {tex(width)} across the field and no "
        f"variation along it; the plasma has $\\nu + \\eta$ = {tex(damping)} (viscosity plus "
        "magnetic diffusivity), so small that a wave hardly decays within one wavelength.",
    )
    below = (draw.number(0.4, 1.2) * height).round(0)
    flux = (density * motion**2 * speed).to("W m-2")
    heat = flux * (1 - exp(-(float((below / height).to_value("")) ** 3)))
    wave = (speed.value * 1e3, 2 * pi / period.value, damping.value, width.value * 1e6)
    numbers = _efold(*wave)
    column = below.value * 1e6
    first = Part(
        f"{setting} "
        + draw.phrase(
            "At which height on this line has phase mixing reduced the energy flux of the waves to "
            "$1/e$ of that at the base?",
            "How far along this line does the energy flux of the waves fall by a factor $e$ "
            "because of phase mixing?",
        ),
        (
            r"Neighbouring lines get out of phase: $k_x = \omega z\,|dv_A/dx|/v_A^2$.",
            r"The flux obeys $d\ln F/dz = -(\nu+\eta)k_x^2/v_A$, so $F = F_0e^{-(z/z_e)^3}$ with "
            r"$z_e^3 = 3v_A^5/[(\nu+\eta)\omega^2(dv_A/dx)^2]$.",
            f"$z_e$ = {tex(height, 4, unit='Mm')}.",
        ),
        Numeric(
            height,
            numbers / 1e6,
            "Mm",
            Routes(
                "closed form with units",
                "phases of neighbouring lines, quadrature of the damping and a root",
            ),
            digits=4,
        ),
    )
    second = Part(
        draw.phrase(
            f"At the base the density is {tex(density)} and the wave velocity {tex(motion)} (root "
            f"mean square). How much power per area turns into heat on this line below "
            f"{tex(below, unit='Mm')}?",
            f"The waves leave the base with an rms velocity of {tex(motion)} where the density is "
            f"{tex(density)}. How much power per area do they lose to heat on this line up to a "
            f"height of"
            f" {tex(below, unit='Mm')}?",
        ),
        (
            rf"$F_0 = \rho\langle v^2\rangle v_A$ = {tex(flux, 3, unit='W m-2')}.",
            rf"$F_0[1 - e^{{-(z/z_e)^3}}]$ = {tex(heat, 3, unit='W m-2')}.",
        ),
        Numeric(
            heat,
            density.value
            * (motion.value * 1e3) ** 2
            * wave[0]
            * (1 - exp(-_depth(column, _even, *wave))),
            "W m-2",
            Routes("closed form with units", "quadrature of the damping, SI numbers"),
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Flux at a height, or the height of 1/e, when the Alfvén speed varies along the lines too."""
    power = draw.choice([Fraction(k, 6) for k in (-6, -3, -2, 2, 3, 4, 8, 9)])
    count = draw.choice([Fraction(k, 2) for k in (1, 2, 3, 4, 6, 8)])
    law = draw.choice(("even", "exponential", "power", "power", "exponential"))
    asked = draw.choice(("flux", "height"))
    speed, scale = draw.phrase("v_0", "u_0"), draw.phrase("h", "H")
    sum_symbol = draw.phrase(r"\nu", r"\eta")
    kind = "kinematic viscosity" if sum_symbol == r"\nu" else "magnetic diffusivity"
    if law == "even":
        profile, width = f"{speed}(x)", "z"
    elif law == "exponential":
        inverse = 1 / count
        above = f"{inverse.numerator if inverse.numerator > 1 else ''}z"
        below = f"{inverse.denominator if inverse.denominator > 1 else ''}{scale}"
        exponent = rf"\frac{{{above}}}{{{below}}}"
        profile = rf"{speed}(x)\,e^{{{exponent}}}"
        lead = factor_tex(count)
        width = rf"{lead}{scale}\left(1 - e^{{-{exponent}}}\right)"
    else:
        profile = rf"{speed}(x)\,(1 + z/{scale})^{{{power_tex(power)}}}"
        rest = 1 - power
        lead = "" if abs(rest) == 1 else fraction_tex(1 / abs(rest))
        inner = rf"\left(1 + \frac{{z}}{{{scale}}}\right)^{{{power_tex(rest)}}}"
        inner = rf"\left(1 + \frac{{z}}{{{scale}}}\right)" if rest == 1 else inner
        width = (
            rf"{lead}{scale}\left({inner} - 1\right)"
            if rest > 0
            else (rf"{lead}{scale}\left(1 - {inner}\right)")
        )
    rate = rf"{sum_symbol}\omega^2\beta^2"
    cube = rf"\frac{{3{speed}^5}}{{{rate}}}"
    if asked == "height" and law != "even":
        asked = "flux" if law == "power" and power > 1 else asked
    if asked == "flux":
        cubed = "z^3" if law == "even" else rf"\left[{width}\right]^3"
        final = rf"$F = F_0\exp\left(-\frac{{{rate}}}{{3{speed}^5}}{cubed}\right)$"
    elif law == "even":
        final = rf"$z_e = \left({cube}\right)^{{1/3}}$"
    elif law == "exponential":
        share = ratio_tex(1 / count, "", scale)
        final = rf"$z_e = -{lead}{scale}\ln\left(1 - {share}\left({cube}\right)^{{1/3}}\right)$"
    else:
        final = (
            rf"$z_e = {scale}\left[\left(1 + {ratio_tex(rest, '', scale)}"
            rf"\left({cube}\right)^{{1/3}}\right)^{{{power_tex(1 / rest)}}} - 1\right]$"
        )
    ask = {
        "flux": "energy flux $F$ at the height $z$ when it is $F_0$ at the base",
        "height": "height $z_e$ at which the energy flux is $1/e$ of that at the base",
    }[asked]
    question = draw.phrase(
        f"Along straight field lines in the $z$ direction the Alfvén speed is $v_A = {profile}$; "
        rf"on the line considered ${speed}$ has the gradient $\beta = d{speed}/dx$ across the "
        rf"field. There, {_WAVES} with the angular frequency $\omega$. Only a small, uniform "
        f"{kind} ${sum_symbol}$ dissipates them, through the transverse gradients that phase "
        f"mixing "
        f"makes; reflection is negligible (WKB). Derive the {ask}.",
        f"With $v_A = {profile}$ along straight field lines, {_WAVES} with angular frequency "
        rf"$\omega$. Neighbouring lines differ by the gradient $\beta = d{speed}/dx$. Find the "
        f"{ask} on one line, if a small, uniform {kind} ${sum_symbol}$ damps the waves by their "
        "transverse gradients alone, and reflection and changes of the line spacing play no role.",
    )
    ranges = {
        speed: (1.0, 1.4),
        sum_symbol: (0.2, 0.6),
        r"\omega": (1.0, 1.6),
        r"\beta": (0.6, 1.6),
    }
    units = {
        "": "W m-2",
        speed: "m s-1",
        sum_symbol: "m2 s-1",
        r"\omega": "s-1",
        r"\beta": "s-1",
        "z": "m",
        scale: "m",
        "F_0": "W m-2",
    }
    if asked == "flux":
        ranges |= {"z": (0.8, 1.6), "F_0": (0.5, 2.0)}
    else:
        units[""] = "m"
    if law != "even":
        # A long scale lets the flux fall by e before the integral w runs into its limit.
        ranges[scale] = (1.0, 3.0) if asked == "flux" else (16.0, 24.0)
    units = {name: units[name] for name in ("", *ranges)}

    def check(at: Mapping[str, float]) -> float:
        length = at.get(scale, 1.0)

        def shape(z: NDArray[np.float64]) -> NDArray[np.float64]:
            import numpy as np

            if law == "even":
                return np.ones_like(z)
            if law == "exponential":
                return np.asarray(np.exp(z / (float(count) * length)))
            return np.asarray((1 + z / length) ** float(power))

        wave = (at[speed], at[r"\omega"], at[sum_symbol], at[speed] / at[r"\beta"])
        if asked == "flux":
            return at["F_0"] * exp(-_depth(at["z"], shape, *wave))
        return _efold(*wave, shape=shape)

    return (
        Part(
            question,
            (
                rf"The phase $\omega\int dz/v_A$ differs between lines: "
                rf"$k_x = \omega\beta w/{speed}^2$ with $w = \int_0^z {speed}\,dz'/v_A = {width}$.",
                rf"$d\ln F/dz = -{sum_symbol}k_x^2/v_A$, and $dz/v_A = dw/{speed}$: "
                rf"$F = F_0\exp[-{rate}w^3/(3{speed}^5)]$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "phases of neighbouring lines and quadrature of the damping"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Damping height and flux of the waves in another loop."""
    while True:
        speeds = [draw.number(600.0, 2000.0) for _ in range(2)]
        periods = [draw.number(30.0, 300.0) for _ in range(2)]
        densities = [draw.number(3e-13, 3e-12, log=True) for _ in range(2)]
        width, motion = draw.number(0.5, 5.0), draw.number(15.0, 50.0)
        quick, slow = log(speeds[1] / speeds[0]), log(periods[1] / periods[0])
        changes = [quick + 2 / 3 * slow, quick + log(densities[1] / densities[0])]
        if min(abs(change) for change in changes) > 0.1:
            break
    ends = [
        f"an Alfvén speed of {tex(v, unit='km s-1')}, a period of {tex(p, unit='s')} and a base "
        f"density of {tex(d, unit='kg m-3')}"
        for v, p, d in zip(speeds, periods, densities, strict=True)
    ]
    question = draw.phrase(
        f"In a coronal region {_WAVES}, with an rms velocity of {tex(motion, unit='km s-1')}; the "
        f"Alfvén speed varies across the vertical field on a scale $v_A/|dv_A/dx|$ = "
        f"{tex(width, unit='Mm')} but not with height, and a small viscosity damps the waves by "
        f"phase mixing. Compare two cases: first, {ends[0]}; second, {ends[1]}. With everything "
        "else equal, how do the damping height (where the energy flux is $1/e$ of its base value) "
        "and the energy flux at the base change from the first case to the second?",
        f"Phase mixing in a field whose Alfvén speed varies across the lines over "
        f"{tex(width, unit='Mm')} ($= v_A/|dv_A/dx|$) is studied for two cases: {ends[0]} in the "
        f"first; {ends[1]} in the second. In both, {_WAVES} with the rms velocity "
        f"{tex(motion, unit='km s-1')}, and the same small viscosity acts. In which direction do "
        "the damping height (the height where $1/e$ of the energy flux is left) and the energy "
        "flux at the base change from first to second?",
    )
    first = [exp(change) - 1.0 for change in changes]
    waves = [(v * 1e3, 2 * pi / p, 1e9, width * 1e6) for v, p in zip(speeds, periods, strict=True)]
    heights = [_efold(*wave) for wave in waves]
    fluxes = [_carried(d, motion, v) for d, v in zip(densities, speeds, strict=True)]
    second = [heights[1] / heights[0] - 1.0, fluxes[1] / fluxes[0] - 1.0]
    claims = change_claims(("damping height", "energy flux at the base"), first, second)
    return (
        Part(
            question,
            (
                r"$z_e = [3v_A^3\ell^2/(\nu\omega^2)]^{1/3} \propto v_AP^{2/3}$ for a fixed scale "
                r"$\ell = v_A/|dv_A/dx|$.",
                r"$F_0 = \rho\langle v^2\rangle v_A$.",
                "The ratios of second to first are "
                f"{tex(first[0] + 1, 3)} (height) and {tex(first[1] + 1, 3)} (flux).",
            ),
            stated(
                claims,
                Routes("scalings in closed form", "quadrature of the damping and of the work done"),
            ),
        ),
    )


def _even(z: NDArray[np.float64]) -> NDArray[np.float64]:
    return z * 0.0 + 1.0


def _depth(
    height: float,
    shape: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    speed: float,
    frequency: float,
    damping: float,
    width: float,
) -> float:
    """Minus the logarithm of the flux that is left, from phases of neighbouring lines."""
    import numpy as np

    nodes, weights = gauss_legendre(32, 0.0, 1.0)
    z = height * nodes
    path = np.sum(weights / shape(np.multiply.outer(z, nodes)), axis=-1) * z
    step = 1e-4 * width
    sides = [speed * (1 + sign * step / width) for sign in (1, -1)]
    phases = [frequency * path / side for side in sides]
    transverse = (phases[0] - phases[1]) / (2 * step)
    return float(np.sum(weights * damping * transverse**2 / (speed * shape(z))) * height)


def _efold(
    speed: float,
    frequency: float,
    damping: float,
    width: float,
    shape: Callable[[NDArray[np.float64]], NDArray[np.float64]] = _even,
) -> float:
    """Height at which the flux is 1/e of that at the base."""

    low = 1e-3 * speed / frequency
    high = low

    def excess(log_height: float) -> float:
        return _depth(exp(log_height), shape, speed, frequency, damping, width) - 1.0

    while excess(log(high)) < 0:
        high *= 4
    return exp(bracketed_root(excess, log(low), log(high)))


def _carried(density: float, motion_kms: float, speed_kms: float) -> float:
    """Mean work of the tension per area and time over one period, W/m2."""
    import numpy as np

    velocity = 2**0.5 * motion_kms * 1e3 * np.sin(2 * pi * np.arange(32) / 32)
    # A wave along +z has b = -v sqrt(mu_0 rho); the Poynting flux is -B b v / mu_0.
    return float(np.mean(density * speed_kms * 1e3 * velocity**2))


FAMILY = Family(
    title="Phase mixing of Alfvén waves",
    assumptions=(
        "linear shear Alfvén waves on straight field lines, driven in phase",
        "weak damping (WKB), strong phase mixing: only transverse gradients dissipate",
    ),
    sources=(
        "Heyvaerts & Priest 1983, Astronomy and Astrophysics 117, 220",
        "Priest 2014, Magnetohydrodynamics of the Sun, ch. 10",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
