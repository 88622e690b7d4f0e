r"""Double-adiabatic (CGL) ions in the expanding wind on a spiral field.

Without heat flux and collisions T_perp / B and T_par B^2 / n^2 are conserved in each parcel. The
equations behind these invariants,

.. math:: \dot T_\parallel = -2 T_\parallel\, bb:\nabla u, \quad
          \dot T_\perp = -T_\perp (\nabla\cdot u - bb:\nabla u),

are integrated along the radial flow as the second route.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import cos, exp, hypot, log, pi, radians, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import power_tex, raised_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    from astropy.units import Quantity

_MOMENTS = "CGL moment equations integrated along the flow"
_INVARIANTS = "adiabatic invariants"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Anisotropy far out, firehose parameter there, or where the anisotropy is least."""
    from astropy import units

    wind, days = draw.quantity(300.0, 620.0, "km s-1"), draw.number(25.0, 27.0, digits=3)
    latitude = draw.integer(0, 60)
    near, far = draw.quantity(0.15, 0.4, "AU"), draw.quantity(0.7, 5.0, "AU")
    start, beta = draw.number(1.2, 3.5), draw.number(0.1, 0.5)
    setting = draw.phrase(
        f"At a heliographic latitude of ${latitude}^{{\\circ}}$ solar wind flows radially with "
        f"{tex(wind)} at all distances; the Sun turns once in {tex(days, unit='d')} and the field "
        r"follows the Parker spiral, $\tan\psi = \Omega r\cos\lambda/V$ ($\lambda$: latitude). "
        "The protons are collisionless without heat flux (double-adiabatic). At "
        f"{tex(near, unit='AU')} their temperature ratio $T_\\perp/T_\\parallel$ is ${start}$.",
        f"Protons of the solar wind keep both CGL invariants on their way out. At "
        f"{tex(near, unit='AU')} $T_\\perp/T_\\parallel = {start}$. The flow is radial with "
        rf"constant {tex(wind)}, and the field is a Parker spiral, $\tan\psi = \Omega r\cos\lambda"
        rf"/V$, at the latitude $\lambda = {latitude}^{{\circ}}$; the rotation period of the Sun "
        f"is {tex(days, unit='d')}.",
    )
    spin = 2 * pi / (days * units.d) * cos(radians(latitude))
    tangents = [(spin * r / wind).to_value(units.one) for r in (near, far)]
    stretch = (far / near).to_value(units.one)
    ratio_b = hypot(1, tangents[1]) / hypot(1, tangents[0]) / stretch**2
    ratio_n = stretch**-2.0
    anisotropy = start * ratio_b**3 / ratio_n**2
    x_near, x_far = (
        2 * pi / (days * si.DAY_S) * cos(radians(latitude)) * r.value * si.AU_M / (wind.value * 1e3)
        for r in (near, far)
    )
    par, perp = _log_changes(x_near, x_far, 0.0)
    other = start * exp(perp - par)
    first = Part(
        f"{setting} "
        + draw.phrase(
            f"What is $T_\\perp/T_\\parallel$ at {tex(far, unit='AU')}?",
            f"Find the proton temperature ratio $T_\\perp/T_\\parallel$ at {tex(far, unit='AU')}.",
        ),
        (
            r"$T_\perp \propto B$ and $T_\parallel \propto n^2/B^2$, so $T_\perp/T_\parallel "
            r"\propto B^3/n^2$; $n \propto r^{-2}$, $B \propto r^{-2}\sqrt{1 + \tan^2\psi}$.",
            rf"$\tan\psi$ goes from {tangents[0]:.4g} to {tangents[1]:.4g}, $B$ by the factor "
            f"{ratio_b:.4g} and $n$ by {ratio_n:.4g}.",
            f"The ratio becomes {anisotropy:.4g}.",
        ),
        Numeric(anisotropy, other, "", Routes(_INVARIANTS, _MOMENTS), agreement=1e-5),
    )
    if draw.choice((True, False)):
        beta_far = beta * ratio_n**3 / ratio_b**4
        final = beta_far * (1 - anisotropy) / 2
        # dB along the flow by the induction equation: d ln B = dt (bb:grad u - div u).
        d_b = -0.5 * par - 2 * log(x_far / x_near)
        beta_other = beta * exp(-2 * log(x_far / x_near) + par - 2 * d_b)
        second = Part(
            draw.phrase(
                rf"The protons' parallel beta, $\beta_\parallel = 2\mu_0 n k_B T_\parallel/B^2$, "
                rf"is ${beta}$ at {tex(near, unit='AU')}. Find $\Lambda = (\beta_\parallel - "
                rf"\beta_\perp)/2$ at {tex(far, unit='AU')}, which would exceed 1 in a "
                "firehose-unstable plasma.",
                rf"At {tex(near, unit='AU')} $\beta_\parallel = 2\mu_0 n k_B T_\parallel/B^2$ of "
                rf"the protons is ${beta}$. How large is the firehose parameter $\Lambda = "
                rf"(\beta_\parallel - \beta_\perp)/2$ at {tex(far, unit='AU')}?",
            ),
            (
                r"$\beta_\parallel \propto nT_\parallel/B^2 \propto n^3/B^4$: "
                rf"$\beta_\parallel$ = {beta_far:.4g}.",
                rf"$\Lambda = \frac{{1}}{{2}}\beta_\parallel (1 - T_\perp/T_\parallel)$ = "
                f"{final:.4g}.",
            ),
            Numeric(
                final,
                beta_other * (1 - other) / 2,
                "",
                Routes(_INVARIANTS, f"{_MOMENTS}, with the induction equation"),
                agreement=1e-5,
            ),
        )
        return (first, second) if abs(1 - anisotropy) > 0.25 else (first, _least(draw, wind, spin))
    return first, _least(draw, wind, spin)


def _least(draw: Draw, wind: Quantity, spin: Quantity) -> Part:
    """Where the anisotropy passes its minimum."""
    from astropy import units

    radius = (sqrt(2) * wind / spin).to(units.au)
    rate = spin.to_value("1/s") * si.AU_M / wind.to_value("m/s")
    return Part(
        draw.phrase(
            r"At which heliocentric distance does $T_\perp/T_\parallel$ of such protons pass its "
            "minimum?",
            r"Somewhere on the spiral $T_\perp/T_\parallel$ begins to rise again. At "
            "which distance is it least?",
            r"Find the distance at which $T_\perp/T_\parallel$ is smallest on this spiral.",
        ),
        (
            r"$T_\perp/T_\parallel \propto B^3/n^2 \propto r^{-2}(1 + \tan^2\psi)^{3/2}$.",
            r"Its derivative vanishes where $3\sin^2\psi = 2$, that is $\tan\psi = \sqrt{2}$.",
            rf"$r = \sqrt{{2}}\,V/(\Omega\cos\lambda)$ = {tex(radius, 4, unit='AU')}.",
        ),
        Numeric(
            radius,
            _turning(lambda r: rate * r, 0.0),
            "AU",
            Routes("stationary point of B^3/n^2", "root of the difference of the moment equations"),
        ),
    )


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Temperatures or the turning point for a wind that still accelerates."""
    b = draw.choice([Fraction(k, 8) for k in range(-3, 5)])
    asked = draw.choice(("A", "par", "perp", "r"))
    v0, spin = draw.phrase("V_0", "u_0"), draw.phrase(r"\Omega", r"\omega")
    wind = f"V = {v0} (r/r_0)^{{{power_tex(b)}}}" if b else f"V = {v0}"
    setting = draw.phrase(
        "In the Sun's equatorial plane collisionless ions without heat flux "
        f"(double-adiabatic) flow radially with ${wind}$. The field is frozen in and anchored in "
        rf"a Sun of rotation rate ${spin}$, so that $\tan\psi = {spin} r/V$ is its slope against "
        "the radius.",
        f"A radial equatorial wind with ${wind}$ carries a spiral field of slope "
        rf"$\tan\psi = {spin} r/V$, with ${spin}$ the rotation rate of the Sun. Its ions obey the "
        "double-adiabatic (CGL) equations.",
    )
    question = {
        "A": r"By what factor $F$ does $T_\perp/T_\parallel$ change from $r_0$ to $r$?",
        "par": r"By what factor $F$ does $T_\parallel$ change from $r_0$ to $r$?",
        "perp": r"By what factor $F$ does $T_\perp$ change from $r_0$ to $r$?",
        "r": r"At which distance $r_m$ does $T_\perp/T_\parallel$ have its minimum?",
    }[asked]
    slope0 = rf"{spin}^2 r_0^2/{v0}^2"
    twist = raised_tex(r"\left(\frac{r}{r_0}\right)", 2 - 2 * b)
    fold = rf"\frac{{1 + ({slope0}) {twist}}}{{1 + {slope0}}}"
    powers = {
        "A": (2 * b - 2, Fraction(3, 2)),
        "par": (-2 * b, Fraction(-1)),
        "perp": (Fraction(-2), Fraction(1, 2)),
    }
    if asked == "r":
        reach = rf"\frac{{\sqrt{{2}} {v0}}}{{{spin} r_0}}"
        final = rf"$r_m = r_0 \left({reach}\right)^{{{power_tex(1 / (1 - b))}}}$"
        if not b:
            final = rf"$r_m = \frac{{\sqrt{{2}} {v0}}}{{{spin}}}$"
    else:
        radial, bend = powers[asked]
        text = power_tex(radial)
        lead = rf"\left(\frac{{r}}{{r_0}}\right)^{{{text}}} " if radial else ""
        final = rf"$F = {lead}\left({fold}\right)^{{{power_tex(bend)}}}$"
    ranges = {v0: (0.8, 1.6), spin: (0.4, 1.2), "r_0": (0.5, 1.0), "r": (1.2, 3.5)}
    units = {v0: "m s-1", spin: "s-1", "r_0": "m", "r": "m", "": "m" if asked == "r" else ""}
    if asked == "r":
        del ranges["r"]
        if not b:
            del ranges["r_0"]
    power = float(b)

    def check(at: Mapping[str, float]) -> float:
        base = at.get("r_0", 1.0)

        def slope(r: float) -> float:
            return float(at[spin] * r / (at[v0] * (r / base) ** power))

        if asked == "r":
            return _turning(slope, power)
        par, perp = _log_changes(slope(at["r_0"]), slope(at["r"]), power)
        return exp({"A": perp - par, "par": par, "perp": perp}[asked])

    return (
        Part(
            f"{setting} {question}",
            (
                r"Conserved are $T_\perp/B$ and $T_\parallel B^2/n^2$, hence also "
                r"$(T_\perp/T_\parallel)\,n^2/B^3$.",
                r"$n \propto 1/(r^2 V)$ and $B \propto r^{-2}\sqrt{1 + \tan^2\psi}$ with "
                rf"$\tan\psi \propto r^{{{power_tex(1 - b)}}}$.",
                f"Therefore {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("invariants", _MOMENTS),
                {name: units[name] for name in ("", *ranges)},
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Directions of the anisotropy and of the parallel temperature between two distances."""
    wind = draw.number(300.0, 700.0)
    turn = sqrt(2) * wind * 1e3 / (2 * pi / (25.4 * si.DAY_S)) / si.AU_M
    outside = draw.choice((True, False))
    low, high = (1.1 * turn, 6 * turn) if outside else (0.1, 0.9 * turn)
    middle = (low * high) ** 0.5
    near = float(f"{draw.number(low, 0.85 * middle):.2g}")
    far = float(f"{draw.number(1.2 * middle, high):.2g}")
    ends = draw.choice(((near, far), (far, near)))
    first, last = (tex(r, unit="AU") for r in ends)
    question = draw.phrase(
        f"Double-adiabatic (CGL) protons flow radially in the equatorial plane with "
        f"{tex(wind, unit='km s-1')} at all distances, on a Parker spiral field of a Sun that "
        f"turns once in 25.4 d. From {first} to {last}, how do the "
        r"anisotropy $T_\perp/T_\parallel$ and the thermal energy along the field, "
        r"$k_BT_\parallel/2$, change?",
        f"The equatorial solar wind blows with a constant speed of {tex(wind, unit='km s-1')}; "
        f"the Sun's "
        "rotation period is 25.4 d and the field is frozen in. The protons suffer no collisions "
        f"and no heat flux. Going from {first} to {last}, in which direction do their anisotropy "
        r"$T_\perp/T_\parallel$ and their thermal energy along the field, $k_BT_\parallel/2$, "
        "change?",
    )
    x1, x2 = (2 * pi / (25.4 * si.DAY_S) * r * si.AU_M / (wind * 1e3) for r in ends)
    par, perp = _log_changes(x1, x2, 0.0)
    closed_b = 0.5 * log((1 + x2**2) / (1 + x1**2)) - 2 * log(x2 / x1)
    closed_par = -4 * log(x2 / x1) - 2 * closed_b
    claims = (
        change_claim("anisotropy", closed_b - closed_par, perp - par),
        change_claim("thermal energy along the field", closed_par, par),
    )
    return (
        Part(
            question,
            (
                r"$T_\perp \propto B$, and $T_\parallel \propto n^2/B^2 \propto \cos^2\psi$.",
                r"$T_\perp/T_\parallel \propto B^3/n^2 \propto r^{-2}(1 + \tan^2\psi)^{3/2}$ falls "
                rf"until $\tan\psi = \sqrt{{2}}$, here at {turn:.2f} AU, and rises beyond.",
            ),
            stated(claims, Routes(_INVARIANTS, _MOMENTS)),
        ),
    )


def _log_changes(slope_1: float, slope_2: float, b: float) -> tuple[float, float]:
    """Changes of ln T_par and ln T_perp over ln r, for a slope that grows as r^(1-b)."""
    import numpy as np

    nodes, weights = gauss_legendre(40)
    half = log(slope_2 / slope_1) / 2
    slope = sqrt(slope_1 * slope_2) * np.exp(half * nodes)
    sine = slope**2 / (1 + slope**2)
    strain = b * (1 - sine) + sine
    scale = half / (1 - b)
    par = float(np.sum(weights * -2 * strain)) * scale
    return par, float(np.sum(weights * (strain - 2 - b))) * scale


def _turning(slope: Callable[[float], float], b: float) -> float:
    """Where d ln T_perp = d ln T_par."""

    def difference(r: float) -> float:
        sine = slope(r) ** 2 / (1 + slope(r) ** 2)
        strain = b * (1 - sine) + sine
        return (strain - 2 - b) + 2 * strain

    return bracketed_root(difference, 1e-3, 1e3)


FAMILY = Family(
    title="Double-adiabatic temperatures on the Parker spiral",
    assumptions=(
        "collisionless ions without heat flux (Chew-Goldberger-Low)",
        "radial flow, frozen-in spiral field, rotation of the source surface radius neglected",
    ),
    sources=(
        "Chew, Goldberger & Low 1956, Proc. R. Soc. A 236, 112",
        "Matteini et al. 2012, Space Science Reviews 172, 373",
        "Parker 1958, ApJ 128, 664",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
