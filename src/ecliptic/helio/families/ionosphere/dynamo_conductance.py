r"""Pedersen and Hall currents of the dynamo region, by height and height-integrated.

Ions obey e (E + v x B) = m nu v with nu falling as exp(-z / H); electrons drift freely across B.
With x = nu / Omega

.. math:: \sigma_P = \frac{N e}{B} \frac{x}{1 + x^2}, \qquad
          \sigma_H = \frac{N e}{B} \frac{x^2}{1 + x^2} .
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import atan, exp, log, log1p
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, order_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, power_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    pass

_POWERS = [
    Fraction(*p) for p in ((1, 6), (1, 5), (1, 4), (1, 3), (2, 5), (1, 2), (3, 5), (2, 3), (3, 4))
]


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Pedersen and Hall conductance of an auroral slab, then the current along the arc."""
    from astropy import constants, units

    low, high = draw.integer(90, 105), draw.integer(140, 190)
    density = draw.quantity(5e10, 5e11, "m-3", log=True)
    field = draw.quantity(5.0, 6.0, "1e4 nT").to("nT")
    field = float(f"{field.value:.3g}") * units.nT
    mass = draw.choice((30, 31, 32))
    collisions = draw.quantity(1e3, 4e3, "s-1")
    scale = draw.quantity(6.0, 10.0, "km")
    strength = draw.quantity(5.0, 40.0, "mV m-1")
    slab = (
        f"the electron density is {tex(density)} between {low} and {high} km and negligible "
        f"elsewhere. The magnetic field is vertical, {tex(field)}. Singly charged ions of mass "
        f"number {mass} "
        f"collide with neutrals (at rest) at the rate {tex(collisions)} at {low} km, which falls "
        f"exponentially with a scale height of {tex(scale)}; collisions of electrons are negligible"
    )
    setting = draw.phrase(
        f"In an auroral arc {slab}. The electric field is horizontal and independent of height.",
        f"A horizontal electric field, the same at all heights, acts on an auroral E region: "
        f"{slab}.",
    )
    gyro = (constants.e.si * field / (mass * constants.u)).to("s-1")
    x_low = float((collisions / gyro).to_value(""))
    x_high = x_low * exp(-(high - low) / scale.value)
    unit = (constants.e.si * density * scale / field).to("S")
    pedersen = unit * (atan(x_low) - atan(x_high))
    hall = unit * (log1p(x_low**2) - log1p(x_high**2)) / 2
    current = (strength * (pedersen + hall**2 / pedersen)).to("A m-1")
    tensor = _slab(
        density.value,
        field.value * 1e-9,
        mass * si.M_U,
        collisions.value,
        (scale.value * 1e3, (high - low) * 1e3),
    )
    along = _blocked_current(tensor, strength.value * 1e-3)
    routes = Routes("integrals over nu / Omega, with units", "ion velocities from 2 x 2 systems")
    return (
        Part(
            f"{setting} "
            + draw.phrase(
                "What is the height-integrated Pedersen conductivity?",
                "Find the Pedersen conductance of the arc.",
            ),
            (
                r"The ion motion along $\mathbf E$ gives $\sigma_P = (Ne/B)\,x/(1+x^2)$ with "
                r"$x = \nu/\Omega$, $\Omega = eB/m$.",
                r"$dz = -H\,dx/x$: $\Sigma_P = (NeH/B)[\arctan x_1 - \arctan x_2]$ with "
                rf"$x_1$ = {tex(x_low, 4)}, $x_2$ = {tex(x_high, 4)} at the edges.",
                rf"$\Sigma_P$ = {tex(pedersen, 3)}.",
            ),
            Numeric(pedersen, tensor[0], "S", routes),
        ),
        Part(
            draw.phrase(
                "What is the height-integrated Hall conductivity (as a positive number)?",
                "Find the Hall conductance of the arc (its magnitude).",
            ),
            (
                r"Electrons drift at $E/B$, ions at $E/B$ times $1/(1+x^2)$ in the same direction: "
                r"$\sigma_H = (Ne/B)\,x^2/(1+x^2)$.",
                r"$\Sigma_H = (NeH/2B)\ln[(1+x_1^2)/(1+x_2^2)]$ = " + tex(hall, 3) + ".",
            ),
            Numeric(hall, tensor[1], "S", routes),
        ),
        Part(
            draw.phrase(
                f"Along the arc there is a field of {tex(strength)}. No current can cross the arc: "
                "a polarisation field builds up across it until the cross-arc current vanishes. "
                "Which sheet current flows along the arc?",
                "The arc is long, and polarisation charges at its edges have stopped all current "
                f"across it. What is the sheet current along it if the field component along the "
                f"arc is {tex(strength)}?",
            ),
            (
                r"$\Sigma_P E_\perp = \Sigma_H E_\parallel$ cancels the current across the arc.",
                r"Along the arc $J = (\Sigma_P + \Sigma_H^2/\Sigma_P)E_\parallel$ (Cowling "
                f"conductance) = {tex(current, 3)}.",
            ),
            Numeric(
                current,
                along,
                "A m-1",
                Routes("Cowling conductance", "linear system for field and current"),
            ),
        ),
    )


_ASKED = {
    "zP": "the height $z_m$ at which the Pedersen conductivity is greatest",
    "zH": "the height $z_m$ at which the Hall conductivity is greatest",
    "SP": r"the Pedersen conductance $\Sigma$, integrated over all heights",
    "SH": r"the Hall conductance $\Sigma$ (its magnitude), integrated over all heights",
    "MP": r"the greatest value $\sigma_m$ that the Pedersen conductivity has at any height",
    "MH": r"the greatest value $\sigma_m$ that the magnitude of the Hall conductivity has",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Maxima and integrals where the electron density grows exponentially with height."""
    p, asked = draw.choice(_POWERS), draw.choice(tuple(_ASKED))
    base, nu, scale = draw.phrase("N_0", "n_0"), draw.phrase(r"\nu_0", r"\nu_1"), "H"
    ref = draw.choice((True, False))
    density = f"{base}\\exp[{fraction_tex(p)}z/{scale}]"
    height = (
        r"Heights $z$ are counted from the level where the collision frequency equals the "
        r"gyrofrequency"
        if ref
        else rf"At $z = 0$ the collision frequency is ${nu}$, and the ion gyrofrequency is "
        r"$\Omega$"
    )
    question = draw.phrase(
        "In a model of the dynamo region the ion-neutral collision frequency falls with height "
        f"as $\\exp(-z/{scale})$, the electron density grows as ${density}$, electrons move "
        "without collisions and neutrals are at rest. The magnetic field $B$ is uniform; the "
        "ions are singly charged (charge $q$), so that there are as many ions as electrons. "
        f"{height}. Derive {_ASKED[asked]}.",
        "The ions of a plasma in the uniform magnetic field $B$ are singly charged (charge $q$) "
        "and collide with neutrals at rest with a frequency that falls as "
        f"$\\exp(-z/{scale})$; electrons are free of collisions, and ions and electrons both have "
        f"the density ${density}$. {height}. Find {_ASKED[asked]}.",
    )
    # In x = nu / Omega the density is N x^-p times N_0 at the level x = 1.
    lift = "" if ref else rf"\left(\frac{{{nu}}}{{\Omega}}\right)^{{{power_tex(p)}}}"
    shift = "" if ref else rf"{scale}\ln\left(\frac{{{nu}}}{{\Omega}}\right) + "
    square = (1 - p) / (1 + p) if asked[1] == "P" else (2 - p) / p
    power = (1 - p) / 2 if asked[1] == "P" else (2 - p) / 2
    front = rf"\frac{{q {base}}}{{B}}{lift}"
    angle = rf"{fraction_tex(p / 2)}\pi"
    column = rf"\frac{{\pi q {base} {scale}}}{{2B\,TRIG\left({angle}\right)}}{lift}"
    final = {
        "z": rf"$z_m = {shift}\frac{{{scale}}}{{2}}\ln\left({fraction_tex(1 / square)}\right)$",
        "S": rf"$\Sigma = {column.replace('TRIG', chr(92) + ('cos' if asked == 'SP' else 'sin'))}$",
        "M": rf"$\sigma_m = {fraction_tex(1 / (1 + square))}\left({fraction_tex(square)}\right)"
        rf"^{{{power_tex(power)}}}{front}$",
    }[asked[0]]
    ranges: dict[str, tuple[float, float]] = {}
    units = {"": {"z": "m", "S": "S", "M": "S m-1"}[asked[0]]}
    if asked[0] != "M":
        ranges[scale], units[scale] = (0.5, 2.0), "m"
    if asked[0] != "z":
        ranges |= {"q": (0.5, 2.0), base: (0.5, 2.0), "B": (0.5, 2.0)}
        units |= {"q": "C", base: "m-3", "B": "T"}
    if not ref:
        ranges |= {nu: (2.0, 4.0), r"\Omega": (0.5, 1.5)}
        units |= {nu: "s-1", r"\Omega": "s-1"}

    def check(at: Mapping[str, float]) -> float:
        level = log(at[nu] / at[r"\Omega"]) if not ref else 0.0
        h = at.get(scale, 1.0)
        charge = at.get("q", 1.0) * at.get(base, 1.0) / at.get("B", 1.0)
        if asked[0] == "S":
            return charge * h * _column(float(p), level, asked[1])
        top = _top(float(p), level, asked[1])
        if asked[0] == "z":
            return h * top
        return charge * exp(float(p) * top) * _mobility(level - top, asked[1])

    return (
        Part(
            question,
            (
                r"With $x = \nu/\Omega$: $\sigma_P = (Nq/B)\,x/(1+x^2)$, "
                r"$\sigma_H = (Nq/B)\,x^2/(1+x^2)$.",
                rf"$N \propto x^{{-{power_tex(p)}}}$ and $dz = -H\,dx/x$ turn maxima and integrals "
                "into those of a rational function of $x$ times a power.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "ion velocity from its momentum balance, numerically"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Which conductivity is larger, and how a layer answers to field or collisions."""
    changed = draw.choice(("field", "collisions"))
    density = draw.number(1.0, 9.0)
    mass = draw.choice((30, 31, 32))
    value = {"field": draw.number(2.5, 4.0), "collisions": draw.number(5.0, 12.0)}
    factor = draw.choice((1.3, 1.4, 1.5, 1.6))
    grows, above = draw.choice((True, False)), draw.choice((True, False))
    ratio = factor if grows else 1 / factor
    scale = draw.number(6.0, 9.0)
    gyro = si.E_CHARGE * value["field"] * 1e-5 / (mass * si.M_U)
    cross = 100 + scale * log(value["collisions"] * 1e3 / gyro)
    level = float(f"{cross + (1 if above else -1) * draw.number(6.0, 10.0):.3g}")
    what = {
        "field": "the magnetic field",
        "collisions": "the neutral density, and with it the collision frequency at every height,",
    }[changed]
    verb = "is multiplied" if grows else "is divided"
    question = (
        rf"Singly charged ions of mass number {mass} in a field of ${value['field']}\times "
        rf"10^{{4}}\ "
        rf"\mathrm{{nT}}$ collide with neutrals at the rate ${value['collisions']}\times 10^{{3}}\ "
        rf"\mathrm{{s^{{-1}}}}$ at 100 km, which falls exponentially with a scale height of "
        f"{tex(scale, unit='km')}; the electron density, ${density}\\times 10^{{10}}\\ "
        r"\mathrm{m^{-3}}$, is the same at all heights, and electrons move without collisions. "
        + draw.phrase(
            f"Which is larger at {tex(level, unit='km')}, the Hall or the Pedersen conductivity? "
            f"How does the altitude of the greatest Pedersen conductivity change, if at all, if "
            f"{what} {verb} by {tex(factor)}, and how does the column conductance (Pedersen, "
            "integrated over all heights) change, if at all?",
            f"Compare the Hall conductivity with the Pedersen conductivity at "
            f"{tex(level, unit='km')}. If {what} {verb} by {tex(factor)}, how "
            "do the altitude of the Pedersen maximum and the Pedersen column conductance (over all "
            "heights) change, if at all?",
        )
    )
    x = exp((cross - level) / scale)
    lean = _mobility(log(x), "H") / _mobility(log(x), "P") - 1
    field_ratio = ratio if changed == "field" else 1.0
    moved = -scale * log(ratio) if changed == "field" else scale * log(ratio)
    base = log(value["collisions"] * 1e3 / gyro)
    tops = [_top(0.0, base), _top(0.0, base + moved / scale)]
    columns = [_column(0.0, base, "P"), _column(0.0, base + moved / scale, "P") / field_ratio]
    rise = scale * (tops[1] - tops[0])
    change = columns[1] / columns[0] - 1
    claims = (
        order_claim("Hall conductivity", "Pedersen conductivity", x - 1, lean),
        change_claim("altitude of the maximum", moved / cross, rise / cross),
        change_claim("column conductance", 1 / field_ratio - 1, change),
    )
    return (
        Part(
            question,
            (
                r"$\sigma_H/\sigma_P = \nu/\Omega$: Hall currents prevail below the level where "
                r"$\nu = \Omega$, Pedersen currents above it, and $\sigma_P$ is greatest there.",
                r"That level moves with $\nu$ and $B$; $\Sigma_P = \pi N e H/(2B)$ knows of "
                "collisions only through their scale height.",
            ),
            stated(
                claims, Routes("closed form", "ion velocity from its momentum balance, numerically")
            ),
        ),
    )


def _slab(
    density: float, field: float, mass: float, collisions: float, lengths: tuple[float, float]
) -> tuple[float, float]:
    """Conductances from the ion velocity in unit E_x: e (E + v x B) = m nu v, at each node."""
    import numpy as np

    scale, depth = lengths
    z, weights = gauss_legendre(64, 0.0, 1.0)
    drag = mass * collisions * np.exp(-z * depth / scale)
    turn = np.full_like(drag, si.E_CHARGE * field)
    matrices = np.moveaxis(np.array([[drag, -turn], [turn, drag]]), -1, 0)
    push = np.broadcast_to(np.array([[si.E_CHARGE], [0.0]]), (len(z), 2, 1))
    ions = np.linalg.solve(matrices, push)[..., 0]
    electrons = np.array([0.0, -1 / field])
    current = density * si.E_CHARGE * (ions - electrons)
    along, across = (float(np.sum(weights * current[:, i]) * depth) for i in (0, 1))
    return along, abs(across)


def _blocked_current(tensor: tuple[float, float], along: float) -> float:
    import numpy as np

    pedersen, hall = tensor
    # Unknown: field across, current along; the current across vanishes.
    matrix = np.array([[pedersen, 0.0], [hall, -1.0]])
    found = np.linalg.solve(matrix, np.array([hall * along, -pedersen * along]))
    return float(found[1])


def _mobility(log_x: float, kind: str) -> float:
    """Ion motion relative to the electrons per E / B: with x v - i v = 1 in the complex plane."""
    velocity = 1 / (exp(log_x) + 1j)
    return velocity.real if kind == "P" else velocity.imag + 1.0


def _top(p: float, level: float, kind: str = "P") -> float:
    """Height (in H) of the greatest conductivity: root of its slope by central differences."""

    def value(z: float) -> float:
        return p * z + log(_mobility(level - z, kind))

    def slope(z: float) -> float:
        return (value(z + 1e-4) - value(z - 1e-4)) / 2e-4

    return bracketed_root(slope, level - 5.0, level + 5.0)


def _column(p: float, level: float, kind: str) -> float:
    """Integral over all heights (in H) by the trapezoidal rule in tanh-sinh spacing."""
    import numpy as np

    step = 0.05
    u = np.arange(-5.0, 5.0 + step / 2, step)
    z = level + 8 * np.sinh(u)
    x = np.exp(np.clip(level - z, -600.0, 300.0))
    velocity = 1 / (x + 1j)
    kernel = velocity.real if kind == "P" else velocity.imag + 1.0
    if kind == "H":
        small = np.minimum(x, 1e-3)
        kernel = np.where(x < 1e-3, small**2 - small**4, kernel)
    return float(np.sum(np.exp(p * z) * kernel * 8 * np.cosh(u)) * step)


FAMILY = Family(
    title="Pedersen, Hall and Cowling conductance",
    assumptions=(
        "steady ion motion, neutrals at rest, electrons without collisions",
        "collision frequency falls exponentially, uniform vertical magnetic field",
        "electric field independent of height",
    ),
    sources=(
        "Kelley 2009, The Earth's Ionosphere, 2nd ed., sec. 2.2 and 3.1",
        "Schunk & Nagy 2009, Ionospheres, 2nd ed., sec. 5.11",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
