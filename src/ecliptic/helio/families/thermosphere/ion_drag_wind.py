r"""Neutral wind set up by convecting ions, turned by the Coriolis force, and its Joule heating.

In complex horizontal notation (x east, y north, northern hemisphere f > 0)

.. math:: \frac{du}{dt} = \nu (w - u) - i f u, \qquad q = \rho \nu |w - u|^2,

with the ion drift w, the neutral wind u and the neutral-ion collision frequency nu.
"""

from __future__ import annotations

import cmath
from collections.abc import Callable, Mapping
from itertools import pairwise
from math import radians, sin
from typing import TYPE_CHECKING, Any

from ecliptic.helio.families.answers import Claim, Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    pass

_OMEGA = 7.2921e-5
"""Rotation of the Earth (rad/s), stated in the questions."""


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Steady wind, its Joule heat against that of a gas at rest, and the warming until then."""
    from astropy import units

    latitude = draw.quantity(60.0, 82.0, "deg")
    nu = draw.quantity(5e-5, 4e-4, "s-1", log=True)
    drift = draw.quantity(400.0, 1500.0, "m s-1")
    density = draw.quantity(2e-10, 3e-9, "kg m-3", log=True)
    hours = draw.quantity(1.0, 6.0, "h")
    heat = draw.quantity(1100.0, 1300.0, "J kg-1 K-1")
    rotation = _OMEGA / units.s
    setting = draw.phrase(
        f"At the northern latitude {tex(latitude)} the ions of the thermosphere drift with the "
        f"uniform velocity of {tex(drift)}. The neutral gas of density {tex(density)} is dragged "
        f"along: its momentum follows the ions' with the neutral-ion collision frequency "
        rf"$\nu$ = {tex(nu)}, and the Coriolis force acts on it; pressure gradients, viscosity "
        r"and advection are negligible. The Earth rotates with $7.2921\times 10^{-5}\ "
        r"\mathrm{s^{-1}}$.",
        f"Ions that drift uniformly with {tex(drift)} accelerate the neutral gas "
        f"(density {tex(density)}) of the high-latitude thermosphere at {tex(latitude)} north: "
        r"$d\mathbf u/dt = \nu(\mathbf w - \mathbf u) - f\,\hat{\mathbf z}\times\mathbf u$ "
        rf"for the neutral wind $\mathbf u$ and the ion drift $\mathbf w$, with "
        rf"$\nu$ = {tex(nu)}, $f = 2\Omega\sin\lambda$ at the latitude $\lambda$ and "
        r"$\Omega = 7.2921\times 10^{-5}\ \mathrm{s^{-1}}$.",
    )
    f = 2 * rotation * sin(radians(latitude.value))
    share = 1 / (1 + 1j * float((f / nu).to_value("")))
    rate = complex(float((nu * hours).to_value("")), float((f * hours).to_value("")))
    wind = drift * abs(share * (1 - cmath.exp(-rate)))
    lag = 1 - share * (1 - cmath.exp(-rate))
    power = (density * nu * drift**2 * abs(lag) ** 2).to("uW m-3")
    warming = (nu * drift**2 * abs(1 - share) ** 2 / heat).to("K h-1")
    fields = (nu.value, 2 * _OMEGA * sin(radians(latitude.value)))
    u_x, u_y = _by_steps(fields, drift.value, hours.value * 3600)
    gap = (drift.value - u_x) ** 2 + u_y**2
    s_x, s_y = _steady(fields, drift.value)
    routes = Routes("complex exponential with units", "matrix exponential of the momentum balance")
    return (
        Part(
            f"{setting} "
            + draw.phrase(
                f"The gas is at rest when the drift sets in. What is the wind speed {tex(hours)} "
                "later?",
                f"How fast is the neutral wind {tex(hours)} after it began from rest?",
            ),
            (
                r"With $u = u_x + iu_y$: $du/dt = \nu(w-u) - ifu$, so $u = \frac{\nu w}{\nu+if}"
                r"\left[1 - e^{-(\nu+if)t}\right]$.",
                rf"$f$ = {tex(f, 4)}, and $|u|$ = {tex(wind, 3)}.",
            ),
            Numeric(wind, (u_x**2 + u_y**2) ** 0.5, "m s-1", routes),
        ),
        Part(
            draw.phrase(
                "What is the Joule (frictional) heating rate per volume at that time? Take all "
                "frictional heat of ions and neutrals together.",
                "Find the total frictional heating rate per volume of ions and neutrals at that "
                "time.",
            ),
            (
                r"The work of the electric field that is not turned into kinetic energy of the "
                r"gas is $\rho\nu|w-u|^2$.",
                f"$q$ = {tex(power, 3)}.",
            ),
            Numeric(power, density.value * nu.value * gap * 1e6, "uW m-3", routes),
        ),
        Part(
            draw.phrase(
                "The drift lasts until the wind is steady. All frictional heat goes to the neutral "
                f"gas, whose specific heat is {tex(heat)}, and none is lost. At which rate does "
                "its temperature then rise?",
                "Long after the onset the wind is constant. How fast does the temperature of the "
                "neutral gas then rise, if all frictional heat goes to it and nothing is lost "
                f"(specific heat {tex(heat)})?",
            ),
            (
                r"The steady wind has $w - u = ifw/(\nu+if)$, so that $q/\rho = \nu w^2 "
                r"f^2/(\nu^2+f^2)$: without the Earth's rotation nothing would be left.",
                f"$dT/dt = q/(\\rho c_p)$ = {tex(warming, 3)}.",
            ),
            Numeric(
                warming,
                nu.value * ((drift.value - s_x) ** 2 + s_y**2) / heat.value * 3600,
                "K h-1",
                Routes("closed form with units", "2 x 2 linear system of the steady balance"),
            ),
        ),
    )


_DRIFTS = {
    "steady": "is constant, $w$",
    "growing": "grows with time $t$ as $w\\,t/T$",
    "fading": "fades with time $t$ as $w\\,e^{-t/T}$, with $1/T \\neq \\nu$",
    "wave": "varies as $w\\cos\\Omega t$",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Wind, heating or energy for four courses of the drift, with or without rotation."""
    course = draw.choice(tuple(_DRIFTS))
    turned = draw.choice((True, False)) if course == "steady" else False
    nu, w = draw.phrase(r"\nu", r"\nu_n", "k"), draw.phrase("w", "V", "v_i")
    ask: tuple[str, ...] = {
        True: ("speed", "angle", "joule", "now", "across"),
        False: ("wind", "joule", "energy", "path", "start"),
    }[turned]
    if course == "wave":
        ask = ("amplitude", "joule", "mean")
    elif course == "growing":
        ask = ("wind", "joule", "path")
    elif course == "fading":
        ask = ("wind", "joule", "energy", "peak", "path")
    asked = draw.choice(ask)
    begun = "" if course == "wave" else " The gas is at rest at $t = 0$."
    if asked in ("speed", "angle", "joule") and turned:
        begun = " The wind has become steady."
    drift = _DRIFTS[course].replace("w", w).replace(f"gro{w}s", "grows").replace(f"{w}ith", "with")
    drift = drift.replace(r"\nu", nu)
    if course == "wave":
        begun = " All transients have died out."
    coriolis = r" - f\,\hat{\mathbf z}\times\mathbf u" if turned else ""
    rule = rf"$d\mathbf u/dt = {nu}(\mathbf{{u_i}} - \mathbf u){coriolis}$"
    frame = (
        r"with the Coriolis parameter $f > 0$ and the vertical unit vector $\hat{\mathbf z}$"
        if turned
        else "without other forces"
    )
    question = draw.phrase(
        rf"The neutral wind $\mathbf u$ of the thermosphere (density $\rho$) obeys {rule}, {frame}."
        rf" The ion drift $\mathbf{{u_i}}$ has a fixed horizontal direction and {drift}."
        f"{begun} Derive ",
        rf"Ions of the drift velocity $\mathbf{{u_i}}$ drag a neutral gas of density $\rho$: "
        rf"{rule} for its wind $\mathbf u$, {frame}. The drift keeps a horizontal direction; "
        f"its speed {drift}.{begun} Find ",
    )
    what = {
        "wind": "the wind speed $u(t)$.",
        "speed": "the wind speed $u$.",
        "angle": r"the angle $\varphi$ between the wind and the drift.",
        "joule": r"the Joule heating rate per volume, $q = \rho NU|\mathbf{u_i} - \mathbf u|^2$"
        + (", as a function of $t$." if not turned else "."),
        "energy": r"the Joule heat $W$ per volume, the integral of $\rho NU|\mathbf{u_i} - "
        r"\mathbf u|^2$ over all times $t > 0$.",
        "path": "the distance $s(t)$ that the gas has travelled.",
        "start": "the time $t$ at which the Joule heating $\\rho NU|\\mathbf{u_i} - "
        "\\mathbf u|^2$ has fallen to $1/COUNT$ of its initial value.",
        "now": "the wind speed $u(t)$.",
        "across": "the wind component $v(t)$ at right angles to the drift, counted positive to "
        "its right (looking along the drift, from above).",
        "amplitude": "the amplitude $u$ of the wind.",
        "mean": r"the mean Joule heating rate per volume $q$, the mean of $\rho NU|\mathbf{u_i} - "
        r"\mathbf u|^2$ over a period.",
        "peak": "the time $t$ at which the wind is fastest.",
    }
    if course == "wave" and asked == "joule":
        asked = "mean"
    count = draw.integer(2, 12)
    question += what[asked].replace("NU", f"{nu} ").replace("COUNT", str(count))
    final = _formula(course, turned, asked, (nu, w, count))
    ranges: dict[str, tuple[float, float]] = {}
    units: dict[str, str] = {}
    table = {
        nu: ("s-1", (0.5, 0.9)),
        w: ("m s-1", (0.5, 2.0)),
        "f": ("s-1", (0.5, 1.5)),
        "T": ("s", (1.4, 2.5)),
        r"\Omega": ("s-1", (0.5, 2.0)),
        r"\rho": ("kg m-3", (0.5, 2.0)),
        "t": ("s", (0.5, 1.8)),
    }
    needed = {nu}
    if asked not in ("angle", "start", "peak"):
        needed.add(w)
    if turned:
        needed.add("f")
    if course in ("growing", "fading"):
        needed.add("T")
    if course == "wave":
        needed.add(r"\Omega")
    if asked in ("joule", "energy", "mean"):
        needed.add(r"\rho")
    if asked in ("wind", "path", "now", "across") or (asked == "joule" and not turned):
        needed.add("t")
    if asked == "energy" and course == "steady":
        needed.discard(nu)
    for name, (unit, limits) in table.items():
        if name in needed:
            units[name], ranges[name] = unit, limits
    units[""] = {
        "angle": "",
        "joule": "W m-3",
        "mean": "W m-3",
        "energy": "J m-3",
        "path": "m",
        "start": "s",
        "peak": "s",
    }.get(asked, "m s-1")

    def check(at: Mapping[str, float]) -> float:
        k, speed = at.get(nu, 1.0), at.get(w, 1.0)
        state = dict(at) | {"k_nu": k, "k_w": speed}
        return _found(course, turned, asked, count, state)

    return (
        Part(
            question,
            (
                r"With $u = u_x + iu_y$ and the drift along $x$ the equation is linear: "
                rf"$du/dt + ({nu}{' + if' if turned else ''})u = {nu}u_i(t)$.",
                "Its solution is the response to each earlier drift, faded by the drag; heating "
                "follows from the difference of the velocities.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("integrating factor", "quadrature of the response or linear system"),
                units,
            ),
        ),
    )


def _formula(course: str, turned: bool, asked: str, names: tuple[str, str, int]) -> str:
    nu, w, count = names
    gone, slow = rf"e^{{-{nu} t}}", r"e^{-t/T}"
    if turned:
        base = rf"\sqrt{{{nu}^2 + f^2}}"
        return {
            "speed": rf"$u = \frac{{{nu} {w}}}{{{base}}}$",
            "angle": rf"$\varphi = \arctan\left(\frac{{f}}{{{nu}}}\right)$",
            "joule": rf"$q = \frac{{\rho {nu} f^2 {w}^2}}{{{nu}^2 + f^2}}$",
            "now": rf"$u = \frac{{{nu} {w}}}{{{base}}}\sqrt{{1 - 2{gone}\cos\left(f t\right) + "
            rf"e^{{-2{nu} t}}}}$",
            "across": rf"$v = \frac{{{nu} {w}}}{{{nu}^2 + f^2}}\left[f - {gone}\left(f\cos\left("
            rf"f t\right) + {nu}\sin\left(f t\right)\right)\right]$",
        }[asked]
    if course == "steady":
        return {
            "wind": rf"$u = {w}\left(1 - {gone}\right)$",
            "joule": rf"$q = \rho {nu} {w}^2 e^{{-2{nu} t}}$",
            "energy": rf"$W = \frac{{1}}{{2}}\rho {w}^2$",
            "path": rf"$s = {w}\left(t - \frac{{1 - {gone}}}{{{nu}}}\right)$",
            "start": rf"$t = \frac{{\ln {count}}}{{2{nu}}}$",
        }[asked]
    if course == "growing":
        return {
            "wind": rf"$u = \frac{{{w}}}{{T}}\left(t - \frac{{1 - {gone}}}{{{nu}}}\right)$",
            "joule": rf"$q = \frac{{\rho {w}^2}}{{{nu} T^2}}\left(1 - {gone}\right)^2$",
            "path": rf"$s = \frac{{{w}}}{{T}}\left(\frac{{t^2}}{{2}} - \frac{{t}}{{{nu}}} + "
            rf"\frac{{1 - {gone}}}{{{nu}^2}}\right)$",
        }[asked]
    if course == "fading":
        less = rf"{nu} T - 1"
        return {
            "wind": rf"$u = \frac{{{nu} T {w}}}{{{less}}}\left({slow} - {gone}\right)$",
            "joule": rf"$q = \rho {nu} {w}^2\left(\frac{{{nu} T {gone} - {slow}}}{{{less}}}"
            r"\right)^2$",
            "energy": rf"$W = \frac{{\rho {nu} {w}^2 T}}{{2\left(1 + {nu} T\right)}}$",
            "peak": rf"$t = \frac{{T\ln\left({nu} T\right)}}{{{less}}}$",
            "path": rf"$s = \frac{{{nu} T {w}}}{{{less}}}\left(T - T {slow} - "
            rf"\frac{{1 - {gone}}}{{{nu}}}\right)$",
        }[asked]
    return {
        "amplitude": rf"$u = \frac{{{nu} {w}}}{{\sqrt{{{nu}^2 + \Omega^2}}}}$",
        "mean": rf"$q = \frac{{\rho {nu} \Omega^2 {w}^2}}{{2\left({nu}^2 + \Omega^2\right)}}$",
    }[asked]


def _found(course: str, turned: bool, asked: str, count: int, at: Mapping[str, float]) -> float:
    """What is asked, from the response integral and, if steady, a linear system."""
    import numpy as np

    k, w, last = at["k_nu"], at["k_w"], at.get("T", 1.0)
    x, weight = gauss_legendre(40, 0.0, 1.0)
    if turned and asked in ("speed", "angle", "joule"):
        u_x, u_y = _steady((k, at["f"]), w)
        if asked == "angle":
            return float(abs(np.arctan2(u_y, u_x)))
        gap = (w - u_x) ** 2 + u_y**2
        return float((u_x**2 + u_y**2) ** 0.5 if asked == "speed" else at[r"\rho"] * k * gap)
    if turned:
        u_x, u_y = _by_steps((k, at["f"]), w, at["t"])
        return -u_y if asked == "across" else float((u_x**2 + u_y**2) ** 0.5)
    shape: dict[str, Callable[[Any], Any]] = {
        "steady": lambda t: 1.0 + 0 * t,
        "growing": lambda t: t / last,
        "fading": lambda t: np.exp(-t / last),
        "wave": lambda t: np.cos(at.get(r"\Omega", 1.0) * t),
    }

    def drift(t: Any) -> Any:
        return w * shape[course](t)

    if course == "wave":
        # Unknown parts along cos and sin: a' = k (w - a) - Omega b and so on.
        turn = at[r"\Omega"]
        a, b = np.linalg.solve(np.array([[k, turn], [-turn, k]]), np.array([k * w, 0.0]))
        if asked == "amplitude":
            return float((a**2 + b**2) ** 0.5)
        return float(at[r"\rho"] * k * ((w - a) ** 2 + b**2) / 2)

    def wind(t: float) -> float:
        times = t * x
        return float(np.sum(weight * k * drift(times) * np.exp(-k * (t - times)))) * t

    def heat(t: float) -> float:
        return at.get(r"\rho", 1.0) * k * (float(drift(t)) - wind(t)) ** 2

    if asked == "wind":
        return wind(at["t"])
    if asked == "joule":
        return heat(at["t"])
    if asked == "path":
        return (
            sum(float(b) * wind(at["t"] * float(a)) for a, b in zip(x, weight, strict=True))
            * at["t"]
        )
    if asked == "start":
        return bracketed_root(lambda t: heat(t) * count / heat(0.0) - 1, 0.0, 20.0)
    if asked == "peak":
        return bracketed_root(lambda t: k * (float(drift(t)) - wind(t)), 0.05, 12.0)
    # Heat over all times in the variable exp(-t): smooth panels out to many fading times.
    edges = [0.0, 1.0, 3.0, 7.0, 14.0, 30.0, 60.0]
    total = 0.0
    for low, high in pairwise(edges):
        pairs = zip(x, weight, strict=True)
        total += sum(float(b) * heat(low + (high - low) * float(a)) for a, b in pairs) * (
            high - low
        )
    return total


def textual(draw: Draw) -> tuple[Part, ...]:
    """Side of the deflection and the answer of speed and heating to stronger drag or drift."""
    north = draw.choice((True, False))
    latitude, ions = draw.integer(58, 82), draw.number(400.0, 1500.0)
    nu = draw.number(0.6, 3.0)
    changed = draw.choice(("drag", "latitude"))
    if changed == "drag":
        other = float(f"{nu * draw.number(1.4, 2.5):.2g}")
        pair = draw.choice(((nu, other), (other, nu)))
        shown = [rf"${value}\times 10^{{-4}}\ \mathrm{{s^{{-1}}}}$" for value in pair]
        name = r"the neutral-ion collision frequency $\nu$"
    else:
        lower = float(draw.integer(30, 45))
        pair = draw.choice(((lower, float(latitude)), (float(latitude), lower)))
        shown = [tex(value, unit="deg") for value in pair]
        name = "the latitude (in the same hemisphere)"
    here = (
        f"at the latitude of {latitude} degrees {'north' if north else 'south'}"
        if changed == "drag"
        else f"in the {'northern' if north else 'southern'} hemisphere"
    )
    drag = "" if changed == "drag" else rf" with $\nu = {nu}\times 10^{{-4}}\ \mathrm{{s^{{-1}}}}$"
    way = draw.choice(("eastward", "westward", "northward", "southward"))
    question = draw.phrase(
        f"Ions drift {way} with {tex(ions, unit='m s-1')} {here} and drag the neutral gas along at "
        rf"the rate $\nu(\mathbf w - \mathbf u)${drag} ($\mathbf w$ ion drift, $\mathbf u$ neutral "
        "wind); only the Coriolis force acts besides. To which side of the drift, left or "
        f"right, is the steady wind deflected? How do its speed and its angle of deflection "
        f"change if {name} changes from {shown[0]} to {shown[1]}?",
        f"A steady neutral wind $\\mathbf u$ {here} is kept up by the drag of ions, "
        rf"$\nu(\mathbf w - \mathbf u)$ per mass{drag}, against the Coriolis force; the ion drift "
        rf"$\mathbf w$ is {tex(ions, unit='m s-1')} {way}. On which side of the drift does the "
        f"wind blow, left or right? If {name} is {shown[1]} instead of {shown[0]}, how do the "
        f"speed and the deflection angle change?"
        "",
    )
    closed, found = [], []
    for value in pair:
        k = (value if changed == "drag" else nu) * 1e-4
        place = float(latitude) if changed == "drag" else value
        f = 2 * _OMEGA * sin(radians(place)) * (1 if north else -1)
        share = k / (k + 1j * f)
        closed.append((abs(share), abs(cmath.phase(share)), -share.imag))
        u_x, u_y = _steady((k, f), ions)
        found.append(((u_x**2 + u_y**2) ** 0.5, abs(cmath.phase(complex(u_x, u_y))), -u_y / ions))
    changes = change_claims(
        ("wind speed", "angle of deflection"),
        *(relative_changes(*(row[:2] for row in rows)) for rows in (closed, found)),
    )
    side = "right" if north else "left"
    claims = (
        Claim(
            f"The wind is deflected to the {side}.",
            1 if north else -1,
            closed[0][2],
            found[0][2],
        ),
        *changes,
    )
    return (
        Part(
            question,
            (
                r"Steady balance: $u = \nu w/(\nu + if)$ in complex notation, $f = 2\Omega\sin"
                r"\lambda$.",
                r"$|u| = w/\sqrt{1 + f^2/\nu^2}$ and $\tan\varphi = f/\nu$, to the right where "
                "$f > 0$.",
            ),
            stated(claims, Routes("complex balance", "2 x 2 linear system")),
        ),
    )


def _steady(rates: tuple[float, float], drift: float) -> tuple[float, float]:
    """Wind along and left of the drift, from the balance of drag and Coriolis force."""
    import numpy as np

    nu, f = rates
    found = np.linalg.solve(np.array([[nu, -f], [f, nu]]), np.array([nu * drift, 0.0]))
    return float(found[0]), float(found[1])


def _by_steps(rates: tuple[float, float], drift: float, time: float) -> tuple[float, float]:
    """Wind after a time from rest, by the exponential of the matrix with the constant drive."""
    import numpy as np
    from scipy.linalg import expm

    nu, f = rates
    system = np.array([[-nu, f, nu * drift], [-f, -nu, 0.0], [0.0, 0.0, 0.0]])
    found = expm(system * time)[:2, 2]
    return float(found[0]), float(found[1])


FAMILY = Family(
    title="Ion drag, neutral wind and Joule heating",
    assumptions=(
        "uniform ion drift, no pressure gradients, viscosity or advection",
        "constant neutral-ion collision frequency",
    ),
    sources=(
        "Rishbeth & Garriott 1969, Introduction to Ionospheric Physics, ch. 7",
        "Vasyliunas & Song 2005, J. Geophys. Res. 110, A02301",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
