"""Variants of numbers with a unit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ecliptic.errors import UsageError
from ecliptic.helio.families.notation import number_tex, unit_of, unit_tex
from ecliptic.helio.variants.variant import Variant

if TYPE_CHECKING:
    from astropy.units import UnitBase

    from ecliptic.helio.records import Record

_GOLD = re.compile(
    r"\$(?P<number>-?[\d.]+)(?:\\times 10\^\{(?P<power>-?\d+)\})?(?:\\ )?(?P<unit>.*)\$"
)
_UNITS = (
    ("km", "m", "cm", "Mm", "R_sun", "AU", "R_earth", "pc", "nm"),
    ("km s-1", "m s-1", "cm s-1", "AU d-1", "R_sun h-1"),
    ("s", "min", "h", "d", "yr", "ms"),
    ("nT", "T", "G", "uT", "mT"),
    ("K", "MK", "kK"),
    ("eV", "keV", "MeV", "GeV", "J", "erg"),
    ("Pa", "nPa", "dyn cm-2", "erg cm-3", "J m-3"),
    ("cm-3", "m-3", "km-3"),
    ("V", "kV", "MV", "GV"),
    ("V m-1", "mV m-1", "V km-1"),
    ("W m-2", "erg s-1 cm-2", "kW m-2"),
    ("W", "GW", "TW", "erg s-1", "J s-1"),
    ("kg", "g"),
    ("kg s-1", "g s-1"),
    ("Hz", "kHz", "mHz", "s-1"),
    ("deg", "arcmin", "arcsec"),
    ("m2 s-1", "cm2 s-1", "km2 s-1"),
    ("kg m-3", "g cm-3"),
    ("A", "kA", "MA"),
    ("S", "mS"),
    ("S m-1", "mS m-1"),
    ("m s-2", "cm s-2", "km s-2"),
    ("Wb", "Mx", "T m2"),
    ("m2", "cm2", "km2"),
    ("nm", "pm", "um"),
)
"""Units of one dimension that the field uses beside each other."""
_FOREIGN = {"km s-1": "km", "nT": "nPa", "km": "km s-1", "K": "eV", "s": "Hz"}


def right(record: Record) -> list[Variant]:
    """The same quantity in other units and spellings."""
    value, unit, spelling = _read(record)
    variants = [
        Variant(_prose(value, spelling), "prose"),
        Variant(rf"The result is $\boxed{{{number_tex(value, 4)}{_behind(spelling)}}}$.", "boxed"),
        Variant(f"{value:.3e} {_plain(spelling)}".strip(), "e-notation"),
        Variant(_scientific(value * 1.004, spelling), "rounding"),
        Variant(_unicode(value, spelling), "unicode"),
    ]
    for other in _same_dimension(spelling):
        converted = float((value * unit).to_value(unit_of(other)))
        variants.append(Variant(f"${number_tex(converted, 4)}{_behind(other)}$", f"unit {other}"))
    return variants


def wrong(record: Record) -> list[Variant]:
    """One slip each: sign, factor, power of ten, unit."""
    value, unit, spelling = _read(record)
    shown = _behind(spelling)
    variants = [
        Variant(f"${number_tex(-value, 3)}{shown}$", "sign"),
        Variant(f"${number_tex(2 * value, 3)}{shown}$", "factor 2"),
        Variant(f"${number_tex(value / 2, 3)}{shown}$", "factor 1/2"),
        Variant(f"The answer is {_prose(value * 3.14159, spelling)}", "factor pi"),
        Variant(f"${number_tex(10 * value, 3)}{shown}$", "power of ten"),
        Variant(f"${number_tex(value / 1000, 3)}{shown}$", "power of ten"),
        Variant(f"${number_tex(1.12 * value, 3)}{shown}$", "beyond the tolerance"),
    ]
    if spelling:
        variants.append(Variant(f"${number_tex(value, 3)}$", "unit missing"))
        foreign = _FOREIGN.get(spelling, "K" if unit.physical_type != "temperature" else "nT")
        variants.append(Variant(f"${number_tex(value, 3)}{_behind(foreign)}$", "unit foreign"))
        for other in _same_dimension(spelling):
            ratio = float(unit.to(unit_of(other)))
            if abs(ratio - 1.0) > 0.2:
                text = f"${number_tex(value, 3)}{_behind(other)}$"
                variants.append(Variant(text, "unit swapped"))
    else:
        variants.append(Variant(f"${number_tex(value, 3)}\\ \\mathrm{{km}}$", "unit too many"))
    return [variant for variant in variants if value or variant.kind not in ("sign", "factor 2")]


def _read(record: Record) -> tuple[float, UnitBase, str]:
    """Value, unit and the unit's spelling of a generated gold."""
    match = _GOLD.fullmatch(record.final)
    if match is None:
        raise UsageError(f"{record.id}: final {record.final} is not a number of a family")
    value = float(f"{match['number']}e{match['power'] or 0}")
    spelling = _spelling(match["unit"])
    if spelling is None:
        raise UsageError(f"{record.id}: the unit in {record.final} is not known here")
    return value, unit_of(spelling), spelling


def _spelling(latex: str) -> str | None:
    if not latex:
        return ""
    known = {unit_tex(name): name for group in _UNITS for name in group}
    if latex in known:
        return known[latex]
    own = {unit_tex(name): name for name in ("R_jup", "L_sun", "M_sun", "%", "deg", "AU", "R_sun")}
    if latex in own:
        return own[latex]
    inner = re.fullmatch(r"\\mathrm\{(.*)\}", latex)
    if inner is None:
        return None
    words = re.sub(r"\\,", " ", inner[1]).replace(r"\mu ", "u").replace("\\mu", "u")
    return re.sub(r"\^\{([^}]*)\}", r"\1", words)


def _same_dimension(spelling: str) -> list[str]:
    if not spelling:
        return []
    return [name for group in _UNITS if spelling in group for name in group if name != spelling]


def _behind(spelling: str) -> str:
    if not spelling:
        return ""
    return f"{'' if spelling in ('deg', '%') else chr(92) + ' '}{unit_tex(spelling)}"


def _plain(spelling: str) -> str:
    """Unit in plain text, as people type it: ``km/s``, ``cm^-3``."""
    own = {"deg": "degrees", "R_sun": "R_sun", "R_earth": "R_E", "%": "%", "km s-1": "km/s"}
    if spelling in own:
        return own[spelling]
    return re.sub(r"(?<=[A-Za-z])(-?\d+)", r"^\1", spelling)


def _prose(value: float, spelling: str) -> str:
    number = f"{value:.4g}"
    if "e" in number:
        mantissa, power = number.split("e")
        number = f"{mantissa} x 10^{int(power)}"
    return f"Putting in the numbers, one finds about {number} {_plain(spelling)}".strip() + "."


def _scientific(value: float, spelling: str) -> str:
    mantissa, power = f"{value:.3e}".split("e")
    return rf"${mantissa}\times10^{{{int(power)}}}{_behind(spelling)}$"


def _unicode(value: float, spelling: str) -> str:
    mantissa, power = f"{value:.3e}".split("e")
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"**{mantissa} × 10{raised} {_plain(spelling)}**".replace(" **", "**")
