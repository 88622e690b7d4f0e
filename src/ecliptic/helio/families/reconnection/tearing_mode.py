r"""Tearing mode: jump of the outer solution, and growth in the constant-psi regime.

Outside the resistive layer the flux perturbation in a field B_y = B_0 F(x / a) obeys

.. math:: \psi'' = (k^2 + F''/(F a^2)) \psi, \qquad
          \Delta' = [\psi'(0+) - \psi'(0-)] / \psi(0),

and the layer gives \Delta' = 2 \pi \Gamma(3/4)/\Gamma(1/4) \gamma^{5/4} \eta^{-3/4}
(a / (k v_A))^{1/2}.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import cosh, exp, gamma, log, pi, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, number_tex, tex
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HARRIS = r"$B_y = B_0\tanh(x/a)$"
_LAW = (
    "incompressible resistive magnetohydrodynamics without viscosity and without equilibrium flow"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Stability index of the Harris sheet, then the growth time of its tearing mode."""
    from astropy import constants, units

    width = draw.quantity(1.0, 50.0, "km", log=True)
    field, density = draw.quantity(2.0, 20.0, "mT"), draw.quantity(1.0, 20.0, "1e15 m-3")
    lundquist = draw.integer(2, 90) * 10 ** draw.integer(4, 6)
    wavelength = float(f"{2 * pi / draw.number(0.25, 0.75) * width.value:.2g}") * units.km
    kappa = float((2 * pi * width / wavelength).to_value(""))
    index = 2 * (1 / kappa - kappa)
    alfven = field / (constants.mu0 * constants.m_p * density) ** 0.5
    layer = 2 * pi * gamma(0.75) / gamma(0.25)
    rate = alfven / width * (index / layer) ** 0.8 * kappa**0.4 * lundquist**-0.6
    time = (1 / rate).to("s")
    n_text = f"${number_tex(density.value * 1e15, 2)}\\ \\mathrm{{m^{{-3}}}}$"
    s_text = f"${number_tex(float(lundquist), 2)}$"
    setting = draw.phrase(
        f"A coronal current sheet has the field {_HARRIS} with $a$ = {tex(width)} and obeys "
        f"{_LAW}. A perturbation varies along $y$ with a wavelength of {tex(wavelength)}.",
        f"Consider a sheet with {_HARRIS} and $a$ = {tex(width)} in {_LAW}, perturbed with a "
        f"wavelength of {tex(wavelength)} along $y$.",
    )
    other = 2 * _slope("harris", kappa, None)
    speed = field.value * 1e-3 / sqrt(si.MU_0 * si.M_P * density.value * 1e15)
    first = Part(
        f"{setting} "
        + draw.phrase(
            r"What is $\Delta' a$, with $\Delta'$ the jump of $\psi'/\psi$ of the perturbed flux "
            "function across $x = 0$ in the ideal outer solution?",
            r"Find the tearing index $\Delta' a$ from the ideal outer solution ($\Delta'$: jump of "
            r"the logarithmic derivative of the flux perturbation across $x = 0$).",
        ),
        (
            r"Outer region: $\psi'' = [k^2 - 2a^{-2}\,\mathrm{sech}^2(x/a)]\psi$, with the "
            r"decaying solution $\psi = e^{-k|x|}[1 + \tanh(|x|/a)/(ka)]$.",
            rf"$\Delta' a = 2[1/(ka) - ka] = {number_tex(index)}$ with $ka = {number_tex(kappa)}$.",
        ),
        Numeric(
            index,
            other,
            "",
            Routes("closed solution of the outer equation", "outer equation integrated inwards"),
        ),
    )
    second = Part(
        f"The asymptotic field $B_0$ is {tex(field)}, the (uniform) proton density {n_text} and "
        f"the Lundquist number $a v_A/\\eta$ (magnetic diffusivity $\\eta$, Alfvén speed $v_A$ of "
        f"$B_0$) is {s_text}. "
        + draw.phrase(
            "In which time does this mode grow by a factor e in the constant-$\\psi$ regime?",
            "Match to the inner layer in the constant-$\\psi$ approximation: what is the e-folding "
            "time of the mode?",
        ),
        (
            r"The resistive layer gives $\Delta' a = [2\pi\Gamma(3/4)/\Gamma(1/4)]\,"
            r"\gamma^{5/4}\tau_R^{3/4}(kv_A)^{-1/2}$ with $\tau_R = a^2/\eta$.",
            r"$\gamma = 0.55\,(v_A/a)(\Delta' a)^{4/5}(ka)^{2/5}S^{-3/5}$.",
            f"$1/\\gamma$ = {tex(time, 3)}.",
        ),
        Numeric(
            time,
            _growth_time(other, width.value * 1e3, speed, float(lundquist), kappa),
            "s",
            Routes(
                "matched solution with Gamma functions",
                "layer equation integrated, matching condition solved for the growth rate",
            ),
        ),
    )
    return first, second


_PROFILES = {
    "harris": _HARRIS,
    "slab": "$B_y = B_0 x/a$ for $|x| < a$ and $B_y = \\pm B_0$ beyond, on the two sides",
    "sine": r"$B_y = B_0\sin(x/a)$",
}


_WALLS = {
    ("harris", "any"): (14, 24, True),
    ("slab", "near"): (9, 15, False),
    ("slab", "far"): (26, 34, True),
    ("sine", "near"): (9, 12, False),
    ("sine", "far"): (20, 24, False),
}
"""Eighths of the half width at which walls may stand, and whether there may be none."""


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """The index of three kinds of sheets, with conducting walls on either side or without."""
    profile = draw.choice(("harris", "harris", "slab", "sine"))
    # near and far walls are not mixed: the index does not vanish within the ranges
    group = draw.choice([key for key in _WALLS if key[0] == profile])
    low, high, may_be_free = _WALLS[group]
    walls: list[Fraction | None] = []
    for _ in range(2):
        free = may_be_free and draw.choice((True, False))
        walls.append(None if free else Fraction(draw.integer(low, high), 8))
    if draw.choice((True, False, False)):
        walls[1] = walls[0]
    a, k = draw.phrase("a", "d", "L"), draw.phrase("k", "k_y")
    sides = []
    for wall, name in zip(walls, ("right", "left"), strict=True):
        at = "" if wall is None else fraction_tex(wall if name == "right" else -wall)
        sides.append(
            f"on the {name} side the plasma is unbounded"
            if wall is None
            else f"on the {name} side a perfectly conducting wall stands at $x = {at}{a}$"
        )
    bounds = " and ".join(sides)
    if walls == [None, None]:
        bounds = "the plasma is unbounded on both sides"
    sheet = _PROFILES[profile].replace("x/a", f"x/{a}").replace("< a", f"< {a}")
    setting = draw.phrase(
        f"A current sheet with {sheet} obeys {_LAW}; {bounds}. It is perturbed with the wavenumber "
        f"${k}$ along $y$, where ${k}{a} < 1$.",
        f"For the tearing mode of wavenumber ${k}$ (along $y$, ${k}{a} < 1$) take the sheet "
        f"{sheet} in {_LAW}, where {bounds}.",
    )
    question = draw.phrase(
        r"Derive $\Delta' = [\psi'(0^+) - \psi'(0^-)]/\psi(0)$ of the ideal outer solution.",
        r"Find the tearing index $\Delta'$, the jump of $\psi'/\psi$ across $x = 0$ in the ideal "
        "outer solution.",
    )
    if walls[0] == walls[1]:
        total = rf"\frac{{2}}{{{a}}}{_formula(profile, walls[0])}"
    else:
        both = " + ".join(_formula(profile, wall) for wall in walls)
        total = rf"\frac{{1}}{{{a}}}\left({both}\right)"
    define = rf"\kappa = {k}{a}"
    if profile == "sine":
        define = rf"q = \sqrt{{1 - {k}^2{a}^2}}"
    final = rf"$\Delta' = {total}, \quad {define}$"

    def check(at: Mapping[str, float]) -> float:
        kappa = at[k] * at[a]
        return sum(_slope(profile, kappa, wall) for wall in walls) / at[a]

    term = {
        "harris": r"F''/F = -2\,\mathrm{sech}^2",
        "slab": rf"F''/F = -\delta(|x|/{a} - 1)",
        "sine": "F''/F = -1",
    }[profile]
    return (
        Part(
            f"{setting} {question}",
            (
                rf"${a}^2\psi'' = ({k}^2{a}^2 + F''/F)\psi$ with ${term}$, $F$ the profile "
                rf"of $B_y$ and primes of $F$ by $x/{a}$.",
                "The solution that vanishes at the wall or at infinity is taken on each side.",
                f"Their slopes at the origin add up to {final}.",
            ),
            Symbolic(
                final,
                {k: (0.3, 0.5), a: (0.8, 1.0)},
                check,
                Routes("closed solutions of the outer equation", "outer equation integrated"),
                {"": "m-1", k: "m-1", a: "m"},
                agreement=1e-5,
            ),
        ),
    )


def _formula(profile: str, wall: Fraction | None) -> str:
    """Minus the slope at 0+ of the solution that is 1 there, in units of 1/a."""
    if profile == "sine":
        assert wall is not None
        return rf"\left(-q\cot\left({factor_tex(wall)}q\right)\right)"
    if profile == "harris":
        base = r"\frac{1 - \kappa^2}{\kappa}"
        if wall is None:
            return base
        r = fraction_tex(wall)
        s, c = rf"\sinh\left({r}\kappa\right)", rf"\cosh\left({r}\kappa\right)"
        t = rf"\tanh\left({r}\right)"
        return rf"{base}\frac{{{t}{s} - \kappa {c}}}{{{t}{c} - \kappa {s}}}"
    edge = r"\kappa"
    if wall is not None:
        gap = "" if wall == 2 else fraction_tex(wall - 1)
        edge = rf"\kappa\coth\left({gap}\kappa\right)"
    inner = rf"\left(1 - {edge}\right)"
    return (
        rf"\frac{{\kappa\left({inner}\cosh(\kappa) - \kappa\sinh(\kappa)\right)}}"
        rf"{{\kappa\cosh(\kappa) - {inner}\sinh(\kappa)}}"
    )


_CHANGED = {
    "wavelength": "the wavelength",
    "diffusivity": "the magnetic diffusivity",
    "field": "the asymptotic field",
    "density": "the mass density",
    "width": "the half width $a$ of the sheet",
}


def textual(draw: Draw) -> tuple[Part, ...]:
    """Index and growth rate of the Harris sheet under one change."""
    changed = draw.choice(tuple(_CHANGED))
    kappa, lundquist = draw.number(0.3, 0.6), float(draw.integer(1, 99)) * 1e5
    factor = draw.number(1.15, 1.5)
    grows = draw.choice((True, False))
    ratio = factor if grows else 1 / factor
    verb = draw.phrase("grows", "is raised") if grows else draw.phrase("falls", "is lowered")
    by = f"by a factor of {tex(factor)}"
    *some, last = (text for key, text in _CHANGED.items() if key != changed)
    kept = f"{', '.join(some)} and {last}"
    question = draw.phrase(
        f"In a sheet with {_HARRIS}, {_LAW}, a tearing mode has $ka$ = {tex(kappa)} and is in the "
        f"constant-$\\psi$ regime; the Lundquist number $av_A/\\eta$ is "
        f"${number_tex(lundquist, 2)}$. {_CHANGED[changed].capitalize()} {verb} {by}, while "
        rf"{kept} are kept. How do the tearing index $\Delta'$ and the growth rate change, if at "
        "all?",
        f"A Harris sheet, {_HARRIS}, is tearing-unstable in the constant-$\\psi$ regime ({_LAW}), "
        f"with $ka$ = {tex(kappa)} and a Lundquist number $av_A/\\eta$ of "
        f"${number_tex(lundquist, 2)}$. State how the tearing index $\\Delta'$ and the growth rate "
        f"of the mode change, if at all, when {_CHANGED[changed]} {verb} {by} and {kept} are kept.",
    )
    layer = 2 * pi * gamma(0.75) / gamma(0.25)
    exact, found = [], []
    for scale in (1.0, ratio):
        a = scale if changed == "width" else 1.0
        k = kappa / (scale if changed == "wavelength" else 1.0)
        speed = scale if changed == "field" else scale**-0.5 if changed == "density" else 1.0
        eta = (scale if changed == "diffusivity" else 1.0) / lundquist
        now, s = k * a, a * speed / eta
        index = 2 * (1 / now - now)
        exact.append((index / a, speed / a * (index / layer) ** 0.8 * now**0.4 * s**-0.6))
        other = 2 * _slope("harris", now, None)
        found.append((other / a, 1 / _growth_time(other, a, speed, s, now)))
    claims = change_claims(
        ("tearing index", "growth rate"), relative_changes(*exact), relative_changes(*found)
    )
    return (
        Part(
            question,
            (
                r"$\Delta' = (2/a)(1/ka - ka)$ knows only the wavelength and the width.",
                r"$\gamma \propto (v_A/a)(\Delta' a)^{4/5}(ka)^{2/5}(av_A/\eta)^{-3/5}$.",
                f"The growth rate changes by the factor {number_tex(exact[1][1] / exact[0][1])}.",
            ),
            stated(claims, Routes("matched solution", "outer and layer equations integrated")),
        ),
    )


@lru_cache(maxsize=256)
def _slope(profile: str, kappa: float, wall: Fraction | None) -> float:
    """psi'(0+) / psi(0), from the wall or from far away inwards, x in units of a."""
    if wall is None:
        start = 12.0 if profile == "harris" else 1.0
        value, slope = exp(-kappa * start), -kappa * exp(-kappa * start)
    else:
        start, value, slope = float(wall), 0.0, -1.0
    if profile == "slab":
        if wall is not None:
            value, slope = _integrate(kappa, value, slope, start, 1.0, profile)
        slope += value
        start = 1.0
    value, slope = _integrate(kappa, value, slope, start, 0.0, profile)
    return slope / value


def _integrate(
    kappa: float, value: float, slope: float, start: float, end: float, profile: str
) -> tuple[float, float]:
    """The outer equation between two places, by Runge-Kutta steps of about 1/40."""

    def factor(x: float) -> float:
        extra = {"slab": 0.0, "sine": -1.0}.get(profile)
        return kappa**2 + (-2 / cosh(x) ** 2 if extra is None else extra)

    steps = max(int(40 * abs(end - start)), 10)
    h = (end - start) / steps
    late = factor(start)
    for index in range(steps):
        x = start + index * h
        early, middle, late = late, factor(x + h / 2), factor(x + h)
        a1, b1 = slope, early * value
        a2, b2 = slope + h / 2 * b1, middle * (value + h / 2 * a1)
        a3, b3 = slope + h / 2 * b2, middle * (value + h / 2 * a2)
        a4, b4 = slope + h * b3, late * (value + h * a3)
        value += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        slope += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    return value, slope


@lru_cache(maxsize=1)
def _layer_constant() -> float:
    """Integral of 1 + X Y over the layer, where Y'' = X (1 + X Y) and Y is odd and bounded."""
    import numpy as np
    from scipy.integrate import solve_bvp

    end = 12.0

    def slope(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.vstack((y[1], x * (1 + x * y[0]), 1 + x * y[0]))

    def edges(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
        far = -1 / end - 2 / end**5 - 60 / end**9
        return np.array([low[0], low[2], high[0] - far])

    x = np.linspace(0.0, end, 400)
    guess = np.vstack((-x / (1 + x**2), 0 * x, 0 * x))
    found = solve_bvp(slope, edges, x, guess, tol=1e-10, max_nodes=40000)
    tail = -2 / (3 * end**3) - 60 / (7 * end**7)
    return 2 * (float(found.y[2, -1]) + tail)


def _growth_time(index: float, a: float, speed: float, lundquist: float, kappa: float) -> float:
    """1 / gamma where the jump across the layer equals that of the outer solution."""

    diffusivity = a * speed / lundquist

    def mismatch(log_rate: float) -> float:
        rate = exp(log_rate)
        shear = kappa * speed / a**2
        thickness = (rate * diffusivity / shear**2) ** 0.25
        return log(rate / diffusivity * thickness * _layer_constant() * a / index)

    middle = log(speed / a)
    return exp(-bracketed_root(mismatch, middle - 40, middle + 5))


FAMILY = Family(
    title="Tearing mode of a current sheet",
    assumptions=(
        "incompressible resistive magnetohydrodynamics, no viscosity, no equilibrium flow",
        "constant-psi regime for growth rates",
    ),
    sources=(
        "Furth, Killeen and Rosenbluth 1963, Physics of Fluids 6, 459",
        "Fitzpatrick 2014, Plasma Physics: An Introduction, chapter on resistive "
        "magnetohydrodynamics",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
