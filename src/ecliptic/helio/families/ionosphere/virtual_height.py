r"""Echoes of an ionosonde and of an oblique path: group delay in a layer of electrons.

With mu^2 = 1 - f_p^2(h) / f^2 the pulse travels at c mu, so that the virtual height is

.. math:: h' = h_0 + \int_{h_0}^{h_r} \frac{dh}{\mu(h)},

and an oblique ray of frequency f and incidence phi follows the vertical one of f cos(phi).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import cos, log, pi, radians, sqrt, tan
from typing import TYPE_CHECKING, Any

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, power_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    pass

_PARABOLA = r"$N = N_m[1 - (h - h_m)^2/y_m^2]$ for $|h - h_m| < y_m$"
_FREE = "the Earth's curvature, its magnetic field and collisions are neglected"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Virtual height of a vertical sounding, then the range of an oblique ray."""
    from astropy import constants, units

    density = draw.quantity(2e11, 1.5e12, "m-3", log=True)
    peak, half = draw.integer(26, 34) * 10 * units.km, draw.integer(8, 13) * 10 * units.km
    angle = draw.quantity(35.0, 62.0, "deg")
    plasma = (density / (constants.m_e * constants.eps0)) ** 0.5 * constants.e.si / (2 * pi)
    critical = float(plasma.to_value("MHz"))
    vertical = draw.number(0.55, 0.92) * critical
    f_1 = float(f"{vertical:.3g}") * units.MHz
    slanted = draw.number(0.55, 0.92) * critical / cos(radians(angle.value))
    f_2 = float(f"{slanted:.3g}") * units.MHz
    layer = (
        f"an F layer with the electron density {_PARABOLA} and none below, where $N_m$ = "
        f"{tex(density)}, $h_m$ = {tex(peak)} and $y_m$ = {tex(half)}"
    )
    setting = draw.phrase(
        f"A radio pulse of {tex(f_1)} is sent vertically into {layer}; {_FREE}.",
        f"An ionosonde at {tex(f_1)} looks straight up at {layer}; {_FREE}.",
    )

    def closed(x: float) -> float:
        return float((peak - half + half * x / 2 * log((1 + x) / (1 - x))).value)

    height = closed(f_1.value / critical) * units.km
    x = f_2.value * cos(radians(angle.value)) / critical
    distance = 2 * tan(radians(angle.value)) * closed(x) * units.km
    bottom = peak.value - half.value
    other = _group_height(f_1.value * 1e6, density.value, half.value) + bottom
    range_km = _ray_range(
        f_2.value * 1e6, radians(angle.value), density.value, (bottom, half.value)
    )
    return (
        Part(
            f"{setting} "
            + draw.phrase(
                "At which virtual height does the echo appear?",
                "Which height follows from the delay of the echo if the pulse is taken to travel "
                "at the speed of light (the virtual height)?",
            ),
            (
                r"The group speed is $c\mu$ with $\mu^2 = 1 - f_p^2/f^2$; the plasma frequency at "
                rf"the peak is $f_c$ = {tex(critical, 4, unit='MHz')}.",
                r"$h' = h_m - y_m + \int dh/\mu = h_m - y_m + \frac{y_m}{2}\frac{f}{f_c}"
                r"\ln\frac{f_c+f}{f_c-f}$.",
                f"$h'$ = {tex(height, 3)}.",
            ),
            Numeric(
                height,
                other,
                "km",
                Routes("closed form for a parabola", "quadrature of the group index, in SI"),
            ),
        ),
        Part(
            draw.phrase(
                f"The same layer is used for a radio link at {tex(f_2)}, whose ray leaves the flat "
                f"ground at {tex(angle)} to the vertical. How far away does the ray return to the "
                "ground?",
                f"A second transmitter sends {tex(f_2)} into this layer at an angle of "
                f"{tex(angle)} to the vertical, over flat ground. At which distance does its ray "
                "come down?",
            ),
            (
                r"By Snell's law the ray turns where $f_p = f\cos\varphi$, and its ground range is "
                r"that of straight rays meeting at the virtual height of the vertical frequency "
                r"$f\cos\varphi$ (Breit and Tuve, Martyn).",
                rf"$D = 2h'\tan\varphi$ with $f\cos\varphi/f_c$ = {tex(x, 4)}: "
                f"$D$ = {tex(distance, 3)}.",
            ),
            Numeric(
                distance,
                range_km,
                "km",
                Routes("theorem of the equivalent path", "quadrature of dx/dh along the ray"),
            ),
        ),
    )


_SHAPES: dict[Fraction, tuple[Fraction, bool]] = {
    Fraction(1): (Fraction(2), False),
    Fraction(2): (Fraction(1, 2), True),
    Fraction(2, 3): (Fraction(3, 4), True),
    Fraction(1, 2): (Fraction(8, 3), False),
    Fraction(1, 3): (Fraction(16, 5), False),
    Fraction(2, 5): (Fraction(15, 16), True),
    Fraction(1, 4): (Fraction(128, 35), False),
}
"""Integral of (1 - u^p)^(-1/2) from 0 to 1 by p; the flag says that pi is a factor."""

_ASKED = {
    "h": "the virtual height $h'$",
    "t": "the time $t$ between sending and receiving the pulse",
    "g": "the height difference $D$ between virtual and true height of reflection",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Virtual height, echo time, excess or oblique range for seven power laws and a parabola."""
    power = draw.choice((*_SHAPES, None))
    asked = draw.choice(("h", "t", "g", "x", "path"))
    base, depth, edge = draw.phrase("h_0", "b"), draw.phrase("L", "y"), draw.phrase("f_c", "f_1")
    oblique = asked in ("x", "path")
    if power is None:
        profile = (
            f"$f_p^2 = {edge}^2[1 - (h - {base} - {depth})^2/{depth}^2]$ between $h = {base}$ and "
            f"the peak at $h = {base} + {depth}$"
        )
    else:
        law = "" if power == 1 else f"^{{{power_tex(power)}}}"
        ratio = rf"(h - {base})/{depth}"
        inner = rf"[{ratio}]{law}" if law else ratio
        profile = f"$f_p^2 = {edge}^2 {inner}$ above $h = {base}$"
    ray = (
        r"a ray of frequency $f$ leaves the flat ground at an angle $\varphi$ to the vertical and "
        rf"is reflected by the layer ($f\cos\varphi < {edge}$)"
        if oblique
        else f"a pulse of frequency $f < {edge}$ is sent straight up from the ground"
    )
    what = {
        "x": "the distance $D$ from the transmitter at which it returns to the ground",
        "path": "the time $t$ that a pulse takes along it from ground to ground",
    } | _ASKED
    question = draw.phrase(
        f"In an ionospheric layer the plasma frequency is given by {profile}; there are no "
        f"electrons below. {_FREE.capitalize().replace('earth', 'Earth')}, and {ray}. "
        f"Derive {what[asked]}.",
        f"The plasma frequency of a plane layer follows {profile}, with free space below. "
        f"{ray.capitalize()}; {_FREE}. Find {what[asked]}.",
    )
    wave = r"f\cos\varphi" if oblique else "f"
    if power is None:
        inside = (
            rf"\frac{{{depth}{wave}}}{{2{edge}}}\ln\left(\frac{{{edge} + {wave}}}"
            rf"{{{edge} - {wave}}}\right)"
        )
        true = rf"{depth}\left(1 - \sqrt{{1 - \frac{{f^2}}{{{edge}^2}}}}\right)"
        gap = rf"{inside} - {true}"
    else:
        number, with_pi = _SHAPES[power]
        turn = rf"{depth}\left(\frac{{{wave}}}{{{edge}}}\right)^{{{power_tex(2 / power)}}}"
        turn = turn.removesuffix("^{1}")
        circle = r"\pi " if with_pi else ""
        inside = rf"{factor_tex(number)}{circle}{turn}"
        gap = (
            rf"\left({fraction_tex(number)}{circle} - 1\right){turn}"
            if with_pi
            else f"{factor_tex(number - 1)}{turn}"
        )
    final = {
        "h": f"$h' = {base} + {inside}$",
        "t": rf"$t = \frac{{2}}{{c}}\left[{base} + {inside}\right]$",
        "g": f"$D = {gap}$",
        "x": rf"$D = 2\tan\varphi\left[{base} + {inside}\right]$",
        "path": rf"$t = \frac{{2}}{{c\cos\varphi}}\left[{base} + {inside}\right]$",
    }[asked]
    ranges = {depth: (0.5, 1.5), "f": (0.4, 0.9), edge: (1.0, 1.6)}
    units = {"": "s" if asked in ("t", "path") else "m", depth: "m", "f": "s-1", edge: "s-1"}
    if asked != "g":
        ranges[base], units[base] = (0.5, 2.0), "m"
    if oblique:
        ranges[r"\varphi"], units[r"\varphi"] = (0.3, 1.1), ""
    if asked in ("t", "path"):
        ranges["c"], units["c"] = (0.5, 2.0), "m s-1"

    def check(at: Mapping[str, float]) -> float:
        angle = at.get(r"\varphi", 0.0)
        share = at["f"] * cos(angle) / at[edge]

        def power_law(u: Any) -> Any:
            return u ** float(power or 1)

        shape = _parabola if power is None else power_law
        # Vertical phase index squared: q^2 = cos^2(phi) - (f_p / f)^2; dx = sin dh / q.
        turn = _turning(shape, share)
        layer = at[depth] * _integral(shape, turn) * at["f"] / at[edge]
        below = at.get(base, 0.0) / cos(angle)
        if asked == "x":
            return 2 * (below + layer) * sqrt(1 - cos(angle) ** 2)
        path = below + layer
        if asked == "g":
            return path - at[depth] * turn
        return path if asked == "h" else 2 * path / at["c"]

    return (
        Part(
            question,
            (
                r"$h' = h_0 + \int dh/\mu$ with $\mu^2 = 1 - f_p^2/f^2$ up to the level where "
                r"$f_p = f$.",
                r"Obliquely Snell's law puts $f\cos\varphi$ in place of $f$; the range is "
                r"$2h'\tan\varphi$ and the group path $2h'/\cos\varphi$.",
                f"The integral gives {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "quadrature along the ray, turning point by root"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """True and virtual height under another frequency, density or angle."""
    changed = draw.choice(("frequency", "density", "angle"))
    peak, half = draw.integer(26, 34) * 10, draw.integer(8, 12) * 10
    grows = draw.choice((True, False))
    critical, share = draw.number(7.0, 11.0), draw.number(0.55, 0.7)
    angle = draw.integer(30, 45)
    frequency = float(f"{share * critical / cos(radians(angle)):.3g}")
    factor = draw.choice((1.1, 1.15, 1.2))
    shown = {
        "frequency": (frequency, float(f"{frequency * factor:.3g}"), r"\ \mathrm{MHz}"),
        "density": (float(f"{critical / factor:.3g}"), critical, r"\ \mathrm{MHz}"),
        "angle": (angle, angle + draw.integer(8, 14), r"^{\circ}"),
    }[changed]
    pair = shown[:2] if grows else shown[1::-1]
    name = {
        "frequency": "the frequency of the radio wave",
        "density": "the critical frequency of the layer",
        "angle": "the angle between the emitted ray and the vertical",
    }[changed]
    values = {
        "frequency": f"the wave has {tex(frequency, unit='MHz')}",
        "density": f"the critical frequency is {tex(critical, unit='MHz')}",
        "angle": f"the ray leaves the ground at {tex(float(angle), unit='deg')} to the vertical",
    }
    kept = " and ".join(text for key, text in values.items() if key != changed)
    question = draw.phrase(
        f"A radio ray is reflected by a layer with {_PARABOLA}, $h_m$ = {tex(peak, unit='km')} and "
        f"$y_m$ = {tex(half, unit='km')}; {_FREE}. Now {name} changes from ${pair[0]}{shown[2]}$ "
        f"to ${pair[1]}{shown[2]}$ while {kept}. How do the true altitude of reflection and the "
        "distance at which the ray returns to the flat ground change?",
        f"Over flat ground a ray is sent into a parabolic layer ({_PARABOLA}; $h_m$ = "
        f"{tex(peak, unit='km')}, $y_m$ = {tex(half, unit='km')}); {kept}. "
        f"{_FREE[0].upper()}{_FREE[1:]}. In which "
        "direction do the altitude of reflection and the distance of the point of return "
        f"change if {name} is ${pair[1]}{shown[2]}$ instead of ${pair[0]}{shown[2]}$?",
    )
    closed, found = [], []
    for value in pair:
        at = {"frequency": frequency, "density": critical, "angle": float(angle)} | {changed: value}
        phi = radians(at["angle"])
        x = at["frequency"] * cos(phi) / at["density"]
        level = peak - half * sqrt(1 - x**2)
        virtual = peak - half + half * x / 2 * log((1 + x) / (1 - x))
        closed.append((level, 2 * virtual * tan(phi)))
        turn = _turning(_parabola, x)
        layer = half * _integral(_parabola, turn) * at["frequency"] / at["density"]
        across = 2 * ((peak - half) * tan(phi) + layer * sqrt(1 - cos(phi) ** 2))
        found.append((peak - half + half * turn, across))
    claims = change_claims(
        ("altitude of reflection", "distance on the ground"),
        relative_changes(*closed),
        relative_changes(*found),
    )
    return (
        Part(
            question,
            (
                r"Reflection is where $f_p = f\cos\varphi$.",
                r"The range is $2h'\tan\varphi$ with the virtual height $h'$ of the frequency "
                r"$f\cos\varphi$; here "
                + ("angle and height act together." if changed == "angle" else "$h'$ decides."),
            ),
            stated(claims, Routes("closed form for a parabola", "quadrature along the ray")),
        ),
    )


def _parabola(u: Any) -> Any:
    return 2 * u - u**2


def _turning(shape: Callable[[Any], Any], share: float) -> float:
    """Depth into the layer at which the plasma frequency is this share of its scale."""

    return bracketed_root(lambda u: shape(u) - share**2, 0.0, 1.0)


def _integral(shape: Callable[[Any], Any], turn: float) -> float:
    """Integral of du / sqrt(shape(turn) - shape(u)) up to the turning point.

    With u = turn (1 - s^2)^5 the integrand is smooth at both ends for any power law.
    """
    import numpy as np

    s, w = gauss_legendre(80, 0.0, 1.0)
    u = turn * (1 - s**2) ** 5
    rate = turn * 10 * s * (1 - s**2) ** 4
    gap = shape(turn) - shape(u)
    return float(np.sum(w * rate / np.sqrt(gap)))


def _plasma_squared(density: float) -> float:
    return density * si.E_CHARGE**2 / (si.EPS_0 * si.M_E * 4 * pi**2)


def _group_height(frequency: float, density: float, half: float) -> float:
    """Group path inside the layer, from the plasma frequency in Hz^2."""
    share = sqrt(frequency**2 / _plasma_squared(density))
    return half * _integral(_parabola, _turning(_parabola, share)) * share


def _ray_range(frequency: float, angle: float, density: float, layer: tuple[float, float]) -> float:
    """Twice the integral of tan(local angle) dh, with n sin(local angle) = sin(angle)."""
    bottom, half = layer
    ratio = sqrt(_plasma_squared(density)) / frequency
    turn = _turning(_parabola, cos(angle) / ratio)
    inside = half * _integral(_parabola, turn) / ratio
    return 2 * (bottom * tan(angle) + inside * sqrt(1 - cos(angle) ** 2))


FAMILY = Family(
    title="Virtual height and oblique reflection",
    assumptions=(
        "plane layer, cold plasma without magnetic field and collisions",
        "ray optics",
    ),
    sources=(
        "Budden 1985, The Propagation of Radio Waves, ch. 12",
        "Davies 1990, Ionospheric Radio, ch. 5 and 6",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
