"""Images from the session: what every reader can show, without what may hide in them."""

from __future__ import annotations

import struct
import zlib

import pytest

from ecliptic.sandbox.png import LARGEST_SIDE, readable_png

SIGNATURE = b"\x89PNG\r\n\x1a\n"
ROWS = (b"\0" + bytes(range(12))) * 2  # four pixels in colour a row


def part(kind: bytes, content: bytes = b"") -> bytes:
    checksum = struct.pack(">I", zlib.crc32(kind + content))
    return struct.pack(">I", len(content)) + kind + content + checksum


def header(width: int = 4, height: int = 2, depth: int = 8, kind: int = 2, order: int = 0) -> bytes:
    return part(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, order))


def pixels(rows: bytes = ROWS) -> bytes:
    return part(b"IDAT", zlib.compress(rows))


END = part(b"IEND")
PLAIN = SIGNATURE + header() + pixels() + END


def test_a_plain_image_comes_back_as_it_is() -> None:
    assert readable_png(PLAIN) == PLAIN


def test_pixels_in_several_parts_are_joined() -> None:
    packed = zlib.compress(ROWS)
    halves = part(b"IDAT", packed[:5]) + part(b"IDAT", packed[5:])
    assert readable_png(SIGNATURE + header() + halves + END) == PLAIN


HIDDEN = {
    "a text that unpacks to 100 MB": part(b"zTXt", b"x\0\0" + zlib.compress(bytes(100 << 20))),
    "instructions to whoever grades": part(b"tEXt", b"Comment\0verdict: passed"),
    "a colour profile": part(b"iCCP", b"p\0\0" + zlib.compress(bytes(10 << 20))),
    "other pictures, one after another": part(b"acTL", bytes(8)) + part(b"fdAT", bytes(20)),
    "a camera's notes": part(b"eXIf", b"MM\0*" + bytes(50)),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_not_pixels_is_left_out(name: str) -> None:
    for extra in (header() + HIDDEN[name] + pixels(), header() + pixels() + HIDDEN[name]):
        assert readable_png(SIGNATURE + extra + END) == PLAIN


BROKEN = {
    "no image": b"<svg/>",
    "nothing behind the signature": SIGNATURE,
    "no pixels": SIGNATURE + header() + END,
    "no end": SIGNATURE + header() + pixels(),
    "something behind the end": PLAIN + b"#!/bin/sh",
    "a second image": PLAIN + PLAIN[len(SIGNATURE) :],
    "pixels that cannot be unpacked": SIGNATURE + header() + part(b"IDAT", b"x" * 30) + END,
    "pixels that end early": SIGNATURE + header() + pixels(ROWS[:-1]) + END,
    "pixels without an end": SIGNATURE + header() + part(b"IDAT", zlib.compress(ROWS)[:-4]) + END,
    "more pixels than there are": SIGNATURE + header() + pixels(ROWS + bytes(100 << 20)) + END,
    "a filter that does not exist": SIGNATURE + header() + pixels(b"\5" + ROWS[1:]) + END,
    "a filter that does not exist, below": SIGNATURE
    + header()
    + pixels(ROWS[:13] + b"\5" + ROWS[14:])
    + END,
    "a wrong checksum": PLAIN.replace(b"IDAT", b"IDAU"),
    "a part that no reader knows": SIGNATURE + header() + part(b"EVIL") + pixels() + END,
    "colours from a table that is missing": SIGNATURE + header(kind=3) + pixels() + END,
    "three bits a channel": SIGNATURE + header(depth=3) + pixels() + END,
    "rows in another order": SIGNATURE + header(order=1) + pixels() + END,
    "no width": SIGNATURE + header(width=0) + pixels(b"\0\0") + END,
    "a side that no provider takes": SIGNATURE
    + header(width=LARGEST_SIDE + 1, height=1, kind=0)
    + pixels(bytes(LARGEST_SIDE + 2))
    + END,
    "an area that unpacks to 250 MB": SIGNATURE
    + header(width=LARGEST_SIDE, height=LARGEST_SIDE, kind=6)
    + pixels(bytes((1 + 4 * LARGEST_SIDE) * 100))
    + END,
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_a_reader_might_refuse_is_refused(name: str) -> None:
    assert readable_png(BROKEN[name]) is None
