r"""Bounce and drift of trapped particles: periods in a dipole, and the second invariant.

With :math:`p_\parallel = p \sqrt{1 - B/B_m}` the bounce period is
:math:`T_b = 2\int \gamma m\, ds/p_\parallel` between the mirror points, and the drift follows from
:math:`J(E, \mu, L) = 2\int p_\parallel ds` (Northrop) or from the averaged gradient and curvature.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import cos, exp, pi, radians, sin, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import power_tex, tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    pass

_MASSES = {"electron": si.M_E, "proton": si.M_P}


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Bounce period, then drift period, of one trapped particle."""
    from astropy import constants, units

    kind = draw.choice(tuple(_MASSES))
    energy = draw.quantity(0.2, 4.0, "MeV", log=True)
    if kind == "proton":
        energy = draw.quantity(1.0, 60.0, "MeV", log=True)
    shell = draw.number(1.6, 5.5) if kind == "electron" else draw.number(1.4, 3.0)
    pitch = draw.integer(30, 80) * units.deg
    field = draw.quantity(29.5, 31.2, "uT", digits=3)
    article = "An electron" if kind == "electron" else "A proton"
    dipole = f"the Earth's dipole field ({tex(field)} on the equator at the surface)"
    setting = draw.phrase(
        f"{article} of {tex(energy)} kinetic energy is trapped in {dipole} at $L$ = {tex(shell)}; "
        f"its equatorial pitch angle is {tex(pitch, unit='deg')}.",
        f"Consider {article.lower()} of kinetic energy {tex(energy)} with the equatorial pitch "
        f"angle {tex(pitch, unit='deg')} on the shell $L$ = {tex(shell)} of {dipole}.",
    )
    mass = constants.m_e if kind == "electron" else constants.m_p
    gamma = 1 + float((energy / (mass * constants.c**2)).to_value(""))
    speed = constants.c * sqrt(1 - gamma**-2)
    path, drift = _averages(float(pitch.value))
    bounce = (4 * shell * constants.R_earth / speed * path).to("s")
    # angular drift: 3 gamma m v^2 L / (e B_E R_E^2) times the bounce average
    rate = 3 * gamma * mass * speed**2 * shell / (constants.e.si * field * constants.R_earth**2)
    around = (2 * pi / (rate * drift / path)).to("min")
    other = _by_invariant(
        energy.value * 1e6 * si.E_CHARGE,
        shell,
        radians(float(pitch.value)),
        field.value * 1e-6,
        _MASSES[kind],
    )
    first = Part(
        f"{setting} "
        + draw.phrase(
            "How long does a full bounce take, from one mirror point to the other and back?",
            "Calculate the period of its bounce (there and back between the mirror points).",
        ),
        (
            r"$T_b = 4\int_0^{\lambda_m} ds/(v\sqrt{1 - B(\lambda)/B_m})$ with "
            r"$ds = L R_E\cos\lambda\sqrt{1 + 3\sin^2\lambda}\,d\lambda$ and "
            r"$B/B_m = \sin^2\alpha\,\sqrt{1 + 3\sin^2\lambda}/\cos^6\lambda$.",
            rf"$\gamma$ = {gamma:.4f}, $v$ = {tex(speed, 4, unit='km s-1')}.",
            rf"$T_b = 4 L R_E T(\alpha)/v$ with $T(\alpha)$ = {path:.4f} by quadrature: "
            f"{tex(bounce, 4, unit='s')}.",
        ),
        Numeric(
            bounce,
            other[0],
            "s",
            Routes(
                "quadrature over the latitude, with units",
                "derivative of the second invariant by the energy, by finite differences",
            ),
        ),
    )
    second = Part(
        draw.phrase(
            "How many minutes does one drift around the Earth take?",
            "Find the period of its gradient and curvature drift around the Earth, in minutes.",
        ),
        (
            r"At latitude $\lambda$: $\dot\varphi = \frac{3\gamma m v^2 L}{e B_E R_E^2}"
            r"\left(1 - \frac{B}{2B_m}\right)"
            r"\frac{\cos^2\lambda\,(1 + \sin^2\lambda)}{(1 + 3\sin^2\lambda)^2}$.",
            rf"Averaged over the bounce the geometric part is {drift / path:.4f}.",
            f"$T_d$ = {tex(around, 3, unit='min')}.",
        ),
        Numeric(
            around,
            other[1] / 60,
            "min",
            Routes(
                "bounce average of the drift velocity, with units",
                "derivatives of the second invariant by the shell and the energy",
            ),
        ),
    )
    return first, second


_ASKED = {
    "ratio": "the ratio $q$ of the new to the old kinetic energy of motion along the field at "
    "$s = 0$",
    "mirror": "the new coordinate $s_m$ of the mirror point",
    "period": "the new period $T$ of the bounce",
}
_SHAPES = {Fraction(1): "2", Fraction(2): r"\frac{\pi}{2}", Fraction(2, 3): r"\frac{3\pi}{4}"}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """A magnetic bottle that is slowly squeezed, stretched or strengthened."""
    asked = draw.choice(tuple(_ASKED))
    powers = [Fraction(*at) for at in ((1, 1), (2, 1), (2, 3), (4, 3), (3, 2), (3, 1), (4, 1))]
    n = draw.choice(tuple(_SHAPES) if asked == "period" else powers)
    change = draw.choice(("field", "length", "both"))
    pair = draw.phrase("x", "k"), draw.phrase("y", "h")
    shape = "(s/a)^2" if n == 2 else f"|s/a|^{{{power_tex(n)}}}".replace("^{1}", "")
    how = {
        "field": f"$B_0$ grows slowly by the factor ${pair[0]}$",
        "length": f"$a$ changes slowly by the factor ${pair[1]}$",
        "both": f"$B_0$ changes slowly by the factor ${pair[0]}$ and $a$ by the factor ${pair[1]}$",
    }[change]
    start = {
        "ratio": "",
        "mirror": r"At first the particle mirrors at $s = \pm b$. ",
        "period": r"At first the particle mirrors at $s = \pm b$ and has the speed $u$ along the "
        "field at $s = 0$. ",
    }[asked]
    question = (
        draw.phrase(
            f"Near its minimum at $s = 0$ the field along a field line is $B = B_0 (1 + {shape})$,"
            " $s$ being the length along the line. A non-relativistic particle bounces in it. ",
            f"A non-relativistic charged particle bounces along a field line on which $B = B_0 "
            f"(1 + {shape})$, with $s$ the length along the line. ",
            f"In a magnetic bottle the field strength on a line is $B = B_0 (1 + {shape})$, where "
            "$s$ is the length along the line; a non-relativistic particle is trapped on it. ",
        )
        + start
        + f"Then {how}, while the first and the second adiabatic invariant are kept. "
        + draw.phrase("Derive ", "Find ")
        + _ASKED[asked]
        + "."
    )
    # E_par ~ B^(2/(n+2)) a^(-2n/(n+2)) and s_m = a (E_par / mu B)^(1/n)
    by_b = {
        "ratio": 2 / (n + 2),
        "mirror": -1 / (n + 2),
        "period": -2 / (n + 2),
    }[asked]
    by_a = {"ratio": -2 * n / (n + 2), "mirror": n / (n + 2), "period": 2 * n / (n + 2)}[asked]
    factors = []
    if change != "length":
        factors.append(f"{pair[0]}^{{{power_tex(by_b)}}}")
    if change != "field":
        factors.append(f"{pair[1]}^{{{power_tex(by_a)}}}")
    product = " ".join(factors)
    final = {"ratio": f"$q = {product}$", "mirror": f"$s_m = b {product}$"}.get(asked, "")
    if asked == "period":
        # a quarter of the period in units of b / u: the integral of (1 - y^n)^(-1/2)
        number = {Fraction(1): "8", Fraction(2): r"2\pi", Fraction(2, 3): r"3\pi"}[n]
        final = rf"$T = {number}\frac{{b}}{{u}} {product}$"
    ranges: dict[str, tuple[float, float]] = {}
    units: dict[str, str] = {"": {"ratio": "", "mirror": "m", "period": "s"}[asked]}
    if change != "length":
        ranges[pair[0]], units[pair[0]] = (1.2, 2.5), ""
    if change != "field":
        ranges[pair[1]], units[pair[1]] = (0.5, 2.0), ""
    if asked != "ratio":
        ranges["b"], units["b"] = (0.5, 2.0), "m"
    if asked == "period":
        ranges["u"], units["u"] = (0.5, 2.0), "m s-1"

    def check(at: Mapping[str, float]) -> float:
        squeeze = (at.get(pair[0], 1.0), at.get(pair[1], 1.0))
        return _bottle(float(n), squeeze, at.get("b", 0.8), at.get("u", 1.0))[
            tuple(_ASKED).index(asked)
        ]

    return (
        Part(
            question,
            (
                r"$\mu B_0 |s_m/a|^n = E_\parallel$, the energy of motion along the field at "
                rf"$s = 0$, with $n = {power_tex(n)}$.",
                r"$J \propto \sqrt{E_\parallel}\, s_m \propto a\, E_\parallel^{1/2 + 1/n} "
                r"(\mu B_0)^{-1/n}$ with $\mu$ constant.",
                r"So $E_\parallel \propto B_0^{2/(n+2)} a^{-2n/(n+2)}$ and "
                r"$s_m \propto B_0^{-1/(n+2)} a^{n/(n+2)}$.",
                *(
                    (
                        rf"$T = 4 (s_m/v_\parallel)\int_0^1 dy/\sqrt{{1 - y^n}}$, where the "
                        rf"integral is ${_SHAPES[n]}$.",
                    )
                    if asked == "period"
                    else ()
                ),
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes(
                    "powers that keep both invariants",
                    "second invariant by quadrature, matched before and after by a root",
                ),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Another energy, pitch angle or shell: both periods."""
    kind = draw.choice(tuple(_MASSES))
    changed = draw.choice(("energy", "pitch", "shell"))
    high = draw.choice((True, False))
    energy = draw.number(0.3, 1.5), draw.number(2.0, 8.0)
    pitch = float(draw.integer(25, 45)), float(draw.integer(60, 85))
    shell = draw.number(1.6, 2.6), draw.number(3.2, 5.0)
    pairs = {"energy": energy, "pitch": pitch, "shell": shell}
    fixed = {name: draw.choice((0, 1)) for name in pairs}
    order = (0, 1) if high else (1, 0)
    states = [
        {name: pair[at if name == changed else fixed[name]] for name, pair in pairs.items()}
        for at in order
    ]
    shown = {
        "energy": ("the kinetic energy", "MeV"),
        "pitch": ("the equatorial pitch angle", "deg"),
        "shell": ("the shell parameter $L$", ""),
    }

    def told(name: str, at: int) -> str:
        unit = shown[name][1]
        return tex(states[at][name], unit=unit) if unit else tex(states[at][name])

    rest = [name for name in pairs if name != changed]
    kept = " and ".join(
        f"{shown[name][0]} {'= ' if name == 'shell' else ''}{told(name, 0)}" for name in rest
    )
    question = (
        f"Two {kind}s are trapped in the Earth's dipole field. "
        + draw.phrase(
            f"They share {kept}, but {shown[changed][0]} is {told(changed, 0)} for the first and "
            f"{told(changed, 1)} for the second. ",
            f"Both have {kept}; {shown[changed][0]} differs, {told(changed, 0)} against "
            f"{told(changed, 1)}. ",
        )
        + draw.phrase(
            "From the first to the second, how do the bounce period and the angular speed of the "
            "drift around the Earth (bounce average) change?",
            "In which direction do the period of the bounce and the bounce-averaged angular speed "
            "of the drift around the Earth change from the first to the second?",
        )
    )
    first, second = [], []
    for state in states:
        mass = _MASSES[kind]
        joule = state["energy"] * 1e6 * si.E_CHARGE
        gamma = 1 + joule / (mass * si.C**2)
        speed = si.C * sqrt(1 - gamma**-2)
        path, drift = _averages(state["pitch"])
        first.append(
            (
                state["shell"] * path / speed,
                drift / path * gamma * speed**2 * state["shell"],
            )
        )
        bounce, around = _by_invariant(joule, state["shell"], radians(state["pitch"]), 3.1e-5, mass)
        second.append((bounce, 1 / around))
    claims = change_claims(
        ("bounce period", "angular drift speed"),
        relative_changes(*first),
        relative_changes(*second),
    )
    reason = {
        "energy": r"At fixed $L$ and pitch angle $T_b \propto 1/v$ and "
        r"$\dot\varphi \propto \gamma v^2$.",
        "pitch": "A larger equatorial pitch angle shortens the bounce path more than it lowers the "
        "speed along the field; the drift is faster near the equator, where the field is weak.",
        "shell": r"At fixed energy and pitch angle $T_b \propto L$ and $\dot\varphi \propto L$.",
    }[changed]
    return (
        Part(
            question,
            (reason,),
            stated(
                claims,
                Routes("bounce averages by quadrature", "derivatives of the second invariant"),
            ),
        ),
    )


@lru_cache(maxsize=256)
def _averages(pitch_deg: float) -> tuple[float, float]:
    """Integrals over a quarter bounce, with sin(lat) = sin(mirror) sin(t): path, drift."""
    from scipy.integrate import quad
    from scipy.optimize import brentq

    share = sin(radians(pitch_deg)) ** 2

    def mirror(x: float) -> float:
        return (1 - x * x) ** 3 - share * sqrt(1 + 3 * x * x)

    end = float(brentq(mirror, 0.0, 1.0, xtol=1e-14))

    def time(angle: float) -> tuple[float, float]:
        """Path per angle, and the drift on it relative to a particle at the equator."""
        x = end * sin(angle)
        root = sqrt(1 + 3 * x * x)
        ratio = share * root / (1 - x * x) ** 3
        path = root * end * cos(angle) / sqrt(1 - ratio)
        return path, path * (1 - ratio / 2) * (1 - x * x) * (1 + x * x) / root**4

    # the integrand tends to a limit at the mirror point, where 0 / 0 would be rounding
    last = pi / 2 - 1e-6
    path, drift = (
        float(quad(lambda angle, i=i: time(angle)[i], 0.0, last, epsrel=1e-10)[0])
        + 1e-6 * time(last - 1e-3)[i]
        for i in (0, 1)
    )
    return path, drift


def _by_invariant(
    energy: float, shell: float, pitch: float, field: float, mass: float
) -> tuple[float, float]:
    """Bounce and drift periods in s, from differences of J(E, L) at constant mu."""

    def momentum2(e: float) -> float:
        return e * (e + 2 * mass * si.C**2) / si.C**2

    moment = momentum2(energy) * sin(pitch) ** 2 / (field / shell**3)

    def invariant(e: float, at: float) -> float:
        return second_invariant(momentum2(e), moment, at, field)

    def slope(along: int) -> float:
        h, total = 1e-3, 0.0
        for shift, weight in ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0)):
            e = energy * (1 + shift * h) if along == 0 else energy
            at = shell * (1 + shift * h) if along == 1 else shell
            total += weight * invariant(e, at)
        return total / (12 * h * (energy if along == 0 else shell))

    bounce = slope(0)
    # Euler potential alpha = B_E R_E^2 / L per radian of longitude
    by_alpha = -slope(1) * shell**2 / (field * si.R_EARTH_M**2)
    return bounce, 2 * pi * si.E_CHARGE * bounce / abs(by_alpha)


def second_invariant(momentum2: float, moment: float, shell: float, field: float) -> float:
    """Closed integral of the parallel momentum, by Gauss-Legendre in the colatitude."""
    import numpy as np

    equator = field / shell**3

    def excess(latitude: float) -> float:
        c = cos(latitude)
        return momentum2 * c**6 - moment * equator * sqrt(4 - 3 * c * c)

    end = bracketed_root(excess, 0.0, 1.55)
    angle, weight = gauss_legendre(32, 0.0, pi / 2)
    latitude = end * np.sin(angle)
    c = np.cos(latitude)
    strength = equator * np.sqrt(4 - 3 * c**2) / c**6
    arc = shell * si.R_EARTH_M * c * np.sqrt(4 - 3 * c**2)
    inner = np.sqrt(np.maximum(momentum2 - moment * strength, 0.0))
    return 4 * float((weight * inner * arc * end * np.cos(angle)).sum())


def _bottle(
    n: float, squeeze: tuple[float, float], mirror: float, speed: float
) -> tuple[float, float, float]:
    """New parallel energy (ratio), mirror point and period, for unit mass, a = 1, B_0 = 1."""
    import numpy as np

    angle, weight = gauss_legendre(32, 0.0, pi / 2)
    moment = speed**2 / 2 / mirror**n

    def action(parallel: float, b: float, a: float) -> float:
        reach = a * (parallel / (moment * b)) ** (1 / n)
        # s = reach sin^4(t) is smooth enough at both ends for powers below one
        s = reach * np.sin(angle) ** 6
        ds = reach * 6 * np.sin(angle) ** 5 * np.cos(angle)
        inner = np.maximum(parallel - moment * b * (s / a) ** n, 0.0)
        return 4 * float((weight * np.sqrt(2 * inner) * ds).sum())

    old = action(speed**2 / 2, 1.0, 1.0)

    def kept(log_ratio: float) -> float:
        return action(float(np.exp(log_ratio)) * speed**2 / 2, *squeeze) / old - 1

    ratio = exp(bracketed_root(kept, -6.0, 6.0))
    energy = ratio * speed**2 / 2
    reach = squeeze[1] * (energy / (moment * squeeze[0])) ** (1 / n)
    h = 1e-3 * energy
    period = sum(
        w * action(energy + k * h, *squeeze) for k, w in ((-2, 1), (-1, -8), (1, 8), (2, -1))
    ) / (12 * h)
    return ratio, reach, period


FAMILY = Family(
    title="Bounce and drift of trapped particles",
    assumptions=(
        "adiabatic motion of guiding centres, no electric field",
        "dipole, or a given field strength along the line",
    ),
    sources=(
        "Roederer 1970, Dynamics of Geomagnetically Trapped Radiation, ch. I and II",
        "Northrop 1963, The Adiabatic Motion of Charged Particles, ch. 3",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
