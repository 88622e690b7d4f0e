r"""A line in a Milne-Eddington atmosphere and its weak-field circular polarisation.

With :math:`S = S_0 + S_1 \tau` and the line-to-continuum opacity :math:`\eta_0 \varphi(v)`,

.. math:: I(v) = S_0 + \frac{\mu S_1}{1 + \eta_0 \varphi(v)}, \qquad
          V = -\Delta\lambda_B \frac{\partial I}{\partial\lambda}, \qquad
          \Delta\lambda_B = \frac{g e \lambda_0^2 B_\parallel}{4\pi m_e c}.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import exp, log, pi, tan

from ecliptic.helio.families import si
from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import fraction_tex, tex
from ecliptic.helio.families.roots import bracketed_root

_LINES = {
    "Fe I 630.25 nm": (630.25, 2.5),
    "Fe I 630.15 nm": (630.15, 1.67),
    "Fe I 617.33 nm": (617.33, 2.5),
    "Fe I 525.02 nm": (525.02, 3.0),
    "Ni I 676.78 nm": (676.78, 1.43),
    "Fe I 1564.85 nm": (1564.85, 3.0),
}
"""Wavelength in nm and (effective) Lande factor."""


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Line depth, the place where V peaks and its height there."""
    from astropy import constants, units
    from scipy.optimize import brentq

    name = draw.choice(tuple(_LINES))
    wavelength, lande = _LINES[name][0] * units.nm, _LINES[name][1]
    doppler = draw.quantity(2.5, 4.0, "pm") * (2.5 if wavelength.value > 1000 else 1.0)
    eta = draw.number(1.5, 15.0)
    ratio = draw.number(1.0, 4.0)
    mu = draw.choice((1.0, draw.number(0.4, 0.9)))
    field = draw.quantity(20.0, 150.0, "G") * (0.4 if wavelength.value > 1000 else 1.0)
    where = "at disc centre" if mu == 1.0 else rf"at $\mu = \cos\theta$ = {tex(mu)}"
    setting = draw.phrase(
        f"The line {name} (effective Lande factor {tex(lande)}) forms in a Milne-Eddington "
        r"atmosphere: the source function is $S = S_0(1 + \beta\tau)$ with the continuum "
        rf"optical depth $\tau$ and $\beta$ = {tex(ratio)}, and the ratio of line to continuum "
        rf"opacity "
        rf"is $\eta_0e^{{-v^2}}$, $v = \Delta\lambda/\Delta\lambda_D$, with $\eta_0$ = "
        rf"{tex(eta)} and "
        rf"$\Delta\lambda_D$ = {tex(doppler)}. It is observed {where}.",
        rf"In an atmosphere with $S = S_0(1 + \beta\tau)$ ($\tau$: continuum, $\beta$ = "
        rf"{tex(ratio)}), the line {name} has a ratio of line to continuum opacity "
        rf"$\eta_0\exp[-(\Delta\lambda/\Delta\lambda_D)^2]$ that does not depend on depth: "
        rf"$\eta_0$ = {tex(eta)}, Doppler width {tex(doppler)}, effective Lande factor "
        rf"{tex(lande)}. It "
        f"is observed {where}.",
    )
    share = ratio * mu / (1 + ratio * mu)
    centre = share * eta / (1 + eta)

    def condition(v: float) -> float:
        # Derivative of v e^(-v^2) / (1 + eta e^(-v^2))^2, apart from positive factors.
        line = eta * exp(-(v**2))
        return (1 - 2 * v**2) * (1 + line) + 4 * v**2 * line

    place = float(brentq(condition, 0.3, 4.0, xtol=1e-13))
    line = eta * exp(-(place**2))
    split = constants.e.si * wavelength**2 * field * lande / (4 * pi * constants.m_e * constants.c)
    shift = float((split / doppler).to_value(""))
    height = shift * share * 2 * place * line / (1 + line) ** 2
    shift_si = _shift(wavelength.value, lande, field.value, doppler.value * 1e-12)

    def intensity(v: float) -> float:
        return _along_ray(eta * exp(-(v**2)), ratio, mu)

    peak = _steepest(intensity)
    signal = _circular(intensity, peak, shift_si) / _along_ray(0.0, ratio, mu)
    first = Part(
        f"{setting} "
        + draw.phrase(
            "Without a magnetic field, what is the relative depth of the line at its centre, "
            "$1 - I/I_c$?",
            "How deep is the line at its centre relative to the continuum ($1 - I/I_c$), before "
            "any field acts?",
        ),
        (
            r"$I = S_0\left(1 + \frac{\beta\mu}{1 + \eta_0e^{-v^2}}\right)$ and "
            r"$I_c = S_0(1 + \beta\mu)$.",
            rf"$1 - I/I_c = \frac{{\beta\mu}}{{1+\beta\mu}}\frac{{\eta_0}}{{1+\eta_0}}$ = "
            f"{tex(centre, 3)}.",
        ),
        Numeric(
            centre,
            1 - intensity(0.0) / _along_ray(0.0, ratio, mu),
            "",
            Routes("Milne-Eddington solution", "numerical transfer along the ray"),
        ),
    )
    second = Part(
        draw.phrase(
            "In a weak field along the line of sight, at which distance from line centre is the "
            "circular polarisation greatest?",
            "How far from line centre does Stokes $V$ peak when the field is weak?",
        ),
        (
            r"$V = -\Delta\lambda_B\,\partial I/\partial\lambda \propto "
            r"ve^{-v^2}/(1+\eta_0e^{-v^2})^2$.",
            r"Its derivative vanishes where $(1-2v^2)(1+\eta_0e^{-v^2}) + 4v^2\eta_0e^{-v^2} = 0$: "
            rf"$v$ = {tex(place, 4)}, $|\Delta\lambda|$ = {tex(place * doppler, 3, unit='pm')}.",
        ),
        Numeric(
            place * doppler,
            peak * doppler.value,
            "pm",
            Routes("root of the derivative in closed form", "steepest point of the computed line"),
            agreement=1e-5,
        ),
    )
    third = Part(
        draw.phrase(
            f"How large is $|V|/I_c$ there when the component of the field along the line of sight "
            f"is {tex(field)} (to first order in the field)?",
            f"The line-of-sight field is {tex(field)}. What is the amplitude of $|V|/I_c$ at that "
            "wavelength, in the weak-field approximation?",
        ),
        (
            r"$\Delta\lambda_B = ge\lambda^2B_\parallel/(4\pi m_ec)$ = "
            f"{tex(split.to(units.pm), 3, unit='pm')}.",
            r"$\frac{|V|}{I_c} = \frac{\Delta\lambda_B}{\Delta\lambda_D}\frac{\beta\mu}{1+\beta\mu}"
            rf"\frac{{2v\eta_0e^{{-v^2}}}}{{(1+\eta_0e^{{-v^2}})^2}}$ = {tex(height, 3)}.",
        ),
        Numeric(
            height,
            signal,
            "",
            Routes(
                "weak-field formula with units",
                "difference of the two circular polarisations, computed with split lines",
            ),
            agreement=1e-5,
        ),
    )
    return first, second, third


_ASKED = {
    "depth": "relative depth $d = 1 - I/I_c$ of the line at its centre",
    "width": "full width $w$ in wavelength at half of its central depth",
    "equivalent": r"equivalent width $W = \int(1 - I/I_c)\,d\lambda$",
    "peak": r"distance $\Delta\lambda$ from line centre at which Stokes $|V|$ is greatest in a "
    "weak longitudinal field",
    "amplitude": "greatest value $A$ of $|V|/I_c$, to first order in the longitudinal field, when "
    r"the line is split by $\pm\delta$ (in wavelength) for the two circular polarisations",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """Depth, widths and polarisation of a Lorentzian line in closed form."""
    asked = draw.choice(tuple(_ASKED))
    law = draw.choice(("ratio", "terms"))
    mu = draw.choice((None, None, Fraction(1), Fraction(1, 2), Fraction(3, 4), Fraction(2, 5)))
    eta, width = draw.phrase(r"\eta_0", "r"), draw.phrase(r"\Delta_L", "D")
    source = r"S_0(1 + \beta\tau)" if law == "ratio" else r"S_0 + S_1\tau"
    # For a number, numerator and denominator of mu multiply the two parts of the intensity.
    above, below = (Fraction(1) if mu is None else mu).as_integer_ratio()
    cosine = r"\mu " if mu is None else "" if above == 1 else str(above)
    whole = "" if below == 1 else str(below)
    if law == "ratio":
        share = rf"\frac{{{cosine}\beta}}{{{whole or 1} + {cosine}\beta}}"
    else:
        share = rf"\frac{{{cosine}S_1}}{{{whole}S_0 + {cosine}S_1}}"
    view = (
        r"seen at an angle whose cosine to the vertical is $\mu$"
        if mu is None
        else "seen at disc centre"
        if mu == 1
        else rf"seen at $\mu = \cos\theta = {fraction_tex(mu)}$"
    )
    profile = rf"{eta}/[1 + (\lambda-\lambda_0)^2/{width}^2]"
    question = draw.phrase(
        rf"In a Milne-Eddington atmosphere with the source function ${source}$ ($\tau$: optical "
        rf"depth of the continuum), the ratio of line to continuum opacity is ${profile}$ at all "
        f"depths. For the line {view}, derive the {_ASKED[asked]}.",
        rf"A spectral line with a Lorentzian ratio of line to continuum opacity, ${profile}$, "
        rf"independent of depth, forms where the source function is ${source}$, with the "
        rf"continuum optical depth $\tau$. It is {view}. Find the {_ASKED[asked]}.",
    )
    final = {
        "depth": rf"$d = {share}\frac{{{eta}}}{{1 + {eta}}}$",
        "width": rf"$w = 2{width}\sqrt{{1 + {eta}}}$",
        "equivalent": rf"$W = {share}\frac{{\pi {eta}{width}}}{{\sqrt{{1 + {eta}}}}}$",
        "peak": rf"$\Delta\lambda = {width}\sqrt{{\frac{{1 + {eta}}}{{3}}}}$",
        "amplitude": rf"$A = {share}\frac{{3\sqrt{{3}}}}{{8}}\frac{{\delta}}{{{width}}}"
        rf"\frac{{{eta}}}{{(1 + {eta})^{{3/2}}}}$",
    }[asked]
    ranges: dict[str, tuple[float, float]] = {eta: (0.5, 5.0)}
    units = {eta: "", width: "m", r"\delta": "m", "S_0": "W m-2", "S_1": "W m-2", "": "m"}
    units |= {r"\beta": "", r"\mu": ""}
    if asked != "depth":
        ranges[width] = (0.5, 2.0)
    if asked == "amplitude":
        ranges[r"\delta"] = (0.05, 0.2)
    if asked not in ("width", "peak"):
        if mu is None:
            ranges[r"\mu"] = (0.3, 1.0)
        ranges |= (
            {r"\beta": (0.5, 3.0)} if law == "ratio" else {"S_0": (0.5, 2.0), "S_1": (0.5, 3.0)}
        )
    if asked in ("depth", "amplitude"):
        units[""] = ""
    units = {name: units[name] for name in ("", *ranges)}

    def check(at: Mapping[str, float]) -> float:
        slope = at.get(r"\beta", at.get("S_1", 1.0) / at.get("S_0", 1.0))
        direction = at.get(r"\mu", float(mu or 1))
        strength, scale = at[eta], at.get(width, 1.0)

        def line(v: float) -> float:
            return _along_ray(strength / (1 + v**2), slope, direction)

        continuum = _along_ray(0.0, slope, direction)
        depth = 1 - line(0.0) / continuum
        if asked == "depth":
            return depth
        if asked == "width":
            half = bracketed_root(lambda v: 1 - line(v) / continuum - depth / 2, 0.0, 50.0)
            return 2 * scale * half
        if asked == "equivalent":
            # Over the angle u, v = tan(u), the integrand is periodic: midpoints converge fast.
            steps = 96
            angles = [pi * (k + 0.5) / steps - pi / 2 for k in range(steps)]
            return scale * sum(
                (1 - line(tan(u)) / continuum) * (1 + tan(u) ** 2) * pi / steps for u in angles
            )
        peak = _steepest(line)
        if asked == "peak":
            return scale * peak
        return _circular(line, peak, at[r"\delta"] / scale) / continuum

    return (
        Part(
            question,
            (
                r"$I(\mu) = \int S e^{-(1+\eta)\tau/\mu}(1+\eta)\,d\tau/\mu$ gives "
                r"$I = S_0 + \mu S_1/(1+\eta)$, where $\eta$ is the opacity ratio and $S_1$ the "
                "gradient of the source function.",
                rf"$1 - I/I_c = {share}\frac{{{eta}}}{{1 + {eta} + v^2}}$ with "
                rf"$v = (\lambda-\lambda_0)/{width}$.",
                r"A weak field gives $V = -\delta\,\partial I/\partial\lambda$, greatest where "
                rf"$3v^2 = 1 + {eta}$."
                if asked in ("peak", "amplitude")
                else "The line keeps a Lorentzian shape, broadened by saturation.",
                f"Hence {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("closed form", "numerical transfer, roots and finite differences"),
                units,
                agreement=1e-5,
            ),
        ),
    )


def textual(draw: Draw) -> tuple[Part, ...]:
    """Splitting and saturation: how V and the line's depth answer."""
    while True:
        names = [draw.choice(tuple(_LINES)[:5]) for _ in range(2)]
        etas = [draw.number(1.0, 20.0) for _ in range(2)]
        fields = [draw.number(20.0, 150.0) for _ in range(2)]
        ratio, doppler = draw.number(1.0, 4.0), draw.number(2.8, 4.0)
        shifts = [
            _shift(_LINES[n][0], _LINES[n][1], b, doppler * 1e-12)
            for n, b in zip(names, fields, strict=True)
        ]
        heights = [e / (1 + e) ** 1.5 * s for e, s in zip(etas, shifts, strict=True)]
        if abs(log(heights[1] / heights[0])) > 0.1 and abs(log(etas[1] / etas[0])) > 0.1:
            break
    ends = [
        rf"{name} (effective Lande factor {tex(_LINES[name][1])}) with $\eta_0$ = {tex(e)} in a "
        f"longitudinal field of {tex(b, unit='G')}"
        for name, e, b in zip(names, etas, fields, strict=True)
    ]
    question = draw.phrase(
        rf"Two lines form at disc centre in the Milne-Eddington source function "
        rf"$S_0(1 + \beta\tau)$, $\beta$ = {tex(ratio)}. Their ratio of line to continuum opacity "
        rf"is $\eta_0/(1 + v^2)$, where $v$ is the distance from line centre in units of "
        f"{tex(doppler, unit='pm')}. The first is {ends[0]}; the second is {ends[1]}. Both fields "
        "are weak (the splitting is much below the width). From the first to the second, how do "
        "the central depth of the line (relative to the continuum, without field) and the "
        "amplitude of Stokes $V/I_c$ change?",
        rf"Compare, at disc centre and in the weak-field approximation, {ends[0]} and {ends[1]}. "
        rf"In both, the source function is $S_0(1 + \beta\tau)$ with $\beta$ = {tex(ratio)}, and "
        rf"the ratio of line to continuum opacity is $\eta_0/(1 + v^2)$ with $v$ in units of "
        f"{tex(doppler, unit='pm')}. In which direction do the central depth (relative, without "
        "field) and the amplitude of Stokes $V/I_c$ change from the first to the second?",
    )
    depths, signals = [], []
    for e, shift in zip(etas, shifts, strict=True):
        line = _lorentzian(e, ratio)
        continuum = _along_ray(0.0, ratio, 1.0)
        depths.append(1 - line(0.0) / continuum)
        signals.append(_circular(line, _steepest(line), shift) / continuum)
    deeper = etas[1] / (1 + etas[1]) / (etas[0] / (1 + etas[0])) - 1.0
    claims = change_claims(
        ("central depth of the line", "Stokes V amplitude"),
        (deeper, heights[1] / heights[0] - 1.0),
        (depths[1] / depths[0] - 1.0, signals[1] / signals[0] - 1.0),
    )
    return (
        Part(
            question,
            (
                r"Central depth $\frac{\beta}{1+\beta}\frac{\eta_0}{1+\eta_0}$.",
                r"Amplitude $\propto g\lambda^2B\,\eta_0/(1+\eta_0)^{3/2}$: greatest at "
                r"$\eta_0 = 2$, it falls when the line saturates.",
                f"The ratios of second to first are {tex(deeper + 1, 3)} and "
                f"{tex(heights[1] / heights[0], 3)}.",
            ),
            stated(claims, Routes("closed forms", "numerical transfer with split lines")),
        ),
    )


def _lorentzian(eta: float, ratio: float) -> Callable[[float], float]:
    return lambda v: _along_ray(eta / (1 + v**2), ratio, 1.0)


def _shift(wavelength_nm: float, lande: float, field_gauss: float, width_m: float) -> float:
    """Zeeman shift in units of the width, SI numbers."""
    square = (wavelength_nm * 1e-9) ** 2
    shift_m = lande * si.E_CHARGE * square * field_gauss * 1e-4 / (4 * pi * si.M_E * si.C)
    return shift_m / width_m


def _along_ray(eta: float, ratio: float, mu: float, steps: int = 24) -> float:
    """Intensity over S_0: from deep layers outward with linear source functions in each step."""
    end = 36.0 * mu / (1 + eta)
    width = end / steps
    path = (1 + eta) * width / mu
    kept = exp(-path)
    mean = (1 - kept) / path
    intensity = 1 + ratio * end
    for step in range(steps, 0, -1):
        low, high = 1 + ratio * (step - 1) * width, 1 + ratio * step * width
        intensity = intensity * kept + low * (1 - mean) + high * (mean - kept)
    return intensity


def _steepest(line: Callable[[float], float]) -> float:
    """Where the slope of the line, by fourth-order differences, is greatest."""

    h = 0.01

    def curvature(v: float) -> float:
        far = line(v + 2 * h) + line(v - 2 * h)
        return -far + 16 * (line(v + h) + line(v - h)) - 30 * line(v)

    return bracketed_root(curvature, 0.2, 5.0)


def _circular(line: Callable[[float], float], v: float, shift: float) -> float:
    """Half the difference of the circular polarisations, in the limit of a weak field."""
    small = 1e-3
    near, far = (line(v + s) - line(v - s) for s in (small, 2 * small))
    return abs(shift) * (8 * near - far) / (12 * small)


FAMILY = Family(
    title="Milne-Eddington line and weak-field circular polarisation",
    assumptions=(
        "source function linear in continuum optical depth, opacity ratio independent of depth",
        "weak longitudinal field: splitting far below the width of the line",
    ),
    sources=(
        "del Toro Iniesta 2003, Introduction to Spectropolarimetry, ch. 9 and 11",
        "Landi Degl'Innocenti & Landolfi 2004, Polarization in Spectral Lines, section 9.6",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
