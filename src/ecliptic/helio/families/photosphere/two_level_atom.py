r"""Scattering in a two-level atom: the source function by the diffusion of photons.

In the Eddington approximation, with :math:`S = (1 - \epsilon) J + \epsilon B`,

.. math:: \frac{1}{3} \frac{d^2 J}{d\tau^2} = \epsilon (J - B), \qquad
          H = \frac{1}{3} \frac{dJ}{d\tau}, \qquad J(0) = q H(0).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import exp, log, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, tex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ATOM = (
    r"scatters coherently with the photon destruction probability $\epsilon$, so that "
    r"$S = (1-\epsilon)J + \epsilon B$ with the Planck function $B$ (Planck's law in full)"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Destruction probability, source function at the surface, intensity of the line."""
    from astropy import constants, units

    wavelength = draw.quantity(390.0, 860.0, "nm", digits=3)
    temperature = draw.quantity(4500.0, 6500.0, "K", digits=3)
    decay = draw.quantity(1e7, 3e8, "s-1", log=True)
    collisions = draw.quantity(3e3, 3e5, "s-1", log=True)
    mu = draw.number(0.2, 1.0)
    setting = draw.phrase(
        f"In an isothermal, semi-infinite layer of the solar atmosphere at {tex(temperature)} a "
        f"two-level atom with a transition at {tex(wavelength)} is de-excited by collisions at "
        f"{tex(collisions)} and spontaneously at {tex(decay)}; stimulated emission is to be "
        "included.",
        f"The upper level of a two-level atom decays spontaneously at {tex(decay)}, emitting at "
        f"{tex(wavelength)}, and is emptied by electron collisions at {tex(collisions)}. The atoms "
        f"form a semi-infinite layer at the uniform temperature {tex(temperature)}. Do not neglect "
        "stimulated emission.",
    )
    photon = float((constants.h * constants.c / (wavelength * constants.k_B * temperature)).to(""))
    thermal = float((collisions / decay).to("")) * (1 - exp(-photon))
    epsilon = thermal / (1 + thermal)
    root = sqrt(epsilon)
    reach = sqrt(3 * epsilon) * mu
    emergent = (root + reach) / (1 + reach)
    bright = (constants.h * constants.c / (wavelength * constants.k_B)) / log(
        1 + (exp(photon) - 1) / emergent
    )
    scale = si.H_PLANCK * si.C / (wavelength.value * 1e-9 * si.K_B)
    photon_si = scale / temperature.value
    # Rates per atom in the upper level: destruction by net collisions against net emission.
    occupation = 1 / (exp(photon_si) - 1)
    destroyed = collisions.value * (1 - occupation / (1 + occupation))
    epsilon_si = destroyed / (destroyed + decay.value)
    layer = _Layer(epsilon_si, sqrt(3.0))
    first = Part(
        f"{setting} "
        + draw.phrase(
            r"What is the photon destruction probability per extinction, $\epsilon$?",
            r"Find the probability $\epsilon$ that an absorbed photon is destroyed by a collision.",
        ),
        (
            r"Rate equations give $S = (1-\epsilon)J + \epsilon B$ with "
            r"$\epsilon' = \frac{C_{21}}{A_{21}}(1 - e^{-h\nu/kT})$ and "
            r"$\epsilon = \epsilon'/(1+\epsilon')$.",
            rf"$\epsilon$ = {tex(epsilon, 4)}.",
        ),
        Numeric(
            epsilon,
            epsilon_si,
            "",
            Routes("rate equations with units", "share of destroyed photons, SI numbers"),
            digits=4,
        ),
    )
    second = Part(
        draw.phrase(
            r"With $S = (1-\epsilon)J + \epsilon B$, coherent isotropic scattering and the "
            r"Eddington approximation ($J = \sqrt3 H$ at the surface), what is $S/B$ at the "
            r"surface, with $B$ the Planck function (Planck's law in full)?"
            r"",
            r"Scattering is coherent and isotropic, $S = (1-\epsilon)J + \epsilon B$. Use the "
            r"Eddington approximation with $J(0) = \sqrt3H(0)$: how large is $S/B$ at the "
            r"surface, $B$ being the Planck function (Planck's law in full)?",
        ),
        (
            r"$\tfrac13J'' = \epsilon(J-B)$ gives $J = B[1 - e^{-\sqrt{3\epsilon}\tau}/"
            r"(1+\sqrt\epsilon)]$.",
            rf"$S(0) = \sqrt\epsilon B$: {tex(root, 3)}.",
        ),
        Numeric(
            root,
            layer.source(0.0),
            "",
            Routes("closed form", "collocation of the diffusion equation"),
        ),
    )
    third = Part(
        draw.phrase(
            rf"What is the brightness temperature (by Planck's law in full) of the radiation that "
            rf"emerges at $\mu = \cos\theta$ = "
            f"{tex(mu)} if the source function depends on depth as in this approximation?",
            r"Calculate, from this source function, the emergent intensity in the direction $\mu = "
            rf"\cos\theta$ = {tex(mu)} and give it as a brightness temperature (by Planck's law "
            rf"in full).",
        ),
        (
            r"$I = \int S e^{-\tau/\mu}d\tau/\mu = B\left[1 - \frac{1-\sqrt\epsilon}"
            r"{1+\sqrt{3\epsilon}\,\mu}\right]$" + f" = {tex(emergent, 3)} $B$.",
            r"$T_b = \frac{hc}{\lambda k}/\ln[1 + (e^{hc/\lambda kT}-1)B/I]$ = "
            f"{tex(bright.to(units.K), 4, unit='K')}.",
        ),
        Numeric(
            bright,
            scale / log(1 + 1 / (occupation * layer.emergent(mu))),
            "K",
            Routes("closed form with units", "collocation and quadrature along the ray"),
            digits=4,
        ),
    )
    return first, second, third


_CONDITIONS = {
    r"\sqrt{3}": (sqrt(3.0), r"J = \sqrt3 H"),
    "2": (2.0, "J = 2H"),
    r"\frac{3}{2}": (1.5, r"J = \tfrac32 H"),
}
_ASKED = {
    "mean": "mean intensity $J$ at the surface",
    "source": "source function $S$ at the surface",
    "depth": r"source function $S$ at the optical depth $\tau$",
    "flux": "Eddington flux $H$ at the surface",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Source function of half spaces and slabs, with a Planck function linear in depth."""
    edge = draw.choice(tuple(_CONDITIONS))
    shape = draw.choice(("half", "half", "slab", "gradient", "gradient"))
    asked = draw.choice(tuple(_ASKED))
    slope = draw.choice([Fraction(1), Fraction(1, 2), Fraction(3, 2), Fraction(2)])
    planck, destruction = draw.phrase("B", "P"), draw.phrase(r"\epsilon", r"\lambda")
    value, written = _CONDITIONS[edge]
    name = {"half": planck, "slab": planck, "gradient": f"{planck}_0"}[shape]
    lead = factor_tex(slope)
    law = {
        "half": f"Planck function ${planck}$ (the same at all depths) in a semi-infinite layer",
        "slab": f"Planck function ${planck}$ (the same everywhere) in a plane slab of total "
        "optical thickness $T$, free of radiation from outside on both sides",
        "gradient": rf"Planck function ${planck} = {name}(1 + {lead}b\tau)$ in a semi-infinite "
        "layer",
    }[shape]
    where = f" Boundary condition at the surface $\\tau = 0$: ${written}$" + (
        ", and likewise at the back." if shape == "slab" else "."
    )
    setting = draw.phrase(
        rf"A gas with the {law} scatters coherently and isotropically: $S = (1-{destruction})J + "
        rf"{destruction}\,{planck}$ with a constant ${destruction}$. Use the Eddington "
        rf"approximation "
        rf"($K = J/3$).{where}",
        rf"Photons are scattered with $S = (1-{destruction})J + {destruction}\,{planck}$ "
        rf"(${destruction}$ constant, monochromatic, isotropic), with the {law}. Close the moment "
        rf"equations by $K = J/3$.{where}",
    )
    question = f"{setting} " + draw.phrase("Derive the ", "Find the ") + _ASKED[asked] + "."
    k = rf"\sqrt{{3{destruction}}}"
    reduced = {r"\sqrt{3}": rf"\sqrt{{{destruction}}}"}.get(
        edge, rf"{edge}\sqrt{{\frac{{{destruction}}}{{3}}}}"
    )
    # J = P - C g(tau), with g = exp(-k tau) or cosh(k (tau - T/2)) / cosh(k T / 2).
    if shape == "slab":
        ratio = rf"\tanh\left(\frac{{{k} T}}{{2}}\right)"
        amount = rf"\frac{{{name}}}{{1 + {reduced} {ratio}}}"
        deep = rf"\frac{{\cosh\left({k}(\tau - T/2)\right)}}{{\cosh\left({k}T/2\right)}}"
    else:
        third = Fraction(value).limit_denominator(6) * slope / 3
        step = factor_tex(third) + "b" if edge != r"\sqrt{3}" else _over_root_three(slope)
        gradient = f" - {step}" if shape == "gradient" else ""
        top = name if not gradient else rf"{name}\left(1{gradient}\right)"
        amount = rf"\frac{{{top}}}{{1 + {reduced}}}"
        deep = rf"e^{{-{k}\tau}}"
    local = rf"{name}\left(1 + {lead}b\tau\right)" if shape == "gradient" else name
    rise = rf"{factor_tex(slope / 3)}b{name} + " if shape == "gradient" else ""
    spread = rf"\sqrt{{\frac{{{destruction}}}{{3}}}}"
    final = {
        "mean": rf"$J = {name} - {amount}$",
        "source": rf"$S = {name} - (1 - {destruction}){amount}$",
        "depth": rf"$S = {local} - (1 - {destruction}){amount}{deep}$",
        "flux": rf"$H = {rise}{spread} {amount}" + (rf"{ratio}$" if shape == "slab" else "$"),
    }[asked]
    ranges = {name: (0.5, 2.0), destruction: (0.02, 0.5)}
    if shape == "gradient":
        ranges["b"] = (0.2, 1.0)
    if shape == "slab":
        ranges["T"] = (2.0, 6.0)
    if asked == "depth":
        ranges[r"\tau"] = (0.1, 1.8)
    intensity = "W m-2 sr-1"
    units = {"": intensity, name: intensity, destruction: "", "b": "", "T": "", r"\tau": ""}
    units = {symbol: units[symbol] for symbol in ("", *ranges)}

    def check(at: Mapping[str, float]) -> float:
        layer = _Layer(at[destruction], value, float(slope) * at.get("b", 0.0), at.get("T", 0.0))
        found = {
            "mean": layer.mean,
            "source": layer.source,
            "depth": layer.source,
            "flux": layer.flux,
        }[asked]
        return at[name] * found(at.get(r"\tau", 0.0))

    return (
        Part(
            question,
            (
                rf"$dH/d\tau = J - S = {destruction}(J - {planck})$ and $H = \tfrac13dJ/d\tau$: "
                rf"$J'' = 3{destruction}(J - {planck})$.",
                "The solution that stays near the Planck function (or is symmetric in the slab) is "
                rf"$J = {planck} - C\,g(\tau)$ with "
                + (
                    rf"$g = \cosh[{k}(\tau - T/2)]/\cosh({k}T/2)$."
                    if shape == "slab"
                    else rf"$g = e^{{-{k}\tau}}$."
                ),
                rf"${written}$ at the surface gives $C = {amount}$.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "Chebyshev collocation of the boundary-value problem"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Surface source function and thermalisation depth in another layer."""
    wavelength = draw.number(400.0, 860.0, digits=3)
    decay = draw.number(1e7, 3e8, log=True)
    while True:
        densities = [draw.number(1e16, 1e19, log=True) for _ in range(2)]
        temperatures = [draw.number(4500.0, 8500.0) for _ in range(2)]
        first = [
            _state(n, t, wavelength, decay, numerical=False)
            for n, t in zip(densities, temperatures, strict=True)
        ]
        if min(abs(log(b / a)) for a, b in zip(*first, strict=True)) > 0.1:
            break
    ends = [
        f"{tex(n, unit='m-3')} and {tex(t, unit='K')}"
        for n, t in zip(densities, temperatures, strict=True)
    ]
    question = draw.phrase(
        f"A two-level atom ({tex(wavelength, unit='nm')}, spontaneous decay at "
        f"{tex(decay, unit='s-1')}) forms an isothermal semi-infinite layer; it {_ATOM}. "
        r"Electron collisions de-excite it at $10^{-13}\ \mathrm{m^{3}\,s^{-1}}$ times the "
        r"electron density; "
        f"$\\epsilon$ includes stimulated emission. Compare layers with electron density and "
        f"temperature of {ends[0]} (first) and {ends[1]} (second). How do the source function at "
        "the surface, in absolute units, and the thermalisation optical depth "
        r"$1/\sqrt{3\epsilon}$ change from the first to the second?",
        f"In two isothermal, semi-infinite layers a two-level atom {_ATOM}. The transition is at "
        f"{tex(wavelength, unit='nm')} and $A_{{21}}$ = {tex(decay, unit='s-1')}; $C_{{21}}$ is "
        r"$10^{-13}\ \mathrm{m^{3}\,s^{-1}}$ times the electron density, and stimulated emission "
        f"is included. Electron density and temperature are {ends[0]} in the first layer, "
        f"{ends[1]} in "
        "the second. In which direction do the source function at the surface (absolute) and the "
        r"thermalisation optical depth $1/\sqrt{3\epsilon}$ change from first to second?",
    )
    second = [
        _state(n, t, wavelength, decay, numerical=True)
        for n, t in zip(densities, temperatures, strict=True)
    ]
    claims = change_claims(
        ("source function at the surface", "thermalisation depth"),
        relative_changes(*first),
        relative_changes(*second),
    )
    ratios = [first[1][place] / first[0][place] for place in (0, 1)]
    return (
        Part(
            question,
            (
                r"$\epsilon' = (C_{21}/A_{21})(1-e^{-h\nu/kT})$, $\epsilon = \epsilon'/(1+"
                r"\epsilon')$ and, by the $\sqrt\epsilon$ law, $S(0) = \sqrt\epsilon\,B(T)$.",
                f"The ratios of second to first are {tex(ratios[0], 3)} (surface) and "
                f"{tex(ratios[1], 3)} (depth).",
            ),
            stated(claims, Routes("square-root law", "collocation of the diffusion equation")),
        ),
    )


def _over_root_three(value: Fraction) -> str:
    above, below = (str(n) if n != 1 else "" for n in value.as_integer_ratio())
    return rf"\frac{{{above}b}}{{{below}\sqrt{{3}}}}"


def _state(
    density: float, temperature_k: float, wavelength_nm: float, decay: float, *, numerical: bool
) -> tuple[float, float]:
    """Source function at the surface over 2 h c^2 / lambda^5, and thermalisation depth."""
    photon = si.H_PLANCK * si.C / (wavelength_nm * 1e-9 * si.K_B * temperature_k)
    planck = 1 / (exp(photon) - 1)
    rate = 1e-13 * density
    if not numerical:
        thermal = rate / decay * (1 - exp(-photon))
        epsilon = thermal / (1 + thermal)
        return sqrt(epsilon) * planck, 1 / sqrt(3 * epsilon)
    destroyed = rate / (1 + planck)
    layer = _Layer(destroyed / (destroyed + decay), sqrt(3.0))
    # Depth over which the departure of J from B falls by a factor e, from its own decrease.
    step = 0.5 / layer.k
    depth = step / log((1 - layer.mean(0.0)) / (1 - layer.mean(step)))
    return layer.source(0.0) * planck, depth


@lru_cache(maxsize=2)
def _chebyshev(order: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points from 1 to -1 and the matrix of the first derivative (Trefethen 2000, ch. 6)."""
    import numpy as np

    points = np.cos(np.pi * np.arange(order + 1) / order)
    weights = np.ones(order + 1)
    weights[[0, -1]] = 2.0
    weights *= (-1.0) ** np.arange(order + 1)
    apart = points[:, None] - points[None, :] + np.eye(order + 1)
    matrix = np.outer(weights, 1 / weights) / apart
    matrix -= np.diag(matrix.sum(axis=1))
    return points, matrix


class _Layer:
    """J over the surface value of B, by collocation in x = k tau (or over half a slab)."""

    def __init__(
        self, epsilon: float, ratio: float, slope: float = 0.0, thickness: float = 0.0
    ) -> None:
        import numpy as np

        self._epsilon, self._slope = epsilon, slope
        self.k = sqrt(3 * epsilon)
        self._end = self.k * thickness / 2 if thickness else 18.0
        points, first = _chebyshev(40)
        first = first * (-2 / self._end)
        self._points, self._x = points, (1 - points) * self._end / 2
        planck = 1 + slope * self._x / self.k
        system = first @ first - np.eye(points.size)
        right = -planck
        # J = q H at the surface; at the far end the departure has decayed (or the slab's middle).
        system[0] = -ratio * self.k / 3 * first[0]
        system[0, 0] += 1.0
        right[0] = 0.0
        system[-1] = first[-1]
        right[-1] = 0.0 if thickness else slope / self.k
        if not thickness:
            # d(J - B)/dx = -(J - B) holds for the decaying solution alone.
            system[-1, -1] += 1.0
            right[-1] += planck[-1]
        self._values = np.linalg.solve(system, right)
        self._first = first

    def mean(self, tau: float) -> float:
        """J at an optical depth, by barycentric interpolation."""
        import numpy as np

        x = self.k * tau
        if x > self._end:
            x = 2 * self._end - x
        apart = x - self._x
        hit = np.abs(apart) < 1e-14 * self._end
        if hit.any():
            return float(self._values[hit][0])
        weights = (-1.0) ** np.arange(apart.size)
        weights[[0, -1]] /= 2
        return float((weights / apart) @ self._values / np.sum(weights / apart))

    def source(self, tau: float) -> float:
        """S at an optical depth."""
        planck = 1 + self._slope * tau
        return (1 - self._epsilon) * self.mean(tau) + self._epsilon * planck

    def flux(self, tau: float) -> float:
        """H at the surface."""
        assert tau == 0.0
        return self.k / 3 * float(self._first[0] @ self._values)

    def emergent(self, mu: float) -> float:
        """Intensity at the surface: panels in tau that follow both scales, and the far B."""
        import numpy as np
        from numpy.polynomial.legendre import leggauss

        nodes, weights = leggauss(12)
        limit = min(40 * mu, self._end / self.k)
        edges = np.linspace(0.0, limit, 9).tolist()
        total = exp(-limit / mu)
        for low, high in pairwise(edges):
            taus = low + (high - low) * (nodes + 1) / 2
            values = [self.source(float(t)) * exp(-float(t) / mu) / mu for t in taus]
            total += float(weights @ values) * (high - low) / 2
        return total


FAMILY = Family(
    title="Scattering source function of a two-level atom",
    assumptions=(
        "coherent isotropic scattering with a constant destruction probability",
        "Eddington approximation in a plane layer",
    ),
    sources=(
        "Mihalas 1978, Stellar Atmospheres, 2nd ed., ch. 6 and 11",
        "Rutten 2003, Radiative Transfer in Stellar Atmospheres, section 4.3",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
