"""The published Stargazer task file as pydantic models: names are the file's own.

Unknown names are passed over; types, bounds and lengths are not.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, model_validator

from ecliptic.model import Float, Model, Text, Vector, field_error
from ecliptic.rv.tasks import Instrument

MAX_PLANETS = 30


class PublishedPart(Model):
    """Any part of a published file."""

    model_config = ConfigDict(extra="ignore")


class PublishedPlanet(PublishedPart):
    """One planet; ``l_rad`` is at time 0 of the N-body integration."""

    P_days: Annotated[Float, Field(gt=0)]
    m_sin_i_mjup: Annotated[Float, Field(ge=0)]
    e: Annotated[Float, Field(ge=0, lt=1)]
    omega_rad: Float
    l_rad: Float
    Omega_rad: Float = 0.0
    inc_rad: Float | None = None


class PublishedStar(PublishedPart):
    """The star."""

    M_star_sun: Annotated[Float, Field(gt=0)]


class PublishedRotationGP(PublishedPart):
    """The rotation term; what it says counts only where ``use_gp`` is true."""

    use_gp: Annotated[bool, Field(strict=True)]
    sigma_ms: Annotated[Float, Field(ge=0)] = 0.0
    period_days: Annotated[Float, Field(gt=0)] = 25.0
    Q0: Annotated[Float, Field(gt=0)] = 1.0
    dQ: Annotated[Float, Field(ge=0)] = 0.1
    f: Annotated[Float, Field(ge=0)] = 0.5

    @model_validator(mode="after")
    def _amplitude(self) -> Self:
        if self.use_gp and self.sigma_ms == 0:
            raise field_error("sigma_ms", "must be > 0 where use_gp is true")
        return self


class PublishedNoise(PublishedPart):
    """Noise of all instruments together."""

    sigma_white_ms: Annotated[Float, Field(ge=0)]
    sigma_jitter_ms: Annotated[Float, Field(ge=0)] = 0.0
    gp: PublishedRotationGP | None = None


class PublishedInstrument(Instrument):
    """One instrument."""

    model_config = ConfigDict(extra="ignore")


class PublishedConfig(PublishedPart):
    """The system as it was simulated, or as the literature has it."""

    star: PublishedStar
    planets: Annotated[tuple[PublishedPlanet, ...], Field(min_length=1, max_length=MAX_PLANETS)]
    instruments: Annotated[tuple[PublishedInstrument, ...], Field(min_length=1, max_length=1000)]
    noise: PublishedNoise
    engine: str | None = None
    los_axis: str = "x"


class PublishedObservations(PublishedPart):
    """The velocities; their lengths are compared when the task is made."""

    times_days: Vector
    rvs_ms: Vector
    sigmas_ms: Vector
    instruments: tuple[Text, ...]


class PublishedTaskFile(PublishedPart):
    """One published task."""

    task_id: Annotated[Text, Field(min_length=1)]
    config: PublishedConfig
    observations: PublishedObservations
    truth_difficulty: Annotated[int, Field(strict=True, ge=1, le=10)]
    difficulty_details: dict[str, Any] = Field(default_factory=dict)
    meta: dict[str, Any] = Field(default_factory=dict)

    @property
    def rv_only(self) -> bool:
        """Whether the velocities hold no N-body signal."""
        return self.meta.get("rv_semantics") == "rv_only"

    @property
    def real(self) -> bool:
        """Whether these are velocities of a real star."""
        return self.rv_only or self.difficulty_details.get("real_data") is True

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        known = {instrument.label for instrument in self.config.instruments}
        for index, label in enumerate(self.observations.instruments):
            if label not in known:
                raise field_error(
                    f"observations.instruments[{index}]",
                    f"names '{label[:40]}', which config.instruments does not hold",
                )
        for name in ("difficulty_details", "meta"):
            try:
                json.dumps(getattr(self, name), allow_nan=False)
            except ValueError:
                raise field_error(name, "must not hold NaN or infinity") from None
        if not self.rv_only and self.config.los_axis != "x":
            raise field_error("config.los_axis", f"must be 'x', not '{self.config.los_axis[:40]}'")
        return self
