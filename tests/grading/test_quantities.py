from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.quantities import Quantity, read_quantities


def shown(quantity: Quantity) -> str:
    """``label relation value[..upper][+-error] [unit]`` in one line."""
    text = f"{float(quantity.value):.6g}"
    if quantity.upper is not None:
        text += f"..{float(quantity.upper):.6g}"
    if quantity.uncertainty is not None:
        text += f"+-{float(quantity.uncertainty):.3g}"
    if quantity.unit is not None:
        text += f" {quantity.unit.spelling}"
    if quantity.relation != "=":
        text = quantity.relation + text
    return f"{quantity.label}: {text}" if quantity.label else text


# What a text states -> texts that state it.
READ = {
    "400 km/s": [
        "400 km/s", "about 400 km/s", "≈ 400 km/s", "~400 km/s", "$400$ km/s", "**400 km/s**",
        "roughly 400 km/s.", "The speed is 400 km/s at 1 AU.", "400 km/s (typical)", '"400 km/s"',
        "approximately 400 km/s, which is typical", "`400 km/s`", "4e2 km/s near the Earth",
        r"\boxed{400\,km/s}", "The Alfvén speed there is 400 km/s", "400km/s",
    ],
    "v: 400 km/s": ["v = 400 km/s", "$v = 400$ km/s", "Hence v = 400 km/s.", "v ≈ 400 km/s",
                    "400 km/s = v", "v: 400 km/s", r"v \simeq 400 km/s",
                    r"$v=\frac{d}{t}=400$ km/s"],
    "300..800 km/s": [
        "300--800 km/s", "300-800 km/s", "300 – 800 km/s", "300 to 800 km/s", "[300, 800] km/s",
        "between 300 and 800 km/s", "between 300 km/s and 800 km/s", "from 300 to 800 km/s",
        "300 km/s to 800 km/s", "300 km/s – 800 km/s", "in the range 300-800 km/s",
        r"\qtyrange{300}{800}{km/s}", "(3–8) × 10^2 km/s", "300...800 km/s",
    ],
    "2.5+-0.3 nT": ["2.5 ± 0.3 nT", "(2.5 ± 0.3) nT", "2.5 +/- 0.3 nT", "2.5(3) nT",
                    "2.5 nT ± 0.3 nT", r"$2.5\pm0.3$ nT", "2.5^{+0.3}_{-0.2} nT", "2.5 ± 12% nT",
                    "2.5 nT ± 12%", "2.5_{-0.2}^{+0.3} nT"],
    "2500+-300 nT": ["(2.5 ± 0.3) × 10^3 nT", r"$(2.5\pm0.3)\times10^{3}$ nT",
                     "2.5 ± 0.3 × 10^3 nT",
                     "2.5(3)e3 nT", "2.5(3) × 10^3 nT"],
    "T: 1 MK | n: 1e+08 cm^-3": ["T = 1 MK, n = 10^8 cm^-3", "T = 1 MK and n = 10^8 cm^-3",
                                 "T=1 MK; n=10^8 cm^-3", "T = 1 MK,n = 10^8 cm^-3",
                                 "T = 1 MK\nn = 10^8 cm^-3"],
    "1 | 2 | 3": ["1, 2, 3", "(1, 2, 3)", "1; 2; 3", "1, 2 and 3"],
    "5 nT | 6 nT | 7 nT": ["5, 6 and 7 nT", "5, 6, 7 nT"],
    "2 | -2": ["±2", r"$\pm 2$", "2 and -2"],
    "≳10 MeV": ["at least 10 MeV", "more than 10 MeV", "above 10 MeV", "≳ 10 MeV",
                 r"\gtrsim 10 MeV"],
    "E: >10 MeV": ["E > 10 MeV", "10 MeV < E", "$E>10$ MeV"],
    "q: 4": ["The index is therefore $q=4$.", "q=4", "$q = 4$"],
    "12.5 °": ["12° 30′", "12.5°", r"12^\circ 30'", "$12.5^{\\circ}$"],
    "1.5 h": ["1 h 30 min", "1.5 h"],
    "-5..5 nT": ["-5 to 5 nT", "−5 – 5 nT", "from -5 to 5 nT"],
    "1e+06..2e+06 K": ["1-2 × 10^6 K", "(1–2)×10^6 K", "1e6-2e6 K"],
    "-5 nT": ["minus 5 nT", "-5 nT", "−5 nT"],
    "0.25": ["0.25", "1/4", "25e-2", "1:4"],
    "x_1: 5 | x_2: 7": ["x_1 = 5, x_2 = 7", "$x_1=5$ and $x_2=7$"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("expected", "text"), [(key, text) for key, texts in READ.items() for text in texts]
)
def test_what_a_text_states(expected: str, text: str) -> None:
    reading = read_quantities(text)
    assert " | ".join(shown(quantity) for quantity in reading.quantities) == expected
    assert not reading.alternatives


@pytest.mark.parametrize(
    "text",
    [
        "", "no number", "not 400 km/s", "400 furlongs", "400 km/s furlong-wise x", "5 nT x",
        "B/sqrt(mu_0 rho)", "13 sqrt(T) km/s", "twice 5 nT", "half of 5 nT", "5 nT is wrong",
        "rather than 5 nT", "v = ", "v =", "5 nT per furlong", "neither 5 nT", "1 in 5",
        "infinity", "NaN", "x ≠ 5", "5 nT unless it rains", "v = 5 x", "x^2 = 4 y", "5 + x",
        "5!", "\x00", "5 nT}", "{5 nT", "\\begin{matrix}5\\end{matrix}", "import os", "5; os.x()",
        "10 times 5 nT", "2 nT to 5 km", "300 < v < x",
    ],
)  # fmt: skip
def test_what_is_no_quantity_is_refused(text: str) -> None:
    with pytest.raises(ParseFailure):
        read_quantities(text)


def test_alternatives_are_seen() -> None:
    assert read_quantities("1.5 or 3").alternatives
    assert not read_quantities("1.5 and 3").alternatives


def test_restatements_stay_with_their_quantity() -> None:
    (quantity,) = read_quantities("T = 10^6 K = 1 MK (86 eV)").quantities
    assert shown(quantity) == "T: 1 MK"
    assert [shown(again) for again in quantity.restated] == ["1e+06 K", "86 eV"]


@pytest.mark.parametrize(
    ("text", "base"), [("log T = 6", "10"), (r"\log_{10}(n) = 9", "10"), (r"\ln x = 3", "e"),
                       ("T = 6", ""), ("slog = 3", "")],
)  # fmt: skip
def test_logarithms_are_marked(text: str, base: str) -> None:
    assert read_quantities(text).quantities[0].log_base == base


@pytest.mark.parametrize(
    "text", ["10^5 to within an order of magnitude", "of order 10^5", "on the order of 10^5"]
)
def test_order_of_magnitude_is_marked(text: str) -> None:
    assert read_quantities(text).quantities[0].order_of_magnitude


def test_comma_between_digits() -> None:
    assert read_quantities("1,5").commas_unread
    assert not read_quantities("1,500").commas_unread
    assert not read_quantities("1, 5").commas_unread
    (quantity,) = read_quantities("1,5 nT", decimal_comma=True).quantities
    assert quantity.decimal_comma
    assert shown(quantity) == "1.5 nT"


def test_concise_uncertainty_by_rule() -> None:
    assert read_quantities("2.5(3)").quantities[0].concise
    with pytest.raises(ParseFailure):
        read_quantities("2.5(3) nT", concise_uncertainty=False)


def test_many_quantities_are_refused() -> None:
    with pytest.raises(ParseFailure):
        read_quantities(", ".join(["1"] * 200))


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        reading = read_quantities(text)
    except ParseFailure:
        return
    assert reading.quantities


PIECES = st.sampled_from(
    ["400", "km/s", " ", "±", "=", "v", "$", r"\times", "10^{6}", "-", "–", ",", "and", "or", "nT",
     "(", ")", "[", "]", "%", r"\mathrm{", "}", "{", "^", "_", r"\frac", "1.5", "e", "to",
     "between",
     "~", "°", "/", "per", "log", "<", ">", "x", ";", "\n", r"\SI{", "sqrt", "million", "not", "′"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25))
def test_any_mixture_of_pieces_is_read_or_refused(pieces: list[str]) -> None:
    try:
        reading = read_quantities("".join(pieces))
    except ParseFailure:
        return
    assert reading.quantities
