r"""Mass loading of the distant wind: charge exchange or ionisation of interstellar atoms at rest.

With u the speed, A the cross-section, F = rho u A, and l = 1/(n sigma) the mean free path of the
wind's ions for charge exchange (each replaced by an ion at rest, with its momentum and energy
lost):

.. math:: F u' + A P' = -F u / l, \qquad
          A u P' + \gamma P (A u)' = (\gamma - 1) F u^2/(2 l) - A u P / l .

To first order in r/l, for A ~ r^s,
:math:`u'/u = -[1 - (s-1)(\gamma-1)/(2 + 2s(\gamma-1))]/l`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import exp, log, sqrt
from typing import Any

from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, power_tex, tex

_EXCHANGE = (
    "all ions of the wind exchange charge with the mean free path $1/(n\\sigma)$, whatever their "
    "thermal speed; each takes its momentum and energy away and leaves an ion that is at rest "
    "against the Sun before it is picked up"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Speed of the loaded wind, then its Mach number."""
    from astropy import units

    atoms = draw.quantity(0.07, 0.2, "cm-3")
    section = draw.quantity(1.4, 2.4, "1e-15 cm2")
    speed = draw.quantity(350.0, 650.0, "km s-1")
    distance = draw.integer(40, 85) * units.au
    gamma = draw.choice((Fraction(5, 3), Fraction(5, 3), Fraction(2), Fraction(3, 2)))
    told = f"${section.value}\\times 10^{{-15}}\\ \\mathrm{{cm^2}}$"
    setting = draw.phrase(
        f"A cold spherical wind (protons) of {tex(speed)} near the Sun flows through interstellar "
        f"hydrogen of uniform density {tex(atoms)}, at rest. The cross-section for charge exchange "
        f"is $\\sigma$ = {told}:",
        f"Interstellar hydrogen atoms at rest ({tex(atoms)} everywhere) exchange charge with the "
        f"protons of a spherical wind that starts cold and with {tex(speed)}; the cross-section is "
        f"$\\sigma$ = {told}:",
    )
    setting += (
        f" {_EXCHANGE}. The adiabatic index of the plasma is {power_tex(gamma)}; gravity, magnetic "
        "forces and other losses are neglected. "
    )
    depth = float((atoms * section * distance).to_value(""))
    y, z = _series(float(gamma), 2.0, depth)
    y2, z2 = _integrated(
        float(gamma), 2.0, (atoms.value * section.value * 1.495978707e-2 * distance.value,)
    )[0]
    loaded = (speed * y).to("km s-1")
    mach, mach2 = sqrt(y / (float(gamma) * z)), sqrt(y2 / (float(gamma) * z2))
    first = Part(
        setting
        + draw.phrase(
            f"Integrate the equations of steady flow: which speed has the wind at "
            f"{tex(distance, unit='AU')}?",
            f"Find the speed of the wind at {tex(distance, unit='AU')} from the equations of "
            "steady flow (numerically or as a series that has converged to three figures).",
        ),
        (
            r"$F = \rho u r^2$ is constant, $F u' + r^2 P' = -F u/\ell$, and "
            r"$r^2 u P' + \gamma P (r^2 u)' = (\gamma - 1) F u^2/(2\ell) - r^2 u P/\ell$ with "
            r"$\ell = 1/(n\sigma)$.",
            rf"$r/\ell$ = {depth:.4f}; near the Sun $P r^2 \propto r$, and $u/u_0 = 1 - "
            rf"{_coefficient(gamma, Fraction(2))}\,r/\ell + \dots$",
            f"$u/u_0$ = {y:.4f}: {tex(loaded, 4, unit='km s-1')}.",
        ),
        Numeric(
            loaded,
            speed.value * y2,
            "km s-1",
            Routes(
                "power series in r n sigma with coefficients by recursion",
                "Runge-Kutta integration of the flow equations",
            ),
            agreement=2e-6,
        ),
    )
    second = Part(
        draw.phrase(
            r"What is its sonic Mach number $u/\sqrt{\gamma P/\rho}$ there?",
            r"Find the Mach number $u/\sqrt{\gamma P/\rho}$ of the wind at this distance.",
        ),
        (
            r"The pressure is that of the new ions: $P r^2/(F u_0)$ = "
            f"{z:.5f} from the same equations.",
            rf"$M^2 = F u/(\gamma P r^2)$: $M$ = {mach:.3f}.",
        ),
        Numeric(
            mach,
            mach2,
            "",
            Routes("power series", "Runge-Kutta integration of the flow equations"),
            agreement=2e-6,
        ),
    )
    return first, second


_ASKED = {
    "speed": "the speed $u$ at the distance $r$",
    "pressure": "the pressure $P$ at the distance $r$ (lowest order in SMALL that does not vanish)",
    "mach": r"the Mach number $M = u/\sqrt{\gamma P/\rho}$ at the distance $r$ (lowest order in "
    r"SMALL)",
    "distance": "the distance $R$ at which the speed is lower by the fraction $\\epsilon$",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """First-order response of the wind, by charge exchange or ionisation, in any flow tube."""
    gamma = draw.choice([Fraction(*at) for at in ((5, 3), (5, 3), (2, 1), (3, 2), (7, 5), (4, 3))])
    s = draw.choice([Fraction(*at) for at in ((2, 1), (2, 1), (3, 2), (5, 2), (3, 1), (1, 1))])
    photo = draw.choice((False, True))
    asked = draw.choice(tuple(_ASKED))
    atoms, start = draw.phrase("n", "N"), draw.phrase("u_0", "V")
    shape = (
        ", spherical,"
        if s == 2
        else f" (cross-section of the flow $\\propto r^{{{power_tex(s)}}}$)"
    )
    shape = shape.replace("^{1}", "")
    process = (
        f"Atoms of mass $m$ and uniform density ${atoms}$, at rest, are ionised at the rate "
        f"$\\beta_0 (r_0/r)^{{{power_tex(s)}}}$ and picked up; at $r_0$ the wind has the density "
        r"$\rho_0$".replace("^{1}", "")
        if photo
        else f"Its ions exchange charge with atoms of uniform density ${atoms}$, at rest, with the "
        "cross-section $\\sigma$: " + _EXCHANGE.replace("$1/(n\\sigma)$", f"$1/({atoms}\\sigma)$")
    ).replace("^{1}", "")
    question = (
        draw.phrase(
            f"A cold steady wind{shape} starts at $r = 0$ with the speed ${start}$. ",
            f"A steady wind{shape} leaves a star (at $r = 0$) cold and with the speed ${start}$. ",
        )
        + process
        + f". The plasma has the adiabatic index {power_tex(gamma)}; no other force or loss acts. "
        + draw.phrase("Derive ", "Find ")
        + _ASKED[asked]
        + ("." if asked in ("pressure", "mach") else ", to first order in SMALL.")
    )
    slope, gain = _coefficient_value(gamma, s), (gamma - 1) / (2 * (1 + s * (gamma - 1)))
    # 1/l: momentum taken up per length and momentum of the wind
    per_length = (rf"m {atoms} \beta_0", rf"\rho_0 {start}") if photo else (rf"{atoms}\sigma", "")
    top, bottom = per_length

    def quotient(number: Fraction, above: str, below: str) -> str:
        over = f"{'' if number.numerator == 1 else number.numerator} {above}".strip()
        under = f"{'' if number.denominator == 1 else number.denominator} {below}".strip()
        return rf"\frac{{{over}}}{{{under}}}" if under else over

    density = "" if photo else r"\rho"
    final = {
        "speed": rf"$u = {start}\left(1 - {quotient(slope, f'{top} r', bottom)}\right)$",
        "pressure": f"$P = {quotient(gain, f'{top} r {density} {start}^2', bottom)}$",
        "mach": rf"$M = \sqrt{{{quotient(1 / (gamma * gain), bottom, f'{top} r')}}}$",
        "distance": "$R = " + quotient(1 / slope, rf"\epsilon {bottom}".strip(), top) + "$",
    }[asked]
    if asked == "pressure" and photo:
        # rho = rho_0 (r_0 / r)^s: one power of r is left over
        power = 1 - s
        radial = rf"r_0^{{{power_tex(s)}}}"
        above = rf"m {atoms} \beta_0 {start} {radial}"
        below = "" if power >= 0 else rf"r^{{{power_tex(-power)}}}"
        final = f"$P = {quotient(gain, above, below)}$".replace("^{1}", "")
    asked_text = _ASKED[asked]
    if asked == "pressure" and not photo:
        question = question.replace(
            asked_text,
            asked_text.replace("(lowest", r"in terms of the local density $\rho$ (lowest"),
        )
    question = question.replace("SMALL", "the mass loading" if photo else f"${atoms}\\sigma r$")
    ranges: dict[str, tuple[float, float]] = {atoms: (0.5, 2.0)}
    units = {atoms: "m-3", r"\sigma": "m2", "m": "kg", r"\beta_0": "s-1", r"\rho_0": "kg m-3"}
    units |= {start: "m s-1", "r": "m", "r_0": "m", r"\rho": "kg m-3", r"\epsilon": ""}
    if photo:
        ranges |= {"m": (0.5, 2.0), r"\beta_0": (0.5, 2.0)}
        if asked != "pressure":
            ranges[r"\rho_0"] = (40.0, 90.0)
        ranges[start] = (1.0, 2.0)
    else:
        ranges[r"\sigma"] = (0.01, 0.03)
        if asked in ("speed", "pressure"):
            ranges[start] = (1.0, 2.0)
        if asked == "pressure":
            ranges[r"\rho"] = (0.5, 2.0)
    if asked == "distance":
        ranges[r"\epsilon"] = (0.01, 0.05)
    elif not (asked == "pressure" and photo and s == 1):
        ranges["r"] = (0.5, 1.5)
    if asked == "pressure" and photo:
        ranges["r_0"] = (0.5, 1.5)
    units = {"": {"speed": "m s-1", "pressure": "Pa", "mach": "", "distance": "m"}[asked]} | {
        name: units[name] for name in ranges
    }

    def check(at: Mapping[str, float]) -> float:
        fall, rise = _first_order(float(gamma), float(s))
        u, r = at.get(start, 1.0), at.get("r", 1.0)
        rho_0 = at.get(r"\rho_0", 3.0)
        inverse = (
            at["m"] * at[atoms] * at[r"\beta_0"] / (rho_0 * u)
            if photo
            else at[atoms] * at[r"\sigma"]
        )
        if asked == "distance":
            return at[r"\epsilon"] / (fall * inverse)
        if asked == "speed":
            return u * (1 - fall * inverse * r)
        if asked == "mach":
            return sqrt(1 / (float(gamma) * rise * inverse * r))
        rho = rho_0 * (at["r_0"] / r) ** float(s) if photo else at[r"\rho"]
        return rise * inverse * r * rho * u * u

    source = rf"mass $m{atoms}\beta$" if photo else rf"momentum $-\rho u^2 {atoms}\sigma$"
    return (
        Part(
            question,
            (
                f"Per volume and time the wind takes up {source}: to first order "
                r"$u_0' F + A P' = -F u/\ell$ with $F = \rho u A$ and $1/\ell = "
                rf"{top}{'' if not bottom else '/(' + bottom + ')'}$.",
                r"Energy: $A u P' + \gamma P (A u)' = (\gamma - 1)F u^2/(2\ell)$, with $A P "
                rf"\propto r$: $A P = {fraction_tex(gain)}\,F u\,r/\ell$.",
                rf"$P$ falls as $r^{{{power_tex(1 - s)}}}$, and its force "
                "relieves part of the braking: "
                rf"$u'/u = -{fraction_tex(slope)}/\ell$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "expansion of the flow equations to first order",
                    "numerical integration of the full equations, extrapolated to small r",
                ),
                units,
                agreement=1e-5,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """More or fewer atoms, or another adiabatic index: speed, mass flux and Mach number."""
    changed = draw.choice(("atoms", "index", "distance"))
    low, high = draw.number(0.07, 0.11), draw.number(0.14, 0.22)
    order = draw.choice(((0, 1), (1, 0)))
    near, far = draw.integer(25, 45), draw.integer(60, 85)
    section = draw.number(1.4, 2.4)
    speed = draw.integer(35, 65) * 10
    fixed = draw.choice((Fraction(5, 3), Fraction(2)))
    pairs: dict[str, tuple[Any, Any]] = {
        "atoms": (low, high),
        "index": (Fraction(3, 2), Fraction(2)),
        "distance": (near, far),
    }
    base: dict[str, Any] = {"atoms": low, "index": fixed, "distance": far}
    cases = [base | {changed: pairs[changed][at]} for at in order]

    def told(case: int) -> str:
        value = cases[case][changed]
        return {
            "atoms": lambda: f"an atomic density of {tex(float(value), unit='cm-3')}",
            "index": lambda: f"an adiabatic index of {value}",
            "distance": lambda: f"a distance of {tex(float(value), unit='AU')}",
        }[changed]()

    kept = {
        "atoms": f"the density of the atoms is {tex(low, unit='cm-3')}",
        "index": f"the adiabatic index is {power_tex(fixed)}",
        "distance": f"the distance is {tex(float(far), unit='AU')}",
    }
    others = " and ".join(text for name, text in kept.items() if name != changed)
    question = (
        f"A spherical proton wind that starts cold with ${speed}$ km/s runs through uniform "
        "interstellar hydrogen at rest. Charge exchange is the only interaction (cross-section "
        f"$\\sigma = {section}\\times 10^{{-15}}\\ \\mathrm{{cm^2}}$): "
        + _EXCHANGE.replace("$1/(n\\sigma)$", "$1/(n\\sigma)$, $n$ being the density of the atoms")
        + ". "
        + draw.phrase(
            f"Compare two cases, first {told(0)}, then {told(1)}; in both, {others}. ",
            f"Go from {told(0)} to {told(1)}, while {others}. ",
        )
        + draw.phrase(
            r"How do the wind speed and the sonic Mach number $u/\sqrt{\gamma P/\rho}$ change?",
            "What happens to the wind speed, and what to the sonic Mach number "
            r"$u/\sqrt{\gamma P/\rho}$?",
        )
    )
    states = []
    for case in cases:
        g = float(case["index"])
        depth = float(case["atoms"]) * section * 1.495978707e-2 * float(case["distance"])
        y, z = _series(g, 2.0, depth)
        y2, z2 = _integrated(g, 2.0, (depth,))[0]
        states.append((y, sqrt(y / (g * z)), y2, sqrt(y2 / (g * z2))))
    changes = relative_changes(*states)
    claims = change_claims(("wind speed", "Mach number"), changes[:2], changes[2:])
    reason = {
        "atoms": "More atoms take up more momentum and heat the plasma by pickup.",
        "index": "Pickup heat has a pressure that grows with the adiabatic index; it pushes the "
        "wind outward a little and raises the sound speed.",
        "distance": "Further out the wind has taken up more ions, and adiabatic cooling is slower "
        "than the heating by pickup.",
    }[changed]
    return (
        Part(
            question,
            (
                "Charge exchange replaces ion by ion: mass is kept, momentum is not.",
                reason,
            ),
            stated(
                claims, Routes("power series of the flow", "Runge-Kutta integration of the flow")
            ),
        ),
    )


def _coefficient_value(gamma: Fraction, s: Fraction) -> Fraction:
    return 1 - (s - 1) * (gamma - 1) / (2 * (1 + s * (gamma - 1)))


def _coefficient(gamma: Fraction, s: Fraction) -> str:
    return fraction_tex(_coefficient_value(gamma, s))


def _series(gamma: float, s: float, depth: float) -> tuple[float, float]:
    """u/u_0 and A P/(F u_0) at r/l = depth, from the power series of the flow equations."""
    a, b = [1.0], [0.0]
    for k in range(24):
        known = (gamma - 1) / 2 * sum(a[i] * a[k - i] for i in range(k + 1))
        known -= sum(a[i] * b[k - i] for i in range(k + 1))
        known -= sum(a[i] * (k - i + 1) * b[k - i + 1] for i in range(1, k + 1))
        known -= gamma * sum(b[i] * (k - i + 1) * a[k - i + 1] for i in range(1, k + 1))
        known -= s * (gamma - 1) * sum(a[i] * b[k + 1 - i] for i in range(1, k + 1))
        new = known / (k + 1 + s * (gamma - 1))
        b.append(new)
        a.append((-a[k] + (s - k - 1) * new) / (k + 1))
    return (
        sum(c * depth**k for k, c in enumerate(a)),
        sum(c * depth**k for k, c in enumerate(b)),
    )


@lru_cache(maxsize=256)
def _integrated(
    gamma: float, s: float, depths: tuple[float, ...], span: float = 7.0
) -> list[tuple[float, float]]:
    """The same from the conservation laws, integrated in ln r from far inside.

    From very far inside (span in ln r) the integration may start without pressure.
    """
    import numpy as np
    from scipy.integrate import solve_ivp

    def slope(log_x: float, state: list[float]) -> list[float]:
        # state: u, and A P; unit mass flow. The two balances are solved for u' and (A P)'
        x = exp(log_x)
        u, force = state
        momentum = -u + s * force / x
        heat = (gamma - 1) * u * u / 2 - u * force + s * (1 - gamma) * u * force / x
        # rows: u' + f' = momentum, gamma f u' + u f' = heat
        det = u - gamma * force
        return [x * (momentum * u - heat) / det, x * (heat - gamma * force * momentum) / det]

    near = min(depths) * exp(-span)
    start = [1.0 - near, 0.0]
    if span < 10:
        # both balances at r = 0, where u' and A P / r are constant: (u', A P / r)
        left = np.array([[1.0, 1.0 - s], [0.0, 1.0 + s * (gamma - 1)]])
        rates = np.linalg.solve(left, np.array([-1.0, (gamma - 1) / 2]))
        start = [1.0 + float(rates[0]) * near, float(rates[1]) * near]
    found = solve_ivp(
        slope,
        (log(near), log(max(depths))),
        start,
        method="DOP853",
        t_eval=[log(depth) for depth in sorted(depths)],
        rtol=1e-9,
        atol=1e-13,
    )
    return [(float(u), float(z)) for u, z in found.y.T]


@lru_cache(maxsize=64)
def _first_order(gamma: float, s: float) -> tuple[float, float]:
    """Slopes of u and of A P at r = 0, extrapolated from small r."""
    import numpy as np

    depths = (0.004, 0.008, 0.016, 0.032, 0.064)
    states = _integrated(gamma, s, depths, 16.0)
    rows = np.vander(depths, increasing=True)
    fall = np.linalg.solve(rows, [(1 - y) / x for x, (y, _) in zip(depths, states, strict=True)])
    rise = np.linalg.solve(rows, [z / x for x, (_, z) in zip(depths, states, strict=True)])
    return float(fall[0]), float(rise[0])


FAMILY = Family(
    title="Mass loading of the distant wind",
    assumptions=(
        "steady one-fluid flow without magnetic force; atoms cold, at rest and uniform",
        "new ions are picked up at once and stay isotropic",
    ),
    sources=(
        "Holzer 1972, J. Geophys. Res. 77, 5407",
        "Lee 1997, in Cosmic Winds and the Heliosphere (Univ. of Arizona Press), p. 857",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
