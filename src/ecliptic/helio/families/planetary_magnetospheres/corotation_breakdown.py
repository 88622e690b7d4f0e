r"""Corotation lag of outward moving plasma that a planet's ionosphere spins up.

A steady outflow of mass \dot M crosses the equatorial field B(\rho); F is the flux function,
B = |dF/d\rho| / \rho. Each ionosphere drives the Pedersen current 4 \pi \Sigma F (\Omega - \omega)
through a circle, so that the angular momentum of the plasma obeys

.. math:: \dot M \, d(\rho^2 \omega)/d\rho = 8 \pi \Sigma F B \rho (\Omega - \omega).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import exp, pi, sqrt
from typing import TYPE_CHECKING, Any

from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, number_tex, power_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

_MODEL = (
    "Plasma from a source close to the planet drifts outwards in the equatorial plane, steadily "
    r"and axisymmetrically, at the total mass rate $\dot M$. The field is an aligned dipole with "
    r"the surface equatorial field $B_0$ at the radius $R$. Both ionospheres have the effective "
    r"height-integrated Pedersen conductance $\Sigma$, rotate with $\Omega$ and close the current "
    "that the slower plasma draws along the field (field lines are equipotentials and nearly "
    "vertical in the ionosphere, close to the poles); no other torque acts."
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Where the plasma lags by a given fraction, then the power drawn from the rotation."""
    from scipy.optimize import brentq
    from scipy.special import erfcx

    radius = draw.quantity(2.5e4, 7.2e4, "km")
    field = draw.quantity(20.0, 430.0, "uT", log=True)
    conductance = draw.quantity(0.05, 2.0, "S", log=True)
    loss = draw.quantity(100.0, 2000.0, "kg s-1", log=True)
    period = draw.quantity(8.0, 18.0, "h")
    share = draw.choice((0.3, 0.4, 0.5, 0.6, 0.7, 0.8))
    values = (
        rf"$\dot M$ = {tex(loss)}, $B_0$ = {tex(field)}, $R$ = {tex(radius)}, "
        rf"$\Sigma$ = {tex(conductance)} and a rotation period of {tex(period)}"
    )
    setting = draw.phrase(
        f"{_MODEL} For a giant planet take {values}.",
        f"The corotation of a giant planet's magnetosphere breaks down in this way: {_MODEL} In "
        f"numbers, {values}.",
    )
    length = radius * float(
        (2 * pi * conductance * field**2 * radius**2 / loss).to_value("") ** 0.25
    )
    y = brentq(lambda y: sqrt(pi) * y * float(erfcx(y)) - share, 1e-3, 20.0, xtol=1e-13)
    place = length / sqrt(y) / radius
    angular = 2 * pi / period
    power = (loss * angular**2 * length**2 * sqrt(pi)).to("TW")
    at, momentum = _breakdown(share)
    r, b = radius.value * 1e3, field.value * 1e-6
    scale = (2 * pi * conductance.value * b**2 * r**6 / loss.value) ** 0.25
    first = Part(
        f"{setting} "
        + draw.phrase(
            "At which distance, in units of $R$, has the angular velocity fallen to "
            rf"${share}\,\Omega$?",
            rf"How many planetary radii $R$ from the centre does the plasma rotate with "
            rf"${share}\,\Omega$?",
        ),
        (
            r"$\dot M\,d(\rho^2\omega)/d\rho = 8\pi\Sigma FB\rho(\Omega-\omega)$ with "
            r"$F = B_0R^3/\rho$ and $B = B_0(R/\rho)^3$.",
            r"With $\rho_H = R(2\pi\Sigma B_0^2R^2/\dot M)^{1/4}$ and $y = (\rho_H/\rho)^2$: "
            r"$\omega/\Omega = \sqrt{\pi}\,y\,e^{y^2}\mathrm{erfc}(y)$.",
            rf"$\rho_H$ = {tex(float((length / radius).to_value('')), 3)} $R$ and $y$ = "
            rf"${number_tex(y)}$, so $\rho/R = {number_tex(float(place.to_value('')))}$.",
        ),
        Numeric(
            place,
            at * scale / r,
            "",
            Routes("solution with the error function", "torque balance integrated outwards"),
        ),
    )
    second = Part(
        draw.phrase(
            "Which power does the torque on this plasma take out of the planet's rotation, in all "
            "(out to where the lag is complete)?",
            "How large is the total power that the rotation of the planet loses to this plasma "
            r"($\Omega$ times the torque, out to infinity)?",
        ),
        (
            r"Far out $\rho^2\omega \to \sqrt{\pi}\,\Omega\rho_H^2$, so the torque is "
            r"$\sqrt{\pi}\,\dot M\Omega\rho_H^2$.",
            rf"Times $\Omega$: {tex(power, 3)}.",
        ),
        Numeric(
            power,
            loss.value * (2 * pi / (period.value * 3600)) ** 2 * scale**2 * momentum / 1e12,
            "TW",
            Routes("limit of the closed solution", "torque balance integrated far outwards"),
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """The angular momentum that is given up in the end, in fields of any power."""
    disc = draw.choice((True, False))
    m = Fraction(draw.integer(9, 15), 4) if not disc else Fraction(draw.integer(9, 16), 4)
    asked = draw.choice(("torque", "momentum", "power"))
    b, r0 = draw.phrase("B_0", "B_1"), draw.phrase("R", "r_0")
    sigma, mass = draw.phrase(r"\Sigma", r"\Sigma_P"), draw.phrase("W", "S")
    # F B rho falls as rho^-q
    q = m - 1 if disc else 2 * m - 3
    flux = (
        r"the flux function $F$ ($2\pi F$ is the flux beyond the radius) may be taken as the "
        "constant $F_0$"
        if disc
        else r"the flux function $F$ at a radius is the flux beyond it divided by $2\pi$"
    )
    model = (
        "steady axisymmetric outflow of the mass rate $" + mass + r"$ from close to the planet; "
        rf"two ionospheres with the conductance ${sigma}$ carry the total Pedersen current "
        rf"$4\pi {sigma} F(\Omega - \omega)$ each, which closes through the equatorial plane, "
        r"where it exerts the torque that spins up the plasma to the angular velocity "
        r"$\omega(\rho)$"
    )
    setting = draw.phrase(
        f"Corotation lag around a planet of angular velocity $\\Omega$: {model}. The equatorial "
        rf"field falls as $B = {b}({r0}/\rho)^{{{power_tex(m)}}}$, and {flux}.",
        rf"In a magnetosphere with the equatorial field $B = {b}({r0}/\rho)^{{{power_tex(m)}}}$ "
        f"there is a {model}. The planet rotates with $\\Omega$, and {flux}.",
    )
    question = {
        "momentum": draw.phrase(
            r"Derive the specific angular momentum $\ell$ that the plasma has far out "
            r"($\rho \to \infty$).",
            r"Find the limit $\ell$ of $\rho^2\omega$ for $\rho \to \infty$.",
        ),
        "torque": "Derive the total torque $N$ on the plasma, out to infinity.",
        "power": "Derive the power $P$ that the planet's rotation loses to the plasma in all.",
    }[asked]
    # K = 8 pi Sigma F B rho^(1 + q) / M
    amount = (
        rf"8\pi {sigma} F_0 {b} {r0}^{{{power_tex(m)}}}"
        if disc
        else rf"{_whole(8 / (m - 2))}\pi {sigma} {b}^2 {r0}^{{{power_tex(2 * m)}}}"
    )
    inner = (
        rf"\frac{{{_whole(8 / (q + 1))}\pi {sigma} F_0 {b} {r0}^{{{power_tex(m)}}}}}{{{mass}}}"
        if disc
        else rf"\frac{{{_whole(8 / (m - 2) / (q + 1))}\pi {sigma} {b}^2 "
        rf"{r0}^{{{power_tex(2 * m)}}}}}{{{mass}}}"
    )
    g = rf"\Gamma\left({fraction_tex((q - 1) / (q + 1))}\right)"
    core = rf"{g}\left({inner}\right)^{{{power_tex(2 / (q + 1))}}}"
    final = {
        "momentum": rf"$\ell = \Omega {core}$",
        "torque": rf"$N = {mass}\Omega {core}$",
        "power": rf"$P = {mass}\Omega^2 {core}$",
    }[asked]
    tesla = "kg(1/2) m(-1/2) s-1"
    ranges = {
        r"\Omega": (0.5, 2.0),
        sigma: (0.5, 2.0),
        b: (0.5, 2.0),
        r0: (0.5, 2.0),
        mass: (0.5, 2.0),
    }
    units = {r"\Omega": "s-1", sigma: "m-1 s", b: tesla, r0: "m", mass: "kg s-1"}
    if disc:
        ranges["F_0"], units["F_0"] = (0.5, 2.0), "kg(1/2) m(3/2) s-1"
    units[""] = {"momentum": "m2 s-1", "torque": "kg m2 s-2", "power": "kg m2 s-3"}[asked]
    if asked != "momentum":
        # joule and watt are not split into base units by the test of homogeneity
        units = {}

    def check(at: Mapping[str, float]) -> float:
        def flux_at(rho: Any) -> Any:
            if disc:
                return at["F_0"]
            return at[b] * at[r0] ** float(m) * rho ** float(2 - m) / float(m - 2)

        def drive(rho: Any) -> Any:
            field = at[b] * (at[r0] / rho) ** float(m)
            return 8 * pi * at[sigma] * flux_at(rho) * field * rho / at[mass]

        momentum = at[r"\Omega"] * _far_momentum(drive, float(q))
        torque = at[mass] * momentum
        return {"momentum": momentum, "torque": torque, "power": torque * at[r"\Omega"]}[asked]

    return (
        Part(
            f"{setting} {question}",
            (
                rf"${mass}\,d(\rho^2\omega)/d\rho = 8\pi {sigma} F B\rho\,(\Omega - \omega)$, "
                "where "
                + (
                    "$F = F_0$."
                    if disc
                    else rf"$F = {_whole(1 / (m - 2))}{b}{r0}^{{{power_tex(m)}}}"
                    rf"\rho^{{{power_tex(2 - m)}}}$."
                ),
                rf"So $d\ell/d\rho = K\rho^{{-{power_tex(q)}}}(\Omega - \ell/\rho^2)$ with "
                rf"$K = {amount}/{mass}$; the integrating factor is "
                rf"$\exp[-K\rho^{{-{power_tex(q + 1)}}}/({power_tex(q + 1)})]$.",
                r"The integral from 0 to infinity is a Gamma function.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("integrating factor and Gamma function", "torque balance integrated"),
                units,
            ),
        ),
    )


def _whole(value: Fraction) -> str:
    return factor_tex(value)


_CHANGED = {
    "conductance": r"the conductance $\Sigma$",
    "mass": r"the mass rate $\dot M$",
    "field": "the surface field $B_0$",
    "period": "the rotation period",
}


def textual(draw: Draw) -> tuple[Part, ...]:
    """Where corotation breaks down, and which power it takes, under one change."""
    changed = draw.choice(tuple(_CHANGED))
    factor = draw.number(1.2, 5.0)
    grows = draw.choice((True, False))
    share = draw.choice((0.3, 0.4, 0.5, 0.6, 0.7))
    ratio = factor if grows else 1 / factor
    verb, name = ("multiplied" if grows else "divided"), _CHANGED[changed]
    question = f"{_MODEL} " + draw.phrase(
        f"{name[0].upper()}{name[1:]} is {verb} by {tex(factor)}, and all else is kept. How "
        rf"do the distance at which the plasma rotates with ${share}\,\Omega$ and the total power "
        "that is taken from the planet's rotation change, if at all?",
        rf"How do the distance where $\omega = {share}\,\Omega$ and the power lost "
        f"by the planet's rotation (out to infinity) change, if at all, if {name} is {verb} "
        f"by {tex(factor)} while the rest is unchanged?",
    )
    powers = {
        "conductance": (0.25, 0.5),
        "mass": (-0.25, 0.5),
        "field": (0.5, 1.0),
        "period": (0.0, -2.0),
    }[changed]
    now = {"conductance": 1.0, "mass": 1.0, "field": 1.0, "period": 1.0} | {changed: ratio}
    drive = now["conductance"] * now["field"] ** 2 / now["mass"]
    omega = 1 / now["period"]
    before, after = _solution(4.0, 1.0, share), _solution(4.0 * drive, omega, share)
    second = (
        after[0] / before[0] - 1,
        now["mass"] * omega * after[1] / before[1] - 1,
    )
    claims = change_claims(
        ("distance of this angular velocity", "power taken from the rotation"),
        (ratio**power - 1 for power in powers),
        second,
    )
    return (
        Part(
            question,
            (
                r"All distances scale with $\rho_H \propto (\Sigma B_0^2/\dot M)^{1/4}$, in which "
                r"$\Omega$ does not appear.",
                r"The power is $\sqrt{\pi}\,\dot M\Omega^2\rho_H^2 \propto \Omega^2B_0"
                r"(\Sigma\dot M)^{1/2}$.",
            ),
            stated(claims, Routes("scaling of the closed solution", "torque balance integrated")),
        ),
    )


@lru_cache(maxsize=64)
def _breakdown(share: float) -> tuple[float, float]:
    """Distance of an angular velocity, and angular momentum far out, in units of rho_H, Omega."""
    return _solution(4.0, 1.0, share)


@lru_cache(maxsize=512)
def _solution(drive: float, omega: float, share: float) -> tuple[float, float]:
    """Outward integration of d(l)/dx = drive x^-3 (omega - l / x^2), in u = 1/x^2 beyond.

    Starts where corotation is almost rigid; l is then close to omega x^2 (1 - 2 x^4 / drive).
    """
    from scipy.integrate import solve_ivp

    # with u = x^-2, dl/du = -(drive / 2)(omega - l u)
    first = 5.5 * 2 / sqrt(drive)

    def slope(u: float, state: NDArray[np.float64]) -> list[float]:
        return [-drive / 2 * (omega - state[0] * u)]

    start = omega / first * (1 - 2 / (drive * first**2) + 12 / (drive * first**2) ** 2)
    found = solve_ivp(
        slope,
        (first, 0.0),
        [start],
        method="DOP853",
        rtol=1e-8,
        atol=1e-10,
        dense_output=True,
    )
    u = bracketed_root(lambda u: float(found.sol(u)[0]) * u / omega - share, 1e-6, first)
    return float(u) ** -0.5, float(found.y[0, -1])


def _far_momentum(drive: Callable[[Any], Any], q: float) -> float:
    """Angular momentum far out for Omega = 1: each radius adds drive, later radii take away.

    The share of a contribution at rho that is left far out is exp(-integral of drive / rho^2
    beyond rho); both integrals by Gauss' rule, in the logarithm of the radius.
    """
    import numpy as np

    nodes, weights = gauss_legendre(40)
    centre = drive(1.0) ** (1 / (q + 1))
    low = centre * (1 / (60 * (q + 1))) ** (1 / (q + 1))
    high = centre * 1e14 ** (1 / max(q - 1, 0.2))
    edges = np.exp(np.linspace(np.log(low), np.log(high), 13))
    logs, halves = (np.log(edges[1:]) + np.log(edges[:-1])) / 2, np.diff(np.log(edges)) / 2
    rho = np.exp(logs[:, None] + halves[:, None] * nodes)
    local = drive(rho)
    # loss beyond rho: local * rho^-1 integrated in log rho, from a tail of 30 e-foldings
    tail_nodes = 15 * (nodes + 1)
    beyond = np.zeros_like(rho)
    for node, weight in zip(tail_nodes, weights, strict=True):
        far = rho * exp(node)
        beyond += 15 * weight * drive(far) / far
    kept = np.exp(-beyond)
    return float(np.sum(halves[:, None] * weights * local * rho * kept))


FAMILY = Family(
    title="Breakdown of corotation in a magnetosphere with an internal source",
    assumptions=(
        "steady axisymmetric outflow in the equatorial plane, no other torque",
        "uniform effective Pedersen conductance, field lines are equipotentials",
    ),
    sources=(
        "Hill 1979, Journal of Geophysical Research 84, 6554",
        "Cowley and Bunce 2001, Planetary and Space Science 49, 1067",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
