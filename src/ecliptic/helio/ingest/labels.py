"""Labels of problems and parts: ``3``, ``(a)``, ``(iv)``, and which one comes next."""

from __future__ import annotations

import re

_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}
_ROMAN_SHAPE = re.compile(r"(?:x{0,3})(?:ix|iv|v?i{0,3})")
SUPERSCRIPTS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")


def roman_value(text: str) -> int | None:
    """Value of a lower-case Roman numeral below 40."""
    if not text or not _ROMAN_SHAPE.fullmatch(text):
        return None
    values = [_ROMAN[letter] for letter in text]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < after else value for value, after in pairs)


def roman(value: int) -> str:
    """A number below 40 in lower-case Roman numerals."""
    tens, units = divmod(value, 10)
    return "x" * tens + ["", *SUPERSCRIPTS[:9]][units]


def letter(value: int) -> str:
    """The value-th label of parts: a to z, then aa, ab, ..."""
    text = ""
    while value > 0:
        value, rest = divmod(value - 1, 26)
        text = chr(97 + rest) + text
    return text


def letter_value(text: str) -> int:
    """Inverse of :func:`letter`; 0 for anything else."""
    if not re.fullmatch(r"[a-z]{1,2}", text):
        return 0
    value = 0
    for character in text:
        value = value * 26 + ord(character) - 96
    return value


def following(label: str, *, as_roman: bool) -> str:
    """The label that comes after one; the first for an empty one."""
    if as_roman:
        return roman((roman_value(label) or 0) + 1)
    if label.isdecimal():
        return str(int(label) + 1)
    return letter(letter_value(label) + 1)


def plain_label(text: str) -> str:
    """A label without brackets, full stops, fonts and spaces: ``(a)`` is ``a``."""
    text = re.sub(r"\\(?:bf|it|rm|textbf|textit|textrm|emph)(?![A-Za-z])", "", text)
    text = re.sub(r"(?i)\bpart\b", "", text)
    return re.sub(r"[\s{}()\[\].:*_~]", "", text)
