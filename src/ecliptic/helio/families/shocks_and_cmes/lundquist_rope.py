r"""Force-free magnetic clouds: fluxes, energy and helicity of a cylindrical flux rope.

Lundquist's rope has B_z = B_0 J_0(alpha r), B_phi = B_0 J_1(alpha r); that of Gold and Hoyle, of
uniform twist, B_z = B_0 / (1 + r^2/a^2), B_phi = (r/a) B_z.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Field = Callable[[NDArray[np.float64]], tuple[NDArray[np.float64], NDArray[np.float64]]]

_QUADRATURE = "quadrature of the field, Bessel functions from their integrals"
_BESSEL = "integrals of Bessel functions"
_HELICITY = r"$H = 2\int A_\phi B_\phi\,dV$ with $A_\phi = \frac{1}{r}\int_0^r B_z r'\,dr'$"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Axial flux of a cloud that is crossed centrally, then azimuthal flux, helicity, energy."""
    from astropy import constants, units
    from scipy.special import jn_zeros, jv

    field, speed = draw.quantity(12.0, 32.0, "nT"), draw.quantity(360.0, 720.0, "km s-1")
    hours, length = draw.quantity(14.0, 32.0, "h"), draw.quantity(1.8, 3.2, "AU")
    setting = draw.phrase(
        f"A magnetic cloud passes a spacecraft in {tex(hours, unit='h')} at a steady {tex(speed)}; "
        "the spacecraft crosses its axis, at right angles. The cloud is a straight cylinder with "
        r"Lundquist's linear force-free field, $B_z = B_0 J_0(\alpha r)$ and $B_\phi = B_0 "
        rf"J_1(\alpha r)$, with {tex(field)} on the axis and $B_z = 0$ (first zero) at its edge.",
        r"A force-free flux rope, $\nabla\times\vec B = \alpha\vec B$ with constant $\alpha$, is a "
        f"straight circular cylinder; $B_z$ is {tex(field)} on the axis and first vanishes at the "
        f"edge. It moves at {tex(speed)} at right angles to its axis, which passes over a "
        f"spacecraft, and takes {tex(hours, unit='h')} to do so from edge to edge.",
    )
    zero = float(jn_zeros(0, 1)[0])
    j1 = float(jv(1, zero))
    radius = (speed * hours / 2).to(units.m)
    flux = (2 * np.pi * field * radius**2 * j1 / zero).to(units.Wb)
    radius_m = speed.value * 1e3 * hours.value * 1800
    totals = _cloud(field.value * 1e-9, radius_m)
    first = Part(
        f"{setting} "
        + draw.phrase("Find its axial magnetic flux.", "How much axial flux does it contain?"),
        (
            f"$R$ is half of speed times duration: {tex(radius, 4, unit='m')}; "
            rf"$\alpha R = x_0 = {zero:.4f}$.",
            r"$\Phi_z = 2\pi B_0\int_0^R J_0(\alpha r) r\,dr = 2\pi B_0 R^2 J_1(x_0)/x_0$ = "
            f"{tex(flux, 4, unit='Wb')}.",
        ),
        Numeric(flux, totals["axial"], "Wb", Routes(_BESSEL, _QUADRATURE)),
    )
    asked = draw.choice(("azimuthal", "helicity", "energy"))
    span = length.value * si.AU_M
    if asked == "azimuthal":
        value = (field * radius * length / zero).to(units.Wb)
        unit, name = "Wb", "the azimuthal (poloidal) magnetic flux between axis and edge"
        step = r"$\Phi_\phi = L B_0\int_0^R J_1(\alpha r)\,dr = L B_0 R/x_0$."
    elif asked == "helicity":
        value = (2 * np.pi * field**2 * radius**3 * length * j1**2 / zero).to(units.Wb**2)
        unit, name = "Wb2", f"the magnetic helicity {_HELICITY}"
        step = (
            r"$A_\phi = B_\phi/\alpha$, so $H = (4\pi L B_0^2/\alpha)\int_0^R J_1^2 r\,dr = "
            r"2\pi L B_0^2 R^3 J_1^2(x_0)/x_0$."
        )
    else:
        value = (np.pi * field**2 * radius**2 * length * j1**2 / constants.mu0).to(units.J)
        unit, name = "J", "its magnetic energy"
        step = (
            r"$W = (\pi L B_0^2/\mu_0)\int_0^R (J_0^2 + J_1^2) r\,dr = "
            r"\pi L B_0^2 R^2 J_1^2(x_0)/\mu_0$."
        )
    second = Part(
        draw.phrase(
            f"Over a length of {tex(length, unit='AU')} along the axis, find {name}.",
            f"For a rope of the length {tex(length, unit='AU')}, compute {name}.",
        ),
        (step, f"This is {tex(value, 4, unit=unit)}."),
        Numeric(value, totals[asked] * span, unit, Routes(_BESSEL, _QUADRATURE)),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """A flux, the helicity or the energy inside any radius, for two force-free ropes."""
    bessel = draw.choice((True, False))
    asked = draw.choice(("axial", "azimuthal", "helicity", "energy"))
    edge = draw.choice((True, False)) and bessel
    whole = draw.choice((True, False))
    b0, radius = draw.phrase("B_0", "B_a"), draw.phrase("R", "r_0")
    long = draw.phrase("L", "l")
    k = draw.phrase(r"\alpha", "k") if bessel else draw.phrase("a", "b")
    if edge:
        k, zero = radius, draw.phrase("x_0", r"\xi")
    shape = (
        rf"$B_z = {b0} J_0({k} r)$ and $B_\phi = {b0} J_1({k} r)$ (Bessel functions)"
        if bessel and not edge
        else rf"$B_z = {b0} J_0({zero} r/{radius})$ and $B_\phi = {b0} J_1({zero} r/{radius})$, "
        rf"where ${zero}$ is the first zero of $J_0$"
        if edge
        else rf"$B_z = {b0}/(1 + r^2/{k}^2)$ and $B_\phi = (r/{k}) B_z$"
    )
    sort = "Lundquist's linear force-free" if bessel else "Gold and Hoyle's uniformly twisted"
    setting = draw.phrase(
        f"A magnetic cloud is modelled as {sort} field in a straight cylinder: {shape} out to the "
        f"radius ${radius}$.",
        f"Inside the radius ${radius}$ a flux rope has {shape}, {sort} field.",
    )
    amount = f"for the length ${long}$" if whole else "per unit length"
    question = {
        "axial": r"Find its axial flux $\Phi$.",
        "azimuthal": rf"Find its azimuthal flux $\Psi$ between axis and ${radius}$, {amount}.",
        "helicity": f"Find its magnetic helicity, {_HELICITY}, {amount}."
        if whole
        else f"Its magnetic helicity is {_HELICITY}. Find the helicity $h$ {amount}.",
        "energy": rf"Find its magnetic energy $W$ {amount}; the permeability is $\mu_0$.",
    }[asked]
    question += f" Simplify with $J_0({zero}) = 0$." if edge else ""
    final = _rope_formula(asked, bessel, edge, b0, radius, k, zero if edge else "")
    extra = f"{long} " if whole and asked != "axial" else ""
    left = {
        "axial": r"\Phi",
        "azimuthal": r"\Psi",
        "helicity": "H" if whole else "h",
        "energy": "W",
    }[asked]
    final = f"${left} = {extra}{final}$"
    ranges = {b0: (0.5, 2.0), radius: (1.0, 2.0)}
    units = {b0: "T", radius: "m", k: "m-1" if bessel and not edge else "m", long: "m"}
    if not edge:
        ranges[k] = (0.5, 1.1)
    else:
        ranges[zero] = (2.4048255576957724, 2.4048255576957733)
        units[zero] = ""
    if extra:
        ranges[long] = (2.0, 4.0)
    if asked == "energy":
        ranges[r"\mu_0"] = (0.6, 1.4)
    base = {"axial": "T m2", "azimuthal": "T m", "helicity": "T2 m3", "energy": "J m-1"}[asked]
    units |= {r"\mu_0": "N A-2", "": base + (" m" if extra else "")}
    units = {name: units[name] for name in ("", *ranges)}

    def check(at: Mapping[str, float]) -> float:
        def field(r: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
            if bessel:
                alpha = _first_zero() / at[radius] if edge else at[k]
                return _lundquist(at[b0], alpha, r)
            axial = at[b0] / (1 + (r / at[k]) ** 2)
            return axial, axial * r / at[k]

        found = _totals(field, at[radius], at.get(r"\mu_0", 1.0))[asked]
        return found * (at[long] if extra else 1.0)

    return (
        Part(
            f"{setting} {question}",
            (
                r"$\Phi = 2\pi\int B_z r\,dr$, $\Psi = L\int B_\phi dr$, "
                r"$W = (\pi L/\mu_0)\int (B_z^2 + B_\phi^2) r\,dr$, $H = 4\pi L\int A_\phi B_\phi "
                r"r\,dr$ from the axis to the edge.",
                r"Here $A_\phi = B_\phi/\alpha$; $\int x J_0 dx = x J_1$ and $\int x (J_0^2, "
                r"J_1^2) dx = \frac{x^2}{2}(J_0^2 + J_1^2, J_1^2 + J_0^2 - 2 J_0 J_1/x)$."
                if bessel
                else r"Here $A_\phi$ is $\frac{B_0 s^2}{2r}\ln(1 + r^2/s^2)$, $s$ the scale length "
                r"of the field, and $u = \ln(1 + r^2/s^2)$ makes the integrals elementary.",
                f"Hence {final}.",
            ),
            Symbolic(final, ranges, check, Routes("exact integrals", _QUADRATURE), units),
        ),
    )


def _rope_formula(
    asked: str, bessel: bool, edge: bool, b0: str, radius: str, k: str, zero: str
) -> str:
    """Right-hand side per unit length, without dollar signs."""
    if edge:
        return {
            "axial": rf"\frac{{2\pi {b0} {radius}^2 J_1({zero})}}{{{zero}}}",
            "azimuthal": rf"\frac{{{b0} {radius}}}{{{zero}}}",
            "helicity": rf"\frac{{2\pi {b0}^2 {radius}^3}}{{{zero}}} \left(J_1({zero})\right)^2",
            "energy": rf"\frac{{\pi {b0}^2 {radius}^2}}{{\mu_0}} \left(J_1({zero})\right)^2",
        }[asked]
    if bessel:
        x = f"{k} {radius}"
        squares = (
            rf"\left(\left(J_0({x})\right)^2 + \left(J_1({x})\right)^2 - "
            rf"\frac{{#J_0({x}) J_1({x})}}{{{x}}}\right)"
        )
        return {
            "axial": rf"\frac{{2\pi {b0} {radius}}}{{{k}}} J_1({x})",
            "azimuthal": rf"\frac{{{b0}}}{{{k}}} \left(1 - J_0({x})\right)",
            "helicity": rf"\frac{{2\pi {b0}^2 {radius}^2}}{{{k}}} " + squares.replace("#", "2 "),
            "energy": rf"\frac{{\pi {b0}^2 {radius}^2}}{{\mu_0}} " + squares.replace("#", ""),
        }[asked]
    log = rf"\ln\left(1 + \frac{{{radius}^2}}{{{k}^2}}\right)"
    return {
        "axial": rf"\pi {b0} {k}^2 {log}",
        "azimuthal": rf"\frac{{{b0} {k}}}{{2}} {log}",
        "helicity": rf"\frac{{\pi}}{{2}} {b0}^2 {k}^3 \left({log}\right)^2",
        "energy": rf"\frac{{\pi {b0}^2 {k}^2}}{{2 \mu_0}} {log}",
    }[asked]


def textual(draw: Draw) -> tuple[Part, ...]:
    """Fluxes and helicity of one cloud at two distances, or of two clouds."""
    field, wide = draw.number(14.0, 40.0), draw.number(0.05, 0.09)
    growth = draw.number(1.4, 2.4)
    keeps = draw.choice((0.6, 0.75, 1.3, 1.6))
    later = float(f"{wide * growth:.2g}")
    weak = float(f"{field * keeps / (later / wide) ** 2:.2g}")
    pairs = [(field, wide), (weak, later)]
    if draw.choice((True, False)):
        pairs.reverse()
    (b1, r1), (b2, r2) = pairs
    question = draw.phrase(
        "Two magnetic clouds are cylindrical Lundquist flux ropes (linear force-free) whose axial "
        "field falls to zero at the edge, its first zero. The first has "
        f"{tex(b1, unit='nT')} on the axis and a radius of {tex(r1, unit='AU')}, the second "
        f"{tex(b2, unit='nT')} and {tex(r2, unit='AU')}. From the first to the second, how do the "
        "axial flux and the helicity per unit length change?",
        "Fits of Lundquist's constant-alpha force-free cylinder, bounded by the first zero of the "
        f"axial field, give {tex(b1, unit='nT')} on the axis and a radius of "
        f"{tex(r1, unit='AU')} for one magnetic cloud, and {tex(b2, unit='nT')} with "
        f"{tex(r2, unit='AU')} for another. Going from the one to the other, in which direction "
        "do the axial flux and the magnetic helicity per unit length change?",
    )
    ropes = [_cloud(axis, radius) for axis, radius in pairs]
    closed = (b2 * r2**2 / (b1 * r1**2) - 1, b2**2 * r2**3 / (b1**2 * r1**3) - 1)
    found = tuple(ropes[1][key] / ropes[0][key] - 1 for key in ("axial", "helicity"))
    claims = change_claims(("axial flux", "helicity per unit length"), closed, found)
    return (
        Part(
            question,
            (
                r"$\Phi_z \propto B_0 R^2$: the ratio is " + f"${closed[0] + 1:.3g}$.",
                r"$H/L \propto B_0^2 R^3$: the ratio is " + f"${closed[1] + 1:.3g}$.",
            ),
            stated(claims, Routes("scaling with field and radius", _QUADRATURE)),
        ),
    )


def _bessel(order: int, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """J_0 or J_1 as the mean of cos(n t - x sin t), exact for a periodic integrand."""
    angle = (np.arange(24) + 0.5) * 2 * np.pi / 24
    return np.asarray(np.mean(np.cos(order * angle - np.multiply.outer(x, np.sin(angle))), axis=-1))


@lru_cache(maxsize=1)
def _first_zero() -> float:
    return bracketed_root(lambda x: float(_bessel(0, np.array(x))), 2.0, 3.0)


def _lundquist(
    axis: float, alpha: float, r: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return axis * _bessel(0, alpha * r), axis * _bessel(1, alpha * r)


def _cloud(axis: float, radius: float) -> dict[str, float]:
    """What a Lundquist rope contains that ends at the first zero of its axial field."""
    return _totals(lambda r: _lundquist(axis, _first_zero() / radius, r), radius)


def _totals(field: Field, radius: float, permeability: float = si.MU_0) -> dict[str, float]:
    """Axial flux, and azimuthal flux, helicity and energy per unit length, by quadrature."""
    share, weights = gauss_legendre(20, 0.0, 1.0)
    r = radius * share
    axial, around = field(r)
    inner = np.multiply.outer(r, share)
    potential = r * np.sum(weights * share * field(inner)[0], axis=1)
    return {
        "axial": float(2 * np.pi * radius * np.sum(weights * axial * r)),
        "azimuthal": float(radius * np.sum(weights * around)),
        "helicity": float(4 * np.pi * radius * np.sum(weights * potential * around * r)),
        "energy": float(
            np.pi / permeability * radius * np.sum(weights * (axial**2 + around**2) * r)
        ),
    }


FAMILY = Family(
    title="Force-free flux rope of a magnetic cloud",
    assumptions=(
        "straight cylinder of circular cross-section",
        "force-free field: linear (Lundquist) or of uniform twist (Gold-Hoyle)",
    ),
    sources=(
        "Lundquist 1950, Arkiv foer Fysik 2, 361",
        "Gold & Hoyle 1960, MNRAS 120, 89",
        "Burlaga 1988, J. Geophys. Res. 93, 7217",
        "Dasso et al. 2006, A&A 455, 349",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
