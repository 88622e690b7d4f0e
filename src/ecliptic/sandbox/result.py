"""What a cell returns, made from the supervisor's message."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Any

from .limits import Limits
from .png import readable_png

_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff"
    r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb"  # direction, lines, notes
    r"\U000e0000-\U000e0fff]"  # tags, a second alphabet that no font shows
)


@dataclass(frozen=True)
class CellResult:
    """Outcome of a cell.

    Attributes
    ----------
    text : str
        Printed output in order, the value of a last expression, a traceback, and remarks of the
        laboratory in square brackets.
    images : tuple of bytes
        PNG images of the figures that were open at the end.
    error : str or None
        The last line of the traceback, or why the session was lost.
    seconds : float
        Wall time.
    truncated : bool
        Whether output was left out.
    timed_out : bool
        Whether the cell was stopped by its time limit.
    session_lost : bool
        Whether the variables are gone. The next cell finds a fresh session.
    """

    text: str
    images: tuple[bytes, ...] = ()
    error: str | None = None
    seconds: float = 0.0
    truncated: bool = False
    timed_out: bool = False
    session_lost: bool = False


def read_outcome(message: dict[str, Any], limits: Limits, time_limit_seconds: float) -> CellResult:
    """The result in a supervisor's message, with remarks for the agent."""
    head, tail, cut = str(message["head"]), str(message["tail"]), int(message["cut"])
    text = visible(head)
    if cut:
        text += f"\n[... {cut:,} bytes of output left out ...]\n" + visible(tail)
    images, refused = _read_images(list(message["images"]), limits)
    timed_out, lost = bool(message["timed_out"]), message["lost"]
    emptied = bool(message.get("emptied"))
    remarks = []
    if timed_out and not lost:
        remarks.append(f"stopped after {time_limit_seconds:g} s; variables are kept")
    if lost:
        when = f" after {time_limit_seconds:g} s" if timed_out else ""
        files = "variables and files are gone" if emptied else "variables are gone, files stay"
        remarks.append(f"session lost{when}: {visible(str(lost))}; {files}")
    if refused:
        remarks.append(f"{refused} images left out: too large or damaged")
    if message["ignored"]:
        remarks.append(f"{int(message['ignored'])} messages to the laboratory ignored")
    error = message["error"]
    return CellResult(
        text=with_remarks(text, remarks),
        images=images,
        error=None if error is None else visible(str(error)).replace("\n", " "),
        seconds=float(message["seconds"]),
        truncated=cut > 0,
        timed_out=timed_out,
        session_lost=lost is not None,
    )


def with_remarks(text: str, remarks: list[str]) -> str:
    """Text with each remark on a line of its own, in square brackets."""
    if remarks and text and not text.endswith("\n"):
        text += "\n"
    return text + "".join(f"[{remark}]\n" for remark in remarks)


def visible(text: str) -> str:
    """Text that shows all it holds, from its first line to its last.

    Escapes stand for control characters (terminal commands among them), surrogates, and characters
    that turn or hide others. What a carriage return would overwrite stays, on a line of its own.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub(lambda found: ascii(found.group())[1:-1], text)


def _read_images(encoded: list[Any], limits: Limits) -> tuple[tuple[bytes, ...], int]:
    images = [image for item in encoded if (image := _read_png(item, limits)) is not None]
    return tuple(images[: limits.images]), len(encoded) - len(images)


def _read_png(encoded: Any, limits: Limits) -> bytes | None:
    try:
        data = base64.b64decode(encoded, validate=True)
    except (TypeError, ValueError, binascii.Error):
        return None
    return readable_png(data) if len(data) <= limits.image_bytes else None
