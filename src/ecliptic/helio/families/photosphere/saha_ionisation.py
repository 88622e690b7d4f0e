r"""Ionisation of photospheric hydrogen with metals as electron donors, and the H-minus ion.

.. math:: \frac{n_e n_p}{n_{\mathrm{HI}}} = K(T) =
          \Bigl(\frac{2\pi m_e k T}{h^2}\Bigr)^{3/2} e^{-\chi/kT}, \qquad
          n_e = n_p + A n_H, \qquad
          \frac{n_{\mathrm{H^-}}}{n_{\mathrm{HI}}} =
          \frac{n_e}{4} \Bigl(\frac{h^2}{2\pi m_e k T}\Bigr)^{3/2} e^{E_a/kT} .
"""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from fractions import Fraction
from math import exp, log, pi, sqrt

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, power_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_CHI_EV, _AFFINITY_EV = 13.598, 0.754
_WEIGHTS = (
    "Take the statistical weights 2 for neutral hydrogen in its ground state, 1 for the proton, 2 "
    r"for the free electron and 1 for $\mathrm{H^-}$, an ionisation energy of "
    r"$13.598\ \mathrm{eV}$ and an electron affinity of $0.754\ \mathrm{eV}$."
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Electron density, then the share of hydrogen in H-minus ions."""
    from astropy import constants, units

    temperature = draw.quantity(5000.0, 8000.0, "K", digits=3)
    hydrogen = draw.quantity(2e22, 3e23, "m-3", log=True)
    donors = draw.number(0.6e-4, 1.6e-4)
    setting = draw.phrase(
        f"A photospheric layer at {tex(temperature)} has {tex(hydrogen)} hydrogen nuclei per "
        f"volume and, for each of them, {tex(donors)} metal atoms that are all singly ionised; "
        f"helium is neutral. {_WEIGHTS}",
        f"In local thermodynamic equilibrium at {tex(temperature)}, the hydrogen in a solar layer "
        f"(neutral and ionised, {tex(hydrogen)} in all) is accompanied by singly ionised metals, "
        f"{tex(donors)} per hydrogen nucleus. {_WEIGHTS}",
    )
    thermal = (2 * pi * constants.m_e * constants.k_B * temperature / constants.h**2) ** 1.5
    energy = (1 * units.eV / (constants.k_B * temperature)).to_value("")
    ratio = float((thermal / hydrogen).to("")) * exp(-_CHI_EV * energy)
    total = donors + ratio
    ionised = 2 * ratio / (total + sqrt(total**2 + 4 * ratio))
    electrons = (ionised + donors) * hydrogen
    negative = float((electrons / thermal).to("")) / 4 * exp(_AFFINITY_EV * energy)
    ionised_si = _equilibrium(temperature.value, hydrogen.value, donors)
    electrons_si = (ionised_si + donors) * hydrogen.value
    first = Part(
        f"{setting} "
        + draw.phrase("What is the electron density?", "Find the number density of electrons."),
        (
            r"$\frac{n_en_p}{n_{\rm HI}} = K = (2\pi m_ekT/h^2)^{3/2}e^{-\chi/kT}$; with the "
            r"degree of ionisation $x$ and the abundance $A$ of donors, $n_e = (x + A)n_{\rm H}$.",
            r"$x(x+A)/(1-x) = K/n_{\rm H}$" + f" = {tex(ratio, 4)}, so $x$ = {tex(ionised, 4)}.",
            f"$n_e$ = {tex(electrons, 3, unit='m-3')}.",
        ),
        Numeric(
            electrons,
            electrons_si,
            "m-3",
            Routes("quadratic from Saha's equation", "least free energy of the mixture"),
        ),
    )
    second = Part(
        draw.phrase(
            r"Which fraction of the neutral hydrogen is in the form of $\mathrm{H^-}$ ions (ratio "
            r"of their densities)?",
            r"What is the ratio of the density of $\mathrm{H^-}$ ions to that of neutral hydrogen "
            "atoms?",
        ),
        (
            r"Saha's equation for $\mathrm{H^- \rightleftharpoons H + e}$: "
            r"$n_{\rm H^-}/n_{\rm HI} = \frac{n_e}{4}(h^2/2\pi m_ekT)^{3/2}e^{E_a/kT}$.",
            f"This is {tex(negative, 3)}.",
        ),
        Numeric(
            negative,
            _negative(temperature.value, electrons_si),
            "",
            Routes("Saha's equation with units", "chemical potentials in SI numbers"),
        ),
    )
    share = float(donors / (ionised + donors))
    third = Part(
        draw.phrase(
            "Which share of the electrons comes from the metals?",
            "What fraction of all free electrons comes from the metals?",
        ),
        (rf"$A n_{{\rm H}}/n_e$ = {tex(share, 3)}.",),
        Numeric(
            share,
            1 - ionised_si * hydrogen.value / electrons_si,
            "",
            Routes("donors over electrons", "one minus the protons' share, by least free energy"),
            agreement=1e-5,
        ),
    )
    return first, third, second


_PATHS = ("density", "pressure", "donors")
_ASKED = {
    "fraction": r"$D = d\ln x/d\ln T$",
    "electrons": r"$D = d\ln n_e/d\ln T$",
    "negative": r"$D = d\ln R/d\ln T$, where $R$ is the ratio of negative ions (electron "
    "affinity $E$, too few to matter in the balance of charges) to neutral atoms",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """How strongly ionisation answers to temperature along a stratification."""
    path = draw.choice(_PATHS)
    asked = draw.choice(tuple(_ASKED))
    index = draw.choice([Fraction(k, 2) for k in range(-1, 8)])
    energy = draw.phrase(r"\chi", "I")
    element = draw.phrase("hydrogen", "a gas of one element whose atoms can lose one electron each")
    law = "T" if index == 1 else f"T^{{{power_tex(index)}}}"
    way = {
        "density": rf"the total density of nuclei varies as $n \propto {law}$",
        "pressure": rf"the gas pressure $p = (1+x)nk_BT$ varies as $p \propto "
        rf"{law}$ ($n$: nuclei per volume)",
        "donors": rf"the density of nuclei varies as $n \propto {law}$, and "
        "fully ionised donors add $A$ electrons per nucleus",
    }[path]
    if index == 0:
        way = {
            "density": "the total density $n$ of nuclei is constant",
            "pressure": "the gas pressure $p = (1+x)nk_BT$ is constant ($n$: nuclei per volume)",
            "donors": "the density $n$ of nuclei is constant, and fully ionised donors add $A$ "
            "electrons per nucleus",
        }[path]
    question = draw.phrase(
        f"Saha's equation holds for {element}, with the ionisation energy ${energy}$ and constant "
        f"statistical weights; the degree of ionisation is $x$. Along the stratification {way}. "
        f"Derive {_ASKED[asked]}, in terms of $x$, $T$ and the constants.",
        f"In a layer of {element}, in local thermodynamic equilibrium (ionisation energy "
        f"${energy}$, "
        f"degree of ionisation $x$, constant statistical weights), {way}. Find {_ASKED[asked]}, in "
        "terms of $x$, $T$ and the constants.",
    )
    constant = Fraction(5 if path == "pressure" else 3, 2) - index
    drive = rf"\frac{{{energy}}}{{k_BT}}"
    if constant:
        drive = rf"\left({drive}{_signed(constant)}\right)"
    growth = {
        "density": r"\frac{1 - x}{2 - x}",
        "pressure": r"\frac{1 - x^2}{2}",
        "donors": r"\left(1 + \frac{x}{x + A} + \frac{x}{1 - x}\right)^{-1}",
    }[path]
    electrons = {
        "density": rf"{growth}{drive}",
        "pressure": rf"\frac{{1 - x}}{{2}}{drive}",
        "donors": rf"\frac{{x}}{{x + A}}{growth}{drive}",
    }[path]
    rest = index - 1 if path == "pressure" else index
    if asked == "fraction":
        final = rf"$D = {growth}{drive}$"
    elif asked == "electrons":
        final = rf"$D = {electrons}{_signed(rest)}$"
    else:
        final = rf"$D = {electrons}{_signed(rest - Fraction(3, 2))} - \frac{{E}}{{k_BT}}$"
    ranges = {"x": (0.1, 0.8), energy: (5.0, 9.0), "k_B": (0.8, 1.2), "T": (0.8, 1.2)}
    units = {"": "", "x": "", energy: "J", "k_B": "J K-1", "T": "K"}
    if path == "donors":
        ranges["A"], units["A"] = (0.1, 0.6), ""
    if asked == "negative":
        ranges["E"], units["E"] = (0.2, 0.8), "J"

    def check(at: Mapping[str, float]) -> float:
        donors = at.get("A", 0.0)
        warm = at[energy] / (at["k_B"] * at["T"])
        affinity = at.get("E", 0.0) / (at["k_B"] * at["T"])
        h = 2e-3

        def observed(s: float) -> float:
            x, density = _along_path(path, at["x"], donors, warm, float(index), s)
            if asked == "fraction":
                return log(x)
            electron = log((x + donors) * density)
            return electron if asked == "electrons" else electron - 1.5 * s + affinity * exp(-s)

        near, far = (observed(s) - observed(-s) for s in (h, 2 * h))
        return (8 * near - far) / (12 * h)

    return (
        Part(
            question,
            (
                rf"Saha: $n_ex/(1-x) \propto T^{{3/2}}e^{{-{energy}/k_BT}}$; the logarithmic "
                rf"derivative of the right-hand side is $\tfrac32 + {energy}/k_BT$.",
                "On the left, $n_e$ and $n$ are expressed by $x$ and $T$ along the stratification, "
                rf"which gives $d\ln x/d\ln T = {growth}{drive}$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("logarithmic derivative", "Saha's equation solved at nearby temperatures"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Degree of ionisation and share of H-minus in another layer."""
    donors = draw.number(0.6e-4, 1.6e-4)
    alike = draw.choice((True, False))
    while True:
        temperatures = [draw.number(5000.0, 8500.0) for _ in range(2)]
        densities = [draw.number(1e22, 3e23, log=True) for _ in range(2)]
        first = []
        for t, n in zip(temperatures, densities, strict=True):
            x = _by_quadratic(t, n, donors)
            first.append((x, (x + donors) * n * exp(8749.81 / t) / t**1.5))
        changes = [log(b / a) for a, b in zip(*first, strict=True)]
        if min(map(abs, changes)) > 0.1 and (changes[0] * changes[1] > 0) == alike:
            break
    second = []
    for t, n in zip(temperatures, densities, strict=True):
        x = _equilibrium(t, n, donors)
        second.append((x, _negative(t, (x + donors) * n)))
    ends = [
        f"{tex(t, unit='K')} and {tex(n, unit='m-3')}"
        for t, n in zip(temperatures, densities, strict=True)
    ]
    question = draw.phrase(
        f"Two layers of the solar photosphere in local thermodynamic equilibrium have {ends[0]}, "
        f"and {ends[1]} (temperature, hydrogen nuclei per volume). In both, singly ionised metals "
        f"add {tex(donors)} electrons per hydrogen nucleus to those of hydrogen "
        r"($13.6\ \mathrm{eV}$); $\mathrm{H^-}$ has an electron affinity of $0.754\ \mathrm{eV}$. "
        "From the first layer to the second, how do the degree of ionisation of hydrogen and the "
        r"fraction of negative ions ($n_{\mathrm{H^-}}/n_{\mathrm{HI}}$) change?",
        f"Going from a layer with {ends[0]} to one with {ends[1]} (temperature, density of "
        f"hydrogen "
        "nuclei), in which direction do the degree of ionisation of hydrogen and the "
        r"fraction of negative ions ($n_{\mathrm{H^-}}/n_{\mathrm{HI}}$) change? Use Saha's "
        r"equation for hydrogen "
        r"($13.6\ \mathrm{eV}$) and for $\mathrm{H^-}$ ($0.754\ \mathrm{eV}$); metals, all singly "
        f"ionised, give {tex(donors)} electrons per hydrogen nucleus in addition.",
    )
    claims = change_claims(
        ("degree of ionisation of hydrogen", "fraction of negative ions"),
        relative_changes(*first),
        relative_changes(*second),
    )
    ratios = [first[1][place] / first[0][place] for place in (0, 1)]
    return (
        Part(
            question,
            (
                r"$x(x+A)/(1-x) = K(T)/n_{\rm H}$ and $n_{\rm H^-}/n_{\rm HI} \propto "
                r"n_eT^{-3/2}e^{E_a/kT}$ with $n_e = (x+A)n_{\rm H}$.",
                f"The ratios of second to first are {tex(ratios[0], 3)} (ionisation) and "
                f"{tex(ratios[1], 3)} (negative ions).",
            ),
            stated(
                claims, Routes("quadratic from Saha's equation", "least free energy of the mixture")
            ),
        ),
    )


def _signed(value: Fraction) -> str:
    if value == 0:
        return ""
    return f" {'+' if value > 0 else '-'} {fraction_tex(abs(value))}"


def _by_quadratic(temperature_k: float, hydrogen: float, donors: float) -> float:
    """Degree of ionisation with Saha's constant in numbers: 2.4146e21 T^1.5 exp(-157798 / T)."""
    ratio = 2.41468e21 * temperature_k**1.5 * exp(-157798.2 / temperature_k) / hydrogen
    total = donors + ratio
    return float(2 * ratio / (total + sqrt(total**2 + 4 * ratio)))


def _wave_volume(temperature_k: float) -> float:
    """Cube of the thermal de Broglie wavelength of an electron, in m3."""
    momentum = sqrt(2 * pi * si.M_E * si.K_B * temperature_k)
    return float((si.H_PLANCK / momentum) ** 3)


def _equilibrium(temperature_k: float, hydrogen: float, donors: float) -> float:
    """Degree of ionisation where the free energy is least; derivative by a complex step."""

    volume, warm = _wave_volume(temperature_k), _CHI_EV * si.E_CHARGE / (si.K_B * temperature_k)

    def free_energy(x: complex) -> complex:
        """Per nucleus, in units of k T; terms of the nuclei that are common are left out."""
        electrons = x + donors
        return (
            electrons * (cmath.log(electrons * hydrogen * volume / 2) - 1)
            + x * (cmath.log(x) - 1)
            + (1 - x) * (cmath.log((1 - x) / 2) - 1 - warm)
        )

    def slope(log_x: float) -> float:
        x = exp(log_x)
        return free_energy(complex(x, 1e-20)).imag / 1e-20

    return exp(bracketed_root(slope, log(1e-12), log(0.999999)))


def _negative(temperature_k: float, electrons: float) -> float:
    """Ratio of H-minus to neutral hydrogen from equal chemical potentials."""
    free = log(electrons * _wave_volume(temperature_k) / 2)
    bound = -_AFFINITY_EV * si.E_CHARGE / (si.K_B * temperature_k)
    return exp(free - bound + log(1) - log(2))


def _along_path(
    path: str, x: float, donors: float, warm: float, index: float, step: float
) -> tuple[float, float]:
    """Degree of ionisation and relative density of nuclei at the temperature T exp(step)."""

    def density(y: float) -> float:
        if path == "pressure":
            return exp((index - 1) * step) * (1 + x) / (1 + y)
        return exp(index * step)

    start = log(x * (x + donors) / (1 - x))
    target = start + 1.5 * step + warm * (1 - exp(-step))

    def excess(y: float) -> float:
        return log(y * (y + donors) * density(y) / (1 - y)) - target

    found = bracketed_root(excess, 1e-9, 1 - 1e-9)
    return found, density(found)


FAMILY = Family(
    title="Ionisation balance of the photosphere",
    assumptions=(
        "local thermodynamic equilibrium, ideal gas, ground-state statistical weights",
        "donor metals fully singly ionised; negative ions too few to matter for the charge",
    ),
    sources=(
        "Saha 1921, Proceedings of the Royal Society A 99, 135",
        "Mihalas 1978, Stellar Atmospheres, 2nd ed., ch. 5",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
