r"""Diffusive equilibrium of the thermospheric gases in a Bates temperature profile.

.. math:: T = T_\infty - (T_\infty - T_0) e^{-s z}, \qquad
          \frac{d \ln n}{dz} = -\frac{m g}{k T} - \frac{1 + \alpha}{T} \frac{dT}{dz},

z being the geopotential height above the base and alpha the thermal diffusion factor.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, log
from typing import TYPE_CHECKING, Any

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, power_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    pass

_PAIRS = {
    "N2/O": (r"\mathrm{N_2}", 28, r"\mathrm{O}", 16),
    "O2/O": (r"\mathrm{O_2}", 32, r"\mathrm{O}", 16),
    "O/He": (r"\mathrm{O}", 16, r"\mathrm{He}", 4),
    "N2/He": (r"\mathrm{N_2}", 28, r"\mathrm{He}", 4),
}
"""Heavy and light gas, abundant at the base the first of them."""

_FACTORS = [Fraction(*pair) for pair in ((0, 1), (-2, 5), (-1, 4), (-3, 8), (-1, 3), (1, 10))]
_GRAVITY = 9.447
"""Of 120 km, to which the geopotential height refers (m/s^2)."""


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Densities of two gases at a height, then the height at which they are equal."""
    from astropy import constants, units

    heavy, heavy_mass, light, light_mass = _PAIRS[draw.choice(tuple(_PAIRS))]
    hot, cold = draw.integer(75, 140) * 10, draw.integer(35, 40) * 10
    rate = draw.quantity(0.016, 0.026, "km-1")
    bases = {
        r"\mathrm{N_2}": draw.quantity(2.5e17, 4e17, "m-3"),
        r"\mathrm{O_2}": draw.quantity(4e16, 7e16, "m-3"),
        r"\mathrm{O}": draw.quantity(6e16, 1e17, "m-3"),
        r"\mathrm{He}": draw.quantity(2e13, 4e13, "m-3"),
    }
    n_heavy, n_light = bases[heavy], bases[light]
    if heavy == r"\mathrm{O_2}" and light == r"\mathrm{O}":
        n_heavy = float(f"{n_light.value * draw.number(1.2, 2.5):.2g}") * units.m**-3
    level = draw.integer(20, 40) * 10
    temperature = r"$T = T_\infty - (T_\infty - T_0)\,e^{-sz}$"
    setting = draw.phrase(
        f"Above 120 km (geopotential height $z = 0$) the temperature of the thermosphere is "
        rf"{temperature} with $T_\infty$ = {tex(float(hot), unit='K')}, $T_0$ = "
        f"{tex(float(cold), unit='K')} and $s$ = {tex(rate)}. ${heavy}$ (mass number {heavy_mass}) "
        f"and ${light}$ ({light_mass}) are in diffusive equilibrium, without thermal diffusion; at "
        f"$z = 0$ their densities are {tex(n_heavy)} and {tex(n_light)}. With geopotential "
        r"heights, gravity is constant, $9.447\ \mathrm{m\,s^{-2}}$.",
        f"In a model thermosphere {temperature} holds, where $z$ is the geopotential height above "
        rf"120 km (gravity $9.447\ \mathrm{{m\,s^{{-2}}}}$), $T_0$ = {tex(float(cold), unit='K')}, "
        rf"$T_\infty$ = {tex(float(hot), unit='K')} and $s$ = {tex(rate)}. Each gas is in "
        f"diffusive equilibrium (thermal diffusion neglected). At $z = 0$ there are {tex(n_heavy)} "
        f"of ${heavy}$ (mass number {heavy_mass}) and {tex(n_light)} of ${light}$ "
        f"(mass number {light_mass}).",
    )
    gravity = _GRAVITY * units.m / units.s**2
    unit_gamma = float(
        (constants.u * gravity / (constants.k_B * hot * units.K * rate)).to_value("")
    )
    g_heavy, g_light = heavy_mass * unit_gamma, light_mass * unit_gamma
    z = level * units.km
    sz = float((rate * z).to_value(""))
    local = hot - (hot - cold) * exp(-sz)
    density = n_light * (cold / local) ** (1 + g_light) * exp(-sz * g_light)
    ratio = float(n_heavy / n_light) ** (1 / (g_heavy - g_light))
    equal = log((cold * ratio + hot - cold) / hot) / rate
    profile = (float(hot), float(cold), rate.value)
    check = n_light.value * exp(_log_density(light_mass, level, profile))
    crossing = _crossing(heavy_mass, light_mass, n_heavy.value / n_light.value, profile)
    there = hot - (hot - cold) * exp(-float((rate * equal).to_value("")))
    scale = constants.k_B * there * units.K / (light_mass * constants.u * gravity)
    gradient = (hot - there) * units.K * rate / (there * units.K)
    local_scale = (1 / (1 / scale + gradient)).to("km")
    step = 1e-3
    slope = _log_density(light_mass, crossing + step, profile) - _log_density(
        light_mass, crossing - step, profile
    )
    return (
        Part(
            f"{setting} "
            + draw.phrase(
                f"What is the density of ${light}$ at $z$ = {tex(z)}?",
                f"Find the number density of ${light}$ at the geopotential height {tex(z)} "
                "above the base.",
            ),
            (
                r"$d\ln(nT)/dz = -mg/(kT)$ integrates to $n = n_0(T_0/T)^{1+\gamma}e^{-\gamma sz}$ "
                r"with $\gamma = mg/(kT_\infty s)$.",
                rf"$\gamma$ = {tex(g_light, 4)}, $T$ = {tex(local, 4, unit='K')}.",
                f"$n$ = {tex(density, 3)}.",
            ),
            Numeric(
                density,
                check,
                "m-3",
                Routes("closed form of Bates, with units", "quadrature of the hydrostatic balance"),
            ),
        ),
        Part(
            draw.phrase(
                f"At which $z$ are ${heavy}$ and ${light}$ equally abundant (by number)?",
                f"At which geopotential height $z$ does ${light}$ become more abundant than "
                f"${heavy}$ (by number)?",
            ),
            (
                r"The ratio varies as $[(T/T_0)e^{sz}]^{-\Delta\gamma}$ with $(T/T_0)e^{sz} = "
                r"[T_\infty e^{sz} - (T_\infty - T_0)]/T_0$.",
                r"$e^{sz} = [T_0 R^{1/\Delta\gamma} + T_\infty - T_0]/T_\infty$ with the ratio $R$ "
                "at the base.",
                f"$z$ = {tex(equal.to('km'), 4)}.",
            ),
            Numeric(
                equal,
                crossing,
                "km",
                Routes("closed form of Bates, with units", "root of the integrated balances"),
            ),
        ),
        Part(
            draw.phrase(
                f"What is the density scale height of ${light}$ at that level, "
                r"$-(d\ln n/dz)^{-1}$?",
                f"Find the scale height of the number density of ${light}$ (not of its pressure) "
                "at that level.",
            ),
            (
                rf"There $T$ = {tex(there, 4, unit='K')} and $dT/dz = s(T_\infty - T)$.",
                r"$1/H_n = mg/(kT) + (1/T)\,dT/dz$.",
                f"$H_n$ = {tex(local_scale, 3)}.",
            ),
            Numeric(
                local_scale,
                -2 * step / slope,
                "km",
                Routes("closed form with units", "finite difference of the quadrature"),
            ),
        ),
    )


_ASKED = {
    "n": "Derive the number density $n(z)$ of the gas.",
    "p": "Derive the partial pressure $p(z)$ of the gas.",
    "N": "Find the column $C$ of the gas (number per area) above the height $z$.",
    "z": "At which height $z$ are both gases equally abundant (by number)?",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Density, pressure, column or crossing height, with or without thermal diffusion."""
    linear = draw.choice((True, False))
    asked = draw.choice(("n", "p", "N", "z"))
    alpha = draw.choice(_FACTORS) if asked != "N" else Fraction(0)
    second = draw.choice([Fraction(*p) for p in ((7, 4), (2, 1), (4, 1), (7, 1), (3, 2))])
    m, base = draw.phrase("m", "M", "m_1"), draw.phrase("n_0", "n_b")
    pressure = draw.phrase("p_0", "p_b")
    profile = (
        r"$T = T_0 + Gz$ ($G > 0$ constant)"
        if linear
        else r"$T = T_\infty - (T_\infty - T_0)e^{-sz}$"
    )
    where = f"density ${base}$" if asked in "nN" else f"partial pressure ${pressure}$"
    if asked == "z" and not linear:
        alpha = Fraction(0)
    this = "the first gas" if asked == "z" else "this gas"
    thermal = (
        f" The thermal diffusion factor of {this} is ${fraction_tex(alpha)}$: its balance is "
        rf"$d\ln n/dz = -{m}g/(kT) - (1 {_signed(alpha)})\,d\ln T/dz$."
        + (" For the second gas it is zero." if asked == "z" else "")
        if alpha
        else " Thermal diffusion is negligible."
    )
    other = (
        rf" So is a second gas with molecules of mass ${fraction_tex(second)}{m}$, which is "
        "$R$ times as abundant (by number) as the first at $z = 0$, $R > 1$."
        if asked == "z"
        else ""
    )
    what = _ASKED[asked]
    known = f" It has the {where} at $z = 0$." if asked != "z" else ""
    question = draw.phrase(
        f"The temperature of the thermosphere is {profile}, $z$ being the geopotential height "
        f"(constant gravity $g$). A gas of molecular mass ${m}$ is in diffusive "
        f"equilibrium.{known}{other}{thermal} {what}",
        f"In a thermosphere with the temperature {profile}, gravity $g$ is constant in the "
        f"geopotential height $z$. A gas with molecules of mass ${m}$ is in diffusive "
        f"equilibrium there.{known}{other}{thermal} {what}",
    )
    gamma = rf"{m}g/(k G)" if linear else rf"{m}g/(k T_\infty s)"
    inverse = rf"\frac{{k G}}{{{m}g}}" if linear else rf"\frac{{k T_\infty s}}{{{m}g}}"
    level = r"T_0 + Gz" if linear else r"T_\infty - (T_\infty - T_0)e^{-sz}"
    cooling = rf"\frac{{T_0}}{{{level}}}"
    tail = "" if linear else rf"e^{{-{m}gz/(k T_\infty)}}"
    extra, gap = second - 1, fraction_tex(second - 1)
    more = "" if extra == 1 else gap
    shift = f" {_signed(1 + alpha)}".replace(" +", "", 1).strip()
    column = rf"\frac{{{base} k T_0}}{{{m}g}}"
    if asked == "z" and linear:
        over = rf"\frac{{{more}{m}g}}{{k G}}"
        # (T / T_0)^{-(second gamma - gamma - alpha)} R = 1
        power = rf"1/\left({over}{_signed(-alpha) if alpha else ''}\right)"
        final = rf"$z = \frac{{T_0}}{{G}}\left[R^{{{power}}} - 1\right]$"
    elif asked == "z":
        over = inverse if extra == 1 else rf"\frac{{k T_\infty s}}{{{gap}{m}g}}"
        final = (
            rf"$z = \frac{{1}}{{s}}\ln\left(\frac{{T_0 R^{{{over}}} + T_\infty - T_0}}"
            rf"{{T_\infty}}\right)$"
        )
    else:
        first = {"n": shift, "p": power_tex(alpha) if alpha else "", "N": ""}[asked]
        power = rf"{first} + {gamma}" if first else gamma
        front = {"n": base, "p": pressure, "N": column}[asked]
        name = {"n": "n", "p": "p", "N": "C"}[asked]
        final = rf"${name} = {front}\left({cooling}\right)^{{{power}}}{tail}$"
    ranges = {m: (0.8, 1.2), "g": (0.8, 1.2), "k": (0.5, 0.7), "T_0": (1.0, 1.5)}
    units = {m: "kg", "g": "m s-2", "k": "J K-1", "T_0": "K"}
    if linear:
        ranges["G"], units["G"] = (0.4, 0.9), "K m-1"
    else:
        ranges |= {r"T_\infty": (2.0, 3.0), "s": (0.4, 0.9)}
        units |= {r"T_\infty": "K", "s": "m-1"}
    if asked == "z":
        ranges["R"], units["R"], units[""] = (1.2, 2.5), "", "m"
    else:
        name = pressure if asked == "p" else base
        ranges |= {"z": (0.3, 2.0), name: (0.5, 2.0)}
        units |= {"z": "m", name: "Pa" if asked == "p" else "m-3"}
        units[""] = {"n": "m-3", "p": "Pa", "N": "m-2"}[asked]

    def check(at: Mapping[str, float]) -> float:

        weight, factor = at[m] * at["g"] / at["k"], float(alpha)

        def logarithm(z: float, mass: float, thermal: float) -> float:
            return _log_in(z, mass * weight, thermal, at)

        if asked == "z":
            return bracketed_root(
                lambda z: (
                    logarithm(z, float(second), 0.0) - logarithm(z, 1.0, factor) + log(at["R"])
                ),
                0.0,
                60.0,
            )
        here = logarithm(at["z"], 1.0, factor)
        if asked == "n":
            return at[base] * exp(here)
        if asked == "p":
            return at[pressure] * exp(here) * float(_temperature(at["z"], at)) / at["T_0"]
        return at[base] * _column(at["z"], weight, at)

    return (
        Part(
            question,
            (
                r"$d\ln n/dz = -mg/(kT) - (1+\alpha)\,d\ln T/dz$ with "
                + (
                    r"$\int dz/T = \ln(T/T_0)/G$."
                    if linear
                    else r"$\int dz/T = [sz + \ln(T/T_0)]/(sT_\infty)$."
                ),
                "The column is the partial pressure divided by the weight of a molecule; the ratio "
                "of two gases contains the difference of their masses.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "quadrature of the diffusive balance"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Densities and composition at satellite heights when the thermosphere warms or cools."""
    heavy, heavy_mass, light, light_mass = _PAIRS[draw.choice(("N2/O", "O2/O", "O/He"))]
    changed = draw.choice(("hot", "hot", "cold", "shape"))
    low, high = {
        "hot": (draw.integer(70, 95) * 10.0, draw.integer(105, 140) * 10.0),
        "cold": (draw.integer(32, 35) * 10.0, draw.integer(38, 43) * 10.0),
        "shape": (draw.number(0.014, 0.018), draw.number(0.021, 0.028)),
    }[changed]
    at = {"hot": draw.integer(85, 110) * 10.0, "cold": 370.0, "shape": draw.number(0.018, 0.022)}
    before, after = draw.choice(((low, high), (high, low)))
    level = draw.integer(22, 38) * 10
    name, unit = {
        "hot": (r"the exospheric temperature $T_\infty$", "K"),
        "cold": ("the temperature $T_0$ at the base", "K"),
        "shape": ("the shape parameter $s$", "km-1"),
    }[changed]
    rest = {
        "hot": rf"$T_\infty$ = {tex(at['hot'], unit='K')}",
        "cold": f"$T_0$ = {tex(at['cold'], unit='K')}",
        "shape": f"$s$ = {tex(at['shape'], unit='km-1')}",
    }
    kept = " and ".join(text for key, text in rest.items() if key != changed)
    profile = rf"$T = T_\infty - (T_\infty - T_0)e^{{-sz}}$ above 120 km ({kept})"
    question = draw.phrase(
        f"In a thermosphere with {profile}, ${heavy}$ and ${light}$ are in diffusive equilibrium, "
        f"and their densities at 120 km ($z = 0$) are fixed. Then {name} goes from "
        f"{tex(before, unit=unit)} to {tex(after, unit=unit)}. How do the number density of "
        f"${light}$ and the abundance ratio ${heavy}/{light}$ change at $z$ = "
        f"{tex(float(level), unit='km')}?",
        f"Thermal diffusion is negligible in a thermosphere with {profile}, $z$ being counted from "
        f"120 km, where the densities of ${heavy}$ and ${light}$ do not change. If {name} is "
        f"{tex(after, unit=unit)} instead of {tex(before, unit=unit)}, in which direction do the "
        f"number density of ${light}$ and the abundance ratio ${heavy}/{light}$ change at $z$ = "
        f"{tex(float(level), unit='km')}? Both gases are in diffusive equilibrium.",
    )
    logs, others = [], []
    for value in (before, after):
        now = at | {changed: value}
        profile_now = (now["hot"], now["cold"], now["shape"])
        both = [_bates(mass, level, profile_now) for mass in (light_mass, heavy_mass)]
        logs.append((both[0], both[1] - both[0]))
        both = [_log_density(mass, level, profile_now) for mass in (light_mass, heavy_mass)]
        others.append((both[0], both[1] - both[0]))
    first, second = (
        [exp(new - old) - 1 for old, new in zip(*rows, strict=True)] for rows in (logs, others)
    )
    claims = change_claims(("number density", "abundance ratio"), first, second)
    return (
        Part(
            question,
            (
                r"$n \propto T^{-1}\exp(-\int mg\,dz/kT)$: a warmer column below raises the "
                "density high up, unless the factor $1/T$ outweighs it for a light gas.",
                "The ratio to a lighter gas contains the excess mass only: it grows with every "
                "warming of the column below.",
            ),
            stated(claims, Routes("closed form of Bates", "quadrature of the hydrostatic balance")),
        ),
    )


def _signed(value: Fraction) -> str:
    return f"{'-' if value < 0 else '+'} {fraction_tex(abs(value))}"


def _bates(mass: int, z_km: float, profile: tuple[float, float, float]) -> float:
    """Log of n / n_0 in closed form."""
    hot, cold, rate = profile
    gamma = mass * si.M_U * _GRAVITY / (si.K_B * hot * rate * 1e-3)
    local = hot - (hot - cold) * exp(-rate * z_km)
    return (1 + gamma) * log(cold / local) - gamma * rate * z_km


def _log_density(mass: int, z_km: float, profile: tuple[float, float, float]) -> float:
    """Log of n / n_0 from the integral of m g / (k T) over height."""
    import numpy as np

    hot, cold, rate = profile
    x, w = gauss_legendre(40, 0.0, 1.0)
    temperature = hot - (hot - cold) * np.exp(-rate * z_km * x)
    integral = float(np.sum(w / temperature)) * z_km * 1e3
    last = hot - (hot - cold) * exp(-rate * z_km)
    return log(cold / last) - mass * si.M_U * _GRAVITY / si.K_B * integral


def _crossing(heavy: int, light: int, ratio: float, profile: tuple[float, float, float]) -> float:
    def excess(z: float) -> float:
        return log(ratio) + _log_density(heavy, z, profile) - _log_density(light, z, profile)

    return bracketed_root(excess, 0.0, 1500.0)


def _temperature(z: Any, at: Mapping[str, float]) -> Any:
    import numpy as np

    if "G" in at:
        return at["T_0"] + at["G"] * z
    return at[r"T_\infty"] - (at[r"T_\infty"] - at["T_0"]) * np.exp(-at["s"] * z)


def _slope(temperature: Any, weight: float, thermal: float, at: Mapping[str, float]) -> Any:
    """Both terms of the balance, d ln n / dz; ``weight`` is m g / k."""
    warming = at["G"] if "G" in at else at["s"] * (at[r"T_\infty"] - temperature)
    return -(weight + (1 + thermal) * warming) / temperature


def _log_in(z: float, weight: float, thermal: float, at: Mapping[str, float]) -> float:
    """Log of n / n_0, the balance integrated over height."""
    import numpy as np

    x, w = gauss_legendre(40, 0.0, 1.0)
    return float(np.sum(w * _slope(_temperature(z * x, at), weight, thermal, at))) * z


def _column(z: float, weight: float, at: Mapping[str, float]) -> float:
    """Integral of n / n_0 above a height, by Simpson's rule in the logarithm of the way up."""
    import numpy as np
    from scipy.integrate import cumulative_simpson, simpson

    way = np.linspace(0.0, 20.0, 2001)
    stretch = np.exp(way)
    slope = _slope(_temperature(z + stretch - 1, at), weight, 0.0, at)
    logs = _log_in(z, weight, 0.0, at) + cumulative_simpson(slope * stretch, x=way, initial=0.0)
    return float(simpson(np.exp(logs) * stretch, x=way))


FAMILY = Family(
    title="Diffusive equilibrium in a Bates thermosphere",
    assumptions=(
        "each gas in its own hydrostatic equilibrium above the base",
        "constant gravity in geopotential height",
        "thermal diffusion neglected unless a factor is given",
    ),
    sources=(
        "Bates 1959, Proc. R. Soc. Lond. A 253, 451",
        "Walker 1965, J. Atmos. Sci. 22, 462",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
