r"""A thin flux tube in static equilibrium: buoyancy against the tension of its arch.

Inside and outside at one temperature at every height, the tube keeps
:math:`B^2/2\mu_0 \propto p` and lacks the weight :math:`B^2/(2 \mu_0 H)` a volume. Normal to its
axis, at the angle :math:`\theta` to the horizontal,

.. math:: \frac{B^2}{\mu_0} \frac{d\theta}{ds} = -\frac{B^2}{2 \mu_0 H} \cos\theta .
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import cos, exp, log, radians, tan

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, power_tex, tex

_TUBE = (
    "a thin magnetic flux tube is in static equilibrium and has at every height the temperature of "
    "the field-free gas around it"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Height of the apex, then the distance of the feet."""
    from astropy import constants
    from numpy.polynomial.legendre import leggauss

    temperature = draw.quantity(1.2, 2.3, "MK")
    gravity = draw.quantity(400.0, 540.0, "m s-2", digits=3)
    angle = draw.number(20.0, 60.0)
    mean_mass = draw.choice((0.6, 0.61, 0.62))
    index = draw.choice((1.5, 2.0, 2.5, 3.0))
    field = draw.number(2.0, 9.0)
    setting = draw.phrase(
        f"At the base of a stratified layer of the solar interior the temperature is "
        f"{tex(temperature)}; it falls with height so that $p \\propto T^{{n+1}}$ with "
        f"$n$ = {tex(index)}. Gravity is uniform, {tex(gravity)}, and the mean molecular weight is "
        f"{tex(mean_mass)}. In this gas {_TUBE}. It leaves the base at {tex(angle, unit='deg')} to "
        f"the horizontal, with a field of {tex(field, unit='T')}, and forms an arch.",
        f"In a polytropic layer ($p \\propto T^{{n+1}}$, $n$ = {tex(index)}) with uniform gravity "
        f"{tex(gravity)}, mean molecular weight {tex(mean_mass)} and a temperature of "
        f"{tex(temperature)} at the bottom, {_TUBE}. At the bottom its field is "
        f"{tex(field, unit='T')} and it makes an angle of {tex(angle, unit='deg')} with the "
        "horizontal; from there it arches up.",
    )
    scale = (constants.k_B * temperature / (mean_mass * constants.m_p * gravity)).to("Mm")
    theta = radians(angle)
    height = (index + 1) * scale * (1 - cos(theta) ** (2 / (index + 1)))
    nodes, weights = leggauss(24)
    at = theta * (nodes + 1) / 2
    shape = float(
        sum(theta / 2 * weights * [(cos(theta) / cos(t)) ** (2 / (index + 1)) for t in at])
    )
    span = 4 * scale * shape
    scale_mm = si.K_B * temperature.value * 1e6 / (mean_mass * si.M_P * gravity.value) / 1e6
    apex, half = _trace(theta, lambda z: scale_mm - z / (index + 1))
    first = Part(
        f"{setting} "
        + draw.phrase(
            "How high above the bottom is the apex of the arch?",
            "Find the height of its apex above the bottom of the layer.",
        ),
        (
            r"Tension against buoyancy: $\frac{B^2}{\mu_0}\frac{d\theta}{ds} = "
            r"-\frac{B^2}{2\mu_0 H}\cos\theta$; with $dz = \sin\theta\,ds$: "
            r"$\tan\theta\,d\theta = -dz/2H$.",
            r"With $dp/p = -dz/H$, $p\cos^2\theta$ is constant along the tube, so "
            r"$p_{\rm apex} = p_0\cos^2\theta_0$.",
            r"$p \propto T^{n+1}$ and $T = T_0[1 - z/((n+1)H_0)]$ give "
            r"$z = (n+1)H_0[1 - (\cos\theta_0)^{2/(n+1)}]$ = "
            f"{tex(height, 3, unit='Mm')}.",
        ),
        Numeric(
            height,
            apex,
            "Mm",
            Routes("integral of the balance with units", "arch traced step by step, SI numbers"),
        ),
    )
    second = Part(
        draw.phrase(
            "How far apart are its two feet at the bottom?",
            "What is the horizontal distance between its two feet?",
        ),
        (
            r"$d\theta/dx = -1/2H$ and $H = H_0(\cos\theta_0/\cos\theta)^{2/(n+1)}$.",
            r"$\Delta x = 4H_0\int_0^{\theta_0}(\cos\theta_0/\cos\theta)^{2/(n+1)}d\theta$ = "
            f"{tex(span, 3, unit='Mm')}.",
        ),
        Numeric(
            span,
            2 * half,
            "Mm",
            Routes("quadrature over the angle", "arch traced step by step, SI numbers"),
        ),
    )
    third = Part(
        draw.phrase("How strong is the field at the apex?", "Find the magnetic field at the apex."),
        (
            r"Equal temperatures make $B^2/2\mu_0$ the same share of $p$ everywhere, so "
            r"$B \propto p^{1/2}$ and $B_{\rm apex} = B_0\cos\theta_0$ = "
            f"{tex(field * cos(theta), 3, unit='T')}.",
        ),
        Numeric(
            field * cos(theta),
            field * (1 - apex / ((index + 1) * scale_mm)) ** ((index + 1) / 2),
            "T",
            Routes("share of the pressure at the apex", "pressure at the traced height"),
        ),
    )
    return first, second, third


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Apex of the arch by the inclination at its feet or by their distance."""
    index = draw.choice([None, *(Fraction(k, 4) for k in range(2, 17))])
    asked = draw.choice(("height", "field")) if index is not None else draw.choice(("h", "b", "x"))
    tilt, scale = draw.phrase(r"\theta_0", r"\psi"), draw.phrase("H_0", "H")
    share = draw.choice([Fraction(1, 1), Fraction(1, 2), Fraction(3, 4), Fraction(2, 3)])
    share = Fraction(1) if asked == "x" else share
    background = (
        f"an isothermal gas with scale height ${scale}$"
        if index is None
        else f"a polytropic gas ($p \\propto T^{{{power_tex(1 + index)}}}$) with the pressure "
        f"scale height ${scale}$ at the bottom"
    )
    feet = f"its feet at the bottom are inclined by ${tilt}$ to the horizontal"
    part = factor_tex(share)
    level = f"where the axis is inclined by only ${part}\\,{tilt}$ on the way up"
    bend = rf"\frac{{\cos {tilt}}}{{\cos({part} {tilt})}}" if share != 1 else rf"\cos {tilt}"
    if index is None and asked == "x":
        given = "its feet at the bottom are a distance $L$ apart"
        ask = "height $h$ of its apex"
        final = rf"$h = -2{scale}\ln\cos\left(\frac{{L}}{{4{scale}}}\right)$"
    elif asked in ("height", "h"):
        given, ask = feet, "height $h$ of its apex above the bottom"
        ask = ask if share == 1 else f"height $h$ above the bottom {level}"
        final = (
            rf"$h = -2{scale}\ln\left({bend}\right)$"
            if index is None
            else rf"$h = {factor_tex(1 + index)}{scale}\left(1 - \left({bend}\right)"
            rf"^{{{power_tex(2 / (1 + index))}}}\right)$"
        )
    else:
        given = (
            "its feet at the bottom, where the field is $B_0$, are inclined by "
            f"${tilt}$ to the horizontal"
        )
        ask = f"field strength $B$ {'at its apex' if share == 1 else level}"
        final = rf"$B = B_0 {bend}$"
    final = final.replace("^{1}", "")
    question = draw.phrase(
        f"Uniform gravity acts on {background}. In it {_TUBE}; {given}. Neglect the stiffness of "
        f"the tube, so that tension and buoyancy balance. Derive the {ask}.",
        f"In {background}, under uniform gravity, {_TUBE}, held by magnetic tension against its "
        f"buoyancy; {given}. Find the {ask}.",
    )
    ranges = {"L": (0.5, 4.5)} if asked == "x" else {tilt: (0.2, 1.2)}
    units = {"": "m", "L": "m", tilt: "", scale: "m"}
    if asked in ("field", "b"):
        ranges["B_0"], units["B_0"], units[""] = (0.5, 2.0), "T", "T"
    else:
        ranges[scale] = (0.8, 1.6)
    units = {name: units[name] for name in ("", *ranges)}

    def check(at: Mapping[str, float]) -> float:
        height = at.get(scale, 1.0)

        def local(z: float) -> float:
            return height if index is None else height - z / float(1 + index)

        angle = at["L"] / (4 * height) if asked == "x" else at[tilt]
        apex, _ = _trace(angle, local, 0.0 if share == 1 else angle * float(share))
        if asked not in ("field", "b"):
            return apex
        return float(at["B_0"] * _pressure(apex, height, index) ** 0.5)

    return (
        Part(
            question,
            (
                r"Equal temperatures: $B^2/2\mu_0 \propto p$, and the missing weight is "
                r"$B^2/(2\mu_0 H)$ a volume.",
                r"Normal balance: $d\theta/ds = -\cos\theta/2H$, hence "
                r"$d\theta/dx = -1/2H$ and $d\ln\cos\theta = dz/2H = -\tfrac12 d\ln p$.",
                r"So $p \propto \cos^{-2}\theta$ and $B \propto 1/\cos\theta$ along the tube.",
                f"With the stratification: {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "arch traced by a Runge-Kutta integration"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """How apex and field answer to another inclination or another temperature."""
    gravity, which = draw.number(400.0, 540.0, digits=3), draw.choice(("angle", "heat", "both"))
    while True:
        steep = [draw.number(20.0, 65.0) for _ in range(2)]
        warm = [draw.number(1.0, 2.3) for _ in range(2)]
        if which == "angle":
            warm[1] = warm[0]
        elif which == "heat":
            steep[1] = steep[0]
        lower = [t * log(cos(radians(a))) for t, a in zip(warm, steep, strict=True)]
        if abs(log(lower[1] / lower[0])) > 0.15 and (
            which == "heat" or abs(steep[1] - steep[0]) > 4
        ):
            break
    ends = [
        f"{tex(t, unit='MK')} and feet inclined by {tex(a, unit='deg')}"
        for t, a in zip(warm, steep, strict=True)
    ]
    question = draw.phrase(
        "In an isothermal layer (mean molecular weight 0.6, gravity "
        f"{tex(gravity, unit='m s-2')}) {_TUBE}, its buoyancy held by "
        f"magnetic tension. Compare two such arches with the same field at the "
        f"feet: the first with {ends[0]} to the horizontal, the second with {ends[1]}. "
        "From the first to the second, how do the height of the arch and the magnetic field at its "
        "apex change, if at all?",
        f"Tension balances buoyancy where {_TUBE}. The layer is isothermal, with mean molecular "
        f"weight 0.6 and gravity {tex(gravity, unit='m s-2')}. One arch has {ends[0]} to the "
        f"horizontal, another {ends[1]}; the field at the feet is the same. Going from one to the "
        "other, what happens to the height of the arch and to the magnetic field at its apex?",
    )
    scales = [si.K_B * t * 1e6 / (0.6 * si.M_P * gravity) for t in warm]
    closed = [
        -2 * scale * log(cos(radians(angle))) for scale, angle in zip(scales, steep, strict=True)
    ]
    traced = [
        _trace(radians(angle), _uniform(scale))[0]
        for scale, angle in zip(scales, steep, strict=True)
    ]
    fields = [_pressure(z, scale, None) ** 0.5 for z, scale in zip(traced, scales, strict=True)]
    weaker = cos(radians(steep[1])) / cos(radians(steep[0])) - 1.0
    claims = (
        change_claim(
            "height of the arch", closed[1] / closed[0] - 1.0, traced[1] / traced[0] - 1.0
        ),
        change_claim("magnetic field at the apex", weaker, fields[1] / fields[0] - 1.0),
    )
    return (
        Part(
            question,
            (
                r"$d\theta/dx = -1/2H$ gives $h = -2H\ln\cos\theta_0$ with $H \propto T$.",
                r"$B \propto p^{1/2}$ and $p_{\rm apex} = p_0\cos^2\theta_0$: the field at the "
                "apex depends on the inclination alone.",
            ),
            stated(claims, Routes("closed forms", "traced arches")),
        ),
    )


def _uniform(scale: float) -> Callable[[float], float]:
    return lambda z: scale


def _pressure(z: float, scale: float, index: Fraction | None) -> float:
    """Pressure in units of that at the bottom."""
    if index is None:
        return exp(-z / scale)
    order = 1 + float(index)
    return float((1 - z / (order * scale)) ** order)


def _trace(
    start: float, scale_at: Callable[[float], float], stop: float = 0.0, steps: int = 80
) -> tuple[float, float]:
    """Height and distance when the tube has bent from one inclination to another (Runge-Kutta)."""
    step, z, x, angle = (stop - start) / steps, 0.0, 0.0, start

    def slope(theta: float, height: float) -> tuple[float, float]:
        bend = -2 * scale_at(height)
        return bend * tan(theta), bend

    for _ in range(steps):
        k1, l1 = slope(angle, z)
        k2, l2 = slope(angle + step / 2, z + step / 2 * k1)
        k3, l3 = slope(angle + step / 2, z + step / 2 * k2)
        k4, l4 = slope(angle + step, z + step * k3)
        z += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        x += step / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
        angle += step
    return z, x


FAMILY = Family(
    title="Static arch of a thin flux tube",
    assumptions=(
        "thin tube in temperature equilibrium with a field-free, hydrostatic ideal gas",
        "uniform gravity; no flow, no rotation",
    ),
    sources=(
        "Parker 1979, Cosmical Magnetic Fields, ch. 8",
        "Spruit 1981, Astronomy and Astrophysics 98, 155",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
