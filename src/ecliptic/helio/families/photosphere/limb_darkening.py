r"""Limb darkening: the emergent intensity is the Laplace transform of the source function.

.. math:: I(0, \mu) = \int_0^\infty S(t) e^{-t/\mu} dt/\mu, \qquad
          F = 2\pi \int_0^1 I(0, \mu) \mu \, d\mu .
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import exp, expm1, factorial, log
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, tex
from ecliptic.helio.families.quadrature import gauss_laguerre, gauss_legendre

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_GREY = (
    r"a plane-parallel grey atmosphere in radiative and local thermodynamic equilibrium, with "
    r"$T^4 = \tfrac34T_{\rm eff}^4(\tau + \tfrac23)$"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Intensity near the limb over all wavelengths, then at one, and as a temperature."""
    from astropy import constants, units
    from numpy.polynomial.laguerre import laggauss

    effective = draw.quantity(5500.0, 6100.0, "K", digits=3)
    mu = draw.number(0.2, 0.8)
    wavelength = draw.quantity(400.0, 1600.0, "nm", digits=3)
    setting = draw.phrase(
        f"Take the solar photosphere as {_GREY} and $T_{{\\rm eff}}$ = {tex(effective)}.",
        f"The Sun's surface layers are modelled by {_GREY}; $T_{{\\rm eff}}$ = {tex(effective)}.",
    )
    total = (mu + 2 / 3) / (5 / 3)
    surface = float((constants.h * constants.c / (wavelength * constants.k_B * effective)).to(""))

    def planck(tau: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        return np.asarray(1 / np.expm1(surface / (0.75 * (tau + 2 / 3)) ** 0.25))

    nodes, weights = laggauss(40)
    edge, middle = (float(weights @ planck(at * nodes)) for at in (mu, 1.0))
    bright = effective * surface / log(1 + 1 / edge)
    emergent = _outward(planck_si(wavelength.value * 1e-9, effective.value), (mu, 1.0))
    bolometric = _outward(lambda tau: 0.75 * (tau + 2 / 3), (mu, 1.0))
    scale = si.H_PLANCK * si.C / (wavelength.value * 1e-9 * si.K_B)
    first = Part(
        f"{setting} "
        + draw.phrase(
            r"What is the ratio of the intensity, integrated over wavelength, where the line of "
            rf"sight makes an angle $\theta$ with the vertical, $\cos\theta$ = {tex(mu)}, to that "
            "at the centre of the disc?",
            rf"By which factor does the wavelength-integrated intensity at $\mu = \cos\theta$ = "
            f"{tex(mu)} differ from that at disc centre (give the ratio to disc centre)?",
        ),
        (
            r"$S = \sigma T^4/\pi$ is linear in $\tau$, so $I(\mu) \propto \mu + \tfrac23$.",
            rf"$I(\mu)/I(1) = (\mu + 2/3)/(5/3)$ = {tex(total, 3)}.",
        ),
        Numeric(
            total,
            bolometric[0] / bolometric[1],
            "",
            Routes("Laplace transform of the linear source function", "transfer along the ray"),
        ),
    )
    second = Part(
        draw.phrase(
            f"If the opacity is the same at all wavelengths, what is this ratio at "
            f"{tex(wavelength)} alone?",
            f"Find the same ratio for monochromatic radiation of {tex(wavelength)} (grey opacity).",
        ),
        (
            r"$I_\lambda(\mu) = \int_0^\infty B_\lambda[T(\mu t)]e^{-t}dt$ by quadrature.",
            rf"The ratio is {tex(edge / middle, 3)}.",
        ),
        Numeric(
            edge / middle,
            emergent[0] / emergent[1],
            "",
            Routes("Gauss-Laguerre quadrature", "transfer along the ray by Gauss-Legendre panels"),
            agreement=1e-5,
        ),
    )
    third = Part(
        draw.phrase(
            r"What is the brightness temperature at this wavelength and $\mu$?",
            r"Which temperature must a black body have to emit the intensity found at this "
            r"wavelength and $\mu$?",
        ),
        (
            r"$T_b = \frac{hc}{\lambda k_B}\left[\ln\left(1 + \frac{2hc^2}{\lambda^5I_\lambda}"
            r"\right)\right]^{-1}$.",
            rf"$T_b$ = {tex(bright.to(units.K), 4, unit='K')}.",
        ),
        Numeric(
            bright,
            scale / log(1 + 1 / emergent[0]),
            "K",
            Routes("Gauss-Laguerre quadrature with units", "transfer along the ray, SI numbers"),
            digits=4,
            agreement=1e-5,
        ),
    )
    return first, second, third


_LAYERS = ("half", "slab", "backed")


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Intensity, flux and limb darkening of polynomial source functions."""
    power = draw.integer(1, 4)
    share = draw.choice([Fraction(1, 1), Fraction(1, 2), Fraction(2, 1), Fraction(3, 2)])
    layer = draw.choice((*_LAYERS, "half"))
    asked = draw.choice(("intensity", "flux", "ratio")) if layer == "half" else "intensity"
    if layer != "half":
        power = min(power, 2)
    surface, slope = draw.phrase("S_0", "a"), draw.phrase("S_1", "b")
    depth = r"\tau_1"
    lead = factor_tex(share)
    tau = r"\tau" if power == 1 else rf"\tau^{{{power}}}"
    source = rf"S(\tau) = {surface} + {lead}{slope}{tau}"
    bounds = {
        "half": "a semi-infinite, plane-parallel atmosphere without light from outside",
        "slab": rf"a plane slab of optical thickness ${depth}$ that nothing shines on from behind",
        "backed": rf"a plane layer of optical thickness ${depth}$ that lies on a surface which "
        "emits the intensity $I_b$ equally in all directions",
    }[layer]
    ask = {
        "intensity": r"intensity $I$ that emerges at the top ($\tau = 0$) in the direction "
        r"$\mu = \cos\theta$ to the normal",
        "flux": r"net flux $F$ (power per area, $\int I\mu\,d\Omega$) through the top",
        "ratio": r"ratio $R$ of the mean intensity of the disc (weighted with $\mu$, as in the "
        "light of a distant star) to the intensity at disc centre",
    }[asked]
    question = draw.phrase(
        rf"The source function in {bounds} is ${source}$, with the vertical optical depth $\tau$. "
        f"Derive the {ask}.",
        rf"In {bounds}, the source function varies with the vertical optical depth $\tau$ as "
        f"${source}$. Find the {ask}.",
    )
    weight = share * factorial(power)
    rise = rf"{factor_tex(weight)}{slope}"
    mu = r"\mu" if power == 1 else rf"\mu^{{{power}}}"
    if asked == "flux":
        final = rf"$F = \pi\left({surface} + {factor_tex(weight * Fraction(2, power + 2))}"
        final += rf"{slope}\right)$"
    elif asked == "ratio":
        final = rf"$R = \frac{{{surface} + {factor_tex(weight * Fraction(2, power + 2))}{slope}}}"
        final += rf"{{{surface} + {rise}}}$"
    else:
        attenuation = rf"e^{{-{depth}/\mu}}"
        if layer == "half":
            final = rf"$I = {surface} + {rise}{mu}$"
        else:
            left = {
                1: rf"\mu - ({depth} + \mu){attenuation}",
                2: rf"2\mu^2 - ({depth}^2 + 2\mu{depth} + 2\mu^2){attenuation}",
            }[power]
            back = f" + I_b{attenuation}" if layer == "backed" else ""
            final = (
                rf"$I = {surface}\left(1 - {attenuation}\right) + {lead}{slope}"
                rf"\left[{left}\right]{back}$"
            )
    ranges = {surface: (0.5, 2.0), slope: (0.5, 2.0)}
    if asked == "intensity":
        ranges[r"\mu"] = (0.2, 1.0)
    if layer != "half":
        ranges[depth] = (0.3, 2.0)
    if layer == "backed":
        ranges["I_b"] = (0.5, 2.0)
    physical = "W m-2 sr-1"
    units = dict.fromkeys(("", *ranges), physical) | {r"\mu": "", depth: ""}
    if asked == "ratio":
        units[""] = ""
    units = {name: units[name] for name in ("", *ranges)}

    def check(at: Mapping[str, float]) -> float:
        def at_depth(tau: NDArray[np.float64]) -> NDArray[np.float64]:
            return at[surface] + float(share) * at[slope] * tau**power

        end, back = at.get(depth), at.get("I_b", 0.0)
        if asked == "intensity":
            return _outward(at_depth, (at[r"\mu"],), end, back)[0]
        nodes, weights = gauss_legendre(24, 0.0, 1.0)
        found = _outward(at_depth, (*nodes, 1.0))
        mean = 2 * sum(w * m * i for w, m, i in zip(weights, nodes, found, strict=False))
        return float(mean * 3.141592653589793 if asked == "flux" else mean / found[-1])

    return (
        Part(
            question,
            (
                r"Along the ray: $\mu\,dI/d\tau = I - S$, so "
                r"$I(0,\mu) = \int S(t)e^{-t/\mu}dt/\mu$ over the layer, plus the attenuated "
                r"light from behind, if any.",
                r"$\int_0^\infty t^ne^{-t/\mu}dt/\mu = n!\,\mu^n$ in a semi-infinite layer; parts "
                "from 0 to the optical thickness follow by partial integration.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "numerical transfer along rays and quadrature over angle"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Which of two wavelengths or depths shows the stronger darkening, and the temperature seen."""
    alike = draw.choice((True, False))
    while True:
        waves = [draw.number(400.0, 1600.0, digits=3) for _ in range(2)]
        cosines = [draw.number(0.15, 0.95) for _ in range(2)]
        effective = draw.number(5500.0, 6100.0, digits=3)
        found = [_seen(w, m, effective) for w, m in zip(waves, cosines, strict=True)]
        apart = [found[1][place] / found[0][place] - 1.0 for place in (0, 1)]
        if abs(apart[0]) > 0.02 and abs(apart[1]) > 0.005 and (apart[0] * apart[1] > 0) == alike:
            break
    ends = [
        rf"at {tex(wave, unit='nm')} where $\mu$ = {tex(cosine)}"
        for wave, cosine in zip(waves, cosines, strict=True)
    ]
    question = draw.phrase(
        rf"The Sun is {_GREY}, $T_{{\rm eff}}$ = {tex(effective, unit='K')} and $\mu = "
        rf"\cos\theta$ the cosine of the angle between line of sight and vertical. It is observed "
        f"first {ends[0]}, then {ends[1]}. From the first to the second observation, how do the "
        "ratio of the intensity to that at disc centre (at the same wavelength) and the brightness "
        "temperature change?",
        f"Compare two measurements of the solar disc, the first {ends[0]}, the second {ends[1]} "
        rf"($\mu$ is the cosine of the heliocentric angle). The photosphere is {_GREY} and "
        rf"$T_{{\rm eff}}$ = {tex(effective, unit='K')}. In which direction do the intensity ratio "
        "to disc centre at the wavelength observed, and the brightness temperature, change from "
        "the first to the second?",
    )
    others = [_by_laguerre(w, m, effective) for w, m in zip(waves, cosines, strict=True)]
    claims = change_claims(
        ("intensity ratio to disc centre", "brightness temperature"),
        relative_changes(*others),
        apart,
    )
    shown = [f"{tex(ratio, 3)} and {tex(kelvin, 3, unit='K')}" for ratio, kelvin in others]
    return (
        Part(
            question,
            (
                r"$I_\lambda(\mu) = \int_0^\infty B_\lambda[T(\mu t)]e^{-t}dt$: slanted rays see "
                "higher, cooler layers, and at short wavelengths $B_\\lambda$ varies more "
                "with $T$.",
                f"Ratio and brightness temperature are {shown[0]}, then {shown[1]}.",
            ),
            stated(claims, Routes("Gauss-Laguerre quadrature", "transfer along the ray")),
        ),
    )


def planck_si(
    wavelength_m: float, effective_k: float
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Occupation number of the grey atmosphere's radiation by optical depth."""
    import numpy as np

    ratio = si.H_PLANCK * si.C / (wavelength_m * si.K_B * effective_k)
    return lambda tau: np.asarray(1 / np.expm1(ratio / (0.75 * tau + 0.5) ** 0.25))


def _outward(
    source: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    cosines: tuple[float, ...],
    depth: float | None = None,
    back: float = 0.0,
) -> list[float]:
    """Emergent intensities: each ray is followed outward through layers of optical width 1."""
    import numpy as np

    nodes, weights = gauss_legendre(24, 0.0, 1.0)
    found = []
    for mu in cosines:
        length = 40.0 if depth is None else depth / mu
        count = max(int(length), 1)
        width = length / count
        t = (np.arange(count)[:, None] + nodes) * width
        added = (np.exp(-width * nodes) * source(mu * t)) @ weights * width
        intensity = back
        for layer in added[::-1]:
            intensity = intensity * exp(-width) + float(layer)
        found.append(intensity)
    return found


def _seen(wavelength_nm: float, mu: float, effective: float) -> tuple[float, float]:
    edge, middle = _outward(planck_si(wavelength_nm * 1e-9, effective), (mu, 1.0))
    scale = si.H_PLANCK * si.C / (wavelength_nm * 1e-9 * si.K_B)
    return edge / middle, scale / log(1 + 1 / edge)


def _by_laguerre(wavelength_nm: float, mu: float, effective: float) -> tuple[float, float]:
    nodes, weights = gauss_laguerre(40)
    scale = si.H_PLANCK * si.C / (wavelength_nm * 1e-9 * si.K_B)
    edge, middle = (
        sum(
            w / expm1(scale / effective / (0.75 * (at * t + 2 / 3)) ** 0.25)
            for t, w in zip(nodes, weights, strict=True)
        )
        for at in (mu, 1.0)
    )
    return edge / middle, scale / log(1 + 1 / edge)


FAMILY = Family(
    title="Limb darkening of a grey atmosphere",
    assumptions=(
        "plane-parallel atmosphere, source function given by depth",
        "grey opacity and Eddington's temperature law in the numerical and verbal problems",
    ),
    sources=(
        "Mihalas 1978, Stellar Atmospheres, 2nd ed., ch. 3",
        "Rutten 2003, Radiative Transfer in Stellar Atmospheres, section 2.2 and ch. 4",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
