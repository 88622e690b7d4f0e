"""Units in siunitx commands: ``\\SI{400}{\\kilo\\metre\\per\\second}``, ``\\unit{km.s^{-1}}``."""

from __future__ import annotations

import re

_PREFIXES = {
    "pico": "p", "nano": "n", "micro": "mu", "milli": "m", "centi": "c", "deci": "d",
    "hecto": "h", "kilo": "k", "mega": "M", "giga": "G", "tera": "T",
}  # fmt: skip
_UNITS = {
    "metre": "m", "meter": "m", "second": "s", "gram": "g", "kelvin": "K", "ampere": "A",
    "tesla": "T", "gauss": "G", "newton": "N", "joule": "J", "watt": "W", "pascal": "Pa",
    "hertz": "Hz", "volt": "V", "coulomb": "C", "electronvolt": "eV", "eV": "eV", "erg": "erg",
    "radian": "rad", "steradian": "sr", "degree": "deg", "day": "d", "hour": "h", "minute": "min",
    "astronomicalunit": "au", "parsec": "pc", "jansky": "Jy", "mole": "mol", "henry": "H",
    "farad": "F", "ohm": "ohm", "weber": "Wb", "kg": "kg", "km": "km",
}  # fmt: skip
_PIECE = re.compile(
    r"\\(?P<command>[A-Za-z]+)|(?P<name>[A-Za-z]+)|\^\{?(?P<power>[+-]?\d{1,3})\}?|(?P<over>/)"
    r"|[.~\s*]|\\,"
)


def read_units(text: str) -> list[tuple[str, int]] | None:
    """(unit, power) pairs of a siunitx unit argument; None if it is none."""
    units: list[tuple[str, int]] = []
    prefix, sign, power, index = "", 1, 1, 0
    while index < len(text):
        piece = _PIECE.match(text, index)
        if piece is None:
            return None
        index = piece.end()
        command, name = piece["command"], piece["name"]
        if command in _PREFIXES:
            prefix = _PREFIXES[command]
        elif command == "per" or piece["over"]:
            sign = -1
        elif command in ("square", "cubic"):
            power = 2 if command == "square" else 3
        elif command in ("squared", "cubed") or piece["power"]:
            if not units:
                return None
            exponent = int(piece["power"] or (2 if command == "squared" else 3))
            units[-1] = (units[-1][0], units[-1][1] * exponent)
        elif command in _UNITS or name:
            units.append((prefix + (_UNITS[command] if command else name), sign * power))
            prefix, sign, power = "", 1, 1
        elif command:
            return None
    return units if not prefix and sign == 1 else None
