r"""Magnetic disturbance of a ring of trapped particles, from drift and gyration currents.

For equatorially mirroring particles of total energy E at the distance r, in the field
:math:`B = B_0 (R/r)^n`, the drift current and the magnetic moments of gyration give at the centre

.. math:: \Delta B = -\frac{\mu_0 E}{4\pi B r^3} (n - 1),

which for a dipole (n = 3) is the Dessler-Parker-Sckopke value, independent of r.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import log, pi

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import power_tex, raised_tex, ratio_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_OWN_FIELD = "the effect of the ring's own field on the drift and gyration is neglected"
_RING = (
    "all particles are non-relativistic, mirror at the equator and drift around the planet, and "
    + _OWN_FIELD
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Depression at the start of the recovery, then when it has fallen to a fraction."""
    from astropy import constants, units

    protons = draw.quantity(0.5, 4.0, "1e15 J")
    oxygen = draw.quantity(0.5, 5.0, "1e15 J")
    distance = draw.number(3.0, 5.5)
    field = draw.quantity(29.5, 31.2, "uT", digits=3)
    slow, fast = draw.quantity(18.0, 60.0, "h"), draw.quantity(3.0, 12.0, "h")
    fraction = draw.choice((0.2, 0.25, 0.3, 0.4, 0.5, 0.6))
    ring = tex(distance)
    energies = [f"${q.value}\\times 10^{{15}}\\ \\mathrm{{J}}$" for q in (protons, oxygen)]
    setting = draw.phrase(
        f"At the end of a storm's main phase protons of total energy {energies[0]} and oxygen ions "
        f"of {energies[1]} drift around the Earth in a symmetric ring at $L$ = {ring}.",
        f"A symmetric ring current at $L$ = {ring} holds {energies[0]} in protons and "
        f"{energies[1]} in oxygen ions when a storm begins to recover.",
    ) + (
        f" The Earth's field is that of a dipole ({tex(field)} on the equator at the surface); all "
        f"particles mirror at the equator and are non-relativistic, and {_OWN_FIELD}. Currents "
        "induced in the Earth multiply the depression by 3/2. "
    )
    energy = ((protons.value + oxygen.value) * 1e15) * units.J
    dipole_energy = 4 * pi * field**2 * constants.R_earth**3 / (3 * constants.mu0)
    drop = (1.5 * field * (2 * energy / (3 * dipole_energy)).to_value("")).to("nT")
    charges = (
        _centre_field(e * 1e15, distance * si.R_EARTH_M, field.value * 1e-6, 3.0, si.R_EARTH_M)
        for e in (protons.value, oxygen.value)
    )
    found = -1.5 * sum(drift + gyration for drift, gyration in charges) * 1e9
    start = (protons.value, oxygen.value)
    rates = (1 / slow.value, 1 / fast.value)
    time = _decay_time(start, rates, fraction)
    other = _decay_by_integration(start, rates, fraction)
    share = f"{100 * fraction:g}\\%"
    first = Part(
        setting
        + draw.phrase(
            "By how much does the ring current lower the northward field at the Earth?",
            "How large is the depression of the northward field that the ring current causes at "
            "the Earth?",
        )
        + " Take the field at the centre.",
        (
            r"Drift: $I = 3E/(2\pi B r^2)$ gives $-3\mu_0 E/(4\pi B r^3)$ at the centre; the "
            r"moments of gyration give $+\mu_0 E/(4\pi B r^3)$.",
            r"With $B r^3 = B_E R_E^3$: $\Delta B = -\mu_0 E/(2\pi B_E R_E^3)$ "
            "(Dessler-Parker-Sckopke).",
            f"Times 3/2: a depression of {tex(drop, 4, unit='nT')}.",
        ),
        Numeric(
            drop,
            found,
            "nT",
            Routes(
                "Dessler-Parker-Sckopke relation with units",
                "Biot-Savart field of the drift current, whose gradient drift comes from finite "
                "differences of the field, and of the gyration moments",
            ),
        ),
    )
    second = Part(
        draw.phrase(
            "During the recovery charge exchange alone removes the ions, with a lifetime of "
            f"{tex(slow, unit='h')} for the protons and {tex(fast, unit='h')} for the oxygen ions. "
            f"After how many hours has the depression fallen to ${share}$ of this value?",
            f"Charge exchange removes the ions: mean lifetime {tex(slow, unit='h')} (protons) and "
            f"{tex(fast, unit='h')} (oxygen). When, in hours after the start of the recovery, is "
            f"the depression down to ${share}$ of its initial value?",
        ),
        (
            "The depression is proportional to the energy "
            r"$E_p e^{-t/\tau_p} + E_o e^{-t/\tau_o}$.",
            f"It has ${share}$ of its initial value at $t$ = {tex(time, 3, unit='h')} (root by "
            "iteration).",
        ),
        Numeric(
            time * units.h,
            other,
            "h",
            Routes("root of the sum of exponentials", "integration of the loss equations"),
        ),
    )
    return first, second


_GIVEN = ("energy", "moment", "thermal")
_PARTS = {
    "total": "the total change {d} of the northward field at the centre",
    "drift": "the change {d} of the northward field at the centre that is due to the drift of "
    "their guiding centres alone",
    "induced": "the total change {d} of the northward field at the centre, if currents induced in "
    "the planet multiply it by $3/2$",
    "current": "the total westward electric current $I$ of their guiding-centre drift",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Drift current and disturbance in a field of any decay, by energy or by moments."""
    n = draw.choice([Fraction(*at) for at in ((3, 1), (3, 1), (5, 2), (7, 2), (4, 1), (2, 1))])
    given, asked = draw.choice(_GIVEN), draw.choice(tuple(_PARTS))
    distance, moment = draw.phrase("r", "a"), draw.phrase(r"\mu", "M")
    source = {
        "energy": "positive ions of the total kinetic energy $E$",
        "moment": f"$N$ positive ions, each with the magnetic moment of gyration ${moment}$",
        "thermal": "$N$ positive ions of mean kinetic energy $K$",
    }[given]
    law = "(dipole)" if n == 3 else "(not a dipole)"
    change = r"$\Delta B$"
    setting = draw.phrase(
        f"In the equatorial plane of a planet the field points north, with the strength $B_0 "
        f"(R/r)^{{{power_tex(n)}}}$ {law}. A symmetric ring at the distance ${distance}$ holds "
        f"{source}; {_RING}.",
        f"A symmetric ring of {source}{',' if given == 'moment' else ''} lies at the distance "
        f"${distance}$ from the centre of a planet whose equatorial field points north and falls "
        f"as $B = B_0 (R/r)^{{{power_tex(n)}}}$ {law}; {_RING}.",
    )
    question = (
        f"{setting} Electrons are cold. "
        + draw.phrase("Derive ", "Find ")
        + _PARTS[asked].format(d=change)
        + ("." if asked == "current" else r" ($\mu_0$: vacuum permeability).")
    )
    # with W = mu B the local field drops out when the moments are given
    amount = {"energy": "E", "moment": f"N {moment}", "thermal": "N K"}[given]
    power = 3 - n
    if given == "moment":
        below = f"{distance}^3"
    else:
        below = f"B_0 R^{{{power_tex(n)}}}"
        shift = power - (1 if asked == "current" else 0)
        if shift > 0:
            below += f" {raised_tex(distance, shift)}"
        elif shift < 0:
            amount += f" {raised_tex(distance, -shift)}"
    if asked == "current":
        below = f"{distance}^2" if given == "moment" else below
        final = f"$I = {_quotient(n / 2, amount, below)}$"
    else:
        number = {"total": n - 1, "drift": n, "induced": (n - 1) * Fraction(3, 2)}[asked] / 4
        over = rf"\mu_0 {amount}"
        final = rf"$\Delta B = -{_quotient(number, over, below)}$"
    ranges: dict[str, tuple[float, float]] = {}
    units: dict[str, str] = {"": "A" if asked == "current" else "T"}
    if asked != "current":
        ranges[r"\mu_0"], units[r"\mu_0"] = (0.5, 2.0), "H m-1"
    for name, unit in {
        "energy": {"E": "J"},
        "moment": {"N": "", moment: "A m2"},
        "thermal": {"N": "", "K": "J"},
    }[given].items():
        ranges[name], units[name] = (0.5, 2.0), unit
    if given != "moment":
        ranges |= {"B_0": (0.5, 2.0), "R": (0.6, 1.5)}
        units |= {"B_0": "T", "R": "m"}
    if not (given != "moment" and (power == 0 if asked != "current" else n == 2)):
        ranges[distance], units[distance] = (1.5, 4.0), "m"

    def check(at: Mapping[str, float]) -> float:
        b0, r0, r = at.get("B_0", 1.3), at.get("R", 0.9), at.get(distance, 2.2)
        decay = float(n)
        energy = at.get("E", at.get("N", 1.0) * at.get("K", 1.0))
        if given == "moment":
            energy = at["N"] * at[moment] * b0 * (r0 / r) ** decay
        if asked == "current":
            return _drift_current(energy, r, b0, decay, r0)
        drift, gyration = _centre_field(energy, r, b0, decay, r0, at[r"\mu_0"])
        return {
            "total": drift + gyration,
            "drift": drift,
            "induced": 1.5 * (drift + gyration),
        }[asked]

    return (
        Part(
            question,
            (
                r"Gradient drift: $v_d = W |dB/dr|/(q B^2) = "
                rf"{power_tex(n)}\,W/(q B r)$, westward, with $W$ the energy of one ion.",
                rf"The ring carries $I = {power_tex(n)}\,E/(2\pi B r^2)$, $E = \sum W$.",
                r"Its field at the centre is $-\mu_0 I/(2r)$; the moments $W/B$, opposite to the "
                r"field, add $+\mu_0 E/(4\pi B r^3)$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "drift and gyration currents in closed form",
                    "gradient by finite differences, Biot-Savart sum over the ring",
                ),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """The ring is moved, at constant energy or at constant magnetic moment."""
    near, far = draw.number(2.5, 4.5), draw.number(5.0, 8.0)
    inward = draw.choice((True, False))
    start, end = (far, near) if inward else (near, far)
    kept = draw.choice(("energy", "moment"))
    mass = draw.number(0.5, 6.0)
    how = {
        "energy": "Losses and sources keep the total kinetic energy of the ring constant meanwhile."
        "",
        "moment": "No particle is lost, and the first adiabatic invariant of each is kept.",
    }[kept]
    question = (
        draw.phrase(
            f"A symmetric ring of ions with the total energy ${mass}\\times 10^{{15}}$ J is "
            f"carried from $L$ = {tex(start)} to $L$ = {tex(end)} in the Earth's dipole field; ",
            f"Ions of total energy ${mass}\\times 10^{{15}}$ J form a symmetric ring at $L$ = "
            f"{tex(start)} in the Earth's dipole field, and are moved to $L$ = {tex(end)}; ",
        )
        + f"they are non-relativistic and mirror at the equator, and {_OWN_FIELD}. "
        + how
        + " "
        + draw.phrase(
            "How do the total current of the guiding-centre drift and the depression of the field "
            "at the Earth's centre (drift and gyration) change, if at all?",
            "Say how the total current of the guiding-centre drift and the depression of the field "
            "at the Earth's centre (drift and gyration) change, if at all.",
        )
    )
    ratio = end / start
    current = (ratio if kept == "energy" else ratio**-2) - 1
    drop = (1.0 if kept == "energy" else ratio**-3) - 1
    states = []
    for shell in (start, end):
        energy = 1e15 * (1.0 if kept == "energy" else (shell / start) ** -3)
        at = shell * si.R_EARTH_M
        fields = _centre_field(energy, at, 3.1e-5, 3.0, si.R_EARTH_M)
        states.append((_drift_current(energy, at, 3.1e-5, 3.0, si.R_EARTH_M), sum(fields)))
    claims = change_claims(
        ("drift current", "depression of the field"), (current, drop), relative_changes(*states)
    )
    return (
        Part(
            question,
            (
                r"$I = 3E/(2\pi B r^2) \propto E r$ in a dipole.",
                r"$|\Delta B| = \mu_0 E/(2\pi B_E R_E^3)$ depends on the energy only.",
                "The energy is kept."
                if kept == "energy"
                else r"With the moments kept $E \propto B \propto r^{-3}$, so $I \propto r^{-2}$.",
            ),
            stated(
                claims, Routes("powers of L", "gradient by finite differences, Biot-Savart sum")
            ),
        ),
    )


def _quotient(number: Fraction, over: str, below: str) -> str:
    """A rational number times over / (pi below)."""
    return ratio_tex(number, over, rf"\pi {below}")


def _drift_current(energy: float, r: float, b0: float, n: float, r0: float) -> float:
    """Westward current, with the gradient by central differences of fourth order."""
    step = 1e-3 * r
    slope = 0.0
    for shift, weight in ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0)):
        slope += weight * b0 * (r0 / (r + shift * step)) ** n / (12 * step)
    field = b0 * (r0 / r) ** n
    # charge times number times drift speed per length of the ring
    return float(-energy * slope / field**2 / (2 * pi * r))


def _centre_field(
    energy: float, r: float, b0: float, n: float, r0: float, mu0: float = si.MU_0
) -> tuple[float, float]:
    """Northward fields at the centre: of the drift (Biot-Savart sum) and of the gyration."""
    import numpy as np

    current = _drift_current(energy, r, b0, n, r0)
    angle = np.arange(16) * 2 * pi / 16
    place = r * np.stack([np.cos(angle), np.sin(angle), 0 * angle])
    element = r * (2 * pi / 16) * np.stack([np.sin(angle), -np.cos(angle), 0 * angle])
    field = np.cross(element, -place, axis=0) / r**3
    drift = mu0 * current / (4 * pi) * float(field[2].sum())
    # moments point south; on its equator a dipole of moment m has the field -mu_0 m / (4 pi r^3)
    moment = -energy / (b0 * (r0 / r) ** n)
    return drift, -mu0 * moment / (4 * pi * r**3)


def _decay_time(start: tuple[float, float], rates: tuple[float, float], fraction: float) -> float:
    from math import exp

    def left(time: float) -> float:
        return (
            sum(e * exp(-k * time) for e, k in zip(start, rates, strict=True)) / sum(start)
            - fraction
        )

    return bracketed_root(left, 0.0, 400.0)


def _decay_by_integration(
    start: tuple[float, float], rates: tuple[float, float], fraction: float
) -> float:
    """Time as a function of the remaining energy: dt/d(ln E) integrated along the solution."""
    from scipy.integrate import solve_ivp

    def slope(_: float, state: list[float]) -> list[float]:
        a, b, _time = state
        loss = (rates[0] * a + rates[1] * b) / (a + b)
        return [-rates[0] * a / loss, -rates[1] * b / loss, 1 / loss]

    end = log(1 / fraction)
    found = solve_ivp(slope, (0.0, end), [*start, 0.0], method="DOP853", rtol=1e-9, atol=1e-12)
    return float(found.y[2, -1])


FAMILY = Family(
    title="Ring current: drift, gyration and the Dessler-Parker-Sckopke relation",
    assumptions=(
        "symmetric ring, equatorially mirroring non-relativistic ions, cold electrons",
        "disturbance small against the planet's field",
    ),
    sources=(
        "Dessler & Parker 1959, J. Geophys. Res. 64, 2239; Sckopke 1966, J. Geophys. Res. 71, 3125",
        "Baumjohann & Treumann 1996, Basic Space Plasma Physics, ch. 3",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
