"""What an agent hands in: planets, and the extra white noise that it assumes.

    {"planets": [{"P_days": 12.3, "m_sin_i_mjup": 0.2, "e": 0.1, "omega_rad": 1.0, "l_rad": 2.0}],
     "noise": {"sigma_jitter_ms": 0.5}}

Only ``P_days`` (or ``period_days``) is required of a planet. Angles refer to the observation's
``t_ref_days`` (its first time, unless said otherwise), with the mean longitude
``l = Omega + omega + M0``.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_core import ErrorDetails, from_json

from ecliptic.errors import SubmissionError
from ecliptic.model import Float, Model, describe, known_fields, short

MAX_TEXT_BYTES = 1_000_000


Ignored = Annotated[None, BeforeValidator(lambda _: None), Field(exclude=True, repr=False)]
"""A field that may hold anything; nothing of it is kept."""


class SubmittedPlanet(Model):
    """One planet's elements at the observation's epoch ``t_ref_days``.

    ``inc_rad`` and ``m_true_mjup`` are accepted, because published tools send them, and ignored:
    radial velocities hold only the minimum mass.
    """

    period_days: Annotated[Float, Field(gt=0, alias="P_days")]
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
    """A validated submission; the order of the planets is the agent's own."""

    planets: tuple[SubmittedPlanet, ...]
    noise: SubmittedNoise | None = None

    @property
    def sigma_jitter_ms(self) -> float:
        """The assumed jitter, 0 where no noise was given."""
        return 0.0 if self.noise is None else self.noise.sigma_jitter_ms

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON that :func:`read_submission` takes again."""
        return self.model_dump(exclude_none=True)


_FIELDS = known_fields(Submission)


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
        }.get(name, "an object with the fields of a planet" if "[" in name else "")


GRADER_LIMITS = Limits(max_planets=100, period_above_days=0.0, max_e=None)
"""What can be graded at all."""

AGENT_LIMITS = Limits(max_planets=7, period_above_days=0.5, max_e=0.8)
"""What an agent may submit through the published tool (Stargazer, Liu et al. 2026)."""


def read_submission(data: object, limits: Limits = GRADER_LIMITS) -> Submission:
    """A submission from a mapping, from JSON text, or one that was read before.

    Raises
    ------
    SubmissionError
        One line that names the first faulty field, its value and what is allowed there.
    """
    if not isinstance(data, Submission):
        data = _validated(data, limits)
    if len(data.planets) > limits.max_planets:
        raise _too_many(len(data.planets), limits)
    for index, planet in enumerate(data.planets):
        if planet.period_days <= limits.period_above_days:
            raise _refusal(f"planets[{index}].period_days", planet.period_days, limits)
        if limits.max_e is not None and planet.e > limits.max_e:
            raise _refusal(f"planets[{index}].e", planet.e, limits)
    return data


def _validated(data: object, limits: Limits) -> Submission:
    if isinstance(data, str | bytes | bytearray):
        data = _parsed(data)
    if not isinstance(data, (dict, Mapping)):  # the first is quick to tell
        raise SubmissionError(
            f"a submission must be an object with 'planets', not {short(data)}",
            value=data,
            allowed="an object with 'planets' and, if wanted, 'noise'",
        )
    if len(data) > len(_FIELDS):  # refuse before a validator lists every one of them
        raise _unknown(str(next(key for key in data if key not in _FIELDS)), _FIELDS)
    planets = data.get("planets", ())
    if not isinstance(planets, (list, tuple)):
        raise _refusal("planets", planets, limits)
    if len(planets) > limits.max_planets:
        raise _too_many(len(planets), limits)
    try:
        return Submission.model_validate(data)
    except ValidationError as error:
        raise _translated(error, limits) from None


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
        if name == "period_days":
            return SubmissionError(
                f"{field} repeats P_days: both name the same field, give one of them",
                field=field,
                value=value,
                allowed="P_days or period_days, not both",
            )
        # The path is (name), (noise, name) or (planets, index, name).
        known = {1: _FIELDS, 2: known_fields(SubmittedNoise)}.get(len(details["loc"]))
        return _unknown(field, known or ("P_days", *known_fields(SubmittedPlanet)))
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
    habitual = {"P": "P_days", "period": "P_days", "ecc": "e", "eccentricity": "e"}
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
