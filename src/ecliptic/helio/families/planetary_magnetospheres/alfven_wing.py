r"""Alfvén wings of a conducting moon in the corotating plasma of its planet.

Each wing carries field-aligned current as a conductance \Sigma_A = 1 / (\mu_0 v_A \sqrt{1 + M^2}).
With the Pedersen conductance of the moon as a disc or ring the potential in the plane across the
field obeys

.. math:: \nabla \cdot [(\Sigma_P + 2 \Sigma_A) \nabla \Phi] = 0, \qquad
          -\nabla \Phi \to \mathbf{E}_0 = -\mathbf{u} \times \mathbf{B}.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import hypot, log, pi, sqrt

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, number_tex, tex

_WINGS = (
    "two Alfvén wings, north and south, lead the current away and are not disturbed by reflections"
)
_DISC = (
    "The moon acts as a flat disc across the field, with radius $R$ and the height-integrated "
    r"Pedersen conductance $\Sigma_P$ (uniform; no Hall conductance, no conductance outside)"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Wing conductance, current of a wing, and the heat in the moon's ionosphere."""
    from astropy import constants

    field = draw.quantity(300.0, 2000.0, "nT", log=True)
    density = draw.quantity(100.0, 3000.0, "cm-3", log=True)
    mass = draw.integer(16, 24)
    speed = draw.quantity(30.0, 100.0, "km s-1")
    radius = draw.quantity(1000.0, 2600.0, "km")
    pedersen = draw.quantity(5.0, 100.0, "S", log=True)
    rho = density * mass * constants.u
    alfven = (field / (constants.mu0 * rho) ** 0.5).to("km s-1")
    mach = float((speed / alfven).to_value(""))
    if mach > 0.7:
        return numeric(draw)
    wing = (1 / (constants.mu0 * alfven * sqrt(1 + mach**2))).to("S")
    inside = 4 * wing / (pedersen + 4 * wing) * speed * field
    current = (pedersen * radius * inside).to("MA")
    heat = (pedersen * inside**2 * pi * radius**2).to("GW")
    values = (
        f"a field of {tex(field)}, {tex(density)} ions of mean mass {mass} u and a speed of "
        f"{tex(speed)} relative to the moon, perpendicular to the field"
    )
    setting = draw.phrase(
        f"The plasma that flows past a moon has {values}. Alfvén waves carry the perturbation "
        "away along the two wings.",
        f"A moon is embedded in magnetospheric plasma with {values}. It excites two Alfvén wings.",
    )
    b, u = field.value * 1e-9, speed.value * 1e3
    other_rho = density.value * 1e6 * mass * si.M_U
    other = 1 / (si.MU_0 * hypot(u, b / sqrt(si.MU_0 * other_rho)))
    size = radius.value * 1e3
    total, power = _disc(pedersen.value, other, size, u * b)
    first = Part(
        f"{setting} "
        + draw.phrase(
            "What is the conductance $\\Sigma_A$ of one wing (not only to lowest order in the "
            "Alfvénic Mach number)?",
            "Find the Alfvén conductance $\\Sigma_A$ of a wing, with its dependence on the "
            "Alfvénic Mach number.",
        ),
        (
            r"The wing lies along the characteristic $\mathbf u \pm \mathbf v_A$, of magnitude "
            r"$v_A\sqrt{1+M_A^2}$.",
            rf"$v_A$ = {tex(alfven, 3)}, $M_A = {number_tex(mach)}$.",
            rf"$\Sigma_A = 1/(\mu_0v_A\sqrt{{1+M_A^2}})$ = {tex(wing, 3)}.",
        ),
        Numeric(
            wing,
            other,
            "S",
            Routes("closed form with units", "vector sum of flow and Alfvén velocity, SI numbers"),
        ),
    )
    second = Part(
        f"{_DISC}: $R$ = {tex(radius)} and $\\Sigma_P$ = {tex(pedersen)}; {_WINGS}. "
        + draw.phrase(
            "How large is the current that flows out along one wing (and back along it)?",
            "Which current does one wing carry away on one flank of the moon (and back on the "
            "other)?",
        ),
        (
            r"$\nabla\cdot[(\Sigma_P+2\Sigma_A)\nabla\Phi] = 0$: inside the disc "
            r"$E = 4\Sigma_AE_0/(\Sigma_P+4\Sigma_A)$ with $E_0 = uB$.",
            r"The current through the middle of the disc, $2R\Sigma_PE$, is shared by two wings.",
            f"$I = R\\Sigma_PE$ = {tex(current, 3)}.",
        ),
        Numeric(
            current,
            total / 1e6,
            "MA",
            Routes("potential in closed form, with units", "potential integrated radially"),
        ),
    )
    third = Part(
        draw.phrase(
            "How much power is dissipated in the moon's ionosphere, in its rest frame?",
            "What is the Joule heating of the disc, in the rest frame of the moon?",
        ),
        (
            r"$P = \Sigma_PE^2\pi R^2$ with the uniform field of the disc.",
            f"$P$ = {tex(heat, 3)}.",
        ),
        Numeric(
            heat,
            power / 1e9,
            "GW",
            Routes("potential in closed form, with units", "potential integrated radially"),
        ),
    )
    return first, second, third


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Field, current or heat of a ring of Pedersen conductance around a moon without any."""
    q = Fraction(draw.integer(1, 12), draw.integer(1, 3))
    share = Fraction(draw.integer(0, 3), 4) if draw.choice((True, False)) else Fraction(2, 3)
    asked = draw.choice(("I", "E") if share else ("I", "E", "I_0"))
    wing, e = draw.phrase(r"\Sigma_A", r"\Sigma_w"), draw.phrase("E_0", "E_\\infty")
    radius = draw.phrase("R", "a")
    # in units of the conductance of a wing
    outer, middle = Fraction(2), 2 + q
    core = 4 * outer * middle / ((middle + outer) ** 2 - share**2 * (middle - outer) ** 2)
    rising, falling = core * (1 + outer / middle) / 2, core * (1 - outer / middle) / 2
    amount = q * (rising * (1 - share) + falling * share * (1 - share))
    if share == 0:
        rising = 2 * outer / (middle + outer)
        core, amount = rising, q * rising
    if asked == "I_0":
        final = rf"$I = \frac{{4{wing}\Sigma_P}}{{\Sigma_P + 4{wing}}}{radius}{e}$"
    elif asked == "I":
        final = rf"$I = {factor_tex(amount)}{wing} {radius} {e}$"
    else:
        final = rf"$E = {factor_tex(core)}{e}$"
    body = (
        f"a disc of radius ${radius}$"
        if share == 0
        else f"a ring between the radii ${fraction_tex(share)}{radius}$ and ${radius}$ (with no "
        "conductance inside or outside)"
    )
    conductance = r"$\Sigma_P$" if asked == "I_0" else rf"$\Sigma_P = {factor_tex(q)}{wing}$"
    setting = draw.phrase(
        f"In the plane at right angles to the magnetic field a moon's ionosphere has the shape of "
        f"{body}. Its height-integrated Pedersen conductance is uniform, {conductance}, where "
        f"${wing}$ is the conductance of one Alfvén wing; {_WINGS}. Far away the electric field "
        f"in the rest frame of the moon is ${e}$, "
        "across the field.",
        f"Plasma streams past a moon; in the moon's frame the electric field far away is ${e}$. "
        f"The moon's ionosphere has the shape of {body}, in the plane at right angles to the "
        f"magnetic field, and the uniform height-integrated Pedersen conductance {conductance}. Of "
        f"conductance ${wing}$ each, {_WINGS}.",
    )
    place = "in the disc" if share == 0 else "at the centre, inside the ring"
    question = (
        f" Derive the electric field $E$ {place}."
        if asked == "E"
        else " Derive the current $I$ that leaves along one wing (and returns along it)."
    ) + " Hall conductances are neglected."
    ranges = {e: (0.5, 2.0)}
    field_unit = "kg(1/2) m(-1/2) s-1"
    units = {e: field_unit, "": field_unit}
    if asked != "E":
        ranges |= {wing: (0.5, 2.0), radius: (0.5, 2.0)}
        units |= {wing: "m s-1", radius: "m", "": "kg(1/2) m(3/2) s-2"}
    if asked == "I_0":
        ranges[r"\Sigma_P"], units[r"\Sigma_P"] = (0.5, 5.0), "m s-1"

    def check(at: Mapping[str, float]) -> float:
        conduct = at.get(wing, 1.0)
        pedersen = at.get(r"\Sigma_P", float(q) * conduct)
        inner, total, _ = _radial(pedersen, conduct, float(share))
        return inner * at[e] if asked == "E" else total * at[radius] * at[e]

    return (
        Part(
            setting + question,
            (
                r"Each wing takes the current density $\Sigma_A\nabla\cdot(\mathbf E - \mathbf "
                r"E_0)$, so that $\nabla\cdot[(\Sigma_P + 2\Sigma_A)\nabla\Phi] = 0$ in the plane.",
                r"$\Phi \propto (Ar + B/r)\sin\phi$ in each zone; the potential and "
                r"$(\Sigma_P+2\Sigma_A)\,\partial_r\Phi$ are continuous.",
                "Half of the Pedersen current through the middle leaves along each wing."
                if asked != "E"
                else "The field inside is uniform.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("harmonic functions matched", "radial equation integrated numerically"),
                units,
            ),
        ),
    )


_CHANGED = {
    "density": ("the plasma density", "cm-3"),
    "field": ("the field", "nT"),
    "pedersen": (r"the Pedersen conductance $\Sigma_P$", "S"),
    "speed": ("the speed of the flow", "km/s"),
}


def textual(draw: Draw) -> tuple[Part, ...]:
    """Wing conductance, current and heat of a disc under one change."""
    changed = draw.choice(tuple(_CHANGED))
    mass = draw.integer(16, 24)
    state = {
        "density": draw.number(500.0, 2500.0),
        "field": draw.number(1200.0, 2000.0),
        "pedersen": draw.number(3.0, 90.0, log=True),
        "speed": draw.number(40.0, 60.0),
    }
    other = float(f"{state[changed] * draw.number(1.3, 1.9):.2g}")
    values = draw.choice(((state[changed], other), (other, state[changed])))
    exact, found = [], []
    for value in values:
        now = state | {changed: value}
        b, u, sigma = now["field"] * 1e-9, now["speed"] * 1e3, now["pedersen"]
        alfven = b / sqrt(si.MU_0 * now["density"] * 1e6 * mass * si.M_U)
        wing = 1 / (si.MU_0 * alfven * sqrt(1 + (u / alfven) ** 2))
        inside = 4 * wing / (sigma + 4 * wing) * u * b
        exact.append((wing, sigma * inside, sigma * inside**2))
        second = 1 / (si.MU_0 * hypot(u, alfven))
        total, power = _disc(sigma, second, 1.0, u * b)
        found.append((second, total, power))
    changes = [(exact[1][i] / exact[0][i] - 1, found[1][i] / found[0][i] - 1) for i in range(3)]
    if any(0 < abs(one) < 3e-3 for one, _ in changes):
        return textual(draw)
    state[changed] = values[0]
    name, unit = _CHANGED[changed]
    listed = (
        f"{tex(state['density'], unit='cm-3')} ions of {mass} u, a field of "
        f"{tex(state['field'], unit='nT')} and a perpendicular flow of "
        f"{tex(state['speed'], unit='km/s')}"
    )
    then = tex(values[1], unit=unit)
    sigma_text = tex(state["pedersen"], unit="S")
    question = draw.phrase(
        f"A moon is in magnetospheric plasma with {listed}. {_DISC}, with $\\Sigma_P$ = "
        f"{sigma_text}; {_WINGS}. If {name} changes to {then} and all else is kept, how do the "
        "Alfvén conductance of a wing, the current in a wing and the Joule heating of the disc "
        "change, if at all?",
        f"{_DISC}; $\\Sigma_P$ is {sigma_text}, {_WINGS}. The surrounding plasma has {listed}. "
        "State how the Alfvén conductance of a wing, the current in a wing and the Joule heating "
        f"of the disc (in the moon's frame) change, if at all, when {name} becomes {then} (the "
        "rest is kept).",
    )
    claims = change_claims(
        ("Alfvén conductance", "current in a wing", "Joule heating of the disc"),
        *zip(*changes, strict=True),
    )
    return (
        Part(
            question,
            (
                r"$\Sigma_A = 1/(\mu_0\sqrt{v_A^2+u^2})$ and, in the disc, "
                r"$E = 4\Sigma_AuB/(\Sigma_P+4\Sigma_A)$.",
                rf"$\Sigma_A$ goes from {number_tex(exact[0][0])} to {number_tex(exact[1][0])} S; "
                r"$I = R\Sigma_PE$ and $P = \pi R^2\Sigma_PE^2$.",
            ),
            stated(claims, Routes("closed forms", "potential integrated radially")),
        ),
    )


def _disc(pedersen: float, wing: float, radius: float, field: float) -> tuple[float, float]:
    """Current of one wing and power in the disc."""
    _, total, power = _radial(pedersen, wing, 0.0)
    return total * radius * field, power * (radius * field) ** 2


def _radial(pedersen: float, wing: float, share: float) -> tuple[float, float, float]:
    """Central field, current of a wing and power for E_0 = 1 and R = 1.

    The potential f(r) sin(phi) is integrated outwards, in t = ln r, as f and the radial current
    g = sigma r f' (so that both are continuous), with classical Runge-Kutta steps; the rising part
    of f outside normalises it to E_0. Current and power are sums over the conductor.
    """
    inner = share or 0.05

    def advance(f: float, g: float, sigma: float, h: float) -> tuple[float, float]:
        # f' = g / sigma and g' = sigma f in t
        k1 = (g / sigma, sigma * f)
        k2 = ((g + h / 2 * k1[1]) / sigma, sigma * (f + h / 2 * k1[0]))
        k3 = ((g + h / 2 * k2[1]) / sigma, sigma * (f + h / 2 * k2[0]))
        k4 = ((g + h * k3[1]) / sigma, sigma * (f + h * k3[0]))
        return (
            f + h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]),
            g + h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1]),
        )

    core = 2 * wing if share else 2 * wing + pedersen
    f, g = inner, core * inner
    sigma = 2 * wing + pedersen
    steps = 60
    h = -log(inner) / steps
    # in the middle of a disc f = r: what the conductor adds there
    current, power = (0.0, 0.0) if share else (inner, inner**2)
    for _ in range(steps):
        middle = advance(f, g, sigma, h / 2)
        end = advance(*middle, sigma, h / 2)
        # Simpson's rule for the integrals of f dt and of (f'^2 + f^2) dt
        rows = ((f, g), middle, end)
        weights = (h / 6, 4 * h / 6, h / 6)
        current += sum(w * row[0] for w, row in zip(weights, rows, strict=True))
        power += sum(
            w * ((row[1] / sigma) ** 2 + row[0] ** 2) for w, row in zip(weights, rows, strict=True)
        )
        f, g = end
    # outside f = A r + B / r with g = 2 wing (A r - B / r), at r = 1
    far = (f + g / (2 * wing)) / 2
    return 1 / far, pedersen * current / far, pi * pedersen * power / far**2


FAMILY = Family(
    title="Alfvén wings of a conducting moon",
    assumptions=(
        "uniform plasma and field around the moon, flow perpendicular to the field",
        "no reflected waves, no Hall conductance, flat conductor across the field",
    ),
    sources=(
        "Neubauer 1980, Journal of Geophysical Research 85, 1171",
        "Saur et al. 2013, Astronomy and Astrophysics 552, A119",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
