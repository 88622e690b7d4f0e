r"""Two ion species in diffusive equilibrium with the electrons: the topside ionosphere.

Each species balances pressure, gravity and the ambipolar field along a vertical field line:

.. math:: k T_i \frac{d n_i}{dz} = -m_i g n_i + e E n_i, \qquad
          k T_e \frac{d n_e}{dz} = -e E n_e, \qquad n_e = \sum_i n_i .
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import exp, log

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, power_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_IONS = {r"\mathrm{H^+}": 1, r"\mathrm{He^+}": 4, r"\mathrm{O^+}": 16}
_FRAME = "ions and electrons are in diffusive equilibrium along a vertical magnetic field"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Ambipolar field at the base, height of equal ion densities, electron density there."""
    from astropy import constants, units

    light, heavy = draw.choice(((1, 16), (1, 16), (4, 16)))
    names = {mass: f"${name}$" for name, mass in _IONS.items()}
    share = draw.number(0.004, 0.03)
    ion, electron = draw.quantity(900.0, 2000.0, "K"), draw.quantity(1500.0, 3500.0, "K")
    base = draw.quantity(1e10, 2e11, "m-3", log=True)
    gravity = draw.quantity(8.0, 8.6, "m s-2")
    level = draw.integer(50, 70) * 10
    setting = draw.phrase(
        f"Above {level} km {_FRAME}; the ions are {names[light]} and {names[heavy]} (mass numbers "
        f"{light} and {heavy}), and temperatures and gravity do not change with height: $T_i$ = "
        f"{tex(ion)} (both ions), $T_e$ = {tex(electron)}, $g$ = {tex(gravity)}. At {level} km the "
        f"electron density is {tex(base)} and the fraction of {names[light]} among the ions is "
        f"{tex(share)}.",
        f"In an isothermal topside ionosphere {_FRAME}, with $T_e$ = {tex(electron)} and "
        f"$T_i$ = {tex(ion)} for both ion species, {names[light]} (mass number {light}) and "
        f"{names[heavy]} (mass number {heavy}), under a constant gravity of {tex(gravity)}. At "
        f"{level} km there are {tex(base)} electrons, and {names[light]} makes up the fraction "
        f"{tex(share)} of the ions.",
    )
    mean = (share * light + (1 - share) * heavy) * constants.u
    ratio = float((electron / (electron + ion)).to_value(""))
    field = (ratio * mean * gravity / constants.e.si).to("uV m-1")
    reduced = (constants.k_B * ion / ((heavy - light) * constants.u * gravity)).to("km")
    above = reduced * log(1 / share - 1)
    height = level * units.km + above
    total = sum(
        part * exp(-float((above / reduced).to_value("")) * mass / (heavy - light))
        for part, mass in ((share, light), (1 - share, heavy))
    )
    electrons = base * total ** (1 - ratio)
    weights = [mass * si.M_U * gravity.value / si.K_B for mass in (light, heavy)]
    mixture = (share, 1 - share)
    climb, depth = _climb(mixture, (weights[0], weights[1]), ion.value, electron.value, _equal)
    slope = _field_by_system(mixture, (weights[0], weights[1]), ion.value, electron.value)
    return (
        Part(
            f"{setting} "
            + draw.phrase(
                f"How strong is the ambipolar electric field at {level} km?",
                f"Find the vertical polarisation electric field at {level} km.",
            ),
            (
                r"The sum of the balances gives $k(T_i + T_e)\,dn_e/dz = -\bar m g n_e$ with the "
                r"mean ion mass $\bar m$.",
                r"From the electrons $eE = -kT_e\,d\ln n_e/dz = \bar m g\,T_e/(T_e+T_i)$.",
                f"$E$ = {tex(field, 3)}.",
            ),
            Numeric(
                field,
                slope * si.K_B / si.E_CHARGE * 1e6,
                "uV m-1",
                Routes("closed form with units", "linear system of gradients and field"),
            ),
        ),
        Part(
            draw.phrase(
                "At which altitude are the two ion densities equal?",
                f"At which altitude does {names[light]} become the more abundant ion?",
            ),
            (
                r"In the ratio of the ion densities the field drops out: $d\ln(n_l/n_h)/dz = "
                r"(m_h - m_l)g/(kT_i)$.",
                f"With the length $kT_i/[(m_h-m_l)g]$ = {tex(reduced, 4)} equality is reached "
                f"{tex(above, 4)} higher, at {tex(height, 4)}.",
            ),
            Numeric(
                height,
                level + climb / 1e3,
                "km",
                Routes("logarithm of the ratio", "upward integration of the three balances"),
                digits=4,
            ),
        ),
        Part(
            draw.phrase(
                "What is the electron density at that altitude?",
                "Find the electron density there.",
            ),
            (
                r"$n_i = \eta_i n_0 e^{-m_i g z/kT_i}(n_e/n_0)^{-T_e/T_i}$; summed over the ions: "
                r"$n_e/n_0 = [\sum\eta_i e^{-m_i g z/kT_i}]^{T_i/(T_e+T_i)}$.",
                f"$n_e$ = {tex(electrons, 3)}.",
            ),
            Numeric(
                electrons,
                base.value * exp(depth),
                "m-3",
                Routes("closed form with units", "upward integration of the three balances"),
            ),
        ),
    )


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Field, density or heights for a given ratio of temperatures and of masses."""
    ratio = draw.choice([Fraction(*p) for p in ((1, 1), (3, 2), (2, 1), (5, 2), (3, 1), (4, 3))])
    s = draw.choice((16, 16, 4, 14))
    asked = draw.choice(("z", "top", "n", "E"))
    m, f, n_0 = draw.phrase("m", "m_1"), draw.phrase("f", "x"), draw.phrase("n_0", "N_0")
    warm = factor_tex(ratio)
    heat = f"Both ions have the temperature $T$, the electrons ${warm}T$"
    if ratio == 1:
        heat = "Ions and electrons have the temperature $T$"
    known = {
        "n": f", the electron density ${n_0}$",
    }.get(asked, "")
    setting = draw.phrase(
        f"In an isothermal topside ionosphere under constant gravity $g$, {_FRAME}. Singly "
        f"charged ions of the masses ${m}$ and ${s}{m}$ are present. {heat}. At $z = 0$ the "
        f"light ions are the fraction ${f}$ (small) of all ions{known}.",
        f"Singly charged ions of the masses ${m}$ and ${s}{m}$ fill the topside "
        f"ionosphere; {_FRAME}, and gravity $g$ is constant. {heat} at all heights. At the base "
        f"$z = 0$ a small fraction ${f}$ of the ions is light{known}.",
    )
    question = {
        "z": "Find the height $z$ at which both ion densities are equal.",
        "top": "Find the height $z$ at which the density of the light ions is greatest.",
        "n": "Derive the electron density $n(z)$.",
        "E": "Find the vertical electric field $E$ at $z = 0$ (ions have the charge $q$).",
    }[asked]
    gap, edge = s - 1, ratio * (s - 1) - 1
    length = rf"\frac{{kT}}{{{gap}{m}g}}"
    inner = rf"\frac{{1 - {f}}}{{{f}}}"
    more = factor_tex(edge)
    exponent = power_tex(1 / (1 + ratio))
    share = fraction_tex(ratio / (1 + ratio))
    final = {
        "z": rf"$z = {length}\ln\left({inner}\right)$",
        "top": rf"$z = {length}\ln\left(\frac{{{more}(1 - {f})}}{{{f}}}\right)$",
        "n": rf"$n = {n_0}\left[{f} e^{{-{m}gz/(kT)}} + (1 - {f}) e^{{-{s}{m}gz/(kT)}}\right]"
        rf"^{{{exponent}}}$",
        "E": rf"$E = {share}\frac{{{m}g}}{{q}}\left({s} - {gap}{f}\right)$",
    }[asked]
    ranges = {m: (0.5, 1.5), "g": (0.5, 1.5), f: (0.005, 0.05)}
    units = {"": {"n": "m-3", "E": "V m-1"}.get(asked, "m"), m: "kg", "g": "m s-2", f: ""}
    if asked == "E":
        ranges["q"], units["q"] = (0.5, 1.5), "C"
    else:
        ranges |= {"k": (0.8, 1.2), "T": (2.0, 4.0)}
        units |= {"k": "J K-1", "T": "K"}
    if asked == "n":
        ranges |= {n_0: (1.0, 3.0), "z": (0.3, 1.0)}
        units |= {n_0: "m-3", "z": "m"}

    def check(at: Mapping[str, float]) -> float:
        ion = at.get("T", 1.0)
        electron = ion * float(ratio)
        mixture = (at[f], 1 - at[f])
        weights = (at[m] * at["g"] / at.get("k", 1.0), s * at[m] * at["g"] / at.get("k", 1.0))
        if asked == "E":
            return _field_by_system(mixture, weights, ion, electron) / at["q"]
        if asked == "n":
            stop: Callable[..., float] = lambda z, *_: z - at["z"]  # noqa: E731
            return at[n_0] * exp(_climb(mixture, weights, ion, electron, stop)[1])
        if asked == "z":
            return _climb(mixture, weights, ion, electron, _equal)[0]

        def at_top(_: float, logs: tuple[float, float]) -> float:
            total = exp(logs[0]) + exp(logs[1])
            now = (exp(logs[0]) / total, exp(logs[1]) / total)
            return 1 - _field_over_k(now, weights, ion, electron) / weights[0]

        return _climb(mixture, weights, ion, electron, at_top)[0]

    return (
        Part(
            f"{setting} {question}",
            (
                r"$eE = \bar m g\,T_e/(T_e+T_i)$ with the mean ion mass $\bar m$, and the ratio of "
                r"the ion densities grows as $e^{(m_h-m_l)gz/kT_i}$.",
                r"A species is densest where $eE$ equals its weight; "
                r"$n_e^{1+T_e/T_i} \propto \sum\eta_i e^{-m_i g z/kT_i}$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "integration of the three momentum balances"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Transition height and ambipolar field under other temperatures or mixtures."""
    changed = draw.choice(("electron", "ion", "share"))
    at = {"electron": 2000.0, "ion": 1000.0, "share": 0.01}
    at["electron"], at["ion"] = draw.number(1800, 2600), draw.number(900, 1300)
    at["share"] = draw.number(0.005, 0.02)
    factor = draw.number(1.2, 2.0)
    other = float(f"{at[changed] * factor:.3g}")
    before, after = draw.choice(((at[changed], other), (other, at[changed])))
    unit = "" if changed == "share" else "K"
    name = {
        "electron": "the electron temperature",
        "ion": "the ion temperature",
        "share": r"the fraction of $\mathrm{H^+}$ among the ions at 600 km",
    }[changed]
    rest = {
        "electron": f"electrons have {tex(at['electron'], unit='K')}",
        "ion": f"ions have {tex(at['ion'], unit='K')}",
        "share": rf"{tex(at['share'])} of the ions at 600 km (by number) are $\mathrm{{H^+}}$",
    }
    kept = " and ".join(text for key, text in rest.items() if key != changed)
    question = draw.phrase(
        rf"Above 600 km $\mathrm{{O^+}}$ and $\mathrm{{H^+}}$ {_FRAME}; temperatures do not "
        f"change with height; {kept}. Then {name} changes from {tex(before, unit=unit)} to "
        f"{tex(after, unit=unit)}. How do the altitude where the densities of both ions are equal "
        "and the strength of the polarisation electric field at 600 km change, if at all?",
        rf"In an isothermal topside ionosphere $\mathrm{{O^+}}$ and $\mathrm{{H^+}}$ {_FRAME}; "
        f"{kept}. If {name} is {tex(after, unit=unit)} instead of {tex(before, unit=unit)} and all "
        "else is kept, how do the altitude of equal ion densities and the electric field at 600 km "
        "change, if at all?",
    )
    weights = tuple(mass * si.M_U * 8.3 / si.K_B for mass in (1, 16))
    closed, found = [], []
    for value in (before, after):
        now = at | {changed: value}
        f, ion, hot = now["share"], now["ion"], now["electron"]
        mixture = (f, 1 - f)
        mean = f * weights[0] + (1 - f) * weights[1]
        closed.append((log(1 / f - 1) * ion / (weights[1] - weights[0]), mean * hot / (hot + ion)))
        pair = (weights[0], weights[1])
        climb = _climb(mixture, pair, ion, hot, _equal)[0]
        found.append((climb, _field_by_system(mixture, pair, ion, hot)))
    claims = change_claims(
        ("altitude of equal ion densities", "electric field"),
        relative_changes(*closed),
        relative_changes(*found),
    )
    return (
        Part(
            question,
            (
                r"The ratio of ion densities feels only $T_i$: the field acts alike on both ions.",
                r"$eE = \bar m g\,T_e/(T_e+T_i)$, where $\bar m$ is the mean ion mass.",
            ),
            stated(claims, Routes("closed form", "integration of the three momentum balances")),
        ),
    )


def _equal(_: float, logs: tuple[float, float]) -> float:
    return logs[0] - logs[1]


def _field_over_k(
    mixture: tuple[float, float], weights: tuple[float, float], ion: float, electron: float
) -> float:
    """e E / k, from the two ion balances and neutrality, ``weights`` being m g / k."""
    a, b = mixture
    # Gradients x_i = n_i (F - w_i) / T_i must add up to the electrons', -n_e F / T_e.
    pull = (a * weights[0] + b * weights[1]) / ion
    return pull / ((a + b) / ion + (a + b) / electron)


def _field_by_system(
    mixture: tuple[float, float], weights: tuple[float, float], ion: float, electron: float
) -> float:
    """e E / k with the gradients of both ions as further unknowns of three balances."""
    import numpy as np

    a, b = mixture
    matrix = np.array([[ion, 0.0, -a], [0.0, ion, -b], [electron, electron, a + b]])
    found = np.linalg.solve(matrix, np.array([-a * weights[0], -b * weights[1], 0.0]))
    return float(found[2])


def _climb(
    mixture: tuple[float, float],
    weights: tuple[float, float],
    ion: float,
    electron: float,
    stop: Callable[[float, tuple[float, float]], float],
) -> tuple[float, float]:
    """Runge-Kutta steps up to the zero of ``stop``: height and log of the electron density."""
    x, y, z = log(mixture[0]), log(mixture[1]), 0.0

    def slopes(x: float, y: float) -> tuple[float, float]:
        field = _field_over_k((exp(x), exp(y)), weights, ion, electron)
        return (field - weights[0]) / ion, (field - weights[1]) / ion

    def step(x: float, y: float, h: float) -> tuple[float, float]:
        a = slopes(x, y)
        b = slopes(x + h / 2 * a[0], y + h / 2 * a[1])
        c = slopes(x + h / 2 * b[0], y + h / 2 * b[1])
        d = slopes(x + h * c[0], y + h * c[1])
        return (
            x + h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0]),
            y + h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1]),
        )

    size = 0.1 * ion / weights[1]
    start = stop(z, (x, y))
    while stop(z + size, step(x, y, size)) * start > 0:
        x, y = step(x, y, size)
        z += size

    last = bracketed_root(lambda h: stop(z + h, step(x, y, h)), 0.0, size)
    x, y = step(x, y, last)
    return z + last, log(exp(x) + exp(y))


FAMILY = Family(
    title="Two ions in the topside ionosphere",
    assumptions=(
        "static plasma along a vertical magnetic field, no sources",
        "constant gravity, isothermal species, one temperature for both ions",
        "electron weight neglected",
    ),
    sources=(
        "Angerami & Thomas 1964, J. Geophys. Res. 69, 4537",
        "Schunk & Nagy 2009, Ionospheres, 2nd ed., sec. 5.5",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
