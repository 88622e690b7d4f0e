"""What a cell returns, made from the supervisor's message."""

from __future__ import annotations

import base64
import binascii
import re
import struct
import zlib
from dataclasses import dataclass
from typing import Any

from .limits import Limits

LARGEST_SIDE = 8192
_PNG = b"\x89PNG\r\n\x1a\n"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


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
    remarks = []
    if timed_out and not lost:
        remarks.append(f"stopped after {time_limit_seconds:g} s; variables are kept")
    if lost:
        when = f" after {time_limit_seconds:g} s" if timed_out else ""
        remarks.append(f"session lost{when}: {visible(str(lost))}; variables are gone, files stay")
    if refused:
        remarks.append(f"{refused} images left out: too large or damaged")
    if message["ignored"]:
        remarks.append(f"{int(message['ignored'])} messages to the laboratory ignored")
    error = message["error"]
    return CellResult(
        text=with_remarks(text, remarks),
        images=images,
        error=None if error is None else visible(str(error)),
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
    """Control characters (terminal commands among them) and surrogates written as escapes."""
    return _CONTROL.sub(lambda found: ascii(found.group())[1:-1], text)


def _read_images(encoded: list[Any], limits: Limits) -> tuple[tuple[bytes, ...], int]:
    images = [image for item in encoded if (image := _read_png(item, limits)) is not None]
    return tuple(images[: limits.images]), len(encoded) - len(images)


def _read_png(encoded: Any, limits: Limits) -> bytes | None:
    """The bytes, if they are one whole PNG of sensible size and nothing else."""
    try:
        data = base64.b64decode(encoded, validate=True)
    except (TypeError, ValueError, binascii.Error):
        return None
    if len(data) > limits.image_bytes or not data.startswith(_PNG):
        return None
    position, first = len(_PNG), True
    while position + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        end = position + 12 + length
        if end > len(data):
            return None
        (checksum,) = struct.unpack_from(">I", data, end - 4)
        if checksum != zlib.crc32(data[position + 4 : end - 4]):
            return None
        if first:
            width, height = struct.unpack_from(">II", data, position + 8)
            if kind != b"IHDR" or not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
                return None
        if kind == b"IEND":
            return data if end == len(data) else None
        position, first = end, False
    return None
