r"""Pitch-angle scattering: mean free path, and streaming against adiabatic focusing.

The gyrotropic distribution f(z, mu) of fast particles obeys

.. math:: \frac{\partial f}{\partial t} + v\mu\frac{\partial f}{\partial z}
          + \frac{v}{2L}(1 - \mu^2)\frac{\partial f}{\partial\mu}
          = \frac{\partial}{\partial\mu}\Bigl(D\frac{\partial f}{\partial\mu}\Bigr).

With D = D_0 (1 - mu^2) |mu|^{q-1} both its diffusive and its focused solution are elementary.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, sqrt
from typing import TYPE_CHECKING

import numpy as np

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, power_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre

if TYPE_CHECKING:
    pass

_INDICES = [Fraction(*p) for p in ((1, 1), (6, 5), (5, 4), (4, 3), (3, 2), (8, 5), (5, 3), (7, 4))]
_SOLVED = "first-order anisotropy and its flux by nested quadrature"
_KINETIC = (
    r"$\frac{\partial f}{\partial t} + v\mu\frac{\partial f}{\partial z} + \frac{v}{2L}(1 - \mu^2)"
    r"\frac{\partial f}{\partial\mu} = \frac{\partial}{\partial\mu}\left(D_{\mu\mu}"
    r"\frac{\partial f}{\partial\mu}\right)$"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Scattering rate from the mean free path, then the anisotropy of a focused stream."""
    from astropy import constants, units

    index = draw.choice(_INDICES[1:])
    energy, path = draw.quantity(2.0, 90.0, "MeV"), draw.quantity(0.08, 0.25, "AU", digits=3)
    place = draw.quantity(0.4, 1.0, "AU")
    law = rf"D_{{\mu\mu}} = D_0 (1 - \mu^2)|\mu|^{{{power_tex(index - 1)}}}"
    setting = draw.phrase(
        f"Solar protons of {tex(energy)} kinetic energy scatter in pitch angle ($\\mu$: its "
        f"cosine) with ${law}$. Over long times they diffuse along the field with a mean free path "
        rf"$\lambda = 3\kappa/v$ of {tex(path, unit='AU')}, $\kappa$ being their diffusion "
        "coefficient along the field in the absence of focusing.",
        f"The parallel mean free path $\\lambda = 3\\kappa/v$ of protons with {tex(energy)} of "
        rf"kinetic energy is {tex(path, unit='AU')} ($\kappa$: diffusion coefficient along a "
        f"uniform field, $v$: speed). Their pitch-angle diffusion coefficient is ${law}$.",
    )
    rest = (constants.m_p * constants.c**2).to(units.MeV)
    gamma = (1 + energy / rest).to_value(units.one)
    speed = constants.c * sqrt(1 - gamma**-2)
    a, b = float(2 - index), float(4 - index)
    rate = (3 * speed / (2 * path * a * b)).to("1e-3 s-1")
    factor = si.M_P * si.C**2 / (si.E_CHARGE * 1e6)
    momentum = sqrt(energy.value * (energy.value + 2 * factor))
    speed_si = si.C * momentum / (energy.value + factor)
    unit_path = _mean_free_path(float(index))
    first = Part(
        f"{setting} " + draw.phrase("Find $D_0$.", "How large is $D_0$?"),
        (
            r"To first order $D_{\mu\mu}\,\partial f_1/\partial\mu = -\frac{v}{2}(1 - \mu^2)\,"
            r"\partial f_0/\partial z$; the flux of $f_1$ gives $\lambda = \frac{3v}{8}"
            r"\int_{-1}^{1}\frac{(1 - \mu^2)^2}{D_{\mu\mu}}d\mu$.",
            rf"The integral makes $\lambda = \frac{{3v}}{{2 D_0 (2-q)(4-q)}}$ with "
            rf"$q = {power_tex(index)}$; the speed is {tex(speed, 4, unit='km s-1')}.",
            f"$D_0$ = {tex(rate, 4, unit='s-1')}.",
        ),
        Numeric(
            rate.to("s-1"),
            speed_si * unit_path / (path.value * si.AU_M),
            "s-1",
            Routes("closed integral with units", _SOLVED),
            digits=4,
        ),
    )
    length = place / 2
    contrast = exp((2 * path / (3 * length)).to_value(units.one) * b)
    strength = _focusing(
        speed_si,
        place.value * si.AU_M / 2,
        speed_si * unit_path / (path.value * si.AU_M),
        float(index),
    )
    second = Part(
        draw.phrase(
            f"Now focusing is added: {_KINETIC}. Near {tex(place, unit='AU')} the field falls as "
            r"$r^{-2}$ along a radial line; take its scale length $L = -B/(dB/dz) = r/2$ as "
            r"constant. Find $F(1)/F(-1)$ for the steady stream $f = e^{-z/L} F(\mu)$.",
            f"With focusing, {_KINETIC}. Let $L = -B/(dB/dz)$ be the constant $r/2$ of a radial "
            rf"field at {tex(place, unit='AU')}. In the steady state $f = e^{{-z/L}} F(\mu)$, how "
            r"many times larger is $F$ at $\mu = 1$ than at $\mu = -1$?",
        ),
        (
            r"The equation is a total derivative, $\frac{d}{d\mu}\left[D_{\mu\mu}F' - "
            r"\frac{v}{2L}(1 - \mu^2)F\right] = 0$; the bracket vanishes at $\mu = \pm 1$, so "
            "everywhere.",
            r"$\ln\frac{F(1)}{F(-1)} = \frac{v}{L D_0 (2-q)} = \frac{2(4-q)\lambda}{3L}$.",
            f"$F(1)/F(-1)$ = {contrast:.4g}.",
        ),
        Numeric(
            contrast,
            exp(strength),
            "",
            Routes("integrated steady state", "quadrature of F'/F"),
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Mean free path, diffusion coefficient, anisotropy or focused stream."""
    index = draw.choice([None, *_INDICES])
    uneven = draw.choice((True, False))
    asked = draw.choice(("path", "kappa", "first", "focus", "link"))
    uneven = uneven and asked != "link"
    d0, v = draw.phrase("D_0", r"\nu_0"), draw.phrase("v", "w")
    plus, minus = (f"{d0.removesuffix('_0')}_{{{side}}}" for side in "+-")
    power = "q-1" if index is None else power_tex(index - 1)
    bend = "" if index == 1 else rf"|\mu|^{{{power}}}"
    law = (
        rf"D_{{\mu\mu}} = {plus} (1 - \mu^2) {bend}$ for $\mu > 0$ and "
        rf"$D_{{\mu\mu}} = {minus} (1 - \mu^2) {bend}"
        if uneven
        else rf"D_{{\mu\mu}} = {d0} (1 - \mu^2) {bend}"
    )
    rest = " for $\\mu < 0$" if uneven else ""
    known = " ($1 < q < 2$)" if index is None else ""
    setting = draw.phrase(
        f"Particles of speed ${v}$ are scattered in pitch angle ($\\mu$: cosine of the pitch "
        f"angle) with ${law.strip()}${rest}{known}.",
        f"Magnetic turbulence diffuses the pitch-angle cosine $\\mu$ of particles of speed ${v}$ "
        f"with ${law.strip()}${rest}{known}.",
    )

    def lead(top: int, factor: int, *, twice: bool = True) -> str:
        """``top`` over a number times (2 - q), and (4 - q) if ``twice``."""
        if index is None:
            both = " (4 - q)" * twice
            return rf"\frac{{{top}}}{{{factor if factor > 1 else ''} (2 - q){both}}}"
        value = top / (factor * (2 - index) * (4 - index if twice else 1))
        return factor_tex(value)

    inverse = (
        rf"\left(\frac{{1}}{{{plus}}} + \frac{{1}}{{{minus}}}\right)"
        if uneven
        else rf"\frac{{1}}{{{d0}}}"
    )
    full, half = (4, 2) if uneven else (2, 1)
    turn = power_tex(2 - index) if index is not None else "2-q"
    question, final = {
        "path": (
            rf"The diffusion coefficient along a uniform field is $\kappa = {v}\lambda/3$. Derive "
            r"the mean free path $\lambda$.",
            rf"$\lambda = {lead(3, full)} {v} {inverse}$",
        ),
        "kappa": (
            r"Derive the coefficient $\kappa$ of their diffusion along a uniform field.",
            rf"$\kappa = {lead(1, full)} {v}^2 {inverse}$",
        ),
        "first": (
            "In a uniform field the nearly isotropic $f_0(z)$ has the gradient $G = -\\partial "
            "f_0/\\partial z$. By how much, $A = f(\\mu = 1) - f(\\mu = -1)$, does the "
            "distribution differ along and against the field, to first order in $G$?",
            "$A = " + f"{lead(1, half, twice=False)} {v} G {inverse}$".lstrip(),
        ),
        "focus": (
            f"In a field with the constant scale length $L = -B/(dB/dz)$, {_KINETIC}. For the "
            r"steady state $f = e^{-z/L}F(\mu)$ find $\Lambda = \ln[F(1)/F(-1)]$.",
            rf"$\Lambda = {lead(1, half, twice=False)} \frac{{{v}}}{{L}} {inverse}$",
        ),
        "link": (
            "In a field with the constant scale length $L = -B/(dB/dz)$, "
            rf"{_KINETIC}. Express $\Lambda = \ln[F(1)/F(-1)]$ of the steady state $f = e^{{-z/L}}"
            r"F(\mu)$ by the mean free path $\lambda = 3\kappa/v$ that the same scattering gives "
            "in a uniform field ($\\kappa$: diffusion coefficient along it).",
            r"$\Lambda = "
            + (r"\frac{2}{3} (4 - q)" if index is None else fraction_tex(2 * (4 - index) / 3))
            + r" \frac{\lambda}{L}$",
        ),
    }[asked]
    if asked in ("focus", "link"):
        question = question.replace("v\\mu", f"{v}\\mu").replace(
            r"\frac{v}{2L}", rf"\frac{{{v}}}{{2L}}"
        )
        question = question.replace("3\\kappa/v$", f"3\\kappa/{v}$")
    ranges = {v: (0.5, 2.0)} if asked != "link" else {r"\lambda": (0.3, 1.0), "L": (1.0, 2.0)}
    if asked != "link":
        ranges |= {plus: (0.5, 1.0), minus: (1.0, 2.0)} if uneven else {d0: (0.5, 2.0)}
    if asked == "focus":
        ranges["L"] = (1.0, 2.0)
    if asked == "first":
        ranges["G"] = (0.5, 1.5)
    if index is None:
        ranges["q"] = (1.1, 1.8)
    result = {"path": "m", "kappa": "m2 s-1", "first": "s3 m-6"}.get(asked, "")
    units = {v: "m s-1", plus: "s-1", minus: "s-1", d0: "s-1", "L": "m", r"\lambda": "m"}
    units |= {"G": "s3 m-7", "q": "", "": result}

    def check(at: Mapping[str, float]) -> float:
        q = at["q"] if index is None else float(index)
        speed = at.get(v, 1.0)
        sides = (at[plus], at[minus]) if uneven else (at.get(d0, 1.0),) * 2
        paths = [_mean_free_path(q) / d for d in sides]
        path = speed * sum(paths) / 2
        if asked == "path":
            return path
        if asked == "kappa":
            return speed * path / 3
        if asked == "first":
            return at["G"] * sum(_focusing(speed, 1.0, d, q) for d in sides) / 2
        if asked == "focus":
            return sum(_focusing(speed, at["L"], d, q) for d in sides) / 2
        scale = path / at[r"\lambda"]
        return _focusing(speed, at["L"], sides[0] * scale, q)

    return (
        Part(
            f"{setting} {question}",
            (
                r"In a uniform field, to first order, $D_{\mu\mu}\,\partial f_1/\partial\mu = "
                rf"-\frac{{{v}}}{{2}}(1 - \mu^2)\,\partial f_0/\partial z$ and $\kappa = "
                rf"\frac{{{v}^2}}{{8}}\int_{{-1}}^{{1}}(1 - \mu^2)^2 d\mu/D_{{\mu\mu}}$."
                if asked in ("path", "kappa", "first")
                else r"The steady equation is $\frac{d}{d\mu}\left[D_{\mu\mu}F' - "
                rf"\frac{{{v}}}{{2L}}(1 - \mu^2)F\right] = 0$ with a bracket that vanishes at "
                r"$\mu = \pm 1$.",
                rf"On each side the integrals are of powers of $\mu$, such as $\int_0^1 "
                rf"\mu^{{{turn}}} d\mu/\mu$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("integrals of powers", _SOLVED),
                {name: units[name] for name in ("", *ranges)},
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Mean free path and anisotropy in other turbulence, energy or place."""
    at = [
        draw.number(1.0, 9.0),
        draw.number(1.1, 1.4),
        draw.number(5.0, 30.0),
        draw.number(0.3, 0.6),
    ]
    which = draw.integer(0, 3)
    factor = draw.number(1.15, 1.3) if which == 1 else draw.number(1.4, 2.0)
    high = float(f"{at[which] * factor:.2g}")
    before, after = draw.choice(((at[which], high), (high, at[which])))

    def shown(i: int, value: float) -> str:
        if i == 0:
            return f"${value}\\times 10^{{-3}}\\ \\mathrm{{s^{{-1}}}}$"
        return tex(value, unit=("", "", "MeV", "AU")[i])

    names = ("scattering rate $D_0$", "exponent $q$", "proton energy", "focusing length $L$")
    *some, last = (
        f"{'an' if i == 1 else 'a'} {names[i]} of {shown(i, at[i])}" for i in range(4) if i != which
    )
    fixed = f"{', '.join(some)} and {last}"
    law = r"$D_{\mu\mu} = D_0 (1 - \mu^2)|\mu|^{q-1}$"
    question = draw.phrase(
        f"Solar protons scatter with {law} in a field of constant focusing length $L = "
        f"-B/(dB/dz)$, with {fixed}. The {names[which]} is changed from {shown(which, before)} to "
        f"{shown(which, after)}, and nothing else. How do the parallel mean free path (of the same "
        r"scattering without focusing) and the anisotropy ratio $F(1)/F(-1)$ of the steady focused "
        r"stream $f = e^{-z/L}F(\mu)$ change, if at all?",
        f"Two streams of solar protons are focused and scattered in pitch angle, {law} and $L = "
        f"-B/(dB/dz)$ constant, both with {fixed}. The {names[which]} is {shown(which, before)} in "
        f"the first and {shown(which, after)} in the second. From the first to the second, how "
        "do the mean free path along the field, as it follows from $D_{\\mu\\mu}$ "
        r"alone, and the anisotropy ratio $F(1)/F(-1)$ of the steady state $f = e^{-z/L}F(\mu)$ "
        "change, if at all?",
    )
    states = []
    for value in (before, after):
        at[which] = value
        rate, q, energy, scale = at[0] * 1e-3, at[1], at[2], at[3] * si.AU_M
        rest = si.M_P * si.C**2 / (si.E_CHARGE * 1e6)
        v = si.C * sqrt(energy * (energy + 2 * rest)) / (energy + rest)
        path = 3 * v / (2 * rate * (2 - q) * (4 - q))
        other = v / rate * _mean_free_path(q)
        states.append((path, 2 * (4 - q) * path / (3 * scale), other, _focusing(v, scale, rate, q)))
    changes = (
        states[1][0] / states[0][0] - 1,
        exp(states[1][1] - states[0][1]) - 1,
        states[1][2] / states[0][2] - 1,
        exp(states[1][3] - states[0][3]) - 1,
    )
    claims = change_claims(("mean free path", "anisotropy ratio"), changes[:2], changes[2:])
    return (
        Part(
            question,
            (
                r"$\lambda = 3v/[2D_0(2-q)(4-q)]$.",
                r"$\ln[F(1)/F(-1)] = v/[L D_0(2-q)]$: focusing against scattering.",
            ),
            stated(claims, Routes("closed integrals", _SOLVED)),
        ),
    )


def _mean_free_path(q: float) -> float:
    """3 kappa D_0 / v^2, solved for; mu = t^n takes the cusp at 90 degrees away."""
    share, weights = gauss_legendre(24, 0.0, 1.0)
    n = 1 / (2 - q)
    inner = np.multiply.outer(share, share)
    mu = inner**n
    scattering = (1 - mu**2) * mu ** (q - 1)
    slope = (1 - mu**2) / (2 * scattering) * n * inner ** (n - 1)
    anisotropy = share * (slope @ weights)
    outer = share**n
    return float(3 * np.sum(weights * n * share ** (n - 1) * outer * anisotropy))


def _focusing(v: float, length: float, rate: float, q: float) -> float:
    """ln F(1)/F(-1) for an even D, by quadrature of F'/F."""
    share, weights = gauss_legendre(24, 0.0, 1.0)
    n = 1 / (2 - q)
    mu = share**n
    scattering = rate * (1 - mu**2) * mu ** (q - 1)
    slope = v / (2 * length) * (1 - mu**2) / scattering
    return float(2 * np.sum(weights * slope * n * share ** (n - 1)))


FAMILY = Family(
    title="Pitch-angle scattering and focusing of solar particles",
    assumptions=(
        "gyrotropic distribution, elastic scattering in the frame of the field",
        "pitch-angle diffusion coefficient even in the cosine unless the question says otherwise",
    ),
    sources=(
        "Jokipii 1966, ApJ 146, 480",
        "Hasselmann & Wibberenz 1970, ApJ 162, 1049",
        "Earl 1981, ApJ 251, 739",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
