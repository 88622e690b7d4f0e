r"""Weber-Davis wind: Alfvén radius, azimuthal flow and loss of angular momentum.

A steady axisymmetric wind on rotating field lines keeps two constants,

.. math:: v B_\phi - v_\phi B_r = -\Omega r B_r, \qquad
          r v_\phi - \frac{r B_r B_\phi}{\mu_0 \rho v} = L;

at the Alfvén radius the two equations for v_phi and B_phi are dependent, so that L is fixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, log, pi

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import power_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_SYSTEM = "linear system of the two constants of motion, solvable at the Alfvén radius"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Alfvén radius, then the torque on the Sun or the azimuthal speed."""
    from astropy import constants, units

    b = draw.choice([Fraction(1, 8), Fraction(1, 6), Fraction(1, 5), Fraction(1, 4)])
    field, density = draw.quantity(2.2, 4.5, "nT"), draw.quantity(4.0, 9.5, "cm-3")
    speed, days = draw.quantity(320.0, 480.0, "km s-1"), draw.number(24.5, 27.5, digits=3)
    setting = draw.phrase(
        f"At 1 AU the solar wind has a radial field of {tex(field)}, {tex(density)} protons (no "
        f"other mass) and a radial speed of {tex(speed)}. Take field and flow as spherical, "
        f"$B_r \\propto r^{{-2}}$, with a radial speed $v \\propto r^{{{b}}}$ down to the Alfvén "
        "point.",
        f"In a spherical wind of protons ($B_r \\propto r^{{-2}}$, radial speed $v \\propto "
        f"r^{{{b}}}$) one finds $B_r$ = {tex(field)}, {tex(density)} and $v$ = {tex(speed)} at 1 "
        "AU.",
    )
    mach = (speed * (constants.mu0 * density * constants.m_p) ** 0.5 / field).to_value(units.one)
    radius = (mach ** float(-2 / (2 + b)) * units.au).to(units.R_sun)
    at = (field.value * 1e-9, density.value * 1e6 * si.M_P, speed.value * 1e3, float(b))
    omega = 2 * pi / (days * si.DAY_S)
    first = Part(
        f"{setting} "
        + draw.phrase(
            "At which heliocentric distance is $v$ equal to the Alfvén speed of $B_r$?",
            "Find the Alfvén radius, where $v = B_r/\\sqrt{\\mu_0\\rho}$.",
        ),
        (
            rf"At 1 AU $M_A = v\sqrt{{\mu_0\rho}}/B_r$ = {mach:.4g}.",
            r"$\rho v r^2$ and $B_r r^2$ are constant, so $M_A^2 \propto \rho v^2/B_r^2 \propto v "
            rf"r^2 \propto r^{{{power_tex(2 + b)}}}$.",
            f"$r_A$ = {tex(radius, 4, unit='R_sun')}.",
        ),
        Numeric(
            radius,
            _alfven_radius(*at, 2.0) / si.R_SUN_M,
            "R_sun",
            Routes("scaling of the Mach number, with units", "root of v = v_A, in SI numbers"),
            digits=4,
        ),
    )
    rotation = f"The Sun turns as a rigid body once in {tex(days, unit='d')}. "
    spin = 2 * pi / (days * units.d)
    if draw.choice((True, False)):
        loss = 2 / 3 * spin * radius**2 * 4 * pi * units.au**2 * density * constants.m_p * speed
        second = Part(
            rotation
            + draw.phrase(
                "If this wind blows in all directions alike, with the field anchored in the "
                "Sun, which torque does it exert on the Sun?",
                "How much angular momentum does this wind, the same at all latitudes, take from "
                "the Sun in a unit of time, field stresses included?",
            ),
            (
                r"Per unit mass each latitude loses $\Omega r_A^2\sin^2\theta$.",
                r"Averaged over the sphere, $\dot J = \frac{2}{3}\dot M\Omega r_A^2$ with "
                r"$\dot M = 4\pi r^2\rho v$.",
                f"$\\dot J$ = {tex(loss, 4, unit='N m')}.",
            ),
            Numeric(
                loss.to(units.N * units.m),
                _torque(*at, omega),
                "N m",
                Routes(
                    "(2/3) M-dot Omega r_A^2", f"flux through the sphere of 1 AU from the {_SYSTEM}"
                ),
            ),
        )
        return first, second
    place = draw.quantity(0.25, 1.0, "AU")
    square = mach**2 * (place / units.au).to_value(units.one) ** float(2 + b)
    reach = (radius / place).to_value(units.one) ** 2
    flow = (spin * place * (square * reach - 1) / (square - 1)).to(units.km / units.s)
    second = Part(
        rotation
        + draw.phrase(
            "The wind of the equatorial plane passes the Alfvén point smoothly. What is its "
            f"azimuthal speed at {tex(place, unit='AU')}?",
            f"Find the azimuthal speed of the equatorial wind at {tex(place, unit='AU')}, given "
            "that it passes its Alfvén point smoothly.",
        ),
        (
            r"Induction and angular momentum give $v_\phi = \Omega r\,\frac{M_A^2 L/(\Omega r^2) - "
            r"1}{M_A^2 - 1}$; smooth at $M_A = 1$ only for $L = \Omega r_A^2$.",
            f"There $M_A^2$ = {square:.4g} and $r_A^2/r^2$ = {reach:.4g}: "
            f"$v_\\phi$ = {tex(flow, 4, unit='km s-1')}.",
        ),
        Numeric(
            flow,
            _twist(*at, 2.0, omega, place.value)[1] / 1e3,
            "km s-1",
            Routes("closed form with units", _SYSTEM),
        ),
    )
    return first, second


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Alfvén radius, angular momentum, its magnetic share, and azimuthal speed."""
    s = draw.choice([Fraction(2), Fraction(9, 4), Fraction(5, 2), Fraction(3)])
    b = draw.choice([Fraction(1, n) for n in (2, 3, 4, 5, 6, 8)])
    asked = draw.choice(("r", "L", "S", "v"))
    spin = draw.phrase(r"\Omega", r"\omega")
    tail = draw.phrase("0", "1")
    setting = draw.phrase(
        f"In the equatorial plane a steady wind follows tubes in which $B_r \\propto "
        f"r^{{-{power_tex(s)}}}$; its radial speed grows as $v \\propto r^{{{power_tex(b)}}}$. The "
        f"field lines rotate with the Sun at the rate ${spin}$.",
        f"Field lines that turn at the rate ${spin}$ guide a steady equatorial wind with $B_r "
        f"\\propto r^{{-{power_tex(s)}}}$ and radial speed $v \\propto r^{{{power_tex(b)}}}$.",
    )
    given = (
        f"At $r_{tail}$ the values are $B_{tail}$ for the radial field, $\\rho_{tail}$ for the "
        f"mass density and $v_{tail}$ for the radial speed; $\\mu_0$ is the permeability."
    )
    smooth = "The wind passes the Alfvén radius $r_A$ (of the radial components) smoothly."
    question = {
        "r": f"{given} Find the Alfvén radius $r_A$ of the radial components.",
        "L": f"{given} The wind passes its Alfvén point smoothly. Find the angular momentum $L$ "
        "per unit mass that it carries away, field stresses included.",
        "S": f"{smooth} Which share $S$ of the outward angular-momentum flux is carried by "
        "magnetic stress at $r > r_A$?",
        "v": f"{smooth} Find its azimuthal speed $v_\\phi$ at $r > r_A$.",
    }[asked]
    total = s + b
    start = rf"\left(\frac{{B_{tail}^2}}{{\mu_0 \rho_{tail} v_{tail}^2}}\right)"
    y = r"\left(\frac{r}{r_A}\right)"
    share = rf"\frac{{{y}^2 - 1}}{{{y}^{{{power_tex(total)}}} - 1}}"
    final = {
        "r": rf"$r_A = r_{tail} {start}^{{{power_tex(1 / total)}}}$",
        "L": rf"$L = {spin} r_{tail}^2 {start}^{{{power_tex(2 / total)}}}$",
        "S": f"$S = {share}$",
        "v": rf"$v_\phi = \frac{{{spin} r_A^2}}{{r}} \left(1 - {share}\right)$",
    }[asked]
    ranges = {"r": (2.0, 5.0), "r_A": (0.8, 1.5)}
    units = {"r": "m", "r_A": "m", spin: "s-1", "": {"v": "m s-1"}.get(asked, "")}
    if asked in "rL":
        ranges = {
            f"B_{tail}": (2.0, 4.0),
            f"\\rho_{tail}": (0.5, 1.5),
            f"v_{tail}": (0.5, 1.0),
            f"r_{tail}": (0.5, 1.5),
            r"\mu_0": (0.7, 1.4),
        }
        units = {
            f"B_{tail}": "T",
            f"\\rho_{tail}": "kg m-3",
            f"v_{tail}": "m s-1",
            f"r_{tail}": "m",
            r"\mu_0": "N A-2",
            spin: "s-1",
            "": "m" if asked == "r" else "m2 s-1",
        }
    if asked in "Lv":
        ranges[spin] = (0.5, 1.5)

    def check(at: Mapping[str, float]) -> float:
        names = (f"B_{tail}", f"\\rho_{tail}", f"v_{tail}")
        rate = at.get(spin, 1.0)
        if asked in "rL":
            field, rho, speed = (at[name] for name in names)
            state = (field, rho * at[r"\mu_0"] / si.MU_0, speed, float(b))
            unit = at[f"r_{tail}"] / si.AU_M
            radius = _alfven_radius(*state, float(s)) * unit
            return radius if asked == "r" else _momentum(*state, float(s), rate) * unit**2
        # Distances in units of r_A, where the Alfvén and the flow speed are both 1.
        state = (1.0, 1 / si.MU_0, 1.0, float(b))
        place = at["r"] / at["r_A"]
        flow = _twist(*state, float(s), rate / si.AU_M, place)[1] * at["r_A"]
        if asked == "v":
            return flow
        constant = _momentum(*state, float(s), rate / si.AU_M) / si.AU_M
        return 1 - place * flow / at["r_A"] / constant

    return (
        Part(
            f"{setting} {question}",
            (
                r"$\rho v/B_r$ is constant along a tube, so $M_A^2 = \mu_0\rho v^2/B_r^2 \propto "
                rf"v/B_r \propto r^{{{power_tex(total)}}}$.",
                rf"$vB_\phi - v_\phi B_r = -{spin} rB_r$ and $rv_\phi - rB_rB_\phi/(\mu_0\rho v) = "
                rf"L$ give $v_\phi = (M_A^2 L/r - {spin} r)/(M_A^2 - 1)$: smooth only for "
                rf"$L = {spin} r_A^2$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("constants of motion", _SYSTEM),
                {name: units[name] for name in ("", *ranges)},
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Alfvén radius and torque for another wind or star."""
    b = draw.choice((Fraction(1, 8), Fraction(1, 4)))
    at = [
        draw.number(2.2, 3.5),
        draw.number(4.0, 7.0),
        draw.number(320.0, 450.0),
        draw.number(20.0, 27.0),
    ]
    which = draw.choice((0, 1, 1, 2, 3))
    high = float(f"{at[which] * draw.number(1.3, 1.9):.2g}")
    before, after = draw.choice(((at[which], high), (high, at[which])))
    units = ("nT", "cm-3", "km s-1", "d")
    names = ("radial field", "proton density", "radial speed", "rotation period")
    *some, last = (f"a {names[i]} of {tex(at[i], unit=units[i])}" for i in range(4) if i != which)
    fixed = f"{', '.join(some)} and {last}"
    place = "" if which == 3 else " at 1 AU"
    question = draw.phrase(
        f"A magnetised wind that brakes its star (model of Weber and Davis) is spherical with "
        f"$B_r \\propto "
        f"r^{{-2}}$ and radial speed $v \\propto r^{{{b}}}$. It has {fixed} (values of the wind "
        f"are for 1 AU). The"
        f" {names[which]}"
        f"{place} changes from {tex(before, unit=units[which])} to "
        f"{tex(after, unit=units[which])}. How do the Alfvén radius and the torque on the "
        "star change, if at all?",
        f"Two stars lose angular momentum to spherical magnetised winds with $B_r \\propto "
        f"r^{{-2}}$, "
        f"$v \\propto r^{{{b}}}$. Both have {fixed} (values of the wind are for 1 AU)."
        f" The {names[which]}{place} is {tex(before, unit=units[which])} for the first and "
        f"{tex(after, unit=units[which])} for the second. From the first to the second, how do "
        "the Alfvén radius and the torque on the star change, if at all?",
    )
    states = []
    for value in (before, after):
        at[which] = value
        wind = (at[0] * 1e-9, at[1] * 1e6 * si.M_P, at[2] * 1e3, float(b))
        omega = 2 * pi / (at[3] * si.DAY_S)
        square = si.MU_0 * wind[1] * wind[2] ** 2 / wind[0] ** 2
        radius = square ** float(-1 / (2 + b))
        states.append(
            (
                radius,
                wind[1] * wind[2] * omega * radius**2,
                _alfven_radius(*wind, 2.0),
                _torque(*wind, omega),
            )
        )
    changes = relative_changes(*states)
    claims = change_claims(("Alfvén radius", "torque on the star"), changes[:2], changes[2:])
    return (
        Part(
            question,
            (
                rf"$r_A \propto (B_r^2/\rho v^2)^{{{power_tex(1 / (2 + b))}}}$ for given values at "
                "1 AU.",
                r"The torque is $\frac{2}{3}\dot M\Omega r_A^2$: more mass loss pulls the Alfvén "
                "point in.",
            ),
            stated(claims, Routes("power laws of r_A and of the torque", _SYSTEM)),
        ),
    )


def _local(
    field: float, rho: float, speed: float, b: float, s: float, r: float
) -> tuple[float, float, float]:
    """Radial field, density and speed at ``r`` in AU, from those at 1 AU."""
    v = speed * r**b
    return field * r**-s, rho * speed * r**-s / v, v


def _alfven_radius(field: float, rho: float, speed: float, b: float, s: float) -> float:
    """In m."""

    def excess(x: float) -> float:
        br, density, v = _local(field, rho, speed, b, s, exp(x))
        return log(v**2 * si.MU_0 * density / br**2)

    return exp(bracketed_root(excess, log(1e-3), log(1e2))) * si.AU_M


def _momentum(field: float, rho: float, speed: float, b: float, s: float, omega: float) -> float:
    """L that leaves the dependent equations at the Alfvén radius a solution."""
    r = _alfven_radius(field, rho, speed, b, s)
    br, density, v = _local(field, rho, speed, b, s, r / si.AU_M)
    multiple = -r / br
    mismatch = multiple * v + r * br / (si.MU_0 * density * v)
    assert abs(mismatch) < 1e-6 * abs(multiple * v)
    return multiple * -omega * r * br


def _twist(
    field: float, rho: float, speed: float, b: float, s: float, omega: float, place: float
) -> tuple[float, float]:
    """B_phi and v_phi at ``place`` in AU, in SI."""
    import numpy as np

    r = place * si.AU_M
    br, density, v = _local(field, rho, speed, b, s, place)
    constant = _momentum(field, rho, speed, b, s, omega)
    # Unknowns B_phi / B_r and v_phi / v.
    matrix = [[1.0, -1.0], [-(br**2) / (si.MU_0 * density * v**2), 1.0]]
    ratio = np.linalg.solve(np.array(matrix), np.array([-omega * r / v, constant / (r * v)]))
    return float(ratio[0] * br), float(ratio[1] * v)


def _torque(field: float, rho: float, speed: float, b: float, omega: float) -> float:
    """Angular momentum through the sphere of 1 AU, all latitudes, in N m."""
    import numpy as np

    bphi, vphi = _twist(field, rho, speed, b, 2.0, omega, 1.0)
    stress = rho * speed * vphi - field * bphi / si.MU_0
    cosine, weights = np.polynomial.legendre.leggauss(4)
    lever = float(np.sum(weights * (1 - cosine**2)))
    return stress * lever * 2 * pi * si.AU_M**3


FAMILY = Family(
    title="Angular momentum in a magnetised rotating wind",
    assumptions=(
        "steady axisymmetric ideal MHD, field lines anchored in a rigidly rotating Sun",
        "power laws for the radial speed and field between Alfvén point and 1 AU",
    ),
    sources=(
        "Weber & Davis 1967, ApJ 148, 217",
        "Lamers & Cassinelli 1999, Introduction to Stellar Winds, ch. 9",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
