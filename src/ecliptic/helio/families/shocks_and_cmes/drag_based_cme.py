r"""Drag-based propagation of a coronal mass ejection through the solar wind.

Beyond some 20 solar radii the drag of the wind alone acts. With excess speed u = v - w:

.. math:: \frac{du}{dt} = -k |u|^{n-1} u,

n = 2 with k = gamma in the usual aerodynamic form.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import log1p
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, power_tex, ratio_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    pass

_DRAG = r"$dv/dt = -\gamma (v - w)|v - w|$"
_EXPONENTS = [Fraction(*pair) for pair in ((1, 1), (4, 3), (3, 2), (5, 3), (2, 1), (5, 2), (3, 1))]


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Transit time to a planet or spacecraft, then the speed on arrival."""
    from astropy import units

    wind = draw.quantity(320.0, 520.0, "km s-1")
    fast = draw.choice((True, True, False))
    launch = draw.quantity(750.0, 2400.0, "km s-1") if fast else draw.quantity(120.0, 240.0, "km/s")
    drag = draw.quantity(0.15, 1.6, "1e-7 km-1")
    start, end = draw.integer(15, 30) * units.R_sun, draw.quantity(0.6, 1.6, "AU")
    gamma = f"${drag.value}\\times 10^{{-7}}\\ \\mathrm{{km^{{-1}}}}$"
    setting = draw.phrase(
        f"A coronal mass ejection leaves {tex(start, unit='R_sun')} (heliocentric) at "
        f"{tex(launch, unit='km s-1')} and moves radially through a wind of constant speed "
        rf"$w$ = {tex(wind)}. From there on only aerodynamic drag acts, {_DRAG}, with the constant "
        rf"$\gamma$ = {gamma}.",
        f"In the drag-based model, {_DRAG}, take a constant wind speed $w$ = {tex(wind)} and the "
        rf"constant $\gamma$ = {gamma}. The front of an ejection is at {tex(start, unit='R_sun')} "
        f"from the Sun's centre with {tex(launch, unit='km s-1')}, and moves radially.",
    )
    span = (end - start).to(units.km)
    seconds, final_kms = _closed(
        float(launch.to_value("km/s")),
        float(wind.to_value("km/s")),
        float(drag.to_value("1/km")),
        float(span.value),
    )
    time = (seconds * units.s).to(units.hour)
    speed = final_kms * units.km / units.s
    other_s, other_ms = _by_quadrature(
        launch.value * 1e3,
        wind.value * 1e3,
        drag.value * 1e-10,
        end.value * si.AU_M - start.value * si.R_SUN_M,
    )
    excess = r"$v - w = (v_0 - w)/(1 + \gamma |v_0 - w| t)$"
    first = Part(
        f"{setting} "
        + draw.phrase(
            f"How many hours does it take from there to {tex(end, unit='AU')}?",
            f"After how many hours does it reach {tex(end, unit='AU')}?",
        ),
        (
            f"The equation for $v - w$ separates: {excess}.",
            r"Once more: $r = r_0 + wt \pm \gamma^{-1}\ln(1 + \gamma |v_0 - w| t)$, upper sign for "
            "an ejection faster than the wind.",
            f"With $r - r_0$ = {tex(span, 4, unit='km')} the root is "
            f"$t$ = {tex(time, 4, unit='h')}.",
        ),
        Numeric(
            time,
            other_s / 3600,
            "h",
            Routes(
                "integrated equation of motion, solved for t", "quadratures over the excess speed"
            ),
        ),
    )
    second = Part(
        draw.phrase(
            f"With which speed does it arrive at {tex(end, unit='AU')}?",
            f"What is its speed at {tex(end, unit='AU')}?",
        ),
        (f"At the time of arrival {excess}.", f"$v$ = {tex(speed, 4, unit='km s-1')}."),
        Numeric(
            speed,
            other_ms / 1e3,
            "km s-1",
            Routes("closed form at the time of arrival", "quadratures over the excess speed"),
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Speed, lead over the wind, or times, for a drag of any power of the excess speed."""
    n = draw.choice(_EXPONENTS)
    slow = draw.choice((True, False))
    asked = draw.choice(("v", "s", "t", "vs") if not slow else ("v", "s"))
    k, v0 = draw.phrase("k", r"\gamma", "C"), draw.phrase("v_0", "v_i", "v_1")
    excess = f"({v0} - w)" if not slow else f"(w - {v0})"
    law = (f"(v - w)^{{{n}}}" if not slow else f"(w - v)^{{{n}}}").replace("^{1}", "")
    setting = draw.phrase(
        f"A coronal mass ejection that is {'slower' if slow else 'faster'} than the solar wind of "
        f"constant speed $w$ starts with speed ${v0}$ at $t = 0$ and moves radially. The wind "
        f"changes its speed as $dv/dt = {'' if slow else '-'}{k} {law}$ with a constant ${k}$; no "
        "other force acts.",
        f"The drag of a wind of constant speed $w$ on an ejection of speed $v "
        f"{'<' if slow else '>'} w$ is a power of the speed difference, "
        f"$dv/dt = {'' if slow else '-'}{k} {law}$, with ${k}$ constant. At "
        f"$t = 0$ the ejection has the speed ${v0}$.",
    )
    question = {
        "v": "Derive $v(t)$.",
        "s": "Find the distance $s(t)$ by which the ejection has "
        + ("fallen behind" if slow else "run ahead of")
        + " the wind parcel that was beside it at $t = 0$.",
        "t": "After what time $T$ has the speed difference fallen to the fraction $x$ of its "
        "initial value?",
        "vs": "Find the speed $v$ as a function of the lead $s$ over the wind parcel that was "
        "beside it at $t = 0$.",
    }[asked]
    final = _formula(asked, n, slow, k, excess)
    ranges = {k: (0.5, 1.5), v0: (2.0, 3.0), "w": (0.6, 1.2)}
    if slow:
        ranges |= {v0: (0.6, 1.2), "w": (2.0, 3.0)}
    units = {
        k: f"m({float(1 - n)}) s({float(n - 2)})",
        v0: "m s-1",
        "w": "m s-1",
        "t": "s",
        "s": "m",
        "x": "",
    }
    units[""] = {"v": "m s-1", "s": "m", "t": "s", "vs": "m s-1"}[asked]
    extra = {"v": "t", "s": "t", "t": "x", "vs": "s"}[asked]
    ranges[extra] = {"t": (0.3, 1.2), "x": (0.3, 0.8), "s": (0.05, 0.25)}[extra]

    def check(at: Mapping[str, float]) -> float:
        sign = -1.0 if slow else 1.0
        start = sign * (at[v0] - at["w"])

        power, drag = float(n), at[k]
        if asked == "t":
            return _elapsed(drag, power, start, at["x"] * start)
        moment = 1.0 if asked == "vs" else 0.0
        target = at[extra]
        u = start * bracketed_root(
            lambda x: _elapsed(drag, power, start, x * start, moment) / target - 1, 1e-6, 1 - 1e-9
        )
        return _elapsed(drag, power, start, u, 1.0) if asked == "s" else at["w"] + sign * u

    return (
        Part(
            f"{setting} {question}",
            (
                f"With $u = |v - w|$ the law is $du/dt = -{k} u^{{{n}}}$, which separates.".replace(
                    "^{1}", ""
                ),
                "The distance between ejection and wind parcel obeys $ds/dt = u$, so that also "
                f"$du/ds = -{k} u^{{{n - 1}}}$.".replace("^{1}", ""),
                f"Integrated from $u_0 = {excess[1:-1]}$: {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "separation of variables",
                    "quadratures over the excess speed, solved for the unknown",
                ),
                {name: units[name] for name in ("", *ranges)},
            ),
        ),
    )


def _formula(asked: str, n: Fraction, slow: bool, k: str, u: str) -> str:
    """The answer in dollar signs; ``u`` is the initial excess speed in brackets."""
    plus, m = ("-" if slow else "+"), n - 1
    if m:
        start = rf"{u}^{{{power_tex(-m)}}}"
        inner = rf"\left({start} + {factor_tex(m)} {k} t\right)"
    if asked == "v":
        decay = rf"{u} e^{{-{k} t}}" if not m else rf"{inner}^{{{power_tex(-1 / m)}}}"
        return f"$v = w {plus} {decay}$"
    if asked == "t":
        if not m:
            return rf"$T = -\frac{{\ln x}}{{{k}}}$"
        front = ratio_tex(1 / m, "", f"{k} {u}^{{{power_tex(m)}}}")
        return rf"$T = {front}\left(x^{{{power_tex(-m)}}} - 1\right)$"
    if asked == "s":
        if not m:
            return rf"$s = \frac{{{u}}}{{{k}}}\left(1 - e^{{-{k} t}}\right)$"
        if m == 1:
            return rf"$s = \frac{{1}}{{{k}}}\ln\left(1 + {k} {u} t\right)$"
        p = 2 - n
        late = rf"{inner}^{{{power_tex(-p / m)}}}"
        early = rf"{u}^{{{power_tex(p)}}}"
        front = ratio_tex(1 / abs(p), "", k)
        gain = f"{early} - {late}" if p > 0 else f"{late} - {early}"
        return rf"$s = {front}\left({gain}\right)$"
    if m == 1:
        return rf"$v = w + {u} e^{{-{k} s}}$"
    p = 2 - n
    if p > 0:
        change = rf"{u}^{{{power_tex(p)}}} - {factor_tex(p)} {k} s"
    else:
        change = rf"{u}^{{{power_tex(p)}}} + {factor_tex(-p)} {k} s"
    return rf"$v = w + \left({change}\right)^{{{power_tex(1 / p)}}}$"


def textual(draw: Draw) -> tuple[Part, ...]:
    """Transit time and arrival speed under another drag, wind or launch speed."""
    fast = draw.choice((True, False))
    launch = draw.number(750.0, 2200.0) if fast else draw.number(130.0, 260.0)
    at = [launch, draw.number(330.0, 480.0), draw.number(0.2, 0.8)]
    which = draw.choice((1, 2, 2))
    high = float(f"{at[which] * draw.number(1.25, 1.45):.2g}" if which == 1 else f"{at[2] * 2:.2g}")
    before, after = draw.choice(((at[which], high), (high, at[which])))

    def shown(index: int, value: float) -> str:
        if index == 2:
            return f"${value}\\times 10^{{-7}}\\ \\mathrm{{km^{{-1}}}}$"
        return tex(value, unit="km s-1")

    name = ("", "the constant wind speed $w$", r"the constant drag parameter $\gamma$")[which]
    fixed = (
        rf"$\gamma$ is {shown(2, at[2])}"
        if which == 1
        else f"the wind speed $w$ is {shown(1, at[1])}"
    )
    question = draw.phrase(
        f"A coronal mass ejection starts at 20 solar radii with {shown(0, launch)} and obeys the "
        f"drag law {_DRAG}; {fixed}. Two such events differ in {name}: first "
        f"{shown(which, before)}, then {shown(which, after)}. How do the transit time to 1 AU and "
        f"the arrival speed change"
        " from the first to the second?",
        f"In the drag-based model, {_DRAG}, an ejection has a speed of {shown(0, launch)} at 20 "
        f"solar radii "
        f"and {fixed}. If {name} is changed from {shown(which, before)} to {shown(which, after)}, "
        "in which direction do the transit time to 1 AU and the arrival speed change?",
    )
    span = si.AU_M - 20 * si.R_SUN_M
    states = []
    for value in (before, after):
        at[which] = value
        v, w, gamma = at[0] * 1e3, at[1] * 1e3, at[2] * 1e-10
        states.append((*_closed(v, w, gamma, span), *_by_quadrature(v, w, gamma, span)))
    changes = relative_changes(*states)
    claims = change_claims(("transit time", "arrival speed"), changes[:2], changes[2:])
    return (
        Part(
            question,
            (
                "Drag pulls the ejection towards the wind's speed: it brakes one that is faster "
                "than the wind and pushes one that is slower.",
                f"This one is {'faster' if fast else 'slower'} than the wind, and "
                + ("the wind it approaches changes." if which == 1 else "its coupling changes."),
            ),
            stated(
                claims, Routes("integrated equation of motion", "quadratures over the excess speed")
            ),
        ),
    )


def _closed(v: float, w: float, gamma: float, span: float) -> tuple[float, float]:
    """Time and speed at a distance from r(t) and v(t), in one system of units."""
    from scipy.optimize import brentq

    sign, rate = (1.0 if v > w else -1.0), gamma * abs(v - w)

    def lag(time: float) -> float:
        return (w * time + sign * log1p(rate * time) / gamma) / span - 1.0

    time = float(brentq(lag, 1e2, 1e8, rtol=1e-12))
    return time, w + (v - w) / (1 + rate * time)


def _elapsed(k: float, n: float, start: float, end: float, power: float = 0.0) -> float:
    """Integral of u^power dt while the excess speed falls from ``start`` to ``end``."""
    import numpy as np

    nodes, weights = gauss_legendre(24)
    half = (np.log(start) - np.log(end)) / 2
    u = np.exp((np.log(start) + np.log(end)) / 2 + half * nodes)
    return float(np.sum(weights * u ** (power + 1 - n)) * half / k)


def _by_quadrature(v: float, w: float, gamma: float, span: float) -> tuple[float, float]:
    """Time and speed after a distance, in SI, with the excess speed as independent variable."""
    start, sign = abs(v - w), 1.0 if v > w else -1.0

    def covered(share: float) -> float:
        time = _elapsed(gamma, 2.0, start, start * share)
        return (w * time + sign * _elapsed(gamma, 2.0, start, start * share, 1.0)) / span - 1

    share = bracketed_root(covered, 1e-3, 1 - 1e-12)
    return _elapsed(gamma, 2.0, start, start * share), w + sign * start * share


FAMILY = Family(
    title="Drag-based propagation of a coronal mass ejection",
    assumptions=(
        "radial motion far from the Sun, gravity and Lorentz force negligible",
        "constant wind speed and constant drag parameter",
    ),
    sources=(
        "Vrsnak et al. 2013, Solar Physics 285, 295, sec. 2",
        "Cargill 2004, Solar Physics 221, 135",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
