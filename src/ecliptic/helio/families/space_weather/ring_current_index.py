r"""Burton's equation for the Dst index, driven by the solar wind.

.. math:: \frac{dD}{dt} = Q(t) - \frac{D}{\tau}, \qquad D = Dst - b \sqrt{P} + c,

with an injection Q that is zero unless the rectified electric field exceeds a threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from math import exp, log, sqrt
from typing import TYPE_CHECKING

from ecliptic.helio.families.answers import Numeric, Part, Routes, Symbolic
from ecliptic.helio.families.directions import change_claims, relative_changes, stated
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.family import Family
from ecliptic.helio.families.notation import tex
from ecliptic.helio.families.quadrature import gauss_legendre
from ecliptic.helio.families.roots import bracketed_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def numeric(draw: Draw) -> tuple[Part, ...]:
    """Dst at the end of the main phase, then the hour at which it has recovered to a value."""
    import numpy as np
    from astropy import units

    speed = draw.quantity(450.0, 850.0, "km s-1")
    south = draw.quantity(10.0, 22.0, "nT")
    hours = draw.quantity(4.0, 11.0, "h")
    tau = draw.quantity(6.0, 12.0, "h")
    gain, edge = draw.number(4.0, 5.0), draw.quantity(0.4, 0.6, "mV m-1")
    press, calm = draw.number(7.0, 12.0), draw.quantity(10.0, 18.0, "nT")
    storm, after = draw.quantity(6.0, 18.0, "nPa"), draw.quantity(1.5, 4.0, "nPa")
    start = -draw.quantity(5.0, 25.0, "nT")
    rise = draw.choice((True, False))
    drive = (speed * south).to("mV m-1")
    law = (
        r"$dD/dt = Q - D/\tau$ for the pressure-corrected index $D = Dst - b\sqrt P + c$, with "
        rf"$\tau$ = {tex(tau)}, $b = {press}\ \mathrm{{nT\,nPa^{{-1/2}}}}$ and $c$ = {tex(calm)}; "
        rf"$Q = -a(E_y - E_c)$ with $a = {gain}\ \mathrm{{nT\,h^{{-1}}}}$ per mV/m, $E_c$ = "
        f"{tex(edge)} and $E_y$ = solar-wind speed times southward field, and $Q = 0$ where "
        "$E_y < E_c$"
    )
    how = (
        f"grows linearly from zero to {tex(south)} within {tex(hours)}"
        if rise
        else f"is {tex(south)} for {tex(hours)}"
    )
    setting = draw.phrase(
        f"Take {law}. At $t = 0$, $D$ = {tex(start)}. From then on the southward component of the "
        f"interplanetary field {how}, at a speed of {tex(speed)} and a dynamic pressure $P$ of "
        f"{tex(storm)}. Then the field turns northward.",
        f"A storm obeys {law}. The wind blows with {tex(speed)} and the dynamic pressure $P$ = "
        f"{tex(storm)}, and its southward field {how}, counted from $t = 0$ when $D$ is "
        f"{tex(start)}; afterwards the field points northward.",
    )
    slope = -gain * units.nT / units.h / (units.mV / units.m)
    fade = exp(-float((hours / tau).to_value("")))
    if rise:
        onset = hours * float((edge / drive).to_value(""))
        left = hours - onset
        ramp = slope * drive / hours
        decay = exp(-float((left / tau).to_value("")))
        reached = ramp * tau * (left - tau * (1 - decay)) + start * fade
    else:
        reached = slope * (drive - edge) * tau * (1 - fade) + start * fade
    shift = press * units.nT / units.nPa**0.5 * storm**0.5 - calm
    index = (reached + shift).to("nT")
    lift = press * units.nT / units.nPa**0.5 * after**0.5 - calm
    floor = (reached + lift).to_value("nT")
    goal = float(f"{floor * draw.number(0.35, 0.65):.2g}") * units.nT
    time = (tau * log(float((reached / (goal - lift)).to_value("")))).to("h")
    e_max = speed.value * south.value * 1e-3

    def inject(t: NDArray[np.float64]) -> NDArray[np.float64]:
        field = e_max * t / hours.value if rise else e_max + 0 * t
        above: NDArray[np.float64] = np.maximum(field - edge.value, 0.0)
        return -gain * above

    breaks = (edge.value / e_max * hours.value,) if rise else ()
    other = _driven(inject, tau.value, hours.value, start.value, breaks)
    other_index = other + press * sqrt(storm.value) - calm.value
    offset = press * sqrt(after.value) - calm.value
    return (
        Part(
            f"{setting} "
            + draw.phrase(
                "What is $Dst$ at the end of the southward field, just before it turns?",
                "Find $Dst$ at the end of this main phase, still under the pressure stated.",
            ),
            (
                rf"At the end $E_y$ = {tex(drive, 3)}.",
                r"$D(t) = D_0 e^{-t/\tau} + \int_0^t Q(t')\,e^{-(t-t')/\tau}dt'$"
                + (r", with $Q = 0$ until $E_y$ passes $E_c$." if rise else "."),
                rf"$D$ = {tex(reached.to('nT'), 4)}, and with $b\sqrt P - c$ added $Dst$ = "
                f"{tex(index, 4)}.",
            ),
            Numeric(
                index,
                other_index,
                "nT",
                Routes("solution of the linear equation, with units", "quadrature of the response"),
                digits=4,
            ),
        ),
        Part(
            draw.phrase(
                f"With the turning the dynamic pressure falls to {tex(after)}, and nothing more is "
                f"injected. How many hours later has $Dst$ recovered to {tex(goal)}?",
                f"The northward field comes with a dynamic pressure of {tex(after)}. After how "
                f"many hours of recovery does $Dst$ pass {tex(goal)}?",
            ),
            (
                r"$D$ is continuous at the turning while $Dst$ jumps with $\sqrt P$; then "
                r"$D \propto e^{-t/\tau}$.",
                rf"At the goal $D$ = {tex((goal - lift).to('nT'), 4)}: $t = \tau\ln(D_1/D)$ = "
                f"{tex(time, 3)}.",
            ),
            Numeric(
                time,
                _recovery(other, goal.value - offset, tau.value),
                "h",
                Routes("exponential decay, with units", "quadrature of dD over the loss"),
            ),
        ),
    )


_SHAPES = {
    "constant": r"$Q = -A$ for $0 < t < T$",
    "ramp": r"$Q = -A\,t/T$ for $0 < t < T$",
    "fall": r"$Q = -A(1 - t/T)$ for $0 < t < T$",
    "square": r"$Q = -A\,t^2/T^2$ for $0 < t < T$",
    "sine": r"$Q = -A\sin(\pi t/T)$ for $0 < t < T$",
    "decay": r"$Q = -A\,e^{-t/T}$ for $t > 0$",
}


def symbolic(draw: Draw) -> tuple[Part, ...]:
    """The corrected index during or after injections of six shapes."""
    shape = draw.choice(tuple(_SHAPES))
    asked = draw.choice(("during", "after", "end", "integral"))
    if shape == "decay":
        asked = draw.choice(("during", "minimum", "integral"))
    start = draw.choice((True, False))
    share = draw.choice([Fraction(n) for n in (1, 2, 3)])
    amp, tau, name = draw.phrase("A", "Q_0"), draw.phrase(r"\tau", r"\tau_r"), draw.phrase("D", "Y")
    if asked in ("minimum", "integral"):
        start = False
    begin = f"${name} = -D_0$" if start else f"${name} = 0$"
    law = _SHAPES[shape].replace("A", amp)
    later = (
        f" and zero afterwards; the decay time is ${tau}$"
        if shape != "decay"
        else rf"; the decay time ${tau}$ differs from $T$"
    )
    what = {
        "during": f"Derive ${name}(t)$ while the injection lasts."
        if shape != "decay"
        else f"Derive ${name}(t)$.",
        "after": f"Find ${name}(t)$ after the injection has ended, for $t > T$.",
        "end": f"Find ${name}$ at $t = {'' if share == 1 else share}T$.",
        "integral": f"Find the storm-time integral $S = \\int_0^\\infty {name}\\,dt$.",
        "minimum": f"At which time $t$ is ${name}$ least?",
    }[asked]
    question = draw.phrase(
        f"The pressure-corrected $Dst$ index, here ${name}$, obeys $d{name}/dt = Q - {name}/{tau}$ "
        f"with the injection {law}{later}. At $t = 0$, {begin}. {what}",
        f"In the model of Burton et al. the ring current's index ${name}$ (corrected for dynamic "
        f"pressure) follows $d{name}/dt = Q - {name}/{tau}$. A storm starts at $t = 0$ from "
        f"{begin} with {law}{later}. {what}",
    )
    inside, total = _response(shape, amp, tau)
    at_end = _at_end(shape, amp, tau) if shape != "decay" else ""
    old = rf" - D_0 e^{{-t/{tau}}}" if start else ""
    if asked == "during":
        final = rf"${name} = {inside}{old}$"
    elif asked == "after":
        final = rf"${name} = {at_end}\,e^{{-(t - T)/{tau}}}{old}$"
    elif asked == "end":
        delay = "" if share == 1 else rf"\,e^{{-{'' if share == 2 else share - 1}T/{tau}}}"
        begun = rf" - D_0 e^{{-{'' if share == 1 else share}T/{tau}}}" if start else ""
        final = rf"${name} = {at_end}{delay}{begun}$"
    elif asked == "integral":
        final = rf"$S = {total}$"
    else:
        final = rf"$t = \frac{{T{tau}}}{{T - {tau}}}\ln\left(\frac{{T}}{{{tau}}}\right)$"
    ranges = {amp: (0.5, 2.0), tau: (0.5, 0.9), "T": (1.2, 2.0)}
    units = {amp: "nT s-1", tau: "s", "T": "s", "": "nT"}
    if asked == "minimum":
        del ranges[amp], units[amp]
        units[""] = "s"
    if asked == "integral":
        units[""] = "nT s"
    if asked in ("during", "after"):
        ranges["t"], units["t"] = ((0.2, 1.1) if asked == "during" else (2.1, 3.0)), "s"
    if start:
        ranges["D_0"], units["D_0"] = (0.2, 1.0), "nT"

    def check(at: Mapping[str, float]) -> float:
        import numpy as np

        last, strength = at["T"], at.get(amp, 1.0)
        begun = -at.get("D_0", 0.0)

        def inject(t: NDArray[np.float64]) -> NDArray[np.float64]:
            x = t / last
            curves: dict[str, Callable[..., NDArray[np.float64]]] = {
                "constant": np.ones_like,
                "ramp": np.positive,
                "fall": lambda y: 1 - y,
                "square": np.square,
                "sine": lambda y: np.sin(np.pi * y),
                "decay": lambda y: np.exp(-y),
            }
            lasting: NDArray[np.float64] = curves[shape](x) * ((x < 1) | (shape == "decay"))
            return -strength * lasting

        def index(t: float) -> float:
            breaks = (last,) if shape != "decay" and t > last else ()
            return _driven(inject, at[tau], t, begun, breaks)

        if asked == "end":
            return index(float(share) * last)
        if asked == "integral":
            # In shares of an hour the storm is over after forty decay times.
            return _summed(index, last + 40 * at[tau] if shape != "decay" else 60.0, last)
        if asked == "minimum":
            return _least(index)
        return index(at["t"])

    return (
        Part(
            question,
            (
                rf"The equation is linear: ${name} = {name}(0)e^{{-t/{tau}}} + \int_0^t Q(t')"
                rf"e^{{-(t-t')/{tau}}}dt'$.",
                f"Integrated over all times it gives $S = {tau}\\int Q\\,dt$ from a quiet start.",
                f"With this injection: {final}.",
            ),
            Symbolic(
                final,
                ranges,
                check,
                Routes("integrating factor", "quadrature of the response at drawn values"),
                units,
            ),
        ),
    )


def _response(shape: str, amp: str, tau: str) -> tuple[str, str]:
    """Index from a zero start while the injection lasts, and its integral over all time."""
    gone = rf"e^{{-t/{tau}}}"
    over = rf"\left(1 - {gone}\right)"
    circle = rf"1 + \frac{{\pi^2{tau}^2}}{{T^2}}"
    inside = {
        "constant": rf"-{amp}{tau}{over}",
        "ramp": rf"-\frac{{{amp}{tau}}}{{T}}\left[t - {tau}{over}\right]",
        "fall": rf"-{amp}{tau}{over} + \frac{{{amp}{tau}}}{{T}}\left[t - {tau}{over}\right]",
        "square": rf"-\frac{{{amp}{tau}}}{{T^2}}\left[t^2 - 2{tau} t + 2{tau}^2{over}\right]",
        "sine": rf"-\frac{{{amp}{tau}}}{{{circle}}}\left[\sin\left(\frac{{\pi t}}{{T}}\right) - "
        rf"\frac{{\pi{tau}}}{{T}}\left(\cos\left(\frac{{\pi t}}{{T}}\right) - {gone}\right)"
        r"\right]",
        "decay": rf"-\frac{{{amp}T{tau}}}{{T - {tau}}}\left(e^{{-t/T}} - {gone}\right)",
    }[shape]
    area = {
        "constant": "T",
        "ramp": r"\frac{T}{2}",
        "fall": r"\frac{T}{2}",
        "square": r"\frac{T}{3}",
        "sine": r"\frac{2T}{\pi}",
        "decay": "T",
    }[shape]
    return inside, rf"-{amp}{tau} {area}"


def _at_end(shape: str, amp: str, tau: str) -> str:
    """Index at t = T from a zero start, as a product."""
    over = rf"\left(1 - e^{{-T/{tau}}}\right)"
    circle = rf"1 + \frac{{\pi^2{tau}^2}}{{T^2}}"
    return {
        "constant": rf"-{amp}{tau}{over}",
        "ramp": rf"-\frac{{{amp}{tau}}}{{T}}\left[T - {tau}{over}\right]",
        "fall": rf"-\frac{{{amp}{tau}}}{{T}}\left[{tau} - (T + {tau})e^{{-T/{tau}}}\right]",
        "square": rf"-\frac{{{amp}{tau}}}{{T^2}}\left[T^2 - 2{tau} T + 2{tau}^2{over}\right]",
        "sine": rf"-\frac{{\pi {amp}{tau}^2}}{{T\left({circle}\right)}}"
        rf"\left(1 + e^{{-T/{tau}}}\right)",
    }[shape]


def textual(draw: Draw) -> tuple[Part, ...]:
    """Depth of the storm and time of recovery under another wind, field, duration or decay."""
    changed = draw.choice(("speed", "south", "hours", "tau", "edge"))
    at = {
        "speed": draw.number(420.0, 700.0),
        "south": draw.number(8.0, 18.0),
        "hours": draw.number(4.0, 9.0),
        "tau": draw.number(6.0, 11.0),
        "edge": 0.5,
    }
    other = float(f"{at[changed] * draw.number(1.25, 1.7):.2g}")
    before, after = draw.choice(((at[changed], other), (other, at[changed])))
    unit = {"speed": "km s-1", "south": "nT", "edge": "mV m-1"}.get(changed, "h")
    name = {
        "speed": "the speed of the solar wind",
        "south": "the southward field of the solar wind",
        "hours": "the duration of the southward field",
        "tau": r"the decay time $\tau$",
        "edge": "the threshold $E_c$",
    }[changed]
    shown = {
        "speed": f"a wind speed of {tex(at['speed'], unit='km s-1')}",
        "south": f"a southward field of {tex(at['south'], unit='nT')}",
        "hours": f"a duration of {tex(at['hours'], unit='h')}",
        "tau": rf"$\tau$ = {tex(at['tau'], unit='h')}",
        "edge": "$E_c$ = " + tex(0.5, unit="mV m-1"),
    }
    *some, last = (text for key, text in shown.items() if key != changed)
    kept = f"{', '.join(some)} and {last}"
    question = draw.phrase(
        r"The pressure-corrected $Dst$ index $D$ obeys $dD/dt = Q - D/\tau$; $Q = -a(VB_s - E_c)$, "
        "with a constant $a > 0$, while the southward field lasts, and zero before and after it. "
        f"The storm starts from $D = 0$, with {kept}. Now {name} changes from "
        f"{tex(before, unit=unit)} to {tex(after, unit=unit)}. How do the depth of the storm, the "
        "greatest $|D|$, and the recovery time, counted from the minimum until $|D|$ has "
        "halved, change, if at all?",
        r"In Burton's equation $dD/dt = Q - D/\tau$ for the corrected index $D$, let $Q = "
        "-a(VB_s - E_c)$ ($a > 0$) during a southward field of constant strength and $Q = 0$ "
        f"otherwise; first $D = 0$. Given are {kept}. If {name} is "
        f"{tex(after, unit=unit)} instead of {tex(before, unit=unit)}, how do the depth of "
        "the storm (greatest $|D|$) and the recovery time (from the minimum to half of it) "
        "change, if at all?",
    )
    closed, found = [], []
    for value in (before, after):
        now = at | {changed: value}
        push = 4.5 * (now["speed"] * now["south"] * 1e-3 - now["edge"])
        tau = now["tau"]
        closed.append((push * tau * (1 - exp(-now["hours"] / tau)), tau * log(2)))
        deep = -_driven(_steady(push), tau, now["hours"], 0.0, ())
        found.append((deep, _recovery(-deep, -deep / 2, tau)))
    claims = change_claims(
        ("depth of the storm", "recovery time"), relative_changes(*closed), relative_changes(*found)
    )
    return (
        Part(
            question,
            (
                r"$|D|$ at the end of the injection is $a(VB_s - E_c)\tau(1 - e^{-T/\tau})$.",
                r"The equation is linear: after the injection $D \propto e^{-t/\tau}$, so that the "
                r"half-time is $\tau\ln 2$, whatever the depth.",
            ),
            stated(claims, Routes("closed form", "quadrature of the response and of the recovery")),
        ),
    )


def _steady(push: float) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    def inject(t: NDArray[np.float64]) -> NDArray[np.float64]:
        return -push + 0 * t

    return inject


def _driven(
    inject: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    tau: float,
    end: float,
    start: float,
    breaks: tuple[float, ...],
) -> float:
    """Index at ``end``: the injections before it, each faded, in pieces between ``breaks``."""
    import numpy as np

    x, w = gauss_legendre(32, 0.0, 1.0)
    total = start * exp(-end / tau)
    edges = (0.0, *breaks, end)
    for low, high in pairwise(edges):
        t = low + (high - low) * x
        total += float(np.sum(w * inject(t) * np.exp((t - end) / tau))) * (high - low)
    return total


def _recovery(start: float, goal: float, tau: float) -> float:
    """Time of the decay from one value to another: integral of tau dD / D."""
    import numpy as np

    x, w = gauss_legendre(32, 0.0, 1.0)
    values = goal + (start - goal) * x
    return float(np.sum(w * tau / values)) * (start - goal)


def _summed(index: Callable[[float], float], end: float, last: float) -> float:
    """Integral of the index over time, in panels around the end of the injection."""
    import numpy as np

    nodes, weights = np.polynomial.legendre.leggauss(14)
    edges = [0.0, last, *(last + (end - last) * share for share in (0.03, 0.1, 0.3, 1.0))]
    total = 0.0
    for low, high in pairwise(edges):
        half = (high - low) / 2
        values = [index(low + half * (1 + float(node))) for node in nodes]
        total += half * float(np.dot(weights, values))
    return total


def _least(index: Callable[[float], float]) -> float:
    step = 1e-4
    return bracketed_root(lambda t: index(t + step) - index(t - step), 0.05, 8.0)


FAMILY = Family(
    title="Burton's equation for the Dst index",
    assumptions=(
        "injection depends on the rectified solar-wind electric field only",
        "constant decay time",
    ),
    sources=(
        "Burton, McPherron & Russell 1975, J. Geophys. Res. 80, 4204",
        "O'Brien & McPherron 2000, J. Geophys. Res. 105, 7707",
    ),
    numeric=numeric,
    symbolic=symbolic,
    textual=textual,
)
