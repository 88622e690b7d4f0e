r"""Parker's dynamo wave: helical turbulence, radial shear and diffusion in a local plane.

With x to the east, y to the north and z upwards, the field is
:math:`B \hat{x} + \nabla \times (A \hat{x})` and the shear :math:`S = dU_x/dz`:

.. math:: \partial_t A = \alpha B + \eta_A \nabla^2 A, \qquad
          \partial_t B = -S \, \partial_y A + \eta_B \nabla^2 B.

Waves :math:`\exp(\sigma t + i k y)` obey
:math:`(\sigma + \eta_A K^2)(\sigma + \eta_B K^2) = -i \alpha S k`.
"""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from fractions import Fraction
from math import exp, log, pi
from typing import TYPE_CHECKING

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Claim, Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claim, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import factor_tex, fraction_tex, tex
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FRAME = (
    "local Cartesian coordinates ($x$ eastward, $y$ northward, $z$ upward) the axisymmetric mean "
    r"field is $B\,\hat{\mathbf x} + \nabla\times(A\,\hat{\mathbf x})$"
)


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Wavelength of the fastest-growing wave, then its period."""
    from astropy import units

    alpha = draw.quantity(0.05, 0.5, "m s-1", log=True)
    shear = draw.quantity(3e-7, 3e-6, "s-1", log=True)
    eta = draw.quantity(4e7, 3e8, "m2 s-1", log=True)
    equations = (
        r"$\partial_t A = \alpha B + \eta\,\partial_y^2 A$ and "
        r"$\partial_t B = -S\,\partial_y A + \eta\,\partial_y^2 B$"
    )
    values = (
        rf"$\alpha$ = {tex(alpha)}, the radial shear $S = dU_x/dz$ = {tex(shear)} and the "
        rf"turbulent diffusivity $\eta$ = {tex(eta)}"
    )
    setting = draw.phrase(
        f"In {_FRAME}, and $A$ and $B$ depend on $y$ and $t$ only: {equations}. Here {values}.",
        f"A mean-field dynamo is studied in a plane: in {_FRAME}. With {values}, the fields depend "
        f"on $y$ and $t$ only and obey {equations}.",
    )
    wavenumber = (alpha * shear / (32 * eta**2)) ** (1 / 3)
    length = (2 * pi / wavenumber).to("Mm")
    period = (2 * pi / (alpha * shear * wavenumber / 2) ** 0.5).to("yr")
    fastest = _fastest_wavenumber(alpha.value, shear.value, eta.value)
    frequency = abs(_growing_mode(fastest, alpha.value, shear.value, eta.value).imag)
    first = Part(
        f"{setting} "
        + draw.phrase(
            "What is the wavelength of the mode that grows fastest?",
            "Find the wavelength at which the growth rate of a plane wave is greatest.",
        ),
        (
            r"For $\exp(\sigma t + iky)$: $(\sigma+\eta k^2)^2 = -i\alpha S k$, so "
            r"$\mathrm{Re}\,\sigma = \sqrt{\alpha S k/2} - \eta k^2$ for the growing mode.",
            r"$d\,\mathrm{Re}\,\sigma/dk = 0$ gives $k = (\alpha S/32\eta^2)^{1/3}$.",
            rf"$\lambda = 2\pi/k$ = {tex(length, 3, unit='Mm')}.",
        ),
        Numeric(
            length,
            2 * pi / fastest / 1e6,
            "Mm",
            Routes(
                "closed form of the dispersion relation with units",
                "greatest real part of the eigenvalues of the 2 x 2 system, in SI numbers",
            ),
        ),
    )
    second = Part(
        draw.phrase(
            "What is the full magnetic period of this wave, after which the field has the same "
            "sign again?"
            "",
            "After which time has the field of this fastest wave the same strength and sign again "
            "(full magnetic period)?",
        ),
        (
            r"$|\mathrm{Im}\,\sigma| = \sqrt{\alpha S k/2}$ at the wavenumber found.",
            rf"$P = 2\pi/|\mathrm{{Im}}\,\sigma|$ = {tex(period, 3, unit='yr')}.",
        ),
        Numeric(
            period,
            2 * pi / frequency * units.s,
            "yr",
            Routes("closed form with units", "imaginary part of the eigenvalue"),
        ),
    )
    return first, second


_ASKED = {
    "critical": "the least $\\alpha$ (positive) at which a wave of wavenumber $k$ does not decay",
    "frequency": "the angular frequency $\\omega$ of the wave of wavenumber $k$ when $\\alpha$ is "
    "just large enough that it does not decay",
    "least": "the least $\\alpha$ (positive) at which waves of some wavenumber $k$ do not decay",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Marginal waves in a layer, with unlike diffusivities of the two parts of the field."""
    root = Fraction(draw.integer(1, 4), draw.integer(1, 4))
    mode = draw.integer(1, 3)
    asked = draw.choice(tuple(_ASKED))
    depth, shear = draw.phrase("h", "d"), draw.phrase("S", r"\Omega'")
    ratio = root**2
    unlike = (
        r"the same diffusivity $\eta$ acts on both"
        if ratio == 1
        else rf"the diffusivity is $\eta$ for $A$ and ${fraction_tex(ratio)}\,\eta$ for $B$"
    )
    nodes = "" if mode == 1 else f" and have {mode - 1} node{'s' if mode > 2 else ''} in between"
    setting = draw.phrase(
        f"In {_FRAME}. The source of $A$ is $\\alpha B$, that of $B$ is $-{shear}\\,\\partial A/"
        f"\\partial y$ with a uniform shear ${shear} > 0$, and {unlike} (diffusion in $y$ and "
        "$z$).",
        f"A plane $\\alpha\\Omega$ dynamo: in {_FRAME}. $A$ is generated at the rate $\\alpha B$ "
        f"and $B$ at the rate $-{shear}\\,\\partial A/\\partial y$ (${shear} > 0$, uniform); "
        f"{unlike}, along $y$ as along $z$.",
    )
    layer = (
        f" Waves $\\propto \\exp(\\sigma t + iky)$ fill a layer of depth ${depth}$: $A$ and $B$ "
        f"vanish at $z = 0$ and $z = {depth}${nodes}. "
    )
    question = setting + layer + draw.phrase("Derive ", "Find ") + _ASKED[asked] + "."
    across = rf"\frac{{{'' if mode == 1 else mode**2}\pi^2}}{{{depth}^2}}"
    number = root * (1 + ratio)
    final = {
        "critical": rf"$\alpha = {factor_tex(number)}\frac{{\eta^2}}{{{shear} k}}"
        rf"\left(k^2 + {across}\right)^2$",
        "frequency": rf"$\omega = {factor_tex(root)}\eta\left(k^2 + {across}\right)$",
        "least": rf"$\alpha = {fraction_tex(number * Fraction(16, 9) * mode**3)}\sqrt{{3}}"
        rf"\frac{{\pi^3\eta^2}}{{{shear} {depth}^3}}$",
    }[asked]
    ranges = {r"\eta": (0.5, 2.0), depth: (1.0, 3.0)}
    units = {"": "m s-1", r"\eta": "m2 s-1", depth: "m"}
    if asked != "least":
        ranges["k"], units["k"] = (0.6, 3.0), "m-1"
    if asked == "frequency":
        units[""] = "s-1"
    else:
        ranges[shear], units[shear] = (0.5, 2.0), "s-1"

    def check(at: Mapping[str, float]) -> float:
        eta, squared = at[r"\eta"], (mode * pi / at[depth]) ** 2
        pair = (eta, eta * float(ratio))
        slope = at.get(shear, 1.0)
        alpha = _marginal_alpha(pair, squared, slope, at.get("k"))
        if asked != "frequency":
            return alpha
        return abs(_sigma(pair, at["k"] ** 2 + squared, alpha * slope * at["k"]).imag)

    extra = (r"$\alpha \propto (k^2+m^2)^2/k$ is least at $k = m/\sqrt{3}$.",)
    return (
        Part(
            question,
            (
                rf"$(\sigma + \eta_A K^2)(\sigma + \eta_B K^2) = -i\alpha {shear} k$ with "
                rf"$K^2 = k^2 + m^2$ and $m = {'' if mode == 1 else mode}\pi/{depth}$.",
                r"With $\sigma = -i\omega$ the real part gives $\omega^2 = \eta_A\eta_B K^4$ and "
                rf"the imaginary part $\omega(\eta_A + \eta_B)K^2 = \alpha {shear} k$.",
                *(extra if asked == "least" else ()),
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "root of the growth rate of the quadratic in sigma"),
                units,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Which way the wave goes, and how its period answers to the strength of the effects."""
    changed = draw.choice(("alpha", "shear", "diffusivity"))
    sign_alpha, sign_shear = draw.choice((1, -1)), draw.choice((1, -1))
    grows = draw.choice((True, False))
    alpha, shear = draw.number(0.2, 0.9), draw.number(1e-6, 9e-6)
    factor, length = draw.number(1.2, 2.5), draw.number(300.0, 1200.0)
    side = "positive" if sign_alpha > 0 else "negative"
    other = "increases with height" if sign_shear > 0 else "decreases with height"
    name = {
        "alpha": r"$|\alpha|$",
        "shear": r"$|dU_x/dz|$",
        "diffusivity": r"the diffusivity $\eta$",
    }[changed]
    ratio = factor if grows else 1 / factor
    verb = "is multiplied" if grows else "is divided"
    question = (
        f"In {_FRAME}; $A$ and $B$ depend on $y$ and $t$ only, with the induction equations "
        r"$\partial_t A = \alpha B + \eta\,\partial_y^2 A$ and "
        r"$\partial_t B = -(dU_x/dz)\,\partial_y A + \eta\,\partial_y^2 B$. "
        rf"$\alpha$ is {side} ($|\alpha|$ = {tex(alpha, unit='m s-1')}), and the eastward speed "
        f"$U_x$ {other} ($|dU_x/dz|$ = {tex(shear, unit='s-1')}). "
        + draw.phrase(
            "In which direction does the growing dynamo wave travel? For a wavelength of "
            f"{tex(length, unit='Mm')}, how does the period of the wave change, if at all, "
            f"when {name} {verb} "
            f"by {tex(factor)} and all else is kept?",
            f"Say whether the growing wave propagates northward or southward, and what happens to "
            f"the period of the wave with a length of {tex(length, unit='Mm')} when {name} {verb} "
            f"by "
            f"{tex(factor)} and all else is kept.",
        )
    )
    k = 2 * pi / (length * 1e6)
    north = sign_alpha * sign_shear
    speed = _phase_speed(k, sign_alpha * alpha, sign_shear * shear, 1e8)
    after = [alpha, shear, 1e8]
    place = ("alpha", "shear", "diffusivity").index(changed)
    after[place] *= ratio
    first = 0.0 if changed == "diffusivity" else ratio**-0.5 - 1.0
    second = _period(k, *after) / _period(k, alpha, shear, 1e8) - 1.0
    claims = (
        Claim(
            f"The dynamo wave travels {'northward' if north > 0 else 'southward'}.",
            1 if north > 0 else -1,
            float(north),
            speed / abs(speed),
        ),
        change_claim("period of the wave", first, second),
    )
    return (
        Part(
            question,
            (
                r"$(\sigma + \eta k^2)^2 = -i\alpha (dU_x/dz) k$; the growing root has "
                r"$\mathrm{Im}\,\sigma$ of the sign of $-\alpha\,dU_x/dz$: the phase moves to $+y$ "
                r"where $\alpha\,dU_x/dz > 0$ (Parker-Yoshimura rule).",
                r"$|\mathrm{Im}\,\sigma| = \sqrt{|\alpha\,dU_x/dz|\,k/2}$, without $\eta$.",
            ),
            stated(
                claims,
                Routes("roots of the dispersion relation", "eigenvalues of the 2 x 2 system"),
            ),
        ),
    )


def _growing_mode(k: float, alpha: float, shear: float, eta: float) -> complex:
    """Eigenvalue of greatest real part, with A in units of B times the solar radius."""
    import numpy as np

    damping = -eta * k**2
    matrix = [
        [damping, alpha / si.R_SUN_M],
        [-1j * k * shear * si.R_SUN_M, damping],
    ]
    values = np.linalg.eigvals(np.array(matrix))
    return complex(values[np.argmax(values.real)])


def _fastest_wavenumber(alpha: float, shear: float, eta: float) -> float:
    """Where the derivative of the growth rate by k, by central differences, vanishes."""

    def slope(log_k: float) -> float:
        k = exp(log_k)
        above, below = k * (1 + 1e-4), k * (1 - 1e-4)
        rates = [_growing_mode(at, alpha, shear, eta).real for at in (above, below)]
        return float((rates[0] - rates[1]) / (k * alpha * shear) ** 0.5)

    return exp(bracketed_root(slope, log(1e-10), log(1e-6)))


def _sigma(diffusivities: tuple[float, float], squared: float, drive: float) -> complex:
    a, b = (eta * squared for eta in diffusivities)
    return (-(a + b) + cmath.sqrt((a - b) ** 2 - 4j * drive)) / 2


def _marginal_alpha(
    diffusivities: tuple[float, float], across: float, shear: float, k: float | None
) -> float:
    """Root of the growth rate, at one wavenumber or where it is greatest."""
    from scipy.optimize import root

    scale = (sum(diffusivities) / 2) * across

    def rate(log_alpha: float, log_k: float) -> float:
        at = exp(log_k)
        return _sigma(diffusivities, at**2 + across, exp(log_alpha) * shear * at).real / scale

    def marginal(log_k: float) -> float:
        return bracketed_root(lambda x: rate(x, log_k), log(1e-3), log(1e8))

    if k is not None:
        return exp(marginal(log(k)))

    def conditions(point: NDArray[np.float64]) -> list[float]:
        log_alpha, log_k = (float(value) for value in point)
        slope = rate(log_alpha, log_k + 1e-4) - rate(log_alpha, log_k - 1e-4)
        return [rate(log_alpha, log_k), slope / 2e-4]

    guess = log(across) / 2
    found = root(conditions, [marginal(guess), guess], tol=1e-11)
    return exp(float(found.x[0]))


def _phase_speed(k: float, alpha: float, shear: float, eta: float) -> float:
    return -_growing_mode(k, alpha, shear, eta).imag / k


def _period(k: float, alpha: float, shear: float, eta: float) -> float:
    return 2 * pi / abs(_growing_mode(k, alpha, shear, eta).imag)


FAMILY = Family(
    title="Alpha-omega dynamo wave",
    assumptions=(
        "linear mean-field dynamo in a plane, uniform alpha, shear and diffusivity",
        "alpha generates the poloidal field only",
    ),
    sources=(
        "Parker 1955, ApJ 122, 293",
        "Charbonneau 2020, Living Reviews in Solar Physics 17, 4",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
