"""Figures that a cell left open become PNG images."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable


def collect(most: int, largest_bytes: int, say: Callable[[str], object]) -> list[bytes]:
    """PNG images of the open figures in order, all of which are closed; ``say`` takes remarks."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    images: list[bytes] = []
    numbers = pyplot.get_fignums()
    try:
        for number in numbers[:most]:
            buffer = io.BytesIO()
            pyplot.figure(number).savefig(buffer, format="png", bbox_inches="tight")
            if buffer.tell() > largest_bytes:
                say(f"[figure {number} left out: {buffer.tell():,} bytes of {largest_bytes:,}]\n")
            else:
                images.append(buffer.getvalue())
    finally:
        pyplot.close("all")
    if len(numbers) > most:
        say(f"[{len(numbers) - most} more figures left out: at most {most} a cell]\n")
    return images
