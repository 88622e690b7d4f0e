r"""Loss of ionisation by recombination with molecular ions and by charge exchange.

Without transport the electron density obeys dN/dt = q - L, with L = alpha N^2 in the E region
(molecular ions), L = beta N high in the F region (charge exchange is the slow step), and between

.. math:: L = \frac{\alpha \beta N^2}{\beta + \alpha N} .
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, log, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, power_tex, ratio_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PAIRS = ((1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (1, 10), (2, 5), (3, 5), (4, 5), (1, 6))
_SHARES = [Fraction(*pair) for pair in _PAIRS]


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Molecular share of the ions, time of decay, and the density at a later time."""
    from astropy import units

    start = draw.quantity(5e10, 3e11, "m-3")
    end = float(f"{start.value * draw.number(0.05, 0.4):.2g}") * start.unit
    alpha = draw.quantity(1e-13, 4e-13, "m3 s-1")
    beta = draw.quantity(2e-3, 2e-2, "s-1", log=True)
    chain = (
        r"$\mathrm{O^+}$ turns into molecular ions by charge exchange at the rate "
        r"$\beta[\mathrm{O^+}]$, and molecular ions recombine at the rate "
        r"$\alpha[\mathrm{M^+}]N$; "
        rf"$\alpha$ = {tex(alpha)}, $\beta$ = {tex(beta)}"
    )
    setting = draw.phrase(
        f"In the night F region, without production and transport, {chain}. Creation and loss of "
        r"molecular ions $\mathrm{M^+}$ balance at all times. At sunset the electron density $N = "
        rf"[\mathrm{{O^+}}] + [\mathrm{{M^+}}]$ is {tex(start)}.",
        f"At sunset the electron density $N$ at some height of the ionosphere is {tex(start)}. "
        f"There is no production or transport afterwards: {chain}, where $\\mathrm{{M^+}}$ stays "
        r"in a quasi-steady balance and $N = [\mathrm{O^+}] + [\mathrm{M^+}]$.",
    )
    share = 100 * (beta / (beta + alpha * start)).to_value("") * units.percent
    time = (1 / end - 1 / start) / alpha + log(float(start / end)) / beta
    later = float(f"{time.to_value('min') * draw.number(1.5, 4.0):.2g}") * units.min
    late = start * _late(alpha.value, beta.value, start.value, later.to_value("s")) / start.value
    rates = (alpha.value, beta.value, start.value)
    balance = _molecular_share(alpha.value * start.value, beta.value)
    return (
        Part(
            f"{setting} "
            + draw.phrase(
                "Which percentage of the ions is molecular at sunset?",
                "What is the percentage of molecular ions among all ions at sunset?",
            ),
            (
                r"$\beta(N - [\mathrm{M^+}]) = \alpha[\mathrm{M^+}]N$, so "
                r"$[\mathrm{M^+}]/N = \beta/(\beta + \alpha N)$.",
                f"At sunset: {tex(share, 3, unit='%')}.",
            ),
            Numeric(
                share,
                100 * balance,
                "%",
                Routes("closed form with units", "root of the rate balance"),
            ),
        ),
        Part(
            draw.phrase(
                f"How long after sunset has $N$ fallen to {tex(end)}?",
                f"After what time has the electron density fallen to {tex(end)}?",
            ),
            (
                r"The loss of electrons is $dN/dt = -\alpha[\mathrm{M^+}]N = "
                r"-\alpha\beta N^2/(\beta + \alpha N)$: the slower process sets the rate.",
                r"$t = \alpha^{-1}(1/N - 1/N_0) + \beta^{-1}\ln(N_0/N)$.",
                f"$t$ = {tex(time.to('min'), 3)}.",
            ),
            Numeric(
                time,
                _loss(*rates, end.value)[0] / 60,
                "min",
                Routes("integrated rate equation", "quadrature of dN over the loss rate"),
            ),
        ),
        Part(
            draw.phrase(
                f"What is the electron density {tex(later)} after sunset?",
                f"Which electron density is left {tex(later)} after sunset?",
            ),
            (
                "The same integral, now solved for $N$; with $y = \\beta/(\\alpha N)$ it is "
                r"$y + \ln y = y_0 + \ln y_0 + \beta t$.",
                f"$N$ = {tex(late, 3)}.",
            ),
            Numeric(
                late,
                _late_by_root(*rates, later.to_value("s")),
                "m-3",
                Routes("Lambert function", "root of the quadrature over the density"),
            ),
        ),
    )


_LAWS = {
    "mixed": r"at the rate $\alpha\beta N^2/(\beta + \alpha N)$ (charge exchange, then "
    r"recombination), without any production; at $t = 0$ the density is $N_0$",
    "rise": r"at the rate $\alpha N^2$ and produced at the constant rate $q$; at $t = 0$ the "
    "density is zero",
    "rise_beta": r"at the rate $\beta N$ and produced at the constant rate $q$; at $t = 0$ the "
    "density is zero",
    "power": r"at the rate $k N^{P}$, without any production; at $t = 0$ the density is $N_0$",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Density against time, or time to a share, for four laws of gain and loss."""
    law = draw.choice(("mixed", "mixed", "mixed", "rise", "rise_beta", "power", "power", "power"))
    asked = draw.choice(("N", "T", "T", "content") if law != "mixed" else ("T", "until"))
    if law == "rise_beta":
        asked = "content"
    power = draw.choice(
        [
            Fraction(*pair)
            for pair in ((5, 4), (4, 3), (7, 5), (3, 2), (5, 3), (7, 4), (9, 5), (5, 2), (3, 1))
        ]
    )
    f = draw.choice(_SHARES)
    final_value = {
        "rise": r"its steady value $\sqrt{q/\alpha}$",
        "rise_beta": r"its steady value $q/\beta$",
    }.get(law, "$N_0$")
    loss = _LAWS[law].replace("P}", f"{power_tex(power)}}}")
    question = draw.phrase(
        f"In a layer of the ionosphere without transport, electrons (density $N$) are lost {loss}.",
        f"The electron density $N$ of an ionospheric layer is unaffected by motions. Per unit "
        f"volume and time electrons are lost {loss}.",
        f"Transport is negligible at some height, where electrons of the density $N$ are "
        f"lost {loss}.",
    )
    question += {
        "N": " Derive $N(t)$.",
        "T": rf" Find the time $T$ at which $N$ has reached ${fraction_tex(f)}$ of {final_value}.",
        "content": r" Derive $S(t) = \int_0^t N\,dt'$, which sets the airglow emitted until $t$.",
        "until": rf" Derive the integral $S = \int N\,dt$ from $t = 0$ until $N$ has fallen to "
        rf"${fraction_tex(f)}N_0$.",
    }[asked]
    final, ranges, units = _formula(law, asked, f, power)
    first = draw.phrase("N_0", "N_s", "n_0") if law in ("mixed", "power") else "N_0"
    question, final = question.replace("N_0", first), final.replace("N_0", first)
    ranges = {name.replace("N_0", first): pair for name, pair in ranges.items()}
    units = {name.replace("N_0", first): unit for name, unit in units.items()}

    def check(at: Mapping[str, float]) -> float:
        start = at.get(first, 0.0)
        return _by_quadrature((law, asked), float(f), float(power), {**at, "N_0": start})

    return (
        Part(
            question,
            (
                r"The equation separates: $dt = dN/(\text{gain} - \text{loss})$.",
                r"$S$ follows from $\int N\,dt$ with the same substitution.",
                f"With the initial value: {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("separation of variables", "quadratures over N, solved for the unknown"),
                units,
            ),
        ),
    )


def _formula(
    law: str, asked: str, f: Fraction, power: Fraction
) -> tuple[str, dict[str, tuple[float, float]], dict[str, str]]:
    """Final, ranges and units of a law and what is asked."""
    m = power - 1
    ratio, inverse = fraction_tex((1 + f) / (1 - f)), fraction_tex(1 / f)
    front = factor_tex(m)
    inner = rf"1 + {front} k N_0^{{{power_tex(m)}}} t"
    rest = (2 - power) / m
    if rest > 0:
        sum_power = rf"1 - \left({inner}\right)^{{{power_tex(-rest)}}}"
    else:
        sum_power = rf"\left({inner}\right)^{{{power_tex(-rest)}}} - 1"
    rate = f"k N_0^{{{power_tex(m)}}}"
    grown = ratio_tex(1 / f - 1, "", r"\alpha N_0")
    whole = f.numerator == 1
    base = inverse if whole else rf"\left({inverse}\right)"
    ratio_power = rf"{base}^{{{power_tex(m)}}}"
    final = {
        "mixedT": rf"T = {grown} + "
        rf"\frac{{1}}{{\beta}}\ln\left({inverse}\right)",
        "mixeduntil": rf"S = \frac{{1}}{{\alpha}}\ln\left({inverse}\right) + "
        + ratio_tex(1 - f, "N_0", r"\beta"),
        "riseN": r"N = \sqrt{\frac{q}{\alpha}}\tanh\left(\sqrt{q\alpha}\,t\right)",
        "riseT": rf"T = \frac{{1}}{{2\sqrt{{q\alpha}}}}\ln\left({ratio}\right)",
        "risecontent": r"S = \frac{1}{\alpha}\ln\left[\cosh\left(\sqrt{q\alpha}\,t\right)\right]",
        "rise_betaN": r"N = \frac{q}{\beta}\left(1 - e^{-\beta t}\right)",
        "rise_betaT": rf"T = \frac{{1}}{{\beta}}\ln\left({fraction_tex(1 / (1 - f))}\right)",
        "rise_betacontent": r"S = \frac{q}{\beta}\left(t - \frac{1 - e^{-\beta t}}{\beta}\right)",
        "powerN": rf"N = N_0\left({inner}\right)^{{{power_tex(-1 / m)}}}",
        "powerT": f"T = {ratio_tex(1 / m, '', rate)}"
        rf"\left({ratio_power} - 1\right)",
        "powercontent": f"S = {ratio_tex(1 / abs(2 - power), '', f'k N_0^{{{power_tex(m - 1)}}}')}"
        rf"\left[{sum_power}\right]",
    }[law + asked]
    ranges: dict[str, tuple[float, float]] = {}
    units = {"": {"N": "m-3", "T": "s", "content": "m-3 s", "until": "m-3 s"}[asked]}
    known = {
        "N_0": ("m-3", (0.5, 2.0)),
        "q": ("m-3 s-1", (0.5, 2.0)),
        r"\alpha": ("m3 s-1", (0.5, 2.0)),
        r"\beta": ("s-1", (0.5, 2.0)),
        "k": (f"m({float(3 * m)}) s-1", (0.5, 2.0)),
    }
    own = {"mixed": ("N_0", r"\alpha", r"\beta"), "rise": ("q", r"\alpha")}
    own |= {"rise_beta": ("q", r"\beta"), "power": ("N_0", "k")}
    for name in own[law]:
        if name in final:
            units[name], ranges[name] = known[name]
    if asked in ("N", "content"):
        units["t"], ranges["t"] = "s", (0.3, 1.5)
    return f"${final}$", ranges, units


def textual(draw: Draw) -> tuple[Part, ...]:
    """Half time and contrast of two layers that decay by one law from unlike densities."""
    law = draw.choice(("alpha", "beta", "mixed"))
    low, high = draw.number(1.0, 4.0), draw.number(5.0, 12.0)
    alpha, beta = draw.number(0.5, 4.0), draw.number(0.2, 3.0)
    before, after = draw.choice(((low, high), (high, low)))
    hours = draw.integer(2, 8)
    term_a = rf"\alpha N^2$ with $\alpha = {alpha}\times 10^{{-13}}\ \mathrm{{m^3\,s^{{-1}}}}$"
    term_b = rf"\beta N$ with $\beta = {beta}\times 10^{{-4}}\ \mathrm{{s^{{-1}}}}$"
    rate = {"alpha": f"${term_a}", "beta": f"${term_b}"}
    rate["mixed"] = (
        rf"$\alpha\beta N^2/(\beta + \alpha N)$ (charge exchange followed by recombination) with "
        rf"$\alpha = {alpha}\times 10^{{-13}}\ \mathrm{{m^3\,s^{{-1}}}}$ and "
        rf"$\beta = {beta}\times 10^{{-4}}\ \mathrm{{s^{{-1}}}}$"
    )
    pair = [rf"${value}\times 10^{{11}}\ \mathrm{{m^{{-3}}}}$" for value in (before, after)]
    question = draw.phrase(
        f"After sunset electrons are lost at the rate {rate[law]}; nothing else changes their "
        f"density $N$. On a first evening $N$ starts from {pair[0]}, on a second from {pair[1]}. "
        "How does the half-life of the density (counted from sunset) change, if at all, from the "
        "first to the second evening? And how does the density contrast (larger over smaller "
        f"density) of the two evenings change, if at all, from sunset to {hours} hours later?",
        f"Two evenings differ in the electron density $N$ at sunset: first {pair[0]}, then "
        f"{pair[1]}. On both the only loss is {rate[law]}, without production or transport. "
        "How does the half-life of the density after sunset change, if at all, from the first to "
        "the second, and how does the density contrast between the evenings (larger over smaller "
        f"density) change, if at all, in the first {hours} hours of night?",
    )
    a = 0.0 if law == "beta" else alpha * 1e-2
    b = 0.0 if law == "alpha" else beta * 1e-4
    halves, others, late, other_late = [], [], [], []
    for value in (before, after):
        n = value
        halves.append((log(2) / b if b else 0.0) + (1 / (a * n) if a else 0.0))
        others.append(_loss(a, b, n, n / 2)[0])
        t = 3600.0 * hours
        late.append(_late(a, b, n, t))
        other_late.append(_late_by_root(a, b, n, t))
    start = high / low
    contrasts = [max(x) / min(x) / start - 1 for x in (late, other_late)]
    claims = (
        change_claim("half-life", halves[1] / halves[0] - 1, others[1] / others[0] - 1),
        change_claim("density contrast", contrasts[0], contrasts[1]),
    )
    return (
        Part(
            question,
            (
                r"$t_{1/2} = 1/(\alpha N_0)$ for quadratic loss, $\ln 2/\beta$ for linear loss and "
                "the sum of both if one process follows the other.",
                "Quadratic loss removes the denser layer faster, and all layers approach "
                "the same curve; linear loss takes the same share of each.",
            ),
            stated(
                claims, Routes("integrated rate equation", "quadrature over the electron density")
            ),
        ),
    )


def _late(a: float, b: float, n: float, t: float) -> float:
    """Density after a time, in closed form."""
    from scipy.special import lambertw

    if not b:
        return n / (1 + a * n * t)
    if not a:
        return n * exp(-b * t)
    y = b / (a * n)
    return b / (a * float(lambertw(y * exp(y + b * t)).real))


def _molecular_share(recombination: float, exchange: float) -> float:
    """Share of molecular ions at which they are made as fast as they are lost."""

    def excess(share: float) -> float:
        return exchange * (1 - share) - recombination * share

    return bracketed_root(excess, 0.0, 1.0)


def _late_by_root(a: float, b: float, n: float, t: float) -> float:
    def misses(depth: float) -> float:
        return _loss(a, b, n, n * 2.0**-depth)[0] / t - 1

    return float(n * 2.0 ** -bracketed_root(misses, 1e-6, 60.0))


def _loss(alpha: float, beta: float, start: float, end: float) -> tuple[float, float]:
    """Time of a decay and integral of N dt, by quadrature over ln N; a zero rate is absent."""
    import numpy as np

    x, w = gauss_legendre(40, 0.0, 1.0)
    span = log(start / end)
    n = end * np.exp(span * x)
    lifetime = (1 / (alpha * n) if alpha else 0.0) + (1 / beta if beta else 0.0)
    return float(np.sum(w * lifetime)) * span, float(np.sum(w * lifetime * n)) * span


def _by_quadrature(case: tuple[str, str], f: float, power: float, at: Mapping[str, float]) -> float:
    """Time, density or content from integrals over the density, in any units."""
    import numpy as np

    law, asked = case
    x, w = gauss_legendre(40, 0.0, 1.0)
    a, b, q = (at.get(name, 1.0) for name in (r"\alpha", r"\beta", "q"))
    start, k = at.get("N_0", 0.0), at.get("k", 1.0)

    def change(n: NDArray[np.float64]) -> NDArray[np.float64]:
        if law == "mixed":
            return -a * b * n**2 / (b + a * n)
        if law == "power":
            return -k * n**power
        return q - a * n**2 if law == "rise" else q - b * n

    steady = sqrt(q / a) if law == "rise" else q / b

    def place(share: float) -> float:
        return steady * share if law.startswith("rise") else start * share

    def passed(share: float, moment: int = 0) -> float:
        end = place(share)
        if law.startswith("rise"):
            # Nodes crowd where the gain nearly balances the loss.
            depth = -log(1 - share)
            n = steady * -np.expm1(-depth * x)
            weight = w * depth * steady * np.exp(-depth * x)
        else:
            span = log(end / start)
            n = start * np.exp(span * x)
            weight = w * span * n
        return float(np.sum(weight * n**moment / change(n)))

    if asked in ("T", "until"):
        return passed(f, int(asked == "until"))
    reached = bracketed_root(lambda share: passed(share) / at["t"] - 1, 1e-5, 1 - 1e-7)
    return place(reached) if asked == "N" else passed(reached, 1)


FAMILY = Family(
    title="Recombination after sunset and growth at sunrise",
    assumptions=(
        "no transport and quasi-neutrality",
        "rate coefficients constant in time",
    ),
    sources=(
        "Rishbeth & Garriott 1969, Introduction to Ionospheric Physics, ch. 3",
        "Schunk & Nagy 2009, Ionospheres, 2nd ed., ch. 8 and 11",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
