r"""Adiabatic transport across shells: energy, and the flux by Liouville's theorem.

At constant first invariant the perpendicular momentum obeys :math:`p^2/B` = const, at constant
second invariant field-aligned particles keep p times the length of the line; f = j/p^2 is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import asin, exp, log, pi, sin, sqrt

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import power_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_REST_MEV = si.M_E * si.C**2 / si.E_CHARGE / 1e6


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Where electrons come from in energy, then the flux that they make further in."""
    from astropy import constants

    outer, inner = draw.number(5.5, 7.5), draw.number(3.0, 4.8)
    energy = draw.quantity(0.8, 2.5, "MeV")
    folding = draw.quantity(150.0, 350.0, "keV")
    flux = draw.quantity(1e5, 5e6, "cm-2 s-1 sr-1 keV-1", log=True)
    kept = draw.number(0.1, 0.9)
    setting = draw.phrase(
        "Electrons that mirror at the equator are carried slowly inward through a dipole field, "
        f"from $L$ = {tex(outer)} to $L$ = {tex(inner)}, with their first adiabatic invariant "
        "kept.",
        f"Slow (but drift-resonant) disturbances move equatorially mirroring electrons from $L$ = "
        f"{tex(outer)} to $L$ = {tex(inner)} in a dipole field; only the third adiabatic "
        "invariant changes.",
    )
    rest = constants.m_e * constants.c**2
    square = energy * (energy + 2 * rest)
    start = ((square * (inner / outer) ** 3 + rest**2) ** 0.5 - rest).to("keV")
    factor = (outer / inner) ** 3
    arriving = flux * kept * factor * exp(-float((start / folding).to_value("")))
    other = _start_mev(energy.value, outer, inner)
    beta = [sqrt(1 - (1 + e / _REST_MEV) ** -2) for e in (energy.value, other)]
    mass = [1 + e / _REST_MEV for e in (energy.value, other)]
    # density per d^3p is kept: j = p^2 f, p = gamma m v
    gain = (mass[0] * beta[0] / (mass[1] * beta[1])) ** 2
    found = flux.value * kept * gain * exp(-other * 1e3 / folding.value)
    first = Part(
        f"{setting} "
        + draw.phrase(
            f"With which kinetic energy did electrons start that arrive with {tex(energy)}?",
            f"What was the kinetic energy, at $L$ = {tex(outer)}, of electrons that have "
            f"{tex(energy)} at $L$ = {tex(inner)}?"
            f"",
        ),
        (
            r"$\mu = p^2/(2mB)$ is kept, so $p^2 \propto L^{-3}$, with "
            r"$p^2c^2 = W(W + 2mc^2)$.",
            r"$W_1(W_1 + 2mc^2) = W_2(W_2 + 2mc^2)\,(L_2/L_1)^3$.",
            f"$W_1$ = {tex(start, 4, unit='keV')}.",
        ),
        Numeric(
            start,
            other * 1e3,
            "keV",
            Routes(
                "conservation of the first invariant with units",
                "integration of the betatron acceleration dW/dB = mu/gamma, inverted by a root",
            ),
            digits=4,
        ),
    )
    told = tex(flux, unit="cm-2 s-1 sr-1 keV-1")
    second = Part(
        draw.phrase(
            f"At $L$ = {tex(outer)} the differential flux of these electrons is "
            rf"$j = j_0 e^{{-W/W_0}}$ with $j_0$ = {told} and $W_0$ = {tex(folding)}. On the way "
            f"inward losses leave the fraction {tex(kept)} of the phase-space density. What is the "
            f"differential flux at {tex(energy)} and $L$ = {tex(inner)}?",
            rf"Their differential flux is $j_0 e^{{-W/W_0}}$ at $L$ = {tex(outer)}, $j_0$ = {told},"
            f" $W_0$ = {tex(folding)}. Find the differential flux at $L$ = {tex(inner)} and "
            f"{tex(energy)}, if the fraction {tex(kept)} of the phase-space density survives the "
            "transport.",
        ),
        (
            r"$f = j/p^2$ changes by the losses only: $j_2 = "
            rf"{kept}\,j_1(W_1)\,p_2^2/p_1^2$ and $p_2^2/p_1^2 = (L_1/L_2)^3$ = "
            f"{tex(factor, 4)}.",
            f"$j_2$ = {tex(arriving, 3, unit='cm-2 s-1 sr-1 keV-1')}.",
        ),
        Numeric(
            arriving,
            found,
            "cm-2 s-1 sr-1 keV-1",
            Routes(
                "Liouville's theorem with units",
                "flux from momenta by speeds and Lorentz factors after the integrated betatron "
                "acceleration",
            ),
            agreement=2e-6,
        ),
    )
    return first, second


_ASKED = {
    "flux": "the differential flux $j_2(W)$ at $L_2$",
    "energy": "the kinetic energy $W_2$ at $L_2$ of a particle that started with $W_1$",
    "where": "the shell $L_m$ at which a particle that started at $L_1$ with $W_1$ has the "
    "kinetic energy $W_2$",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Energy and flux in another shell, for either invariant, any spectrum and field decay."""
    regime = draw.choice(("slow", "fast", "exact"))
    motion = draw.choice(("equator", "aligned"))
    n = draw.choice([Fraction(*at) for at in ((3, 1), (5, 2), (7, 2), (4, 1))])
    if motion == "aligned":
        n = Fraction(3)
    slope = draw.choice([Fraction(*at) for at in ((1, 1), (3, 2), (2, 1), (5, 2), (3, 1), (7, 2))])
    # the flux at exact energies has no power law
    asked = draw.choice(("energy", "where") if regime == "exact" else tuple(_ASKED))
    loss = asked == "flux" and draw.choice((True, False))
    speed = {
        "slow": "Non-relativistic particles",
        "fast": "Ultra-relativistic electrons ($W = pc$)",
        "exact": "Electrons (rest energy $E_0$, to be treated relativistically)",
    }[regime]
    place = {
        "equator": "mirroring at the equator of a field that falls as "
        f"$B \\propto L^{{-{power_tex(n)}}}$ there",
        "aligned": "moving nearly along the field of a dipole, with mirror points close to the "
        "centre so that the length of their path is proportional to $L$,",
    }[motion]
    invariant = {
        "equator": "first adiabatic invariant",
        "aligned": "second adiabatic invariant",
    }[motion]
    spectrum = (
        rf" At $L_1$ their differential flux is $j_1 = j_0 (W/W_0)^{{-{power_tex(slope)}}}$"
        + (
            r", and the fraction $\eta$ of the phase-space density survives the transport."
            if loss
            else ", and no particles are lost."
        )
    )
    question = (
        draw.phrase(
            f"{speed} {place} are carried from the shell $L_1$ to the shell $L_2$; their "
            f"{invariant} is kept.",
            f"{speed} {place} move slowly from the shell $L_1$ to the shell $L_2$, at constant "
            f"{invariant}.",
        ).replace("from the shell $L_1$ to the shell $L_2$", "away from the shell $L_1$")
        if asked == "where"
        else draw.phrase(
            f"{speed} {place} are carried from the shell $L_1$ to the shell $L_2$; their "
            f"{invariant} is kept.",
            f"{speed} {place} move slowly from the shell $L_1$ to the shell $L_2$, at constant "
            f"{invariant}.",
        )
    ) + (spectrum if asked == "flux" else "")
    question += " " + draw.phrase("Derive ", "Find ", "Determine ") + _ASKED[asked] + "."
    # p^2 goes as L^-n (first invariant) or L^-2 (second): W as its power 1, 1/2 or mixed
    power = n if motion == "equator" else Fraction(2)
    by_w = power if regime == "slow" else power / 2
    first, last = "L_1", "L_2"
    if asked == "flux":
        total = by_w * slope + power
        final = (
            rf"$j_2 = {'eta ' if loss else ''}j_0\left(\frac{{W}}{{W_0}}\right)"
            rf"^{{-{power_tex(slope)}}}\left(\frac{{{first}}}{{{last}}}\right)^{{{power_tex(total)}}}$"
        ).replace("eta ", r"\eta ")
    elif asked == "energy" and regime != "exact":
        final = rf"$W_2 = W_1\left(\frac{{{first}}}{{{last}}}\right)^{{{power_tex(by_w)}}}$"
    elif asked == "energy":
        final = (
            rf"$W_2 = \sqrt{{E_0^2 + W_1(W_1 + 2E_0)\left(\frac{{{first}}}{{{last}}}\right)"
            rf"^{{{power_tex(power)}}}}} - E_0$"
        )
    elif regime != "exact":
        final = rf"$L_m = {first}\left(\frac{{W_1}}{{W_2}}\right)^{{{power_tex(1 / by_w)}}}$"
    else:
        final = (
            rf"$L_m = {first}\left(\frac{{W_1(W_1 + 2E_0)}}{{W_2(W_2 + 2E_0)}}\right)"
            rf"^{{{power_tex(1 / power)}}}$"
        )
    ranges = {first: (5.0, 7.0)}
    units = {first: ""}
    if asked != "where":
        ranges[last], units[last] = (2.5, 4.5), ""
    names = {"flux": ("W", "W_0"), "energy": ("W_1",), "where": ("W_1", "W_2")}[asked]
    for name in names:
        ranges[name], units[name] = (0.5, 2.0), "J"
    if asked == "where":
        ranges["W_2"] = (2.5, 5.0)
    if regime == "exact":
        ranges["E_0"], units["E_0"] = (0.5, 2.0), "J"
    if asked == "flux":
        ranges["j_0"], units["j_0"] = (0.5, 2.0), "m-2 s-1 J-1"
    if loss:
        ranges[r"\eta"], units[r"\eta"] = (0.1, 0.9), ""
    units[""] = {"flux": "m-2 s-1 J-1", "energy": "J", "where": ""}[asked]

    def check(at: Mapping[str, float]) -> float:
        rest = {"slow": 1e9, "fast": 1e-9}.get(regime, at.get("E_0", 1.0))
        decay = float(power)
        if asked == "energy":
            return _moved(at["W_1"], rest, decay, log(at[last] / at[first]))
        if asked == "where":
            shift = bracketed_root(
                lambda x: _moved(at["W_1"], rest, decay, x) / at["W_2"] - 1, -4.0, 1.0
            )
            return at[first] * exp(shift)
        source = _moved(at["W"], rest, decay, log(at[first] / at[last]))
        square = [w * (w + 2 * rest) for w in (at["W"], source)]
        kept = at.get(r"\eta", 1.0)
        spectrum = at["j_0"] * (source / at["W_0"]) ** -float(slope)
        return float(kept * spectrum * square[0] / square[1])

    keep = {
        "equator": rf"$p^2/B$ is kept: $p^2 \propto L^{{-{power_tex(n)}}}$.",
        "aligned": r"$J = \oint p_\parallel ds \propto p L$ is kept: $p \propto L^{-1}$.",
    }[motion]
    relation = {
        "slow": r"$W = p^2/2m$.",
        "fast": r"$W = pc$.",
        "exact": r"$p^2c^2 = W(W + 2E_0)$.",
    }[regime]
    return (
        Part(
            question,
            (
                keep,
                relation,
                *((r"Liouville: $j/p^2$ is kept but for losses.",) if asked == "flux" else ()),
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "adiabatic invariant and Liouville's theorem in closed form",
                    "quadrature of the rate of energy change dW/dL along the way",
                ),
                units,
                agreement=1e-6,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Flux at fixed energy, and pitch angle, of particles that are carried to another shell."""
    near, far = draw.number(3.0, 4.5), draw.number(5.5, 7.5)
    inward = draw.choice((True, False))
    start, end = (far, near) if inward else (near, far)
    rising = draw.choice((True, False))
    index = draw.number(1.6, 3.5) if rising else -draw.number(0.6, 4.5)
    word = "rises" if rising else "falls"
    keeps = draw.choice(("both", "equator"))
    question = (
        draw.phrase(
            f"Non-relativistic ions are carried from $L$ = {tex(start)} to $L$ = {tex(end)} in a "
            "dipole field without loss. ",
            f"A dipole field holds non-relativistic ions; without loss they move from $L$ = "
            f"{tex(start)} to $L$ = {tex(end)}. ",
        )
        + "Their first and second adiabatic invariants are kept. First take ions that mirror at "
        f"the equator, whose differential flux at the first shell {word} with the kinetic energy "
        rf"as $W^{{{index}}}$ over the whole range that matters. "
        + draw.phrase(
            "How does the flux at a fixed energy differ at the second shell from that at the "
            "first?",
            "Does the flux at one and the same energy increase or decrease from the first shell "
            "to the second?"
            "",
        )
        + " "
        + (
            draw.phrase(
                "And what happens to the equatorial pitch angle of other ions that start with "
                "$45^{\\circ}$?",
                "Then take ions of an equatorial pitch angle of $45^{\\circ}$: how does this "
                "angle change?",
            )
            if keeps == "both"
            else draw.phrase(
                "And how does the speed of each of these ions change?",
                "What happens to the speed of each of these ions?",
            )
        )
    )
    # j_2(W) = j_1(W_1) W / W_1 with W_1 = W (L_2 / L_1)^3
    ratio = end / start
    flux = ratio ** (3 * (index - 1)) - 1
    shift = log(ratio)
    source = _moved(1.0, 1e9, 3.0, -shift)
    other = source**index / source - 1
    if keeps == "both":
        name = "equatorial pitch angle"
        first = _pitch_by_fit(ratio)
        second = _pitch_change(ratio)
    else:
        name = "speed of each ion"
        first, second = ratio**-1.5 - 1, sqrt(_moved(1.0, 1e9, 3.0, shift)) - 1
    claims = change_claims(("flux at a fixed energy", name), (flux, first), (other, second))
    return (
        Part(
            question,
            (
                r"$f = j/p^2$ and $W L^3$ are kept: $j_2(W) = j_1(W_1)\,W/W_1$ with "
                r"$W_1 = W (L_2/L_1)^3$.",
                rf"So $j_2/j_1 = (L_2/L_1)^{{3(s - 1)}}$ for $j \propto W^s$, here $s = {index}$.",
                r"Across the field $W_\perp \propto L^{-3}$, along it nearly "
                r"$W_\parallel \propto L^{-2}$ (shorter lines)."
                if keeps == "both"
                else r"$v^2 \propto W \propto B \propto L^{-3}$.",
            ),
            stated(
                claims,
                Routes(
                    "powers of L and Schulz's fit of the second invariant",
                    "quadrature of dW/dL and of the second invariant",
                ),
            ),
        ),
    )


def _moved(energy: float, rest: float, decay: float, shift: float) -> float:
    """Energy after ln L has changed by ``shift``: dW/d(ln L) = -(n/2) p v, by Runge-Kutta.

    p v = W (W + 2 E_0) / (W + E_0); a few steps, as the right-hand side is almost linear in W.
    """
    steps = 40
    h = shift / steps

    def rate(w: float) -> float:
        return -decay / 2 * (w + 2 * rest) / (w + rest)

    # in y = ln W the rate is bounded
    y = log(energy)
    for _ in range(steps):
        a = rate(exp(y))
        b = rate(exp(y + h * a / 2))
        c = rate(exp(y + h * b / 2))
        d = rate(exp(y + h * c))
        y += h * (a + 2 * b + 2 * c + d) / 6
    return exp(y)


def _start_mev(energy: float, outer: float, inner: float) -> float:
    """Initial energy whose betatron acceleration leads to ``energy``."""
    shift = log(inner / outer)
    low, high = energy * (inner / outer) ** 3 / 2, energy
    return bracketed_root(lambda w: _moved(w, _REST_MEV, 3.0, shift) / energy - 1, low, high)


def _pitch_by_fit(ratio: float) -> float:
    """The same as below with the fit Y(y) of Schulz & Lanzerotti (1974), ch. I, to about 1 %."""

    def shape(y: float) -> float:
        t0, t1 = 1.3802, 0.7405
        return (2 * t0 * (1 - y) + (t0 - t1) * (y * log(y) + 2 * y - 2 * sqrt(y))) / y

    start = shape(sqrt(0.5))
    found = bracketed_root(lambda y: shape(y) - start * sqrt(ratio), 0.1, 0.999)
    return asin(found) / (pi / 4) - 1


def _pitch_change(ratio: float) -> float:
    """Relative change of a pitch angle of 45 degrees, from mu and J in a dipole."""
    from ecliptic.helio.families.radiation_belts.trapped_bounce import second_invariant

    def action(log_sine: float) -> float:
        # at constant mu: p^2 = mu B / sin^2, and B goes as L^-3
        sine = exp(log_sine)
        return second_invariant(ratio**-3 / sine**2, 1.0, ratio, 1.0)

    start = second_invariant(1 / sin(pi / 4) ** 2, 1.0, 1.0, 1.0)
    found = bracketed_root(lambda x: action(x) / start - 1, log(0.2), log(0.98))
    return asin(exp(found)) / (pi / 4) - 1


FAMILY = Family(
    title="Adiabatic transport across shells",
    assumptions=(
        "first and second adiabatic invariants kept, third invariant broken",
        "static field, no electric field along it",
    ),
    sources=(
        "Schulz & Lanzerotti 1974, Particle Diffusion in the Radiation Belts, ch. I",
        "Roederer 1970, Dynamics of Geomagnetically Trapped Radiation, ch. III and IV",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
