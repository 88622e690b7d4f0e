r"""Stoermer's geomagnetic cutoff from the conserved angular momentum about the dipole axis.

In a field with the flux function Psi (B_z = -dPsi/dr / r in the equatorial plane) a particle of
rigidity R keeps

.. math:: L = \varrho R \cos\xi + \Psi ,

where varrho is the distance from the axis and xi the angle of the motion to the direction in which
the field turns it about the axis. It comes from infinity only if L opens the pass in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import cos, exp, log, pi, radians, sqrt

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, order_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import power_tex, rational_power_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_NUCLEI = {"protons": (1, 1), "helium nuclei": (2, 4), "oxygen nuclei": (8, 16)}
_DECLINES = [Fraction(*p) for p in ((5, 2), (8, 3), (3, 1), (7, 2), (4, 1), (5, 1))]
_CONE = "Only Stoermer's forbidden cone counts (no shadow of the solid Earth, no penumbra)"


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Vertical cutoff, the one for an inclined direction, and an energy per nucleon."""
    from astropy import constants, units

    latitude = draw.quantity(5.0, 50.0, "deg")
    height = draw.integer(30, 90) * 10 * units.km
    surface = draw.quantity(2.9e4, 3.15e4, "nT", digits=3)
    tilt = draw.quantity(30.0, 75.0, "deg")
    western = draw.choice((True, False))
    name = draw.choice(tuple(_NUCLEI))
    charge, mass = _NUCLEI[name]
    side = "west" if western else "east"
    field = (
        f"a centred dipole with the equatorial surface field {tex(surface)} at "
        r"$R_{\mathrm{E}}$ = $6378.1\ \mathrm{km}$ and the polarity of the Earth"
    )
    setting = draw.phrase(
        f"A spacecraft is {tex(height)} above the ground at the magnetic latitude {tex(latitude)} "
        f"in {field}. {_CONE}.",
        f"Take the geomagnetic field to be {field}. A detector orbits at the magnetic latitude "
        f"{tex(latitude)}, {tex(height)} above the ground. {_CONE}.",
    )
    ratio = float((constants.R_earth / (constants.R_earth + height)).to_value(""))
    scale = (surface * constants.c * constants.R_earth).to("GV") * ratio**2
    lam = radians(latitude.value)
    vertical = scale * cos(lam) ** 4 / 4
    # Positive particles turn westward: motion from west to east is against the turning.
    turning = (-1 if western else 1) * cos(radians(90 - tilt.value))
    inclined = scale * cos(lam) ** 4 / (1 + sqrt(1 - turning * cos(lam) ** 3)) ** 2
    nucleon = 0.9315 * units.GeV
    momentum = float((charge * vertical / units.GV).to_value("")) / mass * units.GeV
    energy = ((momentum**2 + nucleon**2) ** 0.5 - nucleon).to("GeV")
    radius = si.R_EARTH_M + height.value * 1e3
    moment = surface.value * 1e-9 * si.R_EARTH_M**3
    checks = [_cutoff(moment, radius, lam, motion) * si.C / 1e9 for motion in (0.0, turning)]
    p = charge * checks[0] / mass
    kinetic = p**2 / (sqrt(p**2 + 0.9315**2) + 0.9315)
    routes = Routes("closed form with units", "rigidity at which the numerical pass opens")
    return (
        Part(
            f"{setting} "
            + draw.phrase(
                "What is the least rigidity of positive particles that arrive from the zenith?",
                "Find the vertical cutoff rigidity for positively charged particles.",
            ),
            (
                r"$r\cos\lambda\,p_\varphi + q\Psi$ is conserved, with $\Psi = B_0R_E^3"
                r"\cos^2\lambda/r$ for a dipole; from infinity a particle must cross the pass of "
                r"$|p_\varphi| \le p$ in the equatorial plane, at $r = \sqrt{qM/p}$.",
                r"For $p_\varphi = 0$ at the detector the pass just opens if $R = cB_0(R_E^3/r^2)"
                r"\cos^4\lambda/4$.",
                f"$R$ = {tex(vertical, 3)}.",
            ),
            Numeric(vertical, checks[0], "GV", routes),
        ),
        Part(
            draw.phrase(
                f"What is the cutoff rigidity for arrival from the {side}, {tex(tilt)} off the "
                "zenith in the vertical plane through east and west?",
                f"Find the least rigidity of positive particles that arrive {tex(tilt)} away from "
                f"the zenith, from the {side}.",
            ),
            (
                r"$R = \frac{cB_0R_E^3}{r^2}\frac{\cos^4\lambda}{[1 + \sqrt{1 - \cos\epsilon"
                r"\cos^3\lambda}]^2}$, $\epsilon$ being the angle between the arrival direction "
                "and east (as seen from the detector): negative cosine in the west.",
                f"$R$ = {tex(inclined, 3)}.",
            ),
            Numeric(inclined, checks[1], "GV", routes),
        ),
        Part(
            draw.phrase(
                f"Which kinetic energy per nucleon have {name} (charge number {charge}, mass "
                f"number {mass}) with the vertical cutoff rigidity? Use a rest energy of "
                r"$0.9315\ \mathrm{GeV}$ per nucleon.",
                r"With $0.9315\ \mathrm{GeV}$ of rest energy per nucleon: what is the least "
                f"kinetic energy per nucleon at which {name} (charge number {charge}, mass number "
                f"{mass}) arrive from the zenith?",
            ),
            (
                rf"The momentum per nucleon is $pc = ZeR/A$ = {tex(momentum, 4)}.",
                r"$T = \sqrt{(pc)^2 + (m_uc^2)^2} - m_uc^2$ = " + tex(energy, 3) + ".",
            ),
            Numeric(
                energy,
                kinetic,
                "GeV",
                Routes("relativistic energy with units", "numerical cutoff, momentum squared"),
            ),
        ),
    )


_TURN = "the azimuthal direction in which the field makes them circle the axis"
_DIRECTIONS = {
    "normal": "whose motion at $r$ lies in the plane of the magnetic axis and the point",
    "easy": f"that at $r$ move opposite to {_TURN}",
    "oblique": rf"whose motion at $r$ makes the angle $\xi$ with {_TURN}",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Cutoff in the equatorial plane of fields of any decline, or at a latitude of a dipole."""
    kind = draw.choice(("plane", "plane", "plane", "latitude"))
    field, ref = draw.phrase("B_0", "B_s", "B_e"), draw.phrase("a", "R_p", "r_0")
    asked = draw.choice(("rigidity", "radius", "energy"))
    n = draw.choice(_DECLINES) if kind == "plane" else Fraction(3)
    polar = kind == "latitude"
    if polar:
        direction = draw.choice(("normal", "oblique"))
    elif n == 3:
        direction = draw.choice(tuple(_DIRECTIONS))
    else:
        direction = draw.choice(("normal", "easy")) if n == 4 else "normal"
    motion = _DIRECTIONS[direction]
    law = rf"{field}({ref}/r)^{{{power_tex(n)}}}"
    place = (
        rf"at the distance $r$ and the magnetic latitude $\lambda$ of a dipole whose "
        f"equatorial field is ${field}$ at $r = {ref}$"
        if polar
        else "in the equatorial plane of an axisymmetric field, which is normal to that plane and "
        f"falls there as ${law}$ with the distance $r$ from the axis"
    )
    what = {
        "rigidity": "the least rigidity $P = p/q$ (momentum over charge)",
        "radius": "the least distance $r$ for a given rigidity $P = p/q$ (momentum over charge)",
        "energy": "the least total energy $E$, with $E = pc$ (ultrarelativistic) and the "
        "charge $q$,",
    }[asked]
    question = draw.phrase(
        f"Charged particles come from infinity to a point {place}. From the conservation of the "
        f"canonical angular momentum about the axis derive {what} of particles {motion}. The "
        "condition is that the passage to infinity is open for their angular momentum (main "
        "cone; no penumbra).",
        f"A detector stands {place}. Use the conserved canonical angular momentum about the axis "
        f"to find {what} of particles from infinity {motion}. They can arrive only if the "
        "allowed region of their angular momentum is connected with infinity (main cone).",
    )
    decline = power_tex(n - 1)
    top = r"\cos^4\lambda" if polar else "1"
    slant = r"\cos\xi\cos^3\lambda" if polar else r"\cos\xi"
    front = {
        "normal": r"\frac{\cos^4\lambda}{4}"
        if polar
        else rational_power_tex(Fraction(1) / (n - 1), (n - 1) / (n - 2)),
        "easy": r"\left(\sqrt{2} - 1\right)^2" if n == 3 else r"\frac{1}{8}",
        "oblique": rf"\frac{{{top}}}{{\left(1 + \sqrt{{1 - {slant}}}\right)^2}}",
    }[direction]
    size = rf"{field}\frac{{{ref}^{{{power_tex(n)}}}}}{{r^{{{decline}}}}}"
    final = {
        "rigidity": rf"$P = {front}{size}$",
        "energy": rf"$E = {front}qc{size}$",
        "radius": rf"$r = \left({front}\frac{{{field} {ref}^{{{power_tex(n)}}}}}{{P}}\right)"
        rf"^{{{power_tex(1 / (n - 1))}}}$",
    }[asked]
    ranges = {field: (0.5, 2.0), ref: (0.5, 2.0)}
    units = {field: "T", ref: "m", "": {"rigidity": "T m", "radius": "m", "energy": "J"}[asked]}
    if asked == "radius":
        ranges["P"], units["P"] = (0.5, 2.0), "T m"
    else:
        ranges["r"], units["r"] = (1.0, 3.0), "m"
    if asked == "energy":
        ranges |= {"q": (0.5, 2.0), "c": (0.5, 2.0)}
        units |= {"q": "C", "c": "m s-1"}
    if polar:
        ranges[r"\lambda"], units[r"\lambda"] = (0.1, 1.2), ""
    if direction == "oblique":
        ranges[r"\xi"], units[r"\xi"] = (0.5, 2.8), ""

    def check(at: Mapping[str, float]) -> float:

        slope, lam = float(n), at.get(r"\lambda", 0.0)
        moment = at[field] * at[ref] ** slope
        cosine = -1.0 if direction == "easy" else cos(at.get(r"\xi", pi / 2))

        def least(r: float) -> float:
            return _cutoff(moment, r, lam, cosine, slope)

        if asked == "radius":
            return exp(bracketed_root(lambda x: log(least(exp(x)) / at["P"]), log(0.02), log(50.0)))
        rigidity = least(at["r"])
        return rigidity if asked == "rigidity" else rigidity * at["q"] * at["c"]

    return (
        Part(
            question,
            (
                r"With $\Psi(\varrho) = \int_\varrho^\infty B\varrho'\,d\varrho'$ the quantity "
                r"$\varrho p_\varphi + q\Psi$ is conserved, and $|p_\varphi| \le p$ bounds the "
                "motion.",
                r"The pass of the allowed region lies where $qB\varrho = p$: a circular orbit. "
                r"Arrival requires $\varrho p_\varphi + q\Psi \le \min(\varrho p + q\Psi)$ "
                "outside the point.",
                f"Equality gives {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "minimum of the effective potential, rigidity by root"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """East-west asymmetry, and the cutoff at another latitude, height or field."""
    negative = draw.choice((True, False))
    changed = draw.choice(("latitude", "height", "field"))
    latitude = draw.number(8.0, 40.0)
    tilt = draw.integer(30, 75)
    low, high = {
        "latitude": (latitude, latitude + draw.integer(6, 14)),
        "height": (draw.integer(30, 50) * 10.0, draw.integer(60, 120) * 10.0),
        "field": (draw.number(2.5e4, 2.9e4), draw.number(3.0e4, 3.4e4)),
    }[changed]
    before, after = draw.choice(((low, high), (high, low)))
    unit = {"latitude": "deg", "height": "km", "field": "nT"}[changed]
    at = {"latitude": latitude, "height": 400.0, "field": 3.0e4}
    name = {
        "latitude": "the magnetic latitude of the detector",
        "height": "the height of the detector above the ground",
        "field": "the equatorial surface field",
    }[changed]
    where = (
        "" if changed == "latitude" else f" at the magnetic latitude {tex(latitude, unit='deg')}"
    )
    particles = draw.phrase("electrons", "cosmic-ray electrons")
    if not negative:
        particles = draw.phrase("protons", "cosmic-ray protons")
    question = draw.phrase(
        f"A detector{where} in the Earth's dipole field counts {particles} that come from "
        f"infinity. Compare the cutoff rigidity for arrival from the west, {tilt} degrees off the "
        "zenith, with that for arrival from the east at the same angle. How does the vertical "
        f"cutoff change if {name} changes from {tex(before, unit=unit)} to "
        f"{tex(after, unit=unit)}?",
        f"In a dipole with the polarity of the Earth, {particles} from outside are observed"
        f"{where}. Is their cutoff rigidity from the west larger or smaller than that from the "
        f"east (each {tilt} degrees off the zenith)? In which direction does the vertical cutoff "
        f"change if"
        f" {name} is {tex(after, unit=unit)} instead of {tex(before, unit=unit)}?",
    )
    closed, found = [], []
    for value in (before, after):
        now = at | {changed: value}
        radius = si.R_EARTH_M + now["height"] * 1e3
        lam = radians(now["latitude"])
        moment = now["field"] * 1e-9 * si.R_EARTH_M**3
        closed.append(moment / radius**2 * cos(lam) ** 4 / 4)
        found.append(_cutoff(moment, radius, lam, 0.0))
    lam = radians(latitude)
    lean = cos(radians(90 - tilt)) * (-1 if negative else 1)
    moment = 3.0e4 * 1e-9 * si.R_EARTH_M**3
    roots = [1 + sqrt(1 + sign * lean * cos(lam) ** 3) for sign in (1, -1)]
    radius = si.R_EARTH_M + 4e5
    pair = [_cutoff(moment, radius, lam, sign * lean) for sign in (-1.0, 1.0)]
    trend = closed[1] / closed[0] - 1
    claims = (
        order_claim(
            "rigidity from the west",
            "rigidity from the east",
            (roots[1] / roots[0]) ** 2 - 1,
            pair[0] / pair[1] - 1,
        ),
        change_claim("vertical cutoff", trend, found[1] / found[0] - 1),
    )
    return (
        Part(
            question,
            (
                "A northward equatorial field makes positive particles circle the axis westward. "
                "Those from the west move against that sense and have the lower cutoff; for "
                "negative particles it is the other way round.",
                r"The vertical cutoff is proportional to $B_0\cos^4\lambda/r^2$.",
            ),
            stated(
                claims, Routes("Stoermer's formula", "minimum of the effective potential, by root")
            ),
        ),
    )


def _cutoff(
    moment: float, radius: float, latitude: float, motion: float, decline: float = 3.0
) -> float:
    """Rigidity (T m) at which the pass to infinity opens.

    ``motion`` is the cosine between the motion and the sense in which the field turns the particle.
    """
    import numpy as np

    axis = radius * cos(latitude)
    # Flux function of the decline in the plane; for a dipole also off it.
    here = moment * cos(latitude) ** 2 / ((decline - 2) * radius ** (decline - 2))
    unit = moment / radius ** (decline - 1)
    outside = radius * np.exp(np.linspace(0.0, 4.0, 801))
    flux = moment / ((decline - 2) * outside ** (decline - 2))

    def barrier(log_rigidity: float) -> float:
        rigidity = exp(log_rigidity) * unit
        bound = outside * rigidity + flux
        at = min(max(int(np.argmin(bound)), 1), len(bound) - 2)
        low, mid, high = (float(value) for value in bound[at - 1 : at + 2])
        curve, slope = low - 2 * mid + high, (high - low) / 2
        least = mid - slope**2 / (2 * curve) if mid <= min(low, high) else min(low, high)
        return float((least - motion * axis * rigidity) / here) - 1.0

    return float(exp(bracketed_root(barrier, log(1e-5), log(1.5))) * unit)


FAMILY = Family(
    title="Stoermer cutoff rigidity",
    assumptions=(
        "static axisymmetric magnetic field, no electric field",
        "main cone: no penumbra and no shadow of the planet",
    ),
    sources=(
        "Stoermer 1955, The Polar Aurora, part II",
        "Smart & Shea 2005, Adv. Space Res. 36, 2012",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
