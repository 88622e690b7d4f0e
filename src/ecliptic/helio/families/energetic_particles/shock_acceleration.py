r"""Diffusive acceleration of energetic particles at a plane shock.

The steady transport equation on either side and the continuity of f and of the streaming
kappa df/dx + (u/3) p df/dp at the shock fix the exponent of f \propto p^{-q}, also where particles
escape at a finite distance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import expm1, log, log1p
from typing import TYPE_CHECKING

from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, power_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    pass

_CYCLES = "gain and escape per crossing cycle, counted for fast particles"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Spectral index from the Mach number, then the time to reach an energy."""
    from astropy import units

    mach, speed = draw.number(2.2, 6.0, digits=3), draw.quantity(450.0, 1800.0, "km s-1")
    kappa = draw.quantity(0.5, 8.0, "1e19 cm2 s-1")
    low, high = draw.quantity(50.0, 200.0, "keV"), draw.quantity(2.0, 20.0, "MeV")
    setting = draw.phrase(
        f"Test particles are accelerated by a plane parallel shock of sonic Mach number ${mach}$ "
        r"in a gas of adiabatic index $5/3$; the field plays no part in the jump conditions. They "
        "are scattered to isotropy on both sides.",
        f"A strong-scattering plane shock with sonic Mach number ${mach}$ (hydrodynamic jump "
        r"conditions, adiabatic index $5/3$) accelerates seed particles diffusively, in steady "
        "state and without losses.",
    )
    ratio = 4 * mach**2 / (mach**2 + 3)
    q = 3 * ratio / (ratio - 1)
    index = (q - 2) / 2
    ratio_si = _compression(mach)
    first = Part(
        f"{setting} "
        + draw.phrase(
            r"Non-relativistic particles have a differential intensity $j \propto E^{-\Gamma}$ in "
            r"kinetic energy $E$ behind the shock. Find $\Gamma$.",
            r"Find the exponent $\Gamma$ of the differential intensity $j \propto E^{-\Gamma}$ of "
            "non-relativistic particles of kinetic energy $E$ at the shock.",
        ),
        (
            rf"Compression: $X = 4M^2/(M^2 + 3) = {ratio:.4g}$.",
            rf"$f \propto p^{{-q}}$ with $q = 3X/(X - 1) = {q:.4g}$.",
            rf"$j = p^2 f$ and $E \propto p^2$, so $\Gamma = (q - 2)/2 = {index:.4g}$.",
        ),
        Numeric(
            index,
            (_index_by_cycles(ratio_si) - 2) / 2,
            "",
            Routes("matching of the transport equation", _CYCLES),
            agreement=1e-5,
        ),
    )
    a = draw.choice([Fraction(1, 2), Fraction(2, 3), Fraction(1), Fraction(4, 3)])
    shown = f"${kappa.value}\\times 10^{{19}}\\ \\mathrm{{cm^2\\,s^{{-1}}}}$"
    power = "" if a == 1 else f"^{{{power_tex(a)}}}"
    momentum = ((high / low).to_value(units.one)) ** 0.5
    share = float(a)
    mean = (momentum**share - 1) / share
    start = kappa * (low / (1 * units.MeV)).to_value(units.one) ** (share / 2)
    time = (3 * start * (1 + ratio) / (speed**2 * (1 - 1 / ratio)) * mean).to(units.hour)
    second = Part(
        f"The gas flows into this shock (compression ratio ${ratio:.4g}$) at {tex(speed)}. "
        + draw.phrase(
            "Ahead of and behind the shock protons have the same diffusion coefficient along the "
            rf"normal, $\kappa \propto p{power}$, which is {shown} at 1 MeV.",
            rf"On both sides the diffusion coefficient of protons is {shown} at 1 MeV and "
            rf"proportional to $p{power}$, $p$ the momentum.",
        )
        + " "
        + draw.phrase(
            f"How long does the acceleration from {tex(low)} to {tex(high)} take on average, in "
            "hours (non-relativistic)?",
            f"Find the mean time of acceleration from {tex(low)} to {tex(high)} in hours; treat "
            "the protons as non-relativistic.",
        ),
        (
            r"Per momentum, $dt = \frac{3}{u_1 - u_2}\left(\frac{\kappa}{u_1} + "
            r"\frac{\kappa}{u_2}\right)\frac{dp}{p}$ with $u_2 = u_1/X$.",
            rf"Integrated: $t = \frac{{3\kappa(p_1)(1 + X)}}{{u_1^2(1 - 1/X)}}\,"
            rf"\frac{{(p_2/p_1)^{{a}} - 1}}{{a}}$ with $a = {power_tex(a)}$ = "
            f"{tex(time, 4, unit='h')}.",
        ),
        Numeric(
            time,
            _time_by_cycles(
                speed.value * 1e3, ratio_si, kappa.value * 1e15, share, low.value, high.value * 1e3
            )
            / 3600,
            "h",
            Routes("integral of the acceleration rate", "sum over crossing cycles"),
            agreement=1e-5,
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Exponent of the spectrum where particles escape ahead of or behind the shock."""
    profile = draw.choice(("uniform", "uniform", "linear", "exponential", "square"))
    behind = draw.choice((True, False))
    ratio = draw.choice([None, *(Fraction(k, 4) for k in range(8, 17))])
    k0, length = draw.phrase(r"\kappa_0", "K_0"), draw.phrase("L", "D")
    u1 = draw.phrase("u_1", "U")
    rise = {
        "uniform": "",
        "linear": "(1 + s/d)",
        "exponential": r"\exp(s/d)",
        "square": "(1 + s/d)^2",
    }[profile]
    depth = {
        "uniform": rf"\frac{{{u1} {length}}}{{{k0}}}",
        "linear": rf"\frac{{{u1} d}}{{{k0}}} \ln\left(1 + \frac{{{length}}}{{d}}\right)",
        "exponential": rf"\frac{{{u1} d}}{{{k0}}}\left(1 - e^{{-{length}/d}}\right)",
        "square": rf"\frac{{{u1} d {length}}}{{{k0} \left(d + {length}\right)}}",
    }[profile]
    shock = "compression ratio $X$" if ratio is None else f"compression ratio ${power_tex(ratio)}$"
    where = rf"\kappa = {k0} {rise}".strip()
    away = f"at the distance $s$ ahead of the shock, with constants ${k0}$ and $d$"
    ahead = (
        f"the diffusion coefficient is ${where}$ everywhere ahead of the shock"
        if profile == "uniform"
        else f"the diffusion coefficient is ${where}$ {away}"
    )
    end = (
        rf"Behind it $\kappa = {k0}$, and particles also escape freely at the distance ${length}$ "
        "downstream."
        if behind
        else "Behind the shock the medium is unbounded."
    )
    setting = (
        draw.phrase(
            f"Gas flows at ${u1}$ into a plane steady shock of {shock}. Energetic test particles "
            f"diffuse along the normal: {ahead}, and at the distance ${length}$ upstream they "
            f"escape freely ($f = 0$). {end}",
            f"A plane shock of {shock} with inflow speed ${u1}$ accelerates test particles "
            f"diffusively. Upstream, {ahead}; a free-escape boundary ($f = 0$) is ${length}$ "
            f"upstream of the shock. {end}",
        )
        + " The diffusion coefficients do not depend on momentum."
    )
    question = draw.phrase(
        r"Derive the exponent $q$ of the steady distribution $f \propto p^{-q}$ at the shock, "
        "above the momentum of injection.",
        r"Above the momentum of injection the steady distribution at the shock is $f \propto "
        r"p^{-q}$. Find $q$."
        "",
    )
    up = r"\frac{1}{1 - e^{-\tau}}"
    tau = rf"\quad \tau = {depth}"
    lead = r"\frac{3 X}{X - 1}" if ratio is None else fraction_tex(3 * ratio / (ratio - 1))
    second = ""
    if behind:
        turned = (
            rf"\frac{{{u1} {length}}}{{X {k0}}}"
            if ratio is None
            else (
                rf"\frac{{{ratio.denominator if ratio.denominator != 1 else ''} {u1} {length}}}"
                rf"{{{ratio.numerator} {k0}}}"
            )
        )
        part = r"\frac{3}{X - 1}" if ratio is None else fraction_tex(3 / (ratio - 1))
        second = rf" + {part} \frac{{1}}{{e^{{\eta}} - 1}}"
        tau += rf", \quad \eta = {turned}"
    final = rf"$q = {lead} {up}{second}, {tau}$"
    ranges = {u1: (0.6, 1.2), length: (0.8, 2.0), k0: (0.5, 1.2)}
    units = {u1: "m s-1", length: "m", k0: "m2 s-1", "d": "m", "X": "", "": ""}
    if profile != "uniform":
        ranges["d"] = (0.8, 1.6)
    if ratio is None:
        ranges["X"] = (2.0, 3.9)

    def check(at: Mapping[str, float]) -> float:
        squeeze = at["X"] if ratio is None else float(ratio)

        def kappa(s: float) -> float:
            y = s / at.get("d", 1.0)
            growth = {"uniform": 1.0, "linear": 1 + y, "exponential": expm1(y) + 1}
            return at[k0] * growth.get(profile, (1 + y) ** 2)

        inflow = _streaming(at[u1], kappa, at[length])
        # Downstream, measured from the escape boundary towards the shock, the gas comes against.
        outflow = _streaming(-at[u1] / squeeze, lambda _: at[k0], at[length]) if behind else 0.0
        return 3 * (inflow + outflow) / (at[u1] * (1 - 1 / squeeze))

    return (
        Part(
            f"{setting} {question}",
            (
                r"Ahead of the shock $uf - \kappa\,\partial f/\partial x$ is constant in $x$; with "
                r"$f = 0$ at the boundary, $\kappa\,\partial f/\partial x = u_1 f/(1 - e^{-\tau})$ "
                r"at the shock, $\tau = \int u_1 dx/\kappa$.",
                (
                    r"Behind it, $\kappa\,\partial f/\partial x = -u_2 f/(e^{\eta} - 1)$ with "
                    r"$\eta = u_2 L_2/\kappa$, $L_2$ the distance of the boundary there."
                    if behind
                    else "Behind it $f$ is uniform."
                ),
                r"The jump of $\kappa\,\partial f/\partial x$ is $\frac{1}{3}(u_1 - u_2) q f$, "
                f"hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("matching across the shock", "numerical solution on both sides"),
                {name: units[name] for name in ("", *ranges)},
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Spectral index and acceleration time at another shock."""
    at = [draw.number(2.4, 3.2), draw.number(450.0, 800.0), draw.number(0.8, 4.0)]
    which = draw.choice((0, 0, 1, 2))
    high = float(f"{at[which] * draw.number(1.4, 2.0):.2g}")
    before, after = draw.choice(((at[which], high), (high, at[which])))

    def shown(index: int, value: float) -> str:
        if index == 0:
            return f"${value}$"
        if index == 1:
            return tex(value, unit="km s-1")
        return f"${value}\\times 10^{{19}}\\ \\mathrm{{cm^2\\,s^{{-1}}}}$"

    names = ("sonic Mach number", "inflow speed", r"diffusion coefficient $\kappa$")
    fixed = " and ".join(
        f"{'an' if i == 1 else 'a'} {names[i]} of {shown(i, at[i])}" for i in range(3) if i != which
    )
    question = draw.phrase(
        "Test particles undergo diffusive acceleration at a plane steady shock (hydrodynamic jump "
        r"conditions, adiabatic index $5/3$) with the same $\kappa$ on both sides and at all "
        f"momenta, with {fixed}."
        f" The {names[which]} is now changed from {shown(which, before)} to "
        f"{shown(which, after)}, all else being kept. How do the spectral index $q$ of "
        r"$f \propto p^{-q}$ and the mean time to double the momentum (acceleration time) "
        "change, if at all?",
        f"Compare two plane hydrodynamic shocks in a gas of adiabatic index $5/3$, both with "
        f"{fixed}. The {names[which]} is {shown(which, before)} at the first and "
        rf"{shown(which, after)} at the second; $\kappa$ is the same ahead and behind and does not "
        "depend on momentum. From the first to the second, how do the spectral "
        r"index $q$ of diffusively accelerated particles ($f \propto p^{-q}$) and their "
        "acceleration time (to double the momentum) change, if at all?",
    )
    states = []
    for value in (before, after):
        at[which] = value
        x, u = 4 * at[0] ** 2 / (at[0] ** 2 + 3), at[1] * 1e3
        time = 3 * at[2] * 1e15 * (1 + x) / (u**2 * (1 - 1 / x)) * log(2)
        y = _compression(at[0])
        other = _time_by_cycles(u, y, at[2] * 1e15, 0.0, 1.0, 4.0)
        states.append((3 * x / (x - 1), time, _index_by_cycles(y), other))
    changes = relative_changes(*states)
    claims = change_claims(("spectral index", "acceleration time"), changes[:2], changes[2:])
    return (
        Part(
            question,
            (
                "$q = 3X/(X-1)$ depends on the compression alone, and that on the Mach number.",
                r"$t \propto \kappa (1 + X)/[u_1^2 (1 - 1/X)]$ has its minimum at "
                r"$X = 1 + \sqrt{2}$ and grows beyond.",
            ),
            stated(claims, Routes("matching of the transport equation", _CYCLES)),
        ),
    )


def _compression(mach: float) -> float:
    """Density ratio from the balance of energy across a hydrodynamic shock, by root finding."""

    p1 = 1 / (5 / 3 * mach**2)

    def balance(x: float) -> float:
        p2 = p1 + 1 - 1 / x
        return 0.5 + 2.5 * p1 - (0.5 / x**2 + 2.5 * p2 / x)

    return bracketed_root(balance, 1 + 1e-3, 4.0)


def _index_by_cycles(ratio: float, fastness: float = 1e7) -> float:
    """q from Bell's argument, for particles ``fastness`` times as fast as the inflow."""
    gain = 4 * (1 - 1 / ratio) / (3 * fastness)
    escape = 4 / (ratio * fastness)
    return 3 - log1p(-escape) / log1p(gain)


def _time_by_cycles(
    u: float, ratio: float, kappa: float, power: float, low: float, high: float
) -> float:
    """Mean duration of all cycles between two energies in keV, kappa being given at 1 MeV."""
    import numpy as np

    nodes, weights = gauss_legendre(32)
    half = log(high / low) / 4
    momentum = np.sqrt(low / 1e3) * np.exp(half * (1 + nodes))
    speed = 1e7 * u
    cycle = 4 / speed * kappa * momentum**power * (1 / u + ratio / u)
    gain = log1p(4 * u * (1 - 1 / ratio) / (3 * speed))
    return float(np.sum(weights * cycle) * half / gain)


def _streaming(u: float, kappa: Callable[[float], float], length: float) -> float:
    """kappa df/ds over f at the shock, with f = 0 at a distance and flow u from there."""
    steps = 200
    h = length / steps
    # Constant flux J = u f - kappa f' = -1 from the boundary (y = 0) to the shock (y = length).
    f = 0.0

    def slope(y: float, f: float) -> float:
        return (u * f + 1) / kappa(length - y)

    for i in range(steps):
        y = i * h
        k1 = slope(y, f)
        k2 = slope(y + h / 2, f + h / 2 * k1)
        k3 = slope(y + h / 2, f + h / 2 * k2)
        f += h / 6 * (k1 + 2 * k2 + 2 * k3 + slope(y + h, f + h * k3))
    return (u * f + 1) / f


FAMILY = Family(
    title="Diffusive acceleration at a shock",
    assumptions=(
        "plane steady shock, test particles much faster than the flow, nearly isotropic",
        "no losses other than the escape that the question names",
    ),
    sources=(
        "Drury 1983, Reports on Progress in Physics 46, 973, sec. 3",
        "Bell 1978, MNRAS 182, 147",
        "Lagage & Cesarsky 1983, A&A 125, 249",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
