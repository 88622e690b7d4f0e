"""Thresholds of the grading protocols, by name."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields, replace
from functools import cached_property

from ecliptic.errors import UsageError
from ecliptic.model import short


@dataclass(frozen=True)
class PaperProtocol:
    """Thresholds of the four criteria.

    ``min_delta_bic`` is 0 in the published code and 10 in its description; ``rms_factor``
    multiplies the median quoted error; ``min_match`` is the match score that is still enough.
    """

    min_delta_bic: float = 0.0
    rms_factor: float = 1.5
    min_match: float = 0.8

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            try:
                finite = isinstance(value, int | float) and math.isfinite(value)
            except OverflowError:  # an integer beyond 1.8e308
                finite = False
            if not finite:
                raise UsageError(f"protocol paper: {field.name} must be finite, not {short(value)}")

    @cached_property
    def label(self) -> str:
        """``paper``, with the thresholds that differ from the published ones."""
        changed = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"paper({', '.join(changed)})" if changed else "paper"


PROTOCOLS = {"paper": PaperProtocol()}
"""Protocols by name."""
_SPELLING = re.compile(r"(?P<name>\w+)(?:\((?P<changes>[^()]*)\))?")


def protocol_of(protocol: str | PaperProtocol) -> PaperProtocol:
    """The protocol of a name, of a name with other thresholds, or the protocol itself.

    >>> protocol_of("paper(min_delta_bic=10)")
    PaperProtocol(min_delta_bic=10.0, rms_factor=1.5, min_match=0.8)

    Raises
    ------
    UsageError
        There is no such protocol or threshold; names those that exist.
    """
    if isinstance(protocol, PaperProtocol):
        return protocol
    spelt = _SPELLING.fullmatch(protocol.replace(" ", "")) if isinstance(protocol, str) else None
    if spelt is None or spelt["name"] not in PROTOCOLS:
        available = ", ".join(f"'{name}'" for name in PROTOCOLS)
        raise UsageError(f"no protocol {protocol!r}; available: {available}")
    base = PROTOCOLS[spelt["name"]]
    if not spelt["changes"]:
        return base
    changes = {}
    for change in spelt["changes"].split(","):
        name, _, value = change.partition("=")
        known = [field.name for field in fields(base)]
        try:
            changes[known[known.index(name)]] = float(value)
        except ValueError:
            raise UsageError(
                f"protocol {protocol!r}: {change!r} must be THRESHOLD=NUMBER with one of "
                f"{', '.join(known)}"
            ) from None
    return replace(base, **changes)
