"""Thresholds of the grading protocols, by name."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from ecliptic.errors import UsageError
from ecliptic.model import short


@dataclass(frozen=True)
class Protocol:
    """Named thresholds; every field is a finite number."""

    name: ClassVar[str]

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            try:
                finite = isinstance(value, int | float) and math.isfinite(value)
            except OverflowError:  # an integer beyond 1.8e308
                finite = False
            if not finite:
                raise UsageError(
                    f"protocol {self.name}: {field.name} must be finite, not {short(value)}"
                )

    @property
    def label(self) -> str:
        """The name, with the thresholds that differ from their defaults."""
        changed = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"{self.name}({', '.join(changed)})" if changed else self.name


@dataclass(frozen=True)
class PaperProtocol(Protocol):
    """Thresholds of the four criteria of the published evaluator.

    ``min_delta_bic`` is 0 in the published code and 10 in its description; ``rms_factor``
    multiplies the median quoted error; ``min_match`` is the match score that is still enough.
    """

    name: ClassVar[str] = "paper"
    min_delta_bic: float = 0.0
    rms_factor: float = 1.5
    min_match: float = 0.8


@dataclass(frozen=True)
class StrictProtocol(Protocol):
    """Thresholds of the five criteria of :mod:`ecliptic.rv.strict`.

    Attributes
    ----------
    min_delta_bic
        Against the model without planets, and without any one of them.
    rms_factor
        Of the oracle's RMS, for tasks without activity.
    log_likelihood_loss
        What may be lost against the oracle, for tasks with activity.
    base_tolerance
        Distance that is always near enough; 0.223 is ``exp(-d) = 0.8``, the published bar.
    max_tolerance, max_tolerance_faint
        The largest distance that the data may excuse, the latter for the tier ``faint``.
    period_sigmas, period_resolution
        A period may be off by the larger of so many standard deviations and such a part of the
        frequency resolution.
    """

    name: ClassVar[str] = "strict"
    min_delta_bic: float = 20.0
    rms_factor: float = 1.1
    log_likelihood_loss: float = 10.0
    base_tolerance: float = 0.223
    max_tolerance: float = 1.0
    max_tolerance_faint: float = 2.0
    period_sigmas: float = 3.0
    period_resolution: float = 0.25


@dataclass(frozen=True)
class ArchivalProtocol(Protocol):
    """Thresholds of the four criteria of :mod:`ecliptic.rv.archival`.

    Attributes
    ----------
    sigmas
        Standard deviations, published or of the refit, that a period or an amplitude may be off.
    residual_sigmas
        Of the refit's posterior region that the residuals must lie in.
    tolerated_resolution
        A planet has the period of a tolerated signal within the larger of ``sigmas`` and such a
        part of the frequency resolution.
    """

    name: ClassVar[str] = "archival"
    sigmas: float = 3.0
    residual_sigmas: float = 3.0
    tolerated_resolution: float = 0.25


AnyProtocol = PaperProtocol | StrictProtocol | ArchivalProtocol
PROTOCOLS: dict[str, AnyProtocol] = {
    "paper": PaperProtocol(),
    "strict": StrictProtocol(),
    "archival": ArchivalProtocol(),
}
"""Protocols by name."""
_SPELLING = re.compile(r"(?P<name>\w+)(?:\((?P<changes>[^()]*)\))?")


def protocol_of(protocol: str | AnyProtocol) -> AnyProtocol:
    """The protocol of a name, of a name with other thresholds, or the protocol itself.

    >>> protocol_of("paper(min_delta_bic=10)")
    PaperProtocol(min_delta_bic=10.0, rms_factor=1.5, min_match=0.8)

    Raises
    ------
    UsageError
        There is no such protocol or threshold; names those that exist.
    """
    if isinstance(protocol, AnyProtocol):
        return protocol
    spelt = _SPELLING.fullmatch(protocol.replace(" ", "")) if isinstance(protocol, str) else None
    if spelt is None or spelt["name"] not in PROTOCOLS:
        available = ", ".join(f"'{name}'" for name in PROTOCOLS)
        raise UsageError(f"no protocol {protocol!r}; available: {available}")
    base = PROTOCOLS[spelt["name"]]
    if not spelt["changes"]:
        return base
    changes: dict[str, Any] = {}
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
