"""Results that anybody can verify: Ed25519 over canonical JSON."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from ecliptic.errors import UsageError
from ecliptic.server.credentials import read_private, write_private

FILE = "signing.pem"
SCHEMA = "ecliptic.result/1"
TEXTS = ("protocol", "mode", "agent", "model", "date", "version")


def canonical(document: Mapping[str, Any]) -> bytes:
    """The bytes that are signed: sorted keys, no spaces, ASCII, without ``signature``."""
    rest = {name: value for name, value in document.items() if name != "signature"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


class Signer:
    """Signs with a key that never leaves this process."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public_key = base64.b64encode(key.public_key().public_bytes_raw()).decode()

    @classmethod
    def of_folder(cls, folder: Path | None) -> Signer:
        """The key in ``signing.pem``, made on first use with mode 0600; without a folder a new one.

        Raises
        ------
        UsageError
            Others can read the file, or it holds no such key.
        """
        fresh = Ed25519PrivateKey.generate()
        if folder is None:
            return cls(fresh)
        path = folder / FILE
        pem = fresh.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        write_private(path, pem)
        try:
            key = load_pem_private_key(read_private(path), None)
        except (ValueError, TypeError):
            key = None
        if not isinstance(key, Ed25519PrivateKey):
            raise UsageError(f"{path}: holds no Ed25519 key; restore it, results are signed by it")
        return cls(key)

    def sign(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document with ``public_key`` and ``signature``."""
        named = {**document, "public_key": self.public_key}
        signature = self._key.sign(canonical(named))
        return {**named, "signature": base64.b64encode(signature).decode()}


def verify_result(document: object, public_key: str | None = None) -> None:
    """Verify a signed result.

    Parameters
    ----------
    public_key
        The server's key, base64, from a source that is trusted. Without it only that the result
        is whole is shown, not who signed it.

    Raises
    ------
    UsageError
        It is no result, was signed with another key, or was changed.
    """
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise UsageError(f"it is no signed result: schema must be '{SCHEMA}'")
    named = document.get("public_key")
    if public_key is not None and public_key.strip() != named:
        raise UsageError("it was signed with another key than the one given")
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(str(named), validate=True))
        signature = base64.b64decode(str(document.get("signature")), validate=True)
        key.verify(signature, canonical(document))
    except (InvalidSignature, ValueError, RecursionError, binascii.Error):
        raise UsageError("the signature does not hold: the result was changed") from None
    if not _is_whole(document):
        raise UsageError("it is signed, but is no result as this version makes them")


def _is_whole(document: Mapping[str, Any]) -> bool:
    """Whether what :func:`verify_result` vouches for can be shown: anybody can sign anything."""
    suite, counts = document.get("suite"), document.get("counts")
    if not isinstance(suite, dict) or not isinstance(counts, dict):
        return False
    texts = [document.get(name) for name in TEXTS] + [suite.get("name"), suite.get("checksum")]
    numbers = [counts.get("tasks"), counts.get("passed")]
    return all(isinstance(text, str) and text.isprintable() for text in texts) and all(
        isinstance(number, int) for number in numbers
    )
