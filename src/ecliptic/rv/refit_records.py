"""What is known of a real star's planets: a refit of its velocities beside the published values.

The sealed part of an archival task holds it (:class:`~ecliptic.rv.tasks.Truth`).
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Self

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from ecliptic.model import Float, Model, Text, Texts, field_error

PARAMETERS = ("period_days", "semi_amplitude_ms", "e_cos_omega", "e_sin_omega", "l_rad")
"""Of every planet in ``Refit.median`` and ``Refit.covariance``, in this order. The mean longitude
is that of the task's reference epoch; P, K, e cos(omega) and e sin(omega) are smooth through e = 0.
"""


class Measured(Model):
    """A value and its standard deviation; ``None`` where the source states none, or held it."""

    value: Float
    sigma: Annotated[Float, Field(ge=0)] | None = None

    def sigmas_from(self, other: Measured) -> float | None:
        """The difference over both standard deviations together; ``None`` if there are none."""
        scale = math.hypot(self.sigma or 0.0, other.sigma or 0.0)
        return (self.value - other.value) / scale if scale > 0.0 else None


class KnownPlanet(Model):
    """One planet: median and standard deviation of the refit, and what was published.

    ``published`` has the keys ``period_days``, ``semi_amplitude_ms``, ``e``, ``omega_deg``,
    ``m_sin_i_mjup``, as far as the source states them. An amplitude that only a minimum mass
    implies is among them.
    """

    name: Text = ""
    period_days: Measured
    semi_amplitude_ms: Measured
    e: Measured
    published: dict[str, Measured] = {}  # noqa: RUF012  (a pydantic default, copied for each)
    note: Text = ""

    def allowed(self, quantity: str, sigmas: float) -> float:
        """The larger of the published and the refit's standard deviation, times ``sigmas``."""
        refit: Measured = getattr(self, quantity)
        published = self.published.get(quantity)
        stated = (published.sigma or 0.0) if published is not None else 0.0
        return sigmas * max(refit.sigma or 0.0, stated)


class Rival(Model):
    """Other periods of the expected planets that the velocities allow, in the order of the refit.

    ``loss``: the refit's log-likelihood less that of this solution, below 5, and negative where it
    fits better. Only knowledge from beyond the velocities, such as transits, tells the two apart.
    """

    periods_days: tuple[Measured, ...]
    semi_amplitudes_ms: tuple[Measured, ...]
    loss: Float


class Refit(Model):
    """A joint fit of all expected planets with offsets, jitters and whatever the family declares.

    Attributes
    ----------
    planets
        The expected ones, in the order of ``truth.planets``, which are the most likely values.
    tolerated
        Others that are known, or claimed, and that the series shows weakly or only to one who
        knows the ephemeris: a submission may hold them or not.
    median, covariance
        Of :data:`PARAMETERS` of every expected planet, (5 p,) and (5 p, 5 p): the Gaussian
        approximation around the most likely model, in coordinates where orbits are linear,
        carried over by draws.
    rms_ms, log_likelihood
        Of the residuals, under the declared family.
    rivals
        Solutions with other periods that fit as well; one of them is as good an answer.
    source
        The paper of the published values.
    """

    planets: tuple[KnownPlanet, ...]
    tolerated: tuple[KnownPlanet, ...] = ()
    median: tuple[Float, ...]
    covariance: tuple[tuple[Float, ...], ...]
    rms_ms: Annotated[Float, Field(ge=0)]
    log_likelihood: Float
    rivals: tuple[Rival, ...] = ()
    source: Text = ""
    remarks: Texts = ()

    @model_serializer(mode="wrap")
    def _without_no_rivals(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data: dict[str, Any] = handler(self)
        if not self.rivals:
            del data["rivals"]  # as in files from before the field
        return data

    @model_validator(mode="after")
    def _shapes(self) -> Self:
        size = len(PARAMETERS) * len(self.planets)
        if len(self.median) != size:
            raise field_error("median", f"must hold {size} entries, not {len(self.median)}")
        if [len(row) for row in self.covariance] != [size] * size:
            raise field_error("covariance", f"must hold {size} rows of {size} entries")
        for rival in self.rivals:
            sizes = {len(rival.periods_days), len(rival.semi_amplitudes_ms)}
            if sizes != {len(self.planets)}:
                raise field_error("rivals", "must hold a period and an amplitude a planet each")
        return self
