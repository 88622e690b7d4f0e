"""Tokens of attempts, the operator's key, and names of tasks that tell nothing."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

from ecliptic.errors import UsageError
from ecliptic.files import output_errors, reason

SECRET_BYTES = 32
"""256 bits."""
OPERATOR_VARIABLE = "ECLIPTIC_OPERATOR_KEY"
SHORTEST_KEY = 16
_TOKEN = re.compile(r"ea_([0-9a-f]{24})_([A-Za-z0-9_-]{43})")


def new_attempt_id() -> str:
    """96 random bits in hex; not secret."""
    return secrets.token_hex(12)


def new_token(attempt_id: str) -> str:
    """The bearer token of an attempt: its id and 256 random bits."""
    return f"ea_{attempt_id}_{secrets.token_urlsafe(SECRET_BYTES)}"


def attempt_of(token: str) -> str | None:
    """The attempt that a token names, whether or not it is right; ``None`` if it is no token."""
    found = _TOKEN.fullmatch(token)
    return found[1] if found else None


def digest(secret: str) -> str:
    """What is stored of a secret of full entropy: its SHA-256, in hex."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def matches(secret: str, stored_digest: str) -> bool:
    """Whether this is the secret, in a time that does not depend on where they differ."""
    return hmac.compare_digest(digest(secret), stored_digest)


def opaque_id(key: bytes, task_id: str) -> str:
    """A task's name on this server: nobody without the key can tell which task it is."""
    return "t-" + hmac.new(key, task_id.encode(), hashlib.sha256).hexdigest()[:24]


def kept_secret(folder: Path | None, name: str) -> str:
    """The secret in a file of ``folder``, made on first use and readable by its owner alone.

    Raises
    ------
    UsageError
        The file can be read by others, or holds no secret.
    OutputError
        It cannot be written.
    """
    if folder is None:
        return secrets.token_urlsafe(SECRET_BYTES)
    path = folder / name
    write_private(path, secrets.token_urlsafe(SECRET_BYTES).encode() + b"\n")
    text = read_private(path).decode("ascii", "replace").strip()
    if len(text) < SHORTEST_KEY:
        raise UsageError(f"{path}: holds no key; remove it, and the next start makes another")
    return text


def write_private(path: Path, data: bytes) -> None:
    """Write a file of mode 0600 unless it exists; whoever comes second reads the first's."""
    with output_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(partial, path)  # fails where it exists, and is whole where it does not
            except FileExistsError:
                return
        finally:
            partial.unlink()


def read_private(path: Path) -> bytes:
    """The contents of a file that only its owner may read."""
    try:
        mode = path.stat().st_mode & 0o777
        if mode & 0o077:
            raise UsageError(f"{path}: can be read by others (mode {mode:o}); chmod 600 it")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {reason(error)}") from None


def operator_key(folder: Path | None) -> str:
    """The key from the environment, else from ``operator.key`` in the state folder."""
    given = os.environ.get(OPERATOR_VARIABLE)
    if given is None:
        return kept_secret(folder, "operator.key")
    if len(given) < SHORTEST_KEY:
        raise UsageError(f"{OPERATOR_VARIABLE}: takes at least {SHORTEST_KEY} characters")
    return given
