"""What an agent hands in: planets, and the extra white noise that it assumes.

    {"planets": [{"period_days": 12.3, "m_sin_i_mjup": 0.2, "e": 0.1,
                  "omega_rad": 1.0, "l_rad": 2.0}],
     "noise": {"sigma_jitter_ms": 0.5}}

Only ``period_days`` (or ``P_days``) is required of a planet. Angles refer to the observation's
``t_ref_days`` (its first time, unless said otherwise), with the mean longitude
``l = Omega + omega + M0``.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, ValidationError
from pydantic_core import ErrorDetails, from_json

from ecliptic.errors import SubmissionError
from ecliptic.model import Float, Model, describe, known_fields, short

MAX_TEXT_BYTES = 1_000_000
MAX_FIELDS = 32
"""Of one object; more than are known, so that a misspelt one is named as such."""


Ignored = Annotated[None, BeforeValidator(lambda _: None), Field(exclude=True, repr=False)]
"""A field that may hold anything; nothing of it is kept."""


class SubmittedPlanet(Model):
    """One planet's elements at the observation's epoch ``t_ref_days``.

    ``inc_rad`` and ``m_true_mjup`` are accepted, because published tools send them, and ignored:
    radial velocities hold only the minimum mass.
    """

    period_days: Annotated[
        Float, Field(gt=0, validation_alias=AliasChoices("period_days", "P_days"))
    ]
    m_sin_i_mjup: Annotated[Float, Field(ge=0)] = 0.1
    e: Annotated[Float, Field(ge=0, lt=1)] = 0.0
    omega_rad: Float = 0.0
    l_rad: Float = 0.0
    Omega_rad: Float = 0.0
    inc_rad: Ignored = None
    m_true_mjup: Ignored = None


class SubmittedNoise(Model):
    """White noise that is added in quadrature to the quoted errors of every instrument."""

    sigma_jitter_ms: Annotated[Float, Field(ge=0)] = 0.0


class Submission(Model):
    """A validated submission; the order of the planets is the agent's own.

    ``forward_model`` counts under protocol ``archival`` alone: the model to be graded with, if it
    is not the one that the task declares.
    """

    planets: tuple[SubmittedPlanet, ...]
    noise: SubmittedNoise | None = None
    forward_model: Literal["keplerian", "nbody"] | None = None

    @property
    def sigma_jitter_ms(self) -> float:
        """The assumed jitter, 0 where no noise was given."""
        return 0.0 if self.noise is None else self.noise.sigma_jitter_ms

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON that :func:`read_submission` takes again."""
        return self.model_dump(exclude_none=True)


_FIELDS = known_fields(Submission)
_NOISE_FIELDS = known_fields(SubmittedNoise)
_PLANET_FIELDS = (*known_fields(SubmittedPlanet), "P_days")
_KEYS = frozenset({str})
_SCALARS = frozenset({float, int, bool, str, type(None)})


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be submitted, beyond what :class:`SubmittedPlanet` demands of every planet."""

    max_planets: int
    period_above_days: float
    max_e: float | None

    def allowed(self, field: str) -> str:
        """The range of a field, in words; empty for a field that is not known."""
        name = field.rpartition(".")[2]
        e_range = "0 <= e < 1" if self.max_e is None else f"0 <= e <= {self.max_e:g}"
        return {
            "planets": f"a list of at most {self.max_planets} planets",
            "P_days": f"a number > {self.period_above_days:g}, in days",
            "period_days": f"a number > {self.period_above_days:g}, in days",
            "m_sin_i_mjup": "a number >= 0, in Jupiter masses",
            "e": f"a number with {e_range}",
            "omega_rad": "a finite number, in radians",
            "l_rad": "a finite number, in radians",
            "Omega_rad": "a finite number, in radians",
            "noise": "an object with sigma_jitter_ms, or null",
            "sigma_jitter_ms": "a number >= 0, in m/s",
            "forward_model": "'keplerian', 'nbody' or null",
        }.get(name, "an object with the fields of a planet" if "[" in name else "")


GRADER_LIMITS = Limits(max_planets=100, period_above_days=0.0, max_e=None)
"""What can be graded at all."""

AGENT_LIMITS = Limits(max_planets=7, period_above_days=0.5, max_e=0.8)
"""What an agent may submit through the published tool (Stargazer, Liu et al. 2026)."""


def read_submission(data: object, limits: Limits = GRADER_LIMITS) -> Submission:
    """A submission from a mapping, from JSON text, or from a :class:`Submission`.

    Whatever ``data`` is, it is made plain data once and then validated: a mapping of an agent's
    own making is never asked twice, and ``model_construct`` is no way around the limits.

    Raises
    ------
    SubmissionError
        One line that names the first faulty field, its value and what is allowed there.
    """
    try:
        plain = _plain(data, limits)
    except SubmissionError:
        raise
    except Exception as error:  # an agent's own object may raise anything
        raise SubmissionError(
            f"a submission must be plain data; reading it raised {type(error).__name__}",
            allowed="an object with 'planets' and, if wanted, 'noise'",
        ) from error
    try:
        submission = Submission.model_validate(plain)
    except ValidationError as error:
        raise _translated(error, limits) from None
    for index, planet in enumerate(submission.planets):
        if planet.period_days <= limits.period_above_days:
            raise _refusal(f"planets[{index}].period_days", planet.period_days, limits)
        if limits.max_e is not None and planet.e > limits.max_e:
            raise _refusal(f"planets[{index}].e", planet.e, limits)
    return submission


class _Foreign:
    """Stands for a value that is neither number nor text: shown in messages, never valid."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _plain(data: object, limits: Limits) -> dict[str, object]:
    """A copy of dicts, lists and scalars of Python's own types, as deep as fields are known."""
    if isinstance(data, (str, bytes, bytearray)):
        data = _parsed(data)
    fields = _fields(data, "", _FIELDS)
    if fields is None:
        raise SubmissionError(
            f"a submission must be an object with 'planets', not {short(data)}",
            value=data,
            allowed="an object with 'planets' and, if wanted, 'noise'",
        )
    if "planets" in fields:
        planets = fields["planets"]
        if not isinstance(planets, (list, tuple)):
            raise _refusal("planets", planets, limits)
        if len(planets) > limits.max_planets:
            raise _too_many(len(planets), limits)
        fields["planets"] = [
            _scalars(planet, f"planets[{index}]", _PLANET_FIELDS)
            for index, planet in enumerate(islice(planets, limits.max_planets))
        ]
    if "noise" in fields:
        fields["noise"] = _scalars(fields["noise"], "noise", _NOISE_FIELDS)
    return fields


def _fields(value: object, where: str, known: Sequence[str]) -> dict[str, object] | None:
    """The named values of an object, or ``None`` of anything else.

    Of too many the first that is not known is refused, before a validator lists every one.
    """
    if type(value) is not dict:  # the rest is slow to tell
        if isinstance(value, BaseModel):
            value = value.__dict__
        if not isinstance(value, Mapping):
            return None
    items = value.items() if type(value) is dict else ((key, value[key]) for key in value)
    fields: dict[str, object] = {}
    for key, item in islice(items, MAX_FIELDS + 1):
        if not isinstance(key, str):
            raise _unknown(_path(where, short(key)), known)
        # Of a subclass this is the text itself, whatever its own __str__ may do.
        fields[key if type(key) is str else str.__str__(key)] = item
    if len(fields) > MAX_FIELDS:
        raise _unknown(_path(where, next(key for key in fields if key not in known)), known)
    return fields


def _scalars(value: object, where: str, known: Sequence[str]) -> object:
    if (
        type(value) is dict
        and len(value) <= MAX_FIELDS
        and _KEYS.issuperset(map(type, value))
        and _SCALARS.issuperset(map(type, value.values()))
    ):
        return value  # plain already
    fields = _fields(value, where, known)
    if fields is None:
        return _scalar(value)
    for key, item in fields.items():
        if type(item) is not float:
            fields[key] = _scalar(item)
    return fields


def _scalar(value: object) -> object:
    if type(value) in _SCALARS:
        return value
    if isinstance(value, (float, int, np.floating, np.integer)) or (
        isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "iuf"
    ):
        return float(value)
    return _Foreign(short(value))


def _path(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _parsed(text: str | bytes | bytearray) -> object:
    size = len(text)
    if size > MAX_TEXT_BYTES:
        raise SubmissionError(
            f"a submission may hold at most {MAX_TEXT_BYTES} characters of JSON, not {size}",
            allowed=f"at most {MAX_TEXT_BYTES} characters",
        )
    if isinstance(text, str):
        text = text.encode(errors="replace")
    try:
        data: object = from_json(text)
    except ValueError as error:
        raise SubmissionError(f"not valid JSON: {error}", allowed="one JSON object") from None
    return data


def _translated(error: ValidationError, limits: Limits) -> SubmissionError:
    details: ErrorDetails = error.errors(include_url=False)[0]
    field, value, sentence = describe(error)
    if details["type"] == "extra_forbidden":
        name = str(details["loc"][-1])
        if name == "P_days":
            return SubmissionError(
                f"{field} repeats period_days: both name the same field, give one of them",
                field=field,
                value=value,
                allowed="period_days or P_days, not both",
            )
        # The path is (name), (noise, name) or (planets, index, name).
        known = {1: _FIELDS, 2: _NOISE_FIELDS}.get(len(details["loc"]), _PLANET_FIELDS)
        return _unknown(field, known)
    allowed = limits.allowed(field)
    if details["type"] == "missing":
        return SubmissionError(
            f"{field} is missing; allowed: {allowed}", field=field, allowed=allowed
        )
    if allowed:
        return _refusal(field, value, limits)
    return SubmissionError(f"{field} {sentence}", field=field, value=value)


def _refusal(field: str, value: object, limits: Limits) -> SubmissionError:
    allowed = limits.allowed(field)
    return SubmissionError(
        f"{field} must be {allowed}, not {short(value)}", field=field, value=value, allowed=allowed
    )


def _too_many(count: int, limits: Limits) -> SubmissionError:
    allowed = limits.allowed("planets")
    return SubmissionError(
        f"planets must be {allowed}, not {count}", field="planets", value=count, allowed=allowed
    )


def _unknown(field: str, known: Sequence[str]) -> SubmissionError:
    name = field.rpartition(".")[2]
    # 'P' and 'ecc' are what people write; they are too short for a likeness to find them.
    habitual = {"P": "period_days", "period": "period_days", "ecc": "e", "eccentricity": "e"}
    habitual |= {"K": "m_sin_i_mjup", "mass": "m_sin_i_mjup", "jitter": "sigma_jitter_ms"}
    close = [habitual[name]] if habitual.get(name) in known else []
    close = close or difflib.get_close_matches(name[:100], known, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    allowed = ", ".join(dict.fromkeys(known))
    return SubmissionError(
        f"{short(field)[1:-1]} is not a field that is known here{hint} (known: {allowed})",
        field=field,
        allowed=allowed,
    )
