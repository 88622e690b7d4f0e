r"""Decay of a circular orbit by drag in an exponential thermosphere.

The work of drag takes the orbit down through a sequence of circles:

.. math:: \frac{da}{dt} = -B \rho(h) \sqrt{G M a}, \qquad B = C_D A / m .
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, pi, sqrt
from typing import TYPE_CHECKING, Any

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, power_tex, ratio_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    pass

_GRADIENTS = [
    Fraction(*pair) for pair in ((0, 1), (1, 10), (1, 8), (1, 6), (1, 5), (1, 4), (1, 3), (1, 2))
]


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Lifetime down to a height, the height some days later, and revolutions made."""
    from astropy import constants, units

    start = draw.integer(36, 50) * 10.0
    drag = draw.quantity(0.005, 0.03, "m2 kg-1", log=True)
    density = draw.quantity(1e-12, 6e-12, "kg m-3", log=True)
    scale = draw.quantity(45.0, 65.0, "km")
    setting = draw.phrase(
        f"A satellite is on a circular orbit {tex(start, unit='km')} above the Earth's equatorial "
        f"radius (the Earth taken as a sphere of that radius, "
        r"$R_{\mathrm{E}}$ = $6378.1\ \mathrm{km}$). "
        f"$C_D A/m$ = {tex(drag)}, and the density of the thermosphere at rest is {tex(density)} "
        f"at 400 km and falls exponentially with a scale height of {tex(scale)}.",
        f"The thermosphere (taken at rest) has a density of {tex(density)} at 400 km and a "
        f"constant scale height of {tex(scale)}. In it a satellite with $C_D A/m$ = {tex(drag)} "
        f"circles the Earth at a height of {tex(start, unit='km')} above a sphere of "
        r"$R_{\mathrm{E}}$ = $6378.1\ \mathrm{km}$.",
    )
    root_gm = (constants.G * constants.M_earth) ** 0.5
    first = (constants.R_earth + start * units.km).to("m")
    last = (constants.R_earth + 200 * units.km).to("m")
    ceiling = (constants.R_earth + 400 * units.km).to("m")
    heights = (first.value, last.value, ceiling.value)
    shape = _dawson_time(heights, scale.to_value("m")) * units.m**0.5
    lifetime = (shape / (drag * density * root_gm)).to("d")
    wait = float(f"{lifetime.value * draw.number(0.4, 0.85):.2g}") * units.d
    share = float((wait / lifetime).to_value(""))
    later = _after(share, heights, scale.to_value("m")) / 1e3 - si.R_EARTH_M / 1e3
    rho = density.value
    place = (start * 1e3, 2e5, 4e5)
    seconds = _descent(drag.value, rho, scale.value * 1e3, place)
    turns = _descent(drag.value, rho, scale.value * 1e3, place, turns=True)
    other_height = _height_after(wait.value * si.DAY_S, drag.value, rho, scale.value * 1e3, place)
    laps = _laps(heights, scale.to_value("m")) / (2 * pi * drag * density).to_value("m-1")
    return (
        Part(
            f"{setting} "
            + draw.phrase(
                r"How many days does the decay down to a height of $200\ \mathrm{km}$ take? Count "
                "the change of the orbital speed with height too.",
                r"After how many days has drag brought it down to $200\ \mathrm{km}$? (Do not "
                "neglect the change of $a$ in the orbital speed.)",
            ),
            (
                r"$E = -GMm/(2a)$ and the power of drag, $-\frac{1}{2}C_D A\rho v^3$ with "
                r"$v^2 = GM/a$, give $da/dt = -(C_D A/m)\rho\sqrt{GMa}$.",
                r"$t = \frac{m}{C_D A\sqrt{GM}}\int da\,/(\rho\sqrt a)$, by quadrature (or with "
                "Dawson's function).",
                f"$t$ = {tex(lifetime, 3)}.",
            ),
            Numeric(
                lifetime,
                seconds / si.DAY_S,
                "d",
                Routes("Dawson's function, with units", "quadrature over height, in SI numbers"),
                agreement=1e-4,
            ),
        ),
        Part(
            draw.phrase(
                f"At which height does it fly {tex(wait)} after the start?",
                f"What is the height of the orbit after {tex(wait)}?",
            ),
            (
                "The upper limit of the same integral is varied until it takes this time.",
                f"$h$ = {tex(later, 4, unit='km')}.",
            ),
            Numeric(
                later * units.km,
                other_height / 1e3,
                "km",
                Routes("root with Dawson's function", "root of the quadrature over height"),
                agreement=1e-4,
                digits=4,
            ),
        ),
        Part(
            draw.phrase(
                r"How many revolutions does it make from the start down to $200\ \mathrm{km}$?",
                r"How many times does it circle the Earth before it is down at "
                r"$200\ \mathrm{km}$?",
            ),
            (
                r"$dn = \frac{1}{2\pi}\sqrt{GM/a^3}\,dt = \frac{m}{2\pi C_D A}\,da/(\rho a^2)$.",
                f"Integrated over the descent: {tex(laps, 3)}.",
            ),
            Numeric(
                laps,
                turns,
                "",
                Routes("exponential integral", "quadrature over height"),
            ),
        ),
    )


_ASKED = {
    "h": "Derive the height $h(t)$.",
    "T": "Find the time $T$ at which the scale height around the satellite has fallen to "
    "SHARE of $H$.",
    "v": "Find the rate of descent $-dh/dt = w$ as a function of time $t$.",
    "D": "Find the time $T$ that the satellite takes to come down by SHARE of $H$.",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Descent in an atmosphere with any gradient of scale height, at a fixed orbital radius."""
    gamma = draw.choice(_GRADIENTS)
    asked = draw.choice(("h", "v", "D", "T") if gamma else ("h", "v", "D"))
    share = draw.choice([Fraction(*p) for p in ((1, 2), (2, 3), (3, 4), (1, 3), (4, 5))])
    drop, rho = draw.phrase("B", r"\beta"), draw.phrase(r"\rho_0", r"\rho_1")
    local = f"H + {fraction_tex(gamma)}(h - h_0)" if gamma else "H"
    exponent = 1 + 1 / gamma if gamma else Fraction(0)
    profile = (
        rf"the density is $\rho = {rho}[1 + {fraction_tex(gamma)}(h-h_0)/H]"
        rf"^{{-{power_tex(exponent)}}}$ (a pressure scale height that varies as ${local}$)"
        if gamma
        else rf"the density is $\rho = {rho}\exp[-(h-h_0)/H]$"
    )
    question = draw.phrase(
        f"A satellite starts at $t = 0$ on a circular orbit at the height $h_0$. "
        f"{_drop_text(drop)} "
        f"In the thermosphere, which is at rest, {profile}. The descent is small against the "
        f"orbital radius, for "
        f"which the constant $a_0$ may be taken wherever it appears (Earth's mass $M$). ",
        f"Drag in an atmosphere at rest lowers the circular orbit of a satellite, whose height is "
        f"$h_0$ at $t = 0$; {profile}. "
        f"{_drop_text(drop)} The descent is small against the orbital radius: wherever the "
        f"radius itself appears, it may be replaced by the "
        f"constant $a_0$; the Earth has the mass $M$. ",
    ) + _ASKED[asked].replace("SHARE", f"${fraction_tex(share)}$")
    k = rf"{drop}{rho}\sqrt{{GMa_0}}"
    n = (1 + 2 * gamma) / gamma if gamma else Fraction(0)
    slope = 1 + 2 * gamma
    unit = ratio_tex(1 / slope, "H", k)
    fall = ratio_tex(slope, rf"{k}\,t", "H")
    inner = f"1 - {fall}"
    if gamma:
        edge = 1 - gamma * share
        final = {
            "h": rf"$h = h_0 - {fraction_tex(1 / gamma)}H\left[1 - \left({inner}\right)"
            rf"^{{{power_tex(1 / n)}}}\right]$",
            "v": rf"$w = {k}\left({inner}\right)^{{{power_tex(1 / n - 1)}}}$",
            "T": rf"$T = {unit}\left[1 - \left({fraction_tex(share)}\right)"
            rf"^{{{power_tex(n)}}}\right]$",
            "D": rf"$T = {unit}\left[1 - \left({fraction_tex(edge)}\right)"
            rf"^{{{power_tex(n)}}}\right]$",
        }[asked]
    else:
        final = {
            "h": rf"$h = h_0 + H\ln\left({inner}\right)$",
            "v": rf"$w = \frac{{{k}}}{{{inner}}}$",
            "D": rf"$T = {unit}\left(1 - e^{{-{power_tex(share)}}}\right)$",
        }[asked]
    ranges = {drop: (0.05, 0.1), rho: (0.5, 1.0), "G": (0.5, 1.0), "M": (0.5, 1.0)}
    ranges |= {"a_0": (0.5, 1.0), "H": (1.0, 2.0)}
    units = {drop: "m2 kg-1", rho: "kg m-3", "G": "m3 kg-1 s-2", "M": "kg", "a_0": "m", "H": "m"}
    units[""] = {"h": "m", "v": "m s-1"}.get(asked, "s")
    if asked in "hv":
        ranges["t"], units["t"] = (1.0, 4.0), "s"
    if asked == "h":
        ranges["h_0"], units["h_0"] = (4.0, 6.0), "m"

    def check(at: Mapping[str, float]) -> float:

        h, g = at["H"], float(gamma)
        rate = at[drop] * at[rho] * sqrt(at["G"] * at["M"] * at["a_0"])

        def speed(drop_by: float) -> float:
            """Rate of descent with the density by integration of the local scale height."""
            return rate * exp(float(_log_density(drop_by, h, g)[0]))

        if asked in "TD":
            way = float(share) * h if asked == "D" else h * (1 - float(share)) / g
            return _fall_time(way, h, g) / rate
        way = bracketed_root(lambda y: _fall_time(y, h, g) / rate - at["t"], 0.0, 1.5 * h)
        return at["h_0"] - way if asked == "h" else speed(way)

    return (
        Part(
            question,
            (
                r"$d(-GMm/2a)/dt = -\frac{1}{2}C_D A\rho v^3$ with $v^2 = GM/a$ gives "
                rf"$dh/dt = -{drop}\rho\sqrt{{GMa_0}}$.",
                "The equation separates in $h$.",
                f"With $h(0) = h_0$: {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("separation of variables", "quadrature over height, solved for the unknown"),
                units,
                agreement=1e-6,
            ),
        ),
    )


def _drop_text(symbol: str) -> str:
    """Definition of the drag parameter, as a sentence."""
    return (
        f"The drag parameter of the satellite is ${symbol} = C_D A/m$ (drag force "
        "$C_D A\\rho v^2/2$, mass $m$)."
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Lifetime and orbital speed in a denser or thinner thermosphere, or with another body."""
    changed = draw.choice(("density", "drag", "mass", "scale"))
    start = draw.integer(36, 42) * 10.0
    rho, drag, scale = draw.number(1.0, 4.0), draw.number(0.006, 0.02), draw.number(45.0, 55.0)
    factor = draw.choice((1.3, 1.5, 2.0)) if changed != "scale" else draw.choice((1.15, 1.2, 1.25))
    grows = draw.choice((True, False))
    ratio = factor if grows else 1 / factor
    name = {
        "density": "the density of the air at all heights",
        "drag": "the cross-section $A$ of the satellite",
        "mass": "the mass $m$ of the satellite",
        "scale": "the density scale height (with the same density at 400 km)",
    }[changed]
    if changed == "scale":
        start = draw.integer(33, 37) * 10.0
    verb = "multiplied" if grows else "divided"
    state = (
        f"$C_D A/m$ = {tex(drag, unit='m2 kg-1')}; the air, at rest, has a density of "
        rf"${rho}\times 10^{{-12}}\ \mathrm{{kg\,m^{{-3}}}}$ at 400 km and a scale height of "
        f"{tex(scale, unit='km')}"
    )
    heights = (si.R_EARTH_M + start * 1e3, si.R_EARTH_M + 2e5, si.R_EARTH_M + 4e5)
    place = (start * 1e3, 2e5, 4e5)
    at = [drag, rho * 1e-12, scale * 1e3]
    after = list(at)
    if changed == "scale":
        after[2] *= ratio
    else:
        after[0] *= 1 / ratio if changed == "mass" else ratio
    times = [
        _dawson_time(heights, row[2]) / (row[0] * row[1] * sqrt(si.GM_EARTH)) for row in (at, after)
    ]
    shortest = min(times) / si.DAY_S
    days = max(float(f"{shortest * draw.number(0.3, 0.8):.2g}"), 0.1)
    question = draw.phrase(
        f"A satellite starts on a circular orbit at {tex(start, unit='km')} with {state}. In a "
        f"second case"
        f" {name} is {verb} by {tex(factor)}. How does the lifetime "
        f"(down to 200 km) change? How does the orbital speed that the satellite has "
        f"{tex(days, unit='d')} after the start change?",
        f"Two circular orbits start at {tex(start, unit='km')}. For the first, {state}. For the "
        f"second {name} is {verb} by {tex(factor)}. In which direction do the lifetime (until "
        f"200 km) and the orbital speed {tex(days, unit='d')} after the start change "
        "from the first to the second?",
    )
    speeds, others = [], []
    for row, time in zip((at, after), times, strict=True):
        a = _after(days * si.DAY_S / time, heights, row[2])
        speeds.append(sqrt(si.GM_EARTH / a))
        h = _height_after(days * si.DAY_S, row[0], row[1], row[2], place)
        others.append((_descent(*(row[0], row[1], row[2]), place), h))
    longer = times[1] / times[0] - 1
    faster = speeds[1] / speeds[0] - 1
    velocity = [sqrt(si.GM_EARTH / (si.R_EARTH_M + h)) for _, h in others]
    claims = (
        change_claim("lifetime", longer, others[1][0] / others[0][0] - 1),
        change_claim("orbital speed", faster, velocity[1] / velocity[0] - 1),
    )
    return (
        Part(
            question,
            (
                r"$da/dt = -(C_D A/m)\rho\sqrt{GMa}$: "
                + (
                    "below 400 km a larger scale height means thinner air, a smaller one denser "
                    "air."
                    if changed == "scale"
                    else "the descent is faster for more air, more area or less mass."
                ),
                "Drag makes a satellite faster, not slower: a lower circular orbit has the higher "
                "speed, so the quicker descent gives the greater speed at a given time.",
            ),
            stated(claims, Routes("Dawson's function", "quadrature over height and its root")),
        ),
    )


def _dawson_time(radii: tuple[float, float, float], scale: float) -> float:
    """Integral of exp((a - a_ref) / H) a^-1/2 between two radii, in closed form."""
    from scipy.special import dawsn

    first, last, ref = radii
    root = sqrt(scale)
    parts = [exp((a - ref) / scale) * float(dawsn(sqrt(a) / root)) for a in (first, last)]
    return 2 * root * (parts[0] - parts[1])


def _after(share: float, radii: tuple[float, float, float], scale: float) -> float:
    """Radius after a share of the lifetime."""

    first, last, ref = radii
    whole = _dawson_time(radii, scale)

    def misses(a: float) -> float:
        return _dawson_time((first, a, ref), scale) / whole - share

    return bracketed_root(misses, last, first)


def _laps(radii: tuple[float, float, float], scale: float) -> float:
    """Integral of exp((a - a_ref) / H) a^-2, by parts and the exponential integral."""
    from scipy.special import expi

    first, last, ref = radii

    def primitive(a: float) -> float:
        x = a / scale
        return exp((a - ref) / scale) * (float(expi(x) * exp(-x)) * x - 1) / a

    return primitive(first) - primitive(last)


def _descent(
    drag: float,
    density: float,
    scale: float,
    heights: tuple[float, float, float],
    *,
    turns: bool = False,
) -> float:
    """Seconds, or revolutions, from one height to another, by Gauss-Legendre nodes."""
    import numpy as np

    start, end, ref = heights
    x, w = gauss_legendre(32, 0.0, 1.0)
    h = end + (start - end) * x
    a = si.R_EARTH_M + h
    times = w * (start - end) / (drag * density * np.exp(-(h - ref) / scale))
    if turns:
        return float(np.sum(times / (2 * pi * a**2)))
    return float(np.sum(times / np.sqrt(si.GM_EARTH * a)))


def _height_after(
    seconds: float,
    drag: float,
    density: float,
    scale: float,
    heights: tuple[float, float, float],
) -> float:

    start, _, ref = heights

    def misses(h: float) -> float:
        return _descent(drag, density, scale, (start, h, ref)) / seconds - 1

    return bracketed_root(misses, 1e5, start - 1e-3)


def _log_density(drop: Any, scale: float, gamma: float) -> Any:
    """Log of the density gained on the way down: integral of (1 + gamma) / H(h)."""
    import numpy as np

    x, w = gauss_legendre(32, 0.0, 1.0)
    way = np.atleast_1d(drop)
    return np.sum(w * (1 + gamma) / (scale - gamma * np.outer(way, x)), axis=1) * way


def _fall_time(drop: float, scale: float, gamma: float) -> float:
    """Time for a drop at unit rate of descent at the top."""
    import numpy as np

    x, w = gauss_legendre(32, 0.0, 1.0)
    return float(np.sum(w * np.exp(-_log_density(drop * x, scale, gamma)))) * drop


FAMILY = Family(
    title="Orbital decay by atmospheric drag",
    assumptions=(
        "circular orbits, descent slow against the orbital period",
        "atmosphere at rest, scale height constant or linear in height",
    ),
    sources=(
        "King-Hele 1987, Satellite Orbits in an Atmosphere, ch. 4",
        "Vallado 2013, Fundamentals of Astrodynamics and Applications, 4th ed., sec. 9.6",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
