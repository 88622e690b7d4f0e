r"""Radial diffusion with loss: the steady Fokker-Planck equation in L.

.. math:: L^2 \frac{d}{dL} \Bigl(\frac{D_{LL}}{L^2} \frac{df}{dL}\Bigr) = \frac{f}{\tau},
          \qquad D_{LL} = D_0 L^n,

f being the phase-space density at constant first and second invariants. With constant tau the
solutions are modified Bessel functions; with :math:`1/\tau \propto L^{n-2}` they are powers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import exp, log, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, power_tex, ratio_tex, tex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_EQUATION = r"$L^2\,\frac{d}{dL}\left(\frac{D_{LL}}{L^2}\frac{df}{dL}\right)"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Phase-space density at a shell with a constant lifetime, then the flux into the belt."""
    from astropy import units

    n = draw.choice((6, 8, 10))
    inner, outer = draw.number(1.8, 2.6), draw.number(5.5, 7.0)
    place = draw.number(3.8, 5.0)
    lifetime = draw.quantity(2.0, 12.0, "d")
    at_six = draw.quantity(0.3, 3.0, "d-1", log=True)
    setting = draw.phrase(
        "The phase-space density $f$ of radiation-belt electrons of given first and second "
        rf"invariants is steady: {_EQUATION} = f/\tau$ with $D_{{LL}} = D_6 (L/6)^{{{n}}}$, "
        rf"$D_6$ = {tex(at_six)}, and the lifetime $\tau$ = {tex(lifetime, unit='d')} at every "
        "$L$.",
        f"Inward diffusion balances loss in an electron belt. With fixed first and second "
        rf"invariants, {_EQUATION} = f/\tau$, where $\tau$ = {tex(lifetime, unit='d')} is constant "
        rf"and $D_{{LL}} = D_6 (L/6)^{{{n}}}$ with $D_6$ = {tex(at_six)}.",
    )
    setting += (
        f" At the outer boundary, $L$ = {tex(outer)}, $f = f_0$ is given, and $f = 0$ at $L$ = "
        f"{tex(inner)}. "
    )
    d0 = (at_six / 6**n).to("1/d")
    strength = float((1 / (d0 * lifetime)).to_value(""))
    closed = _bessel(n, strength)
    value, _ = _between(closed, inner, outer, place)
    edge = _between(closed, inner, outer, outer)[1]
    rate = at_six.value / 6.0**n * lifetime.value
    points, solved, slopes = _collocated(
        lambda at: (n - 2.0) / at, partial(_constant_loss, n, rate), inner, outer
    )
    found = _interpolated(points, solved, place)
    flow = (at_six * (outer / 6) ** n * edge / outer**2).to("1/d")
    other = at_six.value * (outer / 6) ** n * float(slopes[0]) / outer**2
    first = Part(
        setting
        + draw.phrase(
            f"What is $f/f_0$ at $L$ = {tex(place)}?",
            f"Find the ratio $f/f_0$ at $L$ = {tex(place)}.",
        ),
        (
            rf"$f'' + {n - 2} f'/L = f/(D_0\tau L^{{{n}}})$, with $D_0 = D_6/6^{{{n}}}$: "
            rf"$f = L^{{{fraction_tex(Fraction(3 - n, 2))}}}\,[a\,I_\nu(z) + b\,K_\nu(z)]$.",
            rf"Here $\nu = {fraction_tex(Fraction(n - 3, n - 2))}$ and "
            rf"$z = {fraction_tex(Fraction(2, n - 2))}\,L^{{{fraction_tex(Fraction(2 - n, 2))}}}"
            r"/\sqrt{D_0\tau}$.",
            f"The boundary values fix $a$ and $b$: $f/f_0$ = {tex(value, 4)}.",
        ),
        Numeric(
            value,
            found,
            "",
            Routes(
                "modified Bessel functions",
                "Chebyshev collocation of the boundary-value problem",
            ),
            digits=3,
            agreement=2e-6,
        ),
    )
    second = Part(
        draw.phrase(
            r"At which rate, in units of $f_0$ per day, does $D_{LL} L^{-2}\,df/dL$, the inward "
            "flow in the conserved coordinates, enter through the outer boundary?",
            r"Find the inward flow $D_{LL} L^{-2}\,df/dL$ at the outer boundary, in units of "
            r"$f_0\ \mathrm{d^{-1}}$.",
        ),
        (
            "The derivative of the same solution at the outer boundary: "
            f"$df/dL = {edge:.4f}\\,f_0$.",
            f"$D_{{LL}} L^{{-2}}\\,df/dL$ = {tex(flow, 3, unit='d-1')}, times $f_0$.",
        ),
        Numeric(
            flow.to(1 / units.d),
            other,
            "d-1",
            Routes("derivative of the Bessel functions", "derivative of the collocated solution"),
            agreement=2e-6,
        ),
    )
    return first, second


_CASES = ("diffusion", "loss", "source")


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Profiles without loss, with an equidimensional loss, or with an internal source."""
    case = draw.choice(_CASES)
    n = draw.choice([Fraction(*at) for at in ((4, 1), (6, 1), (8, 1), (10, 1), (7, 1), (11, 2))])
    asked = draw.choice(("profile", "flow")) if case != "source" else "profile"
    inner, outer = draw.phrase("L_1", "L_i"), draw.phrase("L_2", "L_o")
    diffusion = f"$D_{{LL}} = D_0 L^{{{power_tex(n)}}}$"
    ends = (
        f"$f = 0$ at $L = {inner}$ (loss to the atmosphere) and $f = f_0$ at $L = {outer}$"
        if case != "source"
        else f"$f = 0$ both at $L = {inner}$ and at $L = {outer}$"
    )
    if case == "loss":
        root = draw.choice([Fraction(k, 2) for k in range(1, 7)])
        below = root + n - 3
        loss = root * below
        equation = (
            rf"{_EQUATION} = \frac{{f}}{{\tau}}$ with {diffusion} and the lifetime $\tau = "
            rf"1/({factor_tex(loss)}D_0 L^{{{power_tex(n - 2)}}})$"
        )
        shape = (
            rf"\frac{{L^{{{power_tex(root)}}} - {inner}^{{{power_tex(root + below)}}} "
            rf"L^{{{power_tex(-below)}}}}}{{{outer}^{{{power_tex(root)}}} - "
            rf"{inner}^{{{power_tex(root + below)}}} {outer}^{{{power_tex(-below)}}}}}"
        )
        slope = (
            rf"\frac{{{factor_tex(root)}{outer}^{{{power_tex(root - 1)}}} + {factor_tex(below)}"
            rf"{inner}^{{{power_tex(root + below)}}} {outer}^{{{power_tex(-below - 1)}}}}}"
            rf"{{{outer}^{{{power_tex(root)}}} - {inner}^{{{power_tex(root + below)}}} "
            rf"{outer}^{{{power_tex(-below)}}}}}"
        )
        tail = rf"{outer}^{{{power_tex(n - 2)}}}"
    else:
        a = n - 3
        loss = Fraction(0)
        equation = (
            rf"{_EQUATION} = 0$ with {diffusion}"
            if case == "diffusion"
            else rf"{_EQUATION} + S L^2 = 0$ with {diffusion} and a constant $S$ (a local source "
            "adds phase-space density at the rate $S L^2$)"
        )
        top = rf"{inner}^{{{power_tex(-a)}}} - L^{{{power_tex(-a)}}}"
        bottom = rf"{inner}^{{{power_tex(-a)}}} - {outer}^{{{power_tex(-a)}}}"
        shape = rf"\frac{{{top}}}{{{bottom}}}"
        under = bottom if a.denominator == 1 else rf"\left({bottom}\right)"
        slope, tail = ratio_tex(a, "", under), ""
    if case == "source":
        # f' = (c - S L) L^(2-n) / D_0; power of the particular integral: 4 - n
        p = n - 4
        if p == 0:
            part = (
                rf"\ln\frac{{L}}{{{inner}}} - \frac{{{top}}}{{{bottom}}}"
                rf"\ln\frac{{{outer}}}{{{inner}}}"
            )
            final = rf"$f = -\frac{{S}}{{D_0}}\left({part}\right)$"
        else:
            here = rf"{inner}^{{{power_tex(-p)}}} - L^{{{power_tex(-p)}}}"
            there = rf"{inner}^{{{power_tex(-p)}}} - {outer}^{{{power_tex(-p)}}}"
            final = (
                rf"$f = \frac{{{_times(1 / p)[0]}S}}{{{_times(1 / p)[1]}D_0}}"
                rf"\left(\left({there}\right){shape} - \left({here}\right)\right)$"
            )
    elif asked == "profile":
        final = f"$f = f_0 {shape}$"
    else:
        final = f"$F = D_0 f_0 {tail}{slope}$"
    wanted = (
        "$f(L)$"
        if asked == "profile"
        else rf"the inward flow $F = D_{{LL}} L^{{-2}}\,df/dL$ at $L = {outer}$"
    )
    question = draw.phrase(
        "At constant first and second adiabatic invariants the phase-space density $f$ of a "
        f"radiation belt is steady and obeys {equation}. The boundary conditions are {ends}. ",
        f"A steady radiation belt: its phase-space density $f$ (fixed first and second adiabatic "
        f"invariants) follows from {equation}; {ends}. ",
        f"Trapped particles diffuse across the shells of a dipole while their first and second "
        f"invariants stay constant. In steady state {equation}, where {ends}. ",
    ) + draw.phrase(f"Derive {wanted}.", f"Find {wanted}.")
    units = {inner: "", outer: "", "L": "", "f_0": "m-3", "D_0": "s-1", "S": "m-3 s-1"}
    units[""] = "m-3" if asked == "profile" else "m-3 s-1"
    ranges = {inner: (1.1, 1.6), outer: (4.0, 6.0)}
    if case == "source":
        ranges |= {"S": (0.5, 2.0), "D_0": (0.5, 2.0)}
    else:
        ranges["f_0"] = (0.5, 2.0)
    if asked == "flow":
        ranges["D_0"] = (0.5, 2.0)
    else:
        ranges["L"] = (2.0, 3.8)

    def check(at: Mapping[str, float]) -> float:
        power = float(n)
        drive = at["S"] / at["D_0"] if case == "source" else 0.0
        points, solved, slopes = _collocated(
            lambda x: (power - 2) / x,
            lambda x: float(loss) / x**2,
            at[inner],
            at[outer],
            lambda x: -drive * x ** (2 - power),
            0.0 if case == "source" else at["f_0"],
        )
        if asked == "flow":
            return float(at["D_0"] * at[outer] ** (power - 2) * slopes[0])
        return _interpolated(points, solved, at["L"])

    solution = {
        "diffusion": rf"$L^{{{power_tex(n - 2)}}} f'$ is constant, so $f = a + b "
        rf"L^{{{power_tex(3 - n)}}}$.",
        "loss": rf"Powers $L^q$ solve it if $q(q + {power_tex(n - 3)}) = {power_tex(loss)}$: ",
        "source": rf"$(D_0 L^{{{power_tex(n - 2)}}} f')' = -S$: once integrated, $f' = (c - S L)"
        rf"L^{{{power_tex(2 - n)}}}/D_0$.",
    }[case]
    if case == "loss":
        solution += rf"$q = {power_tex(root)}$ or $q = {power_tex(-below)}$."
    return (
        Part(
            question,
            (solution, f"The boundary conditions fix both constants: {final}."),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "powers of L fitted to the boundary values",
                    "Chebyshev collocation of the boundary-value problem",
                ),
                {name: units[name] for name in ("", *ranges)},
                agreement=3e-6,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Stronger or weaker diffusion or loss: profile and energy of what arrives."""
    n = draw.choice((6, 8, 10))
    changed = draw.choice(("lifetime", "diffusion", "both"))
    factor, other = draw.number(1.5, 4.0), draw.number(5.0, 9.0)
    grows = draw.choice((True, False))
    place = draw.number(3.8, 4.8)
    tau, at_six = draw.number(2.0, 8.0), draw.number(0.3, 0.9)
    verb = draw.phrase("is multiplied", "goes up") if grows else draw.phrase("is divided", "drops")
    link = "by the factor"
    change = {
        "lifetime": rf"$\tau$ {verb} {link} {tex(factor)}",
        "diffusion": f"$D_6$ {verb} {link} {tex(factor)}",
        "both": rf"$D_6$ {verb} {link} {tex(factor)} and $\tau$ "
        + ("is divided" if grows else "is multiplied")
        + f" by the factor {tex(other)}",
    }[changed]
    question = (
        draw.phrase(
            "Electrons of fixed first and second adiabatic invariants diffuse inward from $L = "
            rf"6.6$, where their phase-space density $f$ is held constant: {_EQUATION} = f/\tau$, ",
            rf"In an electron belt {_EQUATION} = f/\tau$ holds at fixed first and second adiabatic "
            "invariants, with a given phase-space density $f$ at $L = 6.6$, ",
        )
        + rf"$D_{{LL}} = D_6 (L/6)^{{{n}}}$ and $f = 0$ at $L = 2$. At first $D_6 = {at_six}\ "
        rf"\mathrm{{d^{{-1}}}}$ and $\tau = {tau}\ \mathrm{{d}}$; then {change}. "
        + draw.phrase(
            f"How do the phase-space density at $L$ = {tex(place)} and the steepness $df/dL$ at "
            "$L = 6.6$ change from one steady state to the other?",
            "In which direction do the steepness $df/dL$ at $L = 6.6$ and the phase-space density "
            f"at $L$ = {tex(place)} change, comparing the two steady states?",
        )
    )
    states = []
    ratio = factor if grows else 1 / factor
    counter = {"both": 1 / other if grows else other, "lifetime": ratio, "diffusion": 1.0}[changed]
    for d, t in ((1.0, 1.0), (1.0 if changed == "lifetime" else ratio, counter)):
        rate = at_six * d / 6.0**n * tau * t
        closed = _bessel(n, 1 / rate)
        value = _between(closed, 2.0, 6.6, place)[0], _between(closed, 2.0, 6.6, 6.6)[1]
        points, solved, slopes = _collocated(
            lambda at: (n - 2.0) / at, partial(_constant_loss, n, rate), 2.0, 6.6
        )
        states.append((*value, _interpolated(points, solved, place), float(slopes[0])))
    changes = relative_changes(*states)
    claims = change_claims(
        ("phase-space density", "steepness at the outer boundary"), changes[:2], changes[2:]
    )
    return (
        Part(
            question,
            (
                r"Only the product $D_6\tau$ enters the steady state: it decides how far electrons "
                "get before they are lost.",
                "With a larger product $f$ is filled in further inside, and the profile is "
                "flatter at the outer boundary.",
                f"Here the product {'increases' if changes[0] > 0 else 'decreases'}.",
            ),
            stated(claims, Routes("modified Bessel functions", "Chebyshev collocation")),
        ),
    )


def _times(value: Fraction) -> tuple[str, str]:
    """Numerator and denominator, empty where they are 1."""
    pair = (value.numerator, value.denominator)
    return tuple("" if part == 1 else str(part) for part in pair)  # type: ignore[return-value]


def _constant_loss(n: int, rate: float, shell: NDArray[np.float64]) -> NDArray[np.float64]:
    """1/(D tau) for D tau = rate L^n."""
    return shell ** float(-n) / rate


_Pair = Callable[[float], tuple[float, float]]


def _bessel(n: int, strength: float) -> tuple[_Pair, _Pair]:
    """Two solutions of f'' + (n-2) f'/L = strength L^-n f, each with its derivative.

    Exponentially scaled, with the scale exp(-z) or exp(z) put back.
    """
    from scipy.special import iv, ive, kv, kve

    c, nu = (n - 2) / 2, (n - 3) / (n - 2)
    a = (3 - n) / 2

    def solution(grows: bool) -> _Pair:
        scaled = ive if grows else kve
        plain = iv if grows else kv

        def at(shell: float) -> tuple[float, float]:
            z = sqrt(strength) / c * shell**-c
            base = float(scaled(nu, z)) * exp(z if grows else -z)
            sign = 1.0 if grows else -1.0
            slope = sign * float(plain(nu - 1, z)) - nu / z * base
            value = shell**a * base
            return value, a * value / shell + shell**a * slope * (-c * z / shell)

        return at

    return solution(True), solution(False)


def _between(pair: tuple[_Pair, _Pair], low: float, high: float, at: float) -> tuple[float, float]:
    """The combination that is 0 at ``low`` and 1 at ``high``, and its derivative."""
    (i_low, _), (k_low, _) = pair[0](low), pair[1](low)
    (i_high, _), (k_high, _) = pair[0](high), pair[1](high)
    (i, di), (k, dk) = pair[0](at), pair[1](at)
    share = k_low / i_low
    norm = k_high - share * i_high
    return (k - share * i) / norm, (dk - share * di) / norm


def _collocated(
    drift: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    loss: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    low: float,
    high: float,
    source: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None,
    top: float = 1.0,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Solve f'' + drift f' = loss f + source, with f(low) = 0 and f(high) = top.

    Chebyshev points in ln L, from ``high`` down; returns ln L scaled to [-1, 1], f and df/dL.
    """
    import numpy as np

    size = 40
    index = np.arange(size + 1)
    x = np.cos(np.pi * index / size)
    ends = np.where((index == 0) | (index == size), 2.0, 1.0) * (-1.0) ** index
    gaps = x[:, None] - x[None, :] + np.eye(size + 1)
    matrix = np.outer(ends, 1 / ends) / gaps
    matrix -= np.diag(matrix.sum(axis=1))
    half = (log(high) - log(low)) / 2
    shell = np.exp(log(low) + half * (x + 1))
    first = matrix / half / shell[:, None]
    system = first @ first + drift(shell)[:, None] * first - np.diag(loss(shell))
    right = np.zeros(size + 1) if source is None else np.asarray(source(shell))
    # rows of very unlike size where the loss is steep
    scale = 1 / np.abs(system).max(axis=1)
    system, right = system * scale[:, None], right * scale
    system[0], system[-1] = 0.0, 0.0
    system[0, 0] = system[-1, -1] = 1.0
    right[0], right[-1] = top, 0.0
    solved = np.linalg.solve(system, right)
    return np.array([low, high, *shell]), solved, first @ solved


def _interpolated(points: NDArray[np.float64], values: NDArray[np.float64], shell: float) -> float:
    """Value of the Chebyshev interpolant in ln L (barycentric)."""
    import numpy as np

    logs = np.log(points[2:])
    size = len(logs)
    weights = (-1.0) ** np.arange(size)
    weights[[0, -1]] *= 0.5
    gap = log(shell) - logs
    if np.any(np.abs(gap) < 1e-14):
        return float(values[np.argmin(np.abs(gap))])
    share = weights / gap
    return float(np.sum(share * values) / np.sum(share))


FAMILY = Family(
    title="Radial diffusion of trapped particles with loss",
    assumptions=(
        "steady state at constant first and second adiabatic invariants, dipole shells",
        "power law of the diffusion coefficient in L",
    ),
    sources=(
        "Schulz & Lanzerotti 1974, Particle Diffusion in the Radiation Belts, ch. III and V",
        "Walt 1994, Introduction to Geomagnetically Trapped Radiation, ch. 7 and 8",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
