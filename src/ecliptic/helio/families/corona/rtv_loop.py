r"""Static coronal loop at constant pressure: heating, conduction and radiation.

With s from the foot to the apex, n = p / (2 k T) and a radiative loss
:math:`n^2 \Lambda_0 T^a`,

.. math:: \frac{d}{ds}\Bigl(\kappa_0 T^{5/2} \frac{dT}{ds}\Bigr)
          = \frac{p^2 \Lambda_0}{4 k^2} T^{a-2} - E_m (T/T_m)^b .

No heat flows through the apex, and none through the foot, where T is small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import gamma, log, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, power_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KAPPA, _LAMBDA = 1.0e-11, 1.9e-32
_LOSS = (
    "the plasma is fully ionised hydrogen with $n_e = p/(2k_BT)$, it radiates "
    r"$n_e^2\Lambda_0 T^{-1/2}$ per volume with $\Lambda_0 = 1.9\times 10^{-32}\ "
    r"\mathrm{W\,m^{3}\,K^{1/2}}$, and the conductivity along the field is $\kappa_0T^{5/2}$ with "
    r"$\kappa_0 = 10^{-11}\ \mathrm{W\,m^{-1}\,K^{-7/2}}$"
)
_FEET = (
    "no heat flows through the apex, and none through the feet, where the temperature is negligible"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Pressure of a loop, its heating, and its greatest heat flux."""
    from astropy import constants, units

    top = draw.quantity(1.0, 8.0, "MK")
    length = draw.quantity(15.0, 150.0, "Mm")
    setting = draw.phrase(
        f"A static coronal loop of constant cross-section and pressure is heated evenly in volume. "
        f"From foot to apex it measures {tex(length)}; its apex is at {tex(top)}. Here {_LOSS}; "
        f"{_FEET}. Gravity is neglected.",
        f"Conduction, radiation and a uniform volume heating balance in a loop of half-length "
        f"{tex(length)} with an apex temperature of {tex(top)}; pressure and cross-section are "
        f"constant. In it {_LOSS}; {_FEET}.",
    )
    loss = _LAMBDA * units.Unit("W m3 K(1/2)")
    conductivity = _KAPPA * units.Unit("W m-1 K(-7/2)")
    shape = 0.4 * gamma(1.2) * gamma(0.5) / gamma(1.7)
    pressure = (shape * top**3 / length * (2 * constants.k_B**2 * conductivity / loss) ** 0.5).to(
        "Pa"
    )
    rate = (7 * pressure**2 * loss / (8 * constants.k_B**2 * top**2.5)).to("W m-3")
    peak = (2 / 7) ** 0.4
    flux = ((5 / 14 * conductivity * loss * top * peak) ** 0.5 * pressure / constants.k_B).to(
        "W m-2"
    )
    second_pressure, second_rate, second_flux = _loop(top.value * 1e6, length.value * 1e6)
    first = Part(
        f"{setting} "
        + draw.phrase("What is the pressure of the loop?", "Find the pressure in the loop."),
        (
            r"With $F = -\kappa_0T^{5/2}dT/ds$: $F\,dF = \kappa_0T^{5/2}(n_e^2\Lambda - E)\,dT$; "
            r"$F = 0$ at both ends gives $E = 7p^2\Lambda_0/(8k_B^2T_m^{5/2})$.",
            r"$F^2 = \frac{\kappa_0\Lambda_0p^2}{2k_B^2}T[1-(T/T_m)^{5/2}]$ and "
            r"$L = \int_0^{T_m}\kappa_0T^{5/2}dT/|F|$.",
            r"$L = \frac{T_m^3}{p}\sqrt{2k_B^2\kappa_0/\Lambda_0}\,"
            r"\tfrac25 B(\tfrac65,\tfrac12)$, so $p$ = " + f"{tex(pressure, 3)}.",
        ),
        Numeric(
            pressure,
            second_pressure,
            "Pa",
            Routes("first integral and beta function", "numerical flux and length integrals"),
        ),
    )
    second = Part(
        draw.phrase(
            "Which heating rate per volume keeps it in balance?",
            "How much heat per volume and time must be supplied to it?",
        ),
        (r"$E = 7p^2\Lambda_0/(8k_B^2T_m^{5/2})$ = " + f"{tex(rate, 3, unit='W m-3')}.",),
        Numeric(
            rate,
            second_rate,
            "W m-3",
            Routes("first integral with units", "root of the flux at the apex"),
        ),
    )
    third = Part(
        draw.phrase(
            "What is the greatest conductive heat flux (in magnitude) along it?",
            "How large does the conductive heat flux become at most between apex and foot?",
        ),
        (
            r"$|F|$ is greatest where heating equals radiation: $(T/T_m)^{5/2} = 2/7$.",
            r"$F^2 = \frac{\kappa_0\Lambda_0p^2}{2k_B^2}T\,\frac57$ there: $|F|$ = "
            f"{tex(flux, 3, unit='W m-2')}.",
        ),
        Numeric(
            flux,
            second_flux,
            "W m-2",
            Routes("first integral with units", "greatest numerical flux"),
        ),
    )
    return first, second, third


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Heating, flux and flux maximum for any power laws of radiation and heating."""
    loss = draw.choice([Fraction(k, 12) for k in (-12, -9, -8, -6, -4, -3, 0)])
    heat = draw.choice([Fraction(k, 2) for k in range(-2, 5)])
    asked = draw.choice(("heating", "flux", "hottest"))
    top, rate = draw.phrase("T_m", "T_a"), draw.phrase("E_m", "H_m")
    a, b = loss + Fraction(3, 2), heat + Fraction(7, 2)
    radiation = rf"n_e^2\Lambda_0 T^{{{power_tex(loss)}}}" if loss else r"n_e^2\Lambda_0"
    law = rf"{rate}(T/{top})^{{{power_tex(heat)}}}" if heat else rate
    law = f"{rate}T/{top}" if heat == 1 else law
    setting = draw.phrase(
        f"In a static loop of constant pressure $p$ and cross-section, fully ionised hydrogen "
        f"($n_e = p/2k_BT$) loses ${radiation}$ by radiation and gains ${law}$ by heating, both "
        rf"per volume; heat is conducted along the field with the conductivity $\kappa_0T^{{5/2}}$."
        f" The apex is at ${top}$; {_FEET}.",
        rf"Heating ${law}$, radiation ${radiation}$ (each per volume; $n_e = p/2k_BT$) and "
        rf"conduction with $\kappa_0T^{{5/2}}$ balance everywhere in a static loop whose pressure "
        f"$p$ and cross-section are constant and whose apex has the temperature ${top}$; {_FEET}.",
    )
    ask = {
        "heating": f"heating rate at the apex, ${rate}$, which the balance demands",
        "flux": f"magnitude $F$ of the conductive heat flux where the temperature is $T < {top}$",
        "hottest": "temperature $T_*$ at which the conductive heat flux is greatest in magnitude",
    }[asked]
    question = f"{setting} " + draw.phrase(f"Derive the {ask}.", f"Find the {ask}.")
    final = {
        "heating": rf"${rate} = {factor_tex(b / a / 4)}\frac{{p^2\Lambda_0}}{{k_B^2}}"
        rf"{top}^{{{power_tex(loss - 2)}}}$",
        "flux": rf"$F = \frac{{p}}{{k_B}}\sqrt{{{factor_tex(1 / a / 2)}\kappa_0\Lambda_0"
        rf"\left(T^{{{power_tex(a)}}} - T^{{{power_tex(b)}}}{top}^{{{power_tex(a - b)}}}\right)}}$",
        "hottest": rf"$T_* = {top}\left({fraction_tex(a / b)}\right)^{{{power_tex(1 / (b - a))}}}$",
    }[asked].replace("^{1}", "")
    ranges = {top: (2.0, 3.0)}
    units = {"": "K", top: "K"}
    if asked != "hottest":
        ranges |= {"p": (0.5, 2.0), r"\Lambda_0": (0.5, 2.0), "k_B": (0.5, 2.0)}
        units |= {"p": "Pa", "k_B": "J K-1", r"\Lambda_0": _loss_unit(loss)}
        units[""] = "W m-3"
    if asked == "flux":
        ranges |= {"T": (0.4, 1.8), r"\kappa_0": (0.5, 2.0)}
        units |= {"T": "K", r"\kappa_0": "W m-1 K(-7/2)", "": "W m-2"}

    def check(at: Mapping[str, float]) -> float:

        peak = at[top]
        scale = (at.get("p", 1.0) / at.get("k_B", 1.0)) ** 2 * at.get(r"\Lambda_0", 1.0) / 4

        def half_square(t: float, supply: float) -> float:
            """Half the square of the flux over kappa_0, from the foot."""
            return float(
                _integral(
                    lambda x: (
                        (scale * x ** float(loss - 2) - supply * (x / peak) ** float(heat)) * x**2.5
                    ),
                    t,
                )
            )

        supply = bracketed_root(lambda e: half_square(peak, e), 1e-6, 1e6)
        if asked == "heating":
            return supply
        if asked == "flux":
            return sqrt(2 * at[r"\kappa_0"] * half_square(at["T"], supply))

        def excess(t: float) -> float:
            return float(scale * t ** float(loss - 2) - supply * (t / peak) ** float(heat))

        return bracketed_root(excess, 1e-3 * peak, peak)

    return (
        Part(
            question,
            (
                r"$F = -\kappa_0T^{5/2}dT/ds$ turns the balance into "
                r"$F\,dF = \kappa_0T^{5/2}(n_e^2\Lambda - E)\,dT$ (up to the common sign of $F$).",
                rf"Integrated from the foot: $F^2/2\kappa_0 = {factor_tex(1 / a / 4)}"
                rf"\frac{{p^2\Lambda_0}}{{k_B^2}}T^{{{power_tex(a)}}} - {factor_tex(1 / b)}"
                rf"{rate}{top}^{{{power_tex(-heat)}}}T^{{{power_tex(b)}}}$.".replace(
                    "^{1}", ""
                ).replace(f"{top}^{{0}}", ""),
                f"$F = 0$ at ${top}$ fixes ${rate}$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("first integral in closed form", "quadrature and roots of the balance"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Pressure and heating of a second loop of another length and temperature."""
    alike = draw.choice((True, False))
    while True:
        tops = [draw.number(1.0, 6.0) for _ in range(2)]
        lengths = [draw.number(15.0, 150.0) for _ in range(2)]
        steps = [log(tops[1] / tops[0]), log(lengths[1] / lengths[0])]
        changes = [3 * steps[0] - steps[1], 3.5 * steps[0] - 2 * steps[1]]
        if min(map(abs, changes)) > 0.15 and (changes[0] * changes[1] > 0) == alike:
            break
    ends = [
        f"a half-length of {tex(length, unit='Mm')} and an apex at {tex(top, unit='MK')}"
        for length, top in zip(lengths, tops, strict=True)
    ]
    question = draw.phrase(
        f"Two static coronal loops are heated evenly, have constant pressure and cross-section and "
        r"radiate as $n_e^2T^{-1/2}$. "
        f"The first has {ends[0]}, the second {ends[1]}; in both, the conductivity is $\\propto "
        f"T^{{5/2}}$ and {_FEET}"
        f". How do the pressure and the energy input per volume change from the first "
        "to the second?",
        f"Compare two uniformly heated static loops with {ends[0]}, and with {ends[1]}. Each has "
        r"one pressure throughout, losses $\propto n_e^2T^{-1/2}$ and a conductivity "
        rf"$\propto T^{{5/2}}$; {_FEET}. Going from the first loop to the second, in which "
        "direction do the pressure and the energy input per volume change?",
    )
    states = [_loop(t * 1e6, s * 1e6) for t, s in zip(tops, lengths, strict=True)]
    first = [(tops[1] / tops[0]) ** 3 / (lengths[1] / lengths[0]) - 1.0]
    first.append((tops[1] / tops[0]) ** 3.5 / (lengths[1] / lengths[0]) ** 2 - 1.0)
    # the third value of a loop is its greatest flux
    second = relative_changes(*(state[:2] for state in states))
    claims = change_claims(("pressure", "energy input"), first, second)
    return (
        Part(
            question,
            (
                r"The balance gives $p \propto T_m^3/L$ and $E \propto p^2T_m^{-5/2} \propto "
                r"T_m^{7/2}/L^2$.",
                "Put in, the ratios are "
                f"{tex(first[0] + 1, 3)} (pressure) and {tex(first[1] + 1, 3)} (heating).",
            ),
            stated(claims, Routes("scaling laws", "numerical flux and length integrals")),
        ),
    )


def _loss_unit(power: Fraction) -> str:
    exponent = {0: "", -1: " K"}.get(int(power), "") if power.denominator == 1 else f" K({-power})"
    return f"W m3{exponent}"


def _integral(
    function: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    end: float | NDArray[np.float64],
) -> NDArray[np.float64]:
    """From 0 to each ``end``, with nodes in the fourth root of the variable."""
    import numpy as np

    root, weights = gauss_legendre(48, 0.0, 1.0)
    x = np.multiply.outer(end, root**4)
    return np.asarray(np.sum(weights * function(x) * 4 * root**3, axis=-1) * end)


def _loop(top_k: float, length_m: float) -> tuple[float, float, float]:
    """Pressure in Pa, heating in W/m3 and greatest flux in W/m2, by quadrature."""
    import numpy as np

    root, weights = gauss_legendre(48, 0.0, 1.0)
    heating = float(_integral(np.ones_like, 1.0) / _integral(lambda x: x**2.5, 1.0))

    def half_square(at: NDArray[np.float64]) -> NDArray[np.float64]:
        return _integral(lambda x: 1 - heating * x**2.5, at)

    t = 1 - root**2
    path = float(np.sum(weights * 2 * root * t**2.5 / np.sqrt(2 * half_square(t))))
    scale = path**2 * _KAPPA * top_k**6 / length_m**2
    pressure = sqrt(4 * si.K_B**2 * scale / _LAMBDA)
    peak = float(half_square(np.linspace(0.605, 0.607, 201)).max())
    return pressure, heating * scale / top_k**2.5, sqrt(2 * _KAPPA * scale * top_k * peak)


FAMILY = Family(
    title="Scaling laws of a static coronal loop",
    assumptions=(
        "static loop of constant pressure and cross-section, optically thin losses",
        "Spitzer conduction along the field; vanishing flux and temperature at the feet",
    ),
    sources=(
        "Rosner, Tucker & Vaiana 1978, ApJ 220, 643",
        "Aschwanden 2005, Physics of the Solar Corona, section 3.6",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
