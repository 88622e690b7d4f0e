from __future__ import annotations

import math
from fractions import Fraction

import pytest
from astropy import constants
from astropy import units as u
from hypothesis import given
from hypothesis import strategies as st

from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.unit_table import BASE_UNITS, SYMBOL_PREFIXES, TABLE
from ecliptic.grading.units import ONE, Unit, dimension_name, leading_unit, parse_unit

# Spelling -> the unit that astropy knows. All are defined, so factors agree to 1e-9.
DEFINED = {
    "m": u.m, "g": u.g, "s": u.s, "A": u.A, "K": u.K, "mol": u.mol, "cd": u.cd, "Hz": u.Hz,
    "N": u.N, "Pa": u.Pa, "J": u.J, "W": u.W, "C": u.C, "V": u.V, "Ω": u.ohm, "ohm": u.ohm,
    "S": u.S, "F": u.F, "T": u.T, "Wb": u.Wb, "H": u.H, "lm": u.lm, "lx": u.lx, "Bq": u.Bq,
    "L": u.l, "bar": u.bar, "atm": 101325 * u.Pa, "tonne": u.t, "Torr": u.Torr,
    "Å": u.AA, "Angstrom": u.AA, "micron": u.micron, "AU": u.au, "au": u.au, "pc": u.pc,
    "ly": u.lyr, "min": u.min, "h": u.h, "hr": u.h, "d": u.d, "day": u.d, "week": u.week,
    "yr": u.yr, "Myr": u.Myr, "Gyr": u.Gyr, "rad": u.rad, "sr": u.sr, "deg": u.deg,
    "arcmin": u.arcmin, "arcsec": u.arcsec, "mas": u.mas, "μas": u.uas, "eV": u.eV,
    "keV": u.keV, "MeV": u.MeV, "GeV": u.GeV, "TeV": u.TeV, "c": constants.c, "erg": u.erg,
    "dyn": u.dyn, "Ba": u.barye, "P": u.P, "St": u.St, "G": u.G, "mG": 1e-3 * u.G, "Mx": u.Mx,
    "Gal": u.Gal, "Jy": u.Jy, "MJy": u.MJy, "sfu": 1e4 * u.Jy, "%": u.percent, "MV": u.MV,
    "GV": u.GV, "nT": u.nT, "μT": u.uT, "Mm": u.Mm, "km": u.km, "cm": u.cm, "nPa": u.nPa,
    "kHz": u.kHz, "MK": 1e6 * u.K, "mHz": u.mHz, "kR": 1e13 / (4 * math.pi) / (u.m**2 * u.s * u.sr),
    "pfu": 1 / (u.cm**2 * u.s * u.sr), "TECU": 1e16 / u.m**2, "ppm": u.percent * 1e-4,
    "dex": None, "statC": u.Fr, "abA": u.Bi, "cal": 4.184 * u.J, "Oe": None, "Sv": u.J / u.kg,
    "Gy": u.J / u.kg, "rem": 1e-2 * u.J / u.kg, "Ga": u.Gyr, "kyr": u.kyr, "cc": u.cm**3,
    "hPa": 100 * u.Pa, "rpm": 2 * math.pi * u.rad / u.min,
}  # fmt: skip

# Measured or nominal: the figure's own standard, and the width in which other sources agree.
NOMINAL = {
    "R_sun": (constants.R_sun, 1e-9), "M_sun": (constants.M_sun, 1e-4),
    "L_sun": (constants.L_sun, 1e-9), "R_E": (constants.R_earth, 1e-9),
    "M_earth": (constants.M_earth, 1e-4), "R_J": (constants.R_jup, 1e-9),
    "M_J": (constants.M_jup, 1e-4), "u": (constants.u, 1e-8), "m_p": (constants.m_p, 1e-8),
    "m_e": (constants.m_e, 1e-8),
}  # fmt: skip


def si_of(quantity: object) -> tuple[float, tuple[float, ...]]:
    value = (1 * quantity).decompose([u.kg, u.m, u.s, u.A, u.K, u.mol, u.cd, u.rad])  # type: ignore[operator]
    powers = dict(zip([b.name for b in value.unit.bases], value.unit.powers, strict=True))
    return float(value.value), tuple(float(powers.get(name, 0)) for name in BASE_UNITS[:8])


@pytest.mark.parametrize("spelling", [name for name, unit in DEFINED.items() if unit is not None])
def test_defined_units_agree_with_astropy(spelling: str) -> None:
    factor, exponents = si_of(DEFINED[spelling])
    unit = parse_unit(spelling)
    if spelling == "abA":  # astropy keeps the biot apart from the ampere
        factor, exponents = 10.0, tuple(1.0 if b == "A" else 0.0 for b in BASE_UNITS[:8])
    if spelling == "statC":
        factor, exponents = (
            10 / 29979245800,
            tuple(1.0 if b in "As" else 0.0 for b in BASE_UNITS[:8]),
        )
    assert unit.factor == pytest.approx(factor, rel=1e-9)
    assert tuple(map(float, unit.exponents[:8])) == exponents


@pytest.mark.parametrize("spelling", NOMINAL)
def test_nominal_units_agree_with_astropy(spelling: str) -> None:
    constant, width = NOMINAL[spelling]
    factor, exponents = si_of(constant)
    unit = parse_unit(spelling)
    assert unit.factor == pytest.approx(factor, rel=width)
    assert tuple(map(float, unit.exponents[:8])) == exponents


def test_mean_radius_of_the_earth_is_near_the_nominal_one() -> None:
    assert parse_unit("R_E").factor == pytest.approx(6.371e6, rel=1.2e-3)


SPELLINGS = {
    "km s^-1": r"""km/s|km s^-1|km s⁻¹|\mathrm{km\,s^{-1}}|{\rm km\ s^{-1}}|\text{km s}^{-1}
        |\mathrm{km}\,\mathrm{s}^{-1}|\kilo\metre\per\second|\km\per\s|kilometers per second
        |kilometres per second|kilometre/second|km per s|km·s⁻¹|km\cdot s^{-1}|kms^{-1}|km s-1
        |km/sec|\frac{\mathrm{km}}{\mathrm{s}}|$\mathrm{km}/\mathrm{s}$|km.s^{-1}|km * s^-1
        |s^{-1} km|km~s$^{-1}$|km / s|\si{km/s}|\unit{\kilo\meter\per\second}|kilometres a second
        |[km/s]|(km/s)|(km s^{-1})|km s^{−1}|km s**-1|km·s^(-1)|\textrm{km s}^{-1}|km\ s^{-1}""",
    "m^-3": r"""m^-3|m^{-3}|per cubic metre|/m^3|1/m^3|m⁻³|particles m^-3|electrons per cubic meter
        |protons/m^3|#/m^3|per m^3|\per\cubic\metre|m-3|(m^3)^-1|\mathrm{m}^{-3}|ions m^{-3}""",
    "W m^-2 Hz^-1": r"""W m^-2 Hz^-1|W/m^2/Hz|W/(m^2 Hz)|W m$^{-2}$ Hz$^{-1}$|W/m² Hz|J/m^2
        |watts per square metre per hertz|\watt\per\square\metre\per\hertz|W m-2 Hz-1|Wm^{-2}Hz^{-1}
        |W m^{-2}\,\mathrm{Hz}^{-1}|W·m⁻²·Hz⁻¹|watt m^-2 per Hz""",
    "J kg^-1 K^-1": r"""J kg^-1 K^-1|J/(kg K)|J/kg/K|J/kg K|joule per kilogram kelvin
        |J kg$^{-1}$ K$^{-1}$|\joule\per\kilogram\per\kelvin|m^2 s^-2 K^-1""",
    "rad^1": r"rad|radian|radians|\mathrm{rad}|\radian",
    "deg": r"""°|^\circ|^{\circ}|\degree|deg|degs|degree|degrees|\mathrm{deg}|º|{}^\circ
        |\textdegree""",
    "arcsec": r"""arcsec|″|''|arc seconds|arc-second|arcseconds|^{\prime\prime}
        |seconds of arc|\arcsec""",
    "R_sun": r"""R_sun|R_\odot|R_{\odot}|R_⊙|R⊙|R_☉|R_{\rm sun}|R_{\mathrm{Sun}}|Rs|R_s|R_S
        |R_{\text{s}}
        |Rsun|solar radii|solar radius|\mathrm{R}_\odot|R_{sun}|R_{\mathrm S}""",
    "M_sun yr^-1": r"""M_\odot\,\mathrm{yr^{-1}}|M_sun/yr|Msun yr^-1|solar masses per year
        |M_\odot/yr|M⊙ yr⁻¹|M_{\odot} yr^{-1}""",
    "μm": r"\mu\mathrm{m}|µm|μm|um|\mu m|\micro\metre|micrometers|micrometre|microns|$\mu$m",
    "Å": r"\text{\AA}|\AA|Å|Å|angstroms|Angstrom|\angstrom|ångström",
    "%": r"%|\%|per cent|percent|\percent|pct|$\%$",
    "MeV/nucleon": r"""MeV/nucleon|MeV/n|MeV/nuc|MeV/u|MeV/amu|MeV nucleon^-1|MeV per nucleon
        |MeV nucleon$^{-1}$|\mathrm{MeV/nucleon}|MeV/nucleons""",
    "pfu": r"""pfu|cm^-2 s^-1 sr^-1|particles cm^{-2} s^{-1} sr^{-1}|(cm^2 s sr)^{-1}|/(cm^2 s sr)
        |protons/cm^2/s/sr|particles per square centimetre per second per steradian
        |cm^-2 sr^-1 s^-1|particle flux units|1/(cm^2 s sr)|cm^-2 ster^-1 s^-1""",
    "keV": r"keV|kilo-electron volts|kiloelectronvolts|kilo-electronvolt|\kilo\electronvolt",
    "g^(1/2) cm^(-1/2) s^-1": r"""g^{1/2} cm^{-1/2} s^{-1}|g^{\frac12}cm^{-\frac12}s^{-1}
        |g^0.5 cm^-0.5 s^-1""",
    "TECU": r"TECU|TEC units|TECu|total electron content units",
    "AU": r"AU|au|astronomical unit|astronomical units|\mathrm{AU}|A.U.|\astronomicalunit|ua",
    "erg s^-1": r"erg s^-1|erg/s|ergs/s|ergs per second|erg s$^{-1}$|\erg\per\second|ergs^{-1}",
    "m s^-2": r"""m s^-2|m/s^2|m/s²|metres per second squared|m/s/s|m s^{-2}
        |meters per second per second""",
}  # fmt: skip


@pytest.mark.parametrize(
    ("reference", "spelling"),
    [(ref, text.strip()) for ref, texts in SPELLINGS.items() for text in texts.split("|")],
)
def test_spellings_of_one_unit(reference: str, spelling: str) -> None:
    unit, expected = parse_unit(spelling), parse_unit(reference)
    assert unit.exponents == expected.exponents
    assert unit.factor == pytest.approx(expected.factor, rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "foo",
        "km/foo",
        "KM/S",
        "Km/s",
        "km s^-",
        "R",
        "Nt",
        "nt",
        "NT",
        "furlong",
        "km/s please",
        "(km/s",
        "km^{99}",
        "x",
        "kmm",
        "B_0",
        "5",
        "xT",
        "km per furlong",
        "\\rho",
        "m^m",
        "as",
        "k",
        "μ",
        "kk",
        "GHZ",
    ],
)
def test_what_is_not_in_the_table_is_refused(text: str) -> None:
    with pytest.raises(ParseFailure):
        parse_unit(text)


@pytest.mark.parametrize(
    ("text", "not_this"),
    [("AU", "m"), ("Gs", "s"), ("Rs", "s"), ("nT", "kg"), ("cd", "s"), ("min", "m"),
     ("Pa", "s"), ("mT", "m"), ("MJ", "kg")],
)  # fmt: skip
def test_known_traps(text: str, not_this: str) -> None:
    """Spellings that unit libraries read as something else (gigasecond, milli-inch ...)."""
    traps = {"AU": u.au, "Gs": 1e-4 * u.T, "Rs": constants.R_sun, "nT": u.nT, "cd": u.cd,
             "min": u.min, "Pa": u.Pa, "mT": u.mT, "MJ": u.MJ}  # fmt: skip
    factor, exponents = si_of(traps[text])
    unit = parse_unit(text)
    assert unit.factor == pytest.approx(factor, rel=1e-9)
    assert tuple(map(float, unit.exponents[:8])) == exponents


def test_gaussian_units_are_marked_and_si_multiples() -> None:
    assert parse_unit("G").gaussian
    assert parse_unit("kG/cm").gaussian
    assert not parse_unit("nT").gaussian
    assert not parse_unit("erg/cm^3").gaussian
    assert parse_unit("G").exponents == parse_unit("T").exponents


def test_counted_things_are_no_dimension() -> None:
    assert parse_unit("protons") == Unit(1.0, ONE.exponents, "protons")
    assert parse_unit("protons").is_bare


def test_celsius_has_its_offset_only_alone() -> None:
    assert parse_unit("°C").kelvin_offset == pytest.approx(273.15)
    assert parse_unit("J/°C").kelvin_offset == 0.0


def test_table_is_of_the_promised_size_and_without_clashes() -> None:
    symbols = [symbol for entry in TABLE for symbol in entry.symbols.split()]
    words = [word for entry in TABLE for word in entry.words.split()]
    assert len(symbols) == len(set(symbols))
    assert len(symbols) + len(words) >= 150
    assert set(SYMBOL_PREFIXES) >= set("TGMkcmμnp")


def test_leading_unit_stops_in_front_of_prose() -> None:
    assert leading_unit("km/s at 1 AU")[1] == len("km/s")
    assert leading_unit("solar radii from the Sun")[1] == len("solar radii")
    assert leading_unit("furlongs")[1] == 0


def test_dimension_is_named() -> None:
    assert dimension_name(parse_unit("N")) == "kg m s^-2"
    assert dimension_name(ONE) == "1"


SIMPLE = st.sampled_from(["m", "s", "kg", "nT", "keV", "erg", "R_sun", "deg", "G", "yr", "K"])


@given(st.lists(st.tuples(SIMPLE, st.integers(-2, 2).filter(bool)), min_size=1, max_size=4))
def test_product_of_powers(factors: list[tuple[str, int]]) -> None:
    expected = ONE
    for name, power in factors:
        expected = expected * parse_unit(name) ** Fraction(power)
    for text in (
        " ".join(f"{name}^{power}" for name, power in factors),
        r"\,".join(rf"\mathrm{{{name}^{{{power}}}}}" for name, power in factors),
    ):
        unit = parse_unit(text)
        assert unit.exponents == expected.exponents
        assert unit.factor == pytest.approx(expected.factor, rel=1e-12)


@given(st.text(max_size=30))
def test_any_text_is_a_unit_or_a_parse_failure(text: str) -> None:
    try:
        unit = parse_unit(text)
    except ParseFailure:
        return
    assert math.isfinite(unit.factor)
    assert unit.factor != 0  # below zero for magnitudes alone: one is -0.4 dex
