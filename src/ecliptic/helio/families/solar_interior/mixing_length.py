r"""Mixing-length convection: velocity and superadiabaticity from flux and parcel dynamics.

A parcel starts at rest in pressure balance, keeps its entropy and dissolves after the path l. Its
excess of temperature is :math:`\delta T / T = \Delta z / H_p`, where
:math:`\Delta = \nabla - \nabla_{ad}`, and it is driven by the buoyancy :math:`g \, \delta T / T`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, log, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw, rounded
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, power_tex, ratio_tex, tex
from ecliptic.helio.families.quadrature import graded_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_THEORY = (
    r"$v^2 = g\Delta\,l^2/(8H_p)$ and $F_{\rm conv} = \rho c_PTv\Delta\,l/(2H_p)$ with "
    r"$\Delta = \nabla - \nabla_{\rm ad}$, the mixing length $l$ and the pressure scale height "
    r"$H_p$"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Superadiabaticity from the cubic equation, then velocity and share of the flux."""
    import numpy as np
    from astropy import constants, units

    temperature = draw.quantity(9000.0, 25000.0, "K")
    density = draw.quantity(3e-4, 6e-3, "kg m-3", log=True)
    mean_mass = draw.choice((1.0, 1.1, 1.2, 1.3))
    mixing = draw.number(1.0, 2.2)
    radiative = draw.number(1.5, 60.0, log=True)
    flux = 6.3e7 * units.Unit("W m-2")
    gravity = 274 * units.Unit("m s-2")
    setting = draw.phrase(
        f"In a layer below the solar surface the temperature is {tex(temperature)}, the density "
        f"{tex(density)}, the mean molecular weight {tex(mean_mass)} and the gravity "
        r"$274\ \mathrm{m\,s^{-2}}$. The total flux is $6.3\times 10^{7}\ \mathrm{W\,m^{-2}}$; to "
        r"carry it alone, radiation would need the gradient $\nabla_{\rm rad}$ = "
        rf"{tex(radiative)}, so that $F_{{\rm rad}} = F\nabla/\nabla_{{\rm rad}}$. Mixing-length "
        rf"theory (parcels without radiative losses) gives {_THEORY}. Take $l/H_p$ = "
        rf"{tex(mixing)}, "
        r"$\nabla_{\rm ad} = 0.4$ and $c_P = 5k_B/(2\mu m_p)$.",
        rf"Convection with a mixing length of {tex(mixing)} pressure scale heights ({_THEORY}) and "
        r"radiation ($F_{\rm rad} = F\nabla/\nabla_{\rm rad}$) together carry $F = "
        r"6.3\times 10^{7}\ \mathrm{W\,m^{-2}}$ through a solar layer with "
        rf"{tex(temperature)}, {tex(density)}, mean molecular weight {tex(mean_mass)}, "
        rf"$\nabla_{{\rm rad}}$ = {tex(radiative)}, $\nabla_{{\rm ad}} = 0.4$ and gravity "
        r"$274\ \mathrm{m\,s^{-2}}$. The gas is ideal with $c_P = 5k_B/(2\mu m_p)$, and parcels "
        r"lose "
        "no heat on their way.",
    )
    heat = 2.5 * constants.k_B / (mean_mass * constants.m_p) * temperature
    height = heat / (2.5 * gravity)
    unit_speed = mixing * (gravity * height / 8) ** 0.5
    share = (density * heat * unit_speed * mixing / (2 * flux)).to_value("")
    roots = np.roots([share, 1 / radiative, 0.0, 0.4 / radiative - 1.0])
    root = float(max(r.real for r in roots if abs(r.imag) < 1e-9))
    excess = root**2
    speed = (unit_speed * root).to("km s-1")
    carried = share * root**3
    plain = (temperature.value, density.value, mean_mass, mixing)
    excess_si = _superadiabaticity(*plain, 6.3e7, radiative)
    speed_si = _speed(excess_si, temperature.value, mean_mass, mixing)
    first = Part(
        f"{setting} "
        + draw.phrase(
            r"What is the superadiabatic gradient $\nabla - \nabla_{\rm ad}$?",
            r"By how much does $\nabla$ exceed $\nabla_{\rm ad}$?",
        ),
        (
            r"$F_{\rm rad} + F_{\rm conv} = F$ with $x = \sqrt\Delta$: "
            r"$Cx^3 + (\nabla_{\rm ad} + x^2)/\nabla_{\rm rad} = 1$, "
            r"$C = \rho c_PT\,(l/H_p)^2\sqrt{gH_p/8}/(2F)$" + f" = {tex(share, 4)}.",
            rf"The positive root is $x$ = {tex(root, 4)}, so $\Delta$ = {tex(excess, 3)}.",
        ),
        Numeric(
            excess,
            excess_si,
            "",
            Routes("roots of the cubic, with units", "balance of the fluxes, bracketed"),
        ),
    )
    second = Part(
        draw.phrase(
            "How fast do the parcels move?", "What is the convective velocity $v$ in this layer?"
        ),
        (rf"$v = (l/H_p)\sqrt{{gH_p\Delta/8}}$ = {tex(speed, 3, unit='km s-1')}.",),
        Numeric(
            speed,
            speed_si / 1e3,
            "km s-1",
            Routes("root of the cubic, with units", "balance of the fluxes, bracketed"),
        ),
    )
    third = Part(
        draw.phrase(
            "Which fraction of the flux is carried by convection?",
            "What share of the total flux does convection carry?",
        ),
        (
            r"$F_{\rm conv}/F = Cx^3 = 1 - (\nabla_{\rm ad} + \Delta)/\nabla_{\rm rad}$" + f" = "
            f"{tex(carried, 3)}.",
        ),
        Numeric(
            carried,
            1 - (0.4 + excess_si) / radiative,
            "",
            Routes("convective term of the cubic", "what radiation leaves over"),
        ),
    )
    return first, second, third


_ASKED = {
    "speed": "speed $v_l$ of a parcel at the end of its path $l$",
    "excess": r"superadiabatic gradient $\Delta$",
    "power": "work $W$ that buoyancy does on the gas, per volume and time (the mean of "
    r"$\rho g\,v\,\delta T/T$ over the path)",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Parcels with entrained mass, any law of their excess, and part of the flux."""
    inertia = draw.choice([Fraction(k, 4) for k in (0, 1, 2, 3, 4)])
    law = draw.choice([Fraction(k, 3) for k in (1, 2, 3, 4, 6)])
    share = draw.choice([Fraction(1), Fraction(1, 2), Fraction(3, 4), Fraction(9, 10)])
    asked = draw.choice(("speed", "excess", "excess", "power"))
    flux, path = draw.phrase("F", "F_0"), draw.phrase("l", r"\ell")
    ask = _ASKED[asked].replace("$l$", f"${path}$").replace("v_l", "v_1")
    mass = 1 + inertia
    drag = (
        r"$dv/dt = g\,\delta T/T$"
        if inertia == 0
        else rf"${fraction_tex(mass)}\,dv/dt = g\,\delta T/T$ (it carries surrounding gas along)"
    )
    excess = (
        r"$\delta T/T = \Delta\,z/H$"
        if law == 1
        else rf"$\delta T/T = \Delta\,({path}/H)(z/{path})^{{{power_tex(law)}}}$"
    )
    part = (
        f"the whole flux ${flux}$"
        if share == 1
        else f"a fraction ${fraction_tex(share)}$ of the flux ${flux}$"
    )
    question = draw.phrase(
        rf"In mixing-length theory a parcel starts at rest, moves vertically and obeys {drag}. "
        rf"After the distance $z$ its excess of temperature is {excess}, where $\Delta = \nabla - "
        rf"\nabla_{{\rm ad}}$ and $H$ is the pressure scale height; at $z = {path}$ it dissolves. "
        rf"Convection carries {part}, equal to the mean of $\rho c_Pv\,\delta T$ over $0 < z < "
        rf"{path}$. Density $\rho$, temperature $T$, gravity $g$ and $c_P$ vary little over the "
        f"path. Derive the {ask}.",
        rf"Convective parcels are released at rest and have {excess} after the vertical distance "
        rf"$z$ ("
        rf"$\Delta = \nabla - \nabla_{{\rm ad}}$, pressure scale height $H$), they follow {drag}, "
        rf"and they end at $z = {path}$. The mean of $\rho c_Pv\,\delta T$ over the path equals "
        rf"{part}; $\rho$, $T$, $g$ and $c_P$ are uniform. Find the {ask}.",
    )
    cube = share * 3 / mass
    number = share * 3 * (law + 1) / 2
    heat = r"\rho c_P T"
    base = rf"\left({ratio_tex(cube, f'g {flux} {path}', heat)}\right)"
    final = {
        "speed": rf"$v_1 = {base}^{{1/3}}$",
        "excess": rf"$\Delta = {ratio_tex(number, f'{flux} H', f'{heat} {path}')}"
        rf"{base}^{{-1/3}}$",
        "power": rf"$W = {ratio_tex(share, f'g {flux}', 'c_P T')}$",
    }[asked]
    ranges = dict.fromkeys(("g", flux, r"\rho", "c_P", "T", path), (0.5, 2.0))
    units = {
        "": "m s-1",
        "g": "m s-2",
        flux: "W m-2",
        r"\rho": "kg m-3",
        "c_P": "J kg-1 K-1",
        "T": "K",
        path: "m",
        "H": "m",
    }
    if asked == "excess":
        ranges["H"], units[""] = (0.5, 2.0), ""
    if asked == "power":
        units[""] = "W m-3"
        del ranges[r"\rho"], ranges[path]
    units = {name: units[name] for name in ("", *ranges)}

    def check(at: Mapping[str, float]) -> float:
        import numpy as np

        length, height, rho = at.get(path, 1.0), at.get("H", 1.0), at.get(r"\rho", 1.0)
        wanted = float(share) * at[flux] / (rho * at["c_P"] * at["T"])

        def journey(delta: float) -> tuple[float, float]:
            """Final speed, and the mean of v dT / T over the path."""
            ways, weights = graded_legendre(24, 6)

            def excess(z: NDArray[np.float64]) -> NDArray[np.float64]:
                return np.asarray(delta * length / height * (z / length) ** float(law))

            def speed(z: NDArray[np.float64]) -> NDArray[np.float64]:
                work = excess(np.multiply.outer(z, ways)) @ weights * z * at["g"]
                return np.asarray(np.sqrt(2 * work / float(mass)))

            z = length * ways
            end = float(speed(np.array([length]))[0])
            return end, float(weights @ (excess(z) * speed(z)))

        # The flux goes as a power of delta; a root in the logarithm is quick.
        delta = 10 ** bracketed_root(lambda d: log(journey(10**d)[1] / wanted), -4.0, 4.0)
        speed, mean = journey(delta)
        if asked == "power":
            return rho * at["g"] * mean
        return speed if asked == "speed" else delta

    return (
        Part(
            question,
            (
                r"Energy of a parcel: $\tfrac12"
                + ("" if inertia == 0 else rf"\cdot{fraction_tex(mass)}\,")
                + rf"v^2 = \int_0^z g\,(\delta T/T)\,dz'$, so $v = v_1(z/{path})^{{"
                rf"{power_tex((law + 1) / 2)}}}$.".replace("^{1}", ""),
                rf"Mean over the path: $\rho c_PT\,\Delta\,({path}/H)\,v_1\cdot"
                rf"{fraction_tex(2 / (3 * (law + 1)))}$, which equals the convective flux.",
                rf"With $v_1^2 = {fraction_tex(2 / (mass * (law + 1)))}\,g\Delta\,{path}^2/H$: "
                f"{final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "parcel's energy and mean flux by quadrature, and a root"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Velocity and superadiabaticity in a deeper or shallower layer."""
    mean_mass, alike = draw.choice((0.6, 0.62)), draw.choice((True, False))
    while True:
        temperatures = [draw.number(2e5, 1.6e6) for _ in range(2)]
        # About the adiabat of the solar convection zone, with a spread between models.
        densities = [
            rounded(draw.number(0.7, 1.4) * 100 * (t / 1.5e6) ** 1.5, 2) for t in temperatures
        ]
        mixings = [draw.number(1.0, 2.2) for _ in range(2)]
        warm, dense, longer = (
            log(pair[1] / pair[0]) for pair in (temperatures, densities, mixings)
        )
        changes = [(longer - dense) / 3, -2 / 3 * dense - warm - 4 / 3 * longer]
        if min(map(abs, changes)) > 0.1 and (changes[0] * changes[1] > 0) == alike:
            break
    ends = [
        f"{tex(t, unit='K')}, {tex(d, unit='kg m-3')} and $l/H_p$ = {tex(a)}"
        for t, d, a in zip(temperatures, densities, mixings, strict=True)
    ]
    question = draw.phrase(
        f"Mixing-length theory, {_THEORY}, is applied to two layers, in models of stars like the "
        f"Sun, with {ends[0]} in the first, and {ends[1]} in the second. In both, convection "
        f"alone carries the same flux, gravity"
        " and mean molecular weight are the same, and "
        r"$c_P = 5k_B/(2\mu m_p)$. How do the convective velocity and the superadiabatic gradient "
        r"$\Delta$ change from the first to the second?",
        f"Compare two convective layers of stars like the Sun: one with {ends[0]}, the other with "
        f"{ends[1]}. The convective flux, the gravity and the mean molecular weight "
        rf"({tex(mean_mass)}) do not differ, and $c_P = 5k_B/(2\mu m_p)$. Use {_THEORY}. Going "
        "from the first to the second, in which direction do the convective velocity and the "
        r"superadiabatic gradient $\Delta$ change?",
    )
    found = []
    for t, d, a in zip(temperatures, densities, mixings, strict=True):
        delta = _superadiabaticity(t, d, mean_mass, a, 6.3e7, None)
        found.append((_speed(delta, t, mean_mass, a), delta))
    first = [exp(change) - 1.0 for change in changes]
    claims = change_claims(
        ("convective velocity", "superadiabatic gradient"), first, relative_changes(*found)
    )
    return (
        Part(
            question,
            (
                r"Eliminating $\Delta$: $F = 4\rho c_PTv^3/(gl)$, and $l \propto H_p \propto T/g$, "
                r"so $v \propto (\alpha F/\rho)^{1/3}$ with $\alpha = l/H_p$.",
                r"$\Delta \propto v^2/(\alpha^2gH_p) \propto \rho^{-2/3}T^{-1}\alpha^{-4/3}$.",
                f"The ratios of second to first are {tex(first[0] + 1, 3)} (velocity) and "
                f"{tex(first[1] + 1, 3)} (gradient).",
            ),
            stated(claims, Routes("scalings in closed form", "balance of the fluxes, bracketed")),
        ),
    )


def _speed(excess: float, temperature_k: float, mean_mass: float, mixing: float) -> float:
    """Convective velocity in m/s."""
    gas = si.K_B / (mean_mass * si.M_P) * temperature_k
    return mixing * sqrt(gas * excess / 8)


def _superadiabaticity(
    temperature_k: float,
    density: float,
    mean_mass: float,
    mixing: float,
    flux: float,
    radiative: float | None,
) -> float:
    """Root of the balance of fluxes in the logarithm of the excess; no radiation if ``None``."""

    heat = 2.5 * si.K_B / (mean_mass * si.M_P) * temperature_k

    def surplus(log_excess: float) -> float:
        excess = 10.0**log_excess
        speed = _speed(excess, temperature_k, mean_mass, mixing)
        convective = density * heat * speed * excess * mixing / 2
        shone = flux * (0.4 + excess) / radiative if radiative is not None else 0.0
        return float((convective + shone) / flux - 1.0)

    return float(10.0 ** bracketed_root(surplus, -14.0, 3.0))


FAMILY = Family(
    title="Mixing-length convection",
    assumptions=(
        "local mixing-length theory, parcels in pressure balance without radiative losses",
        "ideal gas of fixed composition and ionisation",
    ),
    sources=(
        "Bohm-Vitense 1958, Zeitschrift fur Astrophysik 46, 108",
        "Kippenhahn, Weigert & Weiss 2012, Stellar Structure and Evolution, ch. 7",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
