"""PNG images from a source that may forge them: what every reader can show, or nothing.

A model's provider refuses a request with a broken or a huge image, which would end the attempt, and
texts or profiles packed into an image can unpack to any size. So the pixels are unpacked here once,
in pieces, and of all parts only those with the pixels are kept.
"""

from __future__ import annotations

import struct
import zlib

LARGEST_SIDE = 8000  # what providers of models take
LARGEST_AREA = 1 << 24
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}  # grey, colour, and each with opacity
_PLAIN = b"\x08%c\0\0\0"  # eight bits a channel, of a colour type, rows in order
_FILTERS = 5
_PIECE_BYTES = 1 << 20


def readable_png(data: bytes) -> bytes | None:
    """The image without all that is not its pixels, if it is one that every reader can show."""
    parts = _parts(data)
    if parts is None or len(parts) < 3:
        return None
    (first, header), *middle, (last, nothing) = parts
    pixels = b"".join(content for _, content in middle)
    if (first, last, nothing) != (b"IHDR", b"IEND", b"") or len(header) != 13:
        return None
    if any(kind != b"IDAT" for kind, _ in middle) or not _fits(header, pixels):
        return None
    return _SIGNATURE + b"".join(
        _packed(kind, content)
        for kind, content in ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
    )


def _parts(data: bytes) -> list[tuple[bytes, bytes]] | None:
    """Kind and content of the parts that a reader must know, up to the end of the data."""
    if not data.startswith(_SIGNATURE):
        return None
    parts = []
    position = len(_SIGNATURE)
    while position + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        end = position + 12 + length
        if end > len(data) or data[position:end] != _packed(kind, data[position + 8 : end - 4]):
            return None
        if not kind[0] & 0x20:
            parts.append((kind, data[position + 8 : end - 4]))
        position = end
    return parts if position == len(data) else None


def _packed(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def _fits(header: bytes, pixels: bytes) -> bool:
    """Whether the pixels are those that the header announces."""
    width, height = struct.unpack_from(">II", header)
    channels = _CHANNELS.get(header[9])
    if channels is None or header[8:] != _PLAIN % header[9]:
        return False
    if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
        return False
    return width * height <= LARGEST_AREA and _holds_rows(pixels, 1 + width * channels, height)


def _holds_rows(packed: bytes, row_bytes: int, rows: int) -> bool:
    unpacking = zlib.decompressobj()
    done, size = 0, row_bytes * rows
    try:
        while done < size:
            piece = unpacking.decompress(packed, min(size - done, _PIECE_BYTES))
            filters = piece[-done % row_bytes :: row_bytes]
            if not piece or max(filters, default=0) >= _FILTERS:
                return False
            packed = unpacking.unconsumed_tail
            done += len(piece)
        return not unpacking.decompress(packed, 1) and unpacking.eof
    except zlib.error:
        return False
