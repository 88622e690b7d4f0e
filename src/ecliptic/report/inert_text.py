"""Text of unknown origin, made harmless to show: marks that hide or turn text become visible.

Escaping for HTML is the template's; this is about what escaping leaves in place: NUL and other
control characters, marks that change the direction of reading, and texts without end.
"""

from __future__ import annotations

_REPLACEMENT = "\ufffd"
_DIRECTION = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_WITHOUT_WIDTH = (0x00AD, 0x200B, 0x2060, 0xFEFF, *range(0xE0000, 0xE0080))
_VISIBLE: dict[int, str] = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"},
    0x7F: "\u2421",
    **dict.fromkeys((*range(0x80, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), _REPLACEMENT),
    **{code: f"[U+{code:04X}]" for code in (*_DIRECTION, *_WITHOUT_WIDTH)},
}
_PLOTLY = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def inert(text: str) -> str:
    """The text with control characters, marks of direction and lone surrogates made visible.

    >>> inert("a" + chr(0) + chr(0x202E) + "b")
    'a␀[U+202E]b'
    """
    return text.replace("\r\n", "\n").translate(_VISIBLE)


def clipped(text: str, limit: int) -> str:
    """At most about ``limit`` characters: the beginning, what is left out, and the end."""
    if len(text) <= limit:
        return text
    head, tail = 2 * limit // 3, limit // 3
    left_out = len(text) - head - tail
    gap = f"[… {left_out:,} characters left out; the log has them …]"
    return f"{text[:head]}\n{gap}\n{text[-tail:]}"


def one_line(text: str, limit: int = 120) -> str:
    """Without line breaks, the end cut off where it is long."""
    flat = " ".join(text[: 8 * limit].split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"


def chart_label(text: str, limit: int = 60) -> str:
    """For Plotly, which reads a few tags in its texts."""
    return inert(one_line(text, limit)).translate(_PLOTLY)
