r"""Commitments: what fixes a sealed truth in public without telling it.

With a salt of 128 random bits, :math:`p` the hash of a task's public values and :math:`s` that of
its sealed part,

.. math:: c = \mathrm{SHA256}(\text{label}, \text{salt}, p, s),

each hash over JSON with sorted keys and no spaces. Without the salt a truth cannot be guessed and
tried; with salt and truth anybody can check that nothing was changed since ``c`` was published. A
suite's commitment is over those of its tasks in order, its seed and a salt of its own.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any

SALT_BYTES = 16
_TASK, _SUITE = b"ecliptic.commitment/1", b"ecliptic.suite-commitment/1"


def salt_of(seed: int, purpose: str) -> str:
    """128 bits in hex that follow from a secret seed: HMAC-SHA256 of the purpose.

    Derived rather than drawn, so that one seed gives the same files however often it is used. Who
    does not know the seed cannot tell them from random ones.
    """
    key = seed.to_bytes(max(SALT_BYTES, (seed.bit_length() + 7) // 8), "big")
    return hmac.new(key, purpose.encode(), hashlib.sha256).hexdigest()[: 2 * SALT_BYTES]


def commitment_of(task: Mapping[str, Any], salt: str) -> str:
    """The commitment to a task's sealed part, beside its public one; ``task`` is its JSON."""
    public = {"id": task["id"], "public": task["public"]}
    return _hash(_TASK, salt, plain_hash(public), plain_hash(task["sealed"]))


def suite_commitment_of(commitments: Sequence[str], seed: str, salt: str) -> str:
    """The commitment to all tasks of a suite, in order, and to the seed that made them."""
    return _hash(_SUITE, salt, seed, *commitments)


def plain_hash(data: Any) -> str:
    """SHA-256 in hex of JSON with sorted keys and without spaces."""
    # Read back, as JSON turns keys into text and would sort them before it does.
    data = json.loads(json.dumps(data, allow_nan=False))
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _hash(label: bytes, *parts: str) -> str:
    digest = hashlib.sha256(label)
    for part in parts:
        digest.update(b"\n" + part.encode())
    return digest.hexdigest()
